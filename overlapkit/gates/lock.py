"""Gates locked before the choice: what had been on show by then, and every change since."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.gates.model import Gate, check_distinct

Part = Literal["all", "explore", "confirm"]
PARTS: tuple[Part, ...] = get_args(Part)

_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|\+00:00)"
)
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Shown:
    """Results that somebody could see: of how many ``settings``, over how many ``questions``.

    ``query_digest`` is that of the whole query set, whichever ``part`` of it was evaluated.
    """

    corpus_digest: str
    query_digest: str
    questions: int
    settings: int
    part: Part = "all"

    def __post_init__(self) -> None:
        _check_digest("corpus", self.corpus_digest)
        _check_digest("question", self.query_digest)
        _check_whole("questions", self.questions)
        _check_whole("settings", self.settings)
        if self.part not in PARTS:
            raise unknown_choice("the part of the questions", self.part, PARTS)


@dataclass(frozen=True, slots=True)
class Change:
    """One gate changed after the lock, as texts; empty where it was added or taken away."""

    at: str
    before: str
    after: str

    def __post_init__(self) -> None:
        _instant(self.at)


@dataclass(frozen=True, slots=True)
class Lock:
    """Gates as they were declared at a time (ISO 8601, UTC), and for what.

    ``cost`` names the cost by which the cheapest is told, ``settings`` are names and values of
    the run, ``seed`` is that of the halves. ``query_digest`` is that of the whole query set.
    ``shown`` are the results that had been on show by then, ``changes`` what became of the
    gates since.

    Raises SettingsError for a field that breaks its rule.
    """

    at: str
    gates: tuple[Gate, ...]
    cost: str
    corpus_digest: str
    query_digest: str
    settings: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    shown: tuple[Shown, ...] = ()
    changes: tuple[Change, ...] = ()

    def __post_init__(self) -> None:
        check_distinct(self.gates)
        _check_digest("corpus", self.corpus_digest)
        _check_digest("question", self.query_digest)
        _check_whole("seed", self.seed)
        if not self.cost:
            raise SettingsError("a lock must name the cost that decides; got none: choose one")
        if len(dict(self.settings)) < len(self.settings):
            raise SettingsError("a lock must name each setting once; got one twice: keep one")
        before = _instant(self.at)
        for change in self.changes:
            after = _instant(change.at)
            if after < before:
                raise SettingsError(
                    "a change must not be earlier than what it changes; got one at "
                    f"{change.at}: correct the clock"
                )
            before = after

    @property
    def exposed(self) -> tuple[Shown, ...]:
        """Results on show at the lock over questions that are to confirm."""
        return tuple(
            one
            for one in self.shown
            if one.query_digest == self.query_digest and one.part != "explore" and one.settings
        )

    @property
    def seen_before(self) -> bool:
        """Whether results over the questions that are to confirm had been on show."""
        return bool(self.exposed)

    def amended(self, gates: Sequence[Gate], at: str) -> "Lock":
        """Return the lock with other gates, each change of one recorded.

        Raises SettingsError where a critical gate would be loosened or taken away, and for a
        time before the last change.
        """
        gates = tuple(gates)
        check_distinct(gates)
        for gate in self.gates:
            if gate.critical and not any(_as_strict(other, gate) for other in gates):
                raise SettingsError(
                    f"a critical gate may only be tightened once it is locked; {gate.text!r} "
                    "would be loosened or taken away: keep it"
                )
        changes = tuple(Change(at, before, after) for before, after in _pairs(self.gates, gates))
        return replace(self, gates=gates, changes=self.changes + changes)


def this_second() -> str:
    """Return the time of now as a lock takes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _as_strict(ours: Gate, locked: Gate) -> bool:
    """Tell whether what clears our gate is sure to clear the locked one."""
    if (ours.measure, ours.sense, ours.relative) != (locked.measure, locked.sense, locked.relative):
        return False
    higher = ours.sense == "at least" and not ours.relative
    tight = ours.limit >= locked.limit if higher else ours.limit <= locked.limit
    return tight and ours.at_bound >= locked.at_bound and ours.critical


def _pairs(before: Sequence[Gate], after: Sequence[Gate]) -> list[tuple[str, str]]:
    """Return the texts of gates that differ: those of one measure and sense side by side."""
    added = [gate for gate in after if gate not in before]
    found = []
    for gate in before:
        if gate in after:
            continue
        alike = [one for one in added if (one.measure, one.sense) == (gate.measure, gate.sense)]
        # Of several, the one that differs in least.
        same = max(alike, key=lambda one: _alike(one, gate), default=None)
        if same is not None:
            added.remove(same)
        found.append((gate.text, "" if same is None else same.text))
    return found + [("", gate.text) for gate in added]


def _alike(one: Gate, other: Gate) -> tuple[bool, bool]:
    return one.relative == other.relative, one.at_bound == other.at_bound


def _instant(at: str) -> datetime:
    """Return a time of UTC."""
    if isinstance(at, str) and _INSTANT.fullmatch(at):
        try:
            return datetime.fromisoformat(at)
        except ValueError:
            pass
    raise SettingsError(
        f"a time must be UTC in ISO 8601, such as 2025-06-01T10:30:00Z; got {str(at)[:40]!r}"
    )


def _check_digest(of: str, value: object) -> None:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise SettingsError(
            f"a {of} digest must have 64 hexadecimal digits; got {str(value)[:80]!r}"
        )


def _check_whole(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SettingsError(f"{name} must be a whole number of at least 0; got {value!r}")
