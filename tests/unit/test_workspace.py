"""A session's work as a file: what comes back, what is refused, and texts changed since."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.errors import InputError
from overlapkit.evaluate import evaluate
from overlapkit.queries import (
    Ambiguous,
    Evidence,
    GoldenSet,
    Query,
    QuerySet,
    Unresolved,
    read_golden,
)
from overlapkit.retrieve import RunSpec, TopK
from overlapkit.ui.settings import from_params, to_params
from overlapkit.workspace import (
    VERSION,
    SavedWorkspace,
    carry_questions,
    changed_documents,
    read_workspace,
    workspace_of,
    write_workspace,
)
from tests.property.strategies import corpora
from tests.unit.test_settings import settings

FEES = "The day rate is three.\nThe night rate is five, or six on Sundays."
HOURS = "The quay opens at nine."
CORPUS = corpus_of([("fees.md", FEES), ("hours.md", HOURS)])
NIGHT = Evidence("fees.md", 27, 45)  # "night rate is five"
OPENS = Evidence("hours.md", 9, 22)  # "opens at nine"
GOLDEN = GoldenSet(
    (
        Query("a", "What is the night rate?", (NIGHT,), "any", "five", "fees"),
        Query("b", "When, and for how much?", (NIGHT, OPENS), "all"),
    ),
    "minimal",
    "golden.csv",
    (Unresolved(4, "row 4", "the question is missing", "the day rate"),),
    (Ambiguous(1, "a", 2),),
)
WRITTEN = (Query("q1", "When does it open?", (OPENS,)),)


def saved(corpus: Corpus = CORPUS, **changed) -> SavedWorkspace:
    """Return a workspace with something in every field."""
    options = {
        "uploaded": GOLDEN, "written": WRITTEN, "files": ["notes.zip"], "document": "fees.md",
        "chunks": "chunks.jsonl", "run": "run.trec",
    }  # fmt: skip
    params = {"size": "300", "overlap": "60", "pin": "500-0", "queries": "uploaded"}
    return workspace_of(corpus, GOLDEN, params, **(options | changed))


def of_file(**changed) -> dict:
    """Return the JSON of a workspace with some of its fields replaced."""
    return json.loads(write_workspace(saved())) | changed


def refusal(data: bytes | str | dict) -> str:
    """Return the sentence with which a file is refused."""
    text = json.dumps(data) if isinstance(data, dict) else data
    with pytest.raises(InputError) as error:
        read_workspace(text.encode() if isinstance(text, str) else text)
    said = str(error.value)
    assert "\n" not in said
    assert len(said) < 300
    return said


# --- what comes back --------------------------------------------------------------------


@st.composite
def workspaces(draw: st.DrawFn) -> SavedWorkspace:
    """Return workspaces on small corpora of troublesome texts."""
    corpus = draw(corpora())
    spans = [
        Evidence(document.name, start, end)
        for document in corpus.documents
        for start, end in ((0, 1), (0, len(document.text)), (1, 3))
        if start < end <= len(document.text)
    ]
    words = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
    queries = st.builds(
        Query,
        words,
        words,
        st.lists(st.sampled_from(spans), min_size=1, max_size=3).map(tuple),
        st.sampled_from(["any", "all"]),
        st.none() | words,
        st.none() | words,
    )
    sets = st.lists(queries, max_size=4, unique_by=lambda query: query.id).map(tuple)
    sets = sets if spans else st.just(())
    golden = draw(
        st.none()
        | st.builds(
            GoldenSet,
            sets,
            st.sampled_from(["minimal", "extent"]),
            words,
            st.lists(st.builds(Unresolved, st.integers(0, 9), words, words, words)).map(tuple),
            st.lists(st.builds(Ambiguous, st.integers(0, 9), words, st.integers(2, 9))).map(tuple),
        )
    )
    known = ["format", "version", "corpus", "queries", "settings", "document", "uploaded"]
    later = words.filter(lambda name: name not in [*known, "written", "marks", "today"])
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
        max_leaves=4,
    ).filter(lambda value: "Infinity" not in json.dumps(value))
    other = draw(st.dictionaries(later, values.map(json.dumps), max_size=2))
    names = st.none() | words
    return workspace_of(
        corpus,
        golden or QuerySet((), "minimal"),
        draw(st.dictionaries(words, words, max_size=4)),
        bundled=draw(st.sampled_from([None, "handbook"])),
        files=draw(st.lists(words, max_size=2)),
        uploaded=golden,
        written=draw(sets),
        document=draw(st.sampled_from([None, "0.txt", "none"])),
        chunks=draw(names),
        run=draw(names),
        other=other.items(),
        texts=draw(st.booleans()),
    )


@given(workspaces())
def test_what_is_written_is_read(workspace):
    """Every field comes back as it was, texts of every sort and unknown fields included."""
    assert read_workspace(write_workspace(workspace).encode()) == workspace


@given(settings())
def test_every_setting_comes_back(chosen):
    """A file brings the settings back as a link does, with nothing ignored."""
    file = write_workspace(workspace_of(CORPUS, GOLDEN, to_params(chosen)))
    params = {name: [value] for name, value in read_workspace(file.encode()).settings}
    assert from_params(params) == (chosen, [])


def test_equal_workspaces_give_equal_files():
    """No time and no chance is in a file."""
    assert write_workspace(saved()) == write_workspace(saved())


def test_reopened_questions_have_the_digest_and_the_figures_of_before():
    """What was left out counts in the digest, so it comes back too."""
    rows = [
        {"query": "Which rate at night?", "evidence": "night rate is five", "doc": "fees.md"},
        {"query": "What is not there?", "evidence": "nowhere to be found", "doc": "fees.md"},
    ]
    golden = read_golden(json.dumps(rows).encode(), CORPUS, "golden.json")
    assert len(golden.unresolved) == 1
    file = write_workspace(saved(uploaded=golden, written=()))
    found = read_workspace(file.encode()).uploaded
    assert found.digest == golden.digest
    spec, run = ChunkSpec(size=30, overlap=10), RunSpec(cutoff=TopK(1))
    then, now = (evaluate(CORPUS, queries, spec, run) for queries in (golden, found))
    assert now.values == then.values


def test_texts_are_in_the_file_only_when_asked_for():
    """Without them no stretch of a document is, the nearest text of a row included."""
    without, whole = (write_workspace(saved(texts=texts)) for texts in (False, True))
    for stretch in ("day rate", "opens at nine"):
        assert stretch not in without
        assert stretch in whole
    assert read_workspace(without.encode()).corpus() is None
    assert read_workspace(whole.encode()).corpus() == CORPUS


def test_groups_of_documents_come_back():
    """They are part of the corpus's digest."""
    corpus = Corpus((Document("a.md", "text", "staff"), Document("b.md", "")))
    file = write_workspace(workspace_of(corpus, QuerySet((), "minimal"), {}, texts=True))
    assert read_workspace(file.encode()).corpus() == corpus


