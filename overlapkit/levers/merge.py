"""The lever that makes one passage of neighbours: spans joined where they meet."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Corpus
from overlapkit.gains.depth import ranked_of
from overlapkit.levers.lists import DeepLists, Handed
from overlapkit.retrieve import Budget, Ranked, TopK
from overlapkit.tokens import count_tokens

_Span = tuple[int, int]  # global code points
_INK = re.compile(r"\S")


class _Merged(NamedTuple):
    """One query: the chunks looked at, the passage of each or -1, and the passages.

    Passages stand by the rank of their best chunk; ``best`` is its place in the list.
    """

    chunk: list[int]
    score: list[float]
    owner: list[int]
    spans: list[_Span]
    best: list[int]


def merge(lists: DeepLists) -> Handed:
    """Join chunks of a document that overlap, touch or have only white space between them.

    A list is read from the top until its passages are k in number or fill the budget; with
    ``drop``, up to the first chunk that would no longer fit. A passage has the rank and
    the score of its best chunk and its true length, so text that several chunks hold is
    counted once.
    """
    start, end = lists.slots.start, lists.slots.end
    base = lists.engine.evidence.base
    reach = _reach(lists.engine.corpus, lists.chunks, base)
    cutoff = lists.evaluation.run.cutoff
    size_of = _size_of(lists, cutoff)
    drop = isinstance(cutoff, Budget) and cutoff.tail == "drop"

    def take(chunk: list[int], score: list[float]) -> tuple[_Merged, bool]:
        growing = _Growing()
        room, looked = lists.slots.room, 0
        while looked < len(chunk) and room > 0:
            number = chunk[looked]
            met = growing.met(start[number], reach[number])
            span = growing.with_chunk(met, start[number], end[number])
            size = size_of(number, span)
            left = room + sum(growing.sizes[met]) - size
            if not (drop and left < 0):
                growing.put(met, span, reach[number], size, looked)
            room = left
            looked += 1
        return growing.taken(chunk[:looked], score[:looked]), room <= 0

    return _handed(lists.fill(take), base)


class _Growing:
    """Passages of one query in the order of the text; no two of them meet."""

    def __init__(self) -> None:
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.reaches: list[int] = []
        self.sizes: list[int] = []
        self.places: list[list[int]] = []

    def met(self, start: int, reach: int) -> slice:
        """Return the passages that a chunk meets; where it meets none, its own place."""
        # No two passages meet, so where they begin and how far they reach both rise.
        return slice(bisect_left(self.reaches, start), bisect_right(self.begins, reach))

    def with_chunk(self, met: slice, start: int, end: int) -> _Span:
        """Return the span of a chunk and the passages it meets."""
        begins, ends = self.begins[met], self.ends[met]
        return min([start, *begins]), max([end, *ends])

    def put(self, met: slice, span: _Span, reach: int, size: int, place: int) -> None:
        """Put one passage in the place of those that the chunk at ``place`` joins."""
        places = [one for group in self.places[met] for one in group]
        self.reaches[met] = [max([reach, *self.reaches[met]])]
        self.begins[met], self.ends[met] = [span[0]], [span[1]]
        self.sizes[met], self.places[met] = [size], [[*places, place]]

    def taken(self, chunk: list[int], score: list[float]) -> _Merged:
        """Return the passages by the rank of their best chunk."""
        owner = [-1] * len(chunk)
        best = [min(places) for places in self.places]
        order = sorted(range(len(best)), key=best.__getitem__)
        for rank, passage in enumerate(order):
            for place in self.places[passage]:
                owner[place] = rank
        spans = [(self.begins[passage], self.ends[passage]) for passage in order]
        return _Merged(chunk, score, owner, spans, [best[passage] for passage in order])


def _size_of(lists: DeepLists, cutoff: TopK | Budget) -> Callable[[int, _Span], int]:
    """Return what a passage that a chunk has joined takes of the cut-off."""
    if isinstance(cutoff, TopK):
        return lambda _, __: 1
    if cutoff.unit == "char":
        return lambda _, span: span[1] - span[0]
    slots, encoding = lists.slots, lists.evaluation.spec.encoding
    starts = lists.engine.evidence.base.tolist()
    documents = lists.engine.corpus.documents
    known: dict[_Span, int] = {}

    def tokens(number: int, span: _Span) -> int:
        if span == (slots.start[number], slots.end[number]):
            return slots.sizes[number]
        if span not in known:
            doc = bisect_right(starts, span[0]) - 1
            text = documents[doc].text[span[0] - starts[doc] : span[1] - starts[doc]]
            known[span] = int(count_tokens([text], encoding)[0])
        return known[span]

    return tokens


def _reach(corpus: Corpus, chunks: ChunkSet, base: Longs) -> list[int]:
    """Return where the white space ends that follows each chunk: global code points.

    Neighbouring windows of words, or of tokens, may leave it out.
    """
    ends, number = np.unique(chunks.placed(base)[1], return_inverse=True)
    docs = (np.searchsorted(base, ends, side="right") - 1).tolist()
    reach = [0] * len(ends)
    behind, limit, text, shift = -1, 0, "", 0  # the document looked at, from its end on
    for at in reversed(range(len(ends))):
        if docs[at] != behind:
            behind, text, shift = docs[at], corpus.documents[docs[at]].text, int(base[docs[at]])
            limit, beyond = len(text), shift + len(text)
        # Only up to the next end, so that a long blank is not read once for every chunk in it.
        end = int(ends[at]) - shift
        ink = _INK.search(text, end, limit)
        beyond = shift + ink.start() if ink else beyond
        reach[at], limit = beyond, end
    return [reach[at] for at in number.tolist()]


def _handed(lists: Sequence[_Merged], base: Longs) -> Handed:
    looked = ranked_of([(one.chunk, one.score) for one in lists])
    flat = np.array([span for one in lists for span in one.spans], dtype=np.int64).reshape(-1, 2)
    spans, number = np.unique(flat, axis=0, return_inverse=True)
    doc = np.searchsorted(base, spans[:, 0], side="right") - 1
    start, end = (spans[:, side] - base[doc] for side in (0, 1))
    first = np.cumsum([0, *(len(one.spans) for one in lists)], dtype=np.int64)
    best = [one.score[place] for one in lists for place in one.best]
    score: Floats = np.array(best, dtype=np.float64)
    ranked = Ranked(first, number.reshape(-1).astype(np.int64), score)
    place = np.array([owner for one in lists for owner in one.owner], dtype=np.int64)
    return Handed(looked, ChunkSet(doc, start, end), ranked, place)
