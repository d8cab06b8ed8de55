"""Windows of a fixed number of characters, words or tokens."""

import hashlib
import re

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.spans import ChunkSet, Units
from overlapkit.chunkers.spec import ChunkSpec
from overlapkit.corpus import Corpus, global_starts
from overlapkit.tokens import token_spans

_RUN = re.compile(r"\S+")


def read_units(corpus: Corpus, unit: str, encoding: str = "cl100k_base") -> Units:
    """Return the unit spans of every document; an empty or white-space-only one has none."""
    base = global_starts(corpus)
    if unit == "char":
        counts = [0 if text.isspace() else len(text) for text in _texts(corpus)]
        return Units(base, _first(counts), None, None)
    starts, ends, counts, widened = [], [], [], 0
    for text, at in zip(_texts(corpus), base, strict=True):
        if not text or text.isspace():
            counts.append(0)
            continue
        if unit == "word":
            pairs = np.array([match.span() for match in _RUN.finditer(text)], dtype=np.int64)
            begin, end = pairs[:, 0], pairs[:, 1]
        else:
            begin, end, more = token_spans(text, encoding)
            widened += more
        starts.append(begin + at)
        ends.append(end + at)
        counts.append(len(begin))
    return Units(base, _first(counts), _joined(starts), _joined(ends), widened)


def windows(corpus: Corpus, spec: ChunkSpec, units: Units, _: object = None) -> ChunkSet:
    """Return windows that start at 0, step, 2·step … units of each document, or moved by a phase.

    The first window that reaches its document's end is the last one, so that none lies
    inside another.
    """
    return windows_moved(spec, units, phase_offsets(corpus, spec))


def phase_offsets(corpus: Corpus, spec: ChunkSpec) -> Longs:
    """Return by how many units, in 0..step - 1, the spec's phase moves each document's windows.

    The draw depends on the phase and the document's name alone, and is then taken modulo the
    step. So a phase moves the windows of all settings from one common origin, and settings
    of one phase stand to each other as those of phase 0 do: where one step divides another,
    their starts still meet.
    """
    if spec.phase == 0:
        return np.zeros(len(corpus.documents), dtype=np.int64)
    drawn = [_draw(spec.phase, document.name) for document in corpus.documents]
    return (np.array(drawn, dtype=np.uint64) % np.uint64(spec.step)).astype(np.int64)


def _draw(phase: int, name: str) -> int:
    """Return 64 bits that are the same in every process; a remainder of them is even enough."""
    data = b"%d:%s" % (phase, name.encode("utf-8", "surrogatepass"))
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "little")


def windows_moved(spec: ChunkSpec, units: Units, offset: Longs) -> ChunkSet:
    """Return windows that start at i·step - offset[d] units of document d, clipped at 0.

    Offsets lie in 0..step - 1. A document no longer than the size stays one chunk, since
    nothing has to be cut there: so the mean over all offsets is ``predicted_whole`` exactly.
    """
    counts = np.diff(units.first)
    offset = np.where(counts > spec.size, offset, 0)
    beyond = np.maximum(counts + offset - spec.size, 0)
    per_document = np.where(counts > 0, 1 + -(-beyond // spec.step), 0)
    doc = np.repeat(np.arange(len(counts), dtype=np.int64), per_document)
    begin = np.cumsum(per_document) - per_document
    first_unit = (np.arange(len(doc)) - begin[doc]) * spec.step - offset[doc]
    last_unit = np.minimum(first_unit + spec.size, counts[doc])
    # Only a first window is clipped; the second starts at step - offset, which is beyond 0.
    first_unit = np.maximum(first_unit, 0)
    if units.starts is None or units.ends is None:
        return ChunkSet(doc, first_unit, last_unit)
    shift = units.first[:-1][doc]
    start = units.starts[first_unit + shift] - units.base[doc]
    end = units.ends[last_unit - 1 + shift] - units.base[doc]
    return _without_contained(doc, start, end, units.widened)


def _without_contained(doc: Longs, start: Longs, end: Longs, widened: int) -> ChunkSet:
    """Merge windows that lie inside a neighbour, which widened tokens can cause."""
    total = len(doc)
    # Starts and ends never fall, so a window inside another shares its start or its end.
    keep = np.ones(total, dtype=bool)
    keep[:-1] = (doc[1:] != doc[:-1]) | (start[1:] != start[:-1])
    doc, start, end = doc[keep], start[keep], end[keep]
    keep = np.ones(len(doc), dtype=bool)
    keep[1:] = (doc[1:] != doc[:-1]) | (end[1:] != end[:-1])
    doc, start, end = doc[keep], start[keep], end[keep]
    return ChunkSet(doc, start, end, widened, total - len(doc))


def _texts(corpus: Corpus) -> list[str]:
    return [document.text for document in corpus.documents]


def _first(counts: list[int]) -> Longs:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _joined(parts: list[Longs]) -> Longs:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
