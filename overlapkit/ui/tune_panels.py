"""The parts of Tune: verdict, figures, sliders, charts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from overlapkit.charts import (
    PLAIN_COLUMNS,
    frontier_figure,
    heat_figure,
    is_rate,
    label_of,
    nearest_overlap,
)
from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import (
    cheapest_that_keeps_up,
    compare,
    frontier,
    share_in_one_chunk,
    verdict,
)
from overlapkit.evaluate import METRICS
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT
from overlapkit.lengths import saturated
from overlapkit.queries import PROBES_SHOW
from overlapkit.retrieve import TopK
from overlapkit.stats import Paired
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import session, sweeps, today
from overlapkit.ui.chart_marks import Cell, Mark, Overlay, chart_marks
from overlapkit.ui.noise_panels import noise_line
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.ui.settings import LARGEST
from overlapkit.ui.sidebar import shown
from overlapkit.ui.today import pinned_given
from overlapkit.wording import (
    UNIT_NAMES,
    across_sentence,
    describe,
    guarantee_sentence,
    number,
    percent,
    points,
    setting,
    verdict_sentence,
    weak_words,
)

PRICES = Prices()


# --- verdict ----------------------------------------------------------------------------


def verdict_panel(work: Workspace) -> None:
    """Say the verdict at the chosen size, then across sizes."""
    place = st.container(key="verdict")
    if not work.has_queries:
        place.markdown("There are no questions to score with, so only the cuts can be shown.")
        return
    rows = sweeps.size_rows(work)
    if rows is None:
        with place:
            await_rows()
        return
    now = work.settings
    key = (work.key, now.unit, now.encoding, now.size, now.phases)
    found = session.remembered(
        "verdicts", key, 24, lambda: verdict(rows, work.column, work.clustering)
    )
    fits = share_in_one_chunk(work.engine.units(work.settings.unit), work.settings.size)
    sentence = verdict_sentence(found, work.settings.run, fits)
    head, mark, rest = sentence.partition(". ")
    over = f" Taken over {work.settings.phases} phases." if work.settings.phases else ""
    place.markdown(f"**{head}{mark.strip()}** {rest}{over}")
    noise_line(work)
    _hardly_ranked(work, rows)
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.caption(_basis(work))
    if work.settings.queries == "probes":
        st.caption(PROBES_SHOW)
    _weak_words(work)
    choice = found.choice
    if choice is not None and choice.spec.overlap != work.settings.overlap:
        right.button(
            f"Use {choice.spec.overlap:,}", key="w_use", width="stretch",
            on_click=lambda: session.change(
                lambda s: replace(s, overlap=choice.spec.overlap)
            ),
            help=f"Set the overlap of the verdict: {setting(choice.spec)}.",
        )  # fmt: skip


@st.fragment(run_every=0.3)
def await_rows() -> None:
    """Say that the figures are on their way, and draw the page again when they are there."""
    work = session.workspace()
    if work is not None and sweeps.size_rows(work, patience=0.0) is not None:
        st.rerun()
    st.markdown("Working out every overlap of this size …")


_CLUSTERED = {
    "document": "questions about one document taken together",
    "section": "questions about one section taken together",
    "query": "each question taken by itself",
}


def _hardly_ranked(work: Workspace, rows: Sequence[Row]) -> None:
    """Warn where so much is retrieved that ranking is hardly put to the test."""
    cutoff = work.settings.cutoff
    fewest = int(min(row.values["chunks"] for row in rows))
    taken = cutoff.k if isinstance(cutoff, TopK) else max(cutoff.size // work.settings.size, 1)
    if 4 * taken > fewest:
        st.warning(
            f"The corpus makes only {number(fewest)} chunks at this size and about "
            f"{number(taken)} are retrieved, so ranking is hardly tested: expect lower figures on "
            "your whole corpus."
        )


def _basis(work: Workspace) -> str:
    engine = work.engine
    parts = [
        f"95% intervals, {_CLUSTERED[work.clustering.by]}; "
        f"terms: {engine.terms.name} ({engine.terms.reason})"
    ]
    if engine.queries.unresolved:
        parts.append(f"{len(engine.queries.unresolved)} questions left out (see Queries)")
    return ". ".join(parts) + "."


def _weak_words(work: Workspace) -> None:
    """Say where the ranking's weights are not its own, and offer one that has none of this."""
    if work.settings.ranking != "okapi":
        return
    count = int(work.row(work.settings.spec).values["common_term_queries"])
    if not count:
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.caption(weak_words(count, len(work.engine.queries)))
    right.button(
        "Try Lucene's", key="w_lucene", width="stretch",
        on_click=lambda: session.change(lambda s: replace(s, ranking="lucene")),
        help="Rank with the BM25 that Lucene, Elasticsearch and OpenSearch serve.",
    )  # fmt: skip


