"""Every lever on random corpora: what it hands on comes from the list, and equals plain loops."""

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.arrays import spread
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with, results_of
from overlapkit.levers import LEVERS, NONE, DeepLists, mmr, rerank, rerank_with, run_lever
from overlapkit.retrieve import RANKINGS, RunSpec, TopK, rank
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import count_tokens
from tests.property.test_diagnose_properties import asked, specs
from tests.property.test_metrics_properties import cutoffs

fast = settings(max_examples=40, deadline=None)
LEVERS_AND_A_MODEL = {**LEVERS, "model": rerank_with(lambda _, texts: [len(t) for t in texts], 4)}


@st.composite
def evaluated(draw, terms=("word",)):
    """Return an engine and one of its settings, evaluated."""
    engine = prepare(*draw(asked()), draw(st.sampled_from(terms)))
    run = RunSpec(draw(st.sampled_from(sorted(RANKINGS))), engine.terms.name, draw(cutoffs()))
    return engine, evaluate_with(engine, draw(specs()), run, tokens=False)


def whole_lists(engine, found):
    """Return each query's list to its end, as (chunk, score)."""
    most = max(len(found.chunks), 1)
    every = rank(engine.index(found.chunks), engine.query_terms, found.run.ranking, most)
    pairs = list(zip(every.chunk.tolist(), every.score.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(every.first[:-1], every.first[1:], strict=True)]


def spans(engine, chunks):
    """Return each chunk as global code points."""
    start, end = chunks.placed(engine.evidence.base)
    return list(zip(start.tolist(), end.tolist(), strict=True))


def got(results):
    """Return what each query got as (document, start, end), global code points."""
    columns = (results.doc.tolist(), results.start.tolist(), results.end.tolist())
    rows = list(zip(*columns, strict=True))
    return [rows[a:b] for a, b in zip(results.first[:-1], results.first[1:], strict=True)]


@pytest.mark.parametrize("name", LEVERS_AND_A_MODEL)
@fast
@given(case=evaluated())
def test_every_lever_hands_on_candidates_in_dense_ranks_within_the_cut_off(name, case):
    """Passages begin and end as candidates do, ranks count from 0, and nothing is too much."""
    engine, found = case
    run = run_lever(engine, found, LEVERS_AND_A_MODEL[name])
    results, handed, cutoff = run.results, run.handed, found.run.cutoff
    assert results.rank.tolist() == spread(np.zeros_like(results.count), results.count).tolist()
    listed, own = whole_lists(engine, found), spans(engine, found.chunks)
    passages = spans(engine, handed.passages)
    for query, ranked in enumerate(listed):
        held = [own[number] for number, _ in ranked]
        for number in handed.ranked.chunk[handed.ranked.query == query].tolist():
            begin, end = passages[number]
            assert begin in [start for start, _ in held]
            assert end in [end for _, end in held]
            assert name == "merge" or (begin, end) in held
    if isinstance(cutoff, TopK):
        assert (results.count <= cutoff.k).all()
        return
    sizes = results.length
    if cutoff.unit == "token":
        sizes = count_tokens([results.text(index) for index in range(len(results.chunk))])
    assert (results.total(sizes) <= cutoff.size).all()


@pytest.mark.parametrize("name", LEVERS_AND_A_MODEL)
@fast
@given(case=evaluated())
def test_candidates_agree_with_the_list_and_with_the_results(name, case):
    """Before, they stand as listed; after, each rank has the passage that holds them."""
    engine, found = case
    run = run_lever(engine, found, LEVERS_AND_A_MODEL[name])
    base, lists = engine.evidence.base, whole_lists(engine, found)
    own = spans(engine, found.chunks)
    for query, results in enumerate(got(run.results)):
        rows = run.candidates(query)
        assert [one.rank_before for one in rows] == list(range(len(rows)))
        taken = set()
        for one, (chunk, score) in zip(rows, lists[query], strict=False):
            shift = base[engine.corpus.position(one.document.name)]
            assert (one.start + shift, one.end + shift) == own[chunk]
            assert one.score_before == score
            if one.rank_after is not None:
                taken.add(one.rank_after)
                _, begin, end = results[one.rank_after]
                last = one.rank_after == len(results) - 1  # it may be truncated
                assert begin <= own[chunk][0]
                assert last or own[chunk][1] <= end
        assert taken == set(range(len(results)))


@fast
@given(case=evaluated())
def test_none_equals_the_evaluation(case):
    """Results and every metric are the evaluation's own, to the bit."""
    engine, found = case
    run, ours = run_lever(engine, found, LEVERS[NONE]), results_of(engine, found)
    assert got(run.results) == got(ours)
    for column, values in run.columns(found.run.cutoff.label).items():
        assert np.array_equal(values, found.per_query[column], equal_nan=True)


@fast
@given(case=evaluated())
def test_no_two_collapsed_results_share_text(case):
    """Those of a query are apart in each document."""
    for rows in got(run_lever(*case, LEVERS["collapse"]).results):
        ordered = sorted(rows)
        assert all(a[2] <= b[1] for a, b in pairwise(ordered))


@fast
@given(case=evaluated())
def test_one_per_document_keeps_the_best_of_each_document(case):
    """It equals a walk down the whole list."""
    engine, found = case
    handed = run_lever(engine, found, LEVERS["one_per_document"]).handed
    for query, ranked in enumerate(whole_lists(engine, found)):
        best: dict[int, int] = {}
        for number, _ in ranked:
            best.setdefault(int(found.chunks.doc[number]), number)
        kept = handed.ranked.chunk[handed.ranked.query == query].tolist()
        assert kept == list(best.values())[: len(kept)]
        if isinstance(found.run.cutoff, TopK):
            assert len(kept) >= min(found.run.cutoff.k, len(best))


# --- merged neighbours ------------------------------------------------------------------


def neighbours(texts, one, other):
    """Tell whether two spans of (document, start, end) have no letter between them."""
    if one[0] != other[0]:
        return False
    (_, _, end), (_, start, _) = sorted((one, other))
    return not texts[one[0]][end:start].strip()


def joined(texts, chunks):
    """Return the passages of chunks as (document, start, end, best rank), by their best."""
    passages = [(*span, rank) for rank, span in enumerate(chunks)]
    while True:
        pairs = [
            (a, b)
            for i, a in enumerate(passages)
            for b in passages[i + 1 :]
            if neighbours(texts, a[:3], b[:3])
        ]
        if not pairs:
            return sorted(passages, key=lambda passage: passage[3])
        a, b = pairs[0]
        passages = [one for one in passages if one not in (a, b)]
        passages.append((a[0], min(a[1], b[1]), max(a[2], b[2]), min(a[3], b[3])))


def merged_by_hand(texts, chunks, cutoff):
    """Return the passages of the shortest head of a list that fills the cut-off.

    With ``drop``, of the longest that fits, which the first chunk too many ends.
    """
    found = []
    for count in range(1, len(chunks) + 1):
        passages = joined(texts, chunks[:count])
        if isinstance(cutoff, TopK):
            size, room = len(passages), cutoff.k
        else:
            parts = [texts[doc][start:end] for doc, start, end, _ in passages]
            tokens = cutoff.unit == "token"
            size = int(count_tokens(parts).sum()) if tokens else sum(map(len, parts))
            room = cutoff.size
            if cutoff.tail == "drop" and size > room:
                return found
        found = passages
        if size >= room:
            break
    return found


@settings(max_examples=150, deadline=None)
@given(case=evaluated())
def test_merged_passages_equal_joining_pairs_until_none_is_left(case):
    """Spans, order and scores equal a plain search over pairs, at every sort of cut-off."""
    engine, found = case
    texts = [document.text for document in engine.corpus.documents]
    handed = run_lever(engine, found, LEVERS["merge"]).handed
    chunks = found.chunks
    every = list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))
    for query, ranked in enumerate(whole_lists(engine, found)):
        listed = [every[number] for number, _ in ranked]
        expected = merged_by_hand(texts, listed, found.run.cutoff)
        own = handed.ranked.query == query
        numbers = handed.ranked.chunk[own]
        columns = (handed.passages.doc, handed.passages.start, handed.passages.end)
        ours = zip(*(column[numbers].tolist() for column in columns), strict=True)
        assert list(ours) == [passage[:3] for passage in expected]
        scores = [ranked[passage[3]][1] for passage in expected]
        assert handed.ranked.score[own].tolist() == scores


