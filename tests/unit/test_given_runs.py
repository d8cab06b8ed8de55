"""Runs of other retrievers: read, held against chunks, and judged."""

import json
import math
from itertools import pairwise

import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus, corpus_of
from overlapkit.engine import prepare
from overlapkit.errors import InputError
from overlapkit.evaluate import evaluate_with
from overlapkit.given import GivenChunks, GivenRun, evaluate_given, read_chunks, read_run
from overlapkit.queries import Query, QuerySet, Unresolved
from overlapkit.report import csv_of, query_rows, spreadsheet_csv, trec_run
from overlapkit.retrieve import Budget, RunSpec, TopK
from tests.by_hand import question

CORPUS = corpus_of([("a.txt", "aa bb cc dd ee"), ("b.txt", "bb ff")])
QUERIES = QuerySet(
    (
        question(("a.txt", 3, 5), name="q1"),
        question(("a.txt", 6, 11), name="q2"),
        question(("b.txt", 3, 5), name="q3"),
    ),
    "minimal",
)
# c3 lies inside c2; c4 has c1's span.
ROWS = (
    {"id": "c1", "doc": "a.txt", "start": 0, "end": 5},
    {"id": "c2", "doc": "a.txt", "start": 3, "end": 11},
    {"id": "c3", "doc": "a.txt", "start": 6, "end": 8},
    {"id": "c4", "doc": "a.txt", "start": 0, "end": 5},
    {"id": "c5", "doc": "b.txt", "start": 0, "end": 5},
)


def chunks_of(*rows: dict[str, object], corpus: Corpus = CORPUS) -> GivenChunks:
    """Return given chunks."""
    return read_chunks("\n".join(map(json.dumps, rows)).encode(), corpus)


GIVEN = chunks_of(*ROWS)


def read(*lines: object, queries: QuerySet = QUERIES, given: GivenChunks = GIVEN) -> GivenRun:
    """Return the run of lines of text, or of objects."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    return read_run("\n".join(texts).encode(), queries, given)


def results(run: GivenRun) -> list[list[tuple[int, int, int]]]:
    """Return (document, start, end) of each question's results, best first."""
    found = run.ranked
    chunks = run.chunks
    columns = (chunks.doc[found.chunk], chunks.start[found.chunk], chunks.end[found.chunk])
    spans = list(zip(*(column.tolist() for column in columns), strict=True))
    first = found.first.tolist()
    return [spans[a:b] for a, b in pairwise(first)]


C1, C2, C3, C5 = (0, 0, 5), (0, 3, 11), (0, 6, 8), (1, 0, 5)


# --- forms ----------------------------------------------------------------------------


def test_trec_lines_are_read():
    """Any white space parts the fields; the second and the last say nothing."""
    run = read("q2 Q0 c2 1 9.5 tag", "", "q1\tQ0\tc1  2 0.5 tag", "q1 Q0 c5 1 0.7")
    assert results(run) == [[C5, C1], [C2], []]
    assert run.ranked.score.tolist() == [0.7, 0.5, 9.5]
    assert (run.left_out, run.missing_queries) == ((), 1)
    assert (run.corpus, run.queries) == (CORPUS.digest, QUERIES.digest)


def test_a_rank_goes_before_a_score():
    """TREC's evaluators sort by score; who writes both means the rank."""
    assert results(read("q1 Q0 c1 2 9 t", "q1 Q0 c2 1 8 t"))[0] == [C2, C1]


def test_equal_ranks_are_told_apart_by_score_then_by_line():
    """A file whose ranks are all 0 is in the order of its scores."""
    run = read("q1 Q0 c1 0 1 t", "q1 Q0 c2 0 2 t", "q1 Q0 c5 0 1 t")
    assert results(run)[0] == [C2, C1, C5]


def test_without_ranks_the_score_decides_ties_in_the_order_of_the_file():
    """A higher score is better."""
    items = [{"id": "c1", "score": -0.5}, {"id": "c5", "score": 2}, {"id": "c2", "score": -0.5}]
    run = read({"query_id": "q1", "results": items})
    assert results(run)[0] == [C5, C1, C2]
    assert run.ranked.score.tolist() == [2, -0.5, -0.5]


