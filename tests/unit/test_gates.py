"""Gates held to rows made by hand, and to the planted contract: choices, locks, halves, tables."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import cluster_queries
from overlapkit.diagnose import Diagnosis
from overlapkit.errors import InputError, SettingsError
from overlapkit.evaluate import METRICS
from overlapkit.gates import (
    FEWEST_PER_HALF,
    MEASURES,
    Candidate,
    Change,
    Gate,
    Lock,
    Shown,
    blocking_sentence,
    check_gates,
    column_of,
    decide_by_gates,
    decision_sentence,
    enough,
    gate_words,
    honesty,
    judge_gates,
    lock_fields,
    lock_from,
    overlap_needed,
    parse_gate,
    read_outside,
    reason,
    rejects_overlap,
    since_lock,
    split_halves,
    value_of,
    why_not,
)
from overlapkit.queries import Evidence, Query, QuerySet, Unresolved, planted_contract
from overlapkit.queries.planted import TOP, WINDOW
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.stats import clusters_of
from overlapkit.sweep import GRID_OVERLAPS, Row, sweep

N = 100
NAN = float("nan")
TOP_5 = TopK(5)


def hits(found: int, n: int = N) -> list[float]:
    """Return a column in which the first ``found`` of n questions are met."""
    return [1.0] * found + [0.0] * (n - found)


def alone(n: int = N):
    """Return the clustering of n questions that share nothing."""
    return clusters_of([()] * n)


def setting(
    overlap: int,
    complete: list[float] | int,
    *,
    size: int = 100,
    chunks: int | None = None,
    figures: dict[str, float] | None = None,
    spec: ChunkSpec | None = None,
    **columns: list[float],
) -> Candidate:
    """Return a candidate judged on complete evidence at 5, and on other columns at 5."""
    column = hits(complete) if isinstance(complete, int) else complete
    per_query = {f"{name}@5": np.array(held) for name, held in columns.items()}
    per_query["complete@5"] = np.array(column, dtype=np.float64)
    values = {name: float(np.nanmean(held)) for name, held in per_query.items()}
    chunks = 10 + overlap if chunks is None else chunks
    values |= {"chunks": chunks, "index_chars": chunks * size, "index_x": chunks / 10}
    row = Row(spec or ChunkSpec(size=size, overlap=overlap), values, per_query)
    return Candidate(row, figures or {})


def ruled(gate: str, candidate: Candidate, baseline: Candidate | None = None):
    """Return what one gate says of a candidate."""
    n = len(candidate.row.per_query["complete@5"])
    judged = judge_gates(candidate, [parse_gate(gate)], baseline or candidate, "5", alone(n))
    return judged.rulings[0]


def decided(candidates, *gates, current=None, keep_cost=None, cutoff=TOP_5):
    """Return the decision by index characters, against the first candidate as baseline."""
    return decide_by_gates(
        candidates,
        [parse_gate(gate) for gate in gates],
        cost=lambda one: one.row.values["index_chars"],
        baseline=candidates[0],
        current=current,
        keep_cost=keep_cost,
        cutoff=cutoff,
        metric="complete",
        clustering=alone(),
    )


# --- measures -------------------------------------------------------------------------


def test_the_measures_are_those_that_were_agreed():
    """Eighteen names, and no metric among them that the table of metrics does not know."""
    assert list(MEASURES) == [
        "containment", "complete", "lenient_hit", "strict_hit", "lenient_mrr", "strict_mrr",
        "recall", "distinct_docs", "duplicate_slots", "overlapping_slots", "repeated_chars",
        "index_x", "chunks", "price", "storage", "update_work", "retrieved_chars",
        "retrieved_tokens",
    ]  # fmt: skip
    at = {one.column.removesuffix("@") for one in MEASURES.values() if one.column.endswith("@")}
    assert at - {"retrieved_tokens"} <= set(METRICS)


def test_what_is_better_is_what_the_metrics_say():
    """A metric that is neither better nor worse is a cost: less of it is wanted."""
    for name, measure in MEASURES.items():
        if name in METRICS:
            better = METRICS[name].better
            assert measure.better == ("lower" if better == "neither" else better)


def test_a_column_takes_the_label_of_the_cut_off():
    """Where it depends on one; containment is that of the questions."""
    assert column_of("complete", "4000c") == "complete@4000c"
    assert column_of("retrieved_tokens", "5") == "retrieved_tokens@5"
    assert (column_of("containment", "5"), column_of("chunks", "5")) == (
        "query_containment", "chunks",
    )  # fmt: skip
    assert column_of("answer_correctness", "5") == "answer_correctness"


def test_every_column_of_a_real_row_is_found():
    """What a sweep returns holds every measure but the three that are figures."""
    corpus, queries = planted_contract()
    spec = ChunkSpec.percent(WINDOW, 25, unit="word")
    run = RunSpec("count", "word", TopK(TOP))
    (row,) = sweep(corpus, queries, [spec], run).rows
    candidate = Candidate(row, {"price": 0.5, "storage": 2.0, "update_work": 7.0})
    values = {name: value_of(candidate, name, run.cutoff.label) for name in MEASURES}
    assert not any(math.isnan(value) for value in values.values())
    assert (values["price"], values["storage"], values["update_work"]) == (0.5, 2.0, 7.0)
    assert (values["chunks"], values["complete"], values["duplicate_slots"]) == (96, 1, 2)
    per_query = [one.column for one in MEASURES.values() if one.per_query]
    assert all((name + "4" if name.endswith("@") else name) in row.per_query for name in per_query)


# --- gates as data --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        (Gate("complete", "at least", 0.95), "complete >= 95%"),
        (
            Gate("complete", "at least", 0.02, relative=True, at_bound=True),
            "complete >= baseline - 2% at bound",
        ),
        (Gate("chunks", "at most", 4000), "chunks <= 4000"),
        (
            Gate("critical_failures", "at most", 0, critical=True),
            "critical_failures <= 0 critical",
        ),
        (Gate("index_x", "at most", 1.5, relative=True), "index_x <= baseline + 1.5"),
        (Gate("complete", "at least", 0, relative=True), "complete >= baseline"),
        (Gate("answer_correctness", "at least", 0.93), "answer_correctness >= 0.93"),
        (Gate("recall", "at least", 0.875, critical=True), "recall >= 87.5% critical"),
        (Gate("price", "at most", 0.0004), "price <= 0.0004"),
    ],
)
def test_a_gate_is_written_in_its_grammar_and_read_back(gate, text):
    """Rates have a %, everything else is a plain number."""
    assert gate.text == text
    assert parse_gate(text) == gate


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("  Complete>=0.95 ", "complete >= 95%"),
        ("complete evidence at least 95 %", "complete >= 95%"),
        ("complete ≥ 95 percent at the bound", "complete >= 95% at bound"),
        ("complete => baseline − 2 points  critical at bound",
         "complete >= baseline - 2% at bound critical"),
        ("complete >= baseline-2%", "complete >= baseline - 2%"),
        ("complete >= baseline - 0", "complete >= baseline"),
        ("number of chunks at most 4,000", "chunks <= 4000"),
        ("duplicate slots =< 2", "duplicate_slots <= 2"),
        ("price <= US$ 3", "price <= 3"),
        ("price <= $0.50", "price <= 0.5"),
        ("Answer correctness >= 93%", "answer_correctness >= 0.93"),
        ("answer-correctness >= .9", "answer_correctness >= 0.9"),
        ("sentiment >= -0.5", "sentiment >= -0.5"),
        ("latency_ms <= 1e3", "latency_ms <= 1000"),
    ],
)  # fmt: skip
def test_words_and_spaces_are_forgiven(written, text):
    """Labels, signs in words and stray spaces mean what they say."""
    assert parse_gate(written).text == text


@pytest.mark.parametrize(
    "written",
    [
        "", "complete", "complete 95%", "complete > 95%", ">= 95%", "complete >= ",
        "complete >= many", "complete >= 95% sometimes", "complete >= baseline - ",
        "complete >= baseline %", "9lives >= 2", "a" * 61 + " >= 2", "complete >= 95% " + " x" * 99,
        "complete >= 1_000", "complete >= ٥", "complete >= nan", "complete >= inf",
    ],
)  # fmt: skip
def test_what_is_no_gate_is_answered_with_the_choices(written):
    """One sentence shows the grammar and the measures."""
    with pytest.raises(SettingsError, match=r"must read like .* one of containment, complete"):
        parse_gate(written)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("complete >= 95", r"complete, a rate, must lie in 0%\.\.100%; got 9500%"),
        ("complete >= 101%", r"must lie in 0%\.\.100%; got 101%"),
        ("chunks <= 50%", "chunks is none"),
        ("chunks <= -4", "chunks must be at least 0; got -4"),
        ("complete >= baseline + 2%", "must be written baseline - a number"),
        ("chunks <= baseline - 2", r"must be written baseline \+ a number"),
        ("complete <= baseline + 2%", "better when higher, must be at least it; got at most"),
        ("chunks >= baseline - 2", "better when lower.*must be at most it; got at least"),
        ("latency_ms <= 1e999", "finite number; got inf"),
    ],
)
def test_a_gate_that_cannot_be_meant_says_its_rule(written, message):
    """Rates lie in 0..1, nothing is below 0, and a margin leaves room on the worse side."""
    with pytest.raises(SettingsError, match=message):
        parse_gate(written)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("Complete", "at least", 0.9), "one of containment.* got 'Complete'"),
        (("latency ms", "at most", 9), "small letters, digits and _"),
        (("complete", ">=", 0.9), "sense must be one of at least, at most"),
        (("complete", "at least", "0.9"), "finite number"),
        (("complete", "at least", True), "finite number"),
        (("latency_ms", "at most", NAN), "finite number"),
        (("latency_ms", "at most", 10**400), "finite number"),
        (("complete", "at least", -0.02, True), "at least 0; got -0.02"),
    ],
)
def test_a_gate_is_validated_where_it_is_made(fields, message):
    """Names, senses and limits are checked once, then trusted."""
    with pytest.raises(SettingsError, match=message):
        Gate(*fields)


# --- judging --------------------------------------------------------------------------


def test_a_rate_of_hits_has_wilsons_interval():
    """95 of 100: 95%, Wilson's interval from 88.8% to 97.8%."""
    found = ruled("complete >= 95%", setting(0, 95))
    assert (found.value, found.passed) == (0.95, True)
    assert (round(found.low, 4), round(found.high, 4)) == (0.8882, 0.9785)


