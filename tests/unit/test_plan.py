"""Plans from one state of an index to another, and a live index held against its state."""

import json

import pytest

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.errors import InputError
from overlapkit.updates import (
    Addition,
    DocumentPlan,
    Live,
    Missing,
    Mixed,
    Plan,
    Repeated,
    Snapshot,
    Stale,
    apply_plan,
    check_live,
    export_jsonl,
    export_parquet,
    export_rows,
    plan_jsonl,
    read_export,
    read_ids,
    reindex_plan,
    snapshot,
    snapshot_of_rows,
)
from overlapkit.updates.sentences import live_sentences, plan_sentences

FOUR = ChunkSpec(size=4, overlap=0)
EIGHT = ChunkSpec(size=8, overlap=0)
OLD = corpus_of([("a.txt", "abcdefgh"), ("b.txt", "12345678")])
NEW = corpus_of([("a.txt", "abcdXfgh"), ("b.txt", "12345678")])


def state(*texts: tuple[str, str], spec: ChunkSpec = FOUR, label: str = "", model: str = ""):
    """Return the state of an index over documents of these names and texts."""
    return snapshot(corpus_of(texts), spec, label=label, model=model)


def ids_of(found: Snapshot) -> list[str]:
    """Return all ids of a state, in order."""
    return [one for document in found.documents for one in document.ids]


def index_of(found: Snapshot) -> dict[str, str]:
    """Return a toy index: each id with its embedding key for a vector."""
    return {i: k for one in found.documents for i, k in zip(one.ids, one.keys, strict=True)}


def applied(before: Snapshot, after: Snapshot) -> dict[str, str]:
    """Return the toy index after the plan between two states."""
    return apply_plan(index_of(before), reindex_plan(before, after), lambda key: key)


BEFORE, AFTER = snapshot(OLD, FOUR, label="old"), snapshot(NEW, FOUR, label="new")

# --- plans ----------------------------------------------------------------------------


def test_an_unchanged_document_is_not_in_the_plan():
    """Of two documents, one changed: only that one is there."""
    plan = reindex_plan(BEFORE, AFTER)
    assert ([one.name for one in plan.documents], plan.unchanged) == (["a.txt"], 1)


def test_nothing_changes_between_equal_states():
    """The plan is empty."""
    assert reindex_plan(BEFORE, snapshot(OLD, FOUR)) == Plan((), 2)


def test_a_changed_document_is_complete():
    """All new ids come, all old ids go, and a text that stays brings its vector."""
    old, new = BEFORE.documents[0], AFTER.documents[0]
    (found,) = reindex_plan(BEFORE, AFTER).documents
    assert found == DocumentPlan(
        "a.txt",
        new.version,
        new.setting,
        (Addition(new.ids[0], new.keys[0], old.ids[0]), Addition(new.ids[1], new.keys[1], None)),
        old.ids,
    )


def test_a_plan_counts_what_it_does():
    """Of two chunks to add, one is embedded and one takes a vector."""
    plan = reindex_plan(BEFORE, AFTER)
    assert (plan.added, plan.deleted, plan.embedded, plan.reused, plan.gone) == (2, 2, 1, 1, 0)


def test_a_text_that_comes_twice_is_embedded_once():
    """Two chunks of one new text need one vector."""
    plan = reindex_plan(state(), state(("a", "xxxxxxxx"), ("b", "xxxx")))
    assert (plan.added, plan.embedded, plan.reused) == (3, 1, 2)


def test_a_document_that_is_gone_loses_every_chunk():
    """It has no version afterwards."""
    plan = reindex_plan(BEFORE, state(("b.txt", "12345678")))
    assert plan.documents == (DocumentPlan("a.txt", None, None, (), BEFORE.documents[0].ids),)
    assert plan.gone == 1


def test_a_renamed_document_takes_its_vectors_along():
    """The new name comes first and the old one goes last, so that they are still there."""
    plan = reindex_plan(state(("a", "abcdefgh")), state(("z", "abcdefgh")))
    assert [one.name for one in plan.documents] == ["z", "a"]
    assert (plan.embedded, plan.reused) == (0, 2)


def test_vectors_are_taken_from_documents_that_do_not_change():
    """A text that another document holds need not be embedded."""
    before = state(("a", "abcd"), ("b", "1234"))
    plan = reindex_plan(before, state(("a", "1234"), ("b", "1234")))
    ((addition,),) = (one.add for one in plan.documents)
    assert addition.reuse == before.documents[1].ids[0]


def test_no_vector_is_taken_from_another_document_that_changes():
    """It may be gone by then, since such documents can be done in any order."""
    plan = reindex_plan(state(("a", "abcd"), ("b", "1234")), state(("a", "1234"), ("b", "abcd")))
    assert [one.reuse for step in plan.documents for one in step.add] == [None, None]


