"""The charts of a record: quality against cost, and quality over overlap. SVG, no script."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from overlapkit.charts import is_rate, label_of
from overlapkit.cost import COSTS
from overlapkit.gates.choice import series
from overlapkit.record.html.axes import Axis, axis, rate_axis
from overlapkit.record.html.parts import safe
from overlapkit.record.model import Line, Measured, Record
from overlapkit.record.sentences import cost_text
from overlapkit.words import UNIT_NAMES, number, percent, setting

Place: TypeAlias = tuple[float, float, Line]  # where a setting is drawn

_WIDTH, _HEIGHT = 440, 286
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 428, 14, 222


def charts(record: Record) -> str:
    """Return the charts that have at least two settings to show."""
    drawn = [one for one in (_by_cost(record), _by_overlap(record)) if one]
    return f'<div class="charts">{"".join(drawn)}</div>' if drawn else ""


# --- quality against cost ---------------------------------------------------------------


def _by_cost(record: Record) -> str:
    lines = [one for one in record.lines if one.value is not None and one.cost is not None]
    if len({one.cost for one in lines}) < 2:
        return ""
    cost = COSTS[record.bound.cost]
    x = axis((_cost(one) for one in lines), _LEFT + 10, _RIGHT - 14, factors=True)
    y = _quality_axis(record, (_value(one) for one in lines))
    places = [(x.at(_cost(one)), y.at(_value(one)), one) for one in lines]
    parts = [
        *_frame(x, y, record),
        *(_tick(x.at(one), _short(one, cost.unit)) for one in x.ticks()),
        _title(f"{cost.label} ({cost.unit})"),
        *(_mark(a, b, one) for a, b, one in places),
        *_pointed(places, record),
        _legend(record, ["clears all gates", "fails a gate"]),
    ]
    said = f"{label_of(record.bound.metric)} against {cost.label.lower()} of {len(lines)} settings."
    return _figure("Quality against cost", f"{said} {_spoken(record, lines)}", parts)


# --- quality over overlap ---------------------------------------------------------------


def _by_overlap(record: Record) -> str:
    focus = record.focus
    own = [one for one in record.lines if series(one.spec) == series(focus)]
    lines = sorted((one for one in own if one.value is not None), key=lambda one: one.spec.overlap)
    if len(lines) < 2:
        return ""
    limits = _limits(record)
    ends = [end for one in lines for end in (one.low, one.high, one.value) if end is not None]
    x = axis((one.spec.overlap_pct for one in lines), _LEFT + 14, _RIGHT - 14, room=0.0)
    y = _quality_axis(record, (*ends, *limits))
    places = [(x.at(one.spec.overlap_pct), y.at(_value(one)), one) for one in lines]
    joined = " ".join(f"{a:.1f},{b:.1f}" for a, b, _ in places)
    size = f"{number(focus.size)} {UNIT_NAMES[focus.unit]}"
    parts = [
        *_frame(x, y, record),
        *(_tick(a, f"{one.spec.overlap_pct:.3g}%") for a, _, one in _apart(places)),
        _title("Overlap, in percent of the size"),
        *(_limit(limit, y, places, record) for limit in limits),
        f'<polyline class="line" points="{joined}"/>',
        *(_bar(a, y, one) for a, _, one in places),
        *(_mark(a, b, one) for a, b, one in places),
        *_pointed(places, record),
        _legend(record, ["clears all gates", "fails a gate"]),
    ]
    said = f"{label_of(record.bound.metric)} over overlap at {size}, with 95% intervals."
    return _figure(f"Over overlap, at {size}", f"{said} {_spoken(record, lines)}", parts)


def _limits(record: Record) -> list[float]:
    """Return what gates ask for in the metric that is drawn."""
    measure = record.bound.metric.partition("@")[0]
    return [
        gate.limit
        for gate in record.bound.lock.gates
        if gate.measure == measure and not gate.relative
    ]


def _limit(limit: float, axis: Axis, places: Sequence[Place], record: Record) -> str:
    y, said = axis.at(limit), f"gate {_quality(record, limit)}"
    line = f'<line class="limit" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    # Above the line, unless that leaves no room; at the end that is further from the marks.
    at = y - 5 if y > _TOP + 16 else y + 15
    if abs(y - places[0][1]) >= abs(y - places[-1][1]):
        return line + _words(_LEFT + 2, at, said, looks="tick")
    return line + _words(_RIGHT - 2, at, said, "end", "tick")


def _bar(x: float, y: Axis, line: Line) -> str:
    if line.low is None or line.high is None:
        return ""
    low, high = y.at(line.low), y.at(line.high)
    caps = "".join(f"M{x - 4:.1f} {end:.1f}h8" for end in (low, high))
    return f'<path class="bar" d="M{x:.1f} {low:.1f}V{high:.1f}{caps}"/>'


def _apart(places: Sequence[Place]) -> Iterable[Place]:
    """Yield the places whose names have room beside one another."""
    last = -math.inf
    for place in places:
        if place[0] - last >= 34:
            last = place[0]
            yield place


# --- parts of both ----------------------------------------------------------------------


def _quality_axis(record: Record, values: Iterable[float]) -> Axis:
    made = rate_axis if is_rate(record.bound.metric) else axis
    return made(values, _BOTTOM, _TOP)


def _frame(x: Axis, y: Axis, record: Record) -> list[str]:
    ticks = [
        one for one in y.ticks() if -1e-9 <= one <= 1 + 1e-9 or not is_rate(record.bound.metric)
    ]
    lines = [
        f'<line class="axis" x1="{_LEFT}" x2="{_RIGHT}" y1="{y.at(one):.1f}" y2="{y.at(one):.1f}"/>'
        for one in ticks
    ]
    return [
        *lines,
        *(
            _words(_LEFT - 8, y.at(one) + 4, _tick_text(record, one), "end", "tick")
            for one in ticks
        ),
    ]


def _tick_text(record: Record, value: float) -> str:
    if not is_rate(record.bound.metric):
        return f"{value:.3g}"
    return f"{round(100 * value, 6):.4g}%"


def _quality(record: Record, value: float) -> str:
    return percent(value) if is_rate(record.bound.metric) else number(value)


def _mark(x: float, y: float, line: Line) -> str:
    if line.passed:
        return f'<circle class="held" cx="{x:.1f}" cy="{y:.1f}" r="3.4"/>'
    return f'<path class="failing" d="M{x - 3:.1f} {y - 3:.1f}l6 6m0-6l-6 6"/>'


def _pointed(places: Sequence[Place], record: Record) -> list[str]:
    """Return the ring around the choice and the square around today's setting."""
    found = []
    for x, y, line in places:
        if record.outcome != "keep" and _is(line, record.bound.current):
            found.append(
                f'<rect class="today" x="{x - 7:.1f}" y="{y - 7:.1f}" width="14" height="14"/>'
            )
        if _is(line, record.bound.setting):
            found.append(f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="9.5"/>')
    return found


def _is(line: Line, one: Measured | None) -> bool:
    return one is not None and line.spec == one.spec


def _legend(record: Record, names: Sequence[str]) -> str:
    x, y = float(_LEFT), _HEIGHT - 8
    held, failing = names
    parts = [
        f'<circle class="held" cx="{x + 4:.0f}" cy="{y - 4}" r="3.4"/>', _words(x + 13, y, held),
        f'<path class="failing" d="M{x + 121:.0f} {y - 7}l6 6m0-6l-6 6"/>',
        _words(x + 133, y, failing),
    ]  # fmt: skip
    if record.bound.setting is not None:
        parts += [
            f'<circle class="ring" cx="{x + 222:.0f}" cy="{y - 4}" r="6.5"/>',
            _words(x + 234, y, "chosen" if record.outcome == "chosen" else "kept"),
        ]
    if record.bound.current is not None and record.outcome != "keep":
        parts += [
            f'<rect class="today" x="{x + 294:.0f}" y="{y - 10}" width="12" height="12"/>',
            _words(x + 312, y, "today's"),
        ]
    return "".join(parts)


def _spoken(record: Record, lines: Sequence[Line]) -> str:
    """Return what a picture shows to those who do not see it."""
    held = sum(one.passed for one in lines)
    said = f"{held} of {len(lines)} clear all gates."
    chosen = record.bound.setting
    line = next((one for one in lines if chosen is not None and one.spec == chosen.spec), None)
    if line is None:
        return said
    unit = COSTS[record.bound.cost].unit
    return (
        f"{said} The choice, {setting(line.spec)}, has {_quality(record, _value(line))} at "
        f"{cost_text(line.cost, unit)}."
    )


def _figure(title: str, said: str, parts: Iterable[str]) -> str:
    return (
        f"<figure><figcaption>{safe(title)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{safe(said)}">'
        f"{''.join(parts)}</svg></figure>"
    )


def _tick(x: float, text: str) -> str:
    return _words(x, _BOTTOM + 17, text, "middle", "tick")


def _title(text: str) -> str:
    return _words((_LEFT + _RIGHT) / 2, _BOTTOM + 36, text, "middle", "tick")


def _words(x: float, y: float, text: str, anchor: str = "start", looks: str = "") -> str:
    kind = f' class="{looks}"' if looks else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{safe(text)}</text>'


def _short(value: float, unit: str) -> str:
    """Return a cost on an axis, in few characters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"${value:.3g}" if unit == "US$" else f"{value:.3g}"


def _value(line: Line) -> float:
    return math.nan if line.value is None else line.value


def _cost(line: Line) -> float:
    return math.nan if line.cost is None else line.cost