def test_a_gate_at_bound_holds_the_worse_end():
    """95 of 100 do not show 95% for sure, but 88% they do."""
    assert not ruled("complete >= 95% at bound", setting(0, 95)).passed
    assert ruled("complete >= 88% at bound", setting(0, 95)).passed
    assert not ruled("complete >= 89% at bound", setting(0, 95)).passed


def test_one_hit_fewer_fails():
    """94 of 100 are less than 95%."""
    assert not ruled("complete >= 95%", setting(0, 94)).passed


def test_rounding_noise_decides_nothing():
    """A tenth and two tenths are no more than three; a thousandth more is."""
    cheap, dear = (setting(0, 9, figures={"price": price}) for price in (0.1 + 0.2, 0.3003))
    assert ruled("price <= 0.3", cheap).passed
    assert not ruled("price <= 0.3", dear).passed
    better, worse = (setting(0, 9, figures={"score": score}) for score in (0.8, 0.78))
    assert 0.8 - 0.78 > 0.02  # by rounding
    assert ruled("score >= baseline - 2%", worse, better).passed


def test_exact_figures_have_no_interval():
    """Costs are what they are, also at their bound; so are results from outside."""
    one = setting(30, 9, figures={"storage": 12.0, "latency_ms": 80.0})
    for gate, value in (
        ("chunks <= 40 at bound", 40), ("index_x <= 4 at bound", 4),
        ("storage <= 12 at bound", 12), ("latency_ms <= 80", 80),
    ):  # fmt: skip
        found = ruled(gate, one)
        assert (found.value, found.low, found.high, found.passed) == (value, value, value, True)


def test_a_result_from_outside_is_not_held_at_a_bound():
    """Nothing is known of its interval."""
    with pytest.raises(SettingsError, match="latency_ms cannot be held at a bound: leave out"):
        Gate("latency_ms", "at most", 80.0, at_bound=True)


def test_a_rate_averaged_over_phases_is_no_count_of_hits():
    """Half hits have a bootstrap's interval, which stays among the rates that can be."""
    halves = setting(0, [1.0] * 50 + [0.5] * 50)
    found = ruled("complete >= 70% at bound", halves)
    whole = ruled("complete >= 70% at bound", setting(0, 75))
    assert found.value == 0.75
    assert 0 < found.low < 0.75 < found.high < 1
    # Questions that vary less tell more: sd 0.25 in place of 0.43.
    assert found.high - found.low < whole.high - whole.low


def test_graded_values_stay_in_their_range():
    """All recalled: no rate above 1; nothing repeated: no count below 0."""
    one = setting(0, 9, recall=[1.0] * N, duplicate_slots=[0.0] * 95 + [1.0] * 5)
    found = ruled("recall >= 90%", one)
    assert (found.value, found.high) == (1, 1)
    assert 0.8 < found.low < 1
    found = ruled("duplicate_slots <= 1", one)
    assert (found.value, found.low) == (0.05, 0)
    assert 0.05 < found.high < 0.2


