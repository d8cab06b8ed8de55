"""A record from a decision and what it rests on."""

import math
from collections.abc import Sequence

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, Prices, arithmetic, change_sentence
from overlapkit.cost import Line as PriceLine
from overlapkit.decide import compare
from overlapkit.diagnose import Diagnosis, advice, tally
from overlapkit.engine import Engine
from overlapkit.errors import SettingsError
from overlapkit.gates import (
    MEASURES,
    Candidate,
    Change,
    Decision,
    Judged,
    Lock,
    Outside,
    blocking_sentence,
    decision_sentence,
    honesty,
    reason,
)
from overlapkit.gates.choice import series
from overlapkit.gates.lock import Part
from overlapkit.record.conditions import Built, canary_plan, rollback_conditions
from overlapkit.record.confirmation import NO_CHOICE, Confirmation, unconfirmed
from overlapkit.record.limits import Evidence, limits_of
from overlapkit.record.measuring import QUESTIONS, Measuring, bill_as_known, figures_of
from overlapkit.record.model import Asked, Bound, Diagnosed, Line, Record, Updates
from overlapkit.retrieve import RunSpec
from overlapkit.stats import Bounds, Clustering, Interval
from overlapkit.workspace import SavedWorkspace


def focus_of(decision: Decision) -> ChunkSpec:
    """Return the setting that a record looks at closely.

    The choice, or the one that comes nearest to passing the gate that blocks most.
    """
    one = decision.blocking[0].nearest if decision.choice is None else decision.choice
    return one.spec


def make_record(
    *,
    at: str,
    saved: SavedWorkspace,
    lock: Lock,
    decision: Decision,
    engine: Engine,
    run: RunSpec,
    baseline: Candidate,
    prices: Prices,
    clustering: Clustering,
    diagnoses: Sequence[Diagnosis] | None = None,
    update: Updates | None = None,
    ablation: Sequence[str] | None = None,
    confirmation: Confirmation | None = None,
    outside: Outside | None = None,
    phases: int = 0,
    since: str = "",
) -> Record:
    """Bind a decision taken at a time (ISO 8601, UTC).

    ``engine`` and ``clustering`` are of the questions that decided, which may be the exploring
    half; ``saved`` and ``lock`` are of the whole set. ``diagnoses`` are those of ``focus_of``.
    ``ablation`` are sentences. ``phases`` is how many of them every row is the mean of.
    ``since`` says what was set otherwise after the lock.

    Raises SettingsError where these do not belong together.
    """
    _check(saved, lock, decision, engine, update)
    _check_costs(lock, decision, prices)
    label, focus = run.cutoff.label, focus_of(decision)
    measuring = Measuring(label, clustering, outside)
    choice, now = decision.choice, decision.current
    bound = Bound(
        at=Change(at, "", "").at,  # held to the rule of a lock's times
        saved=saved,
        lock=lock,
        run=run,
        terms=engine.terms,
        phases=phases,
        asked=_asked(engine, lock),
        metric=decision.metric,
        prices=prices,
        setting=None if choice is None else measuring.of(choice.candidate),
        baseline=measuring.of(baseline),
        current=None if now is None else measuring.of(now.candidate),
        rulings=() if choice is None else choice.rulings,
        edits=None if update is None else update.edits,
    )
    if choice is None:
        confirmation = unconfirmed(NO_CHOICE)
    confirmation = confirmation or unconfirmed()
    rollback, canary = _plans(bound, decision, baseline, clustering)
    evidence = Evidence(
        engine, run, bound.asked, clustering, len(decision.judged), phases, confirmation, prices,
        _names_outside(bound), 0 if outside is None else len(outside.left_out),
    )  # fmt: skip
    return Record(
        bound=bound,
        outcome=decision.outcome,
        sentence=decision_sentence(decision, COSTS[lock.cost].unit),
        focus=focus,
        today=() if now is None else now.rulings,
        lines=_lines(decision, focus, label, clustering),
        blocking=tuple(blocking_sentence(one, len(decision.judged)) for one in decision.blocking),
        confirmation=confirmation,
        honesty=f"{honesty(lock)} {since}".rstrip(),
        diagnosis=None if diagnoses is None else _diagnosed(diagnoses, focus),
        price=() if choice is None else _arithmetic(choice.candidate, prices, label),
        change=_change(decision, prices, label),
        update=update,
        ablation=tuple(ablation or ()),
        limits=limits_of(evidence),
        rollback=rollback,
        canary=canary,
    )