def test_without_scores_a_result_has_minus_its_rank():
    """The given rank, else the place in the list."""
    run = read(
        {"query_id": "q1", "chunks": [{"id": "c1", "rank": 7}, {"id": "c2", "rank": 3}]},
        {"query_id": "q2", "chunks": ["c2", "c5"]},
    )
    assert results(run)[:2] == [[C2, C1], [C2, C5]]
    assert run.ranked.score.tolist() == [-3, -7, -1, -2]


def test_the_smaller_distance_is_the_better():
    """Vector stores give a distance where others give a score."""
    items = [{"id": "c1", "distance": 0.5}, {"id": "c2", "distance": 0.1}]
    assert results(read({"id": "q1", "results": items}))[0] == [C2, C1]


@pytest.mark.parametrize(
    "row",
    [
        {"query_id": "q1", "chunks": ["c2", "c5"]},
        {"qid": "q1", "ids": ["c2", "c5"]},
        {"id": "q1", "ranked": [{"chunk_id": "c2"}, {"chunk_id": "c5"}]},
        {"id": "q1", "results": {"c5": 0.1, "c2": 0.2}},
        {"ID": "q1", "Results": [{"_id": "c5", "score": 1}, {"_id": "c2", "score": 2}]},
        {"id": "q1", "results": [{"id": "c2", "metadata": {"doc_id": "a.txt"}}, "c5"]},
    ],
)
def test_json_lines_are_read(row):
    """Ids, objects with scores, or scores by id."""
    assert results(read(row))[0] == [C2, C5]


@pytest.mark.parametrize(
    "lines",
    [
        ("query_id,chunk_id,rank", "q1,c5,2", "q1,c2,1"),
        ("qid;docid;score", "q1;c5;-0.5", "q1;c2;0.5"),
        ("topic\tid", "q1\tc2", "", "q1\tc5"),
        ("", "Query_ID,Chunk_ID,Score,note", 'q1,c2,2,"two', 'lines, here"', "q1,c5,1,x"),
        ("query-id,corpus-id,score", "q1,c2,1", "q1,c5,-1"),
        ("id,rank,chunk_id", "q1,1,c2", "q1,2,c5"),
    ],
)
def test_csv_is_known_by_its_header(lines):
    """Comma, semicolon or tab; other columns are passed over."""
    run = read(*lines)
    assert (results(run)[0], run.left_out) == ([C2, C5], ())


def test_ids_that_a_spreadsheet_was_kept_from_running_are_known():
    """The mark before a formula is no part of an id; a negative score is a number."""
    given = chunks_of({"id": "=2*21", "text": "bb ff"}, {"id": "-3", "text": "aa"})
    rows = [
        {"query_id": "q1", "chunk_id": "=2*21", "score": -0.5},
        {"query_id": "q1", "chunk_id": "-3", "score": -1.5},
    ]
    for written in (csv_of(rows), spreadsheet_csv(rows)):
        run = read(written, given=given)
        assert results(run)[0] == [C5, (0, 0, 2)]
        assert run.ranked.score.tolist() == [-0.5, -1.5]


def test_numbers_are_ids_too():
    """JSON may hold an id as a number, TREC as text."""
    given = chunks_of({"id": 7, "text": "bb ff"})
    assert results(read({"query_id": "q1", "ids": [7]}, given=given))[0] == [C5]
    assert results(read("q1 Q0 7 1 1 t", given=given))[0] == [C5]


def test_names_in_trec_files_may_be_percent_encoded():
    """White space has no place there, so names are met as we write them."""
    queries = QuerySet((question(("a.txt", 3, 5), name="q 1"),), "minimal")
    given = chunks_of({"id": "c 1", "text": "aa"}, {"id": "c%201", "text": "cc"})
    run = read("q%201 Q0 c%201 1 2 t", "q%201 Q0 c%25201 2 1 t", queries=queries, given=given)
    assert results(run) == [[(0, 0, 2), (0, 6, 8)]]
    run = read({"query_id": "q 1", "ids": ["c%201", "c 1"]}, queries=queries, given=given)
    assert results(run) == [[(0, 6, 8), (0, 0, 2)]]


