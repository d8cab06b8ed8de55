"""The tables of formats: what an extension means, in lower case with its dot."""

from collections.abc import Callable, Collection
from pathlib import PurePosixPath

from overlapkit.errors import InputError
from overlapkit.readers.archive import Unpacked, unpack_zip
from overlapkit.readers.decode import Decoded
from overlapkit.readers.limits import Limits
from overlapkit.readers.markdown import read_markdown
from overlapkit.readers.plain import read_plain

# A reader gets the bytes of one document and the encoding that the user named, if any.
Reader = Callable[[bytes, str | None], Decoded]

# An unpacker gets an archive's name and bytes, the limits, the bytes that the total limit
# still has room for, and the extensions to unpack.
Unpacker = Callable[[str, bytes, Limits, int, Collection[str]], Unpacked]

READERS: dict[str, Reader] = {
    ".txt": read_plain,
    ".md": read_markdown,
    ".markdown": read_markdown,
}

ARCHIVES: dict[str, Unpacker] = {".zip": unpack_zip}

SUPPORTED: tuple[str, ...] = (*READERS, *ARCHIVES)


def extension_of(name: str) -> str:
    """Return the extension of a file name, which both tables compare in lower case."""
    return PurePosixPath(name).suffix.lower()


def unsupported(name: str) -> InputError:
    """Return the error for a file that neither table holds."""
    extension = extension_of(name) or "without an extension"
    return InputError(
        f"{name}: unsupported type {extension}; supported are {', '.join(SUPPORTED)}: "
        "convert it to one of them"
    )
