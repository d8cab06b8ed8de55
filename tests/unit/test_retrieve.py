"""Ranking: idf and weights by hand, ties, cut-offs, and what may be asked for."""

import math

import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import (
    MAX_K,
    RANKINGS,
    Budget,
    RunSpec,
    TopK,
    lucene_idf,
    okapi_idf,
    rank,
)

WHOLE = ChunkSpec("window", "word", 1000, 0)


def engine_of(texts: list[str], *questions: str):
    """Return an engine over documents called 0, 1, … with these questions."""
    corpus = corpus_of((f"{number:03d}", text) for number, text in enumerate(texts))
    evidence = (Evidence("000", 0, 1),)
    queries = tuple(Query(str(n), text, evidence) for n, text in enumerate(questions))
    return prepare(corpus, QuerySet(queries, "minimal"), "word")


def ranked(texts: list[str], question: str, ranking: str = "okapi", k: int = 5):
    """Return (document, score) of the results, each document being one chunk."""
    engine = engine_of(texts, question)
    found = rank(engine.index(engine.chunk(WHOLE)), engine.query_terms, ranking, k)
    return list(zip(found.chunk.tolist(), found.score.tolist(), strict=True))


# --- weights --------------------------------------------------------------------------


def test_okapi_is_the_formula_of_rank_bm25():
    """One term in one of four chunks: idf ln 3.5 - ln 1.5, times its saturated frequency."""
    texts = ["kelp kelp soup", "iron", "salt road", "a b"]  # 8 words, 2 on average
    idf = math.log(4 - 1 + 0.5) - math.log(1 + 0.5)
    weight = idf * (2 * 2.5 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2)))
    ((found, score),) = ranked(texts, "kelp")
    assert (found, score) == (0, pytest.approx(weight, rel=1e-15))


def test_a_negative_okapi_idf_becomes_a_quarter_of_the_mean():
    """A term in three of four chunks gets 0.25 times the mean idf of all terms."""
    texts = ["kelp a", "kelp b", "kelp c", "d e"]
    engine = engine_of(texts, "kelp a")
    index = engine.index(engine.chunk(WHOLE))
    rare, common = math.log(3.5) - math.log(1.5), math.log(1.5) - math.log(3.5)
    mean = (5 * rare + common) / 6
    assert okapi_idf(index).tolist() == pytest.approx([0.25 * mean, rare])


def test_lucene_idf_is_always_positive():
    """ln(1 + (N - n + 0.5)/(n + 0.5)) for a term in 1, 3 and 4 of four chunks."""
    engine = engine_of(["k a b", "k a", "k a", "k"], "b a k")
    idf = lucene_idf(engine.index(engine.chunk(WHOLE)))
    expected = [math.log(1 + 3.5 / 1.5), math.log(1 + 1.5 / 3.5), math.log(1 + 0.5 / 4.5)]
    assert idf.tolist() == pytest.approx(expected)


def test_lucene_saturates_with_k1_of_1_2():
    """A chunk of average length with frequency 2 gets idf * 2/(2 + 1.2)."""
    ((_, score), (_, single)) = ranked(["k k", "k a", "b c", "d e"], "k", "lucene")
    idf = math.log(1 + 2.5 / 2.5)
    assert (score, single) == (pytest.approx(idf * 2 / 3.2), pytest.approx(idf / 2.2))


def test_count_adds_one_for_each_query_term_held():
    """Neither frequency, rarity nor a repeat in the question counts."""
    texts = ["a a a", "a b", "b", "c"]
    assert ranked(texts, "a b a", "count") == [(1, 2.0), (0, 1.0), (2, 1.0)]


def test_a_repeated_query_term_is_added_again():
    """BM25 takes the question's terms as a list."""
    ((_, once),) = ranked(["k a", "b c", "d e"], "k")
    ((_, twice),) = ranked(["k a", "b c", "d e"], "k k")
    assert twice == once + once


# --- lists ----------------------------------------------------------------------------


def test_a_chunk_without_a_query_term_is_no_result():
    """A list may be shorter than k, or empty."""
    assert [found for found, _ in ranked(["kelp", "iron", "salt"], "kelp")] == [0]
    assert ranked(["kelp", "iron"], "zinc") == []
    assert ranked(["kelp", "iron"], "") == []


