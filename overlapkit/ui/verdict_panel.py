"""The verdict at the chosen size, what it rests on, and what to do about it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from overlapkit.charts import label_of
from overlapkit.decide import Verdict, fitting, verdict
from overlapkit.queries import PROBES_SHOW
from overlapkit.retrieve import TopK
from overlapkit.sketch.verdict import verdict_svg
from overlapkit.sweep import Row
from overlapkit.ui import memory, session, sweeps
from overlapkit.ui.copy_link import copy_link
from overlapkit.ui.noise_panels import noise_line
from overlapkit.ui.picture import picture
from overlapkit.ui.session import Workspace
from overlapkit.ui.waiting import await_rows
from overlapkit.wording import verdict_sentence, weak_words
from overlapkit.words import number, percent, points, setting


def verdict_panel(work: Workspace) -> None:
    """Say the verdict at the chosen size, then across sizes."""
    if not work.has_queries:
        st.markdown("There are no questions to score with, so only the cuts can be shown.")
        return
    rows = sweeps.size_rows(work)
    if rows is None:
        await_rows()
        return
    now = work.settings
    key = (work.key, now.unit, now.encoding, now.size, now.phases)
    found = memory.remembered(
        "verdicts", key, 24, lambda: verdict(rows, work.column, work.clustering)
    )
    words, drawing = st.columns([7, 3], gap="medium")
    with words:
        _say(work, rows, found)
    with drawing:
        picture(verdict_svg(found, work.column), key="verdict_picture")
    left, middle, right = st.columns([4, 1, 1])
    with left.expander("Why?"):
        _why(work, found)
    choice = found.choice
    if choice is not None and choice.spec.overlap != now.overlap:
        middle.button(
            f"Apply {choice.spec.overlap:,}", key="w_use", width="stretch",
            on_click=lambda: session.change(
                lambda s: replace(s, overlap=choice.spec.overlap)
            ),
            help=f"Set the overlap of the verdict: {setting(choice.spec)}.",
        )  # fmt: skip
    with right:
        copy_link(key="w_copy")


def _say(work: Workspace, rows: Sequence[Row], found: Verdict) -> None:
    """Say the verdict, and what makes it weaker than it sounds."""
    now = work.settings
    sentence = verdict_sentence(found, now.run, fitting(work.engine, now.spec))
    head, mark, rest = sentence.partition(". ")
    over = f" Taken over {now.phases} phases." if now.phases else ""
    st.container(key="verdict").markdown(f"**{head}{mark.strip()}** {rest}{over}")
    noise_line(work)
    _hardly_ranked(work, rows)
    if now.queries == "probes":
        st.caption(PROBES_SHOW)
    _weak_words(work)


def _why(work: Workspace, found: Verdict) -> None:
    """Show how every overlap of the size stands against the best, and what that rests on."""
    st.markdown(
        f"An overlap *keeps up* when its loss against the best is, with 95% confidence, no more "
        f"than {100 * found.margin:.0f} points. The smallest one that keeps up is enough."
    )
    lines = [
        f"| Overlap | {label_of(work.column)} | Loss against the best | So it | Text to embed |",
        "|---|---|---|---|---|",
    ]
    for one in found.held:
        loss = (
            "the best" if one.row is found.best
            else f"{points(one.loss.low)} to {points(one.loss.high)} points"
        )  # fmt: skip
        values = one.row.values
        lines.append(
            f"| {number(one.row.spec.overlap)} ({one.row.spec.overlap_pct:.0f}%) "
            f"| {percent(values[work.column])} | {loss} | {one.standing} "
            f"| {number(values['index_chars'])} characters |"
        )
    st.markdown("\n".join(lines))
    st.caption(_basis(work))


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
