"""Named bytes to documents: each file by its reader, and a bad one never stops the others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import SEEK_END
from pathlib import Path
from typing import Protocol

from overlapkit.corpus import Document
from overlapkit.errors import InputError
from overlapkit.readers.limits import DEFAULT_LIMITS, Limits, file_too_large, total_too_large
from overlapkit.readers.names import GivenNames, legible
from overlapkit.readers.reading import Reading
from overlapkit.readers.table import ARCHIVES, READERS, extension_of, unsupported


class Rewindable(Protocol):
    """A binary file or upload; it is read from its beginning, wherever it stands."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move, and return the new position."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the bytes from the position on."""


Content = bytes | bytearray | memoryview | Path | Rewindable


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. A ``required`` one raises its error instead of being refused."""

    name: str
    content: Content
    required: bool = False


@dataclass(slots=True)
class _Ledger:
    """What one reading has gathered so far."""

    limits: Limits
    encodings: Mapping[str, str]
    used_bytes: int = 0
    names: GivenNames = field(default_factory=GivenNames)
    documents: list[Document] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    guesses: list[tuple[str, str]] = field(default_factory=list)


def read_files(
    files: Iterable[tuple[str, Content]],
    *,
    limits: Limits = DEFAULT_LIMITS,
    encodings: Mapping[str, str] | None = None,
) -> Reading:
    """Return the documents of (name, content) pairs, archives unpacked.

    ``encodings`` maps names of documents to the encodings that override a guess. Of two
    documents with one name the later is called ``name (2).txt``, and a note says so.
    """
    return read_sources((Source(name, content) for name, content in files), limits, encodings)


def read_sources(
    sources: Iterable[Source], limits: Limits, encodings: Mapping[str, str] | None
) -> Reading:
    """Return the documents of some sources; raises InputError for a required one only."""
    ledger = _Ledger(limits, encodings or {})
    for source in sources:
        try:
            _read_source(source, ledger)
        except InputError as error:
            if source.required:
                raise
            ledger.refused.append(str(error))
    return Reading(
        tuple(ledger.documents),
        tuple(ledger.notes),
        tuple(ledger.refused),
        tuple(ledger.guesses),
    )


def _read_source(source: Source, ledger: _Ledger) -> None:
    name = legible(source.name)
    extension = extension_of(name)
    if extension in READERS:
        _read_document(name, _load(name, source.content, ledger), ledger)
        return
    if extension not in ARCHIVES:
        raise unsupported(name)
    data = _load(name, source.content, ledger)
    room = ledger.limits.max_total_bytes - ledger.used_bytes
    unpacked = ARCHIVES[extension](name, data, ledger.limits, room, READERS)
    ledger.used_bytes += unpacked.unpacked_bytes
    ledger.notes += unpacked.notes
    ledger.refused += unpacked.refused
    if not unpacked.files and not unpacked.refused:
        raise InputError(f"{name}: holds no document; give one with {', '.join(READERS)} files")
    for member, member_data in unpacked.files:
        try:
            _read_document(member, member_data, ledger)
        except InputError as error:
            ledger.refused.append(f"{name}: {error}")


def _read_document(wished: str, data: bytes, ledger: _Ledger) -> None:
    name = ledger.names.give(wished)
    if name != wished:
        ledger.notes.append(f"{wished}: another file has this name, so this one is called {name}")
    try:
        decoded = READERS[extension_of(wished)](data, ledger.encodings.get(name))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if decoded.guessed:
        ledger.guesses.append((name, decoded.encoding))
    notes = decoded.notes
    if not decoded.text.strip():
        notes += ("holds only white space" if decoded.text else "is empty",)
    ledger.notes += (f"{name}: {note}" for note in notes)
    ledger.documents.append(Document(name, decoded.text))


def _load(name: str, content: Content, ledger: _Ledger) -> bytes:
    """Return the bytes of a file after both limits have been held against its size."""
    try:
        if isinstance(content, Path):
            with content.open("rb") as file:
                return _load(name, file, ledger)
        if isinstance(content, bytes | bytearray | memoryview):
            _admit(name, memoryview(content).nbytes, ledger)
            return bytes(content)
        size = content.seek(0, SEEK_END)
        _admit(name, size, ledger)
        content.seek(0)
        return content.read(size)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read ({reason}): check the file") from None


def _admit(name: str, size: int, ledger: _Ledger) -> None:
    limits = ledger.limits
    if size > limits.max_file_bytes:
        raise file_too_large(name, size, limits)
    if ledger.used_bytes + size > limits.max_total_bytes:
        raise total_too_large(name, size, limits)
    ledger.used_bytes += size
