"""The grid of settings on Tune: quality against cost, and a heat map that selects."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan
from typing import Literal

import streamlit as st

from overlapkit.charts import (
    PLAIN_COLUMNS,
    frontier_figure,
    heat_figure,
    is_rate,
    label_of,
    nearest_overlap,
)
from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import cheapest_that_keeps_up, frontier
from overlapkit.evaluate import METRICS
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT
from overlapkit.lengths import saturated
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import memory, session, today
from overlapkit.ui.chart_data import about, caption_with_csv, grid_places
from overlapkit.ui.chart_marks import Cell, Mark, Overlay, chart_marks
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.wording import across_sentence
from overlapkit.words import number, percent, setting

PRICES = Prices()
# What the browser counts exactly while a handle is dragged.
_EXACT: dict[str, Literal["characters", "chunks"]] = {
    "index_chars": "characters",
    "chunks": "chunks",
}


def across_panel(work: Workspace, sweep: Sweep, cost_name: str) -> None:
    """Say which setting is cheapest across sizes, at an equal context budget."""
    cost, column, now = COSTS[cost_name], work.equal_column, work.settings
    held, best = memory.remembered(
        "across", (work.key, now.unit, now.encoding, cost_name), 8,
        lambda: cheapest_that_keeps_up(
            sweep.rows, column, work.clustering, lambda row: cost.compute(row.values, PRICES)
        ),
    )  # fmt: skip
    st.markdown(across_sentence(held, best, column, sweep.run, EQUAL_CONTEXT, cost))


def charts(work: Workspace, sweep: Sweep) -> None:
    """Show quality against cost, and the grid as a heat map that selects."""
    cost_name = st.selectbox(
        "Cost", list(COSTS), format_func=lambda name: f"{COSTS[name].label} ({COSTS[name].unit})",
        key="w_cost",
    )  # fmt: skip
    cost = COSTS[cost_name]
    across_panel(work, sweep, cost_name)
    column = work.equal_column

    def priced(row: Row) -> float:
        return cost.compute(row.values, PRICES)

    flat = saturated([row.values[column] for row in sweep.rows])
    if flat:
        st.warning(f"At an equal context {flat}.")
    rows = (*today.given_rows(work).values(), *sweep.rows)
    front = frontier(sweep.rows, column, priced)
    st.plotly_chart(
        frontier_figure(sweep.rows, front, column, priced, f"{cost.label} ({cost.unit})"),
        key="frontier", config={"displaylogo": False},
    )  # fmt: skip
    caption_with_csv(
        f"Quality is at an equal context of {EQUAL_CONTEXT.size:,} characters, since at a fixed k "
        "the biggest chunks win by being more text. Bars: 95% Wilson interval. Ring: chosen; "
        "diamond: current setting"
        f"{'; square: what you uploaded' if today.given_rows(work) else ''}.",
        "frontier", lambda: [_priced(row, column, cost_name, row in front) for row in rows],
    )  # fmt: skip
    picked = _heat(work, sweep)
    over = replace(
        _frontier_marks(work, priced, column),
        grid=grid_places(sweep.rows, priced, lambda row: row.values[column]),
        unit=work.settings.unit,
        exact_x=_EXACT.get(cost_name, ""),
    )
    marks = {"frontier": over, "heat": picked}
    chart_marks(marks, key="carry_marks", on_pick=_select)


def _priced(row: Row, column: str, cost_name: str, efficient: bool) -> dict[str, object]:
    cost = COSTS[cost_name].compute(row.values, PRICES)
    return about(row) | {cost_name: cost, column: row.values[column], "efficient": efficient}


def _select(value: Sequence[int]) -> None:
    size, overlap = value
    session.change(lambda s: replace(s, size=size, overlap=overlap))


def _frontier_marks(work: Workspace, priced: Callable[[Row], float], column: str) -> Overlay:
    marks = []
    for kind, spec in (("chosen", work.settings.spec), ("pinned", _pinned(work))):
        row = work.row(spec) if spec is not None else None
        if spec is not None and row is not None and column in row.values:
            place = float(priced(row))
            marks.append(Mark(place, row.values[column], kind, f"{kind}: {setting(spec)}"))
    for name, row in today.given_rows(work).items():
        place = float(priced(row))
        if column in row.values and not (isnan(place) or isnan(row.values[column])):
            kind = "pinned" if name == work.settings.pinned_given else "given"
            marks.append(Mark(place, row.values[column], kind, setting(row.spec)))
    return Overlay(marks=tuple(marks))


def _pinned(work: Workspace) -> ChunkSpec | None:
    return work.settings.baseline if work.settings.pinned else None


def _heat(work: Workspace, sweep: Sweep) -> Overlay:
    withheld = WITHHELD_FOR_EXTENT if work.engine.queries.kind == "extent" else ()
    label = work.settings.cutoff.label
    names = [f"{name}@{label}" for name in METRICS if name not in withheld]
    names += [name for name in PLAIN_COLUMNS if name not in withheld]
    names = [name for name in names if sweep.knows(name)]
    main = work.column
    names.sort(key=lambda name: name != main)
    column = st.selectbox("Heat map of", names, format_func=label_of, key="w_heat")
    st.markdown(_heat_sentence(work, sweep, column))
    given = today.given_rows(work)
    rows = (*given.values(), *sweep.rows)
    figure = heat_figure(sweep.rows, column, tuple(given.values()))
    st.plotly_chart(figure, key="heat", config={"displaylogo": False})
    caption_with_csv(
        "Click a cell, or tab to the map and use the arrow keys and Enter, to choose it."
        f"{_heat_note(work, bool(given))}",
        "heat", lambda: [about(r) | {column: r.values[column]} for r in rows],
    )  # fmt: skip
    cells = tuple(
        Cell(
            f"{row.spec.size:,}", f"{row.spec.overlap_pct:g}%",
            f"{setting(row.spec)}: {_value(row.values[column], column)}",
            (row.spec.size, row.spec.overlap),
        )
        for row in sweep.rows
    )  # fmt: skip
    marks = []
    for kind, spec in (("pinned", _pinned(work)), ("chosen", work.settings.spec)):
        row = sweep.row(spec) if spec is not None else None
        if row is not None:
            place = (f"{row.spec.size:,}", f"{row.spec.overlap_pct:g}%")
            marks.append(Mark(*place, kind, f"{kind}: {setting(row.spec)}"))
    overlaps = sorted({row.spec.overlap_pct for row in sweep.rows})
    for name, row in given.items():
        kind = "pinned" if name == work.settings.pinned_given else "given"
        label = f"{row.spec.chunker}: {_value(row.values[column], column)}"
        spot = f"{nearest_overlap(row, overlaps):g}%"
        marks.append(Mark(row.spec.chunker, spot, kind, label))
    places = grid_places(
        sweep.rows, lambda row: f"{row.spec.size:,}", lambda row: f"{row.spec.overlap_pct:g}%"
    )
    return Overlay(marks=tuple(marks), cells=cells, grid=places, unit=work.settings.unit)


def _heat_sentence(work: Workspace, sweep: Sweep, column: str) -> str:
    """Say what the map shows: the range, where it is best, and the chosen setting."""
    known = [row for row in sweep.rows if not isnan(row.values[column])]
    if not known:
        return f"{label_of(column)} has no value here."
    low, high = (pick(known, key=lambda row: row.values[column]) for pick in (min, max))
    now = work.row(work.settings.spec).values[column]
    return (
        f"{label_of(column)} goes from {_value(low.values[column], column)} "
        f"({low.spec.size:,} / {low.spec.overlap:,}) to {_value(high.values[column], column)} "
        f"({high.spec.size:,} / {high.spec.overlap:,}); the chosen setting has "
        f"{_value(now, column)}."
    )


def _heat_note(work: Workspace, given: bool) -> str:
    notes = []
    if given:
        notes.append("What you uploaded stands at the overlap nearest to its own.")
    if work.settings.phases:
        notes.append("The map is that of today's cuts.")
    return "".join(f" {note}" for note in notes)


def _value(value: float, column: str) -> str:
    return percent(value) if is_rate(column) else number(value)
