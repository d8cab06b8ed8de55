"""Uploading, pasting, and what a session may see."""

import io
import zipfile

from overlapkit.ui.sweeps import _shared_board
from tests.app.conftest import Session

NOTES = ("# Title\n\n## Beacon station rules\n\n" + "The beacon is lit at dusk. " * 20).encode()


def load(session, files, text=""):
    """Upload files on the page Corpus."""
    session.go("corpus")
    session.test.file_uploader(key="w_files").set_value(files)
    session.test.text_area(key="w_paste").set_value(text)
    session.test.button(key=load_key(session)).click().run()
    return session


def load_key(session):
    """Return the key of the form's button."""
    return next(b.key for b in session.test.button if b.label == "Load")


def test_uploaded_files_become_the_corpus():
    """Several files at once replace the bundled corpus, with headings as questions."""
    session = load(Session(), [("a.md", NOTES, "text/markdown"), ("b.txt", b"plain", "text/plain")])
    assert session.sound()
    assert session.says("2 documents")
    assert session.go("tune").settle().sound()
    assert session.says("questions")


def test_the_upload_survives_another_setting():
    """A rerun does not read an empty upload."""
    session = load(Session(), [("a.txt", b"abcdefghij", "text/plain")]).go("boundaries")
    for size in (4, 5, 4):
        session.choose(size, 1)
        assert session.sound()
    assert session.test.session_state["uploaded"].corpus.characters == 10


def test_a_file_replaced_under_its_name_is_read_anew():
    """Same name, same length, other text: the old word is gone and the new one found."""
    session = load(Session(), [("notes.txt", b"alpha beacon", "text/plain")])
    load(session, [("notes.txt", b"alpha banner", "text/plain")]).go("queries")
    session.test.text_input(key="w_ask").set_value("beacon").run()
    assert session.says("No chunk shares a word")
    session.test.text_input(key="w_ask").set_value("banner").run()
    assert session.says("1 of 1 chunks")


def test_a_bad_upload_loses_nothing():
    """A refused file is named in one sentence, and what was loaded stays."""
    session = load(Session(), [("a.md", NOTES, "text/markdown")])
    broken = io.BytesIO()
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("x.exe", "MZ")
    load(session, [("c.zip", broken.getvalue(), "application/zip")])
    assert session.sound()
    assert session.says("What was loaded before is still there")
    assert session.test.session_state["uploaded"].corpus.documents[0].name == "a.md"


def test_an_upload_can_be_taken_back():
    """One click brings back the upload before, and a second one the later again."""
    session = load(Session(), [("a.md", NOTES, "text/markdown")])
    load(session, [("b.txt", b"plain", "text/plain"), ("c.txt", b"more", "text/plain")])
    names = []
    for _ in range(2):
        session.test.button(key="w_upload_undo").click().run()
        held = session.test.session_state["uploaded"].corpus.documents
        names.append([document.name for document in held])
    assert session.sound()
    assert names == [["a.md"], ["b.txt", "c.txt"]]


def test_a_guessed_encoding_is_shown_and_can_be_set_by_hand():
    """A Windows-1252 file is read as such, the guess is shown, and another can be chosen."""
    data = "Caf\u00e9 \u2013 5 \u20ac per night.".encode("cp1252")
    session = load(Session(), [("w.txt", data, "text/plain")])
    held = session.test.session_state["uploaded"]
    assert held.corpus.documents[0].text == "Caf\u00e9 \u2013 5 \u20ac per night."
    session.test.selectbox(key="w_encoding_0").set_value("cp1251").run()
    next(b for b in session.test.button if b.label == "Read again").click().run()
    assert session.sound()
    assert session.test.session_state["uploaded"].corpus.documents[0].text.startswith("Caf\u0439")


def test_pasted_text_becomes_a_document():
    """A pasted text is a corpus of its own."""
    session = load(Session(), [], NOTES.decode())
    assert session.says("1 documents")
    assert session.go("tune").settle().sound()


def test_sessions_do_not_see_each_other():
    """Two sessions with one file name keep their own texts."""
    one = load(Session(), [("data.txt", b"AAAA", "text/plain")])
    two = load(Session(), [("data.txt", b"BBBBBBBB", "text/plain")])
    assert one.run().test.session_state["uploaded"].corpus.documents[0].text == "AAAA"
    assert two.run().test.session_state["uploaded"].corpus.documents[0].text == "BBBBBBBB"
    assert "uploaded" not in Session().test.session_state
    shared = _shared_board()
    held = one.test.session_state["uploaded"].corpus.digest
    assert all(held not in repr(key) for key in shared._jobs)


def test_a_corpus_without_headings_still_shows_its_cuts():
    """Nothing can be scored, which is said, and every page runs."""
    session = load(Session(), [("one.txt", b"x", "text/plain")])
    for page in ("tune", "boundaries", "trade_offs", "queries", "corpus"):
        assert session.go(page).sound(), page
    assert session.go("tune").says("Nothing can be scored yet")


def test_names_and_texts_never_become_markup():
    """A name full of Markdown marks is shown escaped in notices."""
    session = Session({"corpus": "upload", "files": "$x$ **b** [l](http://x) <b>"})
    shown = next(t for t in session.texts() if "The link was made with" in t)
    assert "\\$x\\$ \\*\\*b\\*\\* \\[l\\]\\(http\\://x\\) \\<b\\>" in shown
