"""What holds for every bill, difference, price in words, price table and grown sample."""

import re
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.cost import (
    COSTS,
    ListPrice,
    Prices,
    Whole,
    arithmetic,
    bill_for,
    change_of,
    grow,
    money,
    prices_csv,
    read_prices,
)

amounts = st.floats(0, 1e9)
unit_prices = st.floats(0, 1000)
prices = st.builds(
    Prices,
    dimension=st.integers(1, 8192),
    bytes_per_number=st.integers(1, 8),
    per_million_tokens=unit_prices,
    metadata_bytes=st.integers(0, 100_000),
    hnsw_m=st.sampled_from([0, 2, 16, 64]),
    storage_per_gib_month=unit_prices,
    context_per_million_tokens=unit_prices,
    queries_per_month=amounts,
)
samples = st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**4)), min_size=2, max_size=30)


@settings(deadline=None)
@given(amounts, amounts, amounts, prices)
def test_sums_of_a_bill_are_the_sums_of_their_parts(vectors, tokens, context, of):
    """Storage, a month and a year leave nothing out."""
    bill = bill_for(vectors, tokens, context, of)
    assert bill.storage_bytes == bill.vector_bytes + bill.metadata_bytes + bill.graph_bytes
    assert bill.month_usd == bill.storage_usd_month + bill.context_usd_month
    assert bill.year_usd == bill.embed_usd + 12 * bill.month_usd


@settings(deadline=None)
@given(amounts, amounts, prices)
def test_the_column_of_a_year_is_the_bill_without_context(vectors, tokens, of):
    """A chart and a bill agree."""
    bill = bill_for(vectors, tokens, 0, of)
    values = {"chunks": vectors, "index_tokens": tokens}
    assert COSTS["year"].compute(values, of) == pytest.approx(bill.year_usd)
    assert COSTS["price"].compute(values, of) == bill.embed_usd
    assert COSTS["storage"].compute(values, of) == bill.vector_bytes / 2**20


@settings(deadline=None)
@given(amounts, amounts, amounts, prices)
def test_twice_the_corpus_and_the_context_have_twice_the_bill(vectors, tokens, context, of):
    """Every figure grows in proportion."""
    once = asdict(bill_for(vectors, tokens, context, of))
    twice = asdict(bill_for(2 * vectors, 2 * tokens, 2 * context, of))
    assert twice == pytest.approx({name: 2 * value for name, value in once.items()})


@settings(deadline=None)
@given(amounts, amounts, amounts, prices)
def test_every_line_of_arithmetic_is_a_figure_of_the_bill(vectors, tokens, context, of):
    """No amount is worked out a second time, and none is left out."""
    bill = bill_for(vectors, tokens, context, of)
    lines = arithmetic(bill, of)
    assert sorted(line.amount for line in lines) == sorted(asdict(bill).values())
    assert len({line.name for line in lines}) == len(lines)


@settings(deadline=None)
@given(amounts, amounts, amounts, amounts, prices)
def test_the_way_back_costs_the_opposite(vectors, tokens, others, context, of):
    """Ours − current is −(current − ours), to the bit."""
    one, other = bill_for(vectors, tokens, context, of), bill_for(others, tokens, context, of)
    there, back = asdict(change_of(one, other)), asdict(change_of(other, one))
    assert there == {name: -value for name, value in back.items()}


@settings(deadline=None)
@given(st.floats(1e-30, 1e12) | st.floats(-1e12, -1e-30))
def test_a_price_that_is_there_is_never_shown_as_nothing(usd):
    """What is shown reads back to within 5% of the price."""
    read = float(re.sub(r"[$,]", "", money(usd)).replace("\N{MINUS SIGN}", "-"))
    assert read == pytest.approx(usd, rel=0.05)


words = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("C",)))
list_price_rows = st.builds(
    ListPrice,
    words.map(str.strip).filter(bool),
    words.map(str.strip),
    st.integers(1, 99_999),
    st.floats(0, 1e6),
    st.dates().map(str),
    words.map(str.strip),
)


@settings(deadline=None)
@given(st.lists(list_price_rows, min_size=1, unique_by=lambda row: (row.provider, row.model)))
def test_a_price_table_reads_back_as_written(rows):
    """Whatever letters names are made of."""
    assert read_prices(prices_csv(rows)) == tuple(rows)


@settings(deadline=None)
@given(samples, st.floats(1, 1000), st.integers(2, 1000))
def test_an_estimate_lies_in_its_interval_and_holds_the_sample(sample, times, factor):
    """The corpus has at least what was counted."""
    characters = times * sum(size for size, _ in sample)
    seen = sum(value for _, value in sample)
    for whole in (
        Whole(characters=characters),
        Whole(documents=factor * len(sample)),
        Whole(characters=characters, documents=factor * len(sample)),
    ):
        found = grow(sample, whole)
        assert found.low <= found.value <= found.high
        assert found.low >= seen * (1 - 1e-12)


@settings(deadline=None)
@given(samples, st.floats(1, 1000), st.integers(1, 100))
def test_the_order_of_documents_and_the_unit_of_values_change_nothing(sample, times, factor):
    """Counting in hundreds gives hundredths of everything."""
    whole = Whole(characters=times * sum(size for size, _ in sample))
    found = grow(sample, whole)
    again = grow([(size, factor * value) for size, value in reversed(sample)], whole)
    for end in ("value", "low", "high"):
        expected = factor * getattr(found, end)
        # Where values are in proportion to length, the width is rounding and nothing else.
        rounding = 1e-6 * factor * (1 + found.value)
        assert getattr(again, end) == pytest.approx(expected, rel=1e-6, abs=rounding)


@settings(deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=30), st.integers(1, 50))
def test_values_in_proportion_to_length_leave_no_doubt(sizes, factor):
    """Every document tells the same."""
    found = grow([(size, factor * size) for size in sizes], Whole(characters=10**8))
    assert found.value == pytest.approx(factor * 10**8)
    assert found.high - found.low == pytest.approx(0, abs=1e-6 * found.value)