def test_a_new_setting_changes_every_document():
    """Ids name the setting, and equal texts are not embedded again."""
    before = state(("a", "abcd"), ("b", "12345678"))
    plan = reindex_plan(before, state(("a", "abcd"), ("b", "12345678"), spec=EIGHT))
    assert (plan.unchanged, plan.added, plan.deleted, plan.embedded) == (0, 2, 3, 1)


def test_another_group_is_another_version():
    """Rows carry their group, so all are written anew, from stored vectors."""
    before, after = (
        snapshot(Corpus((Document("a", "abcd", group),)), FOUR) for group in ("staff", None)
    )
    plan = reindex_plan(before, after)
    assert (plan.added, plan.deleted, plan.embedded) == (1, 1, 0)


def test_documents_without_chunks_need_nothing():
    """One that was empty and one that is are no part of a plan."""
    assert reindex_plan(state(("a", ""), ("b", " ")), state(("a", " "))).documents == ()


def test_another_model_needs_an_index_of_its_own():
    """Vectors of two models cannot be compared."""
    with pytest.raises(InputError, match="one embedding model; got 'm' and 'n'"):
        reindex_plan(state(("a", "abcd"), model="m"), state(("b", "abcd"), model="n"))


def test_an_index_of_nothing_has_no_model():
    """Whatever the model, it can be filled."""
    assert reindex_plan(state(), state(("a", "abcd"), model="n")).added == 1


def test_one_id_of_two_keys_is_refused():
    """Exports do not name their model, so the keys have to tell."""
    before = state(("a", "abcd"), model="m")
    after = Snapshot("after", state(("a", "abcd"), model="n").documents, "m")
    with pytest.raises(InputError, match="two embedding keys"):
        reindex_plan(before, after)


def test_an_applied_plan_gives_the_wanted_index():
    """Ids and vectors are those of a fresh index."""
    assert applied(BEFORE, AFTER) == index_of(AFTER)


def test_applying_leaves_the_given_index_alone():
    """The result is an index of its own."""
    index = index_of(BEFORE)
    apply_plan(index, reindex_plan(BEFORE, AFTER), lambda key: key)
    assert index == index_of(BEFORE)


def test_only_new_texts_are_embedded():
    """Every other vector comes out of the index."""
    asked = []
    apply_plan(index_of(BEFORE), reindex_plan(BEFORE, AFTER), asked.append)
    assert asked == [AFTER.documents[0].keys[1]]


def test_a_plan_does_not_fit_an_index_that_lacks_an_old_id():
    """Something else has changed it since."""
    index = index_of(BEFORE)
    del index[BEFORE.documents[0].ids[1]]
    with pytest.raises(InputError, match=rf"lacks {BEFORE.documents[0].ids[1]}"):
        apply_plan(index, reindex_plan(BEFORE, AFTER), lambda key: key)


def test_a_plan_does_not_fit_an_index_that_holds_a_new_id():
    """Half of the new version stands there already."""
    index = index_of(BEFORE) | {AFTER.documents[0].ids[0]: "x"}
    with pytest.raises(InputError, match="holds ids of the new state"):
        apply_plan(index, reindex_plan(BEFORE, AFTER), lambda key: key)


def test_a_line_of_json_is_one_document():
    """What has to be done in one step stands in one line."""
    old, new = BEFORE.documents[0], AFTER.documents[0]
    (line,) = map(json.loads, plan_jsonl(reindex_plan(BEFORE, AFTER)))
    assert line == {
        "doc": "a.txt",
        "document_version": new.version,
        "setting": "text 1; chunker window; unit char; size 4; overlap 0",
        "add": [
            {"id": new.ids[0], "embedding_key": new.keys[0], "reuse": old.ids[0]},
            {"id": new.ids[1], "embedding_key": new.keys[1], "reuse": None},
        ],
        "delete": list(old.ids),
    }


def test_a_plan_is_said_in_sentences():
    """Changed, gone and unchanged documents, and how much has to be embedded."""
    before = state(("a", "abcdefgh"), ("b", "12345678"), ("c", "cccc"))
    plan = reindex_plan(before, state(("a", "abcdXfgh"), ("b", "12345678")))
    assert plan_sentences(plan) == (
        "1 document changes, 1 is gone, 1 stays. 2 chunks to add, 3 to delete: 1 text to embed, "
        "and 1 vector at hand."
    )
    assert plan_sentences(reindex_plan(before, before)) == (
        "Nothing has to be done: 3 documents are as wanted."
    )


