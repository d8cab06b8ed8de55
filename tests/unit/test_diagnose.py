"""Why queries miss: each cause on a corpus small enough to rank by hand."""

import json
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.diagnose import CAUSES, Diagnosis, Passage, advice, diagnose, tally
from overlapkit.diagnose.fit import fit
from overlapkit.engine import prepare
from overlapkit.errors import InputError, QueryError
from overlapkit.evaluate import evaluate_with
from overlapkit.given import evaluate_given, read_chunks, read_run
from overlapkit.queries import Evidence, Query, QuerySet, Unresolved
from overlapkit.retrieve import Budget, RunSpec, TopK

TEN = ChunkSpec(size=10, overlap=0)
FOUR_WORDS = ChunkSpec(unit="word", size=4, overlap=2)


def diagnosed(
    texts, queries, spec, cutoff=None, unresolved=(), ranking="lucene"
) -> tuple[Diagnosis, ...]:
    """Return the diagnoses of queries on texts by name."""
    asked = QuerySet(tuple(queries), "minimal", unresolved=unresolved)
    engine = prepare(corpus_of(texts.items()), asked, "word")
    run = RunSpec(ranking, "word", cutoff or TopK(5))
    return diagnose(engine, evaluate_with(engine, spec, run, tokens=False))


def span_of(texts, name: str, part: str) -> Evidence:
    """Return where a part first stands in a text."""
    start = texts[name].index(part)
    return Evidence(name, start, start + len(part))


def asking(question: str, *spans: Evidence, need="any") -> Query:
    """Return a query called q."""
    return Query("q", question, spans, need)


def cut_word(start: int, end: int, spec: ChunkSpec) -> Diagnosis:
    """Return the diagnosis of a span of one word of 80 letters that no question asks for."""
    return diagnosed({"a": "x" * 80}, [asking("tea", Evidence("a", start, end))], spec)[0]


# --- one cause each -------------------------------------------------------------------

TEAS = {"a": "tea tea", "b": "tea at nine"}  # by tea, a stands before b


def test_a_query_that_finds_its_evidence_is_a_hit():
    """The second result holds the span; nothing else is said but its rank."""
    span = span_of(TEAS, "b", "nine")
    (one,) = diagnosed(TEAS, [asking("tea", span)], ChunkSpec(size=20, overlap=0))
    assert one == Diagnosis(0, "q", "hit", span, rank=2)


def test_evidence_longer_than_a_chunk_names_the_size_it_needs():
    """11 characters need 11, whatever the overlap."""
    one = cut_word(3, 14, ChunkSpec(size=10, overlap=9))
    assert one == Diagnosis(0, "q", "chunk too small", Evidence("a", 3, 14), needed_size=11)


@pytest.mark.parametrize("part", ["two three four", " three "])
def test_evidence_is_as_long_as_a_chunk_counts(part):
    """Three words need three, and so does one with its white space, which ends no window."""
    texts = {"a": "one two three four"}
    query = asking("tea", span_of(texts, "a", part))
    (one,) = diagnosed(texts, [query], ChunkSpec(unit="word", size=2, overlap=1))
    assert (one.cause, one.needed_size) == ("chunk too small", 3)


def test_a_cut_names_the_overlap_that_works_and_the_one_that_is_sure():
    """8..12 lies in 8..18 with overlap 2; with overlap 1 the second window begins at 9."""
    assert cut_word(8, 12, TEN) == Diagnosis(
        0, "q", "cut boundary", Evidence("a", 8, 12), working_overlap=2, guaranteed_overlap=3
    )


@pytest.mark.parametrize(("overlap", "working"), [(0, 2), (1, 2), (2, None), (3, None), (4, 5)])
def test_the_working_overlap_is_larger_than_the_present_one(overlap, working):
    """To hold 17..23, a window must begin in 13..17: steps 8, 7 and 5 have one, 10, 9, 6 none."""
    one = cut_word(17, 23, ChunkSpec(size=10, overlap=overlap))
    assert one.working_overlap == working
    assert one.cause == ("cut boundary" if working else "no shared term")


def test_overlaps_that_do_not_work_are_passed_over():
    """To hold 9..19, a window must begin at 9: after step 8 only 3 and 1 have one."""
    one = cut_word(9, 19, ChunkSpec(size=10, overlap=2))
    assert (one.working_overlap, one.guaranteed_overlap) == (7, 9)


