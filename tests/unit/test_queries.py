"""Queries from headings and golden files, their digests, and evidence on a corpus."""

import json

import pytest

from overlapkit.corpus import corpus_of
from overlapkit.errors import QueryError
from overlapkit.queries import (
    Evidence,
    Query,
    QuerySet,
    Unresolved,
    heading_queries,
    load_golden,
    read_golden,
)
from overlapkit.queries.located import locate

CORPUS = corpus_of([("a.txt", "The quay opens at nine."), ("b.txt", "It shuts at ten.")])


def row(**changes) -> dict[str, object]:
    """Return a usable golden row with some fields changed; None takes one out."""
    fields = {
        "id": "q1",
        "query": "When does the quay open?",
        "evidence": [{"doc": "a.txt", "start": 9, "end": 22, "text": "opens at nine"}],
    }
    return {name: value for name, value in (fields | changes).items() if value is not None}


def golden(*rows, corpus=CORPUS) -> QuerySet:
    """Return the golden set of rows, given as objects or as raw lines."""
    lines = [line if isinstance(line, str) else json.dumps(line) for line in rows]
    return read_golden("\n".join(lines).encode(), corpus)


def reason(*rows) -> str:
    """Return why the last row was left out; the first is good."""
    found = golden(row(), *rows)
    assert len(found) == 1
    return found.unresolved[-1].reason


# --- golden rows ----------------------------------------------------------------------


def test_a_golden_row_becomes_a_query():
    """Every field of a row reaches its query."""
    found = golden(row(need="all", answer="nine", tag="hours"))
    span = Evidence("a.txt", 9, 22)
    assert found.queries == (
        Query("q1", "When does the quay open?", (span,), "all", "nine", "hours"),
    )
    assert (found.kind, found.unresolved) == ("minimal", ())


def test_need_is_any_where_a_row_does_not_say():
    """One span is enough by default, and answer and tag are left open."""
    (query,) = golden(row()).queries
    assert (query.need, query.answer, query.tag) == ("any", None, None)


def test_a_question_may_be_called_question():
    """``question`` serves where ``query`` is missing."""
    (query,) = golden(row(query=None, question="Opening time?")).queries
    assert query.text == "Opening time?"


def test_a_row_without_an_id_is_called_by_its_number():
    """Blank lines count in the number but are no rows."""
    found = golden("", row(id=None), json.dumps(row(query="Open?") | {"id": None}))
    assert [query.id for query in found] == ["row 2", "row 3"]


def test_a_byte_order_mark_is_no_part_of_the_first_row():
    """A file saved with a mark reads like one without."""
    data = b"\xef\xbb\xbf" + json.dumps(row()).encode()
    assert len(read_golden(data, CORPUS)) == 1


def test_lines_may_end_in_carriage_returns():
    """Windows line ends are white space around a row."""
    data = (json.dumps(row()) + "\r\n" + json.dumps(row(id="q2")) + "\r\n").encode()
    assert [query.id for query in read_golden(data, CORPUS)] == ["q1", "q2"]


def test_a_line_separator_inside_a_question_does_not_end_its_row():
    """Only a newline parts rows; U+2028 may stand in a text."""
    line = json.dumps(row(query="When\u2028open?"), ensure_ascii=False)
    assert golden(line).queries[0].text == "When\u2028open?"


