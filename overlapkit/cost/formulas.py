"""The few formulas that every price is made of."""

from overlapkit.cost.prices import Prices

LINK_BYTES = 4  # a neighbour's number, and the count before a list of them
MONTHS = 12


def embed_usd(tokens: float, prices: Prices) -> float:
    """Return the price of embedding tokens once."""
    return tokens * prices.per_million_tokens / 1e6


def vector_bytes(vectors: float, prices: Prices) -> float:
    """Return the bytes of the vectors themselves."""
    return vectors * prices.dimension * prices.bytes_per_number


def graph_bytes_per_vector(m: int) -> float:
    """Return the expected bytes of one vector's links in an HNSW graph; 0 for m = 0.

    Malkov & Yashunin (2018, IEEE TPAMI 42) draw a vector's level as floor(−ln U · mL) with
    mL = 1/ln m, so P(level ≥ l) = m**−l and a vector lies on 1/m + 1/m² + … = 1/(m − 1)
    upper layers on average. As hnswlib lays it out, the lowest layer has room for 2m links
    of four bytes and each upper one for m, each list after a count of four bytes. Labels
    and ids count as metadata.
    """
    if m == 0:
        return 0.0
    lowest, upper = (LINK_BYTES * (links + 1) for links in (2 * m, m))
    return lowest + upper / (m - 1)


def stored_bytes(vectors: float, prices: Prices) -> float:
    """Return the bytes of vectors, metadata and graph together."""
    beside = prices.metadata_bytes + graph_bytes_per_vector(prices.hnsw_m)
    return vector_bytes(vectors, prices) + vectors * beside


def storage_usd_month(stored: float, prices: Prices) -> float:
    """Return the price of keeping bytes for a month."""
    return stored / 2**30 * prices.storage_per_gib_month


def context_usd_month(tokens_per_query: float, prices: Prices) -> float:
    """Return the price of what all queries of a month hand to a language model.

    Without queries it is 0, whatever a query would retrieve.
    """
    if prices.queries_per_month == 0:
        return 0.0
    return prices.queries_per_month * tokens_per_query * prices.context_per_million_tokens / 1e6


def first_year_usd(vectors: float, tokens: float, prices: Prices) -> float:
    """Return the price of embedding once and of twelve months of storage."""
    kept = storage_usd_month(stored_bytes(vectors, prices), prices)
    return embed_usd(tokens, prices) + MONTHS * kept
