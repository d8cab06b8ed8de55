"""The chosen setting: the ruler that sets it, and what it finds and costs."""

import time
from dataclasses import replace

import numpy as np
import streamlit as st

from overlapkit.charts import label_of
from overlapkit.chunkers import ChunkSet
from overlapkit.decide import compare
from overlapkit.evaluate import METRICS
from overlapkit.evaluate.ceiling import whole_spans
from overlapkit.stats import Paired
from overlapkit.sweep import Row
from overlapkit.ui import memory, session, sweeps
from overlapkit.ui.grid_charts import PRICES
from overlapkit.ui.live import corpus_measure, encode_measure, measure_id
from overlapkit.ui.ruler import (
    USUAL_SETTING,
    Baseline,
    CutElsewhere,
    GridRow,
    Pinned,
    RulerState,
    SameSize,
    Tile,
    ruler,
    ruler_state,
)
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import LARGEST
from overlapkit.ui.today import base_cutting, upload_number
from overlapkit.words import number, percent, points, setting

_WHOLE = "query_containment"
_TAKEN = "setting_taken"  # set by a message of the ruler until it is answered
# Seconds that a browser has to paint the figures before the rest of the page keeps it busy.
_PAINTED = 0.1


def setting_panel(work: Workspace, *, tiles: bool = False) -> None:
    """Show the ruler, and with ``tiles`` what the setting finds beside what it costs."""
    now, engine = work.settings, work.engine
    measured = memory.remembered(
        "measures", (engine.corpus.digest, engine.queries.digest, now.unit, now.encoding), 3,
        lambda: encode_measure(engine, now.unit, now.encoding),
    )  # fmt: skip
    with st.container(key="setting_tiles" if tiles else "setting"):
        ruler(key="ruler")
    corpus_measure(measured, key="carry_measure")
    st.session_state.pop(_TAKEN, None)
    _figures(tiles)
    if not work.row(work.settings.spec).values["chunks"]:
        st.info("No document holds text, so there is nothing to cut: upload one that does.")
    elif tiles:
        st.caption(_about(work))


@st.fragment
def _figures(tiles: bool) -> None:
    """Answer who let go of a handle first, with the figures alone, and then run all the page."""
    work = session.workspace()
    if work is None:
        return
    ruler_state(_state(work, tiles), key="carry_ruler", on_setting=_take)
    if st.session_state.pop(_TAKEN, False):
        time.sleep(_PAINTED)
        st.rerun()


def _take(unit: str, size: int, overlap: int) -> None:
    st.session_state[_TAKEN] = True
    if USUAL_SETTING in (size, overlap):
        session.change(lambda now: now.with_unit(unit))
    else:
        session.change(lambda now: replace(now, size=size, overlap=overlap))


def _state(work: Workspace, tiles: bool) -> RulerState:
    now, engine = work.settings, work.engine
    values = work.row(now.spec).values
    tiles = tiles and work.has_queries and values["chunks"] > 0
    tokens = int(values["index_tokens"])
    return RulerState(
        measure=measure_id(engine, now.unit, now.encoding),
        unit=now.unit,
        size=now.size,
        overlap=now.overlap,
        largest=LARGEST[now.unit],
        tokens_per_character=tokens / max(values["index_chars"], 1),
        per_million_tokens=PRICES.per_million_tokens,
        baseline=_baseline(work),
        evidence=work.has_queries and engine.queries.kind == "minimal",
        tokens=tokens,
        tiles=_tiles(work) if tiles else (),
        grid=_grid(work) if tiles else (),
    )


def _baseline(work: Workspace) -> Baseline:
    cutting = base_cutting(work)
    if isinstance(cutting.source, ChunkSet):
        held = whole_spans(cutting.source, work.engine.evidence)
        return CutElsewhere(cutting.name, held)
    if work.settings.pinned is None:
        return SameSize()
    return Pinned(cutting.name, *work.settings.pinned)


# --- tiles ------------------------------------------------------------------------------


def _speaking(work: Workspace) -> tuple[str, str]:
    """Return the two rates that speak for the query set."""
    label = work.settings.cutoff.label
    if work.engine.queries.kind == "extent":
        return f"lenient_hit@{label}", f"strict_hit@{label}"
    return f"complete@{label}", _WHOLE


