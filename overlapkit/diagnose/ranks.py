"""How deep the chunks stand that hold the evidence."""

import numpy as np

from overlapkit.arrays import Floats, Longs, Mask
from overlapkit.chunkers import ChunkSet
from overlapkit.index import Index, QueryTerms
from overlapkit.queries.located import EvidenceSpans, Spans
from overlapkit.retrieve import RANKINGS, Ranked


def holder_ranks(
    index: Index,
    queries: QueryTerms,
    ranking: str,
    spans: Spans,
    pending: Mask,
    holders: tuple[Longs, Longs],
) -> Longs:
    """Return the rank, from 1, of the best chunk among each pending span's holders.

    ``holders`` are the chunks ``first:last`` per span. 0 means that none of them shares a
    term with the query, and stands for every span that is not pending. Counting the chunks
    that score higher takes a fraction of the time of a list that is deep enough.
    """
    ranks = np.zeros(len(spans.query), dtype=np.int64)
    if not pending.any() or not len(index.chunk):
        return ranks
    weights = RANKINGS[ranking].weights(index)
    scores = np.zeros(index.chunks)
    shared = np.zeros(index.chunks, dtype=bool)
    for query in np.unique(spans.query[pending]).tolist():
        slots = queries.slots[queries.first[query] : queries.first[query + 1]].tolist()
        if not RANKINGS[ranking].repeats:
            slots = list(dict.fromkeys(slots))
        scores[:] = 0.0
        shared[:] = False
        for slot in slots:  # in the query's order, as a ranked list adds them
            part = slice(int(index.first[slot]), int(index.first[slot + 1]))
            scores[index.chunk[part]] += weights[part]
            shared[index.chunk[part]] = True
        for span in range(int(spans.first[query]), int(spans.first[query + 1])):
            if pending[span]:
                own = slice(int(holders[0][span]), int(holders[1][span]))
                ranks[span] = _best_rank(scores, shared, own)
    return ranks


def _best_rank(scores: Floats, shared: Mask, own: slice) -> int:
    """Return the rank of the best chunk in ``own`` that shares a term, 0 without one."""
    among = np.flatnonzero(shared[own]) + own.start
    if not len(among):
        return 0
    best = int(among[np.argmax(scores[among])])  # the first of equals, as ties stand in chunk order
    higher = np.count_nonzero(shared & (scores > scores[best]))
    equal = np.count_nonzero(shared[:best] & (scores[:best] == scores[best]))
    return int(1 + higher + equal)


def ranks_in_lists(
    ranked: Ranked, chunks: ChunkSet, evidence: EvidenceSpans, pending: Mask
) -> Longs:
    """Return the rank of the best chunk that holds each pending span in its query's own list.

    0 means that the list has none, however far it goes, and stands for every span that is
    not pending.
    """
    spans = evidence.spans
    start, end = chunks.placed(evidence.base)
    ranks = np.zeros(len(spans.query), dtype=np.int64)
    for span in np.flatnonzero(pending).tolist():
        query = int(spans.query[span])
        own = ranked.chunk[ranked.first[query] : ranked.first[query + 1]]
        holds = (start[own] <= spans.start[span]) & (end[own] >= spans.end[span])
        if holds.any():
            ranks[span] = 1 + int(np.argmax(holds))
    return ranks
