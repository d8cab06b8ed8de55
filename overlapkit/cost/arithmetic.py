"""How each figure of a bill comes about, in words with the numbers filled in."""

import math
from typing import NamedTuple

from overlapkit.cost.bill import Bill
from overlapkit.cost.formats import money, size, unit_price
from overlapkit.cost.formulas import LINK_BYTES, MONTHS
from overlapkit.cost.prices import Prices
from overlapkit.words import number


class Line(NamedTuple):
    """One figure: ``amount`` is the bill's own; ``formats.shown`` gives it with its unit."""

    name: str
    formula: str
    amount: float
    unit: str


def arithmetic(bill: Bill, prices: Prices) -> tuple[Line, ...]:
    """Return a line for each figure of a bill that was made with these prices."""
    return (*_embedding(bill, prices), *_storage(bill, prices), *_queries(bill, prices),
            *_sums(bill))  # fmt: skip


def _embedding(bill: Bill, prices: Prices) -> tuple[Line, ...]:
    tokens = f"{number(bill.tokens)} tokens"
    price = f"{unit_price(prices.per_million_tokens)} per million"
    return (
        Line("Vectors", "one per chunk", bill.vectors, "vectors"),
        Line("Tokens to embed", "tokens of every chunk, overlap counted each time",
             bill.tokens, "tokens"),
        Line("Embedding, once", f"{tokens} × {price} ({prices.model}, {prices.as_of})",
             bill.embed_usd, "US$"),
    )  # fmt: skip


def _storage(bill: Bill, prices: Prices) -> tuple[Line, ...]:
    vectors = f"{number(bill.vectors)} vectors"
    m = prices.hnsw_m
    graph = "no graph"
    if m:
        lowest, upper = LINK_BYTES * (2 * m + 1), LINK_BYTES * (m + 1)
        graph = (
            f"{vectors} × ({lowest} bytes of links on the lowest layer + {upper} bytes ÷ {m - 1} "
            "on the layers above, on average)"
        )
    parts = " + ".join(map(size, (bill.vector_bytes, bill.metadata_bytes, bill.graph_bytes)))
    gib = f"{bill.storage_bytes / 2**30:.4g} GiB"
    price = f"{unit_price(prices.storage_per_gib_month)} per GiB and month"
    return (
        Line("Size of the vectors", f"{vectors} × {_numbers(prices)}", bill.vector_bytes, "bytes"),
        Line("Metadata", f"{vectors} × {number(prices.metadata_bytes)} bytes",
             bill.metadata_bytes, "bytes"),
        Line("Graph (HNSW)", graph, bill.graph_bytes, "bytes"),
        Line("Storage", f"vectors, metadata and graph: {parts}", bill.storage_bytes, "bytes"),
        Line("Storage, a month", f"{gib} × {price}", bill.storage_usd_month, "US$"),
    )  # fmt: skip


def _queries(bill: Bill, prices: Prices) -> tuple[Line, ...]:
    less = "; a graph reads less" if prices.hnsw_m else ""
    vectors = f"{number(bill.vectors)} vectors"
    tokens = bill.context_tokens_per_query
    context = (
        f"{number(prices.queries_per_month)} queries × "
        f"{'an unknown number of' if math.isnan(tokens) else number(tokens)} tokens × "
        f"{unit_price(prices.context_per_million_tokens)} per million"
    )
    return (
        Line("Read by one query", f"every vector once: {vectors} × {_numbers(prices)}{less}",
             bill.scan_bytes_per_query, "bytes"),
        Line("Multiply-adds of one query",
             f"every vector once: {vectors} × {number(prices.dimension)} numbers{less}",
             bill.scan_multiply_adds_per_query, "multiply-adds"),
        Line("Context of one query", "tokens retrieved, mean over the questions",
             bill.context_tokens_per_query, "tokens"),
        Line("Context, a month",
             context if prices.queries_per_month else "no number of queries is given",
             bill.context_usd_month, "US$"),
    )  # fmt: skip


def _sums(bill: Bill) -> tuple[Line, ...]:
    month = f"storage {money(bill.storage_usd_month)} + context {money(bill.context_usd_month)}"
    year = f"embedding {money(bill.embed_usd)} + {MONTHS} × {money(bill.month_usd)} a month"
    return (
        Line("A month", month, bill.month_usd, "US$"),
        Line("The first year", year, bill.year_usd, "US$"),
    )


def _numbers(prices: Prices) -> str:
    return f"{number(prices.dimension)} numbers × {number(prices.bytes_per_number)} bytes"
