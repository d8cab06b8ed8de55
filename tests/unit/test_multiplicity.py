"""Intervals that hold for a whole grid at once, and Holm's p-values."""

import math

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.errors import SettingsError
from overlapkit.multiplicity import holm, simultaneous, t95
from overlapkit.stats import Clustering, clusters_of, paired


def each_alone(n: int) -> Clustering:
    """Return the clustering of n queries that share nothing."""
    return clusters_of([()] * n)


def cells(*columns) -> dict[ChunkSpec, np.ndarray]:
    """Return columns of values under specs of rising overlap."""
    return {
        ChunkSpec(size=1000, overlap=number): np.asarray(column, dtype=np.float64)
        for number, column in enumerate(columns)
    }


def steps(won: int, lost: int, n: int) -> np.ndarray:
    """Return differences against a baseline of zeros: so many won, lost and unchanged."""
    return np.array([1.0] * won + [-1.0] * lost + [0.0] * (n - won - lost))


def width(result) -> float:
    """Return the length of an interval."""
    return result.high - result.low


# --- simultaneous ---------------------------------------------------------------------


def test_counts_and_difference_by_hand():
    """Each setting has its own won, lost, mean and McNemar's p, in the order given."""
    baseline = np.array([0.0] * 9 + [1.0] + [1.0] * 10)
    first, second = np.array([1.0] * 9 + [0.0] + [1.0] * 10), baseline.copy()
    found = simultaneous(cells(first, second), baseline, each_alone(20))
    assert list(found) == list(cells(first, second))
    one, other = found.values()
    assert (one.n, one.won, one.lost, one.unchanged) == (20, 9, 1, 10)
    assert one.difference == 8 / 20
    assert one.mcnemar_p == 22 / 1024
    assert (one.by, one.identical) == ("query", False)
    assert (other.won, other.lost, other.difference, other.mcnemar_p) == (0, 0, 0.0, 1.0)


@pytest.mark.parametrize(("won", "lost", "n"), [(30, 12, 300), (20, 20, 150), (60, 5, 781)])
def test_one_setting_alone_has_about_the_paired_interval(won, lost, n):
    """With nothing else to look at there is nothing to correct."""
    column, nothing = steps(won, lost, n), np.zeros(n)
    (found,) = simultaneous(cells(column), nothing, each_alone(n)).values()
    plain = paired(column, nothing, each_alone(n))
    assert found.low == pytest.approx(plain.low, abs=0.06 * width(plain))
    assert found.high == pytest.approx(plain.high, abs=0.06 * width(plain))


