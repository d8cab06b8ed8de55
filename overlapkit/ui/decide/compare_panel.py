"""Settings side by side: up to six, with what each gains on the baseline."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import streamlit as st

from overlapkit.charts import is_rate, label_of
from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, money
from overlapkit.decide import compare
from overlapkit.gates import Decision
from overlapkit.report import spreadsheet_csv
from overlapkit.sweep import Row
from overlapkit.ui import session
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import MOST_PINS, Settings
from overlapkit.ui.shell import plain
from overlapkit.ui.today import base_row
from overlapkit.words import number, percent, points, setting

_METRICS = ("complete", "lenient_hit", "recall", "overlapping_slots", "retrieved_chars")


def compare_panel(work: Workspace, decision: Decision, now: Declared) -> None:
    """Put settings side by side, and add or take one out."""
    here = work.settings
    _adding(work, decision)
    if not here.compared:
        st.info(
            f"Nothing is side by side yet. Add up to {MOST_PINS} settings; they stay in the link "
            "and in the workspace file."
        )
        return
    base = base_row(work)  # today's cuts, as the rows are
    rows = [work.row(spec) for spec in here.side_by_side]
    st.caption(
        f"Differences are paired, question by question, against {plain(setting(base.spec))}, "
        "in points or numbers, with their 95% intervals."
    )
    lines = _lines(work, rows, base, now)
    st.markdown(_table(lines))
    line = st.container(horizontal=True)
    for row in rows:
        size, overlap = row.spec.size, row.spec.overlap
        line.button(
            f"Take out {number(size)} / {number(overlap)}", key=f"w_uncompare_{size}_{overlap}",
            type="tertiary", on_click=session.change,
            args=(lambda s, one=(size, overlap): _without(s, one),),
        )  # fmt: skip
    st.download_button(
        "Download (CSV)", lambda: spreadsheet_csv(_transposed(lines)), "settings-compared.csv",
        "text/csv", on_click="ignore", key="w_compare_csv",
    )  # fmt: skip


def _adding(work: Workspace, decision: Decision) -> None:
    here = work.settings
    offered = {"the chosen setting": here.spec, "the baseline": here.baseline}
    if decision.choice is not None:
        offered["the decision"] = decision.choice.spec
    line = st.container(horizontal=True)
    seen: set[ChunkSpec] = set(here.side_by_side)
    for name, spec in offered.items():
        if spec in seen or spec.chunker != "window":
            continue
        seen.add(spec)
        line.button(
            f"Add {name}: {number(spec.size)} / {number(spec.overlap)}",
            key=f"w_compare_{spec.size}_{spec.overlap}", disabled=len(here.compared) >= MOST_PINS,
            on_click=session.change,
            args=(lambda s, one=spec: s.with_compared(one.size, one.overlap),),
        )  # fmt: skip


def _without(now: Settings, one: tuple[int, int]) -> Settings:
    return replace(now, compared=tuple(pair for pair in now.compared if pair != one))


def _lines(work: Workspace, rows: Sequence[Row], base: Row, now: Declared) -> list[dict[str, str]]:
    """Return a line per figure, with a cell per setting."""
    label = work.settings.cutoff.label
    heads = [f"{number(row.spec.size)} / {number(row.spec.overlap)}" for row in rows]
    columns = [f"{name}@{label}" for name in _METRICS]
    columns = [name for name in columns if not all(isnan(row.values[name]) for row in rows)]
    cells = {label_of(one): [_cell(row, base, one, work) for row in rows] for one in columns}
    for name in ("chunks", "storage", "price", "year"):
        cost = COSTS[name]
        unit = "" if cost.unit == cost.label.lower() else f" ({cost.unit})"
        cells[cost.label + unit] = [
            _priced(cost.compute(row.values, now.prices), cost.unit) for row in rows
        ]
    return [
        {"Figure": figure, **dict(zip(heads, line, strict=True))} for figure, line in cells.items()
    ]


def _cell(row: Row, base: Row, column: str, work: Workspace) -> str:
    value = row.values[column]
    rate = is_rate(column)
    said = percent(value) if rate else number(value)
    if row.spec == base.spec or column not in base.per_query:
        return said
    found = compare(row, base, column, work.clustering)
    if rate:
        return f"{said} ({points(found.difference)}; {points(found.low)} to {points(found.high)})"
    ends = f"{_signed(found.low)} to {_signed(found.high)}"
    return f"{said} ({_signed(found.difference)}; {ends})"


def _signed(value: float) -> str:
    return f"{round(value, 1) or 0.0:+,.1f}".replace("-", "\N{MINUS SIGN}")


def _priced(value: float, unit: str) -> str:
    return money(value) if unit == "US$" else number(value)


def _table(lines: Sequence[dict[str, str]]) -> str:
    heads = list(lines[0])
    rows = [heads, ["---"] * len(heads), *([line[head] for head in heads] for line in lines)]
    escaped = [[cell if set(cell) == {"-"} else plain(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in escaped)


def _transposed(lines: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return a row per setting, with a column per figure."""
    heads = [head for head in lines[0] if head != "Figure"]
    return [{"Setting": head, **{line["Figure"]: line[head] for line in lines}} for head in heads]