def _slots(work: Workspace) -> str:
    return f"overlapping_slots@{work.settings.cutoff.label}"


def _tiles(work: Workspace) -> tuple[Tile, ...]:
    now = work.settings
    row, base = sweeps.shown_row(work, now.spec), sweeps.shown_base(work)
    moved = sweeps.phase_rows(work) is not None
    key = (work.key, work.also, row.spec, base.spec, now.phases * moved, upload_number(work))
    return memory.remembered("tiles", key, 24, lambda: _make_tiles(work, row, base))


def _make_tiles(work: Workspace, row: Row, base: Row) -> tuple[Tile, ...]:
    name = _slots(work)
    change = row.values[name] - base.values[name]
    return (
        *(_rate(work, row, base, column) for column in _speaking(work)),
        Tile(
            "index_x", "Index size", f"{row.values['index_x']:.2f}x", "of 0% at this size",
            help="Characters in all chunks, against no overlap at the same size.",
        ),
        Tile(
            name, "Overlapping slots", f"{row.values[name]:.2f}",
            "" if np.isnan(change) else f"{change:+.2f}",
            "none" if np.isnan(change) or round(change, 2) == 0
            else ("bad" if change > 0 else "good"),
            f"{METRICS['overlapping_slots'].meaning.capitalize()}.",
        ),
    )  # fmt: skip


def _rate(work: Workspace, row: Row, base: Row, column: str) -> Tile:
    found = compare(row, base, column, work.clustering)
    meaning = METRICS[column.partition("@")[0]].meaning if "@" in column else (
        "some chunk holds all the evidence that the question needs, before any retrieval"
    )  # fmt: skip
    shown = percent(row.values[column])
    if not found.n:  # a run says nothing of chunks that it did not bring
        return Tile(column, label_of(column), shown, help=f"{meaning.capitalize()}.")
    told = not found.low <= 0 <= found.high
    return Tile(
        column, label_of(column), shown,
        f"{points(found.difference)} points [{points(found.low)}, {points(found.high)}]",
        ("good" if found.low > 0 else "bad") if told else "none",
        f"{meaning.capitalize()}. In brackets: 95% interval of the difference; {found.won} "
        f"questions won, {found.lost} lost{_mcnemar(found)}.",
    )  # fmt: skip


def _mcnemar(found: Paired) -> str:
    if found.mcnemar_p is None:
        return ""
    return f" (exact McNemar p {found.mcnemar_p:.2g}, if questions were independent)"


def _grid(work: Workspace) -> tuple[GridRow, ...]:
    """Return what tiles show while a handle moves; nothing before the grid is there."""
    sweep = sweeps.grid_sweep(work)
    if sweep is None:
        return ()
    rates, slots = _speaking(work), _slots(work)

    def make() -> tuple[GridRow, ...]:
        return tuple(
            GridRow(
                row.spec.size,
                row.spec.overlap,
                {name: percent(row.values[name]) for name in rates}
                | {"index_x": f"{row.values['index_x']:.2f}x", slots: f"{row.values[slots]:.2f}"},
            )
            for row in sweep.rows
        )

    key = (work.key, work.settings.unit, work.settings.encoding)
    return memory.remembered("grid_rows", key, 4, make)


def _about(work: Workspace) -> str:
    base = sweeps.shown_base(work)
    pinned = work.settings.pinned or work.settings.pinned_given
    return (
        f"Differences are against {setting(base.spec)}"
        f"{'' if pinned else ' (pin yours to compare)'}.{_over(work)}{_widened(work)}"
    )


def _over(work: Workspace) -> str:
    if not work.settings.phases:
        return ""
    moved = sweeps.phase_rows(work) or ()
    if work.settings.spec not in moved:
        return " These figures are those of today's cuts."
    return f" These figures are means over {work.settings.phases} phases."


def _widened(work: Workspace) -> str:
    chunks = work.engine.chunk(work.settings.spec)
    if not chunks.widened:
        return ""
    return (
        f" {number(chunks.widened)} tokens begin or end inside a character and were widened to "
        f"whole ones; {number(chunks.merged)} windows fell together that way."
    )
