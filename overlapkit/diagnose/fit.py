"""What size and overlap would hold an evidence span whole, by arithmetic on its units."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs, Mask
from overlapkit.chunkers import ChunkSpec
from overlapkit.chunkers.spans import Units
from overlapkit.chunkers.window import phase_offsets
from overlapkit.corpus import Corpus
from overlapkit.queries.located import EvidenceSpans


class Fit(NamedTuple):
    """How each evidence span lies on the units of its document.

    A window of units ``a`` up to ``b`` holds it whole just when ``a <= first`` and
    ``b > last``; both count from the document's beginning. ``needed`` units are the fewest
    that do. That is the span's length, save for a word span with white space at its edges
    (which takes the next word along) and for tokens that part a character. ``possible`` is
    false where the span reaches beyond the document's units: white space before the first
    word or after the last belongs to no window.
    """

    first: Longs
    last: Longs
    needed: Longs
    possible: Mask


def fit(units: Units, evidence: EvidenceSpans) -> Fit:
    """Return how each evidence span lies on the units."""
    spans = evidence.spans
    count = np.diff(units.first)[spans.doc]
    if units.starts is None or units.ends is None:
        shift = units.base[spans.doc]
        first, last = spans.start - shift, spans.end - 1 - shift
    else:
        shift = units.first[spans.doc]
        first = np.searchsorted(units.starts, spans.start, side="right") - 1 - shift
        last = np.searchsorted(units.ends, spans.end, side="left") - shift
    possible = (first >= 0) & (last < count)
    needed = np.minimum(last, count - 1) - np.maximum(first, 0) + 1
    return Fit(first, last, np.maximum(needed, 1), possible)


def working_overlaps(
    corpus: Corpus, spec: ChunkSpec, doc: Longs, first: Longs, last: Longs
) -> Longs:
    """Return per span the smallest overlap above the spec's that holds it whole.

    For windows, and spans that fit in one but lie whole in none: ``doc`` is each one's
    document, ``first`` and ``last`` are as in ``Fit``.
    """
    found = np.zeros(len(doc), dtype=np.int64)
    left = np.arange(len(doc))
    for overlap in range(spec.overlap + 1, spec.size):
        if not len(left):
            break
        tried = replace(spec, overlap=overlap)
        moved = phase_offsets(corpus, tried)[doc[left]]
        # Of the windows that begin in time, the last one reaches furthest.
        begin = (first[left] + moved) // tried.step * tried.step - moved
        holds = begin + spec.size > last[left]
        found[left[holds]] = overlap
        left = left[~holds]
    return found
