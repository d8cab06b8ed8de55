"""The parts of Diagnose: the advice, misses by cause over overlap, and each miss."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import partial
from math import isnan
from typing import Literal, NamedTuple

import streamlit as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.diagnose import CAUSES, Cause, Diagnosis, advice, diagnose, tally
from overlapkit.evaluate import Evaluation
from overlapkit.ui import memory, session
from overlapkit.ui.boundary_panel import send_to
from overlapkit.ui.cause_bars import (
    MISSES,
    Bar,
    CauseBars,
    cause_bars,
    missed,
    overlap_labels,
)
from overlapkit.ui.chart_data import csv_button
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.ui.shell import plain
from overlapkit.ui.today import given_evaluations, upload_number
from overlapkit.wording import remedy
from overlapkit.words import cutoff, number, setting

SHOWN = 300  # misses listed at a time
# Room for the longest advice, or the ruler below would leave the pointer that has let go of it.
_STYLE = """
<style>
.st-key-advice { min-height: 3.2rem; }
@media (max-width: 640px) { .st-key-advice { min-height: 6.4rem; } }
</style>
"""
_PICK = "cause_pick"  # where the session keeps what is picked, with the bars it belongs to


class Picked(NamedTuple):
    """What is listed: the misses of a bar, of one cause if one was picked."""

    name: str
    cause: Cause | None


class Diagnosed(NamedTuple):
    """A setting, or what the user has today, and why each question misses under it."""

    spec: ChunkSpec
    diagnoses: tuple[Diagnosis, ...]
    counts: Mapping[Cause, int]


def unasked() -> None:
    """Say what to do where there is no question."""
    st.info(
        "Without a question nothing can miss. Upload a golden set on Corpus, write questions on "
        "Boundaries, or choose other questions in the sidebar."
    )


def withheld() -> None:
    """Say why there is nothing to diagnose, and what to do."""
    st.info(
        "Headings ask for whole sections, which are mostly longer than a chunk, so their misses "
        "have no one cause. Upload a golden set on Corpus, write questions on Boundaries, or "
        "choose boundary probes in the sidebar."
    )


def _made(work: Workspace, evaluation: Evaluation) -> Diagnosed:
    found = diagnose(work.engine, evaluation)
    return Diagnosed(evaluation.spec, found, tally(found))


def _of_setting(work: Workspace, spec: ChunkSpec) -> Diagnosed:
    return memory.remembered(
        "diagnoses", (work.key, spec), 24, lambda: _made(work, work.evaluation(spec))
    )  # fmt: skip


def _of_size(work: Workspace) -> tuple[Diagnosed, ...]:
    """Return every default overlap of the chosen size, rising."""
    specs = work.settings.overlaps
    return memory.remembered(
        "diagnosed_sizes", (work.key, specs), 3,
        lambda: tuple(_of_setting(work, spec) for spec in specs),
    )  # fmt: skip


def _of_uploads(work: Workspace) -> dict[str, Diagnosed]:
    """Return what was uploaded, by what it is called; a run alone names no cause."""
    return {
        one.spec.chunker: memory.remembered(
            "diagnosed_uploads", (work.key, upload_number(work), one.spec), 4,
            partial(_made, work, one),
        )
        for one in given_evaluations(work).values()
        if not isnan(one.values["chunks"])
    }  # fmt: skip


def _name(spec: ChunkSpec) -> str:
    return str(spec.overlap)


def _all(work: Workspace) -> dict[str, Diagnosed]:
    """Return the bars by name: the overlaps of the chosen size, the chosen one too, uploads."""
    now = work.settings.spec
    found = {_name(one.spec): one for one in _of_size(work)}
    found.setdefault(_name(now), _of_setting(work, now))
    rising = sorted(found.items(), key=lambda item: item[1].spec.overlap)
    return dict(rising) | _of_uploads(work)


def summary(work: Workspace) -> None:
    """Say what the misses of the chosen setting ask for, and those of what there is today."""
    spec = work.settings.spec
    _, found, counts = _of_setting(work, spec)
    asked = len(found) - counts["unresolved"]
    st.html(_STYLE)
    with st.container(key="advice"):
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
    for name, one in _of_uploads(work).items():
        st.markdown(f"**{name.capitalize()}**: {advice(one.diagnoses, one.spec)}")


# --- bars -------------------------------------------------------------------------------


def chart(work: Workspace) -> Picked:
    """Draw the misses by cause at each overlap of the chosen size; return what is listed."""
    with st.container(key="cause_wait"), st.spinner("Diagnosing every overlap of this size …"):
        found = _all(work)
    bars, now = _bars(found), work.settings
    belongs = (work.key, upload_number(work), now.unit, now.encoding, now.size)
    picked = _picked(belongs, found)
    cause_bars(
        CauseBars(bars, now.unit, now.size, _name(now.spec), picked),
        key="causes", on_pick=partial(_pick, belongs),
    )  # fmt: skip
    some = any(missed(one.counts) for one in found.values())
    ends: Literal["distribute", "right"] = "distribute" if some else "right"
    with st.container(horizontal=True, horizontal_alignment=ends, vertical_alignment="center"):
        if some:
            st.caption(
                "Pick a part of a bar to list its questions below, and pick it again to list "
                "all of the chosen setting."
            )
        csv_button("causes", partial(_counted, found))
    return Picked(*picked) if picked else Picked(_name(now.spec), None)


def _bars(found: Mapping[str, Diagnosed]) -> tuple[Bar, ...]:
    ours = {name: one.spec for name, one in found.items() if name not in GIVEN.values()}
    labels = dict(zip(ours, overlap_labels([s.overlap_pct for s in ours.values()]), strict=True))
    bars = []
    for name, (spec, _, counts) in found.items():
        if name in labels:
            where, share = f"at {labels[name]} overlap", spec.overlap / spec.size
            bars.append(Bar(name, labels[name], where, setting(spec).capitalize(), counts, share))
        else:
            bars.append(Bar(name, name, f"in {name}", name.capitalize(), counts))
    return tuple(bars)


def _pick(belongs: Hashable, pick: tuple[str, str] | None) -> None:
    """Hold what was picked in the bars of a corpus, its questions, a size and an upload."""
    st.session_state[_PICK] = (belongs, pick)


def _picked(belongs: Hashable, found: Mapping[str, Diagnosed]) -> tuple[str, Cause] | None:
    """Return what is picked in these bars; what belongs to others is forgotten."""
    held, pick = st.session_state.get(_PICK, (None, None))
    if pick and held == belongs:
        name, picked = pick
        for cause in MISSES:
            if cause == picked and name in found and found[name].counts[cause]:
                return name, cause
    st.session_state.pop(_PICK, None)
    return None


def _counted(found: Mapping[str, Diagnosed]) -> list[dict[str, object]]:
    return [
        {"setting": setting(one.spec), "cause": cause, "questions": one.counts[cause]}
        for one in found.values()
        for cause in MISSES
    ]


# --- each miss --------------------------------------------------------------------------


def listing(work: Workspace, picked: Picked) -> None:
    """List the misses of a setting; a chosen row can be opened in its text."""
    one = _all(work)[picked.name]
    spec = one.spec
    wanted = MISSES if picked.cause is None else (picked.cause,)
    found = [each for each in one.diagnoses if each.cause in wanted]
    noun = "miss" if len(found) == 1 else "misses"
    which = "" if picked.cause is None else f": {CAUSES[picked.cause].label.lower()}"
    st.markdown(f"## {number(len(found))} {noun}{which}, {setting(spec)}")
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
        key=memory.key_of("w_misses", work.key, upload_number(work), spec, picked.cause),
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
    if st.button("Open in Boundaries", key="w_open"):
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
