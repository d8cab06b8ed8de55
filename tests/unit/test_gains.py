"""What part of a gain is only more chunks: equal cost, near-duplicates collapsed, chance."""

import math
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from overlapkit.chunkers import UNITS, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import METRICS, evaluate_with
from overlapkit.gains import chance, collapse, collapsed_evaluation, equal_cost
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK, rank
from overlapkit.sweep import Row, Sweep
from overlapkit.terms import TermChoice
from overlapkit.tokens import count_tokens
from tests import naive

# --- equal cost -----------------------------------------------------------------------


def swept(*rows) -> Sweep:
    """Return a sweep of (size, overlap, complete@5, chunks, overlapping_slots@5)."""
    made = [
        Row(
            ChunkSpec(size=size, overlap=overlap),
            {"complete@5": quality, "chunks": chunks, "overlapping_slots@5": slots},
            {},
        )
        for size, overlap, quality, chunks, slots in rows
    ]
    return Sweep(tuple(made), RunSpec(), TermChoice("word", "as asked"), QuerySet((), "minimal"))


def chunks_of(row: Row) -> float:
    """Return what a row costs in vectors."""
    return row.values["chunks"]


GRID = swept(
    (200, 0, 0.30, 100, 0.0),
    (400, 0, 0.50, 50, 0.2),
    (400, 200, 0.60, 100, 0.9),
    (800, 0, 0.55, 25, 0.1),
    (800, 400, 0.55, 50, 0.4),
    (800, 700, 0.90, 200, 2.5),
    (100, 0, math.nan, 90, math.nan),
)


def equal(row: int, column: str = "complete@5") -> tuple[int, int] | None:
    """Return size and overlap of what GRID has at equal cost."""
    other = equal_cost(GRID, GRID.rows[row], column, chunks_of)
    return None if other is None else (other.spec.size, other.spec.overlap)


def test_equal_cost_takes_the_best_of_other_sizes_that_costs_no_more():
    """For 100 vectors, 200/0 has 0.6 beside it; 0.9 costs 200."""
    assert equal(0) == (400, 200)


def test_of_equals_the_cheaper_is_taken():
    """Both 800s reach 0.55 within 100 vectors, one with 25. Its own size does not count."""
    assert equal(2) == (800, 0)


def test_nothing_costs_as_little_as_the_cheapest():
    """There is no row to compare with, and None is said."""
    assert equal(3) is None


def test_where_less_is_better_the_least_is_best():
    """Of overlapping slots, 800/0 has fewest among those no dearer than 400/0."""
    assert equal(1, "overlapping_slots@5") == (800, 0)


def test_other_phases_are_not_compared_with():
    """The best of many phases would be the luckiest, not the best setting."""
    moved = replace(GRID.rows[2], spec=replace(GRID.rows[2].spec, phase=1))
    lucky = replace(GRID, rows=(*GRID.rows[:2], moved, *GRID.rows[3:]))
    other = equal_cost(lucky, GRID.rows[0], "complete@5", chunks_of)
    assert other is GRID.rows[3]


# --- near-duplicates collapsed --------------------------------------------------------

LETTERS = "tea milk sugar lemon cup "


def random_engine(seed: int, kind="minimal", need="any"):
    """Return an engine on four random texts with six questions, none, one or all of them met."""
    draw = Random(seed)
    texts = [" ".join(draw.choices(LETTERS.split(), k=draw.randrange(1, 40))) for _ in range(4)]
    corpus = corpus_of((f"{n}.txt", text) for n, text in enumerate(texts))
    queries = []
    for number, question in enumerate(["tea", "milk cup", "sugar tea tea", "none", "lemon", "cup"]):
        spans = []
        for _ in range(draw.randrange(1, 4)):
            document = draw.choice(corpus.documents)
            start = draw.randrange(len(document.text))
            end = draw.randrange(start, min(start + 40, len(document.text))) + 1
            spans.append(Evidence(document.name, start, end))
        queries.append(Query(str(number), question, tuple(spans), need))
    return prepare(corpus, QuerySet(tuple(queries), kind), "word")


