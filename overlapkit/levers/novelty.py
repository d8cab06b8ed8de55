"""Maximal marginal relevance: what a list already holds counts against what comes next."""

from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Ints, Longs, spread
from overlapkit.errors import SettingsError
from overlapkit.levers.lists import POOL, DeepLists, Handed, check_pool, relevance, reorder
from overlapkit.levers.model import Lever, Setting

_AT_ONCE = 1 << 21  # similarities held together, so that memory stays small


def mmr(lambda_: float = 0.7, pool: int = POOL) -> Lever:
    """Return the lever that picks, one after the other, what is relevant and new.

    Of the first ``pool`` chunks the next one is that of the largest λ · relevance −
    (1 − λ) · similarity, the largest to any picked before it (Carbonell & Goldstein, "The
    use of MMR, diversity-based reranking", SIGIR 1998); of equals, the better-ranked.
    Relevance is the score over the query's best (see ``relevance``). Similarity is the
    share of distinct terms that two chunks have in common, of all that either has (Jaccard
    1901): it needs no model, sees what overlap repeats as well as what documents say twice,
    and differs from a collapse, which knows shared characters alone.

    Raises SettingsError unless λ lies in 0..1 and the pool in 1..1000.
    """
    if not 0 <= lambda_ <= 1:
        raise SettingsError(f"lambda must lie in 0..1; got {lambda_}")
    check_pool(pool)
    return Lever(
        lambda lists: _mmr(lists, lambda_, pool), "MMR",
        "the next chunk is the one that matches best and shares fewest words with those before it",
        "once what is new counts as well (MMR)",
        (
            Setting("lambda", lambda_, "1 looks at relevance alone, 0 at novelty alone"),
            Setting("pool", pool, "chunks, from the best on, that are picked from"),
        ),
    )  # fmt: skip


def _mmr(lists: DeepLists, lambda_: float, pool: int) -> Handed:
    head = lists.head(pool)
    fit, score = relevance(head, pool), np.full(len(head.chunk), np.nan)
    count = np.minimum(np.diff(head.first), pool)
    widest = int(count.max(initial=0))
    sets = _term_sets(lists, np.unique(head.chunk[head.rank < pool]))
    room = np.zeros(int(sets.term.max(initial=0)) + 1, dtype=np.int64)
    some = np.flatnonzero(count)
    for part in np.array_split(some, 1 + len(some) * widest**2 // _AT_ONCE):
        alike = np.zeros((len(part), widest, widest))
        own = np.full((len(part), widest), -np.inf)
        for at, query in enumerate(part.tolist()):
            size, begin = int(count[query]), int(head.first[query])
            alike[at, :size, :size] = _similarity(sets, head.chunk[begin : begin + size], room)
            own[at, :size] = fit[begin : begin + size]
        value = _values(own, alike, lambda_)
        score[spread(head.first[part], count[part])] = value[np.isfinite(own)]
    # What is picked later is never worth more, so falling values are the order of the picks.
    return reorder(lists.chunks, head, score)


def _values(fit: Floats, alike: Floats, lambda_: float) -> Floats:
    """Return what each chunk of each query was worth when it was picked.

    ``fit`` is minus infinity where a list has no chunk.
    """
    rows = np.arange(len(fit))
    nearest, value = np.zeros_like(fit), np.full_like(fit, -np.inf)
    left = np.isfinite(fit)
    relevant = np.where(left, fit, 0.0)
    for _ in range(fit.shape[1]):
        worth = np.where(left, lambda_ * relevant - (1 - lambda_) * nearest, -np.inf)
        best = worth.argmax(axis=1)
        going = left[rows, best]
        value[rows[going], best[going]] = worth[rows, best][going]
        left[rows, best] = False
        np.maximum(nearest, alike[rows, best], out=nearest)
    return value


class _TermSets(NamedTuple):
    """Distinct terms of some chunks: those of ``chunk[i]`` are ``term[first[i]:first[i + 1]]``."""

    chunk: Longs
    first: Longs
    term: Ints


def _term_sets(lists: DeepLists, chunk: Longs) -> _TermSets:
    """Return the distinct terms of the given chunks, which rise."""
    terms, stream = lists.terms, lists.engine.stream
    count = (terms.high - terms.low)[chunk]
    owner = [np.repeat(np.arange(len(chunk)), count)]
    held = [stream.terms[spread(terms.low[chunk], count)].astype(np.int64)]
    place = np.full(len(terms.low), -1, dtype=np.int64)
    place[chunk] = np.arange(len(chunk))
    for part in (terms.head, terms.tail):
        known = place[part.chunk] >= 0
        owner.append(place[part.chunk[known]])
        held.append(part.term[known])
    width = 1 + max((int(one.max(initial=0)) for one in held), default=0)
    key = np.unique(np.concatenate(owner) * width + np.concatenate(held))
    first = np.searchsorted(key, np.arange(len(chunk) + 1) * width)
    return _TermSets(chunk, first, (key % width).astype(np.int32))


def _similarity(sets: _TermSets, chunks: Longs, room: Longs) -> Floats:
    """Return for each two chunks the terms in common, of all that either has.

    ``room`` has a place for each term; what it holds makes no difference.
    """
    at = np.searchsorted(sets.chunk, chunks)
    count = sets.first[at + 1] - sets.first[at]
    term = sets.term[spread(sets.first[at], count)]
    # Numbered without sorting: whoever writes last to a term's place gives it its column.
    room[term] = np.arange(len(term))
    taken = np.zeros(len(term), dtype=bool)
    taken[room[term]] = True
    column = (np.cumsum(taken) - 1)[room[term]]
    # Sets as bits: a product of matrices would wait for every core of a busy machine.
    holds = np.zeros((len(chunks), -(-np.count_nonzero(taken) // 64) * 64), dtype=bool)
    holds[np.repeat(np.arange(len(chunks)), count), column] = True
    bits = np.packbits(holds, axis=1).view(np.uint64)
    both = np.bitwise_count(bits[:, None] & bits[None])
    common = both.sum(axis=2, dtype=np.int64)
    either = count[:, None] + count[None, :] - common
    alike: Floats = np.divide(common, either, out=np.zeros(common.shape), where=either > 0)
    return alike
