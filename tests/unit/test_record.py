"""A decision bound in one file: what it holds, reading it, its page, and running it again."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.cost import COSTS, Prices, bill_for
from overlapkit.decide import cluster_queries
from overlapkit.diagnose import diagnose
from overlapkit.engine import prepare
from overlapkit.errors import InputError, SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.gates import (
    Candidate,
    Lock,
    Outside,
    Shown,
    decide_by_gates,
    parse_gate,
    split_halves,
)
from overlapkit.phases import over_phases, phase_specs
from overlapkit.queries import Evidence, Query, QuerySet, Unresolved, planted_contract
from overlapkit.queries.planted import TOP, WINDOW
from overlapkit.record import (
    Edits,
    Figure,
    Updates,
    confirm,
    confirmation_sentence,
    focus_of,
    make_record,
    read_record,
    record_html,
    rerun,
    unconfirmed,
    write_record,
)
from overlapkit.record.conditions import Built, questions_to_see, rollback_conditions
from overlapkit.record.html.axes import Axis, axis, rate_axis
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.stats import Interval, clusters_of
from overlapkit.sweep import Row, sweep_with
from overlapkit.updates import compare_work, draw_edits
from overlapkit.workspace import read_workspace, workspace_of, write_workspace

AT = "2026-01-02T03:04:05Z"
BEFORE = "2026-01-01T00:00:00Z"
CORPUS, QUERIES = planted_contract()
RUN = RunSpec("count", "word", TopK(TOP))
OVERLAPS = (0, 25, 50, 75)
PRICES = Prices()


def at(pct: int) -> ChunkSpec:
    """Return the planted contract's windows with an overlap."""
    return ChunkSpec.percent(WINDOW, pct, unit="word")


def made(
    *gates: str,
    corpus: Corpus = CORPUS,
    queries: QuerySet = QUERIES,
    run: RunSpec = RUN,
    specs: tuple[ChunkSpec, ...] = tuple(map(at, OVERLAPS)),
    current: ChunkSpec | None = None,
    cost: str = "index_chars",
    figures=None,
    half: bool = False,
    phases: int = 0,
    lock=None,
    texts: bool = False,
    saved=None,
    **others,
):
    """Return the record of a decision on the planted contract, or on another corpus."""
    rules = tuple(map(parse_gate, gates or ("complete >= 95%",)))
    asked = split_halves(queries, 0).explore if half else queries
    engine = prepare(corpus, asked, run.terms)
    figures = figures or {}

    def row(spec: ChunkSpec) -> Row:
        if phases:
            return over_phases(sweep_with(engine, phase_specs(spec, phases), run).rows)
        return sweep_with(engine, [spec], run).rows[0]

    def candidate(spec: ChunkSpec) -> Candidate:
        found = row(spec)
        priced = {name: COSTS[name].compute(found.values, PRICES) for name in ("price", "storage")}
        return Candidate(found, {**priced, **figures.get(spec, {})})

    candidates = [candidate(spec) for spec in specs]
    baseline = candidate(current) if current else candidates[0]
    clustering = cluster_queries(corpus, asked)
    decision = decide_by_gates(
        candidates,
        rules,
        cost=lambda one: COSTS[cost].compute(one.row.values, PRICES),
        baseline=baseline,
        current=baseline if current else None,
        keep_cost=None,
        cutoff=run.cutoff,
        metric="complete",
        clustering=clustering,
    )
    return make_record(
        at=others.pop("at", AT),
        saved=saved
        or workspace_of(corpus, queries, {"queries": "uploaded"}, uploaded=queries, texts=texts),
        lock=lock or Lock(BEFORE, rules, cost, corpus.digest, queries.digest),
        decision=decision,
        engine=engine,
        run=run,
        baseline=baseline,
        prices=PRICES,
        clustering=clustering,
        phases=phases,
        diagnoses=diagnose(engine, evaluate_with(engine, focus_of(decision), run)),
        **others,
    )


RECORD = made()
WRITTEN = write_record(RECORD)


# --- what a record binds ----------------------------------------------------------------


def test_the_smallest_overlap_that_clears_the_gates_is_bound():
    """25% of the planted contract, with what every figure rests on."""
    bound = RECORD.bound
    assert RECORD.outcome == "chosen"
    assert RECORD.sentence.startswith("Choose 80 words with 20 overlap (25%) for 132,924 char")
    assert (bound.setting.spec, bound.baseline.spec, bound.current) == (at(25), at(0), None)
    assert [(one.gate.text, one.value, one.passed) for one in bound.rulings] == [
        ("complete >= 95%", 1.0, True),
    ]  # fmt: skip
    assert (bound.at, bound.cost, bound.metric) == (AT, "index_chars", "complete@4")
    assert (bound.asked.part, bound.asked.count, bound.asked.kind) == ("all", 12, "minimal")


def test_a_figure_of_questions_has_its_interval_and_an_exact_one_has_none():
    """Wilson's for 12 of 12 hits begins at 12 / (12 + 1.96²); chunks are counted."""
    figures = RECORD.bound.setting.figures
    assert figures["complete"].value == figures["complete"].high == 1
    assert figures["complete"].low == pytest.approx(12 / (12 + 1.959964**2))
    assert figures["chunks"] == Figure(96)
    assert figures["price"].value == pytest.approx(_tokens(at(25)) * 0.02 / 1e6)
    assert "update_work" not in figures


