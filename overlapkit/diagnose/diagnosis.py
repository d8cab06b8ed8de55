"""Each query's diagnosis, with what the cause asks to be told."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from overlapkit.chunkers import CHUNKERS
from overlapkit.diagnose.causes import Diagnosis, Lack, Passage
from overlapkit.diagnose.fit import working_overlaps
from overlapkit.diagnose.outside import Cover, trimmed
from overlapkit.diagnose.spans import NEARNESS, SpanCauses, decisive_spans, look
from overlapkit.engine import Engine
from overlapkit.errors import InputError, QueryError
from overlapkit.evaluate import Evaluation
from overlapkit.queries.model import Evidence
from overlapkit.structure import Heading, headings
from overlapkit.terms import term_function


def diagnose(engine: Engine, evaluation: Evaluation) -> tuple[Diagnosis, ...]:
    """Return one diagnosis per query, in their order, then those of the unresolved rows.

    A query that needs any of its spans is judged by the one nearest to a hit, a query that
    needs all by the one furthest from it (see ``decisive_spans``). The evaluation must be of
    this engine. Raises QueryError for an ``extent`` set, and InputError for a run without
    the chunks that it was made from.
    """
    if engine.queries.kind == "extent":
        raise QueryError(
            "the causes of misses need minimal evidence; this set's is whole sections, which are "
            "mostly longer than a chunk: diagnose a golden set or boundary probes"
        )
    if np.isnan(evaluation.values["chunks"]):
        raise InputError(
            "a run names only the chunks that it brings, so what it misses has no known cause: "
            "give the chunks of its index as well"
        )
    unresolved = (
        Diagnosis(None, row.id, "unresolved", reason=row.reason)
        for row in engine.queries.unresolved
    )
    return (*_diagnoses(engine, evaluation), *unresolved)


def _diagnoses(engine: Engine, evaluation: Evaluation) -> Iterator[Diagnosis]:
    found = look(engine, evaluation)
    spans = decisive_spans(engine, found).tolist()
    working = _working_overlaps(engine, evaluation, found, spans)
    ours = evaluation.spec.chunker in CHUNKERS
    cover = None if ours else Cover(evaluation.chunks, engine.evidence.base)
    known: dict[str, tuple[Heading, ...]] = {}
    documents = engine.corpus.documents
    for number, (query, span) in enumerate(zip(engine.queries, spans, strict=True)):
        evidence = query.evidence[span - int(engine.evidence.spans.first[number])]
        one = Diagnosis(number, query.id, NEARNESS[found.near[span]], evidence)
        if one.cause == "no shared term":
            document = documents[engine.evidence.spans.doc[span]]
            if document.name not in known:
                known[document.name] = headings(document)
            chain = _enclosing(known[document.name], evidence)
            yield replace(one, headings=_sharing(chain, query.text, engine.terms.name))
        elif one.cause in ("chunk too small", "cut boundary"):
            lacks = _lack(engine, cover, span, possible=bool(found.fit.possible[span]))
            yield _sized(replace(one, lacks=lacks), found, span, working)
        else:
            yield _placed(one, engine, evaluation, int(found.rank[span]))


def _sized(one: Diagnosis, found: SpanCauses, span: int, working: dict[int, int]) -> Diagnosis:
    """Add what size or overlap would hold the span."""
    needed = int(found.fit.needed[span])
    if not found.fit.possible[span]:
        return one
    if one.cause == "chunk too small":
        return replace(one, needed_size=needed)
    if span not in working:
        return one
    return replace(one, working_overlap=working[span], guaranteed_overlap=needed - 1)


def _lack(engine: Engine, cover: Cover | None, span: int, *, possible: bool) -> Lack | None:
    """Return what of a span stands in no given chunk, or in no window of any size."""
    if cover is None and possible:
        return None
    spans = engine.evidence.spans
    doc, start, end = int(spans.doc[span]), int(spans.start[span]), int(spans.end[span])
    shift = int(engine.evidence.base[doc])
    text = engine.corpus.documents[doc].text[start - shift : end - shift]
    if cover is None:
        return None if trimmed(text) is None else "edges"
    return cover.lack(text, start)


def _working_overlaps(
    engine: Engine, evaluation: Evaluation, found: SpanCauses, spans: list[int]
) -> dict[int, int]:
    """Return the smallest larger overlap that works for each of the spans that are cut.

    None is known of chunkers other than windows, which need not keep what overlap promises.
    """
    if evaluation.spec.chunker != "window":
        return {}
    fits = found.fit
    cut = [s for s in spans if NEARNESS[found.near[s]] == "cut boundary" and fits.possible[s]]
    at = np.array(cut, dtype=np.int64)
    where = (engine.evidence.spans.doc[at], fits.first[at], fits.last[at])
    overlaps = working_overlaps(engine.corpus, evaluation.spec, *where)
    return dict(zip(cut, overlaps.tolist(), strict=True))


def _placed(one: Diagnosis, engine: Engine, evaluation: Evaluation, rank: int) -> Diagnosis:
    """Add the rank of the chunk that holds the span, and what stands above it."""
    one = replace(one, rank=rank or None)
    if one.cause == "hit" or rank == 1 or one.query is None:
        return one
    chunks, ranked = evaluation.chunks, evaluation.ranked
    if ranked.first[one.query] == ranked.first[one.query + 1]:
        return one  # another retriever brings nothing
    best = int(ranked.chunk[ranked.first[one.query]])
    name = engine.corpus.documents[chunks.doc[best]].name
    above = Passage(name, int(chunks.start[best]), int(chunks.end[best]))
    return replace(one, ranked_above=above)


# --- headings ---------------------------------------------------------------------------


def _enclosing(found: tuple[Heading, ...], span: Evidence) -> list[Heading]:
    """Return the headings of the sections that a span begins in, outermost first."""
    chain: list[Heading] = []
    for heading in found:
        if heading.start > span.start:
            break
        while chain and chain[-1].level >= heading.level:
            chain.pop()
        chain.append(heading)
    return chain


def _sharing(chain: list[Heading], question: str, terms: str) -> tuple[str, ...]:
    """Return the titles that hold a term of the question."""
    terms_of = term_function(terms).terms
    asked = set(terms_of(question))
    return tuple(heading.title for heading in chain if asked & set(terms_of(heading.title)))
