"""Where chunks begin and end in a document, what each cut breaks, and what overlap repairs."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

import numpy as np
import numpy.typing as npt

from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Corpus, Document
from overlapkit.queries.model import Evidence, Query, QuerySet
from overlapkit.structure import Blocks

Longs = npt.NDArray[np.int64]

CutKind = Literal["word", "sentence", "table row", "code block", "letter", "evidence"]
State = Literal["whole in both", "repaired", "newly cut", "still cut", "longer than the chunk"]
STATES: tuple[State, ...] = (
    "whole in both", "repaired", "newly cut", "still cut", "longer than the chunk"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cut:
    """A boundary inside a document, with what it parts."""

    position: int
    kinds: tuple[CutKind, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One evidence span under the baseline and the chosen setting."""

    query: Query
    span: Evidence
    state: State
    chunks: int  # chosen chunks that hold the span whole


def cuts(
    document: Document, start: Longs, end: Longs, parts: Blocks, evidence: Sequence[Evidence] = ()
) -> tuple[Cut, ...]:
    """Return every place where a chunk begins or ends within a document's text.

    A place parts a span when it lies strictly inside it, whatever another chunk holds: the
    ledger says what overlap repairs.
    """
    text = document.text
    places = sorted({*start.tolist(), *end.tolist()} - {0, len(text)})
    lookups: list[tuple[CutKind, _Inside]] = [
        ("sentence", _Inside(parts.sentences)),
        ("table row", _Inside(parts.table_rows)),
        ("code block", _Inside(parts.code_blocks)),
    ]
    spans = sorted((span.start, span.end) for span in evidence)
    found = []
    for at in places:
        kinds: list[CutKind] = []
        if _parts_letter(text, at):
            kinds.append("letter")
        if _is_word(text[at - 1]) and _is_word(text[at]):
            kinds.append("word")
        kinds.extend(kind for kind, inside in lookups if inside.holds(at))
        if any(first < at < last for first, last in spans):
            kinds.append("evidence")
        found.append(Cut(at, tuple(kinds)))
    return tuple(found)


class _Inside:
    """Tells whether a place lies strictly inside one of disjoint, ordered spans."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def holds(self, at: int) -> bool:
        index = bisect_right(self.starts, at) - 1
        return index >= 0 and self.starts[index] < at < self.ends[index]


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _parts_letter(text: str, at: int) -> bool:
    """Tell whether a place parts a letter from a combining mark or joins of one character."""
    return (
        category(text[at])[0] == "M"
        or text[at] == "\u200d"
        or text[at - 1] == "\u200d"
        or "\U0001f3fb" <= text[at] <= "\U0001f3ff"
        or text[at - 1 : at + 1] == "\r\n"
    )


def ledger(
    corpus: Corpus, queries: QuerySet, baseline: ChunkSet, chosen: ChunkSet
) -> tuple[LedgerLine, ...]:
    """Return every evidence span with what became of it between two settings."""
    held_before = _Holders(corpus, baseline)
    held_after = _Holders(corpus, chosen)
    longest = int(chosen.lengths().max(initial=0))
    lines = []
    for query in queries:
        for span in query.evidence:
            before, after = held_before.count(span), held_after.count(span)
            lines.append(LedgerLine(query, span, _state(before, after, span, longest), after))
    return tuple(lines)


def _state(before: int, after: int, span: Evidence, longest: int) -> State:
    if before and after:
        return "whole in both"
    if after:
        return "repaired"
    if span.end - span.start > longest:
        return "longer than the chunk"
    return "newly cut" if before else "still cut"


class _Holders:
    """Counts the chunks that hold a span whole."""

    def __init__(self, corpus: Corpus, chunks: ChunkSet) -> None:
        self.place = {document.name: index for index, document in enumerate(corpus.documents)}
        self.chunks = chunks

    def count(self, span: Evidence) -> int:
        part = self.chunks.of_document(self.place[span.document])
        start, end = self.chunks.start[part], self.chunks.end[part]
        # Starts and ends both rise: those that begin in time and end late enough are a range.
        last = int(np.searchsorted(start, span.start, side="right"))
        first = int(np.searchsorted(end, span.end, side="left"))
        return max(last - first, 0)


def tally(lines: Sequence[LedgerLine]) -> dict[State, int]:
    """Return how many spans are in each state, every state named."""
    counts = dict.fromkeys(STATES, 0)
    for line in lines:
        counts[line.state] += 1
    return counts
