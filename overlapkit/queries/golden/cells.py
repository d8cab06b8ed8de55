"""What a cell holds: one value or a list, as JSON, as Python writes it, or as plain text."""

import json
import math
import re
from collections.abc import Mapping, Sequence

# Strings, and what Python and numpy write around them that JSON does not know. A string that
# is not closed runs to the end, so that no quotation mark is looked at twice.
_TOKEN = re.compile(
    r"""(?P<string>'[^'\\]*(?:\\(?:.|\Z)[^'\\]*)*(?:'|\Z)|"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z))
    | (?P<word>\b(?:None|True|False|nan)\b)
    | array\( | ,\s*dtype=[\w.]+ | [()]""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4})|(.))",
    re.IGNORECASE | re.DOTALL,
)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS = {"None": "null", "True": "true", "False": "false", "nan": "null"}
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,18})(?:\.0*)?\s*")


def items_of(value: object) -> list[object]:
    """Return the texts and objects of an evidence cell; blank ones are no items.

    A list in brackets counts as one only if it holds texts or objects; ``[1] see below``
    and ``[1]`` are plain texts.
    """
    if isinstance(value, str):
        value = _parsed(value)
    items = value if isinstance(value, list) else [value]
    return [item for item in items if not is_blank(item)]


def values_of(value: object) -> list[object]:
    """Return the values of a cell that holds one or a list of them."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        read = read_literal(value)
        value = read if isinstance(read, list) else value
    values = value if isinstance(value, list) else [value]
    return [None if is_blank(one) else one for one in values]


def first_text(value: object) -> str | None:
    """Return the text of a cell, the first of a list of them, or None."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        read = read_literal(value)
        value = read if isinstance(read, list) and _all(read, str) else value
    if isinstance(value, list):
        value = next((one for one in value if not is_blank(one)), None)
    if isinstance(value, str):
        return value if value.strip() else None
    return str(value) if type(value) in (int, float) and not is_blank(value) else None


def whole(value: object) -> int | None:
    """Return a whole number, written as one or as 5.0 or in a text, else None."""
    if type(value) is int:
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else None
    found = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else None


def is_blank(value: object) -> bool:
    """Tell whether a cell says nothing: none, blank, or the number that is none."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or (isinstance(value, str) and not value.strip())


def shown(value: object) -> str:
    """Return a value for a message, in at most some 60 characters."""
    if isinstance(value, (list, Mapping)):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…{text[-1]}"


def read_literal(text: str) -> object:
    """Return what a JSON text, or a Python one as pandas writes it, stands for; else None."""
    for written in (text, None):
        try:
            return json.loads(_as_json(text) if written is None else written, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _parsed(text: str) -> object:
    if not text.lstrip().startswith(("[", "{")):
        return text
    read = read_literal(text)
    if isinstance(read, dict):
        return read
    return read if isinstance(read, list) and _all(read, (str, dict, type(None))) else text


def _all(values: Sequence[object], kinds: type | tuple[type, ...]) -> bool:
    return all(isinstance(value, kinds) for value in values)


def _as_json(text: str) -> str:
    """Return a Python literal of lists, dicts, texts and numbers as JSON.

    numpy writes no comma between the texts of an array; Python would join them.
    """
    parts: list[str] = []
    after_string = False
    at = 0
    for match in _TOKEN.finditer(text):
        between = text[at : match.start()]
        parts.append(between)
        string = match["string"]
        if string is not None:
            if after_string and not between.strip():
                parts.append(",")
            parts.append(json.dumps(_ESCAPE.sub(_unescaped, string[1:-1])))
        elif match["word"] is not None:
            parts.append(_WORDS[match["word"]])
        after_string = string is not None
        at = match.end()
    parts.append(text[at:])
    return "".join(parts)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16))
    return _CONTROLS.get(match[4], match[4] if match[4] in "'\"\\" else match[0])
