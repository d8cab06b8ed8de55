"""Metrics, ceilings and costs of small runs, with values worked out by hand."""

import math

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.corpus import corpus_of
from overlapkit.engine import prepare
from overlapkit.errors import OverlapkitError
from overlapkit.evaluate import METRICS, evaluate, evaluate_with
from overlapkit.evaluate.ceiling import precision_omega, predicted_whole, whole_queries, whole_spans
from overlapkit.queries import Evidence, Query, QuerySet, heading_queries
from overlapkit.queries.located import locate
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.tokens import count_tokens
from tests.by_hand import judged, question, results_of

CORPUS = corpus_of([("a", "a" * 1000), ("b", "b" * 1000)])


# --- hits -----------------------------------------------------------------------------


@pytest.mark.parametrize(("end", "hit"), [(200, 1), (201, 0)])
def test_a_strict_hit_lies_half_inside_one_span(end, hit):
    """100 shared characters of 200 are half, of 201 they are not."""
    found = judged(CORPUS, question(("a", 100, 300)), [("a", 0, end)])
    assert found["strict_hit"] == (hit if end == 200 else 1)
    found = judged(CORPUS, question(("a", 0, 100)), [("a", 0, end)])
    assert found["strict_hit"] == hit


def test_two_spans_do_not_add_up_to_a_strict_hit():
    """A quarter in each of two spans is half in none."""
    asked = question(("a", 0, 50), ("a", 150, 200))
    assert judged(CORPUS, asked, [("a", 0, 200)])["strict_hit"] == 0


@pytest.mark.parametrize(("start", "hit"), [(200, 1), (201, 0)])
def test_a_lenient_hit_shares_a_hundred_characters(start, hit):
    """100 of a long span are enough, 99 are not."""
    assert judged(CORPUS, question(("a", 0, 300)), [("a", start, 900)])["lenient_hit"] == hit


@pytest.mark.parametrize(("start", "hit"), [(10, 1), (11, 0)])
def test_a_short_span_is_a_lenient_hit_only_as_a_whole(start, hit):
    """Of 40 characters all 40 are needed."""
    assert judged(CORPUS, question(("a", 10, 50)), [("a", start, 400)])["lenient_hit"] == hit


def test_reciprocal_rank_is_that_of_the_first_hit():
    """Each sort of hit has its own first rank."""
    lists = [("b", 0, 100), ("a", 0, 500), ("a", 0, 110), ("a", 0, 90)]
    found = judged(CORPUS, question(("a", 0, 100)), lists)
    assert (found["lenient_mrr"], found["strict_mrr"]) == (1 / 2, 1 / 3)


def test_a_hit_beyond_the_cut_off_does_not_count():
    """At k = 1 the second result is not there."""
    lists = [("b", 0, 100), ("a", 0, 100)]
    found = judged(CORPUS, question(("a", 0, 100)), lists, TopK(1))
    names = ("complete", "strict_hit", "lenient_hit", "strict_mrr", "lenient_mrr", "recall")
    assert [found[name] for name in names] == [0] * 6


def test_a_query_without_results_counts_nothing():
    """Every metric is 0, no division fails."""
    found = judged(CORPUS, question(("a", 0, 100), answer="aaa"), [])
    assert set(found.values()) == {0.0}


# --- complete evidence and answers ----------------------------------------------------


def test_complete_evidence_needs_one_result_that_holds_a_whole_span():
    """Two halves in two results are not complete, the same span in one is."""
    asked = question(("a", 100, 200))
    halves = [("a", 0, 150), ("a", 150, 300)]
    assert judged(CORPUS, asked, halves)["complete"] == 0
    assert judged(CORPUS, asked, [*halves, ("a", 100, 200)])["complete"] == 1


def test_one_missing_character_is_not_complete():
    """Neither the first nor the last character may be cut off."""
    asked = question(("a", 100, 200))
    assert judged(CORPUS, asked, [("a", 101, 300)])["complete"] == 0
    assert judged(CORPUS, asked, [("a", 0, 199)])["complete"] == 0