@pytest.mark.parametrize(
    ("end", "size", "cause"),
    [(5, 1, "cut boundary"), (9, 2, "cut boundary"), (9, 1, "chunk too small")],
)
def test_white_space_that_belongs_to_no_window_has_no_remedy(end, size, cause):
    """Nothing before the first word is chunked: no size and no overlap is named, but the reason."""
    query = asking("tea", Evidence("a", 0, end))
    spec = ChunkSpec(unit="word", size=size, overlap=0)
    (one,) = diagnosed({"a": "  one two"}, [query], spec)
    assert one == Diagnosis(0, "q", cause, query.evidence[0], lacks="edges")


def test_white_space_alone_is_not_to_be_trimmed():
    """Nothing would be left of it; and between two words, a window of both holds it."""
    spec = ChunkSpec(unit="word", size=2, overlap=0)
    queries = [asking("tea", Evidence("a", at, at + 1)) for at in (0, 9)]
    before, between = diagnosed({"a": "  one two three"}, queries, spec)
    assert before == Diagnosis(0, "q", "cut boundary", Evidence("a", 0, 1))
    assert (between.lacks, between.working_overlap) == (None, 1)


def test_tokens_that_part_a_character_need_one_of_them():
    """Each of the tokens of a rare sign is widened to the sign, so any one window holds it."""
    queries = QuerySet((asking("tea", Evidence("a", 0, 1)),), "minimal")
    engine = prepare(corpus_of([("a", "🧿 b")]), queries, "word")
    units = engine.units("token")
    assert units.met(np.array([0]), np.array([1])) > 1
    assert fit(units, engine.evidence).needed.tolist() == [1]


def test_windows_that_were_moved_are_moved_at_every_overlap():
    """The working overlap of a phase is that of its own windows."""
    spec = ChunkSpec(size=10, overlap=0, phase=1)
    queries = QuerySet((asking("tea", Evidence("a", 0, 1)),), "minimal")
    engine = prepare(corpus_of([("a", "x" * 80)]), queries, "word")
    cut = int(engine.chunk(spec).end[2])
    start, end = cut - 3, cut + 4
    each = [engine.chunk(replace(spec, overlap=overlap)) for overlap in range(10)]
    held = [bool(((one.start <= start) & (one.end >= end)).any()) for one in each]
    assert cut_word(start, end, spec).working_overlap == held.index(True) > 0


def test_evidence_in_a_document_of_white_space_has_no_remedy():
    """Such a document has no chunk at all."""
    (one,) = diagnosed({"a": " " * 20}, [asking("tea", Evidence("a", 0, 5))], TEN)
    assert one == Diagnosis(0, "q", "cut boundary", Evidence("a", 0, 5))


HOUSE = {
    "house.md": "# Tea house rules\n\n## Hours of work\n\n## Opening hours here\n\n"
    "From nine until five\n\n# Tea hours",
}


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("hours of rest", ("Opening hours here",)),
        ("Tea hours?", ("Tea house rules", "Opening hours here")),
        ("Is it open?", ()),
    ],
)
def test_without_a_shared_term_the_headings_that_hold_one_are_named(question, headings):
    """They are those around the evidence, outermost first; another section's do not count."""
    span = span_of(HOUSE, "house.md", "From nine until five")
    spec = ChunkSpec(unit="word", size=4, overlap=0)
    (one,) = diagnosed(HOUSE, [asking(question, span)], spec)
    assert one == Diagnosis(0, "q", "no shared term", span, headings=headings)


def test_a_deep_rank_is_named_with_what_stands_above():
    """A thousand short chunks hold the word twice; of the two that hold it once, b is shorter."""
    texts = {f"{number:04}": "tea tea" for number in range(1000)} | {"b": "tea at nine"}
    texts["c"] = "tea at nine or ten"
    span = span_of(texts, "b", "nine")
    (one,) = diagnosed(texts, [asking("tea", span)], ChunkSpec(size=20, overlap=0))
    above = Passage("0000", 0, 7)
    assert one == Diagnosis(0, "q", "outranked", span, rank=1001, ranked_above=above)


def test_equal_scores_stand_in_the_order_of_the_documents():
    """Of three equal chunks the second has rank 2."""
    texts = dict.fromkeys("abc", "tea at nine")
    query = asking("tea", span_of(texts, "b", "nine"))
    (one,) = diagnosed(texts, [query], ChunkSpec(size=20, overlap=0), TopK(1))
    assert (one.cause, one.rank) == ("outranked", 2)


