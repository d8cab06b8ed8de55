"""Your splitter: the chunks and the run there are today, judged like every setting."""

import streamlit as st

from overlapkit.ui import given_panels
from overlapkit.ui.shell import page

work = page("Your splitter")
st.markdown("# What you have today, judged like the rest")
given_panels.upload(work)
given_panels.report(work)
if work.has_queries:
    given_panels.comparison(work)
