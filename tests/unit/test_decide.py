"""The verdict over rows made by hand, the frontier, and which questions belong together."""

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.decide import (
    MARGIN,
    cheapest_that_keeps_up,
    cluster_queries,
    compare,
    compare_all,
    frontier,
    primary_metric,
    verdict,
)
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row

METRIC = "complete@5"


def row(overlap: int, column: list[float], *, size: int = 100, chunks: int | None = None) -> Row:
    """Return a row of one metric column; each overlap cuts its own number of chunks."""
    values = np.array(column, dtype=np.float64)
    known = values[~np.isnan(values)]
    chunks = 10 + overlap if chunks is None else chunks
    numbers = {METRIC: float(known.mean()), "chunks": chunks, "index_chars": chunks * size}
    return Row(ChunkSpec(size=size, overlap=overlap), numbers, {METRIC: values})


def hits(found: int, n: int = 200) -> list[float]:
    """Return a column in which the first ``found`` of n questions are met."""
    return [1.0] * found + [0.0] * (n - found)


def alone(n: int = 200):
    """Return the clustering of n questions that share nothing."""
    return clusters_of([()] * n)


# --- verdict --------------------------------------------------------------------------


def test_the_metric_follows_the_kind_of_questions():
    """Minimal evidence is judged by completeness, whole sections by lenient hits."""
    assert (primary_metric("minimal"), primary_metric("extent")) == ("complete", "lenient_hit")


def test_the_smallest_overlap_that_keeps_up_is_chosen():
    """0% falls behind by 50 of 200 questions; 10% finds what 20% finds."""
    rows = [row(20, hits(150)), row(0, hits(100)), row(10, hits(150))]
    found = verdict(rows, METRIC, alone())
    assert found.outcome == "decided"
    assert found.choice.spec.overlap == 10
    assert [one.row.spec.overlap for one in found.held] == [0, 10, 20]
    assert [one.standing for one in found.held] == ["falls behind", "keeps up", "keeps up"]
    assert (found.cannot_tell, found.n) == ((), 200)
    assert [one.questions for one in found.held] == [None, None, None]


def test_the_best_is_the_smallest_overlap_of_the_highest_rate():
    """Among equal rates the cheapest is what others are held against."""
    rows = [row(0, hits(100)), row(10, hits(150)), row(20, hits(150))]
    assert verdict(rows, METRIC, alone()).best.spec.overlap == 10


def test_no_overlap_can_be_enough():
    """Where 0% is the best itself, it is the choice, and larger ones do not matter."""
    rows = [row(0, hits(150)), row(10, hits(120)), row(20, hits(100))]
    found = verdict(rows, METRIC, alone())
    assert (found.outcome, found.choice.spec.overlap) == ("decided", 0)


def test_no_overlap_is_not_enough_for_want_of_questions():
    """Of six questions that all are hit, none can say that overlap buys nothing."""
    rows = [row(0, hits(6, 6)), row(10, hits(6, 6)), row(20, hits(6, 6))]
    found = verdict(rows, METRIC, alone(6))
    assert (found.outcome, found.choice) == ("undecided", None)
    assert [one.row.spec.overlap for one in found.cannot_tell] == [10, 20]


def test_a_smaller_overlap_that_cannot_be_told_is_listed():
    """10% lost 4 of 200: more than the margin may be lost, and nothing may be."""
    rows = [row(0, hits(60)), row(10, hits(146)), row(20, hits(150)), row(30, hits(150))]
    found = verdict(rows, METRIC, alone())
    assert found.choice.spec.overlap == 20
    assert [one.row.spec.overlap for one in found.cannot_tell] == [10]
    loss = found.cannot_tell[0].loss
    assert (loss.difference, loss.won, loss.lost) == (0.02, 4, 0)
    assert loss.low <= 0 < MARGIN < loss.high
    assert found.cannot_tell[0].questions > 200


def test_a_few_questions_name_no_winner():
    """With eight questions only the best keeps up with itself: nothing is chosen."""
    rows = [row(0, hits(4, 8)), row(10, hits(5, 8)), row(20, hits(6, 8))]
    found = verdict(rows, METRIC, alone(8))
    assert (found.outcome, found.choice) == ("undecided", None)
    assert [one.row.spec.overlap for one in found.cannot_tell] == [0, 10]
    assert all(one.questions > 8 for one in found.cannot_tell)


def test_settings_that_cut_alike_make_no_difference():
    """Where an overlap repeats nothing, the loss is exactly 0 whatever n is."""
    rows = [row(overlap, hits(4, 8), chunks=8) for overlap in (0, 10, 20)]
    found = verdict(rows, METRIC, alone(8))
    assert (found.outcome, found.choice.spec.overlap) == ("no difference", 0)
    assert all((one.loss.low, one.loss.high) == (0, 0) for one in found.held)


def test_a_wider_margin_lets_a_smaller_overlap_keep_up():
    """A loss of 25 points is nothing to who can bear 40."""
    rows = [row(0, hits(100)), row(20, hits(150))]
    assert verdict(rows, METRIC, alone()).choice.spec.overlap == 20
    assert verdict(rows, METRIC, alone(), margin=0.4).choice.spec.overlap == 0


# --- paired comparison ----------------------------------------------------------------


