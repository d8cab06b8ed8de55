"""Access groups: who gets which label, and what a member is asked, shown and told."""

import json
from dataclasses import replace

import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.engine import prepare
from overlapkit.errors import InputError, QueryError
from overlapkit.evaluate import evaluate_with
from overlapkit.groups import (
    Group,
    Refused,
    group_table,
    groups_sentence,
    label_by_folder,
    label_by_front_matter,
    label_by_manifest,
    labels_notes,
    labels_of,
    member_queries,
    prepare_for,
    queries_for,
    visible_sentence,
    visible_to,
)
from overlapkit.groups.manifest import MOST_PATTERNS
from overlapkit.groups.sentences import lost_evidence
from overlapkit.queries import Evidence, Query, QuerySet, Unresolved, heading_queries, read_golden
from overlapkit.retrieve import RunSpec


def named(*names: str) -> Corpus:
    """Return a corpus of documents whose texts are their names."""
    return corpus_of((name, name) for name in names)


def labels(corpus: Corpus) -> dict[str, str | None]:
    """Return the label of each document."""
    return {document.name: document.group for document in corpus.documents}


# --- labels by folder -------------------------------------------------------------------


def test_the_first_folder_is_the_label():
    """A document in no folder has none, however its name looks."""
    found = label_by_folder(named("hr/pay.md", "hr/old/pay.md", "it/a.md", "hr.md"))
    assert labels(found.corpus) == {
        "hr.md": None, "hr/old/pay.md": "hr", "hr/pay.md": "hr", "it/a.md": "it",
    }  # fmt: skip
    assert (found.unlabelled, found.unknown, found.refused) == (("hr.md",), (), ())


def test_a_deeper_folder_can_be_the_label():
    """At depth 2 the second one; what lies less deep has no label."""
    found = label_by_folder(named("x/hr/pay.md", "y/hr/b/c.md", "x/a.md", "a.md"), depth=2)
    assert labels(found.corpus) == {
        "a.md": None, "x/a.md": None, "x/hr/pay.md": "hr", "y/hr/b/c.md": "hr",
    }  # fmt: skip


@pytest.mark.parametrize("depth", [0, -1, True, 1.0])
def test_a_depth_counts_from_one(depth):
    """Anything else is refused in one sentence."""
    with pytest.raises(InputError, match="a whole number of at least 1; got"):
        label_by_folder(named("a/b.md"), depth)


def test_labels_replace_those_there_were():
    """So that no old label lets anybody see a document."""
    before = Corpus((Document("a.md", "", "old"), Document("b/c.md", "", "old")))
    assert labels(label_by_folder(before).corpus) == {"a.md": None, "b/c.md": "b"}
    assert labels(label_by_front_matter(before).corpus) == {"a.md": None, "b/c.md": None}


# --- labels by manifest -----------------------------------------------------------------

FILES = named("hr/pay.md", "hr/open/hours.md", "it/vpn.md", "top.md")


@pytest.mark.parametrize(
    "data",
    [
        b"document,group\nhr/pay.md,people\n",
        b"\xef\xbb\xbfdocument;group\r\nhr/pay.md;people\r\n",
        b"sep=;\nPath;Label\nhr/pay.md;people\n",
        b'label\tname\n" people "\t"hr/pay.md"\n',
        b"group|owner|doc\npeople|Ana|hr/pay.md\n",
        "document,group\nhr/pay.md,people\n".encode("utf-16"),
    ],
)
def test_a_manifest_is_read_as_it_is_usually_written(data):
    """Commas, semicolons, tabs or bars, a byte-order mark, the usual names in any order."""
    found = label_by_manifest(FILES, data)
    assert labels(found.corpus)["hr/pay.md"] == "people"
    assert found.unlabelled == ("hr/open/hours.md", "it/vpn.md", "top.md")


