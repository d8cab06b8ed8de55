"""Lengths of what should stay whole, the setting they need, and what a corpus warns of."""

import math

import pytest

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.chunkers.window import read_units
from overlapkit.corpus import Corpus, corpus_of
from overlapkit.errors import SettingsError
from overlapkit.lengths import (
    PERCENTS,
    corpus_warnings,
    needed_setting,
    saturated,
    unit_lengths,
)
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.structure import blocks


def medians(text: str, unit: str = "char", name: str = "a.md") -> dict[str, tuple[int, int]]:
    """Return (count, median length) of each kind of unit in one document."""
    corpus = corpus_of([(name, text)])
    return {
        one.kind: (one.count, one.percentiles[0].length)
        for one in unit_lengths(corpus, read_units(corpus, unit))
    }


def asked(kind: str, *spans: tuple[str, int, int]) -> QuerySet:
    """Return a set of one question per span."""
    queries = (Query(str(n), "x", (Evidence(*span),)) for n, span in enumerate(spans))
    return QuerySet(tuple(queries), kind)


# --- lengths --------------------------------------------------------------------------

MARKDOWN = """# Pay

It is due. Pay.

- by card

| City | Rate |
|---|---|
| Oslo | 4 |
| Lima | 16 |

```py
a = 1
b = 20
```
"""


def test_every_kind_is_measured_in_characters():
    """Sentences leave out the heading, rows their head; a section ends with its last sign."""
    assert medians(MARKDOWN) == {
        "sentence": (3, 9),  # 'It is due.', 'Pay.' and '- by card'
        "paragraph": (1, 15),
        "list item": (1, 9),
        "table row": (2, 12),  # 12 and 13: half of two is one
        "table row with its header": (2, 15 + 1 + 12),
        "code statement": (2, 5),
        "code block": (1, 5 + 1 + 5 + 1 + 6 + 1 + 3),
        "section": (1, len(MARKDOWN) - 1),
    }


def test_every_kind_is_measured_in_words():
    """A line end is no word, so a row with its header has the words of both."""
    found = medians(MARKDOWN, "word")
    assert found["sentence"] == (3, 3)
    assert found["table row"] == (2, 5)
    assert found["table row with its header"] == (2, 10)
    assert found["code block"] == (1, 8)


def test_tokens_are_counted_where_they_stand():
    """' due' is a token, and the row is met by those that its ends cut."""
    assert medians("It is due.\n", "token")["sentence"] == (1, 4)


def test_clauses_are_measured_with_their_parts():
    """The outer one holds the inner ones."""
    found = medians("1. Pay:\n(a) now; or\n(b) on the day.\n", name="a.txt")
    assert found["clause"] == (3, 15)  # 35, 11 and 15 characters
    assert "section" not in found


def test_lengths_of_a_later_document_are_its_own():
    """Positions are global: a document behind others is measured like the first."""
    corpus = corpus_of([("a.md", "One two three."), ("b.md", "Four."), ("c.md", "")])
    for unit, expected in (("char", [5, 14]), ("word", [1, 3]), ("token", [2, 4])):
        found = unit_lengths(corpus, read_units(corpus, unit))[0].percentiles
        assert [found[0].length, found[-1].length] == expected


def test_a_corpus_without_units_has_no_lengths():
    """Nothing in, nothing out."""
    corpus = corpus_of([("a.md", " \n"), ("b.txt", "")])
    assert unit_lengths(corpus, read_units(corpus, "char")) == ()


def test_a_percentile_is_the_smallest_length_that_so_many_do_not_exceed():
    """Of lengths 2, 4, … 40: the 10th, the 18th, the 19th and the last."""
    corpus = corpus_of([("a.md", "\n\n".join("x" * n for n in range(2, 41, 2)))])
    found = unit_lengths(corpus, read_units(corpus, "char"))
    (paragraphs,) = (one for one in found if one.kind == "paragraph")
    assert [one.percent for one in paragraphs.percentiles] == list(PERCENTS)
    assert [one.length for one in paragraphs.percentiles] == [20, 36, 38, 40]
    assert [one.overlap for one in paragraphs.percentiles] == [19, 35, 37, 39]


def test_known_blocks_are_not_read_again():
    """What is handed in is measured."""
    corpus = corpus_of([("a.md", "One. Two.")])
    units = read_units(corpus, "char")
    empty = [blocks(document) for document in corpus_of([("a.md", "")]).documents]
    assert unit_lengths(corpus, units, parts=empty) == ()


def test_evidence_of_a_minimal_set_is_measured():
    """Once per query, in the unit asked for."""
    corpus = corpus_of([("a.md", "One two three. Four."), ("b.md", "Five six.")])
    golden = asked("minimal", ("a.md", 0, 14), ("a.md", 0, 14), ("b.md", 0, 4))
    found = unit_lengths(corpus, read_units(corpus, "word"), golden)
    assert found[-1].kind == "evidence"
    assert found[-1].count == 3
    assert [one.length for one in found[-1].percentiles] == [3, 3, 3, 3]