def test_the_rank_of_one_query_says_nothing_of_the_next():
    """Many of milk do not lift c for tea."""
    texts = TEAS | {"c": "milk milk milk tea at ten", "d": "milk at nine"}
    queries = [
        asking("milk", span_of(texts, "d", "nine")), asking("tea", span_of(texts, "b", "nine")),
    ]  # fmt: skip
    found = diagnosed(texts, queries, ChunkSpec(size=30, overlap=0), TopK(1))
    assert [(one.cause, one.rank) for one in found] == [("outranked", 2)] * 2


def test_ranks_follow_the_ranking_in_what_repeats_count():
    """A count of terms counts a repeated one once: c has three, b two and a one."""
    texts = {"a": "tea", "b": "cup of milk at nine", "c": "tea cup milk"}
    query = asking("tea tea cup milk", span_of(texts, "b", "nine"))
    spec = ChunkSpec(size=30, overlap=0)
    (one,) = diagnosed(texts, [query], spec, TopK(1), ranking="count")
    assert one.rank == 2


CROWD = {"a": "tea tea tea tea tea tea", "b": "tea one two three"}  # windows of a: 0..15, 8..23


def test_evidence_behind_near_duplicates_is_crowded_out():
    """Two windows of a share text; with one slot for both, b is second."""
    span = span_of(CROWD, "b", "one two three")
    (one,) = diagnosed(CROWD, [asking("tea", span)], FOUR_WORDS, TopK(2))
    above = Passage("a", 0, 15)
    assert one == Diagnosis(0, "q", "crowded out", span, rank=3, ranked_above=above)


def test_a_chunk_that_collapses_into_one_without_the_evidence_is_outranked():
    """The window with the evidence shares text with the better one, which lacks it."""
    texts = {"a": "tea tea tea tea one two"}
    query = asking("tea", span_of(texts, "a", "one two"))
    (one,) = diagnosed(texts, [query], FOUR_WORDS, TopK(1))
    assert (one.cause, one.rank) == ("outranked", 2)


@pytest.mark.parametrize(("size", "cause"), [(47, "hit"), (46, "crowded out"), (31, "outranked")])
def test_a_context_budget_decides_by_what_it_takes(size, cause):
    """15 + 15 + 17 characters reach the end of b; without the near-duplicate 32 do."""
    query = asking("tea", span_of(CROWD, "b", "one two three"))
    (one,) = diagnosed(CROWD, [query], FOUR_WORDS, Budget(size))
    assert (one.cause, one.rank) == (cause, 3)


def test_a_result_cut_before_the_evidence_ends_is_no_hit():
    """The best chunk holds the span, the 10 characters taken of it do not: none is above it."""
    query = asking("tea", span_of(TEAS, "b", "nine"))
    (one,) = diagnosed({"b": TEAS["b"]}, [query], ChunkSpec(size=20, overlap=0), Budget(10))
    assert one == Diagnosis(0, "q", "outranked", query.evidence[0], rank=1)


@pytest.mark.parametrize(("size", "cause"), [(12, "hit"), (8, "crowded out"), (7, "outranked")])
def test_a_budget_of_tokens_counts_tokens(size, cause):
    """Each of the words is one token: 4 + 4 + 4 of them, or 4 + 4 without the duplicate."""
    query = asking("tea", span_of(CROWD, "b", "one two three"))
    (one,) = diagnosed(CROWD, [query], FOUR_WORDS, Budget(size, "token"))
    assert one.cause == cause


def test_rows_that_were_left_out_are_unresolved():
    """They stand behind the queries, with their reason and no index."""
    query = asking("tea", span_of(TEAS, "b", "nine"))
    row = Unresolved(7, "lost", "no document is called 'c'")
    _, one = diagnosed(TEAS, [query], ChunkSpec(size=20, overlap=0), unresolved=[row])
    assert one == Diagnosis(None, "lost", "unresolved", reason="no document is called 'c'")


def test_a_set_of_unresolved_rows_alone_has_only_those():
    """Without a query nothing is ranked."""
    (one,) = diagnosed(TEAS, [], TEN, unresolved=[Unresolved(1, "lost", "no such document")])
    assert (one.cause, one.id) == ("unresolved", "lost")


