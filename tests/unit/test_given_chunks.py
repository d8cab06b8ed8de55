"""Chunks of other tools: read, found again in the corpus, or listed with the reason."""

import io
import json

import pyarrow
import pytest
from pyarrow import parquet

from overlapkit.corpus import Corpus, corpus_of
from overlapkit.errors import InputError
from overlapkit.given import GivenChunks, read_chunks
from overlapkit.given.names import DocumentNames
from overlapkit.given.places import MOST_PLACES, MOST_PLACES_OF_A_LETTER, Ask, find_places

QUAY = "The quay opens at nine. "
CORPUS = corpus_of([("a.txt", QUAY), ("b.txt", "It shuts at ten.")])
SPAN = tuple[str, int, int]


def lines(*rows: object) -> bytes:
    """Return rows, given as objects or as raw lines, as JSON lines."""
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def read(*rows: object, corpus: Corpus = CORPUS) -> GivenChunks:
    """Return the chunks of JSON lines."""
    return read_chunks(lines(*rows), corpus)


def spans(found: GivenChunks, corpus: Corpus = CORPUS, *, nested: bool = False) -> list[SPAN]:
    """Return (document, start, end) of each chunk."""
    chunks = found.nested if nested else found.chunks
    columns = (chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist())
    return [(corpus.documents[d].name, a, b) for d, a, b in zip(*columns, strict=True)]


def of_text(text: str, *chunks: str) -> list[tuple[int, int]]:
    """Return the spans of chunks, given by their texts, in a corpus of one document."""
    corpus = corpus_of([("a.txt", text)])
    found = read(*({"text": chunk} for chunk in chunks), corpus=corpus)
    assert found.left_out == ()
    return [(start, end) for _, start, end in spans(found, corpus)]


# --- where a chunk stands -------------------------------------------------------------


def test_offsets_are_taken_as_they_stand():
    """Document, start and end are enough; chunks come sorted, with their ids."""
    found = read(
        {"id": "c", "doc": "b.txt", "start": 3, "end": 8},
        {"id": "b", "doc": "a.txt", "start": 9, "end": 14},
        {"id": "a", "doc": "a.txt", "start": 0, "end": 10},
    )
    assert spans(found) == [("a.txt", 0, 10), ("a.txt", 9, 14), ("b.txt", 3, 8)]
    assert (found.ids, found.left_out) == (("a", "b", "c"), ())
    assert found.corpus == CORPUS.digest


def test_a_text_is_found_in_the_document_it_names():
    """The text alone tells where the chunk begins and ends."""
    found = read({"doc": "a.txt", "text": "quay opens"}, {"doc": "b.txt", "text": " at "})
    assert spans(found) == [("a.txt", 4, 14), ("b.txt", 8, 12)]


def test_a_text_without_a_document_is_looked_for_in_all():
    """Of equal texts the first stands in the first document that holds it."""
    found = read({"id": 1, "text": " at "}, {"id": 2, "text": " at "}, {"id": 3, "text": "shuts"})
    assert spans(found) == [("a.txt", 14, 18), ("b.txt", 3, 8), ("b.txt", 8, 12)]
    assert found.ids == ("1", "3", "2")


def test_a_text_that_names_its_document_goes_before_one_that_does_not():
    """The row without a name gets the place that is left."""
    found = read({"id": 1, "text": " at "}, {"id": 2, "doc": "a.txt", "text": " at "})
    assert dict(zip(found.ids, spans(found), strict=True)) == {
        "2": ("a.txt", 14, 18),
        "1": ("b.txt", 8, 12),
    }


def test_a_start_with_a_text_needs_no_end():
    """The splitters of LangChain give ``start_index`` alone."""
    row = {"page_content": "at", "metadata": {"source": "a.txt", "start_index": 15}}
    assert spans(read(row)) == [("a.txt", 15, 17)]


def test_offsets_that_do_not_fit_the_text_give_way_to_it():
    """Counted in bytes, or lost (-1), they are no reason to lose the chunk."""
    corpus = corpus_of([("a.txt", "\u00e9t\u00e9, the quay opens")])
    found = read({"text": "quay", "start": 11, "end": 15}, corpus=corpus)
    assert spans(found, corpus) == [("a.txt", 9, 13)]
    found = read({"text": "quay", "start": -1}, corpus=corpus)
    assert spans(found, corpus) == [("a.txt", 9, 13)]


