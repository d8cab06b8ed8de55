"""The terminal interface: what the commands write, refuse and return."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest

from overlapkit.chunkers import UNITS, ChunkSpec
from overlapkit.cli import main
from overlapkit.cost import COSTS
from overlapkit.diagnose import CAUSES
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.evaluate.metrics import AT_ONE, METRICS
from overlapkit.phases import phase_specs
from overlapkit.queries import load_golden
from overlapkit.queries.probes import PROBES_SHOW
from overlapkit.readers import load_corpus
from overlapkit.retrieve import RANKINGS, RunSpec
from overlapkit.samples import SAMPLES
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import ENCODINGS
from overlapkit.verify import Verification, verify

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "command-line.md"
COMMANDS = (
    "sweep", "chunk", "evaluate", "diagnose", "decide", "gate", "units", "probes", "contract",
    "verify", "samples",
)  # fmt: skip

LEADING = (
    "chunker,unit,size,overlap,overlap_pct,chunks,index_chars,index_x,queries,unresolved,"
    "strict_hit@1,strict_hit@5,strict_mrr@5,lenient_hit@1,lenient_hit@5,lenient_mrr@5,"
    "complete@5,answer@5,containment,query_containment,recall@5,precision@5,iou@5,"
    "precision_omega,distinct_docs@5,duplicate_slots@5,overlapping_slots@5,repeated_chars@5,"
    "retrieved_chars@5"
)

# Windows of 5 by 5 cut dd; those of 5 by 3 hold every word whole.
GOLDEN = (
    '{"id": "b", "query": "bb", "evidence": [{"doc": "a.txt", "start": 3, "end": 5}], '
    '"answer": "bb"}\n'
    '{"id": "d", "query": "dd", "evidence": [{"doc": "a.txt", "start": 9, "end": 11}]}\n'
)
EVALUATE = "evaluate docs --queries golden.jsonl"
# Two chunks that part nothing; the third row stands nowhere.
CHUNKS = (
    '{"id": "x", "source": "a.txt", "page_content": "aa bb"}\n'
    '{"id": "y", "source": "a.txt", "page_content": "cc dd"}\n'
    '{"id": "z", "source": "a.txt", "page_content": "zz"}\n'
)
SENTENCES = (
    "The red kite circles above hills. Seven grey herons wade through reeds. "
    "Old wooden boats rot beside piers. Many small streams feed this lake. "
    "Nobody ever counted those floating logs. Winter storms break young branches."
)
SECTION = "## What the key opens\n\n" + "The key opens the door. " * 20 + "\n"


class Said(NamedTuple):
    """What a command returned and wrote."""

    code: int
    out: str
    err: str

    def table(self) -> list[dict[str, str]]:
        """Return CSV output as rows."""
        return list(csv.DictReader(io.StringIO(self.out, newline="")))


Run = Callable[..., Said]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test's results apart."""
    monkeypatch.setenv("OVERLAPKIT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command line."""

    def call(line: str) -> Said:
        code = main(shlex.split(line))
        return Said(code, *capsys.readouterr())

    return call


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, now the current one, with two documents and a golden set."""
    folder = tmp_path / "work"
    (folder / "docs" / "sub").mkdir(parents=True)
    (folder / "docs" / "a.txt").write_text("aa bb cc dd")
    (folder / "docs" / "sub" / "b.txt").write_text("ee ff gg hh")
    (folder / "golden.jsonl").write_text(GOLDEN)
    monkeypatch.chdir(folder)
    return folder


# --- contract ---------------------------------------------------------------------------


def test_the_contract_comes_out_as_published(run: Run) -> None:
    """Figure by figure, as CSV."""
    assert run("contract") == (
        0,
        "overlap_pct,chunks,answer_hits,complete_evidence,unique_documents,duplicate_slots,"
        "retrieved_words\n"
        "0,72,12,0,2.0,2.0,320\n"
        "25,96,12,12,2.0,2.0,320\n"
        "50,120,12,12,2.0,2.0,320\n"
        "75,216,12,12,2.0,2.0,320\n",
        "",
    )


# --- sweep ------------------------------------------------------------------------------


def test_a_sweep_gives_the_figures_computed_by_hand(run: Run, letters: Path) -> None:
    """Windows of 5 by 5 and 5 by 3 over two documents of 11 characters."""
    said = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 0,2 --format csv")
    assert (said.code, said.err) == (0, "")
    cut, whole = said.table()
    names = [
        "overlap", "overlap_pct", "chunks", "index_chars", "index_x", "queries", "unresolved",
        "complete@5", "answer@5", "containment", "recall@5", "precision@5",
        "overlapping_slots@5", "retrieved_chars@5",
    ]  # fmt: skip
    for row, values in (
        (cut, "0 0 6 22 1 2 0 0.5 1 0.5 0.5 0.2 0 2.5"),
        (whole, "2 40 6 30 1.3636363636 2 0 1 1 1 1 0.3 0.5 7.5"),
    ):
        found = [float(row[name]) for name in names]
        assert found == pytest.approx([float(value) for value in values.split()])
        assert row["strict_hit@1"] == "0.0"
        assert (row["unit"], row["size"], row["ranking"], row["terms"]) == (
            "char", "5", "okapi", "word",
        )  # fmt: skip


def test_the_header_has_its_columns_in_order(run: Run, letters: Path) -> None:
    """The published columns come first."""
    said = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 0 --format csv")
    assert said.out.startswith(LEADING + ",")


def test_a_budget_names_its_columns(run: Run, letters: Path) -> None:
    """The label takes the place of k; the hits at rank 1 stay."""
    said = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 2 --budget 7 --format csv")
    assert said.out.startswith(LEADING.replace("@5", "@7c") + ",")
    assert said.table()[0]["retrieved_chars@7c"] == "6.0"  # 7 of two chunks, 5 of the only one
    dropped = run(
        "sweep docs --queries golden.jsonl --sizes 5 --overlaps 2 --budget 7 --tail drop "
        "--format csv"
    )
    assert dropped.table()[0]["retrieved_chars@7c"] == "5.0"
    tokens = run(
        "sweep docs --queries golden.jsonl --sizes 5 --overlaps 2 --budget 3 --budget-unit token "
        "--format csv"
    )
    assert "complete@3t" in tokens.table()[0]


def test_percentages_and_units_mix(run: Run, letters: Path) -> None:
    """Every size is taken with every overlap, equal settings once."""
    said = run("sweep docs --queries golden.jsonl --sizes '5, 10' --overlaps 0%,20%,1 --format csv")
    assert [(row["size"], row["overlap"]) for row in said.table()] == [
        ("5", "0"), ("5", "1"), ("10", "0"), ("10", "2"), ("10", "1"),
    ]  # fmt: skip


def test_combinations_without_room_are_named(run: Run, letters: Path) -> None:
    """All of them at once, before anything is read."""
    said = run("sweep nowhere --sizes 50,60,100 --overlaps 0%,80,60")
    assert (said.code, said.out) == (2, "")
    assert "got 80 at size 50, 60 at size 50, 80 at size 60, 60 at size 60:" in said.err


def test_the_default_grid_fits_the_unit(run: Run, letters: Path) -> None:
    """Nine sizes by nine overlaps; in words they are smaller."""
    chars = run("sweep docs --queries golden.jsonl --format csv").table()
    words = run("sweep docs --queries golden.jsonl --unit word --format csv").table()
    assert len(chars) == len(words) == 81
    assert (chars[-1]["size"], words[-1]["size"]) == ("2000", "330")
    assert chars[-1]["overlap_pct"] == "50"


def test_headings_ask_for_their_sections(run: Run, tmp_path: Path) -> None:
    """The default for paths; what does not speak for sections is empty."""
    (tmp_path / "a.md").write_text(SECTION)
    said = run(f"sweep {tmp_path / 'a.md'} --sizes 100 --overlaps 0% --format csv")
    (row,) = said.table()
    assert (row["queries"], row["strict_hit@5"]) == ("1", "1.0")
    assert row["complete@5"] == row["containment"] == row["query_containment"] == ""
    table = run(f"sweep {tmp_path / 'a.md'} --queries headings --sizes 100 --overlaps 0%")
    assert "complete evidence and containment are withheld" in table.out


def test_json_rows_have_null_for_what_is_missing(run: Run, tmp_path: Path) -> None:
    """NaN is no JSON."""
    (tmp_path / "a.md").write_text(SECTION)
    said = run(f"sweep {tmp_path / 'a.md'} --sizes 100 --overlaps 0%,10% --format json")
    rows = json.loads(said.out, parse_constant=pytest.fail)
    assert [row["overlap"] for row in rows] == [0, 10]
    assert rows[0]["complete@5"] is None


@pytest.mark.parametrize("options", ["", "--budget 4000", "--need all --k 10"])
@pytest.mark.parametrize("sample", ["planted", "tariff"])
def test_the_table_fits_a_terminal(run: Run, sample: str, options: str) -> None:
    """No line is longer than 100 columns; rates are percentages with one digit."""
    said = run(f"sweep --sample {sample} --sizes 200,2000 --overlaps 0%,25% {options}")
    lines = said.out.splitlines()
    assert max(map(len, lines)) <= 100
    head = next(number for number, line in enumerate(lines) if line.startswith("size"))
    assert lines[head].split()[:5] == ["size", "overlap", "chunks", "index", "complete"]
    assert re.fullmatch(r" *200 +50 \(25%\) +\d+ +1\.\d\dx( +\d+\.\d%){5} .*", lines[head + 2])


def test_a_verdict_names_metric_ranking_cutoff_and_n(run: Run) -> None:
    """It stands after a table, and on standard error beside CSV."""
    line = (
        "sweep --sample planted --unit word --sizes 80,120 --overlaps 0%,25% --ranking count "
        "--k 4 --verdict"
    )
    said = run(line)
    flat = " ".join(said.out.split())
    assert "Under term count, 80 words with 20 overlap (25%) is enough: complete evidence" in flat
    assert "in the top 4 for 100.0% of 12 questions" in flat
    assert "120 words" in flat
    beside = run(line + " --format csv")
    assert len(beside.table()) == 2 * 2
    assert "Under term count, 80 words with 20 overlap (25%) is enough" in beside.err


def test_one_overlap_has_no_verdict(run: Run) -> None:
    """There is nothing to hold it against."""
    said = run("sweep --sample planted --sizes 400 --overlaps 20% --verdict")
    assert "At 400 characters there is one overlap: nothing to compare." in said.out


@pytest.mark.parametrize("cost", COSTS)
def test_sizes_are_compared_under_a_budget_only(run: Run, cost: str) -> None:
    """At a fixed k five bigger chunks are simply more text."""
    line = f"sweep --sample planted --sizes 200,400 --overlaps 0%,20% --verdict --cost {cost}"
    assert "Across sizes" not in run(line).out
    flat = " ".join(run(line + " --budget 2000").out.split())
    assert "Across sizes, under BM25 at an equal context of 2,000 characters, the cheapest" in flat
    assert COSTS[cost].label.lower() in flat


def test_need_overrides_the_set(run: Run, letters: Path) -> None:
    """With two spans in two chunks one is enough, or both are needed."""
    evidence = [{"doc": name, "start": 0, "end": 2} for name in ("a.txt", "sub/b.txt")]
    question = {"query": "aa", "need": "any", "evidence": evidence}
    (letters / "two.jsonl").write_text(json.dumps(question))
    line = "sweep docs --queries two.jsonl --sizes 5 --overlaps 0 --format csv"
    complete = {
        need: run(f"{line} --need {need}").table()[0]["complete@5"]
        for need in ("as-given", "any", "all")
    }
    assert complete == {"as-given": "1.0", "any": "1.0", "all": "0.0"}


def test_rows_left_out_are_named(run: Run, letters: Path) -> None:
    """Each with its reason, the first few in full; the others are counted."""
    wrong = '{"query": "x", "evidence": [{"doc": "no.txt", "start": 0, "end": 1}]}\n'
    (letters / "golden.jsonl").write_text(GOLDEN + wrong * 7)
    said = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 0 --format csv")
    assert said.table()[0]["unresolved"] == "7"
    notes = said.err.splitlines()
    assert notes[0] == "note: left out: row 3: no document is called 'no.txt' in this corpus"
    assert notes[5:] == ["note: left out: 2 more rows of golden.jsonl"]


def test_weak_words_are_told_under_okapi_only(run: Run, letters: Path) -> None:
    """A word that stands in half of the chunks has no positive weight of its own."""
    (letters / "docs" / "sub" / "b.txt").write_text("bb bb bb bb")
    line = "sweep docs --queries golden.jsonl --sizes 5 --overlaps 0 --format csv"
    assert "1 of 2 questions hold a word that stands in half of the chunks" in run(line).err
    assert run(line + " --ranking lucene").err == ""


def test_results_are_kept_unless_asked_not_to(run: Run, letters: Path, tmp_path: Path) -> None:
    """A second run gives the same bytes from the cache."""
    line = "sweep docs --queries golden.jsonl --sizes 5 --overlaps 0,2 --format csv"
    first = run(line + " --no-cache")
    assert not (tmp_path / "cache").exists()
    assert run(line) == first
    assert (tmp_path / "cache").is_dir()
    assert run(line) == first


def test_a_cache_that_cannot_be_used_is_a_note(
    run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work goes on without it."""
    monkeypatch.setenv("OVERLAPKIT_CACHE_DIR", str(letters / "golden.jsonl"))
    said = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 0 --format csv")
    assert said.code == 0
    assert said.err.startswith("note: cache disabled: ")


# --- chunk ------------------------------------------------------------------------------


def test_chunks_are_named_by_their_path_below_the_folder(run: Run, letters: Path) -> None:
    """One JSON line each: doc, index within it, start, end, text."""
    said = run("chunk docs --size 5 --overlap 40%")
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        '{"doc": "a.txt", "index": 0, "start": 0, "end": 5, "text": "aa bb"}\n'
        '{"doc": "a.txt", "index": 1, "start": 3, "end": 8, "text": "bb cc"}\n'
        '{"doc": "a.txt", "index": 2, "start": 6, "end": 11, "text": "cc dd"}\n'
        '{"doc": "sub/b.txt", "index": 0, "start": 0, "end": 5, "text": "ee ff"}\n'
        '{"doc": "sub/b.txt", "index": 1, "start": 3, "end": 8, "text": "ff gg"}\n'
        '{"doc": "sub/b.txt", "index": 2, "start": 6, "end": 11, "text": "gg hh"}\n'
    )


