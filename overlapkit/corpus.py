"""Documents and the corpus: the frozen input of everything else."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Document:
    """One text with a name that is unique in its corpus.

    ``text`` is the *stored text*: decoded, one leading byte-order mark removed, newlines
    as they were. Every offset in this package counts its code points. ``group`` is an
    access label; None means unlabelled.
    """

    name: str
    text: str
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in code-point order of their names.

    ``digest`` covers names, groups, order and texts (hex SHA-256), so two corpora with
    one digest are interchangeable.

    Raises InputError when two documents share a name.
    """

    documents: tuple[Document, ...]
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.documents, key=lambda document: document.name))
        for before, after in pairwise(ordered):
            if before.name == after.name:
                raise InputError(
                    f"document names must be unique; {after.name!r} occurs twice: rename one"
                )
        object.__setattr__(self, "documents", ordered)
        object.__setattr__(self, "digest", _digest(ordered))

    @property
    def characters(self) -> int:
        """Code points in all texts together."""
        return sum(len(document.text) for document in self.documents)

    def position(self, name: str) -> int | None:
        """Return the index of the document called ``name``, or None."""
        for index, document in enumerate(self.documents):
            if document.name == name:
                return index
        return None


def corpus_of(texts: Iterable[tuple[str, str]]) -> Corpus:
    """Return a corpus from (name, text) pairs: the shortest way in from Python."""
    return Corpus(tuple(Document(name, text) for name, text in texts))


def global_starts(corpus: Corpus) -> Longs:
    """Return where each document begins when all stand in one row, one gap between them."""
    lengths = np.array([len(document.text) + 1 for document in corpus.documents], dtype=np.int64)
    return np.cumsum(lengths) - lengths


def duplicate_texts(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    """Return the (first name, later name) pairs of documents with identical text."""
    first: dict[str, str] = {}
    pairs = []
    for document in corpus.documents:
        earlier = first.setdefault(document.text, document.name)
        if earlier != document.name:
            pairs.append((earlier, document.name))
    return tuple(pairs)


def _digest(documents: tuple[Document, ...]) -> str:
    digest = hashlib.sha256()
    for document in documents:
        # Every part goes in with its length, so that no two corpora run together to the
        # same bytes; a lone surrogate (possible in JSON input) must not stop the digest.
        for part in (document.name, document.group, document.text):
            if part is None:
                digest.update(b"-")
                continue
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data))
            digest.update(data)
    return digest.hexdigest()
