"""A run as a member is the run on what the member may see, to the bit; nothing crosses a group."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document
from overlapkit.engine import prepare
from overlapkit.errors import InputError, OverlapkitError, QueryError
from overlapkit.evaluate import evaluate_with
from overlapkit.gains import collapse
from overlapkit.groups import label_by_manifest, labels_of, prepare_for, queries_for, visible_to
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK
from overlapkit.sweep import cached_row
from tests.property.strategies import sizes, texts

fast = settings(max_examples=40, deadline=None)
WORDS = st.lists(st.sampled_from(["tea", "milk", "sugar", "the", "of", "中文", "ﬁne"]), max_size=14)
LABELS = st.sampled_from([None, "a", "b", "c"])


class Keys:
    """A cache that holds nothing and remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def remember(self, key, compute):
        """Compute a value and note its key."""
        self.asked.append(key)
        return compute()


@st.composite
def labelled(draw, most=6):
    """Return a corpus with labels, some of its texts alike, and at least one label."""
    either = st.one_of(texts(30), WORDS.map(" ".join))
    found = draw(st.lists(st.tuples(either, LABELS), min_size=2, max_size=most))
    found[0] = (f"tea {found[0][0]}", draw(st.sampled_from("abc")))
    return Corpus(tuple(Document(f"{n}.txt", text, group) for n, (text, group) in enumerate(found)))


@st.composite
def membership(draw):
    """Return a corpus, questions with evidence anywhere, and groups of which one can be asked."""
    corpus = draw(labelled())
    there = labels_of(corpus)
    groups = draw(st.lists(st.sampled_from(there), min_size=1, unique=True))
    spans = []
    for document in corpus.documents:
        length = len(document.text)
        for _ in range(draw(st.integers(0, 2)) if length else 0):
            start = draw(st.integers(0, length - 1))
            spans.append(Evidence(document.name, start, draw(st.integers(start + 1, length))))
    seen = next(one for one in corpus.documents if one.group in groups)
    if not seen.text:
        corpus = Corpus(
            tuple(replace(d, text="tea") if d.name == seen.name else d for d in corpus.documents)
        )
    queries = [Query("first", draw(WORDS.map(" ".join)), (Evidence(seen.name, 0, 1),))]
    for number in range(draw(st.integers(0, 4)) if spans else 0):
        own = tuple(draw(st.lists(st.sampled_from(spans), min_size=1, max_size=3)))
        need = draw(st.sampled_from(["any", "all"]))
        queries.append(Query(str(number), draw(WORDS.map(" ".join)), own, need))
    return corpus, QuerySet(tuple(queries), "minimal", "drawn"), groups


def only(corpus, groups):
    """Return a corpus that never held anything but the documents of some groups."""
    return Corpus(
        tuple(Document(d.name, d.text, d.group) for d in corpus.documents if d.group in groups)
    )


def bits(array):
    """Return an array's numbers as bytes, so that equal means to the last bit."""
    return array.dtype.str, array.shape, array.tobytes()


def everything(engine, spec, run):
    """Return all that a run says: terms, ranks, scores, values, cache keys, reasons."""
    found = evaluate_with(engine, spec, run, also=(Budget(40),))
    keys = Keys()
    cached_row(engine, spec, run, cache=keys)
    return (
        engine.corpus,
        engine.corpus.digest,
        engine.queries,
        engine.queries.digest,
        engine.terms,
        keys.asked,
        bits(found.ranked.first),
        bits(found.ranked.chunk),
        bits(found.ranked.score),
        {name: np.float64(value).tobytes() for name, value in found.values.items()},
        {name: bits(column) for name, column in found.per_query.items()},
    )


