"""Decide, without a browser: gates, the answer, the lock, settings side by side."""

from overlapkit.gates import Gate
from overlapkit.record import read_record
from overlapkit.ui.decide.declared import Declared
from tests.app.conftest import Session

PLANTED = {
    "corpus": "planted", "unit": "word", "size": "80", "overlap": "20", "ranking": "count",
    "k": "4",
}  # fmt: skip


def opened(**params: str) -> Session:
    """Open Decide on the planted contract and wait for its answer."""
    return Session({**PLANTED, **params}).go("decide").settle()


def held(session: Session) -> Declared:
    """Return what is declared in a session."""
    (found,) = session.test.session_state["declared"].values()
    return found


def within(session: Session, scope: str) -> Session:
    """Choose which settings are in question."""
    session.test.selectbox(key="w_scope").set_value(scope).run()
    return session.settle()


def test_an_answer_stands_there_without_a_click():
    """Suggested gates decide at once, and are said to be suggested."""
    session = opened()
    assert session.sound()
    assert any(text.startswith("**Choose ") for text in session.texts())
    assert session.says("Suggested to begin with")


def test_of_the_published_settings_a_quarter_is_chosen():
    """Of 0, 25, 50 and 75% at 80 words, 25% is the cheapest with all of the evidence."""
    session = within(opened(compare="80-0,80-20,80-40,80-60"), "compared")
    assert session.says("**Choose 80 words with 20 overlap")
    assert session.says("Without overlap this size fails a gate, so the overlap is needed")


def test_of_the_default_overlaps_the_smallest_that_repairs_is_chosen():
    """At 80 words 5% is 4 words, the smallest tested overlap of at least 3."""
    session = within(opened(), "size")
    assert session.says("**Choose 80 words with 4 overlap")


def test_a_gate_is_added_in_place_of_the_one_on_its_measure_and_removed():
    """Another limit replaces the gate; removing the last one leaves a sentence with a remedy."""
    session = within(opened(), "size")
    session.test.session_state["w_gate_new"] = True
    session.run()
    session.test.selectbox(key="w_gate_measure").set_value("index_x").run()
    session.test.number_input(key="w_gate_limit_False_False").set_value(1.0)
    session.test.button(key="w_gate_add").click().run()
    assert Gate("index_x", "at most", 1.0) in held(session).gates
    assert len(held(session).gates) == 3
    assert session.says("**None of 9 settings clears")
    for _ in range(3):
        session.test.button(key="w_gate_remove_0").click().run()
    assert session.says("there must be at least one gate")


def test_where_nothing_passes_the_blocking_gate_and_what_would_change_it_are_named():
    """With no room for overlap the planted facts stay cut; larger sizes are tried on request."""
    session = within(opened(), "size")
    session.test.session_state["declared"] = {
        key: Declared((Gate("complete", "at least", 0.9), Gate("index_x", "at most", 1.0)),
                      own=True, scope="size")
        for key in [(session_digests(session))]
    }  # fmt: skip
    session.run()
    assert session.says("**None of 9 settings clears")
    session.test.button(key="w_alternatives").click().run()
    assert session.says("What would have to change")
    assert session.says("Chunks that follow structure")


def session_digests(session: Session) -> tuple[str, str]:
    """Return under what the session keeps what is declared."""
    (corpus, queries, _, _), *_ = session.test.session_state["shown"]
    return corpus, queries


def test_the_lock_says_what_had_been_on_show_and_records_a_change():
    """Locked after a look at the figures, it says so; a gate removed later is in the record."""
    session = within(opened(), "size")
    session.test.button(key="w_lock").click().run()
    assert session.says("so the gates may have been chosen to fit them")
    before = held(session).gates
    session.test.button(key="w_gate_remove_1").click().run()
    (change,) = held(session).lock.changes
    assert (change.before, change.after) == (before[1].text, "")
    assert session.says("A gate was changed once after the lock")


def test_a_critical_gate_is_not_taken_away_after_the_lock():
    """The refusal is one sentence, and the gate is still there."""
    session = within(opened(), "size")
    session.test.session_state["declared"] = {
        session_digests(session): Declared(
            (Gate("complete", "at least", 0.9, critical=True),), own=True, scope="size"
        )
    }
    session.run()
    session.test.button(key="w_lock").click().run()
    session.test.button(key="w_gate_remove_0").click().run()
    assert session.says("there must be at least one gate") or session.says("critical")
    assert held(session).gates[0].critical


def test_settings_side_by_side_stay_in_the_link_and_can_be_taken_out():
    """A setting is added by a button, differs in pairs from the baseline, and leaves again."""
    session = within(opened(), "size")
    session.test.session_state["w_decide_part"] = "Side by side"
    session.run()
    session.test.button(key="w_compare_80_20").click().run()
    assert session.test.query_params["compare"] == "80-20"
    assert session.says("Complete evidence")
    session.test.button(key="w_uncompare_80_20").click().run()
    assert "compare" not in session.test.query_params


def test_a_half_that_is_held_back_is_not_on_show_until_it_confirms():
    """Held back, pages count the exploring half alone; after the lock the other one is asked."""
    session = Session({"held_back": "1", "size": "800", "overlap": "160"}).settle()
    assert session.says("questions: the other half is held back")
    session.go("decide").settle()
    session = within(session, "size")
    parts = {key[2] for key in session.test.session_state["shown"]}
    assert parts == {"explore"}
    session.test.button(key="w_lock").click().run()
    assert session.says("no result over the questions that are to confirm")
    session.test.session_state["w_decide_part"] = "Hand over"
    session.run()
    assert session.says("is held back and was not asked yet")
    session.test.button(key="w_confirm").click().run()
    assert session.sound()
    assert session.says("that had been held back")
    assert "confirm" in {key[2] for key in session.test.session_state["shown"]}


def test_the_workspace_file_keeps_gates_lock_and_settings_side_by_side(made):
    """Another session that opens the file has the gates, the lock and the same settings."""
    session = within(opened(compare="80-0,80-20"), "size")
    session.test.button(key="w_lock").click().run()
    before = held(session)
    session.go("corpus")
    file = made["overlapkit-workspace.json"]().encode()
    other = Session(PLANTED).go("corpus")
    other.test.file_uploader(key="w_workspace_file").set_value(("work.json", file, ""))
    next(one for one in other.test.button if one.label == "Re-open").click().run()
    assert held(other) == before
    assert other.test.session_state["settings"].compared == ((80, 0), (80, 20))


def test_the_record_binds_the_decision_and_the_lock(made):
    """Without a lock there is no record; with one, both files hold the choice."""
    session = within(opened(), "size")
    session.test.session_state["w_decide_part"] = "Hand over"
    session.run()
    assert session.says("Lock the gates first")
    session.test.button(key="w_lock").click().run()
    session.test.session_state["w_decide_part"] = "Hand over"
    session.run()
    assert session.sound()
    bound = read_record(made["decision-record.json"]().encode())
    assert bound.setting is not None
    assert (bound.setting.spec.size, bound.setting.spec.overlap) == (80, 4)
    assert bound.lock == held(session).lock
    assert "80 words with 4 overlap (5%)" in made["decision-record.html"]()