def _tokens(spec: ChunkSpec) -> float:
    return evaluate_with(prepare(CORPUS, QUERIES, "word"), spec, RUN).values["index_tokens"]


def test_every_setting_judged_is_listed_with_its_first_failure():
    """By rising cost, with the interval that the chart draws."""
    assert [(line.spec.overlap, line.passed) for line in RECORD.lines] == [
        (0, False), (20, True), (40, True), (60, True),
    ]  # fmt: skip
    first = RECORD.lines[0]
    assert (first.value, first.low) == (0, 0)
    assert first.failed == "complete evidence 0.0%, needs 95%"
    assert first.cost == 106_524


def test_the_diagnosis_is_that_of_the_choice():
    """All twelve questions are hits there; without overlap all are cut."""
    assert RECORD.focus == at(25)
    assert (RECORD.diagnosis.counts["hit"], RECORD.diagnosis.counts["cut boundary"]) == (12, 0)
    none = made("complete >= 95%", "chunks <= 60")
    assert (none.outcome, none.focus) == ("none", at(0))
    assert none.diagnosis.counts["cut boundary"] == 12
    assert none.diagnosis.advice.startswith("12 of 12 misses are cut at a chunk boundary")


def test_the_price_has_its_arithmetic_and_the_change_its_sentence():
    """Each line of the bill, and what it costs to leave the current setting."""
    record = made(current=at(75))
    by_name = {line.name: line for line in record.price}
    assert by_name["Vectors"].amount == 96
    assert by_name["Size of the vectors"].amount == 96 * 1536 * 4
    assert record.change.startswith(
        "From 80 words with 60 overlap (75%) to 80 words with 20 overlap (25%): +$"
    )
    assert RECORD.change == ""  # nothing was there before


def test_results_from_outside_stand_under_their_names():
    """Those that are no measure of ours."""
    record = made("correctness >= 0.9", figures={at(25): {"correctness": 0.93, "n": 40.0}})
    assert record.bound.setting.outside == {"correctness": 0.93, "n": 40.0}
    assert "Results from outside (correctness) are taken as they were given." in record.limits


def test_a_table_from_outside_adds_what_figures_lack():
    """And what of it could not be used is told."""
    outside = Outside({at(25): {"latency_p95_ms": 210.0}}, ("latency_p95_ms",), (), (object(),) * 2)
    record = made(outside=outside)
    assert record.bound.setting.outside == {"latency_p95_ms": 210.0}
    assert any("; 2 rows of their table could not be used." in one for one in record.limits)


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"at": "yesterday"}, "a time must be UTC in ISO 8601"),
        ({"lock": (corpus_of([("a", "b")]), QUERIES)}, "a record must bind one corpus"),
        ({"lock": (CORPUS, split_halves(QUERIES, 0).explore)}, "the same whole question set"),
        ({"lock": "chunks <= 100"}, "must rest on the gates that were locked"),
        ({"lock": "cost"}, "a cost must be one of index_chars"),
        ({"lock": "year"}, "must be by the cost that was locked, year, and by the prices"),
    ],
)  # fmt: skip
def test_what_does_not_belong_together_is_not_bound(changes, part):
    """One sentence says what differs."""
    gate = parse_gate("complete >= 95%")
    lock = changes.get("lock")
    if isinstance(lock, tuple):
        changes = {"lock": Lock(BEFORE, (gate,), "chunks", lock[0].digest, lock[1].digest)}
    elif lock in ("cost", "year"):
        cost = "gold" if lock == "cost" else "year"
        changes = {"lock": Lock(BEFORE, (gate,), cost, CORPUS.digest, QUERIES.digest)}
    elif lock:
        other = parse_gate(lock)
        changes = {"lock": Lock(BEFORE, (other,), "chunks", CORPUS.digest, QUERIES.digest)}
    with pytest.raises(SettingsError, match=part):
        made(**changes)


def test_a_gate_on_update_work_needs_its_edits():
    """They could not be drawn again otherwise."""
    figures = {spec: {"update_work": 2.0} for spec in map(at, OVERLAPS)}
    with pytest.raises(SettingsError, match="needs the edits that it was measured on"):
        made("update_work <= 3", figures=figures)


# --- confirmation -----------------------------------------------------------------------


def hits(found: int, n: int = 200) -> Candidate:
    """Return a setting that meets so many of n questions."""
    column = np.array([1.0] * found + [0.0] * (n - found))
    values = {"complete@5": float(column.mean()), "chunks": 10, "index_chars": 100}
    return Candidate(Row(at(25), values, {"complete@5": column}), {})


def confirmed(found: int, *gates: str):
    """Return what held-back questions say of a setting that meets so many of them."""
    rules = [parse_gate(gate) for gate in gates]
    return confirm(hits(found), rules, hits(190), "5", clusters_of([()] * 200), 200)