def test_a_whole_name_goes_before_the_longest_pattern():
    """Wherever they stand; * stands for any text, slashes included."""
    data = (
        b"document,group\n*,everybody\nhr/*,people\nhr/pay.md,board\nhr/open/*,everybody\n"
        b"*/vpn.md,admins\n"
    )
    found = label_by_manifest(FILES, data)
    assert labels(found.corpus) == {
        "hr/open/hours.md": "everybody", "hr/pay.md": "board", "it/vpn.md": "admins",
        "top.md": "everybody",
    }  # fmt: skip
    assert (found.unknown, found.unlabelled) == ((), ())


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("a*a", False),  # one letter is not both ends
        ("*aba*", True),
        ("ab*ba", False),
        ("a*b*a", True),
        ("*b*b*", False),
        ("aba*", True),
        ("**", True),
        ("A*", False),
        ("?b?*", False),
        ("[a]*", False),
    ],
)
def test_only_a_star_stands_for_other_text(pattern, fits):
    """Each for any text, none for the same characters twice; case counts."""
    name = "a" if pattern == "a*a" else "aba"
    found = label_by_manifest(named(name), f"document,group\n{pattern},x\n".encode())
    assert found.corpus.documents[0].group == ("x" if fits else None)
    assert found.unknown == (() if fits else (pattern,))


def test_a_document_may_be_called_like_a_pattern():
    """Its own row is then about it alone."""
    found = label_by_manifest(named("a*.md", "ab.md"), b"document,group\na*.md,x\n")
    assert labels(found.corpus) == {"a*.md": "x", "ab.md": None}


def test_a_row_without_a_group_takes_the_label_away():
    """A document can be kept from all while its folder is open."""
    found = label_by_manifest(FILES, b"document,group\nhr/*,people\nhr/pay.md,\n")
    assert labels(found.corpus)["hr/pay.md"] is None
    assert labels(found.corpus)["hr/open/hours.md"] == "people"


def test_names_that_fit_nothing_are_told_in_their_order():
    """A pattern that fits and is never the longest one is known all the same."""
    data = b"document,group\nno/*,x\nhr/*,x\nhr/p*,x\nhr/o*,x\nHR/pay.md,x\n"
    assert label_by_manifest(FILES, data).unknown == ("no/*", "HR/pay.md")


def test_rows_that_say_the_same_twice_are_no_contradiction():
    """Neither under one name nor as patterns of equal length."""
    data = b"document,group\nhr/pay.md,x\nhr/pay.md,x\nit/*,y\n*.md,y\nit/*,y\n"
    assert labels(label_by_manifest(FILES, data).corpus)["it/vpn.md"] == "y"


def test_patterns_that_never_decide_contradict_nothing():
    """Two of equal length stand behind one that is longer."""
    data = b"document,group\nhr/p*,x\nhr/*y.md,z\n*.md,y\nhr/*d,v\n"
    assert labels(label_by_manifest(FILES, data).corpus)["hr/pay.md"] == "z"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"document,group\nhr/pay.md,x\nhr/pay.md,y\n", "rows 2 and 3, the same name, give x"),
        (
            b"document,group\n*d,x\nhr*,y\n*m*,z\nh*,w\n",
            "rows 3 and 4, patterns of equal length, give y",
        ),
        (b"document,group\n,x\n", "row 2: a row must name a document; got none"),
        (b"document,group\nhr/pay.md,x,y\n", "row 2: the row has 3 cells where the heading has 2"),
        (b'document,group\n"hr/pay.md,x\n', "row 2: a quotation mark is opened"),
        (b"hr/pay.md,people\nit/vpn.md,admins\n", "must have a column called document or doc"),
        (b"document,owner\nhr/pay.md,x\n", "a column called group or label or access; got 2"),
        (b"", "must have a column called document or doc"),
        (b"%PDF-1.7", "cannot be read as a table: holds a PDF, not text"),
    ],
)
def test_a_manifest_that_cannot_decide_is_refused(data, reason):
    """In one sentence that names rows and never a document."""
    with pytest.raises(InputError, match=r"^acl\.csv") as caught:
        label_by_manifest(FILES, data, "acl.csv")
    assert reason in str(caught.value)
    assert not [name for name in labels(FILES) if name in str(caught.value)]


