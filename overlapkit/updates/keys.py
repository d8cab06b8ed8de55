"""Names made of content: of a document's version, of a chunk, and of a text to embed.

Two keys, since two things change apart. A chunk's *id* names a place in one version of a
document under one setting: a new version or setting gives every chunk a new id, so that rows
of two versions can always be told apart. Its *embedding key* names its text alone: a chunk
whose text stays keeps its key wherever it moves, and so its vector.

All are the first 128 bits of a SHA-256, in hexadecimal digits, of parts that each come with
their length.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import fields

from overlapkit.arrays import Longs
from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Document

# How files become stored text. Raise it when a reader gives another text for equal bytes.
READER = "text 1"

_DIGITS = 32
_ALWAYS = ("chunker", "unit", "size", "overlap")


def version_of(document: Document) -> str:
    """Return the digest of a document's name, group and text."""
    return _digest("document", document.name, document.group, document.text)


def chunk_id(version: str, reader: str, spec: ChunkSpec, start: int, end: int) -> str:
    """Return the id of the chunk at a span of a document's version."""
    return _id(_of_chunks(version, reader, spec), start, end)


def chunk_ids(
    version: str, reader: str, spec: ChunkSpec, start: Longs, end: Longs
) -> tuple[str, ...]:
    """Return the ids of many chunks of one version, as ``chunk_id`` gives them."""
    begun = _of_chunks(version, reader, spec)
    return tuple(_id(begun, a, b) for a, b in zip(start.tolist(), end.tolist(), strict=True))


def embedding_key(text: str, model: str = "") -> str:
    """Return the digest of a text to embed and of the model's name, if one is given."""
    return _digest("text", model, text)


def embedding_keys(texts: Iterable[str], model: str = "") -> tuple[str, ...]:
    """Return the keys of many texts, as ``embedding_key`` gives them."""
    return tuple(embedding_key(text, model) for text in texts)


def spec_parts(spec: ChunkSpec) -> tuple[tuple[str, str], ...]:
    """Return what of a spec decides where chunks lie, as (name, value) in a fixed order.

    Chunker, unit, size and overlap; the encoding where the unit is ``token``; any other
    field, such as the phase, where it is not at its default. So a field that is added one
    day leaves the ids of those who do not use it.
    """
    parts = [(name, str(getattr(spec, name))) for name in _ALWAYS]
    if spec.unit == "token":
        parts.append(("encoding", spec.encoding))
    for field in sorted(fields(spec), key=lambda one: one.name):
        value = getattr(spec, field.name)
        if field.name in (*_ALWAYS, "encoding") or not field.compare or value == field.default:
            continue
        parts.append((field.name, str(value)))
    return tuple(parts)


def setting_key(spec: ChunkSpec, reader: str = READER) -> str:
    """Return the reader and the spec as a person can read them and a filter can compare."""
    return "; ".join((reader, *(f"{name} {value}" for name, value in spec_parts(spec))))


def _of_chunks(version: str, reader: str, spec: ChunkSpec) -> "hashlib._Hash":
    parts = [part for pair in spec_parts(spec) for part in pair]
    # How many parts there are keeps a setting apart from the span that follows it.
    return _hashed(("chunk", version, reader, str(len(parts)), *parts))


def _id(begun: "hashlib._Hash", start: int, end: int) -> str:
    whole = begun.copy()
    whole.update(_encoded(str(start)) + _encoded(str(end)))
    return whole.hexdigest()[:_DIGITS]


def _digest(*parts: str | None) -> str:
    return _hashed(parts).hexdigest()[:_DIGITS]


def _hashed(parts: Sequence[str | None]) -> "hashlib._Hash":
    return hashlib.sha256(b"".join(map(_encoded, parts)))


def _encoded(part: str | None) -> bytes:
    """Return a part with its length; a lone surrogate must not stop the digest."""
    if part is None:
        return b"-"
    data = part.encode("utf-8", "surrogatepass")
    return b"%d:%s" % (len(data), data)
