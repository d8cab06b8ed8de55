"""Where given texts stand in a row of documents: every place of every text, found at once.

Looking for each text by itself would read the documents once per text. Instead the
documents are read once for each power of two up to the longest text: the hash of every
stretch of that length is held against the hashes of the texts' beginnings, and only where
one fits is the hash of the whole text looked up, and then the text itself compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs, spread
from overlapkit.given.hashes import HashedText, Hashes, Powers

# Places looked at per text, beyond those asked for. One letter stands nearly everywhere, but
# of such short texts there are few.
MOST_PLACES = 1000
MOST_PLACES_OF_A_LETTER = 20_000

_BATCH = 2_000_000  # code points hashed at a time
_PAIRS = 4_000_000  # (place, length) pairs looked up at a time
_FILTER_BITS = 20


class Ask(NamedTuple):
    """A text to be found in one document, or in any of them (None)."""

    doc: int | None
    text: str


def find_places(texts: Sequence[str], asks: dict[Ask, int]) -> list[Longs]:
    """Return for each ask where its text begins, rising: global code points of ``texts``.

    Document ``d`` begins one gap after the end of document ``d - 1``. An ask comes with how
    many places it needs; where there are far more (see ``MOST_PLACES``), the first are returned.
    """
    if not asks:
        return []
    asked = _Asks(texts, asks)
    powers = Powers()
    needles = list(_needles(asked.texts, powers))
    ask, place = [], []
    for docs in _batches([len(text) for text in texts], asked.documents()):
        hashed = HashedText("\0".join(texts[doc] for doc in docs), powers)
        first = _first([len(texts[doc]) for doc in docs])
        for group in needles:
            for at, needle in _matches(hashed, group):
                found, where = asked.of_matches(docs, first, at, needle)
                ask.append(found)
                place.append(where)
    return asked.grouped(_joined(ask), _joined(place))


# --- texts to be found ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Needles:
    """Texts of at least ``size`` and fewer than ``2 * size`` code points.

    ``prefixes`` are the hashes of their first ``size`` code points, each once, rising; texts
    beginning with prefix ``p`` have the lengths ``lengths[first[p]:first[p + 1]]``. ``keys``
    are the hashes of the whole texts, rising, ``needle`` and ``needle_length`` theirs.
    """

    size: int
    prefixes: Hashes
    first: Longs
    lengths: Longs
    keys: Hashes
    needle: Longs
    needle_length: Longs


def _needles(texts: Sequence[str], powers: Powers) -> Iterator[_Needles]:
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    sizes = np.array([1 << (len(text).bit_length() - 1) for text in texts], dtype=np.int64)
    begins, wholes = np.zeros((2, len(texts)), dtype=np.uint64)
    for part in _batches(lengths.tolist(), range(len(texts))):
        hashed = HashedText("".join(texts[index] for index in part), powers)
        at = np.cumsum(lengths[part]) - lengths[part]
        begins[part], wholes[part] = hashed.of(at, sizes[part]), hashed.of(at, lengths[part])
    for size in np.unique(sizes).tolist():
        own = np.flatnonzero(sizes == size)
        prefixes, slot = np.unique(begins[own], return_inverse=True)
        pairs = np.unique(slot * (2 * size) + lengths[own])
        owner, length = np.divmod(pairs, 2 * size)
        first = np.searchsorted(owner, np.arange(len(prefixes) + 1))
        own = own[np.argsort(wholes[own], kind="stable")]
        yield _Needles(size, prefixes, first, length, wholes[own], own, lengths[own])


def _matches(hashed: HashedText, needles: _Needles) -> Iterator[tuple[Longs, Longs]]:
    """Yield where texts stand and which, as far as hashes tell."""
    window = hashed.every(needles.size)
    # Nearly all places are ruled out by one look into a table that fits the processor's cache.
    high = np.uint64(64 - _FILTER_BITS)
    seen = np.zeros(1 << _FILTER_BITS, dtype=bool)
    seen[needles.prefixes >> high] = True
    at = np.flatnonzero(seen[window >> high])
    slot = _position(needles.prefixes, window[at])
    at, slot = at[slot >= 0], slot[slot >= 0]
    if not len(at):
        return
    count = np.diff(needles.first)[slot]
    edges = np.searchsorted(np.cumsum(count), np.arange(0, int(count.sum()), _PAIRS), "right")
    for low, high_edge in zip(edges, [*edges[1:], len(at)], strict=True):
        part = slice(int(low), int(high_edge))
        where = np.repeat(at[part], count[part])
        length = needles.lengths[spread(needles.first[slot[part]], count[part])]
        where, length = (column[where + length <= len(hashed)] for column in (where, length))
        found = _position(needles.keys, hashed.of(where, length))
        good = (found >= 0) & (needles.needle_length[found] == length)
        yield where[good], needles.needle[found[good]]


def _position(rising: Hashes, values: Hashes) -> Longs:
    """Return where each value stands in an array, -1 where it does not."""
    found = np.searchsorted(rising, values)
    found[found == len(rising)] = 0
    return np.where(rising[found] == values, found, -1)


# --- asks -------------------------------------------------------------------------------


class _Asks:
    """Asks by number, and which of them a match of a text in a document answers."""

    def __init__(self, texts: Sequence[str], asks: dict[Ask, int]) -> None:
        self._documents = texts
        self._asks = list(asks)
        number: dict[str, int] = {}
        needle = [number.setdefault(ask.text, len(number)) for ask in asks]
        self.texts = list(number)
        self._base = _first([len(text) for text in texts])
        beyond = (max(MOST_PLACES, MOST_PLACES_OF_A_LETTER // len(ask.text)) for ask in asks)
        self._most = np.array([*map(sum, zip(asks.values(), beyond, strict=True))], dtype=np.int64)
        anywhere = np.full(len(number), -1, dtype=np.int64)
        named = []
        for index, (ask, text) in enumerate(zip(asks, needle, strict=True)):
            if ask.doc is None:
                anywhere[text] = index
            else:
                named.append((ask.doc * len(number) + text, index))
        named.sort()
        self._anywhere = anywhere
        self._keys, self._named = np.array(named, dtype=np.int64).reshape(-1, 2).T

    def documents(self) -> list[int]:
        """Return the documents that must be read."""
        if (self._anywhere >= 0).any():
            return list(range(len(self._documents)))
        return sorted({ask.doc for ask in self._asks if ask.doc is not None})

    def of_matches(
        self, docs: Sequence[int], first: Longs, at: Longs, needle: Longs
    ) -> tuple[Longs, Longs]:
        """Return (ask, global place) of matches in a batch whose documents begin at ``first``."""
        within = np.searchsorted(first, at, side="right") - 1
        doc = np.array(docs, dtype=np.int64)[within]
        place = at - first[within] + self._base[doc]
        ask, where = [], []
        key = np.searchsorted(self._keys, doc * len(self.texts) + needle)
        known = np.append(self._keys, -1)[key] == doc * len(self.texts) + needle
        for hits, index in (
            (known, np.append(self._named, -1)[key]),
            (self._anywhere[needle] >= 0, self._anywhere[needle]),
        ):
            ask.append(index[hits])
            where.append(place[hits])
        return self._first_ones(np.concatenate(ask), np.concatenate(where))

    def grouped(self, ask: Longs, place: Longs) -> list[Longs]:
        """Return the places of each ask, those at which the text really stands."""
        ask, place = self._first_ones(ask, place)
        # Equal hashes may deceive, and a match may run beyond its document's end.
        doc = np.searchsorted(self._base, place, side="right") - 1
        columns = (ask.tolist(), doc.tolist(), (place - self._base[doc]).tolist())
        real = [
            self._documents[d].startswith(self._asks[number].text, at)
            for number, d, at in zip(*columns, strict=True)
        ]
        ask, place = ask[real], place[real]
        return np.split(place, np.searchsorted(ask, np.arange(1, len(self._asks))))

    def _first_ones(self, ask: Longs, place: Longs) -> tuple[Longs, Longs]:
        order = np.lexsort((place, ask))
        ask, place = ask[order], place[order]
        count = np.bincount(ask, minlength=len(self._asks))
        keep = spread(np.zeros_like(count), count) < self._most[ask]
        return ask[keep], place[keep]


def _first(lengths: Sequence[int]) -> Longs:
    """Return where each part begins when all stand in one row, one gap between them."""
    return np.array([0, *accumulate(length + 1 for length in lengths)][:-1], dtype=np.int64)


def _batches(lengths: Sequence[int], indices: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices in groups of at most ``_BATCH`` code points, or one longer part."""
    batch: list[int] = []
    total = 0
    for index in indices:
        if batch and total + lengths[index] > _BATCH:
            yield batch
            batch, total = [], 0
        batch.append(index)
        total += lengths[index]
    if batch:
        yield batch


def _joined(parts: list[Longs]) -> Longs:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])
