"""The chosen setting: its handles, and what it finds and costs against the baseline."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from overlapkit.charts import label_of
from overlapkit.decide import compare
from overlapkit.evaluate import METRICS
from overlapkit.stats import Paired
from overlapkit.sweep import Row
from overlapkit.ui import session, sweeps
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import LARGEST
from overlapkit.ui.sidebar import shown
from overlapkit.ui.today import pinned_given
from overlapkit.wording import (
    UNIT_NAMES,
    describe,
    guarantee_sentence,
    number,
    percent,
    points,
    setting,
)


def figures(work: Workspace) -> None:
    """Show what the chosen setting finds and costs, against the baseline."""
    row, base = sweeps.shown_row(work, work.settings.spec), sweeps.shown_base(work)
    if not row.values["chunks"]:
        st.info("No document holds text, so there is nothing to cut: upload one that does.")
        return
    line = st.container(horizontal=True, gap="large")  # wraps where there is little room
    if work.has_queries:
        for name in _speaking(work):
            _rate(work, line, row, base, name)
    index = row.values["index_x"]
    line.metric(
        "Text to embed", f"{number(row.values['index_chars'])} chars",
        f"{index:.2f}x of 0% at this size", delta_color="off", delta_arrow="off", width="content",
        help="Characters in all chunks. The factor compares with no overlap at the same size.",
    )  # fmt: skip
    if work.has_queries:
        name = f"overlapping_slots@{work.settings.cutoff.label}"
        change = row.values[name] - base.values[name]
        line.metric(
            "Overlapping slots", f"{row.values[name]:.2f}", f"{change:+.2f}",
            delta_color="inverse" if change else "off", delta_arrow="auto" if change else "off",
            width="content",
            help=METRICS["overlapping_slots"].meaning.capitalize() + ".",
        )  # fmt: skip
    st.caption(
        f"{setting(row.spec).capitalize()}: {describe(row.spec, row.values)}. Differences are "
        f"against {setting(base.spec)}{'' if _is_pinned(work) else ' (pin yours to compare)'}."
        f"{_over(work)}{_widened(work)}"
    )


def _over(work: Workspace) -> str:
    if not work.settings.phases:
        return ""
    moved = sweeps.phase_rows(work) or ()
    if work.settings.spec not in moved:
        return " These figures are those of today's cuts."
    return f" These figures are means over {work.settings.phases} phases."


def _is_pinned(work: Workspace) -> bool:
    return bool(work.settings.pinned or pinned_given(work))


def _widened(work: Workspace) -> str:
    chunks = work.engine.chunk(work.settings.spec)
    if not chunks.widened:
        return ""
    return (
        f" {number(chunks.widened)} tokens begin or end inside a character and were widened to "
        f"whole ones; {number(chunks.merged)} windows fell together that way."
    )


def _speaking(work: Workspace) -> tuple[str, str]:
    label = work.settings.cutoff.label
    if work.engine.queries.kind == "extent":
        return f"lenient_hit@{label}", f"strict_hit@{label}"
    return f"complete@{label}", "query_containment"


def _rate(work: Workspace, place: DeltaGenerator, row: Row, base: Row, name: str) -> None:
    found = compare(row, base, name, work.clustering)
    if not found.n:  # a run says nothing of chunks that it did not bring
        place.metric(label_of(name), percent(row.values[name]), width="content")
        return
    meaning = METRICS[name.partition("@")[0]].meaning if "@" in name else (
        "some chunk holds all the evidence that the question needs, before any retrieval"
    )  # fmt: skip
    place.metric(
        label_of(name), percent(row.values[name]),
        f"{points(found.difference)} points [{points(found.low)}, {points(found.high)}]",
        delta_color="off" if found.low <= 0 <= found.high else "normal",
        delta_arrow="off" if found.low <= 0 <= found.high else "auto",
        width="content",
        help=f"{meaning.capitalize()}. In brackets: 95% interval of the difference; "
        f"{found.won} questions won, {found.lost} lost{_mcnemar(found)}.",
    )  # fmt: skip


def _mcnemar(found: Paired) -> str:
    if found.mcnemar_p is None:
        return ""
    return f" (exact McNemar p {found.mcnemar_p:.2g}, if questions were independent)"


def sliders(work: Workspace) -> None:
    """Drag size and overlap; a released slider moves everything on the page."""
    now = work.settings
    unit = UNIT_NAMES[now.unit]
    left, right = st.columns(2)
    fine = now.size < 20
    left.slider(
        f"Chunk size ({unit})", 1 if fine else 10, LARGEST[now.unit], step=1 if fine else 10,
        key=shown("w_size_slider", now.size),
        on_change=lambda: session.change(
            lambda s: s.with_size(int(st.session_state["w_size_slider"]))
        ),
    )  # fmt: skip
    if now.size == 1:
        right.markdown("Overlap  \n0: a chunk of one cannot overlap")
    elif st.session_state.get("w_percent", False):
        right.slider(
            "Overlap (% of size)", 0, 99, key=shown("w_pct_slider", 100 * now.overlap // now.size),
            format="%d%%",
            on_change=lambda: session.change(
                lambda s: replace(s, overlap=s.size * int(st.session_state["w_pct_slider"]) // 100)
            ),
        )  # fmt: skip
    else:
        right.slider(
            f"Overlap ({unit})", 0, now.size - 1, key=shown("w_overlap_slider", now.overlap),
            on_change=lambda: session.change(
                lambda s: replace(s, overlap=int(st.session_state["w_overlap_slider"]))
            ),
        )  # fmt: skip
    right.toggle("Overlap in percent", key="w_percent")
    left.caption(guarantee_sentence(now.spec))
