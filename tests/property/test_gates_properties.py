"""Gates as texts, choices against a plain search, halves, locks and tables on drawn inputs."""

import json
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.errors import InputError, SettingsError
from overlapkit.gates import (
    MEASURES,
    Candidate,
    Gate,
    Lock,
    Shown,
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
    split_halves,
    why_not,
)
from overlapkit.gates.lock import PARTS
from overlapkit.gates.model import OUTSIDE_NAME, SENSES, number_text
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import TopK
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row

FLAGS = st.booleans()
AMOUNTS = st.floats(0, allow_nan=False, allow_infinity=False)
NAMES = st.from_regex(OUTSIDE_NAME, fullmatch=True).filter(lambda name: name not in MEASURES)


@st.composite
def gates(draw: st.DrawFn) -> Gate:
    """Return any gate, on a measure of ours or on a result from outside."""
    name = draw(st.one_of(st.sampled_from(sorted(MEASURES)), NAMES))
    sense, relative = draw(st.sampled_from(SENSES)), draw(FLAGS)
    known = MEASURES.get(name)
    limits = AMOUNTS
    if known is None and not relative:
        limits = st.floats(allow_nan=False, allow_infinity=False)
    elif known is not None and known.shown == "rate":
        limits = st.floats(0, 1)
    if relative and known is not None:
        sense = "at least" if known.better == "higher" else "at most"
    at_bound = known is not None and draw(FLAGS)  # results from outside have no interval
    return Gate(name, sense, draw(limits), relative, at_bound, draw(FLAGS))


# --- gates as texts -------------------------------------------------------------------


@given(gate=gates())
def test_a_gates_text_stands_for_that_gate_and_no_other(gate):
    """Reading is the inverse of writing, to the last bit of the limit."""
    assert parse_gate(gate.text) == gate
    assert parse_gate(f"  {gate.text.upper()} ".replace(" ", "  ")) == gate
    assert gate_words(gate)


PARTS_OF_GATES = [*"ab_0159.,%<>=≥ -−+eE$", "baseline", " at bound", "chunks", " >= ", " at most "]


@given(text=st.lists(st.sampled_from(PARTS_OF_GATES)).map("".join))
def test_any_text_is_a_gate_or_is_refused(text):
    """Nothing else happens, and what is read is written in one way."""
    try:
        gate = parse_gate(text)
    except SettingsError:
        return
    assert parse_gate(gate.text) == gate


# --- judging and choosing -------------------------------------------------------------

QUESTIONS = 12


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    """Return one to six overlaps of one size, with hits, chunks and a result from outside."""
    found = []
    overlaps = draw(st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True))
    for overlap in overlaps:
        hits = draw(st.integers(0, 2**QUESTIONS - 1))
        column = np.array([float(hits >> n & 1) for n in range(QUESTIONS)])
        slots = np.array(draw(st.lists(st.integers(0, 3), min_size=12, max_size=12)), dtype=float)
        chunks = draw(st.integers(1, 4))
        values = {
            "complete@5": float(column.mean()), "duplicate_slots@5": float(slots.mean()),
            "chunks": chunks, "index_chars": chunks * 10, "index_x": chunks / 4,
        }  # fmt: skip
        per_query = {"complete@5": column, "duplicate_slots@5": slots}
        figures = {} if draw(FLAGS) else {"score": float(draw(st.integers(0, 3)))}
        spec = ChunkSpec(size=10, overlap=overlap)
        found.append(Candidate(Row(spec, values, per_query), figures))
    return found


GATES = st.lists(
    st.sampled_from(
        [
            "complete >= 20%", "complete >= 50% at bound", "complete >= baseline - 10%",
            "complete >= baseline - 40% at bound", "chunks <= 3", "duplicate_slots <= 1.5 at bound",
            "duplicate_slots <= baseline + 1", "score >= 1", "index_x <= baseline",
        ]
    ).map(parse_gate),
    min_size=1, max_size=3, unique=True,
)  # fmt: skip
ALONE = clusters_of([()] * QUESTIONS)


