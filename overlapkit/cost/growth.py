"""From a sample of documents to the real corpus: estimates with their ranges."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import Floats, Longs, sum_by
from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Document
from overlapkit.cost.bill import Bill, bill_for
from overlapkit.cost.prices import Prices
from overlapkit.errors import SettingsError
from overlapkit.multiplicity import t95


@dataclass(frozen=True, slots=True)
class Whole:
    """How big the real corpus is, the sample included: characters, documents or both.

    Characters say more: vectors and tokens follow a document's length. Documents, where
    known, narrow the range by the share of them that the sample already is.
    """

    characters: float | None = None
    documents: int | None = None

    def __post_init__(self) -> None:
        given = [size for size in (self.characters, self.documents) if size is not None]
        if not given or not all(0 < size < math.inf for size in given):
            raise SettingsError(
                "the real corpus must have more than 0 characters or documents; got "
                f"{self.characters} and {self.documents}: give one of them or both"
            )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A total of the real corpus with its 95% interval, from n documents.

    The ends are NaN for a single document, which cannot tell how much documents differ.
    """

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class DocumentCounts:
    """Characters, chunks and tokens to embed per document, read-only, in corpus order.

    ``tokens`` is None where they were not counted.
    """

    characters: Longs
    chunks: Longs
    tokens: Longs | None

    def __post_init__(self) -> None:
        for array in (self.characters, self.chunks, self.tokens):
            if array is not None:
                array.flags.writeable = False


@dataclass(frozen=True, slots=True)
class GrownBill:
    """A bill for the real corpus.

    ``low`` and ``high`` are the bills with both vectors and tokens at that end of their
    intervals, so a price that rests on both has a range rather too wide; None where
    there is no interval.
    """

    bill: Bill
    low: Bill | None
    high: Bill | None
    vectors: Estimate
    tokens: Estimate


def per_document_counts(
    chunks: ChunkSet, documents: Sequence[Document], tokens: Longs | None = None
) -> DocumentCounts:
    """Return what each document of the sample has; ``tokens`` are those of each chunk."""
    if tokens is not None and len(tokens) != len(chunks):
        raise ValueError(f"tokens must be given for all {len(chunks)} chunks; got {len(tokens)}")
    count = len(documents)
    characters = np.array([len(document.text) for document in documents], dtype=np.int64)
    embedded = None if tokens is None else sum_by(chunks.doc, tokens, count).astype(np.int64)
    return DocumentCounts(characters, np.bincount(chunks.doc, minlength=count), embedded)


def grow(per_document: Sequence[tuple[float, float]] | Floats, whole: Whole) -> Estimate:
    """Return a total of the real corpus from (characters, value) of each sampled document.

    The sample must be drawn at random from the corpus, or be as good as that. By characters
    it is the ratio estimator, by documents alone the mean times their number (Cochran,
    Sampling Techniques, 1977, ch. 6 and 2): the linearised variance with the sample's own
    mean length, t with n − 1 degrees of freedom, and the finite population correction where
    the number of documents is known. The lower end is never below what the sample itself
    holds. By documents alone the range is rather too narrow where a few are very long.
    Raises SettingsError for a corpus smaller than its sample.
    """
    pairs = np.asarray(per_document, dtype=np.float64).reshape(-1, 2)
    n = len(pairs)
    _check_reach(n, float(pairs[:, 0].sum()), whole)
    values = pairs[:, 1]
    by_characters = whole.characters is not None
    sizes = pairs[:, 0] if by_characters else np.ones(n)
    total = whole.characters if whole.characters is not None else float(whole.documents or n)
    seen = float(values.sum())
    ratio = seen / float(sizes.sum())
    value = ratio * total
    if n < 2:
        return Estimate(value, math.nan, math.nan, n)
    residual = values - ratio * sizes
    unseen = 1.0 if whole.documents is None else 1 - n / whole.documents
    variance = unseen * float(residual @ residual) / (n - 1) / n
    half = t95(n - 1) * total / float(sizes.mean()) * math.sqrt(variance)
    return Estimate(value, max(value - half, min(seen, value)), value + half, n)


def grown_bill(
    counts: DocumentCounts, whole: Whole, prices: Prices, context_tokens_per_query: float = math.nan
) -> GrownBill:
    """Return the bill of the real corpus, judged from a sample under the same setting.

    What a query retrieves is taken to stay as it is. Raises SettingsError where tokens were
    not counted or the corpus is smaller than its sample.
    """
    if counts.tokens is None:
        raise SettingsError("a bill needs tokens per document; they were not counted: count them")
    vectors, tokens = (
        grow(np.column_stack((counts.characters, column)), whole)
        for column in (counts.chunks, counts.tokens)
    )

    def at(end: str) -> Bill:
        ends = getattr(vectors, end), getattr(tokens, end)
        return bill_for(*ends, context_tokens_per_query, prices)

    ranged = vectors.n > 1
    low, high = (at("low"), at("high")) if ranged else (None, None)
    return GrownBill(at("value"), low, high, vectors, tokens)


def _check_reach(n: int, characters: float, whole: Whole) -> None:
    if n == 0:
        raise SettingsError("a sample must have at least 1 document; got none: add documents")
    if whole.characters is not None and characters == 0:
        raise SettingsError("a sample must hold text to grow by characters; got empty documents")
    if whole.characters is not None and whole.characters < characters:
        raise SettingsError(
            f"the real corpus must have at least the sample's {characters:,.0f} characters; got "
            f"{whole.characters:,.0f}: count the sample in"
        )
    if whole.documents is None:
        return
    if whole.documents < n:
        raise SettingsError(
            f"the real corpus must have at least the sample's {n:,} documents; got "
            f"{whole.documents:,}: count the sample in"
        )
    if whole.documents == n and (whole.characters or characters) > characters:
        raise SettingsError(
            f"a real corpus of the sample's {n:,} documents must have its {characters:,.0f} "
            f"characters; got {whole.characters:,.0f}: give the number of all documents"
        )
