"""What edits cost under a chunk setting: how much of the edited document is embedded again."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from overlapkit.arrays import Longs, Mask
from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.chunkers.pieces import read_pieces
from overlapkit.chunkers.window import read_units
from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError, SettingsError
from overlapkit.tokens import count_tokens
from overlapkit.updates.changes import compare
from overlapkit.updates.edits import EDIT_KINDS, Edit, EditKind, apply_edit


@dataclass(frozen=True, slots=True)
class Work:
    """Means per edit.

    ``embedded``, ``appeared`` and ``vanished`` count chunks as ``ChangeSet`` defines them;
    ``characters`` and ``tokens`` are those of the texts to embed, each text on its own, and
    tokens are None where they were not asked for. ``chunks`` are all those of the edited
    document after the edit: as many rows get a new id, embedded or not.
    """

    edits: int
    embedded: float
    appeared: float
    vanished: float
    characters: float
    tokens: float | None
    chunks: float

    @property
    def share(self) -> float:
        """Chunks embedded again, of all chunks of the edited documents: 0 to 1."""
        return self.embedded / self.chunks if self.chunks else 0.0


@dataclass(frozen=True, slots=True)
class MonthlyWork:
    """What so many edits a month add up to; named as in ``Work``."""

    edits: float
    embedded: float
    appeared: float
    vanished: float
    characters: float
    tokens: float | None


@dataclass(frozen=True, slots=True)
class UpdateWork:
    """What edits cost under a spec: of all of them, and of each kind that was drawn."""

    spec: ChunkSpec
    total: Work
    by_kind: Mapping[EditKind, Work]

    def per_month(self, edits_per_month: float) -> MonthlyWork:
        """Return what that many edits of the same mix cost.

        Raises SettingsError unless it is a number of at least 0.
        """
        if not (edits_per_month >= 0 and math.isfinite(edits_per_month)):
            raise SettingsError(
                f"edits per month must be a number of at least 0; got {edits_per_month}"
            )
        one = self.total
        return MonthlyWork(
            edits_per_month,
            one.embedded * edits_per_month,
            one.appeared * edits_per_month,
            one.vanished * edits_per_month,
            one.characters * edits_per_month,
            None if one.tokens is None else one.tokens * edits_per_month,
        )


def update_work(
    corpus: Corpus, spec: ChunkSpec, edits: Sequence[Edit], *, encoding: str | None = None
) -> UpdateWork:
    """Return what edits cost, each made by itself in the corpus as it stands.

    Only the edited document is chunked again. ``encoding`` names the byte-pair vocabulary
    that tokens are counted by; without it none are counted.

    Raises SettingsError where there is no edit, InputError where one does not fit the corpus.
    """
    return compare_work(corpus, (spec,), edits, encoding=encoding)[0]


def compare_work(
    corpus: Corpus,
    specs: Iterable[ChunkSpec],
    edits: Sequence[Edit],
    *,
    encoding: str | None = None,
    on_edit: Callable[[int], object] = lambda done: None,
) -> tuple[UpdateWork, ...]:
    """Return what the same edits cost under each spec (see ``update_work``).

    ``on_edit`` is called after each edit with how many are done: chunkers that follow
    structure read the edited document anew, once for all their settings.
    """
    if not edits:
        raise SettingsError("the number of edits must be at least 1; got 0: draw some")
    documents = {document.name: document for document in corpus.documents}
    by_document: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.document not in documents:
            raise InputError(f"no document here is called {edit.document!r}: draw the edits anew")
        by_document.setdefault(edit.document, []).append(edit)
    chosen, done = tuple(specs), 0
    counts: list[list[tuple[EditKind, _Counts]]] = [[] for _ in chosen]
    for name, own in by_document.items():
        before = _Version(documents[name])
        stored = [_Stored(before, spec) for spec in chosen]
        for edit in own:
            after = _Version(apply_edit(before.document, edit))
            for found, known in zip(counts, stored, strict=True):
                found.append((edit.kind, _count(known, after, edit, encoding)))
            done += 1
            on_edit(done)
    return tuple(_summary(spec, found) for spec, found in zip(chosen, counts, strict=True))


class _Counts(NamedTuple):
    embedded: int
    appeared: int
    vanished: int
    characters: int
    tokens: int | None
    chunks: int


class _Spans(NamedTuple):
    start: Longs
    end: Longs


class _Version:
    """One version of a document; what chunkers read of it is read once for all settings."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._corpus = Corpus((document,))
        self._units = cache(partial(read_units, self._corpus))
        self._pieces = cache(partial(read_pieces, self._corpus))

    def spans(self, spec: ChunkSpec) -> _Spans:
        """Return where its chunks lie."""
        units = self._units(spec.unit, spec.encoding)
        found = chunk(self._corpus, spec, units, self._pieces)
        return _Spans(found.start, found.end)

    def texts(self, spans: _Spans, head: int = 0, tail: int = 0) -> list[str]:
        """Return the texts of chunks, without so many of the first and of the last."""
        part = slice(head, len(spans.start) - tail)
        pairs = zip(spans.start[part].tolist(), spans.end[part].tolist(), strict=True)
        return [self.document.text[a:b] for a, b in pairs]


