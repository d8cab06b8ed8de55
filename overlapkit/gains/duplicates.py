"""Ranked lists in which near-duplicates share one slot.

Two chunks are near-duplicates when they share text. The better-ranked keeps the slot, so
that a list of k holds k stretches of text that are apart from one another.
"""

from bisect import bisect_right

import numpy as np

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSet
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT, judge
from overlapkit.evaluate.results import Results, cut_off
from overlapkit.gains.depth import Best, Slots, fill, ranked_of, slots_of
from overlapkit.index import Index
from overlapkit.retrieve import Budget, Ranked, TopK


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
    slots = slots_of(engine, chunks, cutoff, encoding)

    def take(chunk: list[int], score: list[float]) -> tuple[Best, bool]:
        kept, full = apart(chunk, slots)
        return ([chunk[place] for place in kept], [score[place] for place in kept]), full

    asked = engine.query_terms
    found = fill(asked, index, ranking, slots.depth, take, which=which, known=known)
    return ranked_of([found.get(query, ([], [])) for query in range(len(engine.queries))])


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
    return judged(cut_off(engine, chunks, ranked, run.cutoff, encoding), run.cutoff.label)


def judged(results: Results, label: str) -> dict[str, Floats]:
    """Return every metric per query; those that an ``extent`` set withholds are NaN."""
    columns = judge(results, label)
    if results.queries_asked.kind == "extent":
        nothing = np.full(results.queries, np.nan)
        held = [name for name in columns if name.split("@")[0] in WITHHELD_FOR_EXTENT]
        columns |= dict.fromkeys(held, nothing)
    return columns


def apart(chunk: list[int], slots: Slots) -> tuple[list[int], bool]:
    """Return the places of the chunks to keep, and whether they fill the list."""
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
    return kept, room <= 0
