"""The parts of Trade-offs: metrics, slots and ceiling over overlap, and the grid as a table."""

from typing import NamedTuple

import streamlit as st

from overlapkit.charts import is_rate, label_of, lines_figure
from overlapkit.decide import compare
from overlapkit.evaluate import METRICS
from overlapkit.report import csv_of
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import session
from overlapkit.ui.chart_marks import Line, Mark, Overlay, chart_marks
from overlapkit.ui.session import Workspace
from overlapkit.wording import UNIT_NAMES, number, percent, points


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


def small_charts(work: Workspace, sweep: Sweep, panels: list[Panel]) -> dict[str, Overlay]:
    """Draw small charts in a row that wraps, and return what to lay over each."""
    rows = session.size_rows(work) or ()
    base = work.row(work.settings.baseline)
    known = [p for p in panels if any(r.values[p.column] == r.values[p.column] for r in sweep.rows)]
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
    now = work.row(work.settings.spec)
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
        low = tuple(level + one.low for one in found)
        high = tuple(level + one.high for one in found)
    lines = (
        Line((xs[0], xs[-1]), (level, level), "baseline"),
        Line(xs, tuple(row.values[column] for row in rows), "chosen", low, high),
    )
    now = work.row(work.settings.spec)
    share = 100 * now.spec.overlap / now.spec.size
    mark = Mark(share, now.values[column], "chosen", "chosen setting")
    marks = (mark,) if share <= xs[-1] else ()
    return Overlay(marks=marks, lines=lines)


def ceiling_chart(work: Workspace, sweep: Sweep) -> dict[str, Overlay]:
    """Draw the containment ceiling: measured for all sizes, predicted for the chosen one."""
    if work.engine.queries.kind == "extent":
        st.info(
            "Headings ask for whole sections, which are mostly longer than a chunk: the "
            "containment ceiling is withheld."
        )
        return {}
    rows = session.size_rows(work) or ()
    st.plotly_chart(
        lines_figure(sweep.rows, "containment", "ceiling"),
        key="ceiling", config={"displayModeBar": False},
    )  # fmt: skip
    if not rows:
        return {}
    xs = tuple(row.spec.overlap_pct for row in rows)
    measured = Line(xs, tuple(row.values["containment"] for row in rows), "chosen")
    theory = Line(xs, tuple(row.values["predicted_containment"] for row in rows), "predicted")
    return {"ceiling": Overlay(lines=(measured, theory))}


def ceiling_sentence(work: Workspace) -> str:
    """Say what chunking alone allows at the chosen setting."""
    now = work.row(work.settings.spec)
    base = work.row(work.settings.baseline)
    return (
        f"{percent(now.values['containment'])} of the evidence spans lie whole in some chunk "
        f"(expected if cuts fell at random: {percent(now.values['predicted_containment'])}; "
        f"baseline {percent(base.values['containment'])}). No ranking can do better than this."
    )


def lead_sentence(work: Workspace) -> str:
    """Say what overlap buys at the chosen size."""
    rows = session.size_rows(work)
    if not rows:
        return "Working out the chosen size …"
    column = metric_panels(work)[0].column
    size = f"{number(work.settings.size)} {UNIT_NAMES[work.settings.unit]}"
    first, last = rows[0], max(rows, key=lambda row: row.values[column])
    return (
        f"At {size}, {label_of(column).lower()} rises from {percent(first.values[column])} without "
        f"overlap to {percent(last.values[column])} at {last.spec.overlap_pct:.0f}%, for "
        f"{last.values['index_x']:.2f} times the text to embed."
    )


def grid_table(sweep: Sweep) -> None:
    """Show the grid as a table, and offer all of it."""
    frame = sweep.to_frame()
    st.dataframe(frame, hide_index=True, height=360)
    st.download_button(
        "Download the grid (CSV)", csv_of(frame), "overlapkit-grid.csv", "text/csv",
        on_click="ignore",
    )  # fmt: skip


def draw_over(overlays: dict[str, Overlay]) -> None:
    """Lay the moving marks over the charts of the page."""
    chart_marks(overlays, key="tradeoff_marks", on_pick=lambda _: None)
