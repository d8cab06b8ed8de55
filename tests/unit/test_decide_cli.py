"""``decide`` and ``gate`` in the terminal: what is chosen, what is kept, what fails later."""

import csv
import io
import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from overlapkit.cli import main
from overlapkit.cost import COSTS
from overlapkit.gates import MEASURES, split_halves
from overlapkit.queries import Evidence, Query, QuerySet, planted_contract
from overlapkit.readers import load_corpus
from overlapkit.record import read_record
from overlapkit.report import golden_lines
from overlapkit.workspace import read_workspace

DOC = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
AT = "2026-01-02T03:04:05Z"
CORPUS, QUERIES = planted_contract()
WORDS = "--unit word --sizes 80 --ranking count --k 4"
PLANTED = f"decide --sample planted {WORDS} --overlaps 0%,25%,50%,75%"
COMPLETE = "--gate 'complete >= 95%'"
ANY = "--sizes 300 --overlaps 0% --gate 'chunks >= 0'"
HOUSE = f"decide docs --queries golden.jsonl {WORDS} --overlaps 0%,25%,50%,75% {COMPLETE}"


class Said(NamedTuple):
    """What a command returned and wrote."""

    code: int
    out: str
    err: str

    @property
    def flat(self) -> str:
        """The output on one line."""
        return " ".join(self.out.split())

    def table(self) -> list[dict[str, str]]:
        """Return CSV output as rows."""
        return list(csv.DictReader(io.StringIO(self.out, newline="")))


