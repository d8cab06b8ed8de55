"""Work kept in a file and taken up in another session."""

import json

import pytest

from overlapkit.queries import Evidence, Query
from overlapkit.ui.sources import corpus_of
from tests.app.conftest import Session
from tests.app.test_upload import load

PLAN = "# Plan\n\nThe beacon is lit at dusk.\n\nThe quay opens at nine.\n"
NOTES = "# Notes\n\nFees rise in May.\n\n" + "Nothing else is new. " * 30
FILES = [("plan.md", PLAN.encode(), "text/markdown"), ("notes.md", NOTES.encode(), "text/markdown")]
GOLDEN = "\n".join(
    json.dumps({"id": name, "query": question, "evidence": evidence})
    for name, question, evidence in (
        ("dusk", "When is the beacon lit?", "The beacon is lit at dusk."),
        ("nine", "When does the quay open?", "The quay opens at nine."),
        ("may", "When do fees rise?", "Fees rise in May."),
    )
)
SETTINGS = {"size": "60", "overlap": "15", "k": "3", "pin": "80-0", "ranking": "lucene"}


def press(session, label):
    """Press the button with a label."""
    next(button for button in session.test.button if button.label == label).click().run()
    return session


def at_work():
    """Return a session with an upload, a golden set in use, a pin and a document."""
    session = load(Session(SETTINGS), FILES)
    session.test.file_uploader(key="w_golden").set_value(("golden.jsonl", GOLDEN.encode(), ""))
    session.run()
    press(session, "Use these questions")
    session.test.session_state["document"] = "plan.md"
    return session


def kept(session, made, texts=False):
    """Return the workspace file of a session."""
    session.go("corpus")
    session.test.checkbox(key="w_workspace_texts").set_value(texts).run()
    return made["overlapkit-workspace.json"]().encode()


def reopen(session, file):
    """Give a session a workspace file."""
    session.go("corpus")
    session.test.file_uploader(key="w_workspace_file").set_value(("w.json", file, ""))
    return press(session, "Re-open")


def figures(session):
    """Return everything that Tune says."""
    return session.go("tune").settle().texts()


def test_a_file_with_the_texts_brings_everything_back(made):
    """A new session shows the figures of the old one, with the same settings and document."""
    session = at_work()
    before = figures(session)
    file = kept(session, made, texts=True)
    new = reopen(Session(), file)
    assert new.sound()
    assert new.test.success[0].value.startswith("Re\\-opened\\: 2 documents, 3 questions of a")
    assert new.test.session_state["document"] == "plan.md"
    assert new.test.session_state["settings"] == session.test.session_state["settings"]
    assert figures(new) == before


def test_a_file_without_texts_waits_for_them(made):
    """The files are named, nothing changes until they come, then everything is there."""
    session = at_work()
    before = figures(session)
    file = kept(session, made)
    assert b"beacon is lit at dusk" not in file
    new = reopen(Session(), file)
    assert new.sound()
    assert new.says("Upload these 2 files again: plan\\.md, notes\\.md")
    assert new.test.session_state["source"] == "handbook"
    load(new, FILES)
    assert new.sound()
    assert not new.says("Upload these 2 files again")
    assert figures(new) == before


def test_texts_that_are_here_already_are_used_at_once(made):
    """A session that has the same upload asks for nothing."""
    file = kept(at_work(), made)
    new = reopen(load(Session(), FILES), file)
    assert new.sound()
    assert new.test.session_state["settings"].queries == "uploaded"
    assert new.test.session_state["settings"].pinned == (80, 0)


def test_a_changed_text_is_named_and_questions_that_still_hold_are_kept(made):
    """Evidence that moved is found, evidence that is gone is listed with its reason."""
    file = kept(at_work(), made)
    new = reopen(Session(), file)
    changed = PLAN.replace("# Plan", "# The new plan").replace("nine", "ten")
    load(new, [("plan.md", changed.encode(), ""), FILES[1]])
    assert new.sound()
    assert new.says("plan\\.md has changed since\\: evidence in it may have moved")
    press(new, "Go on with these texts")
    assert new.sound()
    assert new.says("**Left out: 1 question**")
    (golden,) = new.test.session_state["golden"].values()
    assert [query.id for query in golden.queries] == ["dusk", "may"]
    start = changed.index("The beacon")
    assert golden.queries.queries[0].evidence == (Evidence("plan.md", start, start + 26),)
    reasons = [text for d in new.test.dataframe for text in d.value.get("Reason", ())]
    assert any(reason.endswith("of 'plan.md', which has changed, is gone") for reason in reasons)
    assert new.go("tune").settle().sound()


