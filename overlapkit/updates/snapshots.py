"""What an index should hold: the ids and embedding keys of all chunks, document by document."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers import ChunkSet, ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError
from overlapkit.given.rows import PARQUET, Fields, decoded, json_rows, parquet_rows
from overlapkit.updates.keys import READER, chunk_ids, embedding_keys, setting_key, version_of
from overlapkit.words import setting

# What of an exported row is read again.
_TEXTS = ("id", "embedding_key", "doc", "document_version", "setting")
_NUMBERS = ("start", "end")


@dataclass(frozen=True, slots=True, eq=False)
class Chunked:
    """The chunks of one version of a document under one setting, in their order.

    ``start`` and ``end`` are code points of its stored text.
    """

    name: str
    version: str
    setting: str
    ids: tuple[str, ...]
    keys: tuple[str, ...]
    start: Longs
    end: Longs

    def __post_init__(self) -> None:
        for array in (self.start, self.end):
            array.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All chunks of one state of an index, documents in order of their names.

    ``label`` is what people call the state; ``model`` is the embedding model whose name
    went into the keys, if one did.
    """

    label: str
    documents: tuple[Chunked, ...]
    model: str = ""

    def __len__(self) -> int:
        return sum(len(one.ids) for one in self.documents)


def chunked(
    document: Document, spec: ChunkSpec, reader: str = READER, *, model: str = ""
) -> Chunked:
    """Return one document's chunks under a spec."""
    return snapshot(Corpus((document,)), spec, reader, model=model).documents[0]


def snapshot(
    corpus: Corpus,
    spec: ChunkSpec,
    reader: str = READER,
    *,
    chunks: ChunkSet | None = None,
    model: str = "",
    label: str = "",
) -> Snapshot:
    """Return what an index of the corpus under a spec should hold.

    ``chunks`` are those of the spec where they are already known.
    """
    found = chunk(corpus, spec) if chunks is None else chunks
    named = setting_key(spec, reader)
    documents = []
    for doc, document in enumerate(corpus.documents):
        part = found.of_document(doc)
        start, end, version = found.start[part], found.end[part], version_of(document)
        spans = zip(start.tolist(), end.tolist(), strict=True)
        keys = embedding_keys((document.text[a:b] for a, b in spans), model)
        ids = chunk_ids(version, reader, spec, start, end)
        documents.append(Chunked(document.name, version, named, ids, keys, start, end))
    return Snapshot(label or setting(spec), tuple(documents), model)


def read_export(data: bytes, source: str, *, model: str = "") -> Snapshot:
    """Return the state that an export of ours describes, JSON lines or Parquet.

    It is called by its ``source``. Raises InputError for a row that is none of an export,
    and where a document stands in two versions.
    """
    if data.startswith(PARQUET):
        rows = parquet_rows(data, source, {name: (name,) for name in (*_TEXTS, *_NUMBERS)})
    else:
        rows = json_rows(decoded(data, source), source)
    return snapshot_of_rows(_fields(rows, source), source, model=model)


def _fields(rows: Iterable[tuple[int, Fields | InputError]], source: str) -> Iterator[Fields]:
    for number, row in rows:
        if isinstance(row, InputError):
            raise InputError(f"{source}, row {number}: {row}")
        yield row


def snapshot_of_rows(
    rows: Iterable[Mapping[str, object]], label: str, *, model: str = ""
) -> Snapshot:
    """Return the state that rows of an export describe; raises InputError as ``read_export``."""
    by_document: dict[str, list[Mapping[str, object]]] = {}
    ids: set[str] = set()
    for number, row in enumerate(rows, start=1):
        _check_row(row, number, label)
        if row["id"] in ids:
            raise InputError(f"{label}, row {number}: the id {row['id']!r} occurs twice")
        ids.add(str(row["id"]))
        by_document.setdefault(str(row["doc"]), []).append(row)
    found = (_chunked_of(name, by_document[name], label) for name in sorted(by_document))
    return Snapshot(label, tuple(found), model)


def _check_row(row: Mapping[str, object], number: int, label: str) -> None:
    for names, kind, what in ((_TEXTS, str, "a text"), (_NUMBERS, int, "a whole number")):
        for name in names:
            value = row.get(name)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise InputError(
                    f"{label}, row {number}: {name} must be {what}; got {repr(value)[:40]}: "
                    "give an export of this program"
                )


def _chunked_of(name: str, rows: list[Mapping[str, object]], label: str) -> Chunked:
    states = {(str(row["document_version"]), str(row["setting"])) for row in rows}
    if len(states) > 1:
        raise InputError(
            f"{label} holds {name!r} in {len(states)} versions or settings; an export describes "
            "one: give each state in a file of its own"
        )
    (version, named), *_ = states
    table = sorted((_spans_of(row), str(row["id"]), str(row["embedding_key"])) for row in rows)
    start, end = np.array([span for span, *_ in table], dtype=np.int64).T.copy()
    ids, keys = tuple(one[1] for one in table), tuple(one[2] for one in table)
    return Chunked(name, version, named, ids, keys, start, end)


def _spans_of(row: Mapping[str, object]) -> tuple[int, int]:
    start, end = (row[name] for name in _NUMBERS)
    assert isinstance(start, int)
    assert isinstance(end, int)
    return start, end