def test_offsets_that_count_a_byte_order_mark_are_moved():
    """The stored text does not hold the mark, so all of them are one too large."""
    found = read({"doc": "a.txt", "text": "at", "start": 16, "end": 18})
    assert spans(found) == [("a.txt", 15, 17)]


def test_offsets_stand_where_only_white_space_of_the_text_differs():
    """A stripped text does not take the offsets' spaces away."""
    found = read({"doc": "a.txt", "text": "opens  at", "start": 8, "end": 18})
    assert spans(found) == [("a.txt", 8, 18)]


def test_other_white_space_is_no_hindrance():
    """Runs of it count as one space, and none counts at either end."""
    text = "  One\n\n\ttwo   three.\r\nFour \n"
    assert of_text(text, "One two", "three. Four") == [(2, 11), (14, 26)]
    assert of_text(text, " One  two \n") == [(2, 11)]


def test_an_exact_place_goes_before_one_with_other_white_space():
    """The chunk with one space takes the place that has one."""
    assert of_text("a\nb. a b.", "a b") == [(5, 8)]


def test_other_white_space_serves_only_where_it_gives_more_places():
    """The second of two equal rows does not take the space from the first."""
    rows = [{"id": name, "text": " quay"} for name in ("x", "y")]
    assert spans(read(*rows)) == [("a.txt", 3, 8)]


def test_equal_texts_may_differ_in_white_space_in_their_document():
    """Two chunks of one text need two places, exact or not."""
    assert of_text("a b. a\nb.", "a b.", "a b.") == [(0, 4), (5, 9)]


def test_white_space_alone_can_be_a_chunk():
    """A window of characters may hold nothing else."""
    assert of_text("ab   cd", "ab ", "  ", "cd") == [(0, 3), (3, 5), (5, 7)]


def test_a_row_without_a_document_means_the_only_one():
    """Offsets need no name in a corpus of one document."""
    corpus = corpus_of([("a.txt", QUAY)])
    assert spans(read({"start": 4, "end": 8}, corpus=corpus), corpus) == [("a.txt", 4, 8)]


# --- which of several places ----------------------------------------------------------


def test_repeated_words_keep_their_own_places():
    """Four equal chunks are four spans, not the first one four times."""
    expected = [(0, 4), (5, 9), (10, 14), (15, 19)]
    assert of_text("tock tock tock tock", *["tock"] * 4) == expected
    assert of_text("Go on. Go on. Go on. ", *["Go on."] * 3) == [(0, 6), (7, 13), (14, 20)]


def test_equal_chunks_stand_in_the_order_of_the_file():
    """The first of them has the first place."""
    rows = [{"id": name, "doc": "a.txt", "text": "go"} for name in ("x", "y", "z")]
    found = read(*rows, corpus=corpus_of([("a.txt", "go go go")]))
    assert found.ids == ("x", "y", "z")


def test_overlapping_windows_of_repeated_text_fall_right():
    """Three windows of four letters, two shared, need places that overlap."""
    assert of_text("abababab", "abab", "abab", "abab") == [(0, 4), (2, 6), (4, 8)]


def test_windows_of_a_long_run_share_what_is_usual():
    """Where 120 dashes could be cut anywhere, they are cut as the rest is."""
    text = "".join(f"{n:03} " for n in range(30)) + "-" * 120 + "".join(f" {n}" for n in range(99))
    windows = [(start, min(start + 40, len(text))) for start in range(0, len(text) - 10, 30)]
    assert of_text(text, *(text[a:b] for a, b in windows)) == windows


def test_a_short_chunk_is_not_looked_for_inside_another():
    """The word stands in the first chunk too, but no splitter puts a chunk there."""
    assert of_text("Use it. Use", "Use it. ", "Use") == [(0, 8), (8, 11)]
    assert of_text("Use it. Use", "Use", "Use it. ") == [(0, 8), (8, 11)]


