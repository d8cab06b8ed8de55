"""What every chart has beside its picture: its data as CSV, and the places of the grid."""

from collections.abc import Callable, Iterable
from math import isnan

import streamlit as st

from overlapkit.chunkers import CHUNKERS
from overlapkit.report import csv_of
from overlapkit.sweep import Row
from overlapkit.ui.chart_marks import GridPlace, Place


def csv_button(name: str, rows: Callable[[], list[dict[str, object]]]) -> None:
    """Offer a chart's data; ``rows`` is called when it is asked for, outside any session."""
    with st.container(horizontal=True, horizontal_alignment="right"):
        _csv_button(name, rows)


def caption_with_csv(caption: str, name: str, rows: Callable[[], list[dict[str, object]]]) -> None:
    """Say what a chart's marks mean, and offer its data beside that."""
    with st.container(horizontal=True, wrap=False):
        st.caption(caption)
        _csv_button(name, rows)


def _csv_button(name: str, rows: Callable[[], list[dict[str, object]]]) -> None:
    st.download_button(
        "CSV", lambda: csv_of(rows()), f"overlapkit-{name.replace('@', '-')}.csv", "text/csv",
        key=f"w_csv_{name}", on_click="ignore", type="tertiary", icon=":material/download:",
        help="The values of every setting in this chart.",
    )  # fmt: skip


def about(row: Row) -> dict[str, object]:
    """Return a row's setting as columns; what was cut elsewhere has a name alone."""
    spec = row.spec
    if spec.chunker not in CHUNKERS:
        return {"chunker": spec.chunker, "unit": None, "size": None, "overlap": None}
    return {
        "chunker": spec.chunker, "unit": spec.unit, "size": spec.size, "overlap": spec.overlap,
    }  # fmt: skip


def grid_places(
    rows: Iterable[Row], x: Callable[[Row], Place], y: Callable[[Row], Place]
) -> tuple[GridPlace, ...]:
    """Return where every setting stands in a chart; one without a place is left out."""
    places = ((row.spec.size, row.spec.overlap, x(row), y(row)) for row in rows)
    return tuple(place for place in places if not any(_unknown(value) for value in place[2:]))


def _unknown(value: Place) -> bool:
    return isinstance(value, float) and isnan(value)
