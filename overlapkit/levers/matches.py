"""Where the terms of questions stand in chunks, read from the term stream."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs, spread
from overlapkit.index import ChunkTerms, CutTerms, QueryTerms
from overlapkit.retrieve import Ranked

_AT_ONCE = 1 << 23  # terms of chunks by terms of questions looked at, so that memory stays small


class Asked(NamedTuple):
    """The distinct terms of each question: those of q are ``slots[first[q]:first[q + 1]]``.

    ``key`` is ``question * width + slot``, sorted.
    """

    first: Longs
    slots: Longs
    key: Longs
    width: int


class Matches(NamedTuple):
    """Terms of its question that a chunk holds, by pair of both, then place in the chunk.

    ``pair`` numbers the pairs from 0, ``question`` has theirs; ``place`` counts the terms of
    the chunk's own text; ``term`` numbers the question's distinct terms.
    """

    question: Longs
    pair: Longs
    place: Longs
    term: Longs


def asked_terms(queries: QueryTerms) -> Asked:
    """Return the distinct terms of each question."""
    asked, width = len(queries.first) - 1, len(queries.distinct) + 1
    question = np.repeat(np.arange(asked), np.diff(queries.first))
    key = np.unique(question * width + queries.slots)
    first = np.searchsorted(key, np.arange(asked + 1) * width)
    return Asked(first, key % width, key, width)


def find_matches(
    queries: QueryTerms, asked: Asked, positions: int, terms: ChunkTerms, ranked: Ranked
) -> Iterator[tuple[slice, Matches]]:
    """Yield the matches of ranked chunks, some at a time, with which of them these are.

    ``positions`` is the number of terms in the stream.
    """
    width = positions + 1
    stream = queries.at_slot.astype(np.int64) * width + queries.at
    cut = [_cut_slots(part, queries, len(terms.low)) for part in (terms.head, terms.tail)]
    before = np.bincount(terms.head.chunk, minlength=len(terms.low))
    question = ranked.query
    typical = 1 + int(terms.lengths.sum()) // max(len(terms.lengths), 1)
    pairs = max(1, _AT_ONCE // (typical * int(np.diff(asked.first).max(initial=1))))
    for begin in range(0, len(ranked.chunk), pairs):
        part = slice(begin, begin + pairs)
        own, chunk = question[part], ranked.chunk[part]
        count = np.diff(asked.first)[own]
        pair = np.repeat(np.arange(len(own)), count)
        slot = asked.slots[spread(asked.first[own], count)]
        low = np.searchsorted(stream, slot * width + terms.low[chunk][pair])
        high = np.searchsorted(stream, slot * width + terms.high[chunk][pair])
        whole = np.repeat(pair, high - low)
        shift = (before - terms.low)[chunk]
        place = queries.at[spread(low, high - low)] + shift[whole]
        found = [(whole, place, np.repeat(slot, high - low))]
        behind = (before + terms.high - terms.low)[chunk]
        for pieces, ahead in zip(cut, (np.zeros_like(behind), behind), strict=True):
            found.append(_of_pieces(pieces, own, chunk, ahead, asked))
        yield part, _sorted(own, found, asked)


class _Pieces(NamedTuple):
    """Question terms among the cut pieces of chunks: those of c are ``first[c]:first[c + 1]``."""

    first: Longs
    slot: Longs
    order: Longs


def _cut_slots(part: CutTerms, queries: QueryTerms, chunks: int) -> _Pieces:
    slot = np.full(len(part.term), -1, dtype=np.int64)
    known = part.term < len(queries.slot_of)
    slot[known] = queries.slot_of[part.term[known]]
    held = slot >= 0
    first = np.searchsorted(part.chunk[held], np.arange(chunks + 1))
    return _Pieces(first, slot[held], part.order[held])


def _of_pieces(
    pieces: _Pieces, question: Longs, chunk: Longs, ahead: Longs, asked: Asked
) -> tuple[Longs, Longs, Longs]:
    """Return pair, place and slot of the pieces that are terms of the pair's own question."""
    count = np.diff(pieces.first)[chunk]
    pair = np.repeat(np.arange(len(chunk)), count)
    at = spread(pieces.first[chunk], count)
    key = question[pair] * asked.width + pieces.slot[at]
    known = np.append(asked.key, -1)[np.searchsorted(asked.key, key)] == key
    pair, at = pair[known], at[known]
    return pair, pieces.order[at] + ahead[pair], pieces.slot[at]


def _sorted(own: Longs, found: list[tuple[Longs, Longs, Longs]], asked: Asked) -> Matches:
    pair, place, slot = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((place, pair))
    pair, place, slot = pair[order], place[order], slot[order]
    question = own[pair]
    term = np.searchsorted(asked.key, question * asked.width + slot) - asked.first[question]
    return Matches(question, pair, place, term)