def test_any_is_met_by_one_span_and_all_by_every_one():
    """Two spans in two results, each whole, meet both needs; one alone meets any."""
    spans = (("a", 0, 50), ("b", 0, 50))
    one, both = [("a", 0, 60)], [("a", 0, 60), ("b", 0, 60)]
    any_, all_ = question(*spans), question(*spans, need="all")
    assert [judged(CORPUS, any_, found)["complete"] for found in (one, both)] == [1, 1]
    assert [judged(CORPUS, all_, found)["complete"] for found in (one, both)] == [0, 1]


def test_an_answer_hit_is_text_in_one_result():
    """An answer cut in two by a boundary is not found, and is undefined where none is given."""
    corpus = corpus_of([("a", "the answer is here")])
    asked = question(("a", 0, 3), answer="answer")
    assert judged(corpus, asked, [("a", 0, 10)])["answer"] == 1
    assert judged(corpus, asked, [("a", 0, 8), ("a", 8, 18)])["answer"] == 0
    assert math.isnan(judged(corpus, question(("a", 0, 3)), [("a", 0, 18)])["answer"])


def test_an_answer_does_not_count_in_what_a_budget_cut_off():
    """Only the retrieved part of a truncated result is searched."""
    corpus = corpus_of([("a", "the answer is here")])
    asked = question(("a", 0, 3), answer="answer")
    assert judged(corpus, asked, [("a", 0, 18)], Budget(10))["answer"] == 1
    assert judged(corpus, asked, [("a", 0, 18)], Budget(9))["answer"] == 0


# --- characters -----------------------------------------------------------------------


def test_recall_counts_a_character_once():
    """Two overlapping results hold 80 of 100 characters, not 120."""
    found = judged(CORPUS, question(("a", 0, 100)), [("a", 0, 60), ("a", 20, 80)])
    assert found["recall"] == 0.8


def test_recall_of_alternatives_is_the_best_one():
    """Of two alternatives one is wholly held: recall 1; needed both, it is 100 of 150."""
    spans = (("a", 0, 100), ("b", 0, 50))
    assert judged(CORPUS, question(*spans), [("a", 0, 100)])["recall"] == 1
    found = judged(CORPUS, question(*spans, need="all"), [("a", 0, 100)])
    assert found["recall"] == pytest.approx(100 / 150)


def test_recall_of_overlapping_spans_is_of_their_union():
    """Spans 0..60 and 40..100 are 100 characters together."""
    asked = question(("a", 0, 60), ("a", 40, 100), need="all")
    assert judged(CORPUS, asked, [("a", 0, 50)])["recall"] == 0.5


def test_precision_counts_repeats_as_retrieved():
    """50 characters of evidence among 200 retrieved, 100 of them twice, are a quarter."""
    found = judged(CORPUS, question(("a", 0, 50)), [("a", 0, 100), ("a", 0, 100)])
    assert found["precision"] == 0.25


def test_iou_adds_what_is_missing():
    """50 of 80 characters held among 100 retrieved: 50 / (100 + 30)."""
    found = judged(CORPUS, question(("a", 50, 130)), [("a", 0, 100)])
    assert found["iou"] == pytest.approx(50 / 130)


def test_what_alternatives_miss_is_what_the_best_one_lacks():
    """Any: 80 of 100 held, 20 lacking; all: the other 200 lack as well."""
    spans = (("a", 0, 100), ("b", 0, 200))
    retrieved = [("a", 20, 120)]
    assert judged(CORPUS, question(*spans), retrieved)["iou"] == pytest.approx(80 / 120)
    found = judged(CORPUS, question(*spans, need="all"), retrieved)
    assert found["iou"] == pytest.approx(80 / 320)


def test_a_worse_held_alternative_is_not_what_is_missing():
    """Of 100 characters 80 are held; that a span of 10 lacks only 10 does not matter."""
    asked = question(("a", 0, 100), ("b", 0, 10))
    assert judged(CORPUS, asked, [("a", 20, 120)])["iou"] == pytest.approx(80 / 120)


# --- slots ----------------------------------------------------------------------------