Run = Callable[[str], Said]


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test's results and files apart, and stop the clock."""
    monkeypatch.setenv("OVERLAPKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("overlapkit.cli.decide.this_second", lambda: AT)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command line."""

    def call(line: str) -> Said:
        code = main(shlex.split(line))
        return Said(code, *capsys.readouterr())

    return call


@pytest.fixture
def house() -> Path:
    """Write the planted contract as files: a folder of documents and a golden set."""
    docs = Path("docs")
    docs.mkdir()
    for document in CORPUS.documents:
        (docs / document.name).write_text(document.text)
    Path("golden.jsonl").write_text(golden_lines(QUERIES, CORPUS))
    return docs


def destroy(docs: Path, number: int = 3) -> None:
    """Take the answer to a planted question out of its document."""
    name = docs / f"target-{number:02d}.txt"
    text = name.read_text()
    name.write_text(text.replace(f"cause_{number}", "gone").replace(f"answer_{number}", "gone"))


# --- decide -----------------------------------------------------------------------------


def test_the_planted_contract_needs_a_quarter_of_overlap(run: Run) -> None:
    """Of four overlaps three hold every fact whole, and the smallest of them costs least."""
    said = run(f"{PLANTED} {COMPLETE}")
    assert (said.code, said.err) == (0, "")
    assert (
        "Choose 80 words with 20 overlap (25%) for $0.0032: 3 of 4 settings clear the "
        "gate, and it costs least." in said.flat
    )
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert "80 0 (0%) 0.002418 0.0% complete >= 95% 0.0%" in lines
    assert "80 20 (25%) 0.003169 100.0% chosen" in lines


def test_on_a_finer_grid_four_words_are_enough(run: Run) -> None:
    """The facts span four words, which an overlap of three or more keeps whole."""
    said = run(
        f"decide --sample planted {WORDS} --overlaps 0%,5%,10%,15%,20%,25% {COMPLETE} --format csv"
    )
    assert [row["overlap"] for row in said.table() if row["chosen"] == "True"] == ["4"]
    assert "Choose 80 words with 4 overlap (5%)" in said.err


def test_nothing_that_passes_is_an_exit_code_and_the_gates_that_block(run: Run) -> None:
    """By how many settings each keeps out."""
    said = run(f"{PLANTED} {COMPLETE} --gate 'chunks <= 80' --out r.json")
    assert said.code == 1
    assert said.flat.endswith(
        "Complete evidence of at least 95%: 1 of 4 settings fails it and no other gate; the "
        "nearest, 80 words without overlap, misses it (complete evidence 0.0%, needs 95%)."
    )
    assert "None of 4 settings clears both gates. What blocks most is number of chunks" in said.flat
    assert read_record(Path("r.json").read_bytes()).setting is None


def test_as_data_a_setting_is_a_row(run: Run) -> None:
    """The sentence goes to standard error."""
    said = run(f"{PLANTED} {COMPLETE} --cost chunks --format json")
    rows = json.loads(said.out)
    assert [(row["overlap"], row["chunks"], row["passed"]) for row in rows] == [
        (0, 72, False), (20, 96, True), (40, 120, True), (60, 216, True),
    ]  # fmt: skip
    assert (rows[0]["failed_gate"], rows[0]["complete@4"]) == ("complete >= 95%", 0)
    assert rows[0]["reason"] == "complete evidence 0.0%, needs 95%"
    assert rows[1]["failed_gate"] is None
    assert said.err.startswith("Choose 80 words with 20 overlap (25%) for 96 vectors")


@pytest.mark.parametrize("cost", COSTS)
def test_every_cost_can_decide(run: Run, cost: str) -> None:
    """The table has a column of its name."""
    said = run(f"{PLANTED} {COMPLETE} --cost {cost}")
    assert said.code == 0
    assert f"  {cost}  " in said.out
    assert max(map(len, said.out.splitlines())) <= 100


def test_the_current_setting_is_kept_where_nothing_is_cheaper(run: Run) -> None:
    """What is embedded already is not paid again: under the price of embedding it costs nothing."""
    kept = run(f"{PLANTED} {COMPLETE} --current 80/50% --cost price")
    assert "Keep 80 words with 40 overlap (50%): it clears the gate" in kept.flat
    left = run(f"{PLANTED} {COMPLETE} --current 80/40 --cost chunks")
    assert "Choose 80 words with 20 overlap (25%) for 96 vectors" in left.flat
    assert (
        "Today's 80 words with 40 overlap (50%) clears as much, for 24 vectors more." in left.flat
    )


def test_relative_gates_are_held_against_the_current_setting(run: Run) -> None:
    """Without one, against no overlap at the one size."""
    gate = "--gate 'chunks <= baseline + 30'"
    alone = run(f"{PLANTED} {COMPLETE} {gate} --format csv").table()
    assert [row["passed"] for row in alone] == ["False", "True", "False", "False"]
    beside = run(f"{PLANTED} {COMPLETE} {gate} --current 80/75% --format csv").table()
    assert [row["passed"] for row in beside] == ["False", "True", "True", "True"]


def test_a_current_setting_outside_the_grid_is_judged_too(run: Run) -> None:
    """It is no candidate."""
    said = run(f"{PLANTED} {COMPLETE} --current 90/9 --out r.json")
    bound = read_record(Path("r.json").read_bytes())
    assert (bound.current.spec.size, bound.baseline.spec.overlap) == (90, 9)
    assert "Keep 90 words with 9 overlap (10%)" in said.flat
    assert [line.split()[0] for line in said.out.splitlines() if "%)" in line[:24]] == ["80"] * 4


def test_update_work_can_be_a_gate(run: Run) -> None:
    """It is measured by edits of sentences, drawn by a seed."""
    line = "decide --sample api --sizes 400 --overlaps 0%,50% --k 3"
    said = run(f"{line} --gate 'update_work <= 0.5' --gate 'complete >= 0%'")
    assert said.code == 1
    assert "What blocks most is update work of at most 0.5: 2 of 2 settings fail it" in said.flat


def test_results_from_outside_are_gates_by_their_names(run: Run) -> None:
    """What cannot be used of their table is told."""
    Path("o.csv").write_text(
        "size,overlap,correctness\n80,0%,99%\n80,20,91%\n80,40,96%\n80,x,5%\n90,9,1%\n"
    )
    said = run(f"{PLANTED} {COMPLETE} --gate 'correctness >= 0.95' --outside o.csv --out r.json")
    assert "Choose 80 words with 40 overlap (50%)" in said.flat
    assert "note: left out: row 5 of o.csv: " in said.err
    assert "note: 1 setting of o.csv not judged here, such as 90 words with 9 overlap" in said.err
    assert read_record(Path("r.json").read_bytes()).setting.outside == {"correctness": 0.96}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("decide nowhere", "needs gates that were declared before it; got none: give one or more, "
         "such as --gate 'complete >= 95%'"),
        ("decide nowhere --gate x", "argument --gate: a gate must read like"),
        ("decide nowhere --gate 'complete >= 95%'", "held to an equal amount of text"),
        ("decide nowhere --sizes 5 --gate 'chunks <= 4' --gate 'chunks <= 4'", "must stand once"),
        ("decide nowhere --sizes 5,6 --budget 9 --gate 'chunks <= baseline'",
         "there are several sizes: say which it is by --current"),
        ("decide nowhere --gate 'chunks <= 4' --current 80", "must be a size and an overlap"),
        ("decide nowhere --gate 'chunks <= 4' --current 80/80", "overlap must lie in 0..79"),
        ("decide nowhere --sizes 5 --gate 'chunks <= 4'", "must be a file or a folder"),
        ("decide docs --sizes 5 --gate 'chunks <= 4' --queries probes --out no/r.json",
         "no/r.json cannot be written (its folder does not exist)"),
        ("decide docs --sizes 5 --gate 'chunks <= 4' --queries golden.jsonl --out golden.jsonl",
         "golden.jsonl is read or written already"),
        ("decide docs --sizes 5 --gate 'chunks <= 4' --out r.json --html r.json",
         "r.json is read or written already"),
        ("decide docs --sizes 5 --gate 'x <= 4' --queries golden.jsonl --outside no.csv",
         "'no.csv' cannot be read"),
        ("gate no.json docs", "'no.json' cannot be read"),
        ("gate golden.jsonl docs", "a workspace file must be"),
        ("gate golden.jsonl docs --out golden.jsonl", "golden.jsonl is read or written already"),
        ("gate", "the following arguments are required: RECORD.json"),
    ],
)  # fmt: skip
def test_an_error_is_one_line(run: Run, house: Path, line: str, reason: str) -> None:
    """Nothing on standard output, one line on standard error, exit code 2."""
    said = run(line)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("overlapkit: ")
    assert said.err.count("\n") == 1
    assert reason in said.err


