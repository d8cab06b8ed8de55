"""Diagnoses against plain loops over windows and ranked lists, and the remedies they name."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import UNITS, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.diagnose import CAUSES, diagnose, tally
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.given import evaluate_given, read_chunks, read_run
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK, rank
from tests import naive
from tests.property.strategies import corpora, sizes

ORDER = [cause for cause in CAUSES if cause not in ("unresolved", "hit")] + ["hit"]


PIECES = [
    "tea ",
    "tea\n",
    "tea, milk ",
    "milk tea",
    "cup ",
    " ",
    "🎉",
    "中文 ",
    "e\u0301",
    "\u00ad",
]
QUESTIONS = ["tea", "milk", "tea milk", "tea tea cup", "中文", "e\u0301", "none"]


def wordy():
    """Return corpora of some dozen words that repeat, so that many chunks answer a question."""
    text = st.lists(st.sampled_from(PIECES), min_size=12, max_size=40).map("".join)
    found = st.lists(text, min_size=1, max_size=3)
    return found.map(lambda some: corpus_of((f"{n}.txt", text) for n, text in enumerate(some)))


@st.composite
def asked(draw, most_spans=3):
    """Return (corpus, queries): short evidence anywhere, questions that share words with it."""
    corpus = draw(st.one_of(wordy(), wordy(), corpora()))
    filled = [document for document in corpus.documents if document.text]
    assume(filled)
    queries = []
    needs = st.sampled_from(["any", "all"])
    for number in range(draw(st.integers(1, 3))):
        spans = []
        for _ in range(draw(st.integers(1, most_spans))):
            document = draw(st.sampled_from(filled))
            start = draw(st.integers(0, len(document.text) - 1))
            end = draw(st.integers(start + 1, min(start + 10, len(document.text))))
            spans.append(Evidence(document.name, start, end))
        own = draw(st.sampled_from(filled)).text
        question = draw(st.sampled_from([*QUESTIONS, own]))
        queries.append(Query(str(number), question, tuple(spans), draw(needs)))
    return corpus, QuerySet(tuple(queries), "minimal")


def specs():
    """Return windows of every unit, moved or not."""
    return st.builds(
        lambda unit, size, phase: ChunkSpec("window", unit, *size, phase=phase),
        st.sampled_from(UNITS),
        sizes(),
        st.integers(0, 3),
    )


def cutoffs():
    """Return cut-offs small enough to bite; budgets count characters."""
    tails = st.sampled_from(["truncate", "drop"])
    return st.one_of(
        st.builds(TopK, st.integers(1, 4)),
        st.builds(Budget, st.integers(1, 60), st.just("char"), tails),
    )


# --- causes ---------------------------------------------------------------------------


def apart(ranked):
    """Return ranked spans without those that share text with a better one that stays."""
    kept = []
    for doc, start, end in ranked:
        if not any(d == doc and s < end and start < e for d, s, e in kept):
            kept.append((doc, start, end))
    return kept


def span_cause(corpus, span, windows, ranked, size, cutoff):
    """Return (cause, what orders equal ones) of a span, by looking at every window."""
    place = (corpus.position(span.document), span.start, span.end)
    blank = corpus.documents[place[0]].text.isspace()

    def held_by(chunks):
        holding = (doc == place[0] and naive.inside(place[1:], edges) for doc, *edges in chunks)
        return [number for number, does in enumerate(holding, 1) if does]

    length = span.end - span.start
    if taken := held_by(naive.cut(ranked, cutoff)):
        return "hit", taken[0]
    if not held_by(windows):
        if blank:  # it has no unit that a size could count
            return "cut boundary", float("inf")
        return "chunk too small" if length > size else "cut boundary", length
    if not held_by(ranked):
        return "no shared term", 0
    once = naive.cut(apart(ranked), cutoff)
    return "crowded out" if held_by(once) else "outranked", held_by(ranked)[0]


@settings(max_examples=150, deadline=None)
@given(asked=asked(), size=sizes(), cutoff=cutoffs())
def test_causes_equal_plain_loops(asked, size, cutoff):
    """Cause, span and rank are those of a search through every window and the whole list."""
    corpus, queries = asked
    engine = prepare(corpus, queries)
    spec = ChunkSpec("window", "char", *size)
    found = diagnose(engine, evaluate_with(engine, spec, RunSpec(cutoff=cutoff), tokens=False))
    windows = naive.windows([document.text for document in corpus.documents], *size)
    for one, query in zip(found, queries, strict=True):
        terms = engine.terms.name
        ranked = naive.okapi_results(corpus, windows, query.text, terms, len(windows))
        ranked = [windows[number] for number, _ in ranked]
        causes = []
        for span in query.evidence:
            cause, detail = span_cause(corpus, span, windows, ranked, spec.size, cutoff)
            causes.append((ORDER.index(cause), -detail, span))
        pick = max if query.need == "any" else min
        best = pick(causes, key=lambda cause: cause[:2])
        expected = next(cause for cause in causes if cause[:2] == best[:2])
        assert (one.cause, one.span) == (ORDER[expected[0]], expected[2])
        ranks = one.cause in ("hit", "crowded out", "outranked")
        assert one.rank == (-expected[1] if ranks else None)


@settings(max_examples=60, deadline=None)
@given(asked=asked(), spec=specs(), ranking=st.sampled_from(sorted(RANKINGS)), cutoff=cutoffs())
def test_hits_are_complete_and_ranks_those_of_the_whole_list(asked, spec, ranking, cutoff):
    """Under every ranking and unit, a hit is complete evidence and a rank a place in the list."""
    engine = prepare(*asked, "word")
    evaluation = evaluate_with(engine, spec, RunSpec(ranking, "word", cutoff), tokens=False)
    found = diagnose(engine, evaluation)
    complete = evaluation.per_query[f"complete@{cutoff.label}"]
    assert [one.cause == "hit" for one in found] == complete.astype(bool).tolist()
    assert sum(tally(found).values()) == len(asked[1])
    chunks = evaluation.chunks
    everything = rank(engine.index(chunks), engine.query_terms, ranking, max(len(chunks), 1))
    for one in found:
        part = everything.chunk[everything.first[one.query] : everything.first[one.query + 1]]
        doc = engine.corpus.position(one.span.document)
        early, late = chunks.start[part] <= one.span.start, one.span.end <= chunks.end[part]
        holding = np.flatnonzero((chunks.doc[part] == doc) & early & late)
        assert one.rank == (holding[0] + 1 if len(holding) else None)
        if one.ranked_above is not None:
            above = one.ranked_above
            place = (chunks.doc[part[0]], chunks.start[part[0]], chunks.end[part[0]])
            assert place == (engine.corpus.position(above.document), above.start, above.end)


# --- chunks that are given ------------------------------------------------------------


def read_back(corpus, spans):
    """Return chunks given as (document, start, end), called by their numbers."""
    rows = (
        {"id": str(number), "doc": corpus.documents[doc].name, "start": start, "end": end}
        for number, (doc, start, end) in enumerate(spans)
    )
    return read_chunks("\n".join(map(json.dumps, rows)).encode(), corpus)


def run_of(lists, queries, chunks):
    """Return a run that brings chunks by their numbers."""
    lines = (
        {"query_id": query.id, "results": [str(number) for number in ranked]}
        for query, ranked in zip(queries, lists, strict=True)
    )
    return read_run("\n".join(map(json.dumps, lines)).encode(), queries, chunks)


def expected_of(ours, corpus, chunks):
    """Return a diagnosis of a setting as that of its chunks given without it."""
    if ours.cause not in ("chunk too small", "cut boundary"):
        return ours
    text = corpus.documents[corpus.position(ours.span.document)].text
    part = text[ours.span.start : ours.span.end]
    start = ours.span.start + len(part) - len(part.lstrip())
    own = chunks.of_document(corpus.position(ours.span.document))
    within = (chunks.start[own] <= start) & (start + len(part.strip()) <= chunks.end[own])
    lacks = "edges" if part.strip() and within.any() else None
    if text.isspace() or len(part) <= chunks.lengths().max():
        cause, needed = "cut boundary", None
    else:
        cause, needed = "chunk too small", len(part)
    return replace(
        ours, cause=cause, needed_size=needed, working_overlap=None, guaranteed_overlap=None,
        lacks=lacks,
    )  # fmt: skip


def spans_of(chunks):
    """Return a chunk set as (document, start, end)."""
    return list(zip(*(n.tolist() for n in (chunks.doc, chunks.start, chunks.end)), strict=True))


@settings(max_examples=150, deadline=None)
@given(
    asked=asked(), size=sizes(), phase=st.integers(0, 3), ranking=st.sampled_from(sorted(RANKINGS)),
    cutoff=cutoffs(),
)  # fmt: skip
def test_our_own_chunks_given_have_the_causes_of_their_setting(asked, size, phase, ranking, cutoff):
    """But that evidence is too long against the longest chunk, which may be shorter than the size.

    So a cut is a chunk too small where the longest chunk is shorter than the evidence, and
    never the other way. All else that is known is the same, overlaps aside.
    """
    corpus, queries = asked
    engine = prepare(corpus, queries, "word")
    run = RunSpec(ranking, "word", cutoff)
    spec = ChunkSpec("window", "char", *size, phase=phase)
    chunks = engine.chunk(spec)
    assume(len(chunks))
    given_chunks = read_back(corpus, spans_of(chunks))
    ours = diagnose(engine, evaluate_with(engine, spec, run, tokens=False))
    expected = [expected_of(one, corpus, chunks) for one in ours]
    evaluation = evaluate_given(engine, given_chunks, run, "mine", tokens=False)
    assert list(diagnose(engine, evaluation)) == expected

    everything = rank(engine.index(chunks), engine.query_terms, ranking, len(chunks))
    lists = [everything.chunk[a:b].tolist() for a, b in pairwise(everything.first.tolist())]
    listed = run_of(lists, queries, given_chunks)
    evaluation = evaluate_given(engine, given_chunks, run, "mine", listed, tokens=False)
    found = diagnose(engine, evaluation)
    for one, other, ranked in zip(found, expected, lists, strict=True):
        if other.cause != "no shared term":
            assert one == other
            continue
        assert (one.cause, one.span, one.rank) == ("outranked", other.span, None)
        assert (one.ranked_above is None) == (not ranked)


@st.composite
def nested(draw):
    """Return (corpus, queries, chunks, lists): chunks anywhere, and a run that brings some."""
    corpus, queries = draw(asked())
    filled = [doc for doc, document in enumerate(corpus.documents) if document.text]
    spans = []
    for _ in range(draw(st.integers(1, 12))):
        doc = draw(st.sampled_from(filled))
        start = draw(st.integers(0, len(corpus.documents[doc].text) - 1))
        longest = min(start + 30, len(corpus.documents[doc].text))
        spans.append((doc, start, draw(st.integers(start + 1, longest))))
    some = st.lists(st.sampled_from(range(len(spans))), unique=True)
    return corpus, queries, spans, [draw(some) for _ in queries]


@settings(max_examples=150, deadline=None)
@given(made=nested(), cutoff=cutoffs())
def test_causes_under_a_run_equal_plain_loops(made, cutoff):
    """Whatever chunks there are, inside one another or not, and wherever its lists end.

    What a list does not bring stands where a search by words has what shares none.
    """
    corpus, queries, spans, lists = made
    chunks = read_back(corpus, spans)
    engine = prepare(corpus, queries, "word")
    listed = run_of(lists, queries, chunks)
    run = RunSpec(terms="word", cutoff=cutoff)
    found = diagnose(engine, evaluate_given(engine, chunks, run, "mine", listed, tokens=False))
    longest = max(end - start for _, start, end in spans)
    for one, query, ranked in zip(found, queries, lists, strict=True):
        causes = []
        for span in query.evidence:
            brought = [spans[number] for number in ranked]
            cause, detail = span_cause(corpus, span, spans, brought, longest, cutoff)
            causes.append((ORDER.index(cause), -detail, span))
        pick = max if query.need == "any" else min
        best = pick(causes, key=lambda cause: cause[:2])
        expected = next(cause for cause in causes if cause[:2] == best[:2])
        cause = ORDER[expected[0]].replace("no shared term", "outranked")
        assert (one.cause, one.span) == (cause, expected[2])
        ranks = ORDER[expected[0]] in ("hit", "crowded out", "outranked")
        assert one.rank == (-expected[1] if ranks else None)
        if one.cause in ("chunk too small", "cut boundary"):
            assert one.lacks == lack_of(corpus, one.span, spans)


def lack_of(corpus, span, spans):
    """Return what of a span no chunk has, character by character."""
    doc = corpus.position(span.document)
    text = corpus.documents[doc].text
    inner = [at for at in range(span.start, span.end) if not text[at].isspace()]
    own = [(start, end) for other, start, end in spans if other == doc]
    if inner and any(naive.inside((inner[0], inner[-1] + 1), edges) for edges in own):
        return "edges"
    left_out = [at for at in inner if not any(start <= at < end for start, end in own)]
    return "text" if left_out else None


# --- remedies -------------------------------------------------------------------------


def holds(engine, spec, span) -> bool:
    """Tell whether some chunk under a spec holds a span whole."""
    chunks = engine.chunk(spec)
    own = chunks.of_document(engine.corpus.position(span.document))
    return bool(np.any((chunks.start[own] <= span.start) & (span.end <= chunks.end[own])))


def of_cause(asked, spec, cause):
    """Return the engine and the diagnoses of one cause."""
    engine = prepare(*asked, "word")
    found = diagnose(engine, evaluate_with(engine, spec, RunSpec(terms="word"), tokens=False))
    return engine, [one for one in found if one.cause == cause]


@settings(max_examples=150, deadline=None)
@given(asked=asked(1), spec=specs())
def test_the_named_overlaps_hold_the_evidence(asked, spec):
    """The working one does and no smaller one above the present; from the sure one on all do.

    The sure one does at the size of which it is a quarter as well, which the advice may offer.
    Without one, no overlap at this size does.
    """
    engine, found = of_cause(asked, spec, "cut boundary")
    for one in found:
        held = [
            holds(engine, replace(spec, overlap=overlap), one.span) for overlap in range(spec.size)
        ]
        if one.working_overlap is None:
            assert one.guaranteed_overlap is None
            assert not any(held)
            continue
        assert spec.overlap < one.working_overlap <= one.guaranteed_overlap < spec.size
        assert held[one.working_overlap]
        assert not any(held[spec.overlap : one.working_overlap])
        assert all(held[one.guaranteed_overlap :])
        roomy = replace(spec, size=4 * one.guaranteed_overlap, overlap=one.guaranteed_overlap)
        assert holds(engine, roomy, one.span)


@settings(max_examples=150, deadline=None)
@given(asked=asked(1), spec=specs())
def test_the_named_size_is_the_smallest_that_can_hold_the_evidence(asked, spec):
    """Any size from N on does with overlap N − 1; N − 1 and below do with no overlap.

    At a smaller overlap it depends on where the cuts fall. The largest overlap makes a window
    begin at every unit, so that what it cannot hold, none can. Without a named size, not even
    one window for the whole document holds it.
    """
    engine, found = of_cause(asked, spec, "chunk too small")
    for one in found:
        needed = one.needed_size
        if needed is None:
            assert not holds(engine, replace(spec, size=10_000, overlap=0), one.span)
            continue
        assert needed > spec.size
        for size in range(needed, needed + 4):
            assert holds(engine, replace(spec, size=size, overlap=needed - 1), one.span)
        below = replace(spec, size=needed - 1, overlap=needed - 2)
        assert not holds(engine, below, one.span)
