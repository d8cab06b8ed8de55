"""Tables of separated cells (CSV), whatever wrote them."""

import csv
import io
import re
from collections.abc import Iterator

from overlapkit.errors import QueryError
from overlapkit.queries.golden.columns import roles_of
from overlapkit.queries.golden.records import Record, Table

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# The limit belongs to the whole process. It is only ever raised, and always to the same
# value, so that two readings at a time cannot take it from one another.
_CELL_LIMIT = 2**31 - 1
_HEADING = re.compile(r'\s*((?:"[^"]*"|[^"\r\n])*)')
_QUOTED = re.compile(r'"[^"]*"')
_SAID = re.compile(r'sep=([^"\r\n ])\r?\n', re.IGNORECASE)  # how Excel is told the separator
# Stands as a row of its own behind the last one, unless an open quotation mark takes it in.
_LAST = "\ufdd0"
_UNCLOSED = "a quotation mark is opened in this row and not closed: close it, or double it"


def read_separated(text: str) -> Table:
    """Return the table of a text in commas, semicolons, tabs or bars.

    Rows are numbered with the heading as row 1; a blank line counts, and is no row.

    Raises QueryError where the heading cannot be told from the rows.
    """
    said = _SAID.match(text)
    separator = said[1] if said else _separator(text)
    form = f"CSV, separated by {_SEPARATORS.get(separator, repr(separator))}"
    rows = _rows(text[said.end() :] if said else text, separator)
    unclosed = rows[-1] != [_LAST]
    if unclosed:
        rows[-1][-1] = rows[-1][-1].removesuffix(_LAST)
    else:
        rows.pop()
    filled = [index for index, row in enumerate(rows) if any(map(str.strip, row))]
    if not filled:
        return Table(form, (), ())
    heading, last = filled[0], filled[-1]
    open_row = len(rows) if unclosed else None
    if open_row == heading + 1:
        raise QueryError(_UNCLOSED.replace("this row", "the heading"))
    names = _names(rows[heading])
    records = tuple(
        Record(number, {}, _UNCLOSED) if number == open_row else _record(number, names, row)
        for number, row in enumerate(rows[heading + 1 : last + 1], start=heading + 2)
        if len(row) > 1 or any(map(str.strip, row))
    )
    return Table(form, names, records)


def _separator(text: str) -> str:
    """Return the separator of the heading: it parts the most known names, then the most."""
    found = _HEADING.match(text)
    heading = found[1] if found else ""
    bare = _QUOTED.sub("", heading)

    def merit(separator: str) -> tuple[int, int]:
        if separator not in bare:
            return (0, 0)
        names = _names(next(_reader(heading, separator)))
        return (len(roles_of(names)), bare.count(separator))

    return max(_SEPARATORS, key=merit)


def _rows(text: str, separator: str) -> list[list[str]]:
    try:
        return list(_reader(f"{text}\n{_LAST}", separator))
    except csv.Error as error:
        raise QueryError(f"the table cannot be read ({error}): save it anew as CSV") from None


def _reader(text: str, separator: str) -> Iterator[list[str]]:
    if csv.field_size_limit() < _CELL_LIMIT:
        csv.field_size_limit(_CELL_LIMIT)
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)


def _names(row: list[str]) -> tuple[str, ...]:
    """Return the names of columns; one without a name, or with one given before, is numbered."""
    names: dict[str, None] = {}
    for number, cell in enumerate(row, start=1):
        name = " ".join(cell.replace("\ufeff", "").split()) or f"column {number}"
        while name in names:
            name = f"{name} ({number})"
        names[name] = None
    return tuple(names)


def _record(number: int, names: tuple[str, ...], row: list[str]) -> Record:
    cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
    if any(cell.strip() for cell in row[len(names) :]):
        return Record(
            number,
            cells,
            f"the row has {len(row)} cells where the heading has {len(names)}: put a cell that "
            "holds the separator into quotation marks",
        )
    return Record(number, cells)