def test_of_what_crosses_a_boundary_and_what_fills_a_gap_the_gap_is_taken():
    """``ab`` stands across the first two chunks, and alone at the end."""
    assert of_text("xa by ab", "xa", "by ", "ab") == [(0, 2), (3, 6), (6, 8)]
    assert of_text("xabyab", "xa", "by", "ab") == [(0, 2), (2, 4), (4, 6)]


def test_what_lies_inside_another_is_no_place_however_little_it_shares():
    """``kl`` ends the second window and shares less with it than windows do."""
    expected = [(0, 8), (4, 12), (13, 15)]
    assert of_text("abcdefghijkl-kl", "abcdefgh", "efghijkl", "kl") == expected


def test_where_every_place_shares_too_much_the_one_that_shares_least_is_taken():
    """One letter with the chunk before it, not two."""
    assert of_text("xxabcyyyabczz", "xxab", "yya", "abc") == [(0, 4), (6, 9), (8, 11)]


def test_texts_keep_out_of_chunks_with_offsets():
    """And a chunk that its text puts around one with offsets keeps others out."""
    corpus = corpus_of([("a.txt", "go in it. go in it. go in it. it")])
    found = read(
        *({"start": start, "end": start + 2} for start in (3, 13)),
        *({"text": text} for text in ("go in it.", "go in it.", "it")),
        corpus=corpus,
    )
    placed = [(start, end) for _, start, end in spans(found, corpus)]
    assert placed == [(0, 9), (13, 15), (16, 18), (20, 29)]
    found = read({"start": 0, "end": 9}, {"text": "in"}, corpus=corpus)
    assert spans(found, corpus)[1] == ("a.txt", 13, 15)


def test_the_longest_of_those_that_could_stand_elsewhere_chooses_first():
    """Then the shorter one is not looked for inside it."""
    assert of_text("Yes no. Yes no. Yes", "Yes", "Yes no.") == [(0, 7), (8, 11)]
    assert of_text("abcab", "ab", "ca", "b") == [(0, 2), (2, 4), (4, 5)]


def test_a_shuffled_file_gives_the_same():
    """Nothing but the order of equal chunks comes from the order of the file."""
    text = "Use it. No use. Use it again. No use. End"
    parts = ["Use it. ", "No use. ", "Use it again. ", "No use. ", "End"]
    expected = of_text(text, *parts)
    assert expected == [(0, 8), (8, 16), (16, 30), (30, 38), (38, 41)]
    assert of_text(text, *reversed(parts)) == expected
    assert of_text(text, *sorted(parts)) == expected


def test_more_equal_chunks_than_places_share_the_last():
    """The second one is listed, not lost."""
    found = read({"id": 1, "text": "quay"}, {"id": 2, "text": "quay"})
    assert (spans(found), found.nested_ids) == ([("a.txt", 4, 8)], ("2",))


def test_equal_texts_of_two_documents_are_chunks_of_both():
    """Four chunks with four ids of their own, made of document and span."""
    corpus = corpus_of([(name, "same text twenty chr") for name in ("a/readme.md", "b/readme.md")])
    halves = ["same text ", "twenty chr"]
    named = [{"source": d.name, "text": half} for d in corpus.documents for half in halves]
    expected = (
        "a/readme.md#0-10", "a/readme.md#10-20", "b/readme.md#0-10", "b/readme.md#10-20",
    )  # fmt: skip
    assert read(*named, corpus=corpus).ids == expected
    unnamed = [{"text": row["text"]} for row in named]
    assert read(*unnamed, corpus=corpus).ids == expected


def test_joined_text_is_a_slice_of_the_document_or_nothing():
    """A space less in the chunk is forgiven in no word; a space more is."""
    corpus = corpus_of([("a.txt", "Cost is ($20).  Ask Sr. Bo.\nNow.")])
    found = read({"text": "Cost is ($20). Ask"}, {"text": "Sr. Bo. Now."}, corpus=corpus)
    texts = [found.chunks.text(corpus, index) for index in range(2)]
    assert texts == ["Cost is ($20).  Ask", "Sr. Bo.\nNow."]
    with pytest.raises(InputError, match=r"its text does not stand in 'a\.txt'"):
        read({"text": "Ask Sr.Bo."}, corpus=corpus)


