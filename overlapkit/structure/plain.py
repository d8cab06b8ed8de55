"""Paragraphs and list items of a text without markup."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from overlapkit.structure.lines import Span, trimmed
from overlapkit.structure.markdown import Parts

_MARK = re.compile(r"(?:[-*+•‣◦▪·–]|\d{1,3}[.)])\s+\S")
_BEFORE_A_MARK = re.compile(r"(?:[.;:,!?)]|\b(?:and|or))\s*\Z")


def plain_parts(text: str, starts: Sequence[int], headings: Sequence[Span]) -> Parts:
    """Return the paragraphs and list items of a plain text.

    A paragraph is a stretch of lines between blank ones. A list item begins with a bullet
    or a number such as ``2.`` or ``2)``, where ``may_begin`` allows it, and runs to the
    next one, a blank line or a heading; lines that are indented deeper than its mark
    belong to it even behind a blank line.
    """
    reader = _Reader(text)
    heads = lines_of(starts, headings)
    for number, (start, end) in enumerate(pairwise(starts)):
        if number in heads:
            reader.close()
        else:
            reader.take(start, end)
    reader.close()
    return reader.parts


def lines_of(starts: Sequence[int], spans: Sequence[Span]) -> set[int]:
    """Return the numbers of the lines that spans lie on."""
    return {
        line
        for start, end in spans
        for line in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1))
    }


def indent_of(line: str) -> int:
    """Return the number of white-space characters a line begins with."""
    return len(line) - len(line.lstrip())


def may_begin(before: str) -> bool:
    """Tell whether a line behind another one, with no blank line between, may begin anew.

    It may when that one ends in a mark, or in ``and`` or ``or``. The line of a sentence
    that was wrapped just before ``- 3.5`` does not.
    """
    return _BEFORE_A_MARK.search(before[-8:]) is not None


class _Reader:
    """Takes the lines of a text in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts = Parts()
        self.open: int | None = None  # where the paragraph or item being read begins
        self.mark: int | None = None  # the indentation of its mark, if it is an item
        self.end = 0
        self.before = ""  # the line before, empty behind a blank line

    def take(self, start: int, end: int) -> None:
        line = self.text[start:end]
        if not line.strip():
            if self.mark is None:
                self.close()
            self.before = ""
            return
        indent = indent_of(line)
        if self._begins_item(line):
            self.close()
            self.open, self.mark = start, indent
        elif self.mark is not None and not self.before and indent <= self.mark:
            self.close()
        if self.open is None:
            self.open = start
        self.end, self.before = end, line

    def close(self) -> None:
        if self.open is not None:
            kind = self.parts.paragraphs if self.mark is None else self.parts.list_items
            kind.append(trimmed(self.text, self.open, self.end))
        self.open, self.mark, self.before = None, None, ""

    def _begins_item(self, line: str) -> bool:
        if not _MARK.match(line.lstrip()):
            return False
        return not self.before or self.mark is not None or may_begin(self.before)