def test_patterns_are_bounded():
    """Those with several stars, each of which is held against every document."""
    rows = "document,group\n" + "".join(f"*{n}*,x\n" for n in range(MOST_PATTERNS + 1))
    with pytest.raises(InputError, match=r"at most 200 patterns with several \*; got 201"):
        label_by_manifest(FILES, rows.encode())
    one_star = rows.replace("\n*", "\n")
    assert len(label_by_manifest(FILES, one_star.encode()).unknown) == MOST_PATTERNS + 1


# --- labels by front matter -------------------------------------------------------------


def front(text: str, name: str = "a.md") -> str | Refused | None:
    """Return the label of one document, or how it is refused."""
    found = label_by_front_matter(corpus_of([(name, text)]))
    (document,) = found.corpus.documents
    assert found.unlabelled == (() if document.group else (name,))
    assert document.text == text
    return found.refused[0] if found.refused else document.group


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("---\ntitle: Pay\ngroup: hr\n---\nText\n", "hr"),
        ("---\naccess: hr staff\n---\n", "hr staff"),
        ("---\r\ngroup : 'hr'   \r\n...\r\nText", "hr"),
        ('-----\n"group": "hr: inside"  # staff\n------\n', "hr: inside"),
        ("---\ngroup: a#b # a comment\naccess: a#b\n---\n", "a#b"),
        ("---\n  # first\n\n  group: 7\n  tags:\n    - x\n---\n", "7"),
        ("---\ngroup: -1\n---\n", "-1"),
        # What is not there is not read.
        ("---\nowner:\n  group: hr\n---\n", None),
        ("---\ntext: |\n  group: hr\n---\n", None),
        ("---\ngroups: hr\nGroup: hr\ngroup:hr\n# group: hr\n---\n", None),
        ("---\ngroup: hr\n", None),
        ("---\ngroup: hr\n--\n", None),
        ("----\ngroup: hr\n---\n", None),
        ("\n---\ngroup: hr\n---\n", None),
        ("--- x\ngroup: hr\n---\n", None),
        ("Text\n---\ngroup: hr\n---\n", None),
        ("---\n---\n", None),
        ("---\n{title: x}\n---\n", None),
        ("", None),
    ],
)
def test_front_matter_gives_a_plain_name(text, label):
    """Of the outermost keys ``group`` and ``access``, at the very beginning of the text."""
    assert front(text) == label


def test_only_markdown_has_front_matter():
    """In a plain text the same lines are text."""
    text = "---\ngroup: hr\n---\n"
    assert front(text, "a.txt") is None
    assert front(text, "A.MARKDOWN") == "hr"


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("[hr, it]", "'[hr, it]'"),
        ("{name: hr}", "'{name: hr}'"),
        ("\n- hr\n- it", "nothing"),
        ("\n  - hr", "several lines"),
        ("\n  hr", "several lines"),
        ("hr\n  staff", "several lines"),
        ("|\n  hr", "several lines"),
        (">-", "'>-'"),
        ("!!python/object/apply:os.system [id]", "'!!python/object/apply:os.system [id]'"),
        ("&a hr", "'&a hr'"),
        ("*a", "'*a'"),
        ("'it''s'", "\"'it''s'\""),
        ('"a\\tb"', "'\"a\\\\tb\"'"),
        ("'hr", '"\'hr"'),
        ("''", "nothing"),
        ("", "nothing"),
        ("# hr", "nothing"),
        ("~", "nothing"),
        ("null", "nothing"),
        ("a: b", "'a: b'"),
        ("- hr", "'- hr'"),
        ("%hr", "'%hr'"),
        ("[" + "x" * 60 + "]", f"'[{'x' * 39}…'"),
    ],
)
def test_any_other_value_is_refused_with_its_document(value, got):
    """The document stays without a label: no label is guessed."""
    assert front(f"---\ngroup: {value}\n---\n") == Refused(
        "a.md",
        f"`group` of its front matter must be one plain name; got {got}: write group: NAME",
    )


