"""Our own chunks and runs written to a file and read back are what they were."""

import io
import json
import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from overlapkit.chunkers import UNITS, ChunkSet, ChunkSpec, chunk
from overlapkit.corpus import Corpus, corpus_of
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.given import evaluate_given, places, read_chunks, read_run
from overlapkit.given.places import Ask, find_places
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.report import chunk_rows, trec_run
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK, rank
from tests import naive
from tests.property.strategies import corpora, sizes, texts

fast = settings(max_examples=60, deadline=None)
UNKNOWN = {"index_x", "predicted_containment"}  # there is neither a 0% of given chunks nor a size


@st.composite
def distinct_words(draw: st.DrawFn) -> Corpus:
    """Return corpora in which no two words are equal, parted by all sorts of white space."""
    spaces = st.sampled_from([" ", "  ", "\n", "\n\n", "\t"])
    documents = []
    for number in range(draw(st.integers(1, 3))):
        count = draw(st.integers(1, 25))
        words = (f"w{number}{at:03}{draw(spaces)}" for at in range(count))
        documents.append((f"{number}.txt", draw(st.sampled_from(["", "\n "])) + "".join(words)))
    return corpus_of(documents)


@st.composite
def repeated_words(draw: st.DrawFn) -> Corpus:
    """Return corpora of a few words, so that chunks repeat."""
    words = st.lists(st.sampled_from(["go ", "on. ", "Go on. ", "stop\n"]), max_size=20)
    found = draw(st.lists(words.map("".join), min_size=1, max_size=3))
    return corpus_of((f"{number}.txt", text) for number, text in enumerate(found))


def any_corpora() -> st.SearchStrategy[Corpus]:
    """Return corpora of distinct words, of repeated ones, and of troublesome characters."""
    return st.one_of(distinct_words(), repeated_words(), corpora())


def specs() -> st.SearchStrategy[ChunkSpec]:
    """Return windows of every unit."""
    return st.builds(
        lambda unit, size: ChunkSpec("window", unit, *size), st.sampled_from(UNITS), sizes()
    )


def written(corpus: Corpus, chunks: ChunkSet, form: str, order: list[int] | None = None) -> bytes:
    """Return chunks as a file of one form; ``order`` shuffles its rows."""
    fields = {"text": ("doc", "text"), "offsets": ("doc", "start", "end"), "parquet": ()}[form]
    rows = list(chunk_rows(corpus, chunks))
    rows = [{name: row[name] for name in fields or row} for row in rows]
    rows = [rows[at] for at in order] if order is not None else rows
    if form == "parquet":
        file = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(rows), file)
        return file.getvalue()
    return "\n".join(map(json.dumps, rows)).encode()


def columns(chunks: ChunkSet) -> list[list[int]]:
    """Return the arrays of a chunk set as lists."""
    return [chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist()]


def count(text: str, part: str) -> int:
    """Return in how many places a part stands, overlapping ones included."""
    return sum(text.startswith(part, at) for at in range(len(text)))


def assume_told_by_texts(corpus: Corpus, chunks: ChunkSet) -> None:
    """Pass over chunks of which fewer are equal than there are places where they stand."""
    rows = Counter((int(chunks.doc[at]), chunks.text(corpus, at)) for at in range(len(chunks)))
    assume(all(count(corpus.documents[doc].text, text) == n for (doc, text), n in rows.items()))


@st.composite
def asked(draw: st.DrawFn, documents: st.SearchStrategy[Corpus]) -> tuple[Corpus, QuerySet]:
    """Return (corpus, queries): evidence anywhere in it, questions that often match."""
    corpus = draw(documents)
    filled = [document for document in corpus.documents if document.text.strip()]
    assume(filled)
    queries = []
    for number in range(draw(st.integers(1, 3))):
        document = draw(st.sampled_from(filled))
        start = draw(st.integers(0, len(document.text) - 1))
        end = draw(st.integers(start + 1, len(document.text)))
        question = draw(st.sampled_from([document.text[start:end], document.text, "go 00"]))
        answer = draw(st.sampled_from([None, document.text[:3]]))
        need = draw(st.sampled_from(["any", "all"]))
        span = Evidence(document.name, start, end)
        queries.append(Query(f"q {number}%", question, (span,), need, answer))
    return corpus, QuerySet(tuple(queries), draw(st.sampled_from(["minimal", "extent"])))


def cutoffs() -> st.SearchStrategy[TopK | Budget]:
    """Return every sort of cut-off, small enough to bite."""
    return st.one_of(
        st.builds(TopK, st.integers(1, 6)),
        st.builds(
            Budget,
            st.integers(1, 80),
            st.sampled_from(["char", "token"]),
            st.sampled_from(["truncate", "drop"]),
        ),
    )


