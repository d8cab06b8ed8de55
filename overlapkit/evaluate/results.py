"""Ranked chunks cut off and held against the evidence."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import AnyInts, Floats, Longs, spread, sum_by
from overlapkit.chunkers import ChunkSet
from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus, Document
from overlapkit.engine import Engine
from overlapkit.queries.located import EvidenceSpans, Spans
from overlapkit.queries.model import QuerySet
from overlapkit.retrieve import Budget, Ranked, TopK
from overlapkit.tokens import count_tokens, token_spans


class Found(NamedTuple):
    """A retrieved chunk: code points of its document's text, and its score."""

    document: Document
    start: int
    end: int
    score: float


@dataclass(frozen=True, eq=False)
class Results:
    """What each query retrieved: results of query q are ``first[q]:first[q + 1]``, best first.

    ``start`` and ``end`` are global code points (see ``Spans``); the end of a chunk that a
    budget truncated is where it was cut.
    """

    corpus: Corpus
    queries_asked: QuerySet
    evidence: EvidenceSpans
    word_units: Units
    first: Longs
    query: Longs
    rank: Longs
    chunk: Longs
    doc: Longs
    start: Longs
    end: Longs

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return len(self.first) - 1

    @property
    def count(self) -> Longs:
        """Results per query."""
        return np.diff(self.first)

    @property
    def length(self) -> Longs:
        """Code points of each result."""
        return self.end - self.start

    def text(self, index: int) -> str:
        """Return the text of a result, as far as it was retrieved."""
        doc = int(self.doc[index])
        shift = int(self.evidence.base[doc])
        text = self.corpus.documents[doc].text
        return text[int(self.start[index]) - shift : int(self.end[index]) - shift]

    def of_query(self, query: int, ranked: Ranked) -> list["Found"]:
        """Return what a query got, best first, as far as the cut-off took it."""
        found = []
        for index in range(int(self.first[query]), int(self.first[query + 1])):
            doc = int(self.doc[index])
            shift = int(self.evidence.base[doc])
            score = float(ranked.score[ranked.first[query] + self.rank[index]])
            start, end = int(self.start[index]) - shift, int(self.end[index]) - shift
            found.append(Found(self.corpus.documents[doc], start, end, score))
        return found

    def total(self, values: AnyInts | Floats) -> Floats:
        """Return the sum of a value per result for each query."""
        return sum_by(self.query, values, self.queries)

    @cached_property
    def words(self) -> Longs:
        """Words of each result, a cut word counting as one."""
        order = np.argsort(self.start)  # places that rise are found in a third of the time
        words = np.empty(len(order), dtype=np.int64)
        words[order] = self.word_units.met(self.start[order], self.end[order])
        return words

    @cached_property
    def documents(self) -> Longs:
        """How many documents the results of each query come from."""
        documents = int(self.doc.max(initial=0)) + 1
        pair = np.sort(self.query * documents + self.doc)
        new = np.diff(pair, prepend=-1) != 0
        return np.bincount(pair[new] // documents, minlength=self.queries)

    @cached_property
    def shared(self) -> "Shared":
        """Every result beside every evidence span of its query."""
        spans = self.evidence.spans
        result, span = _pairs(self.query, spans)
        low = np.maximum(self.start[result], spans.start[span])
        high = np.minimum(self.end[result], spans.end[span])
        return Shared(result, span, np.maximum(high - low, 0))

    @cached_property
    def fresh(self) -> tuple[Longs, Longs]:
        """Disjoint pieces (start, end) per result that cover what the query retrieved.

        Results are visited in document order; an empty piece has start = end.
        """
        order = np.lexsort((self.end, self.start, self.query))
        start, end, query = self.start[order], self.end[order], self.query[order]
        # One running maximum serves all queries when each is moved beyond the one before.
        shift = query * (int(end.max(initial=0)) + 1)
        reach = np.maximum.accumulate(np.concatenate(([0], end + shift)))[:-1] - shift
        piece = np.empty((2, len(order)), dtype=np.int64)
        piece[0, order] = np.minimum(np.maximum(start, reach), end)
        piece[1, order] = end
        return piece[0], piece[1]

    def held(self, spans: Spans) -> Floats:
        """Return how many code points of each span were retrieved, none counted twice."""
        start, end = self.fresh
        result, span = _pairs(self.query, spans)
        low = np.maximum(start[result], spans.start[span])
        high = np.minimum(end[result], spans.end[span])
        shared = np.maximum(high - low, 0)
        return sum_by(span, shared, len(spans.doc))

    @cached_property
    def coverage(self) -> "Coverage":
        """How much of its evidence each query retrieved."""
        spans, merged = self.evidence.spans, self.evidence.merged
        need_all = self.evidence.need_all
        held = merged.per_query(self.held(merged))
        whole = merged.per_query(merged.length.astype(np.float64))
        share = self.held(spans) / spans.length
        best = np.zeros(self.queries)
        np.maximum.at(best, spans.query, share)
        # Of alternatives, what is missing is what the best-held one lacks.
        missing_of_best = np.full(self.queries, np.inf)
        lacking = spans.length * (1 - share)
        is_best = share >= best[spans.query]
        np.minimum.at(missing_of_best, spans.query[is_best], lacking[is_best])
        return Coverage(
            held,
            np.where(need_all, whole - held, missing_of_best),
            np.where(need_all, held / whole, best),
        )


class Coverage(NamedTuple):
    """Evidence per query: code points retrieved, still missing, and the share retrieved."""

    held: Floats
    missing: Floats
    recall: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Pairs of a result and a span of the same query, with their common code points."""

    result: Longs
    span: Longs
    characters: Longs


def _pairs(query: Longs, spans: Spans) -> tuple[Longs, Longs]:
    count = np.diff(spans.first)[query]
    return np.repeat(np.arange(len(query)), count), spread(spans.first[query], count)


def cut_off(
    engine: Engine,
    chunks: ChunkSet,
    ranked: Ranked,
    cutoff: TopK | Budget,
    encoding: str = "cl100k_base",
) -> Results:
    """Return the results up to the cut-off.

    ``ranked`` must reach deep enough: at least k, or until the budget is full. ``encoding``
    is the vocabulary that a budget of tokens counts.
    """
    corpus, evidence = engine.corpus, engine.evidence
    query, rank, chunk = ranked.query, ranked.rank, ranked.chunk
    start, end = (edge[chunk] for edge in chunks.placed(evidence.base))
    if isinstance(cutoff, TopK):
        keep = rank < cutoff.k
    else:
        sizes = end - start if cutoff.unit == "char" else _tokens(corpus, chunks, chunk, encoding)
        left = cutoff.size - _before(sizes, ranked.first)
        keep = left >= sizes if cutoff.tail == "drop" else left > 0
        cut = np.flatnonzero(keep & (left < sizes))
        if cutoff.unit == "char":
            end[cut] = start[cut] + left[cut]
        else:
            for index in cut.tolist():
                text = chunks.text(corpus, int(chunk[index]))
                end[index] = start[index] + _characters_of_tokens(text, int(left[index]), encoding)
            keep &= end > start  # what is left may not reach the end of the first character
    found = np.bincount(query[keep], minlength=len(ranked.first) - 1)
    first = np.concatenate(([0], np.cumsum(found))).astype(np.int64)
    columns = (query, rank, chunk, chunks.doc[chunk], start, end)
    kept = (column[keep] for column in columns)
    return Results(corpus, engine.queries, evidence, engine.units("word"), first, *kept)


def _before(sizes: Longs, first: Longs) -> Longs:
    """Return, per result, what the better-ranked results of its query take."""
    before = np.cumsum(sizes) - sizes
    begin = np.append(before, 0)[np.minimum(first[:-1], len(sizes))]
    taken: Longs = before - np.repeat(begin, np.diff(first))
    return taken


def _tokens(corpus: Corpus, chunks: ChunkSet, chunk: Longs, encoding: str) -> Longs:
    distinct, inverse = np.unique(chunk, return_inverse=True)
    texts = [chunks.text(corpus, index) for index in distinct.tolist()]
    counts: Longs = count_tokens(texts, encoding)[inverse]
    return counts


def _characters_of_tokens(text: str, tokens: int, encoding: str) -> int:
    """Return how many characters the first ``tokens`` tokens of a text take, whole ones only."""
    spans = token_spans(text, encoding)
    return int(spans.starts[tokens]) if tokens < len(spans.starts) else len(text)
