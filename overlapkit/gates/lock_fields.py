"""A lock as plain names and values, ready for JSON, and back with every field validated."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from overlapkit.errors import InputError, SettingsError
from overlapkit.gates.lock import PARTS, Change, Lock, Part, Shown
from overlapkit.gates.model import Gate
from overlapkit.gates.parsing import parse_gate

MOST_ITEMS = 10_000
LONGEST_TEXT = 1000  # characters
LARGEST = 2**53 - 1  # the largest whole number that every reader of JSON holds exactly

_T = TypeVar("_T")


def lock_fields(lock: Lock) -> dict[str, object]:
    """Return a lock as JSON can hold it; gates stand as their texts."""
    return {
        "at": lock.at,
        "gates": [gate.text for gate in lock.gates],
        "cost": lock.cost,
        "corpus": lock.corpus_digest,
        "queries": lock.query_digest,
        "settings": [[name, value] for name, value in lock.settings],
        "seed": lock.seed,
        "shown": [
            {
                "corpus": one.corpus_digest,
                "queries": one.query_digest,
                "questions": one.questions,
                "settings": one.settings,
                "part": one.part,
            }
            for one in lock.shown
        ],
        "changes": [
            {"at": one.at, "before": one.before, "after": one.after} for one in lock.changes
        ],
    }


def lock_from(mapping: Mapping[str, object]) -> Lock:
    """Return the lock that plain names and values stand for.

    Names that are not known are passed over. Raises InputError, with the place, for a field
    that is missing or breaks its rule.
    """
    return _Place(mapping, "lock").ruled(_lock)


def _lock(field: "_Place") -> Lock:
    return Lock(
        field.get("at").text(),
        tuple(one.ruled(_gate) for one in field.get("gates").items()),
        field.get("cost").text(),
        field.get("corpus").text(),
        field.get("queries").text(),
        tuple(_setting(one) for one in field.get("settings").items()),
        field.get("seed").whole(),
        tuple(one.ruled(_shown) for one in field.get("shown").items()),
        tuple(one.ruled(_change) for one in field.get("changes").items()),
    )


def _gate(field: "_Place") -> Gate:
    return parse_gate(field.text())


def _shown(field: "_Place") -> Shown:
    part = field.get("part").text()
    known: dict[str, Part] = {name: name for name in PARTS}
    if part not in known:
        raise field.get("part").wrong(f"one of {', '.join(PARTS)}")
    return Shown(
        field.get("corpus").text(),
        field.get("queries").text(),
        field.get("questions").whole(),
        field.get("settings").whole(),
        known[part],
    )


def _change(field: "_Place") -> Change:
    before, after = field.get("before"), field.get("after")
    for text in (before, after):
        if text.text():
            text.ruled(_gate)
    if before.text() == after.text():
        raise field.wrong("a change from one text to another")
    return Change(field.get("at").text(), before.text(), after.text())


def _setting(field: "_Place") -> tuple[str, str]:
    parts = [one.text() for one in field.items()]
    if len(parts) != 2:
        raise field.wrong("a name and a value")
    return parts[0], parts[1]


@dataclass(frozen=True, slots=True)
class _Place:
    """A value with its place; every method raises InputError where it is not as asked for."""

    value: object
    place: str

    def get(self, name: str) -> "_Place":
        """Return a field of an object, None where it is missing."""
        if not isinstance(self.value, Mapping):
            raise self.wrong("an object")
        return _Place(self.value.get(name), f"{self.place}.{name}")

    def items(self) -> Iterator["_Place"]:
        """Yield the items of a list."""
        if not isinstance(self.value, list | tuple) or len(self.value) > MOST_ITEMS:
            raise self.wrong(f"a list of at most {MOST_ITEMS:,}")
        yield from (_Place(item, f"{self.place}[{at}]") for at, item in enumerate(self.value))

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str) or len(self.value) > LONGEST_TEXT:
            raise self.wrong(f"a text of at most {LONGEST_TEXT:,} characters")
        return self.value

    def whole(self) -> int:
        """Return a whole number."""
        held = self.value
        if isinstance(held, bool) or not isinstance(held, int) or not 0 <= held <= LARGEST:
            raise self.wrong(f"a whole number in 0..{LARGEST:,}")
        return held

    def ruled(self, make: Callable[["_Place"], _T]) -> _T:
        """Return what is made of it; a rule that is broken is named with the place."""
        try:
            return make(self)
        except SettingsError as error:
            raise InputError(f"{self.place}: {error}") from None

    def wrong(self, rule: str) -> InputError:
        """Return the error for a value that breaks a rule."""
        held = "nothing" if self.value is None else repr(self.value)[:60]
        return InputError(f"{self.place} must be {rule}; got {held}")