def test_questions_that_share_a_document_widen_a_bootstrap():
    """Ten documents with ten questions each, alike within, say little more than ten do."""
    column = [float(n // 10 % 2) for n in range(N)]
    candidate = setting(0, 9, recall=column)
    by_document = clusters_of([()] * N, [(n // 10,) for n in range(N)])
    assert by_document.count == 10
    gate = [parse_gate("recall >= 10%")]
    apart, together = (
        judge_gates(candidate, gate, candidate, "5", by).rulings[0] for by in (alone(), by_document)
    )
    assert together.low < apart.low < 0.5 < apart.high < together.high


def test_questions_without_a_value_do_not_count():
    """Of 100 questions 20 have none: 76 of 80 are 95%."""
    found = ruled("complete >= 95%", setting(0, [1.0] * 76 + [0.0] * 4 + [NAN] * 20))
    assert found.passed
    assert round(found.low, 4) == 0.8784  # Wilson, 76 of 80


def test_what_has_no_value_never_passes():
    """Withheld, not measured or not a number: no limit is cleared."""
    withheld = setting(0, 95)
    values = {**withheld.row.values, "complete@5": NAN}
    withheld = Candidate(replace(withheld.row, values=values), {"latency_ms": math.inf})
    for gate in ("complete >= 0%", "storage <= 9", "foo >= 0", "latency_ms >= 0", "recall >= 0%"):
        found = ruled(gate, withheld)
        assert not found.passed
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert found.shortfall == math.inf


def test_nothing_is_held_against_a_baseline_without_a_value():
    """A margin below what is not known is not known."""
    measured = setting(0, 95, figures={"answer_correctness": 0.9})
    assert not ruled("answer_correctness >= baseline - 5%", measured, setting(0, 95)).passed
    assert ruled("answer_correctness >= baseline - 5%", measured, measured).passed


def test_a_relative_gate_compares_question_by_question():
    """93 against 95 of 100, the same questions: two points lost, and perhaps more."""
    ours, baseline = setting(10, 93), setting(0, 95)
    found = ruled("complete >= baseline - 2%", ours, baseline)
    assert found.value == pytest.approx(-0.02)
    assert found.low < -0.02 < 0 <= found.high
    assert found.passed
    assert not ruled("complete >= baseline - 2% at bound", ours, baseline).passed
    assert ruled("complete >= baseline - 10% at bound", ours, baseline).passed


def test_the_baseline_itself_is_no_worse_than_itself():
    """Its difference is exactly 0, so that even its bound passes without a margin."""
    found = ruled("complete >= baseline at bound", setting(0, 95))
    assert (found.value, found.low, found.high, found.passed) == (0, 0, 0, True)


def test_a_relative_gate_on_a_number_is_a_plain_difference():
    """120 chunks are 20 more than 100."""
    ours, baseline = setting(10, 9, chunks=120), setting(0, 9, chunks=100)
    found = ruled("chunks <= baseline + 20", ours, baseline)
    assert (found.value, found.low, found.high, found.passed) == (20, 20, 20, True)
    assert not ruled("chunks <= baseline + 19", ours, baseline).passed
    assert ruled("chunks <= baseline", baseline, ours).passed


def test_the_first_failed_gate_is_the_first_in_order():
    """Rulings keep the order in which gates were declared."""
    gates = [parse_gate(text) for text in ("complete >= 5%", "chunks <= 9", "complete >= 99%")]
    judged = judge_gates(setting(0, 50), gates, setting(0, 50), "5", alone())
    assert [ruling.passed for ruling in judged.rulings] == [True, False, False]
    assert judged.first_failed.gate.measure == "chunks"
    assert not judged.passed


# --- which gates can decide -----------------------------------------------------------


def test_there_must_be_a_gate_and_each_once():
    """No gate decides nothing; one that stands twice was meant otherwise."""
    one = setting(0, 95)
    with pytest.raises(SettingsError, match="at least one gate"):
        check_gates([one], [], TopK(5))
    twice = [parse_gate("complete >= 95%"), parse_gate("complete >= 0.95")]
    with pytest.raises(SettingsError, match="'complete >= 95%' occurs twice"):
        check_gates([one], twice, TopK(5))
    with pytest.raises(SettingsError, match="at least one setting"):
        check_gates([], twice[:1], TopK(5))


@pytest.mark.parametrize(
    "other",
    [ChunkSpec(size=200), ChunkSpec(size=100, overlap=0, unit="word"), ChunkSpec("mine", size=100,
     overlap=0)],
)  # fmt: skip
def test_sizes_are_only_compared_at_an_equal_amount_of_text(other):
    """Five bigger chunks are more text; a budget, or a limit on the text, makes them equal."""
    two = [setting(0, 95), setting(0, 95, spec=other)]
    gate = parse_gate("complete >= 95%")
    with pytest.raises(SettingsError, match=r"5 bigger chunks are simply more text.*retrieved_c"):
        check_gates(two, [gate], TopK(5))
    check_gates(two, [gate], Budget(4000))
    check_gates(two, [gate, parse_gate("retrieved_chars <= 4000")], TopK(5))
    check_gates(two, [gate, parse_gate("retrieved_tokens <= 1000")], TopK(5))
    with pytest.raises(SettingsError, match="more text"):
        check_gates(two, [gate, parse_gate("retrieved_chars >= 4000")], TopK(5))


def test_overlaps_of_one_size_need_no_limit_on_the_text():
    """The same size hands on as much."""
    check_gates([setting(0, 95), setting(20, 95)], [parse_gate("complete >= 95%")], TopK(5))


# --- the choice -----------------------------------------------------------------------


def test_the_cheapest_setting_that_clears_all_gates_is_chosen():
    """0% misses too much, 30% would do as well as 20% and costs more."""
    every = [setting(30, 97), setting(20, 96), setting(10, 80), setting(0, 70)]
    found = decided(every, "complete >= 95%", "chunks <= 50")
    assert (found.outcome, found.choice.spec.overlap) == ("chosen", 20)
    assert [one.spec.overlap for one in found.judged] == [0, 10, 20, 30]
    assert found.costs == (1000, 2000, 3000, 4000)
    assert [one.spec.overlap for one in found.passing] == [20, 30]
    assert (found.current, found.keep_cost, found.saves, found.blocking) == (None, None, None, ())
    assert found.cost_of(found.choice.spec) == 3000


def test_a_gate_on_cost_can_rule_out_what_finds_most():
    """Both gates must be cleared: the better setting has too many chunks."""
    every = [setting(0, 70), setting(20, 96), setting(30, 99)]
    found = decided(every, "complete >= 95%", "chunks <= 35")
    assert found.choice.spec.overlap == 20
    assert [one.passed for one in found.judged] == [False, True, False]


def test_of_one_size_only_the_smallest_overlap_is_in_question():
    """Where cuts happen to need fewer characters, a larger overlap is still no choice."""
    every = [setting(0, 70), setting(10, 96, chunks=40), setting(20, 96, chunks=30)]
    assert decided(every, "complete >= 95%").choice.spec.overlap == 10


def test_across_sizes_the_cheapest_of_the_smallest_overlaps_wins():
    """Each size sends its smallest overlap that clears the gate; the cheaper size is taken."""
    every = [
        setting(0, 70), setting(20, 96, chunks=30),
        setting(0, 60, size=200, chunks=5), setting(50, 97, size=200, chunks=12),
    ]  # fmt: skip
    for one in every:
        for held in (one.row.values, one.row.per_query):
            held["complete@5000c"] = held["complete@5"]
    found = decided(every, "complete >= 95%", cutoff=Budget(5000))
    assert (found.choice.spec.size, found.choice.spec.overlap) == (200, 50)
    assert found.metric == "complete@5000c"


def test_ties_go_to_fewer_chunks_then_overlap_then_size():
    """At one cost the smaller setting is taken, whatever the order they come in."""

    def choice(*every):
        found = [
            decide_by_gates(
                order, [parse_gate("complete >= 50%"), parse_gate("retrieved_chars <= 900")],
                cost=lambda _: 1.0, baseline=every[0], current=None, keep_cost=None,
                cutoff=TopK(5), metric="complete", clustering=alone(),
            ).choice.spec
            for order in (every, every[::-1])
        ]  # fmt: skip
        assert found[0] == found[1]
        return found[0].size, found[0].overlap

    def one(size, overlap, chunks):
        return setting(overlap, 90, size=size, chunks=chunks, retrieved_chars=[500.0] * N)

    assert choice(one(100, 0, 30), one(200, 50, 20)) == (200, 50)
    assert choice(one(100, 20, 20), one(200, 10, 20)) == (200, 10)
    assert choice(one(300, 10, 20), one(200, 10, 20)) == (200, 10)


def test_a_setting_whose_cost_is_not_known_comes_last():
    """It is taken only where nothing else passes."""
    every = [setting(0, 96), setting(20, 97)]
    every[0].row.values["index_chars"] = NAN
    found = decided(every, "complete >= 95%")
    assert [one.spec.overlap for one in found.judged] == [20, 0]
    assert found.choice is found.judged[1]  # 0% is the smallest overlap that clears the gate


def test_where_nothing_passes_the_gates_say_what_blocks():
    """Four settings: complete fails three and chunks two, one of them both."""
    every = [setting(0, 70), setting(10, 80), setting(20, 94), setting(30, 97)]
    found = decided(every, "chunks <= 25", "complete >= 95%")
    assert (found.outcome, found.choice, found.cheapest) == ("none", None, None)
    first, second = found.blocking
    assert (first.gate.text, first.failing, first.alone) == ("complete >= 95%", 3, 2)
    assert first.nearest.spec.overlap == 20
    assert (second.gate.text, second.failing, second.alone) == ("chunks <= 25", 2, 1)
    assert second.nearest.spec.overlap == 20


def test_a_gate_that_nothing_has_a_value_for_blocks_all():
    """Its nearest is the cheapest, since none is nearer."""
    found = decided([setting(0, 70), setting(10, 80)], "complete >= 10%", "foo >= 1")
    first, second = found.blocking
    assert (first.gate.text, first.failing, first.alone) == ("foo >= 1", 2, 2)
    assert (first.nearest.spec.overlap, second.failing) == (0, 0)


# --- today's setting ------------------------------------------------------------------


def test_the_current_setting_is_kept_where_it_is_the_cheapest():
    """The choice is what is in use already."""
    every = [setting(0, 70), setting(20, 96), setting(30, 97)]
    found = decided(every, "complete >= 95%", current=every[1])
    assert found.outcome == "keep"
    assert found.choice is found.current is found.cheapest
    assert found.choice.spec.overlap == 20


def test_the_current_setting_is_kept_where_a_change_costs_more():
    """Embedded already, it costs nothing to keep, and nothing finds more for sure."""
    every = [setting(0, 70), setting(20, 96), setting(30, 97)]
    found = decided(every, "complete >= 95%", current=every[2], keep_cost=0.0)
    assert (found.outcome, found.choice.spec.overlap) == ("keep", 30)
    assert found.cheapest.spec.overlap == 20
    assert (found.keep_cost, found.saves) == (0, None)
    assert found.gains[every[2].spec].identical


def test_a_cheaper_setting_is_chosen_though_nothing_finds_more():
    """By default keeping costs what the setting costs: 4000 characters against 3000."""
    every = [setting(0, 70), setting(20, 96), setting(30, 97)]
    found = decided(every, "complete >= 95%", current=every[2])
    assert (found.outcome, found.choice.spec.overlap) == ("chosen", 20)
    assert (found.keep_cost, found.saves) == (4000, 1000)


def test_equal_costs_are_no_reason_to_change():
    """Also where two ways of adding up differ by rounding."""
    every = [setting(10, 96), setting(30, 97)]
    kept = decided(every, "complete >= 95%", current=every[1], keep_cost=2000 * (1 + 1e-12))
    assert kept.outcome == "keep"
    assert decided(every, "complete >= 95%", current=every[1], keep_cost=2001).saves == 1


def test_a_setting_that_finds_more_for_sure_is_chosen():
    """Nothing is cheaper than what is paid already, but 30% finds 40 questions more of 100.

    10%, the cheapest that clears the gate, finds no more than today's 20% and is no reason to
    change; the cheapest that gains is chosen.
    """
    every = [setting(10, 52), setting(20, 55), setting(30, 95), setting(40, 96)]
    found = decided(every, "complete >= 50%", current=every[1], keep_cost=0.0)
    assert (found.outcome, found.choice.spec.overlap) == ("chosen", 30)
    assert (found.cheapest.spec.overlap, found.saves) == (10, None)
    assert found.gains[found.choice.spec].low > 0


def test_a_gain_inside_the_noise_is_no_reason_to_change():
    """Two questions more of 100 may be an accident."""
    every = [setting(10, 95), setting(30, 97)]
    found = decided(every, "complete >= 90%", current=every[0], keep_cost=0.0)
    assert (found.outcome, found.choice.spec.overlap) == ("keep", 10)
    every = [setting(20, 95), setting(10, 97)]  # the smaller overlap is in question
    assert decided(every, "complete >= 90%", current=every[0], keep_cost=0.0).outcome == "keep"


def test_a_current_setting_that_fails_is_not_kept():
    """However little it costs."""
    every = [setting(0, 70), setting(20, 96)]
    found = decided(every, "complete >= 95%", current=every[0], keep_cost=0.0)
    assert (found.outcome, found.choice.spec.overlap, found.saves) == ("chosen", 20, None)
    assert not found.current.passed


def test_a_current_setting_off_the_grid_is_judged_as_well():
    """It need not be among the candidates; where none of them passes, it stays."""
    every = [setting(0, 70), setting(20, 94)]
    today = setting(33, 97)
    found = decided(every, "complete >= 95%", current=today)
    assert (found.outcome, found.choice.spec.overlap, found.cheapest) == ("keep", 33, None)
    assert [one.spec.overlap for one in found.judged] == [0, 20]
    assert found.blocking == ()
    cheaper = decided([*every, setting(25, 96)], "complete >= 95%", current=today)
    assert (cheaper.outcome, cheaper.choice.spec.overlap) == ("chosen", 25)
    assert cheaper.saves == 4300 - 3500


def test_gains_are_against_the_current_setting_else_the_baseline():
    """The difference of 20% is to whichever is in use."""
    every = [setting(0, 70), setting(10, 80), setting(20, 90)]
    assert decided(every, "complete >= 5%").gains[every[2].spec].difference == pytest.approx(0.2)
    found = decided(every, "complete >= 5%", current=every[1])
    assert found.gains[every[2].spec].difference == pytest.approx(0.1)
    assert found.metric == "complete@5"


# --- the planted contract -------------------------------------------------------------


@pytest.fixture(scope="module")
def planted():
    """Return a function from percentages to the decision on the planted contract."""
    corpus, queries = planted_contract()
    run = RunSpec("count", "word", TopK(TOP))

    def decide(percents, *gates):
        specs = [ChunkSpec.percent(WINDOW, pct, unit="word") for pct in percents]
        candidates = [Candidate(row, {}) for row in sweep(corpus, queries, specs, run).rows]
        return decide_by_gates(
            candidates,
            [parse_gate(gate) for gate in gates],
            cost=lambda one: one.row.values["index_tokens"],
            baseline=candidates[0],
            current=None,
            keep_cost=None,
            cutoff=run.cutoff,
            metric="complete",
            clustering=cluster_queries(corpus, queries),
        )

    return decide


def test_the_planted_contract_is_cleared_at_a_quarter(planted):
    """Of 0, 25, 50 and 75% the first holds no evidence whole, so 25% is the cheapest."""
    found = planted((0, 25, 50, 75), "complete >= 95%", "duplicate_slots <= 2")
    assert (found.outcome, found.choice.spec.overlap_pct) == ("chosen", 25)
    assert [one.passed for one in found.judged] == [False, True, True, True]
    assert overlap_needed(found) == "needed"


def test_the_smallest_overlap_that_holds_four_words_is_found(planted):
    """Evidence of four words needs three shared: of the default grid, 5% shares four."""
    found = planted(GRID_OVERLAPS, "complete >= 95%", "duplicate_slots <= 2")
    assert (found.choice.spec.overlap, found.choice.spec.overlap_pct) == (4, 5)
    assert [one.passed for one in found.judged] == [False] + 8 * [True]


def test_twelve_questions_cannot_show_ninety_five_percent(planted):
    """All of 12 are met, yet Wilson's lower end is 12/(12 + 1.96²), 75.8%."""
    found = planted((0, 25), "complete >= 95% at bound")
    assert found.outcome == "none"
    ruling = found.blocking[0].nearest.rulings[0]
    assert ruling.low == pytest.approx(12 / (12 + 1.959964**2))


# --- whether overlap is needed --------------------------------------------------------


def test_overlap_is_needed_where_none_fails_a_gate():
    """0% of the chosen size was judged and misses too much."""
    assert overlap_needed(decided([setting(0, 70), setting(20, 96)], "complete >= 95%")) == "needed"


def test_overlap_is_not_needed_where_the_choice_has_none():
    """0% clears the gates."""
    found = decided([setting(0, 96), setting(20, 97)], "complete >= 95%")
    assert overlap_needed(found) == "not needed"


def test_without_a_figure_at_none_nothing_is_said_of_overlap():
    """0% of another size, or no choice at all, says nothing."""
    assert overlap_needed(decided([setting(10, 70), setting(20, 96)], "complete >= 95%")) == (
        "unknown"
    )
    assert overlap_needed(decided([setting(0, 70)], "complete >= 95%")) == "unknown"
    other = [setting(0, 70, size=200), setting(20, 96, retrieved_chars=[9.0] * N)]
    found = decided(other, "complete >= 95%", "retrieved_chars <= 10")
    assert overlap_needed(found) == "unknown"


def diagnosed(**causes: int) -> list[Diagnosis]:
    """Return diagnoses by cause; underscores stand for spaces."""
    return [
        Diagnosis(None, "q", cause.replace("_", " "))
        for cause, count in causes.items()
        for _ in range(count)
    ]


def test_misses_that_no_cut_made_speak_against_overlap():
    """2 of 10 misses are cut, under a quarter, and 20% finds no more."""
    rows = [setting(0, 90).row, setting(20, 91).row]
    found = rejects_overlap(
        diagnosed(hit=90, outranked=7, no_shared_term=1, cut_boundary=2), rows, "complete@5",
        alone(),
    )  # fmt: skip
    assert found
    assert (found.misses, found.cut, found.tested, found.gaining) == (10, 2, 1, ())
    assert found.causes == (("outranked", 7),)


def test_misses_that_cuts_made_do_not():
    """A quarter of them is worth naming, and is named beside the leading cause."""
    rows = [setting(0, 88).row, setting(20, 89).row]
    found = rejects_overlap(
        diagnosed(hit=88, outranked=9, cut_boundary=3), rows, "complete@5", alone()
    )
    assert not found
    assert found.causes == (("outranked", 9), ("cut boundary", 3))


def test_a_gain_outside_the_noise_speaks_for_overlap():
    """Whatever the causes say."""
    rows = [setting(0, 50).row, setting(20, 90).row]
    found = rejects_overlap(diagnosed(hit=50, outranked=50), rows, "complete@5", alone())
    assert not found
    assert found.gaining == (rows[1].spec,)


def test_where_every_question_is_met_no_overlap_is_asked_for():
    """No miss, and so no cause."""
    rows = [setting(0, 100).row, setting(20, 100).row]
    found = rejects_overlap(diagnosed(hit=100), rows, "complete@5", alone())
    assert (bool(found), found.causes) == (True, ())


def test_what_was_not_tested_is_not_rejected():
    """One overlap beside 0% at least, and a question at least."""
    rows = [setting(0, 90).row, setting(20, 90).row]
    assert not rejects_overlap(diagnosed(outranked=10), rows[:1], "complete@5", alone())
    assert not rejects_overlap(diagnosed(unresolved=4), rows, "complete@5", alone())
    with pytest.raises(SettingsError, match="add 0%"):
        rejects_overlap([], rows[1:], "complete@5", alone())


# --- halves ---------------------------------------------------------------------------


def asked(**documents: int) -> QuerySet:
    """Return so many questions of each document."""
    queries = [
        Query(f"{name}{n}", "x", (Evidence(name, n, n + 1),))
        for name, count in documents.items()
        for n in range(count)
    ]
    return QuerySet(tuple(queries), "minimal", "golden.csv")


def documents_of(queries: QuerySet) -> set[str]:
    """Return the documents that carry a set's evidence."""
    return {span.document for query in queries for span in query.evidence}


def test_halves_are_as_large_as_documents_allow():
    """3, 2, 2 and 1 questions: the largest first, each to the smaller half, gives 4 and 4."""
    halves = split_halves(asked(a=3, b=2, c=2, d=1), seed=1)
    assert (len(halves.explore), len(halves.confirm)) == (4, 4)
    parts = {frozenset(documents_of(half)) for half in (halves.explore, halves.confirm)}
    assert parts == {frozenset("ad"), frozenset("bc")}


def test_questions_connected_by_documents_stay_together():
    """A question of b and c ties both together: 5 questions of two documents against 5 of a."""
    queries = asked(a=5, b=2, c=2)
    bridge = Query("bridge", "x", (Evidence("b", 0, 1), Evidence("c", 0, 1)), "all")
    halves = split_halves(replace(queries, queries=(*queries, bridge)), seed=3)
    parts = {frozenset(documents_of(half)) for half in (halves.explore, halves.confirm)}
    assert parts == {frozenset("a"), frozenset("bc")}


def test_a_seed_decides_which_half_is_which():
    """Over some seeds a document is found in both; with one seed always in the same."""
    queries = asked(a=3, b=3)
    found = [documents_of(split_halves(queries, seed).confirm) for seed in range(20)]
    assert {frozenset(one) for one in found} == {frozenset("a"), frozenset("b")}
    assert found == [documents_of(split_halves(queries, seed).confirm) for seed in range(20)]


def test_halves_keep_kind_order_source_and_what_was_left_out():
    """Rows that could not be located stay with the half to explore on."""
    lost = Unresolved(7, "q7", "not found")
    halves = split_halves(replace(asked(a=2, b=2), kind="extent", unresolved=(lost,)), seed=0)
    assert halves.explore.source == "golden.csv, exploring half"
    assert halves.confirm.source == "golden.csv, confirming half"
    assert {halves.explore.kind, halves.confirm.kind} == {"extent"}
    assert (halves.explore.unresolved, halves.confirm.unresolved) == ((lost,), ())
    assert [q.id[1:] for q in halves.confirm] == ["0", "1"]
    assert split_halves(replace(asked(a=1), source=""), 0).explore.source == "exploring half"


def test_halves_need_about_150_questions_each():
    """149 are too few, 150 are enough, and one document cannot be split at all."""
    half = FEWEST_PER_HALF
    assert half == 150
    assert enough(asked(a=half, b=half))
    assert why_not(asked(a=half, b=half)) == ""
    assert not enough(asked(a=half, b=half - 1))
    assert why_not(asked(a=half, b=half - 1)) == (
        "Each half should have at least 150 questions; of these 299 the smaller half would have "
        "149."
    )
    assert "all of them share" in why_not(asked(a=400))
    assert why_not(asked(a=300, b=100)).endswith(
        "of these 400 the smaller half would have 100, since 300 of them share evidence documents."
    )
    assert why_not(QuerySet((), "minimal")) == "There is no question to split."


# --- locks ----------------------------------------------------------------------------

CORPUS, QUERIES, OLDER = "a" * 64, "b" * 64, "c" * 64
AT = "2025-06-01T10:30:00Z"
LATER = "2025-06-02T08:00:00+00:00"


def lock(*gates: str, shown: tuple[Shown, ...] = (), **fields) -> Lock:
    """Return a lock of some gates, by default one."""
    parsed = tuple(parse_gate(text) for text in gates or ("complete >= 95%",))
    known = {"cost": "price", "corpus_digest": CORPUS, "query_digest": QUERIES}
    return Lock(AT, parsed, shown=shown, **(known | fields))


def amended(before: Lock, *gates: str, at: str = LATER) -> Lock:
    """Return the lock with other gates."""
    return before.amended([parse_gate(text) for text in gates], at)


def test_a_change_of_a_gate_is_recorded():
    """Changed, taken away and added: each with its texts; what stays is no change."""
    first = lock("complete >= 95%", "chunks <= 4000", "recall >= 50%")
    then = amended(first, "recall >= 50%", "complete >= 93%", "index_x <= 1.5")
    assert then.changes == (
        Change(LATER, "complete >= 95%", "complete >= 93%"),
        Change(LATER, "chunks <= 4000", ""),
        Change(LATER, "", "index_x <= 1.5"),
    )
    assert [gate.text for gate in then.gates] == [
        "recall >= 50%", "complete >= 93%", "index_x <= 1.5",
    ]  # fmt: skip
    assert (then.at, first.changes) == (AT, ())
    again = amended(then, "recall >= 50%", "complete >= 93%", "index_x <= 1.5")
    assert again == then


def test_of_two_gates_on_one_measure_the_likest_is_the_one_changed():
    """The gate at bound is changed into the gate at bound."""
    first = lock("complete >= 95%", "complete >= 90% at bound")
    then = amended(first, "complete >= 91% at bound", "complete >= 96%")
    assert [(one.before, one.after) for one in then.changes] == [
        ("complete >= 95%", "complete >= 96%"),
        ("complete >= 90% at bound", "complete >= 91% at bound"),
    ]


@pytest.mark.parametrize(
    ("locked", "then"),
    [
        ("complete >= 95% critical", "complete >= 94.9% critical"),
        ("complete >= 95% critical", "complete >= 95%"),
        ("complete >= 95% critical", "recall >= 95% critical"),
        ("complete >= 95% critical", "complete <= 95% critical"),
        ("complete >= 95% critical", "complete >= baseline critical"),
        ("complete >= 95% at bound critical", "complete >= 99% critical"),
        ("chunks <= 400 critical", "chunks <= 401 critical"),
        ("complete >= baseline - 2% critical", "complete >= baseline - 3% critical"),
        ("chunks <= baseline + 2 critical", "chunks <= baseline + 3 critical"),
    ],
)
def test_a_critical_gate_is_never_loosened(locked, then):
    """Not by its limit, its bound, its measure or its mark."""
    with pytest.raises(SettingsError, match="critical gate may only be tightened"):
        amended(lock(locked, "index_x <= 2"), then, "index_x <= 2")


@pytest.mark.parametrize(
    ("locked", "then"),
    [
        ("complete >= 95% critical", "complete >= 96% critical"),
        ("complete >= 95% critical", "complete >= 95% at bound critical"),
        ("chunks <= 400 critical", "chunks <= 399 critical"),
        ("complete >= baseline - 2% critical", "complete >= baseline critical"),
        ("chunks <= 400", "chunks <= 300 critical"),
    ],
)
def test_a_gate_may_be_tightened_or_made_critical(locked, then):
    """What clears the new gate would have cleared the old."""
    assert amended(lock(locked), then).changes == (Change(LATER, locked, then),)


def test_taking_a_critical_gate_away_is_refused_and_adding_one_is_not():
    """The last word of a lock can only grow stricter."""
    first = lock("complete >= 95% critical")
    with pytest.raises(SettingsError, match="taken away"):
        amended(first, "chunks <= 9")
    assert len(amended(first, "complete >= 95% critical", "chunks <= 9 critical").gates) == 2


@pytest.mark.parametrize(
    "at",
    [
        "2025-06-01", "2025-06-01T10:30:00", "2025-06-01T10:30:00+02:00", "2025-13-01T10:30:00Z",
        "yesterday", "", None, "2025-06-01 10:30:00Z", "20250601T103000Z",
    ],
)  # fmt: skip
def test_a_time_must_be_utc(at):
    """ISO 8601 with its zone, or it says nothing to somebody elsewhere."""
    with pytest.raises(SettingsError, match="time must be UTC in ISO 8601"):
        replace(lock(), at=at)


def test_a_change_cannot_come_before_the_lock():
    """Nor before the change before it."""
    with pytest.raises(SettingsError, match="must not be earlier"):
        amended(lock(), "complete >= 90%", at="2025-06-01T10:29:59Z")
    then = amended(lock(), "complete >= 90%")
    with pytest.raises(SettingsError, match="must not be earlier"):
        amended(then, "complete >= 80%", at=AT)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"gates": ()}, "at least one gate"),
        ({"cost": ""}, "name the cost"),
        ({"corpus_digest": "abc"}, "corpus digest must have 64"),
        ({"query_digest": "B" * 64}, "question digest must have 64"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"settings": (("k", "5"), ("k", "6"))}, "each setting once"),
    ],
)
def test_a_lock_is_validated(fields, message):
    """Every field has its rule."""
    with pytest.raises(SettingsError, match=message):
        replace(lock(), **fields)