# --- exports read again ---------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_an_export_is_read_again(form):
    """Ids, keys, versions and spans come back; it is called by its file."""
    chunks = chunk(OLD, FOUR)
    if form == "jsonl":
        data = "".join(export_jsonl(OLD, chunks, FOUR)).encode()
    else:
        data = export_parquet(OLD, chunks, FOUR, text=False)
    found = read_export(data, "old.file")
    assert (found.label, index_of(found)) == ("old.file", index_of(BEFORE))
    for one, own in zip(found.documents, BEFORE.documents, strict=True):
        assert (one.name, one.version, one.setting) == (own.name, own.version, own.setting)
        assert (one.start.tolist(), one.end.tolist()) == (own.start.tolist(), own.end.tolist())


def test_rows_of_an_export_may_come_in_any_order():
    """Documents stand by name and chunks by place."""
    rows = list(export_rows(OLD, chunk(OLD, FOUR), FOUR))
    assert ids_of(snapshot_of_rows(reversed(rows), "x")) == ids_of(BEFORE)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, "row 2: id must be a text; got None"),
        ({"start": "4"}, "row 2: start must be a whole number; got '4'"),
        ({"document_version": "other"}, r"holds 'a\.txt' in 2 versions"),
        ({"setting": "other"}, r"holds 'a\.txt' in 2 versions"),
    ],
)
def test_what_is_no_export_is_refused(change, reason):
    """The message names the row or the document."""
    rows = list(export_rows(OLD, chunk(OLD, FOUR), FOUR))
    rows[1] |= change
    with pytest.raises(InputError, match=reason):
        snapshot_of_rows(rows, "old.jsonl")


def test_an_export_names_an_id_once():
    """A file put together from two is none."""
    rows = list(export_rows(OLD, chunk(OLD, FOUR), FOUR))
    with pytest.raises(InputError, match=r"row 5: the id .* occurs twice"):
        snapshot_of_rows(rows + rows, "old.jsonl")


def test_a_broken_line_of_an_export_is_refused():
    """Half a state would look like missing chunks."""
    with pytest.raises(InputError, match=r"old\.jsonl, row 1: not valid JSON"):
        read_export(b"{nonsense\n", "old.jsonl")


# --- a live index ---------------------------------------------------------------------


def test_an_index_as_wanted_is_clean():
    """All ids are there, in whatever order, and nothing else."""
    found = check_live(reversed(ids_of(AFTER)), AFTER, [BEFORE])
    assert found.clean
    assert (found.listed, found.wanted, found.present) == (4, 4, 4)


def test_a_missing_chunk_is_named_with_its_document():
    """The others are present."""
    first, *rest = ids_of(AFTER)
    found = check_live(rest, AFTER)
    assert (found.missing, found.present) == ((Missing(first, "a.txt"),), 3)


def test_an_unknown_id_is_an_orphan():
    """No state has it."""
    found = check_live([*ids_of(AFTER), "unknown"], AFTER, [BEFORE])
    assert (found.orphans, found.stale) == (("unknown",), ())
    assert not found.clean


def test_an_old_id_is_an_orphan_where_no_older_state_is_known():
    """An id alone does not tell where it comes from."""
    old = BEFORE.documents[0].ids
    assert check_live([*ids_of(AFTER), *old], AFTER).orphans == old


def test_an_old_id_is_stale_where_an_older_state_has_it():
    """It is named by the first state that knows it."""
    old = BEFORE.documents[0].ids[0]
    again = snapshot(OLD, FOUR, label="older")
    found = check_live([*ids_of(AFTER), old], AFTER, [BEFORE, again])
    assert found.stale == (Stale(old, "a.txt", "old"),)
    assert found.orphans == ()


def test_a_row_tells_that_it_is_stale():
    """Where it brings its document and a version that is not the wanted one."""
    row = {"id": "x", "metadata": {"doc": "a.txt", "document_version": "v"}}
    assert check_live([row], AFTER).stale == (Stale("x", "a.txt", "another version"),)


def test_a_row_tells_that_it_belongs_to_another_setting():
    """The version is the wanted one, the setting is not."""
    row = Live("x", "a.txt", AFTER.documents[0].version, "text 0")
    assert check_live([row], AFTER).stale == (Stale("x", "a.txt", "another setting"),)


@pytest.mark.parametrize(
    "row",
    [
        Live("x", "a.txt", AFTER.documents[0].version, AFTER.documents[0].setting),
        Live("x", "z.txt", "v"),
        Live("x", "a.txt"),
    ],
)
def test_a_row_may_not_tell_enough(row):
    """The wanted state, a document that no state has, or no version: an orphan."""
    assert check_live([row], AFTER).orphans == ("x",)