def across_panel(work: Workspace, sweep: Sweep, cost_name: str) -> None:
    """Say which setting is cheapest across sizes, at an equal context budget."""
    cost, column, now = COSTS[cost_name], work.equal_column, work.settings
    held, best = session.remembered(
        "across", (work.key, now.unit, now.encoding, cost_name), 8,
        lambda: cheapest_that_keeps_up(
            sweep.rows, column, work.clustering, lambda row: cost.compute(row.values, PRICES)
        ),
    )  # fmt: skip
    st.markdown(across_sentence(held, best, column, sweep.run, EQUAL_CONTEXT, cost))


# --- figures ----------------------------------------------------------------------------


def figures(work: Workspace) -> None:
    """Show what the chosen setting finds and costs, against the baseline."""
    row, base = sweeps.shown_row(work, work.settings.spec), sweeps.shown_base(work)
    if not row.values["chunks"]:
        st.info("No document holds text, so there is nothing to cut: upload one that does.")
        return
    line = st.container(horizontal=True, gap="large")  # wraps where there is little room
    if work.has_queries:
        for name in _speaking(work):
            _rate(work, line, row, base, name)
    index = row.values["index_x"]
    line.metric(
        "Text to embed", f"{number(row.values['index_chars'])} chars",
        f"{index:.2f}x of 0% at this size", delta_color="off", delta_arrow="off", width="content",
        help="Characters in all chunks. The factor compares with no overlap at the same size.",
    )  # fmt: skip
    if work.has_queries:
        name = f"overlapping_slots@{work.settings.cutoff.label}"
        change = row.values[name] - base.values[name]
        line.metric(
            "Overlapping slots", f"{row.values[name]:.2f}", f"{change:+.2f}",
            delta_color="inverse" if change else "off", delta_arrow="auto" if change else "off",
            width="content",
            help=METRICS["overlapping_slots"].meaning.capitalize() + ".",
        )  # fmt: skip
    st.caption(
        f"{setting(row.spec).capitalize()}: {describe(row.spec, row.values)}. Differences are "
        f"against {setting(base.spec)}{'' if _is_pinned(work) else ' (pin yours to compare)'}."
        f"{_over(work)}{_widened(work)}"
    )


def _over(work: Workspace) -> str:
    if not work.settings.phases:
        return ""
    moved = sweeps.phase_rows(work) or ()
    if work.settings.spec not in moved:
        return " These figures are those of today's cuts."
    return f" These figures are means over {work.settings.phases} phases."


def _is_pinned(work: Workspace) -> bool:
    return bool(work.settings.pinned or pinned_given(work))


def _widened(work: Workspace) -> str:
    chunks = work.engine.chunk(work.settings.spec)
    if not chunks.widened:
        return ""
    return (
        f" {number(chunks.widened)} tokens begin or end inside a character and were widened to "
        f"whole ones; {number(chunks.merged)} windows fell together that way."
    )


def _speaking(work: Workspace) -> tuple[str, str]:
    label = work.settings.cutoff.label
    if work.engine.queries.kind == "extent":
        return f"lenient_hit@{label}", f"strict_hit@{label}"
    return f"complete@{label}", "query_containment"


