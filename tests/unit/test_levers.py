"""What each lever hands on, by hand; one lever at a time with overlap and without it."""

from dataclasses import replace
from math import log, nan

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.decide import compare
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import METRICS, Evaluation, evaluate_with
from overlapkit.gains import collapsed_evaluation
from overlapkit.levers import (
    LEVERS,
    NONE,
    Ablation,
    Effect,
    Lever,
    Pulled,
    ablate,
    ablation_sentence,
    lever_sentence,
    mmr,
    rerank,
    rerank_with,
    run_lever,
)
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import Budget, Ranked, RunSpec, TopK
from overlapkit.stats import Paired, clusters_of
from overlapkit.sweep import Row

SPAN = tuple[str, int, int]


def engine_on(texts: dict[str, str], *questions: str, kind="minimal", evidence=None):
    """Return an engine whose questions have the first character of a text for evidence."""
    corpus = corpus_of(texts.items())
    span = evidence or Evidence(corpus.documents[0].name, 0, 1)
    queries = tuple(Query(str(n), question, (span,)) for n, question in enumerate(questions))
    return prepare(corpus, QuerySet(queries, kind), "word")


def brought(engine, spans: list[SPAN], scores: list[float], cutoff) -> Evaluation:
    """Return an evaluation of one question to which another retriever brought these spans."""
    at = engine.corpus.position
    rows = np.array([(at(name), start, end) for name, start, end in spans], dtype=np.int64)
    first, number = np.array([0, len(spans)]), np.arange(len(spans))
    run = RunSpec(terms="word", cutoff=cutoff)
    found = evaluate_with(engine, ChunkSpec(size=5, overlap=0), run, tokens=False)
    return replace(
        found, chunks=ChunkSet(*rows.T.copy()), ranked_here=False,
        ranked=Ranked(first, number, np.array(scores, dtype=np.float64)),
    )  # fmt: skip


def falling(count: int) -> list[float]:
    """Return scores that fall by one down to 1."""
    return [float(count - rank) for rank in range(count)]


def handed(engine, evaluation: Evaluation, lever: Lever) -> list[tuple]:
    """Return (document, start, end, score) of what the question got, best first."""
    run = run_lever(engine, evaluation, lever)
    found = run.results.of_query(0, run.handed.ranked)
    return [(one.document.name, one.start, one.end, one.score) for one in found]


def spans_of(engine, evaluation: Evaluation, lever: Lever) -> list[SPAN]:
    """Return the same without scores."""
    return [one[:3] for one in handed(engine, evaluation, lever)]


LETTERS = {"a": "abcdefghijklmnop", "b": "abcdefghij"}

# --- as retrieved, and what leaves chunks out -------------------------------------------


def test_none_hands_on_the_list_up_to_the_cut_off():
    """Nothing moves, and what is behind the cut-off stays there."""
    engine = engine_on(LETTERS, "x")
    spans = [("a", 0, 4), ("a", 3, 7), ("b", 0, 4)]
    found = brought(engine, spans, falling(3), TopK(2))
    assert handed(engine, found, LEVERS[NONE]) == [("a", 0, 4, 3.0), ("a", 3, 7, 2.0)]


