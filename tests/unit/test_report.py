"""Results as CSV, JSON, tables and TREC files."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.corpus import Corpus, corpus_of
from overlapkit.engine import Engine, prepare
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.report import (
    chunk_rows,
    chunks_jsonl,
    csv_of,
    json_of,
    query_rows,
    spreadsheet_csv,
    text_table,
    trec_qrels,
    trec_run,
)
from overlapkit.retrieve import Budget, RunSpec, TopK

# Two documents of four words of two letters: windows of 5 by 3 hold two words each.
LETTERS = corpus_of([("a.txt", "aa bb cc dd"), ("b b%.txt", "ee ff gg bb")])
FORMULAS = ["=2*21", "+2", "-3", "@SUM(B2)", "plain"]


def question(name: str, text: str, *spans: tuple[str, int, int]) -> Query:
    """Return a query from (document, start, end) evidence."""
    return Query(name, text, tuple(Evidence(*span) for span in spans))


def evaluated(
    corpus: Corpus, *queries: Query, spec: ChunkSpec, cutoff: TopK | Budget | None = None
) -> tuple[Evaluation, Engine]:
    """Return an evaluation and its engine."""
    engine = prepare(corpus, QuerySet(queries, "minimal"), "word")
    return evaluate_with(engine, spec, RunSpec(cutoff=cutoff or TopK(5))), engine


def read_back(text: str) -> list[list[str]]:
    """Return the cells of a CSV text."""
    return list(csv.reader(io.StringIO(text, newline="")))


# --- CSV --------------------------------------------------------------------------------


def test_text_that_begins_like_a_formula_is_prefixed_and_numbers_are_not() -> None:
    """Each of the five lines is a text cell; a score of -0.5 stays a number."""
    rows = [{"text": text, "score": -0.5} for text in FORMULAS]
    cells = read_back(spreadsheet_csv(rows))
    assert [row[0] for row in cells[1:]] == ["'=2*21", "'+2", "'-3", "'@SUM(B2)", "plain"]
    assert [row[1] for row in cells[1:]] == ["-0.5"] * 5


def test_json_and_plain_csv_keep_the_raw_text() -> None:
    """Only the file for spreadsheets is guarded."""
    frame = pd.DataFrame({"text": FORMULAS})
    assert [row["text"] for row in json.loads(json_of(frame))] == FORMULAS
    assert [row[0] for row in read_back(csv_of(frame))[1:]] == FORMULAS


@pytest.mark.parametrize("text", ["\tx", "\rx", "=1\n=2", '="a",b'])
def test_a_guarded_cell_is_read_back_whole(text: str) -> None:
    """Tabs, line ends, quotes and commas in a cell leave the rows as they are."""
    cells = read_back(spreadsheet_csv([{"a": text, "b": 1}, {"a": "next", "b": 2}]))
    assert cells == [["a", "b"], ["'" + text, "1"], ["next", "2"]]


@pytest.mark.parametrize("text", ["one\rtwo", "one\ntwo", "one\r\ntwo", 'a "b"', "a,b", "", " x "])
def test_any_text_is_read_back_as_it_was(text: str) -> None:
    """No line end in a cell ends a row."""
    assert read_back(csv_of([{"only": text}])) == [["only"], [text]]


def test_numbers_are_written_in_full() -> None:
    """A rate keeps all its digits, numpy's numbers included; missing is empty."""
    rows = [{"rate": 2 / 3, "n": np.int64(3), "f": np.float64(0.1), "none": None, "nan": np.nan}]
    assert csv_of(rows) == "rate,n,f,none,nan\n0.6666666666666666,3,0.1,,\n"


def test_whole_numbers_of_a_frame_stay_whole() -> None:
    """A column of integers is not written with a decimal point beside one of floats."""
    frame = pd.DataFrame({"chunks": [72, 96], "index_x": [1.0, 1.25]})
    assert csv_of(frame) == "chunks,index_x\n72,1.0\n96,1.25\n"


def test_a_key_that_a_row_lacks_is_missing() -> None:
    """Columns are those of all rows, in the order of their first appearance."""
    assert csv_of([{"a": 1}, {"b": 2, "a": 3}]) == "a,b\n1,\n3,2\n"