def test_two_groups_are_refused():
    """Under one key or under both."""
    for text in ("group: a\naccess: b", "group: a\ngroup: b"):
        refused = front(f"---\n{text}\n---\n")
        assert refused == Refused("a.md", "its front matter gives more than one group: keep one")


def test_front_matter_in_braces_is_refused_where_it_may_hold_a_group():
    """It is not looked into."""
    refused = front("---\n{title: x,\n group: hr}\n---\n")
    assert refused == Refused("a.md", "its front matter must be lines of `key: value` to be read")


# --- what there is ----------------------------------------------------------------------

STAFF = Corpus(
    (
        Document("hr/a.md", "12345", "hr"),
        Document("hr/b.md", "123", "hr"),
        Document("it/a.md", "", "it"),
        Document("top.md", "1234567", None),
    )
)


def test_a_table_tells_what_each_group_covers():
    """By name, and last what has no label."""
    assert group_table(STAFF) == (Group("hr", 2, 8), Group("it", 1, 0), Group(None, 1, 7))
    assert group_table(visible_to(STAFF, ["it"])) == (Group("it", 1, 0),)
    assert group_table(Corpus(())) == ()
    assert labels_of(STAFF) == ("hr", "it")


def test_those_who_see_all_are_told_what_came_of_labels():
    """Groups, names that fit nothing, documents refused, documents without a group."""
    bad = "---\ngroup: []\n---\n"
    texts = {"a.md": "---\ngroup: x\n---\n", "z.md": "", **{f"b{n}.md": bad for n in range(7)}}
    notes = list(labels_notes(label_by_front_matter(corpus_of(texts.items()))))
    assert notes[0] == "groups: x (1 document, 17 characters)"
    assert notes[1].startswith("b0.md: `group` of its front matter must be one plain name")
    assert notes[6:] == [
        "2 more documents whose front matter gives a group that cannot be read",
        "8 documents have no group, so no member sees them: b0.md, b1.md, b2.md, b3.md, b4.md "
        "and 3 more",
    ]
    unknown = label_by_manifest(FILES, b"document,group\n*,x\nno.md,x\n")
    assert list(labels_notes(unknown))[1:] == ["1 name of the manifest fits no document: no.md"]
    assert list(labels_notes(label_by_folder(named("a.md")))) == ["no document has a group"]


def test_a_member_is_told_how_much_is_visible():
    """As whom, and how many of how many."""
    assert visible_sentence(visible_to(STAFF, ["it"]), STAFF) == (
        "asked as a member of group it: 1 of 4 documents is visible"
    )
    assert visible_sentence(visible_to(STAFF, ["it", "hr"]), STAFF) == (
        "asked as a member of groups hr and it: 3 of 4 documents are visible"
    )
    assert (
        groups_sentence(STAFF) == "groups: hr (2 documents, 8 characters), it (1 document, "
        "0 characters)"
    )


# --- what is visible --------------------------------------------------------------------


def test_a_member_sees_the_documents_of_its_groups():
    """With their labels; what has no label is visible to nobody once there is one."""
    assert labels(visible_to(STAFF, ["hr"])) == {"hr/a.md": "hr", "hr/b.md": "hr"}
    assert labels(visible_to(STAFF, iter(["it", "hr", "it"]))).keys() == {
        "hr/a.md", "hr/b.md", "it/a.md",
    }  # fmt: skip
    assert visible_to(STAFF, "it") == visible_to(STAFF, ["it"])


def test_without_any_label_all_is_visible():
    """To everybody, whatever the group is called."""
    corpus = named("a.md", "b.md")
    assert visible_to(corpus, ["hr"]) == visible_to(corpus, []) == corpus


def test_an_unknown_group_lists_those_there_are():
    """One that is known beside it does not help."""
    with pytest.raises(InputError) as caught:
        visible_to(STAFF, ["hr", "sales"])
    assert str(caught.value) == (
        "a group must be one that a document has (hr, it); got 'sales': name another one"
    )


def test_a_member_of_nothing_sees_nothing():
    """And is told which groups there are."""
    with pytest.raises(InputError, match="got none: name one or more of hr, it"):
        visible_to(STAFF, [])


