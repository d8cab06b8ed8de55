"""A workspace to the text of its file."""

import json
from collections.abc import Iterable

from overlapkit.errors import InputError
from overlapkit.queries.golden import GoldenSet
from overlapkit.queries.model import Query
from overlapkit.workspace.model import SavedDocument, SavedWorkspace
from overlapkit.workspace.reading import FORMAT, VERSION, read_workspace


def write_workspace(saved: SavedWorkspace) -> str:
    """Return a workspace as JSON that ``read_workspace`` reads; equal ones give equal texts.

    Raises InputError for what could not be read again.
    """
    fields = [*((name, _json(value)) for name, value in _fields(saved)), *saved.other]
    lines = ",\n".join(f"{_json(name)}: {text}" for name, text in fields)
    written = f"{{\n{lines}\n}}\n"
    try:
        data = written.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "a workspace must hold whole characters; got half of one (a lone surrogate), "
            f"{written[error.start]!r}: take it out of the names, texts or questions"
        ) from None
    read_workspace(data)
    return written


def _fields(saved: SavedWorkspace) -> Iterable[tuple[str, object]]:
    return (
        ("format", FORMAT),
        ("version", VERSION),
        (
            "corpus",
            {
                "digest": saved.corpus_digest,
                "bundled": saved.bundled,
                "files": saved.files,
                "documents": [_document(one) for one in saved.documents],
            },
        ),
        ("queries", {"digest": saved.query_digest, "kind": saved.query_kind}),
        ("settings", dict(saved.settings)),
        ("document", saved.document),
        ("uploaded", None if saved.uploaded is None else _golden(saved.uploaded)),
        ("written", [_query(query) for query in saved.written]),
        ("marks", [[span.document, span.start, span.end, mark] for span, mark in saved.marks]),
        ("today", {"chunks": saved.chunks, "run": saved.run}),
    )


def _document(saved: SavedDocument) -> dict[str, object]:
    return _given(
        {"name": saved.name, "characters": saved.characters, "digest": saved.digest},
        group=saved.group, text=saved.text,
    )  # fmt: skip


def _golden(found: GoldenSet) -> dict[str, object]:
    return {
        "source": found.source,
        "kind": found.kind,
        "queries": [_query(query) for query in found.queries],
        "left_out": [
            {"row": one.row, "id": one.id, "reason": one.reason, "nearest": one.nearest}
            for one in found.unresolved
        ],
        "ambiguous": [
            {"row": one.row, "id": one.id, "places": one.places} for one in found.ambiguous
        ],
    }


def _query(query: Query) -> dict[str, object]:
    spans = [{"doc": one.document, "start": one.start, "end": one.end} for one in query.evidence]
    return _given(
        {"id": query.id, "query": query.text, "need": query.need, "evidence": spans},
        answer=query.answer, tag=query.tag,
    )  # fmt: skip


def _given(row: dict[str, object], **optional: str | None) -> dict[str, object]:
    return row | {name: value for name, value in optional.items() if value is not None}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