def test_a_collapse_leaves_out_what_shares_text_with_a_better_one():
    """3..7 shares text with 0..4, so b moves up; 4..8 shares none with what is kept."""
    engine = engine_on(LETTERS, "x")
    spans = [("a", 0, 4), ("a", 3, 7), ("b", 0, 4), ("a", 4, 8)]
    found = brought(engine, spans, falling(4), TopK(3))
    assert handed(engine, found, LEVERS["collapse"]) == [
        ("a", 0, 4, 4.0), ("b", 0, 4, 2.0), ("a", 4, 8, 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize("cutoff", [TopK(2), Budget(12), Budget(4, "token", "drop")])
def test_a_collapse_judges_like_a_collapsed_evaluation(cutoff):
    """The lever and the comparison beside a gain are one thing."""
    texts = {"a": "tea milk tea cup tea sugar tea", "b": "tea one two three tea"}
    engine = engine_on(texts, "tea", "milk cup")
    spec, run = ChunkSpec(unit="word", size=3, overlap=2), RunSpec("lucene", "word", cutoff)
    found = evaluate_with(engine, spec, run)
    columns = run_lever(engine, found, LEVERS["collapse"]).columns(cutoff.label)
    for name, column in collapsed_evaluation(engine, found).items():
        assert np.array_equal(columns[name], column, equal_nan=True)


def test_one_per_document_keeps_the_best_chunk_of_each():
    """Of a three chunks stand before b; a budget of 8 characters holds one of each."""
    engine = engine_on(LETTERS, "x")
    spans = [("a", 8, 12), ("a", 0, 4), ("a", 4, 8), ("b", 0, 4), ("b", 4, 8)]
    found = brought(engine, spans, falling(5), Budget(8))
    assert handed(engine, found, LEVERS["one_per_document"]) == [
        ("a", 8, 12, 5.0), ("b", 0, 4, 2.0)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["collapse", "merge", "one_per_document"])
def test_a_list_is_read_as_deep_as_it_must_be(name):
    """The chunk of b stands behind a hundred of a, all of which are one slot."""
    texts = {"a": "tea " * 199, "b": "tea milk sugar lemon cup"}
    engine = engine_on(texts, "tea")
    spec, run = ChunkSpec(unit="word", size=100, overlap=99), RunSpec("count", "word", TopK(2))
    found = evaluate_with(engine, spec, run, tokens=False)
    assert [doc for doc, *_ in handed(engine, found, LEVERS[name])] == ["a", "b"]


def test_another_retrievers_list_goes_no_deeper():
    """One slot is all there is when both chunks share text."""
    engine = engine_on(LETTERS, "x")
    found = brought(engine, [("a", 0, 4), ("a", 3, 7)], falling(2), TopK(2))
    assert spans_of(engine, found, LEVERS["collapse"]) == [("a", 0, 4)]


# --- merged neighbours ------------------------------------------------------------------


def merged(spans: list[SPAN], cutoff, texts=None) -> list[tuple]:
    """Return what is handed on once neighbours are merged, scores falling to 1."""
    engine = engine_on(texts or LETTERS, "x")
    found = brought(engine, spans, falling(len(spans)), cutoff)
    return handed(engine, found, LEVERS["merge"])


def test_neighbours_become_one_passage_with_the_rank_and_score_of_its_best():
    """6..10 and 3..7 share text, so they are one slot at the first rank."""
    spans = [("a", 6, 10), ("b", 0, 4), ("a", 3, 7), ("a", 12, 16)]
    assert merged(spans, TopK(3)) == [("a", 3, 10, 4.0), ("b", 0, 4, 3.0), ("a", 12, 16, 1.0)]


def test_chunks_that_touch_are_neighbours():
    """0..4 ends where 4..8 begins; 9..12 begins one letter too late."""
    spans = [("a", 0, 4), ("a", 9, 12), ("a", 4, 8), ("b", 0, 4)]
    assert merged(spans, TopK(3)) == [("a", 0, 8, 4.0), ("a", 9, 12, 3.0), ("b", 0, 4, 1.0)]


def test_a_chunk_between_two_passages_joins_both():
    """Then one slot is free again, and b takes it."""
    spans = [("a", 0, 4), ("a", 8, 12), ("a", 4, 8), ("b", 0, 4), ("b", 6, 8)]
    assert merged(spans, TopK(3)) == [("a", 0, 12, 5.0), ("b", 0, 4, 2.0), ("b", 6, 8, 1.0)]


def test_reading_ends_with_the_last_slot():
    """With two passages in two slots, the neighbour at the third rank is not read."""
    spans = [("a", 0, 4), ("b", 0, 4), ("a", 4, 8)]
    assert merged(spans, TopK(2)) == [("a", 0, 4, 3.0), ("b", 0, 4, 2.0)]


def test_white_space_between_windows_of_words_does_not_part_them():
    """No word window holds the blank between two; letters between them do part them."""
    texts = {"a": "one two \n three four", "b": "x"}
    spans = [("a", 0, 3), ("a", 4, 7), ("a", 10, 15)]
    assert merged(spans, TopK(5), texts) == [("a", 0, 15, 3.0)]
    assert len(merged([("a", 0, 3), ("a", 5, 7)], TopK(5), texts)) == 2


def test_a_long_blank_between_neighbours_is_white_space_all_the_same():
    """Chunks of blanks alone lie between, whether they are retrieved or not."""
    texts = {"a": f"one{' ' * 30}two", "b": "x"}
    spans = [("a", 0, 3), ("a", 33, 36), ("b", 0, 1), ("a", 3, 13), ("a", 13, 23)]
    assert merged(spans, TopK(2), texts) == [("a", 0, 36, 5.0), ("b", 0, 1, 3.0)]


def test_a_merge_never_crosses_a_document():
    """The end of one and the beginning of the next are two passages."""
    spans = [("a", 12, 16), ("b", 0, 4)]
    assert merged(spans, TopK(2)) == [("a", 12, 16, 2.0), ("b", 0, 4, 1.0)]


def test_a_budget_counts_what_is_shared_once():
    """0..4 and 2..6 are 6 characters; 4 are left, and b's second chunk fills none of them."""
    spans = [("a", 0, 4), ("a", 2, 6), ("b", 0, 4), ("b", 6, 10)]
    assert merged(spans, Budget(10)) == [("a", 0, 6, 4.0), ("b", 0, 4, 2.0)]


def test_the_last_passage_is_truncated_to_fit():
    """6 and 4 characters in a budget of 8 leave 2 of b."""
    spans = [("a", 0, 4), ("a", 2, 6), ("b", 0, 4)]
    assert merged(spans, Budget(8)) == [("a", 0, 6, 3.0), ("b", 0, 2, 1.0)]


def test_with_drop_the_first_chunk_that_does_not_fit_ends_the_list():
    """7..12 would make 9 characters of 8; a chunk behind it that would fit is not read."""
    spans = [("a", 0, 4), ("a", 7, 12), ("a", 2, 6)]
    assert merged(spans, Budget(8, tail="drop")) == [("a", 0, 4, 3.0)]
    assert merged(spans[::2], Budget(8, tail="drop")) == [("a", 0, 6, 2.0)]


def test_a_budget_of_tokens_counts_the_passages_own():
    """Each chunk is two tokens, what they share is counted once: "one two three" are three."""
    texts = {"a": "one two three", "b": "four five"}
    spans = [("a", 0, 7), ("a", 3, 13), ("b", 0, 9)]
    assert merged(spans, Budget(5, "token"), texts) == [("a", 0, 13, 3.0), ("b", 0, 9, 1.0)]
    assert merged(spans, Budget(4, "token"), texts) == [("a", 0, 13, 3.0), ("b", 0, 4, 1.0)]
    dropped = merged(spans, Budget(4, "token", "drop"), texts)
    assert dropped == [("a", 0, 13, 3.0)]


def test_metrics_see_the_merged_passage():
    """Evidence across a cut is whole in it; its characters count once, and nothing overlaps."""
    engine = engine_on(LETTERS, "x", evidence=Evidence("a", 2, 6))
    found = brought(engine, [("a", 0, 4), ("a", 3, 7)], falling(2), TopK(2))
    before = run_lever(engine, found, LEVERS[NONE]).columns("2")
    after = run_lever(engine, found, LEVERS["merge"]).columns("2")
    names = ("complete@2", "retrieved_chars@2", "precision@2", "overlapping_slots@2")
    assert [float(before[name][0]) for name in names] == [0, 8, 4 / 8, 1]
    assert [float(after[name][0]) for name in names] == [1, 7, 4 / 7, 0]


# --- maximal marginal relevance -----------------------------------------------------------

WORDS = {"a": "red green blue pink", "b": "red green blue grey", "c": "one two"}
ALL = [("a", 0, 19), ("b", 0, 19), ("c", 0, 7)]


def test_mmr_prefers_what_is_new():
    """The second shares three of five words with the first: 0.7 · 0.9 − 0.3 · 3/5 < 0.7 · 0.8."""
    engine = engine_on(WORDS, "x")
    found = brought(engine, ALL, [10.0, 9.0, 8.0], TopK(3))
    order = handed(engine, found, mmr())
    assert [one[0] for one in order] == ["a", "c", "b"]
    assert [one[3] for one in order] == pytest.approx([0.7, 0.56, 0.45])


def test_lambda_weighs_relevance_against_novelty():
    """At 1 the list stays; at 0 what is wholly new comes second whatever its score."""
    engine = engine_on(WORDS, "x")
    found = brought(engine, ALL, [10.0, 9.0, 0.1], TopK(3))
    assert spans_of(engine, found, mmr(1.0)) == ALL
    assert spans_of(engine, found, mmr(0.0)) == [ALL[0], ALL[2], ALL[1]]


def test_scores_below_zero_are_moved_up_before_they_are_shared():
    """−1, −2 and −3 are 1, 1/2 and 0 of the best, as 2, 1 and 0 are."""
    engine = engine_on(WORDS, "x")
    found = brought(engine, ALL, [-1.0, -2.0, -3.0], TopK(3))
    assert [one[3] for one in handed(engine, found, mmr(1.0))] == [1.0, 0.5, 0.0]


def test_behind_the_pool_the_list_goes_on_as_it_was():
    """Of a pool of two the second could only be first; the third has no score of its own."""
    engine = engine_on(WORDS, "x")
    found = brought(engine, ALL, [10.0, 9.0, 8.0], TopK(3))
    order = handed(engine, found, mmr(pool=2))
    assert [one[:3] for one in order] == ALL
    assert np.isnan(order[2][3])


def test_mmr_done_in_parts_gives_the_same(monkeypatch):
    """Similarities are made for a few questions at a time where they are many."""
    engine = engine_on(WORDS, "red", "green two", "one", "none", "red two")
    run = RunSpec("lucene", "word", TopK(4))
    found = evaluate_with(engine, ChunkSpec(size=9, overlap=4), run, tokens=False)
    at_once = run_lever(engine, found, mmr()).results
    monkeypatch.setattr("overlapkit.levers.novelty._AT_ONCE", 3)
    in_parts = run_lever(engine, found, mmr()).results
    assert at_once.chunk.tolist() == in_parts.chunk.tolist()


@pytest.mark.parametrize("lambda_", [-0.1, 1.5, nan])
def test_lambda_must_be_a_share(lambda_):
    """It is refused with its rule."""
    with pytest.raises(SettingsError, match=r"lambda must lie in 0\.\.1; got"):
        mmr(lambda_)


@pytest.mark.parametrize("make", [rerank, lambda pool: mmr(pool=pool)])
@pytest.mark.parametrize("pool", [0, 1001, 2.5, True])
def test_a_pool_must_be_a_whole_number_of_chunks(make, pool):
    """It is refused with its rule."""
    with pytest.raises(SettingsError, match=r"pool must be a whole number in 1\.\.1000; got"):
        make(pool)


# --- reranked ---------------------------------------------------------------------------


def test_a_rerank_by_words_is_the_mean_of_four_shares():
    """Three chunks, each with two of the question's three words; every word is in two.

    ``red green`` stands in a as in the question, so its phrase is 2/3, with 2/3 coverage and
    nearness 2/3. In b ``green`` stands three words behind ``blue``: 1/3, 2/3, 2/3 · 2/4. In c
    ``blue`` and ``red`` are apart by one word: 1/3, 2/3, 2/3 · 2/3.
    """
    texts = {"a": "red green", "b": "blue x y green", "c": "blue z red"}
    engine = engine_on(texts, "Red green blue?")
    spans = [("b", 0, 14), ("c", 0, 10), ("a", 0, 9)]
    found = brought(engine, spans, [4.0, 2.0, 1.0], TopK(3))
    order = handed(engine, found, rerank())
    assert [one[0] for one in order] == ["b", "a", "c"]
    assert [one[3] for one in order] == pytest.approx([
        (1 / 3 + 2 / 3 + 1 / 3 + 1) / 4,
        (2 / 3 + 2 / 3 + 2 / 3 + 1 / 4) / 4,
        (1 / 3 + 2 / 3 + 4 / 9 + 1 / 2) / 4,
    ])  # fmt: skip


def test_rare_words_weigh_more_and_unknown_ones_nothing():
    """Of three chunks ``red`` is in three and ``green`` in one; ``grey`` is in none."""
    texts = {"a": "red", "b": "green red", "c": "red"}
    engine = engine_on(texts, "grey red green")
    spans = [("a", 0, 3), ("b", 0, 9), ("c", 0, 3)]
    found = brought(engine, spans, [1.0, 1.0, 1.0], TopK(3))
    red, green = log(1 + 0.5 / 3.5), log(1 + 2.5 / 1.5)
    share = red / (red + green)
    order = handed(engine, found, rerank())
    assert [one[0] for one in order] == ["b", "a", "c"]
    assert order[0][3] == pytest.approx(((1 - share) + 1 + 1 + 1) / 4)
    assert order[1][3] == pytest.approx((share + share + share + 1) / 4)


def test_chunks_inside_others_count_for_no_rarity():
    """A retriever may bring a chunk that lies in another; it is scored, and no word is rarer."""
    engine = engine_on({"a": "red green red", "b": "green"}, "red green")
    spans = [("b", 0, 5), ("a", 0, 13), ("a", 4, 9)]
    found = brought(engine, spans, [1.0, 1.0, 1.0], TopK(3))
    red, green = log(1 + 1.5 / 1.5), log(1 + 0.5 / 2.5)
    share = green / (red + green)
    order = handed(engine, found, rerank())
    assert [one[:3] for one in order] == [("a", 0, 13), ("b", 0, 5), ("a", 4, 9)]
    assert order[2][3] == pytest.approx((share + share + share + 1) / 4)


def test_a_rerank_done_in_parts_gives_the_same(monkeypatch):
    """Matches are looked for in a few chunks at a time where they are many."""
    texts = {"a": "tea milk tea cup tea sugar tea", "b": "tea one two three tea"}
    engine = engine_on(texts, "tea", "milk cup tea", "none")
    run = RunSpec("lucene", "word", TopK(4))
    found = evaluate_with(engine, ChunkSpec(size=9, overlap=7), run, tokens=False)
    at_once = run_lever(engine, found, rerank()).handed.ranked
    monkeypatch.setattr("overlapkit.levers.matches._AT_ONCE", 1)
    in_parts = run_lever(engine, found, rerank()).handed.ranked
    assert at_once.chunk.tolist() == in_parts.chunk.tolist()
    assert at_once.score.tolist() == in_parts.score.tolist()


def test_a_model_gets_the_question_and_the_texts_of_its_pool():
    """Two of three chunks are asked about, and the third stays where it was."""
    engine = engine_on(WORDS, "Which?")
    found = brought(engine, ALL, falling(3), TopK(3))
    calls = []

    def model(question, texts):
        calls.append((question, list(texts)))
        return [0.1, 0.2]

    assert spans_of(engine, found, rerank_with(model, 2)) == [ALL[1], ALL[0], ALL[2]]
    assert calls == [("Which?", ["red green blue pink", "red green blue grey"])]


@pytest.mark.parametrize("scores", [[1.0], [1.0, nan, 2.0], [[1.0], [2.0], [3.0]]])
def test_a_model_must_give_one_number_per_text(scores):
    """Too few, none and nested ones are refused."""
    engine = engine_on(WORDS, "x")
    found = brought(engine, ALL, falling(3), TopK(3))
    with pytest.raises(SettingsError, match="one finite score per text; for the 3 texts of query"):
        run_lever(engine, found, rerank_with(lambda *_: scores))


def test_a_question_without_results_asks_no_model():
    """There is nothing to score."""
    engine = engine_on(WORDS, "none")
    found = evaluate_with(engine, ChunkSpec(size=9, overlap=0), RunSpec(terms="word"), tokens=False)
    assert spans_of(engine, found, rerank_with(lambda *_: 1 / 0)) == []


# --- candidates -------------------------------------------------------------------------


def test_candidates_show_ranks_and_scores_before_and_after():
    """Merged ones share a rank; what was not read is not among them."""
    engine = engine_on(LETTERS, "x")
    spans = [("a", 0, 4), ("b", 0, 4), ("a", 2, 6), ("a", 12, 16)]
    found = brought(engine, spans, falling(4), Budget(9))
    rows = run_lever(engine, found, LEVERS["merge"]).candidates(0)
    assert [(one.document.name, one.start, one.end) for one in rows] == spans[:3]
    assert [(one.rank_before, one.score_before) for one in rows] == [(0, 4.0), (1, 3.0), (2, 2.0)]
    assert [(one.rank_after, one.score_after) for one in rows] == [(0, 4.0), (1, 3.0), (0, 4.0)]


def test_a_candidate_left_out_has_no_rank_after():
    """A collapse leaves 3..7 out; behind a cut-off the score stays known and the rank does not."""
    engine = engine_on(LETTERS, "x")
    spans = [("a", 0, 4), ("a", 3, 7), ("b", 0, 4)]
    found = brought(engine, spans, falling(3), TopK(2))
    rows = run_lever(engine, found, LEVERS["collapse"]).candidates(0)
    assert [one.rank_after for one in rows] == [0, None, 1]
    assert [one.score_after for one in rows] == [3.0, None, 1.0]
    rows = run_lever(engine, found, LEVERS[NONE]).candidates(0)
    assert [(one.rank_after, one.score_after) for one in rows] == [(0, 3), (1, 2), (None, 1)]


# --- one lever at a time ------------------------------------------------------------------

TEXTS = {
    f"{n}.txt": f"tea {n} milk sugar tea lemon {n} cup honey tea ginger milk {n} mint" * 2
    for n in range(12)
}


def measured(overlaps=(0, 3), cutoff=None, kind="minimal"):
    """Return an engine, evaluations without and with overlap, and the clustering."""
    corpus = corpus_of(TEXTS.items())
    queries = [
        Query(str(n), f"{n} lemon cup", (Evidence(f"{n}.txt", 4 * n, 4 * n + 20),))
        for n in range(12)
    ]
    engine = prepare(corpus, QuerySet(tuple(queries), kind), "word")
    run = RunSpec("lucene", "word", cutoff or TopK(2))
    found = [
        evaluate_with(engine, ChunkSpec(unit="word", size=6, overlap=overlap), run, tokens=False)
        for overlap in overlaps
    ]
    return engine, *found, clusters_of([[n] for n in range(12)])


@pytest.mark.parametrize("cutoff", [TopK(2), Budget(60), Budget(12, "token", "drop")])
def test_an_ablation_has_every_metric_of_every_lever(cutoff):
    """None equals the evaluations to the bit; a mean is that of its column."""
    engine, off, on, clustering = measured(cutoff=cutoff)
    found = ablate(engine, off, on, clustering)
    assert list(found.effects) == list(LEVERS)
    for effect in found.effects.values():
        for side in (effect.off, effect.on):
            assert set(side.columns) == {f"{name}@{cutoff.label}" for name in METRICS}
            assert side.values[found.metric] == side.columns[found.metric].mean()
    none = found.effects[NONE]
    for side, evaluation in ((none.off, off), (none.on, on)):
        for name, column in side.columns.items():
            assert np.array_equal(column, evaluation.per_query[name], equal_nan=True)


@pytest.mark.parametrize("metric", ["complete@2", "recall@2", "distinct_docs@2", "answer@2"])
def test_what_overlap_buys_as_retrieved_is_what_a_comparison_says(metric):
    """Difference, interval and counts equal those of two rows of a sweep."""
    engine, off, on, clustering = measured()
    buys = ablate(engine, off, on, clustering, metric=metric).effects[NONE].buys
    rows = [Row(one.spec, one.values, one.per_query) for one in (on, off)]
    assert buys == compare(*rows, metric, clustering)


def test_changes_are_of_a_lever_against_none_at_the_same_overlap():
    """Each difference is that of two means of the table."""
    engine, off, on, clustering = measured()
    found = ablate(engine, off, on, clustering, metric="recall@2")
    none = found.effects[NONE]
    for effect in found.effects.values():
        values = [side.values["recall@2"] for side in (effect.off, effect.on, none.off, none.on)]
        assert effect.changes_off.difference == pytest.approx(values[0] - values[2])
        assert effect.changes_on.difference == pytest.approx(values[1] - values[3])
        assert effect.buys.difference == pytest.approx(values[1] - values[0])


def test_where_nothing_can_change_there_is_no_interval():
    """Without overlap a collapse is idle; a merge may be idle only by the questions' accident."""
    engine, off, on, clustering = measured()
    effects = ablate(engine, off, on, clustering).effects
    collapse, merge = effects["collapse"].changes_off, effects["merge"].changes_off
    assert (collapse.identical, collapse.low, collapse.high) == (True, 0.0, 0.0)
    assert not effects["collapse"].changes_on.identical
    assert not merge.identical
    assert merge.low < merge.high


def test_in_documents_of_one_chunk_overlap_and_levers_change_nothing():
    """Both settings cut the same chunks, and no document has two."""
    engine, off, on, clustering = measured()
    whole = [
        evaluate_with(engine, replace(one.spec, size=100), one.run, tokens=False)
        for one in (off, on)
    ]
    effects = ablate(engine, *whole, clustering).effects
    for name in (NONE, "collapse", "merge", "one_per_document"):
        effect = effects[name]
        assert effect.changes_off.identical
        assert effect.changes_on.identical
        assert effect.buys.identical


def test_an_ablation_of_sections_speaks_by_lenient_hit():
    """Complete evidence is withheld under every lever, and refused as its metric."""
    engine, off, on, clustering = measured(kind="extent")
    found = ablate(engine, off, on, clustering)
    assert found.metric == "lenient_hit@2"
    for effect in found.effects.values():
        assert np.isnan(effect.on.columns["complete@2"]).all()
        assert np.isnan(effect.on.values["complete@2"])
    with pytest.raises(SettingsError, match="metric of an ablation must be one of lenient_hit@2"):
        ablate(engine, off, on, clustering, metric="complete@2")


@pytest.mark.parametrize("metric", ["complete@5", "complete", "chunks"])
def test_a_metric_must_be_a_column_of_the_cut_off(metric):
    """Another cut-off, none, and a cost are refused with the choices."""
    engine, off, on, clustering = measured()
    with pytest.raises(SettingsError, match="must be one of complete@2, lenient_hit@2, "):
        ablate(engine, off, on, clustering, metric=metric)


def test_settings_must_differ_in_overlap_alone():
    """Another size, an overlap on both sides and another run spec are refused."""
    engine, off, on, clustering = measured()
    larger = evaluate_with(engine, replace(on.spec, size=7), on.run, tokens=False)
    with pytest.raises(SettingsError, match="got window word 6/0 and window word 7/3"):
        ablate(engine, off, larger, clustering)
    with pytest.raises(SettingsError, match="got window word 6/3 and window word 6/3"):
        ablate(engine, on, on, clustering)
    with pytest.raises(SettingsError, match="evaluate both settings with the same"):
        ablate(engine, off, replace(on, run=RunSpec()), clustering)


def test_only_the_levers_asked_for_are_pulled():
    """None is always there, since the others are held against it; a model may be among them."""
    engine, off, on, clustering = measured()
    levers = {"model": rerank_with(lambda _, texts: range(len(texts)))}
    assert list(ablate(engine, off, on, clustering, levers).effects) == [NONE, "model"]


# --- sentences --------------------------------------------------------------------------


def gain(difference: float, low: float, high: float, *, n=200, identical=False) -> Paired:
    """Return a paired difference."""
    return Paired(n, difference, low, high, 0, 0, n, "query", identical, None)


STILL = gain(0.0, 0.0, 0.0, identical=True)


def ablation(metric: str, *, overlap=20, buys=None, collapsed=None, values=None) -> Ablation:
    """Return an ablation of none and collapse with these gains and means."""
    values = values or (0.5, 0.561, 0.5, 0.55)
    off, on, apart_off, apart_on = (Pulled(None, {}, {metric: value}) for value in values)
    effects = {
        NONE: Effect(LEVERS[NONE], off, on, STILL, STILL, buys or gain(0.061, 0.032, 0.09)),
        "collapse": Effect(
            LEVERS["collapse"], apart_off, apart_on, STILL, gain(-0.011, -0.02, -0.002),
            collapsed or gain(0.05, -0.001, 0.1),
        ),
    }  # fmt: skip
    specs = (ChunkSpec(size=100, overlap=0), ChunkSpec(size=100, overlap=overlap))
    return Ablation(metric, RunSpec(), *specs, effects)


def test_the_sentence_says_what_overlap_buys_and_what_is_left_of_it():
    """Points with their intervals, as retrieved and once near-duplicates take one slot."""
    assert ablation_sentence(ablation("complete@5")) == (
        "Overlap of 20% buys +6.1 points of complete evidence in the top 5 (95% interval +3.2 to "
        "+9.0) as retrieved, and +5.0 (−0.1 to +10.0) once near-duplicates take one slot, over "
        "200 questions."
    )


def test_what_is_lost_or_is_no_share_is_called_a_change():
    """A loss is not bought, nor are slots."""
    assert ablation_sentence(ablation("complete@5", buys=gain(-0.02, -0.05, 0.01))).startswith(
        "Overlap of 20% changes complete evidence in the top 5 by −2.0 points (95% interval −5.0 "
        "to +1.0) as retrieved, and +5.0 "
    )
    slots = ablation("overlapping_slots@5", buys=gain(0.5, 0.25, 1.0), collapsed=STILL)
    assert ablation_sentence(slots).startswith(
        "Overlap of 20% changes overlapping slots in the top 5 by +0.50 (95% interval +0.25 to +1) "
        "as retrieved, and 0 (0 to 0) once near-duplicates take one slot"
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (ablation("complete@5", overlap=0), "Both settings are without overlap"),
        (ablation("complete@5", buys=STILL), "Overlap of 20% changes nothing here"),
        (ablation("answer@5", buys=gain(0, -1, 1, n=0)), "Answer hit has no value for any"),
    ],
)
def test_where_there_is_nothing_to_say_the_reason_is_said(found, said):
    """No overlap, the same chunks, no value."""
    assert ablation_sentence(found).startswith(said)


def test_each_lever_has_its_sentence():
    """What it changes without overlap and with it, and what overlap then buys."""
    found = ablation("complete@5")
    assert lever_sentence(found, NONE) == (
        "As retrieved: complete evidence without overlap 50.0%; with 20% 56.1%. Overlap buys +6.1 "
        "points of complete evidence (95% interval +3.2 to +9.0)."
    )
    assert lever_sentence(found, "collapse") == (
        "Near-duplicates collapsed: complete evidence without overlap still 50.0%, with nothing "
        "to change; with 20% from 56.1% to 55.0% (−1.1 points, 95% interval −2.0 to −0.2). Overlap "
        "then buys +5.0 points of complete evidence (95% interval −0.1 to +10.0). That is inside "
        "the noise of the questions."
    )


def test_a_levers_sentence_ends_where_there_is_no_overlap_to_speak_of():
    """Without overlap, with the same chunks, without a value."""
    none = ablation("complete@5", overlap=0)
    assert lever_sentence(none, NONE) == "As retrieved: complete evidence without overlap 50.0%."
    same = ablation("complete@5", collapsed=STILL)
    assert lever_sentence(same, "collapse").endswith(" Overlap cuts the same chunks as none.")
    empty = ablation("answer@5", collapsed=gain(0, -1, 1, n=0))
    said = "Near-duplicates collapsed: answer hit has no value for any question."
    assert lever_sentence(empty, "collapse") == said
