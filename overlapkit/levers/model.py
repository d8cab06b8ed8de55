"""A lever, and what it did to the lists of one setting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats
from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Document
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation
from overlapkit.evaluate.results import Results, cut_off
from overlapkit.gains.duplicates import judged
from overlapkit.levers.lists import DeepLists, Handed


class Setting(NamedTuple):
    """A number that a lever is set to, and what it means in a few words."""

    name: str
    value: float
    meaning: str


def _never(_: DeepLists) -> bool:
    return False


class Lever(NamedTuple):
    """A step after retrieval: what it hands on, and what that is in one sentence.

    ``once`` ends a sentence that begins with what overlap buys: "once …". ``idle`` tells
    where the chunks are such that the lever changes nothing, whatever is asked.
    """

    apply: Callable[[DeepLists], Handed]
    label: str
    meaning: str
    once: str
    settings: tuple[Setting, ...] = ()
    idle: Callable[[DeepLists], bool] = _never


class Candidate(NamedTuple):
    """A chunk that a lever looked at; ranks count from 0.

    ``start`` and ``end`` are code points of the document's text. ``rank_after`` is None
    where the chunk is not handed on up to the cut-off; of a chunk that went into a merged
    passage, it is the passage's. ``score_after`` is None where the lever gives no score.
    """

    query: int
    document: Document
    start: int
    end: int
    rank_before: int
    score_before: float
    rank_after: int | None
    score_after: float | None


@dataclass(frozen=True, slots=True, eq=False)
class LeverRun:
    """What a lever handed on: ``results`` up to the cut-off, from the chunks of a setting.

    The results of merged passages are numbered by ``handed.passages``.
    """

    chunks: ChunkSet
    handed: Handed
    results: Results

    def candidates(self, query: int) -> list[Candidate]:
        """Return the candidates of a query, by their rank before."""
        looked, ranked = self.handed.looked, self.handed.ranked
        found = []
        for at in range(int(looked.first[query]), int(looked.first[query + 1])):
            number, place = int(looked.chunk[at]), int(self.handed.place[at])
            score = float(ranked.score[ranked.first[query] + place]) if place >= 0 else np.nan
            found.append(
                Candidate(
                    query,
                    self.results.corpus.documents[int(self.chunks.doc[number])],
                    int(self.chunks.start[number]),
                    int(self.chunks.end[number]),
                    at - int(looked.first[query]),
                    float(looked.score[at]),
                    place if 0 <= place < self.results.count[query] else None,
                    None if np.isnan(score) else score,
                )
            )
        return found

    def columns(self, label: str) -> dict[str, Floats]:
        """Return every metric per query; those that an ``extent`` set withholds are NaN."""
        return judged(self.results, label)


def run_lever(engine: Engine, evaluation: Evaluation, lever: Lever) -> LeverRun:
    """Return what a lever makes of a setting's lists, up to the setting's own cut-off."""
    return pull(lever, DeepLists(engine, evaluation))


def pull(lever: Lever, lists: DeepLists) -> LeverRun:
    """Return the same from lists that several levers share."""
    handed, found = lever.apply(lists), lists.evaluation
    cutoff, encoding = found.run.cutoff, found.spec.encoding
    results = cut_off(lists.engine, handed.passages, handed.ranked, cutoff, encoding)
    return LeverRun(lists.chunks, handed, results)
