"""The page Decide, put together: the answer first, then the gates and what backs them."""

from collections.abc import Callable

import streamlit as st

from overlapkit.chunkers import CHUNKERS
from overlapkit.errors import OverlapkitError
from overlapkit.gates import Decision
from overlapkit.ui.decide.alternatives import alternatives
from overlapkit.ui.decide.candidates import Field, decision_of, field_of, rows_in_question
from overlapkit.ui.decide.compare_panel import compare_panel
from overlapkit.ui.decide.declared import Declared, declared
from overlapkit.ui.decide.gates_panel import gates_panel
from overlapkit.ui.decide.hand_over import hand_over_panel
from overlapkit.ui.decide.levers_panel import levers_panel
from overlapkit.ui.decide.price_panel import price_panel
from overlapkit.ui.decide.updates_panel import updates_panel
from overlapkit.ui.decide.verdict import answer, settings_table
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.waiting import await_rows, grid_progress

TITLE = "Which setting should be indexed?"


def decide_page(work: Workspace) -> None:
    """Draw the page."""
    st.markdown(f"# {TITLE}")
    if not work.has_queries:
        st.info(
            "Without a question nothing can be decided. Upload a golden set on Corpus, write "
            "questions on Boundaries, or choose other questions in the sidebar."
        )
        return
    now = declared(work)
    rows = rows_in_question(work, now.scope)
    if rows is None:
        (grid_progress if now.scope == "grid" else await_rows)()
        return
    found = field_of(work, rows, now)
    top = st.container(key="decided")
    left, right = st.columns([7, 5], gap="large")
    with right:
        gates_panel(work, now, rows)
    try:
        decision = decision_of(work, found, now)
    except OverlapkitError as error:
        top.warning(plain(f"{error}."))
        return
    with top:
        answer(work, decision, now)
        if decision.outcome == "none":
            alternatives(work, now)
    with left:
        settings_table(work, decision, now)
    _backing(work, decision, found, now)


def _backing(work: Workspace, decision: Decision, found: Field, now: Declared) -> None:
    """Show what backs the decision, one part at a time: what is not looked at is not made."""
    spec = work.settings.spec
    if decision.choice is not None and decision.choice.spec.chunker in CHUNKERS:
        spec = decision.choice.spec  # what was cut elsewhere can only be kept as it is
    parts: dict[str, Callable[[], None]] = {
        "Price": lambda: price_panel(work, spec, now),
        "Update work": lambda: updates_panel(work, spec, now),
        "After retrieval": lambda: levers_panel(work, spec),
        "Side by side": lambda: compare_panel(work, decision, now),
        "Hand over": lambda: hand_over_panel(work, decision, found, now),
    }
    tabs = st.tabs(list(parts), key="w_decide_part", on_change="rerun")
    for tab, draw in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                draw()