# --- what does not count --------------------------------------------------------------


def reasons(run: GivenRun) -> list[tuple[int, str, str]]:
    """Return what is listed as plain tuples."""
    return [(one.row, one.id, one.reason) for one in run.left_out]


def test_a_chunk_counts_once_for_a_question():
    """The better place counts, the other is listed with its own row."""
    run = read("q1 Q0 c1 3 1 t", "q1 Q0 c2 2 2 t", "q1 Q0 c1 1 3 t")
    assert results(run)[0] == [C1, C2]
    assert reasons(run) == [(1, "c1", "question 'q1' has this chunk at a better rank already")]


def test_an_unknown_question_is_listed_once():
    """However many results it has."""
    run = read("q1 Q0 c1 1 1 t", "q9 Q0 c1 1 2 t", "q9 Q0 c2 2 1 t")
    assert reasons(run) == [(2, "q9", "no question has this id: its results are left out")]
    assert run.missing_queries == 2


def test_an_unknown_chunk_is_listed_with_its_row():
    """Where the chunk's own row was left out, its reason is repeated."""
    given = chunks_of(*ROWS, {"id": "c6", "text": "zz"})
    run = read("q1 Q0 c9 1 2 t", "q1 Q0 c1 2 1 t", "q2 Q0 c6 1 1 t", given=given)
    assert results(run) == [[C1], [], []]
    why = "its chunk is left out: its text does not stand in any document"
    assert reasons(run) == [(1, "c9", "no chunk has this id"), (3, "c6", why)]
    assert run.missing_queries == 1  # q2 was asked, if in vain


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("q1 Q0 c1 1 1 t", "q1 Q0 c1"), "a line must read: question Q0 chunk rank score tag"),
        (("query_id,chunk_id", "q1,c1", "q1,"), "a row must hold query_id and the id of a chunk"),
        (("query_id,chunk_id", "q1,c1", ",c1"), "a row must hold query_id and the id of a chunk"),
        (({"query_id": "q1", "ids": ["c1"]}, "{"), "not valid JSON"),
        (({"query_id": "q1", "ids": ["c1"]}, {"ids": ["c1"]}), "a row needs query_id and chunks"),
        (({"query_id": "q1", "ids": ["c1"]}, {"id": "q1"}), "a row needs query_id and chunks"),
        (
            ({"query_id": "q1", "ids": ["c1"]}, {"query_id": "q2", "ids": [None]}),
            "a result needs the id of a chunk; got {'id': None}",
        ),
    ],
)
def test_a_row_that_says_nothing_usable_is_listed(lines, why):
    """By its number, beside the results that are used."""
    run = read(*lines)
    assert results(run)[0] == [C1]
    (left,) = run.left_out
    assert (left.row, left.id) == (len(lines), f"row {len(lines)}")
    assert left.reason.startswith(why)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("",), "run holds no usable result: it is empty"),
        (("q1 Q0 c9 1 1 t",), "run holds no usable result: row 1: no chunk has this id"),
        (("q9 Q0 c1 1 1 t",), "run holds no usable result: row 1: no question has this id"),
    ],
)
def test_a_run_without_a_usable_result_is_an_error(lines, why):
    """The first reason stands in the message: all 0 would be a wrong answer."""
    with pytest.raises(InputError, match=why):
        read(*lines)


def test_a_retriever_may_bring_nothing():
    """Empty lists are an answer, and no question is missing."""
    run = read(*({"query_id": name, "chunks": []} for name in ("q1", "q2", "q3")))
    assert (results(run), run.missing_queries) == ([[], [], []], 0)
    row = evaluate_given(prepare(CORPUS, QUERIES), GIVEN, RunSpec(), "mine", run)
    assert row.values["recall@5"] == 0


# --- without given chunks -------------------------------------------------------------


