"""All parts of a document at once."""

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter

from overlapkit.corpus import Document
from overlapkit.structure.clauses import clauses
from overlapkit.structure.headings import Heading, headings, markdown_headings, sections
from overlapkit.structure.lines import Span, line_starts
from overlapkit.structure.markdown import Parts, is_markdown, markdown_parts, parse
from overlapkit.structure.plain import plain_parts
from overlapkit.structure.sentences import sentences

Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """Spans of a document's parts, each list in order, half open, in code points.

    ``sentences`` stand outside tables, code and front matter, and end where a heading,
    paragraph or list item does; a heading is one of its own. ``table_headers`` holds for
    each of ``table_rows`` the head row of its table (for a head row, itself). Clauses and
    sections may lie inside others; no other two spans of one kind meet. White space stands
    at the edges of sections, table rows and code blocks only.
    """

    sentences: Spans = ()
    table_rows: Spans = ()
    code_blocks: Spans = ()
    table_headers: Spans = ()
    code_statements: Spans = ()
    paragraphs: Spans = ()
    list_items: Spans = ()
    clauses: Spans = ()
    sections: Spans = ()
    headings: Spans = ()


def blocks(document: Document) -> Blocks:
    """Return the parts of a document; only Markdown has tables and code blocks."""
    text = document.text
    starts = line_starts(text)
    if is_markdown(document):
        tokens = parse(text)
        heads, parts = markdown_headings(text, tokens), markdown_parts(text, tokens)
    else:
        heads = headings(document)
        parts = plain_parts(text, starts, _spans(heads))
    borders = [edge for span in _spans(heads) for edge in span]
    prose = [*parts.paragraphs, *parts.list_items]
    edges = sorted({*borders, *(edge for span in prose for edge in span)})
    return Blocks(
        tuple(sentences(text, parts.apart, edges, borders)),
        tuple(parts.table_rows),
        tuple(parts.code_blocks),
        tuple(parts.headers),
        tuple(parts.statements),
        tuple(parts.paragraphs),
        tuple(parts.list_items),
        tuple(clauses(text, starts, _stops(heads, parts))),
        tuple((one.start, one.end) for one in sections(document, heads)),
        tuple(_spans(heads)),
    )


def prose_sentences(parts: Blocks) -> Spans:
    """Return the sentences of paragraphs and list items: no headings, rules or markup."""
    prose = sorted(parts.paragraphs + parts.list_items)
    starts = [start for start, _ in prose]

    def inside(sentence: Span) -> bool:
        place = bisect_right(starts, sentence[0]) - 1
        return place >= 0 and sentence[1] <= prose[place][1]

    return tuple(filter(inside, parts.sentences))


def _spans(heads: tuple[Heading, ...]) -> list[Span]:
    return [(heading.start, heading.end) for heading in heads]


def _stops(heads: tuple[Heading, ...], parts: Parts) -> list[Span]:
    return sorted(_spans(heads) + parts.apart, key=itemgetter(0))
