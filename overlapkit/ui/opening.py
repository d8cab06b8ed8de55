"""What the opening page says, known before anybody has opened it."""

import streamlit as st

from overlapkit.decide import fitting, verdict
from overlapkit.ui.session import opening
from overlapkit.ui.sweeps import opening_rows
from overlapkit.wording import verdict_sentence

TITLE = "How much overlap does this corpus need?"


def opening_words() -> tuple[str, str]:
    """Return the title and the verdict of the opening page; it asks for no session."""
    if opening_rows() is None:
        return TITLE, "Working out every overlap of this size …"
    return TITLE, _verdict()


@st.cache_resource(show_spinner=False)
def _verdict() -> str:
    work, rows = opening(), opening_rows()
    if rows is None:  # asked for only when they are there
        raise RuntimeError("the opening size must have been evaluated")
    found = verdict(rows, work.column, work.clustering)
    return verdict_sentence(found, work.settings.run, fitting(work.engine, work.settings.spec))