def _rate(work: Workspace, place: DeltaGenerator, row: Row, base: Row, name: str) -> None:
    found = compare(row, base, name, work.clustering)
    if not found.n:  # a run says nothing of chunks that it did not bring
        place.metric(label_of(name), percent(row.values[name]), width="content")
        return
    meaning = METRICS[name.partition("@")[0]].meaning if "@" in name else (
        "some chunk holds all the evidence that the question needs, before any retrieval"
    )  # fmt: skip
    place.metric(
        label_of(name), percent(row.values[name]),
        f"{points(found.difference)} points [{points(found.low)}, {points(found.high)}]",
        delta_color="off" if found.low <= 0 <= found.high else "normal",
        delta_arrow="off" if found.low <= 0 <= found.high else "auto",
        width="content",
        help=f"{meaning.capitalize()}. In brackets: 95% interval of the difference; "
        f"{found.won} questions won, {found.lost} lost{_mcnemar(found)}.",
    )  # fmt: skip


def _mcnemar(found: Paired) -> str:
    if found.mcnemar_p is None:
        return ""
    return f" (exact McNemar p {found.mcnemar_p:.2g}, if questions were independent)"


# --- sliders ----------------------------------------------------------------------------


def sliders(work: Workspace) -> None:
    """Drag size and overlap; a released slider moves everything on the page."""
    now = work.settings
    unit = UNIT_NAMES[now.unit]
    left, right = st.columns(2)
    fine = now.size < 20
    left.slider(
        f"Chunk size ({unit})", 1 if fine else 10, LARGEST[now.unit], step=1 if fine else 10,
        key=shown("w_size_slider", now.size),
        on_change=lambda: session.change(
            lambda s: s.with_size(int(st.session_state["w_size_slider"]))
        ),
    )  # fmt: skip
    if now.size == 1:
        right.markdown("Overlap  \n0: a chunk of one cannot overlap")
    elif st.session_state.get("w_percent", False):
        right.slider(
            "Overlap (% of size)", 0, 99, key=shown("w_pct_slider", 100 * now.overlap // now.size),
            format="%d%%",
            on_change=lambda: session.change(
                lambda s: replace(s, overlap=s.size * int(st.session_state["w_pct_slider"]) // 100)
            ),
        )  # fmt: skip
    else:
        right.slider(
            f"Overlap ({unit})", 0, now.size - 1, key=shown("w_overlap_slider", now.overlap),
            on_change=lambda: session.change(
                lambda s: replace(s, overlap=int(st.session_state["w_overlap_slider"]))
            ),
        )  # fmt: skip
    right.toggle("Overlap in percent", key="w_percent")
    left.caption(guarantee_sentence(now.spec))


# --- charts -----------------------------------------------------------------------------


def charts(work: Workspace, sweep: Sweep) -> None:
    """Show quality against cost, and the grid as a heat map that selects."""
    cost_name = st.selectbox(
        "Cost", list(COSTS), format_func=lambda name: f"{COSTS[name].label} ({COSTS[name].unit})",
        key="w_cost",
    )  # fmt: skip
    cost = COSTS[cost_name]
    across_panel(work, sweep, cost_name)
    column = work.equal_column

    def priced(row: Row) -> float:
        return cost.compute(row.values, PRICES)

    flat = saturated([row.values[column] for row in sweep.rows])
    if flat:
        st.warning(f"At an equal context {flat}.")
    front = frontier(sweep.rows, column, priced)
    st.plotly_chart(
        frontier_figure(sweep.rows, front, column, priced, f"{cost.label} ({cost.unit})"),
        key="frontier", config={"displaylogo": False},
    )  # fmt: skip
    st.caption(
        f"Quality is at an equal context of {EQUAL_CONTEXT.size:,} characters, since at a fixed k "
        "the biggest chunks win by being more text. Bars: 95% Wilson interval. Ring: chosen; "
        "diamond: current setting"
        f"{'; square: what you uploaded' if today.given_rows(work) else ''}."
    )
    picked = _heat(work, sweep)
    marks = {"frontier": _frontier_marks(work, priced, column), "heat": picked}
    chart_marks(marks, key="tune_marks", on_pick=_select)


def _select(value: Sequence[int]) -> None:
    size, overlap = value
    session.change(lambda s: replace(s, size=size, overlap=overlap))


def _frontier_marks(work: Workspace, priced: Callable[[Row], float], column: str) -> Overlay:
    marks = []
    for kind, spec in (("chosen", work.settings.spec), ("pinned", _pinned(work))):
        row = work.row(spec) if spec is not None else None
        if spec is not None and row is not None and column in row.values:
            place = float(priced(row))
            marks.append(Mark(place, row.values[column], kind, f"{kind}: {setting(spec)}"))
    for name, row in today.given_rows(work).items():
        place = float(priced(row))
        if column in row.values and not (isnan(place) or isnan(row.values[column])):
            kind = "pinned" if name == work.settings.pinned_given else "given"
            marks.append(Mark(place, row.values[column], kind, setting(row.spec)))
    return Overlay(marks=tuple(marks))


def _pinned(work: Workspace) -> ChunkSpec | None:
    return work.settings.baseline if work.settings.pinned else None


def _heat(work: Workspace, sweep: Sweep) -> Overlay:
    withheld = WITHHELD_FOR_EXTENT if work.engine.queries.kind == "extent" else ()
    label = work.settings.cutoff.label
    names = [f"{name}@{label}" for name in METRICS if name not in withheld]
    names += [name for name in PLAIN_COLUMNS if name not in withheld]
    names = [name for name in names if sweep.knows(name)]
    main = work.column
    names.sort(key=lambda name: name != main)
    column = st.selectbox("Heat map of", names, format_func=label_of, key="w_heat")
    given = today.given_rows(work)
    figure = heat_figure(sweep.rows, column, tuple(given.values()))
    st.plotly_chart(figure, key="heat", config={"displaylogo": False})
    st.caption(
        "Click a cell, or tab to the map and use the arrow keys and Enter, to choose it."
        f"{_heat_note(work, bool(given))}"
    )
    cells = tuple(
        Cell(
            f"{row.spec.size:,}", f"{row.spec.overlap_pct:g}%",
            f"{setting(row.spec)}: {_value(row.values[column], column)}",
            (row.spec.size, row.spec.overlap),
        )
        for row in sweep.rows
    )  # fmt: skip
    marks = []
    for kind, spec in (("pinned", _pinned(work)), ("chosen", work.settings.spec)):
        row = sweep.row(spec) if spec is not None else None
        if row is not None:
            place = (f"{row.spec.size:,}", f"{row.spec.overlap_pct:g}%")
            marks.append(Mark(*place, kind, f"{kind}: {setting(row.spec)}"))
    overlaps = sorted({row.spec.overlap_pct for row in sweep.rows})
    for name, row in given.items():
        kind = "pinned" if name == work.settings.pinned_given else "given"
        label = f"{row.spec.chunker}: {_value(row.values[column], column)}"
        spot = f"{nearest_overlap(row, overlaps):g}%"
        marks.append(Mark(row.spec.chunker, spot, kind, label))
    return Overlay(marks=tuple(marks), cells=cells)


def _heat_note(work: Workspace, given: bool) -> str:
    notes = []
    if given:
        notes.append("What you uploaded stands at the overlap nearest to its own.")
    if work.settings.phases:
        notes.append("The map is that of today's cuts.")
    return "".join(f" {note}" for note in notes)


def _value(value: float, column: str) -> str:
    return percent(value) if is_rate(column) else number(value)


# --- waiting ----------------------------------------------------------------------------


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
    left = f", about {progress.remaining:.0f} s left" if progress.remaining is not None else ""
    st.progress(
        progress.done / progress.total,
        f"Evaluating the grid: {progress.done} of {progress.total} settings{left}",
    )
    if st.button("Cancel", key="w_cancel"):
        sweeps.decline(work)
        st.rerun()