def test_held_back_questions_confirm_a_choice():
    """All gates hold over them, and the sentence gives the numbers."""
    found = confirmed(196, "complete >= 95%", "chunks <= 10")
    assert (found.tested, found.confirmed) == (True, True)
    assert confirmation_sentence(found) == (
        "Confirmed on 200 questions that had been held back: all gates hold there (complete "
        "evidence 98.0%, needs 95%)."
    )


def test_held_back_questions_reject_a_choice():
    """The gate that fails is named with its value there."""
    found = confirmed(180, "complete >= 95%", "chunks <= 10")
    assert not found.confirmed
    assert confirmation_sentence(found) == (
        "Not confirmed on 200 questions that had been held back: complete evidence 90.0%, needs "
        "95%. The other gate holds there."
    )


def test_gates_that_rest_on_no_question_confirm_nothing():
    """Chunks are as many whoever asks."""
    said = confirmation_sentence(confirmed(196, "chunks <= 10"))
    assert said.startswith("No gate rests on questions, so the 200 questions that had been held")


def test_without_held_back_questions_the_reason_is_given():
    """It is no confirmation, and no failure of one."""
    found = unconfirmed("No questions were held back. There is no question to split.")
    assert (found.tested, found.confirmed) == (False, False)
    assert confirmation_sentence(found) == (
        "Not confirmed on other questions. No questions were held back. There is no question to "
        "split."
    )


# --- limits -----------------------------------------------------------------------------


def test_the_limits_name_what_the_evidence_is():
    """Corpus, questions, ranking, terms, choice, cuts, clusters and prices."""
    said = " ".join(RECORD.limits)
    for part in (
        f"these 24 documents of 106,572 characters (digest {CORPUS.digest[:12]})",
        "It rests on 12 questions (planted contract) whose evidence is the shortest text",
        "they cannot show how people ask",
        "Results are ranked by term count, in the top 4.",
        "Words are compared as word terms: as asked.",
        "No questions were held back",
        "being the best of 4 settings on them",
        "one way to place the cuts",
        "questions about the same section count as one draw",
        "text-embedding-3-small as of 2024-01-25",
    ):
        assert part in said


def test_rows_that_could_not_be_located_are_a_limit():
    """Their number is given."""
    lost = (Unresolved(13, "x", "gone"), Unresolved(14, "y", "gone"))
    record = made(queries=replace(QUERIES, unresolved=lost))
    assert any(one.startswith("2 rows of the set are in no figure") for one in record.limits)


def test_a_confirmed_choice_is_said_to_be_of_the_exploring_half():
    """And that it was not chosen on all questions is no limit any more."""
    record = made(half=True, confirmation=confirmed(196, "complete >= 95%"))
    said = " ".join(record.limits)
    assert record.bound.asked.part == "explore"
    assert "The choice was made on the exploring half of the questions" in said
    assert "No questions were held back" not in said


# --- going back, and going there --------------------------------------------------------


def test_conditions_for_going_back_have_their_numbers_filled_in():
    """96 vectors of 6,144 bytes with a graph of 132 + 68/15 bytes each, and a tenth of room."""
    said = "\n".join(RECORD.rollback)
    stored = 96 * (1536 * 4 + 132 + 68 / 15)
    assert "holds another number of vectors than 96 while its documents" in said
    more, all_of_it = (f"{factor * stored / 1024:.0f} KiB" for factor in (1.1, 1))
    assert f"takes more than {more}: 1.1 times the {all_of_it} that its vectors" in said
    usd = _tokens(at(25)) * 0.02 / 1e6
    assert f"costs more than ${1.2 * usd:.5f}: 1.2 times the ${usd:.5f} of this bill" in said
    assert "Ingestion takes longer than ______: for the team to fill in, since it was not" in said
    assert "does not hold on live questions, once enough of them are judged: complete" in said


def test_near_duplicates_are_held_to_the_measured_interval():
    """Each of 12 questions gets two results that share text with a better one."""
    figure = RECORD.bound.setting.figures["overlapping_slots"]
    assert figure.value == 2
    shown = f"{figure.high:.2f}".rstrip("0").rstrip(".")
    assert any(f"more than {shown}" in one and "of 4 results" in one for one in RECORD.rollback)


def test_a_latency_from_outside_stands_beside_the_blank():
    """The team fills in the ceiling, knowing what was measured."""
    record = made("latency_ms <= 300", figures={at(25): {"latency_ms": 210.0}})
    said = "\n".join(record.rollback)
    assert "______: for the team to fill in, beside what was measured outside (latency" in said
    assert "(latency_ms 210)" in said
    assert "does not hold when it is measured again: latency ms of at most 300." in said


def test_a_run_without_its_chunks_has_no_conditions_on_an_index():
    """Nothing is known of how many vectors there are."""
    nan = float("nan")
    built = Built(
        ChunkSpec("your run"), bill_for(nan, nan, nan, PRICES), {}, {},
        [parse_gate("complete >= 95%")], TopK(4), "complete@4", Interval(-0.1, 0.1), 12,
    )  # fmt: skip
    said = rollback_conditions(built)
    assert len(said) == 3
    assert "nan" not in "".join(said)


