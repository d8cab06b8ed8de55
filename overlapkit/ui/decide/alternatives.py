"""What would have to change where no setting clears the gates: size, structure, ranking."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.errors import OverlapkitError
from overlapkit.gates import Decision, reason
from overlapkit.retrieve import RANKINGS
from overlapkit.sweep import Row, cached_row, default_specs
from overlapkit.ui.decide.candidates import decide_now, field_of, rests_on
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace, disk_cache, show
from overlapkit.ui.shell import plain
from overlapkit.words import counted, setting

_OVERLAPS = (0, 20)  # percent, of what is only tried


class Tried(NamedTuple):
    """One thing changed: what it is called, and what the gates then decide."""

    name: str
    decision: Decision | None


def alternatives(work: Workspace, now: Declared) -> None:
    """Try other sizes, chunks that follow structure and other rankings, when asked to."""
    key = (work.settings, *rests_on(work, now))
    asked = st.session_state.get("alternatives") == key
    if not asked:
        if st.button("Try other sizes, structure and ranking", key="w_alternatives"):
            st.session_state["alternatives"] = key
            st.rerun()
        return
    with st.spinner("Trying other sizes, structure and ranking …"):
        found = remembered("alternatives", key, 2, lambda: tuple(_tried(work, now)))
    st.markdown("**What would have to change**")
    for one in found:
        st.markdown(f"- {plain(_said(one))}")


def _said(one: Tried) -> str:
    found = one.decision
    if found is None:
        return f"{one.name}: cannot be judged by these gates."
    if found.cheapest is not None:
        passing = counted(len(found.passing), "setting")
        return (
            f"{one.name}: {passing} would clear all gates; the cheapest is "
            f"{setting(found.cheapest.spec)}."
        )
    nearest = min(found.judged, key=lambda judged: sum(not r.passed for r in judged.rulings))
    failed = "; ".join(reason(ruling) for ruling in nearest.rulings if not ruling.passed)
    return (
        f"{one.name}: none of {counted(len(found.judged), 'setting')} clears all gates; "
        f"{setting(nearest.spec)} comes nearest and fails only this: {failed}."
    )


def _tried(work: Workspace, now: Declared) -> Iterator[Tried]:
    """Yield what the gates decide with one thing changed at a time."""
    here = work.settings
    specs = [
        spec for spec in default_specs(here.unit, here.encoding) if spec.overlap_pct in _OVERLAPS
    ]
    yield Tried("Other sizes", _judged(work, now, _rows(work, specs)))
    for chunker in CHUNKERS:
        if chunker != "window":
            moved = [replace(spec, chunker=chunker) for spec in specs]
            yield Tried("Chunks that follow structure", _judged(work, now, _rows(work, moved)))
    for ranking, one in RANKINGS.items():
        if ranking not in (here.ranking, "count"):
            other = replace(work, settings=replace(here, ranking=ranking))
            rows = _rows(other, here.overlaps)
            yield Tried(f"{one.label} in place of {RANKINGS[here.ranking].label}",
                        _judged(other, now, rows))  # fmt: skip


def _rows(work: Workspace, specs: Sequence[ChunkSpec]) -> list[Row]:
    run, cache = work.settings.run, disk_cache()
    show(work, specs)
    return [cached_row(work.engine, spec, run, cache=cache) for spec in specs]


def _judged(work: Workspace, now: Declared, rows: Sequence[Row]) -> Decision | None:
    try:
        return decide_now(work, field_of(work, rows, replace(now, scope="grid")), now)
    except OverlapkitError:
        return None
