"""Every chunker under every unit: spans in order, inside, covering, none inside another."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings

from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSpec, chunk
from overlapkit.corpus import corpus_of
from overlapkit.tokens import ENCODINGS, token_spans
from tests import naive
from tests.property.strategies import corpora, sizes

every_entry = pytest.mark.parametrize("chunker", CHUNKERS)
every_unit = pytest.mark.parametrize("unit", UNITS)
fast = settings(max_examples=40, deadline=None)


def spans_of(corpus, spec):
    """Return the (start, end) of each document's chunks."""
    chunks = chunk(corpus, spec)
    found = [[] for _ in corpus.documents]
    for doc, start, end in zip(
        chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True
    ):
        found[doc].append((start, end))
    assert sorted(chunks.doc.tolist()) == chunks.doc.tolist()
    return found


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes())
def test_spans_are_ordered_and_inside_their_document(chunker, unit, corpus, size):
    """Starts and ends both rise strictly, so no chunk is empty or inside another."""
    spec = ChunkSpec(chunker, unit, *size)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        assert all(0 <= start < end <= len(document.text) for start, end in spans)
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans))
        assert not any(naive.inside(a, b) for a in spans for b in spans if a is not b)


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes())
def test_spans_cover_all_text_but_white_space(chunker, unit, corpus, size):
    """Every character that is not white space stands in a chunk; blank texts have none."""
    spec = ChunkSpec(chunker, unit, *size)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        covered = {at for start, end in spans for at in range(start, end)}
        assert all(c.isspace() or at in covered for at, c in enumerate(document.text))
        assert bool(spans) == bool(document.text.strip())


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes())
def test_a_document_is_cut_the_same_in_any_corpus(chunker, unit, corpus, size):
    """Chunks of a document depend on nothing beside it."""
    spec = ChunkSpec(chunker, unit, *size)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        assert spans_of(corpus_of([("alone", document.text)]), spec) == [spans]


@fast
@given(corpus=corpora(), size=sizes())
def test_character_windows_equal_plain_stepping(corpus, size):
    """Windows of characters are those that a loop finds."""
    chunks = chunk(corpus, ChunkSpec("window", "char", *size))
    found = zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True)
    assert list(found) == naive.windows([d.text for d in corpus.documents], *size)


@fast
@given(corpus=corpora(), size=sizes())
def test_word_windows_equal_plain_stepping(corpus, size):
    """Windows of words run from their first word's start to their last word's end."""
    found = spans_of(corpus, ChunkSpec("window", "word", *size))
    for document, spans in zip(corpus.documents, found, strict=True):
        words = [match.span() for match in re.finditer(r"\S+", document.text)]
        assert spans == naive.unit_windows(words, *size)


@pytest.mark.parametrize("encoding", ENCODINGS)
@fast
@given(corpus=corpora(), size=sizes())
def test_token_windows_equal_plain_stepping(encoding, corpus, size):
    """Windows of tokens widened to whole characters, those inside another merged."""
    found = spans_of(corpus, ChunkSpec("window", "token", *size, encoding))
    for document, spans in zip(corpus.documents, found, strict=True):
        if document.text.strip():
            starts, ends, _ = token_spans(document.text, encoding)
            tokens = list(zip(starts.tolist(), ends.tolist(), strict=True))
            assert spans == naive.unit_windows(tokens, *size)


@pytest.mark.parametrize("encoding", ENCODINGS)
@fast
@given(corpus=corpora(), size=sizes())
def test_merged_windows_are_counted(encoding, corpus, size):
    """What is cut and what was merged add up to the windows that were asked for."""
    chunks = chunk(corpus, ChunkSpec("window", "token", *size, encoding))
    asked = 0
    for document in corpus.documents:
        if document.text.strip():
            tokens = len(token_spans(document.text, encoding).starts)
            asked += 1 + -(-max(tokens - size[0], 0) // (size[0] - size[1]))
    assert len(chunks) + chunks.merged == asked
