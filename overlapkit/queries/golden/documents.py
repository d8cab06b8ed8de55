"""Which document of the corpus a golden set means, however its name is written."""

import unicodedata
from collections.abc import Iterator, Sequence


class DocumentNames:
    """The names of a corpus, found again in the ways they are usually written."""

    def __init__(self, names: Sequence[str]) -> None:
        self._exact = {name: position for position, name in enumerate(names)}
        # Full names, names without extension, then both without their first folders.
        self._ways: tuple[dict[str, list[int]], ...] = ({}, {}, {}, {})
        for position, name in enumerate(names):
            for depth, tail in enumerate(_tails(_plain(name))):
                whole, bare = self._ways[0 if depth == 0 else 2], self._ways[1 if depth == 0 else 3]
                whole.setdefault(tail, []).append(position)
                bare.setdefault(_without_extension(tail), []).append(position)

    def positions(self, name: str) -> Sequence[int]:
        """Return the documents that a name can mean; the closest way of writing decides.

        Exactly; in another case, composition or with other slashes; without an extension;
        without folders; below folders that the corpus does not name.
        """
        if name in self._exact:
            return (self._exact[name],)
        plain = _plain(name)
        for way in self._ways:
            if plain in way:
                return way[plain]
        for tail in _tails(plain):
            for way in self._ways[:2]:
                if tail in way:
                    return way[tail]
        return ()


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFC", name.strip()).casefold().replace("\\", "/")
    return folded.removeprefix("./").lstrip("/")


def _tails(name: str) -> Iterator[str]:
    """Yield a path, then what is left of it without its first folder, its first two, and so on."""
    yield name
    while "/" in name:
        name = name.split("/", 1)[1]
        yield name


def _without_extension(name: str) -> str:
    dot = name.rfind(".")
    return name[:dot] if dot > name.rfind("/") + 1 else name
