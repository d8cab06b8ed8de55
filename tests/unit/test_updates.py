"""Edits and what they cost, keys of versions, chunks and texts, and exported rows."""

import hashlib
import io
import json
import os
import subprocess
import sys
from collections import Counter

import pytest
from pyarrow import parquet

from overlapkit.chunkers import CHUNKERS, ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.errors import InputError, SettingsError
from overlapkit.structure import blocks
from overlapkit.updates import (
    EDIT_KINDS,
    Edit,
    apply_edit,
    change_set,
    chunk_id,
    chunked,
    compare_work,
    draw_edits,
    embedding_key,
    export_jsonl,
    export_parquet,
    export_rows,
    setting_key,
    snapshot,
    update_work,
    version_of,
)
from overlapkit.updates.sentences import month_sentence, work_sentence

ALPHABET = Document("a.txt", "abcdefghijklmnopqrstuvwxyz")
TEN = ChunkSpec(size=10, overlap=0)  # abcdefghij klmnopqrst uvwxyz
PROSE = "The quay opens at nine. It shuts at ten. Nobody waits."
CORPUS = corpus_of([("a.txt", PROSE), ("b.txt", "Boats may moor for free. Dogs are welcome.")])


def insert(at: int, text: str, name: str = "a.txt") -> Edit:
    """Return an insertion."""
    return Edit(name, "insert", at, at, text)


def digest(data: bytes) -> str:
    """Return the first 128 bits of a SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


def after(edit: Edit, document: Document = ALPHABET, spec: ChunkSpec = TEN):
    """Return what became of a document's chunks after an edit."""
    return change_set(chunked(document, spec), chunked(apply_edit(document, edit), spec))


# --- edits ----------------------------------------------------------------------------


def test_an_edit_replaces_its_span():
    """What stands before and behind it stays, and so do name and group."""
    document = Document("a.txt", "abcdef", "staff")
    edited = apply_edit(document, Edit("a.txt", "replace", 2, 4, "XYZ"))
    assert edited == Document("a.txt", "abXYZef", "staff")


def test_an_edit_of_another_document_is_refused():
    """An edit is only meant for the document that it names."""
    with pytest.raises(InputError, match=r"one of 'b\.txt'; got 'a\.txt'"):
        apply_edit(ALPHABET, insert(0, "X", "b.txt"))


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (0, 27), (3, 2)])
def test_an_edit_beyond_its_text_is_refused(start, end):
    """A span must lie in the text as it stands."""
    with pytest.raises(InputError, match=r"must lie in 0\.\.26"):
        apply_edit(ALPHABET, Edit("a.txt", "replace", start, end, ""))


def test_kinds_take_turns():
    """Of ten edits of four kinds, each kind has two or three."""
    drawn = Counter(edit.kind for edit in draw_edits(CORPUS, 10))
    assert drawn == {"insert": 3, "delete": 3, "replace": 2, "append": 2}


def test_only_the_kinds_asked_for_are_drawn():
    """Kinds can be left out."""
    assert {edit.kind for edit in draw_edits(CORPUS, 6, kinds=["append", "delete"])} == {
        "append",
        "delete",
    }


def test_a_deleted_sentence_takes_the_spaces_behind_it_along():
    """No double space is left, and a line end stays."""
    corpus = corpus_of([("a.txt", "One is here.  Two is here.\nThree is here.")])
    spans = {(edit.start, edit.end) for edit in draw_edits(corpus, 40, kinds=["delete"])}
    assert spans == {(0, 14), (14, 26), (27, 41)}


def test_a_sentence_is_inserted_before_another_one():
    """The text put in is a sentence of the corpus and a space."""
    starts = {0, 24, 41}
    sentences = {PROSE[a:b] for a, b in blocks(CORPUS.documents[0]).sentences} | {
        "Boats may moor for free.",
        "Dogs are welcome.",
    }
    drawn = [e for e in draw_edits(CORPUS, 20, kinds=["insert"]) if e.document == "a.txt"]
    assert {edit.start for edit in drawn} <= starts
    assert all(edit.end == edit.start for edit in drawn)
    assert {edit.text[:-1] for edit in drawn} <= sentences
    assert {edit.text[-1] for edit in drawn} == {" "}


