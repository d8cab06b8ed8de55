"""Spans of any text: inside it, in order, not empty, and where boundary probes come from."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlapkit.corpus import Document, corpus_of
from overlapkit.errors import QueryError
from overlapkit.queries.probes import PROBE_KINDS, boundary_probes
from overlapkit.structure import blocks, headings, line_starts, prose_sentences, sections, trimmed
from tests.property.strategies import texts

_MARKS = [
    "# ", "## ", "> ", "- ", "  - ", "1. ", "   2) ", "1.1 ", "(a) ", "(i) ", "§ 3 ", "Article 4",
    "    ", "\t", "```py", "```", "~~~", "| a |\n|---|\n| 1 |", "| 1 |", "---", "===", "***",
    "<div>", "@d", "def f():", "x = 1", "'''", "One. Two.", "and", "", "", "\u00a0", "[a]: b",
]  # fmt: skip
_NEWLINES = ["\n", "\n", "\n\n", "\r\n", "\r", "\x0c", " \n"]

FLAT = (
    "sentences", "table_rows", "code_blocks", "code_statements", "paragraphs", "list_items",
)  # fmt: skip
NESTED = ("clauses", "sections")
TRIMMED = ("sentences", "code_statements", "paragraphs", "list_items", "clauses")


@st.composite
def documents(draw: st.DrawFn, name: str | None = None) -> Document:
    """Return a short document of lines that begin like parts of Markdown and contracts."""
    line = st.tuples(st.sampled_from(_MARKS), texts(6), st.sampled_from(_NEWLINES)).map("".join)
    text = "".join(draw(st.lists(line, max_size=14)))
    return Document(name or draw(st.sampled_from(["a.md", "a.txt"])), text)


@given(documents())
def test_spans_lie_inside_their_document_in_order_and_are_not_empty(document):
    """Whatever the text, starts rise, and ends too where no span may hold another."""
    parts = blocks(document)
    for kind in (*FLAT, *NESTED):
        spans = getattr(parts, kind)
        assert all(0 <= start < end <= len(document.text) for start, end in spans), kind
        assert all(before[0] < after[0] for before, after in pairwise(spans)), kind
        if kind in FLAT:
            assert all(before[1] <= after[0] for before, after in pairwise(spans)), kind


@given(documents())
def test_trimmed_kinds_have_no_white_space_at_their_edges(document):
    """The text of such a span equals itself stripped."""
    parts = blocks(document)
    for kind in TRIMMED:
        for start, end in getattr(parts, kind):
            text = document.text[start:end]
            assert text == text.strip(), kind
            assert trimmed(document.text, start, end) == (start, end)


@given(documents())
def test_clauses_and_sections_nest_or_are_apart(document):
    """None of them cuts another."""
    parts = blocks(document)
    for kind in NESTED:
        spans = getattr(parts, kind)
        for index, (start, end) in enumerate(spans):
            for later_start, later_end in spans[index + 1 :]:
                assert later_start >= end or (start < later_start and later_end <= end), kind


@given(documents())
def test_paragraphs_and_list_items_are_apart_and_hold_the_prose_sentences(document):
    """No text is in two of them, and each prose sentence lies whole in one."""
    parts = blocks(document)
    prose = sorted(parts.paragraphs + parts.list_items)
    assert all(before[1] <= after[0] for before, after in pairwise(prose))
    for start, end in prose_sentences(parts):
        assert sum(first <= start and end <= last for first, last in prose) == 1


@given(documents())
def test_every_row_has_a_head_row_at_or_above_it(document):
    """It is a row of the document."""
    parts = blocks(document)
    assert len(parts.table_headers) == len(parts.table_rows)
    for row, header in zip(parts.table_rows, parts.table_headers, strict=True):
        assert header in parts.table_rows
        assert header <= row


@given(documents())
def test_code_statements_lie_in_code_blocks(document):
    """No statement reaches beyond its block."""
    parts = blocks(document)
    for start, end in parts.code_statements:
        assert sum(first <= start and end <= last for first, last in parts.code_blocks) == 1


@given(documents("a.txt"))
def test_every_sign_of_a_plain_text_is_in_a_sentence_and_in_prose_or_a_heading(document):
    """Nothing but white space, and marks of quotes left alone, is outside."""
    text, parts = document.text, blocks(document)
    heads = [(heading.start, heading.end) for heading in headings(document)]
    inked = {at for at, character in enumerate(text) if not character.isspace()}
    for spans in (parts.sentences, [*heads, *parts.paragraphs, *parts.list_items]):
        held = {at for start, end in spans for at in range(start, end)}
        left = inked - held
        assert all(text[at] == ">" for at in left) if spans is parts.sentences else not left


@given(documents())
def test_headings_end_within_their_lines_and_open_the_sections(document):
    """There is one section per heading, and a heading ends before its newline."""
    found = headings(document)
    starts = line_starts(document.text)
    assert [heading.start for heading in found] == [one.start for one in sections(document)]
    for heading in found:
        assert heading.start in starts
        assert heading.start < heading.end
        assert document.text[heading.end : heading.end + 1] in ("", "\r", "\n")


_WORDS = st.sampled_from(
    ["quay", "tide", "17", "harbour", "mast", "über", "Σίσυφος", "中文", "fees"]
)
_LINE = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "- ", "    ", "| ", "# ", "1. ", "> "]),
    st.lists(_WORDS, min_size=1, max_size=9).map(" ".join),
    st.sampled_from([".\n\n", " |\n", "\n", ". "]),
)
_TEXT = st.lists(_LINE, min_size=4, max_size=25).map("".join)


@given(st.lists(_TEXT, min_size=1, max_size=3), st.integers(1, 30), st.integers(0, 5))
def test_probes_are_in_the_text_once_each_and_the_same_every_time(found, count, seed):
    """Their evidence is one unit that stands nowhere else, asked for by its own words."""
    pairs = [(f"{number}.md", text) for number, text in enumerate(found)]
    try:
        probes = boundary_probes(corpus_of(pairs), count, seed)
    except QueryError:
        with pytest.raises(QueryError):
            boundary_probes(corpus_of(reversed(pairs)), count, seed)
        return
    assert probes == boundary_probes(corpus_of(reversed(pairs)), count, seed)
    assert 1 <= len(probes) <= count
    assert len({query.evidence for query in probes}) == len(probes)
    texts = dict(pairs)
    for query in probes:
        (span,) = query.evidence
        text = texts[span.document][span.start : span.end]
        assert len(text) >= 20
        assert text == text.strip()
        assert sum(occurrences(whole, text) for whole in texts.values()) == 1
        assert query.tag in PROBE_KINDS
        assert 3 <= len(query.text.split()) <= 6


def occurrences(whole: str, text: str) -> int:
    """Return how often a text begins in another, overlapping ones included."""
    return sum(whole.startswith(text, at) for at in range(len(whole)))