def equal(one: float, other: float) -> bool:
    """Tell whether two numbers are the same to the bit, NaN being NaN."""
    return one == other or (math.isnan(one) and math.isnan(other))


# --- chunks ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["offsets", "parquet"])
@fast
@given(corpus=any_corpora(), spec=specs(), data=st.data())
def test_chunks_with_offsets_come_back_as_they_were(form, corpus, spec, data):
    """Whatever they hold and in whatever order; everything but white space is covered."""
    chunks = chunk(corpus, spec)
    assume(len(chunks))
    order = data.draw(st.permutations(range(len(chunks))))
    found = read_chunks(written(corpus, chunks, form, order), corpus)
    assert columns(found.chunks) == columns(chunks)
    assert (found.left_out, found.covered) == ((), 1.0)
    assert len(set(found.ids)) == len(chunks)


@fast
@given(corpus=any_corpora(), spec=specs(), data=st.data())
def test_chunks_that_their_texts_tell_come_back_as_they_were(corpus, spec, data):
    """Equal ones included, in the order of the file and in any other."""
    chunks = chunk(corpus, spec)
    assume(len(chunks))
    assume_told_by_texts(corpus, chunks)
    order = data.draw(st.permutations(range(len(chunks))))
    for rows in (None, order):
        found = read_chunks(written(corpus, chunks, "text", rows), corpus)
        assert columns(found.chunks) == columns(chunks)
        assert (found.left_out, found.covered) == ((), 1.0)


@fast
@given(corpus=distinct_words(), size=st.integers(6, 30), data=st.data())
def test_windows_of_distinct_words_come_back_by_their_texts(corpus, size, data):
    """Also where the last window of a document is so short that its text stands elsewhere."""
    chunks = chunk(corpus, ChunkSpec(size=size, overlap=data.draw(st.integers(0, size - 1))))
    found = read_chunks(written(corpus, chunks, "text"), corpus)
    assert columns(found.chunks) == columns(chunks)


