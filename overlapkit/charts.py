"""Results to plotly figures, as plain dictionaries.

Figures depend on a sweep and never on the slider, so that moving it rebuilds none; the
chosen setting is laid over them in the browser. ``layout.meta`` names a figure for that.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from overlapkit.evaluate import METRICS
from overlapkit.gains import NextStep
from overlapkit.stats import wilson
from overlapkit.sweep import Row, rising_overlaps
from overlapkit.words import UNIT_NAMES, percent

Figure = dict[str, Any]

QUIET = "#8a97a8"  # legible on white and on near-black alike
ACCENT = "#3b82f6"
_MARGIN = {"l": 56, "r": 12, "t": 8, "b": 44}

# Columns that are not metrics but can be charted like them.
PLAIN_COLUMNS = {
    "containment": "Evidence whole in a chunk",
    "query_containment": "Questions whose evidence is whole",
    "precision_omega": "Precision-Ω",
    "index_x": "Index size against 0% (within a size)",
    "chunks": "Vectors",
    "index_chars": "Characters to embed",
}
_COUNTED = {
    "distinct_docs": "documents",
    "duplicate_slots": "results",
    "overlapping_slots": "results",
    "retrieved_chars": "characters",
    "retrieved_words": "words",
    "retrieved_tokens": "tokens",
}
_RATES = ("containment", "query_containment", "predicted_containment", "precision_omega")


def label_of(column: str) -> str:
    """Return a column's label for axes and menus."""
    name, _, cutoff = column.partition("@")
    if name not in METRICS:
        return PLAIN_COLUMNS.get(column, column)
    if cutoff.isdigit():
        return f"{METRICS[name].label}, top {cutoff}"
    unit = "tokens" if cutoff.endswith("t") else "characters"
    return f"{METRICS[name].label}, {int(cutoff[:-1]):,} {unit}"


def is_rate(column: str) -> bool:
    """Tell whether a column holds fractions that are shown as percentages."""
    name = column.partition("@")[0]
    return name in _RATES or (name in METRICS and METRICS[name].shown == "rate")


def frontier_figure(
    rows: Sequence[Row],
    front: Sequence[Row],
    column: str,
    cost: Callable[[Row], float],
    cost_label: str,
) -> Figure:
    """Return quality against cost, the efficient settings joined, with Wilson intervals."""
    others = [row for row in rows if row not in front]
    intervals = [
        wilson(round(row.values[column] * row.values["queries"]), int(row.values["queries"]))
        for row in front
    ]
    efficient = _points(front, column, cost) | {
        "name": "efficient",
        "mode": "lines+markers",
        "marker": {"color": ACCENT, "size": 9},
        "line": {"color": ACCENT, "width": 2},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [i.high - row.values[column] for i, row in zip(intervals, front, strict=True)],
            "arrayminus": [
                row.values[column] - i.low for i, row in zip(intervals, front, strict=True)
            ],
            "color": ACCENT,
            "thickness": 1,
            "width": 3,
        },
    }
    rest = _points(others, column, cost) | {
        "name": "other settings",
        "mode": "markers",
        "marker": {"color": QUIET, "size": 6, "opacity": 0.75},
    }
    costs = [cost(row) for row in rows]
    wide = bool(costs) and min(costs) > 0 and max(costs) > 5 * min(costs)
    return {
        "data": [rest, efficient],
        "layout": _layout("frontier", 360)
        | {
            "xaxis": {"title": {"text": cost_label}, "type": "log" if wide else "linear"},
            "yaxis": _rate_axis(label_of(column)),
            "legend": {"orientation": "h", "y": 1.12, "x": 0},
        },
    }


def heat_figure(rows: Sequence[Row], column: str, given: Sequence[Row] = ()) -> Figure:
    """Return a size by overlap heat map of one column, sizes and overlaps as categories.

    Rows that no chunker of ours cut, ``given``, have a column each, at the overlap nearest
    to theirs (see ``nearest_overlap``).
    """
    sizes = [f"{size:,}" for size, _ in rising_overlaps(rows)]
    overlaps = sorted({row.spec.overlap_pct for row in rows})
    cells = {(f"{row.spec.size:,}", row.spec.overlap_pct): row.values[column] for row in rows}
    for row in given if rows else ():
        sizes.append(row.spec.chunker)
        cells[row.spec.chunker, nearest_overlap(row, overlaps)] = row.values[column]
    values = [[cells.get((size, pct)) for size in sizes] for pct in overlaps]
    rate = is_rate(column)
    unit = UNIT_NAMES[rows[0].spec.unit] if rows else "characters"
    return {
        "data": [
            {
                "type": "heatmap",
                "x": sizes,
                "y": [f"{pct:g}%" for pct in overlaps],
                "z": values,
                "text": [
                    ["" if value is None else _short(value, rate) for value in line]
                    for line in values
                ],
                "texttemplate": "%{text}",
                "textfont": {"size": 12, "color": "#0b1a33"},
                "colorscale": [[0, "#f3f7fe"], [1, "#6ea3ee"]],
                "showscale": False,
                "xgap": 2,
                "ygap": 2,
                "hoverinfo": "skip",
            }
        ],
        "layout": _layout("heat", 360)
        | {
            "xaxis": {"title": {"text": f"Chunk size ({unit})"}, "type": "category"},
            "yaxis": {"title": {"text": "Overlap"}, "type": "category"},
        },
    }


