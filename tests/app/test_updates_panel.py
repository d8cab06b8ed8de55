"""What edits cost, a second version, a plan and a live index, as the page Decide shows them."""

import pytest
from streamlit.testing.v1 import AppTest

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.samples import SAMPLES
from overlapkit.ui.decide import version_panel
from overlapkit.ui.shell import plain
from overlapkit.updates import EDIT_SEED, TRIED, compare_work, draw_edits, export_jsonl, snapshot
from overlapkit.updates.sentences import month_sentence, work_sentence

VERSION, LOAD, PLAN, LIVE = range(4)
SPEC, BASE = ChunkSpec(size=800, overlap=160), ChunkSpec(size=800, overlap=0)
SENTENCES = ChunkSpec("structure", size=800, overlap=0)


def script():
    """Draw the panel alone; a script brings along all that it needs."""
    from overlapkit.ui import session
    from overlapkit.ui.decide.declared import declared
    from overlapkit.ui.decide.updates_panel import updates_panel

    session.settings()
    work = session.workspace()
    updates_panel(work, work.settings.spec, declared(work))


def opened(*parts):
    """Return the panel over the clauses with some of its parts open."""
    test = AppTest.from_function(script, default_timeout=120)
    test.query_params["corpus"] = "clauses"
    for part in parts:
        test.session_state[f"w_upd_part_{part}"] = True
    return test.run()


def said(test):
    """Return what the panel says, as one text; it must have run without an exception."""
    assert not test.exception
    kinds = ("markdown", "caption", "warning", "info", "success", "text")
    return "\n".join(element.value for kind in kinds for element in test.get(kind))


def give(test, key, name, data):
    """Upload a file and run again."""
    test.file_uploader(key=key).set_value([(name, data, "text/plain")])
    return test.run()


@pytest.fixture(scope="module")
def corpus():
    """Return the bundled corpus of clauses."""
    return SAMPLES["clauses"].load()[0]


def test_edits_are_priced_under_the_setting_and_its_rivals(corpus):
    """The sentence is that of the same edits made by hand; a month follows the number asked."""
    edits = draw_edits(corpus, TRIED, EDIT_SEED)
    own, *others = compare_work(corpus, (SPEC, BASE, SENTENCES), edits, encoding="cl100k_base")
    test = opened()
    assert plain(work_sentence(own, others)) in said(test)
    assert plain(month_sentence(own, 100)) in said(test)
    test.number_input(key="w_edits_per_month").set_value(2500).run()
    assert plain(month_sentence(own, 2500)) in said(test)


def test_chunks_that_take_long_to_try_wait_for_a_click(monkeypatch):
    """Where too much would have to be read anew, the panel says how much, and offers it."""
    monkeypatch.setattr(version_panel, "_MOST_READ", 10)
    test = opened()
    assert "Chunks of whole sentences are left out" in said(test)
    assert "of whole sentences without" not in said(test)
    test.button(key="w_upd_try").click().run()
    assert "are left out" not in said(test)
    assert "of whole sentences without" in said(test)


def test_a_second_version_is_known_by_the_name_of_its_file(corpus):
    """A text put at the end of a document changes it alone; an unknown name loses nothing."""
    document = corpus.documents[0]
    test = opened(VERSION)
    same = document.text.encode()
    for name, data, told in (
        (document.name, same, "Nothing has to be done: 14 documents are as wanted."),
        (document.name, same + b"\n\nOne more sentence.", "1 document changes, 13 stay."),
        ("elsewhere.md", b"Words.", "no document is called elsewhere.md: choose which one"),
    ):
        test.file_uploader(key="w_upd_file").set_value([(name, data, "text/plain")])
        test.button(key="w_upd_compare").click().run()
        assert plain(told) in said(test)
    assert plain("1 document changes, 13 stay.") in said(test)


def test_a_plan_begins_with_the_baseline_or_with_an_export(corpus):
    """An export of the same setting leaves nothing to do; one that is none is refused."""
    test = opened(PLAN, LOAD)
    assert plain("From 800 characters without overlap to 800 characters with 160") in said(test)
    assert plain("14 documents change, 0 stay.") in said(test)
    export = "".join(export_jsonl(corpus, chunk(corpus, SPEC), SPEC, text=False)).encode()
    give(test, "w_upd_before", "before.jsonl", export)
    assert plain("Nothing has to be done: 14 documents are as wanted.") in said(test)
    give(test, "w_upd_before", "wrong.jsonl", b'{"text": "no export"}')
    assert plain("wrong.jsonl, row 1: id must be a text") in said(test)


def test_a_live_index_is_held_against_the_setting(corpus):
    """Its own ids are clean; those of the baseline and of nobody are told apart and listed."""
    own, old = (
        [one for document in snapshot(corpus, spec).documents for one in document.ids]
        for spec in (SPEC, BASE)
    )
    test = opened(LIVE)
    give(test, "w_upd_ids", "ids.txt", "\n".join(own).encode())
    assert f"The index holds all of its {len(own)} chunks" in said(test)
    mixed = [*own[1:], old[0], "nobody's"]
    give(test, "w_upd_ids", "ids.csv", "\n".join(["id", *mixed]).encode())
    assert f"{len(own) - 1} of {len(own)} chunks are there" in said(test)
    found = test.dataframe[0].value
    assert list(found["Problem"][:3]) == [
        "missing", "of 800 characters without overlap", "no state knows it",
    ]  # fmt: skip
    assert list(found["Id"][:3]) == [own[0], old[0], "nobody's"]
