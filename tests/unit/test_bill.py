"""Bills by hand, their arithmetic, their differences, and the bill of the real corpus."""

import math

import numpy as np
import pytest
from scipy import stats as oracle

from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.cost import (
    Prices,
    Whole,
    arithmetic,
    bill_for,
    bill_of,
    change_of,
    change_sentence,
    grow,
    grown_bill,
    growth_sentence,
    money,
    money_change,
    per_document_counts,
    reindex,
    shown,
    size,
    size_change,
    unit_price,
)
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.evaluate.evaluation import token_counts
from overlapkit.queries import planted_contract
from overlapkit.retrieve import RunSpec, TopK

PRICES = Prices(
    dimension=1024, metadata_bytes=1024, hnsw_m=0, storage_per_gib_month=0.5,
    queries_per_month=10_000,
)  # fmt: skip
VALUES = {"chunks": 2**20, "index_tokens": 500_000_000, "retrieved_tokens@5": 1000.0}


# --- a bill ---------------------------------------------------------------------------


def test_a_bill_by_hand():
    """2**20 vectors of 1,024 numbers with 1 KiB beside each: 5 GiB at 0.5 US$."""
    bill = bill_of(VALUES, PRICES, "5")
    assert (bill.vectors, bill.tokens) == (2**20, 500_000_000)
    assert bill.embed_usd == pytest.approx(10.0)  # 500 million at 0.02 a million
    assert (bill.vector_bytes, bill.metadata_bytes, bill.graph_bytes) == (2**32, 2**30, 0)
    assert bill.storage_bytes == 5 * 2**30
    assert bill.storage_usd_month == pytest.approx(2.5)
    assert bill.context_tokens_per_query == 1000
    assert bill.context_usd_month == pytest.approx(1.5)  # 10 million tokens at 0.15 a million
    assert bill.month_usd == pytest.approx(4.0)
    assert bill.year_usd == pytest.approx(58.0)


def test_a_flat_scan_reads_every_vector_once():
    """One multiply-add per number; metadata is not read."""
    bill = bill_of(VALUES, PRICES, "5")
    assert bill.scan_bytes_per_query == 2**32
    assert bill.scan_multiply_adds_per_query == 2**30


def test_a_graph_is_part_of_storage():
    """With M = 2 each vector has 32 bytes of links: 1,000 vectors have 32,000."""
    bill = bill_for(1000, 0, 0, Prices(dimension=1, hnsw_m=2))
    assert (bill.graph_bytes, bill.storage_bytes) == (32_000, 36_000)


def test_without_queries_the_context_costs_nothing():
    """Nothing needs to be known of what they would retrieve."""
    bill = bill_of({"chunks": 10, "index_tokens": 100}, Prices(), "5")
    assert math.isnan(bill.context_tokens_per_query)
    assert bill.context_usd_month == 0
    assert bill.month_usd == bill.storage_usd_month > 0


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("index_tokens", "missing: index_tokens: evaluate the setting with its tokens counted"),
        ("retrieved_tokens@5", r"missing: retrieved_tokens@5"),
    ],
)
def test_a_bill_without_its_counts_is_an_error(column, message):
    """The message names the column."""
    values = {name: value for name, value in VALUES.items() if name != column}
    with pytest.raises(SettingsError, match=message):
        bill_of(values, PRICES, "5")


# --- its arithmetic -------------------------------------------------------------------


def test_the_arithmetic_gives_every_figure_its_numbers():
    """Each line can be worked out again from what it says."""
    lines = {line.name: line for line in arithmetic(bill_of(VALUES, PRICES, "5"), PRICES)}
    said = {name: f"{line.formula} = {shown(line.amount, line.unit)}"
            for name, line in lines.items()}  # fmt: skip
    assert said == {
        "Vectors": "one per chunk = 1,048,576 vectors",
        "Tokens to embed":
            "tokens of every chunk, overlap counted each time = 500,000,000 tokens",
        "Embedding, once":
            "500,000,000 tokens × $0.02 per million (text-embedding-3-small, 2024-01-25) = $10.00",
        "Size of the vectors": "1,048,576 vectors × 1,024 numbers × 4 bytes = 4 GiB",
        "Metadata": "1,048,576 vectors × 1,024 bytes = 1 GiB",
        "Graph (HNSW)": "no graph = 0 bytes",
        "Storage": "vectors, metadata and graph: 4 GiB + 1 GiB + 0 bytes = 5 GiB",
        "Storage, a month": "5 GiB × $0.5 per GiB and month = $2.50",
        "Read by one query":
            "every vector once: 1,048,576 vectors × 1,024 numbers × 4 bytes = 4 GiB",
        "Multiply-adds of one query":
            "every vector once: 1,048,576 vectors × 1,024 numbers = 1,073,741,824 multiply-adds",
        "Context of one query": "tokens retrieved, mean over the questions = 1,000 tokens",
        "Context, a month": "10,000 queries × 1,000 tokens × $0.15 per million = $1.50",
        "A month": "storage $2.50 + context $1.50 = $4.00",
        "The first year": "embedding $10.00 + 12 × $4.00 a month = $58.00",
    }  # fmt: skip


