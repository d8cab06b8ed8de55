"""Ranked lists written down by hand, judged like real ones."""

import numpy as np

from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Corpus
from overlapkit.engine import prepare
from overlapkit.evaluate.evaluation import judge
from overlapkit.evaluate.results import Results, cut_off
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import Budget, Ranked, TopK

SPAN = tuple[str, int, int]


def question(
    *evidence: SPAN, need: str = "any", answer: str | None = None, name: str = "q"
) -> Query:
    """Return a query with its evidence as (document, start, end)."""
    return Query(name, "x", tuple(Evidence(*span) for span in evidence), need, answer)


def results_of(
    corpus: Corpus, queries: list[Query], lists: list[list[SPAN]], cutoff: TopK | Budget
) -> Results:
    """Return the results of ranked lists of (document, start, end), one per query."""
    spans = sorted({(corpus.position(name), a, b) for ranked in lists for name, a, b in ranked})
    doc, start, end = np.array(spans, dtype=np.int64).reshape(-1, 3).T.copy()
    chunks = ChunkSet(doc, start, end)
    number = {span: index for index, span in enumerate(spans)}
    flat = [number[corpus.position(name), a, b] for ranked in lists for name, a, b in ranked]
    first = np.cumsum([0, *map(len, lists)])
    ranked = Ranked(first, np.array(flat, dtype=np.int64), np.zeros(len(flat)))
    engine = prepare(corpus, QuerySet(tuple(queries), "minimal"), "word")
    return cut_off(engine, chunks, ranked, cutoff)


def judged(
    corpus: Corpus, query: Query, ranked: list[SPAN], cutoff: TopK | Budget | None = None
) -> dict[str, float]:
    """Return every metric of one query's ranked list."""
    cutoff = cutoff or TopK(max(len(ranked), 1))
    columns = judge(results_of(corpus, [query], [ranked], cutoff), "k")
    return {name.removesuffix("@k"): float(column[0]) for name, column in columns.items()}
