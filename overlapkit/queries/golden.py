"""Golden sets in JSON lines: ``{"id", "query", "need", "evidence": [{"doc", "start", "end"}]}``.

``text`` beside the offsets is checked against the document; ``answer`` and ``tag`` are
optional. A row that cannot be used is listed with its number and reason, never scored.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from overlapkit.corpus import Corpus
from overlapkit.errors import InputError, QueryError
from overlapkit.queries.model import Evidence, Query, QuerySet, Unresolved
from overlapkit.readers.decode import decode
from overlapkit.readers.names import legible

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def load_golden(path: str | Path, corpus: Corpus) -> QuerySet:
    """Return the golden set of a file, its evidence checked against the corpus.

    Raises QueryError when the file cannot be read or holds no usable row.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise QueryError(
            f"the golden set {str(path)!r} cannot be read ({error.strerror}): check the path"
        ) from None
    return read_golden(data, corpus, source=Path(path).name)


def read_golden(data: bytes, corpus: Corpus, source: str = "golden") -> QuerySet:
    """Return the golden set held in UTF-8 JSON lines (see the module's docstring).

    Raises QueryError when no row can be used.
    """
    texts = {document.name: document.text for document in corpus.documents}
    queries: dict[str, Query] = {}
    left_out: list[Unresolved] = []
    seen: dict[str, list[Query]] = {}
    for number, line in enumerate(_text(data, source).split("\n"), start=1):
        if not line.strip():
            continue
        row_id = f"row {number}"
        try:
            row = _object(line)
            if row.get("id") is not None:
                row_id = legible(str(row["id"]))
            _add(queries, seen, _query(row_id, row, texts))
        except QueryError as error:
            left_out.append(Unresolved(number, row_id, str(error)))
    if not queries:
        why = f": row {left_out[0].row}: {left_out[0].reason}" if left_out else ": it is empty"
        raise QueryError(f"{source} holds no usable question{why}")
    return QuerySet(tuple(queries.values()), "minimal", source, tuple(left_out))


def _text(data: bytes, source: str) -> str:
    try:
        return decode(data).text
    except InputError as error:
        raise QueryError(f"{source} cannot be read as text: {error}") from None


def _object(line: str) -> Mapping[str, object]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise QueryError(f"not valid JSON ({error.msg} at column {error.colno})") from None
    except (ValueError, RecursionError):
        raise QueryError("not usable JSON (too deep, or a number too long)") from None
    if not isinstance(row, dict):
        raise QueryError("a row must be a JSON object")
    return row


def _query(row_id: str, row: Mapping[str, object], texts: Mapping[str, str]) -> Query:
    text = row.get("query", row.get("question"))
    if not isinstance(text, str) or not text.strip():
        raise QueryError("the question is missing or empty: give it as `query`")
    if _HALF_CHARACTER.search(text):
        raise QueryError("the question holds half a character (a lone surrogate): write it whole")
    items = row.get("evidence")
    if not isinstance(items, list) or not items:
        raise QueryError("the evidence is missing or empty: give a list of doc, start, end")
    spans = tuple(dict.fromkeys(_span(item, texts) for item in items))
    answer, tag, need = row.get("answer"), row.get("tag"), row.get("need", "any")
    if need not in ("any", "all"):
        raise QueryError(f"need must be any or all; got {need!r}")
    return Query(
        row_id,
        text,
        spans,
        "all" if need == "all" else "any",
        answer if isinstance(answer, str) and answer else None,
        tag if isinstance(tag, str) else None,
    )


def _span(item: object, texts: Mapping[str, str]) -> Evidence:
    if not isinstance(item, dict):
        raise QueryError("an evidence item must be an object with doc, start and end")
    name, start, end = item.get("doc"), item.get("start"), item.get("end")
    if not isinstance(name, str) or name not in texts:
        raise QueryError(f"no document is called {name!r} in this corpus")
    if type(start) is not int or type(end) is not int:
        raise QueryError(f"start and end must be whole numbers; got {start!r} and {end!r}")
    length = len(texts[name])
    if not 0 <= start < end <= length:
        raise QueryError(f"the span {start}..{end} must lie in 0..{length} of {name!r}")
    said = item.get("text")
    found = texts[name][start:end]
    if isinstance(said, str) and said != found:
        if start and texts[name][start - 1 : end - 1] == said:
            # Its offsets count the byte-order mark that the stored text does not hold.
            return Evidence(name, start - 1, end - 1)
        raise QueryError(f"the text at {start}..{end} of {name!r} differs: it reads {found[:60]!r}")
    return Evidence(name, start, end)


def _add(queries: dict[str, Query], seen: dict[str, list[Query]], query: Query) -> None:
    """Keep a query; another question under a known id gets a number behind the id."""
    same_id = seen.setdefault(query.id, [])
    if query in same_id:
        raise QueryError(f"repeats the question with id {query.id!r}")
    same_id.append(query)
    number = len(same_id)
    new_id = query.id if number == 1 else f"{query.id}#{number}"
    while new_id in queries:
        number += 1
        new_id = f"{query.id}#{number}"
    queries[new_id] = replace(query, id=new_id)
