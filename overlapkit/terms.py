"""Text to terms, once per corpus, as arrays.

A *term function* decides what counts as a word for matching. The ranking sees the terms
of each chunk's own text: a word that a boundary cuts counts as its pieces. Reading every
chunk again for every setting would cost more than all the ranking, so a corpus is read
once into *runs*: stretches that can be turned into terms on their own, wherever a chunk
is cut. For every term function and every slice,

    terms(text[a:b]) == terms of the slices of the runs that meet [a, b), in order,

which tests hold on random Unicode. A chunk is then a range of whole runs and at most two
cut ones.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Ints, Longs, Mask
from overlapkit.corpus import Corpus, global_starts
from overlapkit.errors import unknown_choice

_WORD = re.compile(r"\w+")
Span = tuple[int, int]

_SLICE = 4_000_000  # code points read at a time, so that a large corpus needs no large copies

# Default_Ignorable_Code_Point of the Unicode Character Database: soft hyphen, zero-width
# characters, variation selectors, … They are dropped for matching, never from the text.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Scripts written without spaces (and Hangul, whose words are long): Thai, Lao, Tibetan,
# Myanmar, Hangul, Khmer, kana, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3007"
    "\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"  # what \w matches in str patterns


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


# --- term functions ---------------------------------------------------------------------


def word_terms(text: str) -> list[str]:
    r"""Return the lower-cased ``\w+`` of a text, and nothing else."""
    if text.isalnum() and text.isascii():
        return [text.lower()]
    return _WORD.findall(text.lower())


def normalized_terms(text: str) -> list[str]:
    r"""Return the lower-cased words after NFKC, without ignorables, marks kept in words."""
    if text.isascii():
        return _WORD.findall(text.lower())
    folded = _IGNORABLE.sub("", unicodedata.normalize("NFKC", _IGNORABLE.sub("", text))).lower()
    # One space for each character that is neither word nor mark; a mark that follows no
    # letter (its letter was cut off, or it stands alone) carries no meaning by itself.
    spaced = "".join(c if _is_word(c) or _is_mark(c) else " " for c in folded)
    stripped = (_strip_marks(piece) for piece in spaced.split(" "))
    return [piece for piece in stripped if piece]


def _strip_marks(piece: str) -> str:
    for index, character in enumerate(piece):
        if _is_word(character):
            return piece[index:] if index else piece
    return ""


def cjk_char_terms(text: str) -> list[str]:
    """Return the normalized words, with unspaced scripts as one term per character."""
    return _split_unspaced(text, lambda letters: letters)


def cjk_bigram_terms(text: str) -> list[str]:
    """Return the normalized words, with unspaced scripts as overlapping pairs."""
    return _split_unspaced(text, _pairs)


def _pairs(letters: list[str]) -> list[str]:
    if len(letters) < 2:
        return letters
    return [first + second for first, second in pairwise(letters)]


def _split_unspaced(text: str, terms_of: Callable[[list[str]], list[str]]) -> list[str]:
    terms: list[str] = []
    for word in normalized_terms(text):
        if word.isascii() or not _UNSPACED_CHARACTER.search(word):
            terms.append(word)
            continue
        letters: list[str] = []
        other = ""
        for character in word:
            if _UNSPACED_CHARACTER.match(character) and not _is_mark(character):
                if other:
                    terms.append(other)
                    other = ""
                letters.append(character)
            elif letters and not other and _is_mark(character):
                letters[-1] += character
            else:
                terms.extend(terms_of(letters))
                letters = []
                other += character
        terms.extend([other] if other else terms_of(letters))
    return terms


class TermFunction(NamedTuple):
    """A named way to take terms from a text, with its meaning in one sentence."""

    terms: Callable[[str], list[str]]
    normalizes: bool
    meaning: str


TERM_FUNCTIONS: dict[str, TermFunction] = {
    "word": TermFunction(word_terms, False, r"lower-cased \w+ of the chunk's own text"),
    "normalized": TermFunction(
        normalized_terms,
        True,
        "words after NFKC, without invisible characters, with combining marks kept",
    ),
    "cjk-char": TermFunction(
        cjk_char_terms, True, "normalized, one term per character of unspaced scripts"
    ),
    "cjk-bigram": TermFunction(
        cjk_bigram_terms, True, "normalized, pairs of characters of unspaced scripts"
    ),
}


def term_function(name: str) -> TermFunction:
    """Return the table entry, or raise SettingsError naming the choices."""
    try:
        return TERM_FUNCTIONS[name]
    except KeyError:
        raise unknown_choice("terms", name, ["auto", *TERM_FUNCTIONS]) from None


# --- runs -------------------------------------------------------------------------------


class _Characters:
    """The code points of a text; a predicate is asked once per distinct one."""

    def __init__(self, text: str) -> None:
        data = text.encode("utf-32-le", "surrogatepass")
        self.codes = np.frombuffer(data, dtype=np.uint32).astype(np.int32)
        self.present = np.flatnonzero(np.bincount(self.codes, minlength=1)).tolist()

    def where(self, holds: Callable[[str], bool]) -> Mask:
        """Return the mask of code points for which ``holds``."""
        found = [code for code in self.present if holds(chr(code))]
        if not found or not len(self.codes):
            return np.zeros(len(self.codes), dtype=bool)
        table = np.zeros(self.present[-1] + 1, dtype=bool)
        table[found] = True
        return table[self.codes]


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
            not _is_word(c) and not unicodedata.combining(c)
            for c in unicodedata.normalize("NFKC", character)
        )
    )


class Runs(NamedTuple):
    """Runs of one text: offsets in code points, and their texts (lower-cased if that is safe)."""

    starts: Longs
    ends: Longs
    texts: list[str]
    simple: bool


def read_runs(text: str, function: TermFunction) -> Runs:
    """Split a text into the runs of a term function (see the module's docstring)."""
    characters = _Characters(text)
    special = characters.where(_needs_context)
    holds_special = bool(special.any())
    mask = ~characters.where(_separates) if function.normalizes else characters.where(_is_word)
    if holds_special:
        mask |= _stretches_with(~characters.where(str.isspace), special)
    edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    if not function.normalizes and not holds_special:
        return Runs(starts, ends, _WORD.findall(text.lower()), True)
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    return Runs(starts, ends, [text[start:end] for start, end in pairs], False)


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
        if _is_word(character) or (
            inside and (_is_mark(character) or _IGNORABLE.match(character) is not None)
        ):
            _extend(found, at, at + 1)
    return found


def _extend(spans: list[Span], start: int, end: int) -> None:
    """Add a span, joined to the last one where they meet."""
    if spans and start <= spans[-1][1]:
        spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
    else:
        spans.append((start, end))


# --- the stream -------------------------------------------------------------------------


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

    def piece(self, text: str) -> int:
        """Return the number of a run's cut piece, reading its terms when it is new."""
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
        for run in dict.fromkeys(runs.texts):
            numbers.setdefault(run, len(numbers))
        kind.append(np.fromiter(map(numbers.__getitem__, runs.texts), np.int32, len(runs.texts)))
    parts = (_joined(starts), _joined(ends), _joined(kind))
    return _stream(terms, simple, base, *parts, list(numbers))


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
    name: str, simple: bool, base: Longs, starts: Ints, ends: Ints, kind: Ints, kinds: list[str]
) -> TermStream:
    vocabulary = Vocabulary(term_function(name).terms)
    if simple:
        vocabulary.numbers = {run: number for number, run in enumerate(kinds)}
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


