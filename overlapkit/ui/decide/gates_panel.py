"""The gates of a decision: what they say, adding and removing one, locking them."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from overlapkit.cost import COSTS
from overlapkit.errors import OverlapkitError
from overlapkit.gates import MEASURES, Gate, Outside, gate_words, honesty, why_not
from overlapkit.gates.model import Sense
from overlapkit.sweep import Row
from overlapkit.ui import session
from overlapkit.ui.decide.candidates import outside_of
from overlapkit.ui.decide.declared import (
    SCOPES,
    Declared,
    declare,
    locked,
    since,
    with_gate,
    without_gate,
)
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.sidebar import shown
from overlapkit.words import counted, sentence_case

_HELD = {False: "as measured", True: "at the worse end of its 95% interval"}
_AGAINST = {False: "a fixed value", True: "the baseline"}


def gates_panel(work: Workspace, now: Declared, rows: Sequence[Row]) -> None:
    """List the gates, and let them be changed and locked."""
    st.markdown("## Gates")
    if now.lock is None and not now.own:
        st.caption(
            "Suggested to begin with; make them yours before you trust the answer. The limit on "
            "retrieved characters is a tenth more than the baseline hands on, so that sizes "
            "compare at about equal text."
        )
    for at, gate in enumerate(now.gates):
        line = st.container(horizontal=True, vertical_alignment="center", key=f"gate_{at}")
        line.markdown(f"{plain(gate_words(gate))}.")
        line.button(
            "Remove", key=f"w_gate_remove_{at}", type="tertiary",
            on_click=declare, args=(work, lambda held, text=gate.text: without_gate(held, text)),
        )  # fmt: skip
    _new_gate(work, now, rows)
    _rules(work, now)
    _outside(work, now, rows)
    _lock(work, now)


def _new_gate(work: Workspace, now: Declared, rows: Sequence[Row]) -> None:
    expander = st.expander("Add or change a gate", key="w_gate_new", on_change="rerun")
    if not expander.open:
        return
    found = outside_of(work, now, rows)
    names = [*MEASURES, *(found.names if isinstance(found, Outside) else ())]
    with expander:
        name = st.selectbox(
            "Measure", names, key="w_gate_measure",
            format_func=lambda one: MEASURES[one].label if one in MEASURES else plain(one),
        )  # fmt: skip
        known = MEASURES.get(name)
        rate = known is not None and known.shown == "rate"
        if known is not None:
            st.caption(f"{sentence_case(known.meaning)}.")
        sense: Sense = "at least"
        if known is None:
            sense = st.radio("It must be", ("at least", "at most"), key="w_gate_sense",
                             horizontal=True)  # fmt: skip
        elif known.better == "lower":
            sense = "at most"
        relative = st.radio(
            "Held to", list(_AGAINST), key="w_gate_relative", horizontal=True,
            format_func=_AGAINST.__getitem__,
            help="The baseline is your current setting, or no overlap at the chosen size.",
        )  # fmt: skip
        what = "No worse by more than" if relative else sense.capitalize()
        unit = ("points" if relative else "%") if rate else _unit(name)
        limit = st.number_input(
            f"{what} ({unit})" if unit else what, 0.0, 100.0 if rate else None,
            key=f"w_gate_limit_{rate}_{relative}", value=_usual(rate, relative),
        )  # fmt: skip
        bound = st.radio(
            "It must hold", list(_HELD), key="w_gate_bound", format_func=_HELD.__getitem__
        )
        critical = st.checkbox(
            "Critical: never loosened after the lock", key="w_gate_critical",
            help="For security and failures that nothing makes up for.",
        )  # fmt: skip
        if st.button("Add this gate", key="w_gate_add"):
            _add(work, name, sense, limit / 100 if rate else limit, relative, bound, critical)


def _add(
    work: Workspace, name: str, sense: Sense, limit: float, relative: bool, bound: bool,
    critical: bool,
) -> None:  # fmt: skip
    declare(work, lambda held: with_gate(held, Gate(name, sense, limit, relative, bound, critical)))
    st.rerun()


def _unit(name: str) -> str:
    return "US$" if name in MEASURES and MEASURES[name].shown == "money" else ""


def _usual(rate: bool, relative: bool) -> float:
    if relative:
        return 2.0 if rate else 0.0
    return 90.0 if rate else 1.0


def _rules(work: Workspace, now: Declared) -> None:
    """Let the cost that decides and the settings in question be chosen."""
    scopes = [name for name in SCOPES if name != "compared" or work.settings.compared]
    st.selectbox(
        "Settings in question", scopes, key=shown("w_scope", now.scope),
        format_func=SCOPES.__getitem__,
        on_change=lambda: declare(
            work, lambda held: replace(held, scope=st.session_state["w_scope"])
        ),
    )  # fmt: skip
    st.selectbox(
        "The cheapest is told by", list(COSTS), key=shown("w_decide_cost", now.cost),
        format_func=lambda name: f"{COSTS[name].label} ({COSTS[name].unit})",
        disabled=now.lock is not None,
        on_change=lambda: declare(
            work, lambda held: replace(held, cost=st.session_state["w_decide_cost"])
        ),
    )  # fmt: skip


# --- results from outside ---------------------------------------------------------------


def _outside(work: Workspace, now: Declared, rows: Sequence[Row]) -> None:
    """Take a table of results measured elsewhere, such as answers that were judged."""
    expander = st.expander("Results from outside", key="w_outside_more", on_change="rerun")
    if not expander.open:
        return
    with expander:
        st.caption(
            "A CSV with a row per setting (columns size and overlap, or setting such as 800/160) "
            "and a column per result: answer correctness, citation support, critical failures, "
            "latency. Each can be gated like the rest."
        )
        file = st.file_uploader("A table of results", type=["csv", "tsv", "txt"], key="w_outside")
        if file is not None and (now.outside is None or now.outside[1] != file.getvalue()):
            declare(work, lambda held: replace(held, outside=(file.name, file.getvalue())))
            st.rerun()
        if now.outside is None:
            return
        found = outside_of(work, now, rows)
        if isinstance(found, OverlapkitError):
            st.warning(plain(f"{now.outside[0]}: {found}."))
        elif found is not None:
            names = ", ".join(found.names)
            st.markdown(plain(f"{counted(len(found.values), 'setting')}: {names}"))
            for row, reason in found.left_out[:20]:
                st.caption(plain(f"Row {row}: {reason}."))
            if found.unknown:
                st.caption(f"{counted(len(found.unknown), 'setting')} in it are not in question.")


# --- the lock ---------------------------------------------------------------------------


def _lock(work: Workspace, now: Declared) -> None:
    if now.lock is None:
        _before_lock(work, now)
        return
    day, time = now.lock.at.removesuffix("Z").split("T")
    st.markdown(f"**Locked** on {day} at {time} UTC.")
    st.caption(honesty(now.lock))
    if work.part == "explore":
        st.caption("The other half can confirm the choice: see Hand over below.")
    changed = since(work, now)
    if changed:
        st.caption(plain(changed))
    for change in now.lock.changes:
        if change.before and change.after:
            said = f"{change.before} became {change.after}"
        else:
            said = f"removed {change.before}" if change.before else f"added {change.after}"
        st.caption(plain(f"Changed {change.at}: {said}"))
    st.button(
        "Start a new decision", key="w_lock_new", type="tertiary",
        help="Gates stay, and any of them may then be loosened, critical ones too; the next lock "
        "will say all that has been on show by then.",
        on_click=declare, args=(work, lambda held: replace(held, lock=None)),
    )  # fmt: skip


def _before_lock(work: Workspace, now: Declared) -> None:
    reason = why_not(work.whole)
    st.toggle(
        "Hold half of the questions back, to confirm on", disabled=bool(reason),
        key=shown("w_held_back", work.settings.held_back and not reason),
        help="No page shows results over that half. Once gates are locked, the choice is held "
        "to them there.",
        on_change=lambda: session.change(
            lambda s: replace(s, held_back=st.session_state["w_held_back"])
        ),
    )  # fmt: skip
    if reason:
        st.caption(f"No half can be held back. {reason}")
    st.button(
        "Lock these gates", key="w_lock",
        help="The record will say when, and what results had been on show by then.",
        on_click=declare, args=(work, lambda held: locked(work, held)),
    )  # fmt: skip
