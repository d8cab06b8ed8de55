"""Both noises of a difference: other questions, and other places for the same cuts."""

import streamlit as st

from overlapkit.decide import compare
from overlapkit.phases import column_noise, phase_interval
from overlapkit.ui import sweeps
from overlapkit.ui.chart_marks import Line
from overlapkit.ui.session import Workspace
from overlapkit.wording import noise_sentence


def phase_band(
    work: Workspace, xs: tuple[float, ...], ys: tuple[float, ...], column: str
) -> tuple[Line, ...]:
    """Return the range over phases at each overlap, where phases are on."""
    moved = sweeps.phase_rows(work)
    if moved is None:
        return ()
    noise = [column_noise(moved[spec], column) for spec in work.settings.overlaps]
    low = tuple(one.minimum for one in noise)
    return (Line(xs, ys, "phases", low, tuple(one.maximum for one in noise)),)


def noise_line(work: Workspace) -> None:
    """Say whether the chosen setting's gain is inside either noise, where phases are on."""
    moved = sweeps.phase_rows(work)
    now, base = work.settings.spec, work.settings.baseline
    if moved is None or now == base:
        return
    if now not in moved:
        st.caption("The chosen overlap is not among those that were moved: choose one of the grid.")
        return
    column = work.column
    ours, theirs = sweeps.shown_row(work, now), sweeps.shown_row(work, base)
    found = compare(ours, theirs, column, work.clustering)
    moving = phase_interval(moved[now], moved[base], column)
    st.caption(noise_sentence(found, moving, now, base))
