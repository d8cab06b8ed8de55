"""Questions that repeat the words of what they look for.

A ranking by words finds such evidence more easily than that of questions as users ask them.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from overlapkit.corpus import Corpus, Document
from overlapkit.queries.located import locate
from overlapkit.queries.model import QuerySet
from overlapkit.structure import headings
from overlapkit.terms.functions import UNSPACED_CHARACTER, cjk_char_terms

# A word weighs two, a character of a script written without spaces one.
_RUN = 10  # consecutive words that are a quotation: five
_WHOLE = 6  # words of which a whole question, or a whole heading, is one: three
_ANCHOR = re.compile(r"\s*\{[^{}]*\}\s*$")


@dataclass(frozen=True, slots=True)
class Quoting:
    """Of ``questions``, how many repeat their evidence word for word, and how many its heading.

    To repeat is to have five consecutive words in common, or all of a question of at least
    three; of a heading, all of one of three, or to be equal to it. In scripts written
    without spaces two characters count as a word.
    """

    questions: int
    evidence: int
    heading: int


def quoting(corpus: Corpus, queries: QuerySet) -> Quoting:
    """Return how many questions repeat their own evidence, or the heading above it.

    Raises QueryError when the evidence does not lie in the corpus.
    """
    locate(corpus, queries)
    documents = {document.name: _Headed(document) for document in corpus.documents}
    evidence = heading = 0
    for query in queries:
        asked = _Words(query.text)
        spans = [(documents[span.document], span) for span in query.evidence]
        evidence += any(asked.repeats(_Words(of.text[s.start : s.end])) for of, s in spans)
        heading += any(asked.repeats_title(of.heading_above(s.start)) for of, s in spans)
    return Quoting(len(queries), evidence, heading)


class _Words:
    """The words of a text, whatever their case and the punctuation between them."""

    def __init__(self, text: str) -> None:
        self._words = cjk_char_terms(text)
        self._text = f" {' '.join(self._words)} "

    def repeats(self, other: "_Words") -> bool:
        """Tell whether other words hold a quotation of these."""
        return self._is_whole_in(other) or any(run in other._text for run in self._runs)

    def repeats_title(self, title: "_Words | None") -> bool:
        """Tell whether these words hold, are or share a quotation of a heading."""
        if title is None or not title._words:
            return False
        return title._words == self._words or title._is_whole_in(self) or self.repeats(title)

    def _is_whole_in(self, other: "_Words") -> bool:
        return sum(map(_weight, self._words)) >= _WHOLE and self._text in other._text

    @cached_property
    def _runs(self) -> list[str]:
        """Every shortest run of consecutive words that weighs enough."""
        runs, weight, first = [], 0, 0
        for last, word in enumerate(self._words):
            weight += _weight(word)
            while weight - _weight(self._words[first]) >= _RUN:
                weight -= _weight(self._words[first])
                first += 1
            if weight >= _RUN:
                runs.append(f" {' '.join(self._words[first : last + 1])} ")
        return runs


def _weight(word: str) -> int:
    return 1 if UNSPACED_CHARACTER.match(word) else 2


class _Headed:
    """A document whose headings are found when first needed."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.text = document.text

    def heading_above(self, offset: int) -> _Words | None:
        """Return the words of the last heading that starts at or before an offset."""
        starts, titles = self._headings
        above = bisect_right(starts, offset) - 1
        return titles[above] if above >= 0 else None

    @cached_property
    def _headings(self) -> tuple[list[int], list[_Words]]:
        found = headings(self._document)
        titles = [_Words(_ANCHOR.sub("", heading.title)) for heading in found]
        return [heading.start for heading in found], titles
