"""Questions and the spans that answer them, independent of any chunking."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from overlapkit.errors import QueryError

Need = Literal["any", "all"]
Kind = Literal["minimal", "extent"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a document's stored text: code points, half open, not empty."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its evidence.

    ``need`` says whether one span is enough (``any``) or all are needed. ``answer`` is text
    that must be found in a retrieved chunk for an *answer hit*. ``tag`` is free.
    """

    id: str
    text: str
    evidence: tuple[Evidence, ...]
    need: Need = "any"
    answer: str | None = None
    tag: str | None = None

    def __post_init__(self) -> None:
        if self.need not in ("any", "all"):
            raise QueryError(f"need must be any or all; query {self.id!r} has {self.need!r}")
        if not self.evidence:
            raise QueryError(f"a query needs at least one evidence span; {self.id!r} has none")
        for span in self.evidence:
            if not 0 <= span.start < span.end:
                raise QueryError(
                    f"evidence must satisfy 0 <= start < end; query {self.id!r} has "
                    f"{span.start}..{span.end} in {span.document!r}"
                )


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A row that cannot be scored: left out of every mean and listed with its reason.

    ``nearest`` is the stretch of the corpus most like evidence that was not found.
    """

    row: int
    id: str
    reason: str
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Queries of one kind, with those that were left out.

    ``kind`` is ``minimal`` (the evidence is the shortest text that answers) or ``extent``
    (the evidence is a whole region). ``digest`` covers kind, ids, texts, evidence, need,
    answers and what was left out.
    """

    queries: tuple[Query, ...]
    kind: Kind
    source: str = ""
    unresolved: tuple[Unresolved, ...] = ()
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        rows = [
            [q.id, q.text, q.need, q.answer, [[e.document, e.start, e.end] for e in q.evidence]]
            for q in self.queries
        ]
        left_out = [[one.row, one.id, one.reason] for one in self.unresolved]
        data = json.dumps([self.kind, rows, left_out], ensure_ascii=True)
        object.__setattr__(self, "digest", hashlib.sha256(data.encode()).hexdigest())

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)
