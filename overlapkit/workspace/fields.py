"""Values of a file from outside, each named by its place in the messages about it."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from overlapkit.errors import InputError

REMEDY = "choose a workspace file as overlapkit wrote it"
LONGEST_NAME = 100_000  # characters
LARGEST = 2**53 - 1  # the largest whole number that every reader of JSON holds exactly

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_HEX = re.compile("[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Field:
    """A value with its place; every method raises InputError where it is not as asked for."""

    value: object
    place: str

    def get(self, name: str) -> "Field":
        """Return a field of an object, None where it is missing."""
        return Field(self.table().get(name), f"{self.place}.{name}" if self.place else name)

    def table(self) -> dict[str, object]:
        """Return an object's fields."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return self.value

    def items(self, most: int = 1_000_000) -> Iterator["Field"]:
        """Yield the items of a list; none where the field is missing."""
        held = [] if self.value is None else self.value
        if not isinstance(held, list) or len(held) > most:
            raise self.wrong(f"a list of at most {most:,}")
        return (Field(item, f"{self.place}[{at}]") for at, item in enumerate(held))

    def text(self, most: int | None = None) -> str:
        """Return a text of whole characters."""
        if not isinstance(self.value, str) or (most is not None and len(self.value) > most):
            raise self.wrong("a text" if most is None else f"a text of at most {most:,} characters")
        if not self.value.isascii() and _HALF_CHARACTER.search(self.value):
            raise self.wrong("a text of whole characters, without lone surrogates")
        return self.value

    def text_or_none(self, most: int | None = None) -> str | None:
        """Return a text, or None where it is missing."""
        return None if self.value is None else self.text(most)

    def name(self) -> str:
        """Return a text that names something."""
        return self.text(LONGEST_NAME)

    def name_or_none(self) -> str | None:
        """Return a name, or None where it is missing."""
        return None if self.value is None else self.name()

    def whole(self, low: int = 0, high: int = LARGEST) -> int:
        """Return a whole number of a range."""
        held = self.value
        if not isinstance(held, int) or isinstance(held, bool) or not low <= held <= high:
            raise self.wrong(f"a whole number in {low:,}..{high:,}")
        return held

    def choice(self, choices: Sequence[str]) -> str:
        """Return one of some words."""
        if not isinstance(self.value, str) or self.value not in choices:
            raise self.wrong(f"one of {', '.join(choices)}")
        return self.value

    def hexadecimal(self, digits: int) -> str:
        """Return a text of so many hexadecimal digits, in lower case."""
        held = self.value
        if not isinstance(held, str) or len(held) != digits or not _HEX.fullmatch(held):
            raise self.wrong(f"{digits} hexadecimal digits")
        return held

    def wrong(self, rule: str) -> InputError:
        """Return the error for a value that breaks a rule."""
        place = self.place or "content"
        return InputError(f"the file's {place} must be {rule}; got {shown(self.value)}: {REMEDY}")


def repeated(names: Iterable[str]) -> str | None:
    """Return the first name that occurs again, None where each is given once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def shown(value: object) -> str:
    """Return a value for a message, in few characters."""
    if value is None:
        return "nothing"
    if isinstance(value, list | dict):
        noun = "a list" if isinstance(value, list) else "an object"
        return f"{noun} of {len(value):,}"
    text = repr(value[:60]) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def parse(data: bytes, largest: int) -> object:
    """Return what JSON stands for; raises InputError for all that is none, or is ambiguous.

    A repeated name, NaN, and a number too large for a float are refused.
    """
    if len(data) > largest:
        raise InputError(
            f"a workspace file may have at most {largest:,} bytes; got {len(data):,}: {REMEDY}"
        )
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite,
        )  # fmt: skip
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise _unreadable("UTF-8 text", f"byte {error.start:,} is none") from None
    except RecursionError:
        raise _unreadable("nested in few levels", "too many") from None
    except json.JSONDecodeError as error:
        raise _unreadable("JSON", f"on line {error.lineno:,}: {error.msg.lower()}") from None
    except ValueError:  # the interpreter's limit on the digits of a whole number
        raise _unreadable("JSON with numbers of few digits", "thousands of digits") from None


def as_json(field: Field) -> str:
    """Return a value that is only kept as JSON, always written alike."""
    try:
        return json.dumps(field.value, allow_nan=False)
    except RecursionError:
        raise field.wrong("nested in few levels") from None


def _unreadable(rule: str, got: str) -> InputError:
    return InputError(f"a workspace file must be {rule}; got {got}: {REMEDY}")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = repeated(name for name, _ in pairs)
        raise _unreadable("JSON with each name once", f"{shown(twice)} twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise _unreadable("JSON with numbers", word)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _unreadable("JSON with finite numbers", shown(text))
    return value
