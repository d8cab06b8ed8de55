"""Headings, sentences, table rows and code blocks as spans of the stored text.

Markdown is parsed by markdown-it-py and sentences are found by sentencex; this module only
turns what they say into code-point offsets.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sentencex
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from overlapkit.corpus import Document

# Lines as Markdown counts them; str.splitlines would also split at form feeds and others.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
# sentencex cannot take a capital, one of these and a full stop in a row; one for one, a
# plain space keeps every offset.
_ODD_SPACE = re.compile(r"[^\S\n\r\t ]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``start`` is the first code point of its line, level 1 is the top."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """Spans of a document's parts, each list in order, half open, in code points."""

    sentences: tuple[tuple[int, int], ...]
    table_rows: tuple[tuple[int, int], ...]
    code_blocks: tuple[tuple[int, int], ...]


def headings(document: Document) -> tuple[Heading, ...]:
    """Return the headings of a document in order.

    Markdown: ATX and setext headings outside code, quotes and lists. Other texts: a line
    underlined by punctuation of at least its length, the level being the order in which
    each underline character first occurs; without any, Markdown's rules.
    """
    if not _is_markdown(document):
        underlined = tuple(_underlined(document.text))
        if underlined:
            return underlined
    starts = line_starts(document.text)
    tokens = _parse(document.text)
    return tuple(
        Heading(starts[token.map[0]], int(token.tag[1]), content.content)
        for token, content in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )


def blocks(document: Document) -> Blocks:
    """Return sentences (outside code and tables), table rows and code blocks."""
    text = document.text
    rows: list[tuple[int, int]] = []
    code: list[tuple[int, int]] = []
    tables: list[tuple[int, int]] = []  # with the line of dashes, which is no row
    if _is_markdown(document):
        starts = line_starts(text)
        for token in _parse(text):
            if token.map is None:
                continue
            first, last = token.map
            span = (starts[first], _without_newlines(text, starts[last]))
            if token.type == "tr_open":
                rows.append(span)
            elif token.type == "table_open":
                tables.append(span)
            elif token.type in ("fence", "code_block"):
                code.append(span)
    return Blocks(tuple(_sentences(text, tables + code)), tuple(rows), tuple(code))


def line_starts(text: str) -> list[int]:
    r"""Return the offset of each line and, last, the length; lines end at \\r\\n, \\r or \\n."""
    starts = [match.start() for match in _LINE.finditer(text) if match.start() < len(text)]
    return [*starts, len(text)]


def _without_newlines(text: str, end: int) -> int:
    while end and text[end - 1] in "\r\n":
        end -= 1
    return end


def _is_markdown(document: Document) -> bool:
    return document.name.lower().endswith((".md", ".markdown"))


def _parse(text: str) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.core.ruler.disable(["inline", "text_join"])  # only the line maps are needed
    return parser.parse(text)


def _underlined(text: str) -> Iterator[Heading]:
    levels: dict[str, int] = {}
    starts = line_starts(text)
    lines = [text[begin:end].rstrip() for begin, end in pairwise(starts)]
    for begin, line, below in zip(starts, lines, lines[1:], strict=False):
        match = _UNDERLINE.fullmatch(below)
        if match and line and not line[0].isspace() and len(below) >= len(line):
            if _UNDERLINE.fullmatch(line):
                continue
            level = levels.setdefault(match[1], len(levels) + 1)
            yield Heading(begin, level, line)


def _sentences(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for begin, end in sorted(taken):
        yield from _sentences_within(text, at, begin)
        at = max(at, end)
    yield from _sentences_within(text, at, len(text))


def _sentences_within(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[begin:end]
    if not part.strip():
        return
    for first, last in _boundaries(part):
        piece = part[first:last]
        lead = len(piece) - len(piece.lstrip())
        length = len(piece.strip())
        if length:
            yield begin + first + lead, begin + first + lead + length


def _boundaries(part: str) -> list[tuple[int, int]]:
    found = sentencex.get_sentence_boundaries("en", _ODD_SPACE.sub(" ", part))
    starts = sorted({0, *(int(item["start_index"]) for item in found)})
    return list(pairwise([*starts, len(part)]))
