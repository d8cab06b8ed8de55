"""Statements of a code block, as ranges of its lines."""

import ast
import re
from collections.abc import Iterator

_LANGUAGE = re.compile(r"[{.\s]*(\w+)")
_PYTHON = frozenset(("python", "python3", "py", "py3"))

Lines = tuple[int, int]


def statement_lines(code: str, language: str = "") -> list[Lines]:
    r"""Return the lines of each top-level statement: first, and one beyond the last.

    Python is read by its own parser: decorators and the comments directly above stay with
    their statement, statements that share a line are one. All else, and Python that does
    not parse, falls into groups of lines between blank ones. Lines end at ``\n``.
    """
    lines = code.split("\n")
    match = _LANGUAGE.match(language)
    if match and match[1].lower() in _PYTHON:
        try:
            return list(_python(lines, ast.parse(code)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # what the parser raises for text that is no Python, or too deep for it
    return list(_groups(lines, 0, len(lines)))


def _python(lines: list[str], tree: ast.Module) -> Iterator[Lines]:
    taken = 0
    waiting: Lines | None = None
    for node in tree.body:
        first, last = _first_line(node), node.end_lineno or node.lineno
        if waiting and first < taken:
            waiting = (waiting[0], max(taken, last))
        else:
            if waiting:
                yield waiting
            while first > taken and lines[first - 1].lstrip().startswith("#"):
                first -= 1
            yield from _groups(lines, taken, first)  # comments that stand alone
            waiting = (first, last)
        taken = waiting[1]
    if waiting:
        yield waiting
    yield from _groups(lines, taken, len(lines))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1


def _groups(lines: list[str], first: int, last: int) -> Iterator[Lines]:
    begin = first
    for number in range(first, last):
        if not lines[number].strip():
            if begin < number:
                yield begin, number
            begin = number + 1
    if begin < last:
        yield begin, last
