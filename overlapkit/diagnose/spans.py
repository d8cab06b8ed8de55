"""How far each evidence span stands from a hit."""

from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import Floats, Longs, Mask
from overlapkit.chunkers import ChunkSet
from overlapkit.diagnose.causes import Cause
from overlapkit.diagnose.fit import Fit, fit
from overlapkit.diagnose.ranks import holder_ranks, ranks_in_lists
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation, results_of
from overlapkit.evaluate.ceiling import whole_spans
from overlapkit.evaluate.metrics import complete
from overlapkit.evaluate.results import Results, cut_off
from overlapkit.gains.draws import holders
from overlapkit.gains.duplicates import collapse
from overlapkit.index import Index

# From the furthest from a hit to the nearest, which is the order in which they are asked for.
NEARNESS: tuple[Cause, ...] = (
    "chunk too small", "cut boundary", "no shared term", "crowded out", "outranked", "hit"
)  # fmt: skip
_TOO_SMALL, _CUT, _NO_TERM, _CROWDED, _OUTRANKED, _HIT = range(len(NEARNESS))


@dataclass(frozen=True, slots=True, eq=False)
class SpanCauses:
    """Per evidence span its cause as a place in ``NEARNESS``, its fit and its rank.

    ``rank`` counts from 1 and is that of the best chunk that holds the span whole; 0 where
    none does that shares a term, or that another retriever brings. Of a query that hits,
    only the spans held are looked at.
    """

    near: Longs
    fit: Fit
    rank: Longs


def look(engine: Engine, evaluation: Evaluation) -> SpanCauses:
    """Return how far each evidence span stands from a hit."""
    spec, chunks, evidence = evaluation.spec, evaluation.chunks, engine.evidence
    results = results_of(engine, evaluation)
    rank = _held_ranks(results)
    held = rank > 0
    fits = fit(engine.units(spec.unit, spec.encoding), evidence)
    whole = whole_spans(chunks if evaluation.ranked_here else _by_start(chunks), evidence)
    near = np.where(fits.needed > spec.size, _TOO_SMALL, _CUT)
    near[whole] = _NO_TERM
    near[held] = _HIT
    pending = whole & ~held & (complete(results) == 0)[evidence.spans.query]
    if pending.any():
        index = engine.index(chunks) if evaluation.ranked_here else None
        if index is None:
            rank += ranks_in_lists(evaluation.ranked, chunks, evidence, pending)
            behind = pending  # whether words match is not what another retriever goes by
        else:
            asked = (engine.query_terms, evaluation.run.ranking, evidence.spans)
            rank += holder_ranks(index, *asked, pending, holders(chunks, evidence))
            behind = pending & (rank > 0)
        near[behind] = _OUTRANKED
        near[behind & _held_once_collapsed(engine, evaluation, index, behind)] = _CROWDED
    return SpanCauses(near, fits, rank)


def decisive_spans(engine: Engine, found: SpanCauses) -> Longs:
    """Return the span that decides on each query.

    Of a query that needs any, it is the span nearest to a hit; of one that needs all, the
    furthest from it. Of one cause, the smaller needed size (for a cut, the smaller overlap
    that is sure) or the better rank is nearer, then the one that is listed first. What
    another retriever does not bring at all is as far as what shares no term.
    """
    spans = engine.evidence.spans
    near = np.where((found.near == _OUTRANKED) & (found.rank == 0), _NO_TERM, found.near)
    by_size, by_rank = near <= _CUT, near >= _CROWDED
    detail: Floats = np.where(by_rank, found.rank, 0).astype(np.float64)
    detail[by_size] = np.where(found.fit.possible, found.fit.needed, np.inf)[by_size]
    sign = np.where(engine.evidence.need_all, 1, -1)[spans.query]
    order = np.lexsort((-sign * detail, sign * near, spans.query))
    decisive: Longs = order[spans.first[:-1]]
    return decisive


def _by_start(chunks: ChunkSet) -> ChunkSet:
    """Return the chunks of a run in the order of the text: its nested ones come last."""
    order = np.lexsort((chunks.start, chunks.doc))
    return ChunkSet(chunks.doc[order], chunks.start[order], chunks.end[order])


def _held_ranks(results: Results) -> Longs:
    """Return the rank, from 1, of the best result that holds each span whole, or 0."""
    spans, shared = results.evidence.spans, results.shared
    whole = shared.characters == spans.length[shared.span]
    never = np.iinfo(np.int64).max
    rank = np.full(len(spans.query), never)
    np.minimum.at(rank, shared.span[whole], results.rank[shared.result[whole]] + 1)
    rank[rank == never] = 0
    return rank


def _held_once_collapsed(
    engine: Engine, evaluation: Evaluation, index: Index | None, behind: Mask
) -> Mask:
    """Tell which spans are held once near-duplicates share a slot, for the marked ones' queries."""
    chunks, run, encoding = evaluation.chunks, evaluation.run, evaluation.spec.encoding
    which = np.unique(engine.evidence.spans.query[behind])
    ranked = collapse(
        engine, chunks, index, run.ranking, run.cutoff,
        encoding=encoding, which=which, known=evaluation.ranked,
    )  # fmt: skip
    held: Mask = _held_ranks(cut_off(engine, chunks, ranked, run.cutoff, encoding)) > 0
    return held
