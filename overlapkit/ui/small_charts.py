"""The small charts of Trade-offs: a column over overlap, and what the next 1% of index buys.

Each is drawn from the grid alone, a quiet line for each size. What belongs to the chosen
size is laid over it, so that a slider move rebuilds none.
"""

from collections.abc import Callable
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import streamlit as st

from overlapkit.charts import Figure, is_rate, label_of, lines_figure, margin_figure
from overlapkit.decide import compare
from overlapkit.evaluate import METRICS
from overlapkit.gains import NextStep, next_steps, stops_paying
from overlapkit.sweep import Row, Sweep, rising_overlaps
from overlapkit.ui import memory, sweeps, today
from overlapkit.ui.chart_data import about, caption_with_csv, csv_button, grid_places
from overlapkit.ui.chart_marks import Line, Mark, Overlay
from overlapkit.ui.noise_panels import phase_band
from overlapkit.ui.session import Workspace
from overlapkit.words import percent, points, quality, setting

MARGIN = "margin"


class Panel(NamedTuple):
    """One small chart: a column, and whether a paired interval belongs to it."""

    column: str
    interval: bool


class Curve(NamedTuple):
    """The chosen size over its overlaps: values, and where they have some their intervals."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


def metric_panels(work: Workspace) -> list[Panel]:
    """Return the quality metrics that speak for this query set."""
    label = work.settings.cutoff.label
    names = ["complete", "lenient_hit", "answer", "recall", "precision", "iou"]
    if work.engine.queries.kind == "extent":
        names = ["strict_hit", "lenient_hit", "strict_mrr", "lenient_mrr", "recall", "precision"]
    return [Panel(f"{name}@{label}", True) for name in names]


def slot_panels(work: Workspace) -> list[Panel]:
    """Return what fills the slots."""
    label = work.settings.cutoff.label
    names = ("distinct_docs", "duplicate_slots", "overlapping_slots", "repeated_chars")
    return [Panel(f"{name}@{label}", False) for name in names]


def draw_panels(work: Workspace, sweep: Sweep, panels: list[Panel]) -> dict[str, Overlay]:
    """Draw small charts in rows that wrap, and return what to lay over each."""
    known = [panel for panel in panels if sweep.knows(panel.column)]
    overlays = {}
    for start in range(0, len(known), 3):
        for place, panel in zip(st.columns(3), known[start : start + 3], strict=False):
            name = f"line_{panel.column}"
            with place:
                _sentence(panel.column, work)
                _draw(name, lines_figure(sweep.rows, panel.column, name))
                csv_button(name, _of_column(work, sweep, panel))
            overlays[name] = _over(work, sweep, panel)
    return overlays


def _draw(name: str, figure: Figure) -> None:
    st.plotly_chart(figure, key=name, config={"displayModeBar": False})


def _sentence(column: str, work: Workspace) -> None:
    """Say what the chart shows at the chosen setting, and against the baseline."""
    name = column.partition("@")[0]
    now = sweeps.shown_row(work, work.settings.spec).values[column]
    change = now - sweeps.shown_base(work).values[column]
    meaning = METRICS[name].meaning if name in METRICS else None
    shown = percent(now) if is_rate(column) else f"{now:.2f}"
    how = f"{points(change)} points" if is_rate(column) else f"{change:+.2f}"
    than = f"{how} against the baseline" if round(change, 3) else "as in the baseline"
    st.markdown(f"**{label_of(column)}** is {shown}, {than}.", help=meaning and f"{meaning}.")


def _of_column(
    work: Workspace, sweep: Sweep, panel: Panel
) -> Callable[[], list[dict[str, object]]]:
    at_size = {row.spec: row for row in sweeps.size_rows(work) or ()}
    curve, given = _curve(work, panel), tuple(today.given_rows(work).values())

    def rows() -> list[dict[str, object]]:  # runs where no session can be asked
        found = zip(at_size, curve.low, curve.high, strict=False)
        ends = {spec: (low, high) for spec, low, high in found}
        lines = []
        for row in (*given, *sweep.rows):
            shown = at_size.get(row.spec, row)
            low, high = ends.get(row.spec, (None, None))
            lines.append(
                about(row) | {panel.column: shown.values[panel.column], "low": low, "high": high}
            )
        return lines

    return rows


# --- what lies over them ----------------------------------------------------------------


def _key(work: Workspace, *more: object) -> tuple[object, ...]:
    now = work.settings
    return (
        work.key, now.unit, now.encoding, now.size, now.phases, now.baseline, now.pinned_given,
        today.upload_number(work), *more,
    )  # fmt: skip


def _curve(work: Workspace, panel: Panel) -> Curve:
    """Return the chosen size's line with its paired intervals around the baseline."""
    rows, base = sweeps.size_rows(work) or (), sweeps.shown_base(work)

    def make() -> Curve:
        xs = tuple(row.spec.overlap_pct for row in rows)
        ys = tuple(row.values[panel.column] for row in rows)
        if not panel.interval:
            return Curve(xs, ys)
        level = base.values[panel.column]
        found = [compare(row, base, panel.column, work.clustering) for row in rows]
        low = tuple(max(level + one.low, 0.0) for one in found)
        return Curve(xs, ys, low, tuple(min(level + one.high, 1.0) for one in found))

    return memory.remembered("curves", _key(work, panel.column), 200, make)


