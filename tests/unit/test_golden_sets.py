"""Golden sets in every usual form: tables, JSON, SQuAD, and what is said of those unusable."""

import csv
import io
import json

import pytest

from overlapkit.corpus import corpus_of
from overlapkit.errors import QueryError
from overlapkit.queries import (
    Evidence,
    Query,
    QuerySet,
    heading_queries,
    load_golden,
    preview_golden,
    quoting,
    read_golden,
)
from overlapkit.queries.golden.cells import items_of, read_literal
from overlapkit.queries.golden.columns import NAMES, plain_name
from overlapkit.queries.golden.folding import fold, sought_form

FEES = "The day rate is three.\nThe night rate is five, or six on Sundays."
HOURS = "The quay opens at nine."
CORPUS = corpus_of([("fees.txt", FEES), ("hours.md", HOURS)])
NIGHT = Evidence("fees.txt", 27, 37)
OPENS = Evidence("hours.md", 9, 22)


def table(*rows: list[object], separator: str = ",", ends: str = "\n") -> bytes:
    """Return a CSV file as a program would write it."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=ends).writerows(rows)
    return out.getvalue().encode()


def one(data: bytes | str, **options) -> Query:
    """Return the one question of a set in which every row can be used."""
    found = read_golden(data.encode() if isinstance(data, str) else data, CORPUS, **options)
    assert found.unresolved == ()
    (query,) = found.queries
    return query


def reasons(data: bytes | str, corpus=CORPUS, **options) -> list[tuple[int, str]]:
    """Return (row, reason) of the rows left out."""
    found = read_golden(data.encode() if isinstance(data, str) else data, corpus, **options)
    return [(row.row, row.reason) for row in found.unresolved]


# --- tables ---------------------------------------------------------------------------

HEADING = ["id", "question", "evidence", "doc"]
ROW = ["1", "Which rate, day or night?", "night rate", "fees.txt"]
READ = Query("1", "Which rate, day or night?", (NIGHT,))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends_are_told(separator, ends):
    """A comma within a text parts nothing where another separator does."""
    assert one(table(HEADING, ROW, separator=separator, ends=ends)) == READ
    assert preview_golden(table(HEADING, ROW, separator=separator)).columns == tuple(HEADING)


def test_an_unquoted_export_with_semicolons():
    """What a European spreadsheet writes is read like what others write."""
    assert one("id;question;evidence;doc\n1;Which rate, day or night?;night rate;fees\n") == READ


def test_the_separator_is_not_told_by_what_stands_in_quotation_marks():
    """A name of a column may hold more separators than part the columns."""
    data = 'question;evidence;"of (a, b, c, d, e)"\nWhen?;night rate;x\n'
    assert preview_golden(data.encode()).columns == ("question", "evidence", "of (a, b, c, d, e)")
    assert one(data).evidence == (NIGHT,)


def test_the_separator_is_the_one_that_gives_known_columns():
    """Commas outnumber semicolons in this heading, and name nothing."""
    data = "question;evidence, as quoted, in full;doc\nWhen?;night rate;fees.txt\n"
    found = preview_golden(data.encode())
    assert found.columns == ("question", "evidence, as quoted, in full", "doc")


def test_a_spreadsheet_may_say_the_separator():
    """The line that says it is no row, and the heading is row 1."""
    data = "sep=;\nquestion;evidence\nWhen?;night rate\nWhy?;nowhere\n"
    assert [row for row, _ in reasons(data)] == [3]


def test_a_byte_order_mark_is_no_part_of_a_column_s_name():
    """Nor are the quotation marks behind it."""
    data = b'\xef\xbb\xbf"id","question","evidence","doc"\r\n"1","rate?","five","fees.txt"\r\n'
    assert preview_golden(data).columns == ("id", "question", "evidence", "doc")
    assert one(data) == Query("1", "rate?", (Evidence("fees.txt", 41, 45),))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_in_its_own_encoding(encoding):
    """Whatever a spreadsheet saves."""
    text = "question\tevidence\nWas kostet das Café über Nacht – fünf €?\tnight rate\n"
    assert one(text.encode(encoding)).text == "Was kostet das Café über Nacht – fünf €?"


def test_a_cell_may_hold_line_breaks_and_quotation_marks():
    """Doubled quotation marks are one; a row may take several lines."""
    corpus = corpus_of([("a.txt", 'He said\n"so", twice.')])
    data = table(["question", "evidence"], ["Who?", 'He said\n"so", twice.'], ["", ""])
    assert read_golden(data, corpus).queries[0].evidence == (Evidence("a.txt", 0, 20),)


def test_a_cell_may_be_very_long():
    """The standard reader's limit of 131,072 characters is no limit here."""
    corpus = corpus_of([("a.txt", "b " + "a" * 140_000)])
    data = b"id,question,evidence,doc\n1,long?," + b"a" * 140_000 + b",a.txt\n"
    (query,) = read_golden(data, corpus).queries
    assert query.evidence == (Evidence("a.txt", 2, 140_002),)


