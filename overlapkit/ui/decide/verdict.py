"""What the gates decide: the answer, every setting with its first failed gate, what would help."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan

import streamlit as st

from overlapkit.charts import is_rate, label_of
from overlapkit.cost import COSTS, money
from overlapkit.diagnose import CAUSES, diagnose
from overlapkit.gates import (
    Decision,
    Judged,
    OverlapCase,
    blocking_sentence,
    decision_sentence,
    measured,
    overlap_needed,
    reason,
    rejects_overlap,
)
from overlapkit.report import spreadsheet_csv
from overlapkit.retrieve import RANKINGS
from overlapkit.ui import session, sweeps
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.words import counted, cutoff, number, percent, quality, setting

_SHOWN = 100  # settings listed


def answer(work: Workspace, decision: Decision, now: Declared) -> None:
    """Say what the gates decide, and whether overlap is what these questions need."""
    sentence = decision_sentence(decision, COSTS[now.cost].unit)
    head, mark, rest = sentence.partition(". ")
    box = st.container(key="decision")
    box.markdown(f"**{plain(head)}{mark.strip()}** {plain(rest)}")
    if decision.choice is not None:
        box.markdown(plain(_quality(work, decision.choice)))
    case = overlap_case(work)
    said = overlap_words(work, decision, case)
    if said:
        box.markdown(plain(said))
    if decision.outcome == "none":
        for block in decision.blocking[1:4]:  # the first is in the sentence
            if block.failing:
                box.markdown(f"- {plain(blocking_sentence(block, len(decision.judged)))}")
    _apply(work, decision)


def _quality(work: Workspace, choice: Judged) -> str:
    """Return what the choice finds, with its interval, and under which ranking."""
    name = work.column.partition("@")[0]
    row = choice.candidate.row
    label = work.settings.cutoff.label
    value, ends = measured(choice.candidate, name, label, work.clustering)
    under = RANKINGS[work.settings.ranking].label
    said = (
        f"Under {under} it finds {quality(work.column)} {cutoff(work.settings.cutoff)} for "
        f"{percent(value)} (95% interval {percent(ends.low)} to {percent(ends.high)}) of "
        f"{number(row.values['queries'])} questions."
    )
    if row.spec == work.settings.baseline and any(r.gate.relative for r in choice.rulings):
        said += " It is the baseline itself, of which gates against the baseline say nothing."
    return said


def _apply(work: Workspace, decision: Decision) -> None:
    if decision.choice is None:
        return
    spec = decision.choice.spec
    now = work.settings
    if spec.chunker == "window" and (spec.size, spec.overlap) != (now.size, now.overlap):
        st.button(
            f"Apply {number(spec.size)} / {number(spec.overlap)}", key="w_decide_apply",
            on_click=lambda: session.change(
                lambda s: replace(s, size=spec.size, overlap=spec.overlap)
            ),
            help=f"Set every page to {setting(spec)}.",
        )  # fmt: skip


# --- whether overlap helps --------------------------------------------------------------


def overlap_case(work: Workspace) -> OverlapCase | None:
    """Return what the diagnosis at 0% says of overlap at the chosen size, where it says any."""
    if work.engine.queries.kind == "extent" or not work.has_queries:
        return None
    rows = sweeps.size_rows(work)
    if rows is None:
        return None
    without = work.settings.at(work.settings.size, 0)
    key = (work.key, work.settings.phases, without)

    def make() -> OverlapCase:
        found = diagnose(work.engine, work.evaluation(without))
        return rejects_overlap(found, rows, work.column, work.clustering)

    return remembered("overlap_cases", key, 8, make)


def overlap_words(work: Workspace, decision: Decision, case: OverlapCase | None) -> str:
    """Return whether overlap is needed, by the gates and by the diagnosis."""
    size = number(work.settings.size)
    if case is not None and case.rejected:
        if not case.misses:
            return f"At size {size} no question misses without overlap, so none is needed."
        leading = " and ".join(
            f"{CAUSES[cause].label.lower()} ({number(count)})" for cause, count in case.causes
        )
        misses = "the one miss" if case.misses == 1 else f"{number(case.misses)} misses"
        return (
            f"Fixed overlap is no remedy at size {size}: of {misses} without it "
            f"{number(case.cut)} {'is' if case.cut == 1 else 'are'} cut at a boundary, most are "
            f"{leading}, and no overlap gains beyond the noise."
        )
    needed = overlap_needed(decision)
    if needed == "needed":
        return "Without overlap this size fails a gate, so the overlap is needed."
    if needed == "not needed":
        return "No overlap is needed: the setting clears every gate without."
    return ""


# --- every setting ----------------------------------------------------------------------


def settings_table(work: Workspace, decision: Decision, now: Declared) -> None:
    """List every setting, those that clear all gates first, with the first gate it fails."""
    cost = COSTS[now.cost]
    st.markdown("## Every setting in question")
    first = "; they stand first" if decision.passing else ""
    st.caption(
        f"{number(len(decision.passing))} of {counted(len(decision.judged), 'setting')} clear all "
        f"gates{first}. By rising {cost.label.lower()}: {cost.meaning}."
    )
    lines = [_line(work, *one, now) for one in _passing_first(decision)]
    st.dataframe(
        lines[:_SHOWN], hide_index=True, height=min(36 * (len(lines) + 1), 420),
        column_config={
            name: st.column_config.TextColumn(width=width)
            for name, width in zip(lines[0], (90, 80, 150, 300), strict=True)
        },
    )  # fmt: skip
    st.download_button(
        "Download (CSV)", lambda: spreadsheet_csv(lines), "settings-judged.csv", "text/csv",
        on_click="ignore", key="w_judged_csv",
    )  # fmt: skip


def _passing_first(decision: Decision) -> Sequence[tuple[Judged, float]]:
    pairs = zip(decision.judged, decision.costs, strict=True)
    return sorted(pairs, key=lambda pair: not pair[0].passed)


def _line(work: Workspace, one: Judged, cost: float, now: Declared) -> Mapping[str, object]:
    failed, spec = one.first_failed, one.spec
    value = one.candidate.row.values.get(work.column, nan)
    unit = COSTS[now.cost].unit
    return {
        "Size / overlap": f"{number(spec.size)} / {number(spec.overlap)}",
        f"Cost ({unit})": money(cost) if unit == "US$" else number(cost),
        label_of(work.column): percent(value) if is_rate(work.column) else number(value),
        "First gate failed": "clears all" if failed is None else reason(failed),
    }
