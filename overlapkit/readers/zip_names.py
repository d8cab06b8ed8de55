"""The names of zip members, whose bytes come in many encodings and often without a mark."""

import struct
import zipfile
import zlib

from overlapkit.readers.guess import guess_name

_MARKED_UTF_8 = 0x800
_UNICODE_PATH = 0x7075


def member_name(info: zipfile.ZipInfo) -> tuple[str, bool]:
    """Return a member's path with forward slashes, and whether its encoding was guessed."""
    # zipfile cuts `filename` at a NUL; the name before it may be another's.
    name, guessed = info.orig_filename, False
    if not info.flag_bits & _MARKED_UTF_8:
        raw = name.encode("cp437")  # zipfile's own decoding, undone
        unicode_path = _unicode_path(info.extra, raw)
        if unicode_path is not None:
            name = unicode_path
        else:
            name, page = guess_name(raw)
            guessed = page != "utf-8"
    # Only now: in Shift-JIS and Big5 a backslash can be the second half of a letter.
    return name.replace("\\", "/"), guessed


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    """Return the UTF-8 name that Info-ZIP, 7-Zip and WinZip add beside a local one."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and len(field) > 5:
            version, checksum = struct.unpack_from("<BL", field)
            if version == 1 and checksum == zlib.crc32(raw):
                try:
                    return field[5:].decode("utf-8")
                except UnicodeDecodeError:
                    return None
    return None
