"""What a page shows while figures are on their way."""

import streamlit as st

from overlapkit.ui import session, sweeps
from overlapkit.ui.jobs import Progress


@st.fragment(run_every=0.3)
def await_rows() -> None:
    """Say that the figures are on their way, and draw the page again when they are there."""
    work = session.workspace()
    if work is None:
        return
    if sweeps.size_rows(work, patience=0.0) is not None:
        st.rerun()
    _bar("Working out every overlap of this size", sweeps.size_progress(work))


@st.fragment(run_every=0.5)
def grid_progress() -> None:
    """Show how far the grid is, let it be cancelled, and draw the page again when done."""
    work = session.workspace()
    if work is None:
        return
    job = sweeps.grid_job(work)
    if job is None:
        st.info("The grid was cancelled; the chosen setting is still exact.")
        if st.button("Compute the grid", key="w_resume"):
            sweeps.accept()
            st.rerun()
        return
    progress = job.progress()
    if not job.running:
        st.rerun()
    _bar("Evaluating the grid", progress)
    if st.button("Cancel", key="w_cancel"):
        sweeps.decline(work)
        st.rerun()


def _bar(what: str, progress: Progress) -> None:
    left = f", about {progress.remaining:.0f} s left" if progress.remaining is not None else ""
    done = f"{what}: {progress.done} of {progress.total} settings{left}"
    st.progress(progress.done / max(progress.total, 1), done)