def test_very_long_evidence_that_is_not_quite_there_is_found_or_said():
    """200,000 characters are folded, found, and missed, like 20."""
    text = " ".join(f"word{number}" for number in range(20_000))
    assert len(text) > 180_000
    corpus = corpus_of([("a.txt", text)])
    data = table(["question", "evidence"], ["a?", text.upper().replace(" ", "\n")])
    assert read_golden(data, corpus).queries[0].evidence == (Evidence("a.txt", 0, len(text)),)
    data = table(["question", "evidence"], ["a?", "word1 word2"], ["b?", text + " other"])
    (row,) = read_golden(data, corpus).unresolved
    assert row.nearest.startswith("word0 word1 ")


def test_rows_are_counted_as_a_spreadsheet_counts_them():
    """The heading is row 1; a blank line counts, and is no row; an empty row is one."""
    data = "\nquestion,evidence\n\nWhen?,nowhere\n,\nWhy?,night rate\n,\n,\n"
    assert [row for row, _ in reasons(data)] == [4, 5]


def test_a_row_without_an_id_is_called_by_its_row():
    """The number is the one its line is listed under."""
    assert one("question,evidence\nWhen?,night rate\n").id == "row 2"


def test_missing_cells_at_the_end_are_blank_and_surplus_ones_are_said():
    """A text with a comma and no quotation marks would lose its end."""
    data = "question,evidence,doc\nWhen?,night rate\nWhy?,night rate, or not,fees.txt\n"
    ((row, reason),) = reasons(data)
    assert (row, reason.split(":")[0]) == (3, "the row has 4 cells where the heading has 3")


def test_a_quotation_mark_that_is_not_closed_is_said():
    """It takes in the rows behind it, which cannot be told apart any more."""
    data = 'question,evidence\nWhen?,night rate\nWhy?,"day rate\nWho?,five\n'
    assert reasons(data) == [
        (3, "a quotation mark is opened in this row and not closed: close it, or double it")
    ]
    with pytest.raises(QueryError, match="opened in the heading and not closed"):
        read_golden(b'"question,evidence\nWhen?,night rate\n', CORPUS)


def test_columns_without_a_name_of_their_own_are_numbered():
    """No cell is lost to another of the same name."""
    data = b",question,question,evidence\n0,When?,x,night rate\n"
    names = ("column 1", "question", "question (3)", "evidence")
    assert preview_golden(data).columns == names
    assert one(data).text == "When?"


def test_a_quotation_mark_within_a_cell_is_a_character():
    """Inches are no quotation."""
    assert one('question,evidence\nA 5" pipe?,night rate\n').text == 'A 5" pipe?'


def test_an_id_on_two_questions_keeps_both_and_reports_the_repeat():
    """No row replaces another, and none counts twice."""
    corpus = corpus_of([("a.txt", "three by day, five by night")])
    data = (
        b"id,question,evidence,doc\n"
        b"7,day rate?,three,a.txt\n7,night rate?,five,a.txt\n7,night rate?,five,a.txt\n"
    )
    found = read_golden(data, corpus)
    assert [(query.id, query.text) for query in found] == [
        ("7", "day rate?"),
        ("7#2", "night rate?"),
    ]
    assert [(row.row, row.reason) for row in found.unresolved] == [
        (4, "repeats the question with id '7'")
    ]


