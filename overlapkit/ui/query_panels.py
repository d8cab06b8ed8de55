"""The parts of Queries: each question under two settings, and one typed by hand."""

import numpy as np
import streamlit as st

from overlapkit.evaluate import Evaluation, results_of
from overlapkit.evaluate.results import Found, cut_off
from overlapkit.index import build_index, chunk_terms, query_terms
from overlapkit.queries import Evidence
from overlapkit.report import trec_qrels, trec_run
from overlapkit.retrieve import RANKINGS, TopK
from overlapkit.terms import match_spans, term_function
from overlapkit.ui import memory
from overlapkit.ui.result_list import Result, result_list
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import MAX_SHOWN_K
from overlapkit.ui.shell import plain
from overlapkit.ui.today import base_evaluation, upload_number
from overlapkit.verify import verify
from overlapkit.words import cutoff, number, setting

SHOWN = 200  # questions listed at a time


def evaluations(work: Workspace) -> tuple[Evaluation, Evaluation]:
    """Return the baseline and the chosen setting, ranked lists included."""
    return base_evaluation(work), work.evaluation(work.settings.spec)


def question_table(work: Workspace, base: Evaluation, chosen: Evaluation) -> int | None:
    """List the questions with hit or miss under both settings; return the chosen one."""
    column = work.column
    before, after = base.per_query[column] > 0, chosen.per_query[column] > 0
    won, lost = int((after & ~before).sum()), int((before & ~after).sum())
    st.markdown(
        f"From {setting(base.spec)} to {setting(chosen.spec)}: **{number(won)} won, "
        f"{number(lost)} lost**, {number(int((before == after).sum()))} unchanged."
    )
    kinds = {
        "won": after & ~before,
        "lost": before & ~after,
        "missed by both": ~after & ~before,
        "hit by both": after & before,
    }
    wanted = st.pills("Show", list(kinds), key="w_kinds", selection_mode="multi")
    words = st.text_input("Find a question", key="w_find", placeholder="words of the question")
    keep = np.any([kinds[name] for name in wanted], axis=0) if wanted else np.ones(len(after), bool)
    texts = [query.text for query in work.engine.queries]
    if words:
        keep &= np.array([words.casefold() in text.casefold() for text in texts])
    listed = np.flatnonzero(keep)
    if not len(listed):
        st.caption("No question fits.")
        return None
    shown = listed[:SHOWN]
    names = ["miss", "hit"]
    event = st.dataframe(
        {
            "Question": [texts[i] for i in shown],
            "Baseline": [names[int(before[i])] for i in shown],
            "Chosen": [names[int(after[i])] for i in shown],
            "Id": [work.engine.queries.queries[i].id for i in shown],
        },
        hide_index=True, on_select="rerun", selection_mode="single-row", height=300,
        key=memory.key_of(
            "w_questions", work.key, upload_number(work), base.spec, chosen.spec, wanted, words
        ),
    )  # fmt: skip
    if len(listed) > len(shown):
        st.caption(f"The first {number(len(shown))} of {number(len(listed))}.")
    rows = event["selection"]["rows"]
    return int(shown[rows[0]]) if rows and rows[0] < len(shown) else int(shown[0])


def question_panel(work: Workspace, query: int, base: Evaluation, chosen: Evaluation) -> None:
    """Show a question's evidence and its ranked chunks under both settings."""
    asked = work.engine.queries.queries[query]
    with st.container(border=True):
        st.text(asked.text)
        texts = {d.name: d.text for d in work.engine.corpus.documents}
        need = "all of" if asked.need == "all" and len(asked.evidence) > 1 else "evidence:"
        for span in asked.evidence[:6]:
            text = texts[span.document][span.start : span.end]
            st.caption(f"{need} {number(span.end - span.start)} characters")
            st.code(
                f"{span.document} {span.start}..{span.end}\n{_cut(text)}",
                language=None, wrap_lines=True,
            )  # fmt: skip
    left, right = st.columns(2)
    for place, name, found in ((left, "Baseline", base), (right, "Chosen", chosen)):
        with place:
            hit = found.per_query[work.column][query] > 0
            st.markdown(f"**{name}**: {setting(found.spec)}, {'hit' if hit else 'miss'}")
            result_list(_results(work, found, query), key=f"list_{name}")


def _cut(text: str) -> str:
    return text if len(text) <= 900 else f"{text[:900]} …"


def _results(work: Workspace, found: Evaluation, query: int) -> list[Result]:
    """Return what a query got under an evaluated setting, as far as it was judged."""
    asked = work.engine.queries.queries[query]
    results = memory.remembered(
        "results", (work.key, upload_number(work), found.spec), 6,
        lambda: results_of(work.engine, found),
    )  # fmt: skip
    terms = set(work.engine.stream.vocabulary.terms_of(asked.text))
    return [
        _shown(work, one, terms, asked.evidence) for one in results.of_query(query, found.ranked)
    ]


