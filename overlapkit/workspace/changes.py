"""Texts that changed since a workspace was saved, and which of its questions still hold."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from overlapkit.corpus import Corpus, Document
from overlapkit.queries.golden import GoldenSet
from overlapkit.queries.model import Evidence, Query, Unresolved
from overlapkit.workspace.marks import Marks
from overlapkit.workspace.model import SavedWorkspace, text_digest


class Changes(NamedTuple):
    """Names of documents: of another text (or group), not here any more, here only now."""

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]


class Carried(NamedTuple):
    """A workspace's questions on a corpus that may differ from its own.

    ``left_out`` are questions whose evidence is not there any more, with its reason; those of
    the golden set are also among its ``unresolved``. ``moved`` counts questions with evidence
    that stands elsewhere now.
    """

    uploaded: GoldenSet | None
    written: tuple[Query, ...]
    left_out: tuple[Unresolved, ...]
    moved: int


def changed_documents(saved: SavedWorkspace, corpus: Corpus) -> Changes:
    """Return what differs between a workspace's documents and those of a corpus."""
    here = {document.name: document for document in corpus.documents}
    then = {document.name for document in saved.documents}
    changed = tuple(
        one.name
        for one in saved.documents
        if one.name in here
        and (one.digest, one.group) != (text_digest(here[one.name].text), here[one.name].group)
    )
    missing = tuple(one.name for one in saved.documents if one.name not in here)
    return Changes(changed, missing, tuple(name for name in here if name not in then))


def carry_questions(saved: SavedWorkspace, corpus: Corpus) -> Carried:
    """Return a workspace's questions as they stand in a corpus.

    Evidence is kept where its text stands at its place, or in one other place of its
    document. Of a question that needs any of its evidence, some of it is enough.
    """
    places = _Places(saved, corpus)
    written, lost, moved = _carry(saved.written, places)
    if saved.uploaded is None:
        return Carried(None, written, lost, moved)
    then = saved.uploaded
    kept, also_lost, also_moved = _carry(then.queries, places)
    ids = {query.id for query in kept}
    uploaded = replace(
        then,
        queries=kept,
        unresolved=then.unresolved + also_lost,
        ambiguous=tuple(row for row in then.ambiguous if row.id in ids),
    )
    return Carried(uploaded if kept else None, written, also_lost + lost, moved + also_moved)


def _carry(
    queries: Iterable[Query], places: "_Places"
) -> tuple[tuple[Query, ...], tuple[Unresolved, ...], int]:
    """Return the questions that hold, those that do not, and how many have moved."""
    kept, lost, moved = [], [], 0
    for number, query in enumerate(queries, start=1):
        found = [places.find(span) for span in query.evidence]
        spans = tuple(dict.fromkeys(span for span in found if isinstance(span, Evidence)))
        reasons = [reason for reason in found if isinstance(reason, str)]
        if not spans or (query.need == "all" and reasons):
            lost.append(Unresolved(number, query.id, reasons[0]))
            continue
        kept.append(replace(query, evidence=spans))
        moved += any(span not in query.evidence for span in spans)
    return tuple(kept), tuple(lost), moved


class _Places:
    """Finds evidence of then in the texts of now."""

    def __init__(self, saved: SavedWorkspace, corpus: Corpus) -> None:
        self._then = {document.name: document.digest for document in saved.documents}
        self._here = {document.name: document for document in corpus.documents}
        self._marks = dict(saved.marks)
        self._searched: dict[str, Marks | None] = {}  # None where the text is the same

    def find(self, span: Evidence) -> Evidence | str:
        """Return where evidence stands, or why it is not there."""
        document = self._here.get(span.document)
        if document is None:
            return f"{span.document!r} is not among the documents any more"
        text = self._changed(document)
        if text is None:
            return span
        mark = self._marks.get(span)
        if mark is None:  # a file that was not made by us: its place is all there is to go by
            if span.end <= len(text):
                return span
            return (
                f"the span {span.start}..{span.end} must lie in 0..{len(text)} of "
                f"{span.document!r}, which has changed"
            )
        return self._by_mark(span, text, mark)

    def _by_mark(self, span: Evidence, text: Marks, mark: str) -> Evidence | str:
        if span.end <= len(text) and text.at(span.start, span.end) == mark:
            return span
        length = span.end - span.start
        starts = text.find(mark, length).tolist()
        if len(starts) == 1:
            return Evidence(span.document, starts[0], starts[0] + length)
        then = f"the evidence at {span.start}..{span.end} of {span.document!r}, which has changed,"
        return f"{then} stands in {len(starts)} places now" if starts else f"{then} is gone"

    def _changed(self, document: Document) -> Marks | None:
        name = document.name
        if name not in self._searched:
            same = text_digest(document.text) == self._then[name]
            self._searched[name] = None if same else Marks(document.text)
        return self._searched[name]