def test_a_row_without_id_is_a_repeat_where_all_else_is_equal():
    """The same question of another document is no repeat."""
    data = "question,evidence\nRate?,night rate\nRate?,night rate\nRate?,opens at nine\n"
    assert reasons(data) == [(3, "repeats the question with id 'row 2'")]


# --- evidence -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        {"doc": "fees.txt", "start": 27, "end": 37},
        {"file": "fees", "start_index": "27", "end_index": "37"},
        {"evidence": "night rate"},
        {"evidence": "night rate", "doc": "fees.txt"},
        {"evidence": ["night rate"]},
        {"evidence": '["night rate"]'},
        {"evidence": "['night rate']"},
        {"evidence": {"text": "night rate"}},
        {"evidence": [{"doc": "fees.txt", "start": 27, "end": 37}]},
        {"evidence": [{"text": "night rate"}], "doc": "fees"},
        {"evidence": "[{'document': 'fees', 'content': 'night rate', 'start_index': None}]"},
        {"evidence": ["night rate", "", None], "doc": ""},
        {"doc": ["fees.txt"], "start": [27], "end": [37]},
        {"doc": "fees.txt", "start": "[27]", "end": "[37]"},
    ],
)
def test_evidence_is_given_in_many_ways(row):
    """By offsets, by text in a document, by text anywhere; alone or in a list."""
    data = json.dumps({"question": "Rate?"} | row)
    assert one(data).evidence == (NIGHT,)
    if all(isinstance(cell, (str, int)) for cell in row.values()):
        assert one(table(["question", *row], ["Rate?", *row.values()])).evidence == (NIGHT,)


def test_several_spans_stand_in_lists_of_one_length():
    """Starts, ends and documents go together one by one; one document holds for all."""
    row = {"question": "Rate?", "doc": "fees.txt", "start": "[27, 4]", "end": "[37, 8]"}
    assert [span.start for span in one(json.dumps(row)).evidence] == [27, 4]
    lists = row | {"doc": ["fees.txt", "hours.md"]}
    assert [span.document for span in one(json.dumps(lists)).evidence] == ["fees.txt", "hours.md"]
    bad = json.dumps(row | {"end": 37}) + "\n" + json.dumps({"question": "x", "evidence": "five"})
    ((_, reason),) = reasons(bad)
    assert reason.startswith("the row has 0 texts, 2 starts, 1 ends and 1 documents")


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("plain", ["plain"]),
        ("[1] see below", ["[1] see below"]),
        ("[1]", ["[1]"]),
        ("[Note] it's so", ["[Note] it's so"]),
        ('["a", "b"]', ["a", "b"]),
        ("['it\\'s', \"so\\n\", '\\u00e9\\x41']", ["it's", "so\n", "éA"]),
        ("['a'\n 'b' \"c\"]", ["a", "b", "c"]),
        ("array(['a', 'b'], dtype=object)", ["array(['a', 'b'], dtype=object)"]),
        ("[{'text': 'a', 'start': 1, 'own': True, 'x': nan}]", None),
        ("['open", ["['open"]),
        ("[]", []),
        ("  ", []),
        (None, []),
        (float("nan"), []),
    ],
)
def test_a_cell_holds_a_text_or_a_list(cell, items):
    """JSON, what pandas and numpy write of a list, and plain text in brackets."""
    expected = items or [{"text": "a", "start": 1, "own": True, "x": None}] * (items is None)
    assert items_of(cell) == expected


def test_a_data_frame_s_answers_are_read():
    """Arrays within a cell are lists."""
    cell = "{'text': array(['a (b)'], dtype=object), 'answer_start': array([5], dtype=int32)}"
    assert read_literal(cell) == {"text": ["a (b)"], "answer_start": [5]}


def test_a_text_that_reads_like_an_object_is_a_text():
    """Code may be evidence."""
    corpus = corpus_of([("a.md", 'Send {"rate": 5} to it.')])
    row = json.dumps({"question": "What?", "evidence": '{"rate": 5}'})
    assert read_golden(row.encode(), corpus).queries[0].evidence == (Evidence("a.md", 5, 16),)


# --- need -----------------------------------------------------------------------------