def test_one_setting_over_clusters_has_about_the_paired_interval():
    """Queries that share a document are drawn together, whatever their order."""
    rng = np.random.default_rng(3)
    documents = rng.permutation(np.arange(200) // 5)
    column = rng.choice([1.0, -1.0, 0.0], p=[0.15, 0.05, 0.8], size=40)[documents]
    clustering = clusters_of([[int(document)] for document in documents])
    (found,) = simultaneous(cells(column), np.zeros(200), clustering).values()
    plain = paired(column, np.zeros(200), clustering)
    assert found.by == "document"
    assert width(found) == pytest.approx(width(plain), rel=0.06)
    alone = simultaneous(cells(column), np.zeros(200), each_alone(200))
    assert width(found) > 1.5 * width(next(iter(alone.values())))


def test_ten_independent_settings_widen_as_sidak_says():
    """The largest of ten independent |t| stays below 2.80 in 95 of 100 cases, one below 1.96."""
    rng = np.random.default_rng(8)
    columns = rng.choice([1.0, -1.0, 0.0], p=[0.2, 0.2, 0.6], size=(10, 1000))
    nothing, clustering = np.zeros(1000), each_alone(1000)
    together = simultaneous(cells(*columns), nothing, clustering, resamples=8000)
    for spec, column in cells(*columns).items():
        alone = simultaneous({spec: column}, nothing, clustering, resamples=8000)[spec]
        # (2Φ(z) − 1)^10 = 0.95 at z = 2.800; 2.800 / 1.960 = 1.429
        assert width(together[spec]) / width(alone) == pytest.approx(1.429, rel=0.05)


def test_settings_that_win_and_lose_together_widen_nothing():
    """Twenty times the same column is one comparison, where Bonferroni would count twenty."""
    column = steps(30, 12, 300)
    alone = simultaneous(cells(column), np.zeros(300), each_alone(300))
    copies = simultaneous(cells(*[column] * 20), np.zeros(300), each_alone(300))
    expected = width(next(iter(alone.values())))
    assert [width(one) for one in copies.values()] == pytest.approx([expected] * 20, rel=1e-9)


def test_no_interval_is_narrower_than_over_a_part_of_the_settings():
    """Looking at more settings only widens: 1, 3, 9 and 27 of them, with the same seed."""
    rng = np.random.default_rng(4)
    columns = rng.choice([1.0, -1.0, 0.0], p=[0.1, 0.05, 0.85], size=(27, 200))
    every = cells(*columns)
    before = None
    for count in (1, 3, 9, 27):
        part = dict(list(every.items())[:count])
        found = simultaneous(part, np.zeros(200), each_alone(200), resamples=1000)
        for spec in before or {}:
            assert found[spec].low <= before[spec].low + 1e-12
            assert found[spec].high >= before[spec].high - 1e-12
        before = found


def test_settings_without_a_discordant_query_keep_a_width():
    """Sixty agreeing questions prove nothing, here as little as alone."""
    same = np.ones(60)
    found = simultaneous(cells(same, same), same, each_alone(60))
    assert all(one.low == -one.high and one.high > 0.03 for one in found.values())


def test_settings_that_cut_the_same_chunks_are_exactly_zero():
    """The baseline itself differs from nothing, and widens no other interval."""
    rng = np.random.default_rng(2)
    column, baseline = rng.integers(0, 2, (2, 80)).astype(float)
    every = cells(baseline, column)
    own, other = every
    found = simultaneous(every, baseline, each_alone(80), identical=[own])
    assert (found[own].low, found[own].difference, found[own].high) == (0.0, 0.0, 0.0)
    assert found[own].identical
    assert found[other] == simultaneous({other: column}, baseline, each_alone(80))[other]


def test_the_same_chunks_cannot_give_other_values():
    """Different values from the same chunks are a bug that must surface."""
    every = cells([1, 0])
    with pytest.raises(ValueError, match="some named identical differ"):
        simultaneous(every, np.ones(2), each_alone(2), identical=list(every))


def test_nothing_but_the_baseline_needs_no_resample():
    """A grid of the baseline alone, and an empty one, are answered too."""
    every = cells([1, 0])
    found = simultaneous(every, np.array([1.0, 0.0]), each_alone(2), identical=list(every))
    assert [(one.low, one.high) for one in found.values()] == [(0.0, 0.0)]
    assert simultaneous({}, np.ones(2), each_alone(2)) == {}


def test_queries_without_a_value_are_left_out_everywhere():
    """A query that one setting gives no value makes the others no different."""
    column, other = steps(6, 2, 40), steps(3, 5, 40)
    hole = np.append(other, math.nan)
    found = simultaneous(cells(np.append(column, 1), hole), np.zeros(41), each_alone(41))
    without = simultaneous(cells(column, other), np.zeros(40), each_alone(40))
    assert found == without


def test_without_a_query_nothing_is_known():
    """No query leaves the whole range open."""
    (found,) = simultaneous(cells([]), np.zeros(0), each_alone(0)).values()
    assert (found.n, found.low, found.difference, found.high) == (0, -1.0, 0.0, 1.0)


def test_scale_sets_the_size_of_the_imaginary_pair():
    """A metric on another scale gives the same interval times that scale."""
    column, nothing = steps(7, 3, 60), np.zeros(60)
    (small,) = simultaneous(cells(column), nothing, each_alone(60)).values()
    (large,) = simultaneous(cells(8 * column), nothing, each_alone(60), scale=8).values()
    assert (large.low, large.high) == pytest.approx((8 * small.low, 8 * small.high), rel=1e-12)
    assert large.mcnemar_p is None
    with pytest.raises(ValueError, match="largest difference 8; got 1"):
        simultaneous(cells(8 * column), nothing, each_alone(60))


def test_the_result_repeats_for_a_seed():
    """Equal inputs give equal numbers; the seed matters only at the third digit."""
    column, nothing = steps(20, 10, 200), np.zeros(200)
    first, again, other = (
        next(iter(simultaneous(cells(column), nothing, each_alone(200), seed=seed).values()))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert other.high == pytest.approx(first.high, abs=0.006)


def test_resamples_in_blocks_are_as_many_as_asked_for():
    """More clusters than a block has room for are drawn one resample at a time."""
    n = 600_000  # two resamples would not fit into a block
    column = np.zeros(n)
    column[:5000], column[5000:9000] = 1.0, -1.0
    (found,) = simultaneous(cells(column), np.zeros(n), each_alone(n), resamples=100).values()
    # The standard error is √(9000)/n = 0.000158; the quantile of 100 draws is a rough one.
    assert found.high - found.difference == pytest.approx(1.96 * 0.000158, rel=0.3)


def test_simultaneous_refuses_what_it_cannot_compare():
    """Values of another length, or infinite ones, are a bug; too few resamples a setting."""
    with pytest.raises(ValueError, match="one value per query"):
        simultaneous(cells([1, 0], [1]), np.ones(2), each_alone(2))
    with pytest.raises(ValueError, match="finite"):
        simultaneous(cells([math.inf, 0]), np.ones(2), each_alone(2))
    with pytest.raises(SettingsError, match="resamples must be at least 100; got 99"):
        simultaneous(cells([1, 0]), np.ones(2), each_alone(2), resamples=99)


def test_all_intervals_hold_together_where_plain_ones_do_not():
    """Over 100 simulated grids of 12 settings: 95% each is about 54% for all, corrected 95%."""
    rng = np.random.default_rng(11)
    clustering = each_alone(200)
    together = one_by_one = 0
    for _ in range(100):
        # 7% won, 4% lost under every setting, each for itself: the true difference is 0.03.
        columns = rng.choice([1.0, -1.0, 0.0], p=[0.07, 0.04, 0.89], size=(12, 200))
        found = simultaneous(cells(*columns), np.zeros(200), clustering, resamples=1000)
        plain = [paired(column, np.zeros(200), clustering, resamples=400) for column in columns]
        together += all(one.low <= 0.03 <= one.high for one in found.values())
        one_by_one += all(one.low <= 0.03 <= one.high for one in plain)
    assert together >= 90
    assert one_by_one < 75


# --- holm -----------------------------------------------------------------------------


def test_holm_by_hand():
    """Sorted 0.005·4, 0.01·3, 0.03·2, 0.04·1, none below the one before; in the order given."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_holm_stops_at_one():
    """A probability is never more than 1; one p alone, or none, is left as it is."""
    assert holm([0.5, 0.6, 1.0]) == (1.0, 1.0, 1.0)
    assert holm([0.04]) == (0.04,)
    assert holm([]) == ()


def test_equal_p_values_stay_equal():
    """Ties are adjusted alike: both by the first factor."""
    assert holm([0.02, 0.02]) == (0.04, 0.04)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_holm_takes_probabilities_only(wrong):
    """Anything else is a bug of the caller."""
    with pytest.raises(ValueError, match=r"p-values must lie in 0\.\.1"):
        holm([0.5, wrong])


# --- t95 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free", "point"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (7, 2.365), (8, 2.306), (11, 2.201),
     (15, 2.131), (30, 2.042), (120, 1.980), (100_000, 1.960)],
)  # fmt: skip
def test_t95_is_that_of_the_tables(free, point):
    """Odd and even degrees of freedom agree with any printed table to its last digit."""
    assert round(t95(free), 3) == point


def test_t95_needs_a_degree_of_freedom():
    """A single value has no spread to judge by."""
    with pytest.raises(ValueError, match="at least 1; got 0"):
        t95(0)