def test_a_comparison_counts_won_and_lost():
    """Ours minus baseline, over the same questions."""
    found = compare(row(10, [1, 1, 0, 0]), row(0, [1, 0, 1, 0]), METRIC, alone(4))
    assert (found.n, found.won, found.lost, found.unchanged) == (4, 1, 1, 2)
    assert found.difference == 0


def test_questions_without_a_value_are_left_out_of_a_comparison():
    """Only what both have is compared."""
    nan = float("nan")
    found = compare(row(10, [1, nan, 1, 1]), row(0, [0, 1, 1, nan]), METRIC, alone(4))
    assert (found.n, found.won, found.difference) == (2, 1, 0.5)


def test_a_setting_is_identical_with_itself():
    """Its interval is exactly (0, 0)."""
    found = compare(row(10, [1, 0]), row(10, [1, 0]), METRIC, alone(2))
    assert (found.identical, found.low, found.high) == (True, 0, 0)


def test_equal_results_of_other_chunks_are_not_identical():
    """Where the cuts differ, another corpus might tell them apart."""
    found = compare(row(10, [1, 0]), row(0, [1, 0]), METRIC, alone(2))
    assert not found.identical
    assert found.low < 0 < found.high


def test_a_number_is_compared_on_its_own_scale():
    """Differences above 1, as of distinct documents, widen the scale."""
    found = compare(row(10, [5, 2, 3]), row(0, [1, 2, 3]), METRIC, alone(3))
    assert found.difference == pytest.approx(4 / 3)
    assert found.high > 1


# --- across sizes ---------------------------------------------------------------------


def test_the_cheapest_that_keeps_up_wins_across_sizes():
    """Of two that keep up the cheaper is taken; the best is named beside it."""
    rows = [
        row(0, hits(100), chunks=5),
        row(0, hits(150), size=200, chunks=20),
        row(0, hits(150), size=300, chunks=10),
        row(50, hits(151), size=300, chunks=40),
    ]
    held, best = cheapest_that_keeps_up(rows[:3], METRIC, alone(), lambda one: one.values["chunks"])
    assert (held.row.spec.size, best.spec.size) == (300, 300)
    held, best = cheapest_that_keeps_up(rows, METRIC, alone(), lambda one: one.values["chunks"])
    assert best.spec.overlap == 50
    assert held.row in rows[1:]


def test_the_frontier_leaves_out_what_another_beats():
    """By rising cost the quality rises; equal quality at a higher cost is out."""
    rows = [
        row(0, hits(100), size=200, chunks=30),
        row(0, hits(120), size=300, chunks=20),
        row(0, hits(120), size=400, chunks=25),
        row(0, hits(90), size=500, chunks=10),
        row(0, hits(130), size=600, chunks=40),
    ]
    front = frontier(rows, METRIC, lambda one: one.values["chunks"])
    assert [one.spec.size for one in front] == [500, 300, 600]


def test_at_equal_cost_the_better_stands_on_the_frontier():
    """One place on the cost axis has one row."""
    rows = [row(0, hits(90), size=200, chunks=10), row(0, hits(95), size=300, chunks=10)]
    front = frontier(rows, METRIC, lambda one: one.values["chunks"])
    assert [one.spec.size for one in front] == [300]


# --- clusters -------------------------------------------------------------------------


def asked(*places: tuple[str, int]) -> QuerySet:
    """Return one question per place (document, start)."""
    queries = (
        Query(str(n), "x", (Evidence(name, start, start + 1),))
        for n, (name, start) in enumerate(places)
    )
    return QuerySet(tuple(queries), "minimal")


def test_questions_of_one_document_belong_together():
    """With 20 documents that carry questions, the document is the cluster."""
    corpus = corpus_of((f"{n:02d}.md", "text") for n in range(20))
    found = cluster_queries(corpus, asked(*((f"{n:02d}.md", k) for n in range(20) for k in (0, 2))))
    assert (found.by, found.count) == ("document", 20)
    assert found.labels.tolist() == [n // 2 for n in range(40)]


def test_questions_of_few_documents_are_grouped_by_section():
    """A section runs from its heading's first character to the next heading."""
    text = "".join(f"# Part {n:02d}\n\ntext\n\n" for n in range(12))
    part = len("# Part 00\n\ntext\n\n")
    places = [("a.md", part * n + offset) for n in range(12) for offset in (0, part - 1)]
    found = cluster_queries(corpus_of([("a.md", text)]), asked(*places))
    assert (found.by, found.count) == ("section", 12)
    assert found.labels.tolist() == [n // 2 for n in range(24)]


def test_the_first_sections_of_two_documents_are_two():
    """A section is known by its document as well."""
    text = "# A\n\n" + "x" * 100
    corpus = corpus_of((f"{n}.md", text) for n in range(12))
    found = cluster_queries(corpus, asked(*((f"{n}.md", 9) for n in range(12))))
    assert (found.by, found.count) == ("section", 12)


def test_many_settings_are_compared_at_once_with_wider_intervals():
    """Each interval against a named baseline is at least about the plain one; itself is (0, 0)."""
    rows = [row(overlap, hits(100 + overlap)) for overlap in (0, 10, 20, 40)]
    found = compare_all(rows, rows[0], METRIC, alone())
    assert (found[rows[0].spec].low, found[rows[0].spec].high) == (0, 0)
    for one in rows[1:]:
        by_itself = compare(one, rows[0], METRIC, alone())
        together = found[one.spec]
        assert together.difference == pytest.approx(by_itself.difference)
        assert together.low < by_itself.low
        assert together.high > by_itself.high