def shown(part: str = "all", settings: int = 81, queries: str = QUERIES, n: int = 265) -> Shown:
    """Return what had been on show."""
    return Shown(CORPUS, queries, n, settings, part)


@pytest.mark.parametrize(
    ("seen", "before", "sentence"),
    [
        ((), False, "No result had been on show here when the gates were locked."),
        (
            (shown(settings=0),), False,
            "No result had been on show here when the gates were locked.",
        ),
        (
            (shown(),), True,
            "When the gates were locked, results of 81 settings over all 265 questions had been on "
            "show here, so the gates may have been chosen to fit them.",
        ),
        (
            (shown("explore", 9, n=130), shown("confirm", 1, n=135)), True,
            "When the gates were locked, results of 1 setting over the confirming 135 questions "
            "had been on show here, so the gates may have been chosen to fit them.",
        ),
        (
            (shown("explore", n=130),), False,
            "When the gates were locked, results of 81 settings over the exploring 130 questions "
            "had been on show here, and no result over the questions that are to confirm.",
        ),
        (
            (shown(queries=OLDER),), False,
            "When the gates were locked, results of 81 settings over all 265 questions of another "
            "question set had been on show here, and no result over this one.",
        ),
    ],
)  # fmt: skip
def test_a_lock_says_plainly_what_had_been_on_show(seen, before, sentence):
    """Over all or the confirming questions, gates may have been made to fit; else not."""
    held = lock(shown=seen)
    elsewhere = " What was looked at elsewhere is not known."
    assert (held.seen_before, honesty(held)) == (before, sentence + elsewhere)


