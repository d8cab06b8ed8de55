"""What a random ranking would score: k chunks drawn from all chunks of the corpus."""

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from overlapkit.arrays import Floats, Longs, Mask, spread
from overlapkit.chunkers import ChunkSet
from overlapkit.engine import Engine
from overlapkit.errors import SettingsError
from overlapkit.evaluate.metrics import LENIENT_CHARACTERS
from overlapkit.queries.located import EvidenceSpans
from overlapkit.retrieve import Budget, RunSpec
from overlapkit.stats import chance_hit

_PAIRS = 1 << 20  # of a chunk and a span held at a time, so that memory stays small

Range = tuple[int, int]  # of chunk numbers, half open


def chance(engine: Engine, chunks: ChunkSet, run: RunSpec) -> Mapping[str, Floats]:
    """Return per query the exact chance that k random chunks hit, and hold the evidence.

    The k chunks are drawn without replacement from ``chunks``, those included that share no
    term with the query. Columns are ``strict_hit``, ``lenient_hit`` and ``complete``, named
    as in an ``Evaluation``; ``complete`` is NaN for an ``extent`` set. Raises SettingsError
    for a context budget, under which the number of chunks is not fixed.
    """
    if isinstance(run.cutoff, Budget):
        raise SettingsError(
            "the chance of a hit needs a fixed number of chunks; got a budget of "
            f"{run.cutoff.size} {run.cutoff.unit}s: cut off after k chunks instead"
        )
    k = run.cutoff.k
    counts = _qualifying(chunks, engine.evidence)
    columns = {name: _drawn(count, len(chunks), k) for name, count in counts.items()}
    if engine.queries.kind == "extent":
        columns["complete"] = np.full(len(engine.queries), np.nan)
    else:
        several = np.flatnonzero(engine.evidence.need_all)
        columns["complete"][several] = _all_held(chunks, engine.evidence, several, k)
    return {f"{name}@{run.cutoff.label}": column for name, column in columns.items()}


def holders(chunks: ChunkSet, evidence: EvidenceSpans) -> tuple[Longs, Longs]:
    """Return for each evidence span the chunks ``first:last`` that hold it whole."""
    start, end = chunks.placed(evidence.base)
    # Starts and ends both rise: those that begin in time and end late enough are a range.
    first = np.searchsorted(end, evidence.spans.end, side="left")
    last = np.searchsorted(start, evidence.spans.start, side="right")
    return first, np.maximum(first, last)


def _drawn(count: Longs, population: int, k: int) -> Floats:
    """Return the chance to draw one of ``count`` chunks."""
    distinct, inverse = np.unique(count, return_inverse=True)
    return np.array([chance_hit(population, n, k) for n in distinct.tolist()])[inverse]


# --- how many chunks qualify ------------------------------------------------------------


def _qualifying(chunks: ChunkSet, evidence: EvidenceSpans) -> dict[str, Longs]:
    """Return how many chunks would hit per query; one that qualifies by two spans is one."""
    start, end = chunks.placed(evidence.base)
    spans = evidence.spans
    counts = {
        name: np.zeros(len(spans.first) - 1, dtype=np.int64)
        for name in ("strict_hit", "lenient_hit", "complete")
    }
    for span, chunk in _touching(start, end, evidence):
        low = np.maximum(start[chunk], spans.start[span])
        shared = np.minimum(end[chunk], spans.end[span]) - low
        length = spans.length[span]
        hits = {
            "strict_hit": 2 * shared >= end[chunk] - start[chunk],
            "lenient_hit": shared >= np.minimum(LENIENT_CHARACTERS, length),
            "complete": shared == length,
        }
        key = spans.query[span] * len(chunks) + chunk
        for name, hit in hits.items():
            counts[name] += _per_query(key, hit, len(chunks), len(counts[name]))
    return counts


def _touching(start: Longs, end: Longs, evidence: EvidenceSpans) -> Iterator[tuple[Longs, Longs]]:
    """Yield pairs of a span and a chunk that share text, all those of a query together."""
    spans = evidence.spans
    first = np.searchsorted(end, spans.start, side="right")
    count = np.maximum(np.searchsorted(start, spans.end, side="left") - first, 0)
    block = np.cumsum(spans.per_query(count)) // _PAIRS
    edges = np.flatnonzero(np.diff(block[spans.query])) + 1
    for part in np.split(np.arange(len(first)), edges):
        yield np.repeat(part, count[part]), spread(first[part], count[part])


def _per_query(key: Longs, hit: Mask, chunks: int, queries: int) -> Longs:
    return np.bincount(np.unique(key[hit]) // max(chunks, 1), minlength=queries)


# --- every span of a query --------------------------------------------------------------


def _all_held(chunks: ChunkSet, evidence: EvidenceSpans, queries: Longs, k: int) -> Floats:
    """Return the chance to draw a holder of every span of each of the given queries."""
    first, last = (edge.tolist() for edge in holders(chunks, evidence))
    begins = evidence.spans.first.tolist()
    ways: dict[int, int] = {}
    chances = []
    for query in queries.tolist():
        own = slice(begins[query], begins[query + 1])
        ranges = list(zip(first[own], last[own], strict=True))
        chances.append(_hits_every(_innermost(ranges), len(chunks), k, ways))
    return np.array(chances, dtype=np.float64)


def _innermost(ranges: Sequence[Range]) -> list[Range]:
    """Leave out the ranges that hold another: who hits the inner one hits the outer."""
    kept: list[Range] = []
    for first, last in sorted(ranges, key=lambda one: (one[1], -one[0])):
        if not kept or first > kept[-1][0]:
            kept.append((first, last))
    return kept


def _hits_every(ranges: Sequence[Range], population: int, k: int, ways: dict[int, int]) -> float:
    """Return the chance that a draw of k hits every range; both edges of the ranges rise.

    By inclusion and exclusion over the sets of ranges that a draw misses, in whole numbers,
    since the terms are far larger than what is left of them. ``ways`` keeps the number of
    draws that miss so many chunks.
    """
    k = min(k, population)
    total = 0
    for covered, sets in _missed(ranges).items():
        if covered not in ways:
            ways[covered] = math.comb(population - covered, k)
        total += sets * ways[covered]
    return total / math.comb(population, k)


def _missed(ranges: Sequence[Range]) -> Counter[int]:
    """Return, by the number of chunks they cover, the even minus the odd sets of ranges.

    Both edges rise, so what a range adds to a set depends on that set's last range alone.
    """
    apart = Counter({0: 1})  # sets that end before the range at hand, the empty one included
    near: deque[tuple[int, Counter[int]]] = deque()  # other sets, by where they end
    for first, last in ranges:
        while near and near[0][0] <= first:
            apart.update(near.popleft()[1])
        ending: Counter[int] = Counter()
        for reach, sets in ((first, apart), *near):
            for covered, count in sets.items():
                ending[covered + last - reach] -= count
        near.append((last, ending))
    for _, sets in near:
        apart.update(sets)
    return apart