# --- what a member is asked -------------------------------------------------------------

LOST = "its evidence stands in documents that group pub may not see"
UNTOLD = (
    "it cannot be used, and why could tell of documents that group pub may not see: run it "
    "without a group to know"
)
OFFICE = Corpus(
    (
        Document("hr/secret.md", "Ana earns fifty. The office opens at nine.", "hr"),
        Document("pub/hours.md", "The office opens at nine. The lift is slow.", "pub"),
        Document("pub/map.md", "The lift is left of the stairs.", "pub"),
    )
)
VISIBLE = visible_to(OFFICE, ["pub"])


def asked(*spans: tuple[str, int, int], need="any", name="q", text="lift") -> Query:
    """Return a question with evidence."""
    return Query(name, text, tuple(Evidence(*span) for span in spans), need)


def test_a_question_keeps_what_is_visible():
    """One visible span is enough for ``any``, and all must be visible for ``all``."""
    hidden, seen = ("hr/secret.md", 0, 3), ("pub/map.md", 4, 8)
    queries = QuerySet(
        (
            asked(hidden, seen, name="any"),
            asked(hidden, seen, name="all", need="all"),
            asked(seen, name="seen", need="all"),
            asked(hidden, name="lost"),
        ),
        "minimal",
        "mine",
    )
    left = queries_for(queries, VISIBLE)
    assert [(q.id, q.need, q.evidence) for q in left] == [
        ("any", "any", (Evidence(*seen),)),
        ("seen", "all", (Evidence(*seen),)),
    ]
    assert left.unresolved == (Unresolved(2, "all", LOST), Unresolved(4, "lost", LOST))
    assert (left.kind, left.source) == ("minimal", "mine")
    assert queries_for(left, VISIBLE).digest == left.digest


def test_an_id_made_from_a_hidden_name_is_not_told():
    """Questions from headings are called after their documents."""
    text = f"## What it is for\n\n{'word ' * 80}"
    corpus = Corpus((Document("hr/secret.md", text, "hr"), Document("pub/a.md", text, "pub")))
    left = queries_for(heading_queries(corpus), visible_to(corpus, ["pub"]))
    assert [query.id for query in left] == ["pub/a.md#0"]
    assert left.unresolved == (Unresolved(1, "row 1", LOST),)


def test_earlier_reasons_are_not_told():
    """They were found among all documents, and may quote them."""
    before = (Unresolved(7, "secret.md", "the text differs: it reads 'Ana earns'", "Ana earns"),)
    queries = QuerySet((asked(("pub/map.md", 4, 8)),), "minimal", "", before)
    assert queries_for(queries, VISIBLE).unresolved == (Unresolved(7, "row 7", UNTOLD),)
    assert queries_for(queries, named("pub/map.md")).unresolved == before  # nobody is kept out


def test_a_set_of_which_nothing_is_left_is_an_error():
    """That tells how many there were."""
    queries = QuerySet((asked(("hr/secret.md", 0, 3)),), "minimal")
    with pytest.raises(QueryError, match="documents that group pub may see; none of the 1 quest"):
        queries_for(queries, VISIBLE)
    with pytest.raises(QueryError, match="in documents of this corpus; none of the 1 questions"):
        queries_for(queries, named("a.md"))


def test_ambiguous_rows_stay_with_their_questions():
    """Those of questions that are left out go with them."""
    rows = [
        {"id": "s", "query": "x", "evidence": [{"doc": "hr/secret.md", "text": "n"}]},
        {"id": "p", "query": "x", "evidence": [{"doc": "pub/map.md", "text": "e"}]},
        {"id": "l", "query": "x", "evidence": [{"doc": "pub/map.md", "text": "left"}]},
    ]
    golden = read_golden(golden_of(*rows), OFFICE)
    assert [one.id for one in golden.ambiguous] == ["s", "p"]
    left = queries_for(golden, VISIBLE)
    assert [one.id for one in left.ambiguous] == ["p"]


# --- golden sets ------------------------------------------------------------------------


