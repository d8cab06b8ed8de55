"""Access groups: labels for an upload, and every page as a member of a group sees it."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlapkit.queries import Evidence, Query
from overlapkit.ui.settings import Settings, from_params, to_params
from tests.app.conftest import PAGES, Session
from tests.app.test_upload import load

ALL_PAGES = ("tune", *PAGES, "decide")
HIDDEN = ("hr/payroll.md", "loose.md")  # in no group of a member, by folder
TEXTS = {
    "hr/payroll.md": "# Payroll\n\nWages are paid on the ninth.\n\n"
    + "Ledgers and gates open. " * 40,
    "loose.md": "# Loose\n\nNobody files this page.\n\n" + "The lamp lies about, all night. " * 40,
    "pub/map.md": "# Map\n\n## The old gates\n\nThe north gate opens at six.\n\n"
    + "When does a path of the old town open? " * 20,
    "pub/plan.md": "# Plan\n\n## Lamps and oil\n\nThe lamp burns all night.\n\n"
    + "Oil is kept, and a lamp does burn. " * 20,
    "staff/rota.md": "# Rota\n\n## Turns of duty\n\nTurns begin on Monday.\n\n"
    + "On Monday the north gate is shut; turns of night duty begin. " * 20,
}
ROWS = (
    ("gate", "When does the north gate open?", "The north gate opens at six."),
    ("lamp", "How long does the lamp burn?", "The lamp burns all night."),
    ("turn", "When do turns begin?", "Turns begin on Monday."),
    ("wages", "When are wages paid?", "Wages are paid on the ninth."),
    ("lost", "What about the gong?", "The gong is not spoken of."),
)
GOLDEN = "\n".join(json.dumps({"id": a, "query": b, "evidence": c}) for a, b, c in ROWS)
SMALL = {"size": "60", "overlap": "15", "k": "1"}


def zipped(texts):
    """Return an upload of one archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return [("texts.zip", held.getvalue(), "application/zip")]


def only(*folders):
    """Return the texts of some folders."""
    return {name: text for name, text in TEXTS.items() if name.split("/")[0] in folders}


def uploaded(texts=TEXTS, params=SMALL, golden=False):
    """Return a session with an upload, and a golden set for it where it is asked for."""
    session = load(Session(params), zipped(texts))
    if golden:
        session.test.file_uploader(key="w_golden").set_value(("golden.jsonl", GOLDEN.encode(), ""))
        session.run()
        press(session, "Use these questions")
    return session


def press(session, label):
    """Press the button with a label."""
    next(button for button in session.test.button if button.label == label).click().run()
    return session


def label(session, way, depth=None, manifest=None):
    """Label the documents on the page Corpus."""
    session.go("corpus")
    radio = next(r for r in session.test.radio if r.label == "How a document gets its group")
    radio.set_value(way).run()
    if depth is not None:
        session.test.number_input(key="w_label_depth").set_value(depth).run()
    if manifest is not None:
        session.test.file_uploader(key="w_label_manifest").set_value(("m.csv", manifest, ""))
        session.run()
    button = session.test.button(key="w_label")
    assert not button.disabled
    button.click().run()
    assert session.sound()
    return session


def see_as(session, *groups):
    """See everything as a member of groups, of none as the owner."""
    session.test.multiselect(key="w_member").set_value(list(groups)).run()
    assert session.sound()
    return session


def groups(session):
    """Return the group of each document of the upload."""
    held = session.test.session_state["uploaded"].corpus
    return {document.name: document.group for document in held.documents}


def column(session, name):
    """Return a column of the first table of the page that has it."""
    return next(list(f.value[name]) for f in session.test.dataframe if name in f.value)


def sent(session):
    """Return all that the page sends to the browser, as bytes."""
    page = session.test.main, session.test.sidebar
    parts = [element.proto.SerializeToString() for block in page for element in elements(block)]
    link = session.test.query_params
    return b"\n".join([*parts, json.dumps(dict(link)).encode()])


def elements(block):
    """Yield the elements of a block and of the blocks in it."""
    for child in block.children.values():
        if hasattr(child, "children"):
            if child.proto is not None:
                yield child
            yield from elements(child)
        else:
            yield child


def rows(session):
    """Return the figures of every setting that was evaluated over the corpus in use."""
    jobs = session.test.session_state["board"]._jobs.values()
    return {row.spec: dict(row.values) for job in jobs for row in job.rows()}


