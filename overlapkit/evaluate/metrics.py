"""The table of metrics: each a function of the results, with its meaning, range and source.

A metric gives one value per query; its mean over the queries is what is shown. A query
without a result counts 0. A new metric is a function and a line in ``METRICS``.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Mask
from overlapkit.evaluate.results import Results

Better = Literal["higher", "lower", "neither"]
Format = Literal["rate", "number"]

LENIENT_CHARACTERS = 100


class Metric(NamedTuple):
    """A named measure of what was retrieved."""

    compute: Callable[[Results], Floats]
    label: str
    meaning: str
    better: Better
    shown: Format
    source: str


# --- hits -------------------------------------------------------------------------------


def _strict(results: Results) -> Floats:
    """Mark results with at least half of their length inside one evidence span."""
    shared = results.shared
    hit = 2 * shared.characters >= results.length[shared.result]
    return _any_pair(results, hit)


def _lenient(results: Results) -> Floats:
    """Mark results that share at least min(100, span length) characters with a span."""
    shared = results.shared
    needed = np.minimum(LENIENT_CHARACTERS, results.evidence.spans.length[shared.span])
    return _any_pair(results, shared.characters >= needed)


def _any_pair(results: Results, hit: Mask) -> Floats:
    found = np.zeros(len(results.chunk))
    found[results.shared.result[hit]] = 1.0
    return found


def _hit(mark: Callable[[Results], Floats]) -> Callable[[Results], Floats]:
    return lambda results: (results.total(mark(results)) > 0).astype(np.float64)


def _hit_first(mark: Callable[[Results], Floats]) -> Callable[[Results], Floats]:
    return lambda results: results.total(mark(results) * (results.rank == 0))


def _reciprocal_rank(mark: Callable[[Results], Floats]) -> Callable[[Results], Floats]:
    def compute(results: Results) -> Floats:
        best = np.zeros(results.queries)
        np.maximum.at(best, results.query, mark(results) / (results.rank + 1))
        return best

    return compute


def complete(results: Results) -> Floats:
    """Return 1 where one result holds a whole span (any), or every span is held (all)."""
    spans = results.evidence.spans
    whole = np.zeros(len(spans.doc))
    shared = results.shared
    whole[shared.span[shared.characters == spans.length[shared.span]]] = 1.0
    held = spans.per_query(whole)
    enough = np.where(results.evidence.need_all, held == np.diff(spans.first), held > 0)
    return enough.astype(np.float64)


def answer(results: Results) -> Floats:
    """Return 1 where the answer text stands in a result, NaN for queries without an answer."""
    answers = [query.answer for query in results.queries_asked]
    found = np.array([np.nan if text is None else 0.0 for text in answers])
    asked = np.flatnonzero(~np.isnan(found)[results.query])
    shift = results.evidence.base[results.doc[asked]]
    columns = (
        results.query[asked], results.doc[asked], results.start[asked] - shift,
        results.end[asked] - shift,
    )  # fmt: skip
    documents = [document.text for document in results.corpus.documents]
    # Looking between two places of a document copies no text.
    for query, doc, start, end in zip(*(column.tolist() for column in columns), strict=True):
        text = answers[query]
        if text is not None and not found[query] and documents[doc].find(text, start, end) >= 0:
            found[query] = 1.0
    return found


# --- characters -------------------------------------------------------------------------


def recall(results: Results) -> Floats:
    """Return the share of the evidence's characters retrieved."""
    return results.coverage.recall


def precision(results: Results) -> Floats:
    """Return evidence characters over all retrieved characters, repeats counted."""
    return _ratio(results.coverage.held, results.total(results.length))


def iou(results: Results) -> Floats:
    """Return evidence retrieved over all retrieved characters plus evidence missed."""
    covered = results.coverage
    return _ratio(covered.held, results.total(results.length) + covered.missing)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


# --- what fills the slots ---------------------------------------------------------------


def distinct_docs(results: Results) -> Floats:
    """Return how many documents the results come from."""
    return results.documents.astype(np.float64)


def duplicate_slots(results: Results) -> Floats:
    """Return results minus distinct documents."""
    return (results.count - results.documents).astype(np.float64)


