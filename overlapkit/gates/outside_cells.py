"""What the cells of a table of results stand for: numbers, and settings."""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from overlapkit.chunkers import UNITS, ChunkSpec
from overlapkit.errors import InputError
from overlapkit.words import UNIT_NAMES

_PLAIN = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?")  # 1,234.5
_WITH_COMMA = re.compile(  # 1.234,5
    r"[+-]?([0-9]+|[1-9][0-9]{0,2}(\.[0-9]{3})+)?,[0-9]+(e[+-]?[0-9]{1,3})?", re.IGNORECASE
)
_SETTING = re.compile(
    r"([0-9]{1,12}) ?([a-z]*) ?[/|:;,x-] ?([0-9]{1,12}(?:\.[0-9]{1,6})?) ?(%?) ?([a-z]*)"
)
_SHARE = re.compile(r"([0-9]{1,3}(?:[.,][0-9]{1,6})?) ?(%?)")
_DASHES = str.maketrans("\N{MINUS SIGN}\N{EN DASH}\N{NO-BREAK SPACE}", "-- ")


class Asked(NamedTuple):
    """A setting as a row names it; unit and chunker may be left open.

    ``overlap`` counts units, or is a percentage of the size as it is written: ``20%``.
    """

    size: int
    overlap: str
    unit: str | None
    chunker: str | None

    @property
    def units(self) -> int:
        """The overlap in units; of a percentage, rounded down as everywhere."""
        share = self.overlap.removesuffix("%")
        if share == self.overlap:
            return int(self.overlap)
        return int(self.size * Decimal(share) / 100)

    def means(self, spec: ChunkSpec) -> bool:
        """Tell whether a setting is the one meant, or one of them."""
        return (
            (spec.size, spec.overlap) == (self.size, self.units)
            and self.unit in (None, spec.unit)
            and self.chunker in (None, spec.chunker)
        )

    def spec(self, unit: str) -> ChunkSpec:
        """Return a setting of its own, ``unit`` where none is named; raises SettingsError."""
        return ChunkSpec(self.chunker or "window", self.unit or unit, self.size, self.units)


def is_percent(cell: object) -> bool:
    """Tell whether a cell is written as a percentage."""
    return isinstance(cell, str) and cell.rstrip().endswith("%")


def cell_number(cell: str, *, comma: bool) -> float | None:
    """Return the number of a cell, a percentage as a fraction, or None.

    ``comma`` says that a comma parts whole from fraction, as it does where cells are parted
    by semicolons; a number without one may still have a point there.
    """
    text = cell.strip().translate(_DASHES)
    share = text.endswith("%")
    text = text.removesuffix("%").strip()
    if comma and _WITH_COMMA.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    elif not comma and _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if not _PLAIN.fullmatch(text):
        return None
    value = Decimal(text)
    number = float(value.scaleb(-2) if share else value)
    return number if math.isfinite(number) else None


def asked_setting(cells: Mapping[str, str]) -> Asked:
    """Return the setting that a row names, by the cells of its roles.

    Raises InputError where they name none.
    """
    unit = _unit(cells.get("unit", ""))
    chunker = cells.get("chunker", "").strip() or None
    if cells.get("setting", "").strip():
        return _in_one(cells["setting"], unit, chunker)
    size = cell_number(cells.get("size", ""), comma=False)
    if size is None or not size.is_integer():
        raise InputError(
            f"size must be a whole number such as 800; got {cells.get('size', '')[:40]!r}"
        )
    return Asked(int(size), _overlap(cells), unit, chunker)


def _in_one(cell: str, unit: str | None, chunker: str | None) -> Asked:
    found = _SETTING.fullmatch(" ".join(cell.casefold().translate(_DASHES).split()))
    if found is None or ("." in found[3] and not found[4]):
        raise InputError(f"a setting must be written 800/160 or 800-20%; got {cell[:40]!r}")
    own = _unit(found[2] or found[5])
    return Asked(int(found[1]), found[3] + found[4], own or unit, chunker)


def _overlap(cells: Mapping[str, str]) -> str:
    """Return an overlap in units, or as a percentage where it is one."""
    cell, share = (cells.get(role, "").strip() for role in ("overlap", "percent"))
    if is_percent(cell):
        cell, share = "", cell
    if cell or not share:
        units = cell_number(cell, comma=False)
        if units is None or not units.is_integer() or units < 0:
            raise InputError(
                f"overlap must be a whole number or a percentage such as 20%; got {cell[:40]!r}"
            )
        return str(int(units))
    found = _SHARE.fullmatch(share)
    if found is None:
        raise InputError(f"a percentage of overlap must be written 20%; got {share[:40]!r}")
    return found[1].replace(",", ".") + "%"


def _unit(written: str) -> str | None:
    """Return a unit by its name or as it is called in words; raises InputError."""
    name = written.strip().casefold()
    if not name:
        return None
    for unit in UNITS:
        if name in (unit, f"{unit}s", UNIT_NAMES[unit], UNIT_NAMES[unit].removesuffix("s")):
            return unit
    raise InputError(f"unit must be one of {', '.join(UNITS)}; got {written[:40]!r}")