def test_evidence_of_an_extent_set_is_not():
    """A section need not stay whole to answer."""
    corpus = corpus_of([("a.md", "One two three. Four.")])
    found = unit_lengths(corpus, read_units(corpus, "char"), asked("extent", ("a.md", 0, 14)))
    assert "evidence" not in {one.kind for one in found}


@pytest.mark.parametrize("unit", ["char", "word", "token"])
def test_the_overlap_of_a_length_keeps_every_such_unit_whole(unit):
    """With the overlap of the longest sentence no sentence is parted; the rule is exact."""
    text = " ".join(f"The quay number {n} has {'no ' * (n % 5)}lamp." for n in range(60))
    corpus = corpus_of([("a.md", text)])
    units = read_units(corpus, unit)
    (found,) = (one for one in unit_lengths(corpus, units) if one.kind == "sentence")
    needed = needed_setting(found.percentiles[-1].length)
    assert needed.overlap == found.percentiles[-1].overlap
    chunks = chunk(corpus, ChunkSpec(unit=unit, size=needed.size, overlap=needed.overlap))
    windows = list(zip(chunks.start.tolist(), chunks.end.tolist(), strict=True))
    for start, end in blocks(corpus.documents[0]).sentences:
        assert any(first <= start and end <= last for first, last in windows)


# --- the setting needed ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "size", "overlap"), [(1, 1, 0), (2, 4, 1), (3, 8, 2), (201, 800, 200)]
)
def test_the_size_is_four_times_the_overlap_that_a_length_needs(length, size, overlap):
    """A smaller size would have an overlap above its quarter; one unit needs no overlap."""
    assert needed_setting(length) == (size, overlap)
    ChunkSpec(size=size, overlap=overlap)


@pytest.mark.parametrize("length", [0, -3])
def test_a_length_is_at_least_one(length):
    """Nothing has no length."""
    with pytest.raises(SettingsError, match=f"at least 1; got {length}"):
        needed_setting(length)


# --- warnings -------------------------------------------------------------------------


def warnings(corpus: Corpus, size: int, unit: str = "char") -> tuple[str, ...]:
    """Return the warnings of a corpus at a size."""
    return corpus_warnings(corpus, size, read_units(corpus, unit))


def test_a_corpus_of_short_documents_is_warned_of():
    """Two of three fit ten characters or two words; white space alone is no document."""
    corpus = corpus_of([("a", "one two"), ("b", "one two."), ("c", "o n e t w o"), ("d", " \n")])
    said = (
        "2 of 3 documents fit one chunk of size 10: neither a larger size nor any overlap "
        "changes these"
    )
    assert warnings(corpus, 10) == (said,)
    assert warnings(corpus, 2, "word") == (said.replace("size 10", "size 2"),)
    assert warnings(corpus, 7) == ()


def test_half_the_documents_are_not_most_of_them():
    """More than half must fit."""
    texts = {"a": "abcd", "b": "abcd", "c": "abcde", "d": "abcde"}
    assert warnings(corpus_of(texts.items()), 4) == ()


def test_a_file_that_outweighs_all_others_is_warned_of():
    """Twelve of twenty characters are 60%."""
    corpus = corpus_of([("a", "x" * 4), ("big.md", "x" * 12), ("c", "x" * 4)])
    assert warnings(corpus, 1) == (
        "'big.md' is 60% of the text of 3 documents: results speak of that one file more than "
        "of all others together",
    )


def test_half_the_text_or_a_single_file_is_no_warning():
    """More than half is asked for, and one file alone outweighs nothing."""
    assert warnings(corpus_of([("a", "x" * 8), ("b", "x" * 4), ("c", "x" * 4)]), 1) == ()
    assert warnings(corpus_of([("a", "x" * 8)]), 1) == ()
    assert warnings(corpus_of([]), 1) == ()


def test_values_near_one_end_are_saturated():
    """Within one point of 0 or of 1, all of them at the same end."""
    assert saturated([0.99, 1.0, 0.995]) == (
        "all 3 values lie within 1 point of 100% (99.0% to 100.0%), so this metric cannot tell "
        "these settings apart: ask harder questions or cut the list off earlier"
    )
    assert saturated([0.0, 0.01]) == (
        "all 2 values lie within 1 point of 0% (0.0% to 1.0%), so this metric cannot tell these "
        "settings apart: ask easier questions or cut the list off later"
    )


@pytest.mark.parametrize(
    "values", [[], [1.0], [0.98, 1.0], [0.0, 1.0], [0.5, 0.5], [math.nan, 1.0]]
)
def test_other_values_are_not(values):
    """Room for a difference, a difference, an unknown value or fewer than two."""
    assert saturated(values) is None
