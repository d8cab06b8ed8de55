"""Ranked lists taken from the top until they are full, and made deeper where they are not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from overlapkit.arrays import Longs, spread
from overlapkit.chunkers import ChunkSet
from overlapkit.engine import Engine
from overlapkit.index import Index, QueryTerms
from overlapkit.retrieve import Budget, Ranked, TopK, rank
from overlapkit.tokens import count_tokens

_AT_ONCE = 1 << 20  # results ranked at a time, so that memory stays small

Taken = TypeVar("Taken")
Best: TypeAlias = tuple[list[int], list[float]]  # chunks and their scores, best first
# From a query's chunks and scores: what is taken of them, and whether that fills a list.
Take: TypeAlias = Callable[[list[int], list[float]], tuple[Taken, bool]]


class Slots(NamedTuple):
    """What a list can hold: ``room`` in all, of which each chunk takes its ``sizes``.

    ``start`` and ``end`` are the chunks' global code points.
    """

    start: list[int]
    end: list[int]
    sizes: list[int]
    room: int

    @property
    def depth(self) -> int:
        """How deep a list probably must reach: twice what would do if all were taken."""
        typical = int(np.median(self.sizes)) if self.sizes else 1
        return 2 * (self.room // max(typical, 1) + 1)


def slots_of(engine: Engine, chunks: ChunkSet, cutoff: TopK | Budget, encoding: str) -> Slots:
    """Return what a list can hold up to a cut-off; ``encoding`` counts a budget of tokens."""
    start, end = chunks.placed(engine.evidence.base)
    if isinstance(cutoff, TopK):
        sizes, room = np.ones(len(chunks), dtype=np.int64), cutoff.k
    elif cutoff.unit == "char":
        sizes, room = end - start, cutoff.size
    else:
        texts = [chunks.text(engine.corpus, number) for number in range(len(chunks))]
        sizes, room = count_tokens(texts, encoding), cutoff.size
    return Slots(start.tolist(), end.tolist(), sizes.tolist(), room)


def fill(
    queries: QueryTerms,
    index: Index | None,
    ranking: str,
    depth: int,
    take: Take[Taken],
    *,
    which: Longs | None = None,
    known: Ranked | None = None,
) -> dict[int, Taken]:
    """Return what ``take`` takes of each query's list, once that is deep enough.

    Lists are as deep as ``depth`` first and twice as deep each time, until they are full or
    at their end. ``which`` are the queries to answer; ``known`` are ranked lists at hand,
    looked through before deeper ones are made, or all there is where there is no ``index``.
    """
    waiting = np.arange(len(queries.first) - 1) if which is None else which
    found: dict[int, Taken] = {}
    if known is not None:
        for query, best in zip(waiting.tolist(), _lists(known, waiting), strict=True):
            taken, full = take(*best)
            if full or index is None:
                found[query] = taken
        waiting = np.setdiff1d(waiting, list(found))
    parts = [(waiting, depth)] if len(waiting) else []
    while parts and index is not None:
        waiting, depth = parts.pop()
        if len(waiting) > 1 and len(waiting) * min(depth, index.chunks) > _AT_ONCE:
            parts += [(half, depth) for half in np.array_split(waiting, 2)]
            continue
        ranked = rank(index, select(queries, waiting), ranking, depth)
        deeper = []
        for query, best in zip(waiting.tolist(), _lists(ranked), strict=True):
            taken, full = take(*best)
            if full or len(best[0]) < depth:
                found[query] = taken
            else:
                deeper.append(query)
        if deeper:
            parts.append((np.array(deeper), 2 * depth))
    return found


def select(queries: QueryTerms, which: Longs) -> QueryTerms:
    """Return some of the queries, in the order given; an index of all serves them."""
    count = np.diff(queries.first)[which]
    first = np.concatenate(([0], np.cumsum(count)))
    return replace(queries, first=first, slots=queries.slots[spread(queries.first[which], count)])


def ranked_of(lists: Sequence[Best]) -> Ranked:
    """Return the lists of all queries as arrays."""
    first = np.cumsum([0, *(len(chunk) for chunk, _ in lists)], dtype=np.int64)
    chunk = np.array([number for chunk, _ in lists for number in chunk], dtype=np.int64)
    score = np.array([value for _, score in lists for value in score], dtype=np.float64)
    return Ranked(first, chunk, score)


def _lists(ranked: Ranked, which: Longs | None = None) -> Iterator[Best]:
    """Yield the chunks and scores of each query, or of the given ones."""
    asked = range(len(ranked.first) - 1) if which is None else which.tolist()
    first, chunk, score = ranked.first.tolist(), ranked.chunk.tolist(), ranked.score.tolist()
    for query in asked:
        part = slice(first[query], first[query + 1])
        yield chunk[part], score[part]