def test_equal_spans_of_a_row_are_one():
    """A span listed twice needs to be found once."""
    span = {"doc": "a.txt", "start": 9, "end": 22}
    assert len(golden(row(evidence=[span, span])).queries[0].evidence) == 1


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "not valid JSON"),
        ("[1]", "a row must be a JSON object"),
        ("[" * 200_000, "not usable JSON"),
        ('{"id": ' + "9" * 5000 + "}", "not usable JSON"),
        (row(query="  "), "the question is missing or empty"),
        (row(query=None), "the question is missing or empty"),
        (row(evidence=None), "the evidence is missing or empty"),
        (row(evidence=[]), "the evidence is missing or empty"),
        (row(evidence=[5]), "an evidence item must be an object"),
        (row(evidence=[{"doc": "c.txt", "start": 0, "end": 1}]), "no document is called 'c.txt'"),
        (row(evidence=[{"doc": "a.txt", "start": 0.5, "end": 1}]), "must be whole numbers"),
        (row(evidence=[{"doc": "a.txt", "start": True, "end": 2}]), "must be whole numbers"),
        (row(evidence=[{"doc": "a.txt", "start": 0}]), "must be whole numbers"),
        (row(evidence=[{"doc": "a.txt", "start": 5, "end": 5}]), "must lie in 0..23"),
        (row(evidence=[{"doc": "a.txt", "start": -1, "end": 5}]), "must lie in 0..23"),
        (row(evidence=[{"doc": "a.txt", "start": 5, "end": 24}]), "must lie in 0..23"),
        (row(need="some"), "need must be any or all; got 'some'"),
        (row(), "repeats the question with id 'q1'"),
    ],
)
def test_a_row_that_cannot_be_used_is_listed_with_its_reason(bad, why):
    """The rows beside it are scored; it is not."""
    found = golden(row(), bad)
    assert len(found) == 1
    assert [one.row for one in found.unresolved] == [2]
    assert why in found.unresolved[0].reason


def test_a_text_that_differs_from_the_document_is_shown():
    """The reason quotes what stands at the offsets."""
    wrong = row(evidence=[{"doc": "a.txt", "start": 9, "end": 14, "text": "shuts"}])
    assert "differs: it reads 'opens'" in reason(wrong)


def test_one_id_on_two_questions_gives_two_queries():
    """The later one gets a number behind its id."""
    found = golden(row(), row(query="Opening?"), row(query="Open when?"))
    assert [query.id for query in found] == ["q1", "q1#2", "q1#3"]


def test_a_number_behind_an_id_avoids_those_given():
    """An id that looks like a made one is left to its owner."""
    found = golden(row(), row(id="q1#2", query="Open?"), row(query="Opening?"))
    assert [query.id for query in found] == ["q1", "q1#2", "q1#3"]


def test_a_set_without_a_usable_row_is_an_error():
    """The first reason stands in the message."""
    with pytest.raises(QueryError, match="no usable question: row 1: not valid JSON"):
        golden("{")
    with pytest.raises(QueryError, match="no usable question: it is empty"):
        golden("")


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    """The message names the path."""
    with pytest.raises(QueryError, match=r"missing\.jsonl.*check the path"):
        load_golden(tmp_path / "missing.jsonl", CORPUS)


def test_a_golden_file_is_called_by_its_name(tmp_path):
    """The source of a set is the file's name."""
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row()), encoding="utf-8")
    assert load_golden(path, CORPUS).source == "mine.jsonl"


# --- queries --------------------------------------------------------------------------


def test_a_query_needs_evidence():
    """A question without a span cannot be judged."""
    with pytest.raises(QueryError, match="at least one evidence span; 'q' has none"):
        Query("q", "text", ())


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 3), (-1, 2)])
def test_evidence_is_not_empty(start, end):
    """A span begins at 0 or later and ends after its start."""
    with pytest.raises(QueryError, match="0 <= start < end"):
        Query("q", "text", (Evidence("a", start, end),))


def test_an_unknown_need_is_an_error():
    """Need is any or all."""
    with pytest.raises(QueryError, match="need must be any or all"):
        Query("q", "text", (Evidence("a", 0, 1),), "both")


