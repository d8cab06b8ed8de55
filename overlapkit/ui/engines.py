"""What pages work on, made from documents and questions; it knows no session.

Half of the questions can be held back, to confirm a decision on.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from overlapkit.corpus import Corpus
from overlapkit.decide import cluster_queries
from overlapkit.engine import Engine, prepare
from overlapkit.errors import QueryError
from overlapkit.gates import enough, split_halves
from overlapkit.gates.lock import Part
from overlapkit.queries import Query, QuerySet, heading_queries
from overlapkit.queries.probes import boundary_probes
from overlapkit.stats import Clustering

SEED = 0  # of the halves of the questions


class Made(NamedTuple):
    """What a ``Workspace`` is made of, besides its settings."""

    engine: Engine
    clustering: Clustering
    notice: str | None
    whole: QuerySet
    part: Part
    owner: tuple[str, str]
    held: QuerySet | None


def make_engine(
    corpus: Corpus,
    ready: Mapping[str, QuerySet],
    lost: Mapping[str, str],
    queries: str,
    terms: str,
    held_back: bool,
    owner: tuple[Corpus, Mapping[str, QuerySet]] | None = None,
) -> Made:
    """Return what pages work on; ``owner`` has all documents and sets where a member looks on.

    What is held back is held back from everybody, so a member's half is part of the owner's.
    """
    whole, notice = _queries(corpus, ready, lost, queries)
    every = whole if owner is None else _queries(*owner, {}, queries)[0]
    asked, held = whole, None
    if held_back and enough(every):
        halves = split_halves(every, SEED)
        asked, held = halves.explore, halves.confirm
        if owner is not None:
            asked, held = _parted(whole, held)
    engine = prepare(corpus, asked, terms)
    digests = ((corpus if owner is None else owner[0]).digest, every.digest)
    part: Part = "all" if held is None else "explore"
    return Made(engine, cluster_queries(corpus, asked), notice, whole, part, digests, held)


def _parted(whole: QuerySet, held: QuerySet) -> tuple[QuerySet, QuerySet]:
    """Return a member's questions without those that are held back, and those alone."""
    hidden = {(query.text, span.document) for query in held for span in query.evidence}
    kept: list[Query] = []
    back: list[Query] = []
    for query in whole:
        known = any((query.text, span.document) in hidden for span in query.evidence)
        (back if known else kept).append(query)
    return replace(whole, queries=tuple(kept)), replace(whole, queries=tuple(back), unresolved=())


def _queries(
    corpus: Corpus, ready: Mapping[str, QuerySet], lost: Mapping[str, str], wanted: str
) -> tuple[QuerySet, str | None]:
    notice = None
    if wanted in ready:
        return ready[wanted], None
    if wanted in lost:
        notice = f"Other questions are used: {lost[wanted]}."
    elif wanted in ("uploaded", "written"):
        notice = (
            "The questions of this link are not here: upload them on Corpus. Until then others "
            "are used."
        )
    if not ready or wanted in ("headings", "probes"):
        made = boundary_probes if wanted == "probes" else heading_queries
        try:
            return made(corpus), notice
        except QueryError as error:
            if not ready:
                why = lost.get(wanted, error)
                return QuerySet((), "minimal", "none"), f"Nothing can be scored yet: {why}."
            notice = f"Its golden set is used: {error}."
    return next(iter(ready.values())), notice