def test_a_run_of_ours_needs_the_corpus_alone():
    """Its ids tell document and span; the others are listed."""
    corpus = corpus_of([("a b#1.txt", "aa bb cc dd ee"), ("b.txt", "bb ff")])
    lines = [
        "q1 Q0 a%20b#1.txt#3-11 1 5 t",
        "q1 Q0 b.txt#0-5 2 4 t",
        "q2 Q0 b.txt#0-6 1 5 t",
        "q2 Q0 c.txt#0-5 2 4 t",
        "q2 Q0 c1 3 3 t",
        "q3 Q0 b.txt#00-5 1 5 t",
    ]
    run = read_run("\n".join(lines).encode(), QUERIES, None, corpus=corpus)
    assert results(run) == [[(0, 3, 11), (1, 0, 5)], [], [(1, 0, 5)]]
    assert reasons(run) == [
        (3, "b.txt#0-6", "the span 0..6 must lie in 0..5"),
        (4, "c.txt#0-5", "no document is called 'c.txt' in this corpus"),
        (5, "c1", "without given chunks an id must read document#start-end"),
    ]


def test_a_run_needs_chunks_or_their_corpus():
    """Without either, an id means nothing."""
    with pytest.raises(InputError, match="run needs the chunks it ranks"):
        read_run(b"q1 Q0 c1 1 1 t", QUERIES, None)


def test_without_given_chunks_there_are_no_costs_and_no_ceilings():
    """What a run names is not all there is; its results are judged all the same."""
    run = read_run(b"q1 Q0 a.txt#0-5 1 1 t", QUERIES, None, corpus=CORPUS)
    row = evaluate_given(prepare(CORPUS, QUERIES), None, RunSpec(), "mine", run)
    unknown = {name for name, value in row.values.items() if math.isnan(value)}
    assert unknown == {
        "chunks", "index_chars", "index_x", "index_words", "index_tokens", "effective_overlap",
        "containment", "predicted_containment", "query_containment", "precision_omega",
        "common_term_queries", "answer@5",
    }  # fmt: skip
    assert row.values["complete@5"] == 1 / 3
    assert len(row.chunks) == 1


# --- judged ---------------------------------------------------------------------------


def test_a_nested_chunk_is_judged_by_its_own_span():
    """The run brings c3 (inside c2) and c4 (c1's span); neither holds more than it does."""
    run = read("q2 Q0 c3 1 2 t", "q2 Q0 c1 2 1 t", "q1 Q0 c4 1 1 t")
    assert results(run) == [[C1], [C3, C1], []]
    row = evaluate_given(prepare(CORPUS, QUERIES), GIVEN, RunSpec(cutoff=TopK(2)), "mine", run)
    # q1: the evidence 3..5 is held; q2: 2 of 5 characters by c3; q3: nothing was brought.
    assert row.per_query["complete@2"].tolist() == [1, 0, 0]
    assert row.per_query["recall@2"].tolist() == [1, 2 / 5, 0]
    assert row.per_query["precision@2"].tolist() == [2 / 5, 2 / 7, 0]
    assert row.per_query["strict_hit@1"].tolist() == [0, 1, 0]
    # c2 holds q2's evidence whole, and c5 holds q3's, wherever the run ranks them.
    assert row.values["containment"] == 1
    # c1 and c4 of 5 characters, c2 of 8, c3 of 2, c5 of 5.
    assert (row.values["chunks"], len(row.chunks), row.values["index_chars"]) == (5, 5, 25)
    assert row.values["effective_overlap"] == 2  # c1 and c2, nested ones aside


def test_ranked_here_only_what_is_ranked_costs():
    """The three chunks that lie in no other."""
    row = evaluate_given(prepare(CORPUS, QUERIES), GIVEN, RunSpec(), "mine")
    assert (row.values["chunks"], len(row.chunks), row.values["index_chars"]) == (3, 3, 18)
    assert (row.spec.chunker, row.spec.size) == ("mine", 8)