def test_a_sentence_is_appended_at_the_end():
    """A space parts it from the text, unless white space does already."""
    corpus = corpus_of([("a.txt", PROSE), ("b.txt", PROSE + "\n")])
    ends = {(e.document, e.start, e.text[0] == " ") for e in draw_edits(corpus, 20, 0, ["append"])}
    assert ends == {("a.txt", len(PROSE), True), ("b.txt", len(PROSE) + 1, False)}


def test_a_replaced_sentence_reads_otherwise():
    """A sentence is never replaced by one of the same words."""
    for edit in draw_edits(CORPUS, 40, kinds=["replace"]):
        document = CORPUS.documents[CORPUS.position(edit.document)]
        assert edit.text != document.text[edit.start : edit.end]


def test_edits_are_spread_by_length():
    """Of two documents, one nine times as long, it gets nine edits in ten."""
    corpus = corpus_of([("a.txt", "It rains today. " * 90), ("b.txt", "It snows today. " * 10)])
    drawn = Counter(edit.document for edit in draw_edits(corpus, 100, kinds=["delete"]))
    assert drawn == {"a.txt": 90, "b.txt": 10}


def test_documents_without_sentences_are_passed_over():
    """Code and white space are not edited sentence by sentence."""
    corpus = corpus_of([("a.md", "```\nx = 1\n```\n"), ("b.txt", PROSE), ("c.txt", " \n")])
    assert {edit.document for edit in draw_edits(corpus, 30)} == {"b.txt"}


@pytest.mark.parametrize("texts", [[], [("a.txt", "")], [("a.md", "```\nx\n```")]])
def test_a_corpus_without_sentences_has_no_edits(texts):
    """There is nothing to edit, and the message says so."""
    with pytest.raises(InputError, match="this corpus has none"):
        draw_edits(corpus_of(texts), 1)


def test_a_single_sentence_cannot_be_replaced():
    """There is no other one to take."""
    with pytest.raises(InputError, match=r"reads 'It rains\.'"):
        draw_edits(corpus_of([("a.txt", "It rains.")]), 4)


@pytest.mark.parametrize("count", [0, -1, True, 2.0])
def test_a_count_of_edits_is_a_whole_number_from_1_on(count):
    """Anything else is refused."""
    with pytest.raises(SettingsError, match="number of edits"):
        draw_edits(CORPUS, count)


@pytest.mark.parametrize("kinds", [[], ["move"]])
def test_kinds_must_be_known(kinds):
    """The message lists them."""
    with pytest.raises(SettingsError, match="insert, delete, replace, append"):
        draw_edits(CORPUS, 1, kinds=kinds)


def test_the_seed_decides():
    """The same seed draws the same edits, another one others."""
    assert draw_edits(CORPUS, 20, 1) == draw_edits(CORPUS, 20, 1) != draw_edits(CORPUS, 20, 2)


def test_draws_are_the_same_in_every_process():
    """Nothing depends on the process's own hashes."""
    texts = [("a.txt", PROSE), ("b.txt", "Boats moor for free. Dogs are welcome.")]
    program = (
        "from overlapkit.corpus import corpus_of\n"
        "from overlapkit.updates.edits import draw_edits\n"
        f"print(draw_edits(corpus_of({texts!r}), 20, 7))"
    )
    other = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout == f"{draw_edits(corpus_of(texts), 20, 7)}\n"


def test_known_blocks_are_not_read_again():
    """Edits are those of the blocks that are handed in."""
    parts = [blocks(document) for document in CORPUS.documents]
    assert draw_edits(CORPUS, 20, parts=parts) == draw_edits(CORPUS, 20)


# --- keys -----------------------------------------------------------------------------


def test_a_version_is_a_digest_of_name_group_and_text():
    """Each part goes in with its length in bytes; no group is a dash."""
    assert version_of(Document("a", "né")) == digest(b"8:document1:a-3:n\xc3\xa9")
    assert version_of(Document("a", "n", "x")) == digest(b"8:document1:a1:x1:n")


