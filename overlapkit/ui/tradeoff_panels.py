"""The words of Trade-offs, each question's change between two settings, the grid as a table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from overlapkit.charts import is_rate, label_of
from overlapkit.decide import compare_all
from overlapkit.report import csv_of, frame_of, spreadsheet_csv
from overlapkit.retrieve import Budget, TopK
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import memory, sweeps, today
from overlapkit.ui.chart_marks import Overlay, chart_marks
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.ui.today import base_row
from overlapkit.wording import gain_sentence
from overlapkit.words import cutoff, number, quality, setting

_LISTED = 500
_SAME_IN_ALL = ("chunker", "unit", "queries", "unresolved", "ranking", "terms")
_SHORT = {
    "chunker": "Chunker", "unit": "Unit", "size": "Size", "overlap": "Overlap",
    "overlap_pct": "Overlap, % of size", "index_x": "Index size against 0%",
    "queries": "Questions", "unresolved": "Left out", "ranking": "Ranking", "terms": "Terms",
    "index_words": "Words to embed", "index_tokens": "Tokens to embed",
    "effective_overlap": "Overlap as cut", "predicted_containment": "Whole if cuts fell at random",
    "common_term_queries": "Questions with a common word",
}  # fmt: skip


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


def lead_sentence(work: Workspace) -> str:
    """Say what overlap buys at the chosen size."""
    rows = sweeps.size_rows(work)
    if not rows:
        return "Working out the chosen size …"
    over = f" Taken over {work.settings.phases} phases." if work.settings.phases else ""
    now = work.settings
    gains = memory.remembered(
        "lead", (work.key, now.unit, now.encoding, now.size, now.phases), 24,
        lambda: compare_all(rows[1:], rows[0], work.column, work.clustering),
    )  # fmt: skip
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
    hidden += [name for name in _SAME_IN_ALL if frame[name].nunique() == 1]
    st.dataframe(
        frame.drop(columns=hidden), hide_index=True, height=360,
        column_config={name: _column(name) for name in frame.columns},
    )  # fmt: skip
    st.download_button(
        "Download the grid (CSV)", csv_of(frame), "overlapkit-grid.csv", "text/csv",
        on_click="ignore",
    )  # fmt: skip


def _column(name: str) -> Any:  # Streamlit's own type has no public name
    """Return how a column of the grid is named and written on the page."""
    label = _SHORT.get(name) or label_of(name)
    if is_rate(name):
        return st.column_config.NumberColumn(label, format="percent")
    if name == "overlap_pct":
        return st.column_config.NumberColumn(label, format="%.0f%%")
    if name in ("chunker", "unit", "ranking", "terms"):
        return st.column_config.TextColumn(label)
    return st.column_config.NumberColumn(label, format="localized")


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
    found = memory.remembered(
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


# --- question by question ---------------------------------------------------------------


def change_panel(work: Workspace) -> None:
    """Show how many questions are won, lost and unchanged between two settings, and which."""
    ours, base = work.row(work.settings.spec), base_row(work)
    before, after = base.per_query[work.column], ours.per_query[work.column]
    won, lost = np.flatnonzero(after > before), np.flatnonzero(after < before)
    same = len(after) - len(won) - len(lost)
    st.markdown(
        f"From {setting(base.spec)} to {setting(ours.spec)}, **{number(len(won))} questions are "
        f"won, {number(len(lost))} lost** and {number(same)} unchanged in {quality(work.column)} "
        f"{cutoff(work.settings.cutoff)}."
    )
    st.html(change_bar(len(won), len(lost), same))
    queries = work.engine.queries.queries
    rows = [
        {"Change": how, "Question": queries[at].text, "Id": queries[at].id}
        for how, places in (("won", won), ("lost", lost))
        for at in places.tolist()
    ]
    if not rows:
        return
    with st.expander("Which questions"):
        st.dataframe(rows[:_LISTED], hide_index=True)
        if len(rows) > _LISTED:
            st.caption(f"The first {number(_LISTED)} of {number(len(rows))}.")
        st.download_button(
            "CSV", lambda: spreadsheet_csv(rows), "overlapkit-changes.csv", "text/csv",
            key="w_csv_changes", on_click="ignore", type="tertiary",
        )  # fmt: skip
        st.page_link("pages/queries.py", label="Read their results on Queries")


def change_bar(won: int, lost: int, same: int) -> str:
    """Return the three counts as one bar whose parts are named."""
    parts = (("won", won, "#15803d"), ("lost", lost, "#b91c1c"), ("unchanged", same, "#64748b"))
    drawn = "".join(
        f'<span style="flex:{count} 0 auto;background:{colour};color:#fff;padding:2px 6px;'
        f'white-space:nowrap">{count:,} {name}</span>'
        for name, count, colour in parts
        if count
    )
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:2px;border-radius:4px;overflow:hidden;'
        f'font-size:0.85rem" aria-hidden="true">{drawn}</div>'
    )


def draw_over(overlays: dict[str, Overlay]) -> None:
    """Lay the moving marks over the charts of the page."""
    chart_marks(overlays, key="carry_marks", on_pick=lambda _: None)