# --- labelling --------------------------------------------------------------------------


def test_a_bundled_corpus_cannot_be_labelled():
    """The page says what it takes, and the sidebar offers no other view."""
    session = Session().go("corpus")
    assert session.says("Labels need an upload of your own")
    assert not session.test.multiselect


def test_documents_are_labelled_by_their_folder():
    """The groups are listed with what they cover, and so are documents in none."""
    session = label(uploaded(), "folder")
    assert groups(session)["pub/map.md"] == "pub"
    assert column(session, "Group") == ["hr", "pub", "staff", "none: no member sees these"]
    assert column(session, "Documents") == [1, 2, 1, 1]
    assert session.says("Groups\\: hr \\(1 document, ")
    assert session.says("1 document has no group, so no member sees it\\: loose\\.md")
    assert session.test.multiselect(key="w_member").options == ["hr", "pub", "staff"]


def test_a_deeper_folder_can_be_the_group():
    """The depth is asked for."""
    texts = {f"all/{name}": text for name, text in TEXTS.items()}
    session = label(uploaded(texts), "folder", depth=2)
    assert set(groups(session).values()) == {"hr", "pub", "staff", None}


def test_documents_are_labelled_by_a_manifest():
    """Names that fit nothing are told."""
    manifest = b"document,group\npub/*,guests\nhr/payroll.md,office\nmissing.md,office\n"
    session = label(uploaded(), "manifest", manifest=manifest)
    assert groups(session) == {
        "hr/payroll.md": "office", "loose.md": None, "pub/map.md": "guests",
        "pub/plan.md": "guests", "staff/rota.md": None,
    }  # fmt: skip
    assert session.says("1 name of the manifest fits no document\\: missing\\.md")


def test_documents_are_labelled_by_their_front_matter():
    """A document without any has no group."""
    texts = {"a.md": "---\ngroup: hr\n---\n\n# A\n\nText.", "b.md": "# B\n\nText."}
    session = label(uploaded(texts), "front matter")
    assert groups(session) == {"a.md": "hr", "b.md": None}


@pytest.mark.parametrize("manifest", [b"", b"name\nx", b"document,group\na.md,x\na.md,y\n"])
def test_a_bad_manifest_changes_nothing(manifest):
    """One sentence says why, and the groups of before stay."""
    session = label(uploaded(), "folder")
    before = session.test.session_state["uploaded"]
    label(session, "manifest", manifest=manifest)
    told = [warning.value for warning in session.test.warning]
    assert len(told) == 1
    assert told[0].endswith("The groups are as they were\\.")
    assert session.test.session_state["uploaded"] is before


def test_labels_that_no_document_would_have_are_not_taken():
    """A folder as deep as none says so, and the groups of before stay."""
    session = label(uploaded(), "folder")
    label(session, "folder", depth=7)
    assert session.says("That gives no document a group")
    assert groups(session)["pub/map.md"] == "pub"


def test_labels_can_be_removed():
    """The corpus is the one that was uploaded, and nobody is left out of it."""
    session = uploaded()
    before = session.test.session_state["uploaded"].corpus.digest
    label(label(session, "folder"), "none")
    assert session.test.session_state["uploaded"].corpus.digest == before
    assert not session.test.multiselect


def test_labelling_loses_no_question_no_chunks_and_no_way_back():
    """The texts are the same, so all that was brought for them still holds."""
    session = load(Session(SMALL), [("first.md", b"# First\n\nText.", "")])
    load(session, zipped(TEXTS))
    session.test.file_uploader(key="w_golden").set_value(("golden.jsonl", GOLDEN.encode(), ""))
    press(session.run(), "Use these questions")
    session.go("your_splitter")
    text = TEXTS["pub/map.md"][:80]
    chunks = json.dumps({"id": "1", "document": "pub/map.md", "text": text}).encode()
    session.test.file_uploader(key="w_chunks").set_value(("c.jsonl", chunks, ""))
    press(session, "Judge")
    corpus = session.test.session_state["uploaded"].corpus
    asked = (Query("q1", "What?", (Evidence("pub/map.md", 0, 5),)),)
    session.test.session_state["written"] = {corpus.digest: asked}
    session.test.session_state["document"] = "pub/map.md"
    label(session, "folder")
    assert session.says("**4 questions** of golden\\.jsonl are ready")
    assert session.test.session_state["document"] == "pub/map.md"
    assert session.test.session_state["replaced"].corpus.documents[0].name == "first.md"
    session.go("your_splitter")
    assert session.sound()
    assert session.says("**1 chunks** of c\\.jsonl stand in this corpus")
    digest = session.test.session_state["uploaded"].corpus.digest
    assert session.test.session_state["written"][digest] == asked