def test_the_arithmetic_of_a_graph_and_of_no_queries():
    """What a graph adds is spelt out, and that it spares reading; nothing is made up."""
    prices = Prices()
    lines = {line.name: line.formula for line in arithmetic(bill_for(10, 9, math.nan, prices),
                                                            prices)}  # fmt: skip
    assert lines["Graph (HNSW)"] == (
        "10 vectors × (132 bytes of links on the lowest layer + 68 bytes ÷ 15 on the layers "
        "above, on average)"
    )
    assert lines["Read by one query"].endswith("; a graph reads less")
    assert lines["Context, a month"] == "no number of queries is given"


# --- numbers in words -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (0, "$0"),
        (0.004, "$0.004"),
        (0.0025, "$0.0025"),
        (0.00251, "$0.0025"),
        (0.0999, "$0.10"),
        (0.12, "$0.12"),
        (4.2e-9, "$0.0000000042"),
        (0.999, "$1.00"),
        (1.2, "$1.20"),
        (999.4, "$999.40"),
        (1234.5, "$1,234"),
        (-0.003, "−$0.003"),
        (math.nan, "an unknown price"),
    ],
)
def test_a_price_in_words(usd, said):
    """Cents, and below a dollar two digits that say something."""
    assert money(usd) == said


@pytest.mark.parametrize(("usd", "said"), [(0.12, "+$0.12"), (-1.2, "−$1.20"), (0.0, "$0")])
def test_a_difference_of_prices_has_its_sign(usd, said):
    """A price that stays has none."""
    assert money_change(usd) == said


@pytest.mark.parametrize(
    ("usd", "said"), [(0.354, "$0.354"), (2e-5, "$0.00002"), (15.0, "$15"), (100, "$100")]
)
def test_a_price_per_unit_is_shown_as_it_was_given(usd, said):
    """Nothing is rounded, so that the arithmetic can be followed."""
    assert unit_price(usd) == said


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1536, "1.5 KiB"),
        (6 * 2**20, "6 MiB"),
        (200.4 * 2**30, "200 GiB"),
        (-1536, "−1.5 KiB"),
        (2**62, "4,096 PiB"),
        (math.nan, "an unknown size"),
    ],
)
def test_a_size_in_words(stored, said):
    """The largest unit that leaves at least 1."""
    assert size(stored) == said


def test_a_difference_of_sizes_has_its_sign():
    """As prices have."""
    assert [size_change(stored) for stored in (2**20, -(2**20), 0)] == ["+1 MiB", "−1 MiB",
                                                                        "0 bytes"]  # fmt: skip


# --- from one setting to another ------------------------------------------------------

PLAIN = ChunkSpec.percent(512, 0, unit="token")
OVERLAPPING = ChunkSpec.percent(512, 20, unit="token")


def test_a_change_is_ours_minus_the_current_one():
    """Figure by figure; re-indexing is the whole embedding of ours."""
    ours, current = bill_for(30, 6_000_000, 900, PRICES), bill_for(20, 5_000_000, 1000, PRICES)
    change = change_of(ours, current)
    assert (change.vectors, change.tokens) == (10, 1_000_000)
    assert change.embed_usd == pytest.approx(0.02)
    assert change.storage_bytes == 10 * 5 * 1024
    assert change.context_usd_month == pytest.approx(-0.15)  # a million tokens less
    assert reindex(ours) == pytest.approx(0.12)


def test_a_change_in_a_sentence():
    """Once, in storage and every month: 6 million tokens, 1,000 vectors of 5 KiB more."""
    ours = bill_for(2000, 6_000_000, 9000, PRICES)
    current = bill_for(1000, 5_000_000, 1000, PRICES)
    # 80 million tokens more at 0.15 a million are 12 US$; 5,000 KiB at 0.5 a GiB 0.0024 US$.
    assert change_sentence(OVERLAPPING, PLAIN, ours, current) == (
        "From 512 tokens without overlap to 512 tokens with 102 overlap (20%): +$0.12 to "
        "re-index, +4.9 MiB, +$12.00 a month."
    )
    assert change_sentence(PLAIN, OVERLAPPING, current, ours).endswith(
        ": +$0.10 to re-index, −4.9 MiB, −$12.00 a month."
    )