@fast
@given(corpus=distinct_words(), size=st.integers(12, 30), data=st.data())
def test_stripped_windows_come_back_without_the_white_space(corpus, size, data):
    """As splitters give them that strip every chunk, or join its words by one space."""
    chunks = chunk(corpus, ChunkSpec(size=size, overlap=data.draw(st.integers(0, size // 2))))
    join = data.draw(st.sampled_from([str.strip, lambda text: " ".join(text.split())]))
    rows, expected = [], []
    for row in chunk_rows(corpus, chunks):
        text = row["text"]
        start = row["start"] + len(text) - len(text.lstrip())
        if len(text.split()) > 1:  # half a word may stand in many places
            rows.append({"source": f"docs/{row['doc']}", "page_content": join(text)})
            expected.append((int(row["doc"][0]), start, start + len(text.strip())))
    assume(rows)
    found = read_chunks("\n".join(map(json.dumps, rows)).encode(), corpus)
    listed = [*zip(*columns(found.chunks), strict=True), *zip(*columns(found.nested), strict=True)]
    assert sorted(listed) == sorted(expected)


@fast
@given(corpus=any_corpora(), cut=st.lists(texts(6), max_size=4), data=st.data())
def test_any_texts_give_chunks_that_an_index_can_hold(corpus, cut, data):
    """Starts and ends rise, each span reads like its row, and every row is accounted for."""
    for _ in range(data.draw(st.integers(1, 6))):
        text = data.draw(st.sampled_from(corpus.documents)).text
        start = data.draw(st.integers(0, len(text)))
        cut.append(text[start : data.draw(st.integers(start, len(text)))])
    rows = [{"id": number, "text": text} for number, text in enumerate(cut)]
    good = {"id": "good", "doc": "0.txt", "start": 0, "end": 1}
    assume(corpus.documents[0].text)
    found = read_chunks("\n".join(map(json.dumps, [good, *rows])).encode(), corpus)
    placed = list(zip(*columns(found.chunks), strict=True))
    assert all(a[0] < b[0] or (a[1] < b[1] and a[2] < b[2]) for a, b in pairwise(placed))
    for chunks, ids in ((found.chunks, found.ids), (found.nested, found.nested_ids)):
        for at, name in enumerate(ids):
            if name != "good":
                assert chunks.text(corpus, at).split() == cut[int(name)].split()
    assert len(found.ids) + len(found.left_out) == len(rows) + 1


@fast
@given(found=st.lists(texts(30), min_size=1, max_size=4), data=st.data())
def test_places_are_those_that_a_search_finds(found, data):
    """Every place of every text, in one document or in all."""
    asks = {}
    for _ in range(data.draw(st.integers(1, 8))):
        text = data.draw(st.sampled_from(found))
        start = data.draw(st.integers(0, len(text)))
        part = text[start : data.draw(st.integers(start, len(text)))] or data.draw(texts(3)) or "a"
        doc = data.draw(st.one_of(st.none(), st.integers(0, len(found) - 1)))
        asks[Ask(doc, part)] = 1
    base = np.cumsum([0, *(len(text) + 1 for text in found)]).tolist()
    with pytest.MonkeyPatch.context() as patch:  # in parts as in large corpora, or at once
        if data.draw(st.booleans()):
            patch.setattr(places, "_BATCH", 20)
            patch.setattr(places, "_PAIRS", 3)
        all_places = find_places(found, asks)
    for ask, at_places in zip(asks, all_places, strict=True):
        docs = range(len(found)) if ask.doc is None else [ask.doc]
        expected = [
            base[doc] + at
            for doc in docs
            for at in range(len(found[doc]))
            if found[doc].startswith(ask.text, at)
        ]
        assert at_places.tolist() == expected


# --- what they are judged by ----------------------------------------------------------


@fast
@given(
    asked=asked(any_corpora()),
    spec=specs(),
    cutoff=cutoffs(),
    ranking=st.sampled_from(sorted(RANKINGS)),
)
def test_our_own_chunks_are_judged_as_their_setting_is(asked, spec, cutoff, ranking):
    """Every value and every column to the bit, but for those that given chunks cannot have."""
    corpus, _ = asked
    engine = prepare(*asked, "word")
    run = RunSpec(ranking, "word", cutoff)
    expected = evaluate_with(engine, spec, run, also=(TopK(2),))
    rows = read_chunks(written(corpus, expected.chunks, "offsets"), corpus)
    row = evaluate_given(engine, rows, run, "mine", also=(TopK(2),), encoding=spec.encoding)
    assert set(row.values) >= set(expected.values)
    for name, value in expected.values.items():
        assert math.isnan(row.values[name]) if name in UNKNOWN else equal(row.values[name], value)
    assert set(row.per_query) == set(expected.per_query)
    for name, column in expected.per_query.items():
        assert all(map(equal, row.per_query[name].tolist(), column.tolist()))


@fast
@given(asked=asked(any_corpora()), spec=specs(), cutoff=cutoffs(), alone=st.booleans())
def test_our_own_run_read_back_is_judged_as_it_was(asked, spec, cutoff, alone):
    """With the chunks or with the corpus alone; what a run can tell is the same to the bit."""
    corpus, queries = asked
    engine = prepare(*asked, "word")
    run = RunSpec("okapi", "word", cutoff)
    expected = evaluate_with(engine, spec, run)
    lines = trec_run(expected, engine)
    assume(lines)
    rows = read_chunks(written(corpus, expected.chunks, "offsets"), corpus)
    back = read_run(lines.encode(), queries, None if alone else rows, corpus=corpus)
    assert back.left_out == ()
    row = evaluate_given(engine, None if alone else rows, run, "mine", back)
    for name, column in expected.per_query.items():
        # A run that a budget cut may end before its first chunk.
        if name.endswith(f"@{cutoff.label}") and (name[-2:] != "@1" or cutoff == TopK(1)):
            assert all(map(equal, row.per_query[name].tolist(), column.tolist()))
        elif "@" not in name and not alone:
            assert row.per_query[name].tolist() == column.tolist()


@fast
@given(corpus=any_corpora(), data=st.data())
def test_ranking_given_chunks_equals_naive_rank_bm25(corpus, data):
    """Chunks with gaps between them, and of any length, are ranked to the bit as well."""
    spans = []
    for doc, document in enumerate(corpus.documents):
        places = st.lists(st.integers(0, len(document.text)), unique=True, max_size=6).map(sorted)
        starts, ends = data.draw(places), data.draw(places)
        spans += [(doc, a, b) for a, b in zip(starts, ends, strict=False) if a < b]
    assume(spans)
    rows = [{"doc": corpus.documents[d].name, "start": a, "end": b} for d, a, b in spans]
    found = read_chunks("\n".join(map(json.dumps, rows)).encode(), corpus)
    assert list(zip(*columns(found.chunks), strict=True)) == spans
    query = data.draw(st.sampled_from([corpus.documents[0].text, "go on", "w0001 w0002"]))
    queries = QuerySet((Query("q", query, (Evidence(*span_of(corpus, spans[0])),)),), "minimal")
    engine = prepare(corpus, queries, "word")
    ranked = rank(engine.index(found.chunks), engine.query_terms, "okapi", 5)
    ours = list(zip(ranked.chunk.tolist(), ranked.score.tolist(), strict=True))
    assert ours == naive.okapi_results(corpus, spans, query, "word", 5)


def span_of(corpus: Corpus, span: tuple[int, int, int]) -> tuple[str, int, int]:
    """Return a span with its document's name."""
    return (corpus.documents[span[0]].name, *span[1:])