def test_nothing_gives_an_empty_file() -> None:
    """No rows make no header, an empty frame makes its own."""
    assert spreadsheet_csv([]) == ""
    assert spreadsheet_csv(pd.DataFrame({"a": []})) == "a\n"
    assert json_of([]) == "[]\n"


# --- JSON -------------------------------------------------------------------------------


def test_what_json_has_no_number_for_is_null() -> None:
    """NaN and the infinities become null, in lists too."""
    text = json_of([{"a": np.nan, "b": float("inf"), "c": [1.5, np.float32("nan")], "d": pd.NA}])
    assert text == '[\n{"a": null, "b": null, "c": [1.5, null], "d": null}\n]\n'


def test_json_can_be_encoded_and_read_line_by_line() -> None:
    """A lone surrogate and Unicode line ends are escaped, other text is not."""
    text = "é\u2028\ud800\u0085漢"
    line = json_of([{"text": text}])
    assert "é\\u2028\\ud800\\u0085漢" in line
    line.encode("utf-8")
    assert json.loads(line) == [{"text": text}]


# --- tables -----------------------------------------------------------------------------


def test_a_table_sets_numbers_right_and_text_left() -> None:
    """Columns are as wide as their widest cell; no line ends in spaces."""
    rows = [{"name": "a", "n": 5, "rate": "7.5%"}, {"name": "long", "n": 10, "rate": None}]
    assert text_table(rows) == "name   n  rate\na      5  7.5%\nlong  10\n"


# --- chunks -----------------------------------------------------------------------------


def test_chunks_are_numbered_within_their_document() -> None:
    """Spans are code points of the stored text, and the text is the slice."""
    chunks = chunk(LETTERS, ChunkSpec(size=5, overlap=2))
    rows = list(chunk_rows(LETTERS, chunks))
    assert [(r["doc"], r["index"], r["start"], r["end"], r["text"]) for r in rows] == [
        ("a.txt", 0, 0, 5, "aa bb"), ("a.txt", 1, 3, 8, "bb cc"), ("a.txt", 2, 6, 11, "cc dd"),
        ("b b%.txt", 0, 0, 5, "ee ff"), ("b b%.txt", 1, 3, 8, "ff gg"),
        ("b b%.txt", 2, 6, 11, "gg bb"),
    ]  # fmt: skip


def test_a_chunk_is_one_line_of_json() -> None:
    """A line feed in a chunk is escaped; an empty document has no line."""
    corpus = corpus_of([("a.txt", " "), ("b.txt", "x\ny\u2028")])
    lines = list(chunks_jsonl(corpus, chunk(corpus, ChunkSpec(size=10, overlap=0))))
    assert lines == ['{"doc": "b.txt", "index": 0, "start": 0, "end": 4, "text": "x\\ny\\u2028"}\n']


# --- questions --------------------------------------------------------------------------


def test_a_question_shows_its_metrics_and_ranked_chunks() -> None:
    """The word stands in three chunks of equal length: equal scores, in chunk order."""
    found, engine = evaluated(
        LETTERS, question("q", "bb", ("a.txt", 3, 5)), spec=ChunkSpec(size=5, overlap=2)
    )
    (row,) = query_rows(found, engine)
    assert (row["id"], row["query"], row["need"]) == ("q", "bb", "any")
    assert row["complete@5"] == 1
    assert row["precision@5"] == 2 / 15
    spans = [(c["doc"], c["start"], c["end"]) for c in row["chunks"]]
    assert spans == [("a.txt", 0, 5), ("a.txt", 3, 8), ("b b%.txt", 6, 11)]
    assert len({c["score"] for c in row["chunks"]}) == 1


def test_a_chunk_that_a_budget_cuts_ends_where_it_was_cut() -> None:
    """Of seven characters, the second chunk gets two."""
    found, engine = evaluated(
        LETTERS,
        question("q", "bb", ("a.txt", 3, 5)),
        spec=ChunkSpec(size=5, overlap=2),
        cutoff=Budget(7),
    )
    (row,) = query_rows(found, engine)
    assert [(c["start"], c["end"]) for c in row["chunks"]] == [(0, 5), (3, 5)]
    assert row["retrieved_chars@7c"] == 7


