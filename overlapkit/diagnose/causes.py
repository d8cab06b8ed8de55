"""The table of causes, and what a diagnosis says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from overlapkit.queries.model import Evidence

Cause = Literal[
    "unresolved", "hit", "chunk too small", "cut boundary", "no shared term", "crowded out",
    "outranked",
]  # fmt: skip
Lack = Literal["edges", "text"]


class CauseInfo(NamedTuple):
    """A cause in words: its label, what it means and what helps, one sentence each."""

    label: str
    meaning: str
    helps: str


# In the order in which they are asked for: the first that holds is the diagnosis.
CAUSES: Mapping[Cause, CauseInfo] = {
    "unresolved": CauseInfo(
        "Unresolved",
        "the evidence could not be located in the corpus, so the question is not scored",
        "mend the row of the query set for the reason given",
    ),
    "hit": CauseInfo(
        "Hit",
        "the retrieved chunks hold the complete evidence",
        "nothing needs help",
    ),
    "chunk too small": CauseInfo(
        "Chunk too small",
        "the evidence is longer than any chunk, so that none can hold it whole",
        "larger chunks; no overlap can help",
    ),
    "cut boundary": CauseInfo(
        "Cut boundary",
        "the longest chunk has room for the evidence, but each that meets it holds only a part",
        "more overlap: windows that share the evidence's length less one cannot break it",
    ),
    "no shared term": CauseInfo(
        "No shared term",
        "a chunk holds the evidence whole, but shares no term with the question",
        "headings put into the chunks where they hold the words, or another way of matching",
    ),
    "crowded out": CauseInfo(
        "Crowded out",
        "the chunk that holds the evidence would be retrieved if results that share text took "
        "one slot together",
        "less overlap, or collapsing results that share text",
    ),
    "outranked": CauseInfo(
        "Outranked",
        "a chunk holds the evidence whole, but the list or the context ends before it does",
        "a better ranking or a later cut-off; overlap mends nothing here",
    ),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document's stored text: code points, half open."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a query hits or misses, decided on one of its evidence spans.

    ``query`` is its index, None for a row that is ``unresolved``; that has a ``reason`` and
    no span. Sizes and overlaps count the unit of the chunk spec.
    """

    query: int | None
    id: str
    cause: Cause
    span: Evidence | None = None
    reason: str | None = None
    needed_size: int | None = None
    """Chunk too small: the smallest size that can hold the span, None where none can."""
    working_overlap: int | None = None
    """Cut boundary: the smallest larger overlap that holds the span on today's cuts."""
    guaranteed_overlap: int | None = None
    """Cut boundary: the overlap from which on no cut can break the span."""
    lacks: Lack | None = None
    """Chunk too small, cut boundary: what of the span stands in no chunk.

    ``edges`` is white space at its ends and nothing else: without it a given chunk holds the
    span, or windows of some size can, which as it is none can. ``text`` is more than white
    space, and known of given chunks alone.
    """
    rank: int | None = None
    """Hit, crowded out, outranked: the rank, from 1, of the best chunk that holds the span.

    None where another retriever's list has none.
    """
    ranked_above: Passage | None = None
    """Crowded out, outranked: the best-ranked chunk, None where it holds the span itself."""
    headings: tuple[str, ...] = ()
    """No shared term: the headings above the span that hold a term of the query."""


def tally(diagnoses: Iterable[Diagnosis]) -> dict[Cause, int]:
    """Return how many queries have each cause, every cause named."""
    counts = dict.fromkeys(CAUSES, 0)
    for one in diagnoses:
        counts[one.cause] += 1
    return counts
