"""What ``decide`` chooses from: settings, their figures, the questions they are judged on."""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec, parse_spec
from overlapkit.cli.command import Notes
from overlapkit.cli.files import bytes_of
from overlapkit.cli.inputs import grid_of, left_out
from overlapkit.cli.output import progress
from overlapkit.cost import COSTS, Prices, index_figures, keep_cost
from overlapkit.decide import cluster_queries, primary_metric
from overlapkit.engine import Engine, prepare
from overlapkit.errors import SettingsError
from overlapkit.gates import (
    MEASURES,
    Candidate,
    Decision,
    Gate,
    Outside,
    check_gates,
    decide_by_gates,
    read_outside,
    split_halves,
    why_not,
)
from overlapkit.queries import QuerySet
from overlapkit.record import Confirmation, Edits, confirm, unconfirmed
from overlapkit.record.confirmation import NO_CHOICE
from overlapkit.retrieve import RunSpec
from overlapkit.stats import Clustering
from overlapkit.sweep import Row, sweep_with
from overlapkit.updates import EDIT_SEED, TRIED, compare_work, draw_edits
from overlapkit.words import counted, setting

SEED = 0  # of the halves of the questions


class InQuestion(NamedTuple):
    """The settings to choose from, the baseline, and the setting in production."""

    specs: tuple[ChunkSpec, ...]
    baseline: ChunkSpec
    current: ChunkSpec | None

    @property
    def every(self) -> tuple[ChunkSpec, ...]:
        """All of them, each once."""
        here = () if self.current is None else (self.current,)
        return tuple(dict.fromkeys((*self.specs, self.baseline, *here)))


class Judging(NamedTuple):
    """The same as candidates, with the results from outside."""

    candidates: tuple[Candidate, ...]
    baseline: Candidate
    current: Candidate | None
    outside: Outside | None


def in_question(args: argparse.Namespace, run: RunSpec) -> InQuestion:
    """Return the settings asked for; raises SettingsError where gates cannot decide on them."""
    gates: Sequence[Gate] = args.gates or ()
    if not gates:
        raise SettingsError(
            "a decision needs gates that were declared before it; got none: give one or more, "
            "such as --gate 'complete >= 95%'"
        )
    unknown = next((gate.measure for gate in gates if gate.measure not in MEASURES), None)
    if unknown is not None and args.outside is None:
        raise SettingsError(
            f"a gate's measure must be one of {', '.join(MEASURES)}, or a result that --outside "
            f"brings; got {unknown!r}"
        )
    specs = tuple(dict.fromkeys(grid_of(args)))
    check_gates([Candidate(Row(spec, {}, {}), {}) for spec in specs], gates, run.cutoff)
    current = None
    if args.current is not None:
        current = parse_spec(
            *args.current, chunker=args.chunker, unit=args.unit, encoding=args.encoding
        )
    baseline = replace(specs[0], overlap=0, asked_pct=0) if current is None else current
    several = len({spec.size for spec in specs}) > 1
    relative = next((gate for gate in gates if gate.relative), None)
    if current is None and several and relative is not None:
        raise SettingsError(
            f"{relative.text!r} is held against the setting in production, and there are several "
            "sizes: say which it is by --current"
        )
    return InQuestion(specs, baseline, current)


def halves_of(args: argparse.Namespace, queries: QuerySet) -> tuple[QuerySet, QuerySet | None, str]:
    """Return the questions to decide on, those to confirm on, and why there are none."""
    if not args.confirm:
        return queries, None, ""
    reason = why_not(queries)
    if reason:
        return queries, None, f"No questions were held back. {reason}"
    halves = split_halves(queries, SEED)
    return halves.explore, halves.confirm, ""


def part_of(engine: Engine, queries: QuerySet) -> Engine:
    """Return an engine for a part of the questions, its terms as they were chosen for all."""
    if queries is engine.queries:
        return engine
    return replace(prepare(engine.corpus, queries, engine.terms.name), terms=engine.terms)