def test_a_chunk_id_is_a_digest_of_version_reader_setting_and_span():
    """The number of the setting's parts stands before them."""
    spec = ChunkSpec("window", "char", 800, 160)
    state = b"5:chunk1:v6:text 1"
    setting = b"1:87:chunker6:window4:unit4:char4:size3:8007:overlap3:160"
    assert chunk_id("v", "text 1", spec, 5, 17) == digest(state + setting + b"1:52:17")


def test_an_embedding_key_is_a_digest_of_model_and_text():
    """The model comes first, empty where none is named."""
    assert embedding_key("né") == digest(b"4:text0:3:n\xc3\xa9")
    assert embedding_key("n", "m") == digest(b"4:text1:m1:n")


def test_a_lone_surrogate_has_a_key():
    """Texts from JSON may hold one."""
    assert embedding_key("\ud800") == digest(b"4:text0:3:\xed\xa0\x80")


@pytest.mark.parametrize(
    "other",
    [
        Document("ab", "c"),
        Document("a", "bc", "g"),
        Document("a", "bc", ""),
        Document("a", "bc", "-"),
        Document("a", "bd"),
    ],
)
def test_other_documents_are_other_versions(other):
    """Parts do not run together."""
    assert version_of(other) != version_of(Document("a", "bc"))


@pytest.mark.parametrize(
    "other",
    [
        ("w", "text 1", ChunkSpec(), 0, 9),
        ("v", "text 2", ChunkSpec(), 0, 9),
        ("v", "text 1", ChunkSpec(chunker="other"), 0, 9),
        ("v", "text 1", ChunkSpec(unit="word"), 0, 9),
        ("v", "text 1", ChunkSpec(size=801), 0, 9),
        ("v", "text 1", ChunkSpec(overlap=0), 0, 9),
        ("v", "text 1", ChunkSpec(phase=1), 0, 9),
        ("v", "text 1", ChunkSpec(), 1, 9),
        ("v", "text 1", ChunkSpec(), 0, 10),
    ],
)
def test_whatever_moves_a_chunk_changes_its_id(other):
    """Version, reader, every field of the setting, and the span."""
    assert chunk_id(*other) != chunk_id("v", "text 1", ChunkSpec(), 0, 9)


def test_the_encoding_counts_only_where_tokens_do():
    """Characters are the same under every vocabulary, and a percentage is only shown."""

    def of(spec):
        return chunk_id("v", "text 1", spec, 0, 9)

    others = ChunkSpec(encoding="o200k_base"), ChunkSpec(asked_pct=20)
    assert {of(spec) for spec in others} == {of(ChunkSpec())}
    tokens = [ChunkSpec(unit="token", encoding=name) for name in ("cl100k_base", "o200k_base")]
    assert of(tokens[0]) != of(tokens[1])


def test_a_setting_is_written_so_that_people_can_read_it():
    """It is what a store's filter compares."""
    spec = ChunkSpec("window", "token", 200, 40, "o200k_base", phase=2)
    assert setting_key(spec) == (
        "text 1; chunker window; unit token; size 200; overlap 40; encoding o200k_base; phase 2"
    )


def test_equal_texts_have_equal_keys_and_different_ids():
    """A key names a text wherever it stands, an id a place."""
    one, two = snapshot(corpus_of([("a", "x" * 20), ("b", "x" * 10)]), TEN).documents
    assert len({*one.keys, *two.keys}) == 1
    assert len({*one.ids, *two.ids}) == 3


# --- what became of chunks ------------------------------------------------------------


def test_an_insertion_at_the_front_changes_every_fixed_chunk():
    """Xabcdefghi, jklmnopqrs, tuvwxyz: nothing is as it was."""
    found = after(insert(0, "X"))
    assert found.embedded == found.appeared == found.vanished == (0, 1, 2)
    assert found.reused == found.kept == ()


def test_an_append_changes_the_last_chunk_alone():
    """The first two keep text and place, and their vectors."""
    found = after(insert(26, "!"))
    assert (found.embedded, found.appeared, found.vanished) == ((2,), (2,), (2,))
    assert found.reused == found.kept == (0, 1)