def test_chunks_for_a_spreadsheet_hold_no_formula(run: Run, letters: Path) -> None:
    """Text cells that begin like one are prefixed, numbers are not."""
    (letters / "f.txt").write_text("=2*21 +2000 plain")
    said = run("chunk f.txt --unit word --size 1 --overlap 0 --format csv")
    assert [row["text"] for row in said.table()] == ["'=2*21", "'+2000", "plain"]
    assert [row["start"] for row in said.table()] == ["0", "6", "12"]


def test_words_and_tokens_are_counted(run: Run, letters: Path) -> None:
    """Two words of the first document; tokens cut inside a character are told."""
    said = run("chunk docs/a.txt --unit word --size 2 --overlap 1")
    assert [json.loads(line)["text"] for line in said.out.splitlines()] == [
        "aa bb", "bb cc", "cc dd",
    ]  # fmt: skip
    (letters / "e.txt").write_text("🧿🪬 𓀀𓀁", encoding="utf-8")
    cut = run("chunk e.txt --unit token --size 1 --overlap 0")
    assert re.match(r"note: \d+ tokens begin or end inside a character", cut.err)
    for encoding in ENCODINGS:
        assert run(f"chunk docs --unit token --encoding {encoding} --size 3").code == 0


def test_a_sample_and_a_document_without_text_can_be_chunked(run: Run, letters: Path) -> None:
    """The latter has no chunks."""
    assert (
        len(run("chunk --sample planted --unit word --size 80 --overlap 0").out.split("\n")) == 73
    )
    (letters / "blank.txt").write_text(" \n")
    said = run("chunk blank.txt")
    assert (said.code, said.out) == (0, "")
    assert "holds only white space" in said.err


