"""Ranked lists in which near-duplicates share one slot.

Two chunks are near-duplicates when they share text. The better-ranked keeps the slot, so
that a list of k holds k stretches of text that are apart from one another.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from overlapkit.arrays import Floats, Longs, spread
from overlapkit.chunkers import ChunkSet
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT, judge
from overlapkit.evaluate.results import cut_off
from overlapkit.index import Index, QueryTerms
from overlapkit.retrieve import Budget, Ranked, TopK, rank
from overlapkit.tokens import count_tokens

_AT_ONCE = 1 << 20  # results ranked at a time, so that memory stays small


Best: TypeAlias = tuple[list[int], list[float]]  # chunks and their scores, best first


class _Slots(NamedTuple):
    """What a list can hold: ``room`` in all, of which each chunk takes its ``sizes``.

    ``start`` and ``end`` are the chunks' global code points.
    """

    start: list[int]
    end: list[int]
    sizes: list[int]
    room: int


def collapse(
    engine: Engine,
    chunks: ChunkSet,
    index: Index | None,
    ranking: str,
    cutoff: TopK | Budget,
    *,
    encoding: str = "cl100k_base",
    which: Longs | None = None,
    known: Ranked | None = None,
) -> Ranked:
    """Return each query's best chunks of which no two share text, up to the cut-off.

    A chunk is left out when it shares text with a better-ranked one that was kept, and the
    next ones move up, until k are kept, the budget is full or no chunk is left. ``which``
    are the queries to answer (the others' lists are empty); ``known`` are ranked lists at
    hand, looked through before deeper ones are made, or all there is where there is no
    ``index``; ``encoding`` is the vocabulary that a budget of tokens counts.
    """
    slots = _slots(engine, chunks, cutoff, encoding)
    asked = len(engine.queries)
    waiting = np.arange(asked) if which is None else which
    found: dict[int, Best] = {}
    if known is not None:
        for query, best in zip(waiting.tolist(), _lists(known, waiting), strict=True):
            kept, full = _apart(*best, slots)
            if full or index is None:
                found[query] = kept
        waiting = np.setdiff1d(waiting, list(found))
    parts = [(waiting, _depth(slots))] if len(waiting) else []
    while parts and index is not None:
        waiting, depth = parts.pop()
        if len(waiting) > 1 and len(waiting) * min(depth, len(chunks)) > _AT_ONCE:
            parts += [(half, depth) for half in np.array_split(waiting, 2)]
            continue
        ranked = rank(index, select(engine.query_terms, waiting), ranking, depth)
        deeper = []
        for query, best in zip(waiting.tolist(), _lists(ranked), strict=True):
            kept, full = _apart(*best, slots)
            if full or len(best[0]) < depth:
                found[query] = kept
            else:
                deeper.append(query)
        if deeper:
            parts.append((np.array(deeper), 2 * depth))
    return _ranked([found.get(query, ([], [])) for query in range(asked)])


def collapsed_evaluation(engine: Engine, evaluation: Evaluation) -> dict[str, Floats]:
    """Return every metric per query as if near-duplicates shared one slot.

    Columns are named as in the evaluation; those that an ``extent`` set withholds are NaN.
    The list of another retriever is looked through as far as it goes.
    """
    chunks, run, encoding = evaluation.chunks, evaluation.run, evaluation.spec.encoding
    index = engine.index(chunks) if evaluation.ranked_here else None
    ranked = collapse(
        engine, chunks, index, run.ranking, run.cutoff,
        encoding=encoding, known=evaluation.ranked,
    )  # fmt: skip
    results = cut_off(engine, chunks, ranked, run.cutoff, encoding)
    columns = judge(results, run.cutoff.label)
    if engine.queries.kind == "extent":
        nothing = np.full(len(engine.queries), np.nan)
        held = [name for name in columns if name.split("@")[0] in WITHHELD_FOR_EXTENT]
        columns |= dict.fromkeys(held, nothing)
    return columns


def select(queries: QueryTerms, which: Longs) -> QueryTerms:
    """Return some of the queries, in the order given; an index of all serves them."""
    count = np.diff(queries.first)[which]
    first = np.concatenate(([0], np.cumsum(count)))
    return replace(queries, first=first, slots=queries.slots[spread(queries.first[which], count)])


def _slots(engine: Engine, chunks: ChunkSet, cutoff: TopK | Budget, encoding: str) -> _Slots:
    start, end = chunks.placed(engine.evidence.base)
    if isinstance(cutoff, TopK):
        sizes, room = np.ones(len(chunks), dtype=np.int64), cutoff.k
    elif cutoff.unit == "char":
        sizes, room = end - start, cutoff.size
    else:
        texts = [chunks.text(engine.corpus, number) for number in range(len(chunks))]
        sizes, room = count_tokens(texts, encoding), cutoff.size
    return _Slots(start.tolist(), end.tolist(), sizes.tolist(), room)


def _depth(slots: _Slots) -> int:
    """Return how deep a list probably must reach: twice what would do without duplicates."""
    typical = int(np.median(slots.sizes)) if slots.sizes else 1
    return 2 * (slots.room // max(typical, 1) + 1)


def _lists(ranked: Ranked, which: Longs | None = None) -> Iterator[Best]:
    """Yield the chunks and scores of each query, or of the given ones."""
    asked = range(len(ranked.first) - 1) if which is None else which.tolist()
    first, chunk, score = ranked.first.tolist(), ranked.chunk.tolist(), ranked.score.tolist()
    for query in asked:
        part = slice(first[query], first[query + 1])
        yield chunk[part], score[part]


def _apart(chunk: list[int], score: list[float], slots: _Slots) -> tuple[Best, bool]:
    """Return the chunks to keep with their scores, and whether they fill the list."""
    kept: list[int] = []
    begins: list[int] = []  # of those kept, in the order of the text
    ends: list[int] = []
    room = slots.room
    for place, number in enumerate(chunk):
        start, end = slots.start[number], slots.end[number]
        at = bisect_right(begins, start)  # those kept share no text, so both edges rise
        if (at and ends[at - 1] > start) or (at < len(begins) and begins[at] < end):
            continue
        begins.insert(at, start)
        ends.insert(at, end)
        kept.append(place)
        room -= slots.sizes[number]
        if room <= 0:
            break
    return ([chunk[place] for place in kept], [score[place] for place in kept]), room <= 0


def _ranked(lists: Sequence[Best]) -> Ranked:
    first = np.cumsum([0, *(len(chunk) for chunk, _ in lists)], dtype=np.int64)
    chunk = np.array([number for chunk, _ in lists for number in chunk], dtype=np.int64)
    score = np.array([value for _, score in lists for value in score], dtype=np.float64)
    return Ranked(first, chunk, score)
