"""Where a text stands in others: exact search through their words, fast for many texts."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from overlapkit.terms.functions import is_mark, is_word

# Scripts written without spaces are taken apart into characters, others into words.
_UNSPACED = (
    "\u0e00-\u109f\u1780-\u17ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b"
    "\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_PIECE = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

# Vowels and final consonants of a syllable written in parts.
_CONJOINING = ("\u1160", "\u11ff")

_FEW_CHARACTERS = 20_000  # so short a text is searched sooner than its words are listed
_MOST_LISTED = 1_000  # a word that stands in more places does not help to find one
_MOST_SEEN = 300  # places looked at for a text without a rarer word
_MOST_COMPARED = 100  # places of rare words that the nearest stretch is told from
ENOUGH = 100  # places beyond which it makes no difference how many there are

# How a place cuts what it lies in, the better first.
WHOLE, CUTS_WORD, CUTS_LETTER = range(3)


class Places(NamedTuple):
    """Where a text was found: (index of the text searched, offset), all cut alike."""

    cut: int
    at: tuple[tuple[int, int], ...]


NOWHERE = Places(CUTS_LETTER, ())


class Searchable:
    """Texts to be searched; their words are listed when first needed."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._starts = [0]
        for text in texts:
            self._starts.append(self._starts[-1] + len(text) + 1)
        self._listed: dict[str, list[int]] | None = None

    def find(self, sought: str, *, within_words: bool = True) -> Places:
        """Return the places of a text, whole words before parts of words, none overlapping.

        Without ``within_words``, a text that holds no whole word but at its edges is found
        as whole words only.
        """
        if not sought:
            return NOWHERE
        pieces = list(_PIECE.finditer(sought))
        inner = [piece for piece in pieces if _is_whole(piece, len(sought))]
        found = self._through_words(sought, inner, pieces)
        if found is None and (within_words or inner or not self._is_listed(pieces)):
            found = self._best(sought, self._everywhere(sought))
        if found is None or (found.cut != WHOLE and not within_words and not inner):
            return NOWHERE
        return found

    def _is_listed(self, pieces: Sequence[re.Match[str]]) -> bool:
        return self._starts[-1] > _FEW_CHARACTERS and self._rarest(pieces) is not None

    def _through_words(
        self, sought: str, inner: Sequence[re.Match[str]], pieces: Sequence[re.Match[str]]
    ) -> Places | None:
        """Return all places, or all as whole words, around a rare word's; None if unknown."""
        if self._starts[-1] <= _FEW_CHARACTERS:
            return None
        anchor = self._rarest(inner)
        if anchor is not None:
            return self._best(sought, self._around(sought, anchor))
        anchor = self._rarest(pieces)
        if anchor is None:
            return None
        # A word at an edge may go on beyond it where the text stands.
        found = self._best(sought, self._around(sought, anchor))
        return found if found.cut == WHOLE else None

    def nearest(self, sought: str) -> tuple[int, int, int] | None:
        """Return the stretch of the text's length that shares most words with it, or None.

        Given as (index of the text searched, start, end), judged by the text's rarest words,
        two of which must be shared where the text has two.
        """
        words = self._rare_words(sought)
        index = self._index()
        found = sorted(
            (place, self._text_at(place), word) for word in words for place in index[word]
        )
        held: Counter[str] = Counter()
        most, at, left = 0, 0, 0
        for place, text_at, word in found:
            held[word] += 1
            first, first_at, lost = found[left]
            while place - first >= len(sought) or text_at != first_at:
                held[lost] -= 1
                if not held[lost]:
                    del held[lost]
                left += 1
                first, first_at, lost = found[left]
            if len(held) > most:
                most, at = len(held), left
        if most < (2 if len(list(islice(_PIECE.finditer(sought), 2))) > 1 else 1):
            return None
        place, text_at, word = found[at]
        text = self._texts[text_at]
        start = max(0, place - self._starts[text_at] - words[word])
        return text_at, *_to_whole_words(text, start, min(len(text), start + len(sought)))

    def _rare_words(self, sought: str) -> dict[str, int]:
        """Return the words of a text that stand in few places, with their offsets in it."""
        words: dict[str, int] = {}
        for piece in islice(_PIECE.finditer(sought), _MOST_LISTED):
            words.setdefault(piece[0], piece.start())
        index = self._index()
        count = {word: len(index[word]) for word in words if word in index}
        rare: dict[str, int] = {}
        total = 0
        for word in sorted(count, key=lambda word: (count[word], -len(word))):
            total += count[word]
            if count[word] > _MOST_LISTED or (rare and total > _MOST_COMPARED):
                break
            rare[word] = words[word]
        return rare

    def _index(self) -> dict[str, list[int]]:
        """Return where each word stands, in all texts as one; of frequent ones the first."""
        if self._listed is None:
            listed: dict[str, list[int]] = {}
            for start, text in zip(self._starts, self._texts, strict=False):
                for piece in _PIECE.finditer(text):
                    places = listed.setdefault(piece[0], [])
                    if len(places) <= _MOST_LISTED:
                        places.append(start + piece.start())
            self._listed = listed
        return self._listed

    def _rarest(self, pieces: Sequence[re.Match[str]]) -> re.Match[str] | None:
        index = self._index()
        rarest = min(pieces, key=lambda piece: len(index.get(piece[0], ())), default=None)
        if rarest is None or len(index.get(rarest[0], ())) > _MOST_LISTED:
            return None
        return rarest

    def _text_at(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _around(self, sought: str, anchor: re.Match[str]) -> Iterator[tuple[int, int]]:
        """Yield the places of a text around those of one of its words."""
        for place in self._index().get(anchor[0], ()):
            index = self._text_at(place)
            offset = place - anchor.start() - self._starts[index]
            if offset >= 0 and self._texts[index].startswith(sought, offset):
                yield index, offset

    def _everywhere(self, sought: str) -> Iterator[tuple[int, int]]:
        for index, text in enumerate(self._texts):
            offset = text.find(sought)
            while offset >= 0:
                yield index, offset
                offset = text.find(sought, offset + 1)

    def _best(self, sought: str, found: Iterator[tuple[int, int]]) -> Places:
        """Return the places that cut least; there may be more beyond ENOUGH of them."""
        best = CUTS_LETTER
        places: list[tuple[int, int]] = []
        for index, offset in islice(found, _MOST_SEEN):
            cut = _cut(self._texts[index], offset, offset + len(sought))
            if cut < best or not places:
                best, places = cut, [(index, offset)]
            elif cut == best and (index, offset - len(sought)) >= places[-1]:
                places.append((index, offset))
                if len(places) > ENOUGH and cut == WHOLE:
                    break
        return Places(best, tuple(places))


def _is_whole(piece: re.Match[str], length: int) -> bool:
    """Tell whether a piece of a text is a whole piece wherever the text stands."""
    inside = piece.start() > 0 and piece.end() < length
    return inside or _UNSPACED_CHARACTER.match(piece[0]) is not None


def _cut(text: str, start: int, end: int) -> int:
    if (start and continues(text[start])) or (end < len(text) and continues(text[end])):
        return CUTS_LETTER
    if (start and _is_one_word(text[start - 1], text[start])) or (
        end < len(text) and _is_one_word(text[end - 1], text[end])
    ):
        return CUTS_WORD
    return WHOLE


def continues(character: str) -> bool:
    """Tell whether a character belongs to the letter before it."""
    return is_mark(character) or _CONJOINING[0] <= character <= _CONJOINING[1]


def _is_one_word(before: str, after: str) -> bool:
    return (
        (is_word(before) or is_mark(before))
        and is_word(after)
        and not _UNSPACED_CHARACTER.match(before)
        and not _UNSPACED_CHARACTER.match(after)
    )


def _to_whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end