def test_the_files_to_bring_are_those_that_were_uploaded():
    """A zip is asked for by its name; where no file is known, the documents are named."""
    assert saved().needed_files == ("notes.zip",)
    assert saved(files=()).needed_files == ("fees.md", "hours.md")


def test_unknown_fields_are_kept_and_ignored():
    """A field of a later version goes through this one unharmed."""
    found = read_workspace(json.dumps(of_file(gates={"recall": 0.9, "of": [1, None]})).encode())
    assert found.other == (("gates", '{"recall": 0.9, "of": [1, null]}'),)
    assert json.loads(write_workspace(found))["gates"] == {"recall": 0.9, "of": [1, None]}


# --- what is refused --------------------------------------------------------------------


def test_a_newer_version_is_refused():
    """The sentence says which is known and what to do."""
    assert refusal(of_file(version=VERSION + 1)) == (
        f"a workspace file's version must be at most {VERSION} here; got {VERSION + 1}: "
        "update overlapkit"
    )


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "must be JSON; got on line 1"),
        (b"\x89PNG\r\n", "must be UTF-8 text; got byte 0"),
        (b"[" * 100_000, "must be nested in few levels"),
        (b'{"gates": ' * 100_000, "must be nested in few levels"),
        (b"[1, 2]", "must be an object whose format is"),
        (b'{"query": "a golden set"}', "must be an object whose format is"),
        (b'{"format": "overlapkit workspace"}', "version must be a whole number"),
        (b'{"version": NaN}', "with numbers; got NaN"),
        (b'{"version": -Infinity}', "with numbers; got -Infinity"),
        (b'{"version": 1e999}', "with finite numbers; got '1e999'"),
        (b'{"version": ' + b"9" * 5000 + b"}", "with numbers of few digits"),
        (b'{"version": 1, "version": 2}', "with each name once; got 'version' twice"),
    ],
)
def test_what_is_no_workspace_is_refused_with_a_sentence(data, part):
    """Other files, and JSON that is ambiguous or too large for its reader."""
    assert part in refusal(data)


