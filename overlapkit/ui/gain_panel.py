"""What part of a gain is only more chunks: beside it, three comparisons that take them away."""

import numpy as np
import streamlit as st

from overlapkit.charts import label_of
from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, Prices
from overlapkit.evaluate.evaluation import mean
from overlapkit.gains import chance, collapsed_evaluation, equal_cost
from overlapkit.retrieve import TopK
from overlapkit.sweep import Sweep
from overlapkit.ui import session
from overlapkit.ui.session import EQUAL_CONTEXT, Workspace
from overlapkit.wording import cutoff, percent, points, quality, setting

_COST = "index_chars"


def gain_panel(work: Workspace, sweep: Sweep) -> None:
    """Set the gain of the chosen setting beside what would be there without its chunks."""
    now, base = work.settings.spec, work.settings.baseline
    if now == base:
        st.caption("The chosen setting is the baseline: choose another to see what it gains.")
        return
    pairs = {"As ranked": (work.row(base).values[work.column], work.row(now).values[work.column])}
    apart = (_collapsed(work, base), _collapsed(work, now))
    pairs["Results that share text count as one"] = apart
    if isinstance(work.settings.cutoff, TopK):
        pairs["Random chunks instead of ranked ones"] = (_random(work, base), _random(work, now))
    known = {name: pair for name, pair in pairs.items() if not np.isnan(pair).any()}
    st.dataframe(
        {
            label_of(work.column): list(known),
            setting(base).capitalize(): [percent(pair[0]) for pair in known.values()],
            f"{setting(now).capitalize()}, chosen": [percent(pair[1]) for pair in known.values()],
            "Gain (points)": [points(pair[1] - pair[0]) for pair in known.values()],
        },
        hide_index=True,
    )  # fmt: skip
    st.caption(
        "If the gain shrinks where results that share text count as one, part of it was the same "
        "passage found several times. What random chunks gain is bought by having more of them."
        + ("" if isinstance(work.settings.cutoff, TopK) else " Under a budget the number of chunks "
           "is not fixed, so random ones are left out.")
    )  # fmt: skip
    _same_money(work, sweep)


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


def _collapsed(work: Workspace, spec: ChunkSpec) -> float:
    run = work.settings.run
    columns = session.remembered(
        "collapsed", (work.key, spec), 24, lambda: collapsed_evaluation(work.engine, spec, run)
    )
    return mean(columns[work.column])


def _random(work: Workspace, spec: ChunkSpec) -> float:
    run = work.settings.run
    columns = session.remembered(
        "random", (work.key, spec), 24, lambda: chance(work.engine, spec, run)
    )
    return mean(columns[work.column])