def test_evidence_of_whole_sections_is_not_diagnosed():
    """The reason is given."""
    queries = QuerySet((asking("tea", Evidence("a", 0, 3)),), "extent")
    engine = prepare(corpus_of(TEAS.items()), queries, "word")
    found = evaluate_with(engine, TEN, RunSpec(terms="word"), tokens=False)
    with pytest.raises(QueryError, match="mostly longer than a chunk"):
        diagnose(engine, found)


# --- chunks that are given ------------------------------------------------------------

# Under tea, the first chunk stands first and b second; the second chunk of a is the last.
SHOP = {"a": "tea tea at nine and milk at ten", "b": "tea for two"}
SHOP_CHUNKS = [("a", 0, 15), ("a", 16, 31), ("b", 0, 11)]


def given_diagnosed(texts, queries, spans, results=None, cutoff=None) -> tuple[Diagnosis, ...]:
    """Return the diagnoses under given chunks, called by their numbers.

    They are ranked here, or another retriever brings ``results`` by the id of a question.
    """
    asked, corpus = QuerySet(tuple(queries), "minimal"), corpus_of(texts.items())
    rows = (
        {"id": str(number), "doc": name, "start": start, "end": end}
        for number, (name, start, end) in enumerate(spans)
    )
    given = read_chunks("\n".join(map(json.dumps, rows)).encode(), corpus)
    ranked = None
    if results is not None:
        lines = ({"query_id": name, "results": ids.split()} for name, ids in results.items())
        ranked = read_run("\n".join(map(json.dumps, lines)).encode(), asked, given)
    engine = prepare(corpus, asked, "word")
    run = RunSpec("lucene", "word", cutoff or TopK(5))
    found = evaluate_given(engine, given, run, "your chunks", ranked, tokens=False)
    return diagnose(engine, found)


HERE, RUN = None, {"q": "0 1 2"}


@pytest.mark.parametrize(("results", "rank"), [(HERE, 1), (RUN, 2)])
def test_given_chunks_that_bring_the_evidence_hit(results, rank):
    """Ranked here the one chunk with milk stands first, in the run second."""
    query = asking("milk", span_of(SHOP, "a", "milk at ten"))
    (one,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, results)
    assert one == Diagnosis(0, "q", "hit", query.evidence[0], rank=rank)


@pytest.mark.parametrize("results", [HERE, RUN])
def test_evidence_longer_than_the_longest_given_chunk_names_the_size_it_needs(results):
    """16 characters are one more than either chunk of a has; 15 are as many."""
    long, fits = Evidence("a", 4, 20), Evidence("a", 5, 20)
    queries = [asking("tea", long), asking("tea", fits)]
    first, second = given_diagnosed(SHOP, queries, SHOP_CHUNKS, results)
    assert first == Diagnosis(0, "q", "chunk too small", long, needed_size=16)
    assert second == Diagnosis(1, "q", "cut boundary", fits)


@pytest.mark.parametrize("results", [HERE, RUN])
def test_a_cut_of_given_chunks_names_no_overlap(results):
    """The end of one chunk parts the evidence; how they were cut is not known."""
    query = asking("tea", span_of(SHOP, "a", "nine and"))
    (one,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, results)
    assert one == Diagnosis(0, "q", "cut boundary", query.evidence[0])


@pytest.mark.parametrize("results", [HERE, {"q": "0 2"}])
def test_given_chunks_are_outranked_at_a_rank(results):
    """The first chunk holds tea twice, and the run puts it first."""
    query = asking("tea", span_of(SHOP, "b", "two"))
    (one,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, results, TopK(1))
    above = Passage("a", 0, 15)
    assert one == Diagnosis(0, "q", "outranked", query.evidence[0], rank=2, ranked_above=above)


@pytest.mark.parametrize(
    ("results", "above"), [({"q": "0"}, Passage("a", 0, 15)), ({"q": ""}, None)]
)
def test_a_chunk_that_a_run_does_not_bring_is_outranked_without_a_rank(results, above):
    """What stands first is named where there is anything."""
    query = asking("tea", span_of(SHOP, "b", "two"))
    (one,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, results)
    assert one == Diagnosis(0, "q", "outranked", query.evidence[0], ranked_above=above)


def test_words_that_do_not_match_are_no_cause_under_a_run():
    """Another retriever need not go by them; ranked here they are the cause."""
    query = asking("milk", span_of(SHOP, "b", "two"))
    (here,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS)
    (there,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, {"q": "1"})
    assert (here.cause, there.cause) == ("no shared term", "outranked")


