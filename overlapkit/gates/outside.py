"""Results measured elsewhere, such as answers judged by a model: a table with a row per setting."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.chunkers import ChunkSpec
from overlapkit.errors import InputError, OverlapkitError, QueryError
from overlapkit.gates.measures import MEASURES
from overlapkit.gates.model import OUTSIDE_NAME
from overlapkit.gates.outside_cells import Asked, asked_setting, cell_number, is_percent
from overlapkit.queries.golden.columns import plain_name
from overlapkit.queries.golden.records import Record, Table
from overlapkit.queries.golden.separated import read_separated
from overlapkit.readers import decode

_QUESTIONS = "n"
# Names of columns as ``plain_name`` gives them, the likelier first.
_ROLES: dict[str, tuple[str, ...]] = {
    "setting": ("setting", "settings", "config", "configuration", "spec"),
    "size": ("size", "chunksize"),
    "overlap": ("overlap", "chunkoverlap"),
    "percent": ("overlappct", "overlappercent", "overlappercentage"),
    "unit": ("unit", "units"),
    "chunker": ("chunker", "splitter"),
}


class LeftOut(NamedTuple):
    """A row, or a cell of it, that says nothing, with the reason; the heading is row 1."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outside:
    """Results by setting and name; a value may be missing.

    ``names`` are those that a gate can name. How many questions a setting was judged on stands
    under ``n``, which is not among them. ``unknown`` are settings that were not measured here.
    """

    values: Mapping[ChunkSpec, Mapping[str, float]]
    names: tuple[str, ...]
    unknown: tuple[ChunkSpec, ...]
    left_out: tuple[LeftOut, ...]


def read_outside(data: bytes, specs: Iterable[ChunkSpec]) -> Outside:
    """Read a table (CSV) of results for the settings in ``specs``.

    A setting stands in ``size`` and ``overlap`` (units or a percentage), ``unit`` and
    ``chunker`` where they are needed to tell settings apart, or in one column ``setting`` such
    as ``800/160`` or ``800-20%``. Every other column is a result. ``93%`` is 0.93, and so is
    93 under a heading that holds a %; ``0,93`` is 0.93 where cells are parted by semicolons.

    Raises InputError for a file that is no such table, a setting that occurs twice, and where
    nothing in it can be used.
    """
    try:
        table = read_separated(decode(data).text)
    except QueryError as error:
        raise InputError(str(error)) from None
    roles = _roles(table.columns)
    columns, left_out = _value_columns(table, frozenset(roles.values()))
    by_spec, unknown, unusable = _settings(table, roles, tuple(specs))
    left_out += unusable
    comma = table.form.endswith("semicolons")
    values: dict[ChunkSpec, dict[str, float]] = {}
    for spec, record in by_spec.items():
        values[spec], reasons = _values(record, columns, comma)
        left_out += [LeftOut(record.number, reason) for reason in reasons]
    values = {spec: found for spec, found in values.items() if found.keys() - {_QUESTIONS}}
    _check_some(values, unknown, left_out)
    used = {name for found in values.values() for name in found}
    names = tuple(one.name for one in columns if one.name in used and one.name != _QUESTIONS)
    return Outside(values, names, unknown, tuple(sorted(left_out, key=lambda one: one.row)))


class _Column(NamedTuple):
    """A column of results: its heading, the name that a gate gives it, and how it is written.

    ``percent`` says that plain numbers are percentages, ``mixed`` that some cells have a %.
    """

    heading: str
    name: str
    percent: bool
    mixed: bool


def _roles(columns: Sequence[str]) -> dict[str, str]:
    """Return the column of each role that says which setting a row is about."""
    plain = {plain_name(column): column for column in reversed(columns)}
    found = {
        role: next(plain[name] for name in names if name in plain)
        for role, names in _ROLES.items()
        if any(name in plain for name in names)
    }
    if not ("setting" in found or {"size", "overlap"} <= found.keys()) and not (
        {"size", "percent"} <= found.keys()
    ):
        raise InputError(
            "a table of results must have columns size and overlap, or one column setting such "
            f"as 800/160; got {', '.join(columns[:30]) or 'no column'}: add them"
        )
    return found