@fast
@given(case=evaluated())
def test_merged_passages_are_apart(case):
    """Within a document no two of a query share text, and no characters are repeated."""
    run = run_lever(*case, LEVERS["merge"])
    for rows in got(run.results):
        ordered = sorted(rows)
        assert all(a[2] <= b[1] for a, b in pairwise(ordered))
    assert run.columns("x")["repeated_chars@x"].sum() == 0


# --- put into another order ---------------------------------------------------------------


@fast
@given(case=evaluated(), pool=st.integers(1, 9), constant=st.floats(-5, 5))
def test_a_constant_reranker_keeps_the_order(case, pool, constant):
    """Of equal scores the better-ranked stands first, so the results are the evaluation's."""
    engine, found = case
    lever = rerank_with(lambda _, texts: [constant] * len(texts), pool)
    assert got(run_lever(engine, found, lever).results) == got(results_of(engine, found))


@fast
@given(case=evaluated())
def test_mmr_by_relevance_alone_keeps_the_order(case):
    """With lambda 1 nothing counts but the score."""
    engine, found = case
    assert got(run_lever(engine, found, mmr(1.0)).results) == got(results_of(engine, found))


def relevances(scores):
    """Return scores over the best, all moved up where one is below 0."""
    low = min(0.0, *scores)
    best = max(scores) - low
    return [(score - low) / best if best else 1.0 for score in scores]


