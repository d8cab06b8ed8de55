"""What vectors are made of and what is charged for them: every figure that a price rests on."""

import math
import re
from dataclasses import dataclass
from datetime import date

from overlapkit.errors import SettingsError

LARGEST_DIMENSION = 1_000_000
LARGEST_AMOUNT = 1e12  # US$, bytes or queries: beyond any bill
LARGEST_M = 10_000  # where hnswlib itself ends
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Prices:
    """What vectors are made of and what is charged for them, in US dollars.

    - ``dimension``: numbers in a vector. ``bytes_per_number``: bytes that each takes.
    - ``per_million_tokens``: US$ for embedding a million tokens.
    - ``model``: the embedding model's name. ``as_of``: the day its price was announced or
      read, as YYYY-MM-DD.
    - ``metadata_bytes``: bytes stored beside each vector, such as its text, id and labels.
    - ``hnsw_m``: links that an HNSW graph keeps per vector and upper layer; 0 means no graph.
    - ``storage_per_gib_month``: US$ for keeping 2**30 bytes a month.
    - ``context_per_million_tokens``: US$ for a million tokens that a language model reads.
    - ``queries_per_month``: queries a month, each of which hands its results to that model.

    The defaults are list prices: OpenAI's of text-embedding-3-small as announced in January
    2024, with 1536 numbers of four bytes; Pinecone's 0.33 US$ per 10**9 bytes and month of its
    Standard plan (AWS us-east-1, November 2026), turned into GiB; OpenAI's of GPT-4o mini as
    announced in July 2024; hnswlib's 16 links. Nobody but the user knows the metadata and the
    queries, which are 0 until given.
    """

    dimension: int = 1536
    bytes_per_number: int = 4
    per_million_tokens: float = 0.02
    model: str = "text-embedding-3-small"
    as_of: str = "2024-01-25"
    metadata_bytes: int = 0
    hnsw_m: int = 16
    storage_per_gib_month: float = 0.354
    context_per_million_tokens: float = 0.15
    queries_per_month: float = 0.0

    def __post_init__(self) -> None:
        if self.dimension > LARGEST_DIMENSION or self.bytes_per_number > LARGEST_DIMENSION:
            raise SettingsError(
                f"dimension and bytes must be at most {LARGEST_DIMENSION:,}; got more: correct them"
            )
        if not (self.dimension >= 1 and self.bytes_per_number >= 1):
            raise SettingsError(
                f"dimension and bytes must be at least 1; got {self.dimension} and "
                f"{self.bytes_per_number}"
            )
        _check_amount("a price", self.per_million_tokens)
        _check_amount("the price of storage", self.storage_per_gib_month)
        _check_amount("the price of context", self.context_per_million_tokens)
        _check_amount("queries a month", self.queries_per_month)
        _check_amount("metadata bytes", self.metadata_bytes)
        if self.hnsw_m != 0 and not 2 <= self.hnsw_m <= LARGEST_M:
            raise SettingsError(
                f"links of a graph must be 0 for no graph, or lie in 2..{LARGEST_M}; got "
                f"{self.hnsw_m}"
            )
        if not self.model.strip():
            raise SettingsError("model must have a name; got none: name the embedding model")
        if not is_iso_date(self.as_of):
            raise SettingsError(f"as_of must be a day such as 2024-01-25; got {self.as_of!r}")


def is_iso_date(text: str) -> bool:
    """Tell whether a text is a day of the calendar written YYYY-MM-DD."""
    if not _ISO_DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_amount(name: str, amount: float) -> None:
    if not 0 <= amount < math.inf:
        raise SettingsError(f"{name} must be at least 0 and finite; got {amount}")
    if amount > LARGEST_AMOUNT:
        raise SettingsError(f"{name} must be at most {LARGEST_AMOUNT:,.0f}; got {amount:g}")
