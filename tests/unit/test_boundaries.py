"""Cuts, what they part, and the ledger of evidence."""

import numpy as np

from overlapkit.boundaries import cuts, ledger, tally
from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Document, corpus_of
from overlapkit.engine import prepare
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.structure import blocks

TEXT = (
    "One two. Three four.\n\n| a | b |\n|---|---|\n| cell one | cell two |\n\n```\ncode here\n```\n"
)


def found(text, places, evidence=()):
    """Return {place: kinds} for cuts at the given places."""
    document = Document("a.md", text)
    ends = np.array(places)
    return {
        cut.position: cut.kinds for cut in cuts(document, ends, ends, blocks(document), evidence)
    }


def test_a_cut_names_what_it_parts():
    """Words, sentences, table rows and code blocks are named; a gap between parts is not."""
    row = TEXT.index("cell two") + 2
    code = TEXT.index("code") + 2
    kinds = found(TEXT, [1, 8, row, code])
    assert kinds[1] == ("word", "sentence")
    assert kinds[8] == ()
    assert kinds[row] == ("word", "table row")
    assert kinds[code] == ("word", "code block")


def test_a_cut_inside_evidence_is_named_and_one_at_its_edge_is_not():
    """Evidence 4..7 is parted at 5, and not at 4 or 7."""
    kinds = found("One two. Three four.", [4, 5, 7], [Evidence("a.md", 4, 7)])
    assert "evidence" in kinds[5]
    assert "evidence" not in kinds[4]
    assert "evidence" not in kinds[7]


def test_overlapping_evidence_is_parted_by_the_longer_span():
    """A short span that ends early does not hide the long one around it."""
    spans = [Evidence("a.md", 0, 20), Evidence("a.md", 4, 7)]
    assert "evidence" in found("One two. Three four.", [10], spans)[10]


def test_a_cut_between_a_letter_and_its_mark_is_reported():
    """In cafe + combining acute + s, place 4 parts a letter."""
    assert "letter" in found("cafe\u0301s", [4])[4]
    assert "letter" not in found("cafe\u0301s", [3])[3]


def test_document_ends_are_not_cuts():
    """The beginning and the end of the text part nothing and are not listed."""
    assert found("abc", [0, 3]) == {}


def _queries(*spans):
    queries = [Query(f"q{i}", "?", (Evidence("a.txt", *span),)) for i, span in enumerate(spans)]
    return QuerySet(tuple(queries), "minimal")


def _engine(text, *spans):
    return prepare(corpus_of([("a.txt", text)]), _queries(*spans))


def test_the_ledger_tells_the_five_states_apart():
    """From 10/0 to 10/4 each span is whole, repaired, newly cut, still cut or too long."""
    # Before: 0..10, 10..20, 20..30, 30..40. After: 0..10, 6..16, 12..22, 18..28, …
    engine = _engine("x" * 40, (2, 8), (8, 12), (10, 20), (9, 17), (5, 25))
    lines = ledger(
        engine, engine.chunk(ChunkSpec(size=10, overlap=0)), ChunkSpec(size=10, overlap=4)
    )
    assert [line.state for line in lines] == [
        "whole in both", "repaired", "newly cut", "still cut", "longer than the chunk",
    ]  # fmt: skip
    assert [line.chunks for line in lines] == [1, 1, 0, 0, 0]
    assert set(tally(lines).values()) == {1}


def test_a_span_is_too_long_by_the_unit_of_the_chunk():
    """Three words do not fit two-word windows, however long the words of other chunks are."""
    text = "a b c " + "long" * 20 + " tail"
    engine = _engine(text, (0, 5))
    spec = ChunkSpec(unit="word", size=2, overlap=1)
    assert ledger(engine, engine.chunk(spec), spec)[0].state == "longer than the chunk"


def test_a_span_held_by_two_chunks_counts_both():
    """A span inside an overlap lies whole in both of its chunks."""
    spec = ChunkSpec(size=10, overlap=4)
    engine = _engine("x" * 40, (6, 10))
    assert ledger(engine, engine.chunk(spec), spec)[0].chunks == 2


def test_the_ledger_of_one_document_holds_its_spans_only():
    """Naming a document keeps the states of its spans and drops the others."""
    corpus = corpus_of([("a.txt", "x" * 40), ("b.txt", "y" * 40)])
    queries = QuerySet(
        (
            Query("1", "?", (Evidence("a.txt", 5, 25), Evidence("b.txt", 2, 8))),
            Query("2", "?", (Evidence("b.txt", 8, 12),)),
        ),
        "minimal",
    )
    spec = ChunkSpec(size=10, overlap=0)
    engine = prepare(corpus, queries)
    lines = ledger(engine, engine.chunk(spec), spec, "b.txt")
    assert [(line.span.start, line.state) for line in lines] == [
        (2, "whole in both"), (8, "still cut"),
    ]  # fmt: skip
