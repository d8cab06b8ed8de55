"""The parts of Diagnose: the advice, misses by cause over overlap, and each miss."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from overlapkit.charts import causes_figure
from overlapkit.chunkers import ChunkSpec
from overlapkit.diagnose import CAUSES, Cause, Diagnosis, advice, diagnose, tally
from overlapkit.ui import session
from overlapkit.ui.boundary_panel import send_to
from overlapkit.ui.chart_marks import Mark, Overlay, chart_marks
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.wording import cutoff, number, remedy, setting

_NO_MISS: tuple[Cause, ...] = ("hit", "unresolved")  # what is not scored is no miss
SHOWN = 300  # misses listed at a time


class Picked(NamedTuple):
    """What is listed: the misses of a setting, of one cause if one was picked."""

    spec: ChunkSpec
    cause: Cause | None


def withheld() -> None:
    """Say why there is nothing to diagnose, and what to do."""
    st.info(
        "Headings ask for whole sections, which are mostly longer than a chunk, so their misses "
        "have no one cause. Upload a golden set on Corpus, write questions on Boundaries, or "
        "choose boundary probes in the sidebar."
    )


def _diagnoses(work: Workspace, spec: ChunkSpec) -> tuple[Diagnosis, ...]:
    return session.remembered(
        "diagnoses", (work.key, spec), 24, lambda: diagnose(work.engine, work.evaluation(spec))
    )


def summary(work: Workspace) -> None:
    """Say what the misses of the chosen setting ask for."""
    spec = work.settings.spec
    found = _diagnoses(work, spec)
    counts = tally(found)
    asked = len(found) - counts["unresolved"]
    st.markdown(f"**{advice(found, spec)}**")
    line = (
        f"{setting(spec).capitalize()}: {number(counts['hit'])} of {number(asked)} questions have "
        f"complete evidence {cutoff(work.settings.cutoff)}"
    )
    if counts["unresolved"]:
        line += (
            f"; {number(counts['unresolved'])} rows could not be located and are not scored (see "
            "Queries)"
        )
    st.caption(f"{line}.")


def _missed(counts: Mapping[Cause, int]) -> int:
    return sum(count for cause, count in counts.items() if cause not in _NO_MISS)


def chart(work: Workspace) -> Picked:
    """Draw the misses by cause at each overlap of the chosen size; return what was picked."""
    specs = work.settings.overlaps
    with st.spinner("Diagnosing every overlap of this size …"):
        tallies = [(spec.overlap_pct, tally(_diagnoses(work, spec))) for spec in specs]
    now = work.settings.spec
    if not any(_missed(counts) for _, counts in tallies):
        st.caption("No overlap of this size misses a question.")
        return Picked(now, None)
    event = st.plotly_chart(
        causes_figure(tallies), key="causes", config={"displaylogo": False}, on_select="rerun",
        selection_mode="points",
    )  # fmt: skip
    st.caption("Pick a part of a bar to list its questions below; the ring is the chosen setting.")
    missed = _missed(tally(_diagnoses(work, now)))
    place = next((f"{spec.overlap_pct:g}%" for spec in specs if spec == now), None)
    marks = () if place is None else (Mark(place, missed, "chosen", f"chosen: {setting(now)}"),)
    chart_marks({"causes": Overlay(marks=marks)}, key="cause_marks", on_pick=lambda _: None)
    points = event["selection"]["points"]
    if not points:
        return Picked(now, None)
    cause, pct = points[0]["customdata"]
    picked = next((spec for spec in specs if spec.overlap_pct == pct), None)
    return Picked(now, None) if picked is None else Picked(picked, cause)


def listing(work: Workspace, picked: Picked) -> None:
    """List the misses of a setting; a chosen row can be opened in its text."""
    found = [
        one
        for one in _diagnoses(work, picked.spec)
        if one.cause not in _NO_MISS and picked.cause in (None, one.cause)
    ]
    which = "misses" if picked.cause is None else f"misses: {CAUSES[picked.cause].label.lower()}"
    st.markdown(f"## {number(len(found))} {which}, {setting(picked.spec)}")
    if not found:
        st.caption("Nothing is missed here.")
        return
    queries = work.engine.queries.queries
    shown = found[:SHOWN]
    event = st.dataframe(
        {
            "Question": [one.id if one.query is None else queries[one.query].text for one in shown],
            "Cause": [CAUSES[one.cause].label for one in shown],
            "What is known": [remedy(one, picked.spec) for one in shown],
            "Document": [one.span.document if one.span else "" for one in shown],
            "Characters": [one.span.end - one.span.start if one.span else None for one in shown],
        },
        hide_index=True, on_select="rerun", selection_mode="single-row",
        key=session.key_of("w_misses", work.key, picked),
        height=min(38 * (len(shown) + 1), 420),
    )  # fmt: skip
    if len(found) > len(shown):
        st.caption(f"The first {number(len(shown))} of {number(len(found))}.")
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(shown):
        _offer(work, picked.spec, shown[rows[0]])
    else:
        st.caption("Choose a row to open it in its text.")


def _offer(work: Workspace, spec: ChunkSpec, one: Diagnosis) -> None:
    """Offer to see the evidence where it stands, under the setting that it was diagnosed at."""
    span = one.span
    if span is None:
        st.caption(plain(one.reason or ""))
        return
    if st.button("Open in Boundaries", key="w_open", type="primary"):
        session.change(lambda s: replace(s, size=spec.size, overlap=spec.overlap))
        st.session_state.pop("goto", None)  # also when the same place is asked for again
        send_to(work, one.id, span)
        st.switch_page("pages/boundaries.py")


def meanings() -> None:
    """Say what each cause means and what helps."""
    with st.expander("What the causes mean, in the order in which they are asked for"):
        for info in CAUSES.values():
            st.markdown(f"**{info.label}**: {info.meaning}. *Helps*: {info.helps}.")
