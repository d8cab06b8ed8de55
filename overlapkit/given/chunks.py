"""Chunks that another tool made, found again in the corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers import ChunkSet
from overlapkit.chunkers.spans import Units
from overlapkit.chunkers.window import read_units
from overlapkit.corpus import Corpus, global_starts
from overlapkit.errors import InputError
from overlapkit.given.names import chunk_name
from overlapkit.given.reader import ChunkReader, Located, Misaligned, rows_of
from overlapkit.readers.names import legible


@dataclass(frozen=True, slots=True, eq=False)
class GivenChunks:
    """The chunks of a file as spans of the corpus that has the digest ``corpus``.

    ``ids`` are those of ``chunks``, in their order: document, then start. A chunk that lies
    inside another, or has the same span, is in ``left_out``, since ranking needs starts and
    ends that both rise; a retriever may bring it all the same, so it is kept in ``nested``
    as well, whose ends need not rise. A chunk without an id of its own is called
    ``document#start-end``, like those of our TREC files. ``covered`` is the share of the
    corpus's characters, white space aside, that stand in some chunk.
    """

    chunks: ChunkSet
    ids: tuple[str, ...]
    nested: ChunkSet
    nested_ids: tuple[str, ...]
    left_out: tuple[Misaligned, ...]
    covered: float
    corpus: str
    source: str = "chunks"


def read_chunks(data: bytes, corpus: Corpus, source: str = "chunks") -> GivenChunks:
    """Return the chunks held in JSON lines or Parquet, found in the corpus.

    A chunk has offsets (code points of the stored text) and a document, or a text, or both;
    objects such as ``metadata`` inside a row are looked into. A text is looked for in the
    document that is named, else in all of them (see ``alignment``), and so is one that does
    not stand at its offsets.

    Raises InputError when no chunk can be used.
    """
    reader = ChunkReader(corpus)
    for row in rows_of(data, source):
        reader.take(row)
    words = read_units(corpus, "word")
    found = reader.placed(words)
    chosen = _assemble(corpus, found, reader.ids, reader.left_out)
    left_out = tuple(sorted(reader.left_out, key=lambda one: one.row))
    if not chosen.outer:
        why = f": row {left_out[0].row}: {left_out[0].reason}" if left_out else ": it is empty"
        raise InputError(f"{source} holds no usable chunk{why}")
    chunks = _chunk_set(corpus, chosen.outer)
    return GivenChunks(
        chunks,
        tuple(one.id for one in chosen.outer),
        _chunk_set(corpus, chosen.nested),
        tuple(one.id for one in chosen.nested),
        left_out,
        _covered(*chunks.placed(global_starts(corpus)), words),
        corpus.digest,
        source,
    )


# --- spans to chunks --------------------------------------------------------------------


class _Chosen(NamedTuple):
    outer: list[Located]
    nested: list[Located]


def _assemble(
    corpus: Corpus, found: Iterable[Located], ids: dict[int, str], left_out: list[Misaligned]
) -> _Chosen:
    """Return the chunks in order, those inside another apart and listed in ``left_out``."""
    base = global_starts(corpus)
    ordered = sorted(found, key=lambda one: (one.start, -one.end, one.row))
    docs = (np.searchsorted(base, [one.start for one in ordered], side="right") - 1).tolist()
    chosen = _Chosen([], [])
    for doc, one in zip(docs, ordered, strict=True):
        document, shift = corpus.documents[doc].name, int(base[doc])
        start, end = one.start - shift, one.end - shift
        known = one._replace(id=ids.get(one.row) or chunk_name(document, start, end))
        holder = chosen.outer[-1] if chosen.outer else None
        # Sorted so, the chunk that reaches furthest is the last one kept.
        if holder is None or one.end > holder.end:
            chosen.outer.append(known)
            continue
        chosen.nested.append(known)
        where = f"{legible(holder.id)!r} at {holder.start - shift}..{holder.end - shift}"
        same = (holder.start, holder.end) == (one.start, one.end)
        how = "has the span of" if same else "lies inside"
        reason = f"{how} the chunk {where} of {document!r}: it counts where a run brings it"
        left_out.append(Misaligned(one.row, legible(known.id), reason))
    return chosen


def _chunk_set(corpus: Corpus, located: Sequence[Located]) -> ChunkSet:
    spans = np.array([(one.start, one.end) for one in located], dtype=np.int64).reshape(-1, 2)
    base = global_starts(corpus)
    doc = np.searchsorted(base, spans[:, 0], side="right") - 1
    start, end = spans.T - base[doc]
    return ChunkSet(doc, start, end)


def _covered(start: Longs, end: Longs, words: Units) -> float:
    """Return the share of the words' characters that stand in a chunk; 1 without any."""
    assert words.starts is not None
    assert words.ends is not None
    total = np.concatenate(([0], np.cumsum(words.ends - words.starts)))
    if not total[-1]:
        return 1.0
    fresh = np.maximum(start, np.concatenate(([0], end[:-1])))
    before = []
    for at in (fresh, end):
        word = np.maximum(np.searchsorted(words.starts, at, side="right") - 1, 0)
        inside = np.clip(at - words.starts[word], 0, words.ends[word] - words.starts[word])
        before.append(total[word] + inside)
    return float((before[1] - before[0]).sum() / total[-1])