def test_the_digest_of_a_set_tells_what_matters_apart():
    """Kind, id, text, need, answer, evidence and the number left out all change it."""
    span, other = Evidence("a", 0, 1), Evidence("a", 0, 2)
    sets = [
        QuerySet((Query("q", "t", (span,)),), "minimal"),
        QuerySet((Query("q", "t", (span,)),), "extent"),
        QuerySet((Query("r", "t", (span,)),), "minimal"),
        QuerySet((Query("q", "u", (span,)),), "minimal"),
        QuerySet((Query("q", "t", (span,), "all"),), "minimal"),
        QuerySet((Query("q", "t", (span,), "any", "x"),), "minimal"),
        QuerySet((Query("q", "t", (other,)),), "minimal"),
        QuerySet((Query("q", "t", (span, other)),), "minimal"),
        QuerySet((Query("q", "t", (span,)),), "minimal", "", (Unresolved(1, "x", "y"),)),
        QuerySet((), "minimal"),
    ]
    assert len({one.digest for one in sets}) == len(sets)


def test_the_source_and_tags_do_not_change_the_digest():
    """What a result does not depend on is not part of its key."""
    span = Evidence("a", 0, 1)
    plain = QuerySet((Query("q", "t", (span,)),), "minimal")
    named = QuerySet((Query("q", "t", (span,), tag="x"),), "minimal", "file")
    assert plain.digest == named.digest


# --- headings -------------------------------------------------------------------------


def markdown(*parts: str):
    """Return a corpus of one Markdown document."""
    return corpus_of([("a.md", "".join(parts))])


def test_a_heading_asks_for_its_section():
    """Evidence runs from the heading's line to the next heading."""
    head, body = "# Title\n\n", "## First part\n\n" + "x" * 300 + "\n\n"
    found = heading_queries(markdown(head, body, "## Second\n"))
    assert [query.text for query in found] == ["First part"]
    assert found.queries[0].evidence == (Evidence("a.md", len(head), len(head + body)),)
    assert (found.kind, found.queries[0].need) == ("extent", "any")


def test_the_last_section_runs_to_the_end():
    """Without a next heading the evidence ends with the document."""
    text = "## Only one\n\n" + "x" * 300
    (query,) = heading_queries(markdown(text)).queries
    assert query.evidence[0].end == len(text)


def test_a_deeper_heading_does_not_end_a_section():
    """A level-4 heading lies inside; a level-3 heading ends it."""
    text = "## Part one\n\n#### Deep down\n\n" + "x" * 300 + "\n\n"
    found = heading_queries(markdown(text, "### Sub part\n"))
    assert [query.evidence[0].end for query in found] == [len(text)]


def test_a_section_is_measured_without_surrounding_white_space():
    """299 characters are too few, however many blank lines follow; 300 are enough."""
    head = "## Two words\n"
    short, enough = "x" * (299 - len(head)), "x" * (300 - len(head))
    blank = "\n" * 50
    found = heading_queries(markdown(head, short, blank, head, enough, blank))
    assert [query.evidence[0].start for query in found] == [len(head + short + blank)]


def test_a_title_of_one_word_asks_nothing():
    """Two words are needed, wherever an anchor stands."""
    body = "\n\n" + "x" * 300 + "\n\n"
    found = heading_queries(
        markdown("## Word { #one-word }", body, "## Two words { #two-words }", body)
    )
    assert [query.text for query in found] == ["Two words"]


def test_levels_are_the_ones_asked_for():
    """Level 1 asks only where it is named."""
    body = "\n\n" + "x" * 300 + "\n\n"
    corpus = markdown("# Top level", body, "## Next level", body)
    assert [query.text for query in heading_queries(corpus)] == ["Next level"]
    assert [query.text for query in heading_queries(corpus, levels=(1,))] == ["Top level"]


def test_a_section_ends_at_level_three_whatever_asks():
    """The question of a level-1 heading ends at the level-2 heading below it."""
    top = "# Top level\n\n" + "x" * 300 + "\n\n"
    (query,) = heading_queries(markdown(top, "## Next level\n"), levels=(1,)).queries
    assert query.evidence[0].end == len(top)


def test_no_heading_at_all_is_an_error_with_a_way_out():
    """The message names the rule and the remedy."""
    with pytest.raises(QueryError, match=r"no heading of level 2 or 3 has 2 words.*golden set"):
        heading_queries(markdown("plain text"))


