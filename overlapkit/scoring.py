"""The best chunks of every query, from postings and their weights.

Scores must be exact to the bit, and floating-point sums depend on their order, so a
query's terms are added in the query's own order, as rank-bm25 does. Doing that for every
chunk would mostly score chunks that cannot be among the best. So neighbouring chunks form
groups: the largest weight of each term in a group, added up, bounds the scores of all its
chunks. The most promising groups of each query are scored first, and their k-th best score
rules out most of the others.
"""

from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Ints, Longs, Mask, spread, sum_by
from overlapkit.compiled import GROUP, PROMISING, SLACK, Kernels, Singles, can_rank, ready
from overlapkit.index import Index, QueryTerms, run_starts

_BLOCK = 1 << 19  # bounds held at a time: 2 MiB, about a core's cache


class Candidates(NamedTuple):
    """Scored chunks, at least the k best of each query among them.

    They stand by query, best first, ties in chunk order.
    """

    query: Longs
    chunk: Longs
    score: Floats


def candidates(index: Index, queries: QueryTerms, weights: Floats, k: int) -> Candidates:
    """Return the chunks that can be among the ``k`` best of each query, scored exactly.

    ``weights`` holds one per posting. Only chunks that share a term with the query occur.
    """
    length = np.diff(queries.first)
    # With a weight of 0 or less no bound holds, and a score says nothing about sharing a term.
    doubtful = np.zeros(len(queries.distinct), dtype=bool)
    doubtful[index.slot[weights <= 0]] = True
    query_of_slot = np.repeat(np.arange(len(length)), length)
    plain = np.bincount(query_of_slot[doubtful[queries.slots]], minlength=len(length)) > 0
    found = [_one_by_one(index, queries, weights, k, q) for q in np.flatnonzero(plain).tolist()]
    asked = np.flatnonzero((length > 0) & ~plain)
    kernels = ready()
    if kernels is not None and can_rank(kernels, k):
        best = _walked(kernels, index, queries, weights, k, asked)
    else:
        best = _best_first(_joined(_all_pruned(index, queries, weights, k, asked)))
    if not found:
        return best
    return _best_first(_joined([*found, best]))


