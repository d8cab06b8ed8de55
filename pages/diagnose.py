"""Diagnose: why each question misses, over all overlaps, and what would help."""

import streamlit as st

from overlapkit.ui import diagnose_panels
from overlapkit.ui.setting_panel import setting_panel
from overlapkit.ui.shell import page

work = page("Diagnose")
st.markdown("# Why questions miss")
if not work.has_queries:
    diagnose_panels.unasked()
    st.stop()
if work.engine.queries.kind == "extent":
    diagnose_panels.withheld()
    st.stop()
diagnose_panels.summary(work)
setting_panel(work)
picked = diagnose_panels.chart(work)
diagnose_panels.listing(work, picked)
diagnose_panels.meanings()