def test_the_canary_goes_in_steps():
    """Beside, replayed, by shares of the traffic, with enough questions, and back."""
    record = made("complete >= baseline - 5%", current=at(75), cost="chunks")
    build, replay, shares, enough, back = record.canary
    assert build.startswith("Build an index with 80 words with 20 overlap (25%) beside the one in")
    assert "ask it the 12 questions of this record" in replay
    assert "Send it 5% of the traffic, then 25%, then 100%." in shares
    assert shares.endswith("on the same live questions: complete evidence.")
    assert enough.startswith("To see a loss of 5 points in complete evidence, about ")
    assert back.startswith("Going back is to send all traffic to the old index again.")


def test_what_stays_needs_no_canary_and_what_is_not_chosen_no_plan():
    """Conditions for going back still watch over a setting that is kept."""
    kept = made(current=at(25))
    assert (kept.outcome, kept.canary) == ("keep", ())
    assert kept.rollback
    none = made("chunks <= 10")
    assert (none.outcome, none.canary, none.rollback) == ("none", (), ())
    assert none.blocking[0].startswith("Number of chunks of at most 10: 4 of 4 settings fail it")


@pytest.mark.parametrize(
    ("half", "n", "margin", "needed"),
    [
        (0.05, 100, 0.02, 630),  # 100 × 2.5² = 625, rounded up to two digits
        (0.01, 100, 0.02, 100),  # already narrower
        (0.0, 100, 0.02, 100),
        (1.0, 12, 0.001, 100_000),  # the most that is said
        (0.05, 0, 0.02, 100_000),  # nothing was asked
    ],
)
def test_questions_to_see_a_loss_follow_from_the_interval(half, n, margin, needed):
    """It narrows with the root of their number."""
    assert questions_to_see(Interval(-half, half), n, margin) == needed


# --- the file ---------------------------------------------------------------------------


def test_a_record_is_read_as_it_was_written():
    """Everything that it binds, and no sentence."""
    here, there = RECORD.bound, read_record(WRITTEN.encode())
    for name in ("at", "lock", "run", "terms", "phases", "asked", "metric", "prices", "setting",
                 "baseline", "current", "rulings", "edits"):  # fmt: skip
        assert getattr(there, name) == getattr(here, name), name


def test_equal_records_give_equal_bytes():
    """Made twice, from the beginning."""
    assert write_record(made()) == WRITTEN


def test_all_that_a_record_may_hold_comes_back():
    """A current setting, a budget, a lock with a past, phases, results from outside."""
    gates = ("retrieved_chars <= 99999 at bound critical", "correctness >= 0.5")
    rules = tuple(map(parse_gate, gates))
    shown = (Shown(CORPUS.digest, QUERIES.digest, 12, 4),)
    lock = Lock(BEFORE, rules[:1], "year", CORPUS.digest, QUERIES.digest, (("k", "4"),), 7, shown)
    record = made(
        *gates,
        lock=lock.amended(rules, AT),
        run=RunSpec("lucene", "auto", Budget(3000, "token", "drop")),
        current=ChunkSpec("window", "word", 90, 9),
        cost="year",
        figures={at(25): {"correctness": 0.9}},
        phases=8,
    )
    here, there = record.bound, read_record(write_record(record).encode())
    for name in ("lock", "run", "terms", "phases", "setting", "current", "baseline", "rulings"):
        assert getattr(there, name) == getattr(here, name), name
    assert "A gate was changed once after the lock." in record.honesty


def test_a_workspace_that_is_saved_again_keeps_the_decision():
    """Byte for byte, and a new decision takes the place of the old one."""
    again = write_workspace(read_workspace(WRITTEN.encode()))
    assert again == WRITTEN
    later = made("complete >= 90%", saved=read_workspace(again.encode()))
    assert [gate.text for gate in read_record(write_record(later).encode()).lock.gates] == [
        "complete >= 90%"
    ]


def test_the_file_holds_the_sentences_for_whoever_reads_it():
    """As JSON, beside what is read again."""
    held = json.loads(WRITTEN)["decision"]
    assert held["sentence"] == RECORD.sentence
    assert held["settings"][0]["failed"] == "complete evidence 0.0%, needs 95%"
    assert held["limits"] == list(RECORD.limits)
    assert (held["confirmation"]["confirmed"], held["honesty"]) == (False, RECORD.honesty)


def test_a_plain_workspace_is_no_record():
    """One sentence says so."""
    plain = write_workspace(workspace_of(CORPUS, QUERIES, {}))
    with pytest.raises(InputError, match="a workspace file without one: make it with the command"):
        read_record(plain.encode())