class _Stored:
    """The chunks of a document before its edits, under one setting."""

    def __init__(self, version: _Version, spec: ChunkSpec) -> None:
        self.spec = spec
        self.spans = version.spans(spec)
        self.texts = version.texts(self.spans)
        self.every = frozenset(self.texts)


def _count(stored: _Stored, after: _Version, edit: Edit, encoding: str | None) -> _Counts:
    spans = after.spans(stored.spec)
    head, tail = _alike(stored.spans, spans, edit)
    middle = after.texts(spans, head, tail)
    found = compare(stored.texts[head : len(stored.texts) - tail], middle, stored.every)
    again = [middle[at] for at in found.embedded]
    return _Counts(
        len(again),
        len(found.appeared),
        len(found.vanished),
        sum(map(len, again)),
        None if encoding is None else int(count_tokens(again, encoding).sum()),
        len(spans.start),
    )


def _alike(before: _Spans, after: _Spans, edit: Edit) -> tuple[int, int]:
    """Return how many of the first and of the last chunks an edit leaves as they are.

    Their texts need not be compared, which is most of the work where chunks stay in step.
    """
    shared = min(len(before.start), len(after.start))
    first = slice(0, shared)
    same = (
        (before.start[first] == after.start[first])
        & (before.end[first] == after.end[first])
        & (before.end[first] <= edit.start)
    )
    head = _leading(same)
    shift = len(edit.text) - (edit.end - edit.start)
    count = shared - head
    old = [column[len(column) - count :] for column in before]
    new = [column[len(column) - count :] for column in after]
    same = (old[0] + shift == new[0]) & (old[1] + shift == new[1]) & (old[0] >= edit.end)
    return head, _leading(same[::-1])


def _leading(mask: Mask) -> int:
    return len(mask) if mask.all() else int(mask.argmin())


def _summary(spec: ChunkSpec, counts: Sequence[tuple[EditKind, _Counts]]) -> UpdateWork:
    of_kind = {kind: [one for own, one in counts if own == kind] for kind in EDIT_KINDS}
    by_kind = {kind: _mean(found) for kind, found in of_kind.items() if found}
    return UpdateWork(spec, _mean([one for _, one in counts]), by_kind)


def _mean(counts: Sequence[_Counts]) -> Work:
    many = len(counts)
    tokens = [one.tokens for one in counts if one.tokens is not None]
    return Work(
        many,
        sum(one.embedded for one in counts) / many,
        sum(one.appeared for one in counts) / many,
        sum(one.vanished for one in counts) / many,
        sum(one.characters for one in counts) / many,
        sum(tokens) / many if len(tokens) == many else None,
        sum(one.chunks for one in counts) / many,
    )
