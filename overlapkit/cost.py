"""What a setting costs: vectors, storage and the price of embedding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Prices:
    """What vectors are made of and what embedding costs.

    ``per_million_tokens`` is in US dollars. The default is OpenAI's list price of
    text-embedding-3-small as announced in January 2024, whose vectors have 1536 numbers of
    four bytes.
    """

    dimension: int = 1536
    bytes_per_number: int = 4
    per_million_tokens: float = 0.02

    def __post_init__(self) -> None:
        if self.dimension < 1 or self.bytes_per_number < 1:
            raise SettingsError(
                f"dimension and bytes must be at least 1; got {self.dimension} and "
                f"{self.bytes_per_number}"
            )
        if not self.per_million_tokens >= 0:
            raise SettingsError(f"a price must be at least 0; got {self.per_million_tokens}")


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
        lambda values, prices: (
            values["chunks"] * prices.dimension * prices.bytes_per_number / 2**20
        ),
        "Vector storage", "MiB", "vectors x dimension x bytes per number",
    ),
    "price": Cost(
        lambda values, prices: values["index_tokens"] * prices.per_million_tokens / 1e6,
        "Price of embedding", "US$", "tokens to embed x list price per million tokens",
    ),
}  # fmt: skip
