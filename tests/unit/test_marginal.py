"""What the next 1% of index buys, and where it stops paying."""

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.gains import next_steps, stops_paying
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row

METRIC = "complete@5"
N = 200
ALONE = clusters_of([[str(number)] for number in range(N)])


def row(pct: int, hits: int, characters: int) -> Row:
    """Return a row whose first ``hits`` of 200 questions are hit."""
    column = np.concatenate((np.ones(hits), np.zeros(N - hits)))
    values = {METRIC: hits / N, "index_chars": characters, "chunks": 10 + pct}
    return Row(ChunkSpec.percent(800, pct), values, {METRIC: column})


def test_a_step_is_priced_by_how_much_the_index_grows():
    """Twenty more of 200 questions for 25% more text are 0.4 points per 1%."""
    (step,) = next_steps([row(20, 120, 1250), row(0, 100, 1000)], METRIC, ALONE)
    assert (step.before.spec.overlap, step.after.spec.overlap) == (0, 160)
    assert step.growth == pytest.approx(0.25)
    assert (step.gain.won, step.gain.lost) == (20, 0)
    assert 100 * step.per_percent(step.gain.difference) == pytest.approx(0.4)


def test_a_step_that_adds_no_text_has_no_price():
    """Where every document fits one chunk, overlap repeats nothing."""
    assert next_steps([row(0, 100, 1000), row(10, 100, 1000)], METRIC, ALONE) == ()


def test_overlap_stops_paying_where_no_larger_one_is_beyond_the_noise():
    """Sixty questions are won by 10%; the two that follow could be luck."""
    rows = [row(0, 100, 1000), row(10, 160, 1110), row(20, 161, 1250), row(50, 162, 2000)]
    assert stops_paying(rows, METRIC, ALONE).spec.overlap_pct == 10


def test_a_late_gain_counts_although_the_step_before_it_bought_nothing():
    """10% buys nothing, 20% buys much: it pays up to 20%."""
    rows = [row(0, 100, 1000), row(10, 100, 1110), row(20, 160, 1250), row(50, 160, 2000)]
    assert stops_paying(rows, METRIC, ALONE).spec.overlap_pct == 20


def test_where_nothing_is_gained_no_overlap_pays():
    """The smallest overlap is the answer, and so is the largest where each step gains."""
    same = [row(pct, 100, 1000 + 10 * pct) for pct in (0, 10, 20)]
    assert stops_paying(same, METRIC, ALONE).spec.overlap == 0
    rising = [row(pct, 40 + 3 * pct, 1000 + 10 * pct) for pct in (0, 20, 50)]
    assert stops_paying(rising, METRIC, ALONE).spec.overlap_pct == 50
