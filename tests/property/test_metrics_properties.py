"""Every metric in its range, and equal to plain sets of characters, on random corpora."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import UNITS, ChunkSpec, chunk
from overlapkit.engine import prepare
from overlapkit.evaluate import METRICS, evaluate, evaluate_with
from overlapkit.evaluate.ceiling import (
    precision_omega,
    predicted_whole,
    whole_queries,
    whole_spans,
)
from overlapkit.evaluate.results import cut_off
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.queries.located import locate
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK
from overlapkit.tokens import count_tokens
from tests import naive
from tests.property.strategies import corpora, sizes, texts

fast = settings(max_examples=40, deadline=None)


@st.composite
def asked(draw):
    """Return (corpus, queries): evidence anywhere in it, questions that often match."""
    corpus = draw(corpora())
    filled = [document for document in corpus.documents if document.text]
    assume(filled)
    queries = []
    for number in range(draw(st.integers(1, 3))):
        spans = []
        for _ in range(draw(st.integers(1, 3))):
            document = draw(st.sampled_from(filled))
            start = draw(st.integers(0, len(document.text) - 1))
            end = draw(st.integers(start + 1, len(document.text)))
            spans.append(Evidence(document.name, start, end))
        own = draw(st.sampled_from(filled)).text
        question = draw(st.one_of(texts(12), st.just(own)))
        answer = draw(st.sampled_from([None, own[:3], "zz"]))
        need = draw(st.sampled_from(["any", "all"]))
        queries.append(Query(str(number), question, tuple(spans), need, answer))
    return corpus, QuerySet(tuple(queries), "minimal")


def cutoffs():
    """Return every sort of cut-off, small enough to bite."""
    tails = st.sampled_from(["truncate", "drop"])
    units = st.sampled_from(["char", "token"])
    return st.one_of(
        st.builds(TopK, st.integers(1, 6)),
        st.builds(Budget, st.integers(1, 80), units, tails),
    )


def specs():
    """Return windows of every unit."""
    return st.builds(
        lambda unit, size: ChunkSpec("window", unit, *size), st.sampled_from(UNITS), sizes()
    )


def local(corpus, query):
    """Return a query's evidence as (document, start, end)."""
    return [(corpus.position(e.document), e.start, e.end) for e in query.evidence]


@fast
@given(asked=asked(), spec=specs(), cutoff=cutoffs(), ranking=st.sampled_from(sorted(RANKINGS)))
def test_every_metric_stays_in_its_range(asked, spec, cutoff, ranking):
    """Rates lie in 0..1 and numbers at or above 0; only a missing answer leaves no value."""
    found = evaluate(*asked, spec, RunSpec(ranking, "word", cutoff))
    for name, metric in METRICS.items():
        column = found.per_query[f"{name}@{cutoff.label}"]
        assert column.dtype == np.float64
        assert len(column) == len(asked[1])
        known = column[~np.isnan(column)]
        without = [query.answer is None for query in asked[1]] if name == "answer" else False
        assert np.array_equal(np.isnan(column), np.broadcast_to(without, column.shape))
        assert (known >= 0).all()
        assert metric.shown == "number" or (known <= 1).all()


@fast
@given(asked=asked(), spec=specs(), cutoff=cutoffs())
def test_columns_at_one_ceilings_and_means_stay_in_range(asked, spec, cutoff):
    """Hits at 1, containment and Precision-Ω are rates; a value is its column's mean."""
    found = evaluate(*asked, spec, RunSpec("okapi", "word", cutoff))
    rates = ["strict_hit@1", "lenient_hit@1", "query_containment", "precision_omega"]
    for name in rates:
        assert (found.per_query[name] >= 0).all()
        assert (found.per_query[name] <= 1).all()
    assert 0 <= found.values["containment"] <= 1
    assert 0 <= found.values["predicted_containment"] <= 1
    for name, column in found.per_query.items():
        known = [value for value in column.tolist() if not math.isnan(value)]
        mean = math.fsum(known) / len(known) if known else math.nan
        assert found.values[name] == pytest.approx(mean, nan_ok=True)


@settings(max_examples=80, deadline=None)
@given(
    asked=asked(),
    size=sizes(),
    cutoff=st.one_of(
        st.builds(TopK, st.integers(1, 6)),
        st.builds(
            Budget, st.integers(1, 80), st.just("char"), st.sampled_from(["truncate", "drop"])
        ),
    ),
)
def test_metrics_equal_sets_of_characters(asked, size, cutoff):
    """From windows to metrics, all equals a plain implementation by sets of characters."""
    corpus, queries = asked
    found = evaluate(corpus, queries, ChunkSpec("window", "char", *size), RunSpec(cutoff=cutoff))
    spans = naive.windows([document.text for document in corpus.documents], *size)
    for number, query in enumerate(queries):
        ranked = naive.okapi_results(corpus, spans, query.text, found.terms.name, len(spans))
        results = [spans[index] for index, _ in ranked]
        results = naive.cut(results, cutoff)
        expected = naive.metrics(results, local(corpus, query), query.need)
        ours = {name: found.per_query[f"{name}@{cutoff.label}"][number] for name in expected}
        assert ours == pytest.approx(expected, abs=1e-12)