def test_a_term_of_weight_zero_is_a_result_all_the_same():
    """A word in half of the chunks has okapi idf 0, and its chunks are found."""
    assert ranked(["kelp", "kelp", "iron", "salt"], "kelp") == [(0, 0.0), (1, 0.0)]


def test_ties_stand_in_order_of_document_and_start():
    """Equal scores are ordered by name, then by place; k cuts the later ones off."""
    texts = [f"kelp x{number}" for number in range(9)] + ["other"] * 30
    assert [found for found, _ in ranked(texts, "kelp", k=4)] == [0, 1, 2, 3]


def test_a_better_score_comes_first_whatever_the_order():
    """The score decides before the name does."""
    texts = ["kelp a b c d e", "kelp", "kelp a", "x", "y", "z", "w"]
    assert [found for found, _ in ranked(texts, "kelp")] == [1, 2, 0]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_an_index_without_terms_gives_empty_lists(ranking):
    """Neither no chunk nor chunks without words are special."""
    for texts in ([" "], ["…"]):
        engine = engine_of(texts, "kelp", "iron")
        found = rank(engine.index(engine.chunk(WHOLE)), engine.query_terms, ranking)
        assert found.first.tolist() == [0, 0, 0]
        assert len(found.chunk) == 0


def test_ranks_and_queries_of_results():
    """Each result knows its query and its rank from 0."""
    engine = engine_of(["a b", "b c", "d"], "b", "zz", "d")
    found = rank(engine.index(engine.chunk(WHOLE)), engine.query_terms, "lucene")
    assert found.first.tolist() == [0, 2, 2, 3]
    assert found.query.tolist() == [0, 0, 2]
    assert found.rank.tolist() == [0, 1, 0]


def test_a_cut_word_counts_as_its_pieces():
    """A chunk that ends inside 'kelpie' holds 'kelp', not 'kelpie'."""
    engine = engine_of(["xx kelpie", "other", "more", "text"], "kelp", "kelpie")
    chunks = engine.chunk(ChunkSpec(size=7, overlap=0))
    found = rank(engine.index(chunks), engine.query_terms, "lucene")
    assert found.first.tolist() == [0, 1, 1]
    assert chunks.text(engine.corpus, int(found.chunk[0])) == "xx kelp"


def test_a_budget_is_reached_however_deep_it_lies():
    """Lists reach on until the budget is full, although chunks are much shorter than usual."""
    texts = ["k"] * 200 + ["long text without it " * 20] * 300
    engine = engine_of(texts, "k")
    chunks = engine.chunk(WHOLE)
    found = engine.rank(chunks, engine.index(chunks), "lucene", (Budget(150),))
    assert len(found.chunk) >= 150


# --- what may be asked for ------------------------------------------------------------


@pytest.mark.parametrize("k", [0, -1, MAX_K + 1, 2.0, True, "5"])
def test_k_is_a_whole_number_within_its_bounds(k):
    """The message gives both bounds."""
    with pytest.raises(SettingsError, match=r"k must be a whole number in 1\.\.1000"):
        TopK(k)


@pytest.mark.parametrize("size", [0, -5, 1.5, True])
def test_a_budget_is_a_whole_number_above_0(size):
    """Nothing can be retrieved into no budget."""
    with pytest.raises(SettingsError, match="budget must be a whole number of at least 1"):
        Budget(size)


def test_unknown_names_are_errors_that_list_the_choices():
    """Ranking, budget unit and tail each print what there is."""
    names = ", ".join(RANKINGS)
    with pytest.raises(SettingsError, match=f"ranking must be one of {names}; got 'magic'"):
        RunSpec("magic")
    with pytest.raises(SettingsError, match="budget unit must be one of char, token"):
        Budget(10, "word")
    with pytest.raises(SettingsError, match="budget tail must be one of truncate, drop"):
        Budget(10, tail="keep")
    engine = engine_of(["a"], "a")
    with pytest.raises(SettingsError, match="ranking must be one of"):
        rank(engine.index(engine.chunk(WHOLE)), engine.query_terms, "magic")


def test_labels_of_cut_offs():
    """Columns are named by k, or by a budget's size and unit."""
    assert (TopK(7).label, Budget(4000).label, Budget(900, "token").label) == ("7", "4000c", "900t")