def golden_of(*rows: dict[str, object]) -> bytes:
    """Return a golden set in JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def row(name: str, *evidence: object, **more: object) -> dict[str, object]:
    """Return a row of a golden set."""
    return {"id": name, "query": f"what is {name}", "evidence": list(evidence), **more}


def read_for(*rows: dict[str, object], corpus: Corpus = OFFICE) -> QuerySet:
    """Return what a member of pub is asked of these rows."""
    data = golden_of(*rows)
    return member_queries(lambda one: read_golden(data, one), corpus, ["pub"])


HIDDEN = {"doc": "hr/secret.md", "text": "fifty"}
ROWS = (
    row("both", "The office opens at nine."),
    row("side", HIDDEN, {"doc": "pub/map.md", "text": "left"}, need="any"),
    row("every", HIDDEN, {"doc": "pub/map.md", "text": "left"}, need="all"),
    row("named", {"doc": "hr/secret.md", "start": 0, "end": 9}),
    row("wrong", {"doc": "hr/secret.md", "start": 0, "end": 999}),
    row("quoted", {"doc": "hr/secret.md", "start": 0, "end": 9, "text": "Ana pays"}),
    row("nowhere", "no such text at all"),
    row("only", "earns fifty"),
    row("empty"),
)


def test_a_golden_set_is_found_among_visible_texts():
    """What stands on both sides is not ambiguous to a member; each row left out has its reason."""
    found = read_for(*ROWS)
    assert [(query.id, query.evidence) for query in found] == [
        ("both", (Evidence("pub/hours.md", 0, 25),)),
        ("side", (Evidence("pub/map.md", 12, 16),)),
    ]
    reasons = {one.row: (one.id, one.reason) for one in found.unresolved}
    assert reasons[3] == ("every", LOST)
    assert reasons[4] == ("named", LOST)
    assert reasons[5] == ("row 5", UNTOLD)
    assert reasons[6] == ("row 6", UNTOLD)
    assert reasons[7][1].startswith("the text 'no such text at all' is not found in any document")
    assert reasons[8] == ("only", LOST)
    assert reasons[9][1].startswith("the evidence is missing or empty")
    assert len(reasons) == len(found.unresolved) == 7


def test_a_hidden_name_never_means_a_visible_document():
    """Found among visible documents alone, hr/secret.md would be secret.md at the top."""
    top = Document("secret.md", "Nothing here but fifty pence.", "pub")
    corpus = Corpus((*OFFICE.documents, top))
    found = read_for(ROWS[0], row("x", HIDDEN), corpus=corpus)
    assert [query.id for query in found] == ["both"]
    assert found.unresolved == (Unresolved(2, "x", LOST),)


def test_what_hidden_texts_say_decides_no_question():
    """The same rows are asked, of the same evidence, whatever stands in them."""
    changed = [
        replace(one, text="The lift is slow. " * 9) if one.group == "hr" else one
        for one in OFFICE.documents
    ]
    rows = [one for one in ROWS if one["id"] != "side"]
    other = read_for(*rows, corpus=Corpus(tuple(changed)))
    assert other.queries == read_for(*rows).queries


def test_an_id_given_twice_is_not_taken_for_another_row():
    """The hidden row is left out, the visible one asked once."""
    found = read_for(row("x", "slow"), row("x", HIDDEN), row("y", HIDDEN), row("y", HIDDEN))
    assert [query.id for query in found] == ["x"]
    assert [(one.row, one.id) for one in found.unresolved] == [
        (2, "row 2"), (3, "y"), (4, "row 4"),
    ]  # fmt: skip


def test_all_is_read_where_all_is_visible():
    """As a golden set is read without groups."""
    data = golden_of(*ROWS)
    everybody = member_queries(lambda one: read_golden(data, one), OFFICE, ["hr", "pub"])
    assert everybody == read_golden(data, OFFICE)


def test_a_file_that_cannot_be_read_says_so():
    """What follows from the file alone is told to anybody."""
    for data, reason in (
        (b"a,b\n1,2\n", "no column of questions"),
        (golden_of(row("x")), "row 1: the evidence is missing or empty"),
    ):
        with pytest.raises(QueryError, match=reason):
            member_queries(lambda one, data=data: read_golden(data, one), OFFICE, ["pub"])


def test_a_golden_set_without_a_visible_row_is_an_error():
    """That names no document."""
    rows = (row("x", HIDDEN), row("y", {"doc": "hr/secret.md", "start": 0, "end": 999}))
    for asked_for in (rows, rows[1:]):
        with pytest.raises(QueryError, match="that group pub may see; none of the") as caught:
            read_for(*asked_for)
        assert "secret" not in str(caught.value)
    assert [query.id for query in read_for(rows[0], ROWS[1])] == ["side"]  # the other one is there


# --- a run as a member ------------------------------------------------------------------


def test_a_member_is_ranked_among_visible_chunks_alone():
    """N, document frequency and average length: ranks differ from those of the whole."""
    texts = {"pub/a.md": "red red key", "pub/b.md": "blue lock", "pub/c.md": "green door"}
    hidden = {f"hr/{n}.md": "red herring" for n in range(9)}
    corpus = label_by_folder(corpus_of((texts | hidden).items())).corpus
    queries = QuerySet((asked(("pub/a.md", 0, 3), text="red lock"),), "minimal")
    spec, run = ChunkSpec(size=50, overlap=0), RunSpec("okapi", "word")
    alone = corpus_of(texts.items())
    mine = evaluate_with(prepare_for(corpus, queries, ["pub"], "word"), spec, run)
    theirs = evaluate_with(prepare(alone, queries, "word"), spec, run)
    everything = evaluate_with(prepare(corpus, queries, "word"), spec, run)
    assert mine.ranked.score.tolist() == theirs.ranked.score.tolist()
    assert (mine.values["chunks"], everything.values["chunks"]) == (3, 12)
    assert mine.values["lenient_hit@1"] == 1.0
    assert everything.values["lenient_hit@1"] == 0.0


def test_the_choice_of_terms_is_that_of_the_visible_texts():
    """Hidden Japanese does not make a member's run split into bigrams."""
    corpus = Corpus(
        (Document("a.md", "key and lock", "pub"), Document("b.md", "青い扉の鍵" * 9, "hr"))
    )
    queries = QuerySet((asked(("a.md", 0, 3), text="key"),), "minimal")
    assert prepare(corpus, queries).terms.name == "cjk-bigram"
    assert prepare_for(corpus, queries, ["pub"]).terms.name == "word"