@settings(max_examples=60)
@given(found=candidates(), declared=GATES, today=st.none() | st.integers(0, 5), keep=AMOUNTS)
def test_the_choice_is_what_a_plain_search_finds(found, declared, today, keep):
    """The smallest overlap that passes is the choice, unless today's setting speaks against it."""
    current = None if today is None else found[today % len(found)]
    cost = {one.spec: one.row.values["index_chars"] for one in found}
    decision = decide_by_gates(
        found, declared,
        cost=lambda one: cost[one.spec], baseline=found[0], current=current, keep_cost=keep,
        cutoff=TopK(5), metric="complete", clustering=ALONE,
    )  # fmt: skip
    judged = {one.spec: judge_gates(one, declared, found[0], "5", ALONE) for one in found}
    passing = [spec for spec, one in judged.items() if one.passed]
    smallest = min(passing, key=lambda spec: spec.overlap, default=None)
    assert [one.spec for one in decision.passing] == sorted(
        passing, key=lambda spec: (cost[spec], spec.overlap)
    )
    assert (decision.cheapest and decision.cheapest.spec) == smallest
    expected = smallest
    if current is not None and current.spec in passing and cost[smallest] >= keep * (1 - 1e-9):
        better = [one for one in decision.passing if decision.gains[one.spec].low > 0]
        stays = smallest == current.spec or not better
        expected = current.spec if stays else better[0].spec
    assert (decision.choice and decision.choice.spec) == expected
    kept = current is not None and expected is not None and expected == current.spec
    keeps = kept and current.spec in passing
    assert decision.outcome == ("none" if expected is None else "keep" if keeps else "chosen")
    assert bool(decision.blocking) == (expected is None)
    assert decision_sentence(decision, "characters")
    assert overlap_needed(decision) in ("needed", "not needed", "unknown")


@settings(max_examples=60)
@given(found=candidates(), gate=st.sampled_from(["complete", "duplicate_slots"]), bound=FLAGS,
       limits=st.tuples(st.floats(0, 1), st.floats(0, 1)))  # fmt: skip
def test_a_tighter_gate_lets_nothing_more_pass(found, gate, bound, limits):
    """Whatever clears the tighter limit, or a limit at its bound, clears the looser one."""
    sense = "at least" if gate == "complete" else "at most"
    loose, tight = sorted(limits, reverse=sense == "at most")
    looser, tighter = Gate(gate, sense, loose), Gate(gate, sense, tight, at_bound=bound)
    for one in found:
        rulings = judge_gates(one, [looser, tighter], found[0], "5", ALONE).rulings
        assert rulings[0].passed or not rulings[1].passed
        assert all(ruling.low <= ruling.value <= ruling.high for ruling in rulings)
        assert all(ruling.low >= 0 for ruling in rulings)
        assert gate == "duplicate_slots" or rulings[0].high <= 1


# --- halves ---------------------------------------------------------------------------

DOCUMENTS = st.lists(
    st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=2), max_size=25
)  # fmt: skip


def asked(documents: list[list[str]]) -> QuerySet:
    """Return a question per list of documents."""
    queries = (
        Query(str(n), "x", tuple(Evidence(name, 0, 1) for name in names))
        for n, names in enumerate(documents)
    )
    return QuerySet(tuple(queries), "minimal")


@given(documents=DOCUMENTS, seed=st.integers(0, 9), shuffled=st.randoms(use_true_random=False))
def test_halves_part_the_questions_and_share_no_document(documents, seed, shuffled):
    """Each question stands in one half, in its order, and the order makes no difference."""
    queries = asked(documents)
    halves = split_halves(queries, seed)
    numbers = [[int(query.id) for query in half] for half in (halves.explore, halves.confirm)]
    assert sorted(numbers[0] + numbers[1]) == list(range(len(documents)))
    assert all(part == sorted(part) for part in numbers)
    sides = [{name for n in part for name in documents[n]} for part in numbers]
    assert not sides[0] & sides[1]
    order = list(queries)
    shuffled.shuffle(order)
    again = split_halves(QuerySet(tuple(order), "minimal"), seed)
    assert {query.id for query in again.explore} == {query.id for query in halves.explore}
    assert not enough(queries)
    assert why_not(queries).endswith(".")


@given(sizes=st.lists(st.integers(1, 30), min_size=1, max_size=12), seed=st.integers(0, 9))
def test_halves_differ_by_no_more_than_the_largest_document(sizes, seed):
    """Larger documents are dealt first, and the sizes are the same whatever the seed."""
    documents = [[str(n)] for n, size in enumerate(sizes) for _ in range(size)]
    halves = split_halves(asked(documents), seed)
    counts = sorted((len(halves.explore), len(halves.confirm)))
    assert counts[1] - counts[0] <= max(sizes)
    other = split_halves(asked(documents), seed + 1)
    assert counts == sorted((len(other.explore), len(other.confirm)))


# --- locks ----------------------------------------------------------------------------

