"""Corpus: bring documents and questions, and see what was read."""

import streamlit as st

from overlapkit.ui import corpus_panels, groups_panel, sources, workspace_panel
from overlapkit.ui.golden_panel import golden_panel
from overlapkit.ui.shell import frame
from overlapkit.ui.units_panel import units_panel

workspace_panel.settle()
work = frame("Corpus")
st.markdown("# Your documents, or a bundled corpus")
st.caption(
    "Files stay on the machine that runs this page, in your session only. A bundled corpus is "
    "chosen in the sidebar."
)
if work is not None and sources.asked_as():
    groups_panel.member_page(work)
    st.stop()
workspace_panel.waiting_notice()
corpus_panels.upload()
workspace_panel.workspace_panel(work)
if work is not None:
    golden_panel(work.engine.corpus)
    corpus_panels.overview(work.engine.corpus)
    groups_panel.groups_panel()
    units_panel(work)