@pytest.mark.parametrize("ranking", RANKINGS)
@fast
@given(drawn=membership(), size=sizes(), unit=st.sampled_from(UNITS))
def test_a_member_run_is_the_run_on_visible_documents(ranking, drawn, size, unit):
    """Terms, ranks, scores, values and cache keys equal those where nothing else ever was."""
    corpus, queries, groups = drawn
    spec, run = ChunkSpec(unit=unit, size=size[0], overlap=size[1]), RunSpec(ranking)
    alone = only(corpus, groups)
    asked = queries
    if len(alone.documents) < len(corpus.documents):
        asked = queries_for(queries, alone)
    mine = everything(prepare_for(corpus, queries, groups), spec, run)
    assert mine == everything(prepare(alone, asked), spec, run)
    assert mine == everything(prepare_for(alone, asked, groups), spec, run)


@fast
@given(drawn=membership(), size=sizes(), other=st.one_of(texts(30), WORDS.map(" ".join)))
def test_hidden_texts_change_nothing(drawn, size, other):
    """Whatever stands in the documents that a member may not see."""
    corpus, queries, groups = drawn
    spec, run = ChunkSpec(size=size[0], overlap=size[1]), RunSpec()
    changed = Corpus(
        tuple(d if d.group in groups else replace(d, text=other) for d in corpus.documents)
    )
    mine = everything(prepare_for(corpus, queries, groups), spec, run)
    assert mine == everything(prepare_for(changed, queries, groups), spec, run)


@fast
@given(drawn=membership())
def test_a_question_is_asked_as_far_as_its_evidence_is_seen(drawn):
    """By the rule in words: ``all`` needs all, ``any`` one; every question is somewhere."""
    corpus, queries, groups = drawn
    visible = visible_to(corpus, groups)
    names = {document.name for document in corpus.documents if document.group in groups}
    assert {document.name for document in visible.documents} == names
    left = queries_for(queries, visible)
    rows = {one.row: one.reason for one in left.unresolved}
    asked = {query.id: query for query in left}
    for place, query in enumerate(queries, start=1):
        own = [span for span in query.evidence if span.document in names]
        if own and (query.need == "any" or len(own) == len(query.evidence)):
            assert asked.pop(query.id) == replace(query, evidence=tuple(own))
        else:
            assert rows.pop(place).startswith("its evidence stands in documents that group")
    assert not asked
    assert not rows


@fast
@given(drawn=membership())
def test_reasons_name_no_hidden_document(drawn):
    """Names that cannot be mistaken for words of a sentence appear nowhere."""
    corpus, queries, groups = drawn
    documents, renamed = [], {}
    for document in corpus.documents:
        renamed[document.name] = f"\N{SNOWMAN}{document.name}"
        documents.append(replace(document, name=renamed[document.name]))
    asked = tuple(
        replace(
            query,
            id=f"{renamed[query.evidence[0].document]}#{number}",
            evidence=tuple(replace(one, document=renamed[one.document]) for one in query.evidence),
        )
        for number, query in enumerate(queries)
    )
    told = []
    try:
        engine = prepare_for(Corpus(tuple(documents)), QuerySet(asked, "minimal"), groups)
        told = [part for one in engine.queries.unresolved for part in (one.id, one.reason)]
    except OverlapkitError as error:
        told = [str(error)]
    hidden = [one.name for one in documents if one.group not in groups]
    assert not [name for name in hidden if any(name in text for text in told)]


@fast
@given(drawn=membership())
def test_nothing_left_is_an_error(drawn):
    """Where every question is about hidden documents."""
    corpus, queries, groups = drawn
    visible = visible_to(corpus, groups)
    names = {document.name for document in visible.documents}
    lost = tuple(q for q in queries if not any(span.document in names for span in q.evidence))
    with pytest.raises(QueryError, match="none of the"):
        queries_for(QuerySet(lost, "minimal"), visible)


NAMES = st.text("ab/", min_size=1, max_size=6)
PATTERNS = st.text("ab/*", min_size=1, max_size=6)