def test_slots_documents_and_repeats():
    """Four results of two documents, one of them meeting a better one in 50 characters."""
    lists = [("a", 0, 100), ("b", 0, 100), ("a", 50, 150), ("a", 200, 300)]
    found = judged(CORPUS, question(("a", 0, 100)), lists)
    assert found["distinct_docs"] == 2
    assert found["duplicate_slots"] == 2
    assert found["overlapping_slots"] == 1
    assert found["repeated_chars"] == 50 / 400
    assert found["retrieved_chars"] == 400


def test_results_that_touch_do_not_overlap():
    """Half-open spans that share an end share no text."""
    found = judged(CORPUS, question(("a", 0, 100)), [("a", 0, 100), ("a", 100, 200)])
    assert (found["overlapping_slots"], found["repeated_chars"]) == (0, 0)


def test_the_same_place_in_two_documents_does_not_overlap():
    """Offsets are compared within a document only."""
    found = judged(CORPUS, question(("a", 0, 100)), [("a", 0, 100), ("b", 0, 100)])
    assert (found["overlapping_slots"], found["repeated_chars"]) == (0, 0)


def test_a_result_that_meets_two_better_ones_is_one_slot():
    """Slots are counted, not pairs."""
    lists = [("a", 0, 100), ("a", 150, 250), ("a", 50, 200)]
    assert judged(CORPUS, question(("a", 0, 100)), lists)["overlapping_slots"] == 1


def test_retrieved_words_count_cut_ones():
    """'one tw' meets two words."""
    corpus = corpus_of([("a", "one two three")])
    assert judged(corpus, question(("a", 0, 3)), [("a", 0, 6)])["retrieved_words"] == 2


# --- budgets --------------------------------------------------------------------------


def test_a_budget_truncates_the_result_that_fills_it():
    """Of 100 and 100 characters, 150 keep the second's first half."""
    lists = [[("a", 0, 100), ("b", 0, 100), ("a", 500, 600)]]
    results = results_of(CORPUS, [question(("a", 0, 10))], lists, Budget(150))
    assert results.length.tolist() == [100, 50]
    assert results.start.tolist() == [0, 1001]


def test_a_budget_filled_exactly_takes_no_more():
    """A result that ends where the budget does is whole, and the last."""
    lists = [[("a", 0, 100), ("b", 0, 100)]]
    results = results_of(CORPUS, [question(("a", 0, 10))], lists, Budget(100))
    assert results.length.tolist() == [100]


def test_a_dropping_budget_stops_at_the_first_that_does_not_fit():
    """A later, shorter result is not taken in its place."""
    lists = [[("a", 0, 100), ("b", 0, 100), ("a", 500, 510)]]
    results = results_of(CORPUS, [question(("a", 0, 10))], lists, Budget(150, tail="drop"))
    assert results.length.tolist() == [100]


def test_a_dropping_budget_keeps_what_fits_exactly():
    """A result that fills the budget to its end is not dropped."""
    lists = [[("a", 0, 100), ("b", 0, 50), ("a", 500, 510)]]
    results = results_of(CORPUS, [question(("a", 0, 10))], lists, Budget(150, tail="drop"))
    assert results.length.tolist() == [100, 50]


def test_each_query_has_its_own_budget():
    """What one list takes leaves the next one's budget full."""
    asked = [question(("a", 0, 10), name=name) for name in "pqr"]
    lists = [[("a", 0, 100), ("b", 0, 100)], [], [("a", 0, 100)]]
    results = results_of(CORPUS, asked, lists, Budget(120))
    assert results.length.tolist() == [100, 20, 100]
    assert results.first.tolist() == [0, 2, 2, 3]


def test_repeats_fill_a_budget_too():
    """The same text twice is paid for twice."""
    lists = [[("a", 0, 100), ("a", 0, 99), ("b", 0, 50)]]
    results = results_of(CORPUS, [question(("a", 0, 10))], lists, Budget(200))
    assert results.length.tolist() == [100, 99, 1]


