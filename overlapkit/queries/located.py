"""The evidence of a query set as arrays on a corpus."""

from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import AnyInts, Floats, Longs, Mask, sum_by
from overlapkit.corpus import Corpus, global_starts
from overlapkit.errors import QueryError
from overlapkit.queries.model import QuerySet


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Spans grouped by query: those of query q are ``first[q]:first[q + 1]``.

    ``start`` and ``end`` are global code points: document ``d`` begins at ``base[d]``.
    """

    first: Longs
    query: Longs
    doc: Longs
    start: Longs
    end: Longs

    @property
    def length(self) -> Longs:
        """Code points of each span."""
        return self.end - self.start

    def per_query(self, values: AnyInts | Floats) -> Floats:
        """Return the sum of a value per span for each query."""
        return sum_by(self.query, values, len(self.first) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceSpans:
    """All evidence: ``spans`` as given, and ``merged`` with a query's overlaps joined.

    ``need_all`` marks the queries that need every span.
    """

    base: Longs
    spans: Spans
    merged: Spans
    need_all: Mask


def locate(corpus: Corpus, queries: QuerySet) -> EvidenceSpans:
    """Return the evidence as global spans.

    Raises QueryError when a span names no document of the corpus or lies outside it.
    """
    position = {document.name: index for index, document in enumerate(corpus.documents)}
    lengths = [len(document.text) for document in corpus.documents]
    base = global_starts(corpus)
    given: list[list[tuple[int, int, int]]] = []
    merged: list[list[tuple[int, int, int]]] = []
    for query in queries:
        own = []
        for span in query.evidence:
            doc = position.get(span.document)
            if doc is None or span.end > lengths[doc]:
                raise QueryError(
                    f"the evidence of {query.id!r} at {span.start}..{span.end} does not lie in a "
                    f"document called {span.document!r}: load the corpus it was made for"
                )
            shift = int(base[doc])
            own.append((doc, span.start + shift, span.end + shift))
        given.append(own)
        merged.append(_merge(own))
    need_all = np.array([query.need == "all" for query in queries], dtype=bool)
    return EvidenceSpans(base, _spans(given), _spans(merged), need_all)


def _merge(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    joined: list[tuple[int, int, int]] = []
    for doc, start, end in sorted(spans, key=lambda span: span[1]):
        if joined and start <= joined[-1][2]:
            joined[-1] = (doc, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((doc, start, end))
    return joined


def _spans(groups: list[list[tuple[int, int, int]]]) -> Spans:
    counts = np.array([len(group) for group in groups], dtype=np.int64)
    flat = np.array([span for group in groups for span in group], dtype=np.int64).reshape(-1, 3)
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Spans(first, np.repeat(np.arange(len(groups)), counts), *flat.T)
