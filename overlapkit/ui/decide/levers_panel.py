"""One lever at a time after retrieval: what overlap buys under each, and what each moves."""

from collections.abc import Mapping

import streamlit as st

from overlapkit.charts import is_rate
from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.levers import (
    LEVERS,
    NONE,
    Ablation,
    Effect,
    ablate,
    ablation_sentence,
    lever_sentence,
)
from overlapkit.report import spreadsheet_csv
from overlapkit.sketch.levers import levers_svg
from overlapkit.stats import Paired
from overlapkit.ui.memory import key_of, remembered
from overlapkit.ui.picture import picture
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.words import number, percent, points, sentence_case, setting

_QUESTIONS = 500  # offered to look into


def levers_panel(work: Workspace, spec: ChunkSpec) -> None:
    """Show what overlap buys as retrieved and under each lever."""
    if spec.chunker not in CHUNKERS or not spec.overlap:
        spec = work.settings.spec
    if not spec.overlap:
        st.info("The setting has no overlap, so there is nothing that overlap could buy.")
        return
    found = ablation_of(work, spec)
    st.markdown(f"**{plain(ablation_sentence(found))}**")
    st.caption(
        f"{plain(sentence_case(setting(spec)))}, against the same size without. "
        "Questions and cut-off stay as they are; one lever is pulled at a time."
    )
    left, right = st.columns([5, 6], gap="large")
    with left:
        picture(levers_svg(found), key="levers_picture")
    with right:
        lines = [_line(found, effect) for effect in found.effects.values()]
        st.dataframe(lines, hide_index=True)
        st.download_button(
            "Download (CSV)", lambda: spreadsheet_csv(lines), "levers.csv", "text/csv",
            on_click="ignore", key="w_levers_csv",
        )  # fmt: skip
    with st.expander("Each lever in words"):
        for name, lever in LEVERS.items():
            st.markdown(
                f"- **{plain(lever.label)}:** {plain(lever.meaning)}. "
                f"{plain(lever_sentence(found, name))}"
            )
    _candidates(work, found)


def ablation_of(work: Workspace, spec: ChunkSpec) -> Ablation:
    """Return the ablation of a setting against the same size without overlap."""
    without = ChunkSpec(spec.chunker, spec.unit, spec.size, 0, spec.encoding)

    def make() -> Ablation:
        pair = work.evaluation(without), work.evaluation(spec)
        return ablate(work.engine, *pair, work.clustering)

    return remembered("ablations", (work.key, spec), 2, make)


def _line(found: Ablation, effect: Effect) -> Mapping[str, str]:
    metric = found.metric
    context = f"retrieved_chars@{found.run.cutoff.label}"
    return {
        "Lever": effect.lever.label,
        "Without overlap": _value(metric, effect.off.values[metric]),
        "With overlap": _value(metric, effect.on.values[metric]),
        "Overlap buys": _gain(metric, effect.buys),
        "Characters read": number(round(effect.on.values[context])),
    }


def _value(metric: str, value: float) -> str:
    return percent(value) if is_rate(metric) else number(value)


def _gain(metric: str, found: Paired) -> str:
    said = points if is_rate(metric) else number
    return f"{said(found.difference)} ({said(found.low)} to {said(found.high)})"


def _candidates(work: Workspace, found: Ablation) -> None:
    """Show a question's candidates before and after a lever, with their scores."""
    box = st.expander("Look into one question", key="w_lever_look", on_change="rerun")
    if not box.open:
        return
    queries = work.engine.queries.queries[:_QUESTIONS]
    with box:
        name = st.selectbox(
            "Lever", [one for one in LEVERS if one != NONE], key="w_lever",
            format_func=lambda one: LEVERS[one].label,
        )  # fmt: skip
        at = st.selectbox(
            "Question", range(len(queries)), key=key_of("w_lever_question", work.key),
            format_func=lambda number: queries[number].text[:120],
        )  # fmt: skip
        rows = found.effects[name].on.run.candidates(at)
        st.dataframe(
            [
                {
                    "Rank before": one.rank_before + 1,
                    "Score before": round(one.score_before, 3),
                    "Rank after": None if one.rank_after is None else one.rank_after + 1,
                    "Score after": None if one.score_after is None else round(one.score_after, 3),
                    "Chunk": f"{one.document.name} {one.start}-{one.end}",
                    "Text": one.document.text[one.start : one.end][:160],
                }
                for one in rows
            ],
            hide_index=True,
        )