def test_a_file_above_the_limit_is_refused_unread(monkeypatch):
    """The limit is that of every upload."""
    monkeypatch.setattr("overlapkit.workspace.fields.json.loads", None)
    assert "at most 209,715,200 bytes; got 209,715,201" in refusal(b" " * (200 * 2**20 + 1))


SPAN = {"doc": "fees.md", "start": 0, "end": 3}
ASKED = {"id": "q", "query": "?", "need": "any", "evidence": [SPAN]}
PLACES = [
    (("version",), [0, -1, True, 1.5, "1", None, 10**400], "file's version must be a whole number"),
    (("corpus",), [None, [], "x"], "file's corpus must be an object"),
    (("corpus", "digest"), ["a" * 63, "G" * 64, "A" * 64, 5, None], "64 hexadecimal digits"),
    (("corpus", "bundled"), ["nope", "", 1, []], "file's corpus.bundled must be one of handbook"),
    (("corpus", "files"), ["x", [1], {}], "file's corpus.files"),
    (("corpus", "documents"), [[]], "must name at least one document"),
    (("corpus", "documents"), [{}, "x", [None], [[]]], "file's corpus.documents"),
    (("corpus", "documents", 0, "name"), [None, 1, "\ud800", "x" * 100_001], "[0].name must be"),
    (("corpus", "documents", 1, "name"), ["fees.md"], "'fees.md' occurs twice"),
    (("corpus", "documents", 0, "characters"), [-1, 1e9, 2**53, "5", False], "whole number in 0.."),
    (("corpus", "documents", 0, "characters"), [44], "evidence[0].end must be a whole number in 1"),
    (("corpus", "documents", 0, "text"), ["x"], "must have the digest that the file gives"),
    (("corpus", "documents", 0, "text"), [FEES], "must hold all texts or none; got 1 of 2"),
    (("corpus", "documents", 0, "text"), ["\udfff"], "whole characters, without lone surrogates"),
    (("corpus", "documents", 0, "group"), [7], "[0].group must be a text"),
    (("queries",), [None, "x"], "file's queries must be an object"),
    (("queries", "kind"), ["other", None, ["minimal"]], "must be one of minimal, extent"),
    (("settings",), [None, []], "file's settings must be an object"),
    (("settings",), [{"size": 300}, {"size": ["300"]}], "file's settings.size must be a text"),
    (("settings",), [{"\udc00": "1"}], "file's settings must be a text of whole characters"),
    (("settings",), [dict.fromkeys(map(str, range(201)), "1")], "at most 200 settings"),
    (("document",), ["none.md", 3], "file's document must be"),
    (("uploaded",), [[], 1], "file's uploaded must be an object"),
    (("uploaded", "queries", 1, "id"), ["a"], "the file's uploaded.queries must be unique; 'a'"),
    (("uploaded", "left_out", 0, "row"), [-1, None], "left_out[0].row must be a whole number"),
    (("uploaded", "left_out", 0, "reason"), [None, 5], "left_out[0].reason must be a text"),
    (("uploaded", "ambiguous", 0, "places"), ["2"], "ambiguous[0].places must be a whole number"),
    (("written",), [{"id": "q"}, "x", 3], "file's written must be a list"),
    (("written",), [[ASKED | {"need": "some"}]], "written[0].need must be one of any, all"),
    (("written",), [[ASKED | {"query": None}]], "written[0].query must be a text; got nothing"),
    (("written",), [[ASKED | {"query": "a\ud83d"}]], "whole characters, without lone surrogates"),
    (("written",), [[ASKED | {"answer": ["x"]}]], "written[0].answer must be a text; got a list"),
    (("written",), [[ASKED | {"evidence": []}]], "at least one span; got a list of 0"),
    (("written",), [[ASKED | {"evidence": [SPAN | {"end": 67}]}]], "in 1..65; got 67"),
    (("written",), [[ASKED | {"evidence": [SPAN | {"start": 3}]}]], "in 0..2; got 3"),
    (("written",), [[ASKED | {"evidence": [SPAN | {"doc": "x"}]}]], "name of a document in the"),
    (("marks",), [[["fees.md", 0, 3]], [[]]], "marks[0] must be a document, start, end and mark"),
    (("marks",), [[["fees.md", 0, 3, "zz"]]], "marks[0][3] must be 16 hexadecimal digits"),
    (("today",), ["x"], "file's today must be an object"),
    (("today", "run"), [5, {}], "file's today.run must be a text"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [(path, value, part) for path, values, part in PLACES for value in values],
    ids=lambda one: repr(one)[:40].encode("ascii", "backslashreplace").decode(),
)
def test_a_bad_field_is_refused_by_its_place(path, value, part):
    """The sentence names the field, its rule and what was found."""
    whole = of_file()
    held = whole
    for name in path[:-1]:
        held = held[name]
    held[path[-1]] = value
    assert part in refusal(whole)


@given(data=st.data())
def test_no_file_gives_anything_but_a_sentence(data):
    """Whatever value stands in whatever place."""
    whole = of_file()
    held, junk = whole, st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    while isinstance(held, dict | list) and held:
        name = data.draw(
            st.sampled_from(sorted(held) if isinstance(held, dict) else range(len(held)))
        )
        if not isinstance(held[name], dict | list) or data.draw(st.booleans()):
            held[name] = data.draw(junk | st.lists(junk) | st.dictionaries(st.text(), junk))
            break
        held = held[name]
    try:
        read_workspace(json.dumps(whole).encode())
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_half_a_character_is_not_written():
    """UTF-8 could not hold it, and the file could not be read again."""
    with pytest.raises(InputError, match="whole characters; got half of one"):
        write_workspace(
            saved(corpus_of([("fees.md", FEES + "\ud800"), ("hours.md", HOURS)]), texts=True)
        )


def test_questions_about_another_corpus_are_not_written():
    """Their evidence must lie in the documents."""
    asked = Query("q", "?", (Evidence("none.md", 0, 1),))
    with pytest.raises(InputError, match="must be the name of a document in the file"):
        write_workspace(saved(written=[asked]))


# --- texts that changed -----------------------------------------------------------------


def test_documents_that_differ_are_named():
    """Of another text, missing, and new."""
    now = corpus_of([("fees.md", FEES + " "), ("more.md", HOURS)])
    assert changed_documents(saved(), now) == (("fees.md",), ("hours.md",), ("more.md",))
    assert changed_documents(saved(), CORPUS) == ((), (), ())
    grouped = Corpus(tuple(Document(d.name, d.text, "staff") for d in CORPUS.documents))
    assert changed_documents(saved(), grouped).changed == ("fees.md", "hours.md")


def test_the_same_texts_carry_every_question():
    """Nothing is left out and the digest is as it was."""
    found = carry_questions(saved(), CORPUS)
    assert (found.uploaded.digest, found.written) == (GOLDEN.digest, WRITTEN)
    assert (found.left_out, found.moved) == ((), 0)


@pytest.mark.parametrize("before", ["", "A new first line.\n", "🎉"])
def test_evidence_that_moved_is_found_again(before):
    """Behind an insertion it stands later by its length, in code points."""
    found = carry_questions(saved(), corpus_of([("fees.md", before + FEES), ("hours.md", HOURS)]))
    span = found.uploaded.queries[0].evidence[0]
    assert span == Evidence("fees.md", 27 + len(before), 45 + len(before))
    assert found.left_out == ()
    assert found.moved == (2 if before else 0)


def test_evidence_that_is_gone_is_left_out_with_a_reason():
    """A question that needs it is listed; the others stay."""
    now = corpus_of([("fees.md", FEES.replace("five", "nine")), ("hours.md", HOURS)])
    found = carry_questions(saved(), now)
    assert found.uploaded is None
    assert [(row.row, row.id) for row in found.left_out] == [(1, "a"), (2, "b")]
    assert found.left_out[0].reason == (
        "the evidence at 27..45 of 'fees.md', which has changed, is gone"
    )
    assert found.written == WRITTEN


def test_what_was_left_out_stays_listed_with_what_is_now():
    """A golden set lists both, and forgets notes on questions that it lost."""
    both = GoldenSet(
        (GOLDEN.queries[0], Query("c", "When?", (OPENS,))), *_rest(GOLDEN),
    )  # fmt: skip
    now = corpus_of([("hours.md", HOURS)])
    found = carry_questions(saved(uploaded=both), now).uploaded
    assert [query.id for query in found] == ["c"]
    assert [row.id for row in found.unresolved] == ["row 4", "a"]
    assert found.unresolved[1].reason == "'fees.md' is not among the documents any more"
    assert found.ambiguous == ()


def _rest(golden: GoldenSet) -> tuple:
    return golden.kind, golden.source, golden.unresolved, golden.ambiguous


def test_evidence_in_several_new_places_is_not_guessed():
    """Which of them is meant cannot be told."""
    found = carry_questions(
        saved(), corpus_of([("fees.md", "."), ("hours.md", f". {HOURS} {HOURS}")])
    )
    assert found.written == ()
    assert found.left_out[-1].reason.endswith("stands in 2 places now")


def test_of_evidence_of_which_any_is_enough_the_rest_is_kept():
    """Of two places one is gone; a question that needs all of them is not kept."""
    asked = [Query(need, "?", (NIGHT, OPENS), need) for need in ("any", "all")]
    then = saved(uploaded=None, written=asked)
    found = carry_questions(then, corpus_of([("fees.md", ""), ("hours.md", HOURS)]))
    assert [(query.id, query.evidence) for query in found.written] == [("any", (OPENS,))]
    assert [row.id for row in found.left_out] == ["all"]


@given(workspaces(), st.text(max_size=4), st.text(max_size=4))
def test_text_put_around_a_document_loses_no_evidence(workspace, before, after):
    """Each span reads as it did, or stands in several places."""
    corpus = workspace.corpus()
    assume(corpus is not None)
    then = {document.name: document.text for document in corpus.documents}
    now = {name: before + text + after for name, text in then.items()}
    found = carry_questions(workspace, corpus_of(now.items()))
    asked = {query.id: query for query in workspace.written}
    for query in found.written:
        read = {then[s.document][s.start : s.end] for s in asked[query.id].evidence}
        assert {now[s.document][s.start : s.end] for s in query.evidence} <= read
    assert all(row.reason.endswith("places now") for row in found.left_out)


def test_a_file_without_marks_goes_by_the_place():
    """Evidence within the document is kept, evidence beyond its end is not."""
    whole = of_file()
    del whole["marks"]
    then = read_workspace(json.dumps(whole).encode())
    short = corpus_of([("fees.md", FEES[:40]), ("hours.md", "Closed on Mondays, opens late.")])
    found = carry_questions(then, short)
    assert found.written == WRITTEN
    assert found.left_out[0].reason == (
        "the span 27..45 must lie in 0..40 of 'fees.md', which has changed"
    )
