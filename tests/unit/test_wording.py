"""Results in words."""

from dataclasses import replace

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import Fitting, compare, verdict
from overlapkit.diagnose import Diagnosis, Passage
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row
from overlapkit.wording import gain_sentence, guarantee_sentence, remedy, verdict_sentence
from overlapkit.words import cutoff, points, setting

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
    return verdict_sentence(verdict(rows, METRIC, clustering), RunSpec(), Fitting(0.0, 0.0))


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
    """Eight questions cannot tell, and the sentence says so, and how many would."""
    said = sentence(row(0, 4, 8), row(10, 5, 8), row(20, 6, 8))
    assert said.startswith("Under BM25, 8 questions cannot tell which overlap 800 characters need")
    assert "; at least about " in said
    assert "would be needed. 20% scores best" in said


def test_equal_chunks_need_no_overlap():
    """Where no overlap repeats anything, the verdict is that none is needed."""
    same = {"chunks": 5, "index_chars": 500}
    said = sentence(row(0, 150, **same), row(20, 150, **same))
    assert "overlap changes nothing at 800 characters" in said
    assert "no overlap is enough" in said


def test_evidence_longer_than_a_chunk_comes_first():
    """No overlap holds it, so that is said before any overlap is named."""
    rows = [row(0, 100), row(20, 150)]
    found = verdict(rows, METRIC, clusters_of([[str(i)] for i in range(200)]))
    said = verdict_sentence(found, RunSpec(), Fitting(0.0, 0.8))
    assert said.startswith(
        "Overlap cannot help most questions here: 80% of the evidence is longer than a chunk of "
        "800 characters, so try a larger size. Under BM25"
    )
    said = verdict_sentence(found, RunSpec(), Fitting(0.7, 0.2))
    assert said.startswith("Under BM25")
    assert said.endswith("70% of the documents fit one chunk, where overlap changes nothing.")


def test_a_gain_is_told_with_its_price_and_its_absence_as_such():
    """A rise names both ends; where 0% is best, no rise is claimed."""
    low, high = row(0, 100), row(20, 150)
    gain = replace(
        compare(high, low, METRIC, clusters_of([[str(i)] for i in range(200)])), low=0.18, high=0.3
    )
    rise = gain_sentence([low, high], METRIC, RunSpec(), {high.spec: gain})
    assert "rises from 50.0% of 200 questions without overlap to 75.0% at 20%" in rise
    assert "for 1.20 times the text to embed (+25.0 points, 95% interval over all" in rise
    assert rise.endswith("overlaps at once +18.0 to +30.0).")
    flat = gain_sentence([row(0, 150), row(20, 150)], METRIC, RunSpec(), {})
    assert "no overlap scores higher than none" in flat


def test_small_things_are_written_one_way():
    """Settings, cut-offs, points and the guarantee."""
    assert setting(ChunkSpec(size=1200, overlap=0)) == "1,200 characters without overlap"
    assert cutoff(TopK(1)) == "at rank 1"
    assert cutoff(Budget(1000, "token")) == "within 1,000 tokens of context"
    assert points(-0.021) == "\N{MINUS SIGN}2.1"
    assert points(-0.0001) == "0.0"
    assert "any passage of up to 161 characters" in guarantee_sentence(ChunkSpec())


# --- remedies -------------------------------------------------------------------------

WORDS = ChunkSpec(unit="word", size=400, overlap=0)
YOURS = ChunkSpec("your chunks", size=1000, overlap=0)


@pytest.mark.parametrize(
    ("spec", "working", "always", "said"),
    [
        (
            ChunkSpec(), 180, 1379,
            "an overlap of 180 characters happens to hold it on these cuts; from 1,379 on it is "
            "always held",
        ),
        (
            WORDS, 1, 9,
            "an overlap of 1 word happens to hold it on these cuts; from 9 on it is always held",
        ),
        (WORDS, 9, 9, "from an overlap of 9 words on it is always held"),
        (ChunkSpec(unit="token"), 1, 1, "from an overlap of 1 token on it is always held"),
    ],
)  # fmt: skip
def test_an_overlap_that_holds_evidence_is_told_from_one_that_always_does(
    spec, working, always, said
):
    """The one is an accident of where the cuts fall; both count the unit."""
    cut = Diagnosis(0, "q", "cut boundary", working_overlap=working, guaranteed_overlap=always)
    assert remedy(cut, spec) == said


@pytest.mark.parametrize("cause", ["cut boundary", "chunk too small"])
def test_white_space_outside_every_word_is_to_be_trimmed(cause):
    """No window holds it; white space alone would leave nothing."""
    assert remedy(Diagnosis(0, "q", cause, lacks="edges"), WORDS) == (
        "its evidence begins or ends with white space outside every word: trim it in the question "
        "set"
    )
    alone = "no window can hold it: it is white space alone"
    assert remedy(Diagnosis(0, "q", cause), WORDS) == alone


def test_evidence_in_no_given_chunk_is_told_why():
    """Cut, left out in part, or but for white space; no overlap is named."""
    cut, text, edges = (Diagnosis(0, "q", "cut boundary", lacks=n) for n in (None, "text", "edges"))
    assert remedy(cut, YOURS) == "each of these chunks cuts it"
    assert remedy(text, YOURS) == "some of its text stands in no chunk"
    assert remedy(edges, YOURS) == (
        "a chunk holds it but for white space at its ends: trim it in the question set"
    )
    long = Diagnosis(0, "q", "chunk too small", needed_size=1200, lacks="text")
    assert remedy(long, YOURS) == (
        "needs chunks of at least 1,200 characters; some of its text stands in no chunk"
    )


def test_what_a_run_does_not_bring_has_no_rank():
    """What stands first in its list is named all the same."""
    here, above = Diagnosis(0, "q", "outranked", rank=1234), Passage("a.md", 2000, 2900)
    assert remedy(here, YOURS) == "rank 1,234"
    nowhere = Diagnosis(0, "q", "outranked", ranked_above=above)
    assert remedy(nowhere, YOURS) == "not in the run's list; first: a.md from 2,000"