def _over(work: Workspace, sweep: Sweep, panel: Panel) -> Overlay:
    """Return the chosen size's line with its paired interval, the baseline and the point."""
    curve = _curve(work, panel)
    if not curve.xs:
        return Overlay()
    level = sweeps.shown_base(work).values[panel.column]
    lines = (
        *given_lines(work, curve.xs, panel.column),
        *phase_band(work, curve.xs, curve.ys, panel.column),
        *(() if isnan(level) else (_level(curve.xs, level, "baseline"),)),
        Line(curve.xs, curve.ys, "chosen", curve.low, curve.high),
    )
    now = sweeps.shown_row(work, work.settings.spec)
    return followed(work, sweep, now.values[panel.column], panel.column, lines)


def followed(
    work: Workspace, sweep: Sweep, value: float, column: str, lines: tuple[Line, ...]
) -> Overlay:
    """Return lines with the chosen setting's point, which follows the handles by the grid."""
    now = work.settings
    share = 100 * now.overlap / now.size
    shown = not isnan(value) and share <= now.overlaps[-1].overlap_pct
    marks = (Mark(share, value, "chosen", "chosen setting"),) if shown else ()
    return Overlay(
        marks=marks,
        lines=lines,
        grid=grid_places(
            sweep.rows, lambda row: row.spec.overlap_pct, lambda row: row.values[column]
        ),
        unit=now.unit,
        exact_x="overlap",
    )


def given_lines(work: Workspace, xs: tuple[float, ...], column: str) -> tuple[Line, ...]:
    """Return what the user has today in a column, as level lines."""
    return tuple(
        _level(xs, row.values[column], "given")
        for row in today.given_rows(work).values()
        if not isnan(row.values[column])
    )


def _level(xs: tuple[float, ...], value: float, kind: str) -> Line:
    return Line((xs[0], xs[-1]), (value, value), kind)


# --- the ceiling ------------------------------------------------------------------------


def ceiling_chart(work: Workspace, sweep: Sweep) -> dict[str, Overlay]:
    """Draw the ceiling of complete evidence, and where single spans stand beside theory."""
    if work.engine.queries.kind == "extent":
        st.info(
            "Headings ask for whole sections, which are mostly longer than a chunk: the "
            "containment ceiling is withheld."
        )
        return {}
    rows = sweeps.size_rows(work) or ()
    now = sweeps.shown_row(work, work.settings.spec).values
    xs = tuple(row.spec.overlap_pct for row in rows)
    overlays = {}
    for place, column, say in zip(
        st.columns(2), ("query_containment", "containment"), (_of_queries, _of_spans), strict=True
    ):
        with place:
            st.markdown(say(work))
            _draw(column, lines_figure(sweep.rows, column, column))
            csv_button(column, _of_column(work, sweep, Panel(column, False)))
        lines = (
            *given_lines(work, xs, column),
            Line(xs, tuple(row.values[column] for row in rows), "chosen"),
        )
        overlays[column] = followed(work, sweep, now[column], column, lines)
    theory = Line(xs, tuple(row.values["predicted_containment"] for row in rows), "predicted")
    spans = overlays["containment"]
    overlays["containment"] = replace(spans, lines=(theory, *spans.lines))
    given = " Orange: what you uploaded." if today.given_rows(work) else ""
    st.caption(f"Dotted: what theory expects for spans if cuts fell at random.{given}")
    return overlays