def test_what_is_set_otherwise_than_at_the_lock_is_said():
    """Each name with both values, one that came or went with nothing; else not a word."""
    held = lock(settings=(("k", "1"), ("ranking", "count")))
    assert since_lock(held, {"ranking": "count", "k": "1"}) == ""
    assert since_lock(held, {"k": "10", "pin": "800-0"}) == (
        "Since the lock was changed: k from 1 to 10; ranking from count to nothing; pin from "
        "nothing to 800-0."
    )


def test_changes_after_the_lock_are_said():
    """Once, or how often."""
    then = amended(lock(), "complete >= 90%")
    assert honesty(then).endswith(" A gate was changed once after the lock.")
    then = amended(then, "complete >= 80%", "chunks <= 9")
    assert honesty(then).endswith(" A gate was changed 3 times after the lock.")


def full_lock() -> Lock:
    """Return a lock with something in every field."""
    first = lock(
        "complete >= 95% at bound critical", "latency_ms <= 80",
        shown=(shown(), shown("explore")), settings=(("ranking", "okapi"), ("k", "5")), seed=7,
    )  # fmt: skip
    return amended(first, "complete >= 96% at bound critical")


def test_a_lock_goes_through_json_unchanged():
    """Every field comes back as it was."""
    held = full_lock()
    assert lock_from(json.loads(json.dumps(lock_fields(held)))) == held


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.pop("at"), r"lock\.at must be a text.*got nothing"),
        (lambda f: f.update(at="now"), "lock: a time must be UTC"),
        (lambda f: f.update(gates="x"), r"lock\.gates must be a list"),
        (lambda f: f.update(gates=[]), "lock: there must be at least one gate"),
        (lambda f: f["gates"].append("x"), r"lock\.gates\[1\]: a gate must read like"),
        (lambda f: f["gates"].append(3), r"lock\.gates\[1\] must be a text.*got 3"),
        (lambda f: f.update(seed="7"), r"lock\.seed must be a whole number"),
        (lambda f: f.update(seed=2**60), r"lock\.seed must be a whole number"),
        (lambda f: f.update(corpus="x"), "lock: a corpus digest"),
        (lambda f: f.update(settings=[["k"]]), r"lock\.settings\[0\] must be a name and a value"),
        (lambda f: f["shown"].append([]), r"lock\.shown\[2\] must be an object"),
        (lambda f: f["shown"][1].update(part="some"), r"shown\[1\]\.part must be one of all, ex"),
        (lambda f: f["shown"][0].update(settings=-1), r"lock\.shown\[0\]\.settings must be"),
        (lambda f: f["shown"][0].update(queries="x"), r"lock\.shown\[0\]: a question digest"),
        (lambda f: f["changes"][0].update(after="x"), r"changes\[0\]\.after: a gate must read"),
        (lambda f: f["changes"][0].update(at="x"), r"lock\.changes\[0\]: a time must be UTC"),
        (lambda f: f["changes"].append({"at": LATER, "before": "", "after": ""}),
         r"changes\[2\] must be a change"),
        (lambda f: f.update(cost="x" * 1001), r"lock\.cost must be a text of at most 1,000"),
    ],
)  # fmt: skip
def test_a_lock_that_was_tampered_with_names_the_place(change, message):
    """One broken field each, answered with where it stands."""
    fields = json.loads(json.dumps(lock_fields(full_lock())))
    change(fields)
    with pytest.raises(InputError, match=message):
        lock_from(fields)


