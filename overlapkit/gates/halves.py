"""A query set in two halves: one to explore on, one to confirm on."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from overlapkit.queries.model import Query, QuerySet

FEWEST_PER_HALF = 150  # questions: below that, a margin of 2 points cannot be kept


@dataclass(frozen=True, slots=True)
class Halves:
    """Two query sets that share no evidence document."""

    explore: QuerySet
    confirm: QuerySet


def split_halves(queries: QuerySet, seed: int) -> Halves:
    """Split a set by evidence documents into halves of about as many questions.

    Questions that share a document, directly or through others, stay together. The larger
    groups are dealt out first, each to the half with fewer questions; a digest of the seed and
    the documents settles which of equal groups goes where, so the order of the questions makes
    no difference. Rows that could not be located stay with the half to explore on.
    """
    confirming = _confirming(_groups(queries), seed)
    explore = tuple(query for at, query in enumerate(queries) if at not in confirming)
    confirm = tuple(query for at, query in enumerate(queries) if at in confirming)
    return Halves(
        QuerySet(explore, queries.kind, _named(queries, "exploring half"), queries.unresolved),
        QuerySet(confirm, queries.kind, _named(queries, "confirming half")),
    )


def enough(queries: QuerySet) -> bool:
    """Tell whether each half would have the questions that it needs."""
    return not why_not(queries)


def why_not(queries: QuerySet) -> str:
    """Return in a sentence why a set should not be split, nothing where it may be."""
    groups = _groups(queries)
    if len(groups) < 2:
        return (
            "These questions cannot be split: all of them share their evidence documents, so "
            "both halves would hold the same texts."
            if groups
            else "There is no question to split."
        )
    confirm = len(_confirming(groups, 0))  # the sizes are the same whatever the seed
    fewer = min(confirm, len(queries) - confirm)
    if fewer >= FEWEST_PER_HALF:
        return ""
    largest = max(map(len, groups.values()))
    tied = (
        f", since {largest:,} of them share evidence documents"
        if len(queries) >= 2 * FEWEST_PER_HALF
        else ""
    )
    return (
        f"Each half should have at least {FEWEST_PER_HALF} questions; of these "
        f"{len(queries):,} the smaller half would have {fewer:,}{tied}."
    )


def _named(queries: QuerySet, half: str) -> str:
    return f"{queries.source}, {half}" if queries.source else half


def _confirming(groups: dict[str, list[int]], seed: int) -> set[int]:
    """Return the places of the questions that go to the half to confirm on."""
    digests = {
        key: hashlib.sha256(f"{seed}\n{key}".encode()).digest() for key in groups
    }  # the key is ASCII
    confirming: set[int] = set()
    explored = 0
    for key in sorted(groups, key=lambda key: (-len(groups[key]), digests[key])):
        either = explored == len(confirming) and digests[key][0] % 2
        if either or len(confirming) < explored:
            confirming.update(groups[key])
        else:
            explored += len(groups[key])
    return confirming


def _groups(queries: QuerySet) -> dict[str, list[int]]:
    """Return the places of questions that belong together, by the names of their documents."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for query in queries:
        first, *others = _documents(query)
        parent.setdefault(first, first)
        for other in others:
            parent.setdefault(other, other)
            parent[root(other)] = root(first)
    names: dict[str, list[str]] = {}
    for name in sorted(parent):
        names.setdefault(root(name), []).append(name)
    places: dict[str, list[int]] = {}
    for at, query in enumerate(queries):
        places.setdefault(root(query.evidence[0].document), []).append(at)
    return {_key(names[top]): own for top, own in places.items()}


def _documents(query: Query) -> Iterable[str]:
    return dict.fromkeys(span.document for span in query.evidence)


def _key(names: list[str]) -> str:
    return json.dumps(names)
