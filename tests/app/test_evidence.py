"""Questions, chunks and runs of one's own, and what the pages make of them."""

import json

from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.gains import collapsed_evaluation
from overlapkit.report import chunks_jsonl, trec_run
from overlapkit.retrieve import RunSpec
from overlapkit.samples import SAMPLES
from tests.app.conftest import Session


def press(session, label):
    """Press the button with a label and run again."""
    next(button for button in session.test.button if button.label == label).click()
    return session.run()


def clauses():
    """Return the second bundled corpus with its questions, and a page on it."""
    return *SAMPLES["clauses"].load(), Session({"corpus": "clauses"})


# --- golden sets ------------------------------------------------------------------------


def golden_csv(corpus, count=30):
    """Return a CSV of sentences to be found anywhere, one of which is nowhere."""
    lines = ["question;reference_contexts"]
    for number, document in enumerate(corpus.documents[:count]):
        part = next(
            line for line in document.text.split("\n") if len(line) > 60 and ";" not in line
        )
        lines.append(f'What is said in part {number}?;"{part[:60].replace(chr(34), chr(34) * 2)}"')
    lines.append("What is nowhere?;no document holds these words at all")
    return "\n".join(lines).encode("utf-8-sig")


def test_a_golden_set_in_csv_becomes_the_questions():
    """It is shown first, used on request, and rows that fit nowhere are listed."""
    corpus, _, session = clauses()
    session.go("corpus")
    session.test.file_uploader(key="w_golden").set_value(
        [("mine.csv", golden_csv(corpus), "text/csv")]
    )
    session.run()
    assert session.sound()
    assert session.says(r"question\: question, evidence\: reference\_contexts")
    press(session, "Use these questions")
    assert session.says(f"**{len(corpus.documents)} questions** of mine\\.csv are ready")
    assert session.says("**Left out: 1 row**")
    assert session.test.session_state["settings"].queries == "uploaded"
    session.go("tune").settle()
    assert session.sound()
    assert session.says(f"of {len(corpus.documents)} questions")


def test_one_session_s_questions_are_no_other_s():
    """The same corpus in another session has the questions it came with."""
    corpus, queries, session = clauses()
    session.go("corpus")
    session.test.file_uploader(key="w_golden").set_value(
        [("mine.csv", golden_csv(corpus), "text/csv")]
    )
    press(session.run(), "Use these questions")
    other = Session({"corpus": "clauses"}).settle()
    assert other.says(f"of {len(queries)} questions")
    linked = Session({"corpus": "clauses", "queries": "uploaded"}).settle()
    assert linked.says("The questions of this link are not here")
    assert linked.says(f"of {len(queries)} questions")


def test_a_golden_set_that_cannot_be_read_changes_nothing():
    """One sentence says why, and the questions used before stay."""
    session = Session().go("corpus")
    for data in (b"", b"{", b'[{"question": "What?", "evidence": "not in any chapter"}]'):
        session.test.file_uploader(key="w_golden").set_value([("mine.json", data, "text/plain")])
        session.run()
        if any(button.key == "w_use_golden" for button in session.test.button):
            press(session, "Use these questions")
        assert session.sound()
        assert session.says("The questions used before are still there")
    assert session.test.session_state["settings"].queries == "own"


def test_a_question_written_here_is_scored_kept_and_deleted():
    """The form takes a passage; the questions can be scored with and downloaded."""
    session = Session().go("boundaries")
    numbers = {field.label: field for field in session.test.number_input}
    numbers["From character"].set_value(10)
    numbers["To character"].set_value(90)
    next(f for f in session.test.text_input if f.label == "Question").set_value("What is it?")
    press(session, "Add the question")
    assert session.sound()
    (held,) = session.test.session_state["written"].values()
    assert [(query.id, query.text) for query in held] == [("q1", "What is it?")]
    press(session, "Score with 1 question")
    assert session.test.session_state["settings"].queries == "written"
    session.go("queries")
    assert session.sound()
    assert session.says("What is it?")


def test_an_empty_question_is_refused_with_one_sentence():
    """Nothing is written without a question and a passage."""
    session = press(Session().go("boundaries"), "Add the question")
    assert session.says("Write the question that the passage answers.")
    next(f for f in session.test.text_input if f.label == "Question").set_value("What?")
    press(session, "Add the question")
    assert session.says("Select the passage that answers")
    assert not session.test.session_state["written"]


def test_boundary_probes_are_questions_too():
    """They are evaluated like a golden set."""
    session = Session({"corpus": "api", "queries": "probes"}).settle()
    assert session.sound()
    assert session.says("complete evidence in the top 5")


# --- what there is today ----------------------------------------------------------------


