"""Sentences of what is prose."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

import sentencex

from overlapkit.structure.lines import Span, trimmed

# sentencex cannot take a capital, one of these and a full stop in a row, nor half a character;
# one for one, a plain space keeps every offset.
_ODD_SPACE = re.compile("[^\\S\n\r\t ]|[\ud800-\udfff]")


def sentences(
    text: str, apart: Sequence[Span], edges: Sequence[int], borders: Sequence[int] = ()
) -> Iterator[Span]:
    """Yield the sentences outside ``apart``, none of which reaches across an edge.

    ``edges`` are sorted: where headings, paragraphs and list items begin and end. Nothing
    beyond a border has a say in where sentences end: sentencex takes the lines around a
    line for more items of a list.
    """
    at = 0
    for begin, end in sorted([*apart, *((border, border) for border in borders)]):
        yield from _within(text, at, begin, edges)
        at = max(at, end)
    yield from _within(text, at, len(text), edges)


def _within(text: str, begin: int, end: int, edges: Sequence[int]) -> Iterator[Span]:
    part = text[begin:end]
    if not part.strip():
        return
    for first, last in _boundaries(part):
        start, stop = begin + first, begin + last
        inside = edges[bisect_right(edges, start) : bisect_left(edges, stop)]
        for piece in pairwise([start, *inside, stop]):
            # The mark of a quote, left alone before an edge, is no sentence.
            if text[slice(*piece)].replace(">", " ").strip():
                yield trimmed(text, *piece)


def _boundaries(part: str) -> list[Span]:
    found = sentencex.get_sentence_boundaries("en", _ODD_SPACE.sub(" ", part))
    starts = sorted({0, *(int(item["start_index"]) for item in found)})
    return list(pairwise([*starts, len(part)]))