def test_a_token_budget_counts_tokens():
    """Three of 'one two three four' leave 'one two three'."""
    corpus = corpus_of([("a", "one two three four")])
    results = results_of(corpus, [question(("a", 0, 3))], [[("a", 0, 18)]], Budget(3, "token"))
    assert results.text(0) == "one two three"
    assert count_tokens([results.text(0)]).tolist() == [3]


@pytest.mark.parametrize(("encoding", "characters"), [("cl100k_base", 9), ("o200k_base", 11)])
def test_a_token_budget_counts_the_tokens_of_its_setting(encoding, characters):
    """Nine tokens hold more in the vocabulary that knows the words better."""
    text = "お誕生日おめでとう " * 5
    corpus = corpus_of([("a", text)])
    queries = QuerySet((Query("q", text, (Evidence("a", 0, 1),)),), "minimal")
    spec = ChunkSpec(size=100, overlap=0, encoding=encoding)
    values = evaluate(corpus, queries, spec, RunSpec("lucene", cutoff=Budget(9, "token"))).values
    assert values["retrieved_tokens@9t"] == 9
    assert values["retrieved_chars@9t"] == characters


@pytest.mark.parametrize(("encoding", "kept"), [("cl100k_base", 0), ("o200k_base", 9)])
def test_a_dropping_token_budget_counts_the_tokens_of_its_setting(encoding, kept):
    """A chunk of 9 tokens in one vocabulary and 8 in the other fits into 8 in the other."""
    corpus = corpus_of([("a", "お誕生日おめでとう")])
    queries = QuerySet((Query("q", "お誕生日おめでとう", (Evidence("a", 0, 1),)),), "minimal")
    spec = ChunkSpec(size=100, overlap=0, encoding=encoding)
    run = RunSpec("lucene", cutoff=Budget(8, "token", "drop"))
    assert evaluate(corpus, queries, spec, run).values["retrieved_chars@8t"] == kept


def test_a_token_budget_too_small_for_a_character_takes_nothing():
    """An emoji of three tokens does not fit into two."""
    corpus = corpus_of([("a", "🎉🎉")])
    results = results_of(corpus, [question(("a", 0, 1))], [[("a", 0, 2)]], Budget(2, "token"))
    assert len(results.chunk) == 0


# --- ceilings -------------------------------------------------------------------------


def ceilings(text: str, spec: ChunkSpec, *spans: tuple[int, int], need: str = "any"):
    """Return (whole per span, whole query, predicted per span) of one document."""
    query = Query("q", "x", tuple(Evidence("a", *span) for span in spans), need)
    engine = prepare(corpus_of([("a", text)]), QuerySet((query,), "minimal"), "word")
    whole = whole_spans(engine.chunk(spec), engine.evidence)
    units = engine.units(spec.unit, spec.encoding)
    predicted = predicted_whole(spec, units, engine.evidence)
    return whole.tolist(), whole_queries(whole, engine.evidence).tolist(), predicted.tolist()


def test_a_span_is_whole_in_a_window_or_cut():
    """Windows 0..10, 8..18, 16..20 hold 8..10 twice and cut 7..11."""
    whole, _, _ = ceilings("x" * 20, ChunkSpec(size=10, overlap=2), (8, 10), (7, 11), (16, 20))
    assert whole == [True, False, True]


def test_a_query_is_whole_by_its_need():
    """One whole span of two meets any, not all."""
    spec = ChunkSpec(size=10, overlap=2)
    assert ceilings("x" * 20, spec, (8, 10), (7, 11))[1] == [True]
    assert ceilings("x" * 20, spec, (8, 10), (7, 11), need="all")[1] == [False]


def test_the_predicted_ceiling_is_the_share_of_phases_that_hold_the_span():
    """(size - L + 1)/step between 0 and 1; sure up to overlap + 1."""
    spec = ChunkSpec(size=10, overlap=2)
    lengths = [(0, 3), (0, 4), (0, 10), (0, 11)]
    assert ceilings("x" * 20, spec, *lengths)[2] == [1, 7 / 8, 1 / 8, 0]