def collapsed_by_hand(engine, spec, ranking, cutoff) -> list[list[int]]:
    """Return what each query keeps, from whole lists and sets of characters."""
    chunks = engine.chunk(spec)
    every = rank(engine.index(chunks), engine.query_terms, ranking, max(len(chunks), 1))
    held = [
        {(doc, at) for at in range(start, end)}
        for doc, start, end in zip(chunks.doc, chunks.start, chunks.end, strict=True)
    ]
    texts = [chunks.text(engine.corpus, number) for number in range(len(chunks))]
    lists = []
    for begin, end in zip(every.first[:-1], every.first[1:], strict=True):
        kept: list[int] = []
        taken = 0
        for number in every.chunk[begin:end].tolist():
            if any(held[number] & held[other] for other in kept):
                continue
            kept.append(number)
            if isinstance(cutoff, TopK):
                taken, most = len(kept), cutoff.k
            else:
                tokens = int(count_tokens([texts[number]])[0])
                size = len(held[number]) if cutoff.unit == "char" else tokens
                taken, most = taken + size, cutoff.size
            if taken >= most:
                break
        lists.append(kept)
    return lists


@pytest.mark.parametrize("cutoff", [TopK(1), TopK(3), Budget(40), Budget(9, "token", "drop")])
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("unit", UNITS)
def test_collapsed_lists_equal_sets_of_characters(unit, ranking, cutoff):
    """Whatever unit, ranking and cut-off, what shares a character with a better one is out."""
    for seed in range(6):
        engine = random_engine(seed)
        spec = ChunkSpec(unit=unit, size=9, overlap=7)
        chunks = engine.chunk(spec)
        found = collapse(engine, chunks, engine.index(chunks), ranking, cutoff)
        kept = [found.chunk[found.query == query].tolist() for query in range(len(engine.queries))]
        assert kept == collapsed_by_hand(engine, spec, ranking, cutoff)


def test_collapsed_chunks_keep_their_scores():
    """A chunk that moves up has the score it had."""
    engine = random_engine(1)
    chunks = engine.chunk(ChunkSpec(size=20, overlap=15))
    index = engine.index(chunks)
    every = rank(index, engine.query_terms, "lucene", len(chunks))
    found = collapse(engine, chunks, index, "lucene", TopK(3))
    for query, chunk, score in zip(found.query, found.chunk, found.score, strict=True):
        same = (every.query == query) & (every.chunk == chunk)
        assert every.score[same].tolist() == [score]


@pytest.mark.parametrize("depth", [1, 4, 60])
def test_lists_at_hand_change_nothing(depth):
    """Known lists save work; queries not asked for have empty ones."""
    engine = random_engine(2)
    chunks = engine.chunk(ChunkSpec(size=20, overlap=15))
    index = engine.index(chunks)
    known = rank(index, engine.query_terms, "okapi", depth)
    alone = collapse(engine, chunks, index, "okapi", TopK(4))
    found = collapse(
        engine, chunks, index, "okapi", TopK(4), which=np.array([0, 2, 5]), known=known
    )
    assert np.diff(found.first)[[1, 3, 4]].tolist() == [0, 0, 0]
    wanted = np.isin(alone.query, [0, 2, 5])
    assert found.chunk.tolist() == alone.chunk[wanted].tolist()


def test_long_work_done_in_parts_gives_the_same(monkeypatch):
    """Lists are made for a few queries at a time where all of them would not fit."""
    engine = random_engine(2)
    chunks = engine.chunk(ChunkSpec(size=20, overlap=15))
    index = engine.index(chunks)
    at_once = collapse(engine, chunks, index, "okapi", TopK(4))
    monkeypatch.setattr("overlapkit.gains.depth._AT_ONCE", 20)
    in_parts = collapse(engine, chunks, index, "okapi", TopK(4))
    for one, other in ((at_once.first, in_parts.first), (at_once.chunk, in_parts.chunk)):
        assert one.tolist() == other.tolist()


