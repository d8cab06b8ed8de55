"""The parts of Trade-offs: metrics, slots and ceiling over overlap, and the grid as a table."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import streamlit as st

from overlapkit.charts import is_rate, label_of, lines_figure
from overlapkit.decide import compare, compare_all
from overlapkit.evaluate import METRICS
from overlapkit.report import csv_of, frame_of
from overlapkit.retrieve import Budget, TopK
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import session, sweeps, today
from overlapkit.ui.chart_marks import Line, Mark, Overlay, chart_marks
from overlapkit.ui.noise_panels import phase_band
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.ui.today import base_row
from overlapkit.wording import (
    cutoff,
    gain_sentence,
    number,
    percent,
    points,
    quality,
    setting,
)


class Panel(NamedTuple):
    """One small chart: a column, and whether a paired interval belongs to it."""

    column: str
    interval: bool


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


def legend(work: Workspace) -> str:
    """Say what is drawn on the charts of this page."""
    parts = [
        "Grey: every size of the grid. Blue: the chosen size, with the 95% interval of its paired "
        "difference from the baseline (dashed)."
    ]
    if work.settings.phases:
        parts.append(
            f"Blue is the mean of {work.settings.phases} phases, shaded how far they lie apart; "
            "grey is on today's cuts."
        )
    if today.given_rows(work):
        parts.append("Orange: what you uploaded on Your splitter.")
    return " ".join(parts)


def small_charts(work: Workspace, sweep: Sweep, panels: list[Panel]) -> dict[str, Overlay]:
    """Draw small charts in a row that wraps, and return what to lay over each."""
    rows = sweeps.size_rows(work) or ()
    base = sweeps.shown_base(work)
    known = [panel for panel in panels if sweep.knows(panel.column)]
    overlays = {}
    for start in range(0, len(known), 3):
        for place, panel in zip(st.columns(3), known[start : start + 3], strict=False):
            name = f"line_{panel.column}"
            with place:
                _heading(panel.column, work, base)
                st.plotly_chart(
                    lines_figure(sweep.rows, panel.column, name),
                    key=name, config={"displayModeBar": False},
                )  # fmt: skip
            overlays[name] = _over(work, rows, base, panel)
    return overlays


def _heading(column: str, work: Workspace, base: Row) -> None:
    name = column.partition("@")[0]
    now = sweeps.shown_row(work, work.settings.spec)
    meaning = METRICS[name].meaning if name in METRICS else None
    change = now.values[column] - base.values[column]
    if is_rate(column):
        shown = f"{percent(now.values[column])} ({points(change)} points)"
    else:
        shown = f"{now.values[column]:.2f} ({change:+.2f})"
    st.markdown(f"**{label_of(column)}**: {shown}", help=meaning and f"{meaning.capitalize()}.")


def _over(work: Workspace, rows: tuple[Row, ...], base: Row, panel: Panel) -> Overlay:
    """Return the chosen size's line with its paired interval, the baseline and the point."""
    column = panel.column
    if not rows:
        return Overlay()
    xs = tuple(row.spec.overlap_pct for row in rows)
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    level = base.values[column]
    if panel.interval:
        found = [compare(row, base, column, work.clustering) for row in rows]
        low = tuple(max(level + one.low, 0.0) for one in found)
        high = tuple(min(level + one.high, 1.0) for one in found)
    ys = tuple(row.values[column] for row in rows)
    lines = (
        *_given_lines(work, xs, column),
        *phase_band(work, xs, ys, column),
        Line((xs[0], xs[-1]), (level, level), "baseline"),
        Line(xs, ys, "chosen", low, high),
    )
    now = sweeps.shown_row(work, work.settings.spec)
    share = 100 * now.spec.overlap / now.spec.size
    mark = Mark(share, now.values[column], "chosen", "chosen setting")
    marks = (mark,) if share <= xs[-1] else ()
    return Overlay(marks=marks, lines=lines)