def test_one_piece_is_enough_unless_a_row_says_otherwise():
    """In any case and with blanks around."""
    data = table(
        ["question", "evidence", "need"],
        ["a?", '["night rate", "five"]', ""],
        ["b?", '["night rate", "five"]', " ALL "],
        ["c?", '["night rate", "five"]', "any"],
        ["d?", '["night rate", "five"]', "some"],
    )
    found = read_golden(data, CORPUS)
    assert [query.need for query in found] == ["any", "all", "any"]
    assert found.unresolved[0].reason == "need must be any or all; got 'some'"


def test_need_can_be_set_for_every_row():
    """What a row says gives way."""
    row = {"question": "a?", "evidence": ["night rate", "five"], "need": "any"}
    assert one(json.dumps(row), need="all").need == "all"
    with pytest.raises(QueryError, match="need must be any or all; got 'both'"):
        read_golden(json.dumps(row).encode(), CORPUS, need="both")


# --- forms of others ------------------------------------------------------------------


def test_chroma_s_table_of_questions_is_read():
    """All of several references are needed; the corpus names the document."""
    references = [
        {"content": "night rate", "start_index": 27, "end_index": 37},
        {"content": "day rate", "start_index": 4, "end_index": 12},
    ]
    data = table(
        ["question", "references", "corpus_id"],
        ["Rates?", json.dumps(references), "fees"],
        ["Rate?", json.dumps(references[:1]), "fees"],
    )
    first, second = read_golden(data, CORPUS).queries
    assert (first.need, first.evidence) == ("all", (NIGHT, Evidence("fees.txt", 4, 12)))
    assert second.evidence == (NIGHT,)


def squad(**answers) -> dict[str, object]:
    """Return SQuAD's form of one question of a text that the corpus holds between others."""
    context = "The night rate is five, or six\non Sundays."
    question = {"id": "s1", "question": "Rate?"} | answers
    return {"version": "2", "data": [{"title": "F", "paragraphs": [
        {"context": context, "qas": [question, {"id": "s2", "question": "x", "answers": [
            {"text": "night rate", "answer_start": 4}]}]}]}]}  # fmt: skip


def test_squad_s_answers_are_alternatives_within_their_context():
    """Offsets count in the context; equal answers are one."""
    answers = [
        {"text": "five", "answer_start": 18},
        {"text": "six", "answer_start": 27},
        {"text": "five", "answer_start": 18},
    ]
    first, second = read_golden(json.dumps(squad(answers=answers)).encode(), CORPUS).queries
    assert [FEES[span.start : span.end] for span in first.evidence] == ["five", "six"]
    assert (first.id, first.need, first.answer) == ("s1", "any", "five")
    assert second.evidence == (NIGHT,)


def test_an_answer_is_the_one_at_its_offset():
    """A word that stands in the context several times is meant where it is said to stand."""
    context = "rate by day, rate by night"
    corpus = corpus_of([("a.txt", f"rate. RATE  by day,\nrate by night. {context[:4]}")])
    qas = [{"question": "?", "answers": [{"text": "rate", "answer_start": 13}]}]
    data = json.dumps({"data": [{"paragraphs": [{"context": context, "qas": qas}]}]})
    assert read_golden(data.encode(), corpus).queries[0].evidence == (Evidence("a.txt", 20, 24),)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"is_impossible": True, "answers": []}, "does not answer it (is_impossible)"),
        ({"answers": []}, "no answer is given"),
        ({"answers": [{"text": "seven", "answer_start": 3}]}, "and 0 times in its context"),
        ({"answers": [{"text": "i", "answer_start": 999}]}, "times in its context: correct"),
        ({"answers": [{"text": " ", "answer_start": 3}]}, "the answer is empty"),
    ],
)
def test_a_squad_question_without_a_place_is_listed(change, why):
    """It is not scored, and counted from 1 over all paragraphs."""
    ((row, reason),) = reasons(json.dumps(squad(**change)))
    assert row == 1
    assert why in reason


def test_an_answer_with_a_wrong_offset_is_found_where_it_stands_once():
    """The text decides, as it does elsewhere."""
    data = json.dumps(squad(answers=[{"text": "six", "answer_start": 1}]))
    first = read_golden(data.encode(), CORPUS).queries[0]
    assert [FEES[span.start : span.end] for span in first.evidence] == ["six"]