def judging_of(
    args: argparse.Namespace, engine: Engine, run: RunSpec, asked: InQuestion, notes: Notes
) -> Judging:
    """Evaluate every setting in question, with the figures that the gates ask for."""
    rows = _rows(args, engine, run, asked.every, notes)
    outside = None
    if args.outside is not None:
        outside = outside_of(args.outside, asked.every, notes)
    work: dict[ChunkSpec, float] = {}
    if asks_for_work(args.gates):
        works = compare_work(
            engine.corpus, asked.every, draw_edits(engine.corpus, TRIED, EDIT_SEED)
        )
        work = {one.spec: one.total.embedded for one in works}
    found = {row.spec: _candidate(row, outside, work) for row in rows}
    current = None if asked.current is None else found[asked.current]
    candidates = tuple(found[spec] for spec in asked.specs)
    return Judging(candidates, found[asked.baseline], current, outside)


def asks_for_work(gates: Sequence[Gate]) -> bool:
    """Tell whether a gate is on update work."""
    return any(gate.measure == "update_work" for gate in gates)


def outside_of(path: str, specs: Sequence[ChunkSpec], notes: Notes) -> Outside:
    """Return results from outside, and tell what of their table could not be used."""
    found = read_outside(bytes_of(path), specs)
    notes += left_out(found.left_out, path, f" of {path}")
    if found.unknown:
        several = counted(len(found.unknown), "setting")
        notes.append(
            f"note: {several} of {path} not judged here, such as {setting(found.unknown[0])}"
        )
    return found


def decision_on(
    args: argparse.Namespace, found: Judging, run: RunSpec, kind: str, clustering: Clustering
) -> Decision:
    """Return what the gates decide."""
    cost, prices = COSTS[args.cost], Prices()
    return decide_by_gates(
        found.candidates,
        args.gates,
        cost=lambda one: cost.compute(one.row.values, prices),
        baseline=found.baseline,
        current=found.current,
        keep_cost=None
        if found.current is None
        else keep_cost(args.cost, found.current.row.values, prices),
        cutoff=run.cutoff,
        metric=primary_metric(kind),
        clustering=clustering,
    )


def confirmation_on(
    args: argparse.Namespace,
    engine: Engine,
    run: RunSpec,
    decision: Decision,
    found: Judging,
    notes: Notes,
) -> Confirmation:
    """Hold the choice to the gates over the questions of an engine, which were held back."""
    choice = decision.choice
    if choice is None:
        return unconfirmed(NO_CHOICE)
    specs = tuple(dict.fromkeys((choice.spec, found.baseline.spec)))
    rows = {row.spec: row for row in _rows(args, engine, run, specs, notes)}
    ours, theirs = (
        Candidate(rows[one.spec], one.figures) for one in (choice.candidate, found.baseline)
    )
    clustering = cluster_queries(engine.corpus, engine.queries)
    questions = len(engine.queries)
    return confirm(ours, args.gates, theirs, run.cutoff.label, clustering, questions)


def edits_for() -> Edits:
    """Return by what the edits of update work are drawn again."""
    return Edits(EDIT_SEED, TRIED)


def _candidate(row: Row, outside: Outside | None, work: dict[ChunkSpec, float]) -> Candidate:
    figures = index_figures(row.values, Prices())
    if row.spec in work:
        figures["update_work"] = work[row.spec]
    given = {} if outside is None else outside.values.get(row.spec, {})
    return Candidate(row, {**given, **figures})


def _rows(
    args: argparse.Namespace,
    engine: Engine,
    run: RunSpec,
    specs: Sequence[ChunkSpec],
    notes: Notes,
) -> tuple[Row, ...]:
    show, done = progress("settings"), count(1)
    with closing(ResultCache.disabled() if args.no_cache else ResultCache.open()) as cache:
        swept = sweep_with(
            engine, specs, run, cache=cache, on_row=lambda _: show(next(done), len(specs))
        )
        told = [f"note: {cache.notice}"] if cache.notice else []
    notes += (note for note in told if note not in notes)
    return swept.rows
