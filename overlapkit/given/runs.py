"""What another retriever brought: its run, held against the questions and the chunks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Corpus
from overlapkit.errors import InputError
from overlapkit.given.chunks import GivenChunks
from overlapkit.given.names import lookup
from overlapkit.given.rows import decoded
from overlapkit.given.run_lines import Lines, Result, Unusable, read_lines
from overlapkit.queries.model import QuerySet
from overlapkit.readers.names import legible
from overlapkit.retrieve import Ranked

_SPAN_NAME = re.compile(r"(.+)#([0-9]{1,15})-([0-9]{1,15})", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class GivenRun:
    """The ranked chunks of each question, as another retriever brought them.

    ``ranked`` points into ``chunks``, which belong to the run: first those of the
    ``GivenChunks`` it was read with, in their order, then their nested ones, so that a
    result is judged by its own span even where ranking here has to leave that chunk out.
    Metrics over results ask for each result's span alone; what else is asked of a
    ``ChunkSet``, starts and ends that rise, does not hold for these. Without
    ``GivenChunks`` they are the chunks that the run names.

    Results in ``left_out`` take no place: those behind them move up. A question that the
    run does not mention (``missing_queries`` of them) has no result and counts 0.
    ``corpus`` and ``queries`` are the digests of what it was read against.
    """

    ranked: Ranked
    chunks: ChunkSet
    left_out: tuple[Unusable, ...]
    missing_queries: int
    corpus: str
    queries: str
    source: str = "run"


def read_run(
    data: bytes,
    queries: QuerySet,
    given: GivenChunks | None,
    source: str = "run",
    *,
    corpus: Corpus | None = None,
) -> GivenRun:
    """Return a run held in TREC lines, JSON lines or CSV with a header.

    A question's results stand by rank where each has one, else by falling score where each
    has one (of equal ones the first line first), else as they come. Without given chunks
    the corpus is needed, and chunks are called ``document#start-end`` as in our TREC files.

    Raises InputError when no result can be used, unless the run itself says that it brings
    none.
    """
    lines = read_lines(decoded(data, source), source)
    asked = lookup((query.id for query in queries), plain_first=lines.trec)
    for_query: dict[int, list[Result]] = {asked[q]: [] for q in lines.mentioned if q in asked}
    for result in lines.results:
        if result.query in asked:
            for_query[asked[result.query]].append(result)
    left_out = lines.unusable + _unknown_queries(lines, asked, queries)
    used = [result for results in for_query.values() for result in results]
    if given is not None:
        known, digest = _of_given(given, plain_first=lines.trec), given.corpus
    elif corpus is not None:
        known, digest = _of_names(used, corpus), corpus.digest
    else:
        raise InputError(f"{source} needs the chunks it ranks: give them, or their corpus")
    ranked = _ranked(for_query, len(queries), known, left_out)
    left_out.sort(key=lambda one: one.row)
    if not len(ranked.chunk) and (left_out or not for_query):
        why = f": row {left_out[0].row}: {left_out[0].reason}" if left_out else ": it is empty"
        raise InputError(f"{source} holds no usable result{why}")
    missing = len(queries) - len(for_query)
    return GivenRun(ranked, known.chunks, tuple(left_out), missing, digest, queries.digest, source)


def _unknown_queries(lines: Lines, asked: dict[str, int], queries: QuerySet) -> list[Unusable]:
    """Return the questions that the set does not hold, each once."""
    dropped = {one.id: one.row for one in queries.unresolved}
    return [
        Unusable(
            row,
            legible(name),
            f"its question was left out of the set (row {dropped[name]})"
            if name in dropped
            else "no question has this id: its results are left out",
        )
        for name, row in lines.mentioned.items()
        if name not in asked
    ]


# --- chunks that a run can bring --------------------------------------------------------


class _Known(NamedTuple):
    """Chunks, which of them an id means, and why a (legible) id means none."""

    chunks: ChunkSet
    at: dict[str, int]
    reasons: dict[str, str]


def _of_given(given: GivenChunks, *, plain_first: bool) -> _Known:
    parts = (given.chunks, given.nested)
    chunks = ChunkSet(
        np.concatenate([part.doc for part in parts]),
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]),
    )
    at = lookup((*given.ids, *given.nested_ids), plain_first=plain_first)
    reasons = {one.id: f"its chunk is left out: {one.reason}" for one in given.left_out}
    return _Known(chunks, at, reasons)


def _of_names(results: Sequence[Result], corpus: Corpus) -> _Known:
    """Return the chunks of ids that tell document, start and end."""
    documents = lookup((document.name for document in corpus.documents), plain_first=True)
    spans: dict[str, tuple[int, int, int]] = {}
    reasons: dict[str, str] = {}
    for name in dict.fromkeys(result.chunk for result in results):
        try:
            spans[name] = _span_of(name, documents, corpus)
        except InputError as error:
            reasons[legible(name)] = str(error)
    ordered = sorted(set(spans.values()))
    place = {span: at for at, span in enumerate(ordered)}
    columns = np.array(ordered, dtype=np.int64).reshape(-1, 3).T.copy()
    return _Known(ChunkSet(*columns), {name: place[span] for name, span in spans.items()}, reasons)


def _span_of(name: str, documents: dict[str, int], corpus: Corpus) -> tuple[int, int, int]:
    match = _SPAN_NAME.fullmatch(name)
    if match is None:
        raise InputError("without given chunks an id must read document#start-end")
    doc = documents.get(match[1])
    if doc is None:
        raise InputError(f"no document is called {match[1]!r} in this corpus")
    start, end = int(match[2]), int(match[3])
    length = len(corpus.documents[doc].text)
    if not 0 <= start < end <= length:
        raise InputError(f"the span {start}..{end} must lie in 0..{length}")
    return doc, start, end


# --- results to ranked lists ------------------------------------------------------------


def _ranked(
    for_query: dict[int, list[Result]], queries: int, known: _Known, left_out: list[Unusable]
) -> Ranked:
    """Return the ranked lists, what cannot count listed in ``left_out``."""
    chunk: list[int] = []
    score: list[float] = []
    first = [0]
    for query in range(queries):
        seen: set[int] = set()
        for result, value in _in_order(for_query.get(query, [])):
            at = known.at.get(result.chunk)
            if at is not None and at not in seen:
                seen.add(at)
                chunk.append(at)
                score.append(value)
                continue
            name = legible(result.chunk)
            reason = f"question {result.query!r} has this chunk at a better rank already"
            if at is None:
                reason = known.reasons.get(name, "no chunk has this id")
            left_out.append(Unusable(result.row, name, reason))
        first.append(len(chunk))
    return Ranked(_longs(first), _longs(chunk), np.array(score, dtype=np.float64))


def _in_order(results: Sequence[Result]) -> Iterator[tuple[Result, float]]:
    """Yield a question's results, best first, with their scores, or else minus their ranks."""
    ranks = [result.rank for result in results if result.rank is not None]
    scores = [result.score for result in results if result.score is not None]
    scored = len(scores) == len(results)
    worse = [-score for score in scores] if scored else [0.0] * len(results)
    order = list(range(len(results)))
    if len(ranks) == len(results):
        order.sort(key=lambda at: (ranks[at], worse[at]))
    else:
        ranks = [float(place) for place in range(1, len(results) + 1)]
        order.sort(key=worse.__getitem__)
    for at in order:
        yield results[at], -worse[at] if scored else -ranks[at]


def _longs(values: Sequence[int]) -> Longs:
    return np.array(values, dtype=np.int64)
