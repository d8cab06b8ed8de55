"""Spans of chunks and of units, as arrays. Text is never stored: it is ``text[start:end]``."""

from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.corpus import Corpus


@dataclass(frozen=True, slots=True, eq=False)
class ChunkSet:
    """Chunks in document order; starts and ends both rise within a document.

    ``doc`` is the document's index in its corpus; ``start`` and ``end`` are code points of
    its stored text, half open. ``widened`` counts tokens that cut a character and were
    widened to whole ones; ``merged`` counts windows that fell together that way.
    """

    doc: Longs
    start: Longs
    end: Longs
    widened: int = 0
    merged: int = 0

    def __post_init__(self) -> None:
        for array in (self.doc, self.start, self.end):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.start)

    def lengths(self) -> Longs:
        """Return the code points of each chunk."""
        return self.end - self.start

    def placed(self, base: Longs) -> tuple[Longs, Longs]:
        """Return starts and ends as global code points, document ``d`` beginning at ``base[d]``."""
        shift = base[self.doc]
        return self.start + shift, self.end + shift

    def of_document(self, doc: int) -> slice:
        """Return the slice of chunks that belong to a document."""
        first, last = np.searchsorted(self.doc, [doc, doc + 1])
        return slice(int(first), int(last))

    def text(self, corpus: Corpus, index: int) -> str:
        """Return a chunk's text."""
        document = corpus.documents[int(self.doc[index])]
        return document.text[int(self.start[index]) : int(self.end[index])]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Unit spans of a corpus, document after document.

    Units ``first[d]:first[d + 1]`` belong to document ``d``, which begins at ``base[d]``;
    ``starts`` and ``ends`` are global code points. For characters they are None: unit ``i``
    of a document is its code point ``i``.
    """

    base: Longs
    first: Longs
    starts: Longs | None
    ends: Longs | None
    widened: int = 0

    def met(self, start: Longs, end: Longs) -> Longs:
        """Return how many units each stretch of global code points meets, cut ones included."""
        first, last = self.counts(start, end)
        met: Longs = np.maximum(last - first, 0)
        return met

    def counts(self, start: Longs, end: Longs) -> tuple[Longs, Longs]:
        """Return how many units end by each start, and how many begin before each end.

        Whatever start and end are paired, they meet as many units as these numbers differ by.
        """
        if self.starts is None or self.ends is None:
            return start, end
        first = np.searchsorted(self.ends, start, side="right")
        return first, np.searchsorted(self.starts, end, side="left")
