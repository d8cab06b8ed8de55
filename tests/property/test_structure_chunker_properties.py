"""Chunks of whole pieces: none cut that fits, none too long, none moved by another section."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import UNITS, ChunkSpec, chunk
from overlapkit.chunkers.fitting import fit
from overlapkit.chunkers.pieces import read_pieces
from overlapkit.chunkers.window import read_units
from overlapkit.corpus import Corpus, Document
from overlapkit.index import build_index, query_terms
from overlapkit.retrieve import rank
from overlapkit.structure import blocks, headings, trimmed
from overlapkit.terms import TERM_FUNCTIONS, read_terms
from tests import naive
from tests.property.strategies import sizes, texts
from tests.property.test_structure_properties import documents

every_unit = pytest.mark.parametrize("unit", UNITS)
fast = settings(max_examples=60, deadline=None)


@st.composite
def structured(draw):
    """Return a corpus of one to three documents with headings, lists, tables and code."""
    names = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True))
    endings = [draw(st.sampled_from([".md", ".txt"])) for _ in names]
    return Corpus(
        tuple(draw(documents(n + ending)) for n, ending in zip(names, endings, strict=True))
    )


@st.composite
def sectioned(draw):
    """Return Markdown of some sections, most of them with text, whatever that may hold."""
    found = [draw(documents("a.md")).text]
    for _ in range(draw(st.integers(1, 4))):
        body = draw(st.sampled_from(["", "Tide and quay.\n\n"])) + draw(documents("a.md")).text
        found.append(f"{'#' * draw(st.integers(1, 3))} Fees\n{body}")
    return Document("a.md", "\n".join(found))


def spans_of(corpus, spec):
    """Return the (document, start, end) of each chunk."""
    chunks = chunk(corpus, spec)
    return list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))


def counter(corpus, unit):
    """Return a function that counts the units of a (document, start, end)."""
    units = read_units(corpus, unit)

    def count(doc, start, end):
        base = units.base[doc]
        return int(units.met(np.array([start + base]), np.array([end + base]))[0])

    return count


@every_unit
@fast
@given(corpus=structured(), size=sizes(60))
def test_chunks_rise_and_hold_all_but_white_space(unit, corpus, size):
    """Starts and ends rise strictly, edges are no white space, and no other text is left out."""
    found = spans_of(corpus, ChunkSpec("structure", unit, *size))
    for doc, document in enumerate(corpus.documents):
        own = [span[1:] for span in found if span[0] == doc]
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(own))
        held = {at for start, end in own for at in range(start, end)}
        assert held <= set(range(len(document.text)))
        assert all(at in held or c.isspace() for at, c in enumerate(document.text))
        for start, end in own:
            assert start < end
            assert document.text[start:end] == document.text[start:end].strip()


@every_unit
@fast
@given(corpus=structured(), size=sizes(60))
def test_no_chunk_is_longer_than_the_size_nor_shares_more_than_the_overlap(unit, corpus, size):
    """Only a single character that is more tokens than the size is longer."""
    count = counter(corpus, unit)
    found = spans_of(corpus, ChunkSpec("structure", unit, *size))
    for doc, start, end in found:
        assert count(doc, start, end) <= size[0] or end - start == 1
    for (doc, _, end), (other, start, _) in pairwise(found):
        if doc == other and start < end:
            assert count(doc, start, end) <= size[1]


@every_unit
@fast
@given(corpus=structured(), size=sizes(60))
def test_whatever_fits_is_whole_in_some_chunk(unit, corpus, size):
    """Sentences, rows, statements and headings; items as well, where no quote is around them."""
    count = counter(corpus, unit)
    found = spans_of(corpus, ChunkSpec("structure", unit, *size))
    for doc, document in enumerate(corpus.documents):
        parts = blocks(document)
        items = () if ">" in document.text else parts.list_items
        pieces = [*parts.sentences, *parts.table_rows, *parts.code_statements, *parts.headings]
        for span in [*pieces, *items]:
            start, end = trimmed(document.text, *span)
            if count(doc, start, end) <= size[0]:
                assert any(d == doc and a <= start and end <= b for d, a, b in found)


@every_unit
@fast
@given(corpus=structured(), size=sizes(60))
def test_packing_equals_a_plain_loop(unit, corpus, size):
    """Chunks are those that adding one part after the other finds."""
    count = counter(corpus, unit)
    units = read_units(corpus, unit)
    parts = fit(corpus, read_pieces(corpus), units, size[0])
    base = units.base[parts.doc]
    columns = (parts.section, parts.doc, parts.start - base, parts.end - base)
    expected = []
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for _, own in groupby(rows, key=lambda row: row[0]):
        expected += loop([row[1:] for row in own], *size, count)
    assert spans_of(corpus, ChunkSpec("structure", unit, *size)) == expected


def loop(parts, size, overlap, count):
    """Return the chunks of one section, found by trying."""

    def length(first, last):
        return count(parts[first][0], parts[first][1], parts[last][2])

    found, first = [], 0
    while True:
        last = first
        while last + 1 < len(parts) and length(first, last + 1) <= size:
            last += 1
        found.append((parts[first][0], parts[first][1], parts[last][2]))
        if last + 1 == len(parts):
            return found
        again = first + 1
        while again <= last and (length(again, last) > overlap or length(again, last + 1) > size):
            again += 1
        first = again


@every_unit
@settings(max_examples=80, deadline=None)
@given(document=sectioned(), size=sizes(60), data=st.data())
def test_an_insertion_changes_no_chunk_of_another_section(unit, document, size, data):
    """A paragraph put below a heading moves the chunks of later sections, and no more."""
    text, heads = document.text, headings(document)
    edges = [heading.start for heading in heads] + [len(text)]
    with_text = [
        at for at, heading in enumerate(heads) if text[heading.end : edges[at + 1]].strip()
    ]
    assume(with_text)
    at = first = data.draw(st.sampled_from(with_text))
    while first and first - 1 not in with_text:
        first -= 1  # headings without text of their own stand in the chunk of this one
    place, added = heads[at].end, "\n\nquay tide harbour mast.\n"
    after = Document("a.md", text[:place] + added + text[place:])
    spec = ChunkSpec("structure", unit, *size)
    old = [span[1:] for span in spans_of(Corpus((document,)), spec)]
    new = [span[1:] for span in spans_of(Corpus((after,)), spec)]
    begin, end = heads[first].start, edges[at + 1]
    assert [span for span in old if span[1] <= begin] == [s for s in new if s[1] <= begin]
    moved = [(a + len(added), b + len(added)) for a, b in old if a >= end]
    assert moved == [span for span in new if span[0] >= end + len(added)]
    inside = [span for span in old if span[1] > begin and span[0] < end]
    assert all(begin <= start and stop <= end for start, stop in inside)


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
@settings(max_examples=60, deadline=None)
@given(
    corpus=structured(),
    size=sizes(30),
    queries=st.lists(texts(12), min_size=1, max_size=3),
    k=st.integers(1, 6),
)
def test_the_engine_equals_naive_rank_bm25(name, corpus, size, queries, k):
    """Ranked chunks and scores equal a plain rank-bm25 index to the bit, gaps between or not."""
    spec = ChunkSpec("structure", "char", *size)
    spans = spans_of(corpus, spec)
    stream = read_terms(corpus, name)
    asked = query_terms(stream, queries)
    ranked = rank(build_index(stream, chunk(corpus, spec), asked), asked, "okapi", k)
    for number, query in enumerate(queries):
        part = slice(*ranked.first[number : number + 2].tolist())
        ours = list(zip(ranked.chunk[part].tolist(), ranked.score[part].tolist(), strict=True))
        assert ours == naive.okapi_results(corpus, spans, query, name, k)
