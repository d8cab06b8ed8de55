"""Numbered clauses, as contracts, statutes and manuals have them."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from overlapkit.structure.lines import Span
from overlapkit.structure.plain import indent_of, lines_of, may_begin

_NAMED = re.compile(
    r"(?:§{1,2}\s*|(?:Article|Artikel|Artículo|Articolo|Art\.|Section|Sec\.|Clause)\s+)"
    r"(?:(\d{1,4}(?:\.\d{1,3}){0,5})[a-z]?|[IVXLC]+)(?=[\s.:)]|\Z)"
)
_NUMBER = re.compile(r"(\d{1,3}(?:(?:\.\d{1,3}){1,5}[.)]?|[.)]))(?=\s|\Z)")
_BRACKET = re.compile(r"\(?(\d{1,3}|[A-Za-z]|([a-z])\2|[ivx]{2,5}|[IVX]{2,5})\)(?=\s|\Z)")
_ROMAN = (
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x",
    "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx",
)  # fmt: skip
_DIGITS, _LETTER, _NUMERAL = 10, 11, 12  # levels below any number with points


class _Mark(NamedTuple):
    """What a clause begins with: its level (0 is the top), its number, its letter if any."""

    level: int
    number: tuple[int, ...] = ()
    letter: str = ""

    def follows(self, before: "_Mark | None") -> bool:
        """Tell whether this is the next mark of a level, or the first of a lower one."""
        if before is None or self.level < before.level:
            return False
        if self.level > before.level:
            return self.number[-1:] == (1,)
        return self.number[:-1] == before.number[:-1] and (
            not before.number or self.number[-1:] == (before.number[-1] + 1,)
        )


class _Open(NamedTuple):
    """A clause whose end is not yet known; ``indent`` is the number of spaces before its mark."""

    level: int
    indent: int
    start: int


def clauses(text: str, starts: Sequence[int], stops: Sequence[Span]) -> list[Span]:
    """Return numbered clauses in order, those of lower levels inside their own.

    A clause begins on a line with a mark. From the highest level to the lowest: ``§ 3``,
    ``Article 4`` (and the like, where no small letter follows); ``1.`` and ``1)``; ``1.2``;
    ``1.2.3`` …; ``(1)``; ``(a)`` and ``a)``; ``(ii)``. A mark counts at the beginning of a
    paragraph, where ``may_begin`` says so, and directly behind the line of a mark that it
    follows: the next number of that level or the first of a lower one.

    A clause ends before the next mark of its own or a higher level, before a ``stop`` (a
    heading, a table, a code block), and before a blank line followed by a line that has no
    mark and is not indented deeper than its own.
    """
    reader = _Reader()
    stopped = lines_of(starts, stops)
    for number, (start, end) in enumerate(pairwise(starts)):
        if number in stopped:
            reader.close(0)
            reader.before, reader.last = "", None
        else:
            reader.take(text[start:end], start)
    reader.close(0)
    return sorted(reader.found, key=lambda span: (span[0], -span[1]))


class _Reader:
    """Takes the lines of a text in order."""

    def __init__(self) -> None:
        self.found: list[Span] = []
        self.open: list[_Open] = []  # levels rise
        self.end = 0
        self.before = ""  # the line before, empty behind a blank line
        self.last: _Mark | None = None  # that line's own mark
        self.letter = ""  # of the last lettered mark

    def take(self, line: str, start: int) -> None:
        body = line.strip()
        if not body:
            self.before, self.last = "", None
            return
        indent = indent_of(line)
        mark = self._mark(body)
        if mark:
            self.close(sum(one.level < mark.level for one in self.open))
            self.open.append(_Open(mark.level, indent, start + indent))
            self.letter = mark.letter or self.letter
        elif not self.before:
            left = (i for i, one in enumerate(self.open) if one.indent >= indent)
            self.close(next(left, len(self.open)))
        self.before, self.last = body, mark
        self.end = start + indent + len(body)

    def close(self, keep: int) -> None:
        """Close all but the outermost ``keep`` clauses."""
        self.found += ((one.start, self.end) for one in self.open[keep:])
        del self.open[keep:]

    def _mark(self, body: str) -> _Mark | None:
        mark = _read_mark(body, self.letter)
        if mark and (not self.before or mark.follows(self.last) or may_begin(self.before)):
            return mark
        return None


def _read_mark(body: str, letter: str) -> _Mark | None:
    """Return the mark a line begins with; ``letter`` is the last lettered one."""
    if named := _NAMED.match(body):
        rest = body[named.end() :].lstrip(" \t\u00a0.:)–—-")
        number = _numbers(named[1]) if named[1] else ()
        return None if rest[:1].islower() else _Mark(max(len(number) - 1, 0), number)
    if pointed := _NUMBER.match(body):
        number = _numbers(pointed[1].rstrip(".)"))
        return _Mark(len(number), number)
    if bracket := _BRACKET.match(body):
        return _bracketed(bracket[1].lower(), letter)
    return None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _bracketed(sign: str, letter: str) -> _Mark | None:
    if sign.isdigit():
        return _Mark(_DIGITS, (int(sign),))
    # i, v and x are letters where the letter before them came last.
    if sign in _ROMAN and (len(sign) > 1 or letter != chr(ord(sign) - 1)):
        return _Mark(_NUMERAL, (_ROMAN.index(sign) + 1,))
    if len(set(sign)) > 1:
        return None  # letters that are no numeral
    return _Mark(_LETTER, (ord(sign[0]) - ord("a") + 1,), sign)
