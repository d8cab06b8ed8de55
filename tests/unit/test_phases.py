"""The same windows moved: noise over phases, their mean as one row, and what lies inside it."""

import math

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.decide import verdict
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.phases import (
    by_setting,
    inside_noise,
    over_phases,
    phase_interval,
    phase_noise,
    phase_specs,
)
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import RunSpec, TopK
from overlapkit.stats import Interval, clusters_of, paired
from overlapkit.sweep import Row, sweep_with

METRIC = "complete@5"
SPEC = ChunkSpec.percent(100, 20)


def row(phase: int, column: list[float], *, overlap: int = 20, **values: float) -> Row:
    """Return a row of one metric column in a phase."""
    per_query = np.array(column, dtype=np.float64)
    known = per_query[~np.isnan(per_query)]
    mean = float(known.mean()) if len(known) else math.nan
    spec = ChunkSpec(size=100, overlap=overlap, phase=phase)
    return Row(spec, {METRIC: mean, **values}, {METRIC: per_query})


def rated(rates: list[float], *, overlap: int = 20) -> list[Row]:
    """Return one setting's phases 1, 2, 3 …, with these rates."""
    return [row(number, [rate], overlap=overlap) for number, rate in enumerate(rates, 1)]


# --- specs ----------------------------------------------------------------------------


def test_the_phases_of_a_spec_are_numbered_from_1():
    """Twelve unless asked otherwise; all else stays, the percentage asked for included."""
    specs = phase_specs(SPEC)
    assert [spec.phase for spec in specs] == list(range(1, 13))
    assert {(spec.size, spec.overlap, spec.asked_pct) for spec in specs} == {(100, 20, 20)}
    assert len(phase_specs(SPEC, 8)) == 8
    assert phase_specs(specs[3], 16) == phase_specs(SPEC, 16)


@pytest.mark.parametrize("phases", [7, 17, 0, 12.0, True])
def test_fewer_than_8_or_more_than_16_phases_are_an_error(phases):
    """Few say little about a spread, more only cost time."""
    with pytest.raises(SettingsError, match=r"phases must be a whole number in 8\.\.16; got"):
        phase_specs(SPEC, phases)


def test_rows_are_grouped_by_setting():
    """A sweep over settings and phases falls apart into settings, phases rising."""
    rows = [row(2, [1]), row(1, [0], overlap=0), row(1, [1]), row(2, [0], overlap=0)]
    groups = by_setting(rows)
    assert list(groups) == [ChunkSpec(size=100, overlap=20), ChunkSpec(size=100, overlap=0)]
    assert [[r.spec.phase for r in group] for group in groups.values()] == [[1, 2], [1, 2]]


# --- noise ----------------------------------------------------------------------------


def test_noise_by_hand():
    """0.2, 0.4, 0.9: mean 0.5, squares 0.09 + 0.01 + 0.16 over 2, the rows in any order."""
    one, two, three = rated([0.2, 0.4, 0.9])
    noise = phase_noise([three, one, two])[METRIC]
    assert noise.values.tolist() == [0.2, 0.4, 0.9]
    assert noise.mean == pytest.approx(0.5)
    assert noise.sd == pytest.approx(math.sqrt(0.13))
    assert (noise.minimum, noise.maximum) == (0.2, 0.9)


def test_noise_of_what_no_phase_changes_is_exactly_0():
    """A rate that cannot be written in binary has no spread of rounding."""
    noise = phase_noise(rated([0.1] * 12))[METRIC]
    assert (noise.mean, noise.sd) == (0.1, 0.0)


def test_noise_leaves_out_what_has_no_value():
    """A withheld column has no noise; one phase alone has a mean and no spread."""
    withheld = phase_noise(rated([math.nan] * 3))[METRIC]
    assert all(math.isnan(x) for x in (withheld.mean, withheld.sd, withheld.minimum))
    single = phase_noise(rated([math.nan, 0.5]))[METRIC]
    assert (single.mean, single.minimum, single.maximum) == (0.5, 0.5, 0.5)
    assert math.isnan(single.sd)


def test_noise_cannot_be_written():
    """Values are shared by whoever shows them."""
    with pytest.raises(ValueError, match="read-only"):
        phase_noise(rated([0.1, 0.2]))[METRIC].values[0] = 1


