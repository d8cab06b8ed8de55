"""A text as runs: stretches that can be turned into terms on their own, wherever one is cut.

For every term function and every slice,

    terms(text[a:b]) == terms of the slices of the runs that meet [a, b), in order,

which tests hold on random Unicode.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Ints, Longs, Mask
from overlapkit.compiled import Kernels, ready
from overlapkit.terms.functions import IGNORABLE, TermFunction, is_mark, is_word

Span = tuple[int, int]

_BLANK = np.int32(ord(" "))


class Characters:
    """The code points of a text; what is asked of them is asked once per distinct one."""

    def __init__(self, text: str) -> None:
        data = text.encode("utf-32-le", "surrogatepass")
        self.codes: Ints = np.frombuffer(data, dtype=np.int32)
        self.present = np.flatnonzero(np.bincount(self.codes)).tolist()

    def where(self, holds: Callable[[str], bool]) -> Mask:
        """Return the mask of code points for which ``holds``."""
        if not any(holds(chr(code)) for code in self.present):
            return np.zeros(len(self.codes), dtype=bool)
        return self.mapped(lambda character: "\1" if holds(character) else "\0").astype(bool)

    def mapped(self, to: Callable[[str], str]) -> Ints:
        """Return the code points with each character replaced by another."""
        table = np.zeros(max(self.present, default=0) + 1, dtype=np.int32)
        table[self.present] = [ord(to(chr(code))) for code in self.present]
        return table.take(self.codes)


def _needs_context(character: str) -> bool:
    """Tell whether lower-casing this character depends on those around it.

    ``str.lower`` commutes with slicing except for capital sigma, whose small form depends
    on the rest of the word across apostrophes and full stops, and for U+0130, which
    becomes two code points. Both make the stretch between white space one run.
    """
    return any(c in "Σİ" for c in unicodedata.normalize("NFKC", character))


def _separates(character: str) -> bool:
    """Tell whether terms never reach across this character, even after NFKC.

    White space and punctuation other than connectors neither compose with a neighbour nor
    belong to a word; symbols may (``=`` with U+0338 becomes ``≠``), so they do not count.
    """
    if character.isspace():
        return True
    category = unicodedata.category(character)
    return (
        category[0] == "P"
        and category != "Pc"
        and all(
            not is_word(c) and not unicodedata.combining(c)
            for c in unicodedata.normalize("NFKC", character)
        )
    )


class Runs(NamedTuple):
    """Runs of one text: offsets in code points, and which are alike.

    Run ``r`` reads ``kinds[kind[r]]``, lower-cased if that is safe (``simple``). Kinds stand
    in the order in which they are first met.
    """

    starts: Longs
    ends: Longs
    kind: Ints
    kinds: list[str]
    simple: bool

    @property
    def texts(self) -> list[str]:
        """The text of each run."""
        return [self.kinds[kind] for kind in self.kind.tolist()]


def read_runs(text: str, function: TermFunction) -> Runs:
    """Split a text into the runs of a term function (see the module's docstring)."""
    characters = Characters(text)
    special = characters.where(_needs_context)
    simple = not function.normalizes and not special.any()
    # No run holds white space, so what is left after blanking the rest falls apart into them.
    if simple:
        codes = characters.mapped(lambda c: c.lower() if is_word(c) else " ")
    else:
        mask = ~characters.where(_separates) if function.normalizes else characters.where(is_word)
        mask |= _stretches_with(~characters.where(str.isspace), special)
        codes = np.where(mask, characters.codes, _BLANK)
    edges = np.flatnonzero(np.diff(codes != _BLANK, prepend=False, append=False))
    starts, ends = edges[::2].copy(), edges[1::2].copy()
    kernels = ready()
    if kernels is not None:
        return Runs(starts, ends, *_hashed(kernels, codes, starts, ends), simple)
    return Runs(starts, ends, *_split(codes), simple)


def _split(codes: Ints) -> tuple[Ints, list[str]]:
    """Return the number of each run's kind and the kinds, all else being blank."""
    texts = _text(codes).split()
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # what is met for the first time gets the next one
    kind = np.fromiter(map(numbers.__getitem__, texts), np.int32, len(texts))
    return kind, list(numbers)


def _hashed(kernels: Kernels, codes: Ints, starts: Longs, ends: Longs) -> tuple[Ints, list[str]]:
    """Return the same by the compiled loop."""
    table = np.full(1 << len(starts).bit_length(), -1, dtype=np.int32)
    kind, met = np.empty(len(starts), dtype=np.int32), np.empty(len(starts), dtype=np.int64)
    met = met[: kernels.number_runs(codes, starts, ends, table, kind, met)]
    pairs = zip(starts[met].tolist(), ends[met].tolist(), strict=True)
    text = _text(codes)
    return kind, [text[start:end] for start, end in pairs]


def _text(codes: Ints) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _stretches_with(inside: Mask, special: Mask) -> Mask:
    """Return the mask of those maximal stretches of ``inside`` that hold a special place."""
    label = np.cumsum(np.diff(inside, prepend=False) & inside)
    flagged = np.zeros(int(label[-1]) + 1 if label.size else 1, dtype=bool)
    flagged[label[special]] = True
    return inside & flagged[label]


def match_spans(text: str, wanted: Collection[str], function: TermFunction) -> list[Span]:
    """Return where a text holds wanted terms: code points, in order, none overlapping.

    A word that is one term is marked whole; of a word that gives several (unspaced scripts),
    the characters of those that match.
    """
    runs = read_runs(text, function)
    found: list[Span] = []
    for start, run in zip(runs.starts.tolist(), runs.texts, strict=True):
        for begin, end in _words(run):
            word, at = run[begin:end], start + begin
            terms = function.terms(word)
            if len(terms) == 1 and terms[0] in wanted:
                _extend(found, at, at + len(word))
            elif len(terms) > 1:
                for first in range(len(word)):
                    for size in (1, 2):
                        piece = function.terms(word[first : first + size])
                        if len(piece) == 1 and piece[0] in wanted and piece[0] in terms:
                            _extend(found, at + first, min(at + first + size, at + len(word)))
    return found


def _words(run: str) -> list[Span]:
    """Return the words of a run with the marks and invisible characters inside them."""
    found: list[Span] = []
    for at, character in enumerate(run):
        inside = bool(found) and found[-1][1] == at
        if is_word(character) or (
            inside and (is_mark(character) or IGNORABLE.match(character) is not None)
        ):
            _extend(found, at, at + 1)
    return found


def _extend(spans: list[Span], start: int, end: int) -> None:
    """Add a span, joined to the last one where they meet."""
    if spans and start <= spans[-1][1]:
        spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
    else:
        spans.append((start, end))