def test_a_collapsed_evaluation_judges_what_moves_up():
    """Two windows of a stand before b; in one slot, b is second and its evidence found."""
    texts = {"a": "tea tea tea tea tea tea", "b": "tea one two three"}
    query = Query("q", "tea", (Evidence("b", 4, 17),))
    engine = prepare(corpus_of(texts.items()), QuerySet((query,), "minimal"), "word")
    spec, run = ChunkSpec(unit="word", size=4, overlap=2), RunSpec("lucene", "word", TopK(2))
    before = evaluate_with(engine, spec, run, tokens=False).per_query
    after = collapsed_evaluation(engine, evaluate_with(engine, spec, run))
    assert set(after) == {f"{name}@2" for name in METRICS}
    assert (before["complete@2"][0], after["complete@2"][0]) == (0, 1)
    assert (before["overlapping_slots@2"][0], after["overlapping_slots@2"][0]) == (1, 0)


def test_a_collapsed_evaluation_withholds_complete_evidence_of_sections():
    """An extent set has no value there, and has its hits."""
    engine = random_engine(3, "extent")
    spec, run = ChunkSpec(size=20, overlap=5), RunSpec(terms="word")
    found = collapsed_evaluation(engine, evaluate_with(engine, spec, run))
    assert np.isnan(found["complete@5"]).all()
    assert not np.isnan(found["lenient_hit@5"]).any()


def test_without_overlap_a_collapse_changes_nothing():
    """No two windows share text, so that every column is as it was."""
    engine, spec = random_engine(4), ChunkSpec(size=15, overlap=0)
    run = RunSpec(terms="word", cutoff=TopK(3))
    before = evaluate_with(engine, spec, run, tokens=False).per_query
    for name, column in collapsed_evaluation(engine, evaluate_with(engine, spec, run)).items():
        assert np.array_equal(column, before[name], equal_nan=True)


# --- chance ---------------------------------------------------------------------------


def chance_by_hand(engine, spec, k) -> list[dict[str, float]]:
    """Return each query's share of all draws of k chunks that score, by plain sets."""
    chunks = engine.chunk(spec)
    spans = list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))
    draws = list(combinations(spans, min(k, len(spans))))
    names = ("strict_hit", "lenient_hit", "complete")
    rows = []
    for query in engine.queries:
        evidence = [(engine.corpus.position(e.document), e.start, e.end) for e in query.evidence]
        scores = [naive.metrics(list(draw), evidence, query.need) for draw in draws]
        rows.append({name: sum(one[name] for one in scores) / len(draws) for name in names})
    return rows


@pytest.mark.parametrize("need", ["any", "all"])
@pytest.mark.parametrize("k", [1, 2, 3, 40])
@pytest.mark.parametrize(("size", "overlap"), [(40, 0), (60, 25), (90, 70)])
def test_chance_equals_the_share_of_all_draws(size, overlap, k, need):
    """Every set of k chunks is judged, spans that share chunks and nest in one included."""
    compared = 0
    for seed in range(8):
        engine = random_engine(seed, need=need)
        spec = ChunkSpec(size=size, overlap=overlap)
        if len(engine.chunk(spec)) > 14:
            continue
        found = chance(engine, engine.chunk(spec), RunSpec(terms="word", cutoff=TopK(k)))
        for number, expected in enumerate(chance_by_hand(engine, spec, k)):
            ours = {name: found[f"{name}@{k}"][number] for name in expected}
            assert ours == pytest.approx(expected, abs=1e-12)
            compared += 1
    assert compared


def long_engine(need: str, *spans):
    """Return an engine on one text of 600 letters, its spans the evidence of one question."""
    query = Query("q", "tea", tuple(Evidence("a", *span) for span in spans), need)
    return prepare(corpus_of([("a", "x" * 600)]), QuerySet((query,), "minimal"), "word")