CROWD_CHUNKS = [("a", 0, 15), ("a", 8, 23), ("b", 0, 17)]


@pytest.mark.parametrize("results", [HERE, RUN])
def test_given_chunks_are_crowded_out_by_those_that_share_text(results):
    """The two chunks of a share text; with one slot for both, b is second."""
    query = asking("tea", span_of(CROWD, "b", "one two three"))
    (one,) = given_diagnosed(CROWD, [query], CROWD_CHUNKS, results, TopK(2))
    above = Passage("a", 0, 15)
    assert one == Diagnosis(0, "q", "crowded out", query.evidence[0], rank=3, ranked_above=above)


def test_crowding_goes_by_the_list_of_the_run_alone():
    """Ranked here b would move up; the run does not bring it at all."""
    query = asking("tea", span_of(CROWD, "b", "one two three"))
    (one,) = given_diagnosed(CROWD, [query], CROWD_CHUNKS, {"q": "0 1"}, TopK(2))
    assert (one.cause, one.rank) == ("outranked", None)


def test_nested_chunks_of_a_run_hold_what_they_hold():
    """Chunk 2 lies inside chunk 0: it holds at, not nine, and what it cuts chunk 0 still holds."""
    chunks = [*SHOP_CHUNKS[:2], ("a", 4, 10)]
    queries = [
        replace(asking("tea", span_of(SHOP, "a", part)), id=part) for part in ("tea at", "nine")
    ]
    results = {"tea at": "1 2", "nine": "1 2"}
    held, cut = given_diagnosed(SHOP, queries, chunks, results)
    assert (held.cause, held.rank) == ("hit", 2)
    assert (cut.cause, cut.rank) == ("outranked", None)


def test_nested_chunks_do_not_hide_a_cut():
    """A run lists its nested chunks last: four in the first half, and a span across the middle."""
    texts = {"a": "x" * 40}
    chunks = [("a", 0, 20), ("a", 20, 40), *(("a", at, at + 2) for at in range(1, 5))]
    query = asking("tea", Evidence("a", 18, 22))
    (one,) = given_diagnosed(texts, [query], chunks, {"q": "0"})
    assert one.cause == "cut boundary"


def test_the_list_of_a_run_is_looked_through_to_its_end():
    """However deep the chunk stands."""
    texts = {"a": "x" * 1200}
    chunks = [("a", at, at + 1) for at in range(1200)]
    query = asking("tea", Evidence("a", 1099, 1100))
    results = {"q": " ".join(map(str, range(1200)))}
    (one,) = given_diagnosed(texts, [query], chunks, results)
    assert (one.cause, one.rank) == ("outranked", 1100)


@pytest.mark.parametrize("need", ["any", "all"])
def test_a_chunk_that_no_list_brings_is_further_than_one_at_a_rank(need):
    """Any takes the one at rank 2, all the one that is not brought."""
    spans = span_of(SHOP, "a", "milk"), span_of(SHOP, "b", "two")
    query = asking("tea", *spans, need=need)
    (one,) = given_diagnosed(SHOP, [query], SHOP_CHUNKS, {"q": "0 2"}, TopK(1))
    assert (one.span, one.rank) == ((spans[1], 2) if need == "any" else (spans[0], None))


@pytest.mark.parametrize("need", ["any", "all"])
def test_a_chunk_that_no_list_brings_is_further_than_one_crowded_out(need):
    """Any takes the one at rank 3, all the one that is not brought."""
    texts = CROWD | {"c": "tea four five six"}
    spans = span_of(texts, "c", "four"), span_of(texts, "b", "one two three")
    query, chunks = asking("tea", *spans, need=need), [*CROWD_CHUNKS, ("c", 0, 17)]
    (one,) = given_diagnosed(texts, [query], chunks, {"q": "0 1 2"}, TopK(2))
    expected = ("crowded out", spans[1]) if need == "any" else ("outranked", spans[0])
    assert (one.cause, one.span) == expected


