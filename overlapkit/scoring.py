"""The best chunks of every query, from postings and their weights.

Scores must be exact to the bit, and floating-point sums depend on their order, so a
query's terms are added in the query's own order, as rank-bm25 does. Doing that for every
chunk is slow where a few common words make up most postings. So the rare terms alone are
added first, for all queries at once; a chunk can only be among the best if the common
terms' largest weights could lift it there. Those few are then scored exactly.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overlapkit.index import Index, QueryTerms

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_BLOCK = 1 << 18  # scores held at a time: 2 MiB, about a core's cache
_GROUPED = 64  # scores whose maximum stands for them when the k-th best is bounded
_COMMON = 1 / 5  # share of the chunks above which a term counts as common
_SLACK = 1e-9  # relative; sums of a query's terms in another order differ by far less


class Candidates(NamedTuple):
    """Scored chunks, at least the k best of each query among them, in no order."""

    query: Longs
    chunk: Longs
    score: Floats


def candidates(index: Index, queries: QueryTerms, weights: Floats, k: int) -> Candidates:
    """Return the chunks that can be among the ``k`` best of each query, scored exactly.

    ``weights`` holds one per posting. Only chunks that share a term with the query occur.
    """
    if weights.min() <= 0:  # no bound holds, and a score says nothing about sharing a term
        return _one_by_one(index, queries, weights, k)
    bounded, rest = _bounded(index, queries, weights, k)
    full = _in_full(index, queries, weights, k, rest)
    return Candidates(*(np.concatenate(pair) for pair in zip(bounded, full, strict=True)))


# --- every chunk, in order --------------------------------------------------------------


def _one_by_one(index: Index, queries: QueryTerms, weights: Floats, k: int) -> Candidates:
    """Score all chunks of each query, marking those that share a term."""
    width = _width(index)
    bounds = index.first.tolist()
    found: list[Candidates] = []
    for query in range(len(queries.first) - 1):
        scores = np.zeros(width)
        shared = np.zeros(width, dtype=bool)
        for slot in queries.slots[queries.first[query] : queries.first[query + 1]].tolist():
            part = slice(bounds[slot], bounds[slot + 1])
            scores[index.chunk[part]] += weights[part]
            shared[index.chunk[part]] = True
        scores[~shared] = -math.inf
        bound = _kth_best_bound(scores[None, :], k)[0]
        keep = np.flatnonzero(shared & (scores >= bound))
        found.append(Candidates(np.full(len(keep), query), keep, scores[keep]))
    return _joined(found)


def _in_full(
    index: Index, queries: QueryTerms, weights: Floats, k: int, asked: Longs
) -> Candidates:
    """Score all chunks of the given queries, all weights being positive.

    bincount adds in input order, and the input stands in each query's term order.
    """
    width = _width(index)
    rows = max(1, _BLOCK // width)
    found: list[Candidates] = []
    for begin in range(0, len(asked), rows):
        block = asked[begin : begin + rows]
        length = queries.first[block + 1] - queries.first[block]
        row = np.repeat(np.arange(len(block)), length)
        order = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
        slots = queries.slots[np.repeat(queries.first[block], length) + order]
        table = _added(index, weights, slots, row, (len(block), width))
        bound = _kth_best_bound(table, k)
        keep = np.flatnonzero((table >= bound[:, None]) & (table > 0))
        query, chunk = np.divmod(keep, width)
        found.append(Candidates(block[query], chunk, table.ravel()[keep]))
    return _joined(found)


# --- rare terms first -------------------------------------------------------------------


def _bounded(
    index: Index, queries: QueryTerms, weights: Floats, k: int
) -> tuple[Candidates, Longs]:
    """Return candidates found through rare terms, and the queries where that cannot decide."""
    width = _width(index)
    rare = index.document_frequency <= index.chunks * _COMMON
    peak = np.zeros(len(rare))
    held = np.flatnonzero(index.document_frequency)
    peak[held] = np.maximum.reduceat(weights, index.first[held])
    query_of_slot = np.repeat(np.arange(len(queries.first) - 1), np.diff(queries.first))
    common_peak = np.where(rare, 0.0, peak)[queries.slots]
    reach = np.bincount(query_of_slot, weights=common_peak, minlength=len(queries.first) - 1)

    found, undecided = [], []
    rows = max(1, _BLOCK // width)
    for begin in range(0, len(reach), rows):
        end = min(begin + rows, len(reach))
        inside = slice(*np.searchsorted(query_of_slot, [begin, end]).tolist())
        slots, row = queries.slots[inside], query_of_slot[inside] - begin
        picked = rare[slots]
        table = _added(index, weights, slots[picked], row[picked], (end - begin, width))
        bound = _kth_best_bound(table, k) * (1 - _SLACK) - reach[begin:end] * (1 + _SLACK)
        undecided.append(begin + np.flatnonzero(bound <= 0))
        bound[bound <= 0] = math.inf
        keep = np.flatnonzero(table >= bound[:, None])
        query, chunk = np.divmod(keep, width)
        found.append(Candidates(query + begin, chunk, table.ravel()[keep]))
    likely = _likely(index, queries, weights, k, rare, _joined(found))
    return _exact(index, queries, weights, likely), np.concatenate(undecided)


def _likely(
    index: Index,
    queries: QueryTerms,
    weights: Floats,
    k: int,
    rare: npt.NDArray[np.bool_],
    rough: Candidates,
) -> Candidates:
    """Return the candidates that stay among the k best once common terms are added.

    ``rough`` stands in the order of its queries.
    """
    common = np.flatnonzero(~rare)
    table = np.zeros((len(common) + 1, index.chunks))  # the last row stands for rare terms
    row_of = np.full(len(rare), len(common))
    row_of[common] = np.arange(len(common))
    posting = np.flatnonzero(~rare[index.slot])
    table[row_of[index.slot[posting]], index.chunk[posting]] = weights[posting]

    query, chunk, score = rough
    score = score.copy()
    rows = row_of[queries.slots]
    slot_query = np.repeat(np.arange(len(queries.first) - 1), np.diff(queries.first))
    rows, slot_query = rows[rows < len(common)], slot_query[rows < len(common)]
    first = np.searchsorted(slot_query, np.arange(len(queries.first)))
    length = np.diff(first)[query]
    for position in range(int(length.max(initial=0))):
        open_ = np.flatnonzero(length > position)
        score[open_] += table[rows[first[query[open_]] + position], chunk[open_]]

    # One sort finds every query's k-th best: scores are far smaller than the distance.
    distance = 4 * float(score.max(initial=0)) + 1
    ordered = np.sort(query * distance - score)
    start = np.searchsorted(query, np.arange(len(queries.first)))
    kth = np.minimum(start[:-1] + k, start[1:]) - 1
    bound = np.arange(len(kth)) * distance - ordered[np.maximum(kth, 0)] if len(ordered) else kth
    keep = score >= bound[query] - _SLACK * distance * len(kth)
    return Candidates(query[keep], chunk[keep], score[keep])


def _added(
    index: Index, weights: Floats, slots: Longs, row: Longs, shape: tuple[int, int]
) -> Floats:
    """Return a table of scores: the postings of each slot added to its row."""
    length = index.document_frequency[slots]
    before = np.cumsum(length) - length
    source = np.arange(int(length.sum())) + np.repeat(index.first[slots] - before, length)
    place = np.repeat(row * shape[1], length) + index.chunk[source]
    total = shape[0] * shape[1]
    return np.bincount(place, weights=weights[source], minlength=total).reshape(shape)


def _kth_best_bound(table: Floats, k: int) -> Floats:
    """Return per row a lower bound of its k-th best score.

    The maxima of disjoint groups are scores themselves, so at least k scores reach the
    k-th best maximum. Strided groups let the maxima be taken over whole rows at once.
    """
    rows, width = table.shape
    groups = width // _GROUPED
    if groups >= 2 * k:
        table = table.reshape(rows, _GROUPED, groups).max(axis=1)
    elif width <= k:
        return np.full(rows, -math.inf)
    last = table.shape[1] - k
    best: Floats = np.partition(table, last, axis=1)[:, last]
    return best


def _exact(index: Index, queries: QueryTerms, weights: Floats, rough: Candidates) -> Candidates:
    """Return the candidates with scores added in their queries' order."""
    query, chunk, _ = rough
    exact = np.zeros(len(query))
    first, length = queries.first[query], np.diff(queries.first)[query]
    weights = np.append(weights, 0.0)
    key = np.append(index.key, -1)
    for position in range(int(length.max(initial=0))):
        open_ = np.flatnonzero(length > position)
        slot = queries.slots[first[open_] + position]
        wanted = (slot * index.chunks + chunk[open_]).astype(index.key.dtype)
        place = np.searchsorted(index.key, wanted)
        exact[open_] += np.where(key[place] == wanted, weights[place], 0.0)
    return Candidates(query, chunk, exact)


def _width(index: Index) -> int:
    return -(-index.chunks // _GROUPED) * _GROUPED


def _joined(parts: list[Candidates]) -> Candidates:
    if not parts:
        return Candidates(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    return Candidates(*(np.concatenate(column) for column in zip(*parts, strict=True)))
