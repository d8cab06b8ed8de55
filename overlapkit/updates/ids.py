"""Lists of the ids that a live index holds, as people can get them out of it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.errors import InputError, QueryError
from overlapkit.given.rows import (
    MOST_ROWS,
    PARQUET,
    Finder,
    Row,
    decoded,
    first_text,
    json_rows,
    names_in,
    parquet_rows,
)
from overlapkit.given.run_lines import Unusable
from overlapkit.queries.golden.separated import read_separated

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "chunk_id", "_id", "id_", "node_id"),
    "document": ("doc", "document"),
    "version": ("document_version",),
    "setting": ("setting",),
}
_SEPARATORS = ",;\t|"


class Live(NamedTuple):
    """A row of a live index: its id and, where the list has them, what else we stored."""

    id: str
    document: str | None = None
    version: str | None = None
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class LiveIds:
    """The rows of a list of ids, and those that hold no id."""

    rows: tuple[Live, ...]
    left_out: tuple[Unusable, ...] = ()


def read_ids(data: bytes, name: str) -> LiveIds:
    """Return the ids that a file lists.

    The file holds JSON lines, a JSON list, Parquet, or a table with a column of ids; or else
    one id on each line. Raises InputError when it holds none.
    """
    rows, left_out = [], []
    finder = Finder(**_NAMES)
    for number, fields in _rows(data, name):
        row = None if isinstance(fields, InputError) else live_of(fields, finder)
        if row is not None:
            rows.append(row)
        else:
            why = str(fields) if isinstance(fields, InputError) else "a row needs an id"
            left_out.append(Unusable(number, f"row {number}", why))
    if not rows:
        why = f": row {left_out[0].row}: {left_out[0].reason}" if left_out else ": it is empty"
        raise InputError(f"{name} holds no id{why}")
    return LiveIds(tuple(rows), tuple(left_out))


def live_of(fields: Mapping[str, object], finder: Finder | None = None) -> Live | None:
    """Return a row by the usual names of its fields, or None where it has no id."""
    found = (finder or Finder(**_NAMES)).find(fields)
    own = next(iter(names_in(found["id"])), None)
    if own is None:
        return None
    return Live(own, *(first_text(found[name]) or None for name in list(_NAMES)[1:]))


def _rows(data: bytes, name: str) -> Iterable[Row]:
    if data.startswith(PARQUET):
        return parquet_rows(data, name, _NAMES)
    text = decoded(data, name)
    if text.lstrip().startswith("["):
        listed = _bare(text)
        return json_rows(text, name) if listed is None else enumerate(listed, start=1)
    if text.lstrip().startswith("{"):
        return json_rows(text, name)
    return _table(text, name) if _has_heading(text) else _lines(text, name)


def _bare(text: str) -> list[dict[str, object]] | None:
    """Return the ids of a JSON list of nothing but ids, else None."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return None
    bare = isinstance(items, list) and all(isinstance(item, str) for item in items)
    return [{"id": item} for item in items] if bare else None


def _has_heading(text: str) -> bool:
    heading = text.lstrip().partition("\n")[0][:10_000].lower()
    for separator in _SEPARATORS:
        heading = heading.replace(separator, "\n")
    return any(cell.strip(' "\r') in _NAMES["id"] for cell in heading.split("\n"))


def _table(text: str, name: str) -> Iterator[Row]:
    try:
        table = read_separated(text)
    except QueryError as error:
        raise InputError(f"{name}: {error}") from None
    for record in table.records:
        yield record.number, InputError(record.problem) if record.problem else record.cells


def _lines(text: str, name: str) -> Iterator[Row]:
    lines = text.split("\n")
    if len(lines) > MOST_ROWS:
        raise InputError(
            f"{name} may have at most {MOST_ROWS:,} rows; got {len(lines):,}: split it"
        )
    for number, line in enumerate(lines, start=1):
        # Ids taken out of JSON are often still in quotation marks.
        own = line.strip().strip('"')
        if own:
            yield number, {"id": own}
