"""The chunks of a setting as rows to load into an index, with stable ids."""

import io
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError
from overlapkit.structure import sections
from overlapkit.updates.keys import READER
from overlapkit.updates.snapshots import Chunked, snapshot
from overlapkit.updates.writing import json_line

_BATCH = 20_000  # rows turned into columns at a time


def export_rows(
    corpus: Corpus,
    chunks: ChunkSet,
    spec: ChunkSpec,
    reader: str = READER,
    *,
    text: bool = True,
    model: str = "",
) -> Iterator[dict[str, object]]:
    """Yield a row for each chunk, documents and chunks in order.

    ``document_version`` and ``setting`` say which state of its document a row belongs to;
    ``index`` counts within the document; ``headings`` are the titles of the sections that
    hold the whole chunk, the outermost first. ``text`` leaves the text in or out; its
    ``embedding_key`` is there either way.
    """
    whole = snapshot(corpus, spec, reader, chunks=chunks, model=model)
    for document, own in zip(corpus.documents, whole.documents, strict=True):
        yield from _rows(document, own, text)


def _rows(document: Document, own: Chunked, text: bool) -> Iterator[dict[str, object]]:
    spans = list(zip(own.start.tolist(), own.end.tolist(), strict=True))
    paths = heading_paths(document, spans) if spans else []
    for index, (start, end) in enumerate(spans):
        row: dict[str, object] = {
            "id": own.ids[index],
            "embedding_key": own.keys[index],
            "doc": document.name,
            "group": document.group,
            "document_version": own.version,
            "setting": own.setting,
            "index": index,
            "start": start,
            "end": end,
            "headings": list(paths[index]),
        }
        yield row | {"text": document.text[start:end]} if text else row


def heading_paths(document: Document, spans: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """Return for each span the titles of the sections that hold it whole, outermost first."""
    found = sections(document)
    starts = [section.start for section in found]
    around: list[int] = []  # of each section the one around it, -1 for none
    for at, section in enumerate(found):
        outer = at - 1
        while outer >= 0 and found[outer].end <= section.start:
            outer = around[outer]
        around.append(outer)
    paths = []
    for start, end in spans:
        at = bisect_right(starts, start) - 1  # the last to begin is the innermost
        while at >= 0 and found[at].end < end:
            at = around[at]
        paths.append(found[at].path if at >= 0 else ())
    return paths


def export_jsonl(
    corpus: Corpus,
    chunks: ChunkSet,
    spec: ChunkSpec,
    reader: str = READER,
    *,
    text: bool = True,
    model: str = "",
) -> Iterator[str]:
    """Yield each row as one line of JSON, its newline included (see ``export_rows``)."""
    return map(json_line, export_rows(corpus, chunks, spec, reader, text=text, model=model))


def export_parquet(
    corpus: Corpus,
    chunks: ChunkSet,
    spec: ChunkSpec,
    reader: str = READER,
    *,
    text: bool = True,
    model: str = "",
) -> bytes:
    """Return the rows as a Parquet file (see ``export_rows``).

    Raises InputError for a text that UTF-8 cannot hold, which JSON lines can.
    """
    # Importing pyarrow takes longer than a text file needs altogether.
    import pyarrow as arrow  # type: ignore[import-untyped]  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema(arrow, text)
    rows = export_rows(corpus, chunks, spec, reader, text=text, model=model)
    data = io.BytesIO()
    with parquet.ParquetWriter(data, schema) as writer:
        while batch := list(islice(rows, _BATCH)):
            try:
                table = arrow.Table.from_pylist(batch, schema=schema)
            except UnicodeEncodeError:
                names = (str(row["doc"]) for row in batch if not _encodable(row))
                raise InputError(
                    f"Parquet cannot hold the lone surrogate in {next(names)!r}: export JSON lines"
                ) from None
            writer.write_table(table)
    return data.getvalue()


def _schema(arrow: Any, text: bool) -> Any:
    string, whole = arrow.string(), arrow.int64()
    columns = [
        arrow.field("id", string, nullable=False),
        arrow.field("embedding_key", string, nullable=False),
        arrow.field("doc", string, nullable=False),
        arrow.field("group", string),
        arrow.field("document_version", string, nullable=False),
        arrow.field("setting", string, nullable=False),
        arrow.field("index", whole, nullable=False),
        arrow.field("start", whole, nullable=False),
        arrow.field("end", whole, nullable=False),
        arrow.field("headings", arrow.list_(string), nullable=False),
    ]
    return arrow.schema(columns + [arrow.field("text", string, nullable=False)] * text)


def _encodable(row: Mapping[str, object]) -> bool:
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