def test_a_document_of_one_window_holds_every_span():
    """Where nothing is cut, theory says 1."""
    assert ceilings("x" * 10, ChunkSpec(size=10, overlap=0), (0, 10))[2] == [1]


def test_the_prediction_counts_the_units_of_the_spec():
    """Two words of a window of two with step 1 are sure, three cannot be whole."""
    spec = ChunkSpec(unit="word", size=2, overlap=1)
    assert ceilings("aa bb cc dd", spec, (0, 5), (0, 8))[2] == [1, 0]


def test_a_larger_overlap_can_cut_a_span_that_was_whole():
    """Containment of one span is not monotone in the overlap."""
    text, span = "x" * 40, (10, 20)
    assert ceilings(text, ChunkSpec(size=10, overlap=0), span)[0] == [True]
    assert ceilings(text, ChunkSpec(size=10, overlap=3), span)[0] == [False]


def omega(spec: ChunkSpec, *spans: tuple[int, int]) -> float:
    """Return Precision-Ω of one question on a document of 40 characters."""
    query = Query("q", "x", tuple(Evidence("a", *span) for span in spans))
    corpus = corpus_of([("a", "x" * 40)])
    evidence = locate(corpus, QuerySet((query,), "minimal"))
    return float(precision_omega(chunk(corpus, spec), evidence)[0])


def test_precision_omega_is_evidence_over_the_chunks_it_touches():
    """Ten characters across the cut of two windows of 10 are half of them."""
    assert omega(ChunkSpec(size=10, overlap=0), (5, 15)) == 0.5
    assert omega(ChunkSpec(size=10, overlap=0), (0, 10)) == 1


def test_precision_omega_counts_no_chunk_twice():
    """Two spans in one window of 10, or in windows that overlap, are over their union."""
    assert omega(ChunkSpec(size=10, overlap=0), (0, 2), (8, 10)) == 0.4
    assert omega(ChunkSpec(size=10, overlap=5), (0, 2), (13, 15)) == 4 / 20


def test_precision_omega_does_not_see_a_chunk_that_only_touches():
    """A window that ends where the evidence begins shares no character with it."""
    assert omega(ChunkSpec(size=10, overlap=0), (10, 20)) == 1


# --- a whole evaluation ---------------------------------------------------------------


def small():
    """Return a corpus of two documents and two questions."""
    corpus = corpus_of([("a", "one two three four"), ("b", "five six")])
    queries = (
        Query("p", "three", (Evidence("a", 8, 13),), answer="three"),
        Query("q", "seven", (Evidence("b", 0, 4),)),
    )
    return corpus, QuerySet(queries, "minimal")


def test_an_evaluation_counts_what_is_embedded():
    """Windows of 10 with overlap 5 of 18 and 8 characters: 10 + 10 + 8 and 8."""
    values = evaluate(*small(), ChunkSpec(size=10, overlap=5)).values
    assert (values["chunks"], values["index_chars"]) == (4, 36)
    assert values["index_x"] == pytest.approx(36 / 26)
    assert values["index_words"] == 3 + 3 + 2 + 2
    assert values["effective_overlap"] == 5
    assert values["queries"] == 2


def test_index_size_is_measured_against_the_same_size():
    """Every 0% is 1.00, whatever the number of vectors."""
    for size in (1, 3, 7, 100):
        assert evaluate(*small(), ChunkSpec(size=size, overlap=0)).values["index_x"] == 1


def test_tokens_to_embed_are_those_of_the_chunks():
    """Each chunk is counted on its own; counting can be left out."""
    spec = ChunkSpec(size=10, overlap=5)
    texts = ["one two th", "wo three f", "ree four", "five six"]
    expected = int(count_tokens(texts).sum())
    assert evaluate(*small(), spec).values["index_tokens"] == expected
    engine = prepare(*small(), "word")
    assert "index_tokens" not in evaluate_with(engine, spec, RunSpec(), tokens=False).values


