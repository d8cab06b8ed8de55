"""Every page, without a browser."""

import re

import pytest

from overlapkit.samples import SAMPLES
from overlapkit.ui.session import _bundled_engine
from tests.app.conftest import PAGES, Session


@pytest.mark.parametrize("source", SAMPLES)
def test_every_page_runs_on_every_bundled_corpus(source):
    """No page raises on any bundled corpus, before or after its grid is there."""
    session = Session({"corpus": source}).settle()
    assert session.sound()
    for page in PAGES:
        assert session.go(page).sound(), page
    assert session.go("tune").sound()


def test_opens_with_the_verdict_on_the_handbook():
    """With no click the first sentence names ranking, size, metric, cut-off and n."""
    session = Session().settle()
    first = session.texts()[1]
    assert first.startswith("**Under BM25, ")
    for part in ("800 characters", "complete evidence in the top 5", "questions"):
        assert part in first


def test_settings_are_kept_over_every_page_switch():
    """Size, overlap and pin survive a tour of the pages."""
    session = Session({"corpus": "planted", "size": "300", "overlap": "60", "pin": "500-0"})
    for page in (*PAGES, "tune"):
        session.go(page)
        assert session.setting() == (300, 60)
        assert session.says("500 / 0")


def test_a_pinned_setting_is_the_baseline():
    """After pinning, differences are against the pinned setting, and unpinning undoes it."""
    session = Session({"corpus": "planted", "size": "400", "overlap": "80"})
    session.test.button(key="w_pin").click().run()
    session.choose(400, 120)
    assert session.says("Differences are against 400 characters with 80 overlap (20%)")
    session.test.button(key="w_unpin").click().run()
    assert session.says("against 400 characters without overlap")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", "abc"),
        ("size", "-5"),
        ("size", "NaN"),
        ("overlap", "900"),
        ("ranking", "nope"),
        ("k", "1e9"),
        ("unit", "line"),
        ("terms", "x"),
        ("pin", "1"),
        ("budget", "0"),
        ("corpus", "nope"),
    ],
)
def test_a_bad_value_in_a_link_is_ignored_with_one_sentence(name, value):
    """The page opens with valid values and a notice that names the parameter."""
    params = {"corpus": "planted", "size": "200"} | {name: value}
    session = Session(params)
    assert session.sound()
    assert sum(f"parameter {name} was ignored" in t.replace("\\", "") for t in session.texts()) == 1
    size, overlap = session.setting()
    labels = [button.label for button in session.test.button]
    assert f"Pin {size:,} / {overlap:,} as current" in labels


def test_of_a_repeated_parameter_the_first_value_counts():
    """?size=30&size=20 opens with 30."""
    session = Session({"corpus": "planted", "size": ["30", "20"], "overlap": "0"})
    assert session.setting() == (30, 0)


def test_a_link_to_an_upload_names_it_and_shows_no_other_corpus():
    """Until the same files are uploaded, no figures are shown; the settings are kept."""
    params = {"corpus": "upload", "digest": "abc", "files": "notes.md, plan.md", "size": "321"}
    session = Session(params)
    for page in ("tune", "boundaries", "trade_offs", "queries"):
        session.go(page)
        assert session.sound()
        assert session.says("notes\\.md, plan\\.md")
        assert not session.test.metric
        assert session.setting()[0] == 321


def test_a_chunk_of_one_has_no_overlap():
    """Size 1 opens every page."""
    session = Session({"corpus": "planted", "size": "1", "overlap": "0"})
    assert session.sound()
    for page in PAGES:
        assert session.go(page).sound()


def test_a_cancelled_grid_can_be_computed_again():
    """Cancel keeps the chosen setting exact and offers to compute the grid."""
    session = Session({"corpus": "python", "k": "7"})
    assert session.waiting()
    session.test.button(key="w_cancel").click().run()
    session.run()
    assert session.sound()
    assert session.says("The grid was cancelled")
    session.test.button(key="w_resume").click().run()
    assert session.settle().sound()
    assert not session.says("The grid was cancelled")


def test_a_cancel_in_one_session_leaves_the_other_alone():
    """Two visitors share a bundled grid; one does without it, the other still gets it."""
    params = {"corpus": "python", "k": "11"}
    one, two = Session(params), Session(params)
    assert one.waiting()
    one.test.button(key="w_cancel").click().run()
    one.run()
    assert one.says("The grid was cancelled")
    assert two.settle().sound()
    assert not two.says("The grid was cancelled")


def test_a_budget_shows_the_chunks_that_were_judged():
    """Under a budget the ranked list ends where the budget is full."""
    session = Session({"corpus": "planted", "size": "400", "overlap": "80", "budget": "600"})
    session.go("queries")
    session.test.text_input(key="w_ask").set_value("topic_3 cause_3 answer_3").run()
    assert session.sound()
    assert any(re.search(r"^2 of \d+ chunks, within 600 characters", t) for t in session.texts())


def test_a_typed_question_leaves_no_words_behind():
    """What a visitor types is not kept in what all visitors share."""
    session = Session({"corpus": "planted"}).go("queries")
    engine = _bundled_engine("planted", "own", "auto")[0]
    before = len(engine.stream.vocabulary.numbers)
    session.test.text_input(key="w_ask").set_value("quite unheard of words").run()
    assert session.sound()
    assert len(engine.stream.vocabulary.numbers) == before


def test_a_typed_question_lists_chunks_or_says_that_nothing_is_found():
    """A known word finds chunks, an unknown one says so."""
    session = Session({"corpus": "planted"}).go("queries")
    session.test.text_input(key="w_ask").set_value("cause_3").run()
    assert session.sound()
    assert session.says("chunks, in the top 5, 800 characters")
    session.test.text_input(key="w_ask").set_value("zzzqqq").run()
    assert session.says("No chunk shares a word with this question")


def test_checking_against_rank_bm25_finds_no_difference():
    """The button runs rank-bm25 itself and reports the largest difference."""
    session = Session({"corpus": "planted"}).go("queries")
    session.test.button(key="w_verify").click().run()
    assert session.sound()
    assert session.says("Largest difference of a score 0; ranked lists that differ: 0")
    session.choose(300, 60)
    assert not session.says("Largest difference of a score")