def test_a_context_that_is_not_in_the_corpus_is_said():
    """Its answers may stand elsewhere, and would not be the same."""
    data = json.dumps(squad(answers=[{"text": "five", "answer_start": 18}]))
    texts = [("a.txt", "five"), ("b.txt", "night rate")]
    with pytest.raises(QueryError, match="is not found in any document"):
        read_golden(data.encode(), corpus_of(texts))


@pytest.mark.parametrize("as_text", [False, True])
def test_flat_squad_rows_are_read(as_text):
    """As data sets of rows hold them, each with its context and lists of answers."""
    answers = {"text": ["five"], "answer_start": [18]}
    row = {
        "id": "h1",
        "context": "The night rate is five, or six on Sundays.",
        "question": "Rate?",
        "answers": str(answers) if as_text else answers,
    }
    query = one(json.dumps(row))
    assert (query.id, query.evidence) == ("h1", (Evidence("fees.txt", 41, 45),))
    assert one(table(list(row), [str(cell) for cell in row.values()])) == query


@pytest.mark.parametrize(
    ("question", "evidence", "answer"),
    [
        ("user_input", "reference_contexts", "reference"),
        ("question", "ground_truth_contexts", "ground_truth"),
        ("Query", "Contexts", "Answer"),
        ("userInput", "retrievedContexts", "expected output"),
        ("question", "contexts", "ground_truths"),
    ],
)
@pytest.mark.parametrize("cell", ['["night rate"]', "['night rate']", "night rate"])
def test_tables_of_rag_evaluation_are_read(question, evidence, answer, cell):
    """Their contexts are found in the corpus; their reference is the answer."""
    query = one(table([question, evidence, answer], ["Rate?", cell, "five"]))
    assert (query.text, query.evidence, query.answer) == ("Rate?", (NIGHT,), "five")


def test_reference_contexts_go_before_what_was_retrieved():
    """What a retriever returned is evidence only where nothing better is given."""
    heading = ["user_input", "retrieved_contexts", "reference_contexts", "response"]
    assert one(table(heading, ["Rate?", "['five']", "['night rate']", "x"])).evidence == (NIGHT,)


def test_hops_are_all_needed():
    """The marks before the texts of a question of several hops are no part of them."""
    contexts = ["<1-hop>\n\nnight rate", "<2-hop>\n\nopens at nine"]
    query = one(json.dumps({"user_input": "Both?", "reference_contexts": contexts}))
    assert (query.need, query.evidence) == ("all", (NIGHT, OPENS))


@pytest.mark.parametrize(
    "data",
    [
        [{"question": "Rate?", "evidence": "night rate"}],
        {"rows": [{"question": "Rate?", "evidence": "night rate"}], "version": 1},
        {"a": [{"x": 1}], "b": [{"question": "Rate?", "evidence": "night rate"}]},
        {"question": ["Rate?"], "evidence": ["night rate"], "name": "x"},
        {"question": {"0": "Rate?"}, "evidence": {"0": ["night rate"]}},
        {"question": "Rate?", "evidence": "night rate"},
    ],
)
def test_json_holds_rows_in_several_ways(data):
    """A list, an object of one list of rows, columns as data frames are written, one row."""
    assert one(json.dumps(data, indent=2)).evidence == (NIGHT,)


def test_rows_of_a_json_list_are_counted_from_one():
    """Whatever line they stand on."""
    data = json.dumps(
        [{"question": "a", "evidence": "five"}, 5, {"question": "b", "evidence": "z"}], indent=2
    )
    assert [row for row, _ in reasons(data)] == [2, 3]


def test_line_breaks_within_a_json_text_do_not_matter():
    """Written by hand, they are read as they stand."""
    assert one('[{"question": "a\nb", "evidence": "night\nrate"}]').text == "a\nb"


def test_answer_and_tag_may_be_lists_or_numbers():
    """The first answer is taken, and all tags."""
    row = {"question": "a?", "evidence": "five", "answer": ["5", "five"], "tags": ["x", "y"]}
    query = one(json.dumps(row))
    assert (query.answer, query.tag) == ("5", "x, y")
    assert one(json.dumps(row | {"answer": 5, "tags": 7})).answer == "5"


