"""The ids of a live index held against those it should hold."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.errors import InputError
from overlapkit.updates.ids import Live, live_of
from overlapkit.updates.snapshots import Snapshot

ANOTHER_VERSION = "another version"
ANOTHER_SETTING = "another setting"

State = tuple[str, str]  # version and setting


class Missing(NamedTuple):
    """A chunk that should be there."""

    id: str
    document: str


class Stale(NamedTuple):
    """A chunk of another state of a document.

    ``state`` is the label of the older export that holds it; where only the row itself tells,
    it is ``another version`` or ``another setting``.
    """

    id: str
    document: str
    state: str


class Repeated(NamedTuple):
    """An id that is listed more than once."""

    id: str
    times: int


class Mixed(NamedTuple):
    """A document of which several states stand at once, by their labels."""

    document: str
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """What is wrong with a live index.

    ``listed`` counts rows, ``wanted`` the chunks that should be there and ``present`` those
    that are. ``orphans`` are ids that no state knows and whose rows do not tell either.
    """

    listed: int
    wanted: int
    present: int
    missing: tuple[Missing, ...]
    stale: tuple[Stale, ...]
    orphans: tuple[str, ...]
    repeated: tuple[Repeated, ...]
    mixed: tuple[Mixed, ...]

    @property
    def clean(self) -> bool:
        """Whether the index holds what it should, each chunk once, and nothing else."""
        return not (self.missing or self.stale or self.orphans or self.repeated)


class _Place(NamedTuple):
    """A document and a state of it, with what people call that."""

    document: str
    state: State
    label: str


def check_live(
    ids: Iterable[str | Live | Mapping[str, object]],
    wanted: Snapshot,
    older: Sequence[Snapshot] = (),
) -> LiveCheck:
    """Return how the ids of a live index differ from the wanted ones.

    ``older`` are states that the index was in, or may have been; the first that knows an id
    names it. An id that none knows is still stale, not an orphan, where its row names a
    document that one knows, and a version or a setting other than the wanted ones.

    Raises InputError for a row without an id.
    """
    counts: Counter[str] = Counter()
    rows: dict[str, Live] = {}
    for row in map(_live, ids):
        counts[row.id] += 1
        rows.setdefault(row.id, row)
    stale, orphans, standing = _sorted_out(rows.values(), wanted, older)
    missing = tuple(
        Missing(one, own.name) for own in wanted.documents for one in own.ids if one not in rows
    )
    mixed = (Mixed(name, tuple(standing[name].values())) for name in sorted(standing))
    return LiveCheck(
        counts.total(),
        len(wanted),
        len(wanted) - len(missing),
        missing,
        tuple(stale),
        tuple(orphans),
        tuple(Repeated(one, count) for one, count in counts.items() if count > 1),
        tuple(one for one in mixed if len(one.states) > 1),
    )


def _live(one: str | Live | Mapping[str, object]) -> Live:
    if isinstance(one, Live):
        return one
    found = Live(one) if isinstance(one, str) else live_of(one)
    if found is None:
        raise InputError(f"a row of a live index needs an id; got {repr(one)[:60]}")
    return found


class _Sorted(NamedTuple):
    stale: list[Stale]
    orphans: list[str]
    standing: dict[str, dict[State, str]]  # per document, the labels of the states found


def _sorted_out(rows: Iterable[Live], wanted: Snapshot, older: Sequence[Snapshot]) -> _Sorted:
    places = _places((wanted, *older))
    expected = {one for own in wanted.documents for one in own.ids}
    documents = {own.name for state in (wanted, *older) for own in state.documents}
    states = {own.name: (own.version, own.setting) for own in wanted.documents}
    found = _Sorted([], [], {})
    for row in rows:
        place = places.get(row.id) or _told(row, documents, states)
        if place is None:
            found.orphans.append(row.id)
            continue
        found.standing.setdefault(place.document, {}).setdefault(place.state, place.label)
        if row.id not in expected:
            found.stale.append(Stale(row.id, place.document, place.label))
    return found


def _places(snapshots: Iterable[Snapshot]) -> dict[str, _Place]:
    """Return where each id belongs, by the first snapshot that has it."""
    found: dict[str, _Place] = {}
    for snapshot in snapshots:
        for own in snapshot.documents:
            place = _Place(own.name, (own.version, own.setting), snapshot.label)
            for one in own.ids:
                found.setdefault(one, place)
    return found


def _told(row: Live, documents: Collection[str], wanted: Mapping[str, State]) -> _Place | None:
    """Return where a row itself says that it belongs, if that is to another state."""
    if row.document is None or row.document not in documents or row.version is None:
        return None
    state, own = (row.version, row.setting or ""), wanted.get(row.document)
    if own is None or row.version != own[0]:
        return _Place(row.document, state, ANOTHER_VERSION)
    return None if state == own else _Place(row.document, state, ANOTHER_SETTING)