# --- evaluate ---------------------------------------------------------------------------


def test_one_setting_is_one_object(run: Run, letters: Path) -> None:
    """With the sweep's values, in the sweep's order."""
    said = run("evaluate docs --queries golden.jsonl --size 5 --overlap 2 --format json")
    found = json.loads(said.out)
    assert list(found)[: len(LEADING.split(","))] == LEADING.split(",")
    assert (found["chunks"], found["complete@5"], found["overlap"]) == (6, 1.0, 2)
    swept = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 2 --format csv")
    assert run("evaluate docs --queries golden.jsonl --size 5 --overlap 2 --format csv") == swept


def test_the_table_of_a_setting_shows_what_speaks(run: Run, letters: Path) -> None:
    """Strict hit is left to the files where evidence is short: a chunk is rarely half of it."""
    said = run("evaluate docs --queries golden.jsonl --size 5 --overlap 2")
    rows = dict(line.split() for line in said.out.splitlines() if len(line.split()) == 2)
    assert (rows["chunks"], rows["complete@5"], rows["retrieved_chars@5"]) == (
        "6",
        "100.0%",
        "7.50",
    )
    assert not [name for name in rows if name.startswith("strict")]
    assert "5 characters with 2 overlap (40%): 6 chunks, 30 characters to embed" in said.out


def test_per_query_has_each_metric_and_the_ranked_chunks(run: Run, letters: Path) -> None:
    """JSON lines; of two equal chunks the first stands first."""
    said = run(
        "evaluate docs --queries golden.jsonl --size 5 --overlap 2 --per-query --format json"
    )
    first, second = map(json.loads, said.out.splitlines())
    assert {f"{name}@5" for name in METRICS} | {f"{name}@1" for name in AT_ONE} <= set(first)
    assert (first["id"], first["query"], first["answer@5"]) == ("b", "bb", 1.0)
    assert [list(found) for found in first["chunks"]] == [["doc", "start", "end", "score"]] * 2
    assert [(c["doc"], c["start"], c["end"]) for c in first["chunks"]] == [
        ("a.txt", 0, 5), ("a.txt", 3, 8),
    ]  # fmt: skip
    assert first["chunks"][0]["score"] == first["chunks"][1]["score"] > 0
    assert (second["answer@5"], len(second["chunks"])) == (None, 1)


def test_per_query_as_a_table_and_for_a_spreadsheet(run: Run, letters: Path) -> None:
    """Questions that begin like a formula are prefixed; chunks stand as JSON in a cell."""
    (letters / "golden.jsonl").write_text(GOLDEN.replace('"query": "bb"', '"query": "=bb"'))
    line = "evaluate docs --queries golden.jsonl --size 5 --overlap 2 --per-query"
    first, second = run(line + " --format csv").table()
    assert (first["query"], second["query"], first["recall@5"]) == ("'=bb", "dd", "1.0")
    assert json.loads(first["chunks"])[0]["doc"] == "a.txt"
    assert run(line).out == (
        "id  question  complete  recall  best chunk\n"
        "b   =bb           100%    100%  a.txt 0-5\n"
        "d   dd            100%    100%  a.txt 6-11\n"
    )


def test_trec_files_are_written_beside_the_result(run: Run, letters: Path) -> None:
    """A run and its judgements."""
    said = run(
        "evaluate docs --queries golden.jsonl --size 5 --overlap 2 --format json "
        "--trec-run run.txt --trec-qrels qrels.txt"
    )
    assert json.loads(said.out)["complete@5"] == 1
    assert (letters / "run.txt").read_bytes() == (
        b"b Q0 a.txt#0-5 1 5 overlapkit\n"
        b"b Q0 a.txt#3-8 2 4 overlapkit\n"
        b"d Q0 a.txt#6-11 1 5 overlapkit\n"
    )
    assert (letters / "qrels.txt").read_bytes() == (
        b"b 0 a.txt#0-5 1\nb 0 a.txt#3-8 1\nd 0 a.txt#6-11 1\n"
    )


@pytest.fixture
def given(letters: Path) -> Path:
    """Return the folder, with the chunks of another tool and two runs over them."""
    (letters / "chunks.jsonl").write_text(CHUNKS)
    (letters / "hits.jsonl").write_text('{"query_id": "d", "results": ["x", "y", "w"]}\n')
    (letters / "own.trec").write_text("d Q0 a.txt#6-11 1 2 mine\nb Q0 a.txt#0-4 1 2 mine\n")
    return letters


def test_given_chunks_have_the_columns_of_a_setting(run: Run, given: Path) -> None:
    """What only a setting has is empty; what is left out and what is covered are notes."""
    said = run(f"{EVALUATE} --chunks chunks.jsonl --format csv")
    (row,) = said.table()
    ours = run(f"{EVALUATE} --size 5 --overlap 0 --format csv").table()[0]
    assert list(row) == list(ours)
    assert [row[name] for name in ("chunker", "unit", "size", "overlap", "index_x")] == [
        "given", "", "", "", "",
    ]  # fmt: skip
    assert (row["chunks"], row["index_chars"], row["complete@5"]) == ("2", "10", "1.0")
    assert (row["ranking"], row["terms"], row["containment"]) == ("okapi", "word", "1.0")
    assert said.err.splitlines()[:2] == [
        "note: left out: row 3 of chunks.jsonl: its text does not stand in 'a.txt'",
        "note: the chunks of chunks.jsonl cover 50.0% of the corpus's characters, white space "
        "aside",
    ]
    assert "note: in chunks.jsonl, 2 of 2 questions hold a word" in said.err
    found = json.loads(run(f"{EVALUATE} --chunks chunks.jsonl --format json").out)
    assert (found["size"], found["complete@5"]) == (None, 1.0)


def test_the_table_of_given_chunks_names_their_file(run: Run, given: Path) -> None:
    """There is no size to tell."""
    said = run(f"{EVALUATE} --chunks chunks.jsonl")
    assert "\nchunks.jsonl: 2 chunks, 10 characters to embed\n" in said.out
    assert "sizes in" not in said.out
    with_run = run(f"{EVALUATE} --chunks chunks.jsonl --run hits.jsonl").out
    assert "\nthe ranking of hits.jsonl in the top 5\n" in with_run
    assert "BM25" not in with_run


