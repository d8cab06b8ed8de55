"""The figures of a setting, with their intervals, and its bill."""

import math
from collections.abc import Mapping

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import Bill, Prices, bill_for
from overlapkit.gates import MEASURES, Candidate, Outside, measured
from overlapkit.record.model import Figure, Measured
from overlapkit.stats import Clustering

QUESTIONS = "n"  # the column of a table from outside that says how many questions were judged


class Measuring:
    """Measures settings, each of them once."""

    def __init__(self, label: str, clustering: Clustering, outside: Outside | None = None) -> None:
        self._label = label
        self._clustering = clustering
        self._outside = outside
        self._known: dict[ChunkSpec, Measured] = {}

    def of(self, candidate: Candidate) -> Measured:
        """Return a setting with every figure that is known of it."""
        spec = candidate.spec
        if spec not in self._known:
            figures = figures_of(candidate, tuple(MEASURES), self._label, self._clustering)
            self._known[spec] = Measured(spec, figures, self._given(candidate))
        return self._known[spec]

    def _given(self, candidate: Candidate) -> Mapping[str, float]:
        table = {} if self._outside is None else self._outside.values.get(candidate.spec, {})
        return outside_of({**table, **candidate.figures})


def figures_of(
    candidate: Candidate, names: tuple[str, ...], label: str, clustering: Clustering
) -> Mapping[str, Figure]:
    """Return those of some measures that have a value, with the intervals of gates."""
    found = {}
    for name in names:
        value, ends = measured(candidate, name, label, clustering)
        if math.isfinite(value):
            exact = not MEASURES[name].per_query
            found[name] = Figure(value) if exact else Figure(value, ends.low, ends.high)
    return found


def outside_of(figures: Mapping[str, float]) -> Mapping[str, float]:
    """Return the results from outside among figures, by name in order."""
    names = sorted(name for name in figures if name not in MEASURES)
    return {name: float(figures[name]) for name in names if math.isfinite(figures[name])}


def bill_as_known(candidate: Candidate, prices: Prices, label: str) -> Bill:
    """Return a setting's bill, figures NaN where tokens were not counted."""
    values = candidate.row.values
    return bill_for(
        values["chunks"],
        values.get("index_tokens", math.nan),
        values.get(f"retrieved_tokens@{label}", math.nan),
        prices,
    )