# --- columns by hand ------------------------------------------------------------------

FOREIGN = table(["Nr", "Frage", "Beleg", "Datei"], ["9", "Satz?", "night rate", "fees.txt"])
BY_HAND = {"question": "Frage", "evidence": "Beleg", "document": "datei", "id": "Nr"}


def test_columns_can_be_set_by_hand():
    """Names are taken as given, case aside; other roles are guessed."""
    query = one(FOREIGN, columns=BY_HAND)
    assert query == Query("9", "Satz?", (NIGHT,))


def test_a_role_set_to_no_column_is_not_guessed():
    """A column that would be taken for it is left alone."""
    data = table(["question", "evidence", "source"], ["Rate?", "night rate", "https://x.y"])
    assert one(data, columns={"document": ""}).evidence == (NIGHT,)
    with pytest.raises(QueryError, match=r"no document is called 'https://x\.y'"):
        read_golden(data, CORPUS)


def test_a_column_set_by_hand_is_not_guessed_for_another_role():
    """What is taken as evidence is no answer too, unless that is said."""
    data = table(["question", "answer"], ["Rate?", "night rate"])
    query = one(data, columns={"evidence": "answer"})
    assert (query.evidence, query.answer) == ((NIGHT,), None)
    assert one(data, columns={"evidence": "answer", "answer": "answer"}).answer == "night rate"


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (None, "mine has no column of questions: its columns are 'Nr', 'Frage', 'Beleg', 'Datei'"),
        ({"question": "Frage"}, "mine has no column of evidence, nor of start and end: its col"),
        (BY_HAND | {"tag": "Art"}, "mine has no column 'Art' to take the tag from: its columns"),
        (BY_HAND | {"title": "Nr"}, "a column's role must be one of question, evidence, document"),
    ],
)
def test_columns_that_cannot_be_used_are_an_error(columns, why):
    """The message names the columns there are."""
    with pytest.raises(QueryError) as raised:
        read_golden(FOREIGN, CORPUS, "mine", columns=columns)
    assert str(raised.value).startswith(why)


def test_every_usual_name_stands_for_one_role():
    """The table of names holds each once, as names are compared."""
    names = [name for usual in NAMES.values() for name in usual]
    assert len(set(names)) == len(names)
    assert [plain_name(name) for name in names] == names


def test_options_reach_a_file(tmp_path):
    """A path is read like bytes."""
    path = tmp_path / "mine.csv"
    path.write_bytes(FOREIGN)
    found = load_golden(path, CORPUS, need="all", columns=BY_HAND)
    assert (found.source, found.queries[0].need) == ("mine.csv", "all")


# --- preview --------------------------------------------------------------------------


def test_a_preview_shows_form_columns_roles_and_rows():
    """The first five rows, as texts, and how many there are."""
    rows = [[str(number), f"q{number}", "x", "fees.txt"] for number in range(7)]
    found = preview_golden(table(["id", "question", "evidence", "File name"], *rows, separator=";"))
    assert found.form == "CSV, separated by semicolons"
    assert found.columns == ("id", "question", "evidence", "File name")
    assert found.roles == {
        "id": "id",
        "question": "question",
        "evidence": "evidence",
        "document": "File name",
    }
    assert found.rows == tuple(map(tuple, rows[:5]))
    assert found.records == 7


@pytest.mark.parametrize(
    ("data", "form"),
    [
        ("question,evidence\na,b\n", "CSV, separated by commas"),
        ('{"question": "a"}\n{"question": "b"}\n', "JSON lines"),
        ('{"question": "a"}', "JSON lines"),
        ('[{"question": "a"}]', "JSON"),
        (json.dumps(squad(answers=[])), "SQuAD"),
        ("[" + json.dumps(squad(answers=[])["data"][0]) + "]", "SQuAD"),
    ],
)
def test_the_form_is_told_by_content(data, form):
    """No file name is needed."""
    assert preview_golden(data.encode()).form == form


def test_a_preview_shows_lists_half_characters_and_long_texts():
    """All as texts that a page can show."""
    data = '[{"question": "\\ud800", "evidence": ["é"], "answer": null, "x": "%s"}]' % ("y" * 600)
    ((question, evidence, answer, long),) = preview_golden(data.encode()).rows
    assert (question, evidence, answer) == ("?", '["é"]', "")
    assert long == "y" * 499 + "…"


