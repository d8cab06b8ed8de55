"""Queries: every question under two settings side by side, and any question typed by hand."""

import streamlit as st

from overlapkit.ui import query_panels
from overlapkit.ui.setting_panel import setting_panel
from overlapkit.ui.shell import page

work = page("Queries")
st.markdown("# Which questions are won, and which are lost")
query_panels.ad_hoc(work)
if work.has_queries:
    setting_panel(work)
    base, chosen = query_panels.evaluations(work)
    query = query_panels.question_table(work, base, chosen)
    if query is not None:
        query_panels.question_panel(work, query, base, chosen)
    query_panels.left_out(work)
    st.markdown("## Take it with you")
    query_panels.exports(work, chosen)
    query_panels.check(work)
