"""Files of rows, whatever tool wrote them: JSON lines and Parquet, columns by usual names."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from overlapkit.errors import InputError
from overlapkit.readers.decode import decode
from overlapkit.readers.limits import DEFAULT_LIMITS, size_text

MOST_ROWS = 2_000_000
PARQUET = b"PAR1"

Fields: TypeAlias = Mapping[str, object]
# A row that cannot be read carries the error that says why.
Row: TypeAlias = tuple[int, Fields | InputError]

# Objects inside a row in which vector stores and splitters keep what a row lacks.
_NESTED = ("metadata", "meta", "payload", "extra_info")
_DEEPEST = 3


def decoded(data: bytes, source: str) -> str:
    """Return the text of a file of rows; raises InputError, which names the source."""
    try:
        return decode(data).text
    except InputError as error:
        raise InputError(f"{source} cannot be read as text: {error}") from None


def json_rows(text: str, source: str) -> Iterator[Row]:
    """Yield (line number from 1, object) of JSON lines; blank lines are passed over.

    A file that is one JSON list gives its items, by their places in it.
    """
    items = _list(text)
    lines = text.split("\n") if items is None else items
    _check_count(len(lines), source)
    for number, line in enumerate(lines, start=1):
        if items is not None or line.strip():
            try:
                yield number, _object(line)
            except InputError as error:
                yield number, error


def parquet_rows(data: bytes, source: str, wanted: Mapping[str, tuple[str, ...]]) -> Iterator[Row]:
    """Yield (row number from 1, fields) of a Parquet file, only the wanted columns read.

    ``wanted`` lists for each field what it may be called, as for a ``Finder``.

    Raises InputError for a file that is damaged or too large.
    """
    # Importing pyarrow takes longer than a text file needs altogether.
    import pyarrow as arrow  # type: ignore[import-untyped]  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    names = {*chain.from_iterable(wanted.values()), *_NESTED}
    try:
        file = parquet.ParquetFile(arrow.BufferReader(data))
        _check_count(file.metadata.num_rows, source)
        # Beside the texts such files hold vectors, which are many times as large.
        columns = [n for n in file.schema_arrow.names if n.lower().partition(".")[0] in names]
        if not columns:
            usual = ", ".join(called[0] for called in wanted.values())
            raise InputError(f"{source} has no column of a usual name ({usual}): rename its own")
        _check_size(file.metadata, set(columns), source)
        table = file.read(columns=columns).to_pydict()
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        why = str(error).partition("\n")[0][:120]
        raise InputError(
            f"{source} cannot be read as Parquet ({why}): write it anew, or as JSON lines"
        ) from None
    for number, values in enumerate(zip(*table.values(), strict=True), start=1):
        yield number, dict(zip(table, values, strict=True))


class Finder:
    """Finds fields that go by many names, in a row and in the objects inside it.

    ``names`` lists for each field what it may be called, the likeliest first. Small and
    capital letters are the same, and ``metadata.source`` written as one name is ``source``
    of the object ``metadata``.
    """

    def __init__(self, **names: tuple[str, ...]) -> None:
        self.names = names
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def find(self, fields: Fields) -> dict[str, list[object]]:
        """Return the values of each field that are given, outer ones and likelier names first."""
        found: dict[str, list[object]] = {field: [] for field in self.names}
        waiting = [fields]
        for _ in range(_DEEPEST):
            if not waiting:
                break
            level = waiting.pop(0)
            plan = self._plan(tuple(level))
            for field, name in plan.fields:
                if level[name] is not None:
                    found[field].append(level[name])
            for name in plan.nested:
                inside = as_object(level[name])
                if inside:
                    waiting.append(inside)
        return found

    def _plan(self, columns: tuple[str, ...]) -> "_Plan":
        """Return which columns are looked at, worked out once for all rows that have the same."""
        plan = self._plans.get(columns)
        if plan is None:
            spelled = {name.lower(): name for name in reversed(columns)}
            ways = ("", *(f"{outer}." for outer in _NESTED))
            fields = [
                (field, spelled[way + name])
                for way in ways
                for field, names in self.names.items()
                for name in names
                if way + name in spelled
            ]
            nested = [spelled[outer] for outer in _NESTED if outer in spelled]
            plan = self._plans[columns] = _Plan(fields, nested)
        return plan


class _Plan(NamedTuple):
    """Which columns hold which field, and which hold objects to look into."""

    fields: list[tuple[str, str]]
    nested: list[str]


def as_object(value: object) -> dict[str, object]:
    """Return an object, also where it is written as JSON text; else an empty one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = _object(value)
        except InputError:
            return {}
    return value if isinstance(value, dict) else {}


def names_in(values: Iterable[object]) -> list[str]:
    """Return the values that can be names: texts that are not empty, and whole numbers."""
    return [
        str(value) for value in values if (isinstance(value, str) and value) or type(value) is int
    ]


def first_text(values: Iterable[object]) -> str | None:
    """Return the first value that is a text, be it empty."""
    return next((value for value in values if isinstance(value, str)), None)


def first_number(values: Iterable[object]) -> float | None:
    """Return the first value that is a finite number, also one written as text."""
    numbers = (as_number(value) for value in values)
    return next((number for number in numbers if number is not None), None)


def first_whole(values: Iterable[object]) -> int | None:
    """Return the first value that is a whole number, also one written as text or as 3.0."""
    for value in values:
        if type(value) is int:
            return value
        number = as_number(value)
        if number is not None and number.is_integer():
            return int(number)
    return None


def as_number(value: object) -> float | None:
    """Return a finite number, also one written as text; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _list(text: str) -> list[Any] | None:
    if not text.lstrip().startswith("["):
        return None
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return items if isinstance(items, list) else None


def _object(line: object) -> dict[str, object]:
    """Return a JSON object, read from its text where it is one."""
    try:
        row = json.loads(line) if isinstance(line, str) else line
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON ({error.msg} at column {error.colno})") from None
    except (ValueError, RecursionError):
        raise InputError("not usable JSON (too deep, or a number too long)") from None
    if not isinstance(row, dict):
        raise InputError("a row must be a JSON object")
    return row


def _check_count(rows: int, source: str) -> None:
    if rows > MOST_ROWS:
        raise InputError(f"{source} may have at most {MOST_ROWS:,} rows; got {rows:,}: split it")


def _check_size(metadata: Any, columns: set[str], source: str) -> None:
    """Refuse a file whose wanted columns unpack to more than an archive may."""
    most = DEFAULT_LIMITS.max_unpacked_bytes
    groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
    parts = (group.column(index) for group in groups for index in range(group.num_columns))
    size = sum(
        part.total_uncompressed_size
        for part in parts
        if part.path_in_schema in columns or part.path_in_schema.partition(".")[0] in columns
    )
    if size > most:
        raise InputError(f"{source} unpacks to {size_text(size)}; at most {size_text(most)}")