@pytest.mark.parametrize(
    "data", [b"", b" \n ", b"%PDF-1.7 x", b"\x00\x01\x02\x03" * 9, b'{"a": 1}']
)
def test_what_holds_no_rows_is_an_error_with_one_sentence(data):
    """Reading says so, and a preview shows nothing or says so."""
    with pytest.raises(QueryError) as raised:
        read_golden(data, CORPUS, "mine")
    assert str(raised.value).startswith("mine")
    assert "\n" not in str(raised.value)


# --- hostile rows ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('{"question": "a", "evidence": ["\\ud800 x"]}', "is not found in any document"),
        ('{"question": "a", "evidence": "five", "answer": "\\udc00"}', "the answer holds half"),
        ('{"question": "a", "evidence": "five", "tag": "\\udc00"}', "the tag holds half"),
        ('{"question": "a", "evidence": "\\u0000"}', "is not found in any document"),
        ('{"question": "a", "evidence": [5]}', "must be an object with doc, start and end, or"),
        ('{"question": "a", "evidence": [[5]]}', "got a list"),
        ('{"question": "a", "evidence": [{"x": 5}]}', "must hold doc, start and end, or a text"),
        ('{"question": "a", "evidence": [{"doc": [1], "start": 0, "end": 1}]}', "called a list"),
        ('{"question": "a", "evidence": [{"doc": "fees", "start": [1], "end": 1}]}', "numbers"),
        ('{"question": "a", "doc": "fees", "start": 1e400, "end": 5}', "must be whole numbers"),
        ('{"question": "a", "doc": "fees", "start": NaN, "end": 5}', "must be whole numbers"),
        ('{"question": "a", "doc": "fees", "start": 0, "end": %s}' % ("9" * 4000), "must lie in"),
        ('{"question": "a", "doc": "fees", "start": 0, "end": "%s"}' % ("9" * 99), "whole num"),
        ('{"question": "a", "evidence": "five", "need": {"x": 1}}', "got an object"),
        ('{"question": ["a"], "evidence": "five"}', "the question is missing or empty"),
        ('{"question": "a", "evidence": {}}', "must hold doc, start and end, or a text"),
        ('{"question": "a", "evidence": "—"}', "is not found"),
        (f'{{"question": "a", "evidence": {"[" * 900}1{"]" * 900}}}', "got a list"),
    ],
)
def test_a_hostile_row_is_listed_with_one_sentence(row, why):
    """Whatever it holds, the rows beside it are read."""
    data = f'{row}\n{{"question": "good", "evidence": "five"}}\n'
    ((number, reason),) = reasons(data)
    assert number == 1
    assert why in reason
    assert "\n" not in reason
    assert len(reason) < 300


def test_nul_in_a_table_is_a_character():
    """It is kept in a question and passed over in evidence."""
    query = one("question,evidence\nWhat\0 for?,night\0 rate\n")
    assert (query.text, query.evidence) == ("What\0 for?", (NIGHT,))


def test_an_id_of_any_sort_is_legible():
    """Numbers are ids, objects are none."""
    rows = [{"id": 1.5}, {"id": "a\nb"}, {"id": {"x": 1}}, {"id": ""}]
    data = "\n".join(
        json.dumps({"question": f"q{number}", "evidence": "five"} | row)
        for number, row in enumerate(rows)
    )
    found = read_golden(data.encode(), CORPUS)
    assert [query.id for query in found] == ["1.5", "a_b", "row 3", "row 4"]


def test_deeply_nested_cells_are_passed_over():
    """Where a text is expected, a list of lists of lists is none."""
    deep = "[" * 900 + "1" + "]" * 900
    data = f'{{"question": "a", "evidence": "five", "answer": {deep}, "tag": {deep}, "id": {deep}}}'
    query = one(data)
    assert (query.id, query.answer, query.tag) == ("row 1", None, None)
    assert len(preview_golden(data.encode()).rows[0]) == 5


