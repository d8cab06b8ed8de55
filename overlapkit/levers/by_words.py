"""How a question stands in the chunks of its list: which words, how close, in which order."""

import numpy as np

from overlapkit.arrays import Floats, Longs, Mask, spread, sum_by
from overlapkit.chunkers import ChunkSet
from overlapkit.index import QueryTerms
from overlapkit.levers.lists import DeepLists
from overlapkit.levers.matches import Asked, Matches, asked_terms, find_matches
from overlapkit.retrieve import Ranked, lucene_idf

_FAR = np.iinfo(np.int64).max


def shares_of(lists: DeepLists, ranked: Ranked) -> Floats:
    """Return three shares per ranked chunk, each in 0..1: phrase, coverage, nearness.

    Every term weighs Lucene's idf over the chunks, and nothing where no chunk holds it.
    Phrase is the heaviest run of the question's terms that stands in the chunk as in the
    question, of all its terms; coverage the distinct terms held, of the distinct terms;
    nearness is coverage times the number of distinct terms held over the length, in terms,
    of the shortest stretch of the chunk that holds them all.
    """
    queries = lists.engine.query_terms
    asked, weight = asked_terms(queries), _weights(lists)
    question = np.repeat(np.arange(len(queries.first) - 1), np.diff(queries.first))
    in_all = sum_by(question, weight[queries.slots], len(queries.first) - 1)
    question = np.repeat(np.arange(len(asked.first) - 1), np.diff(asked.first))
    distinct = sum_by(question, weight[asked.slots], len(asked.first) - 1)
    shares = np.zeros((3, len(ranked.chunk)))
    positions = len(lists.engine.stream.terms)
    for part, matches in find_matches(queries, asked, positions, lists.terms, ranked):
        own = ranked.query[part]
        held, density = _held(matches, asked, weight, len(own))
        coverage = _share(held, distinct[own])
        phrase = _phrase(matches, queries, asked, weight, len(own))
        shares[:, part] = _share(phrase, in_all[own]), coverage, coverage * density
    return shares


def _weights(lists: DeepLists) -> Floats:
    """Return what each query term weighs."""
    index = lists.index or lists.engine.index(_outermost(lists.chunks))
    return np.where(index.document_frequency > 0, lucene_idf(index), 0.0)


def _outermost(chunks: ChunkSet) -> ChunkSet:
    """Return the chunks that lie in no other, in the order of the text, as an index needs them."""
    order = np.lexsort((-chunks.end, chunks.start, chunks.doc))
    doc, start, end = chunks.doc[order], chunks.start[order], chunks.end[order]
    shift = doc * (int(end.max(initial=0)) + 1)
    reach = np.maximum.accumulate(np.concatenate(([-1], end + shift)))[:-1]
    outer = end + shift > reach
    return ChunkSet(doc[outer], start[outer], end[outer])


def _held(matches: Matches, asked: Asked, weight: Floats, pairs: int) -> tuple[Floats, Floats]:
    """Return per pair what the distinct terms held weigh, and how densely they stand."""
    pair, terms = matches.pair, int(matches.term.max(initial=-1)) + 1
    holds = np.zeros((pairs, terms), dtype=bool)
    holds[pair, matches.term] = True
    first_seen = np.unique(pair * terms + matches.term, return_index=True)[1]
    held = sum_by(pair[first_seen], weight[_slots(matches, asked)[first_seen]], pairs)
    # All chunks in one row: what was last seen before a chunk's own begin is not in it.
    width = int(matches.place.max(initial=0)) + 1
    at = pair * width + matches.place
    last = np.full((len(at), terms), -1, dtype=np.int64)
    last[np.arange(len(at)), matches.term] = at
    np.maximum.accumulate(last, axis=0, out=last)
    last[~holds[pair]] = _FAR
    begin = last.min(axis=1, initial=_FAR)
    whole: Mask = begin >= pair * width  # every term that the chunk holds was met by now
    shortest = np.full(pairs, _FAR)
    np.minimum.at(shortest, pair[whole], (at - begin + 1)[whole])
    density: Floats = holds.sum(axis=1) / shortest
    return held, density


def _phrase(
    matches: Matches, queries: QueryTerms, asked: Asked, weight: Floats, pairs: int
) -> Floats:
    """Return per pair what the heaviest run weighs that question and chunk have in common."""
    question = np.repeat(np.arange(len(queries.first) - 1), np.diff(queries.first))
    key = question * asked.width + queries.slots
    by_key = np.argsort(key, kind="stable")
    slot = _slots(matches, asked)
    wanted = matches.question * asked.width + slot
    low, high = (np.searchsorted(key[by_key], wanted, side) for side in ("left", "right"))
    match = np.repeat(np.arange(len(wanted)), high - low)
    where = by_key[spread(low, high - low)]
    pair, place = matches.pair[match], matches.place[match]
    diagonal = place - (where - queries.first[question[where]])  # alike along a run
    order = np.lexsort((place, diagonal, pair))
    pair, place, diagonal = pair[order], place[order], diagonal[order]
    breaks = np.ones(len(pair), dtype=bool)
    breaks[1:] = (np.diff(pair) != 0) | (np.diff(diagonal) != 0) | (np.diff(place) != 1)
    run = np.cumsum(breaks) - 1
    heavy = sum_by(run, weight[slot[match[order]]], int(breaks.sum()))
    heaviest = np.zeros(pairs)
    np.maximum.at(heaviest, pair[breaks], heavy)
    return heaviest


def _slots(matches: Matches, asked: Asked) -> Longs:
    found: Longs = asked.slots[asked.first[matches.question] + matches.term]
    return found


def _share(part: Floats, whole: Floats) -> Floats:
    """Return parts of a whole; rounding may leave 1 by a bit."""
    share = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return np.minimum(share, 1.0)
