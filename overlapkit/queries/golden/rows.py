"""A row's cells as a question and the pieces of evidence that it names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from overlapkit.errors import QueryError
from overlapkit.queries.golden.cells import (
    first_text,
    is_blank,
    items_of,
    read_literal,
    shown,
    values_of,
)
from overlapkit.queries.golden.columns import ALL_NEEDED, NAMES, plain_name
from overlapkit.queries.model import Need

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
# How RAGAS marks the texts of a question that needs several of them.
_HOP = re.compile(r"\s*<\d+-hop>\s*")


class RowError(QueryError):
    """A row cannot be used; ``nearest`` is the text most like the evidence not found."""

    def __init__(self, reason: str, nearest: str = "") -> None:
        super().__init__(reason)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence as given: in ``document``, or anywhere; by offsets, text or both.

    Offsets are as in the file, None where not given. ``within`` makes them, and ``text``,
    relative to that text, which is to be found in the corpus.
    """

    text: str | None
    document: str | None
    start: object = None
    end: object = None
    within: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its evidence as given; ``need`` is None where the row does not say."""

    text: str
    pieces: tuple[Piece, ...]
    need: Need | None
    all_by_form: bool
    answer: str | None
    tag: str | None


def read_row(cells: Mapping[str, object], roles: Mapping[str, str]) -> Asked:
    """Return what a row asks; raises RowError where it cannot be used."""
    cell = {role: cells.get(name) for role, name in roles.items()}
    text = cell.get("question")
    if not isinstance(text, str) or not text.strip():
        raise RowError("the question is missing or empty: give it as `query`")
    need = _need(cell.get("need"))
    pieces = _answers_within(cells, roles)
    if pieces is None:
        pieces = _pieces(cell)
        answer = first_text(cell.get("answer"))
    else:
        answer = pieces[0].text
    unmarked = [_without_hop(piece) for piece in pieces]
    tag = cell.get("tag")
    tags = [first_text(one) for one in (tag if isinstance(tag, list) else [tag])]
    joined = ", ".join(one for one in tags if one is not None)
    return Asked(
        _whole_characters(text, "question"),
        tuple(dict.fromkeys(unmarked)),
        need,
        unmarked != pieces or plain_name(roles.get("evidence", "")) in ALL_NEEDED,
        None if answer is None else _whole_characters(answer, "answer"),
        _whole_characters(joined, "tag") or None,
    )


def _whole_characters(text: str, what: str) -> str:
    if _HALF_CHARACTER.search(text):
        raise RowError(f"the {what} holds half a character (a lone surrogate): write it whole")
    return text


def _need(value: object) -> Need | None:
    if is_blank(value):
        return None
    said = value.strip().lower() if isinstance(value, str) else value
    if said == "any":
        return "any"
    if said == "all":
        return "all"
    raise RowError(f"need must be any or all; got {shown(value)}")


def _without_hop(piece: Piece) -> Piece:
    mark = _HOP.match(piece.text or "")
    return replace(piece, text=(piece.text or "")[mark.end() :]) if mark else piece


def _pieces(cell: Mapping[str, object]) -> list[Piece]:
    """Return the pieces of the evidence, start, end and document columns, one to one."""
    items = _items(cell.get("evidence"))
    starts, ends, documents = (_given(cell.get(name)) for name in ("start", "end", "document"))
    count = max(len(items), len(starts), len(ends))
    if not count:
        raise RowError(
            "the evidence is missing or empty: give a text of a document, or a list of doc, "
            "start, end"
        )
    each = documents * count if len(documents) == 1 else documents
    columns = [values or [None] * count for values in (items, each, starts, ends)]
    if any(len(values) != count for values in columns):
        raise RowError(
            f"the row has {len(items)} texts, {len(starts)} starts, {len(ends)} ends and "
            f"{len(documents)} documents: give as many of each, or one document"
        )
    return [_piece(*values) for values in zip(*columns, strict=True)]


def _items(value: object) -> list[object]:
    items = items_of(value)
    # A text may be code that reads like an object.
    if isinstance(value, str) and any(isinstance(i, dict) and not _parts(i) for i in items):
        return [value]
    return items


def _given(value: object) -> list[object]:
    values = values_of(value)
    return values if any(one is not None for one in values) else []


def _parts(item: Mapping[str, object]) -> dict[str, object]:
    """Return the document, text, start and end of an evidence object, where they are given."""
    plain = {plain_name(name): value for name, value in item.items() if not is_blank(value)}
    found = {}
    for role in ("document", "evidence", "start", "end"):
        name = next((name for name in NAMES[role] if name in plain), None)
        if name is not None:
            found[role] = plain[name]
    return found


def _piece(item: object, document: object, start: object, end: object) -> Piece:
    if isinstance(item, dict):
        parts = _parts(item)
        item = parts.get("evidence")
        item = item if isinstance(item, str) else None
        document = parts.get("document", document)
        start, end = parts.get("start", start), parts.get("end", end)
        if item is None and start is None and end is None:
            raise RowError("an evidence item must hold doc, start and end, or a text")
    if item is not None and not isinstance(item, str):
        raise RowError(
            f"an evidence item must be an object with doc, start and end, or a text; got "
            f"{shown(item)}"
        )
    if document is not None and type(document) not in (str, int):
        raise RowError(f"no document is called {shown(document)} in this corpus")
    return Piece(item, None if document is None else str(document), _hashed(start), _hashed(end))


def _hashed(offset: object) -> object:
    return shown(offset) if isinstance(offset, (list, dict)) else offset


def _answers_within(cells: Mapping[str, object], roles: Mapping[str, str]) -> list[Piece] | None:
    """Return SQuAD's answers, each with its offset in the row's context; None in other rows."""
    context, name = cells.get(roles.get("evidence", "")), roles.get("answer", "")
    if plain_name(name) != "answers" or not isinstance(context, str) or not context.strip():
        return None
    value = cells.get(name)
    value = read_literal(value) if isinstance(value, str) else value
    if str(cells.get("is_impossible")).lower() in ("true", "1"):
        raise RowError("the set says that its text does not answer it (is_impossible)")
    pairs = _answer_pairs(value)
    if pairs is None:
        return None
    if not pairs:
        raise RowError("no answer is given: a question without one cannot be scored")
    return [
        Piece(text, None, _hashed(start), None, context)
        for text, start in pairs
        if isinstance(text, str)
    ]


def _answer_pairs(value: object) -> list[tuple[object, object]] | None:
    if isinstance(value, dict):
        texts, starts = value.get("text"), value.get("answer_start")
        if isinstance(texts, list) and isinstance(starts, list) and len(texts) == len(starts):
            return list(zip(texts, starts, strict=True))
    elif isinstance(value, list) and all(isinstance(one, dict) and "text" in one for one in value):
        return [(one["text"], one.get("answer_start")) for one in value]
    return None
