"""From one state of an index to another, document by document, so that none is ever mixed.

The order of operations, for each document of a plan:

1. embed the texts of the chunks to add that reuse no vector, and read the vectors of those
   that do; nothing has changed yet;
2. add all of its chunks and delete all of its old ones in one transaction. Where the store
   has none, add the new ones, move the filter that queries carry (``document_version`` and
   ``setting``) to the new state of this document, and only then delete the old ones.

Until step 2 queries see the old version whole, after it the new one whole. Documents of a
plan do not depend on one another: a vector is reused from the document itself, from one that
does not change, or from one that is gone. Therefore those that stay may be done in any order
or at once, and those that are gone come last.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from overlapkit.errors import InputError
from overlapkit.updates.changes import without
from overlapkit.updates.snapshots import Chunked, Snapshot
from overlapkit.updates.writing import json_line

Vector = TypeVar("Vector")


class Addition(NamedTuple):
    """A chunk to add; ``reuse`` is the id whose stored vector is that of its text, if any."""

    id: str
    key: str
    reuse: str | None


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """What one document needs, all of it or nothing.

    ``version`` and ``setting`` are those it has afterwards; of a document that is gone, None.
    """

    name: str
    version: str | None
    setting: str | None
    add: tuple[Addition, ...]
    delete: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Documents to change, those that are gone last; ``unchanged`` documents are not in it."""

    documents: tuple[DocumentPlan, ...]
    unchanged: int

    @property
    def added(self) -> int:
        """Chunks to add."""
        return sum(len(one.add) for one in self.documents)

    @property
    def deleted(self) -> int:
        """Chunks to delete."""
        return sum(len(one.delete) for one in self.documents)

    @property
    def reused(self) -> int:
        """Chunks to add whose vector is stored, or is that of another one to embed."""
        return self.added - self.embedded

    @property
    def embedded(self) -> int:
        """Texts to embed: each once, in however many chunks it stands."""
        added = (one for document in self.documents for one in document.add)
        return len({one.key for one in added if one.reuse is None})

    @property
    def gone(self) -> int:
        """Documents of which nothing stays."""
        return sum(one.version is None for one in self.documents)


def reindex_plan(before: Snapshot, after: Snapshot) -> Plan:
    """Return what turns an index of one state into one of the other.

    The states may differ in settings, in documents and in their versions. A document
    changes where its ids do; one that has no chunk on either side needs nothing.

    Raises InputError where the states are embedded by two models: an index of both would
    compare vectors that cannot be compared, so a new model needs an index of its own.
    """
    old = {one.name: one for one in before.documents}
    new = {one.name: one for one in after.documents}
    _check_models(before, after)
    for name in old.keys() & new.keys():
        _check_keys(old[name], new[name])
    same = {name for name in old.keys() & new.keys() if set(old[name].ids) == set(new[name].ids)}
    changed = [one for one in after.documents if one.name not in same]
    gone = [one for one in before.documents if one.name not in new]
    lasting = _ids_by_key([one for one in before.documents if one.name in same] + gone)
    steps = [_change(old.get(one.name), one, lasting) for one in changed]
    steps += [DocumentPlan(one.name, None, None, (), one.ids) for one in gone]
    return Plan(tuple(step for step in steps if step.add or step.delete), len(same))


def _check_models(before: Snapshot, after: Snapshot) -> None:
    if before.model != after.model and len(before) and len(after):
        raise InputError(
            f"a plan needs one embedding model; got {before.model!r} and {after.model!r}: build "
            "the new index from nothing"
        )


def _check_keys(before: Chunked, after: Chunked) -> None:
    keys = dict(zip(before.ids, before.keys, strict=True))
    for one, key in zip(after.ids, after.keys, strict=True):
        if keys.get(one, key) != key:
            raise InputError(
                f"the chunk {one} of {before.name!r} has two embedding keys, so two models made "
                "the states: build the new index from nothing"
            )


def _ids_by_key(documents: Iterable[Chunked]) -> dict[str, str]:
    """Return the first id of each embedding key."""
    found: dict[str, str] = {}
    for document in documents:
        for one, key in zip(document.ids, document.keys, strict=True):
            found.setdefault(key, one)
    return found


def _change(before: Chunked | None, after: Chunked, lasting: Mapping[str, str]) -> DocumentPlan:
    """Return the plan of a document; vectors of its own go before those of others."""
    own = {} if before is None else _ids_by_key([before])
    old_ids = () if before is None else before.ids
    fresh = set(without(after.ids, old_ids))
    add = tuple(
        Addition(one, key, own.get(key) or lasting.get(key))
        for one, key in zip(after.ids, after.keys, strict=True)
        if one in fresh
    )
    delete = without(old_ids, after.ids)
    return DocumentPlan(after.name, after.version, after.setting, add, delete)


def apply_plan(
    index: Mapping[str, Vector], plan: Plan, embed: Callable[[str], Vector]
) -> dict[str, Vector]:
    """Return an index, a mapping of ids to vectors, after a plan: what a plan means, in code.

    ``embed`` gives the vector of an embedding key. Each document changes in one step.

    Raises InputError where the index is not in the state that the plan begins with.
    """
    found = dict(index)
    for document in plan.documents:
        needed = [*document.delete, *(one.reuse for one in document.add if one.reuse)]
        missing = next((one for one in needed if one not in found), None)
        if missing is not None or any(one.id in found for one in document.add):
            what = f"lacks {missing}" if missing else "holds ids of the new state already"
            raise InputError(
                f"the index {what}, so the plan of {document.name!r} does not fit: check its "
                "ids and plan anew"
            )
        vectors = {
            one.id: found[one.reuse] if one.reuse else embed(one.key) for one in document.add
        }
        found.update(vectors)
        for one in document.delete:
            del found[one]
    return found


def plan_jsonl(plan: Plan) -> Iterator[str]:
    """Yield each document of a plan as one line of JSON: what is to be done in one step.

    It holds doc, document_version and setting (null for one that is gone), add (a list of
    id, embedding_key and reuse) and delete (a list of ids).
    """
    for document in plan.documents:
        added = [
            {"id": one.id, "embedding_key": one.key, "reuse": one.reuse} for one in document.add
        ]
        yield json_line(
            {
                "doc": document.name,
                "document_version": document.version,
                "setting": document.setting,
                "add": added,
                "delete": list(document.delete),
            }
        )
