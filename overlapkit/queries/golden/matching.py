"""Where the text of a piece of evidence stands in the stored texts.

It is looked for as it is, then with both sides folded, then with Markdown dropped as well.
Whole words go before parts of words, and a place that would part a letter from its marks
comes last, widened to the whole letter.
"""

from dataclasses import dataclass

import numpy as np

from overlapkit.corpus import Corpus
from overlapkit.queries.golden.folding import Folded, fold, sought_form
from overlapkit.queries.golden.searching import (
    CUTS_LETTER,
    CUTS_WORD,
    WHOLE,
    Places,
    Searchable,
    continues,
)
from overlapkit.queries.model import Evidence
from overlapkit.readers.names import legible

_LONGEST_SHOWN = 200
_LONG_ENOUGH = 12  # characters from which it is no accident that a text ends within a word

# A way to compare: as they are (None), folded without and with Markdown's marks dropped.
_Level = bool | None
_LEVELS: tuple[_Level, ...] = (None, False, True)


@dataclass(frozen=True, slots=True)
class _Match:
    """Places of a text at a level, where ``length`` characters from ``lead`` on are found."""

    level: _Level
    lead: int
    length: int
    places: Places


class Finder:
    """Finds texts in a corpus; each document is folded at most once, when first needed."""

    def __init__(self, corpus: Corpus) -> None:
        self._names = [document.name for document in corpus.documents]
        self._texts = [document.text for document in corpus.documents]
        self._folded: dict[tuple[bool, int], Folded] = {}
        self._searchable: dict[tuple[_Level, int | None], Searchable] = {}
        self._forms: dict[tuple[str, bool], tuple[str, int]] = {}
        self._matches: dict[tuple[str, int | None], _Match | None] = {}

    def find(
        self, text: str, document: int | None = None, part: tuple[int, int] | None = None
    ) -> tuple[Evidence, ...]:
        """Return the places of a text in one document (by its position) or anywhere.

        With ``part``, the places of ``text[part[0]:part[1]]`` where all of the text is found.
        More than ``searching.ENOUGH`` places stand for any number of them.
        """
        key = (text, document)
        if key not in self._matches:
            self._matches[key] = self._match(text, document)
        match = self._matches[key]
        if match is None:
            return ()
        if part is None:
            first, last = 0, match.length
        else:
            first, last = _part(match, text, part)
        if first >= last:
            return ()
        spans = (
            self._span(
                match.level, at if document is None else document, offset + first, offset + last
            )
            for at, offset in match.places.at
        )
        return tuple(Evidence(self._names[at], *span) for at, *span in dict.fromkeys(spans))

    def nearest(self, text: str, document: int | None = None) -> str:
        """Return up to 200 characters of the stretch most like a text, or nothing."""
        sought, _ = self._form(text, False)
        found = self._texts_at(False, document).nearest(sought)
        if found is None:
            return ""
        at, first, last = found
        at, start, end = self._span(False, at if document is None else document, first, last)
        shown = " ".join(self._texts[at][start : min(end, start + 5 * _LONGEST_SHOWN)].split())
        cut = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[: _LONGEST_SHOWN - 1]}…"
        return legible(cut)

    def _match(self, text: str, document: int | None) -> _Match | None:
        best: _Match | None = None
        for level in _LEVELS:
            if level and best is not None and best.places.cut == CUTS_WORD:
                break  # a short text that stands within a word is no Markdown
            sought, lead = self._form(text, level)
            within_words = level is None
            places = self._texts_at(level, document).find(sought, within_words=within_words)
            if not places.at or (places.cut == CUTS_LETTER and level is not None):
                continue
            if best is None or places.cut < best.places.cut:
                best = _Match(level, lead, len(sought), places)
                if level is None and len(text) > len(sought):
                    best = self._with_blanks(text, document, best)
            if places.cut == WHOLE or (places.cut == CUTS_WORD and len(sought) >= _LONG_ENOUGH):
                break
        return best

    def _with_blanks(self, text: str, document: int | None, match: _Match) -> _Match:
        """Return the places that have the white space around a text too, if there are any."""
        exact = tuple(
            (at, offset - match.lead)
            for at, offset in match.places.at
            if offset >= match.lead
            and self._texts[at if document is None else document].startswith(
                text, offset - match.lead
            )
        )
        return _Match(None, 0, len(text), Places(match.places.cut, exact)) if exact else match

    def _form(self, text: str, level: _Level) -> tuple[str, int]:
        """Return what of a text is looked for at a level, and where in all of it that begins."""
        if level is None:
            return text.strip(), len(text) - len(text.lstrip())
        if (text, level) not in self._forms:
            self._forms[text, level] = sought_form(text, markup=level)
        return self._forms[text, level]

    def _texts_at(self, level: _Level, document: int | None) -> Searchable:
        key = (level, document)
        if key not in self._searchable:
            chosen = range(len(self._texts)) if document is None else (document,)
            texts = [
                self._texts[at] if level is None else self._fold(level, at).text for at in chosen
            ]
            self._searchable[key] = Searchable(texts)
        return self._searchable[key]

    def _fold(self, markup: bool, at: int) -> Folded:
        if (markup, at) not in self._folded:
            self._folded[markup, at] = fold(self._texts[at], markup=markup)
        return self._folded[markup, at]

    def _span(self, level: _Level, at: int, first: int, last: int) -> tuple[int, int, int]:
        """Return (document, start, end) in the stored text, letters with all their marks."""
        start, end, text = first, last, self._texts[at]
        if level is not None:
            source = self._fold(level, at).source
            start, end = int(source[first]), int(source[last - 1]) + 1
        while start and continues(text[start]):
            start -= 1
        while end < len(text) and continues(text[end]):
            end += 1
        return at, start, end


def _part(match: _Match, text: str, part: tuple[int, int]) -> tuple[int, int]:
    """Return where a part of a text lies in what was found of it."""
    first, last = part
    if match.level is not None:
        source = fold(text, markup=match.level).source
        first, last = np.searchsorted(source, part).tolist()
    return max(0, first - match.lead), min(match.length, last - match.lead)