def _value_columns(
    table: Table, taken: frozenset[str]
) -> tuple[tuple[_Column, ...], list[LeftOut]]:
    """Return the columns of results by the names that gates give them."""
    found: dict[str, _Column] = {}
    left_out = []
    for heading in table.columns:
        if heading in taken:
            continue
        name = _gate_name(heading)
        if name in MEASURES:
            reason = "is a measure of its own here: give the column another name"
        elif not OUTSIDE_NAME.fullmatch(name):
            reason = (
                "cannot be named by a gate: begin with a letter a-z, and use at most 60 letters "
                "and digits"
            )
        elif name in found:
            reason = f"has the same name as {found[name].heading!r} to a gate: rename one"
        else:
            mixed = any(is_percent(record.cells.get(heading)) for record in table.records)
            found[name] = _Column(heading, name, "%" in heading, mixed)
            continue
        left_out.append(LeftOut(1, f"the column {heading[:60]!r} {reason}"))
    return tuple(found.values()), left_out


def _gate_name(heading: str) -> str:
    """Return a heading in the letters, digits and _ of a gate's names, accents left out."""
    plain = unicodedata.normalize("NFKD", heading.casefold())
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub("[^a-z0-9]+", "_", bare).strip("_")


def _settings(
    table: Table, roles: Mapping[str, str], specs: tuple[ChunkSpec, ...]
) -> tuple[dict[ChunkSpec, Record], tuple[ChunkSpec, ...], list[LeftOut]]:
    """Return the row of each setting, the settings that are not known, and unusable rows."""
    found: dict[ChunkSpec, Record] = {}
    left_out = []
    for record in table.records:
        try:
            if record.problem:
                raise InputError(record.problem)
            cells = {role: str(record.cells.get(name, "")) for role, name in roles.items()}
            spec = _spec(asked_setting(cells), specs)
        except OverlapkitError as error:
            left_out.append(LeftOut(record.number, str(error)))
            continue
        if spec in found:
            raise InputError(
                f"each setting must have one row; rows {found[spec].number} and {record.number} "
                "are about the same: keep one, or their mean"
            )
        found[spec] = record
    known = frozenset(specs)
    unknown = tuple(spec for spec in found if spec not in known)
    return {spec: row for spec, row in found.items() if spec in known}, unknown, left_out


def _spec(asked: Asked, specs: tuple[ChunkSpec, ...]) -> ChunkSpec:
    """Return the one setting that is meant, one of its own where none of ``specs`` is."""
    meant = [spec for spec in specs if asked.means(spec)]
    if len(set(meant)) > 1:
        raise InputError(
            f"the setting must be one of those measured; {asked.size}/{asked.overlap} is "
            f"{len(set(meant))} of them: add columns unit and chunker"
        )
    if meant:
        return meant[0]
    units = {spec.unit for spec in specs}
    return asked.spec(units.pop() if len(units) == 1 else "char")


def _values(
    record: Record, columns: Sequence[_Column], comma: bool
) -> tuple[dict[str, float], list[str]]:
    """Return a row's numbers by name, and why other cells hold none; blank ones are missing."""
    found: dict[str, float] = {}
    reasons = []
    for column in columns:
        cell = str(record.cells.get(column.heading, "")).strip()
        if not cell:
            continue
        number = cell_number(cell, comma=comma)
        at = f"{column.heading[:60]!r} holds {cell[:40]!r}"
        if number is None:
            reasons.append(f"{at}, which is no number")
        elif column.percent and not is_percent(cell):
            found[column.name] = number / 100
        elif is_percent(cell) or not column.mixed or abs(number) <= 1:
            found[column.name] = number  # up to 1 it is a fraction already
        else:
            reasons.append(f"{at} without the % that other cells of the column have")
    return found, reasons


def _check_some(
    values: Mapping[ChunkSpec, Mapping[str, float]],
    unknown: Sequence[ChunkSpec],
    left_out: Sequence[LeftOut],
) -> None:
    if values:
        return
    why = "it has no row with a number"
    if unknown:
        first = unknown[0]
        why = (
            f"settings that were not measured here: {len(unknown)}, the first of them "
            f"{first.size}/{first.overlap}"
        )
    elif left_out:
        why = f"row {left_out[0].row}: {left_out[0].reason}"
    raise InputError(f"a table of results must hold a number for a setting measured here; {why}")