def test_names_that_a_newer_version_added_are_passed_over():
    """What is known still holds."""
    assert lock_from({**lock_fields(full_lock()), "more": 1}) == full_lock()
    with pytest.raises(InputError, match="lock must be an object; got 3"):
        lock_from(3)


# --- results from outside -------------------------------------------------------------

SPECS = tuple(ChunkSpec.percent(800, pct) for pct in (0, 10, 20, 50))


def outside(text: str, specs=SPECS):
    """Return the results of a table."""
    return read_outside(text.encode(), specs)


def by_overlap(found, name: str) -> dict[int, float]:
    """Return one result by overlap."""
    return {spec.overlap: values[name] for spec, values in found.values.items() if name in values}


def test_a_table_of_results_is_read_by_size_and_overlap():
    """Units or percentages; percent cells become fractions; n is kept and is no result."""
    found = outside(
        "size,overlap,Answer correctness,latency_ms,n\n800,0,91%,80,120\n800,20%,93.5 %,85.5,118\n"
    )
    assert found.values == {
        SPECS[0]: {"answer_correctness": 0.91, "latency_ms": 80, "n": 120},
        SPECS[2]: {"answer_correctness": 0.935, "latency_ms": 85.5, "n": 118},
    }
    assert found.names == ("answer_correctness", "latency_ms")
    assert (found.unknown, found.left_out) == ((), ())


