"""A record's questions on the documents of now: which are asked again, and which are lost."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from overlapkit.corpus import Corpus
from overlapkit.gates import split_halves
from overlapkit.queries.model import Query, QuerySet, Unresolved
from overlapkit.record.model import Bound
from overlapkit.workspace import carry_questions


class Again(NamedTuple):
    """The questions to ask, and those of the record whose evidence is gone, with the reason."""

    queries: QuerySet
    lost: tuple[Unresolved, ...]


def asked_again(bound: Bound, corpus: Corpus, queries: QuerySet) -> Again:
    """Return what is asked of a corpus where the record's part of some questions is.

    The evidence of a question that is as it was in the record is where its text stands now,
    since offsets of then may point at other text. Where the record does not hold its
    questions, every row that it had not left out itself is lost that is left out now.
    """
    part = _part(bound, _placed(bound, corpus, queries))
    known = {query.id for query in _recorded(bound)}
    before = set(bound.asked.unresolved)
    lost = (row for row in part.unresolved if (row.id in known if known else row.id not in before))
    return Again(part, tuple(lost))


def held_questions(bound: Bound) -> QuerySet | None:
    """Return the whole question set, where the record holds it."""
    saved = bound.saved
    source = dict(saved.settings).get("queries")
    if source == "uploaded" and saved.uploaded is not None:
        return saved.uploaded
    if source == "written":
        return QuerySet(saved.written, saved.query_kind, bound.asked.source)
    return None


def _recorded(bound: Bound) -> Sequence[Query]:
    """Return the questions that decided, none where the record does not hold them."""
    held = held_questions(bound)
    if held is None:
        return ()
    if bound.asked.part == "explore":
        return split_halves(held, bound.lock.seed).explore.queries
    return held.queries


def _placed(bound: Bound, corpus: Corpus, queries: QuerySet) -> QuerySet:
    """Return questions with the evidence of the record where it stands now."""
    held = held_questions(bound)
    if held is None:
        return queries
    then = {query.id: query.evidence for query in held}
    # As if there were no others: questions brought and written may share an id.
    alone = replace(bound.saved, uploaded=None, written=held.queries)
    carried = carry_questions(alone, corpus)
    now = {query.id: query.evidence for query in carried.written}
    reasons = {row.id: row.reason for row in carried.left_out}
    placed, gone = [], []
    for number, query in enumerate(queries, start=1):
        if then.get(query.id) != query.evidence:
            placed.append(query)
        elif query.id in now:
            placed.append(replace(query, evidence=now[query.id]))
        else:
            gone.append(Unresolved(number, query.id, reasons[query.id]))
    left_out = (*queries.unresolved, *gone)
    return QuerySet(tuple(placed), queries.kind, queries.source, left_out)


def _part(bound: Bound, queries: QuerySet) -> QuerySet:
    """Return the questions to ask: all, or those of the recorded half."""
    if bound.asked.part == "all":
        return queries
    known = {query.id for query in _recorded(bound)}
    if not known:
        return split_halves(queries, bound.lock.seed).explore
    here = tuple(query for query in queries if query.id in known)
    left_out = tuple(row for row in queries.unresolved if row.id in known)
    return QuerySet(here, queries.kind, f"{queries.source}, exploring half", left_out)
