"""What a setting costs, by hand; prices and the lists they come from."""

from dataclasses import replace
from datetime import date

import pytest

from overlapkit.cost import (
    COSTS,
    ListPrice,
    Prices,
    graph_bytes_per_vector,
    keep_cost,
    list_prices,
    prices_csv,
    read_prices,
)
from overlapkit.errors import InputError, SettingsError

VALUES = {"chunks": 1024, "index_chars": 500_000, "index_tokens": 125_000}


@pytest.mark.parametrize(
    ("name", "prices", "cost"),
    [
        ("index_chars", Prices(), 500_000),
        ("chunks", Prices(), 1024),
        ("storage", Prices(), 6.0),  # 1024 vectors of 1536 numbers of 4 bytes
        ("storage", Prices(dimension=1024, bytes_per_number=1), 1.0),
        ("price", Prices(), 0.0025),  # an eighth of a million tokens at 0.02
        ("price", Prices(per_million_tokens=0.0), 0.0),
    ],
)
def test_each_cost_is_its_formula(name, prices, cost):
    """Vectors, storage in MiB, and tokens times price."""
    assert COSTS[name].compute(VALUES, prices) == pytest.approx(cost)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimension": 0},
        {"bytes_per_number": 0},
        {"per_million_tokens": -0.01},
        {"per_million_tokens": float("nan")},
    ],
)
def test_impossible_prices_are_errors(wrong):
    """Neither a vector without numbers nor a negative price is taken."""
    with pytest.raises(SettingsError, match="must be at least"):
        Prices(**wrong)


# --- the first year -------------------------------------------------------------------


def test_the_first_year_is_embedding_and_twelve_months_of_storage():
    """2**20 vectors of 4 KiB and 1 KiB beside each are 5 GiB: 10 + 12 × 5 × 0.5 US$."""
    prices = Prices(
        dimension=1024, metadata_bytes=1024, hnsw_m=0, storage_per_gib_month=0.5,
        queries_per_month=1e9,
    )  # fmt: skip
    values = {"chunks": 2**20, "index_tokens": 500_000_000}
    assert COSTS["year"].compute(values, prices) == pytest.approx(40.0)


def test_what_storage_rests_on_is_in_the_year():
    """A graph, metadata and a dearer store each make it dearer."""
    plain = Prices(hnsw_m=0)
    others = [replace(plain, hnsw_m=16), replace(plain, metadata_bytes=1),
              replace(plain, storage_per_gib_month=1)]  # fmt: skip
    year = COSTS["year"].compute
    assert all(year(VALUES, prices) > year(VALUES, plain) for prices in others)


@pytest.mark.parametrize(
    ("m", "expected"),
    [
        (0, 0),
        (2, 20 + 12),  # 4 links and a count, and on one upper layer on average 2 and a count
        (16, 132 + 68 / 15),
    ],
)
def test_the_bytes_of_a_graph(m, expected):
    """2M links below and M per upper layer, four bytes each and four for every count."""
    assert graph_bytes_per_vector(m) == pytest.approx(expected)


@pytest.mark.parametrize("m", [2, 5, 16, 48])
def test_the_upper_layers_of_a_graph_are_the_sum_over_their_chances(m):
    """A vector reaches layer l with a chance of m**-l."""
    upper = sum(m**-layer * 4 * (m + 1) for layer in range(1, 80))
    assert graph_bytes_per_vector(m) == pytest.approx(4 * (2 * m + 1) + upper)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dimension": float("nan")}, "dimension and bytes must be at least 1"),
        ({"per_million_tokens": float("inf")}, "a price must be at least 0 and finite"),
        ({"storage_per_gib_month": -1.0}, "the price of storage must be at least 0"),
        ({"context_per_million_tokens": -1.0}, "the price of context must be at least 0"),
        ({"queries_per_month": -1}, "queries a month must be at least 0"),
        ({"metadata_bytes": -1}, "metadata bytes must be at least 0"),
        ({"hnsw_m": 1}, r"0 for no graph, or lie in 2\.\.10000; got 1"),
        ({"hnsw_m": -2}, "or lie in"),
        ({"model": " "}, "model must have a name"),
        ({"as_of": "25.1.2024"}, "a day such as 2024-01-25; got '25.1.2024'"),
        ({"as_of": "2024-02-30"}, "a day such as"),
        ({"as_of": "20240125"}, "a day such as"),
    ],
)
def test_a_price_outside_its_rule_is_an_error(wrong, message):
    """Rule and value stand in the message."""
    with pytest.raises(SettingsError, match=message):
        Prices(**wrong)


