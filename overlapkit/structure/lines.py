"""Lines as Markdown counts them, and the edges of spans."""

import re
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

# str.splitlines would also split at form feeds and others.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def line_starts(text: str) -> list[int]:
    r"""Return the offset of each line and, last, the length; lines end at \\r\\n, \\r or \\n."""
    starts = [match.start() for match in _LINE.finditer(text) if match.start() < len(text)]
    return [*starts, len(text)]


def without_newlines(text: str, end: int) -> int:
    """Return where the text before ``end`` ends when newlines behind it do not count."""
    while end and text[end - 1] in "\r\n":
        end -= 1
    return end


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without the white space at its edges; of white space alone, an empty one."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