def test_a_moved_chunk_is_reused_but_not_kept():
    """Ten characters more in front, and all chunks stay in step."""
    found = after(insert(0, "0123456789"))
    assert (found.embedded, found.appeared, found.vanished) == ((0,), (0,), ())
    assert (found.reused, found.kept) == ((1, 2, 3), ())


def test_with_overlap_an_append_may_only_add():
    """Of 20 characters, 10 to 20 was the last window; 15 to 21 comes behind it."""
    found = after(
        insert(20, "!"), Document("a.txt", ALPHABET.text[:20]), ChunkSpec(size=10, overlap=5)
    )
    assert (found.embedded, found.kept, found.vanished) == ((3,), (0, 1, 2), ())


def test_a_repeated_text_vanishes_only_once():
    """Three equal chunks less one are two: one has vanished, none is embedded."""
    found = after(Edit("a.txt", "delete", 0, 10, ""), Document("a.txt", "x" * 30))
    assert (found.embedded, found.appeared, found.vanished) == ((), (), (2,))


def test_a_new_text_is_embedded_once_however_often_it_stands():
    """Two equal new chunks need one vector."""
    found = after(insert(10, "y" * 20), Document("a.txt", "x" * 10))
    assert (found.embedded, found.appeared, found.reused) == ((1,), (1, 2), (0, 2))


def test_a_stored_text_that_comes_again_is_not_embedded():
    """It has appeared, and its vector is there."""
    found = after(insert(10, "x" * 10), Document("a.txt", "x" * 10))
    assert (found.embedded, found.appeared, found.reused, found.kept) == ((), (1,), (0, 1), (0,))


def test_a_new_version_changes_every_id():
    """Rows of two versions can always be told apart."""
    before, now = chunked(ALPHABET, TEN), chunked(apply_edit(ALPHABET, insert(26, "!")), TEN)
    found = change_set(before, now)
    assert (found.added_ids, found.removed_ids) == (now.ids, before.ids)


def test_the_same_version_changes_nothing():
    """All chunks are kept, and no id comes or goes."""
    found = change_set(chunked(ALPHABET, TEN), chunked(ALPHABET, TEN))
    assert found.kept == (0, 1, 2)
    assert (found.embedded, found.vanished, found.added_ids, found.removed_ids) == ((), (), (), ())


def test_a_change_set_is_one_of_a_single_document():
    """Two documents cannot be two versions of one."""
    with pytest.raises(InputError, match=r"got 'a\.txt' and 'b\.txt'"):
        change_set(chunked(ALPHABET, TEN), chunked(Document("b.txt", "x"), TEN))


# --- work -----------------------------------------------------------------------------


def test_work_is_the_mean_over_edits():
    """Three chunks embedded of three, and one of three: two of three."""
    edits = [insert(0, "X"), Edit("a.txt", "append", 26, 26, "!")]
    found = update_work(Corpus((ALPHABET,)), TEN, edits)
    assert (found.total.edits, found.total.embedded, found.total.chunks) == (2, 2, 3)
    assert (found.total.appeared, found.total.vanished) == (2, 2)
    assert found.total.characters == (27 + 7) / 2
    assert found.total.share == 2 / 3


def test_work_is_told_by_kind():
    """Only kinds that were drawn are there."""
    edits = [insert(0, "X"), Edit("a.txt", "append", 26, 26, "!")]
    found = update_work(Corpus((ALPHABET,)), TEN, edits).by_kind
    assert {kind: work.embedded for kind, work in found.items()} == {"insert": 3, "append": 1}


def test_tokens_are_counted_on_request():
    """Each text on its own, by the vocabulary that is named."""
    edits = [Edit("a.txt", "append", 11, 11, " world")]
    corpus = corpus_of([("a.txt", "hello hello")])
    spec = ChunkSpec(size=6, overlap=0)
    # "hello " is stored already, so that of "hello ", "hello ", "world" the last is embedded.
    assert update_work(corpus, spec, edits).total.tokens is None
    found = update_work(corpus, spec, edits, encoding="cl100k_base").total
    assert (found.embedded, found.characters, found.tokens) == (1, 5, 1)


