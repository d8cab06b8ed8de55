"""What the opening page says, known before anybody has opened it."""

import streamlit as st

from overlapkit.decide import fitting, verdict
from overlapkit.sketch.verdict import verdict_svg
from overlapkit.ui.head import FirstWords
from overlapkit.ui.session import opening
from overlapkit.ui.sweeps import opening_rows
from overlapkit.wording import verdict_sentence

TITLE = "How much overlap does this corpus need?"


def opening_words() -> FirstWords:
    """Return the title, the verdict and its picture; it asks for no session."""
    if opening_rows() is None:
        return FirstWords(TITLE, "Working out every overlap of this size …")
    return _answer()


@st.cache_resource(show_spinner=False)
def _answer() -> FirstWords:
    work, rows = opening(), opening_rows()
    if rows is None:  # asked for only when they are there
        raise RuntimeError("the opening size must have been evaluated")
    found = verdict(rows, work.column, work.clustering)
    fits = fitting(work.engine, work.settings.spec)
    sentence = verdict_sentence(found, work.settings.run, fits)
    return FirstWords(TITLE, sentence, verdict_svg(found, work.column))