@pytest.mark.parametrize(
    ("part", "lacks"),
    [
        ("ten\n", "edges"),  # without the end of the line it lies in the last chunk
        ("\nmilk", "edges"),
        ("nine\nmilk", None),  # parted by white space alone
        ("and milk", "text"),
        ("\nand\n", "text"),
        ("\nand", "text"),
        ("\n", None),
    ],
)
def test_what_given_chunks_leave_out_is_told(part, lacks):
    """White space at the ends of the evidence, or text; white space between chunks is no reason."""
    texts = {"a": "tea\nand\nat nine\nmilk at ten\n", "b": "and milk"}
    chunks = [("a", 0, 3), ("a", 8, 15), ("a", 16, 27)]
    query = asking("tea", span_of(texts, "b" if part == "and milk" else "a", part))
    (one,) = given_diagnosed(texts, [query], chunks)
    assert (one.cause, one.lacks) == ("cut boundary", lacks)


def test_a_run_without_its_chunks_has_no_causes():
    """What it does not bring is not known."""
    corpus = corpus_of(SHOP.items())
    queries = QuerySet((asking("tea", span_of(SHOP, "b", "two")),), "minimal")
    run = read_run(b'{"query_id": "q", "results": ["a#0-15"]}', queries, None, corpus=corpus)
    engine = prepare(corpus, queries, "word")
    found = evaluate_given(engine, None, RunSpec(terms="word"), "your run", run)
    with pytest.raises(InputError, match="give the chunks of its index as well"):
        diagnose(engine, found)


# --- several spans --------------------------------------------------------------------

# By tea in the top 2: the two windows of a, which share text; then b, c and d.
MIXED = CROWD | {
    "c": "tea four five six",
    "d": "tea seven eight nine",
    "e": "and one more for the road home",  # windows begin at each second word
    "f": "where milk comes first",
}
FAR_TO_NEAR = {
    "chunk too small": span_of(MIXED, "e", "one more for the road"),
    "cut boundary": span_of(MIXED, "e", "one more for the"),
    "no shared term": span_of(MIXED, "f", "milk"),
    "crowded out": span_of(MIXED, "b", "one two three"),
    "outranked": span_of(MIXED, "c", "four"),
    "hit": span_of(MIXED, "a", "tea tea"),
}


def test_every_combination_of_spans_has_exactly_one_diagnosis():
    """Any takes the span nearest to a hit, all the one furthest from it, in any order."""
    mixes = [mix for n in range(1, 7) for mix in combinations(FAR_TO_NEAR, n)]
    mixes += [mix[::-1] for mix in mixes]
    queries = [
        Query(str(number), "tea", tuple(map(FAR_TO_NEAR.get, mix)), need)
        for number, (mix, need) in enumerate((m, n) for m in mixes for n in ("any", "all"))
    ]
    found = diagnosed(MIXED, queries, FOUR_WORDS, TopK(2))
    assert [one.query for one in found] == list(range(4 * 63))
    order = list(FAR_TO_NEAR)
    for one, query in zip(found, queries, strict=True):
        of_spans = [order[list(FAR_TO_NEAR.values()).index(span)] for span in query.evidence]
        pick = max if query.need == "any" else min
        assert one.cause == pick(of_spans, key=order.index)
        assert one.span == FAR_TO_NEAR[one.cause]
        assert (one.query, one.id) == (int(query.id), query.id)


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (span_of(MIXED, "c", "five"), span_of(MIXED, "d", "eight")),  # ranks 4 and 5
        (span_of(MIXED, "e", "one more for the"), Evidence("e", 0, 24)),  # 4 and 6 words
        (span_of(MIXED, "a", "tea"), Evidence("a", 19, 23)),  # ranks 1 and 2
    ],
)
@pytest.mark.parametrize("need", ["any", "all"])
def test_of_equal_causes_the_smaller_remedy_is_nearer(near, far, need):
    """Any takes the better rank or the smaller size, all the other."""
    spec = ChunkSpec(unit="word", size=3, overlap=0) if near.document == "e" else FOUR_WORDS
    for spans in ((near, far), (far, near)):
        (one,) = diagnosed(MIXED, [asking("tea", *spans, need=need)], spec, TopK(2))
        assert one.span == (near if need == "any" else far)


@pytest.mark.parametrize("need", ["any", "all"])
def test_of_two_cuts_the_one_with_the_smaller_sure_overlap_is_nearer(need):
    """8..12 is sure from 3 on, 18..24 from 5."""
    near, far = Evidence("a", 8, 12), Evidence("a", 18, 24)
    (one,) = diagnosed({"a": "x" * 40}, [asking("tea", far, near, need=need)], TEN)
    assert one.guaranteed_overlap == (3 if need == "any" else 5)


