"""Trade-offs: each metric over overlap, what fills the slots, the ceiling, the grid."""

import streamlit as st

from overlapkit.ui import small_charts, sweeps, tradeoff_panels
from overlapkit.ui.gain_panel import gain_panel
from overlapkit.ui.noise_panels import noise_line
from overlapkit.ui.setting_panel import setting_panel
from overlapkit.ui.shell import page
from overlapkit.ui.waiting import await_rows, grid_progress

work = page("Trade-offs")
st.markdown("# What overlap buys, and what it costs")
if not work.has_queries:
    st.stop()
sweep = sweeps.grid_sweep(work)
if sweep is None:
    grid_progress()
    st.stop()
if sweeps.size_rows(work) is None:
    await_rows()
    st.stop()
st.markdown(tradeoff_panels.lead_sentence(work))
setting_panel(work)
st.caption(tradeoff_panels.legend(work))
overlays = small_charts.draw_panels(work, sweep, small_charts.metric_panels(work))
noise_line(work)
st.markdown("## What the next 1% of index buys")
overlays |= small_charts.margin_chart(work, sweep)
st.markdown("## Question by question")
tradeoff_panels.change_panel(work)
st.markdown("## What the gain is made of")
gain_panel(work, sweep)
st.markdown("## What fills the slots")
overlays |= small_charts.draw_panels(work, sweep, small_charts.slot_panels(work))
st.markdown("## The ceiling: what chunking alone allows")
overlays |= small_charts.ceiling_chart(work, sweep)
st.markdown("## The grid")
tradeoff_panels.grid_table(work, sweep)
tradeoff_panels.draw_over(overlays)