@pytest.mark.parametrize("function", [phase_noise, over_phases])
def test_phases_of_several_settings_or_none_are_a_bug(function):
    """Only the phase may differ, and each may be given once."""
    with pytest.raises(ValueError, match="one setting; got 2"):
        function([row(1, [1]), row(1, [1], overlap=0)])
    with pytest.raises(ValueError, match="one setting; got 0"):
        function([])
    with pytest.raises(ValueError, match="each phase must be given once"):
        function([row(1, [1]), row(1, [1])])


# --- one row over phases --------------------------------------------------------------


def test_a_row_over_phases_is_the_mean_of_each_question():
    """Three questions in two phases; one has no value in one of them, one in none."""
    nan = math.nan
    found = over_phases([row(1, [1, 0, nan, nan], chunks=10), row(2, [0, 0, 1, nan], chunks=13)])
    assert found.spec == ChunkSpec(size=100, overlap=20)
    np.testing.assert_array_equal(found.per_query[METRIC], [0.5, 0, 1, nan])
    assert found.values["chunks"] == 11.5
    assert found.values[METRIC] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_what_no_phase_changes_stays_as_it_is():
    """Whole numbers stay whole, withheld values withheld."""
    found = over_phases([row(n, [1], queries=60, index_x=math.nan) for n in (1, 2, 3)])
    assert found.values["queries"] == 60
    assert isinstance(found.values["queries"], int)
    assert math.isnan(found.values["index_x"])


def test_the_order_of_phases_changes_nothing():
    """Sums are added by rising phase, whatever order the rows came in."""
    rng = np.random.default_rng(3)
    rows = [row(n, rng.random(20).tolist()) for n in range(1, 13)]
    one, other = over_phases(rows), over_phases(rows[::-1])
    assert one.values == other.values
    assert one.per_query[METRIC].tobytes() == other.per_query[METRIC].tobytes()


def test_the_verdict_can_be_taken_over_phases():
    """20% is whole for all 200 questions in every phase, 0% for each in every other phase."""
    dense = over_phases([row(n, [1.0] * 200, chunks=20, index_chars=200) for n in (1, 2)])
    bare = over_phases(
        [
            row(n, [float((n + q) % 2) for q in range(200)], overlap=0, chunks=16, index_chars=160)
            for n in (1, 2)
        ]
    )
    found = verdict([bare, dense], METRIC, clusters_of([()] * 200))
    assert (found.outcome, found.choice.spec.overlap) == ("decided", 20)
    assert [one.loss.difference for one in found.held] == [0.5, 0.0]


# --- the difference of two settings ---------------------------------------------------


def test_the_range_of_a_difference_by_hand():
    """Differences 0.1, 0.2, 0.3: mean 0.2, sd 0.1, t(2) = 4.303, √(1 + 1/3)."""
    ours, baseline = rated([0.5, 0.5, 0.5]), rated([0.4, 0.3, 0.2], overlap=0)
    found = phase_interval(ours, baseline[::-1], METRIC)
    half = 4.302653 * 0.1 * math.sqrt(4 / 3)
    assert (found.phases, found.difference) == (3, pytest.approx(0.2))
    assert found.sd == pytest.approx(0.1)
    assert (found.low, found.high) == pytest.approx((0.2 - half, 0.2 + half), rel=1e-6)


def test_settings_that_move_together_have_no_noise_of_a_difference():
    """Each phase is held against itself: what both gain in one phase is no noise."""
    found = phase_interval(rated([0.25, 0.75]), rated([0.0, 0.5], overlap=0), METRIC)
    assert (found.difference, found.sd, found.low, found.high) == (0.25, 0, 0.25, 0.25)


def test_the_range_holds_the_next_phase_as_often_as_it_says():
    """Of 500 normal draws beside eight others, 95% lie in the range those eight give."""
    rng = np.random.default_rng(6)
    held = 0
    for *phases, following in rng.normal(0.03, 0.02, (500, 9)).tolist():
        found = phase_interval(rated(phases), rated([0.0] * 8, overlap=0), METRIC)
        held += found.low <= following <= found.high
    assert held / 500 == pytest.approx(0.95, abs=0.03)