def test_a_document_that_empties_has_no_share():
    """No chunk is left to be embedded, and all have vanished."""
    found = update_work(Corpus((ALPHABET,)), TEN, [Edit("a.txt", "delete", 0, 26, "")]).total
    assert (found.chunks, found.vanished, found.share) == (0, 3, 0)


def test_a_month_is_so_many_edits_of_the_same_mix():
    """Every mean is multiplied."""
    month = update_work(Corpus((ALPHABET,)), TEN, [insert(0, "X")]).per_month(40)
    assert (month.embedded, month.vanished, month.characters) == (120, 120, 1080)
    assert month.tokens is None


@pytest.mark.parametrize("edits", [-1, float("nan"), float("inf")])
def test_edits_per_month_are_a_number_from_0_on(edits):
    """Anything else is refused."""
    with pytest.raises(SettingsError, match="edits per month"):
        update_work(Corpus((ALPHABET,)), TEN, [insert(0, "X")]).per_month(edits)


def test_settings_are_compared_by_the_same_edits():
    """In windows of one word, a word put in front leaves the others as they are."""
    corpus = corpus_of([("a.txt", "one two three")])
    specs = [ChunkSpec("window", "word", 1, 0), ChunkSpec(size=4, overlap=0)]
    done = []
    found = compare_work(corpus, specs, [insert(0, "No ")], on_edit=done.append)
    assert [work.spec for work in found] == specs
    assert [work.total.embedded for work in found] == [1, 4]
    assert done == [1]


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_work_is_measured_under_every_chunker(chunker):
    """An edit at the end of a document of several chunks leaves its first one."""
    corpus = corpus_of([("a.txt", PROSE)])
    edits = [Edit("a.txt", "append", len(PROSE), len(PROSE), " They left.")]
    found = update_work(corpus, ChunkSpec(chunker, "char", 30, 0), edits).total
    assert 0 < found.embedded < found.chunks


def test_work_needs_an_edit():
    """The mean of nothing is none."""
    with pytest.raises(SettingsError, match="got 0"):
        update_work(CORPUS, TEN, [])


def test_an_edit_must_fit_the_corpus():
    """One of a document that is not there is refused."""
    with pytest.raises(InputError, match=r"'z\.txt'"):
        update_work(CORPUS, TEN, [insert(0, "X", "z.txt")])


def test_work_is_said_in_a_sentence():
    """Means have one digit where they are small."""
    corpus = Corpus((ALPHABET,))
    edits = [insert(0, "X"), insert(10, "X"), Edit("a.txt", "append", 26, 26, "!")]
    work, other = compare_work(corpus, [TEN, ChunkSpec(size=20, overlap=10)], edits)
    assert work_sentence(work, kind="insert") == (
        "Inserting one sentence re-embeds 2.5 of 3 chunks of its document on average."
    )
    assert work_sentence(work, [other], "append") == (
        "Appending one sentence re-embeds 1 of 3 chunks of its document on average under 10 "
        "characters without overlap; 1 of 2 under 20 characters with 10 overlap (50%)."
    )
    assert work_sentence(work) == (
        "One edit of a sentence re-embeds 2 of 3 chunks of its document on average."
    )
    assert work_sentence(work, kind="delete") == "Deleting one sentence was not among the edits."


def test_a_month_is_said_in_a_sentence():
    """Tokens are named where they were counted."""
    work = update_work(Corpus((ALPHABET,)), TEN, [insert(0, "X")])
    assert month_sentence(work, 40) == (
        "40 edits a month embed 120 chunks again (1,080 characters): 100% of the chunks of the "
        "documents edited."
    )
    counted = update_work(CORPUS, TEN, draw_edits(CORPUS, 4), encoding="cl100k_base")
    assert " tokens)" in month_sentence(counted, 1)


# --- rows to export -------------------------------------------------------------------

TEXT = "Intro.\n\n# One\n\nFirst.\n\n## Two\n\nSecond.\n\n# Three\n\nThird.\n"
MARKDOWN = Document("a.md", TEXT, "x")
EIGHT = ChunkSpec(size=8, overlap=0)


