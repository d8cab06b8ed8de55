"""Markdown as tokens, and their line ranges as spans."""

import re
from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from overlapkit.corpus import Document
from overlapkit.structure.code import statement_lines
from overlapkit.structure.lines import Span, line_starts, trimmed, without_newlines

_LEAD = re.compile(r"[\s>]*")  # indentation and the marks of a quote


@dataclass(slots=True)
class Parts:
    """Spans of one text while it is being read.

    ``headers`` holds for each table row the head row of its table. ``apart`` are the places
    without prose: tables with their line of dashes, code, front matter.
    """

    paragraphs: list[Span] = field(default_factory=list)
    list_items: list[Span] = field(default_factory=list)
    table_rows: list[Span] = field(default_factory=list)
    headers: list[Span] = field(default_factory=list)
    code_blocks: list[Span] = field(default_factory=list)
    statements: list[Span] = field(default_factory=list)
    apart: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class _Item:
    """A list item that is still open; ``end`` is the line of its first nested item, if any."""

    first: int
    end: int


def is_markdown(document: Document) -> bool:
    """Tell by its name whether a document is Markdown."""
    return document.name.lower().endswith((".md", ".markdown"))


def parse(text: str) -> list[Token]:
    """Return the block tokens of a Markdown text, front matter and tables included."""
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.core.ruler.disable(["inline", "text_join"])  # only the line maps are needed
    return parser.parse(text)


def markdown_parts(text: str, tokens: Iterable[Token]) -> Parts:
    """Return the parts of a Markdown text, each list in order.

    A list item reaches from its mark to its end or to its first nested item, which is an
    item of its own; a paragraph that follows nested items is a paragraph.
    """
    reader = _Reader(text, line_starts(text))
    for token in tokens:
        reader.take(token)
    return reader.parts


class _Reader:
    """Turns tokens, which come in the order of the text, into spans."""

    def __init__(self, text: str, starts: list[int]) -> None:
        self.text = text
        self.starts = starts
        self.parts = Parts()
        self.items: list[_Item] = []
        self.header: Span | None = None

    def take(self, token: Token) -> None:
        if token.type == "list_item_close":
            self._close_item(self.items.pop())
        if token.map is None:
            return
        first, last = token.map
        match token.type:
            case "list_item_open":
                if self.items:
                    self.items[-1].end = min(self.items[-1].end, first)
                self.items.append(_Item(first, last))
            case "paragraph_open":
                if not self.items or first >= self.items[-1].end:
                    self.parts.paragraphs += self._prose(first, last)
            case "table_open":
                self.header = None
                self.parts.apart.append(self._lines(first, last))
            case "tr_open":
                self._take_row(self._lines(first, last))
            case "front_matter":
                self.parts.apart.append(self._lines(first, last))
            case "fence" | "code_block":
                self._take_code(token, first, last)

    def _close_item(self, item: _Item) -> None:
        for span in self._prose(item.first, item.end):
            insort(self.parts.list_items, span)  # nested items were closed before

    def _take_row(self, span: Span) -> None:
        self.header = self.header or span
        self.parts.table_rows.append(span)
        self.parts.headers.append(self.header)

    def _take_code(self, token: Token, first: int, last: int) -> None:
        span = self._lines(first, last)
        self.parts.code_blocks.append(span)
        self.parts.apart.append(span)
        line = first + (token.type == "fence")
        for begin, end in statement_lines(token.content, token.info):
            place = trimmed(self.text, self.starts[line + begin], self.starts[line + end])
            if place[0] < place[1]:
                self.parts.statements.append(place)

    def _lines(self, first: int, last: int) -> Span:
        return self.starts[first], without_newlines(self.text, self.starts[last])

    def _prose(self, first: int, last: int) -> list[Span]:
        """Return the span of lines without quote marks before it or empty lines behind it."""
        while last > first and not self._line(last - 1).strip(" \t\r\n>"):
            last -= 1
        lead = _LEAD.match(self.text, self.starts[first], self.starts[last])
        if lead is None or lead.end() == self.starts[last]:
            return []
        return [trimmed(self.text, lead.end(), self.starts[last])]

    def _line(self, number: int) -> str:
        return self.text[self.starts[number] : self.starts[number + 1]]