def test_a_percentage_without_its_sign_is_not_guessed_at():
    """Beside 91%, 0.93 is a fraction, and what 92 means is not known."""
    found = outside("size,overlap,correct,b\n800,0,91%,1\n800,160,0.93,1\n800,80,92,1\n")
    assert by_overlap(found, "correct") == {0: 0.91, 160: 0.93}
    assert found.left_out == (
        (4, "'correct' holds '92' without the % that other cells of the column have"),
    )


def test_numbers_are_kept_as_they_are():
    """Fractions, counts and thousands."""
    found = outside('size,overlap,score,tokens,n\n800,160,.5,"1,234",118\n800,80,-1e-1,7,9\n')
    assert found.values[SPECS[2]] == {"score": 0.5, "tokens": 1234, "n": 118}
    assert found.values[SPECS[1]] == {"score": -0.1, "tokens": 7, "n": 9}
    assert (found.names, found.unknown, found.left_out) == (("score", "tokens"), (), ())


def test_semicolons_bring_decimal_commas():
    """As spreadsheets write where a comma is the decimal mark, a byte-order mark before it."""
    text = "\ufeffsize;overlap;citation_support;latency_ms\r\n800;20%;93,5%;1.234,5\r\n"
    found = outside(text)
    assert found.values[SPECS[2]] == {"citation_support": 0.935, "latency_ms": 1234.5}
    found = outside("size;overlap;a\n800;160;0.25\n")
    assert found.values[SPECS[2]] == {"a": 0.25}


@pytest.mark.parametrize(
    "cell",
    ["800/160", "800-20%", "800 / 20 %", "800 characters/160", "800:160", "800x160", "800–20%"],
)
def test_a_setting_may_stand_in_one_cell(cell):
    """Size and overlap, in units or percent."""
    assert list(outside(f"setting,a\n{cell},1\n").values) == [SPECS[2]]


def test_a_percentage_is_rounded_down_as_in_a_spec():
    """25% of 90 words are 22."""
    spec = ChunkSpec.percent(90, 25, unit="word")
    assert list(outside("size,overlap,a\n90,25%,1\n", [spec]).values) == [spec]
    half = ChunkSpec(size=1000, overlap=125)
    assert list(outside("size,overlap,a\n1000,12.5%,1\n", [half]).values) == [half]


def test_a_heading_with_a_percent_sign_means_percentages():
    """93 under "correctness (%)" is 0.93."""
    found = outside("size,overlap,Correctness (%)\n800,0,93\n800,160,94.5%\n")
    assert by_overlap(found, "correctness") == {0: 0.93, 160: 0.945}


def test_our_own_columns_are_no_results():
    """A measure of the same name would stand beside the one measured here."""
    found = outside("size,overlap,overlap_pct,chunks,a\n800,160,20,99,1\n")
    assert found.values == {SPECS[2]: {"a": 1}}
    assert [(one.row, one.reason) for one in found.left_out] == [
        (1, "the column 'chunks' is a measure of its own here: give the column another name")
    ]
    only_percent = outside("size,overlap_pct,a\n800,20,1\n")
    assert list(only_percent.values) == [SPECS[2]]


def test_columns_that_no_gate_can_name_are_left_out():
    """Without a letter, or with the name of another; accents are dropped."""
    found = outside("size,overlap,質,Übereinstimmung,ubereinstimmung\n800,160,1,2,3\n")
    assert found.values == {SPECS[2]: {"ubereinstimmung": 2}}
    assert ["cannot be named" in found.left_out[0].reason, len(found.left_out)] == [True, 2]
    assert "has the same name as 'Übereinstimmung'" in found.left_out[1].reason


def test_settings_that_were_not_measured_are_listed():
    """They are no error while others are known."""
    found = outside("size,overlap,a\n800,160,1\n800,33,2\n1000,10%,3\n")
    assert list(found.values) == [SPECS[2]]
    assert found.unknown == (ChunkSpec(size=800, overlap=33), ChunkSpec(size=1000, overlap=100))


def test_units_and_chunkers_tell_settings_apart():
    """Where two settings have one size and overlap, a row must say which it means."""
    words = ChunkSpec(size=800, overlap=160, unit="word")
    mine = ChunkSpec("mine", size=800, overlap=160)
    specs = [SPECS[2], words, mine]
    found = outside(
        "size,overlap,unit,chunker,a\n800,160,words,,1\n800,160,char,window,2\n"
        "800,160,,mine,3\n800,160,,,4\n800,160,ells,,5\n",
        specs,
    )
    assert {spec: values["a"] for spec, values in found.values.items()} == {
        words: 1, SPECS[2]: 2, mine: 3,
    }  # fmt: skip
    assert [one.row for one in found.left_out] == [5, 6]
    assert "add columns unit and chunker" in found.left_out[0].reason
    assert "unit must be one of char, word, token" in found.left_out[1].reason


def test_cells_and_rows_that_are_no_use_are_listed():
    """With row and reason; a blank cell is missing and needs no word."""
    found = outside(
        "size,overlap,a,b\n800,0,good,1\n800,80,,2\n800,160,nan,3\n800,900,1,1\n"
        "many,0,1,1\n800,0.2,1,1\n800,,1,1\n800,400,1,1,1\n"
    )
    assert by_overlap(found, "b") == {0: 1, 80: 2, 160: 3}
    assert by_overlap(found, "a") == {}
    assert found.names == ("b",)
    reasons = {one.row: one.reason for one in found.left_out}
    assert list(reasons) == [2, 4, 5, 6, 7, 8, 9]
    assert reasons[2] == "'a' holds 'good', which is no number"
    assert "overlap must lie in 0..799" in reasons[5]
    assert "size must be a whole number" in reasons[6]
    assert "overlap must be a whole number or a percentage" in reasons[7]
    assert reasons[8] == reasons[7].replace("0.2", "")
    assert "5 cells where the heading has 4" in reasons[9]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "columns size and overlap.*got no column"),
        ("a,b\n1,2\n", "columns size and overlap.*got a, b"),
        ("size,overlap,a\n800,160,1\n800,20%,2\n", "rows 2 and 3 are about the same"),
        ("size,overlap,a\n", "no row with a number"),
        ("size,overlap,n\n800,160,12\n", "no row with a number"),
        ("size,overlap,a\n800,160,x\n", "row 2: 'a' holds 'x'"),
        ("size,overlap,a\n800,33,1\n", "not measured here: 1, the first of them 800/33"),
        ('size,overlap,"a\n800,33,1\n', "quotation mark"),
    ],
)
def test_a_table_without_use_is_refused(text, message):
    """What is missing is said."""
    with pytest.raises(InputError, match=message):
        outside(text)


def test_a_file_that_is_no_text_is_refused():
    """A spreadsheet's own format must be saved as CSV."""
    with pytest.raises(InputError, match="save it as text"):
        read_outside(b"PK\x03\x04" + bytes(40), SPECS)


