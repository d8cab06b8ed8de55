"""What part of a gain is only more chunks: beside it, three comparisons that take them away."""

from collections.abc import Mapping

import streamlit as st

from overlapkit.arrays import Floats
from overlapkit.charts import label_of
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import compare
from overlapkit.evaluate import Evaluation
from overlapkit.evaluate.evaluation import mean
from overlapkit.gains import chance, collapsed_evaluation, equal_cost
from overlapkit.retrieve import TopK
from overlapkit.sweep import Row, Sweep
from overlapkit.ui import memory
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.ui.today import base_evaluation, upload_number
from overlapkit.words import cutoff, percent, points, quality, setting

_COST = "index_chars"


def gain_panel(work: Workspace, sweep: Sweep) -> None:
    """Set the gain of the chosen setting beside what would be there without its chunks."""
    now, base = work.evaluation(work.settings.spec), base_evaluation(work)
    if now.spec == base.spec:
        st.caption("The chosen setting is the baseline: choose another to see what it gains.")
        return
    pairs = {
        "As ranked": (now.per_query, base.per_query),
        "Results that share text count as one": (_collapsed(work, now), _collapsed(work, base)),
        "Random chunks instead of ranked ones": (_random(work, now), _random(work, base)),
    }
    lines = []
    for name, columns in pairs.items():
        ours, theirs = (
            Row(one.spec, one.values, found)
            for one, found in zip((now, base), columns, strict=True)
        )
        if work.column in ours.per_query and work.column in theirs.per_query:
            lines.append(_line(work, name, ours, theirs))
    st.dataframe(lines, hide_index=True)
    st.caption(
        "If the gain shrinks where results that share text count as one, part of it was the same "
        f"passage found several times. {_about_random(work, base)}"
    )
    _same_money(work, sweep)


def _about_random(work: Workspace, base: Evaluation) -> str:
    if not isinstance(work.settings.cutoff, TopK):
        return "Under a budget the number of chunks is not fixed, so random chunks are left out."
    if not base.ranked_here:
        return "Nothing is random about a run, so random chunks are left out."
    return "What random chunks gain is bought by having more of them."


def _line(work: Workspace, name: str, ours: Row, theirs: Row) -> dict[str, str]:
    found = compare(ours, theirs, work.column, work.clustering)
    return {
        label_of(work.column): name,
        setting(theirs.spec).capitalize(): percent(mean(theirs.per_query[work.column])),
        f"{setting(ours.spec).capitalize()}, chosen": percent(mean(ours.per_query[work.column])),
        "Gain (points)": points(found.difference),
        "95% interval": f"{points(found.low)} to {points(found.high)}",
    }


def _same_money(work: Workspace, sweep: Sweep) -> None:
    """Name the best other size for no more than the chosen setting costs."""
    row, cost = work.row(work.settings.spec), COSTS[_COST]
    column, within = work.column, work.settings.cutoff
    if work.equal_column in row.values:  # what sizes are compared at
        column, within = work.equal_column, EQUAL_CONTEXT
    other = equal_cost(sweep, row, column, lambda one: cost.compute(one.values, Prices()))
    if other is None:
        st.caption(f"No other size costs as little in {cost.label.lower()}.")
        return
    st.markdown(
        f"For no more {cost.label.lower()}, the other size that scores highest is "
        f"{setting(other.spec)}: {quality(column)} {cutoff(within)} for "
        f"{percent(other.values[column])} of the "
        f"questions, against {percent(row.values[column])} for the chosen setting."
    )


def _collapsed(work: Workspace, one: Evaluation) -> Mapping[str, Floats]:
    return memory.remembered(
        "collapsed", (work.key, upload_number(work), one.spec), 24,
        lambda: collapsed_evaluation(work.engine, one),
    )  # fmt: skip


def _random(work: Workspace, one: Evaluation) -> Mapping[str, Floats]:
    """Return what random chunks score; nothing under a budget, or of a retriever's own run."""
    run = work.settings.run
    if not isinstance(run.cutoff, TopK) or not one.ranked_here:
        return {}
    return memory.remembered(
        "random", (work.key, upload_number(work), one.spec), 24,
        lambda: chance(work.engine, one.chunks, run),
    )  # fmt: skip
