"""Texts of chunks to spans: which of the places where a text stands is the chunk's.

A text that stands in no more places than there are chunks of it leaves no choice. Of the
others the longest choose first. No splitter puts a chunk inside another, and neighbours
share no more than is usual in the file; so places that lie inside a chunk already placed
come last, and before them those that would share more. Which chunk of equal ones stands
where is told by their order in the file, and nothing else is: a file in another order gives
the same spans.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain
from statistics import median_low
from typing import TypeAlias

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus
from overlapkit.given.places import Ask, find_places

# Global code points, half open (see ``global_starts``).
Span: TypeAlias = tuple[int, int]


def align(
    corpus: Corpus, words: Units, asks: dict[Ask, int], fixed: Iterable[Span]
) -> dict[Ask, list[Span]]:
    """Return for each ask as many spans as it counts chunks, rising; fewer where there are none.

    ``words`` are the corpus's words and ``fixed`` spans that chunks already have. A text
    that does not stand in the corpus often enough as it is may stand there with other white
    space: runs of it count as one space then, and none counts at either end.
    """
    found = _find(corpus, words, asks)
    placed = {ask: spans for ask, spans in found.items() if len(spans) <= asks[ask]}
    outer = _Outer([*fixed, *chain.from_iterable(placed.values())])
    usual = outer.usual_overlap()
    contested = [ask for ask in asks if ask not in placed]
    for ask in sorted(contested, key=lambda ask: (-len(ask.text), ask.text, ask.doc is None)):
        placed[ask] = sorted(_choose(found[ask], asks[ask], outer, usual))
        for span in placed[ask]:
            outer.add(span)
    return placed


def _choose(free: Sequence[Span], count: int, outer: "_Outer", usual: int) -> list[Span]:
    room = [span for span in free if not outer.holds(span)]
    tight: list[Span] = []
    wide: list[Span] = []
    reach = -1
    for span in room:
        if max(outer.overlap(span), reach - span[0]) <= usual:
            tight.append(span)
            reach = span[1]
        else:
            wide.append(span)
    wide.sort(key=outer.overlap)
    inside = (span for span in free if outer.holds(span))
    return [*tight, *wide, *inside][:count]


class _Outer:
    """The spans placed so far that lie in no other, rising."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not self._ends or end > self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)

    def holds(self, span: Span) -> bool:
        """Tell whether a span lies inside one of these."""
        before = bisect_right(self._starts, span[0]) - 1
        return before >= 0 and self._ends[before] >= span[1]

    def overlap(self, span: Span) -> int:
        """Return how many characters a span would share with a neighbour; below 0 is a gap."""
        after = bisect_right(self._starts, span[0])
        left = self._ends[after - 1] - span[0] if after else -1
        right = span[1] - self._starts[after] if after < len(self._starts) else -1
        return max(left, right)

    def usual_overlap(self) -> int:
        """Return the median of what neighbours that meet share."""
        ends_and_starts = zip(self._ends, self._starts[1:], strict=False)
        shared = [end - start for end, start in ends_and_starts if end >= start]
        return median_low(shared) if shared else 0

    def add(self, span: Span) -> None:
        """Add a span; those inside it are dropped."""
        if self.holds(span):
            return
        first = bisect_left(self._starts, span[0])
        last = max(first, bisect_right(self._ends, span[1]))
        self._starts[first:last] = [span[0]]
        self._ends[first:last] = [span[1]]


# --- places as spans --------------------------------------------------------------------


def _find(corpus: Corpus, words: Units, asks: dict[Ask, int]) -> dict[Ask, list[Span]]:
    texts = [document.text for document in corpus.documents]
    found = {
        ask: [(at, at + len(ask.text)) for at in places.tolist()]
        for ask, places in zip(asks, find_places(texts, asks), strict=True)
    }
    lacking: dict[Ask, list[Ask]] = {}
    for ask, count in asks.items():
        if len(found[ask]) < count and ask.text.strip():
            lacking.setdefault(Ask(ask.doc, _collapsed(ask.text)), []).append(ask)
    if lacking:
        collapsed = [_collapsed(text) for text in texts]
        counts = {asked: sum(map(asks.__getitem__, own)) for asked, own in lacking.items()}
        words_at = _words_at(corpus, words, collapsed)
        for asked, places in zip(counts, find_places(collapsed, counts), strict=True):
            spans = _stored(places, len(asked.text), words, words_at)
            for ask in lacking[asked]:
                if len(spans) > len(found[ask]):
                    found[ask] = spans
    return found


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _words_at(corpus: Corpus, words: Units, collapsed: Sequence[str]) -> Longs:
    """Return where each word begins in the collapsed texts, one gap between two texts."""
    assert words.starts is not None
    assert words.ends is not None
    count = np.diff(words.first)
    steps = words.ends - words.starts + 1
    within = np.cumsum(steps) - steps
    base = np.cumsum([0, *(len(text) + 1 for text in collapsed)])[:-1]
    doc = np.repeat(np.arange(len(corpus.documents)), count)
    at: Longs = within + (base - np.append(within, 0)[words.first[:-1]])[doc]
    return at


def _stored(places: Longs, length: int, words: Units, words_at: Longs) -> list[Span]:
    """Return the stored spans of places in collapsed texts, which begin and end in words."""
    assert words.starts is not None
    last = places + length - 1
    first_word, last_word = (np.searchsorted(words_at, at, "right") - 1 for at in (places, last))
    start = words.starts[first_word] + places - words_at[first_word]
    end = words.starts[last_word] + last - words_at[last_word] + 1
    return list(zip(start.tolist(), end.tolist(), strict=True))
