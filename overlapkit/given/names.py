"""Names from outside held against the names of documents and chunks."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from overlapkit.corpus import Corpus

# "v1.5" and "v1.6" differ in more than their extension, so one begins with a letter.
_EXTENSION = re.compile(r"(?<=[^/])\.[A-Za-z][A-Za-z0-9]{0,9}$")


def plain_name(text: str) -> str:
    """Return a name as TREC files hold it: percent-encoded, without white space, never empty."""
    return quote(text, safe="/#", errors="surrogatepass") or "%"


def chunk_name(document: str, start: int, end: int) -> str:
    """Return what a chunk is called that has no name of its own, as in our TREC files."""
    return f"{plain_name(document)}#{start}-{end}"


def lookup(ids: Iterable[str], *, plain_first: bool) -> dict[str, int]:
    """Return where each id stands, under itself and under its ``plain_name``.

    ``plain_first`` says which of two ids is meant where the plain name of one is the other:
    in a file of ours every name is plain. Of equal ids the first is meant.
    """
    exact: dict[str, int] = {}
    plain: dict[str, int] = {}
    for at, name in enumerate(ids):
        exact.setdefault(name, at)
        plain.setdefault(plain_name(name), at)
    return exact | plain if plain_first else plain | exact


class DocumentNames:
    """Finds the document that a file of another tool means by a name.

    The whole name comes first; then names of which one ends in the other, folder by folder
    (``/data/docs/a.md`` and ``docs/a.md``), or which end in at least two equal parts; then
    the same without extensions (``a.pdf`` and ``a.md``). Where several documents qualify,
    none is meant.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._names = [document.name for document in corpus.documents]
        self._exact = {name: index for index, name in enumerate(self._names)}
        self._tables = [_ends_of(map(form, self._names)) for form in (_clean, _stem)]
        self._known: dict[str, int | None] = {}

    def find(self, names: Sequence[str]) -> int | None:
        """Return the index of the document that the first name meaning one means, or None.

        A whole name goes before one that fits in part, wherever they stand.
        """
        for name in names:
            if name in self._exact:
                return self._exact[name]
        return next((doc for doc in map(self._fitting, names) if doc is not None), None)

    def _fitting(self, name: str) -> int | None:
        if name not in self._known:
            self._known[name] = self._search(name)
        return self._known[name]

    def _search(self, name: str) -> int | None:
        for form, table in zip((_clean, _stem), self._tables, strict=True):
            asked = form(name)
            for end in _ends(asked):
                found = table.get(end, ())
                whole = [doc for doc in found if form(self._names[doc]) == end]
                if len(whole) == 1:
                    return whole[0]
                if len(found) > 1:
                    break  # a shorter end fits even more of them
                if found and (end == asked or "/" in end):
                    return found[0]
        return None


def _clean(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/")).removeprefix("./").strip("/")


def _stem(name: str) -> str:
    return _EXTENSION.sub("", _clean(name))


def _ends(name: str) -> Iterable[str]:
    """Yield the ends of a path, folder by folder, the longest first."""
    parts = name.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _ends_of(names: Iterable[str]) -> dict[str, list[int]]:
    table: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        for end in _ends(name):
            table.setdefault(end, []).append(index)
    return table