def test_results_from_outside_are_judged_by_their_names():
    """They join a candidate's figures."""
    found = outside("size,overlap,answer_correctness\n800,160,93%\n800,0,90%\n")
    every = [
        setting(spec.overlap, 96, spec=spec, figures=dict(found.values[spec]))
        for spec in (SPECS[0], SPECS[2])
    ]
    assert decided(every, "answer_correctness >= 93%").choice.spec == SPECS[2]


# --- sentences ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (
            "complete >= 95% at bound",
            "Complete evidence of at least 95%, held at the lower end of its 95% interval",
        ),
        ("chunks <= 4000", "Number of chunks of at most 4,000"),
        (
            "complete >= baseline - 2%",
            "Complete evidence no more than 2 points below the baseline",
        ),
        ("recall >= baseline - 1%", "Recall no more than 1 point below the baseline"),
        ("lenient_mrr >= baseline", "Lenient MRR not below the baseline"),
        (
            "index_x <= baseline + 0.25 at bound",
            "Text to embed against 0% no more than 0.25 above the baseline, held at the upper end "
            "of its 95% interval",
        ),
        ("price <= 0.0004", "Price of embedding of at most $0.0004"),
        ("critical_failures <= 0 critical", "Critical failures of at most 0 (critical)"),
    ],
)
def test_a_gate_in_words(gate, words):
    """Measures by their labels, rates in %, losses in points."""
    assert gate_words(parse_gate(gate)) == words


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("complete >= 95%", "complete evidence 91.0%, needs 95%"),
        ("complete >= 91.04%", "complete evidence 91.00%, needs 91.04%"),
        ("complete >= 90% at bound", "complete evidence 91.0%, lower end 83.8%, needs 90%"),
        ("chunks <= 9", "number of chunks 1,200, needs at most 9"),
        ("index_x <= 119.999", "text to embed against 0% 120, needs at most 119.999"),
        ("latency_ms <= 80", "latency ms 80.004, needs at most 80"),
        ("price <= 1", "price of embedding $2.50, needs at most $1.00"),
        ("foo >= 1", "foo has no value here"),
        (
            "complete >= baseline - 2%",
            "complete evidence 4.0 points below the baseline, needs to be at most 2 points below "
            "it",
        ),
        (
            "complete >= baseline",
            "complete evidence 4.0 points below the baseline, needs to be not below it",
        ),
        (
            "chunks <= baseline + 100",
            "number of chunks 200 above the baseline, needs to be at most 100 above it",
        ),
    ],
)
def test_why_a_setting_fails_in_words(gate, words):
    """The value, with as many digits as tell it from the limit, and what it needs."""
    figures = {"price": 2.5, "latency_ms": 80.004}
    ours = setting(20, 91, chunks=1200, figures=figures)
    found = ruled(gate, ours, setting(0, 95, chunks=1000))
    assert not found.passed
    assert reason(found) == words


def test_a_bound_against_the_baseline_says_what_may_be_lost():
    """Nothing is lost so far, but other questions could lose something."""
    found = ruled("complete >= baseline at bound", setting(20, 95), setting(0, 95))
    said = reason(found)
    assert said.startswith("complete evidence at the baseline, perhaps ")
    assert said.endswith(" points below it, needs to be not below it")


def test_the_sentence_of_a_choice():
    """How many clear the gates, what it costs and what today's does."""
    every = [setting(0, 70), setting(20, 96), setting(30, 97)]
    assert decision_sentence(decided(every, "complete >= 95%"), "characters") == (
        "Choose 100 characters with 20 overlap (20%) for 3,000 characters: 2 of 3 settings clear "
        "the gate, and it costs least."
    )
    found = decided(every, "complete >= 95%", "chunks <= 35", current=every[0])
    assert decision_sentence(found, "US$") == (
        "Choose 100 characters with 20 overlap (20%) for $3,000: of 3 settings it alone "
        "clears both gates. Today's 100 characters without overlap fails: complete evidence "
        "70.0%, needs 95%."
    )
    found = decided(every, "complete >= 95%", "chunks <= 99", "index_x <= 9", current=every[2])
    assert decision_sentence(found, "characters").endswith(
        ": 2 of 3 settings clear all 3 gates, and it costs least. Today's 100 characters with 30 "
        "overlap (30%) clears as much, for 1,000 characters more."
    )


def test_the_sentence_of_a_setting_that_is_kept():
    """It is the cheapest, or nothing that passes is cheaper or finds more for sure."""
    every = [setting(0, 70), setting(20, 96), setting(30, 97)]
    found = decided(every, "complete >= 95%", current=every[1])
    assert decision_sentence(found, "characters") == (
        "Keep 100 characters with 20 overlap (20%): 2 of 3 settings clear the gate, and it costs "
        "least."
    )
    found = decided(every, "complete >= 95%", current=every[2], keep_cost=0.0)
    assert decision_sentence(found, "characters") == (
        "Keep 100 characters with 30 overlap (30%): it clears the gate, and no setting that does "
        "costs less than keeping it (0 characters) or gains on it in complete evidence outside "
        "the noise."
    )
    found = decided(every[:1], "complete >= 95%", current=every[1])
    assert decision_sentence(found, "characters").endswith("none of the settings judged does.")


def test_the_sentence_of_a_gain():
    """Nothing is cheaper, but something finds more for sure."""
    every = [setting(10, 52), setting(20, 55), setting(30, 95)]
    found = decided(every, "complete >= 50%", current=every[1], keep_cost=0.0)
    said = decision_sentence(found, "characters")
    assert "nothing costs less than keeping it (0 characters), but this is the cheapest" in said
    assert "in complete evidence outside the noise: +40.0 points, 95% interval" in said


def test_the_sentence_where_nothing_passes():
    """Which gate blocks most, and by how much the nearest misses it."""
    every = [setting(0, 70), setting(10, 80), setting(20, 94), setting(30, 97)]
    found = decided(every, "chunks <= 25", "complete >= 95%")
    assert decision_sentence(found, "characters") == (
        "None of 4 settings clears both gates. What blocks most is complete evidence of at least "
        "95%: 3 of 4 settings fail it, 2 of them no other gate; the nearest, 100 characters with "
        "20 overlap (20%), misses it (complete evidence 94.0%, needs 95%)."
    )
    assert blocking_sentence(found.blocking[1], 4) == (
        "Number of chunks of at most 25: 2 of 4 settings fail it, 1 of them no other gate; the "
        "nearest, 100 characters with 20 overlap (20%), misses it (number of chunks 30, needs at "
        "most 25)."
    )
    found = decided(every[:1], "complete >= 95%")
    assert decision_sentence(found, "characters") == (
        "None of 1 setting clears the gate. Complete evidence of at least 95%: the nearest, 100 "
        "characters without overlap, misses it (complete evidence 70.0%, needs 95%)."
    )
    found = decided(every, "complete >= 5%", "foo >= 1")
    assert [blocking_sentence(one, 4) for one in found.blocking] == [
        "Foo of at least 1: 4 of 4 settings fail it and no other gate; foo has no value here.",
        "Complete evidence of at least 5%: every setting clears it.",
    ]


def test_without_the_cost_of_keeping_nothing_is_called_cheaper():
    """A run without its chunks has no cost; it is kept where nothing gains, and that is said."""
    every = [setting(0, 95), setting(20, 95)]
    found = decided(every, "complete >= 90%", current=setting(30, 95), keep_cost=float("nan"))
    assert found.outcome == "keep"
    assert decision_sentence(found, "characters").endswith(
        "what keeping it costs is not known, so none can be called cheaper."
    )


def test_several_sizes_need_a_setting_in_production_to_be_held_against():
    """A baseline of one of the sizes is none of the others'."""
    every = [setting(0, 95), setting(0, 95, size=200)]
    gates = ("complete >= baseline - 2%", "retrieved_chars <= 4000")
    with pytest.raises(SettingsError, match="in production, and there are 2 sizes: say which"):
        decided(every, *gates)
