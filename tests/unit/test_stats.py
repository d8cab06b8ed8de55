"""Intervals, clusters, paired comparisons and chance levels, against values known by hand."""

import math
from itertools import combinations

import numpy as np
import pytest

from overlapkit.errors import SettingsError
from overlapkit.stats import (
    MOST_QUESTIONS,
    Clustering,
    Interval,
    Paired,
    chance_hit,
    clusters_of,
    mcnemar,
    paired,
    questions_needed,
    standing,
    wilson,
)


def each_alone(n: int) -> Clustering:
    """Return the clustering of n queries that share nothing."""
    return clusters_of([()] * n)


def outcome(won: int, lost: int, unchanged: int) -> tuple[list[int], list[int]]:
    """Return 0/1 values (ours, baseline) with so many won, lost and unchanged queries."""
    return [1] * won + [0] * lost + [1] * unchanged, [0] * won + [1] * lost + [1] * unchanged


def a_loss(low: float, high: float, difference: float, n: int = 100) -> Paired:
    """Return a paired loss with these ends."""
    return Paired(n, difference, low, high, 0, 0, n, "query", False, None)


# --- wilson ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
        (0, 20, 0.0, 0.1611),
    ],
)
def test_wilson_gives_the_published_intervals(successes, n, low, high):
    """Newcombe's (1998) worked examples and the textbook ones come out to four digits."""
    interval = wilson(successes, n)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_ends_are_exact_at_none_and_all():
    """No success starts at exactly 0 and full success ends at exactly 1."""
    assert all(wilson(0, n).low == 0.0 and wilson(n, n).high == 1.0 for n in range(1, 200))


def test_wilson_knows_nothing_without_a_trial():
    """Without a trial the rate can be anything."""
    assert wilson(0, 0) == Interval(0.0, 1.0)


def test_wilson_with_a_larger_z_is_wider():
    """The z given is the one used."""
    assert wilson(5, 10, z=1.0).low > wilson(5, 10).low > wilson(5, 10, z=3.0).low


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_wilson_refuses_impossible_counts(successes, n):
    """More successes than trials is a bug of the caller."""
    with pytest.raises(ValueError, match=r"successes must lie in 0\.\.n"):
        wilson(successes, n)


# --- clusters_of ----------------------------------------------------------------------


def test_queries_that_share_a_document_are_one_cluster():
    """With 20 documents that carry questions, the document is the cluster."""
    clustering = clusters_of([[f"d{i // 2}"] for i in range(40)])
    assert (clustering.by, clustering.count) == ("document", 20)
    assert clustering.labels.tolist() == [i // 2 for i in range(40)]


def test_a_query_of_two_documents_joins_their_clusters():
    """A query over several documents connects them, also through a third query."""
    documents = [[f"d{i}"] for i in range(20)] + [["d3", "d7"], ["d7", "d11"]]
    clustering = clusters_of(documents)
    labels = clustering.labels.tolist()
    assert (clustering.by, clustering.count) == ("document", 18)
    assert labels[3] == labels[7] == labels[11] == labels[20] == labels[21]
    assert len(set(labels[:20])) == 18


def test_nineteen_documents_are_too_few():
    """Below 20 documents with questions, and without sections, every query is its own."""
    clustering = clusters_of([[i % 19] for i in range(100)])
    assert (clustering.by, clustering.count) == ("query", 100)
    assert clustering.labels.tolist() == list(range(100))


def test_few_documents_fall_to_sections():
    """One document with many sections is clustered by section."""
    clustering = clusters_of([["manual"]] * 60, [[f"manual#{i % 12}"] for i in range(60)])
    assert (clustering.by, clustering.count) == ("section", 12)
    assert clustering.labels.tolist() == [i % 12 for i in range(60)]


def test_a_query_of_two_sections_joins_them():
    """Sections connect like documents do."""
    sections = [[i] for i in range(12)] + [[0, 1]]
    assert clusters_of([["manual"]] * 13, sections).count == 11


@pytest.mark.parametrize("sections", [None, [["only"]] * 60, [[i % 9] for i in range(60)]])
def test_too_few_sections_fall_to_queries(sections):
    """No sections, one section or fewer than ten of them leave every query on its own."""
    assert clusters_of([["manual"]] * 60, sections).by == "query"


def test_a_query_over_everything_does_not_tie_all_queries_into_one():
    """Components that collapse fall to the next level: to sections, else to queries."""
    documents = [[i] for i in range(30)] + [list(range(25))]
    assert clusters_of(documents).by == "query"
    by_section = clusters_of(documents, [[f"s{i % 15}"] for i in range(31)])
    assert (by_section.by, by_section.count) == ("section", 15)


def test_queries_without_evidence_share_nothing():
    """A query that names no document is a cluster of its own."""
    clustering = clusters_of([[i] for i in range(20)] + [[], []])
    assert (clustering.by, clustering.count) == ("document", 22)


def test_labels_cannot_be_changed():
    """The labels are read-only, since many comparisons share them."""
    with pytest.raises(ValueError, match="read-only"):
        each_alone(3).labels[0] = 1


def test_a_bare_string_is_not_a_list_of_documents():
    """A name given in place of a list of names would be split into its letters."""
    with pytest.raises(TypeError, match=r"sequence of labels; got the string 'a\.md'"):
        clusters_of(["a.md", "b.md"])


def test_sections_must_match_the_queries():
    """Sections for only some queries are a bug of the caller."""
    with pytest.raises(ValueError, match="all 3 queries; got 2"):
        clusters_of([[1]] * 3, [[1]] * 2)


# --- mcnemar --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [(1, 9, 22 / 1024), (9, 1, 22 / 1024), (0, 0, 1.0), (5, 5, 1.0), (0, 6, 2 / 64), (0, 1, 1.0)],
)
def test_mcnemar_by_hand(won, lost, p):
    """The two-sided p is twice the binomial tail, at most 1: 2·(1 + 10)/1024 = 0.0215."""
    assert mcnemar(won, lost) == pytest.approx(p, rel=1e-15)