# --- list prices ----------------------------------------------------------------------


def test_the_default_is_the_first_list_price():
    """The figures of a page that asks nothing are those of the table."""
    assert list_prices()[0].prices() == Prices()


def test_every_list_price_has_a_source_and_a_day():
    """Nobody has to take a price on trust."""
    rows = list_prices()
    assert len({(row.provider, row.model) for row in rows}) == len(rows) >= 8
    assert all(row.source.startswith("https://") for row in rows)
    assert all(date(2022, 12, 1) < date.fromisoformat(row.as_of) for row in rows)
    assert all(row.us_dollars_per_million_tokens > 0 for row in rows)


def test_a_list_price_changes_the_embedding_alone():
    """What is known of storage and queries stays."""
    base = Prices(metadata_bytes=9, hnsw_m=0, queries_per_month=5)
    row = ListPrice("m", "p", 8, 1.5, "2026-01-02", "")
    assert row.prices(base) == replace(
        base, model="m", dimension=8, per_million_tokens=1.5, as_of="2026-01-02"
    )


HEADER = "model,provider,dimension,us_dollars_per_million_tokens,as_of,source"
ROW = ListPrice("own, big", "We", 256, 0.5, "2026-03-01", 'a "price" list')


def test_a_price_table_comes_back_as_it_went():
    """Separators and quotes inside a cell are no trouble."""
    assert read_prices(prices_csv([ROW, *list_prices()])) == (ROW, *list_prices())


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (HEADER.replace(",", ";") + "\r\nm;p;8;1.5;2026-01-02;s\r\n", "utf-8-sig"),
        (HEADER.replace(",", "\t") + "\nm\tp\t8\t1.5\t2026-01-02\ts\n", "utf-16"),
        ("\n SOURCE,as_of,note,Model,provider,us_dollars_per_million_tokens,dimension\n"
         "\n s ,2026-01-02,why,m,p,1.5,8\n,,,,,,\n", "utf-8"),
    ],
)  # fmt: skip
def test_a_price_table_may_come_from_any_spreadsheet(text, encoding):
    """Semicolons, tabs, marks, blank lines, other columns and another order are taken."""
    assert read_prices(text.encode(encoding)) == (ListPrice("m", "p", 8, 1.5, "2026-01-02", "s"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one price; it has none"),
        (HEADER, "at least one price; it has none"),
        ("model,price\nm,1", r"in its first line; missing: provider, dimension, us_dollars"),
        (f"{HEADER}\n,p,8,1.5,2026-01-02,s", "line 2: model must have a name"),
        (f"{HEADER}\nm,p,8.5,1.5,2026-01-02,s", "line 2: dimension must be .* got '8.5'"),
        (f"{HEADER}\nm,p,0,1.5,2026-01-02,s", "line 2: dimension must be"),
        (f"{HEADER}\nm,p,8,free,2026-01-02,s", "line 2: us_dollars.* got 'free'"),
        (f"{HEADER}\nm,p,8,-1,2026-01-02,s", "got '-1'"),
        (f"{HEADER}\nm,p,8,nan,2026-01-02,s", "got 'nan'"),
        (f"{HEADER}\nm,p,8,1.5,today,s", "line 2: as_of must be a day .* got 'today'"),
        (f"{HEADER}\nm,p,8,1.5", "line 2: as_of must be a day .* got ''"),
        (f"{HEADER}\n\nm,p,8,1,2026-01-02,s\nm,p,8,2,2026-01-02,s",
         "line 4 repeats the price of 'm'"),
        (f'{HEADER}\nm,p,8,1,2026-01-02,"s', "not usable CSV"),
    ],
)  # fmt: skip
def test_a_price_table_that_cannot_be_used_is_an_error(text, message):
    """The message names the line, the rule and the value."""
    with pytest.raises(InputError, match=message):
        read_prices(text.encode())


def test_keeping_costs_its_storage_under_the_price_of_a_year():
    """Twelve months of it, without the embedding."""
    values = {"chunks": 96.0, "index_tokens": 50_000.0, "index_chars": 7.0}
    prices = Prices()
    year, price = (COSTS[name].compute(values, prices) for name in ("year", "price"))
    assert keep_cost("year", values, prices) == pytest.approx(year - price)
    assert keep_cost("price", values, prices) == 0
    assert keep_cost("index_chars", values, prices) == 7