def test_left_out_chunks_are_named_up_to_five(run: Run, given: Path) -> None:
    """The others are counted."""
    wrong = "".join(f'{{"id": "w{n}", "text": "not there"}}\n' for n in range(6))
    (given / "chunks.jsonl").write_text(CHUNKS + wrong)
    notes = run(f"{EVALUATE} --chunks chunks.jsonl").err.splitlines()
    assert notes[4].startswith("note: left out: row 7 of chunks.jsonl: ")
    assert notes[5] == "note: left out: 2 more rows of chunks.jsonl"


def test_a_given_run_is_judged_as_it_ranks(run: Run, given: Path) -> None:
    """The chunk with the evidence stands second; a question that is not mentioned counts 0."""
    line = f"{EVALUATE} --chunks chunks.jsonl --run hits.jsonl"
    said = run(f"{line} --format csv")
    (row,) = said.table()
    assert (row["lenient_mrr@5"], row["complete@5"]) == ("0.25", "0.5")
    assert (row["chunker"], row["ranking"], row["terms"]) == ("given", "given", "")
    assert said.err.splitlines()[2:] == [
        "note: left out: row 1 of hits.jsonl: no chunk has this id",
        "note: hits.jsonl does not mention 1 of 2 questions: no result counts 0",
    ]
    assert run(f"{line} --k 1 --format csv").table()[0]["complete@1"] == "0.0"


def test_per_query_goes_with_given_chunks_and_runs(run: Run, given: Path) -> None:
    """The spans are those that the texts were found at."""
    line = f"{EVALUATE} --chunks chunks.jsonl --run hits.jsonl --per-query"
    assert run(line).out == (
        "id  question  complete  recall  best chunk\n"
        "b   bb              0%      0%\n"
        "d   dd            100%    100%  a.txt 0-5\n"
    )
    _, second = map(json.loads, run(f"{line} --format json").out.splitlines())
    spans = [(c["doc"], c["start"], c["end"]) for c in second["chunks"]]
    assert spans == [("a.txt", 0, 5), ("a.txt", 6, 11)]
    ranked_here = run(f"{EVALUATE} --chunks chunks.jsonl --per-query").out.splitlines()
    assert ranked_here[2].endswith("a.txt 6-11")


def test_a_run_over_chunks_of_our_own_names_needs_no_chunks(run: Run, given: Path) -> None:
    """Costs and ceilings are unknown then; a.txt#0-4 cuts its evidence."""
    said = run(f"{EVALUATE} --run own.trec --format csv")
    (row,) = said.table()
    assert (row["complete@5"], row["recall@5"], row["chunks"]) == ("0.5", "0.75", "")
    assert (row["query_containment"], said.err) == ("", "")
    assert "\n2 chunks named by the run\n" in run(f"{EVALUATE} --run own.trec").out


def test_trec_files_go_with_given_chunks(run: Run, given: Path) -> None:
    """They are called by their places, as all are."""
    run(f"{EVALUATE} --chunks chunks.jsonl --k 1 --trec-run run.txt --trec-qrels qrels.txt")
    assert (given / "run.txt").read_text().splitlines()[1] == "d Q0 a.txt#6-11 1 1 overlapkit"
    assert (given / "qrels.txt").read_text() == "b 0 a.txt#0-5 1\nd 0 a.txt#6-11 1\n"


# --- phases -----------------------------------------------------------------------------


def test_phases_give_means_and_a_deviation(run: Run, letters: Path) -> None:
    """As evaluating each phase by itself gives them."""
    said = run("sweep docs --queries golden.jsonl --sizes 5,7 --overlaps 0 --phases 8 --format csv")
    corpus = load_corpus("docs")
    engine = prepare(corpus, load_golden("golden.jsonl", corpus))
    for row, size in zip(said.table(), (5, 7), strict=True):
        values = [
            evaluate_with(engine, spec, RunSpec()).values["complete@5"]
            for spec in phase_specs(ChunkSpec(size=size, overlap=0), 8)
        ]
        assert float(row["complete@5"]) == pytest.approx(fmean(values))
        assert float(row["complete@5:sd"]) == pytest.approx(stdev(values))
        assert [name for name in row if name.endswith(":sd")] == ["complete@5:sd"]


@pytest.mark.parametrize("options", ["", "--verdict", "--budget 4000"])
def test_the_table_of_phases_fits_a_terminal(run: Run, options: str) -> None:
    """The deviation stands beside its metric."""
    said = run(f"sweep --sample planted --sizes 200,2000 --overlaps 0%,25% --phases 8 {options}")
    lines = said.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "means over 8 phases of each setting" in lines
    head = next(line.split() for line in lines if line.startswith("size"))
    assert head[4:6] == ["complete", "sd"]


def test_phases_of_sections_are_judged_by_lenient_hit(run: Run, tmp_path: Path) -> None:
    """The metric that speaks for them has the deviation."""
    (tmp_path / "a.md").write_text(SECTION)
    said = run(f"sweep {tmp_path / 'a.md'} --sizes 100 --overlaps 0% --phases 8 --format csv")
    assert said.table()[0]["lenient_hit@5:sd"] == "0.0"


# --- diagnose ---------------------------------------------------------------------------

DIAGNOSE = "diagnose docs --queries golden.jsonl"


def test_causes_are_counted_and_advice_follows(run: Run, letters: Path) -> None:
    """At 5 by 5 bb is found and dd is cut; beside CSV the advice goes to standard error."""
    said = run(f"{DIAGNOSE} --size 5 --overlap 0")
    rows = dict(re.findall(r"^([A-Z][a-z ]+?) +(\d)$", said.out, re.MULTILINE))
    assert {name: n for name, n in rows.items() if n != "0"} == {"Hit": "1", "Cut boundary": "1"}
    assert list(rows) == [info.label for info in CAUSES.values()]
    sentence = "1 of 1 miss is cut at a chunk boundary: an overlap of 1 would hold it for sure.\n"
    assert said.out.endswith("\n\n" + sentence)
    assert "\n5 characters without overlap\n" in said.out
    data = run(f"{DIAGNOSE} --size 5 --overlap 0 --format csv")
    assert data.table()[1] == {"cause": "hit", "label": "Hit", "questions": "1"}
    assert [row["cause"] for row in data.table()] == list(CAUSES)
    assert data.err == sentence


def test_causes_are_counted_at_each_overlap(run: Run, letters: Path) -> None:
    """One more character of overlap holds dd; equal settings are counted once."""
    said = run(f"{DIAGNOSE} --size 5 --overlaps 0,1,20% --format json")
    assert [(row["overlap"], row["hit"], row["cut boundary"]) for row in json.loads(said.out)] == [
        (0, 1, 1), (1, 2, 0),
    ]  # fmt: skip
    table = run(f"{DIAGNOSE} --size 5 --overlaps 0,1").out.splitlines()
    assert table[-2].split() == ["0", "(0%)", "0", "1", "0", "1", "0", "0", "0"]
    assert max(map(len, table)) <= 100