def test_mcnemar_of_thousands_does_not_overflow():
    """Large counts stay exact, NumPy whole numbers included."""
    assert mcnemar(np.int64(5000), np.int64(5200)) == pytest.approx(0.0488, abs=1e-4)
    assert mcnemar(0, 5000) == 0.0


# --- paired ---------------------------------------------------------------------------


def test_paired_counts_and_difference_by_hand():
    """Won, lost, unchanged, the mean of the real queries and McNemar's p."""
    result = paired(*outcome(9, 1, 10), each_alone(20))
    assert (result.n, result.won, result.lost, result.unchanged) == (20, 9, 1, 10)
    assert result.difference == 8 / 20
    assert result.mcnemar_p == pytest.approx(0.0215, abs=5e-5)
    assert (result.by, result.identical) == ("query", False)
    assert 0 < result.low < 0.4 < result.high < 1


def test_paired_of_a_graded_metric_has_no_mcnemar():
    """A value between 0 and 1 has no exact test of counts."""
    assert paired([0.5, 1.0], [0.25, 1.0], each_alone(2)).mcnemar_p is None


def test_paired_says_how_it_clustered():
    """The clustering's word is carried into the result."""
    ours, baseline = outcome(3, 2, 35)
    assert paired(ours, baseline, clusters_of([[i // 2] for i in range(40)])).by == "document"


def test_no_discordant_query_still_leaves_a_width():
    """Sixty agreeing questions do not prove that nothing differs; a thousand say more."""
    few = paired(*outcome(0, 0, 60), each_alone(60))
    many = paired(*outcome(0, 0, 1000), each_alone(1000))
    assert few.low == -few.high
    assert many.low == -many.high
    assert few.difference == many.difference == 0.0
    assert few.high > 0.03  # cannot speak about a margin of 2 points
    assert 0.001 < many.high < 0.005


def test_no_discordant_query_has_about_the_width_of_the_rule_of_three():
    """Without discordance the interval ends near 3/n, the upper bound of an unseen rate."""
    for n in (100, 300, 1000):
        assert paired(*outcome(0, 0, n), each_alone(n)).high == pytest.approx(3 / n, rel=0.1)


def test_the_same_setting_is_exactly_zero():
    """Two settings that cut the same chunks differ by nothing, however few the questions."""
    same = paired([1, 0, 1], [1, 0, 1], each_alone(3), same_setting=True)
    assert (same.low, same.difference, same.high, same.identical) == (0.0, 0.0, 0.0, True)
    assert standing(same, 0.0) == "keeps up"


def test_the_same_setting_cannot_give_other_values():
    """Different values from the same chunks are a bug that must surface."""
    with pytest.raises(ValueError, match="1 differ"):
        paired([1, 0], [1, 1], each_alone(2), same_setting=True)


def test_without_a_query_nothing_is_known():
    """No query leaves the whole range open."""
    nothing = paired([], [], each_alone(0))
    assert (nothing.n, nothing.low, nothing.difference, nothing.high) == (0, -1.0, 0.0, 1.0)
    assert nothing.mcnemar_p == 1.0
    assert paired([], [], each_alone(0), scale=50).high == 50


@pytest.mark.parametrize(("won", "lost", "n"), [(30, 12, 300), (20, 20, 150), (60, 5, 781)])
def test_paired_is_near_the_adjusted_wald_interval(won, lost, n):
    """With one query per cluster the interval is close to Bonett and Price's formula."""
    result = paired(*outcome(won, lost, n - won - lost), each_alone(n))
    p, q = (won + 1) / (n + 2), (lost + 1) / (n + 2)
    half = 1.959964 * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert result.low == pytest.approx(p - q - half, abs=0.08 * half)
    assert result.high == pytest.approx(p - q + half, abs=0.08 * half)


@pytest.mark.parametrize("graded", [False, True])
def test_paired_is_what_a_plain_loop_gives(graded):
    """Merged groups and the complex trick resample clusters exactly as a plain loop would."""
    rng = np.random.default_rng(5)
    n = 240
    labels = rng.integers(0, 60, n)
    steps = rng.random(n) if graded else (rng.random(n) < 0.2).astype(float)
    clustering = clusters_of([[int(label)] for label in labels])
    result = paired(steps, np.zeros(n), clustering)
    clusters = [steps[labels == label] for label in np.unique(labels)]
    clusters += [np.array([1.0]), np.array([-1.0])]
    loop = []
    for _ in range(4000):
        chosen = [clusters[i] for i in rng.integers(0, len(clusters), len(clusters))]
        loop.append(np.concatenate(chosen).mean())
    # 62 clusters: t(61) · √(62/61) = 2.016 in place of 1.960 leaves 2.19% beyond each end.
    low, high = np.quantile(loop, [0.0219, 0.9781])
    assert result.low == pytest.approx(low, abs=0.05 * (high - low))
    assert result.high == pytest.approx(high, abs=0.05 * (high - low))


def test_dependent_queries_widen_the_interval():
    """Ten copies of each query, known as such, say less than ten times as many queries."""
    ours, baseline = (np.repeat(side, 10) for side in outcome(4, 2, 24))
    copies = clusters_of([[i // 10] for i in range(300)])
    alone, together = paired(ours, baseline, each_alone(300)), paired(ours, baseline, copies)
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_paired_repeats_for_a_seed_and_moves_little_with_another():
    """Equal inputs give equal bytes; the seed matters only at the third digit."""
    ours, baseline = outcome(20, 10, 170)
    first, again, other = (paired(ours, baseline, each_alone(200), seed=s) for s in (1, 1, 2))
    assert first == again
    assert other.high == pytest.approx(first.high, abs=0.006)


def test_scale_sets_the_size_of_the_imaginary_pair():
    """A metric on another scale gives the same interval times that scale."""
    ours, baseline = outcome(7, 3, 50)
    small = paired(ours, baseline, each_alone(60))
    large = paired(np.multiply(ours, 8), np.multiply(baseline, 8), each_alone(60), scale=8)
    assert (large.low, large.high) == (8 * small.low, 8 * small.high)
    assert large.mcnemar_p is None


def test_scale_must_reach_the_differences():
    """An imaginary pair smaller than the real differences would feign certainty."""
    with pytest.raises(ValueError, match="largest difference 3; got 1"):
        paired([4.0], [1.0], each_alone(1))


def test_rounding_is_not_a_difference():
    """Two orders of summing the same value are unchanged, not won or lost."""
    result = paired([0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], each_alone(2))
    assert (result.won, result.lost, result.unchanged) == (0, 0, 2)


@pytest.mark.parametrize(
    ("ours", "baseline", "n", "message"),
    [
        ([1, 0], [1], 2, "one value per query"),
        ([1, 0], [1, 0], 3, "one value per query"),
        ([[1]], [[0]], 1, "one value per query"),
        ([math.nan], [1], 1, "finite"),
        ([math.inf], [1], 1, "finite"),
    ],
)
def test_paired_refuses_what_it_cannot_compare(ours, baseline, n, message):
    """Values of another length, or none at all, are a bug of the caller."""
    with pytest.raises(ValueError, match=message):
        paired(ours, baseline, each_alone(n))


def test_paired_needs_a_resample():
    """The number of resamples is a setting with a rule."""
    with pytest.raises(SettingsError, match="resamples must be at least 1; got 0"):
        paired([1], [0], each_alone(1), resamples=0)


@pytest.mark.parametrize("per_document", [1, 5])
def test_the_interval_holds_the_truth_often_enough(per_document):
    """Over 300 simulated sets of 200 questions, 95% intervals hold the small true difference."""
    rng = np.random.default_rng(11)
    documents = 200 // per_document
    clustering = clusters_of([[i // per_document] for i in range(200)])
    held = 0
    for _ in range(300):
        # 7% won, 4% lost; where documents have several questions, 3 in 10 go with the document.
        alone = rng.choice([1, -1, 0], p=[0.07, 0.04, 0.89], size=200)
        document = rng.choice([1, -1, 0], p=[0.07, 0.04, 0.89], size=documents)
        step = np.where(rng.random(200) < 0.3, document.repeat(per_document), alone)
        result = paired(step > 0, step < 0, clustering, resamples=2000)
        held += result.low <= 0.03 <= result.high
    assert held / 300 >= 0.90


# --- standing, questions_needed -------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.01, 0.02, "keeps up"),
        (0.005, 0.015, "keeps up"),
        (0.001, 0.021, "falls behind"),
        (0.0, 0.021, "cannot be told"),
        (-0.03, 0.05, "cannot be told"),
    ],
)
def test_standing_by_definition(low, high, expected):
    """Keeps up by the upper end, falls behind by both, else it cannot be told."""
    assert standing(Interval(low, high), 0.02) == expected


def test_margin_must_not_be_negative():
    """A negative margin would let nothing keep up."""
    with pytest.raises(SettingsError, match=r"margin must be at least 0; got -0\.1"):
        standing(Interval(0, 0), -0.1)


@pytest.mark.parametrize(
    ("low", "high", "difference", "expected"),
    [
        (-0.04, 0.04, 0.0, 400),  # (0.04/0.02)² = 4
        (-0.05, 0.03, -0.01, 180),  # (0.04/0.03)² = 1.78
        (-0.01, 0.07, 0.03, 180),  # only above 0: (0.04/0.03)² = 1.78
        (-0.03, 0.05, 0.01, 1600),  # both ways: (0.04/0.01)² = 16
        (-0.025, 0.055, 0.015, 720),  # min of (0.04/0.005)² = 64 and (0.04/0.015)² = 7.11
        (0.0, 0.05, 0.03, 110),  # on the edge: one more question, rounded up
    ],
)
def test_questions_needed_by_hand(low, high, difference, expected):
    """The half-width shrinks with √n until one end crosses the margin or 0."""
    assert questions_needed(a_loss(low, high, difference), 0.02) == expected


@pytest.mark.parametrize(("low", "high"), [(-0.01, 0.01), (0.01, 0.05)])
def test_no_more_questions_where_it_is_decided(low, high):
    """What keeps up or falls behind needs no further question."""
    assert questions_needed(a_loss(low, high, 0.01), 0.02) is None


def test_questions_needed_is_capped():
    """A loss at the very margin, or no question at all, says the cap."""
    assert questions_needed(a_loss(-0.05, 0.05, 0.0), 0.0) == MOST_QUESTIONS
    assert questions_needed(a_loss(-0.05, 0.05, 1e-300), 0.0) == MOST_QUESTIONS
    assert questions_needed(a_loss(-1, 1, 0.0, n=0), 0.02) == MOST_QUESTIONS


def test_asking_as_many_questions_decides():
    """A set that grows as foretold, with the same rates, is decided."""
    loss = paired(*outcome(3, 3, 94), each_alone(100))
    assert standing(loss, 0.02) == "cannot be told"
    times = -(-questions_needed(loss, 0.02) // 100)
    grown = paired(*outcome(3 * times, 3 * times, 94 * times), each_alone(100 * times))
    assert standing(grown, 0.02) == "keeps up"


# --- chance_hit -----------------------------------------------------------------------


def test_chance_hit_by_counting():
    """The formula equals counting all draws of k out of 7."""
    for qualifying in range(8):
        for k in range(8):
            draws = list(combinations(range(7), k))
            hits = sum(any(item < qualifying for item in draw) for draw in draws)
            assert chance_hit(7, qualifying, k) == pytest.approx(hits / len(draws), abs=1e-14)


def test_chance_hit_at_its_edges():
    """Nothing to find, nothing drawn, everything drawn, more drawn than there is."""
    assert chance_hit(0, 0, 5) == chance_hit(10, 0, 5) == chance_hit(10, 5, 0) == 0.0
    assert math.copysign(1, chance_hit(10, 0, 5)) == 1.0
    assert chance_hit(10, 1, 10) == chance_hit(10, 1, 99) == chance_hit(10, 6, 5) == 1.0


def test_chance_hit_keeps_the_digits_of_a_small_chance():
    """One chunk in a hundred million is drawn with its own probability."""
    assert chance_hit(10**8, 1, 1) == pytest.approx(1e-8, rel=1e-14)
    assert chance_hit(10**8, 1, 5) == pytest.approx(5e-8, rel=1e-14)


@pytest.mark.parametrize(("population", "qualifying", "k"), [(5, 6, 1), (5, -1, 1), (5, 1, -1)])
def test_chance_hit_refuses_impossible_counts(population, qualifying, k):
    """More qualifying than there is, or a negative draw, is a bug of the caller."""
    with pytest.raises(ValueError, match="must"):
        chance_hit(population, qualifying, k)