# --- which function ---------------------------------------------------------------------


class TermChoice(NamedTuple):
    """The term function taken and one sentence that says why."""

    name: str
    reason: str


def choose_terms(corpus: Corpus, queries: Iterable[str] = ()) -> TermChoice:
    """Take the term function that ``auto`` stands for.

    ``cjk-bigram`` when at least 5% of the letters stand in scripts without spaces; else
    ``word`` when ``normalized`` would leave every query term and at least 99.9% of the
    corpus's term occurrences as they are; else ``normalized``.
    """
    unspaced, letters = _script_counts(corpus)
    if letters and unspaced >= 0.05 * letters:
        share = f"{100 * unspaced / letters:.0f}%"
        return TermChoice(
            "cjk-bigram", f"{share} of the letters stand in scripts written without spaces"
        )
    changed_query = next((q for q in queries if word_terms(q) != normalized_terms(q)), None)
    if changed_query is not None:
        return TermChoice("normalized", "normalising changes terms of at least one query")
    changed, total = _changed_occurrences(corpus)
    if changed > total / 1000:
        share = f"{100 * changed / total:.1f}%"
        return TermChoice("normalized", f"normalising changes {share} of the corpus's terms")
    return TermChoice("word", "normalising would change next to nothing in this corpus")


def _script_counts(corpus: Corpus) -> tuple[int, int]:
    unspaced = letters = 0
    for document in corpus.documents:
        text = document.text
        letters += int(_Characters(text).where(str.isalpha).sum())
        if not text.isascii():
            unspaced += sum(match[0].isalpha() for match in _UNSPACED_CHARACTER.finditer(text))
    return unspaced, letters


def _changed_occurrences(corpus: Corpus) -> tuple[int, int]:
    changed = total = 0
    for document in corpus.documents:
        if document.text.isascii():
            total += len(_WORD.findall(document.text))
            continue
        for run in document.text.split():
            plain = word_terms(run)
            differs = not run.isascii() and plain != normalized_terms(run)
            occurrences = max(len(plain), int(differs))  # a sign may become a word: ㎏
            total += occurrences
            changed += occurrences if differs else 0
    return changed, total