@fast
@given(asked=asked(), size=sizes(), cutoff=cutoffs())
def test_an_answer_hit_is_text_in_a_result(asked, size, cutoff):
    """The answer counts where it stands in the retrieved part of one result."""
    engine = prepare(*asked, "word")
    chunks = engine.chunk(ChunkSpec("window", "char", *size))
    ranked = engine.rank(chunks, engine.index(chunks), "okapi", (cutoff,))
    results = cut_off(engine, chunks, ranked, cutoff)
    held = METRICS["answer"].compute(results)
    for number, query in enumerate(asked[1]):
        own = [results.text(i) for i in np.flatnonzero(results.query == number)]
        if query.answer is not None:
            assert held[number] == any(query.answer in text for text in own)


@fast
@given(asked=asked(), spec=specs())
def test_precision_omega_equals_sets_of_characters(asked, spec):
    """Evidence held over touching chunks plus evidence held by none, by brute force."""
    corpus, queries = asked
    chunks = chunk(corpus, spec)
    spans = list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))
    found = precision_omega(chunks, locate(corpus, queries))
    expected = [naive.precision_omega(spans, local(corpus, query)) for query in queries]
    assert found.tolist() == pytest.approx(expected)


@fast
@given(asked=asked(), spec=specs())
def test_containment_equals_looking_at_every_chunk(asked, spec):
    """A span is whole where some chunk of its document holds it; a query by its need."""
    corpus, queries = asked
    chunks = chunk(corpus, spec)
    evidence = locate(corpus, queries)
    own = [
        [(s, e) for d, s, e in zip(chunks.doc, chunks.start, chunks.end, strict=True) if d == doc]
        for doc in range(len(corpus.documents))
    ]
    expected = [
        [any(naive.inside((start, end), held) for held in own[doc]) for doc, start, end in spans]
        for spans in (local(corpus, query) for query in queries)
    ]
    whole = whole_spans(chunks, evidence)
    assert whole.tolist() == [one for row in expected for one in row]
    assert whole_queries(whole, evidence).tolist() == [
        (all if query.need == "all" else any)(row)
        for query, row in zip(queries, expected, strict=True)
    ]


@fast
@given(asked=asked(), spec=specs())
def test_a_span_no_longer_than_overlap_plus_one_is_whole(asked, spec):
    """Wherever the cuts fall, such a span stands in one window; theory says 1 for it."""
    engine = prepare(*asked, "word")
    units = engine.units(spec.unit, spec.encoding)
    evidence = engine.evidence
    spans = evidence.spans
    length = units.met(spans.start, spans.end)
    chunks = engine.chunk(spec)
    predicted = predicted_whole(spec, units, evidence)
    for index, doc in enumerate(spans.doc.tolist()):
        held = chunks.of_document(doc)
        shift = evidence.base[doc]
        start, end = spans.start[index] - shift, spans.end[index] - shift
        if held.start == held.stop or length[index] > spec.overlap + 1:
            continue
        assert predicted[index] == 1
        # White space at the edge of a span may stand between word windows, and belong to none.
        text = engine.corpus.documents[doc].text[start:end]
        if spec.unit != "word" or text.strip() == text:
            assert whole_spans(chunks, evidence)[index]


@fast
@given(asked=asked(), spec=specs(), cutoff=cutoffs())
def test_a_cut_off_is_never_exceeded(asked, spec, cutoff):
    """No list is longer than k, no context larger than its budget in its own unit."""
    engine = prepare(*asked, "word")
    chunks = engine.chunk(spec)
    ranked = engine.rank(chunks, engine.index(chunks), "lucene", (cutoff,))
    results = cut_off(engine, chunks, ranked, cutoff)
    assert (results.length > 0).all()
    if isinstance(cutoff, TopK):
        assert (results.count <= cutoff.k).all()
        return
    sizes = results.length
    if cutoff.unit == "token":
        sizes = count_tokens([results.text(index) for index in range(len(results.chunk))])
    assert (results.total(sizes) <= cutoff.size).all()


@fast
@given(asked=asked(), spec=specs(), small=cutoffs())
def test_a_further_cut_off_changes_no_column(asked, spec, small):
    """A metric at one cut-off is the same whatever is asked for beside it."""
    engine = prepare(*asked, "word")
    alone = evaluate_with(engine, spec, RunSpec("okapi", "word", small))
    beside = evaluate_with(
        engine, spec, RunSpec("okapi", "word", small), also=(TopK(7), Budget(500))
    )
    for name, column in alone.per_query.items():
        assert np.array_equal(column, beside.per_query[name], equal_nan=True)
