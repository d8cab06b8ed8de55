"""Values of gates and figures in words, as tables and sentences of a record show them."""

import math

from overlapkit.cost import money
from overlapkit.gates import MEASURES, Ruling
from overlapkit.record.model import Figure
from overlapkit.words import number, percent

UNKNOWN = "not known"
_MINUS = "\N{MINUS SIGN}"
_MOST_DIGITS = 6


def value_text(measure: str, value: float, apart_from: float = math.nan) -> str:
    """Return a measure's value, with as many digits as tell it from another one."""
    if math.isnan(value):
        return UNKNOWN
    for digits in range(1, _MOST_DIGITS):
        said = _shown(measure, value, digits)
        if value == apart_from or said != _shown(measure, apart_from, digits):
            break
    return said


def figure_text(measure: str, figure: Figure) -> str:
    """Return a value with its interval, where it has one."""
    said = value_text(measure, figure.value)
    if figure.low is None or figure.high is None:
        return said
    return f"{said} ({value_text(measure, figure.low)} to {value_text(measure, figure.high)})"


def ruling_text(ruling: Ruling) -> str:
    """Return the value that a gate looks at; of a relative one, the difference."""
    gate = ruling.gate
    if math.isnan(ruling.value):
        return UNKNOWN
    if gate.relative:
        return _signed(gate.measure, ruling.value)
    return value_text(gate.measure, ruling.value, gate.limit)


def interval_text(ruling: Ruling) -> str:
    """Return the 95% interval of a ruling; nothing where its value is exact or as given."""
    known = MEASURES.get(ruling.gate.measure)
    if known is None or not known.per_query or math.isnan(ruling.value):
        return ""
    show = _signed if ruling.gate.relative else value_text
    low, high = (show(ruling.gate.measure, end) for end in (ruling.low, ruling.high))
    return f"{low.removesuffix(' points')} to {high}"


def cost_text(value: float | None, unit: str) -> str:
    """Return a cost in its unit."""
    if value is None:
        return UNKNOWN
    return money(value) if unit == "US$" else f"{number(value)} {unit}"


def _shown(measure: str, value: float, digits: int) -> str:
    shown = MEASURES[measure].shown if measure in MEASURES else "number"
    if shown == "money":
        return money(value)
    if shown == "rate":
        return percent(value, digits)
    return number(value) if value.is_integer() else f"{value:,.{digits + 1}f}"


def _signed(measure: str, difference: float) -> str:
    """Return a difference with its sign; of a rate in points."""
    sign = _MINUS if difference < 0 else "+"
    size = value_text(measure, abs(difference))
    if measure in MEASURES and MEASURES[measure].shown == "rate":
        size = f"{size.removesuffix('%')} points"
    return f"{sign}{size}" if difference else size
