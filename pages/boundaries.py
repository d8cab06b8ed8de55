"""Boundaries: a document's text with every chunk, cut and evidence span, and the ledger."""

import streamlit as st

from overlapkit.ui.boundary_panel import (
    boundary_panel,
    ledger_panel,
    ledger_sentence,
    pick_document,
)
from overlapkit.ui.golden_editor import editor, take
from overlapkit.ui.setting_panel import setting_panel
from overlapkit.ui.shell import page

work = page("Boundaries")
st.markdown("# What the cuts break, and what overlap repairs")
if work.has_queries:
    st.markdown(ledger_sentence(work))
setting_panel(work)
view = st.container()
if work.has_queries:
    ledger_panel(work)
with view:
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        doc = pick_document(work)
    beside = right.toggle(
        "Side by side", key="w_beside", help="Show the chunks of the baseline beside the chosen."
    )
    boundary_panel(work, doc, key="boundaries", height=560, picks=take, beside=beside)
    editor(work, doc)