def picked(scores, sets, lambda_):
    """Return the order of maximal marginal relevance, one pick after the other."""
    fit, left, order = relevances(scores), list(range(len(scores))), []
    while left:
        nearest = [
            max((len(sets[i] & sets[j]) / len(sets[i] | sets[j]) for j in order), default=0.0)
            for i in left
        ]
        worth = [
            lambda_ * fit[i] - (1 - lambda_) * near for i, near in zip(left, nearest, strict=True)
        ]
        order.append(left.pop(worth.index(max(worth))))
    return order


@settings(max_examples=100, deadline=None)
@given(
    case=evaluated(sorted(TERM_FUNCTIONS)),
    lambda_=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    pool=st.integers(1, 8),
)
def test_mmr_equals_picking_one_after_the_other(case, lambda_, pool):
    """From each chunk's own terms by any term function, the order is that of plain sets."""
    engine, found = case
    handed = run_lever(engine, found, mmr(lambda_, pool)).handed
    terms_of = TERM_FUNCTIONS[engine.terms.name].terms
    for query, ranked in enumerate(whole_lists(engine, found)):
        ours = handed.ranked.chunk[handed.ranked.query == query].tolist()
        numbers = [number for number, _ in ranked]
        if not ranked:
            assert ours == []
            continue
        sets = [set(terms_of(found.chunks.text(engine.corpus, n))) for n in numbers[:pool]]
        order = picked([score for _, score in ranked[:pool]], sets, lambda_)
        expected = [numbers[at] for at in order] + numbers[pool:]
        assert ours == expected[: len(ours)]
        assert len(ours) >= min(pool, len(ranked))


def by_words(question, chunk, weight):
    """Return phrase, coverage and nearness by trying every run and every stretch."""
    wanted, held = set(question), set(question) & set(chunk)
    of = [weight[term] for term in question]
    total, distinct = sum(of), sum(weight[term] for term in wanted)
    phrase = max(
        sum(of[i : i + size])
        for i in range(len(question))
        for size in range(len(question) - i + 1)
        for j in range(len(chunk) - size + 1)
        if question[i : i + size] == chunk[j : j + size]
    )
    stretch = min(
        j - i
        for i in range(len(chunk))
        for j in range(i + 1, len(chunk) + 1)
        if held <= set(chunk[i:j])
    )
    coverage = sum(weight[term] for term in held) / distinct if distinct else 0.0
    return phrase / total if total else 0.0, coverage, coverage * len(held) / stretch


@settings(max_examples=100, deadline=None)
@given(case=evaluated(sorted(TERM_FUNCTIONS)), pool=st.integers(1, 8))
def test_a_rerank_by_words_equals_trying_every_run_and_every_stretch(case, pool):
    """From each chunk's own terms by any term function, scores equal a plain search."""
    engine, found = case
    run = run_lever(engine, found, rerank(pool))
    terms_of = TERM_FUNCTIONS[engine.terms.name].terms
    read = [terms_of(found.chunks.text(engine.corpus, n)) for n in range(len(found.chunks))]
    for query, ranked in enumerate(whole_lists(engine, found)):
        question = terms_of(engine.queries.queries[query].text)
        weight = {}
        for term in question:
            held = sum(term in terms for terms in read)
            weight[term] = log(1 + (len(read) - held + 0.5) / (held + 0.5)) if held else 0.0
        own = run.handed.ranked.query == query
        ours = run.handed.ranked.chunk[own].tolist()
        assert sorted(ours) == sorted(number for number, _ in ranked[: len(ours)])
        if not ranked:
            continue
        fit = relevances([score for _, score in ranked[:pool]])
        expected = {
            number: (sum(by_words(question, read[number], weight)) + relevant) / 4
            for (number, _), relevant in zip(ranked[:pool], fit, strict=False)
        }
        scores = run.handed.ranked.score[own].tolist()
        assert scores[: len(expected)] == pytest.approx([expected[n] for n in ours[:pool]])
        assert scores[: len(expected)] == sorted(scores[: len(expected)], reverse=True)
        assert ours[pool:] == [number for number, _ in ranked[pool : len(ours)]]


@fast
@given(case=evaluated(), name=st.sampled_from(sorted(LEVERS)))
def test_a_lever_that_is_idle_changes_nothing(case, name):
    """Where the chunks say so, results are those that were retrieved, whatever is asked."""
    engine, found = case
    if LEVERS[name].idle(DeepLists(engine, found)):
        ours = run_lever(engine, found, LEVERS[name]).results
        assert got(ours) == got(results_of(engine, found))


@fast
@given(case=evaluated(), name=st.sampled_from(sorted(LEVERS)))
def test_a_lever_gives_the_same_twice(case, name):
    """Equal inputs give equal results, scores included."""
    engine, found = case
    one, other = (run_lever(engine, found, LEVERS[name]).handed.ranked for _ in range(2))
    assert np.array_equal(one.chunk, other.chunk)
    assert np.array_equal(one.score, other.score, equal_nan=True)