def test_waiting_can_be_given_up(made):
    """Then the page asks for nothing any more."""
    new = press(reopen(Session(), kept(at_work(), made)), "Leave the workspace")
    assert new.sound()
    assert not new.says("Upload these 2 files again")


def test_a_bundled_corpus_is_chosen_at_once(made):
    """With questions written for it, which are scored as before."""
    session = Session({"corpus": "clauses", "size": "400", "overlap": "0", "queries": "written"})
    corpus, _ = corpus_of("clauses")
    name = corpus.documents[0].name
    asked = (Query("q1", "What is agreed?", (Evidence(name, 0, 40),), "any", None, "terms"),)
    session.test.session_state["written"] = {corpus.digest: asked}
    before = figures(session.run())
    new = reopen(Session(), kept(session, made))
    assert new.sound()
    assert new.test.session_state["source"] == "clauses"
    assert new.test.session_state["written"] == {corpus.digest: asked}
    assert figures(new) == before


@pytest.mark.parametrize(
    ("file", "part"),
    [
        (b"\x89PNG", "must be UTF\\-8 text"),
        (GOLDEN.encode(), "must be JSON"),
        (b'{"format": "overlapkit workspace", "version": 2}', "must be at most 1 here; got 2"),
    ],
)
def test_a_bad_file_changes_nothing(file, part):
    """It is refused with a sentence, and what was loaded stays."""
    session = load(Session(), FILES)
    before = session.test.session_state["uploaded"]
    reopen(session, file)
    assert session.sound()
    assert session.says(part)
    assert session.says("Nothing was changed")
    assert session.test.session_state["uploaded"] is before
    assert session.run().sound()


def test_reopening_can_be_undone(made):
    """The upload, the questions and the settings of before are back."""
    file = kept(at_work(), made, texts=True)
    session = load(Session({"size": "90", "overlap": "9"}), [("mine.md", b"# Mine\n\nText.", "")])
    reopen(session, file)
    assert [d.name for d in session.test.session_state["uploaded"].corpus.documents] == [
        "notes.md", "plan.md",
    ]  # fmt: skip
    press(session, "Undo the re-opening")
    assert session.sound()
    assert session.says("1 documents")
    assert session.test.session_state["uploaded"].corpus.documents[0].name == "mine.md"
    assert session.test.session_state["settings"].size == 90
    assert session.test.session_state["settings"].queries == "own"
    assert session.go("tune").settle().sound()


def test_undo_is_not_offered_where_it_would_lose_what_came_since(made):
    """A question written after the re-opening stays."""
    new = reopen(Session(), kept(at_work(), made, texts=True))
    assert any(button.label == "Undo the re-opening" for button in new.test.button)
    held = new.test.session_state["uploaded"].corpus
    new.test.session_state["written"] = {
        held.digest: (Query("q1", "?", (Evidence("plan.md", 0, 6),)),)
    }
    new.run()
    assert not any(button.label == "Undo the re-opening" for button in new.test.button)


def test_a_run_that_was_there_is_asked_for(made):
    """It is not in the file, but its name is."""
    session = at_work().go("your_splitter")
    run = "".join(f"{name} Q0 plan.md#0-30 1 1.0 x\n" for name in ("dusk", "nine", "may"))
    session.test.file_uploader(key="w_run").set_value(("mine.run", run.encode(), ""))
    press(session, "Judge")
    new = reopen(Session(), kept(session, made, texts=True))
    assert "Upload on Your splitter again\\: mine\\.run" in new.test.success[0].value


def test_fields_of_a_later_version_are_in_the_next_file(made):
    """What this version does not know goes through a session unharmed."""
    file = json.loads(kept(at_work(), made, texts=True)) | {"gates": [{"metric": "recall"}]}
    new = reopen(Session(), json.dumps(file).encode())
    assert json.loads(kept(new, made))["gates"] == [{"metric": "recall"}]


def test_a_setting_that_breaks_a_rule_is_ignored_with_a_sentence(made):
    """As in a link."""
    file = json.loads(kept(at_work(), made, texts=True))
    file["settings"]["size"] = "-5"
    new = reopen(Session(), json.dumps(file).encode())
    assert new.sound()
    assert new.says("The file's parameter size was ignored")
