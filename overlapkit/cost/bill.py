"""A setting's bill: every figure that its price is made of."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from overlapkit.cost.formulas import (
    MONTHS,
    context_usd_month,
    embed_usd,
    graph_bytes_per_vector,
    storage_usd_month,
    vector_bytes,
)
from overlapkit.cost.prices import Prices
from overlapkit.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a bill, or of the difference of two.

    Tokens are those of the vocabulary that the setting was counted in; a model with another
    one is charged by its own count. ``embed_usd`` is paid once. ``storage_bytes`` is the sum
    of the three above it, kept for ``storage_usd_month``. A query that compares itself with
    every vector (a flat scan) reads ``scan_bytes_per_query`` and does
    ``scan_multiply_adds_per_query``, both exact; an HNSW graph reads less, how much less
    being a matter of its search. What a query retrieves is read by a language model for
    ``context_usd_month``. ``month_usd`` is storage and context; ``year_usd`` is embedding
    and twelve months. Figures that nothing is known of are NaN.
    """

    vectors: float
    tokens: float
    embed_usd: float
    vector_bytes: float
    metadata_bytes: float
    graph_bytes: float
    storage_bytes: float
    storage_usd_month: float
    scan_bytes_per_query: float
    scan_multiply_adds_per_query: float
    context_tokens_per_query: float
    context_usd_month: float
    month_usd: float
    year_usd: float


@dataclass(frozen=True, slots=True)
class Bill(Figures):
    """What a setting costs, figure by figure."""


def bill_of(values: Mapping[str, float], prices: Prices, cutoff_label: str) -> Bill:
    """Return the bill of an evaluated setting.

    ``cutoff_label`` says which cut-off's results a query hands on; only queries need it.
    Raises SettingsError for values without tokens.
    """
    context = f"retrieved_tokens@{cutoff_label}"
    needed = ["chunks", "index_tokens", *([context] if prices.queries_per_month else [])]
    missing = [column for column in needed if column not in values]
    if missing:
        raise SettingsError(
            f"a bill needs {', '.join(needed)}; missing: {', '.join(missing)}: evaluate the "
            "setting with its tokens counted"
        )
    retrieved = values.get(context, math.nan)
    return bill_for(values["chunks"], values["index_tokens"], retrieved, prices)


def bill_for(
    vectors: float, tokens: float, context_tokens_per_query: float, prices: Prices
) -> Bill:
    """Return the bill of so many vectors, tokens to embed and tokens that a query retrieves."""
    embedding = embed_usd(tokens, prices)
    of_vectors = vector_bytes(vectors, prices)
    of_metadata = vectors * prices.metadata_bytes
    of_graph = vectors * graph_bytes_per_vector(prices.hnsw_m)
    stored = of_vectors + of_metadata + of_graph
    kept = storage_usd_month(stored, prices)
    context = context_usd_month(context_tokens_per_query, prices)
    return Bill(
        vectors=vectors,
        tokens=tokens,
        embed_usd=embedding,
        vector_bytes=of_vectors,
        metadata_bytes=of_metadata,
        graph_bytes=of_graph,
        storage_bytes=stored,
        storage_usd_month=kept,
        scan_bytes_per_query=of_vectors,
        scan_multiply_adds_per_query=vectors * prices.dimension,
        context_tokens_per_query=context_tokens_per_query,
        context_usd_month=context,
        month_usd=kept + context,
        year_usd=embedding + MONTHS * (kept + context),
    )


def reindex(bill: Bill) -> float:
    """Return the US$ of changing to a setting: all of its text is embedded again."""
    return bill.embed_usd
