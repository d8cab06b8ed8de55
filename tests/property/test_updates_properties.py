"""Plans, work, exports and checks over every chunker, two versions and two settings."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSpec, chunk
from overlapkit.corpus import Corpus, corpus_of
from overlapkit.structure import blocks, prose_sentences
from overlapkit.updates import (
    Edit,
    Plan,
    Snapshot,
    apply_edit,
    apply_plan,
    change_set,
    check_live,
    chunked,
    draw_edits,
    export_jsonl,
    read_export,
    reindex_plan,
    snapshot,
    update_work,
)
from tests.property.strategies import corpora, sizes, texts

every_chunker = pytest.mark.parametrize("chunker", CHUNKERS)
fast = settings(max_examples=40, deadline=None)
# Short texts of two letters stand in many chunks, those of the alphabet hardly ever.
repeated = st.lists(st.text("ab .", max_size=12), max_size=4).map(
    lambda found: corpus_of((f"{number}.txt", text) for number, text in enumerate(found))
)
versions = st.one_of(corpora(), repeated)


@st.composite
def states(draw: st.DrawFn, chunker: str) -> tuple[Snapshot, Snapshot]:
    """Return two states of an index: equal or other documents under equal or other settings."""
    before, after = draw(versions), draw(versions)
    spec = ChunkSpec(chunker, draw(st.sampled_from(UNITS)), *draw(sizes(6)))
    other = draw(st.sampled_from([spec, ChunkSpec(chunker, "char", *draw(sizes(6)))]))
    kept = draw(st.sets(st.integers(0, 3)))
    mixed = {one.name: one for one in after.documents} | {
        one.name: one for at, one in enumerate(before.documents) if at in kept
    }
    return snapshot(before, spec), snapshot(Corpus(tuple(mixed.values())), other)


def index_of(state: Snapshot) -> dict[str, str]:
    """Return a toy index: each id with its embedding key for a vector."""
    return {i: k for one in state.documents for i, k in zip(one.ids, one.keys, strict=True)}


@every_chunker
@fast
@given(data=st.data())
def test_an_applied_plan_equals_a_fresh_index(chunker, data):
    """Reused vectors are those of the same text, and no old id stays."""
    before, after = data.draw(states(chunker))
    plan = reindex_plan(before, after)
    assert apply_plan(index_of(before), plan, lambda key: key) == index_of(after)
    assert plan.deleted == len(index_of(before).keys() - index_of(after).keys())
    assert plan.added == len(index_of(after).keys() - index_of(before).keys())


@every_chunker
@fast
@given(data=st.data())
def test_no_version_is_ever_mixed(chunker, data):
    """Whatever documents are done, in whatever order, each stands wholly old or wholly new."""
    before, after = data.draw(states(chunker))
    plan = reindex_plan(before, after)
    stay = [one for one in plan.documents if one.version is not None]
    gone = plan.documents[len(stay) :]
    order = data.draw(st.permutations(stay))
    done = (*order, *gone)[: data.draw(st.integers(0, len(plan.documents)))]
    index = apply_plan(index_of(before), Plan(done, plan.unchanged), lambda key: key)
    old = {one.name: set(one.ids) for one in before.documents}
    new = {one.name: set(one.ids) for one in after.documents}
    finished = {one.name for one in done}
    for name in old.keys() | new.keys():
        standing = {one for one in old.get(name, set()) | new.get(name, set()) if one in index}
        assert standing == (new if name in finished else old).get(name, set())
    assert not check_live(index, after, [before]).mixed


@every_chunker
@fast
@given(data=st.data())
def test_a_live_check_tells_the_states_apart(chunker, data):
    """Held against the new state, an old index lacks what is new and is stale where it is old."""
    before, after = data.draw(states(chunker))
    old, new = index_of(before), index_of(after)
    found = check_live(old, after, [before])
    assert {one.id for one in found.missing} == new.keys() - old.keys()
    assert {one.id for one in found.stale} == old.keys() - new.keys()
    assert found.orphans == found.repeated == ()
    assert check_live(new, after, [before]).clean


@every_chunker
@pytest.mark.parametrize("unit", UNITS)
@fast
@given(text=st.one_of(texts(), st.text("ab .", max_size=40)), data=st.data(), size=sizes(8))
def test_work_counts_what_a_change_set_does(chunker, unit, text, data, size):
    """Leaving out chunks that an edit does not reach makes no difference."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    put = data.draw(st.text("ab .", max_size=12))
    (document,) = corpus_of([("a.txt", text)]).documents
    edit = Edit("a.txt", "replace", start, end, put)
    spec = ChunkSpec(chunker, unit, *size)
    after = chunked(apply_edit(document, edit), spec)
    expected = change_set(chunked(document, spec), after)
    found = update_work(Corpus((document,)), spec, [edit]).total
    assert (found.embedded, found.appeared, found.vanished, found.chunks) == (
        len(expected.embedded),
        len(expected.appeared),
        len(expected.vanished),
        len(after.ids),
    )
    lengths = (after.end - after.start).tolist()
    assert found.characters == sum(lengths[at] for at in expected.embedded)


@every_chunker
@fast
@given(data=st.data())
def test_a_change_set_sorts_every_chunk(chunker, data):
    """Embedded and reused are all chunks after; what comes and goes is the difference."""
    before, after = data.draw(states(chunker))
    old = {one.name: one for one in before.documents}
    for one in after.documents:
        if one.name not in old:
            continue
        found = change_set(old[one.name], one)
        assert sorted(found.embedded + found.reused) == list(range(len(one.ids)))
        assert set(found.kept) <= set(found.reused)
        assert set(found.embedded) <= set(found.appeared)
        grown = len(one.ids) - len(old[one.name].ids)
        assert len(found.appeared) - len(found.vanished) == grown
        stored = set(old[one.name].keys)
        assert {one.keys[at] for at in found.embedded} == set(one.keys) - stored


@every_chunker
@fast
@given(corpus=versions, size=sizes(6))
def test_an_export_reads_back_as_its_state(chunker, corpus, size):
    """Every chunk has an id of its own, and any text survives the file."""
    spec = ChunkSpec(chunker, "char", *size)
    expected = snapshot(corpus, spec)
    data = "".join(export_jsonl(corpus, chunk(corpus, spec), spec)).encode()
    found = read_export(data, "export")
    assert index_of(found) == index_of(expected)
    assert len(index_of(expected)) == len(expected)
    assert [one.name for one in found.documents] == [
        one.name for one in expected.documents if one.ids
    ]


@fast
@given(corpus=corpora(), seed=st.integers(), count=st.integers(1, 12))
def test_drawn_edits_change_their_document(corpus, seed, count):
    """Each fits its document and leaves another text."""
    assume(any(prose_sentences(blocks(one)) for one in corpus.documents))
    documents = {one.name: one for one in corpus.documents}
    for edit in draw_edits(corpus, count, seed, ["insert", "delete", "append"]):
        document = documents[edit.document]
        assert apply_edit(document, edit).text != document.text
