"""Parts of text that fit a size: pieces joined where they may be, parted where they must be."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.pieces import Pieces
from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus

_SPACE = re.compile(r"\s+")
_NEWLINES = frozenset("\r\n")


class Parts(NamedTuple):
    """Spans in order, in global code points, with the document and the section of each."""

    doc: Longs
    start: Longs
    end: Longs
    section: Longs


class Edges(NamedTuple):
    """Where the parts of one span begin and end, in global code points."""

    start: Longs
    end: Longs


def fit(corpus: Corpus, pieces: Pieces, units: Units, size: int) -> Parts:
    """Return the largest parts of a corpus's text that have at most ``size`` units.

    A group is one part. Where that is too long its pieces are, then the lines of those, then
    their words, then single units. A character that alone has more units than that is left.
    """

    def lines(doc: int, start: int, end: int) -> Edges:
        return _between(text_of(doc, start, end), start, _has_newline)

    def words(doc: int, start: int, end: int) -> Edges:
        return _between(text_of(doc, start, end), start, bool)

    def single(_: int, start: int, end: int) -> Edges:
        return _single(units, start, end)

    def text_of(doc: int, start: int, end: int) -> str:
        base = int(units.base[doc])
        return corpus.documents[doc].text[start - base : end - base]

    parts = _groups(pieces, units, size)
    for divide in (lines, words, single):
        parts = _divided(parts, units, size, divide)
    return parts


def _groups(pieces: Pieces, units: Units, size: int) -> Parts:
    """Return each group that fits as one part, and of the others the pieces."""
    opens = np.flatnonzero(np.diff(pieces.group, prepend=0))
    closes = np.flatnonzero(np.diff(pieces.group, append=-1))
    fits = units.met(pieces.start[opens], pieces.end[closes]) <= size
    kept = np.repeat(~fits, closes - opens + 1)
    kept[opens] = True
    end = pieces.end.copy()
    end[opens[fits]] = pieces.end[closes[fits]]
    return Parts(pieces.doc[kept], pieces.start[kept], end[kept], pieces.section[kept])


def _divided(
    parts: Parts, units: Units, size: int, divide: Callable[[int, int, int], Edges]
) -> Parts:
    """Return the parts with those that are too long divided."""
    long = units.met(parts.start, parts.end) > size
    if not long.any():
        return parts
    columns = (parts.doc[long].tolist(), parts.start[long].tolist(), parts.end[long].tolist())
    found = [divide(*span) for span in zip(*columns, strict=True)]
    counts = np.ones(len(long), dtype=np.int64)
    counts[long] = [len(edges.start) for edges in found]
    doc, start, end, section = (np.repeat(column, counts) for column in parts)
    new = np.repeat(long, counts)
    start[new] = np.concatenate([edges.start for edges in found])
    end[new] = np.concatenate([edges.end for edges in found])
    return Parts(doc, start, end, section)


def _between(text: str, start: int, parting: Callable[[str], bool]) -> Edges:
    """Return what stands between those runs of white space, within a text, that part it."""
    found = [space.span() for space in _SPACE.finditer(text) if parting(space[0])]
    gaps = np.array(found, dtype=np.int64).reshape(-1, 2) + start
    return Edges(np.append(start, gaps[:, 1]), np.append(gaps[:, 0], start + len(text)))


def _has_newline(space: str) -> bool:
    return not _NEWLINES.isdisjoint(space)


def _single(units: Units, start: int, end: int) -> Edges:
    """Return the units of a word, those that begin within one character as one."""
    if units.starts is None:
        starts = np.arange(start, end, dtype=np.int64)
    else:
        first, last = np.searchsorted(units.starts, (start + 1, end))
        starts = np.append(start, np.unique(units.starts[first:last]))
    return Edges(starts, np.append(starts[1:], end))
