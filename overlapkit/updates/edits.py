"""Edits as people make them: a sentence deleted, replaced, inserted or appended."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from overlapkit.corpus import Corpus, Document, global_starts
from overlapkit.errors import InputError, SettingsError, unknown_choice
from overlapkit.structure import Blocks, blocks, prose_sentences

EditKind = Literal["insert", "delete", "replace", "append"]
EDIT_KINDS: tuple[EditKind, ...] = get_args(EditKind)

_SPACES = re.compile(r"[^\S\r\n]*")  # what stands between two sentences of a line
_BITS = 64

Span = tuple[int, int]


TRIED = 40  # edits: enough for a mean, and quick on a large corpus
EDIT_SEED = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one document: its code points ``start``..``end`` become ``text``."""

    document: str
    kind: EditKind
    start: int
    end: int
    text: str


def apply_edit(document: Document, edit: Edit) -> Document:
    """Return the document after an edit.

    Raises InputError where the edit is one of another document or of text that is not there.
    """
    if edit.document != document.name:
        raise InputError(f"the edit is one of {edit.document!r}; got {document.name!r}")
    if not 0 <= edit.start <= edit.end <= len(document.text):
        raise InputError(
            f"an edit must lie in 0..{len(document.text)} of {document.name!r}; "
            f"got {edit.start}..{edit.end}: draw it anew for this text"
        )
    text = document.text[: edit.start] + edit.text + document.text[edit.end :]
    return replace(document, text=text)


def draw_edits(
    corpus: Corpus,
    count: int,
    seed: int = 0,
    kinds: Collection[str] = EDIT_KINDS,
    *,
    parts: Sequence[Blocks] | None = None,
) -> tuple[Edit, ...]:
    """Return edits of single sentences of prose, each an edit of the corpus as it stands.

    A sentence is deleted with the spaces behind it, replaced by another one of the corpus,
    put with a space before another one, or put at a document's end. The kinds take turns.
    The edits of a kind are spread over the corpus by length, one in each of as many equal
    stretches of its text, so the first few of them are no sample. Within a document every
    sentence is equally likely; the share of a document without sentences goes to the next
    one that has some. ``seed`` decides all of it. ``parts`` are the documents' blocks where
    they are already known.

    Raises SettingsError for a count below 1 and for kinds that are none or unknown,
    InputError where the corpus has no sentence, or no other one to replace it by.
    """
    wanted = _checked(count, kinds)
    drawer = _Drawer(corpus, seed, parts)
    return tuple(
        drawer.edit(wanted[number % len(wanted)], number // len(wanted), share)
        for number, share in zip(range(count), _shares(count, len(wanted)), strict=True)
    )


def _checked(count: int, kinds: Collection[str]) -> list[EditKind]:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise SettingsError(f"the number of edits must be a whole number, 1 or more; got {count}")
    for kind in kinds:
        if kind not in EDIT_KINDS:
            raise unknown_choice("kind of edit", kind, EDIT_KINDS)
    if not kinds:
        raise SettingsError(f"kinds of edit must be some of {', '.join(EDIT_KINDS)}; got none")
    return [kind for kind in EDIT_KINDS if kind in kinds]


def _shares(count: int, kinds: int) -> Iterator[int]:
    """Return for each edit how many there are of its kind, the kinds taking turns."""
    return ((count - number % kinds - 1) // kinds + 1 for number in range(count))


class _Drawer:
    """Draws edits, and reads the sentences of those documents alone that it comes to."""

    def __init__(self, corpus: Corpus, seed: int, parts: Sequence[Blocks] | None) -> None:
        self._documents = corpus.documents
        self._starts: list[int] = global_starts(corpus).tolist()
        self._length = corpus.characters + len(self._documents)
        self._seed = seed
        self._parts = parts
        self._known: dict[int, tuple[Span, ...]] = {}

    def edit(self, kind: EditKind, number: int, share: int) -> Edit:
        """Return the edit of the ``number``-th of ``share`` stretches."""
        place = f"{kind}\0{number}"
        low, high = (self._length * at // share for at in (number, number + 1))
        doc = self._document(low + self._below(f"{place}\0document", max(high - low, 1)))
        document, spans = self._documents[doc], self._sentences(doc)
        start, end = spans[self._below(f"{place}\0sentence", len(spans))]
        if kind == "append":
            start = end = len(document.text)
        elif kind == "insert":
            end = start
        elif kind == "delete":
            after = _SPACES.match(document.text, end)
            end = after.end() if after else end
        return Edit(
            document.name, kind, start, end, self._text(kind, place, document.text, (start, end))
        )

    def _text(self, kind: EditKind, place: str, text: str, span: Span) -> str:
        """Return what is put in the place of a span of a text."""
        if kind == "delete":
            return ""
        replaced = text[slice(*span)]
        drawn = self._others(f"{place}\0text")
        found = next((sentence for sentence in drawn if sentence != replaced), None)
        if found is None:
            raise InputError(
                "replacing a sentence needs another one; every sentence of this corpus reads "
                f"{replaced[:40]!r}: add documents, or choose other kinds of edit"
            )
        if kind == "append" and text and not text[-1].isspace():
            return f" {found}"
        return f"{found} " if kind == "insert" else found

    def _others(self, what: str) -> Iterator[str]:
        """Yield sentences of the corpus from a drawn one on, around to it again."""
        doc = self._document(self._below(what, max(self._length, 1)))
        own, count = self._sentences(doc), len(self._documents)
        first = self._below(f"{what}\0sentence", len(own))
        yield from self._texts(doc, own[first:])
        for at in range(doc + 1, doc + count):
            yield from self._texts(at % count, self._sentences(at % count))
        yield from self._texts(doc, own[:first])

    def _texts(self, doc: int, spans: Sequence[Span]) -> Iterator[str]:
        return (self._documents[doc].text[start:end] for start, end in spans)

    def _document(self, position: int) -> int:
        """Return the document at a place of the corpus, or the next one that has sentences."""
        count = len(self._documents)
        first = bisect_right(self._starts, position) - 1
        around = (doc % count for doc in range(first, first + count))
        doc = next(filter(self._sentences, around), None)
        if doc is None:
            raise InputError("edits need a sentence of prose; this corpus has none: add documents")
        return doc

    def _sentences(self, doc: int) -> tuple[Span, ...]:
        if doc not in self._known:
            parts = blocks(self._documents[doc]) if self._parts is None else self._parts[doc]
            self._known[doc] = prose_sentences(parts)
        return self._known[doc]

    def _below(self, what: str, limit: int) -> int:
        """Return a whole number in 0..limit - 1, the same in every process."""
        data = hashlib.sha256(f"{self._seed}\0{what}".encode()).digest()
        return int.from_bytes(data[: _BITS // 8], "little") * limit >> _BITS