def test_a_broken_json_file_is_named_by_its_line():
    """Not by every line of it."""
    data = b'[\n {"question": "a",\n  "evidence": }\n]'
    with pytest.raises(QueryError, match=r"mine holds no usable question: row 3: not valid JSON"):
        read_golden(data, CORPUS, "mine")


def test_an_object_of_several_lists_is_ambiguous():
    """The message names them."""
    with pytest.raises(QueryError, match=r"this one holds several \('a', 'b'\)"):
        read_golden(b'{"a": [{"x": 1}], "b": [{"y": 1}]}', CORPUS)


def test_quotation_marks_and_brackets_without_end_are_read_once():
    """Reading a cell takes no longer than its length."""
    for hostile in ("['" + "\\'" * 50_000, "[" + "'" * 99_999, "[[" * 50_000, "['a' \\" * 9_000):
        assert items_of(hostile) == [hostile]


def test_markup_without_end_is_read_once():
    """Folding takes no longer than the text."""
    for hostile in ("](" * 50_000, "[" * 100_000, "<a " * 50_000, "> " * 50_000, "- " * 50_000):
        assert fold(hostile + " end", markup=True).text.endswith("end")


def test_the_short_way_to_fold_gives_the_same():
    """Plain texts are folded by other means, which come to the same."""
    for text in ("a- b 5- 6 c-\nd", "x--y|*z*", "## A\n- [b](c)\n1. d<br/>e", "\x00\x1c a\x7f"):
        for markup in (False, True):
            assert sought_form(text, markup=markup)[0] in fold(text, markup=markup).text
            assert sought_form(f"é{text}é", markup=markup)[0][1:-1].strip() != ""


# --- quoting --------------------------------------------------------------------------

GUIDE = (
    "# Guide\n\n## Night rates of the quay\n\nThe night rate is five, or six on Sundays.\n\n"
    "## Fees\n\nAll fees are due at once.\n"
)


def quoted(question: str, evidence: str, text: str = GUIDE) -> tuple[int, int]:
    """Return whether a question repeats its evidence, and its heading."""
    start = text.index(evidence)
    span = Evidence("a.md", start, start + len(evidence))
    found = quoting(
        corpus_of([("a.md", text)]), QuerySet((Query("q", question, (span,)),), "minimal")
    )
    assert found.questions == 1
    return found.evidence, found.heading


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is it so that the NIGHT rate is five?", (1, 0)),
        ("Is it so that night rate is five?", (0, 0)),
        ("Night rate is?", (1, 0)),
        ("Night rate?", (0, 0)),
        ("What are the night rates of the quay?", (0, 1)),
        ("Night rates of the quay", (0, 1)),
        ("What do night rates at the quay cost?", (0, 0)),
    ],
)
def test_a_question_that_quotes_is_counted(question, expected):
    """Five words in a row, or all of a question of three; case and punctuation aside."""
    assert quoted(question, "The night rate is five, or six on Sundays.") == expected


def test_a_short_heading_is_repeated_only_by_itself():
    """A question that holds its one word says nothing by that."""
    assert quoted("Which fees are due?", "All fees are due at once.") == (0, 0)
    assert quoted("Fees", "All fees are due at once.") == (0, 1)


def test_two_characters_of_unspaced_scripts_count_as_a_word():
    """Ten characters in a row are a quotation, nine are none."""
    text = "黑豹队的防守只丢了三百零八分"
    assert quoted("请问黑豹队的防守只丢了三吗", text, text) == (1, 0)
    assert quoted("请问黑豹队的防守只丢了吗", text, text) == (0, 0)


def test_questions_made_of_headings_repeat_them():
    """The sample that quotes most is said to quote most."""
    body = "\n\n" + "word " * 80 + "\n\n"
    corpus = corpus_of([("a.md", f"## Night rates{body}## Day rates {{ #day }}{body}")])
    found = quoting(corpus, heading_queries(corpus))
    assert (found.questions, found.heading) == (2, 2)


def test_quoting_needs_the_corpus_of_the_questions():
    """The message tells to load it."""
    queries = QuerySet((Query("q", "t", (Evidence("none", 0, 1),)),), "minimal")
    with pytest.raises(QueryError, match="load the corpus it was made for"):
        quoting(CORPUS, queries)