@pytest.mark.parametrize("need", ["any", "all"])
def test_a_cut_with_a_remedy_is_nearer_than_one_without(need):
    """Six words from word 1 on have one; the white space before the first has none."""
    texts = {"a": "  one two three four five six seven eight"}
    near, far = span_of(texts, "a", "two three four five six seven"), Evidence("a", 0, 5)
    spec = ChunkSpec(unit="word", size=6, overlap=0)
    (one,) = diagnosed(texts, [asking("tea", far, near, need=need)], spec)
    assert one.span == (near if need == "any" else far)


# --- tally and advice -----------------------------------------------------------------


def made(cause, count, **details) -> list[Diagnosis]:
    """Return diagnoses of one cause."""
    return [Diagnosis(0, "q", cause, **details)] * count


def test_a_tally_names_every_cause():
    """Those that nobody has count 0."""
    counts = tally(made("hit", 2) + made("outranked", 1, rank=9))
    assert counts == dict.fromkeys(CAUSES, 0) | {"hit": 2, "outranked": 1}


def test_advice_on_outranked_evidence_points_to_the_ranking():
    """The numbers are of the misses, hits and unresolved rows left out."""
    others = made("hit", 9) + made("unresolved", 3) + made("no shared term", 2)
    found = others + made("outranked", 3, rank=7) + made("outranked", 4, rank=90)
    assert advice(found, TEN).startswith("7 of 9 misses are outranked: ")
    assert "look at the ranking (half of them stand at rank 90 or better)" in advice(found, TEN)
    assert "(it stands at rank 7)" in advice(made("outranked", 1, rank=7), TEN)


def test_advice_on_long_evidence_names_the_size_for_most():
    """Of ten, nine need at most 1,200."""
    sizes = [700, *[1200] * 8, 5000]
    found = [one for size in sizes for one in made("chunk too small", 1, needed_size=size)]
    assert advice(found, ChunkSpec(size=400, overlap=0)) == (
        "10 of 10 misses are evidence longer than a chunk: overlap cannot help; use at least "
        "1,200 characters, which can hold 9 of them."
    )
    assert "1,200 words" in advice(found, ChunkSpec(unit="word", size=400, overlap=0))


def cuts(*sure) -> list[Diagnosis]:
    """Return diagnoses of cuts with the overlaps that are sure."""
    return [
        one
        for n in sure
        for one in made("cut boundary", 1, working_overlap=1, guaranteed_overlap=n)
    ]


def test_advice_on_cuts_names_the_overlap_that_is_sure_for_most():
    """Of four, the longest needs 50, a quarter of the size; a single one is called it."""
    spec = ChunkSpec(size=200, overlap=0)
    assert advice(cuts(50, 20, 30, 40), spec) == (
        "4 of 4 misses are cut at a chunk boundary: an overlap of 50 would hold all of them for "
        "sure."
    )
    assert advice(cuts(50), spec) == (
        "1 of 1 miss is cut at a chunk boundary: an overlap of 50 would hold it for sure."
    )


def test_advice_offers_larger_chunks_where_the_overlap_would_be_large():
    """380 of 800 are above a quarter; of 1,520 they are a quarter."""
    assert advice(cuts(380, 100), ChunkSpec(size=800, overlap=0)) == (
        "2 of 2 misses are cut at a chunk boundary: an overlap of 380 would hold all of them for "
        "sure, but that is 48% of the size: rather use chunks of 1,520 characters, with the same "
        "overlap."
    )
    assert "chunks of 204 words" in advice(cuts(51), ChunkSpec(unit="word", size=200, overlap=0))


def test_advice_on_missing_words_counts_the_headings_that_have_them():
    """Two of three stand below a heading with a word of their question."""
    found = made("no shared term", 2, headings=("Tea",)) + made("no shared term", 1)
    assert "headings put into the chunks would give 2 of them one" in advice(found, TEN)
    assert "heading" not in advice(made("no shared term", 3), TEN)


def test_advice_names_the_second_cause_from_a_quarter_of_the_misses_on():
    """The most frequent comes first."""
    found = made("crowded out", 2) + made("outranked", 5, rank=6)
    assert advice(found, TEN).index("5 of 7") < advice(found, TEN).index("2 of 7")
    assert "2 of 9" not in advice(found + made("outranked", 2, rank=6), TEN)


