"""What of an evidence span stands in no chunk: another tool may leave text out."""

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers import ChunkSet
from overlapkit.diagnose.causes import Lack


class Cover:
    """Where chunks stand, as global code points; they may come in any order, nested or not."""

    def __init__(self, chunks: ChunkSet, base: Longs) -> None:
        start, end = chunks.placed(base)
        order = np.argsort(start, kind="stable")
        self._start = start[order]
        self._reach = np.maximum.accumulate(end[order])

    def lack(self, text: str, at: int) -> Lack | None:
        """Return what no chunk has of a text that begins at a global code point, if anything."""
        inner = trimmed(text)
        if inner is None:
            return None
        if self._holds(at + inner[0], at + inner[1]):
            return "edges"
        gaps = self._gaps(at, at + len(text))
        return "text" if any(text[low - at : high - at].strip() for low, high in gaps) else None

    def _holds(self, start: int, end: int) -> bool:
        before = int(np.searchsorted(self._start, start, side="right"))
        return before > 0 and int(self._reach[before - 1]) >= end

    def _gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a stretch that stand in no chunk."""
        first = int(np.searchsorted(self._start, start, side="right"))
        last = int(np.searchsorted(self._start, end, side="left"))
        reach = int(self._reach[first - 1]) if first else start
        begins = np.append(self._start[first:last], end)
        reached = np.maximum(np.append(reach, self._reach[first:last]), start)
        found = np.flatnonzero(begins > reached)
        return list(zip(reached[found].tolist(), begins[found].tolist(), strict=True))


def trimmed(text: str) -> tuple[int, int] | None:
    """Return the stretch of a text between the white space at its ends, None without any."""
    inner = text.strip()
    if not inner:
        return None
    start = text.index(inner[0])  # nothing before it is like it: that is white space
    return start, start + len(inner)
