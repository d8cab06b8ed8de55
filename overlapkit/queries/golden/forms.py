"""Which form a golden set has, told by its content: CSV, JSON lines, JSON, SQuAD."""

import json
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from overlapkit.errors import InputError, QueryError
from overlapkit.queries.golden.cells import shown
from overlapkit.queries.golden.columns import roles_of
from overlapkit.queries.golden.records import Record, Table, columns_of
from overlapkit.queries.golden.separated import read_separated
from overlapkit.readers.decode import decode

_NO_OBJECT = "a row must be a JSON object"


def read_table(data: bytes, source: str) -> Table:
    """Return the rows of a golden set in whatever form it has.

    Raises QueryError when the file is no text, or holds nothing that could be rows.
    """
    try:
        text = decode(data).text
    except InputError as error:
        raise QueryError(f"{source} cannot be read as text: {error}") from None
    try:
        return _read_json(text) if text.lstrip().startswith(("{", "[")) else read_separated(text)
    except QueryError as error:
        raise QueryError(f"{source}: {error}") from None


def _read_json(text: str) -> Table:
    whole, problem = _loads(text)
    if problem is not None:
        lines = _json_lines(text)
        usable = sum(not record.problem for record in lines)
        if usable and (not lines[0].problem or 2 * usable >= len(lines)):
            return Table("JSON lines", columns_of(lines), lines)
        return Table("JSON", (), (Record(problem[0], {}, problem[1]),))
    articles = _articles(whole)
    if articles:
        return _squad(articles)
    if isinstance(whole, dict) and isinstance(_cell_of(whole, "question"), str):
        number = text[: text.index("{")].count("\n") + 1
        return Table("JSON lines", tuple(whole), (Record(number, whole),))
    rows = _rows_of(whole) if isinstance(whole, dict) else whole
    return _listed(rows if isinstance(rows, list) else [])


def _loads(text: str) -> tuple[object, tuple[int, str] | None]:
    """Return what a JSON text holds, or the line and the reason why it cannot be read."""
    try:
        return json.loads(text, strict=False), None
    except json.JSONDecodeError as error:
        return None, (error.lineno, f"not valid JSON ({error.msg} at column {error.colno})")
    except (ValueError, RecursionError):
        return None, (1, "not usable JSON (too deep, or a number too long)")


def _json_lines(text: str) -> tuple[Record, ...]:
    # Only a newline parts rows: other line separators may stand in a text.
    return tuple(
        _json_line(number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    )


def _json_line(number: int, line: str) -> Record:
    row, problem = _loads(line)
    return _record(number, row) if problem is None else Record(number, {}, problem[1])


def _record(number: int, row: object) -> Record:
    return Record(number, row) if isinstance(row, dict) else Record(number, {}, _NO_OBJECT)


def _listed(rows: list[object]) -> Table:
    records = tuple(_record(number, row) for number, row in enumerate(rows, start=1))
    return Table("JSON", columns_of(records), records)


def _cell_of(row: Mapping[str, object], role: str) -> object:
    return row.get(roles_of(tuple(row)).get(role, ""))


def _rows_of(whole: Mapping[str, object]) -> list[object]:
    """Return the one list of rows that an object holds, or the rows of its columns."""
    columns = _columns(whole)
    if columns:
        return columns
    lists: dict[str, list[object]] = {
        name: value for name, value in whole.items() if _is_rows(value)
    }
    if len(lists) > 1:
        asking = {name: rows for name, rows in lists.items() if any(map(_asks, rows))}
        lists = asking if len(asking) == 1 else lists
    if len(lists) != 1:
        held = f"several ({', '.join(map(shown, lists))})" if lists else "none"
        raise QueryError(f"a JSON object must hold one list of rows; this one holds {held}")
    return next(iter(lists.values()))


def _is_rows(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _asks(row: object) -> bool:
    return isinstance(row, dict) and _cell_of(row, "question") is not None


def _columns(whole: Mapping[str, object]) -> list[object]:
    """Return the rows of an object of columns, as data frames are written; else none."""
    questions = _cell_of(whole, "question")
    if not isinstance(questions, (list, dict)) or _is_rows(questions):
        return []
    keys = list(questions) if isinstance(questions, dict) else list(range(len(questions)))
    kind = type(questions)
    columns = {
        name: value
        for name, value in whole.items()
        if isinstance(value, kind) and len(value) == len(keys)
    }
    return [
        {
            name: column.get(key) if isinstance(column, dict) else column[key]
            for name, column in columns.items()
        }
        for key in keys
    ]


def _articles(whole: object) -> list[object]:
    """Return SQuAD's articles: under data, in a list, or one alone; else none."""
    data = whole.get("data") if isinstance(whole, dict) else whole
    for articles in (data, [whole]):
        if isinstance(articles, list) and articles and all(map(_is_article, articles)):
            return articles
    return []


def _is_article(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("paragraphs"), list)


def _squad(articles: list[object]) -> Table:
    """Return one row per question of SQuAD's articles, paragraphs and questions."""
    records = tuple(
        Record(number, row) if row else Record(number, {}, _NO_OBJECT)
        for number, row in enumerate(_questions(articles), start=1)
    )
    return Table("SQuAD", columns_of(records), records)


def _questions(articles: list[object]) -> Iterator[Mapping[str, object]]:
    for article in _objects(articles):
        for paragraph in _objects(article.get("paragraphs")):
            shared = {
                name: value
                for name, value in (article | paragraph).items()
                if name not in ("paragraphs", "qas")
            }
            questions = paragraph.get("qas")
            for question in questions if isinstance(questions, list) else []:
                yield {**shared, **question} if isinstance(question, dict) else {}


def _objects(items: object) -> Iterator[dict[str, object]]:
    if isinstance(items, list):
        yield from (item for item in items if isinstance(item, dict))