def test_existing_chunks_and_a_run_are_judged_and_pinned():
    """They appear beside the chosen setting and can be what every difference is against."""
    corpus, queries, session = clauses()
    engine = prepare(corpus, queries)
    found = evaluate_with(engine, ChunkSpec(size=500, overlap=0), RunSpec(), tokens=False)
    session.go("your_splitter")
    chunks = "".join(chunks_jsonl(corpus, found.chunks)).encode()
    session.test.file_uploader(key="w_chunks").set_value([("c.jsonl", chunks, "text/plain")])
    run = trec_run(found, engine).encode()
    session.test.file_uploader(key="w_run").set_value([("r.run", run, "text/plain")])
    press(session, "Judge")
    assert session.sound()
    known = f"**{len(found.chunks):,} chunks** of c\\.jsonl stand in this corpus and hold 100.0%"
    assert session.says(known)
    assert session.says(f"answers {len(queries)} of {len(queries)} questions")
    rate = f"{100 * found.values['complete@5']:.1f}% of {len(queries)} questions"
    assert session.says(f"**Your chunks**: complete evidence in the top 5 for {rate}")
    assert session.says(f"**Your run**: complete evidence in the top 5 for {rate}")
    press(session, "Pin your run as the current setting")
    session.go("tune").settle()
    assert session.sound()
    assert session.says("Differences are against your run")
    assert session.says("What you uploaded stands at the overlap nearest to its own.")
    session.go("queries")
    assert session.sound()
    assert session.says("From your run to 800 characters with 160 overlap (20%)")
    assert session.says("**Baseline**: your run")
    session.go("boundaries")
    assert session.sound()
    assert session.says("From your chunks to 800 characters with 160 overlap (20%)")
    session.go("diagnose")
    assert session.sound()
    assert session.says("**Your run**:")
    session.go("trade_offs").settle()
    assert session.sound()
    frames = [frame.value for frame in session.test.dataframe]
    gains = next(frame for frame in frames if "Gain (points)" in frame.columns)
    assert list(gains["Your run"]) == [
        f"{100 * value:.1f}%"
        for value in (
            found.values["complete@5"],
            collapsed_evaluation(engine, found)["complete@5"].mean(),
        )
    ]
    grid = next(frame for frame in frames if "chunker" in frame.columns)
    assert list(grid["chunker"][:2]) == ["your chunks", "your run"]


def test_chunks_of_another_corpus_are_refused_and_nothing_is_lost():
    """One sentence says why."""
    session = Session().go("your_splitter")
    row = json.dumps({"id": "1", "text": "These words stand in no chapter of the handbook."})
    session.test.file_uploader(key="w_chunks").set_value([("c.jsonl", row.encode(), "text/plain")])
    press(session, "Judge")
    assert session.sound()
    assert session.says("What was there before is kept")


# --- why questions miss, and how sure that is -------------------------------------------


def test_diagnose_says_what_most_misses_ask_for():
    """In the freight tariff most evidence is a table longer than a chunk."""
    session = Session({"corpus": "tariff"}).go("diagnose")
    assert session.sound()
    assert session.says("misses are evidence longer than a chunk: overlap cannot help")


def test_diagnose_is_withheld_for_headings():
    """Sections have no one cause, and the page says what to do instead."""
    session = Session({"queries": "headings"}).go("diagnose")
    assert session.sound()
    assert session.says("choose boundary probes in the sidebar")


def test_a_verdict_over_phases_says_so_and_names_both_noises():
    """The same questions, the windows moved twelve times."""
    session = Session({"phases": "12"}).settle()
    assert session.sound()
    assert session.says("Taken over 12 phases.")
    assert session.says("one more phase:")
    session.go("trade_offs").settle()
    assert session.sound()
    assert session.says("Blue is the mean of 12 phases, shaded how far they lie apart")


def test_the_overlap_that_units_need_is_taken_over_with_one_click():
    """The size is four times the overlap that keeps the chosen share whole."""
    session = Session().go("corpus")
    button = next(b for b in session.test.button if b.key == "w_take_units")
    size, overlap = (int(part.replace(",", "")) for part in button.label[4:].split(" / "))
    assert size == 4 * overlap
    button.click()
    session.run()
    now = session.test.session_state["settings"]
    assert (now.size, now.overlap) == (size, overlap)


def test_a_gain_is_set_beside_what_is_left_of_it():
    """Without near-duplicates, and with chance alone."""
    session = Session().go("trade_offs").settle()
    assert session.sound()
    frame = next(f.value for f in session.test.dataframe if "Gain (points)" in f.value.columns)
    assert list(frame.iloc[:, 0]) == [
        "As ranked", "Results that share text count as one", "Random chunks instead of ranked ones",
    ]  # fmt: skip