def rows_of(document: Document, spec: ChunkSpec = EIGHT, **settings) -> list[dict[str, object]]:
    """Return the exported rows of one document."""
    corpus = Corpus((document,))
    return list(export_rows(corpus, chunk(corpus, spec), spec, **settings))


def test_a_row_says_what_an_index_needs():
    """Ids and keys are those of the functions that make them."""
    first, *_ = rows_of(Document("a.txt", "abcdefghij", "staff"))
    version = version_of(Document("a.txt", "abcdefghij", "staff"))
    assert first == {
        "id": chunk_id(version, "text 1", EIGHT, 0, 8),
        "embedding_key": embedding_key("abcdefgh"),
        "doc": "a.txt",
        "group": "staff",
        "document_version": version,
        "setting": "text 1; chunker window; unit char; size 8; overlap 0",
        "index": 0,
        "start": 0,
        "end": 8,
        "headings": [],
        "text": "abcdefgh",
    }


def test_the_text_can_be_left_out():
    """Its key is there all the same."""
    (row,) = rows_of(Document("a.txt", "abc"), text=False)
    assert "text" not in row
    assert row["embedding_key"] == embedding_key("abc")


def test_headings_are_those_of_sections_that_hold_the_whole_chunk():
    """A chunk that reaches from one section into another has only what both lie in."""
    rows = rows_of(MARKDOWN, ChunkSpec(size=9, overlap=0))
    # One is 8..40, Two is 23..40 within it, and Three is 40..56.
    assert [(row["start"], row["headings"]) for row in rows] == [
        (0, []), (9, ["One"]), (18, ["One"]), (27, ["One", "Two"]), (36, []), (45, ["Three"]),
        (54, ["Three"]),
    ]  # fmt: skip


def test_index_counts_within_a_document():
    """The next document begins at 0 again."""
    corpus = corpus_of([("a", "x" * 16), ("b", ""), ("c", "x" * 9)])
    rows = export_rows(corpus, chunk(corpus, EIGHT), EIGHT)
    assert [(row["doc"], row["index"]) for row in rows] == [
        ("a", 0), ("a", 1), ("c", 0), ("c", 1),
    ]  # fmt: skip


def test_json_lines_hold_any_text():
    """A lone surrogate and a line separator are escaped and come back as they were."""
    corpus = corpus_of([("a.txt", "é\ud800\u2028b")])
    (line,) = export_jsonl(corpus, chunk(corpus, TEN), TEN)
    assert line.endswith("\n")
    assert "\\ud800\\u2028" in line.encode().decode()
    assert json.loads(line)["text"] == "é\ud800\u2028b"


@pytest.mark.parametrize("text", [True, False])
def test_parquet_holds_the_same_rows(text):
    """Columns and values are those of the rows, a missing group included."""
    corpus = Corpus((MARKDOWN, Document("b.txt", "No group.")))
    chunks = chunk(corpus, EIGHT)
    data = export_parquet(corpus, chunks, EIGHT, text=text)
    read = parquet.read_table(io.BytesIO(data))
    assert read.to_pylist() == list(export_rows(corpus, chunks, EIGHT, text=text))


def test_parquet_of_no_chunk_has_its_columns():
    """An empty corpus gives a file that can be read."""
    corpus = corpus_of([("a.txt", "")])
    read = parquet.read_table(io.BytesIO(export_parquet(corpus, chunk(corpus, TEN), TEN)))
    assert (read.num_rows, read.column_names[0]) == (0, "id")


def test_parquet_refuses_what_it_cannot_hold():
    """The message names the document and the way out."""
    corpus = corpus_of([("a.txt", "fine"), ("b.txt", "x\ud800")])
    with pytest.raises(InputError, match=r"surrogate in 'b\.txt': export JSON lines"):
        export_parquet(corpus, chunk(corpus, TEN), TEN)


def test_every_kind_of_edit_has_a_sentence():
    """None is left without words."""
    work = update_work(CORPUS, TEN, draw_edits(CORPUS, 8))
    said = {work_sentence(work, kind=kind).split()[0] for kind in EDIT_KINDS}
    assert said == {"Inserting", "Deleting", "Replacing", "Appending"}
