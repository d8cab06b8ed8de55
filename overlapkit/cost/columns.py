"""What a setting costs, one figure at a time: the table that charts and decisions choose from."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from overlapkit.cost.formulas import embed_usd, first_year_usd, vector_bytes
from overlapkit.cost.prices import Prices


class Cost(NamedTuple):
    """A way to price a setting: from its values and the prices, in ``unit``."""

    compute: Callable[[Mapping[str, float], Prices], float]
    label: str
    unit: str
    meaning: str


COSTS: dict[str, Cost] = {
    "index_chars": Cost(
        lambda values, _: values["index_chars"],
        "Characters to embed", "characters", "text in all chunks, overlap counted each time",
    ),
    "chunks": Cost(
        lambda values, _: values["chunks"],
        "Vectors", "vectors", "one per chunk",
    ),
    "storage": Cost(
        lambda values, prices: vector_bytes(values["chunks"], prices) / 2**20,
        "Vector storage", "MiB", "vectors x dimension x bytes per number",
    ),
    "price": Cost(
        lambda values, prices: embed_usd(values["index_tokens"], prices),
        "Price of embedding", "US$", "tokens to embed x list price per million tokens",
    ),
    "year": Cost(
        lambda values, prices: first_year_usd(values["chunks"], values["index_tokens"], prices),
        "First year of the index", "US$",
        "embedding once, and twelve months of storage: vectors, metadata and graph",
    ),
}  # fmt: skip


def keep_cost(name: str, values: Mapping[str, float], prices: Prices) -> float:
    """Return what keeping a setting costs: what is embedded already is not paid again."""
    if name == "price":
        return 0.0
    if name == "year":
        values = {**values, "index_tokens": 0.0}
    return COSTS[name].compute(values, prices)


def index_figures(values: Mapping[str, float], prices: Prices) -> dict[str, float]:
    """Return the price (US$) and the storage (MiB) of an index whose tokens were counted."""
    if "index_tokens" not in values:
        return {}
    return {name: COSTS[name].compute(values, prices) for name in ("price", "storage")}