DIGESTS = st.sampled_from(["a" * 64, "b" * 64])
SHOWN = st.builds(
    Shown, DIGESTS, DIGESTS, st.integers(0, 300), st.integers(0, 99), st.sampled_from(PARTS)
)
DECLARED = st.lists(gates(), min_size=1, max_size=4, unique_by=lambda gate: gate.text)
LOCKS = st.builds(
    Lock, st.just("2025-06-01T10:30:00Z"), DECLARED.map(tuple), st.just("price"), DIGESTS, DIGESTS,
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3).map(
        lambda pairs: tuple(pairs.items())
    ),
    st.integers(0, 99), st.lists(SHOWN, max_size=3).map(tuple),
)  # fmt: skip


@given(lock=LOCKS, then=DECLARED)
def test_locks_go_through_json_and_their_changes_lead_from_old_to_new(lock, then):
    """Taking what was before and adding what came after makes the gates that there are."""
    assert lock_from(json.loads(json.dumps(lock_fields(lock)))) == lock
    assert honesty(lock)
    try:
        amended = lock.amended(then, "2025-06-01T10:30:00Z")
    except SettingsError:
        assert any(gate.critical for gate in lock.gates)
        return
    texts = {gate.text for gate in lock.gates}
    for change in amended.changes:
        assert change.before != change.after
        assert not change.before or change.before in texts
        texts -= {change.before}
    texts |= {change.after for change in amended.changes if change.after}
    assert texts == {gate.text for gate in then}
    assert lock_from(lock_fields(amended)) == amended
    assert amended.seen_before == lock.seen_before


LIMITS = st.integers(0, 4).map(lambda quarters: quarters / 4)
QUARTERS = st.builds(
    Gate, st.just("complete"), st.just("at least"), LIMITS, FLAGS, FLAGS, FLAGS
)  # fmt: skip


@settings(max_examples=60)
@given(
    before=st.lists(QUARTERS, min_size=1, max_size=3, unique_by=lambda gate: gate.text),
    after=st.lists(QUARTERS, min_size=1, max_size=3, unique_by=lambda gate: gate.text),
    found=candidates(),
)
def test_what_clears_an_amended_lock_clears_the_critical_gates_of_the_old(before, after, found):
    """Or else the amendment is refused."""
    lock = Lock("2025-06-01T10:30Z", tuple(before), "price", "a" * 64, "b" * 64)
    try:
        gates_now = lock.amended(after, lock.at).gates
    except SettingsError:
        return
    critical = [gate for gate in before if gate.critical]
    for one in found:
        if judge_gates(one, gates_now, found[0], "5", ALONE).passed:
            assert judge_gates(one, critical, found[0], "5", ALONE).passed


# --- results from outside -------------------------------------------------------------

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(
    rows=st.dictionaries(
        st.integers(0, 99), st.tuples(NUMBERS, st.floats(0, 1)), min_size=1, max_size=5
    ),
    separator=st.sampled_from([",", ";", "\t"]),
    percent=FLAGS,
)
def test_a_table_gives_back_the_numbers_that_were_written(rows, separator, percent):
    """To the last bit, with points or decimal commas, overlaps in units or percent."""
    comma = separator == ";"

    def written(value: float) -> str:
        return number_text(value).replace(".", ",") if comma else repr(value)

    lines = [["size", "overlap", "score", "rate"]]
    for overlap, (score, rate) in rows.items():
        share = Gate("recall", "at least", rate).text.split()[-1]
        share = share.replace(".", ",") if comma else share
        lines.append(["100", f"{overlap}{'%' * percent}", written(score), share])
    data = "\n".join(separator.join(line) for line in lines).encode()
    found = read_outside(data, [ChunkSpec(size=100, overlap=overlap) for overlap in range(100)])
    assert found.left_out == found.unknown == ()
    assert {spec.overlap: tuple(values.values()) for spec, values in found.values.items()} == rows


PARTS_OF_TABLES = [*"a,;\n\"%/-018.\t'n", "size", "overlap", "setting", "800", "800/0", "\n800,0,"]


@given(
    head=st.sampled_from(["", "size,overlap,a", "setting;a;b", "size,overlap,a (%)\n800,0,5"]),
    rest=st.lists(st.sampled_from(PARTS_OF_TABLES)).map("".join),
)
def test_any_text_is_a_table_of_results_or_is_refused(head, rest):
    """What is read holds finite numbers of settings that were asked for."""
    data, spec = head + rest, ChunkSpec(size=800, overlap=0)
    try:
        found = read_outside(data.encode(), [spec])
    except InputError:
        return
    assert list(found.values) == [spec]
    assert all(math.isfinite(value) for value in found.values[spec].values())