def test_texts_like_formulas_are_texts():
    """What a spreadsheet would run is found like anything else."""
    rows = ["=2*21", "+2", "-3", "@SUM(B2)", "plain"]
    assert of_text("\n".join(rows), *rows) == [(0, 5), (6, 8), (9, 11), (12, 20), (21, 26)]


# --- what a row may look like ---------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        {"chunk_id": "c", "document": "a.txt", "start_offset": 4, "end_offset": 8},
        {"_id": "c", "file": "a.txt", "start_index": 4, "end_index": 8},
        {"ID": "c", "Source": "a.txt", "Start": 4, "End": 8},
        {"id": "c", "doc_id": "a.txt", "start": "4", "end": 8.0},
        {"id": "c", "content": "quay"},
        {"id": "c", "chunk": "quay", "source": None},
        {"id": "c", "page_content": "quay", "metadata": {"source": "a.txt"}},
        {"id": "c", "page_content": "quay", "metadata": '{"source": "a.txt"}'},
        {"id": "c", "text": "quay", "metadata.source": "a.txt"},
        {"id": "c", "payload": {"page_content": "quay", "metadata": {"source": "a.txt"}}},
        {"id_": "c", "text": "quay", "metadata": {"file_name": "a.txt"}, "start_char_idx": 4},
        {"id": "c", "doc_id": "5f1e", "text": "quay", "metadata": {"source": "a.txt"}},
        {"id": "c", "text": "quay", "metadata": {"page": 3}},
    ],
)
def test_usual_names_are_known(row):
    """Columns of splitters and vector stores need no renaming; what is unknown is passed over."""
    found = read(row)
    assert (spans(found), found.ids, found.left_out) == ([("a.txt", 4, 8)], ("c",), ())


def test_one_json_list_gives_its_items():
    """As some tools write it; a row's number is its place in the list."""
    data = json.dumps([{"text": "quay"}, 5, {"text": "shuts"}], indent=1).encode()
    found = read_chunks(data, CORPUS)
    assert spans(found) == [("a.txt", 4, 8), ("b.txt", 3, 8)]
    assert [(one.row, one.reason) for one in found.left_out] == [(2, "a row must be a JSON object")]


def test_a_chunk_without_an_id_is_called_by_document_and_span():
    """As in our TREC files, names percent-encoded where they need it."""
    corpus = corpus_of([("b b%.txt", QUAY)])
    assert read({"text": "quay"}, corpus=corpus).ids == ("b%20b%25.txt#4-8",)


def test_parquet_is_known_by_its_first_bytes():
    """Objects and names with dots are looked into; vectors are not read."""
    table = pyarrow.table(
        {
            "Id": [1, 2],
            "metadata.source": ["a.txt", "b.txt"],
            "text": ["quay", None],
            "embedding": [[0.5] * 8] * 2,
            "metadata": [{"start": None, "end": None}, {"start": 3, "end": 8}],
        }
    )
    found = read_chunks(parquet_of(table), CORPUS)
    assert (spans(found), found.ids) == ([("a.txt", 4, 8), ("b.txt", 3, 8)], ("1", "2"))


def test_whole_numbers_of_parquet_may_have_become_fractions():
    """A column with a gap in it holds 3.0 for 3."""
    table = pyarrow.table(
        {"doc": ["b.txt", "a.txt"], "start": [3.0, None], "end": [8.0, None], "text": ["", "quay"]}
    )
    assert spans(read_chunks(parquet_of(table), CORPUS)) == [("a.txt", 4, 8), ("b.txt", 3, 8)]


def parquet_of(table: pyarrow.Table) -> bytes:
    """Return a table as a Parquet file."""
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def test_damaged_parquet_is_an_error():
    """The message says what to do."""
    with pytest.raises(InputError, match=r"mine cannot be read as Parquet .*write it anew"):
        read_chunks(b"PAR1 and nothing else", CORPUS, "mine")


def test_parquet_without_a_known_column_is_an_error():
    """The message says which names are usual."""
    data = parquet_of(pyarrow.table({"vector": [[0.5]]}))
    with pytest.raises(
        InputError, match=r"no column of a usual name \(id, doc, text, start, end\)"
    ):
        read_chunks(data, CORPUS)