def ceiling_chart(work: Workspace, sweep: Sweep) -> dict[str, Overlay]:
    """Draw the ceiling of complete evidence, and where single spans stand beside theory."""
    if work.engine.queries.kind == "extent":
        st.info(
            "Headings ask for whole sections, which are mostly longer than a chunk: the "
            "containment ceiling is withheld."
        )
        return {}
    st.markdown(_ceiling_sentence(work))
    rows = sweeps.size_rows(work) or ()
    left, right = st.columns(2)
    drawn = ((left, "query_containment", "ceiling"), (right, "containment", "spans"))
    for place, column, name in drawn:
        with place:
            st.markdown(f"**{label_of(column)}**")
            st.plotly_chart(
                lines_figure(sweep.rows, column, name), key=name, config={"displayModeBar": False}
            )
    given = " Orange: what you uploaded." if today.given_rows(work) else ""
    st.caption(f"Dotted: what theory expects for spans if cuts fell at random.{given}")
    if not rows:
        return {}
    xs = tuple(row.spec.overlap_pct for row in rows)
    of_queries, of_spans, theory = (
        Line(xs, tuple(row.values[name] for row in rows), kind)
        for name, kind in (
            ("query_containment", "chosen"),
            ("containment", "chosen"),
            ("predicted_containment", "predicted"),
        )
    )
    first, second = (_given_lines(work, xs, name) for name in ("query_containment", "containment"))
    return {
        "ceiling": Overlay(lines=(*first, of_queries)),
        "spans": Overlay(lines=(*second, of_spans, theory)),
    }


def _given_lines(work: Workspace, xs: tuple[float, ...], column: str) -> tuple[Line, ...]:
    """Return what the user has today in a column, as level lines."""
    return tuple(
        Line((xs[0], xs[-1]), (row.values[column],) * 2, "given")
        for row in today.given_rows(work).values()
        if not isnan(row.values[column])
    )


def _ceiling_sentence(work: Workspace) -> str:
    now = sweeps.shown_row(work, work.settings.spec).values
    base = sweeps.shown_base(work)
    known = base.values["query_containment"]
    beside = "" if isnan(known) else f" ({setting(base.spec)}: {percent(known)})"
    return (
        f"No ranking can give complete evidence for more than "
        f"{percent(now['query_containment'])} of the questions{beside}: evidence that no chunk "
        f"holds whole is lost before any ranking. {percent(now['containment'])} of the evidence "
        "spans are whole in some chunk (expected if cuts fell at random: "
        f"{percent(now['predicted_containment'])})."
    )


def lead_sentence(work: Workspace) -> str:
    """Say what overlap buys at the chosen size."""
    rows = sweeps.size_rows(work)
    if not rows:
        return "Working out the chosen size …"
    over = f" Taken over {work.settings.phases} phases." if work.settings.phases else ""
    gains = compare_all(rows[1:], rows[0], work.column, work.clustering)
    return gain_sentence(rows, work.column, work.settings.run, gains) + over


def grid_table(work: Workspace, sweep: Sweep) -> None:
    """Show the grid as a table, and offer all of it."""
    given = tuple(today.given_rows(work).values())
    rows = (*given, *sweep.rows)
    frame = frame_of(replace(sweep, rows=rows))
    frame.loc[frame["chunker"] == GIVEN["run"], ["ranking", "terms"]] = "given"
    st.markdown(_found_sentence(work, rows))
    hidden: list[str] = []
    if work.engine.queries.kind == "minimal" and not st.toggle(
        "Show strict hits", key="w_strict",
        help="A chunk is rarely half evidence where the evidence is a sentence.",
    ):  # fmt: skip
        hidden = [name for name in frame.columns if name.startswith("strict")]
    st.dataframe(frame.drop(columns=hidden), hide_index=True, height=360)
    st.download_button(
        "Download the grid (CSV)", csv_of(frame), "overlapkit-grid.csv", "text/csv",
        on_click="ignore",
    )  # fmt: skip


def _found_sentence(work: Workspace, rows: Sequence[Row]) -> str:
    """Say how many settings differ from the baseline, looked at together.

    Sizes are compared at the equal context, where every row has it; else one size alone.
    """
    base, column = base_row(work), work.equal_column
    within: TopK | Budget = EQUAL_CONTEXT
    if not all(column in row.per_query for row in (*rows, base)):
        column, within = work.column, work.settings.cutoff
        rows = [row for row in rows if row.spec.size == work.settings.size]
    others = [row for row in rows if row.spec != base.spec]
    given = today.upload_number(work)
    key = (work.key, column, base.spec, len(rows), work.settings.encoding, given)
    found = session.remembered(
        "corrected", key, 4, lambda: compare_all(others, base, column, work.clustering)
    )
    better = sum(one.low > 0 for one in found.values())
    worse = sum(one.high < 0 for one in found.values())
    return (
        f"Of {number(len(others))} settings {number(better)} score higher than "
        f"{setting(base.spec)} in {quality(column)} {cutoff(within)}, {number(worse)} lower, and "
        "the rest cannot be told apart from it. These intervals hold for all settings at once, "
        "since who looks at many finds something in some."
    )


def draw_over(overlays: dict[str, Overlay]) -> None:
    """Lay the moving marks over the charts of the page."""
    chart_marks(overlays, key="tradeoff_marks", on_pick=lambda _: None)