def test_chance_of_long_evidence_counts_what_metrics_count():
    """Of 200..600 windows share 100 characters, or half of themselves, and none holds all."""
    engine = long_engine("any", (200, 600))
    spec = ChunkSpec(size=150, overlap=30)  # 0..150, 120..270, 240..390, 360..510, 480..600
    found = chance(engine, engine.chunk(spec), RunSpec(terms="word", cutoff=TopK(1)))
    assert {name: column.tolist() for name, column in found.items()} == {
        "strict_hit@1": [3 / 5],
        "lenient_hit@1": [3 / 5],
        "complete@1": [0.0],
    }


def test_all_spans_far_apart_need_a_draw_each():
    """Three spans with one holder each among six chunks: of 20 draws of three, one."""
    engine = long_engine("all", (10, 20), (210, 220), (510, 520))
    found = chance(
        engine, engine.chunk(ChunkSpec(size=100, overlap=0)), RunSpec(terms="word", cutoff=TopK(3))
    )
    assert found["complete@3"].tolist() == [1 / 20]


def test_a_tiny_chance_keeps_its_digits():
    """Six of six thousand by name: 1 in C(6000, 6), where a sum of floats would leave noise."""
    text = "x" * 6000
    spans = tuple(Evidence("a", at, at + 1) for at in range(0, 6000, 1000))
    queries = QuerySet((Query("q", "tea", spans, "all"),), "minimal")
    engine = prepare(corpus_of([("a", text)]), queries, "word")
    found = chance(
        engine, engine.chunk(ChunkSpec(size=1, overlap=0)), RunSpec(terms="word", cutoff=TopK(6))
    )
    assert found["complete@6"][0] == pytest.approx(1 / math.comb(6000, 6), rel=1e-12)


def test_many_spans_are_no_more_than_their_chunks():
    """Fifty spans in two chunks are two to be drawn, of fifteen pairs one."""
    spans = [(at, at + 1) for at in range(100, 125)] + [(at, at + 1) for at in range(300, 325)]
    engine = long_engine("all", *spans)
    found = chance(
        engine, engine.chunk(ChunkSpec(size=100, overlap=0)), RunSpec(terms="word", cutoff=TopK(2))
    )
    assert found["complete@2"].tolist() == [1 / 15]


def test_chance_counted_in_parts_is_the_same(monkeypatch):
    """Pairs of chunks and spans are made for a few queries at a time where they are many."""
    engine, spec, run = random_engine(2), ChunkSpec(size=20, overlap=15), RunSpec(terms="word")
    at_once = chance(engine, engine.chunk(spec), run)
    monkeypatch.setattr("overlapkit.gains.draws._PAIRS", 5)
    in_parts = chance(engine, engine.chunk(spec), run)
    assert {n: c.tolist() for n, c in in_parts.items()} == {
        n: c.tolist() for n, c in at_once.items()
    }


def test_chance_under_a_context_budget_is_withheld():
    """The number of chunks is not fixed there, which is said."""
    engine = random_engine(0)
    chunks = engine.chunk(ChunkSpec())
    with pytest.raises(SettingsError, match="fixed number of chunks; got a budget of 400 chars"):
        chance(engine, chunks, RunSpec(terms="word", cutoff=Budget(400)))


def test_chance_of_complete_evidence_is_withheld_for_sections():
    """An extent set has chances to hit alone."""
    spec, run = ChunkSpec(size=20, overlap=5), RunSpec(terms="word")
    engines = [random_engine(3, kind) for kind in ("extent", "minimal")]
    found, minimal = (chance(engine, engine.chunk(spec), run) for engine in engines)
    assert np.isnan(found["complete@5"]).all()
    assert found["strict_hit@5"].tolist() == minimal["strict_hit@5"].tolist()


def test_a_corpus_without_chunks_gives_no_chance():
    """Nothing can be drawn from it."""
    queries = tuple(Query(n, "tea", (Evidence("a", 0, 2),), n) for n in ("any", "all"))
    engine = prepare(corpus_of([("a", "   ")]), QuerySet(queries, "minimal"), "word")
    found = chance(engine, engine.chunk(ChunkSpec()), RunSpec(terms="word"))
    assert {column.sum() for column in found.values()} == {0.0}