# --- located evidence -----------------------------------------------------------------


def test_located_spans_are_global_code_points():
    """The second document begins one gap after the first one's last character."""
    queries = QuerySet(
        (Query("q", "t", (Evidence("b.txt", 3, 8), Evidence("a.txt", 0, 3))),), "minimal"
    )
    found = locate(CORPUS, queries)
    assert found.base.tolist() == [0, 24]
    assert (found.spans.start.tolist(), found.spans.end.tolist()) == ([27, 0], [32, 3])
    assert found.spans.doc.tolist() == [1, 0]


def test_overlapping_and_touching_evidence_is_merged():
    """Spans of one query that meet become one; another query's stay apart."""
    spans = tuple(Evidence("a.txt", *span) for span in ((5, 8), (0, 4), (3, 5), (10, 12)))
    queries = QuerySet((Query("q", "t", spans), Query("r", "t", spans[:1])), "minimal")
    merged = locate(CORPUS, queries).merged
    assert merged.start.tolist() == [0, 10, 5]
    assert merged.end.tolist() == [8, 12, 8]
    assert merged.first.tolist() == [0, 2, 3]


def test_the_end_of_one_document_does_not_meet_the_start_of_the_next():
    """Evidence at both sides of a document's end stays two spans."""
    spans = (Evidence("a.txt", 20, 23), Evidence("b.txt", 0, 2))
    merged = locate(CORPUS, QuerySet((Query("q", "t", spans),), "minimal")).merged
    assert merged.start.tolist() == [20, 24]


@pytest.mark.parametrize("span", [Evidence("c.txt", 0, 1), Evidence("a.txt", 0, 24)])
def test_evidence_of_another_corpus_is_an_error(span):
    """The message tells to load the corpus that the questions were made for."""
    with pytest.raises(QueryError, match="load the corpus it was made for"):
        locate(CORPUS, QuerySet((Query("q", "t", (span,)),), "minimal"))


def _golden(*rows, encoding="utf-8"):
    """Return the bytes of golden rows about one document."""
    evidence = [{"doc": "a.txt", "start": 0, "end": 5}]
    lines = [json.dumps({"evidence": evidence} | row, ensure_ascii=False) for row in rows]
    return "\n".join(lines).encode(encoding)


def test_one_id_on_several_questions_keeps_each_once():
    """Two questions stay under ids of their own; the exact repeat is listed."""
    rows = [{"id": 7, "query": "day?"}, {"id": 7, "query": "night?"}, {"id": 7, "query": "night?"}]
    found = read_golden(_golden(*rows), corpus_of([("a.txt", "alpha beacon")]))
    assert [(query.id, query.text) for query in found] == [("7", "day?"), ("7#2", "night?")]
    assert [(row.row, row.reason) for row in found.unresolved] == [
        (3, "repeats the question with id '7'")
    ]


def test_half_a_character_in_a_question_is_named():
    """A lone surrogate cannot be shown, so the row is listed instead."""
    data = b'{"query": "\\ud800 x", "evidence": [{"doc": "a.txt", "start": 0, "end": 5}]}\n'
    data += _golden({"query": "fine"})
    found = read_golden(data, corpus_of([("a.txt", "alpha beacon")]))
    assert [query.text for query in found] == ["fine"]
    assert "half a character" in found.unresolved[0].reason


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_a_golden_set_is_read_in_its_own_encoding(encoding):
    """No letter of a question is replaced, whatever tool wrote the file."""
    data = _golden(
        {"query": "Caf\u00e9 \u2013 5 \u20ac per night, the fa\u00e7ade tour?"}, encoding=encoding
    )
    found = read_golden(data, corpus_of([("a.txt", "alpha beacon")]))
    assert found.queries[0].text.startswith("Caf\u00e9 \u2013 5 \u20ac")
