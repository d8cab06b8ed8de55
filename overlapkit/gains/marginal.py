"""What the next 1% of index buys at one size, and where it stops paying."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from overlapkit.decide import compare, compare_all
from overlapkit.stats import Clustering, Paired
from overlapkit.sweep import Row


class NextStep(NamedTuple):
    """A step from one overlap to the next larger one of a size.

    ``growth`` is by how much the text to embed grows, as a fraction of what it was; ``gain``
    is the paired difference of the metric. A gain in points per 1% of index is
    ``gain.difference / growth``.
    """

    before: Row
    after: Row
    growth: float
    gain: Paired

    def per_percent(self, gain: float) -> float:
        """Return a gain (a fraction of the questions) for each 1% that the index grows."""
        return gain / (100 * self.growth)


def next_steps(rows: Sequence[Row], metric: str, clustering: Clustering) -> tuple[NextStep, ...]:
    """Return the steps between neighbouring overlaps of one size, rising.

    A step that adds no text is left out: it has no price.
    """
    ordered = sorted(rows, key=lambda row: row.spec.overlap)
    steps = []
    for before, after in pairwise(ordered):
        growth = after.values["index_chars"] / max(before.values["index_chars"], 1) - 1
        if growth > 0:
            steps.append(
                NextStep(before, after, growth, compare(after, before, metric, clustering))
            )
    return tuple(steps)


def stops_paying(rows: Sequence[Row], metric: str, clustering: Clustering) -> Row:
    """Return the smallest overlap of a size over which no larger one gains beyond the noise.

    The gains of all larger overlaps are looked at together, so their 95% intervals hold
    together (see ``compare_all``).
    """
    ordered = sorted(rows, key=lambda row: row.spec.overlap)
    for place, row in enumerate(ordered[:-1]):
        gains = compare_all(ordered[place + 1 :], row, metric, clustering)
        if not any(gain.low > 0 for gain in gains.values()):
            return row
    return ordered[-1]
