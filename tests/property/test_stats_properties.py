"""What holds for every set of outcomes, clusters and counts."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.stats import (
    MOST_QUESTIONS,
    Interval,
    chance_hit,
    clusters_of,
    mcnemar,
    paired,
    questions_needed,
    standing,
    wilson,
)

RESAMPLES = 400

zero_one = st.integers(0, 1).map(float)
graded = st.floats(0, 1)
rows = st.one_of(
    st.lists(st.tuples(zero_one, zero_one, st.integers(0, 24)), min_size=1, max_size=80),
    st.lists(st.tuples(graded, graded, st.integers(0, 24)), min_size=1, max_size=80),
)
key_lists = st.lists(st.lists(st.integers(0, 60), max_size=2), max_size=60)


def compare(table, **options):
    """Compare the columns of (ours, baseline, document) rows."""
    ours, baseline, documents = zip(*table, strict=True)
    clustering = clusters_of([[document] for document in documents])
    return paired(ours, baseline, clustering, resamples=RESAMPLES, **options)


@settings(deadline=None)
@given(rows)
def test_paired_ends_lie_around_the_difference_and_inside_the_scale(table):
    """The interval reaches the difference by construction and never leaves [−1, 1]."""
    result = compare(table)
    assert -1 <= result.low <= result.difference <= result.high <= 1
    assert result.low < result.high
    assert result.won + result.lost + result.unchanged == result.n == len(table)


@settings(deadline=None)
@given(rows)
def test_swapping_the_sides_mirrors_the_interval(table):
    """Baseline − ours is the same comparison seen from the other side, to the bit."""
    there, back = compare(table), compare([(b, a, d) for a, b, d in table])
    assert (back.low, back.difference, back.high) == (-there.high, -there.difference, -there.low)
    assert (back.won, back.lost) == (there.lost, there.won)
    assert back.mcnemar_p == there.mcnemar_p


@settings(deadline=None)
@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_queries_and_the_names_of_clusters_change_nothing(table, random):
    """Shuffled queries with renamed documents give the same result, to the bit."""
    names = list(range(100, 125))
    random.shuffle(names)
    shuffled = [(a, b, names[document]) for a, b, document in table]
    random.shuffle(shuffled)
    assert compare(shuffled) == compare(table)


@settings(deadline=None)
@given(st.lists(st.sampled_from([-1, 0, 0, 0, 1]), min_size=30, max_size=80), st.integers(2, 8))
def test_copies_known_as_copies_do_not_narrow_the_interval(steps, copies):
    """Clustered copies are no narrower than copies taken for independent, up to resampling."""
    step = np.repeat(steps, copies)
    documents = np.arange(len(step)) // copies
    widths = []
    for keys in ([[int(d)] for d in documents], [[i] for i in range(len(step))]):
        result = paired(step > 0, step < 0, clusters_of(keys), resamples=4000)
        widths.append(result.high - result.low)
    assert widths[0] >= 0.9 * widths[1]


@settings(deadline=None)
@given(st.integers(1, 300), st.floats(0.1, 100))
def test_agreement_is_never_certainty(n, scale):
    """Without any difference the interval still has a width, even around 0."""
    values = np.full(n, 0.5)
    result = paired(values, values, clusters_of([()] * n), resamples=4000, scale=scale)
    assert -scale <= result.low == -result.high < 0 == result.difference


@given(key_lists)
def test_clusters_partition_and_hold_together(keys):
    """Labels run 0 … count − 1; by document, two queries that share one have one label."""
    clustering = clusters_of(keys)
    labels = clustering.labels.tolist()
    assert sorted(set(labels)) == list(range(clustering.count))
    assert len(labels) == len(keys)
    if clustering.by == "document":
        seen: dict[int, int] = {}
        for label, row in zip(labels, keys, strict=True):
            assert all(seen.setdefault(key, label) == label for key in row)
    else:
        assert clustering.count == len(keys)


@given(st.lists(st.lists(st.integers(0, 60), max_size=2), min_size=20, max_size=60), st.data())
def test_clusters_do_not_depend_on_the_order_of_queries(keys, data):
    """Shuffled queries fall into the same clusters, at the same level."""
    order = data.draw(st.permutations(range(len(keys))))
    plain, shuffled = clusters_of(keys), clusters_of([keys[i] for i in order])
    assert (plain.by, plain.count) == (shuffled.by, shuffled.count)
    pairs = set(zip(plain.labels[list(order)].tolist(), shuffled.labels.tolist(), strict=True))
    assert len(pairs) == plain.count


@given(st.integers(0, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_mirrors(counts):
    """The interval lies in [0, 1] around the rate, and failures mirror successes."""
    successes, n = counts
    interval, mirror = wilson(successes, n), wilson(n - successes, n)
    assert 0 <= interval.low < interval.high <= 1
    if n:
        assert interval.low <= successes / n <= interval.high
    assert mirror.low == pytest.approx(1 - interval.high, abs=1e-12)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_a_symmetric_probability(won, lost):
    """The exact p lies in (0, 1], ignores direction and equals the sum of binomials."""
    p = mcnemar(won, lost)
    total = won + lost
    tail = sum(math.comb(total, i) for i in range(min(won, lost) + 1))
    assert 0 < p == mcnemar(lost, won) <= 1
    assert p == min(1.0, 2 * tail / 2**total)


@given(st.floats(-1, 1), st.floats(0, 2), st.floats(0, 0.2), st.floats(0, 0.2))
def test_a_wider_margin_never_turns_keeping_up_away(low, width, margin, more):
    """What keeps up at a margin keeps up at every wider one."""
    loss = Interval(low, low + width)
    if standing(loss, margin) == "keeps up":
        assert standing(loss, margin + more) == "keeps up"


@settings(deadline=None)
@given(rows, st.floats(0, 0.5))
def test_questions_are_asked_for_exactly_where_it_cannot_be_told(table, margin):
    """The number is given where undecided, exceeds n, and has two significant digits."""
    loss = compare(table)
    needed = questions_needed(loss, margin)
    assert (needed is None) == (standing(loss, margin) != "cannot be told")
    if needed is not None:
        assert loss.n < needed <= MOST_QUESTIONS
        assert len(str(needed).rstrip("0")) <= 2


@given(st.integers(0, 400), st.data())
def test_chance_hit_is_the_hypergeometric_and_symmetric(population, data):
    """The chance equals whole-number binomials, and K of k is k of K."""
    qualifying = data.draw(st.integers(0, population))
    k = data.draw(st.integers(0, population))
    exact = 1 - math.comb(population - qualifying, k) / math.comb(population, k)
    chance = chance_hit(population, qualifying, k)
    assert 0 <= chance <= 1
    assert chance == pytest.approx(exact, abs=1e-12)
    assert chance == chance_hit(population, k, qualifying)