def _of_queries(work: Workspace) -> str:
    now, base = sweeps.shown_row(work, work.settings.spec), sweeps.shown_base(work)
    known = base.values["query_containment"]
    beside = "" if isnan(known) else f" ({setting(base.spec)}: {percent(known)})"
    return (
        f"No ranking can give complete evidence for more than "
        f"**{percent(now.values['query_containment'])}** of the questions{beside}: evidence that "
        "no chunk holds whole is lost before any ranking."
    )


def _of_spans(work: Workspace) -> str:
    now = sweeps.shown_row(work, work.settings.spec).values
    return (
        f"**{percent(now['containment'])}** of the evidence spans are whole in some chunk; "
        f"if cuts fell at random, {percent(now['predicted_containment'])} would be."
    )


# --- the next 1% ------------------------------------------------------------------------


def margin_chart(work: Workspace, sweep: Sweep) -> dict[str, Overlay]:
    """Draw what the next 1% of index buys, and say where it stops paying."""
    rows = sweeps.size_rows(work) or ()
    steps = memory.remembered("steps", _key(work, "steps"), 24, lambda: _steps(work, rows))
    end = memory.remembered(
        "stops", _key(work, "stops"), 24,
        lambda: stops_paying(rows, work.column, work.clustering),
    )  # fmt: skip
    st.markdown(_stop_sentence(work, rows, end))
    if not steps:
        return {}
    by_size = memory.remembered(
        "margins", (work.key, work.settings.unit, work.settings.encoding), 4,
        lambda: {size: _steps(work, found) for size, found in rising_overlaps(sweep.rows)},
    )  # fmt: skip
    _draw(MARGIN, margin_figure(by_size, MARGIN))
    caption_with_csv(
        "Each point: percentage points gained from one overlap to the next, for each 1% that the "
        "text to embed grows. Blue: the chosen size, with 95% intervals; below the dashed line "
        "more index loses. Flag: where it stops paying.",
        MARGIN, lambda: _margin_rows(by_size),
    )  # fmt: skip
    xs = tuple(step.after.spec.overlap_pct for step in steps)
    found = [step.gain for step in steps]
    ys, low, high = (
        tuple(100 * step.per_percent(gain) for step, gain in zip(steps, gains, strict=True))
        for gains in zip(*((one.difference, one.low, one.high) for one in found), strict=True)
    )
    place = end.spec.overlap_pct
    label = f"stops paying at {place:g}%"
    marks = (Mark(place, ys[xs.index(place)], "stop", label),) if place in xs else ()
    lines = (_level(xs, 0.0, "baseline"), Line(xs, ys, "chosen", low, high))
    return {MARGIN: Overlay(marks=marks, lines=lines)}


def _steps(work: Workspace, rows: tuple[Row, ...]) -> tuple[NextStep, ...]:
    return next_steps(rows, work.column, work.clustering)


def _stop_sentence(work: Workspace, rows: tuple[Row, ...], end: Row) -> str:
    first, last = rows[0], rows[-1]
    if end is first:
        said = "no overlap gains beyond the noise over none, so the first 1% of index buys nothing"
    elif end is last:
        said = f"it still pays at {end.spec.overlap_pct:g}%, the largest overlap tried"
    else:
        said = (
            f"it stops paying at {end.spec.overlap_pct:g}% "
            f"({percent(end.values[work.column])}): no larger overlap gains beyond the noise"
        )
    return f"At {work.settings.size:,}, in {quality(work.column)}, {said}."


def _margin_rows(by_size: dict[int, tuple[NextStep, ...]]) -> list[dict[str, object]]:
    return [
        {
            "size": size,
            "from_overlap_pct": step.before.spec.overlap_pct,
            "to_overlap_pct": step.after.spec.overlap_pct,
            "index_growth": step.growth,
            "gain": step.gain.difference,
            "low": step.gain.low,
            "high": step.gain.high,
            "gain_per_percent": step.per_percent(step.gain.difference),
        }
        for size, steps in by_size.items()
        for step in steps
    ]
