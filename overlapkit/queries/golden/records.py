"""A golden set before anything is looked for: numbered rows of named cells."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """A row as it stands in its file.

    ``number`` is what a person would count: the line of JSON lines, the row of a table with
    its heading as row 1, the place in a list from 1. ``problem`` says why it has no cells.
    """

    number: int
    cells: Mapping[str, object]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file, the form they have there, and their columns in order."""

    form: str
    columns: tuple[str, ...]
    records: tuple[Record, ...]


def columns_of(records: tuple[Record, ...]) -> tuple[str, ...]:
    """Return every column that a row has, in order of first occurrence."""
    return tuple(dict.fromkeys(name for record in records for name in record.cells))