def test_a_budget_takes_what_the_run_has():
    """The list ends before the budget is full, or its last chunk is truncated to fit."""
    run = read("q2 Q0 c1 1 2 t", "q2 Q0 c2 2 1 t")
    engine = prepare(CORPUS, QUERIES)
    row = evaluate_given(
        engine, GIVEN, RunSpec(cutoff=Budget(100)), "mine", run, also=(Budget(10),)
    )
    assert row.per_query["retrieved_chars@100c"].tolist() == [0, 13, 0]
    assert row.per_query["recall@100c"].tolist() == [0, 1, 0]
    assert row.per_query["retrieved_chars@10c"].tolist() == [0, 10, 0]  # c1, and 3..8 of c2
    assert row.per_query["recall@10c"].tolist() == [0, 2 / 5, 0]


def test_what_is_withheld_for_sections_is_withheld_here():
    """A section is mostly longer than a chunk."""
    queries = QuerySet(QUERIES.queries, "extent", "", (Unresolved(1, "x", "y"),))
    row = evaluate_given(prepare(CORPUS, queries), GIVEN, RunSpec(), "mine")
    for name in ("complete@5", "containment", "query_containment", "predicted_containment"):
        assert math.isnan(row.values[name])
    assert not math.isnan(row.values["lenient_hit@5"])
    assert (row.values["queries"], row.values["unresolved"]) == (3, 1)


def test_tokens_are_counted_when_asked_for():
    """A chunk of ``bb ff`` has the tokens that its text has alone."""
    engine = prepare(CORPUS, QUERIES)
    assert "index_tokens" not in evaluate_given(engine, GIVEN, RunSpec(), "x", tokens=False).values
    run = read("q3 Q0 c5 1 1 t")
    row = evaluate_given(engine, GIVEN, RunSpec(), "x", run)
    assert row.per_query["retrieved_tokens@5"].tolist() == [0, 0, 2]


def test_chunks_and_runs_of_something_else_are_refused():
    """Digests tell that they were read against another corpus or other questions."""
    engine = prepare(CORPUS, QUERIES)
    other = corpus_of([("a.txt", "aa bb cc dd ee"), ("b.txt", "bb fg")])
    with pytest.raises(InputError, match="chunks was read for another corpus: read it again"):
        evaluate_given(engine, chunks_of(*ROWS, corpus=other), RunSpec(), "mine")
    fewer = QuerySet(QUERIES.queries[:2], "minimal")
    run = read("q1 Q0 c1 1 1 t", queries=fewer)
    with pytest.raises(InputError, match="run was read for other questions: read it again"):
        evaluate_given(engine, GIVEN, RunSpec(), "mine", run)
    with pytest.raises(InputError, match="there must be chunks or a run to judge"):
        evaluate_given(engine, None, RunSpec(), "mine")


@pytest.mark.parametrize("form", ["trec", "json"])
def test_a_run_of_ours_read_back_gives_our_own_figures(form):
    """Whether as a TREC file or as rows of questions."""
    corpus = corpus_of(
        [("a b%.txt", "one bb two bb three four bb five"), ("c#.txt", "bb six seven bb")]
    )
    asked = (
        Query("q 1", "bb", question(("a b%.txt", 4, 9)).evidence, answer="two"),
        Query("q%201", "seven one", question(("c#.txt", 7, 12), ("a b%.txt", 0, 3)).evidence),
        Query("", "nothing", question(("c#.txt", 0, 2)).evidence),
    )
    engine = prepare(corpus, QuerySet(asked, "minimal"))
    found = evaluate_with(engine, ChunkSpec(size=9, overlap=3), RunSpec(cutoff=TopK(3)))
    if form == "trec":
        data = trec_run(found, engine)
    else:
        rows = (row for row in query_rows(found, engine) if row["id"])
        data = "\n".join(map(json.dumps, rows))
    run = read_run(data.encode(), engine.queries, None, corpus=corpus)
    row = evaluate_given(engine, None, found.run, "ours", run)
    for name in found.per_query:
        if "@" in name:
            assert row.per_query[name].tolist() == pytest.approx(
                found.per_query[name].tolist(), abs=0, nan_ok=True
            )
    assert run.left_out == ()