def _check(
    saved: SavedWorkspace, lock: Lock, decision: Decision, engine: Engine, update: Updates | None
) -> None:
    """Raise SettingsError where a record would bind what does not belong together."""
    digests = {saved.corpus_digest, lock.corpus_digest, engine.corpus.digest}
    if len(digests) > 1:
        raise SettingsError(
            "a record must bind one corpus; got a workspace, a lock and questions of "
            f"{len(digests)}: lock the gates for the corpus in use"
        )
    if saved.query_digest != lock.query_digest:
        raise SettingsError(
            "a record's workspace and lock must be of the same whole question set; got two: save "
            "the whole set, and lock the gates for it"
        )
    if decision.gates != lock.gates:
        raise SettingsError(
            "a decision must rest on the gates that were locked; got others: record the change "
            "in the lock, or decide anew"
        )
    if lock.cost not in COSTS:
        raise SettingsError(f"a cost must be one of {', '.join(COSTS)}; got {lock.cost!r}")
    if update is None and any(gate.measure == "update_work" for gate in lock.gates):
        raise SettingsError(
            "a gate on update work needs the edits that it was measured on; got none: give them"
        )


def _check_costs(lock: Lock, decision: Decision, prices: Prices) -> None:
    """Raise SettingsError where a decision was by another cost or other prices."""
    compute = COSTS[lock.cost].compute
    for one, cost in zip(decision.judged, decision.costs, strict=True):
        values = {"index_tokens": math.nan, **one.candidate.row.values}
        if not math.isclose(compute(values, prices), cost, rel_tol=1e-9) and math.isfinite(cost):
            raise SettingsError(
                f"a decision must be by the cost that was locked, {lock.cost}, and by the prices "
                "given; got another: lock the gates anew, or decide by that cost"
            )


def _asked(engine: Engine, lock: Lock) -> Asked:
    queries = engine.queries
    part: Part = "all" if queries.digest == lock.query_digest else "explore"
    left_out = tuple(row.id for row in queries.unresolved)
    return Asked(part, len(queries), queries.kind, queries.source, left_out)


def _names_outside(bound: Bound) -> list[str]:
    known = [bound.baseline, bound.setting, bound.current]
    names = {name for one in known if one is not None for name in one.outside}
    return sorted(names - {QUESTIONS})


# --- the settings that were judged ------------------------------------------------------


def _lines(
    decision: Decision, focus: ChunkSpec, label: str, clustering: Clustering
) -> tuple[Line, ...]:
    measure = decision.metric.partition("@")[0]

    def line(one: Judged, cost: float) -> Line:
        failed = "" if one.first_failed is None else reason(one.first_failed)
        value = float(one.candidate.row.values.get(decision.metric, math.nan))
        low = high = None
        if measure in MEASURES and series(one.spec) == series(focus):
            figure = figures_of(one.candidate, (measure,), label, clustering).get(measure)
            _, low, high = figure or (None, None, None)
        return Line(one.spec, _known(cost), _known(value), low, high, failed)

    pairs = zip(decision.judged, decision.costs, strict=True)
    return tuple(line(one, cost) for one, cost in pairs)


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _diagnosed(diagnoses: Sequence[Diagnosis], focus: ChunkSpec) -> Diagnosed:
    counts = {str(cause): count for cause, count in tally(diagnoses).items()}
    return Diagnosed(counts, advice(diagnoses, focus))


# --- price ------------------------------------------------------------------------------


def _arithmetic(candidate: Candidate, prices: Prices, label: str) -> tuple[PriceLine, ...]:
    bill = bill_as_known(candidate, prices, label)
    lines = arithmetic(bill, prices)
    return tuple(line for line in lines if math.isfinite(line.amount))


def _change(decision: Decision, prices: Prices, label: str) -> str:
    """Return what the change costs, nothing where there is none or it is not known."""
    choice, now = decision.choice, decision.current
    if choice is None or now is None or choice is now:
        return ""
    ours, theirs = (bill_as_known(one.candidate, prices, label) for one in (choice, now))
    if math.isnan(ours.year_usd) or math.isnan(theirs.year_usd):
        return ""
    return change_sentence(choice.spec, now.spec, ours, theirs)


# --- going there and back ---------------------------------------------------------------


def _plans(
    bound: Bound, decision: Decision, baseline: Candidate, clustering: Clustering
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the conditions for going back, and the steps of the canary."""
    choice, setting = decision.choice, bound.setting
    if choice is None or setting is None:
        return (), ()
    held = baseline if decision.current is None else decision.current.candidate
    built = Built(
        spec=choice.spec,
        bill=bill_as_known(choice.candidate, bound.prices, bound.run.cutoff.label),
        figures=setting.figures,
        outside=setting.outside,
        gates=bound.lock.gates,
        cutoff=bound.run.cutoff,
        metric=decision.metric,
        loss=_loss(choice.candidate, held, bound, clustering),
        questions=bound.asked.count,
    )
    kept = decision.outcome == "keep"
    canary = () if kept else canary_plan(built, replaces=decision.current is not None)
    return rollback_conditions(built), canary


def _loss(ours: Candidate, theirs: Candidate, bound: Bound, clustering: Clustering) -> Bounds:
    """Return the interval of the difference, or of the metric where there is none to take."""
    found = compare(ours.row, theirs.row, bound.metric, clustering)
    if not found.identical:
        return found
    setting = bound.setting
    figure = None if setting is None else setting.figures.get(bound.metric.partition("@")[0])
    if figure is None or figure.low is None or figure.high is None:
        return Interval(-1.0, 1.0)
    return Interval(figure.low, figure.high)