def test_what_does_not_change_is_said():
    """A model that costs nothing and equal bills leave nothing out."""
    bill = bill_for(10, 10, 10, Prices(per_million_tokens=0))
    assert change_sentence(OVERLAPPING, PLAIN, bill, bill).endswith(
        ": no charge to re-index, the same storage, the same each month."
    )


def test_the_current_setting_needs_no_change():
    """Nothing is embedded again."""
    bill = bill_of(VALUES, PRICES, "5")
    assert change_sentence(PLAIN, PLAIN, bill, bill) == (
        "512 tokens without overlap is the current setting: nothing to re-index."
    )


# --- the real corpus ------------------------------------------------------------------

SAMPLE = [(100, 1), (200, 3), (300, 5)]  # residuals −½, 0, ½ about 0.015 a character


def test_an_estimate_by_characters_by_hand():
    """9 of 600 characters are 90 of 6,000; the error is 30·√(¼ ÷ 3)."""
    found = grow(SAMPLE, Whole(characters=6000))
    half = oracle.t.ppf(0.975, 2) * 30 * math.sqrt(0.25 / 3)
    assert (found.value, found.n) == (pytest.approx(90), 3)
    assert (found.low, found.high) == (pytest.approx(90 - half), pytest.approx(90 + half))


def test_a_known_number_of_documents_narrows_the_range():
    """A tenth of them is in the sample already: √0.9 of the width."""
    wide = grow(SAMPLE, Whole(characters=6000))
    narrow = grow(SAMPLE, Whole(characters=6000, documents=30))
    assert narrow.value == wide.value
    assert narrow.high - 90 == pytest.approx(math.sqrt(0.9) * (wide.high - 90))


def test_an_estimate_by_documents_by_hand():
    """A mean of 3 over 30 documents; the error is 30·√(4 ÷ 3 · 0.9)."""
    found = grow(SAMPLE, Whole(documents=30))
    half = oracle.t.ppf(0.975, 2) * 30 * math.sqrt(4 / 3 * 0.9)
    assert found.value == pytest.approx(90)
    assert found.high == pytest.approx(90 + half)
    assert found.low == 9  # 90 − half is below 0, and the sample alone holds 9


def test_a_sample_that_is_the_corpus_leaves_no_doubt():
    """All three documents were counted."""
    found = grow(SAMPLE, Whole(characters=600, documents=3))
    assert (found.value, found.low, found.high) == (9, 9, 9)


def test_one_document_gives_no_range():
    """It cannot tell how documents differ, and the sentence says so."""
    found = grow([(100, 2)], Whole(characters=1000))
    assert found.value == pytest.approx(20)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize(
    ("sample", "whole", "message"),
    [
        ([], {"characters": 9}, "at least 1 document; got none"),
        ([(0, 0), (0, 0)], {"characters": 9}, "must hold text to grow by characters"),
        (SAMPLE, {"characters": 599}, "at least the sample's 600 characters; got 599"),
        (SAMPLE, {"documents": 2}, "at least the sample's 3 documents; got 2"),
        (SAMPLE, {"characters": 601, "documents": 3}, "must have its 600 characters; got 601"),
    ],
)
def test_a_corpus_smaller_than_its_sample_is_an_error(sample, whole, message):
    """The sample is part of it."""
    with pytest.raises(SettingsError, match=message):
        grow(sample, Whole(**whole))


@pytest.mark.parametrize("size", [{}, {"characters": 0}, {"documents": -1},
                                  {"characters": math.nan}])  # fmt: skip
def test_a_real_corpus_has_a_size(size):
    """Characters or documents, more than none."""
    with pytest.raises(SettingsError, match="must have more than 0 characters or documents"):
        Whole(**size)


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    """Samples of 30 from 3,000 documents of very unequal length, 400 times: 88% or more."""
    rng = np.random.default_rng(1)
    characters = np.ceil(rng.lognormal(8, 1.0, 3000))
    chunks = np.maximum(1, np.ceil((characters - 160) / 640))
    tokens = np.ceil(characters / 4 * rng.lognormal(0, 0.25, 3000))
    whole = Whole(characters=float(characters.sum()), documents=3000)
    for values in (chunks, tokens):
        held = 0
        for _ in range(400):
            drawn = rng.choice(3000, 30, replace=False)
            found = grow(np.column_stack((characters[drawn], values[drawn])), whole)
            held += found.low <= values.sum() <= found.high
        assert held >= 352


