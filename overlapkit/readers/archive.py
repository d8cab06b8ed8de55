"""Zip archives: members to bytes, within limits that count what is really unpacked."""

import io
import stat
import zipfile
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from overlapkit.errors import InputError
from overlapkit.readers.limits import Limits
from overlapkit.readers.meter import ArchiveLimitError, Meter
from overlapkit.readers.names import is_hidden, is_system_file, leads_outside, legible
from overlapkit.readers.reading import listing
from overlapkit.readers.zip_names import member_name

_BLOCK_BYTES = 64 * 1024
_ENTRY_SIGNATURE = b"PK\x01\x02"
_ENCRYPTED = 0x1
# zipfile bounds what one read of these unpacks; bzip2 and LZMA grow a block at will.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# All that zipfile raises on damaged or unusual archives.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The members of an archive that are worth reading, and what became of the others."""

    files: tuple[tuple[str, bytes], ...]
    notes: tuple[str, ...]
    refused: tuple[str, ...]
    unpacked_bytes: int


@dataclass(slots=True)
class _Passed:
    """Names of members to be mentioned, and sentences on those refused."""

    archive: str
    unsupported: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    guessed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def notes(self) -> tuple[str, ...]:
        """Return one note for each kind."""
        kinds = (
            ("skipped, unsupported type", self.unsupported),
            ("skipped, hidden", self.hidden),
            ("names guessed, not marked UTF-8", self.guessed),
        )
        return tuple(
            f"{self.archive}: {words} ({len(names)}): {listing(names)}"
            for words, names in kinds
            if names
        )


def unpack_zip(
    name: str, data: bytes, limits: Limits, room: int, extensions: Collection[str]
) -> Unpacked:
    """Return the members with one of the extensions, in the order of the archive.

    A damaged, encrypted or misnamed member is refused by name and the others are kept.
    Raises InputError for a damaged archive and for one above a limit: part of it would
    pass for the whole. ``room`` is what the total limit leaves to it.
    """
    meter, passed = Meter(name, len(data), limits, room), _Passed(name)
    files = []
    try:
        with _open(name, data, limits) as archive:
            for info in archive.infolist():
                member = _wanted(info, extensions, passed)
                if member is None:
                    continue
                try:
                    files.append((member, _unpack(archive, info, member, meter)))
                except ArchiveLimitError:
                    raise
                except InputError as error:
                    passed.refused.append(str(error))
                except _DAMAGE:
                    passed.refused.append(f"{name}: {member} is damaged: make the archive anew")
    except InputError:
        raise
    except _DAMAGE:
        raise InputError(
            f"{name}: damaged, or not a zip archive: make it anew or give its files one by one"
        ) from None
    return Unpacked(tuple(files), passed.notes(), tuple(passed.refused), meter.total)


def _open(name: str, data: bytes, limits: Limits) -> zipfile.ZipFile:
    """Open an archive whose entries are within the limit."""
    # zipfile holds every entry in memory before it can tell their number. The signature
    # also counts entries of archives inside this one, hence the tenfold.
    entries = data.count(_ENTRY_SIGNATURE)
    if entries <= limits.max_members * 10:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = len(archive.infolist())
        if entries <= limits.max_members:
            return archive
        archive.close()
    raise InputError(
        f"{name}: an archive may have at most {limits.max_members:,} entries; this one has "
        f"{entries:,}: split it or raise max_members"
    )


def _wanted(info: zipfile.ZipInfo, extensions: Collection[str], passed: _Passed) -> str | None:
    """Return the path under which a member is to be read, or None."""
    path, guessed = member_name(info)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    shown = legible("/".join(parts))
    if leads_outside(path):
        reason = f"{legible(path)} leads out of the archive"
        passed.refused.append(f"{passed.archive}: {reason} and was left out: rename it")
    elif path.endswith("/") or not parts or is_system_file(parts):
        pass
    elif PurePosixPath(shown).suffix.lower() not in extensions:
        passed.unsupported.append(shown)
    elif is_hidden(parts):
        passed.hidden.append(shown)
    else:
        if guessed:
            passed.guessed.append(shown)
        return shown
    return None


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: str, meter: Meter) -> bytes:
    """Return the bytes of a member; raises InputError where it must not be read."""
    if info.flag_bits & _ENCRYPTED:
        raise _left_out(meter.archive, member, "is encrypted", "pack it without a password")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _left_out(meter.archive, member, "is a symbolic link", "pack the file itself")
    if info.compress_type not in _METHODS:
        reason = f"is packed with method {info.compress_type}"
        raise _left_out(meter.archive, member, reason, "pack it with deflate")
    blocks, unpacked = [], 0
    with archive.open(info) as stream:
        while block := stream.read(_BLOCK_BYTES):
            unpacked += len(block)
            meter.count(member, len(block), unpacked, info.compress_size)
            blocks.append(block)
    return b"".join(blocks)


def _left_out(archive: str, member: str, reason: str, remedy: str) -> InputError:
    return InputError(f"{archive}: {member} {reason} and was left out: {remedy}")