def test_a_range_needs_the_same_phases_and_values():
    """Other phases, a single one, or a withheld column are a bug of the caller."""
    with pytest.raises(ValueError, match="same phases"):
        phase_interval(rated([0.1, 0.2]), rated([0.1, 0.2, 0.3], overlap=0), METRIC)
    with pytest.raises(ValueError, match="at least two"):
        phase_interval(rated([0.1]), rated([0.2], overlap=0), METRIC)
    with pytest.raises(ValueError, match="value in every phase; 'complete@5' has not"):
        phase_interval(rated([math.nan] * 2), rated([0.2] * 2, overlap=0), METRIC)


@pytest.mark.parametrize(
    ("questions", "phases", "inside"),
    [
        ((-0.01, 0.03), (-0.02, 0.04), "both"),
        ((-0.01, 0.03), (0.01, 0.04), "questions"),
        ((0.01, 0.03), (-0.02, 0.04), "phases"),
        ((0.01, 0.03), (0.01, 0.04), "neither"),
        ((-0.03, -0.01), (-0.04, -0.01), "neither"),
        ((0.0, 0.03), (-0.04, 0.0), "both"),
    ],
)
def test_inside_noise_by_definition(questions, phases, inside):
    """A difference is inside a noise whose interval includes 0, the ends included."""
    assert inside_noise(Interval(*questions), Interval(*phases)) == inside


def test_the_same_chunks_are_inside_both():
    """Where nothing differs, neither noise can be told from the difference."""
    same = paired([1, 0], [1, 0], clusters_of([()] * 2), same_setting=True)
    both = phase_interval(rated([0.5] * 8), rated([0.5] * 8), METRIC)
    assert inside_noise(same, both) == "both"


# --- phases of real windows -----------------------------------------------------------


@pytest.fixture(scope="module")
def engine():
    """Return 40 documents of 150 numbered words, with a question for each."""
    texts = {
        f"{n:02}.txt": " ".join(f"w{n}x{at}" for at in range(150)) + " " * n for n in range(40)
    }
    queries = []
    for n, (name, text) in enumerate(texts.items()):
        asked = f"w{n}x{3 * n + 5} w{n}x{3 * n + 6}"
        start = text.index(asked)
        queries.append(Query(str(n), asked, (Evidence(name, start, start + len(asked)),)))
    return prepare(corpus_of(texts.items()), QuerySet(tuple(queries), "minimal"), "word")


RUN = RunSpec("okapi", "word", TopK(5))


def test_phases_move_containment_about_what_theory_predicts(engine):
    """Over 16 phases, the mean share of whole spans lies within four deviations of theory."""
    spec = ChunkSpec(unit="word", size=4, overlap=0)
    swept = sweep_with(engine, phase_specs(spec, 16), RUN, tokens=False)
    noise = phase_noise(swept.rows)
    # Two words in windows of four with step 4: (4 - 2 + 1)/4.
    assert set(noise["predicted_containment"].values.tolist()) == {0.75}
    assert noise["containment"].sd > 0
    bound = 4 * math.sqrt(0.75 * 0.25 / (16 * 40))
    assert noise["containment"].mean == pytest.approx(0.75, abs=bound)


def test_the_cost_of_a_phase_is_held_against_unmoved_windows(engine):
    """Characters of every phase and overlap are divided by those of 0% in phase 0."""
    bare = ChunkSpec(unit="word", size=4, overlap=0)
    base = evaluate_with(engine, bare, RUN, tokens=False).values
    assert base["index_x"] == 1
    for spec in (bare, ChunkSpec(unit="word", size=4, overlap=2)):
        for moved in phase_specs(spec, 8)[:3]:
            values = evaluate_with(engine, moved, RUN, tokens=False).values
            assert values["index_x"] == values["index_chars"] / base["index_chars"]


def test_an_overlap_that_repairs_every_span_is_outside_both_noises(engine):
    """With 50% every pair of words is whole in every phase; 0% cuts about a quarter."""
    base, ours = (
        sweep_with(
            engine,
            phase_specs(ChunkSpec(unit="word", size=4, overlap=overlap)),
            RUN,
            tokens=False,
        ).rows
        for overlap in (0, 2)
    )
    column = "query_containment"
    one, other = over_phases(ours), over_phases(base)
    assert set(one.per_query[column].tolist()) == {1.0}
    questions = paired(one.per_query[column], other.per_query[column], clusters_of([()] * 40))
    phases = phase_interval(ours, base, column)
    assert phases.difference == pytest.approx(questions.difference)
    assert inside_noise(questions, phases) == "neither"
