"""What chunking alone allows, before any retrieval."""

import numpy as np

from overlapkit.arrays import Floats, Longs, Mask
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.chunkers.spans import Units
from overlapkit.queries.located import EvidenceSpans


def whole_spans(chunks: ChunkSet, evidence: EvidenceSpans) -> Mask:
    """Tell for each evidence span whether it lies whole in some chunk."""
    start, end = chunks.placed(evidence.base)
    spans = evidence.spans
    # Of the chunks that begin early enough, what reaches furthest; nested ones reach no further.
    reach = np.maximum.accumulate(end)
    last = np.searchsorted(start, spans.start, side="right") - 1
    return (last >= 0) & (np.append(reach, -1)[last] >= spans.end)


def whole_queries(whole: Mask, evidence: EvidenceSpans) -> Mask:
    """Tell for each query whether its need can be met by whole spans."""
    spans = evidence.spans
    count = spans.per_query(whole.astype(np.float64))
    return np.where(evidence.need_all, count == np.diff(spans.first), count > 0)


def predicted_whole(spec: ChunkSpec, units: Units, evidence: EvidenceSpans) -> Floats:
    """Return per span the chance to lie whole in some window if cuts fell at random.

    1 when its length L is at most overlap + 1 or its document fits one window; else
    ``min(1, max(0, (size - L + 1) / step))``, all in the spec's unit. It is the mean over all
    phases, whatever the spec's own is. NaN for a chunker that cuts no windows.
    """
    if spec.chunker != "window":
        return np.full(len(evidence.spans.start), np.nan)
    lengths = units.met(evidence.spans.start, evidence.spans.end)
    chance = np.clip((spec.size - lengths + 1) / spec.step, 0.0, 1.0)
    fits = np.diff(units.first)[evidence.spans.doc] <= spec.size
    return np.where(fits, 1.0, chance)  # up to overlap + 1, the formula itself gives 1


def precision_omega(chunks: ChunkSet, evidence: EvidenceSpans) -> Floats:
    """Return Precision-Ω per query: how pure the chunks that touch the evidence are.

    The union of evidence held by chunks, over the union of the chunks that share at least
    one character with it plus the evidence held by none (Chroma's technical report
    "Evaluating Chunking Strategies for Retrieval", 2024).
    """
    spans = evidence.merged
    start, end = chunks.placed(evidence.base)
    held = _covered(start, end, spans.end) - _covered(start, end, spans.start)
    first = np.searchsorted(end, spans.start, side="right")
    last = np.searchsorted(start, spans.end, side="left") - 1
    touched = last >= first
    low = np.where(touched, np.append(start, 0)[np.minimum(first, len(start))], spans.start)
    high = np.where(touched, np.append(end, 0)[last], spans.start)
    # Stretches of a query's spans rise, so what is new begins where the last one ended.
    reach = np.concatenate(([0], high[:-1]))
    reach[np.diff(spans.query, prepend=-1) != 0] = 0
    low = np.minimum(np.maximum(low, reach), high)
    union = _covered(start, end, high) - _covered(start, end, low)
    whole = spans.per_query(union + spans.length - held)
    return np.divide(spans.per_query(held), whole, out=np.zeros(len(whole)), where=whole > 0)


def _covered(start: Longs, end: Longs, at: Longs) -> Longs:
    """Return how many code points before each position lie in at least one chunk."""
    if not len(start):
        return np.zeros(len(at), dtype=np.int64)
    fresh_start = np.maximum(start, np.concatenate(([0], end[:-1])))
    total = np.concatenate(([0], np.cumsum(end - fresh_start)))
    index = np.searchsorted(fresh_start, at, side="right")
    inside = np.minimum(at, np.append(end, 0)[index - 1]) - np.append(fresh_start, 0)[index - 1]
    covered: Longs = np.where(index > 0, total[np.maximum(index - 1, 0)] + inside, 0)
    return covered
