"""Marks laid over plotly charts in the browser: the chosen setting, the pinned one, lines.

A chart that changes is torn down and built again, which a slider move must never cause.
So charts depend on the sweep alone and this component, which has no height of its own,
draws what moves over them. It finds a chart by ``layout.meta.overlapkit`` and places its
marks by the chart's own axes. A cell grid makes a heat map's cells reachable by pointer
and keyboard.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from overlapkit.ui.component import component
from overlapkit.ui.live import NEAREST_JS

_FOLDER = Path(__file__).parent


Place = float | str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in a chart's data coordinates; ``kind`` is chosen, pinned or given."""

    x: Place
    y: Place
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line over a chart, with an interval at each point where ``low`` and ``high`` are given.

    ``kind`` is chosen, baseline, predicted, given or phases; the last is the area between the ends.
    """

    xs: tuple[Place, ...]
    ys: tuple[float, ...]
    kind: str
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A selectable place; ``value`` comes back when it is picked."""

    x: Place
    y: Place
    label: str
    value: tuple[int, int]


# Where a setting of the grid stands in a chart: its size and overlap, then the place.
GridPlace = tuple[int, int, Place, Place]
_PLACE = ("size", "overlap", "x", "y")


@dataclass(frozen=True, slots=True)
class Overlay:
    """What lies over one chart.

    While a handle is dragged, the chosen mark goes to the nearest place of ``grid``: of the
    nearest size, the nearest share of overlap. ``unit`` is what its settings count. Along x,
    ``exact_x`` may name a figure that the browser knows exactly by itself: characters,
    chunks, or overlap in percent.
    """

    marks: tuple[Mark, ...] = ()
    lines: tuple[Line, ...] = ()
    cells: tuple[Cell, ...] = ()
    grid: tuple[GridPlace, ...] = ()
    unit: str = "char"
    exact_x: Literal["", "characters", "chunks", "overlap"] = ""


def encode(overlays: Mapping[str, Overlay]) -> bytes:
    """Return the component's data: JSON in UTF-8, by the charts' names."""
    data = {name: _plain(overlay) for name, overlay in overlays.items()}
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode()


def _plain(overlay: Overlay) -> dict[str, object]:
    """Return an overlay as JSON knows it; ``asdict`` would copy what is long and plain already."""
    return {
        "marks": [{name: getattr(one, name) for name in Mark.__slots__} for one in overlay.marks],
        "lines": [{name: getattr(one, name) for name in Line.__slots__} for one in overlay.lines],
        "cells": [{name: getattr(one, name) for name in Cell.__slots__} for one in overlay.cells],
        "grid": [dict(zip(_PLACE, place, strict=True)) for place in overlay.grid],
        "unit": overlay.unit,
        "exact_x": overlay.exact_x,
    }


def chart_marks(
    overlays: Mapping[str, Overlay], *, key: str, on_pick: Callable[[Sequence[int]], None]
) -> None:
    """Draw over the charts of this page; ``on_pick`` gets the value of a picked cell."""
    import streamlit as st  # noqa: PLC0415 (the encoder must work without it)

    def picked() -> None:
        pick = st.session_state[key].get("pick")
        if pick:
            on_pick([int(part) for part in pick])

    component(
        "chart_marks", _FOLDER, ("live.js", "marks.js"), css="marks.css", before=NEAREST_JS()
    )(key=key, data=encode(overlays), on_pick_change=picked)
