"""Settings held to gates: each value with its interval, and whether it passes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import compare
from overlapkit.evaluate.metrics import ZERO_OR_ONE
from overlapkit.gates.measures import MEASURES, Measure, column_of
from overlapkit.gates.model import Gate
from overlapkit.stats import Clustering, Interval, paired, wilson
from overlapkit.sweep import Row

_ROUNDING = 1e-9  # of what is compared: two ways to the same number differ by less


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A setting to judge: its row, and figures by name that the row does not hold.

    Of ``MEASURES`` these are price (US$), storage (MiB) and update_work (chunks per edit);
    results from outside stand under their own names.
    """

    row: Row
    figures: Mapping[str, float]

    @property
    def spec(self) -> ChunkSpec:
        """The setting."""
        return self.row.spec


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one gate says of a setting.

    ``value`` with its 95% interval; of a relative gate all three are ours − baseline. All are
    NaN where there is no value, which never passes.
    """

    gate: Gate
    value: float
    low: float
    high: float
    passed: bool

    @property
    def decisive(self) -> float:
        """What is held to the limit: the value, or the worse end of its interval."""
        if not self.gate.at_bound:
            return self.value
        return self.low if self.gate.sense == "at least" else self.high

    @property
    def shortfall(self) -> float:
        """How far the decisive value lies beyond the limit; infinite where there is no value."""
        if math.isnan(self.value):
            return math.inf
        limit, at_least = self.gate.limit, self.gate.sense == "at least"
        if self.gate.relative:
            limit = -limit if at_least else limit
        return limit - self.decisive if at_least else self.decisive - limit


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A setting with what every gate says of it, in the order of the gates."""

    candidate: Candidate
    rulings: tuple[Ruling, ...]

    @property
    def spec(self) -> ChunkSpec:
        """The setting."""
        return self.candidate.row.spec

    @property
    def passed(self) -> bool:
        """Whether it clears every gate."""
        return all(ruling.passed for ruling in self.rulings)

    @property
    def first_failed(self) -> Ruling | None:
        """The first gate that it fails, None where it clears all."""
        return next((ruling for ruling in self.rulings if not ruling.passed), None)


def judge_gates(
    candidate: Candidate,
    gates: Sequence[Gate],
    baseline: Candidate,
    cutoff_label: str,
    clustering: Clustering,
) -> Judged:
    """Hold one setting to the gates.

    The interval of a rate of hits and misses is Wilson's; of other measures of questions, the
    cluster bootstrap of ``stats.paired``; exact figures have none. A relative gate compares
    question by question where the measure allows it, else it takes the plain difference.
    """
    rulings = (_rule(gate, candidate, baseline, cutoff_label, clustering) for gate in gates)
    return Judged(candidate, tuple(rulings))


def value_of(candidate: Candidate, measure: str, cutoff_label: str) -> float:
    """Return a candidate's value, NaN where it has none or where it is withheld."""
    column = column_of(measure, cutoff_label)
    figure = candidate.figures.get(column, math.nan)
    if measure not in MEASURES:
        return float(figure)
    return float(candidate.row.values.get(column, figure))


def measured(
    candidate: Candidate, measure: str, cutoff_label: str, clustering: Clustering
) -> tuple[float, Interval]:
    """Return a candidate's value and its 95% interval, which is the value where it is exact.

    All are NaN where there is no value.
    """
    value, known = value_of(candidate, measure, cutoff_label), MEASURES.get(measure)
    if not (known and known.per_query and math.isfinite(value)):
        return value, Interval(value, value)
    ends = _interval(candidate.row, known, column_of(measure, cutoff_label), clustering)
    return value, Interval(min(ends.low, value), max(ends.high, value))


def _rule(
    gate: Gate, candidate: Candidate, baseline: Candidate, label: str, clustering: Clustering
) -> Ruling:
    ours = value_of(candidate, gate.measure, label)
    reference = value_of(baseline, gate.measure, label) if gate.relative else 0.0
    if not (math.isfinite(ours) and math.isfinite(reference)):
        return Ruling(gate, math.nan, math.nan, math.nan, passed=False)
    if gate.relative:
        value, ends = _difference(candidate, baseline, gate.measure, label, clustering)
    else:
        value, ends = measured(candidate, gate.measure, label, clustering)
    return rule_on(gate, value, ends, max(abs(ours), abs(reference)))


def rule_on(gate: Gate, value: float, ends: Interval, size: float) -> Ruling:
    """Return what a gate says of a value; rounding is told by the ``size`` of what made it."""
    ruling = Ruling(gate, value, ends.low, ends.high, passed=False)
    passed = ruling.shortfall <= _ROUNDING * max(size, abs(gate.limit))
    return replace(ruling, passed=passed)


def _difference(
    candidate: Candidate, baseline: Candidate, measure: str, label: str, clustering: Clustering
) -> tuple[float, Interval]:
    """Return ours minus the baseline's with its interval."""
    known = MEASURES.get(measure)
    if known and known.per_query:
        found = compare(candidate.row, baseline.row, column_of(measure, label), clustering)
        return found.difference, Interval(found.low, found.high)
    value = value_of(candidate, measure, label) - value_of(baseline, measure, label)
    return value, Interval(value, value)


def _interval(row: Row, measure: Measure, column: str, clustering: Clustering) -> Interval:
    """Return the 95% interval of a measure's mean over the questions that have a value."""
    values = row.per_query[column]
    known = ~np.isnan(values)
    held = values[known]
    counts = column.partition("@")[0] in ZERO_OR_ONE
    if counts and np.isin(held, (0, 1)).all():
        return wilson(int(held.sum()), len(held))
    part = Clustering(clustering.labels[known], clustering.by, clustering.count)
    # As in ``decide.compare``: what one more question could show at most.
    largest = float(held.max(initial=0.0))
    graded = not counts and bool((held % 1 != 0).any())
    scale = largest if graded else max(1.0, largest)
    found = paired(held, np.zeros(len(held)), part, scale=scale)
    highest = 1.0 if measure.shown == "rate" else math.inf
    return Interval(max(0.0, found.low), min(highest, found.high))
