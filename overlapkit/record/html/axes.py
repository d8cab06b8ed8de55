"""Axes of small charts: where a value lies, and which values are written beside it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_STEPS = (1, 2, 2.5, 5, 10)
_WIDE = 8  # times the smallest value: from there on an axis shows factors, not differences


@dataclass(frozen=True, slots=True)
class Axis:
    """From values to pixels: ``low`` lies at ``begin`` and ``high`` at ``end``."""

    low: float
    high: float
    begin: float
    end: float
    factors: bool = False

    def at(self, value: float) -> float:
        """Return where a value lies."""
        low, high, place = self.low, self.high, value
        if self.factors:
            low, high, place = (math.log(one) for one in (low, high, value))
        share = (place - low) / (high - low) if high > low else 0.5
        return self.begin + (self.end - self.begin) * share

    def ticks(self, count: int = 5) -> list[float]:
        """Return about so many round values on the axis, rising."""
        if not self.high > self.low:
            return [self.low]
        if self.factors:
            return _factors(self.low, self.high, count)
        step = _round_step((self.high - self.low) / count)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def axis(
    values: Iterable[float], begin: float, end: float, *, room: float = 0.06, factors: bool = False
) -> Axis:
    """Return an axis that holds values with some room at both ends.

    ``factors`` lets it show factors where values lie far apart.
    """
    held = list(values)
    low, high = min(held), max(held)
    if factors and low > 0 and high > _WIDE * low:
        room = (high / low) ** room
        return Axis(low / room, high * room, begin, end, factors=True)
    spread = (high - low) or abs(high) or 1.0
    return Axis(low - room * spread, high + room * spread, begin, end)


def rate_axis(values: Iterable[float], begin: float, end: float) -> Axis:
    """Return an axis for fractions, never beyond 0 and 1 by more than a mark needs."""
    found = axis(values, begin, end, room=0.08)
    least = 0.02  # so that rounding differences do not fill a chart
    middle = (found.low + found.high) / 2
    low, high = min(found.low, middle - least), max(found.high, middle + least)
    return Axis(max(low, -0.03), min(high, 1.03), begin, end)


def _round_step(step: float) -> float:
    unit: float = 10.0 ** math.floor(math.log10(step))
    return next(one * unit for one in _STEPS if one * unit >= step * (1 - 1e-9))


def _factors(low: float, high: float, count: int) -> list[float]:
    found: list[float] = []
    for digits in ((1,), (1, 3), (1, 2, 5)):
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found = [d * 10.0**p for p in powers for d in digits if low <= d * 10.0**p <= high]
        if len(found) >= min(count, 3):
            break
    if not found:
        return [low, high]
    return found[:: math.ceil(len(found) / (2 * count))]