def test_each_question_has_its_cause(run: Run, letters: Path) -> None:
    """With what is known of it; a row that was left out has a line and its reason."""
    wrong = '{"id": "n", "query": "x", "evidence": [{"doc": "no.txt", "start": 0, "end": 1}]}\n'
    (letters / "golden.jsonl").write_text(GOLDEN + wrong)
    line = f"{DIAGNOSE} --size 5 --overlap 0 --per-query"
    assert run(f"{line} --format csv").out == (
        "id,query,cause,known,document,start,end,needed_size,working_overlap,"
        "guaranteed_overlap,rank\n"
        "b,bb,hit,rank 1,a.txt,3,5,,,,1\n"
        "d,dd,cut boundary,from an overlap of 1 character on it is always held,a.txt,9,11,,1,1,\n"
        "n,,unresolved,no document is called 'no.txt' in this corpus,,,,,,,\n"
    )
    assert run(line).out == (
        "id  query  cause         known\n"
        "b   bb     hit           rank 1\n"
        "d   dd     cut boundary  from an overlap of 1 character on it is always\n"
        "                         held\n"
        "n          unresolved    no document is called 'no.txt' in this corpus\n"
    )
    small = run(f"{DIAGNOSE} --size 1 --overlap 0 --per-query --format json")
    first = json.loads(small.out.splitlines()[0])
    assert (first["cause"], first["needed_size"]) == ("chunk too small", 2)


def test_given_chunks_are_diagnosed(run: Run, given: Path) -> None:
    """Both hold their evidence; at rank 1 of a run over them one stands too deep, one is not in."""
    line = f"{DIAGNOSE} --chunks chunks.jsonl"
    said = run(f"{line} --k 1")
    assert "\nchunks.jsonl: 2 chunks, 10 characters to embed\n\ncause " in said.out
    assert said.out.endswith("\n\nEvery question finds its complete evidence (2 of 2).\n")
    assert "sizes in" not in said.out
    assert "note: left out: row 3 of chunks.jsonl: its text does not stand" in said.err
    assert "note: in chunks.jsonl, 2 of 2 questions hold a word" in said.err
    with_run = run(f"{line} --run hits.jsonl --k 1")
    assert "\nthe ranking of hits.jsonl at rank 1\n" in with_run.out
    sentence = (
        "2 of 2 misses are outranked: a chunk holds the evidence whole already; look at the "
        "ranking (1 of them is not in the run's list; the other stands at rank 2)."
    )
    assert with_run.out.split("\n\n")[-1].split() == sentence.split()
    assert "BM25" not in with_run.out + with_run.err
    data = run(f"{line} --run hits.jsonl --k 1 --format csv")
    assert data.table()[-1] == {"cause": "outranked", "label": "Outranked", "questions": "2"}
    assert data.err.splitlines()[-1] == sentence


def test_each_question_has_its_cause_under_given_chunks(run: Run, given: Path) -> None:
    """With the ranks of the run, as far as it goes, and what its chunks cut or leave out."""
    line = f"{DIAGNOSE} --chunks chunks.jsonl --run hits.jsonl --k 1 --per-query"
    first, second = map(json.loads, run(f"{line} --format json").out.splitlines())
    assert (first["cause"], first["rank"], first["known"]) == (
        "outranked", None, "not in the run's list",
    )  # fmt: skip
    assert (second["cause"], second["rank"], second["known"]) == (
        "outranked", 2, "rank 2; first: a.txt from 0",
    )  # fmt: skip
    (given / "cut.jsonl").write_text(
        '{"doc": "a.txt", "start": 0, "end": 4}\n{"doc": "a.txt", "start": 4, "end": 10}\n'
    )
    assert run(f"{DIAGNOSE} --chunks cut.jsonl --per-query").out == (
        "id  query  cause         known\n"
        "b   bb     cut boundary  each of these chunks cuts it\n"
        "d   dd     cut boundary  some of its text stands in no chunk\n"
    )


def test_sections_are_not_diagnosed(run: Run, tmp_path: Path) -> None:
    """The reason is given."""
    (tmp_path / "a.md").write_text(SECTION)
    said = run(f"diagnose {tmp_path / 'a.md'}")
    assert (said.code, said.out) == (2, "")
    assert "the causes of misses need minimal evidence" in said.err


# --- units, probes ----------------------------------------------------------------------


def test_lengths_have_the_overlap_that_each_needs(run: Run, letters: Path) -> None:
    """Two lines of 11 characters or 4 words; evidence of 2 characters or 1 word."""
    said = run("units docs --queries golden.jsonl --format csv")
    rows = {row["kind"]: list(row.values())[1:] for row in said.table()}
    assert rows["sentence"] == ["2", *["11"] * 4, *["10"] * 4]
    assert rows["evidence"] == ["2", *["2"] * 4, *["1"] * 4]
    assert "note: 2 of 2 documents fit one chunk of size 800" in said.err
    words = run("units docs --queries golden.jsonl --unit word --size 3")
    assert words.err == ""
    assert words.out.startswith("lengths in words, ")
    assert re.search(r"^sentence +2( +4 \(3\)){4}$", words.out, re.MULTILINE)
    assert re.search(r"^evidence +2( +1 \(0\)){4}$", words.out, re.MULTILINE)


def test_lengths_ask_for_no_questions(run: Run, letters: Path) -> None:
    """Without them there is no evidence; a sample has its own."""
    assert {row["kind"] for row in run("units docs --format csv").table()} == {
        "sentence", "paragraph",
    }  # fmt: skip
    assert "evidence" in run("units --sample planted").out
    assert max(map(len, run("units --sample tariff").out.splitlines())) <= 100


def test_probes_are_a_golden_set(run: Run, letters: Path) -> None:
    """Read back from their file they are those that --queries probes asks."""
    (letters / "docs" / "s.txt").write_text(SENTENCES)
    said = run("probes docs --out probes.jsonl")
    assert said == (0, "", f"note: {PROBES_SHOW}\n")
    texts = {
        SENTENCES[span["start"] : span["end"]]
        for line in (letters / "probes.jsonl").read_text().splitlines()
        for span in json.loads(line)["evidence"]
    }
    assert texts == {part.strip() + "." for part in SENTENCES.split(".") if part}
    line = "evaluate docs --size 30 --overlap 0 --per-query --format json --queries"
    kept, derived = run(f"{line} probes.jsonl"), run(f"{line} probes")
    assert kept.out == derived.out
    assert f"note: {PROBES_SHOW}\n" in derived.err
    assert PROBES_SHOW not in kept.err


def test_probes_for_a_spreadsheet_have_a_line_each(run: Run) -> None:
    """No more than asked for; the seed decides which."""
    line = "probes --sample handbook --count 6 --format csv"
    rows = run(line).table()
    assert list(rows[0]) == ["id", "query", "doc", "start", "end", "tag"]
    assert len(rows) == 6
    assert run(f"{line} --seed 0").table() == rows
    assert run(f"{line} --seed 1").table() != rows


# --- access groups ----------------------------------------------------------------------

