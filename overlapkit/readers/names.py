"""Names of documents: legible, relative, and each given once."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from overlapkit.readers.guess import guess_name

_SYSTEM_FOLDERS = ("__MACOSX",)
# Unicode's classes of embeddings, overrides and isolates, and of what ends them.
_TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_SYSTEM_FILES = (".DS_Store",)


def is_system_file(parts: Collection[str]) -> bool:
    """Return whether a path is a side file that macOS writes beside the real ones."""
    return any(
        part in _SYSTEM_FOLDERS or part in _SYSTEM_FILES or part.startswith("._") for part in parts
    )


def is_hidden(parts: Collection[str]) -> bool:
    """Return whether a path lies in a hidden folder or is a hidden file."""
    return any(part.startswith(".") for part in parts)


def leads_outside(path: str) -> bool:
    """Return whether a path with forward slashes is absolute or climbs with ``..``."""
    return path.startswith("/") or bool(re.match("[A-Za-z]:", path)) or ".." in path.split("/")


def legible(name: str) -> str:
    """Return a name that can be printed: undecoded bytes are decoded, controls become _.

    So do marks that turn the text after them round, which could pass one name off as another.
    """
    if any("\ud800" <= character <= "\udfff" for character in name):
        name = guess_name(name.encode("utf-8", "surrogateescape"))[0] if _is_raw(name) else name
    return "".join(
        "_"
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(character) in _TURNS
        else character
        for character in name
    )


class GivenNames:
    """Names that were given, each once."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._latest = dict.fromkeys(names, 1)  # the number up to which a name is taken

    def give(self, name: str) -> str:
        """Give the name, or where it is taken the name with the first free number."""
        extension = PurePosixPath(name).suffix
        stem = name.removesuffix(extension)
        number = self._latest.get(name, 0)
        free = name
        while free in self._latest:
            number += 1
            free = f"{stem} ({number}){extension}"
        self._latest[free] = 1
        self._latest[name] = max(number, 1)
        return free


def _is_raw(name: str) -> bool:
    """Return whether the surrogates of a name are the bytes the file system gave."""
    return all(
        "\udc80" <= character <= "\udcff" for character in name if "\ud800" <= character <= "\udfff"
    )
