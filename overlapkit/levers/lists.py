"""What a lever is given, the ranked lists of a setting, and what it hands on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Longs, spread
from overlapkit.chunkers import ChunkSet
from overlapkit.engine import Engine
from overlapkit.errors import SettingsError
from overlapkit.evaluate import Evaluation
from overlapkit.gains.depth import Slots, Take, Taken, fill, ranked_of, slots_of
from overlapkit.index import ChunkTerms, Index, chunk_terms
from overlapkit.retrieve import MAX_K, Ranked, rank

POOL = 50  # chunks of a list that a lever puts into another order


@dataclass(frozen=True, eq=False)
class DeepLists:
    """The candidates of a setting: ranked lists, as deep as a lever asks for.

    Another retriever's lists go as far as they go.
    """

    engine: Engine
    evaluation: Evaluation

    @property
    def chunks(self) -> ChunkSet:
        """The chunks that the lists rank."""
        return self.evaluation.chunks

    @cached_property
    def index(self) -> Index | None:
        """The postings that deeper lists come from."""
        return self.engine.index(self.chunks) if self.evaluation.ranked_here else None

    @cached_property
    def slots(self) -> Slots:
        """What a list can hold up to the cut-off."""
        found = self.evaluation
        return slots_of(self.engine, self.chunks, found.run.cutoff, found.spec.encoding)

    @cached_property
    def terms(self) -> ChunkTerms:
        """Which terms each chunk holds."""
        if self.index is not None:
            return self.index.ranges
        return chunk_terms(self.engine.stream, self.chunks)

    @cached_property
    def _known(self) -> Ranked:
        return self._deep(POOL)

    def head(self, pool: int) -> Ranked:
        """Return lists of at least ``pool`` chunks that fill the cut-off, as far as they go."""
        return self._known if pool == POOL else self._deep(pool)

    def _deep(self, pool: int) -> Ranked:
        found = self.evaluation
        if self.index is None:
            return found.ranked
        depth = max(pool, int(np.diff(found.ranked.first).max(initial=0)))
        return rank(self.index, self.engine.query_terms, found.run.ranking, depth)

    def fill(self, take: Take[Taken]) -> list[Taken]:
        """Return what ``take`` takes of each query's list, once that is deep enough."""
        known = self._known
        depth = 2 * max(POOL, int(np.diff(known.first).max(initial=0)))
        asked, ranking = self.engine.query_terms, self.evaluation.run.ranking
        found = fill(asked, self.index, ranking, depth, take, known=known)
        return [found[query] for query in range(len(found))]


class Handed(NamedTuple):
    """What a lever hands on, before the cut-off.

    ``ranked`` are the passages of each query, best first, by their number in ``passages``;
    a score that the lever does not give is NaN. ``looked`` are the candidates it looked at,
    by their rank before; ``place`` is, for each of them, the rank of its passage after, or
    -1 where it was left out.
    """

    looked: Ranked
    passages: ChunkSet
    ranked: Ranked
    place: Longs


class Kept(NamedTuple):
    """What stays of one query's list: the chunks looked at, and the places of those kept."""

    chunk: list[int]
    score: list[float]
    places: list[int]


def keep(chunks: ChunkSet, lists: Sequence[Kept]) -> Handed:
    """Return the chunks kept, in the order they stood in, with the scores they had."""
    looked = ranked_of([(one.chunk, one.score) for one in lists])
    kept = [one.places for one in lists]
    count = np.array([len(places) for places in kept], dtype=np.int64)
    flat = np.array([place for places in kept for place in places], dtype=np.int64)
    return _in_order(chunks, looked, np.repeat(looked.first[:-1], count) + flat, looked.score)


def reorder(chunks: ChunkSet, looked: Ranked, score: Floats) -> Handed:
    """Return each list by falling score, one per chunk looked at.

    Chunks of equal score stand as they stood; so do those of none (NaN), behind the others.
    """
    order = np.lexsort((looked.rank, -score, looked.query))
    return _in_order(chunks, looked, order, score)


def _in_order(chunks: ChunkSet, looked: Ranked, order: Longs, score: Floats) -> Handed:
    """Return the candidates numbered by ``order``, grouped by query, as what is handed on."""
    count = np.bincount(looked.query[order], minlength=len(looked.first) - 1)
    first = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
    place = np.full(len(looked.chunk), -1, dtype=np.int64)
    place[order] = spread(np.zeros_like(count), count)
    return Handed(looked, chunks, Ranked(first, looked.chunk[order], score[order]), place)


def relevance(ranked: Ranked, pool: int) -> Floats:
    """Return the scores of each query's first ``pool`` chunks over its best; NaN beyond them.

    Where scores fall below 0, all of the query's are moved up until the lowest is 0; where
    they are all 0, each counts 1.
    """
    inside = ranked.rank < pool
    query, score = ranked.query[inside], ranked.score[inside]
    queries = len(ranked.first) - 1
    lowest, best = np.zeros(queries), np.full(queries, -np.inf)
    np.minimum.at(lowest, query, score)
    np.maximum.at(best, query, score)
    moved, whole = score - lowest[query], (best - lowest)[query]
    found = np.full(len(ranked.chunk), np.nan)
    found[inside] = np.divide(moved, whole, out=np.ones(len(moved)), where=whole > 0)
    return found


def check_pool(pool: int) -> None:
    """Raise SettingsError unless a pool is a whole number in 1..1000."""
    if isinstance(pool, bool) or not isinstance(pool, int) or not 1 <= pool <= MAX_K:
        raise SettingsError(f"pool must be a whole number in 1..{MAX_K}; got {pool!r}")