# Two groups and a document of none; hidden.md is what members of pub must not hear of.
HIDDEN = ("hidden", "Zebra", "quagga", "hr/")
MEMBER_ROWS = (
    '{"id": "seen", "query": "key lamp", "evidence": ["behind the blue door"]}\n'
    '{"id": "lost", "query": "Zebra", "evidence": [{"doc": "hr/hidden.md", "text": "quagga"}]}\n'
    '{"id": "wrong", "query": "lamp", '
    '"evidence": [{"doc": "hr/hidden.md", "start": 0, "end": 99}]}\n'
    '{"id": "side", "query": "lamp", "evidence": [{"doc": "hr/hidden.md", "text": "Zebra"}, '
    '{"doc": "pub/lamp.md", "text": "green lamp"}]}\n'
    '{"id": "bad", "query": "lamp", "evidence": ["no such words"]}\n'
)
AS_PUB = "--groups folder --as pub"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, now the current one, with documents of two groups and of none."""
    texts = {
        "hr/hidden.md": "Zebra or quagga? The lamp and the key hang behind the blue door.",
        "hr/hidden.pdf": "",
        "pub/keys.md": "The key hangs behind the blue door. Knock twice before you use it.",
        "pub/lamp.md": "The green lamp stands on the stairs. The lamp is old.",
        "top.md": "Nobody may see this lamp.",
    }
    for name, text in texts.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text)
    (tmp_path / "golden.jsonl").write_text(MEMBER_ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def alone(house: Path) -> None:
    """Take away all that members of pub may not see."""
    for name in ("hr/hidden.md", "hr/hidden.pdf", "top.md"):
        (house / "house" / name).unlink()


@pytest.mark.parametrize(
    "line",
    [
        "sweep house --queries golden.jsonl --sizes 20,40 --overlaps 0%,50% --format csv",
        "evaluate house --queries golden.jsonl --size 30 --overlap 0 --per-query --format json",
        "diagnose house --queries probes --size 30 --overlap 0 --per-query --format csv",
        "units house --queries golden.jsonl",
        "chunk house --size 30 --overlap 10",
        "probes house",
        "verify house --queries golden.jsonl --format table",
    ],
)
def test_a_member_gets_what_a_smaller_corpus_gives(run: Run, house: Path, line: str) -> None:
    """Byte by byte, where every question can be asked of the smaller one as well."""
    (house / "house/pub/more.md").write_text(SENTENCES)
    (house / "golden.jsonl").write_text(MEMBER_ROWS.partition("\n")[0])
    mine = run(f"{line} {AS_PUB}")
    assert "note: asked as a member of group pub: 3 of 5 documents are visible\n" in mine.err
    assert "note: 1 note on reading is left out" in mine.err
    everything = run(f"{line} --groups folder")
    alone(house)
    theirs = run(f"{line} {AS_PUB}")
    timeless = [re.sub(r"(?m)^seconds: .*", "", said.out) for said in (mine, theirs, everything)]
    assert timeless[0] == timeless[1] != timeless[2]
    assert mine.code == theirs.code == 0


@pytest.mark.parametrize(
    "line",
    [
        "sweep house --queries golden.jsonl --sizes 20 --overlaps 0%,50% --verdict",
        "evaluate house --queries golden.jsonl --per-query",
        "diagnose house --queries golden.jsonl --size 20 --overlap 0 --per-query --format csv",
        "diagnose house --queries golden.jsonl --need all --size 20 --overlap 0 --per-query",
        "units house --queries golden.jsonl",
        "chunk house",
        "verify house --queries golden.jsonl",
        # Errors: nothing to ask, unknown groups, tables that do not decide.
        "evaluate house --queries lost.jsonl",
        "sweep house --queries headings",
        "probes house",
        "chunk house --as nobody",
        "chunk house --groups twice.csv",
        "chunk house --groups headless.csv",
        "chunk house/hr/hidden.pdf house",
    ],
)
def test_a_member_hears_nothing_of_hidden_documents(run: Run, house: Path, line: str) -> None:
    """Neither names nor texts, on standard output or standard error."""
    (house / "lost.jsonl").write_text("\n".join(MEMBER_ROWS.split("\n")[1:3]))
    (house / "twice.csv").write_text("document,group\nhr/hidden.md,a\nhr/hidden.md,b\n")
    (house / "headless.csv").write_text("hr/hidden.md,a\npub/keys.md,pub\n")
    groups = "--as pub" if "--groups" in line else AS_PUB
    said = run(f"{line} {groups}")
    assert said.out + said.err
    assert not [word for word in (*HIDDEN, "top.md") if word in said.out + said.err]


def test_a_golden_set_is_asked_as_far_as_it_can_be(run: Run, house: Path) -> None:
    """Rows left out have the numbers of their file, and a reason that tells nothing hidden."""
    line = "evaluate house --queries golden.jsonl --size 40 --overlap 0 --per-query --format json"
    said = run(f"{line} {AS_PUB}")
    assert [json.loads(row)["id"] for row in said.out.splitlines()] == ["seen", "side"]
    assert said.err.splitlines()[2:5] == [
        "note: left out: row 2: its evidence stands in documents that group pub may not see",
        "note: left out: row 3: it cannot be used, and why could tell of documents that group pub "
        "may not see: run it without a group to know",
        "note: left out: row 5: the text 'no such words' is not found in any document: quote it "
        "from there",
    ]
    every = run(f"{line} {AS_PUB} --need all")
    assert [json.loads(row)["id"] for row in every.out.splitlines()] == ["seen"]
    both = run(f"{line} --groups folder --as 'pub, hr'")
    assert [json.loads(row)["id"] for row in both.out.splitlines()] == ["lost", "side"]


def test_labels_without_a_member_are_told(run: Run, house: Path) -> None:
    """Nothing is left out, and whose a chunk is stands beside it."""
    said = run("chunk house --size 100 --overlap 0 --groups folder")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert [(row["doc"], row["group"]) for row in rows] == [
        ("hr/hidden.md", "hr"), ("pub/keys.md", "pub"), ("pub/lamp.md", "pub"), ("top.md", None),
    ]  # fmt: skip
    assert list(rows[0]) == ["doc", "group", "index", "start", "end", "text"]
    assert said.err.splitlines()[1:] == [
        "note: groups: hr (1 document, 64 characters), pub (2 documents, 119 characters)",
        "note: 1 document has no group, so no member sees it: top.md",
    ]


@pytest.mark.parametrize(
    ("options", "seen"),
    [
        ("--groups folder --as hr", ["hr/hidden.md"]),
        ("--groups folder --as hr,pub", ["hr/hidden.md", "pub/keys.md", "pub/lamp.md"]),
        ("--groups folder --as hr --as pub", ["hr/hidden.md", "pub/keys.md", "pub/lamp.md"]),
        ("--groups folder:2 --as inner", ["pub/inner/a.md"]),
        ("--groups front-matter --as staff", ["pub/inner/a.md"]),
        ("--groups acl.csv --as 'x, y'", ["top.md"]),
        ("--groups acl.csv --as x", ["hr/hidden.md"]),
        ("--groups acl.csv --as 'x, y' --as x", ["hr/hidden.md", "top.md"]),
    ],
)
def test_groups_come_from_folders_front_matter_and_tables(
    run: Run, house: Path, options: str, seen: list[str]
) -> None:
    """Several are parted by commas, unless a group is called like that."""
    (house / "house/pub/inner").mkdir()
    (house / "house/pub/inner/a.md").write_text("---\ngroup: staff\n---\nText\n")
    if "folder --as" in options:
        (house / "house/pub/inner/a.md").unlink()
    (house / "acl.csv").write_text('document,group\ntop.md,"x, y"\nhr/*,x\n')
    said = run(f"chunk house --size 200 --overlap 0 {options}")
    assert [json.loads(line)["doc"] for line in said.out.splitlines()] == seen


def test_a_sample_is_asked_as_a_member(run: Run, house: Path) -> None:
    """Its own questions as far as they can be; lengths need none."""
    (house / "acl.csv").write_text("document,group\ntarget-0*,some\ndistractor*,none\n")
    line = "--sample planted --groups acl.csv --as"
    said = run(f"evaluate {line} some --format json")
    found = json.loads(said.out)
    assert (found["queries"], found["unresolved"]) == (10, 2)
    assert "left out: row 11: its evidence stands in documents that group some" in said.err
    assert run(f"evaluate {line} none").err.endswith(
        "none of the 12 questions has: ask as another group, or ask others\n"
    )
    lengths = run(f"units {line} none --format csv").table()
    assert {row["kind"] for row in lengths} == {"sentence", "paragraph"}


def test_a_member_is_not_told_which_file_cannot_be_read(run: Run, house: Path) -> None:
    """An error of reading may name any document."""
    (house / "house/hr/hidden.md").write_bytes(b"%PDF-1.7")
    line = "chunk house/hr/hidden.md house --groups folder"
    assert "hidden.md" in run(line).err
    said = run(f"{line} --as pub")
    assert said.err == (
        "overlapkit: a corpus needs at least one readable document, and every file that is named "
        "itself must be readable: run it without --as to see which is not\n"
    )


def test_a_table_of_groups_is_never_written_over(run: Run, house: Path) -> None:
    """It is an input."""
    (house / "acl.csv").write_text("document,group\n*,x\n")
    said = run("chunk house --groups acl.csv --out acl.csv")
    assert "acl.csv is read or written already" in said.err
    assert (house / "acl.csv").read_text() == "document,group\n*,x\n"


# --- verify, samples --------------------------------------------------------------------


def test_verify_finds_no_difference(run: Run) -> None:
    """The engine equals rank-bm25 to the bit."""
    said = run("verify --sample planted --unit word --size 80 --overlap 25% --format json")
    (row,) = json.loads(said.out)
    assert said.code == 0
    assert (row["chunks"], row["queries"], row["k"]) == (96, 12, 5)
    assert (row["differing"], row["largest_difference"]) == (0, 0.0)
    limited = run("verify --sample tariff --limit-queries 3 --k 7")
    assert limited.code == 0
    assert "3 questions, top 7\nquestions whose ranked chunks differ: 0\n" in limited.out


def test_verify_returns_1_for_a_difference(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that CI can stop on it."""

    def differs(*args: Any, **settings: Any) -> Verification:
        return replace(verify(*args, **settings), differing=2)

    monkeypatch.setattr("overlapkit.cli.verify.verify", differs)
    said = run("verify --sample planted")
    assert said.code == 1
    assert "questions whose ranked chunks differ: 2\n" in said.out