def _joined(parts: list[Candidates]) -> Candidates:
    if not parts:
        return Candidates(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    query, chunk, score = zip(*parts, strict=True)
    return Candidates(np.concatenate(query), np.concatenate(chunk), np.concatenate(score))


def _best_first(found: Candidates) -> Candidates:
    order = np.lexsort((found.chunk, -found.score, found.query))
    return Candidates(found.query[order], found.chunk[order], found.score[order])


def _walked(
    kernels: Kernels, index: Index, queries: QueryTerms, weights: Floats, k: int, asked: Longs
) -> Candidates:
    """Return the k best chunks of the given queries, found by the compiled loops."""
    width = min(k, index.chunks)
    shape = (len(index.first) - 1, -(-index.chunks // GROUP))
    postings = (index.first, index.chunk, weights)
    begin, peak = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.float32)
    kernels.find_peaks(*postings, begin, peak)
    count = np.zeros(len(asked), dtype=np.int64)
    best = np.zeros((len(asked), width), dtype=np.int64)
    scores = np.zeros((len(asked), width))
    asking = (queries.first, queries.slots, asked)
    kernels.find_best(*postings, begin, peak, *asking, count, best, scores)
    found = np.arange(width) < count[:, None]
    return Candidates(np.repeat(asked, count), best[found], scores[found])


def _one_by_one(
    index: Index, queries: QueryTerms, weights: Floats, k: int, query: int
) -> Candidates:
    """Score all chunks of one query, marking those that share a term."""
    scores = np.zeros(index.chunks)
    shared = np.zeros(index.chunks, dtype=bool)
    for slot in queries.slots[queries.first[query] : queries.first[query + 1]].tolist():
        part = slice(*index.first[slot : slot + 2].tolist())
        scores[index.chunk[part]] += weights[part]
        shared[index.chunk[part]] = True
    chunk = np.flatnonzero(shared)
    score = scores[chunk]
    if len(chunk) > k:
        best = score >= np.partition(score, len(chunk) - k)[len(chunk) - k]
        chunk, score = chunk[best], score[best]
    return Candidates(np.full(len(chunk), query), chunk, score)


# --- groups of chunks -------------------------------------------------------------------


class _Groups(NamedTuple):
    """Postings by slot and group of chunks.

    Those of slot ``s`` in group ``g`` are the ``size[s, g]`` from ``begin[s, g]``; the
    largest weighs ``peak[s, g]``, rounded.
    """

    begin: Ints
    size: Ints
    peak: Singles


def _grouped(index: Index, weights: Floats) -> _Groups:
    shape = (len(index.first) - 1, -(-index.chunks // GROUP))
    cell = index.slot * shape[1] + index.chunk // GROUP
    starts = run_starts(cell)
    held = cell[starts]
    begin, size = np.zeros((2, shape[0] * shape[1]), dtype=np.int32)
    begin[held] = starts
    size[held] = np.diff(starts, append=len(cell))
    peak = np.zeros(len(begin), dtype=np.float32)
    peak[held] = np.maximum.reduceat(weights, starts)
    return _Groups(begin.reshape(shape), size.reshape(shape), peak.reshape(shape))


def _all_pruned(
    index: Index, queries: QueryTerms, weights: Floats, k: int, asked: Longs
) -> list[Candidates]:
    """Return candidates of the given queries, found in as few groups as can be."""
    groups = _grouped(index, weights)
    # By falling length, so that those with a term at some position come first.
    length = queries.first[asked + 1] - queries.first[asked]
    order = asked[np.argsort(-length, kind="stable")]
    rows = max(1, _BLOCK // groups.peak.shape[1])
    found = []
    for begin in range(0, len(order), rows):
        found += _pruned(index, queries, weights, k, groups, order[begin : begin + rows])
    return found


def _pruned(
    index: Index, queries: QueryTerms, weights: Floats, k: int, groups: _Groups, asked: Longs
) -> list[Candidates]:
    """Return candidates of the given queries, which stand by falling length."""
    length = queries.first[asked + 1] - queries.first[asked]
    bounds = groups.peak[queries.slots[queries.first[asked]]]
    for position in range(1, int(length[0])):
        longer = asked[: np.count_nonzero(length > position)]
        bounds[: len(longer)] += groups.peak[queries.slots[queries.first[longer] + position]]
    most = PROMISING + -(-4 * k // GROUP)
    promising = bounds > 0
    if most < bounds.shape[1]:
        promising &= bounds >= np.partition(bounds, -most, axis=1)[:, -most, None]
    row, group = _places(promising)
    scores = _scores(index, queries, weights, groups, asked[row], group)
    kth = _kth_best(row, scores, len(asked), k)
    found = [_reaching(kth, asked, row, group, scores)]
    bounds[promising] = 0
    least = np.maximum(kth * (1 - SLACK * length), np.finfo(np.float32).tiny)
    row, group = _places(bounds >= least[:, None].astype(np.float32))
    scores = _scores(index, queries, weights, groups, asked[row], group)
    return [*found, _reaching(kth, asked, row, group, scores)]


def _places(mask: Mask) -> tuple[Longs, Longs]:
    """Return row and column of each True, as ``np.nonzero`` does in ten times the time."""
    return np.divmod(np.flatnonzero(mask), mask.shape[1])


def _scores(
    index: Index, queries: QueryTerms, weights: Floats, groups: _Groups, query: Longs, group: Longs
) -> Floats:
    """Return the scores of a group's chunks for a query, a row for each pair.

    ``sum_by`` adds in input order, and the input stands in each query's term order.
    """
    length = queries.first[query + 1] - queries.first[query]
    slot = queries.slots[spread(queries.first[query], length)]
    cell = slot * groups.peak.shape[1] + np.repeat(group, length)
    size = groups.size.ravel()[cell]
    posting = spread(groups.begin.ravel()[cell], size)
    shift = np.repeat((np.arange(len(query)) - group) * GROUP, length)
    place = np.repeat(shift, size) + index.chunk[posting]
    return sum_by(place, weights[posting], len(query) * GROUP).reshape(-1, GROUP)


def _kth_best(row: Longs, scores: Floats, rows: int, k: int) -> Floats:
    """Return a bound just below the k-th best score of each row, 0 with fewer than k."""
    place = np.flatnonzero(scores > 0)
    row, score = row[place // GROUP], scores.ravel()[place]
    # One sort serves all rows: scores are smaller than the distance between them.
    distance = 2 * float(score.max(initial=0)) + 1
    ordered = np.sort(row * distance - score)
    count = np.bincount(row, minlength=rows)
    enough = np.flatnonzero(count >= k)
    best = np.zeros(rows)
    best[enough] = enough * distance - ordered[(np.cumsum(count) - count)[enough] + k - 1]
    return np.maximum(best - 1e-12 * distance * rows, 0)


def _reaching(kth: Floats, asked: Longs, row: Longs, group: Longs, scores: Floats) -> Candidates:
    """Return the chunks with a score that reaches their row's bound."""
    place = np.flatnonzero((scores >= kth[row, None]) & (scores > 0))
    pair = place // GROUP
    chunk = group[pair] * GROUP + place % GROUP
    return Candidates(asked[row[pair]], chunk, scores.ravel()[place])
