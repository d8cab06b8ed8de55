"""A corpus read once into a stream of runs and terms, as arrays.

The ranking sees the terms of each chunk's own text: a word that a boundary cuts counts as
its pieces. Reading every chunk again for every setting would cost more than all the
ranking, so a corpus is read once into runs (see ``runs``), each distinct one kept once. A
chunk is then a range of whole runs and at most two cut ones.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np

from overlapkit.arrays import Ints, Longs, Mask
from overlapkit.corpus import Corpus, global_starts
from overlapkit.terms.functions import term_function
from overlapkit.terms.runs import read_runs

_SLICE = 4_000_000  # code points read at a time, so that a large corpus needs no large copies


class Vocabulary:
    """Terms and cut pieces by number; grows as new ones are met, under one lock."""

    def __init__(self, terms_of: Callable[[str], list[str]]) -> None:
        self.terms_of = terms_of
        self.lock = Lock()
        self.numbers: dict[str, int] = {}
        self._pieces: dict[str, int] = {}
        self._counts: list[int] = []
        self._flat: list[int] = []
        self._arrays = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))

    def number(self, term: str) -> int:
        """Return the number of a term, giving it the next one when it is new."""
        return self.numbers.setdefault(term, len(self.numbers))

    def of_pieces(self, texts: Iterable[str], simple: bool) -> list[int]:
        """Return the numbers of cut pieces of runs, reading the terms of those that are new.

        Of a ``simple`` stream every piece is a term, so those are term numbers.
        """
        if simple:
            numbers = self.numbers
            return [numbers.setdefault(text, len(numbers)) for text in texts]
        return [self._piece(text) for text in texts]

    def _piece(self, text: str) -> int:
        known = self._pieces.get(text)
        if known is None:
            terms = [self.number(term) for term in self.terms_of(text)]
            self._flat.extend(terms)
            self._counts.append(len(terms))
            known = self._pieces[text] = len(self._counts) - 1
        return known

    def piece_arrays(self) -> tuple[Longs, Longs, Longs]:
        """Return per piece its number of terms and where they begin, and the flat terms."""
        with self.lock:
            if len(self._arrays[0]) != len(self._counts):
                counts = np.array(self._counts, dtype=np.int64)
                flat = np.array(self._flat, dtype=np.int64)
                self._arrays = (counts, np.cumsum(counts) - counts, flat)
            return self._arrays


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Every position of a stream grouped by term, rising: term t at ``at[first[t]:first[t+1]]``.

    ``begins`` marks the first of each group; ``key`` is ``term * width + at``, sorted.
    """

    at: Ints
    first: Longs
    begins: Mask
    key: Longs
    width: int

    def holds(self, term: Longs, low: Longs, high: Longs) -> Mask:
        """Tell for each term whether it occurs at a position in ``low:high``."""
        place = np.searchsorted(self.key, term * self.width + low)
        padded = np.append(self.key, np.iinfo(np.int64).max)
        return padded[place] < term * self.width + high


@dataclass(frozen=True, eq=False)
class TermStream:
    """A corpus as one stream of runs and terms. Positions are global code points.

    Documents stand one after the other with one gap between them: document ``d`` begins at
    ``base[d]``. ``kind`` numbers the distinct run texts; ``first_term[r]`` is the index in
    ``terms`` of run ``r``'s first term (one more entry than runs). ``cut`` holds the numbers
    of cut kinds, filled on first sight: ``cut[side, offset[kind] + length]`` for the first
    (side 0) or last ``length`` code points. ``simple`` says that every run and every piece
    of one is a single term, itself; then those are term numbers, else piece numbers.
    """

    function: str
    simple: bool
    base: Longs
    starts: Ints
    ends: Ints
    kind: Ints
    kinds: list[str]
    offset: Longs
    cut: Ints
    terms: Ints
    first_term: Ints
    vocabulary: Vocabulary

    @cached_property
    def occurrences(self) -> Occurrences:
        """All terms grouped (8 bytes each, three times: made when first asked for)."""
        width = len(self.terms) + 1
        key = np.sort(self.terms.astype(np.int64) * width + np.arange(len(self.terms)))
        first = np.concatenate(([0], np.cumsum(np.bincount(self.terms)))).astype(np.int64)
        term = np.repeat(np.arange(len(first) - 1), np.diff(first))
        begins = np.diff(term, prepend=-1) != 0
        return Occurrences((key - term * width).astype(np.int32), first, begins, key, width)


def read_terms(corpus: Corpus, terms: str = "word") -> TermStream:
    """Read every document once with the named term function.

    Raises SettingsError for an unknown name.
    """
    function = term_function(terms)
    base = global_starts(corpus)
    numbers: dict[str, int] = {}
    starts, ends, kind = [], [], []
    simple = True
    for at, text in _batches(corpus, base):
        runs = read_runs(text, function)
        simple &= runs.simple
        starts.append((runs.starts + at).astype(np.int32))
        ends.append((runs.ends + at).astype(np.int32))
        of_kind = [numbers.setdefault(run, len(numbers)) for run in runs.kinds]
        kind.append(np.array(of_kind, dtype=np.int32)[runs.kind])
    parts = (_joined(starts), _joined(ends), _joined(kind))
    return _stream(terms, simple, base, *parts, numbers)


def _batches(corpus: Corpus, base: Longs) -> Iterable[tuple[int, str]]:
    """Yield (global position, text) with many small documents joined into one text."""
    waiting: list[str] = []
    size, at = 0, 0
    for begin, document in zip(base.tolist(), corpus.documents, strict=True):
        if waiting and size + len(document.text) > _SLICE:
            yield at, "\n".join(waiting)
            waiting, size = [], 0
        if not waiting:
            at = begin
        waiting.append(document.text)
        size += len(document.text)
    if waiting:
        yield at, "\n".join(waiting)


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)


def _stream(
    name: str,
    simple: bool,
    base: Longs,
    starts: Ints,
    ends: Ints,
    kind: Ints,
    numbers: dict[str, int],
) -> TermStream:
    vocabulary = Vocabulary(term_function(name).terms)
    kinds = list(numbers)
    if simple:
        vocabulary.numbers = numbers
        terms, first = kind, np.arange(len(kind) + 1, dtype=np.int32)
    else:
        of_kind = [[vocabulary.number(term) for term in vocabulary.terms_of(run)] for run in kinds]
        counts = np.array([len(terms) for terms in of_kind], dtype=np.int32)
        flat = np.array([term for terms in of_kind for term in terms], dtype=np.int32)
        first = np.concatenate(([0], np.cumsum(counts[kind]))).astype(np.int32)
        begin = (np.cumsum(counts) - counts)[kind]
        index = np.arange(int(first[-1])) + np.repeat(begin - first[:-1], counts[kind])
        terms = flat[index]
    offset = np.concatenate(([0], np.cumsum([len(run) + 1 for run in kinds]))).astype(np.int64)
    cut = np.full((2, int(offset[-1])), -1, dtype=np.int32)
    for array in (base, starts, ends, kind, offset, terms, first):
        array.flags.writeable = False
    return TermStream(
        name, simple, base, starts, ends, kind, kinds, offset, cut, terms, first, vocabulary
    )
