"""The corpus: order, digest, unique names, duplicates."""

import pytest

from overlapkit.corpus import Corpus, Document, corpus_of, duplicate_texts
from overlapkit.errors import InputError


def test_documents_are_ordered_by_name_in_code_points():
    """A corpus has its documents in code-point order of their names."""
    corpus = corpus_of([("b", "1"), ("é", "2"), ("a", "3"), ("B", "4")])
    assert [document.name for document in corpus.documents] == ["B", "a", "b", "é"]


def test_the_order_given_does_not_change_the_digest():
    """The same documents in another order are the same corpus."""
    assert corpus_of([("a", "1"), ("b", "2")]).digest == corpus_of([("b", "2"), ("a", "1")]).digest


def test_the_digest_tells_every_part_apart():
    """Names, groups and texts cannot run together to the same digest."""
    corpora = [
        [Document("a", "x"), Document("b", "yz")],
        [Document("a", "xy"), Document("b", "z")],
        [Document("ax", ""), Document("b", "yz")],
        [Document("a", "x", "g"), Document("b", "yz")],
        [Document("a", "x", ""), Document("b", "yz")],
        [Document("a", "x-1:b-2:yz")],
        [Document("a", "xyz")],
        [],
    ]
    digests = {Corpus(tuple(documents)).digest for documents in corpora}
    assert len(digests) == len(corpora)


def test_a_lone_surrogate_has_a_digest():
    """A text that no UTF-8 can hold does not stop the digest."""
    assert corpus_of([("a", "\ud800")]).digest != corpus_of([("a", "\ud801")]).digest


def test_two_documents_with_one_name_are_an_error():
    """The error names the document that occurs twice."""
    with pytest.raises(InputError, match=r"'a\.txt' occurs twice"):
        corpus_of([("a.txt", "1"), ("b.txt", "2"), ("a.txt", "3")])


def test_position_finds_a_document_or_none():
    """A position is the index in the ordered documents."""
    corpus = corpus_of([("b", ""), ("a", "")])
    assert [corpus.position(name) for name in ("a", "b", "c")] == [0, 1, None]


def test_characters_are_code_points():
    """An emoji outside the basic plane counts once."""
    assert corpus_of([("a", "é😀"), ("b", "x")]).characters == 3


def test_equal_texts_are_two_documents_and_one_reported_pair():
    """Documents with the same text stay apart and are reported as a pair."""
    text = "same text twenty chr"
    corpus = corpus_of([("a/readme.md", text), ("b/readme.md", text), ("c.md", "other")])
    assert len(corpus.documents) == 3
    assert duplicate_texts(corpus) == (("a/readme.md", "b/readme.md"),)


def test_each_later_duplicate_is_paired_with_the_first():
    """Three equal texts give two pairs."""
    corpus = corpus_of([("c", "x"), ("a", "x"), ("b", "x")])
    assert duplicate_texts(corpus) == (("a", "b"), ("a", "c"))
