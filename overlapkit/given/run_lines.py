"""Files of runs to results: TREC lines, JSON lines and CSV, as retrievers write them."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from overlapkit.errors import InputError
from overlapkit.given.names import chunk_name
from overlapkit.given.rows import (
    Fields,
    Finder,
    as_number,
    first_number,
    first_text,
    first_whole,
    json_rows,
    names_in,
)

_QUERY = ("query_id", "qid", "query-id", "queryid", "question_id", "topic", "id", "_id")
_LISTS = ("chunks", "results", "ranked", "ids")
_RESULT: dict[str, tuple[str, ...]] = {
    "chunk": (
        "chunk_id", "id", "_id", "docid", "doc_id", "doc-id", "document_id", "corpus-id",
        "passage_id", "pid", "chunk",
    ),
    "rank": ("rank", "position"),
    "score": ("score", "similarity"),
    "distance": ("distance", "_distance"),  # the smaller, the better
    "doc": ("doc",),
    "start": ("start",),
    "end": ("end",),
}  # fmt: skip
_TREC_FIELDS = 5  # the sixth, the tag, says nothing about a result
_GUARDED = re.compile(r"'[=+\-@\t\r]")  # how a cell is kept from being a formula
_LONGEST_HEADER = 10_000


@dataclass(frozen=True, slots=True)
class Unusable:
    """A row or a result of a run that does not count, listed with its reason."""

    row: int
    id: str
    reason: str


class Result(NamedTuple):
    """A chunk that a run brings for a question; the higher its score, the better."""

    row: int
    query: str
    chunk: str
    rank: float | None
    score: float | None


@dataclass(slots=True)
class Lines:
    """What a file says: its results, and the questions it names with their first row.

    ``trec`` says that it is in TREC's form, whose names hold no white space.
    """

    trec: bool = False
    results: list[Result] = field(default_factory=list)
    mentioned: dict[str, int] = field(default_factory=dict)
    unusable: list[Unusable] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Add a result."""
        self.mentioned.setdefault(result.query, result.row)
        self.results.append(result)

    def refuse(self, row: int, reason: str) -> None:
        """List a row that says nothing usable."""
        self.unusable.append(Unusable(row, f"row {row}", reason))


def read_lines(text: str, source: str) -> Lines:
    """Return what a run says; its form is told by its beginning."""
    if text.lstrip().startswith(("{", "[")):
        return _read_json(text, source)
    header = text.lstrip("\r\n").partition("\n")[0][:_LONGEST_HEADER]
    for delimiter in (",", ";", "\t"):
        names = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter))]
        query = next((name for name in _QUERY if name in names), None)
        if query is not None and {*names} - {query} & {*_RESULT["chunk"]}:
            return _read_csv(text, delimiter, names, query)
    return _read_trec(text)


def _read_trec(text: str) -> Lines:
    lines = Lines(trec=True)
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) < _TREC_FIELDS:
            lines.refuse(number, "a line must read: question Q0 chunk rank score tag")
            continue
        query, _, chunk, rank, score = fields[:_TREC_FIELDS]
        lines.add(Result(number, query, chunk, as_number(rank), as_number(score)))
    return lines


def _read_csv(text: str, delimiter: str, names: list[str], query: str) -> Lines:
    lines = Lines()
    finder = Finder(**_RESULT)
    for number, cells in _csv_rows(text, delimiter, lines):
        row = {
            name: _unguarded(cell.strip())
            for name, cell in zip(names, cells, strict=False)
        }  # fmt: skip
        asked = row.pop(query, "")
        result = _result(number, asked, row, finder)
        if result is None or not asked:
            lines.refuse(number, f"a row must hold {query} and the id of a chunk")
        else:
            lines.add(result)
    return lines


def _csv_rows(text: str, delimiter: str, lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) below the header; a blank line is none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = True
    try:
        for cells in reader:
            if any(cells) and not header:
                yield reader.line_num, cells
            header = header and not any(cells)
    except csv.Error as error:
        lines.refuse(reader.line_num, f"not valid CSV ({error})")


def _read_json(text: str, source: str) -> Lines:
    lines = Lines()
    finder = Finder(query=_QUERY, **{name: (name,) for name in _LISTS})
    of_result = Finder(**_RESULT)
    for number, row in json_rows(text, source):
        if isinstance(row, InputError):
            lines.refuse(number, str(row))
            continue
        found = finder.find(row)
        query = next(iter(names_in(found["query"])), None)
        items = next((value for name in _LISTS for value in found[name]), None)
        if query is None or not isinstance(items, list | dict):
            lines.refuse(number, "a row needs query_id and chunks, a list of chunk ids")
            continue
        lines.mentioned.setdefault(query, number)
        for item in _items(items):
            result = _result(number, query, item, of_result)
            if result is None:
                said = repr(item)[:60]
                lines.refuse(number, f"a result needs the id of a chunk; got {said}")
            else:
                lines.add(result)
    return lines


def _items(items: list[object] | dict[str, object]) -> Iterable[Fields]:
    """Return results as objects, also where they are bare ids, or scores by id."""
    if isinstance(items, dict):
        return ({"id": name, "score": score} for name, score in items.items())
    return (item if isinstance(item, dict) else {"id": item} for item in items)


def _result(row: int, query: str, item: Fields, finder: Finder) -> Result | None:
    found = finder.find(item)
    name = next(iter(names_in(found["chunk"])), None) or _name_of_span(found)
    if name is None:
        return None
    distance = first_number(found["distance"])
    score = first_number(found["score"]) if distance is None else -distance
    return Result(row, query, name, first_number(found["rank"]), score)


def _name_of_span(found: Mapping[str, list[object]]) -> str | None:
    """Return the name of a chunk given as our own rows of questions have it."""
    doc = first_text(found["doc"])
    start, end = first_whole(found["start"]), first_whole(found["end"])
    return None if doc is None or start is None or end is None else chunk_name(doc, start, end)


def _unguarded(cell: str) -> str:
    """Return a cell without the mark that keeps a spreadsheet from running it."""
    return cell[1:] if _GUARDED.match(cell) else cell
