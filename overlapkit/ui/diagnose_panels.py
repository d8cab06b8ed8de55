"""The parts of Diagnose: the advice, misses by cause over overlap, and each miss."""

from collections.abc import Mapping
from dataclasses import replace
from math import isnan
from typing import NamedTuple

import streamlit as st

from overlapkit.charts import causes_figure
from overlapkit.chunkers import ChunkSpec
from overlapkit.diagnose import CAUSES, Cause, Diagnosis, advice, diagnose, tally
from overlapkit.evaluate import Evaluation
from overlapkit.ui import session
from overlapkit.ui.boundary_panel import send_to
from overlapkit.ui.chart_marks import Mark, Overlay, chart_marks
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.ui.shell import plain
from overlapkit.ui.today import given_evaluations, upload_number
from overlapkit.wording import cutoff, number, remedy, setting

_NO_MISS: tuple[Cause, ...] = ("hit", "unresolved")  # what is not scored is no miss
SHOWN = 300  # misses listed at a time


class Picked(NamedTuple):
    """What is listed: the misses of a setting or an upload, of one cause if one was picked."""

    name: str
    cause: Cause | None


class Diagnosed(NamedTuple):
    """A setting, or what the user has today, and why each question misses under it."""

    evaluation: Evaluation
    diagnoses: tuple[Diagnosis, ...]


def withheld() -> None:
    """Say why there is nothing to diagnose, and what to do."""
    st.info(
        "Headings ask for whole sections, which are mostly longer than a chunk, so their misses "
        "have no one cause. Upload a golden set on Corpus, write questions on Boundaries, or "
        "choose boundary probes in the sidebar."
    )


def _diagnosed(work: Workspace, evaluation: Evaluation) -> Diagnosed:
    key = (work.key, upload_number(work), evaluation.spec)
    made = session.remembered(
        "diagnoses", key, 24, lambda: diagnose(work.engine, evaluation)
    )  # fmt: skip
    return Diagnosed(evaluation, made)


def _of_setting(work: Workspace, spec: ChunkSpec) -> Diagnosed:
    return _diagnosed(work, work.evaluation(spec))


def _all(work: Workspace) -> dict[str, Diagnosed]:
    """Return every overlap of the chosen size, then what was uploaded, by what bars are called."""
    found = {f"{spec.overlap_pct:g}%": _of_setting(work, spec) for spec in work.settings.overlaps}
    for one in given_evaluations(work).values():
        if not isnan(one.values["chunks"]):  # a run alone names no cause
            found[one.spec.chunker] = _diagnosed(work, one)
    return found


def summary(work: Workspace) -> None:
    """Say what the misses of the chosen setting ask for, and those of what there is today."""
    spec = work.settings.spec
    found = _of_setting(work, spec).diagnoses
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
    for name, one in _all(work).items():
        if one.evaluation.spec.chunker == name:
            said = advice(one.diagnoses, one.evaluation.spec)
            st.markdown(f"**{name.capitalize()}**: {said}")


def _missed(counts: Mapping[Cause, int]) -> int:
    return sum(count for cause, count in counts.items() if cause not in _NO_MISS)


def chart(work: Workspace) -> Picked:
    """Draw the misses by cause at each overlap of the chosen size; return what was picked."""
    with st.spinner("Diagnosing every overlap of this size …"):
        found = _all(work)
    tallies = [(name, tally(one.diagnoses)) for name, one in found.items()]
    now = work.settings.spec
    here = next((n for n, one in found.items() if one.evaluation.spec == now), setting(now))
    if not any(_missed(counts) for _, counts in tallies):
        st.caption("No overlap of this size misses a question.")
        return Picked(here, None)
    event = st.plotly_chart(
        causes_figure(tallies), key="causes", config={"displaylogo": False}, on_select="rerun",
        selection_mode="points",
    )  # fmt: skip
    st.caption("Pick a part of a bar to list its questions below; the ring is the chosen setting.")
    marks = []
    if here in found:
        missed = _missed(tally(found[here].diagnoses))
        marks.append(Mark(here, missed, "chosen", f"chosen: {setting(now)}"))
    overlay = {"causes": Overlay(marks=tuple(marks))}
    chart_marks(overlay, key="cause_marks", on_pick=lambda _: None)
    points = event["selection"]["points"]
    cause, name = points[0]["customdata"] if points else (None, here)
    return Picked(name, cause) if name in found else Picked(here, None)


def listing(work: Workspace, picked: Picked) -> None:
    """List the misses of a setting; a chosen row can be opened in its text."""
    one = _all(work).get(picked.name) or _of_setting(work, work.settings.spec)
    spec = one.evaluation.spec
    found = [
        each
        for each in one.diagnoses
        if each.cause not in _NO_MISS and picked.cause in (None, each.cause)
    ]
    which = "misses" if picked.cause is None else f"misses: {CAUSES[picked.cause].label.lower()}"
    st.markdown(f"## {number(len(found))} {which}, {setting(spec)}")
    if not found:
        st.caption("Nothing is missed here.")
        return
    queries = work.engine.queries.queries
    shown = found[:SHOWN]
    event = st.dataframe(
        {
            "Question": [
                each.id if each.query is None else queries[each.query].text for each in shown
            ],
            "Cause": [CAUSES[each.cause].label for each in shown],
            "What is known": [remedy(each, spec) for each in shown],
            "Document": [each.span.document if each.span else "" for each in shown],
            "Characters": [
                each.span.end - each.span.start if each.span else None for each in shown
            ],
        },
        hide_index=True, on_select="rerun", selection_mode="single-row",
        column_config={
            "Question": st.column_config.Column(width="large"),
            "What is known": st.column_config.Column(width="large"),
        },
        key=session.key_of("w_misses", work.key, upload_number(work), picked),
    )  # fmt: skip
    if len(found) > len(shown):
        st.caption(f"The first {number(len(shown))} of {number(len(found))}.")
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(shown):
        _offer(work, spec, shown[rows[0]])
    else:
        st.caption("Choose a row to open it in its text.")


def _offer(work: Workspace, spec: ChunkSpec, one: Diagnosis) -> None:
    """Offer to see the evidence where it stands, under the setting that it was diagnosed at.

    What was uploaded is laid beside the chosen setting there, when it is pinned.
    """
    span = one.span
    if span is None:
        st.caption(plain(one.reason or ""))
        return
    if st.button("Open in Boundaries", key="w_open", type="primary"):
        ours = next((name for name, title in GIVEN.items() if title == spec.chunker), None)
        if ours is None:
            session.change(lambda s: replace(s, size=spec.size, overlap=spec.overlap))
        else:
            session.change(lambda s: replace(s, pinned_given=ours, pinned=None))
        st.session_state.pop("goto", None)  # also when the same place is asked for again
        send_to(work, one.id, span)
        st.switch_page("pages/boundaries.py")


def meanings() -> None:
    """Say what each cause means and what helps."""
    with st.expander("What the causes mean, in the order in which they are asked for"):
        for info in CAUSES.values():
            st.markdown(f"**{info.label}**: {info.meaning}. *Helps*: {info.helps}.")
