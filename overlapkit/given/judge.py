"""Given chunks judged like those of a setting, ranked here or by another retriever."""

import numpy as np

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.engine import Engine
from overlapkit.errors import InputError
from overlapkit.evaluate import Evaluation
from overlapkit.evaluate.ceiling import precision_omega, whole_queries, whole_spans
from overlapkit.evaluate.evaluation import (
    WITHHELD_FOR_EXTENT,
    common_term_queries,
    effective_overlap,
    judge,
    mean,
    retrieved_tokens,
    token_counts,
)
from overlapkit.evaluate.metrics import AT_ONE
from overlapkit.evaluate.results import cut_off
from overlapkit.given.chunks import GivenChunks
from overlapkit.given.runs import GivenRun
from overlapkit.index import Index
from overlapkit.retrieve import Budget, Ranked, RunSpec, TopK


def evaluate_given(
    engine: Engine,
    given: GivenChunks | None,
    run: RunSpec,
    name: str,
    ranked_run: GivenRun | None = None,
    *,
    also: tuple[TopK | Budget, ...] = (),
    tokens: bool = True,
    encoding: str = "cl100k_base",
) -> Evaluation:
    """Evaluate given chunks under the cut-off of ``run``, ranked by it or by ``ranked_run``.

    A given run is taken as far as it goes: where it ends before a budget is full, what is
    there counts. Then costs count every chunk that the run could bring, nested ones
    included; ranked here, only those that are ranked. What is returned has ``name`` for its
    chunker and the longest chunk for its size, in characters. Without given chunks there are
    no costs and no ceilings. ``index_x`` and ``predicted_containment`` are NaN, since there is
    neither a 0% of these chunks nor a size. ``tokens=False`` leaves out what reads every
    chunk's text; ``encoding`` is the vocabulary that tokens are counted in.

    Raises InputError where chunks or run were read for another corpus or other questions.
    """
    _check(engine, given, ranked_run)
    index: Index | None = None
    cutoffs = (run.cutoff, *also)
    if ranked_run is not None:
        chunks, ranked = ranked_run.chunks, ranked_run.ranked
    elif given is not None:
        chunks = given.chunks
        index = engine.index(chunks)
        ranked = engine.rank(chunks, index, run.ranking, cutoffs)
    else:
        raise InputError("there must be chunks or a run to judge; got neither: give one")
    counts = token_counts(engine, chunks, encoding) if tokens else None
    per_query = _judged(engine, chunks, ranked, cutoffs, counts, encoding)
    ceilings, of_queries = _ceilings(engine, given)
    per_query |= of_queries
    values = _costs(engine, given, chunks) | ceilings
    values["common_term_queries"] = (
        np.nan if index is None else common_term_queries(engine, index.document_frequency, chunks)
    )
    if counts is not None:
        values["index_tokens"] = np.nan if given is None else int(counts.sum())
    values |= {column: mean(found) for column, found in per_query.items()}
    if engine.queries.kind == "extent":
        values |= {c: np.nan for c in values if c.split("@")[0] in WITHHELD_FOR_EXTENT}
    longest = int(chunks.lengths().max(initial=1))
    spec = ChunkSpec(name, size=longest, overlap=0, encoding=encoding)
    return Evaluation(
        spec, run, engine.terms, chunks, ranked, values, per_query, ranked_here=ranked_run is None
    )


def _check(engine: Engine, given: GivenChunks | None, run: GivenRun | None) -> None:
    for part in (given, run):
        if part is not None and part.corpus != engine.corpus.digest:
            raise InputError(f"{part.source} was read for another corpus: read it again")
    if run is not None and run.queries != engine.queries.digest:
        raise InputError(f"{run.source} was read for other questions: read it again")


def _judged(
    engine: Engine,
    chunks: ChunkSet,
    ranked: Ranked,
    cutoffs: tuple[TopK | Budget, ...],
    counts: Longs | None,
    encoding: str,
) -> dict[str, Floats]:
    """Return every metric per query at every cut-off, and the hits of the first results."""
    per_query: dict[str, Floats] = {}
    for cutoff in cutoffs:
        results = cut_off(engine, chunks, ranked, cutoff, encoding)
        per_query |= judge(results, cutoff.label)
        if counts is not None:
            column = f"retrieved_tokens@{cutoff.label}"
            per_query[column] = retrieved_tokens(results, chunks, counts, encoding)
    first = cut_off(engine, chunks, ranked, TopK(1))
    return per_query | {f"{metric}@1": compute(first) for metric, compute in AT_ONE.items()}


def _ceilings(
    engine: Engine, given: GivenChunks | None
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Return what the chunks allow; nested ones hold nothing that the others do not."""
    evidence = engine.evidence
    values = {"containment": np.nan, "predicted_containment": np.nan}
    if given is None:
        unknown = np.full(len(engine.queries), np.nan)
        return values, {"query_containment": unknown, "precision_omega": unknown}
    whole = whole_spans(given.chunks, evidence)
    values["containment"] = mean(whole.astype(np.float64))
    return values, {
        "query_containment": whole_queries(whole, evidence).astype(np.float64),
        "precision_omega": precision_omega(given.chunks, evidence),
    }


def _costs(engine: Engine, given: GivenChunks | None, chunks: ChunkSet) -> dict[str, float]:
    begin, end = chunks.placed(engine.evidence.base)
    costs: dict[str, float] = {
        "chunks": len(chunks),
        "index_chars": int(chunks.lengths().sum()),
        "index_x": np.nan,
        "index_words": int(engine.units("word").met(begin, end).sum()),
        "effective_overlap": np.nan if given is None else effective_overlap(given.chunks),
    }
    if given is None:  # what a run names is not all there is
        costs = dict.fromkeys(costs, np.nan)
    return costs | {
        "queries": len(engine.queries),
        "unresolved": len(engine.queries.unresolved),
    }
