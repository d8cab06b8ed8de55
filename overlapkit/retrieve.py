"""Ranking: postings to the ranked chunks of each query.

A new ranking is a function from an index to one weight per posting and a line in
``RANKINGS``. Scores add a query's terms in the query's order, repeats repeated, from 0.0,
which for ``okapi`` gives rank-bm25's scores to the bit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Longs, spread
from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.index import Index, QueryTerms, idf_of
from overlapkit.scoring import Candidates, candidates

MAX_K = 1000


# --- weights ----------------------------------------------------------------------------


def okapi_idf(index: Index) -> Floats:
    """Return rank-bm25's idf per slot: a negative one becomes 0.25 times the mean idf."""
    values = idf_of(index.document_frequency, index.chunks)
    negative = (values < 0) & (index.document_frequency > 0)
    if negative.any():
        values[negative] = 0.25 * index.mean_idf
    return values


def okapi(index: Index) -> Floats:
    """BM25Okapi of rank-bm25 0.2.2 with its defaults: k1 1.5, b 0.75, epsilon 0.25."""
    k1, b = 1.5, 0.75
    norm = k1 * (1 - b + b * index.ranges.lengths / index.average_length)
    share = index.frequency * (k1 + 1) / (index.frequency + norm[index.chunk])
    return index.per_posting(okapi_idf(index)) * share


def lucene_idf(index: Index) -> Floats:
    """Return the always-positive idf ``ln(1 + (N - n + 0.5) / (n + 0.5))`` per slot."""
    n = index.document_frequency
    values: Floats = np.log(1 + (index.chunks - n + 0.5) / (n + 0.5))
    return values


def lucene(index: Index) -> Floats:
    """BM25 as Lucene, Elasticsearch and OpenSearch serve it: k1 1.2, b 0.75, exact lengths."""
    k1, b = 1.2, 0.75
    norm = k1 * (1 - b + b * index.ranges.lengths / index.average_length)
    idf = index.per_posting(lucene_idf(index))
    return idf * index.frequency / (index.frequency + norm[index.chunk])


def count(index: Index) -> Floats:
    """One per query term that the chunk holds, unweighted."""
    return np.ones(len(index.chunk))


class Ranking(NamedTuple):
    """A ranking: its weight per posting, and what it is in one sentence."""

    weights: Callable[[Index], Floats]
    label: str
    meaning: str
    repeats: bool = True  # whether a term repeated in the query counts again


RANKINGS: dict[str, Ranking] = {
    "okapi": Ranking(okapi, "BM25", "BM25Okapi as rank-bm25 computes it, to the bit"),
    "lucene": Ranking(lucene, "Lucene BM25", "BM25 with Lucene's idf, which is never negative"),
    "count": Ranking(
        count, "term count", "how many of the query's terms the chunk holds", repeats=False
    ),
}


# --- what to ask for --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopK:
    """Cut off after ``k`` chunks, 1 to 1000."""

    k: int = 5

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k <= MAX_K:
            raise SettingsError(f"k must be a whole number in 1..{MAX_K}; got {self.k!r}")

    @property
    def label(self) -> str:
        """The suffix of column names, such as ``5``."""
        return str(self.k)


@dataclass(frozen=True, slots=True)
class Budget:
    """Cut off when ``size`` characters or tokens of context are full.

    Ranked chunks are taken until the budget is full and the last is truncated to fit;
    ``tail="drop"`` leaves that one out and stops. Repeats count.
    """

    size: int = 4000
    unit: str = "char"
    tail: str = "truncate"

    def __post_init__(self) -> None:
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 1:
            raise SettingsError(f"budget must be a whole number of at least 1; got {self.size!r}")
        if self.unit not in ("char", "token"):
            raise unknown_choice("budget unit", self.unit, ("char", "token"))
        if self.tail not in ("truncate", "drop"):
            raise unknown_choice("budget tail", self.tail, ("truncate", "drop"))

    @property
    def label(self) -> str:
        """The suffix of column names, such as ``4000c`` or ``1000t``, whatever the tail."""
        return f"{self.size}{self.unit[0]}"


@dataclass(frozen=True, slots=True)
class RunSpec:
    """How chunks are ranked and where the list is cut off."""

    ranking: str = "okapi"
    terms: str = "auto"
    cutoff: TopK | Budget = TopK(5)

    def __post_init__(self) -> None:
        if self.ranking not in RANKINGS:
            raise unknown_choice("ranking", self.ranking, RANKINGS)


# --- ranked lists -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The best chunks of each query: ``chunk[first[q]:first[q + 1]]``, best first.

    A chunk that shares no term with the query is not among them. Ties in score stand in
    chunk order, which is document name, then start.
    """

    first: Longs
    chunk: Longs
    score: Floats

    @property
    def query(self) -> Longs:
        """The query of each result."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    @property
    def rank(self) -> Longs:
        """The rank of each result, from 0."""
        return spread(np.zeros_like(self.first[:-1]), np.diff(self.first))


def rank(index: Index, queries: QueryTerms, ranking: str = "okapi", k: int = 5) -> Ranked:
    """Return the ``k`` best chunks of each query.

    Raises SettingsError for a ranking that the table does not hold.
    """
    if ranking not in RANKINGS:
        raise unknown_choice("ranking", ranking, RANKINGS)
    asked = len(queries.first) - 1
    if not index.chunks or not len(index.chunk):
        empty = np.zeros(0, dtype=np.int64)
        return Ranked(np.zeros(asked + 1, dtype=np.int64), empty, np.zeros(0))
    weights = RANKINGS[ranking].weights(index)
    if not RANKINGS[ranking].repeats:
        queries = _without_repeats(queries)
    return _ranked(asked, k, candidates(index, queries, weights, k))


def _without_repeats(queries: QueryTerms) -> QueryTerms:
    """Return the queries with each term once: counting asks which terms are there."""
    slots: list[int] = []
    first = [0]
    for begin, end in pairwise(queries.first.tolist()):
        slots.extend(dict.fromkeys(queries.slots[begin:end].tolist()))
        first.append(len(slots))
    return QueryTerms(
        np.array(first, dtype=np.int64),
        np.array(slots, dtype=np.int64),
        queries.slot_of,
        queries.distinct,
        queries.at,
        queries.at_slot,
    )


def _ranked(asked: int, k: int, found: Candidates) -> Ranked:
    count = np.bincount(found.query, minlength=asked)
    keep = spread(np.zeros_like(count), count) < k
    first = np.concatenate(([0], np.cumsum(np.minimum(count, k))))
    return Ranked(first, found.chunk[keep], found.score[keep])
