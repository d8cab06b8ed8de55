"""The parts of Queries: each question under two settings, and one typed by hand."""

import numpy as np
import streamlit as st

from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.index import build_index, query_terms
from overlapkit.report import trec_qrels, trec_run
from overlapkit.retrieve import RANKINGS, Budget, okapi_idf, rank
from overlapkit.ui.result_list import Result, result_list
from overlapkit.ui.session import Workspace
from overlapkit.ui.tune_panels import main_column
from overlapkit.verify import verify
from overlapkit.wording import number, percent, setting

SHOWN = 200  # questions listed at a time


def evaluations(work: Workspace) -> tuple[Evaluation, Evaluation]:
    """Return the baseline and the chosen setting, ranked lists included."""
    run = work.settings.run
    return (
        evaluate_with(work.engine, work.settings.baseline, run, tokens=False),
        evaluate_with(work.engine, work.settings.spec, run, tokens=False),
    )


def question_table(work: Workspace, base: Evaluation, chosen: Evaluation) -> int | None:
    """List the questions with hit or miss under both settings; return the chosen one."""
    column = main_column(work)
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
        key="w_questions",
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
            hit = found.per_query[main_column(work)][query] > 0
            st.markdown(f"**{name}**: {setting(found.spec)}, {'hit' if hit else 'miss'}")
            result_list(_results(work, found, query), key=f"list_{name}")


def _cut(text: str) -> str:
    return text if len(text) <= 900 else f"{text[:900]} …"


def _results(work: Workspace, found: Evaluation, query: int) -> list[Result]:
    first, last = found.ranked.first[query : query + 2]
    limit = _limit(work)
    asked = work.engine.queries.queries[query]
    spans = [(span.document, span.start, span.end) for span in asked.evidence]
    terms = set(work.engine.stream.vocabulary.terms_of(asked.text))
    chunk = found.ranked.chunk[first:last][:limit]
    score = found.ranked.score[first:last][:limit]
    return [
        _result(work, found, int(c), float(s), terms, spans)
        for c, s in zip(chunk, score, strict=True)
    ]


def _limit(work: Workspace) -> int:
    cutoff = work.settings.cutoff
    return 20 if isinstance(cutoff, Budget) else cutoff.k


def _result(
    work: Workspace,
    found: Evaluation,
    chunk: int,
    score: float,
    terms: set[str],
    spans: list[tuple[str, int, int]],
) -> Result:
    document = work.engine.corpus.documents[int(found.chunks.doc[chunk])]
    start, end = int(found.chunks.start[chunk]), int(found.chunks.end[chunk])
    evidence = [
        (max(s, start) - start, min(e, end) - start)
        for name, s, e in spans
        if name == document.name and s < end and start < e
    ]
    return Result(
        document.name, start, end, score, document.text[start:end],
        matches(document.text[start:end], terms, work), evidence,
    )  # fmt: skip


def matches(text: str, terms: set[str], work: Workspace) -> list[tuple[int, int]]:
    """Return where words of a text match query terms, by the engine's own term function."""
    from overlapkit.terms import read_runs, term_function  # noqa: PLC0415

    function = term_function(work.engine.terms.name)
    runs = read_runs(text, function)
    found = zip(runs.starts.tolist(), runs.ends.tolist(), runs.texts, strict=True)
    return [(s, e) for s, e, run in found if terms.intersection(function.terms(run))]


# --- a question typed by hand -----------------------------------------------------------


def ad_hoc(work: Workspace) -> None:
    """Rank the chunks of the chosen setting for a typed question."""
    text = st.text_input(
        "Ask this corpus anything", key="w_ask", placeholder="Type a question and press Enter"
    )
    if not text.strip():
        return
    engine = work.engine
    chunks = engine.chunk(work.settings.spec)
    asked = query_terms(engine.stream, [text])
    index = build_index(engine.stream, chunks, asked)
    ranked = rank(index, asked, work.settings.ranking, _limit(work))
    terms = set(asked.distinct)
    shown = type("Found", (), {"chunks": chunks})
    results = [
        _result(work, shown, int(c), float(s), terms, [])  # type: ignore[arg-type]
        for c, s in zip(ranked.chunk, ranked.score, strict=True)
    ]
    if not results:
        st.info("No chunk shares a word with this question, so nothing is found.")
        return
    if work.settings.ranking == "okapi":
        _weak_terms(asked.distinct, okapi_idf(index), index.document_frequency, len(chunks))
    st.caption(f"{len(results)} of {number(len(chunks))} chunks, {setting(work.settings.spec)}")
    result_list(results, key="list_typed")


def _weak_terms(
    terms: tuple[str, ...], idf: np.ndarray, frequency: np.ndarray, chunks: int
) -> None:
    common = [t for t, n in zip(terms, frequency.tolist(), strict=True) if 2 * n >= chunks > 0]
    if common:
        words = ", ".join(f"“{term}”" for term in common[:6])
        st.info(
            f"In half of the chunks or more: {words}. BM25 then has no positive weight of its own "
            "for a word and gives it a stand-in; Lucene's BM25 (Ranking, in the sidebar) has none "
            "of this.".replace("$", r"\$")
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
    if st.button("Check against rank-bm25", key="w_verify"):
        with st.spinner("rank-bm25 reads every chunk again …"):
            found = verify(work.engine, work.settings.spec)
        st.session_state["verified"] = found
    if "verified" in st.session_state:
        found = st.session_state["verified"]
        st.markdown(
            f"{number(found.chunks)} chunks, {number(found.queries)} questions: largest difference "
            f"of a score {found.largest_difference:g}; ranked lists that differ: "
            f"{number(found.differing)}. rank-bm25 took {found.their_seconds:.1f} s, "
            f"ours {found.our_seconds:.2f} s."
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
            },
            hide_index=True,
        )


__all__ = [
    "ad_hoc", "check", "evaluations", "exports", "left_out", "percent", "question_panel",
    "question_table",
]  # fmt: skip