@pytest.mark.parametrize("command", ["decide", "gate"])
def test_help_says_what_every_option_does(run: Run, command: str) -> None:
    """And what --out takes."""
    said = run(f"{command} --help")
    assert (said.code, said.err) == (0, "")
    told = {"decide": "write the record of the decision there", "gate": "write there, not to"}
    assert told[command] in said.flat


def test_the_page_of_the_terminal_names_both_commands_and_every_measure() -> None:
    """What it leaves out nobody finds."""
    page = DOC.read_text("utf-8")
    names = ["decide", "gate", *MEASURES, "--current", "--outside", "--confirm", "--html"]
    assert [name for name in names if f"`{name}" not in page] == []


# --- confirming -------------------------------------------------------------------------

MANY = 320


def many(lost: bool) -> None:
    """Write a corpus with a question per document; of those held back some find nothing."""
    docs = Path("docs")
    docs.mkdir()
    queries = []
    for number in range(MANY):
        text = f"Item {number} is kept on shelf s{number}x. Nothing else is known of it."
        (docs / f"{number:03d}.txt").write_text(text)
        span = Evidence(f"{number:03d}.txt", 0, text.index(".") + 1)
        queries.append(Query(f"q{number}", f"shelf s{number}x", (span,)))
    held_back = {query.id for query in split_halves(QuerySet(tuple(queries), "minimal"), 0).confirm}
    asked = tuple(
        replace(query, text="unheard") if lost and query.id in held_back else query
        for query in queries
    )
    Path("golden.jsonl").write_text(golden_lines(asked, load_corpus(docs)))


CONFIRM = (
    "decide docs --queries golden.jsonl --sizes 80 --overlaps 0% --gate 'complete >= 95%' "
    "--confirm --out r.json"
)


def test_a_choice_is_confirmed_on_the_other_half(run: Run) -> None:
    """The record is of the exploring half, and is run again on it."""
    many(lost=False)
    said = run(CONFIRM)
    assert said.code == 0
    assert "Confirmed on 160 questions that had been held back: all gates hold there" in said.flat
    assert read_record(Path("r.json").read_bytes()).asked.count == 160
    again = run("gate r.json docs --queries golden.jsonl")
    assert (again.code, again.err) == (0, "")


def test_a_choice_that_the_other_half_does_not_confirm_is_an_exit_code(run: Run) -> None:
    """Though it is chosen, and clears the gates on the exploring half."""
    many(lost=True)
    said = run(CONFIRM)
    assert said.code == 1
    assert "it clears the gate" in said.flat
    assert "Not confirmed on 160 questions that had been held back: complete" in said.flat


def test_a_small_set_is_not_split(run: Run) -> None:
    """The choice is made on all of it, and the reason is told."""
    said = run(f"{PLANTED} {COMPLETE} --confirm")
    assert said.code == 0
    assert "Not confirmed on other questions. No questions were held back. Each half" in said.flat


# --- the record -------------------------------------------------------------------------