@settings(max_examples=300, deadline=None)
@given(
    names=st.lists(NAMES, min_size=1, max_size=5, unique=True),
    rows=st.dictionaries(PATTERNS, st.sampled_from(["", "x", "y"]), max_size=8),
)
def test_a_manifest_is_read_by_its_rule(names, rows):
    """A whole name decides, else the longest pattern that fits; as a regular expression finds."""
    corpus = Corpus(tuple(Document(name, "") for name in names))
    data = "document,group\n" + "".join(f"{name},{group}\n" for name, group in rows.items())
    expected, known, torn = {}, set(names), False
    for name in names:
        fitting = [p for p in rows if "*" in p and re.fullmatch(p.replace("*", ".*"), name)]
        known.update(fitting)
        most = max(map(len, fitting), default=0)
        said = {rows[pattern] for pattern in fitting if len(pattern) == most}
        torn = torn or (name not in rows and len(said) > 1)
        expected[name] = rows.get(name, min(said, default="")) or None
    if torn:
        with pytest.raises(InputError, match="must give a document one group"):
            label_by_manifest(corpus, data.encode())
    else:
        found = label_by_manifest(corpus, data.encode())
        assert {d.name: d.group for d in found.corpus.documents} == expected
        assert found.unknown == tuple(name for name in rows if name not in known)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("chunker", CHUNKERS)
@fast
@given(corpus=labelled(), size=sizes(), phase=st.integers(0, 50), data=st.data())
def test_chunks_know_nothing_of_other_groups(chunker, unit, corpus, size, phase, data):
    """A group's chunks are those of its documents alone, each inside one of them."""
    spec = spec_for(chunker, unit, size, phase)
    groups = data.draw(st.lists(st.sampled_from(labels_of(corpus)), min_size=1, unique=True))
    found = chunk(corpus, spec)
    for doc, start, end in zip(found.doc, found.start, found.end, strict=True):
        assert 0 <= start < end <= len(corpus.documents[doc].text)
    assert spans(corpus, found, groups) == spans(
        only(corpus, groups), chunk(only(corpus, groups), spec), groups
    )


def spec_for(chunker, unit, size, phase):
    """Return a spec that the chunker takes: only windows can be moved."""
    return ChunkSpec(chunker, unit, *size, phase=phase if chunker == "window" else 0)


def spans(corpus, chunks, groups):
    """Return the chunks of some groups' documents by name."""
    every = zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True)
    return [
        (corpus.documents[doc].name, start, end)
        for doc, start, end in every
        if corpus.documents[doc].group in groups
    ]


@pytest.mark.parametrize("cutoff", [TopK(3), Budget(25)], ids=["k", "budget"])
@fast
@given(
    words=st.lists(st.tuples(WORDS, LABELS), min_size=2, max_size=5),
    size=sizes(),
    asked=WORDS,
)
def test_no_result_gives_way_to_one_of_another_document(cutoff, words, size, asked):
    """What collapses shares text with a better result of its own document, so of its group."""
    documents = (Document(f"{n}.txt", " ".join(w), group) for n, (w, group) in enumerate(words))
    corpus = Corpus((*documents, Document("z.txt", "tea " * 9, "a"), Document("y.txt", "tea " * 9)))
    engine = prepare(
        corpus,
        QuerySet((Query("q", " ".join([*asked, "tea"]), (Evidence("z.txt", 0, 3),)),), "minimal"),
    )
    chunks = engine.chunk(ChunkSpec(size=size[0], overlap=size[1]))
    index = engine.index(chunks)
    ranked = engine.rank(chunks, index, "okapi", (TopK(1000),)).chunk.tolist()
    kept = collapse(engine, chunks, index, "okapi", cutoff).chunk.tolist()
    place = list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))
    last = ranked.index(kept[-1]) if kept else 0
    for at, number in enumerate(ranked[:last]):
        doc, start, end = place[number]
        better = [place[one] for one in kept if one in ranked[:at]]
        meets = [(d, s, e) for d, s, e in better if d == doc and s < end and start < e]
        assert (number in kept) == (not meets)
