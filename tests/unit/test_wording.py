"""Results in words."""

import numpy as np

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import verdict
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row
from overlapkit.wording import (
    cutoff,
    gain_sentence,
    guarantee_sentence,
    points,
    setting,
    verdict_sentence,
)

METRIC = "complete@5"


def row(pct, found, n=200, **values):
    """Return a row of which the first ``found`` of ``n`` questions are hit."""
    column = np.concatenate((np.ones(found), np.zeros(n - found)))
    base = {"chunks": 100 + pct, "index_chars": 1000 * (100 + pct), "index_x": 1 + pct / 100}
    rate = {METRIC: found / n, "queries": n}
    return Row(ChunkSpec.percent(800, pct), base | rate | values, {METRIC: column})


def sentence(*rows):
    """Return the verdict sentence over rows whose questions stand alone."""
    n = len(rows[0].per_query[METRIC])
    clustering = clusters_of([[str(i)] for i in range(n)] if n >= 20 else [["a"]] * n)
    return verdict_sentence(verdict(rows, METRIC, clustering), RunSpec(), 0.0)


def test_the_verdict_names_ranking_setting_metric_cutoff_and_n():
    """All that a headline must say is said, and what falls behind."""
    said = sentence(row(0, 100), row(10, 150), row(20, 150))
    assert said.startswith(
        "Under BM25, 800 characters with 80 overlap (10%) is enough: complete evidence in the "
        "top 5 for 75.0% of 200 questions, the best overlap at this size."
    )
    assert "0% falls behind by" in said


def test_each_undecided_overlap_has_its_own_number_of_questions():
    """The number belongs to the overlap that is named, not to another one."""
    rows = [row(0, 146), row(10, 148), row(20, 150), row(30, 150)]
    found = verdict(rows, METRIC, clusters_of([[str(i)] for i in range(200)]))
    said = sentence(*rows)
    first = found.cannot_tell[0]
    assert first.questions != found.cannot_tell[1].questions
    assert "0% may do as well: it lies between" in said
    assert f"at least about {first.questions:,} questions would decide" in said


def test_without_a_winner_none_is_named():
    """Eight questions cannot name one overlap, and the sentence says so."""
    said = sentence(row(0, 4, 8), row(10, 5, 8), row(20, 6, 8))
    assert said.startswith("Under BM25, 8 questions cannot name one overlap for 800 characters")


def test_equal_chunks_need_no_overlap():
    """Where no overlap repeats anything, the verdict is that none is needed."""
    same = {"chunks": 5, "index_chars": 500}
    said = sentence(row(0, 150, **same), row(20, 150, **same))
    assert "overlap changes nothing at 800 characters" in said
    assert "no overlap is enough" in said


def test_a_gain_is_told_with_its_price_and_its_absence_as_such():
    """A rise names both ends; where 0% is best, no rise is claimed."""
    rise = gain_sentence([row(0, 100), row(20, 150)], METRIC, RunSpec())
    assert "rises from 50.0% of 200 questions without overlap to 75.0% at 20%" in rise
    assert "for 1.20 times the text to embed" in rise
    flat = gain_sentence([row(0, 150), row(20, 150)], METRIC, RunSpec())
    assert "no overlap scores higher than none" in flat


def test_small_things_are_written_one_way():
    """Settings, cut-offs, points and the guarantee."""
    assert setting(ChunkSpec(size=1200, overlap=0)) == "1,200 characters without overlap"
    assert cutoff(TopK(1)) == "at rank 1"
    assert cutoff(Budget(1000, "token")) == "within 1,000 tokens of context"
    assert points(-0.021) == "\N{MINUS SIGN}2.1"
    assert points(-0.0001) == "0.0"
    assert "any passage of up to 161 characters" in guarantee_sentence(ChunkSpec())