def changed(path, value):
    """Return the record's file with another value in one place; None takes a list away."""
    whole = json.loads(WRITTEN)
    held = whole["decision"]
    for name in path[:-1]:
        held = held[name]
    held[path[-1]] = value
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [
        (("version",), 2, "version must be at most 1 here; got 2: update overlapkit"),
        (("version",), "1", "decision.version must be a whole number"),
        (("at",), "now", "decision.at: a time must be UTC in ISO 8601"),
        (("lock",), None, "decision.lock must be an object; got nothing"),
        (("lock", "gates"), ["complete > x"], "lock.gates[0]: a gate must read like"),
        (("lock", "cost"), "gold", "decision.lock.cost must be one of index_chars"),
        (("lock", "corpus"), "0" * 64, "must be of the corpus and questions that its gates"),
        (("run", "ranking"), "bm42", "decision.run: ranking must be one of"),
        (("run", "k"), 0, "decision.run: k must be a whole number in 1..1000"),
        (("run", "k"), None, "decision.run.budget must be an object"),
        (("terms", "name"), "stem", "decision.terms.name must be one of"),
        (("phases",), 3, "decision.phases must be 0, or a whole number in 8..16"),
        (("asked", "part"), "half", "decision.asked.part must be one of all"),
        (("asked", "count"), -1, "decision.asked.count must be a whole number"),
        (("metric",), "joy@5", "decision.metric must be the column of a metric"),
        (("prices", "dimension"), 0, "decision.prices: dimension and bytes must be at least 1"),
        (("prices", "per_million_tokens"), "2", "prices.per_million_tokens must be a number"),
        (("setting", "spec", "overlap"), 80, "decision.setting.spec: overlap must lie in 0..79"),
        (("setting", "spec", "size"), 1.5, "decision.setting.spec.size must be a whole number"),
        (("setting", "figures", "joy"), {"value": 1}, "must be an object with names of measures"),
        (("setting", "figures", "chunks"), 96, "setting.figures.chunks must be an object"),
        (("setting", "outside"), {"x": True}, "setting.outside.x must be a number"),
        (("baseline",), None, "decision.baseline must be an object; got nothing"),
        (("rulings",), [], "decision.rulings must be a list of 1, one for each gate"),
        (("rulings", 0, "gate"), "chunks <= 1", "must be the lock's gate, 'complete >= 95%'"),
        (("rulings", 0, "passed"), 1, "decision.rulings[0].passed must be true or false"),
        (("edits",), {"seed": 0, "count": 0}, "decision.edits.count must be a whole number in 1.."),
    ],
)
def test_a_bad_field_is_refused_by_its_place(path, value, part):
    """The sentence names the field, its rule and what was found."""
    with pytest.raises(InputError) as refused:
        read_record(changed(path, value))
    assert part in str(refused.value)
    assert "\n" not in str(refused.value)


@given(data=st.data())
def test_no_file_gives_anything_but_a_sentence(data):
    """Whatever value stands in whatever place of the decision."""
    whole = json.loads(WRITTEN)
    held = whole["decision"]
    junk = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    while isinstance(held, dict | list) and held:
        places = sorted(held) if isinstance(held, dict) else range(len(held))
        place = data.draw(st.sampled_from(places))
        if not isinstance(held[place], dict | list) or data.draw(st.booleans()):
            held[place] = data.draw(junk | st.lists(junk) | st.dictionaries(st.text(), junk))
            break
        held = held[place]
    try:
        read_record(json.dumps(whole).encode())
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017


# --- the page ---------------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script>&\"'<b>.txt"


class Page(HTMLParser):
    """What a page is made of: its tags with their attributes, its headings, its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        """Take down a tag; all but the void ones are to be closed."""
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Take down a tag that closes itself, as in SVG."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Close the tag that was opened last."""
        assert self._open.pop() == tag

    def handle_data(self, data):
        """Take down words by the tag around them."""
        if self._open:
            self.words.setdefault(self._open[-1], []).append(data)


def hostile():
    """Return a record whose documents and questions are called by code."""
    corpus = Corpus(tuple(
        replace(one, name=HOSTILE) if one.name == "target-00.txt" else one
        for one in CORPUS.documents
    ))  # fmt: skip
    first = QUERIES.queries[0]
    span = replace(first.evidence[0], document=HOSTILE)
    asked = (replace(first, evidence=(span,), text=HOSTILE), *QUERIES.queries[1:])
    queries = QuerySet(asked, "minimal", f"golden{HOSTILE}")
    return made("complete >= 5%", corpus=corpus, queries=queries, current=at(75))