def test_samples_are_listed(run: Run) -> None:
    """All of the table, by the names that --sample takes."""
    assert [row["name"] for row in run("samples --format csv").table()] == list(SAMPLES)
    said = run("samples")
    assert all(name in said.out for name in SAMPLES)
    assert max(map(len, said.out.splitlines())) <= 100


# --- errors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "the following arguments are required: command"),
        ("swep", "invalid choice: 'swep'"),
        ("sweep", "give either paths to files and folders, or --sample NAME"),
        ("sweep docs --sample api", "give either paths to files and folders, or --sample NAME"),
        ("sweep nowhere", "a path must be a file or a folder; nowhere is neither"),
        ("sweep docs", "no heading of level 2 or 3"),
        ("sweep docs --queries no.jsonl", "the golden set 'no.jsonl' cannot be read"),
        ("sweep docs --queries docs", "the golden set 'docs' cannot be read"),
        ("sweep docs --sizes 5,x", "must be a whole number of at most nine digits; got 'x'"),
        ("sweep docs --sizes ''", "must be a whole number of at most nine digits; got ''"),
        ("sweep docs --sizes 99999999999", "whole number of at most nine digits"),
        ("sweep docs --sizes 0", "size must be at least 1; got 0"),
        ("sweep docs --overlaps 100%", "overlap percentage must lie in 0..99; got 100"),
        ("sweep docs --overlaps 5,,6", "got ''"),
        ("sweep docs --overlaps 1.5%", "got '1.5'"),
        ("sweep docs --k 0", "k must be a whole number in 1..1000; got 0"),
        ("sweep docs --k 5 --budget 5", "--k and --budget both end the list"),
        ("sweep docs --budget 0", "budget must be a whole number of at least 1; got 0"),
        ("sweep docs --budget 5 --budget-unit word", "must be one of char, token; got 'word'"),
        ("sweep docs --budget 5 --tail keep", "must be one of truncate, drop; got 'keep'"),
        ("sweep docs --tail drop", "--budget-unit and --tail say how --budget counts"),
        ("sweep docs --siz 5", "unrecognized arguments: --siz"),
        ("sweep docs --sizes", "argument --sizes: expected one argument"),
        ("chunk docs --size -5", "size must be at least 1; got -5"),
        ("chunk docs --overlap 800", "overlap must lie in 0..799 for size 800; got 800"),
        ("chunk docs --overlap x%", "got 'x'"),
        ("chunk docs --queries headings", "unrecognized arguments: --queries"),
        ("chunk docs/a.pdf", "supported are .txt, .md"),
        ("chunk docs --out docs", "docs cannot be written (it is a folder)"),
        ("contract --out no/x.csv", "no/x.csv cannot be written (its folder does not exist)"),
        ("sweep docs --phases 7", "phases must be a whole number in 8..16; got 7"),
        ("diagnose docs --overlap 1 --overlaps 2", "both say what to diagnose: give one of them"),
        ("diagnose docs --overlaps 2 --per-query", "--per-query lists one setting"),
        ("diagnose docs --size 5 --overlaps 5", "smaller than its size; got 5 at size 5"),
        (f"{DIAGNOSE} --chunks x --size 5", "nothing is cut here; got --size: leave that out"),
        (f"{DIAGNOSE} --chunks x --overlap 0 --overlaps 0", "cut here; got --overlap, --overlaps:"),
        (f"{DIAGNOSE} --chunks x --run y --ranking count", "nothing is ranked here; got --ranking"),
        (f"{DIAGNOSE} --chunks x --run y --terms word", "nothing is ranked here; got --terms:"),
        (f"{DIAGNOSE} --run y", "what it misses has no known cause: give --chunks as well"),
        (f"{DIAGNOSE} --chunks no.jsonl", "'no.jsonl' cannot be read (No such file or directory)"),
        (f"{DIAGNOSE} --chunks golden.jsonl --run golden.jsonl", "golden.jsonl holds no usable"),
        ("probes docs", "boundary probes need 5 units of 3 terms and 20 characters"),
        ("probes docs --count 0", "the number of probes must be a whole number of at least 1"),
        ("probes docs --format table", "invalid choice: 'table'"),
        ("units docs --size 0", "size must be at least 1; got 0"),
        ("units docs --queries no.jsonl", "the golden set 'no.jsonl' cannot be read"),
        (f"{EVALUATE} --chunks no.jsonl", "'no.jsonl' cannot be read (No such file or directory)"),
        (f"{EVALUATE} --run no.jsonl", "'no.jsonl' cannot be read (No such file or directory)"),
        (f"{EVALUATE} --chunks golden.jsonl", "golden.jsonl holds no usable chunk: row 1: a chunk"),
        (f"{EVALUATE} --run golden.jsonl", "golden.jsonl holds no usable result"),
        (f"{EVALUATE} --chunks x --size 5", "nothing is cut here; got --size: leave that out"),
        (f"{EVALUATE} --run x --overlap 0 --unit word", "cut here; got --overlap, --unit: leave"),
        (f"{EVALUATE} --run x --ranking count", "nothing is ranked here; got --ranking: leave"),
        (f"{EVALUATE} --run x --trec-run y", "nothing is ranked here; got --trec-run: leave"),
        ("chunk docs --as x", "--as asks what members of a group may see, and no document has"),
        ("chunk docs --groups front-matter --as x", "--groups front-matter gives none: label"),
        ("chunk docs --groups folder --as x", "one that a document has (sub); got 'x'"),
        ("chunk docs --groups folder --as sub,", "one that a document has (sub); got ''"),
        ("chunk docs --groups folder:0", "a whole number of at least 1; got 0: 1 is the first"),
        ("chunk docs --groups no.csv", "'no.csv' cannot be read (No such file or directory)"),
        ("chunk docs --groups golden.jsonl", "golden.jsonl must have a column called document"),
        (f"{EVALUATE} --groups folder --as sub --chunks x", "documents that a group may not see"),
        ("verify docs --limit-queries 0", "--limit-queries must be at least 1; got 0"),
    ],
)  # fmt: skip
def test_an_error_is_one_line(run: Run, letters: Path, line: str, reason: str) -> None:
    """Nothing on standard output, one line on standard error, exit code 2."""
    (letters / "docs" / "a.pdf").write_bytes(b"%PDF-1.7")
    said = run(line)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("overlapkit: ")
    assert said.err.count("\n") == 1
    assert reason in said.err