def overlapping_slots(results: Results) -> Floats:
    """Return results whose span meets that of a better-ranked result."""
    deepest = int(results.count.max(initial=0))
    start = np.full((results.queries, deepest), -1, dtype=np.int64)
    end = np.full((results.queries, deepest), -1, dtype=np.int64)
    start[results.query, results.rank] = results.start
    end[results.query, results.rank] = results.end
    meets = np.zeros((results.queries, deepest), dtype=bool)
    for better in range(deepest):
        first, last = start[:, better, None], end[:, better, None]
        meets[:, better + 1 :] |= (start < last)[:, better + 1 :] & (first < end)[:, better + 1 :]
    slots: Floats = meets.sum(axis=1).astype(np.float64)
    return slots


def repeated_chars(results: Results) -> Floats:
    """Return the share of retrieved characters already retrieved at a better rank."""
    start, end = results.fresh
    total = results.total(results.length)
    return _ratio(total - results.total(end - start), total)


def retrieved_chars(results: Results) -> Floats:
    """Return the retrieved characters, repeats counted."""
    return results.total(results.length)


def retrieved_words(results: Results) -> Floats:
    """Return the retrieved words, repeats counted."""
    return results.total(results.words)


_ARTICLE = "hit rules of a published overlap sweep of FastAPI's documentation"
_CHROMA = "Chroma technical report, Evaluating Chunking Strategies for Retrieval, 2024"
_OWN = "defined here"

METRICS: dict[str, Metric] = {
    "complete": Metric(
        complete, "Complete evidence",
        "one retrieved chunk holds the whole evidence span; where a question needs all its "
        "spans, each is held whole",
        "higher", "rate", _OWN,
    ),
    "lenient_hit": Metric(
        _hit(_lenient), "Lenient hit",
        "a retrieved chunk shares at least 100 characters with the evidence, or all of it "
        "when it is shorter",
        "higher", "rate", _ARTICLE,
    ),
    "strict_hit": Metric(
        _hit(_strict), "Strict hit",
        "a retrieved chunk lies at least half inside the evidence",
        "higher", "rate", _ARTICLE,
    ),
    "lenient_mrr": Metric(
        _reciprocal_rank(_lenient), "Lenient MRR",
        "one over the rank of the first lenient hit, 0 without one",
        "higher", "rate", "Voorhees, TREC-8 question answering track report, 1999",
    ),
    "strict_mrr": Metric(
        _reciprocal_rank(_strict), "Strict MRR",
        "one over the rank of the first strict hit, 0 without one",
        "higher", "rate", "Voorhees, TREC-8 question answering track report, 1999",
    ),
    "answer": Metric(
        answer, "Answer hit",
        "the given answer text stands in a retrieved chunk; questions without one are left out",
        "higher", "rate", _OWN,
    ),
    "recall": Metric(
        recall, "Recall",
        "the share of the evidence's characters that were retrieved; of alternatives, the "
        "one held best",
        "higher", "rate", _CHROMA,
    ),
    "precision": Metric(
        precision, "Precision",
        "the share of retrieved characters that are evidence, repeats counted as retrieved",
        "higher", "rate", _CHROMA,
    ),
    "iou": Metric(
        iou, "IoU",
        "evidence retrieved, over everything retrieved plus the evidence missed",
        "higher", "rate", _CHROMA,
    ),
    "distinct_docs": Metric(
        distinct_docs, "Distinct documents",
        "how many documents the results come from",
        "higher", "number", _OWN,
    ),
    "duplicate_slots": Metric(
        duplicate_slots, "Duplicate slots",
        "results that come from a document already among the results",
        "lower", "number", _OWN,
    ),
    "overlapping_slots": Metric(
        overlapping_slots, "Overlapping slots",
        "results that share text with a better-ranked result",
        "lower", "number", _OWN,
    ),
    "repeated_chars": Metric(
        repeated_chars, "Repeated characters",
        "the share of retrieved characters that a better-ranked result already held",
        "lower", "rate", _OWN,
    ),
    "retrieved_chars": Metric(
        retrieved_chars, "Retrieved characters",
        "characters handed on, repeats counted",
        "neither", "number", _OWN,
    ),
    "retrieved_words": Metric(
        retrieved_words, "Retrieved words",
        "words handed on, repeats counted",
        "neither", "number", _OWN,
    ),
}  # fmt: skip

# Metrics whose value for a question is 0 or 1, the ceiling of a question among them.
ZERO_OR_ONE = ("complete", "lenient_hit", "strict_hit", "answer", "query_containment")

AT_ONE: dict[str, Callable[[Results], Floats]] = {
    "strict_hit": _hit_first(_strict),
    "lenient_hit": _hit_first(_lenient),
}