# --- names of documents ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("docs/a.md", "docs/a.md"),
        ("/home/me/docs/a.md", "docs/a.md"),
        ("C:\\texts\\docs\\a.md", "docs/a.md"),
        ("./docs/a.md", "docs/a.md"),
        ("a.md", "docs/a.md"),
        ("docs/a", "docs/a.md"),
        ("a", "docs/a.md"),
        ("a.pdf", "docs/a.md"),
        ("repository/main/guide/start.md", "project/guide/start.md"),
        ("x/readme.md", "readme.md"),
        ("one/b.md", "one/b.md"),
        ("b.md", None),
        ("b", None),
        ("three/b.md", None),
        ("v1.5", "v1.5"),
        ("v1.6", None),
        ("other/start.md", None),
        ("", None),
    ],
)
def test_a_document_is_known_with_and_without_folders_and_extension(name, found):
    """Where more than one could be meant, or the folders contradict, none is."""
    names = [
        "docs/a.md", "project/guide/start.md", "readme.md", "old/readme.md", "one/b.md",
        "two/b.md", "v1.5",
    ]  # fmt: skip
    corpus = corpus_of((name, "x") for name in names)
    at = DocumentNames(corpus).find([name])
    assert (None if at is None else corpus.documents[at].name) == found


def test_a_whole_name_goes_before_one_that_fits_in_part():
    """The id of a document may look like a part of another's name."""
    corpus = corpus_of([("7.md", "x"), ("a.txt", "x")])
    assert DocumentNames(corpus).find(["7", "a.txt"]) == 1


# --- what is left out -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "not valid JSON"),
        ("[1]", "a row must be a JSON object"),
        ("[" * 200_000, "not usable JSON"),
        ({"doc": "c.txt", "text": "quay"}, "no single document of this corpus is called 'c.txt'"),
        ({"doc": "a.txt", "text": "pier"}, "its text does not stand in 'a.txt'"),
        ({"text": "pier"}, "its text does not stand in any document"),
        ({"doc": "a.txt", "start": 20, "end": 25}, "the span 20..25 must lie in 0..24 of 'a.txt'"),
        ({"doc": "a.txt", "start": -1, "end": 5}, "the span -1..5 must lie in 0..24 of 'a.txt'"),
        ({"doc": "a.txt", "start": 5, "end": 4}, "the span 5..4 must lie in 0..24 of 'a.txt'"),
        (
            {"doc": "a.txt", "start": 0, "end": 3, "text": "pier"},
            "the text at 0..3 of 'a.txt' reads 'The', and its own text does not stand in 'a.txt'",
        ),
        ({"doc": "a.txt", "start": 4, "end": 4}, "the chunk is empty"),
        ({"doc": "a.txt", "text": ""}, "the chunk is empty"),
        ({"doc": "a.txt", "text": "\n\n"}, "the chunk is empty"),
        ({"doc": "a.txt", "start": 4}, "a chunk needs start and end, or its text"),
        ({"doc": "a.txt"}, "a chunk needs start and end, or its text"),
        ({"start": 0, "end": 3}, "offsets need a document: name it as `doc`"),
        ({"id": "x", "doc": "a.txt", "start": 9, "end": 14}, "repeats the id of row 1"),
    ],
)
def test_a_row_that_cannot_be_used_is_listed(bad, why):
    """Row, id and reason stand beside the chunks that are used."""
    found = read({"id": "x", "doc": "a.txt", "start": 0, "end": 3}, "", bad)
    assert spans(found) == [("a.txt", 0, 3)]
    (left,) = found.left_out
    assert left.row == 3
    assert left.id == ("x" if isinstance(bad, dict) and "id" in bad else "row 3")
    assert left.reason.startswith(why)


def test_a_chunk_inside_another_is_listed_and_kept_apart():
    """The reason names the chunk that holds it; a run may still bring it."""
    found = read(
        {"id": "in", "doc": "a.txt", "start": 4, "end": 8},
        {"id": "out", "doc": "a.txt", "start": 0, "end": 8},
        {"id": "next", "doc": "a.txt", "start": 5, "end": 14},
    )
    assert (found.ids, found.nested_ids) == (("out", "next"), ("in",))
    assert spans(found, nested=True) == [("a.txt", 4, 8)]
    (left,) = found.left_out
    assert (left.row, left.id) == (1, "in")
    assert left.reason.startswith("lies inside the chunk 'out' at 0..8 of 'a.txt'")


