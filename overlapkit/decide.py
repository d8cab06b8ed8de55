"""The verdict: the smallest overlap that keeps up, and how sure that is.

At one size every overlap is held against the best of the grid at that size by its paired
loss. Across sizes settings are compared at an equal context budget, by a declared cost.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from overlapkit.arrays import Mask
from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine
from overlapkit.evaluate.metrics import ZERO_OR_ONE
from overlapkit.multiplicity import simultaneous
from overlapkit.queries.model import QuerySet
from overlapkit.stats import (
    Clustering,
    Paired,
    Standing,
    clusters_of,
    paired,
    questions_needed,
    standing,
)
from overlapkit.structure import headings
from overlapkit.sweep import Row

MARGIN = 0.02

Outcome = Literal["decided", "undecided", "no difference"]


@dataclass(frozen=True, slots=True)
class Held:
    """A setting held against the best: its loss (best minus this) and what that says."""

    row: Row
    loss: Paired
    standing: Standing
    questions: int | None  # about how many would decide; None where it is decided


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict at one size.

    ``choice`` is the smallest overlap that keeps up, or None where only the best itself
    does for want of questions (``undecided``). ``cannot_tell`` holds the smaller overlaps
    that may keep up as well; without a choice, all that may.
    """

    metric: str
    margin: float
    n: int
    best: Row
    held: tuple[Held, ...]
    choice: Row | None
    cannot_tell: tuple[Held, ...]
    outcome: Outcome


def primary_metric(kind: str) -> str:
    """Return the metric that speaks for a kind of query set."""
    return "complete" if kind == "minimal" else "lenient_hit"


def cluster_queries(corpus: Corpus, queries: QuerySet) -> Clustering:
    """Return which questions belong together: by evidence document, else by section."""
    documents = [[span.document for span in query.evidence] for query in queries]
    starts = {d.name: [h.start for h in headings(d)] for d in corpus.documents}
    sections = [
        [
            f"{span.document}#{np.searchsorted(starts[span.document], span.start, side='right')}"
            for span in query.evidence
        ]
        for query in queries
    ]
    return clusters_of(documents, sections)


def compare(ours: Row, baseline: Row, metric: str, clustering: Clustering) -> Paired:
    """Return ours minus baseline in one metric column, over the queries that have a value."""
    left, right = ours.per_query[metric], baseline.per_query[metric]
    known = ~np.isnan(left) & ~np.isnan(right)
    part = Clustering(clustering.labels[known], clustering.by, clustering.count)
    difference = np.abs(left[known] - right[known])
    # The imaginary pair that keeps an interval honest is one whole question won and lost,
    # also where a hit was averaged over phases; of graded metrics, the largest difference met.
    graded = bool((difference % 1 != 0).any()) and metric.partition("@")[0] not in ZERO_OR_ONE
    scale = float(difference.max(initial=0.0)) if graded else max(1.0, difference.max(initial=1.0))
    same = _identical(ours, baseline, metric)
    return paired(left[known], right[known], part, scale=scale, same_setting=same)


def compare_all(
    rows: Sequence[Row], baseline: Row, metric: str, clustering: Clustering
) -> Mapping[ChunkSpec, Paired]:
    """Return each row minus one baseline, named beforehand, with intervals that hold together."""
    values = {row.spec: row.per_query[metric] for row in rows}
    same = [row.spec for row in rows if _identical(row, baseline, metric)]
    return simultaneous(values, baseline.per_query[metric], clustering, identical=same)


def _identical(ours: Row, baseline: Row, metric: str) -> bool:
    """Tell whether two settings cut the very same chunks, so that no question differs."""
    alike = ours.spec == baseline.spec or _same_chunks(ours, baseline)
    left, right = ours.per_query[metric], baseline.per_query[metric]
    return alike and np.array_equal(left, right, equal_nan=True)


def _same_chunks(ours: Row, baseline: Row) -> bool:
    """Tell whether two settings cut alike: the same chunks of the same characters in all.

    With equal counts and equal sums, an overlap repeated nothing: no document is longer
    than a window.
    """
    names = ("chunks", "index_chars", "effective_overlap")
    one, other = ours.spec, baseline.spec
    alike = (one.chunker, one.size, one.phase) == (other.chunker, other.size, other.phase)
    return alike and all(ours.values.get(name) == baseline.values.get(name) for name in names)


def verdict(
    rows: Sequence[Row], metric: str, clustering: Clustering, margin: float = MARGIN
) -> Verdict:
    """Return the verdict over rows of one size (at least one), in one metric column."""
    rows = sorted(rows, key=lambda row: row.spec.overlap)
    best = max(rows, key=lambda row: (row.values[metric], -row.spec.overlap))
    held = tuple(_hold(row, best, metric, clustering, margin) for row in rows)
    keeping = [one for one in held if one.standing == "keeps up"]
    choice = keeping[0].row
    before = held[: [one.row for one in held].index(choice)]
    unknown = tuple(one for one in held if one.standing == "cannot be told")
    cannot_tell = tuple(one for one in unknown if one in before)
    n = held[0].loss.n
    outcome: Outcome = "decided"
    if len(keeping) == 1 and unknown:  # only the best itself keeps up, for want of questions
        outcome, cannot_tell = "undecided", unknown
    elif all(one.loss.identical for one in held):
        outcome = "no difference"
    return Verdict(
        metric, margin, n, best, held,
        None if outcome == "undecided" else choice,
        cannot_tell, outcome,
    )  # fmt: skip


def _hold(row: Row, best: Row, metric: str, clustering: Clustering, margin: float) -> Held:
    loss = compare(best, row, metric, clustering)
    return Held(row, loss, standing(loss, margin), questions_needed(loss, margin))


def cheapest_that_keeps_up(
    rows: Sequence[Row],
    metric: str,
    clustering: Clustering,
    cost: Callable[[Row], float],
    margin: float = MARGIN,
) -> tuple[Held, Row]:
    """Return the cheapest setting that keeps up with the best, and the best.

    ``metric`` must be a column at an equal context budget: at a fixed k the biggest chunks
    win, since five of them are simply more text.
    """
    best = max(rows, key=lambda row: (row.values[metric], -cost(row)))
    for row in sorted(rows, key=cost):
        held = _hold(row, best, metric, clustering, margin)
        if held.standing == "keeps up":
            return held, best
    raise AssertionError("the best keeps up with itself")  # its loss is exactly 0


class Fitting(NamedTuple):
    """What fits a chunk of a size: shares of the documents that do, and of evidence that cannot."""

    one_chunk: float
    too_long: float


def fitting(engine: Engine, spec: ChunkSpec) -> Fitting:
    """Return what fits a chunk; of an ``extent`` set no evidence counts as too long.

    Its sections are meant to be longer than a chunk.
    """
    units = engine.units(spec.unit, spec.encoding)
    documents = np.diff(units.first)
    spans = engine.evidence.spans
    lengths = units.met(spans.start, spans.end)
    if engine.queries.kind == "extent":
        lengths = lengths[:0]
    return Fitting(_share(documents <= spec.size), _share(lengths > spec.size))


def _share(mask: Mask) -> float:
    return float(mask.mean()) if len(mask) else 0.0


def frontier(rows: Sequence[Row], metric: str, cost: Callable[[Row], float]) -> list[Row]:
    """Return the rows that no other beats in both quality and cost, by rising cost."""
    front: list[Row] = []
    for row in sorted(rows, key=lambda row: (cost(row), -row.values[metric])):
        if not front or row.values[metric] > front[-1].values[metric]:
            front.append(row)
    return front
