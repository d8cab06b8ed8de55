"""Headings, and the sections below them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it.token import Token

from overlapkit.corpus import Document
from overlapkit.structure.lines import line_starts, without_newlines
from overlapkit.structure.markdown import is_markdown, parse

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
# Nothing else can be a heading of Markdown, so a text without any need not be parsed.
_MAYBE = re.compile(r"(?:\A|[\r\n]) {0,3}(?:#|(?:=+|-+)[ \t]*(?:[\r\n]|\Z))")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the top.

    ``start`` is the first code point of its line; ``end`` is where its last line ends, the
    underline included and the newline not.
    """

    start: int
    level: int
    title: str
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """From a heading's line to the next heading of the same or a higher level, or the end.

    ``path`` holds the titles of the headings around it, its own last.
    """

    start: int
    end: int
    level: int
    path: tuple[str, ...]


def headings(document: Document) -> tuple[Heading, ...]:
    """Return the headings of a document in order.

    Markdown: ATX and setext headings outside code, quotes and lists. Other texts: a line
    underlined by punctuation of at least its length, the level being the order in which
    each underline character first occurs; without any, Markdown's rules.
    """
    text = document.text
    if not is_markdown(document):
        underlined = tuple(_underlined(text))
        if underlined:
            return underlined
    return markdown_headings(text, parse(text)) if _MAYBE.search(text) else ()


def markdown_headings(text: str, tokens: Iterable[Token]) -> tuple[Heading, ...]:
    """Return the headings among the tokens of a Markdown text."""
    starts = line_starts(text)
    return tuple(
        Heading(
            starts[token.map[0]],
            int(token.tag[1]),
            content.content,
            without_newlines(text, starts[token.map[1]]),
        )
        for token, content in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )


def sections(document: Document, found: Iterable[Heading] | None = None) -> tuple[Section, ...]:
    """Return the section of every heading, in order; those of lower levels lie inside others.

    What stands before the first heading is in none. ``found`` are the document's headings
    where they are already known.
    """
    done: dict[int, Section] = {}
    opened: list[Heading] = []
    for heading in headings(document) if found is None else found:
        while opened and opened[-1].level >= heading.level:
            _close(done, opened, heading.start)
        opened.append(heading)
    while opened:
        _close(done, opened, len(document.text))
    return tuple(done[start] for start in sorted(done))


def _close(done: dict[int, Section], opened: list[Heading], end: int) -> None:
    path = tuple(heading.title for heading in opened)
    heading = opened.pop()
    done[heading.start] = Section(heading.start, end, heading.level, path)


def _underlined(text: str) -> Iterator[Heading]:
    levels: dict[str, int] = {}
    starts = line_starts(text)
    lines = [text[begin:end].rstrip() for begin, end in pairwise(starts)]
    for number, (line, below) in enumerate(pairwise(lines)):
        match = _UNDERLINE.fullmatch(below)
        if match and line and not line[0].isspace() and len(below) >= len(line):
            if _UNDERLINE.fullmatch(line):
                continue
            level = levels.setdefault(match[1], len(levels) + 1)
            end = without_newlines(text, starts[number + 2])
            yield Heading(starts[number], level, line, end)
