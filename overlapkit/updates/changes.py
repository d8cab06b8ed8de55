"""What became of a document's chunks between two states of it."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.errors import InputError
from overlapkit.updates.snapshots import Chunked


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The chunks of a document before and after, by what has to be done with them.

    Numbers are places among the chunks after, except for ``vanished``, which are places
    among those before.

    embedded
        No chunk before has this text, and no earlier chunk after: each new text is embedded
        once.
    reused
        All others after: the vector is there, from a chunk before or from one just embedded.
    kept
        Those of ``reused`` whose span and text are the same as before.
    appeared
        Of each text, as many chunks as there are more of it after than before, the last ones.
        A text that stood once and now stands twice has appeared once and is not embedded.
    vanished
        Of each text, as many chunks as there are fewer of it after than before, the last ones.
    added_ids, removed_ids
        Ids of one state that the other does not have. Between two versions of a text these
        are all of them, whatever the chunks: an id names one version alone.
    """

    embedded: tuple[int, ...]
    reused: tuple[int, ...]
    kept: tuple[int, ...]
    appeared: tuple[int, ...]
    vanished: tuple[int, ...]
    added_ids: tuple[str, ...]
    removed_ids: tuple[str, ...]


def change_set(before: Chunked, after: Chunked) -> ChangeSet:
    """Return what became of a document's chunks; versions, settings or both may differ.

    Raises InputError for two different documents.
    """
    if before.name != after.name:
        raise InputError(
            f"a change set is one of a single document; got {before.name!r} and {after.name!r}"
        )
    found = compare(before.keys, after.keys, set(before.keys))
    embedded = set(found.embedded)
    places = range(len(after.keys))
    stood = set(_placed(before))
    kept = tuple(at for at, one in zip(places, _placed(after), strict=True) if one in stood)
    return ChangeSet(
        found.embedded,
        tuple(at for at in places if at not in embedded),
        kept,
        found.appeared,
        found.vanished,
        without(after.ids, before.ids),
        without(before.ids, after.ids),
    )


class Compared(NamedTuple):
    """Places of chunks, named as in ``ChangeSet``."""

    embedded: tuple[int, ...]
    appeared: tuple[int, ...]
    vanished: tuple[int, ...]


def compare(
    before: Sequence[Hashable], after: Sequence[Hashable], stored: Collection[Hashable]
) -> Compared:
    """Return what is embedded, has appeared and has vanished, of texts or of their keys.

    ``stored`` holds all those before. Chunks that are the same before and after may be left
    out of both lists.
    """
    first: dict[Hashable, int] = {}
    for at, text in enumerate(after):
        if text not in stored:
            first.setdefault(text, at)
    return Compared(tuple(first.values()), _beyond(after, before), _beyond(before, after))


def without(ids: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the ids that are not among others, in their order."""
    known = set(others)
    return tuple(one for one in ids if one not in known)


def _beyond(texts: Sequence[Hashable], others: Sequence[Hashable]) -> tuple[int, ...]:
    """Return the places of texts that are more than there are of them among others."""
    left = Counter(others)
    found = []
    for at, text in enumerate(texts):
        if left[text] > 0:
            left[text] -= 1
        else:
            found.append(at)
    return tuple(found)


def _placed(one: Chunked) -> list[tuple[int, int, str]]:
    return list(zip(one.start.tolist(), one.end.tolist(), one.keys, strict=True))
