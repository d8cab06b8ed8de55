"""Chunks of whole sentences, list items, table rows and code statements, section by section."""

from collections.abc import Callable

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.fitting import fit
from overlapkit.chunkers.pieces import Pieces
from overlapkit.chunkers.spans import ChunkSet, Units
from overlapkit.chunkers.spec import ChunkSpec
from overlapkit.corpus import Corpus


def packed(corpus: Corpus, spec: ChunkSpec, units: Units, pieces: Callable[[], Pieces]) -> ChunkSet:
    """Return chunks of whole pieces, as many in a row as the size has room for.

    A piece is a sentence, a table row, a statement of code or a heading, and a list item
    that fits in a chunk. Only what is longer than the size is parted: an item into its
    sentences, else a piece into its lines, those into words and a word into units. So each
    piece that fits lies whole in some chunk. A heading begins a new chunk, unless nothing
    but headings stands above it in this one, and no chunk reaches across it.

    A chunk begins with the longest run of pieces that the one before it, in its section,
    ends with and that has at most ``overlap`` units; with fewer where the next piece would
    have no room. Lengths are those of ``Units.met``. White space at the edges of a chunk is
    left out.
    """
    parts = fit(corpus, pieces(), units, spec.size)
    closing = np.searchsorted(parts.section, parts.section, side="right") - 1
    first, last = _runs(*units.counts(parts.start, parts.end), closing, spec)
    doc = parts.doc[first]
    base = units.base[doc]
    return ChunkSet(doc, parts.start[first] - base, parts.end[last] - base)


def _runs(low: Longs, high: Longs, closing: Longs, spec: ChunkSpec) -> tuple[Longs, Longs]:
    """Return the first and the last part of each chunk.

    Parts ``i`` to ``j`` have ``high[j] - low[i]`` units; ``closing`` is the last part of each
    one's section.
    """
    own = np.arange(len(low))
    last = np.searchsorted(high, low + spec.size, side="right") - 1
    last = np.clip(last, own, closing)
    # Where the chunk begins that follows one with this as its last part.
    behind = np.minimum(own + 1, closing)
    after = np.searchsorted(low, np.maximum(high - spec.overlap, high[behind] - spec.size))
    after = np.where(own == closing, own + 1, np.minimum(after, own + 1))
    ends, follows = last.tolist(), after.tolist()
    begin, at = [], 0
    while at < len(ends):
        begin.append(at)
        at = max(follows[ends[at]], at + 1)
    first = np.array(begin, dtype=np.int64)
    return first, last[first]