def nearest_overlap(row: Row, overlaps: Sequence[float]) -> float:
    """Return which overlap (% of the size) a row's chunks share most nearly, 0 if unknown.

    It is the mean overlap of neighbours against the mean length of a chunk.
    """
    shared, chunks = row.values["effective_overlap"], row.values["chunks"]
    known = shared == shared and chunks  # noqa: PLR0124 (NaN)
    share = 100 * shared * chunks / row.values["index_chars"] if known else 0.0
    return min(overlaps, key=lambda pct: abs(pct - share))


def lines_figure(rows: Sequence[Row], column: str, name: str) -> Figure:
    """Return one column over overlap, a quiet line for each size."""
    shown = "%{y:.1%}" if is_rate(column) else "%{y:,.2f}"
    lines = [
        _quiet_line(
            size,
            [row.spec.overlap_pct for row in at_size],
            [row.values[column] for row in at_size],
            f"{shown} at %{{x}}% overlap",
        )
        for size, at_size in rising_overlaps(rows)
    ]
    counted = _COUNTED.get(column.partition("@")[0], "")
    axis = {"title": {"text": counted}, "rangemode": "tozero"}
    return _small(lines, name, _rate_axis("") if is_rate(column) else axis)


def margin_figure(steps: Mapping[int, Sequence[NextStep]], name: str) -> Figure:
    """Return what the next 1% of index buys at each overlap, a quiet line for each size."""
    lines = [
        _quiet_line(
            size,
            [step.after.spec.overlap_pct for step in found],
            [100 * step.per_percent(step.gain.difference) for step in found],
            "%{y:.2f} points per 1% of index up to %{x}%",
        )
        for size, found in steps.items()
    ]
    return _small(lines, name, {"title": {"text": "points per 1% of index"}})


def _quiet_line(size: int, xs: list[float], ys: list[float], tip: str) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"{size:,}",
        "x": xs,
        "y": ys,
        "line": {"color": QUIET, "width": 1.2},
        "opacity": 0.7,
        "hovertemplate": f"size {size:,}: {tip}<extra></extra>",
    }


def _small(lines: list[Figure], name: str, axis: Figure) -> Figure:
    return {
        "data": lines,
        "layout": _layout(name, 230)
        | {
            "showlegend": False,
            "margin": {"l": 52, "r": 8, "t": 6, "b": 40},
            "xaxis": {"title": {"text": "Overlap (% of size)"}, "ticksuffix": "%"},
            "yaxis": axis,
        },
    }


def _points(rows: Sequence[Row], column: str, cost: Callable[[Row], float]) -> Figure:
    return {
        "type": "scatter",
        "x": [cost(row) for row in rows],
        "y": [row.values[column] for row in rows],
        "customdata": [[row.spec.size, row.spec.overlap] for row in rows],
        "text": [
            f"{row.spec.size:,} / {row.spec.overlap:,} ({row.spec.overlap_pct:.0f}%)"
            for row in rows
        ],
        "hovertemplate": "%{text} overlap: %{y:.1%} for %{x:,}<extra></extra>",
    }


def _short(value: float, rate: bool) -> str:
    if value != value:  # noqa: PLR0124 (NaN)
        return "–"
    if rate:
        return percent(value, 0)
    if value >= 10_000:
        return f"{value / 1000:,.0f}k"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _rate_axis(title: str) -> Figure:
    return {"title": {"text": title}, "tickformat": ".0%"}


def _layout(name: str, height: int) -> Figure:
    return {
        "meta": {"overlapkit": name},
        "height": height,
        "margin": _MARGIN,
        "hovermode": "closest",
        "dragmode": False,
    }
