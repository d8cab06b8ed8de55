"""What to hand over: the confirmation, the decision record, code for the setting."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.diagnose import diagnose
from overlapkit.gates import Decision, Outside, this_second
from overlapkit.levers import ablation_sentence
from overlapkit.recipes import RECIPES, Code, recipe
from overlapkit.record import (
    Confirmation,
    Edits,
    Record,
    Updates,
    confirm,
    confirmation_sentence,
    focus_of,
    make_record,
    record_html,
    unconfirmed,
    write_record,
)
from overlapkit.samples import SAMPLES
from overlapkit.ui import session, today
from overlapkit.ui.decide.candidates import Field, edits_of, field_of, outside_of, rests_on
from overlapkit.ui.decide.declared import Declared, since
from overlapkit.ui.decide.levers_panel import ablation_of
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.workspace_panel import saved_of
from overlapkit.updates import EDIT_SEED, TRIED, compare_work
from overlapkit.words import sentence_case, setting


def hand_over_panel(work: Workspace, decision: Decision, found: Field, now: Declared) -> None:
    """Confirm the choice, and give the record and the code."""
    left, right = st.columns(2, gap="large")
    with left:
        _record(work, decision, found, now)
    with right:
        spec = work.settings.spec if decision.choice is None else decision.choice.spec
        _code(spec)


# --- the record -------------------------------------------------------------------------


def _record(work: Workspace, decision: Decision, found: Field, now: Declared) -> None:
    st.markdown("## Decision record")
    if now.lock is None:
        st.info(
            "Lock the gates first. The record says when they were declared, and what results had "
            "been on show by then."
        )
        return
    confirmed = _confirmation(work, decision, now)
    st.markdown(plain(confirmation_sentence(confirmed)))
    if confirmed.tested and now.lock.seen_before:
        st.caption(
            "Results over these questions had been on show before the lock, so this confirms "
            "little."
        )
    st.caption(
        "For people: one file with the charts, the gates, the price, conditions for going back "
        "and the plan of a canary. For machines: the workspace file with the decision in it; "
        "the command gate holds a changed corpus to it."
    )
    line = st.container(horizontal=True)
    made = _making(work, decision, found, now, confirmed)
    line.download_button(
        "Record for people (HTML)", lambda: record_html(made()), "decision-record.html",
        "text/html", on_click="ignore", key="w_record_html",
    )  # fmt: skip
    line.download_button(
        "Record for machines (JSON)", lambda: write_record(made()), "decision-record.json",
        "application/json", on_click="ignore", key="w_record_json",
    )  # fmt: skip
    where = f"--sample {work.source}" if work.source in SAMPLES else "PATH"
    st.code(f"python -m overlapkit gate decision-record.json {where}", language="sh")


def _confirmation(work: Workspace, decision: Decision, now: Declared) -> Confirmation:
    """Return what the half that was held back says of the choice, once it is asked for."""
    if work.part == "all":
        return unconfirmed()
    if decision.choice is None:
        return unconfirmed("There is no choice to confirm")
    spec = decision.choice.spec
    if spec.chunker not in CHUNKERS:
        return unconfirmed("Chunks that were cut elsewhere are not asked again")
    key = (*rests_on(work, now), spec)
    if st.session_state.get("confirmed") != key:
        if not st.button("Confirm on the half that was held back", key="w_confirm"):
            return unconfirmed("Half of the questions is held back and was not asked yet")
        st.session_state["confirmed"] = key
    return remembered("confirmations", key, 4, lambda: _confirm(work, spec, now))


def _confirm(work: Workspace, spec: ChunkSpec, now: Declared) -> Confirmation:
    other = session.confirming(work)
    # Today's cuts against today's cuts, also where the choice was made over phases.
    field = field_of(other, [other.row(spec)], replace(now, scope="grid"))
    return confirm(
        field.candidates[0], now.gates, field.baseline, work.settings.cutoff.label,
        other.clustering, len(other.engine.queries),
    )  # fmt: skip


def _making(
    work: Workspace, decision: Decision, found: Field, now: Declared, confirmed: Confirmation
) -> Callable[[], Record]:
    """Return the function that makes the record when it is asked for, from what is here now."""
    saved = saved_of(work, today.given_of(work.engine.corpus), texts=False)
    rows = [one.row for one in found.candidates]
    outside = outside_of(work, now, rows)
    edits = edits_of(work)
    focus = focus_of(decision)
    ours = focus.chunker in CHUNKERS  # what was cut elsewhere has no diagnosis of its own here
    asked = ours and work.engine.queries.kind != "extent"
    evaluation = work.evaluation(focus) if asked else None
    # Made here, since what a download makes has no session to remember it in.
    levers = _levers(work, focus)
    changed = _since(work, now)
    phases = work.settings.phases if now.scope == "size" else 0

    def make() -> Record:
        if now.lock is None:
            raise RuntimeError("a record is only offered once the gates are locked")
        specs = [one for one in (focus, found.baseline.spec) if one.chunker in CHUNKERS]
        works = compare_work(work.engine.corpus, dict.fromkeys(specs), edits)
        return make_record(
            at=this_second(),
            saved=saved(),
            lock=now.lock,
            decision=decision,
            engine=work.engine,
            run=work.settings.run,
            baseline=found.baseline,
            prices=now.prices,
            clustering=work.clustering,
            diagnoses=None if evaluation is None else diagnose(work.engine, evaluation),
            update=Updates(Edits(EDIT_SEED, TRIED), works),
            ablation=levers,
            confirmation=confirmed,
            outside=outside if isinstance(outside, Outside) else None,
            phases=phases,
            since=changed,
        )

    return make


def _since(work: Workspace, now: Declared) -> str:
    """Return what is set otherwise than at the lock, and how often the other half was asked."""
    said = since(work, now)
    asked = [one.settings for one in session.shown(work) if one.part == "confirm"]
    if max(asked, default=0) > 2:  # the choice and what it is held against
        said += f" The half that confirms was asked about {max(asked)} settings in all."
    return said.strip()


def _levers(work: Workspace, spec: ChunkSpec) -> tuple[str, ...]:
    """Return what overlap buys under each lever, in sentences; none without overlap."""
    if not spec.overlap or spec.chunker not in CHUNKERS:
        return ()
    return (ablation_sentence(ablation_of(work, spec)),)


# --- code -------------------------------------------------------------------------------


def _code(spec: ChunkSpec) -> None:
    """Show code that delivers exactly these windows, or why a library cannot."""
    st.markdown("## Code for this setting")
    st.caption(plain(f"{sentence_case(setting(spec))}."))
    library = st.selectbox(
        "Library", list(RECIPES), key="w_recipe",
        format_func=lambda name: RECIPES[name].library,
    )  # fmt: skip
    found = recipe(library, spec)
    if isinstance(found, Code):
        st.code(found.text, language="python")
        if found.note:
            st.caption(plain(found.note))
    else:
        st.info(plain(found.reason))