def test_what_is_withheld_for_sections_is_missing_per_question() -> None:
    """A section is mostly longer than a chunk, so complete evidence says nothing."""
    queries = QuerySet((question("q", "bb", ("a.txt", 0, 11)),), "extent")
    engine = prepare(LETTERS, queries)
    found = evaluate_with(engine, ChunkSpec(size=5, overlap=2), RunSpec())
    (row,) = query_rows(found, engine)
    assert row["complete@5"] is None
    assert row["query_containment"] is None
    assert row["lenient_hit@5"] == 0  # eleven characters are evidence, a chunk holds five


# --- TREC -------------------------------------------------------------------------------


def test_a_run_has_names_without_spaces_and_falling_scores() -> None:
    """Names are percent-encoded, ranks count from 1, the score is k minus the rank from 0."""
    found, engine = evaluated(
        LETTERS, question("q 1", "bb", ("a.txt", 3, 5)), spec=ChunkSpec(size=5, overlap=2)
    )
    assert trec_run(found, engine, "my run") == (
        "q%201 Q0 a.txt#0-5 1 5 my%20run\n"
        "q%201 Q0 a.txt#3-8 2 4 my%20run\n"
        "q%201 Q0 b%20b%25.txt#6-11 3 3 my%20run\n"
    )


def test_relevant_chunks_are_lenient_hits() -> None:
    """A chunk that shares less than min(100, length) characters is judged 0."""
    found, engine = evaluated(
        LETTERS,
        question("q", "bb", ("a.txt", 3, 5), ("b b%.txt", 3, 8)),
        question("", "zz", ("a.txt", 2, 10)),
        spec=ChunkSpec(size=5, overlap=2),
    )
    assert trec_qrels(found, engine) == (
        "q 0 a.txt#0-5 1\n"
        "q 0 a.txt#3-8 1\n"
        "q 0 b%20b%25.txt#0-5 0\n"
        "q 0 b%20b%25.txt#3-8 1\n"
        "q 0 b%20b%25.txt#6-11 0\n"
        "% 0 a.txt#0-5 0\n"
        "% 0 a.txt#3-8 0\n"
        "% 0 a.txt#6-11 0\n"
    )


def test_run_and_judgements_give_our_lenient_hit_and_reciprocal_rank() -> None:
    """Scored the way TREC's evaluators do, by falling score, they give our own figures."""
    corpus = corpus_of([(f"{i}.txt", f"word{i} common tail {'filler ' * i}") for i in range(9)])
    queries = [question(str(i), f"common word{i}", (f"{i}.txt", 0, 5)) for i in range(9)]
    found, engine = evaluated(corpus, *queries, spec=ChunkSpec(size=12, overlap=4))
    relevant = {
        (query, name)
        for query, _, name, grade in map(str.split, trec_qrels(found, engine).splitlines())
        if grade == "1"
    }
    ranks: dict[str, list[int]] = {}
    lines = [line.split() for line in trec_run(found, engine).splitlines()]
    for query, _, name, rank, _, _ in sorted(lines, key=lambda line: (line[0], -int(line[4]))):
        ranks.setdefault(query, [])
        if (query, name) in relevant:
            ranks[query].append(int(rank))
    first = [min(ranks.get(query.id, []), default=None) for query in queries]
    hits = [rank is not None for rank in first]
    assert found.values["lenient_hit@5"] == pytest.approx(sum(hits) / 9)
    assert found.values["lenient_mrr@5"] == pytest.approx(sum(1 / r for r in first if r) / 9)
    assert any(hits)


def test_files_are_empty_where_nothing_was_found() -> None:
    """Documents without text have no chunk to rank or to judge."""
    found, engine = evaluated(
        corpus_of([("a.txt", "   ")]),
        question("q", "bb", ("a.txt", 0, 2)),
        spec=ChunkSpec(size=5, overlap=2),
    )
    assert trec_run(found, engine) == trec_qrels(found, engine) == ""
