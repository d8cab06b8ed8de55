"""Boundaries: a document's text with every chunk, cut and evidence span, and the ledger."""

import streamlit as st

from overlapkit.ui.boundary_panel import boundary_panel, ledger_panel, pick_document
from overlapkit.ui.golden_editor import editor, take
from overlapkit.ui.shell import page
from overlapkit.ui.tune_panels import sliders

work = page("Boundaries")
st.markdown("# What the cuts break, and what overlap repairs")
sliders(work)
view = st.container()
if work.has_queries:
    ledger_panel(work)
with view:
    doc = pick_document(work)
    boundary_panel(work, doc, key="boundaries", height=560, picks=take)
    editor(work, doc)
