"""Tune: the verdict, the sliders, the cuts and the trade-off of one corpus."""

import streamlit as st

from overlapkit.ui import sweeps
from overlapkit.ui.boundary_panel import boundary_panel, pick_document
from overlapkit.ui.grid_charts import charts
from overlapkit.ui.opening import TITLE
from overlapkit.ui.setting_panel import setting_panel
from overlapkit.ui.shell import page
from overlapkit.ui.verdict_panel import verdict_panel
from overlapkit.ui.waiting import grid_progress

work = page("Tune")
st.markdown(f"# {TITLE}")
answer = st.container(key="answer")  # filled second: figures go first
answer.empty()  # an empty container would keep no room
setting_panel(work, tiles=True)
with answer:
    verdict_panel(work)
left, right = st.columns([11, 9], gap="large")
with left:
    doc = pick_document(work)
    boundary_panel(work, doc, key="tune", height=430)
with right, st.container(key="charts"):
    if work.has_queries:
        sweep = sweeps.grid_sweep(work)
        if sweep is None:
            grid_progress()
        else:
            charts(work, sweep)
