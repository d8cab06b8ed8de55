"""Whether the same money buys more with another size than with more overlap."""

import math
from collections.abc import Callable

from overlapkit.evaluate import METRICS
from overlapkit.sweep import Row, Sweep


def equal_cost(sweep: Sweep, row: Row, column: str, cost: Callable[[Row], float]) -> Row | None:
    """Return the best row of another size that costs no more than ``row``, or None.

    Of rows that are equally good it is the cheapest. Rows without a value are left out, and
    so are those of other phases, of which the best would be the luckiest.
    """
    metric = METRICS.get(column.split("@", maxsplit=1)[0])
    sign = -1 if metric is not None and metric.better == "lower" else 1
    most = cost(row)
    others = [
        other
        for other in sweep.rows
        if (other.spec.unit, other.spec.size) != (row.spec.unit, row.spec.size)
        and other.spec.phase == row.spec.phase
        and cost(other) <= most
        and not math.isnan(other.values[column])
    ]
    return max(others, key=lambda one: (sign * one.values[column], -cost(one)), default=None)