def test_results_on_show_count_after_labelling_as_well():
    """A lock that is made later names them."""
    session = uploaded()
    before = session.test.session_state["uploaded"].corpus.digest
    session.go("tune").settle()
    ledger = session.test.session_state["shown"]
    on_show = {
        tuple(key): set(specs) for (corpus, *key), specs in ledger.items() if corpus == before
    }
    assert on_show
    label(session, "folder")
    after = session.test.session_state["uploaded"].corpus.digest
    assert after != before
    held = session.test.session_state["shown"]
    assert all(held[after, *key] >= specs for key, specs in on_show.items())


def test_other_encodings_keep_the_labels():
    """Reading again changes texts and not who may see them."""
    texts = {"pub/w.txt": "Caf\u00e9 \u2013 5 \u20ac per night.".encode("cp1252")}
    session = label(uploaded(texts), "folder")
    session.test.selectbox(key="w_encoding_0").set_value("cp1251").run()
    press(session, "Read again")
    assert session.sound()
    assert session.test.session_state["uploaded"].corpus.documents[0].text.startswith("Caf\u0439")
    assert groups(session) == {"pub/w.txt": "pub"}


# --- seeing as a member -----------------------------------------------------------------


@pytest.mark.parametrize("golden", [False, True])
def test_a_member_sees_what_the_visible_documents_alone_would_show(golden):
    """Documents, verdict and every figure are those of an upload that holds nothing else."""
    member = see_as(label(uploaded(golden=golden), "folder"), "pub", "staff")
    alone = uploaded(only("pub", "staff"), golden=golden)
    for session in (member, alone):
        session.go("corpus")
        assert column(session, "Document") == ["pub/map.md", "pub/plan.md", "staff/rota.md"]
    for name in ("Characters", "Words", "Unit", "How many", "95% are at most"):
        assert column(member, name) == column(alone, name)
    for session in (member, alone):
        session.go("tune").settle()
        session.run()
        assert session.sound()
    assert member.texts()[1] == alone.texts()[1]
    assert "3 questions" in member.texts()[1]
    found, expected = rows(member), rows(alone)
    assert len({row["lenient_hit@1"] for row in expected.values()}) > 1
    for spec in expected:
        np.testing.assert_equal(found[spec], expected[spec])
    assert member.says("Asked as a member of groups pub and staff\\: 3 of 5 documents are visible")


def test_nothing_of_a_hidden_document_is_sent_to_a_member():
    """Not its name and no word of its own, in no element of any page and not in the link."""
    session = label(uploaded(golden=True), "folder")
    session.go("boundaries")
    session.test.selectbox(key="w_document").set_value("hr/payroll.md").run()
    secrets = [*HIDDEN, "payroll", "Payroll", "Wages", "When are wages", "Ledgers", "lies about"]
    assert all(secret.encode() in sent(session) for secret in ("hr/payroll.md", "Ledgers"))
    see_as(session, "pub")
    for page in ALL_PAGES:
        session.go(page).settle()
        assert session.sound(), page
        found = sent(session)
        assert [secret for secret in secrets if secret.encode() in found] == [], page
        assert session.says("Asked as a member of group pub\\: 2 of 5 documents are visible\\.")


def test_what_is_the_owner_s_is_not_on_a_member_s_page():
    """Uploads, labels, golden sets and the workspace file are out of reach, in one sentence."""
    session = see_as(label(uploaded(golden=True), "folder"), "pub")
    assert session.says("choose no group in the sidebar to come back to them")
    assert not session.test.get("file_uploader")
    assert not session.test.button(key="w_take_units").disabled
    assert not any(button.key == "w_label" for button in session.test.button)


def test_coming_back_as_the_owner_shows_everything_again():
    """All documents and the questions that were in use."""
    session = label(uploaded(golden=True), "folder")
    before = session.go("tune").settle().run().texts()
    see_as(session, "staff").settle()
    assert session.run().texts() != before
    see_as(session).settle()
    assert session.run().texts() == before


