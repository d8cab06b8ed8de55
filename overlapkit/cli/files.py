"""Files that options name."""

from pathlib import Path

from overlapkit.errors import InputError


def bytes_of(path: str) -> bytes:
    """Return what a file holds; raises InputError where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path!r} cannot be read ({why}): check the path") from None
