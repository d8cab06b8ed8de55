"""What a member of some groups may see and be asked."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from overlapkit.corpus import Corpus
from overlapkit.engine import Engine, prepare
from overlapkit.errors import InputError, QueryError
from overlapkit.groups.labels import labels_of
from overlapkit.groups.sentences import lost_evidence, named, untold
from overlapkit.queries import GoldenSet, Query, QuerySet, Unresolved


def visible_to(corpus: Corpus, groups: Iterable[str]) -> Corpus:
    """Return the documents whose label is among ``groups``, with their labels.

    A document without a label is visible to nobody once there is any label in the corpus;
    where there is none, all are visible to everybody.

    Raises InputError for a group that no document has, and where nothing is visible.
    """
    there = labels_of(corpus)
    if not there:
        return corpus
    asked = {groups} if isinstance(groups, str) else set(groups)
    unknown = sorted(asked - set(there))
    if unknown:
        raise InputError(
            f"a group must be one that a document has ({', '.join(there)}); got "
            f"{', '.join(map(repr, unknown))}: name another one"
        )
    documents = tuple(one for one in corpus.documents if one.group in asked)
    if not documents:
        raise InputError(
            f"a member must belong to a group to see a document; got none: name one or more of "
            f"{', '.join(there)}"
        )
    return Corpus(documents)


def queries_for(queries: QuerySet, visible: Corpus) -> QuerySet:
    """Return the questions that can be asked of what is visible.

    A question keeps the evidence in visible documents, and is left out where it needs all
    and lost some, or lost all of it; its row then is its place in the set, from 1. Of what
    was left out before, nothing but the row is told, since its reason was found among all
    documents.

    Raises QueryError when no question is left.
    """
    seen = {document.name for document in visible.documents}
    groups = labels_of(visible)
    kept = []
    left_out = [_without_reason(one, groups) for one in queries.unresolved]
    for place, query in enumerate(queries, start=1):
        own = _seen(query, seen)
        if own is None:
            left_out.append(Unresolved(place, _safe_id(query, place), lost_evidence(groups)))
        else:
            kept.append(own)
    if not kept:
        raise _nothing_left(len(queries), groups)
    return _with(queries, kept, left_out)


def member_queries(
    read: Callable[[Corpus], QuerySet], corpus: Corpus, groups: Iterable[str]
) -> QuerySet:
    """Return the questions of a file that a member can be asked, found among visible texts.

    ``read`` finds the file's questions in a corpus, such as ``load_golden`` of one path. It is
    given the visible texts, with the names of all documents, so that what others say decides
    nothing. Only for rows that this leaves open all texts are read: such a row may have
    evidence on both sides, and the reason why it cannot be asked is told where it follows
    from the row and the visible documents alone.

    Raises InputError as ``visible_to``, QueryError when no question is left.
    """
    visible = visible_to(corpus, groups)
    if len(visible.documents) == len(corpus.documents):
        return read(corpus)
    seen = {document.name for document in visible.documents}
    masked = (
        one if one.name in seen else replace(one, text="", group=None) for one in corpus.documents
    )
    here = _attempt(read, Corpus(tuple(masked)))
    if isinstance(here, QuerySet) and not here.unresolved:
        return here
    everywhere, alone = _attempt(read, corpus), _attempt(read, visible)
    if isinstance(here, QuerySet):
        return _completed(here, everywhere, alone, seen, labels_of(visible))
    if isinstance(everywhere, QuerySet):
        return queries_for(everywhere, visible)
    if isinstance(alone, QueryError) and str(here) == str(everywhere) == str(alone):
        raise alone  # it follows from the file
    raise _nothing_left(None, labels_of(visible))


def prepare_for(
    corpus: Corpus, queries: QuerySet, groups: Iterable[str], terms: str = "auto"
) -> Engine:
    """Return an engine that knows nothing but what a member of ``groups`` may see.

    ``queries`` may have evidence in any document (see ``queries_for``). Raises InputError,
    QueryError and SettingsError as ``visible_to``, ``queries_for`` and ``prepare`` do.
    """
    visible = visible_to(corpus, groups)
    if len(visible.documents) < len(corpus.documents):
        queries = queries_for(queries, visible)
    return prepare(visible, queries, terms)


def _completed(
    here: QuerySet,
    everywhere: QuerySet | QueryError,
    alone: QuerySet | QueryError,
    seen: Collection[str],
    groups: tuple[str, ...],
) -> QuerySet:
    """Return a set found among visible texts with what the others add for its open rows."""
    found = {} if isinstance(everywhere, QueryError) else {one.id: one for one in everywhere}
    told = {} if isinstance(alone, QueryError) else {one.row: one for one in alone.unresolved}
    kept = list(here)
    known = {query.id for query in kept}  # an id given twice is that of another row
    left_out = []
    for one in here.unresolved:
        query = None if one.id in known else found.pop(one.id, None)
        own = None if query is None else _seen(query, seen)
        if own is not None:
            kept.append(own)
        elif query is not None:
            row_id = _safe_id(query, one.row)
            left_out.append(Unresolved(one.row, row_id, lost_evidence(groups)))
        elif one.row in told and told[one.row].reason == one.reason:
            left_out.append(one)
        else:
            left_out.append(_without_reason(one, groups))
    return _with(here, kept, left_out)


def _attempt(read: Callable[[Corpus], QuerySet], corpus: Corpus) -> QuerySet | QueryError:
    try:
        return read(corpus)
    except QueryError as error:
        return error


def _seen(query: Query, seen: Collection[str]) -> Query | None:
    """Return a question with its visible evidence, or None where that does not do."""
    evidence = tuple(span for span in query.evidence if span.document in seen)
    if len(evidence) == len(query.evidence):
        return query
    return replace(query, evidence=evidence) if evidence and query.need == "any" else None


def _safe_id(query: Query, row: int) -> str:
    """Return a question's id, unless it is made from the name of a document."""
    named_in_it = any(span.document in query.id for span in query.evidence)
    return f"row {row}" if named_in_it else query.id


def _without_reason(one: Unresolved, groups: tuple[str, ...]) -> Unresolved:
    if not groups or one.reason == lost_evidence(groups):
        return one
    return Unresolved(one.row, f"row {one.row}", untold(groups))


def _with(queries: QuerySet, kept: list[Query], left_out: list[Unresolved]) -> QuerySet:
    changed = replace(queries, queries=tuple(kept), unresolved=tuple(left_out))
    if isinstance(changed, GoldenSet):
        ids = {query.id for query in kept}
        rows = tuple(one for one in changed.ambiguous if one.id in ids)
        return replace(changed, ambiguous=rows)
    return changed


def _nothing_left(count: int | None, groups: tuple[str, ...]) -> QueryError:
    asked = "the" if count is None else f"the {count:,}"
    who = f"that {named(groups)} may see" if groups else "of this corpus"
    return QueryError(
        f"a run needs a question with its evidence in documents {who}; none of {asked} questions "
        "has: ask as another group, or ask others"
    )