def test_advice_without_a_remedy_names_no_number():
    """Evidence that reaches beyond all windows has no size and no overlap."""
    found = made("chunk too small", 1) + made("cut boundary", 1)
    assert "use at least" not in advice(found, TEN)
    assert "and no overlap is sure to mend it." in advice(found, TEN)
    assert "and no overlap is sure to mend them." in advice(made("cut boundary", 2), TEN)


def test_advice_where_nothing_misses():
    """All found is said, and so is nothing asked."""
    assert advice(made("hit", 60), TEN) == (
        "Every question finds its complete evidence (60 of 60)."
    )
    assert advice(made("unresolved", 2), TEN) == "There is no question to diagnose."


def test_advice_says_which_evidence_is_to_be_trimmed():
    """White space that belongs to no window is in the question set, not in the setting."""
    found = cuts(2) + made("cut boundary", 1, lacks="edges")
    assert advice(found, TEN) == (
        "2 of 2 misses are cut at a chunk boundary: an overlap of 2 would hold 1 of them for sure. "
        "1 of them begins or ends with white space outside every word: trim it in the question "
        "set."
    )


YOURS = ChunkSpec("your chunks", size=1000, overlap=0)


def test_advice_on_given_chunks_names_the_length_that_is_needed():
    """No overlap of theirs is known to keep what it promises."""
    long = made("chunk too small", 2, needed_size=1200)
    assert advice(long, YOURS) == (
        "2 of 2 misses are evidence longer than the longest chunk (1,000 characters): chunks of "
        "at least 1,200 characters can hold all of them."
    )
    cut = made("cut boundary", 1, span=Evidence("a", 10, 91))
    assert advice(cut, YOURS) == (
        "1 of 1 miss is cut at a chunk boundary: cut elsewhere, or let neighbours share text; 81 "
        "characters in one piece are enough for it, and the longest chunk has 1,000."
    )


def test_advice_on_given_chunks_says_what_they_leave_out():
    """Text that stands in no chunk was not cut, and white space at the ends was not needed."""
    span = Evidence("a", 10, 91)
    text, edges = (made("cut boundary", 2, span=span, lacks=what) for what in ("text", "edges"))
    assert advice(text, YOURS) == (
        "2 of 2 misses are evidence that no chunk holds whole. All of them have text that stands "
        "in no chunk."
    )
    assert advice(edges[:1], YOURS) == (
        "1 of 1 miss is evidence that no chunk holds whole. It begins or ends with white space "
        "outside the chunk that holds the rest: trim it in the question set."
    )
    mixed = advice(text[:1] + made("cut boundary", 3, span=span) + edges, YOURS)
    assert "81 characters in one piece are enough for 3 of them," in mixed
    assert mixed.endswith(
        " 1 of them has text that stands in no chunk. 2 of them begin or end with white space "
        "outside the chunk that holds the rest: trim them in the question set."
    )


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ([7, 90, 7], "half of them stand at rank 7 or better"),
        ([7], "it stands at rank 7"),
        ([None, 9, 7], "1 of them is not in the run's list; half of the others stand at rank 7 or"),
        ([None, None, 7], "2 of them are not in the run's lists; the other stands at rank 7"),
        ([None, None], "none is in the run's lists"),
        ([None], "it is not in the run's list"),
    ],
)
def test_advice_on_a_run_tells_ranks_as_far_as_it_goes(ranks, said):
    """A list may end before the chunk that holds the evidence."""
    found = [one for rank in ranks for one in made("outranked", 1, rank=rank)]
    assert f"look at the ranking ({said}" in advice(found, YOURS)


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("lacks", [None, "edges", "text"])
def test_no_overlap_is_named_for_given_chunks(cause, lacks):
    """Not even in passing, with or without what is known of a miss."""
    for more in ({}, {"needed_size": 20, "span": Evidence("a", 0, 20), "headings": ("Tea",)}):
        said = advice(made(cause, 2, lacks=lacks, **more), YOURS)
        assert said.endswith(".")
        assert "overlap" not in said


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_a_sentence(cause):
    """Each is described in the table, and spoken of where it is the only one."""
    assert all(CAUSES[cause])
    more = {"rank": 6} if cause in ("outranked", "crowded out") else {}
    assert advice(made(cause, 1, **more), TEN).endswith(".")


def test_the_causes_stand_in_the_order_in_which_they_are_asked_for():
    """The combinations above are ordered by the table."""
    places = [list(CAUSES).index(cause) for cause in FAR_TO_NEAR if cause != "hit"]
    assert all(one < other for one, other in pairwise(places))
