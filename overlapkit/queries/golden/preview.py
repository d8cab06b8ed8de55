"""A look at a golden set before it is used: its form, its columns and what they are taken for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from overlapkit.queries.golden.cells import is_blank
from overlapkit.queries.golden.columns import roles_of
from overlapkit.queries.golden.forms import read_table
from overlapkit.readers.names import legible

_ROWS = 5
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class GoldenPreview:
    """What a golden set looks like.

    ``roles`` holds the column guessed for each role that has one. ``rows`` are the first five,
    a text of at most 500 characters per column; ``records`` is how many rows there are.
    """

    form: str
    columns: tuple[str, ...]
    roles: Mapping[str, str]
    rows: tuple[tuple[str, ...], ...]
    records: int


def preview_golden(data: bytes, source: str = "golden") -> GoldenPreview:
    """Return the look of a golden set; nothing is searched for.

    Raises QueryError when the file is no text, or holds nothing that could be rows.
    """
    table = read_table(data, source)
    rows = tuple(
        tuple(_shown(record.cells.get(name)) for name in table.columns)
        for record in table.records[:_ROWS]
    )
    # A legible name is found again when it is set by hand.
    names = tuple(map(legible, table.columns))
    roles = {role: legible(name) for role, name in roles_of(table.columns).items()}
    return GoldenPreview(table.form, names, roles, rows, len(table.records))


def _shown(value: object) -> str:
    if is_blank(value):
        return ""
    if not isinstance(value, str):
        try:
            value = json.dumps(value, ensure_ascii=False)
        except RecursionError:
            value = "…"
    text = value.encode("utf-8", "replace").decode()  # half a character cannot be shown
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