def test_nothing_hidden_is_told_to_a_member():
    """Neither names nor texts of hidden documents, in no reason, id, note or error."""
    found = read_for(*ROWS)
    told = [text for one in found.unresolved for text in (one.id, one.reason, one.nearest)]
    told += [part for one in queries_for(read_golden(golden_of(*ROWS), OFFICE), VISIBLE).unresolved
             for part in (one.id, one.reason, one.nearest)]  # fmt: skip
    told.append(visible_sentence(VISIBLE, OFFICE))
    for groups in (["sales"], []):
        with pytest.raises(InputError) as caught:
            visible_to(OFFICE, groups)
        told.append(str(caught.value))
    engine = prepare_for(OFFICE, read_golden(golden_of(*ROWS), OFFICE), ["pub"])
    told += [engine.terms.reason, *(one.reason for one in engine.queries.unresolved)]
    words = ("secret", "hr/", "Ana", "earns", "fifty")
    assert not [(text, word) for text in told for word in words if word in text]


def test_the_name_of_a_group_has_an_end():
    """It would stand in every row and note; two hundred characters are taken."""
    assert label_by_folder(corpus_of([(f"{'g' * 200}/a.txt", "Lit.")])).corpus.documents[0].group
    with pytest.raises(InputError, match="at most 200 characters; got 201"):
        label_by_folder(corpus_of([(f"{'g' * 201}/a.txt", "Lit.")]))


def test_a_name_that_turns_the_line_round_is_shown_in_signs():
    """A right-to-left override in a group's name does not reach a terminal or page as it is."""
    assert "\u202e" not in lost_evidence(["\u202eretla"])
