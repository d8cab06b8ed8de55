"""Rows of chunks to spans: by their offsets at once, by their texts when all are known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus, global_starts
from overlapkit.errors import InputError
from overlapkit.given.alignment import align
from overlapkit.given.names import DocumentNames
from overlapkit.given.places import Ask
from overlapkit.given.rows import (
    PARQUET,
    Finder,
    Row,
    decoded,
    first_text,
    first_whole,
    json_rows,
    names_in,
    parquet_rows,
)
from overlapkit.readers.names import legible

# Names that splitters, frameworks and vector stores give to the same thing.
_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "chunk_id", "_id", "id_", "node_id"),
    "document": (
        "doc", "document", "doc_name", "document_name", "source", "file", "file_name",
        "filename", "file_path", "path", "doc_id", "document_id",
    ),
    "text": ("text", "page_content", "content", "chunk", "chunk_text"),
    "start": ("start", "start_index", "start_offset", "start_char_idx", "char_start"),
    "end": ("end", "end_index", "end_offset", "end_char_idx", "char_end"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Misaligned:
    """A row that is not among the chunks, listed with its reason."""

    row: int
    id: str
    reason: str


def rows_of(data: bytes, source: str) -> Iterable[Row]:
    """Return the rows of a file of chunks, Parquet known by its first bytes."""
    if data.startswith(PARQUET):
        return parquet_rows(data, source, _NAMES)
    return json_rows(decoded(data, source), source)


class _Chunk(NamedTuple):
    """A chunk as its row gives it; ``wrong`` says why its offsets are of no use."""

    row: int
    name: str
    doc: int | None
    text: str | None
    start: int | None
    end: int | None
    wrong: str | None = None


class Located(NamedTuple):
    """A chunk's row and global span, and its id once it is chosen."""

    row: int
    start: int
    end: int
    id: str = ""


class ChunkReader:
    """Takes rows one by one; what has no offsets waits until all texts can be looked for."""

    def __init__(self, corpus: Corpus) -> None:
        self.left_out: list[Misaligned] = []
        self.ids: dict[int, str] = {}
        self._corpus = corpus
        self._finder = Finder(**_NAMES)
        self._names = DocumentNames(corpus)
        self._base: list[int] = global_starts(corpus).tolist()
        self._row_of: dict[str, int] = {}
        self._located: list[Located] = []
        self._waiting: dict[Ask, list[_Chunk]] = {}

    def take(self, row: Row) -> None:
        """Read a row and place its chunk, keep it waiting or leave it out."""
        number, fields = row
        name = f"row {number}"
        try:
            if isinstance(fields, InputError):
                raise fields
            found = self._finder.find(fields)
            own = next(iter(names_in(found["id"])), None)
            if own is not None:
                name = legible(own)
                if self._row_of.setdefault(own, number) != number:
                    raise InputError(f"repeats the id of row {self._row_of[own]}")
            self._place(self._chunk(number, name, found))
            if own is not None:
                self.ids[number] = own
        except InputError as error:
            self.left_out.append(Misaligned(number, name, str(error)))

    def _chunk(self, number: int, name: str, found: Mapping[str, list[object]]) -> _Chunk:
        doc = self._document(names_in(found["document"]))
        text = first_text(found["text"])
        start, end = first_whole(found["start"]), first_whole(found["end"])
        if start is not None and end is None and text:
            end = start + len(text)
        return _Chunk(number, name, doc, text, start, end)

    def _document(self, names: Sequence[str]) -> int | None:
        doc = self._names.find(names)
        if doc is None and names:
            raise InputError(
                f"no single document of this corpus is called {names[0][:80]!r}: "
                "give its whole name"
            )
        return 0 if doc is None and len(self._base) == 1 else doc

    def _place(self, chunk: _Chunk) -> None:
        """Place a chunk by its offsets, or let its text wait."""
        wrong = None
        if chunk.start is not None and chunk.end is not None:
            if chunk.doc is None:
                wrong = "offsets need a document: name it as `doc`"
            else:
                wrong = self._place_at(chunk, chunk.doc, chunk.start, chunk.end)
                if wrong is None:
                    return
        if chunk.text:
            ask = Ask(chunk.doc, chunk.text)
            self._waiting.setdefault(ask, []).append(chunk._replace(wrong=wrong))
        elif wrong:
            raise InputError(wrong)
        elif chunk.text == "":
            raise InputError("the chunk is empty")
        else:
            raise InputError("a chunk needs start and end, or its text: neither is given")

    def _place_at(self, chunk: _Chunk, doc: int, start: int, end: int) -> str | None:
        """Place a chunk at its offsets, or return why that cannot be."""
        document = self._corpus.documents[doc]
        length = len(document.text)
        if start == end and 0 <= start <= length:
            return "the chunk is empty"
        if not 0 <= start < end <= length:
            return f"the span {start}..{end} must lie in 0..{length} of {document.name!r}"
        there = document.text[start:end]
        if chunk.text and chunk.text != there and chunk.text.split() != there.split():
            # The offsets may count the byte-order mark that the stored text does not hold.
            if not (start and document.text[start - 1 : end - 1] == chunk.text):
                return f"the text at {start}..{end} of {document.name!r} reads {there[:60]!r}"
            start, end = start - 1, end - 1
        base = self._base[doc]
        self._located.append(Located(chunk.row, start + base, end + base))
        return None

    def placed(self, words: Units) -> list[Located]:
        """Return all chunks that have a span, those found by their text included."""
        counts = {ask: len(chunks) for ask, chunks in self._waiting.items()}
        fixed = [(one.start, one.end) for one in self._located]
        spans = align(self._corpus, words, counts, fixed)
        found = list(self._located)
        for ask, chunks in self._waiting.items():
            own = spans[ask]
            for at, chunk in enumerate(chunks):
                if own:
                    # More equal chunks than places: those beyond share the last.
                    found.append(Located(chunk.row, *own[min(at, len(own) - 1)]))
                else:
                    reason = self._not_found(chunk)
                    self.left_out.append(Misaligned(chunk.row, chunk.name, reason))
        return found

    def _not_found(self, chunk: _Chunk) -> str:
        if chunk.text is not None and not chunk.text.strip():
            return "the chunk is empty"
        if chunk.doc is None:
            where = "any document"
        else:
            where = repr(self._corpus.documents[chunk.doc].name)
        if chunk.wrong:
            return f"{chunk.wrong}, and its own text does not stand in {where}"
        return f"its text does not stand in {where}"