def test_a_record_is_a_workspace_that_a_page_can_open(run: Run, house: Path) -> None:
    """With its questions and settings; its page stands beside it."""
    said = run(f"{HOUSE} --current 80/75% --out r.json --html r.html")
    assert said.code == 0
    saved = read_workspace(Path("r.json").read_bytes())
    settings = dict(saved.settings)
    assert (settings["size"], settings["overlap"], settings["pin"]) == ("80", "20", "80-60")
    assert (settings["queries"], settings["k"], settings["unit"]) == ("uploaded", "4", "word")
    assert len(saved.uploaded) == 12
    page = Path("r.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "Choose 80 words with 20 overlap (25%)" in page


@pytest.mark.parametrize(
    ("line", "source"),
    [
        (f"{PLANTED} {COMPLETE}", "own"),
        (f"decide --sample handbook --queries headings {ANY}", "headings"),
        (f"decide --sample api --queries probes {ANY}", "probes"),
    ],
)  # fmt: skip
def test_where_the_questions_come_from_is_kept(run: Run, line: str, source: str) -> None:
    """So that the same are asked again without naming them."""
    assert run(f"{line} --out r.json").code == 0
    saved = read_workspace(Path("r.json").read_bytes())
    assert (dict(saved.settings)["queries"], saved.uploaded) == (source, None)
    sample = line.split()[2]
    again = run(f"gate r.json --sample {sample}")
    assert again.code == 0
    assert "record" not in again.err


def test_questions_that_are_needed_otherwise_are_held(run: Run) -> None:
    """A bundled set says whether one span is enough; asked for all, it is another set."""
    line = f"decide --sample clauses {ANY} --need all --out r.json"
    assert run(line).code == 0
    saved = read_workspace(Path("r.json").read_bytes())
    assert (dict(saved.settings)["queries"], saved.bundled) == ("uploaded", "clauses")
    assert {query.need for query in saved.uploaded} == {"all"}
    again = run("gate r.json --sample clauses")
    assert (again.code, again.err) == (0, "")


def test_equal_decisions_give_equal_files(run: Run, house: Path) -> None:
    """Byte for byte, at one time."""
    run(f"{HOUSE} --out one.json --html one.html")
    run(f"{HOUSE} --out two.json --html two.html --no-cache")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()


def test_a_corpus_without_prose_has_a_record_without_update_work(run: Run) -> None:
    """And the reason is a note."""
    Path("a.txt").write_text("7 " * 40)
    Path("g.jsonl").write_text(
        '{"id": "q", "query": "7", "evidence": [{"doc": "a.txt", "start": 0, "end": 1}]}'
    )
    said = run(
        "decide a.txt --queries g.jsonl --sizes 40 --overlaps 0 --gate 'chunks >= 1' --out r.json"
    )
    assert said.code == 0
    assert "note: what edits cost is not in the record: " in said.err
    assert read_record(Path("r.json").read_bytes()).edits is None


# --- gate -------------------------------------------------------------------------------


def test_a_record_holds_on_its_own_documents(run: Run, house: Path) -> None:
    """With its questions given, or its own; nothing differs."""
    run(f"{HOUSE} --out r.json")
    for queries in ("", " --queries golden.jsonl"):
        said = run(f"gate r.json docs{queries}")
        assert (said.code, said.err) == (0, "")
        assert said.out == (
            f"80 words with 20 overlap (25%), as decided at {AT}\n\n"
            "gate               then     now     95% interval  result\n"
            "complete >= 95%  100.0%  100.0%  75.8% to 100.0%  holds\n\n"
            "The gate holds.\n"
        )


@pytest.mark.parametrize("queries", ["", " --queries golden.jsonl"])
def test_evidence_that_is_destroyed_fails_the_gate(run: Run, house: Path, queries: str) -> None:
    """The document is named, and the question counts as missed rather than being left out."""
    run(f"{HOUSE} --out r.json")
    destroy(house)
    said = run(f"gate r.json docs{queries}")
    assert said.code == 1
    assert "The gate fails: complete evidence 91.7%, needs 95%." in said.flat
    notes = said.err.splitlines()
    assert all(note.startswith("note: ") for note in notes)
    assert "note: 1 document has changed since the record: target-03.txt." in notes
    assert any("counts as missed: planted-03 (" in note for note in notes)


def test_offsets_alone_do_not_hide_destroyed_evidence(run: Run, house: Path) -> None:
    """Other words stand there now, which the golden set could not tell."""
    rows = [json.loads(line) for line in Path("golden.jsonl").read_text().splitlines()]
    for row in rows:
        for span in row["evidence"]:
            del span["text"]
    Path("golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run(f"{HOUSE} --out r.json")
    text = (house / "target-03.txt").read_text()
    (house / "target-03.txt").write_text(text.replace("bridge_3", "drawbr_3"))
    said = run("gate r.json docs --queries golden.jsonl")
    assert said.code == 1
    assert "planted-03 (the evidence at" in said.err


def test_a_change_that_harms_nothing_is_a_note(run: Run, house: Path) -> None:
    """The gates hold, so the exit code is 0."""
    run(f"{HOUSE} --out r.json")
    (house / "more.txt").write_text("Nothing that was asked for.")
    said = run("gate r.json docs")
    assert said.code == 0
    assert "note: 1 document is new since the record: more.txt." in said.err


def test_all_evidence_destroyed_fails_the_gate(run: Run, house: Path) -> None:
    """Of the record's own questions none is left to ask."""
    run(f"{HOUSE} --out r.json")
    for number in range(12):
        destroy(house, number)
    said = run("gate r.json docs")
    assert said.code == 1
    assert "complete evidence 0.0%, needs 95%" in said.flat


def test_gates_as_data_have_both_values(run: Run, house: Path) -> None:
    """In full precision."""
    run(f"{HOUSE} --gate 'chunks <= 100' --out r.json")
    destroy(house)
    rows = run("gate r.json docs --format csv").table()
    assert [(row["gate"], row["passed"]) for row in rows] == [
        ("complete >= 95%", "False"), ("chunks <= 100", "True"),
    ]  # fmt: skip
    assert float(rows[0]["value"]) == pytest.approx(11 / 12)
    assert (rows[0]["recorded_value"], rows[1]["recorded_value"]) == ("1.0", "96.0")


def test_results_from_outside_can_be_given_anew(run: Run) -> None:
    """Else the recorded ones stand, and that is said."""
    Path("o.csv").write_text("size,overlap,correctness\n80,20,97%\n")
    run(f"{PLANTED} {COMPLETE} --gate 'correctness >= 0.95' --outside o.csv --out r.json")
    kept = run("gate r.json --sample planted")
    assert kept.code == 0
    assert "note: Results from outside (correctness) are those of the record" in kept.err
    Path("o.csv").write_text("size,overlap,correctness\n80,20,90%\n")
    again = run("gate r.json --sample planted --outside o.csv")
    assert again.code == 1
    assert "1 of 2 gates fails: correctness 0.90, needs 0.95." in again.flat


def test_a_bundled_set_of_questions_needs_its_corpus(run: Run, house: Path) -> None:
    """It is not in the record, and other documents would be asked for their headings."""
    run(f"{PLANTED} {COMPLETE} --out r.json")
    said = run("gate r.json docs")
    assert said.code == 2
    assert "the record's questions come with a bundled corpus: give --sample planted" in said.err
    assert run("gate r.json docs --queries golden.jsonl").code == 0


def test_a_record_without_a_choice_is_bad_input(run: Run, house: Path) -> None:
    """There is nothing to judge again."""
    run(f"{HOUSE} --gate 'chunks <= 10' --out r.json")
    said = run("gate r.json docs")
    assert (said.code, said.out) == (2, "")
    assert "in this one none cleared the gates" in said.err


def test_a_member_decides_on_what_it_may_see(run: Run, house: Path) -> None:
    """The record holds no other document, and is run again as a member."""
    Path("groups.csv").write_text("document,group\ntarget-0*,staff\n")
    who = "--groups groups.csv --as staff"
    assert run(f"{HOUSE} {who} --out r.json").code == 0
    names = [one.name for one in read_workspace(Path("r.json").read_bytes()).documents]
    assert names == [f"target-{number:02d}.txt" for number in range(10)]
    said = run(f"gate r.json docs {who}")
    assert said.code == 0
    assert "since the record" not in said.err


# --- input that is refused --------------------------------------------------------------


def test_a_gate_on_a_measure_that_is_none_is_refused_at_once(run: Run) -> None:
    """Without results from outside a name must be one of ours; nothing is evaluated first."""
    said = run(f"{PLANTED} --gate 'complet >= 90%'")
    assert (said.code, said.out) == (2, "")
    assert "or a result that --outside brings; got 'complet'" in said.err


def test_no_document_of_a_folder_that_is_read_is_written_over(run: Run, house: Path) -> None:
    """The folder is read with all below it, so a file that is there stays as it is."""
    first = next(house.iterdir())
    before = first.read_text()
    said = run(f"chunk {house} --size 20 --overlap 0 --out {first}")
    assert (said.code, first.read_text()) == (2, before)
    assert "is read or written already: name another file" in said.err
