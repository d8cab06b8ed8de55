"""The small parts of a page; every text in it goes through ``safe``."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from overlapkit.readers.names import legible


class Cell(NamedTuple):
    """A cell of a table: HTML that is safe already, and a class for its looks."""

    html: str
    looks: str = ""


def safe(text: str) -> str:
    """Return a text as HTML shows it, whatever it holds."""
    return escape(legible(text))


def name(text: str) -> str:
    """Return a name from outside, such as a document's, kept from turning what is around it."""
    return f'<bdi class="name">{safe(text)}</bdi>'


def paragraph(text: str, looks: str = "") -> str:
    """Return a sentence, or nothing of none."""
    return f"<p{_class(looks)}>{safe(text)}</p>" if text else ""


def bullets(sentences: Iterable[str], *, ordered: bool = False) -> str:
    """Return sentences as a list."""
    tag = "ol" if ordered else "ul"
    items = "".join(f"<li>{safe(one)}</li>" for one in sentences)
    return f"<{tag}>{items}</{tag}>" if items else ""


def section(title: str, *parts: str) -> str:
    """Return a section under its heading, nothing where it would be empty."""
    body = "".join(parts)
    return f"<section><h2>{safe(title)}</h2>{body}</section>" if body else ""


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names with what they stand for; values are HTML that is safe already."""
    rows = "".join(f"<div><dt>{safe(term)}</dt><dd>{value}</dd></div>" for term, value in pairs)
    return f"<dl>{rows}</dl>"


def table(about: str, head: Sequence[str], rows: Sequence[Sequence[Cell]], narrow: str = "") -> str:
    """Return a table that scrolls by itself where it is too wide; the first cell heads its row.

    A column's heading is aligned as its first cell is. ``narrow`` names how the cells of a row
    are laid out on a phone. Roles are written out, since a browser drops those of tables that
    are laid out in another way.
    """
    aligned = ["figure" if one.looks == "figure" else "" for one in rows[0]] if rows else []
    heads = "".join(
        f'<th scope="col" role="columnheader"{_class(looks)}>{safe(one)}</th>'
        for one, looks in zip(head, aligned, strict=True)
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{safe(about)}">'
        f'<table role="table"{_class(narrow)}><thead role="rowgroup"><tr role="row">{heads}</tr>'
        f'</thead><tbody role="rowgroup">{"".join(map(_row, rows))}</tbody></table></div>'
    )


def verdict(*, passed: bool) -> Cell:
    """Return whether a gate holds: by a word and a sign, and by colour beside them."""
    if passed:
        return Cell('<span aria-hidden="true">✓ </span>holds', "good")
    return Cell('<span aria-hidden="true">✗ </span>fails', "bad")


def cell(text: str, looks: str = "") -> Cell:
    """Return a cell of text."""
    return Cell(safe(text), looks)


def _row(row: Sequence[Cell]) -> str:
    first, *others = row
    cells = "".join(f'<td role="cell"{_class(one.looks)}>{one.html}</td>' for one in others)
    head = f'<th scope="row" role="rowheader"{_class(first.looks)}>{first.html}</th>'
    return f'<tr role="row">{head}{cells}</tr>'


def _class(looks: str) -> str:
    return f' class="{looks}"' if looks else ""