def _shown(
    work: Workspace, found: Found, terms: set[str], evidence: tuple[Evidence, ...]
) -> Result:
    document, start, end = found.document, found.start, found.end
    text = document.text[start:end]
    held = [
        (max(span.start, start) - start, min(span.end, end) - start)
        for span in evidence
        if span.document == document.name and span.start < end and start < span.end
    ]
    marks = match_spans(text, terms, term_function(work.engine.terms.name))
    whole = any(
        span.document == document.name and start <= span.start and span.end <= end
        for span in evidence
    )
    return Result(document.name, start, end, found.score, text, marks, held, whole)


# --- a question typed by hand -----------------------------------------------------------


def ad_hoc(work: Workspace) -> None:
    """Rank the chunks of the chosen setting for a typed question."""
    text = st.text_input(
        "Ask this corpus anything", key="w_ask", max_chars=1000,
        placeholder="Type a question and press Enter",
    )  # fmt: skip
    if not text.strip():
        return
    engine, spec, run = work.engine, work.settings.spec, work.settings.run
    chunks = engine.chunk(spec)
    chunk_terms(engine.stream, chunks)  # meets every cut word, so that it can be asked for
    asked = query_terms(engine.stream, [text], keep=False)
    index = build_index(engine.stream, chunks, asked)
    ranked = engine.rank(chunks, index, run.ranking, (run.cutoff,), asked)
    results = cut_off(engine, chunks, ranked, run.cutoff, spec.encoding)
    found = results.of_query(0, ranked)
    if not found:
        st.info("No chunk shares a word with this question, so nothing is found.")
        return
    if run.ranking == "okapi":
        _weak_terms(asked.distinct, index.document_frequency.tolist(), len(chunks))
    st.caption(
        f"{number(len(found))} of {number(len(chunks))} chunks, {cutoff(run.cutoff)}, "
        f"{setting(spec)}"
    )
    result_list([_shown(work, one, set(asked.distinct), ()) for one in found], key="list_typed")


def _weak_terms(terms: tuple[str, ...], frequency: list[int], chunks: int) -> None:
    common = [t for t, n in zip(terms, frequency, strict=True) if 2 * n >= chunks > 0]
    if common:
        words = ", ".join(f"“{plain(term)}”" for term in common[:6])
        st.info(
            f"In half of the chunks or more: {words}. BM25 as in rank-bm25 has no positive weight "
            "of its own for such a word; Lucene's BM25 (Ranking, in the sidebar) has."
        )


# --- exports and check ------------------------------------------------------------------


def exports(work: Workspace, chosen: Evaluation) -> None:
    """Offer the run and the judgements in TREC's formats."""
    left, right = st.columns(2)
    engine = work.engine
    left.download_button(
        "Download the run (TREC)", lambda: trec_run(chosen, engine),
        "overlapkit.run", "text/plain", on_click="ignore", width="stretch",
    )  # fmt: skip
    right.download_button(
        "Download the judgements (TREC qrels)",
        lambda: trec_qrels(chosen, engine),
        "overlapkit.qrels", "text/plain", on_click="ignore", width="stretch",
    )  # fmt: skip


def check(work: Workspace) -> None:
    """Run rank-bm25 itself on the chosen setting and say how far ours is from it."""
    if work.settings.ranking != "okapi":
        st.caption(f"{RANKINGS[work.settings.ranking].label} is not what rank-bm25 computes.")
        return
    run, spec = work.settings.run, work.settings.spec
    k = run.cutoff.k if isinstance(run.cutoff, TopK) else MAX_SHOWN_K
    key = (work.key, spec)
    if st.button("Check against rank-bm25", key="w_verify"):
        with st.spinner("rank-bm25 reads every chunk again …"):
            st.session_state["verified"] = (key, verify(work.engine, spec, k))
    checked, found = st.session_state.get("verified", (None, None))
    if found is not None and checked == key:
        st.markdown(
            f"{setting(spec).capitalize()}: {number(found.chunks)} chunks, {number(found.queries)} "
            f"questions, the top {k} of each. Largest difference of a score "
            f"{found.largest_difference:g}; ranked lists that differ: {number(found.differing)}. "
            f"rank-bm25 took {found.their_seconds:.1f} s, ours {found.our_seconds:.2f} s."
        )


def left_out(work: Workspace) -> None:
    """List the rows that could not be scored, with their reasons."""
    rows = work.engine.queries.unresolved
    if rows:
        st.markdown(f"## {number(len(rows))} questions left out")
        st.dataframe(
            {
                "Row": [r.row for r in rows],
                "Id": [r.id for r in rows],
                "Reason": [r.reason for r in rows],
                "Nearest text": [r.nearest for r in rows],
            },
            hide_index=True,
        )