def test_a_repeated_id_is_counted():
    """It is present once."""
    first, *_ = ids = ids_of(AFTER)
    found = check_live([*ids, first, first], AFTER)
    assert found.repeated == (Repeated(first, 3),)
    assert (found.listed, found.present) == (6, 4)


def test_a_document_of_two_versions_is_mixed():
    """Both states are named; the other document is not mixed."""
    found = check_live([*ids_of(AFTER), *ids_of(BEFORE)], AFTER, [BEFORE])
    assert found.mixed == (Mixed("a.txt", ("new", "old")),)


def test_two_old_versions_are_mixed_too():
    """None of the two need be the wanted one."""
    rows = [Live("x", "a.txt", "v"), Live("y", "a.txt", "w"), Live("z", "b.txt", "v")]
    found = check_live(rows, AFTER)
    assert found.mixed == (Mixed("a.txt", ("another version", "another version")),)


def test_two_settings_are_mixed():
    """A question would find the same text in two sizes."""
    other = snapshot(NEW, EIGHT, label="eight")
    found = check_live([*ids_of(AFTER), other.documents[0].ids[0]], AFTER, [other])
    assert found.mixed == (Mixed("a.txt", ("new", "eight")),)


def test_a_row_needs_an_id():
    """Without one it cannot be checked."""
    with pytest.raises(InputError, match="needs an id"):
        check_live([{"doc": "a.txt"}], AFTER)


def test_a_clean_index_is_said_in_a_sentence():
    """Nothing else is said."""
    assert live_sentences(check_live(ids_of(AFTER), AFTER)) == (
        "The index holds all of its 4 chunks, and nothing else."
    )


def test_what_is_wrong_is_said_in_sentences():
    """Each trouble has its own."""
    first, *rest = ids_of(AFTER)
    ids = [*rest, rest[0], *BEFORE.documents[0].ids, "unknown"]
    assert live_sentences(check_live(ids, AFTER, [BEFORE])) == (
        "3 of 4 chunks are there. 1 chunk missing, of a.txt. 2 chunks of another state: 2 of "
        "old. 1 id that no state knows. 1 id listed more than once. Two versions at once of "
        "a.txt: questions can be answered from either."
    )
    assert first not in ids


def test_few_documents_are_named():
    """Of five, three are called by their names."""
    wanted = state(*((f"{at}.txt", "abcd") for at in range(5)))
    assert "5 chunks missing, of 0.txt, 1.txt, 2.txt and 2 other documents." in live_sentences(
        check_live([], wanted)
    )


# --- lists of ids ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "x\ny\n",
        '"x"\r\n\n  "y"  ',
        "\ufeffx\ny",
        '["x", "y"]',
        '[{"id": "x"}, {"id": "y"}]',
        '{"id": "x"}\n{"chunk_id": "y"}\n',
        "id\nx\ny\n",
        "doc;ID\na;x\nb;y\n",
        '"id","text"\n"x","two\nlines"\n"y",""\n',
    ],
)
def test_ids_are_read_from_any_list(text):
    """Lines, JSON, JSON lines and tables, with or without other columns."""
    assert [row.id for row in read_ids(text.encode(), "ids").rows] == ["x", "y"]


def test_ids_are_read_from_an_export_of_ours():
    """Document, version and setting come along, whatever the form."""
    chunks = chunk(OLD, FOUR)
    lines = read_ids("".join(export_jsonl(OLD, chunks, FOUR)).encode(), "old.jsonl")
    table = read_ids(export_parquet(OLD, chunks, FOUR), "old.parquet")
    assert lines == table
    own = BEFORE.documents[0]
    assert lines.rows[0] == Live(own.ids[0], "a.txt", own.version, own.setting)


def test_a_row_without_an_id_is_listed():
    """The others are read."""
    found = read_ids(b'{"id": "x"}\n{"doc": "a"}\nnonsense\n', "ids")
    assert [row.id for row in found.rows] == ["x"]
    assert [(one.row, one.reason) for one in found.left_out] == [
        (2, "a row needs an id"),
        (3, "not valid JSON (Expecting value at column 1)"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "it is empty"), ("id\n", "it is empty"), ('{"a": 1}', "row 1: a row needs an id")],
)
def test_a_list_without_an_id_is_refused(text, reason):
    """The message says why."""
    with pytest.raises(InputError, match=f"ids holds no id: {reason}"):
        read_ids(text.encode(), "ids")


def test_a_table_that_cannot_be_read_is_refused():
    """A quotation mark is left open in the heading."""
    with pytest.raises(InputError, match="quotation mark"):
        read_ids(b'id,"doc\nx,a\n', "ids.csv")