@pytest.mark.parametrize(
    ("option", "table"),
    [
        ("--unit", UNITS),
        ("--encoding", ENCODINGS),
        ("--ranking", RANKINGS),
        ("--terms", ("auto", *TERM_FUNCTIONS)),
        ("--sample", SAMPLES),
        ("--need", ("as-given", "any", "all")),
        ("--cost", COSTS),
        ("--format", ("table", "csv", "json")),
    ],
)
def test_an_unknown_name_lists_the_choices(run: Run, option: str, table: Any) -> None:
    """Those that the table holds."""
    said = run(f"sweep x {option} nothing")
    assert said.code == 2
    assert f"argument {option}: invalid choice: 'nothing'" in said.err
    assert all(name in said.err for name in table)


def test_an_error_with_line_ends_stays_one_line(run: Run) -> None:
    """Whatever was typed."""
    assert run("sweep 'no\nsuch\rfile'").err.count("\n") == 1


def test_a_file_in_a_folder_that_cannot_be_read_is_a_note(run: Run, letters: Path) -> None:
    """The others are read; named itself, it would be an error."""
    (letters / "docs" / "bad.zip").write_bytes(b"no archive")
    said = run("chunk docs --size 11 --overlap 0")
    assert (said.code, said.out.count("\n")) == (0, 2)
    assert "bad.zip" in said.err
    assert run("chunk docs/bad.zip").code == 2


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_complete(run: Run, command: str) -> None:
    """Every option says what it does."""
    said = run(f"{command} --help")
    assert (said.code, said.err) == (0, "")
    assert "usage: overlapkit" in said.out
    assert not re.search(r"^  --[a-z-]+( [^ ]+)?\n(?=  -|$)", said.out, re.MULTILINE)
    if not command:
        assert all(f"\n    {name}" in said.out for name in COMMANDS)


def test_out_takes_the_output(run: Run, letters: Path) -> None:
    """UTF-8 with line feeds; nothing is left on standard output."""
    (letters / "docs" / "a.txt").write_text("漢 é", encoding="utf-8")
    said = run("chunk docs/a.txt --out chunks.jsonl")
    assert said == (0, "", "")
    written = (letters / "chunks.jsonl").read_bytes().decode("utf-8")
    assert written == '{"doc": "a.txt", "index": 0, "start": 0, "end": 3, "text": "漢 é"}\n'


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_one_sentence(run: Run, letters: Path) -> None:
    """The file could be opened, but not be written."""
    said = run("chunk docs --out /dev/full")
    assert said.code == 2
    assert said.err == (
        "overlapkit: /dev/full cannot be written (No space left on device): name another file\n"
    )


def test_an_interruption_returns_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a traceback."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("overlapkit.cli.contract.sweep", interrupted)
    assert run("contract") == (130, "", "")


# --- the process ------------------------------------------------------------------------


def process(line: str, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m overlapkit`` in a process of its own, under an ASCII locale."""
    environment = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "overlapkit", *shlex.split(line)]
    return subprocess.run(command, env=environment, check=False, timeout=120, **settings)


def test_the_process_writes_utf_8_in_any_locale(letters: Path) -> None:
    """Whatever the environment says about encodings."""
    (letters / "docs" / "a.txt").write_text("漢 é", encoding="utf-8")
    done = process("chunk docs/a.txt", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["text"] == "漢 é"


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_closed_pipe_is_quiet(letters: Path) -> None:
    """As with ``| head``: no traceback, and the exit code of a broken pipe."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = process("chunk docs", stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


# --- the documentation ------------------------------------------------------------------


def blocks() -> list[str]:
    """Return the console blocks of the page."""
    return re.findall(r"^```console\n(.*?)^```", DOC.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.split()[4])
def test_an_example_of_the_page_runs(
    run: Run, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And writes what the page says, where it says anything."""
    page = DOC.read_text("utf-8")
    for name, text in re.findall(r"^```text (\S+)\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)
    prompt, expected = block.split("\n", maxsplit=1)
    prefix = "$ python -m overlapkit "
    assert prompt.startswith(prefix)
    said = run(prompt.removeprefix(prefix))
    fails = expected.startswith("overlapkit: ")
    assert said.code == (2 if fails else 0)
    written = said.err if fails else said.out
    assert not expected or OutputChecker().check_output(expected, written, ELLIPSIS), written


def test_the_page_names_every_command_and_column(run: Run, letters: Path) -> None:
    """What the page leaves out nobody finds."""
    page = DOC.read_text("utf-8")
    (row,) = run("sweep docs --queries golden.jsonl --sizes 5 --overlaps 0 --format csv").table()
    named = {*COMMANDS, *(column.split("@")[0] for column in row)}
    assert not [name for name in sorted(named) if f"`{name}`" not in page]


def test_what_is_read_is_never_written_over(run: Run, letters: Path) -> None:
    """An output that is an input, or that two outputs share, is refused before anything is read."""
    before = Path("docs/a.txt").read_text()
    said = run("chunk docs/a.txt --size 5 --overlap 0 --out docs/a.txt")
    assert (said.code, said.out) == (2, "")
    assert said.err == ("overlapkit: docs/a.txt is read or written already: name another file\n")
    assert Path("docs/a.txt").read_text() == before
    Path("c.jsonl").write_text(CHUNKS)
    for option in ("--chunks", "--run"):
        assert "c.jsonl is read or" in run(f"{EVALUATE} {option} c.jsonl --out c.jsonl").err
    twice = "evaluate docs --queries golden.jsonl --size 5 --overlap 0 --trec-run x --trec-qrels x"
    assert run(twice).code == 2
    assert not Path("x").exists()


def test_columns_of_a_golden_set_are_named_by_hand(tmp_path, capsys):
    """Names that say nothing are given their roles; a wrong role is one line."""
    (tmp_path / "a.txt").write_text("The key hangs behind the blue door. The lamp is green.")
    golden = tmp_path / "mine.csv"
    golden.write_text("Frage;Beleg\nWhere is the key?;behind the blue door\n")
    base = ["evaluate", str(tmp_path / "a.txt"), "--queries", str(golden), "--format", "json"]
    assert main([*base]) == 2
    assert "no column of questions" in capsys.readouterr().err
    assert main([*base, "--columns", "question=Frage,evidence=Beleg"]) == 0
    assert json.loads(capsys.readouterr().out)["queries"] == 1
    assert main([*base, "--columns", "Frage"]) == 2
    assert "must name a role and its column" in capsys.readouterr().err
