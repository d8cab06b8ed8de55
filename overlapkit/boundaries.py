"""Where chunks begin and end in a document, what each cut breaks, and what overlap repairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

import numpy as np

from overlapkit.arrays import Longs, Mask
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import Corpus, Document
from overlapkit.engine import Engine
from overlapkit.queries.model import Evidence, Query
from overlapkit.structure import Blocks

CutKind = Literal["word", "sentence", "table row", "code block", "letter", "evidence"]
# The view in the browser knows kinds and states by their place in these (pure.js).
CUT_KINDS: tuple[CutKind, ...] = (
    "word", "sentence", "table row", "code block", "letter", "evidence"
)  # fmt: skip

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
    edges = np.union1d(start, end)
    places = edges[(edges > 0) & (edges < len(text))]
    at = places.tolist()
    parted: dict[CutKind, Mask] = {
        "word": np.array([_is_word(text[i - 1]) and _is_word(text[i]) for i in at], dtype=bool),
        "sentence": _inside(places, parts.sentences),
        "table row": _inside(places, parts.table_rows),
        "code block": _inside(places, parts.code_blocks),
        "letter": np.array([_parts_letter(text, i) for i in at], dtype=bool),
        "evidence": _inside(places, sorted((span.start, span.end) for span in evidence)),
    }
    masks = [parted[kind].tolist() for kind in CUT_KINDS]
    return tuple(
        Cut(place, tuple(kind for kind, holds in zip(CUT_KINDS, found, strict=True) if holds))
        for place, *found in zip(at, *masks, strict=True)
    )


def _inside(places: Longs, spans: Sequence[tuple[int, int]]) -> Mask:
    """Tell which places lie strictly inside a span; spans are ordered by start."""
    if not spans:
        return np.zeros(len(places), dtype=bool)
    starts, ends = np.array(spans, dtype=np.int64).T
    reach = np.maximum.accumulate(ends)  # spans of evidence may overlap
    before = np.searchsorted(starts, places, side="left") - 1
    return (before >= 0) & (reach[before] > places)


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
    engine: Engine, baseline: ChunkSet, chosen: ChunkSpec, document: str | None = None
) -> tuple[LedgerLine, ...]:
    """Return the evidence spans (of one document, if named) and what became of each.

    A span is longer than the chunk when it meets more units than the chosen size.
    """
    held_before = _Holders(engine.corpus, baseline)
    held_after = _Holders(engine.corpus, engine.chunk(chosen))
    spans = engine.evidence.spans
    units = engine.units(chosen.unit, chosen.encoding)
    length = units.met(spans.start, spans.end)
    too_long = iter((length > chosen.size).tolist())
    lines = []
    for query in engine.queries:
        for span, longer in zip(query.evidence, too_long, strict=False):
            if document is None or span.document == document:
                before, after = held_before.count(span), held_after.count(span)
                lines.append(LedgerLine(query, span, _state(before, after, longer), after))
    return tuple(lines)


def _state(before: int, after: int, longer: bool) -> State:
    if before and after:
        return "whole in both"
    if after:
        return "repaired"
    if longer:
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
