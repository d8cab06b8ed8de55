"""rank-bm25 itself beside our engine, on one setting: the same chunks, order and scores."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from rank_bm25 import BM25Okapi

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.engine import Engine, prepare
from overlapkit.retrieve import Ranked, TopK
from overlapkit.terms import term_function


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of the comparison.

    ``queries`` were compared, of which ``differing`` ranked other chunks or the same ones in
    another order; ``largest_difference`` is that of the scores of our ``k`` results. Both
    times run from the documents' texts to the ranked chunks.
    """

    spec: ChunkSpec
    terms: str
    k: int
    chunks: int
    queries: int
    differing: int
    largest_difference: float
    our_seconds: float
    their_seconds: float

    @property
    def same(self) -> bool:
        """Whether nothing differs, to the last bit."""
        return self.differing == 0 and self.largest_difference == 0


def verify(
    engine: Engine,
    spec: ChunkSpec,
    k: int = 5,
    on_progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    limit: int | None = None,
) -> Verification:
    """Rank every query with rank-bm25 over each chunk's own terms, and hold ours against it.

    rank-bm25's results are the chunks that share a term with the query, by falling score,
    then in chunk order. ``on_progress`` gets (done, total) after each query; ``cancelled``
    is asked after each and ends the comparison with the queries so far. ``limit`` takes
    the first queries only.

    Raises SettingsError for a ``k`` outside its rule.
    """
    cutoff = TopK(k)
    queries = replace(engine.queries, queries=engine.queries.queries[:limit])
    began = perf_counter()
    # Prepared once more, so that our time holds all the work that theirs does.
    ours = prepare(engine.corpus, queries, engine.terms.name)
    chunks = ours.chunk(spec)
    ranked = ours.rank(chunks, ours.index(chunks), "okapi", (cutoff,))
    our_seconds = perf_counter() - began

    began, elsewhere = perf_counter(), 0.0
    done = differing = 0
    largest = 0.0
    for order, scores in _reference(ours, chunks, k):
        paused = perf_counter()
        found, gained = _results(ranked, done)
        differing += found.tolist() != order.tolist()
        largest = max(largest, float(np.abs(gained - scores[found]).max(initial=0.0)))
        done += 1
        if on_progress:
            on_progress(done, len(queries))
        stop = cancelled is not None and cancelled()
        elsewhere += perf_counter() - paused
        if stop:
            break
    their_seconds = perf_counter() - began - elsewhere
    return Verification(
        spec, engine.terms.name, k, len(chunks), done, differing, largest,
        our_seconds, their_seconds,
    )  # fmt: skip


def _results(ranked: Ranked, query: int) -> tuple[Longs, Floats]:
    results = slice(int(ranked.first[query]), int(ranked.first[query + 1]))
    return ranked.chunk[results], ranked.score[results]


def _reference(engine: Engine, chunks: ChunkSet, k: int) -> Iterator[tuple[Longs, Floats]]:
    """Yield for each query rank-bm25's k best chunks, and its score of every chunk."""
    terms_of = term_function(engine.terms.name).terms
    read = [terms_of(chunks.text(engine.corpus, index)) for index in range(len(chunks))]
    holders: dict[str, list[int]] = {}
    for index, terms in enumerate(read):
        for term in dict.fromkeys(terms):
            holders.setdefault(term, []).append(index)
    index_of_all = BM25Okapi(read) if holders else None  # it divides by the number of terms
    for query in engine.queries:
        asked = terms_of(query.text)
        sharing = sorted({index for term in set(asked) for index in holders.get(term, ())})
        shared = np.array(sharing, dtype=np.int64)
        scores = np.zeros(len(chunks))
        if index_of_all is not None:
            scores = index_of_all.get_scores(asked)
        yield shared[np.argsort(-scores[shared], kind="stable")[:k]], scores