def test_counts_per_document_by_hand():
    """A document without text counts as one without chunks."""
    corpus = corpus_of([("a", "x" * 10), ("b", ""), ("c", "y" * 5)])
    chunks = ChunkSet(np.array([0, 0, 2]), np.array([0, 4, 0]), np.array([6, 10, 5]))
    counts = per_document_counts(chunks, corpus.documents, np.array([3, 2, 4]))
    assert counts.characters.tolist() == [10, 0, 5]
    assert counts.chunks.tolist() == [2, 0, 1]
    assert counts.tokens is not None
    assert counts.tokens.tolist() == [5, 0, 4]
    assert per_document_counts(chunks, corpus.documents).tokens is None
    with pytest.raises(ValueError, match="all 3 chunks; got 2"):
        per_document_counts(chunks, corpus.documents, np.array([3, 2]))
    with pytest.raises(ValueError, match="read-only"):
        counts.chunks[0] = 1


def test_counts_per_document_add_up_to_the_evaluation():
    """So a sample that is the whole corpus has the bill of its evaluation."""
    engine = prepare(*planted_contract(), "word")
    spec = ChunkSpec.percent(80, 20, unit="word")
    values = evaluate_with(engine, spec, RunSpec("count", "word", TopK(4))).values
    chunks = engine.chunk(spec)
    counts = per_document_counts(
        chunks, engine.corpus.documents, token_counts(engine, chunks, spec.encoding)
    )
    whole = Whole(float(engine.corpus.characters), len(engine.corpus.documents))
    prices = Prices(queries_per_month=100)
    retrieved = values["retrieved_tokens@4"]
    assert grown_bill(counts, whole, prices, retrieved).bill == bill_of(values, prices, "4")


def test_a_grown_bill_has_its_range():
    """Ten times the characters; both ends are bills of their own."""
    corpus = corpus_of([("a", "x" * 100), ("b", "y" * 300)])
    chunks = ChunkSet(np.array([0, 1, 1]), np.array([0, 0, 100]), np.array([100, 200, 300]))
    counts = per_document_counts(chunks, corpus.documents, np.array([20, 40, 40]))
    grown = grown_bill(counts, Whole(characters=4000), Prices())
    assert grown.low is not None
    assert grown.high is not None
    assert (grown.bill.vectors, grown.bill.tokens) == (30, 1000)
    # A residual of ±¼ about 3 chunks in 400 characters; t has one degree of freedom.
    half = oracle.t.ppf(0.975, 1) * 4000 / 200 * math.sqrt(2 * 0.25**2 / 2)
    assert grown.high.vectors == pytest.approx(30 + half)
    assert grown.low.vectors == 3
    assert grown.low.year_usd < grown.bill.year_usd < grown.high.year_usd


def test_a_grown_bill_in_a_sentence():
    """With ranges from two documents on."""
    corpus = corpus_of([("a", "x" * 100), ("b", "y" * 100), ("c", "z" * 100)])
    chunks = ChunkSet(np.arange(3), np.zeros(3, dtype=np.int64), np.full(3, 100))
    prices = Prices(dimension=256, hnsw_m=0, storage_per_gib_month=1.0)
    counts = per_document_counts(chunks, corpus.documents, np.array([20, 25, 30]))
    # Mean 25, deviation 5: 25,000 ± 4.303 · 1,000 · 5 ÷ √3 thousandths of a million tokens.
    grown = grown_bill(counts, Whole(characters=100_000_000), prices)
    assert growth_sentence(grown) == (
        "For the real corpus: about 1,000,000 vectors (1,000,000 to 1,000,000), $0.50 to embed "
        "($0.25 to $0.75) and $0.95 a month ($0.95 to $0.95); 95% ranges, judged from 3 "
        "documents."
    )


def test_a_grown_bill_of_one_document_says_that_it_has_no_range():
    """There are no ends, rather than ends that look exact."""
    corpus = corpus_of([("a", "x" * 100)])
    chunks = ChunkSet(np.array([0]), np.array([0]), np.array([100]))
    counts = per_document_counts(chunks, corpus.documents, np.array([25]))
    grown = grown_bill(counts, Whole(characters=12_345_600), Prices())
    assert (grown.low, grown.high) == (None, None)
    assert growth_sentence(grown) == (
        "For the real corpus: about 123,000 vectors, $0.062 to embed and $0.26 a month. One "
        "document cannot tell how far off that may be."
    )


def test_a_grown_bill_needs_tokens():
    """Vectors alone do not tell the price of embedding."""
    corpus = corpus_of([("a", "x")])
    chunks = ChunkSet(np.array([0]), np.array([0]), np.array([1]))
    with pytest.raises(SettingsError, match="needs tokens per document"):
        grown_bill(per_document_counts(chunks, corpus.documents), Whole(documents=9), Prices())