def test_a_query_without_results_stays_in_the_mean():
    """One of two questions finds its evidence: the rate is a half."""
    found = evaluate(*small(), ChunkSpec(size=100, overlap=0))
    assert found.values["complete@5"] == 0.5
    assert found.values["answer@5"] == 1  # of the one question that has an answer
    assert found.per_query["complete@5"].tolist() == [1, 0]


def test_columns_are_named_by_metric_and_cut_off():
    """Every metric stands at every cut-off asked for, hits at 1 beside them."""
    engine = prepare(*small(), "word")
    found = evaluate_with(
        engine, ChunkSpec(size=10, overlap=0), RunSpec(cutoff=TopK(3)), also=(Budget(50),)
    )
    names = [*METRICS, "retrieved_tokens"]
    expected = {f"{name}@{label}" for name in names for label in ("3", "50c")}
    expected |= {"strict_hit@1", "lenient_hit@1", "query_containment", "precision_omega"}
    assert set(found.per_query) == expected


def test_retrieved_tokens_count_a_truncated_result_as_it_was_cut():
    """'one two three four' is four tokens; ten characters of it, 'one two th', are three."""
    engine = prepare(*small(), "word")
    spec = ChunkSpec(size=100, overlap=0)
    found = evaluate_with(engine, spec, RunSpec(cutoff=TopK(1)), also=(Budget(10),))
    assert found.per_query["retrieved_tokens@1"].tolist() == [4, 0]
    assert found.per_query["retrieved_tokens@10c"].tolist() == [3, 0]


@pytest.mark.parametrize(("text", "asked"), [("three five", 1), ("three", 1), ("zz", 0)])
def test_questions_with_a_common_term_are_counted(text, asked):
    """A term in one of two chunks stands in half of them, which okapi cannot weigh."""
    corpus, _ = small()
    queries = QuerySet((Query("p", text, (Evidence("a", 8, 13),)),), "minimal")
    values = evaluate(corpus, queries, ChunkSpec(size=100, overlap=0)).values
    assert values["common_term_queries"] == asked


def test_an_extent_set_withholds_what_says_nothing():
    """Complete evidence and containment of whole sections are missing; hits are there."""
    corpus = corpus_of([("a.md", "## Two words\n\n" + "text about words " * 20)])
    values = evaluate(corpus, heading_queries(corpus), ChunkSpec(size=200, overlap=0)).values
    withheld = ("complete@5", "containment", "query_containment", "predicted_containment")
    assert all(math.isnan(values[name]) for name in withheld)
    assert values["lenient_hit@5"] == 1


def test_equal_inputs_give_equal_values():
    """Nothing depends on what was computed before."""
    engine = prepare(*small(), "word")
    specs = [ChunkSpec(size=size, overlap=1) for size in (3, 5, 8)]
    first = [evaluate_with(engine, spec, RunSpec()).values for spec in specs]
    again = [evaluate_with(engine, spec, RunSpec()).values for spec in reversed(specs)]
    assert first == again[::-1]


def test_an_evaluation_of_a_blank_corpus_is_possible():
    """No chunk, no result, no division by zero."""
    corpus = corpus_of([("a", "   ")])
    queries = QuerySet((Query("q", "x", (Evidence("a", 0, 1),)),), "minimal")
    values = evaluate(corpus, queries, ChunkSpec(size=10, overlap=5)).values
    assert (values["chunks"], values["index_tokens"], values["complete@5"]) == (0, 0, 0)
    assert math.isnan(values["index_x"])


def test_evidence_of_another_corpus_is_refused():
    """It is an error of the user, with a remedy."""
    _, queries = small()
    with pytest.raises(OverlapkitError, match="load the corpus it was made for"):
        evaluate(corpus_of([("z", "x")]), queries, ChunkSpec(size=10, overlap=0))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is(name):
    """Each entry has a label, a meaning in one sentence, a source, and floats per query."""
    metric = METRICS[name]
    assert metric.label
    assert metric.source
    assert metric.meaning
    assert not metric.meaning.endswith(".")
    results = results_of(CORPUS, [question(("a", 0, 9))], [[("a", 0, 99)]], TopK(1))
    assert metric.compute(results).dtype == np.float64
