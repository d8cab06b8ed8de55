"""One setting, evaluated: metrics, ceilings and costs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine, prepare
from overlapkit.evaluate.ceiling import (
    precision_omega,
    predicted_whole,
    whole_queries,
    whole_spans,
)
from overlapkit.evaluate.metrics import AT_ONE, METRICS
from overlapkit.evaluate.results import Results, cut_off
from overlapkit.queries.model import QuerySet
from overlapkit.retrieve import Budget, Ranked, RunSpec, TopK
from overlapkit.terms import TermChoice
from overlapkit.tokens import count_tokens

# A section is mostly longer than a chunk, so these say nothing about an ``extent`` set.
WITHHELD_FOR_EXTENT = ("complete", "containment", "query_containment", "predicted_containment")


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What a setting costs and what it finds.

    ``values`` maps column names to numbers (rates are fractions; NaN where withheld or
    undefined). ``per_query`` maps metric columns to one value per query, in query order.
    ``ranked_here`` is false where another retriever ranked, whose lists go no deeper and
    whose chunks may lie inside one another.
    """

    spec: ChunkSpec
    run: RunSpec
    terms: TermChoice
    chunks: ChunkSet
    ranked: Ranked
    values: Mapping[str, float]
    per_query: Mapping[str, Floats]
    ranked_here: bool = True


def evaluate(
    corpus: Corpus, queries: QuerySet, spec: ChunkSpec, run: RunSpec | None = None
) -> Evaluation:
    """Chunk, index and evaluate one setting.

    Raises SettingsError or QueryError for input that cannot be used.
    """
    run = run or RunSpec()
    return evaluate_with(prepare(corpus, queries, run.terms), spec, run)


def evaluate_with(
    engine: Engine,
    spec: ChunkSpec,
    run: RunSpec,
    *,
    also: tuple[TopK | Budget, ...] = (),
    tokens: bool = True,
) -> Evaluation:
    """Evaluate one setting with what is already prepared.

    ``also`` adds the metrics at further cut-offs. ``tokens=False`` leaves out the exact
    count of tokens to embed, which reads every chunk's text.
    """
    chunks = engine.chunk(spec)
    cutoffs = (run.cutoff, *also)
    index = engine.index(chunks)
    ranked = engine.rank(chunks, index, run.ranking, cutoffs)
    counts = token_counts(engine, chunks, spec.encoding) if tokens else None
    per_query: dict[str, Floats] = {}
    for cutoff in cutoffs:
        results = cut_off(engine, chunks, ranked, cutoff, spec.encoding)
        per_query |= judge(results, cutoff.label)
        if counts is not None:
            name = f"retrieved_tokens@{cutoff.label}"
            per_query[name] = retrieved_tokens(results, chunks, counts, spec.encoding)
    per_query |= _at_one(cut_off(engine, chunks, ranked, TopK(1)))
    ceilings, of_queries = _ceilings(engine, spec, chunks)
    per_query |= of_queries
    values = _costs(engine, spec, chunks) | ceilings
    values["common_term_queries"] = common_term_queries(engine, index.document_frequency, chunks)
    if counts is not None:
        values["index_tokens"] = int(counts.sum())
    values |= {name: mean(column) for name, column in per_query.items()}
    if engine.queries.kind == "extent":
        values |= {name: np.nan for name in values if name.split("@")[0] in WITHHELD_FOR_EXTENT}
    return Evaluation(spec, run, engine.terms, chunks, ranked, values, per_query)


def results_of(engine: Engine, found: Evaluation) -> Results:
    """Return what each query got under an evaluation, as far as its own cut-off takes it."""
    return cut_off(engine, found.chunks, found.ranked, found.run.cutoff, found.spec.encoding)


def judge(results: Results, label: str) -> dict[str, Floats]:
    """Return every metric per query, its column named ``metric@label``."""
    return {f"{name}@{label}": metric.compute(results) for name, metric in METRICS.items()}


def mean(column: Floats) -> float:
    """Return the mean over the queries that have a value; NaN when none has."""
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else np.nan


def _at_one(results: Results) -> dict[str, Floats]:
    return {f"{name}@1": compute(results) for name, compute in AT_ONE.items()}


def _ceilings(
    engine: Engine, spec: ChunkSpec, chunks: ChunkSet
) -> tuple[dict[str, float], dict[str, Floats]]:
    evidence = engine.evidence
    whole = whole_spans(chunks, evidence)
    units = engine.units(spec.unit, spec.encoding)
    predicted = predicted_whole(spec, units, evidence)
    values = {
        "containment": mean(whole.astype(np.float64)),
        "predicted_containment": mean(predicted),
    }
    return values, {
        "query_containment": whole_queries(whole, evidence).astype(np.float64),
        "precision_omega": precision_omega(chunks, evidence),
    }


def _costs(engine: Engine, spec: ChunkSpec, chunks: ChunkSet) -> dict[str, float]:
    characters = int(chunks.lengths().sum())
    # Costs of all phases are held against one: 0% at the same size, unmoved.
    unrepeated = int(engine.chunk(replace(spec, overlap=0, phase=0)).lengths().sum())
    begin, end = chunks.placed(engine.evidence.base)
    return {
        "chunks": len(chunks),
        "index_chars": characters,
        "index_x": characters / unrepeated if unrepeated else np.nan,
        "index_words": int(engine.units("word").met(begin, end).sum()),
        "effective_overlap": effective_overlap(chunks),
        "queries": len(engine.queries),
        "unresolved": len(engine.queries.unresolved),
    }


def token_counts(engine: Engine, chunks: ChunkSet, encoding: str) -> Longs:
    """Return the tokens of each chunk's own text."""
    texts = [chunks.text(engine.corpus, index) for index in range(len(chunks))]
    return count_tokens(texts, encoding)


def retrieved_tokens(results: Results, chunks: ChunkSet, counts: Longs, encoding: str) -> Floats:
    """Return the tokens that each query retrieved, a truncated chunk counted as it was cut."""
    tokens = counts[results.chunk]
    cut = np.flatnonzero(results.length < chunks.lengths()[results.chunk])
    if len(cut):
        tokens[cut] = count_tokens([results.text(index) for index in cut.tolist()], encoding)
    return results.total(tokens)


def common_term_queries(engine: Engine, frequency: Longs, chunks: ChunkSet) -> int:
    """Return how many queries hold a term that stands in half of the chunks or more.

    Such a term has no positive classic idf, so BM25Okapi ranks by a stand-in weight.
    """
    asked = engine.query_terms
    common = (2 * frequency >= len(chunks)) & (frequency > 0)
    query = np.repeat(np.arange(len(asked.first) - 1), np.diff(asked.first))
    return len(np.unique(query[common[asked.slots]]))


def effective_overlap(chunks: ChunkSet) -> float:
    """Return the mean number of characters that neighbours in a document share."""
    if len(chunks) < 2:
        return 0.0
    same = chunks.doc[1:] == chunks.doc[:-1]
    shared = np.maximum(chunks.end[:-1] - chunks.start[1:], 0)[same]
    return float(shared.mean()) if len(shared) else 0.0