def test_of_equal_spans_the_first_in_the_file_is_the_chunk():
    """The other one has its span."""
    rows = [{"id": name, "doc": "a.txt", "start": 4, "end": 8} for name in ("x", "y")]
    found = read(*rows)
    assert (found.ids, found.nested_ids) == (("x",), ("y",))
    assert found.left_out[0].reason.startswith("has the span of the chunk 'x' at 4..8")


def test_what_is_left_out_stands_in_the_order_of_the_file():
    """Whenever its reason was found."""
    found = read({"text": "pier"}, "{", {"id": "x", "text": "quay"}, {"id": "y", "text": "quay"})
    assert [one.row for one in found.left_out] == [1, 2, 4]


def test_ids_that_cannot_be_printed_are_made_legible_in_the_list():
    """The list is shown; the id of a chunk stays as it is."""
    found = read({"id": "a\tb", "text": "quay"}, {"id": "c\nd", "text": "pier"})
    assert found.ids == ("a\tb",)
    assert found.left_out[0].id == "c_d"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((), "mine holds no usable chunk: it is empty"),
        (("", " "), "mine holds no usable chunk: it is empty"),
        (({"text": "pier"},), "mine holds no usable chunk: row 1: its text does not stand"),
        (("{", {"text": ""}), "mine holds no usable chunk: row 1: not valid JSON"),
    ],
)
def test_a_file_without_a_usable_chunk_is_an_error(rows, why):
    """The first reason stands in the message."""
    with pytest.raises(InputError, match=why):
        read_chunks(lines(*rows), CORPUS, "mine")


def test_a_file_that_is_no_text_is_an_error():
    """The message names the file."""
    with pytest.raises(InputError, match="mine cannot be read as text: holds a PDF"):
        read_chunks(b"%PDF-1.7", CORPUS, "mine")


# --- how much is covered --------------------------------------------------------------


def test_covered_counts_characters_but_no_white_space():
    """Of 19 and 13 letters, 3 + 4 + 5 stand in chunks; overlaps count once."""
    found = read(
        {"doc": "a.txt", "start": 0, "end": 8},
        {"doc": "a.txt", "start": 2, "end": 9},
        {"doc": "b.txt", "start": 2, "end": 8},
    )
    assert found.covered == 12 / 32


def test_all_is_covered_where_there_is_nothing_to_cover():
    """A document of white space has no character that a chunk could miss."""
    corpus = corpus_of([("a.txt", "  \n ")])
    assert read({"start": 1, "end": 3}, corpus=corpus).covered == 1.0


def test_white_space_need_not_be_covered():
    """Chunks without the space between them cover everything."""
    found = read(
        {"doc": "a.txt", "text": "The quay opens"},
        {"doc": "a.txt", "text": "at nine."},
        {"doc": "b.txt", "text": "It shuts at ten."},
    )
    assert found.covered == 1.0


# --- places ---------------------------------------------------------------------------


def test_a_text_is_not_found_across_two_documents():
    """Neither the end of one nor what stands between them belongs to a text."""
    texts = ["ab", "ba", "\0"]
    asks = {Ask(None, text): 1 for text in ("abba", "b\0b", "bb", "\0", "ba")}
    assert [found.tolist() for found in find_places(texts, asks)] == [[], [], [], [6], [3]]


def test_of_a_text_that_stands_nearly_everywhere_the_first_places_are_returned():
    """As many as are asked for, and some more to choose from."""
    asks = {Ask(None, "a"): 5, Ask(0, "ab" * 50): 1}
    found = find_places(["ab" * 15_000], asks)
    assert found[0].tolist() == list(range(0, 2 * (5 + MOST_PLACES_OF_A_LETTER), 2))[:15_000]
    assert found[1].tolist() == list(range(0, 2 * (1 + MOST_PLACES), 2))