def test_the_page_stands_alone():
    """No script, nothing to fetch, a policy that forbids both, and the sentence as its title."""
    text = record_html(RECORD)
    page = Page(text)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "form", "base", "a"}
    wanted = {"src", "href", "onclick", "onload", "srcset", "action"}
    assert not [attrs for _, attrs in page.tags if wanted & attrs.keys()]
    assert "url(" not in text
    assert "@import" not in text
    (policy,) = (a["content"] for _, a in page.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert page.words["title"] == [RECORD.sentence]
    assert dict(page.tags)["html"] == {"lang": "en"}
    assert text.index("charset") < 100


def test_headings_of_the_page_are_in_order():
    """One of the first level, none skipped."""
    tags = [tag for tag, _ in Page(record_html(RECORD)).tags]
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_names_from_outside_are_words_on_the_page():
    """Documents and question sets may be called anything; no question's text is there."""
    record = hostile()
    text = record_html(record)
    page = Page(text)
    assert "<script" not in text
    assert "<b>" not in text
    assert HOSTILE in page.words["bdi"]
    assert f"golden{HOSTILE}" in page.words["bdi"]
    assert read_record(write_record(record).encode()).saved.documents[0].name == HOSTILE


def test_characters_that_no_page_can_hold_are_replaced():
    """A lone surrogate, a control and a turned direction."""
    record = replace(RECORD, ablation=("a\ud800b\u0000c",))
    text = record_html(record)
    assert "a_b_c" in text
    text.encode()


def test_results_of_gates_are_told_in_words():
    """Not by colour alone: of the choice, and of today's setting beside it."""
    page = Page(record_html(made("complete >= 95%", "chunks <= 200", current=at(75))))
    results = [word for word in page.words["td"] if word in ("holds", "fails")]
    assert results == ["holds", "holds", "holds", "fails"]


def test_the_page_of_no_choice_says_what_blocks():
    """It has neither a plan nor a way to run it again."""
    text = record_html(made("chunks <= 10"))
    assert "No setting clears the gates" in text
    assert "What blocks" in text
    assert "How to go there" not in text
    assert "overlapkit gate" not in text


def test_equal_records_give_equal_pages():
    """Byte for byte."""
    assert record_html(made()) == record_html(RECORD)


def test_charts_need_two_settings():
    """A single one has no chart, and the page is whole without."""
    assert "<svg" not in record_html(made(specs=(at(25),)))
    assert record_html(RECORD).count("<svg") == 2


@given(st.floats(1e-6, 1e9), st.floats(1e-6, 1e9), st.booleans())
def test_ticks_lie_on_their_axis(one, other, factors):
    """They rise, and stay within its ends, whatever the values are."""
    found = axis([one, other], 0, 100, factors=factors)
    ticks = found.ticks()
    assert ticks == sorted(ticks)
    assert 1 <= len(ticks) <= 14
    assert all(-1e-6 <= found.at(tick) <= 100 + 1e-6 for tick in ticks)
    assert 0 <= found.at(one) <= 100


@pytest.mark.parametrize(
    ("found", "ticks"),
    [
        (Axis(0, 1, 0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (Axis(950, 2100, 0, 1), [1000, 1250, 1500, 1750, 2000]),
        (Axis(3, 3, 0, 1), [3]),
        (axis([10, 1000], 0, 1, factors=True), [10, 100, 1000]),
    ],
)
def test_ticks_are_round(found, ticks):
    """Steps of 1, 2, 2.5 or 5; of factors, tens."""
    assert found.ticks() == pytest.approx(ticks)


def test_an_axis_of_rates_ends_at_its_ends():
    """With room for a mark alone beyond 0 and 1."""
    assert rate_axis([0, 1], 0, 1) == Axis(-0.03, 1.03, 0, 1)
    assert rate_axis([0.5, 0.5], 0, 1).low < 0.49


# --- again ------------------------------------------------------------------------------


def edited(name: str, before: str, after: str) -> Corpus:
    """Return the planted corpus with one document changed."""
    return Corpus(tuple(
        replace(one, text=one.text.replace(before, after)) if one.name == name else one
        for one in CORPUS.documents
    ))  # fmt: skip


def test_on_the_same_documents_nothing_differs():
    """All gates hold, by the figures of the record."""
    found = rerun(read_record(WRITTEN.encode()), CORPUS, QUERIES)
    assert (found.passed, found.drift, found.notes, found.lost) == (True, (), (), ())
    assert found.judged.rulings == found.recorded
    assert found.judged.spec == at(25)


def test_a_changed_document_is_named_and_its_figures_fail_the_gate():
    """The words that hold the evidence are gone, so the question cannot be met any more."""
    found = rerun(RECORD.bound, edited("target-03.txt", "cause_3 ", "kause_x "), QUERIES)
    assert not found.passed
    assert found.judged.rulings[0].value == pytest.approx(11 / 12)
    changed, lost, _, _ = found.drift
    assert changed == "1 document has changed since the record: target-03.txt."
    assert lost.startswith(
        "The evidence of 1 question of the record is gone, so it counts as missed: planted-03 (the "
        "evidence at "
    )


def test_figures_that_moved_have_both_values():
    """Chunks of new documents crowd out the evidence of every question."""
    asked = " ".join(f"topic_{n} cause_{n} answer_{n}" for n in range(12))
    new = [Document(f"a-{number}.txt", asked) for number in range(TOP)]
    found = rerun(RECORD.bound, Corpus((*CORPUS.documents, *new)), QUERIES)
    assert not found.passed
    assert found.lost == ()
    assert found.drift[1].startswith("Figures of 80 words with 20 overlap (25%) moved: ")
    assert "complete evidence 100.0% then, 0.0% now; " in found.drift[1]
    assert "number of chunks 96 then, 100 now; " in found.drift[1]


def test_evidence_that_moved_is_judged_where_it_stands():
    """The same offsets would point at other words."""
    moved = edited("target-03.txt", "target3filler0 ", "A few words more. target3filler0 ")
    found = rerun(RECORD.bound, moved, QUERIES)
    assert (found.passed, found.lost) == (True, ())
    assert found.judged.rulings[0].value == 1


def test_evidence_that_was_corrected_is_taken_as_given():
    """A question whose place differs from the record's was changed on purpose."""
    text = next(one.text for one in CORPUS.documents if one.name == "target-03.txt")
    changed = edited("target-03.txt", "cause_3 ", "reason_3 ")
    start = text.index("cause_3")
    span = Evidence("target-03.txt", start, start + len("reason_3 target"))
    asked = tuple(
        replace(query, evidence=(span,)) if query.id == "planted-03" else query for query in QUERIES
    )
    found = rerun(RECORD.bound, changed, replace(QUERIES, queries=asked))
    assert found.lost == ()


def test_missing_and_new_documents_are_named():
    """Up to five, the others counted."""
    kept = [one for one in CORPUS.documents if not one.name.startswith("distractor-0")]
    new = [Document(f"new-{number}.txt", "Nothing to see here.") for number in range(6)]
    found = rerun(RECORD.bound, Corpus((*kept, *new)), QUERIES)
    assert found.drift[0].startswith("10 documents are missing since the record: distractor-00.txt")
    assert found.drift[0].endswith("and 5 more.")
    assert found.drift[1].startswith("6 documents are new since the record: new-0.txt")


def test_a_question_whose_evidence_is_gone_counts_as_missed():
    """Else a changed corpus would lose its hard questions and pass."""
    gone = QUERIES.queries[3]
    left = tuple(query for query in QUERIES if query is not gone)
    now = replace(QUERIES, queries=left, unresolved=(Unresolved(4, gone.id, "gone"),))
    found = rerun(RECORD.bound, CORPUS, now)
    assert [row.id for row in found.lost] == [gone.id]
    assert found.judged.rulings[0].value == pytest.approx(11 / 12)
    assert not found.passed
    assert f"is gone, so it counts as missed: {gone.id} (gone)." in found.drift[1]
    duplicates = found.judged.candidate.row.values["overlapping_slots@4"]
    assert duplicates == 2  # of the questions that were asked


def test_the_baseline_itself_is_held_to_its_recorded_figures():
    """It never differs from itself, so a gate against it would hold whatever had been lost."""
    gate = "complete >= baseline - 2%"
    record = made(gate, specs=(at(25),), current=at(25))
    assert record.bound.setting.spec == record.bound.baseline.spec
    same = rerun(record.bound, CORPUS, QUERIES)
    assert (same.passed, same.judged.rulings[0].value) == (True, 0)
    left = QUERIES.queries[1:]
    lost = (Unresolved(1, QUERIES.queries[0].id, "gone"),)
    found = rerun(record.bound, CORPUS, replace(QUERIES, queries=left, unresolved=lost))
    assert found.judged.rulings[0].value == pytest.approx(-1 / 12)
    assert not found.passed
    assert any("The setting is the baseline itself" in one for one in found.notes)


def test_a_question_that_was_taken_out_is_not_missed():
    """The sets differ, and that is said."""
    found = rerun(RECORD.bound, CORPUS, QuerySet(QUERIES.queries[:6], "minimal", "fewer"))
    assert found.passed
    assert found.lost == ()
    assert found.drift[0].startswith(
        f"The questions differ from those of the record: 12 of the set {QUERIES.digest[:12]} "
        "decided, 6 of the set "
    )


def test_all_evidence_gone_fails_without_an_error():
    """There is nothing left to ask."""
    rows = tuple(Unresolved(at, one.id, "gone") for at, one in enumerate(QUERIES, 1))
    found = rerun(RECORD.bound, CORPUS, QuerySet((), "minimal", "none", rows))
    assert not found.passed
    assert found.judged.rulings[0].value == 0


def test_without_the_record_s_questions_every_new_loss_counts():
    """A record of a bundled set holds no ids: rows left out then are left out now."""
    lost = (Unresolved(1, "old", "gone"),)
    saved = workspace_of(CORPUS, replace(QUERIES, unresolved=lost), {"queries": "own"})
    record = made(queries=replace(QUERIES, unresolved=lost), saved=saved)
    now = replace(QUERIES, unresolved=(*lost, Unresolved(2, "new", "gone")))
    assert [row.id for row in rerun(record.bound, CORPUS, now).lost] == ["new"]


def test_terms_that_would_be_chosen_otherwise_are_told():
    """Those of the record stay in use."""
    record = made(run=RunSpec("count", "auto", TopK(TOP)))
    assert record.bound.terms.name == "word"
    han = Document("han.txt", "漢字" * 20_000)
    found = rerun(record.bound, Corpus((*CORPUS.documents, han)), QUERIES)
    assert any(
        "as word terms, as in the record; now cjk-bigram would" in one for one in found.drift
    )
    assert found.judged.rulings[0].value == 1


def test_relative_gates_are_held_against_the_recorded_baseline_of_now():
    """Both are measured again."""
    record = made("complete >= 95%", "chunks <= baseline + 30")
    found = rerun(record.bound, CORPUS, QUERIES)
    assert [one.value for one in found.judged.rulings] == [1, 24]
    assert found.passed


def test_the_current_setting_is_judged_beside():
    """By the same gates."""
    record = made("chunks <= 200", current=at(75))
    found = rerun(record.bound, CORPUS, QUERIES)
    assert (found.passed, found.current.spec, found.current.passed) == (True, at(75), False)


def test_results_from_outside_are_the_recorded_ones_unless_given():
    """Which is said; a table without the setting has no value, and fails."""
    record = made("correctness >= 0.9", figures={at(25): {"correctness": 0.93}})
    found = rerun(record.bound, CORPUS, QUERIES)
    assert (found.passed, found.drift) == (True, ())
    assert found.notes == (
        "Results from outside (correctness) are those of the record: not measured again.",
    )
    for values, passed in (({at(25): {"correctness": 0.8}}, False), ({}, False)):
        given = rerun(record.bound, CORPUS, QUERIES, Outside(values, (), (), ()))
        assert given.passed is passed
        assert given.notes == ()
        assert any("correctness 0.93 then" in one for one in given.drift)


PROSE = "\n\n".join(
    f"The {colour} door of room {n} leads to hall {n + 1}. Its key hangs behind clock {n}."
    for n, colour in enumerate(("red", "blue", "green", "white", "black") * 4)
)


def prose_record(*gates: str):
    """Return a record on prose whose update work was measured, and what it was made from."""
    corpus = corpus_of([("house.md", PROSE), ("yard.md", PROSE.replace("door", "gate"))])
    start = PROSE.index("Its key hangs")
    asked = Query("q", "Where does the key of the red door hang?",
                  (Evidence("house.md", start, start + 30),))  # fmt: skip
    queries = QuerySet((asked,), "minimal", "by hand")
    specs = tuple(ChunkSpec(size=200, overlap=overlap) for overlap in (0, 50))
    edits = Edits(3, 8)
    works = compare_work(corpus, specs, draw_edits(corpus, edits.count, edits.seed))
    figures = {one.spec: {"update_work": one.total.embedded} for one in works}
    record = made(*gates, corpus=corpus, queries=queries, specs=specs, figures=figures,
                  update=Updates(edits, works), run=RunSpec("okapi", "auto", TopK(3)))  # fmt: skip
    return record, corpus, queries


def test_update_work_is_measured_again_by_the_recorded_edits():
    """The same seed draws the same edits, so that its figure is the same."""
    record, corpus, queries = prose_record("update_work <= 99")
    bound = read_record(write_record(record).encode())
    assert bound.edits == Edits(3, 8)
    found = rerun(bound, corpus, queries)
    assert found.judged.rulings == found.recorded
    assert found.drift == ()
    assert "What an edit costs" in record_html(record)


def test_update_work_that_cannot_be_measured_any_more_fails_with_the_reason():
    """A corpus without prose has no edits."""
    record, _, queries = prose_record("update_work <= 99")
    bare = corpus_of([("house.md", "12345 " * 300)])
    found = rerun(record.bound, bare, queries)
    assert not found.passed
    assert found.notes[-1].startswith("Update work could not be measured: replacing a")


def test_update_work_that_no_gate_asks_for_is_not_measured_again():
    """And is not said to have moved."""
    record, corpus, queries = prose_record("chunks <= 99")
    assert rerun(record.bound, corpus, queries).drift == ()


def test_phases_are_evaluated_again():
    """The means over the same placements of the cuts."""
    record = made("complete >= 50%", phases=8)
    found = rerun(read_record(write_record(record).encode()), CORPUS, QUERIES)
    assert found.judged.rulings == found.recorded
    assert found.drift == ()


def test_the_exploring_half_is_asked_again():
    """The same questions, though the whole set is given, and though one is gone."""
    record = made("complete >= 95%", half=True)
    half = split_halves(QUERIES, 0).explore
    assert record.bound.asked.count == len(half) == 6
    found = rerun(record.bound, CORPUS, QUERIES)
    assert (found.passed, found.drift) == (True, ())
    gone = half.queries[0].id
    left = tuple(query for query in QUERIES if query.id != gone)
    now = QuerySet(left, "minimal", "fewer", (Unresolved(1, gone, "gone"),))
    assert rerun(record.bound, CORPUS, now).judged.rulings[0].value == pytest.approx(5 / 6)


def test_a_record_without_a_choice_cannot_be_run_again():
    """There is no setting to judge."""
    with pytest.raises(InputError, match="in this one none cleared the gates"):
        rerun(made("chunks <= 10").bound, CORPUS, QUERIES)


def test_chunks_that_were_cut_elsewhere_cannot_be_judged_again():
    """As the setting, or as the baseline that a gate is held against."""
    bound = made("complete >= baseline").bound
    given = ChunkSpec("your chunks")
    elsewhere = replace(bound.baseline, spec=given)
    with pytest.raises(InputError, match="its baseline is 'your chunks', which was cut elsewhere"):
        rerun(replace(bound, baseline=elsewhere), CORPUS, QUERIES)
    bound = replace(RECORD.bound, baseline=elsewhere, current=elsewhere)
    found = rerun(bound, CORPUS, QUERIES)
    assert found.passed
    assert found.current is None
    assert found.notes == ("your chunks was cut elsewhere and is not judged again.",)