def test_a_group_that_can_be_asked_nothing_is_told_and_asked_other_questions():
    """Its golden set is back with the owner."""
    texts = {
        **TEXTS,
        "den/cat.md": "# Cat\n\n## Naps of cats\n\nCats sleep.\n\n" + "They purr. " * 60,
    }
    session = see_as(label(uploaded(texts, golden=True), "folder"), "den").go("queries")
    assert session.says("Other questions are used\\: a run needs a question with its evidence")
    assert session.test.selectbox(key="w_queries").value == "headings"
    assert session.test.session_state["settings"].queries == "uploaded"


def test_what_a_member_writes_stands_among_the_owner_s_questions():
    """Unseen questions stay as they are, and a new one never takes their id."""
    session = label(uploaded(), "folder")
    corpus = session.test.session_state["uploaded"].corpus
    unseen = Query("q2", "Paid when?", (Evidence("hr/payroll.md", 11, 39),))
    seen = Query("q1", "Open when?", (Evidence("pub/map.md", 0, 5), Evidence("loose.md", 0, 5)))
    session.test.session_state["written"] = {corpus.digest: (unseen, seen)}
    see_as(session, "pub").go("boundaries")
    numbers = {field.label: field for field in session.test.number_input}
    numbers["From character"].set_value(0)
    numbers["To character"].set_value(4)
    next(f for f in session.test.text_input if f.label == "Question").set_value("What is it?")
    press(session, "Add the question")
    assert session.sound()
    held = session.test.session_state["written"][corpus.digest]
    assert held[:2] == (unseen, seen)
    assert (held[2].id, held[2].text) == ("q3", "What is it?")
    press(session, "Score with 2 questions")
    assert column(session.go("queries"), "Question") == ["Open when?", "What is it?"]
    see_as(session)
    assert column(session, "Question") == ["Paid when?", "Open when?", "What is it?"]


# --- links ------------------------------------------------------------------------------


def test_a_link_asks_as_a_member_once_the_documents_are_labelled():
    """Until then its group waits."""
    session = uploaded(params={**SMALL, "corpus": "upload", "member": "pub"})
    assert session.says("The link asks as a member of pub\\: label the documents first")
    label(session, "folder").go("corpus")
    assert column(session, "Document") == ["pub/map.md", "pub/plan.md"]
    assert session.test.query_params["member"] == "pub"
    assert session.test.query_params["files"] == "pub/map.md, pub/plan.md and 3 more"


def test_a_link_to_labelled_documents_knows_their_texts_again():
    """Labels are no part of what is uploaded, so nothing is said to differ."""
    made = label(uploaded(), "folder").run().test.query_params
    params = {name: made[name] for name in ("corpus", "digest", "files")}
    assert not uploaded(params=params).says("These files differ")
    assert uploaded(only("pub"), params=params).says("These files differ")


def test_an_unknown_group_in_a_link_is_told_and_ignored():
    """The others of the link are kept."""
    session = uploaded(params={**SMALL, "corpus": "upload", "member": "pub,ghost"})
    label(session, "folder")
    told = [text for text in session.texts() if "parameter member was ignored" in text]
    assert len(told) == 1
    assert "\\(hr, pub, staff\\); got 'ghost'" in told[0]
    assert session.test.session_state["settings"].member == ("pub",)


def test_a_group_in_a_link_to_a_bundled_corpus_is_told_and_ignored():
    """Its documents have none."""
    session = Session({"corpus": "planted", "member": "pub"})
    assert session.says("parameter member was ignored\\: a group must be one that a document has")
    assert session.test.session_state["settings"].member == ()


def test_another_corpus_is_seen_by_its_owner():
    """Groups are those of one corpus."""
    session = see_as(label(uploaded(), "folder"), "pub").go("tune")
    session.test.selectbox(key="w_corpus").set_value("planted").run()
    assert session.sound()
    assert session.test.session_state["settings"].member == ()


@given(st.lists(st.text(min_size=1), unique=True, max_size=4))
def test_any_names_of_groups_go_through_a_link(names):
    """Commas and percent signs included."""
    chosen = Settings(member=tuple(names))
    params = {name: [value] for name, value in to_params(chosen).items()}
    assert from_params(params) == (chosen, [])


def test_a_member_of_nothing_is_ignored_with_one_sentence():
    """As every bad value of a link."""
    found, notices = from_params({"member": ["pub,,hr"]})
    assert found.member == ()
    assert notices == [
        "The link's parameter member was ignored: member must name groups, with commas between; "
        "got 'pub,,hr'."
    ]
