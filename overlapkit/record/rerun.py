"""A recorded setting judged again, on the documents and questions of now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.cost import index_figures
from overlapkit.decide import cluster_queries
from overlapkit.engine import Engine, prepare
from overlapkit.errors import InputError
from overlapkit.evaluate import evaluate_with
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT, mean
from overlapkit.gates import (
    MEASURES,
    Candidate,
    Judged,
    Outside,
    Ruling,
    column_of,
    judge_gates,
    measured,
    rule_on,
)
from overlapkit.phases import over_phases, phase_specs
from overlapkit.queries.model import QuerySet, Unresolved
from overlapkit.record.drift import Now, drift_of, notes_of
from overlapkit.record.measuring import Measuring
from overlapkit.record.model import Bound, Measured
from overlapkit.record.questions import asked_again
from overlapkit.stats import Clustering, Interval
from overlapkit.sweep import Row
from overlapkit.updates import compare_work, draw_edits


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """A recorded setting held to its gates again.

    ``recorded`` are the rulings of the record, ``judged`` holds those of now. ``current`` is
    the setting that was in production then, where it can be cut here. ``drift`` names what
    differs from the record, ``notes`` what was taken from it. ``lost`` are the questions of it
    whose evidence is gone; each counts as missed.
    """

    recorded: tuple[Ruling, ...]
    judged: Judged
    current: Judged | None
    drift: tuple[str, ...]
    notes: tuple[str, ...]
    lost: tuple[Unresolved, ...]

    @property
    def passed(self) -> bool:
        """Whether all gates hold."""
        return self.judged.passed


def rerun(bound: Bound, corpus: Corpus, queries: QuerySet, outside: Outside | None = None) -> Rerun:
    """Judge the setting of a record again, by its ranking, terms, cut-off, prices and gates.

    Where the record's questions are the exploring half, so are those asked here; a question
    that it holds is judged by where its evidence stands now. Results from ``outside`` take the
    place of those in the record.

    Raises InputError where the record has no setting that can be cut here.
    """
    setting = _to_cut(bound)
    asked, lost = asked_again(bound, corpus, queries)
    engine = prepare(corpus, asked, bound.terms.name)
    clustering = _with_lost(cluster_queries(corpus, asked), len(lost))
    known = {one.spec: one for one in (setting, bound.baseline, bound.current) if one is not None}
    specs = tuple(spec for spec in known if spec.chunker in CHUNKERS)
    work, why_no_work = _update_work(bound, corpus, specs)

    def candidate(spec: ChunkSpec) -> Candidate:
        row = _missed(_row(engine, spec, bound), bound, engine, len(lost))
        figures = index_figures(row.values, bound.prices)
        given = known[spec].outside if outside is None else outside.values.get(spec, {})
        return Candidate(row, {**given, **figures, **work.get(spec, {})})

    found = {spec: candidate(spec) for spec in specs}
    baseline = found.get(bound.baseline.spec, found[setting.spec])
    label = bound.run.cutoff.label

    def judge(one: Candidate) -> Judged:
        judged = judge_gates(one, bound.lock.gates, baseline, label, clustering)
        return _against_then(judged, bound, label, clustering)

    measuring = Measuring(label, clustering)
    now = Now(
        corpus, queries, asked, lost, {spec: measuring.of(one) for spec, one in found.items()},
        given=outside is not None, why_no_work=why_no_work,
    )  # fmt: skip
    current = None if bound.current is None else found.get(bound.current.spec)
    return Rerun(
        bound.rulings,
        judge(found[setting.spec]),
        None if current is None else judge(current),
        drift_of(bound, now),
        notes_of(bound, now),
        lost,
    )


def _against_then(judged: Judged, bound: Bound, label: str, clustering: Clustering) -> Judged:
    """Hold the baseline itself to its recorded figures, since it never differs from itself."""
    if judged.spec != bound.baseline.spec:
        return judged
    rulings = []
    for ruling in judged.rulings:
        gate = ruling.gate
        then = bound.baseline.figures.get(gate.measure)
        if not gate.relative or then is None:
            rulings.append(ruling)
            continue
        now, ends = measured(judged.candidate, gate.measure, label, clustering)
        moved = Interval(ends.low - then.value, ends.high - then.value)
        rulings.append(rule_on(gate, now - then.value, moved, max(now, then.value)))
    return replace(judged, rulings=tuple(rulings))


def _to_cut(bound: Bound) -> Measured:
    """Return the setting to judge; raises InputError where it cannot be, or not by its gates."""
    setting, baseline = bound.setting, bound.baseline
    if setting is None:
        raise InputError(
            "a record must have chosen a setting to be run again; in this one none cleared the "
            "gates: change a gate or the settings, and decide anew"
        )
    needed = [setting]
    if any(gate.relative for gate in bound.lock.gates):
        needed.append(baseline)
    for one in needed:
        if one.spec.chunker not in CHUNKERS:
            raise InputError(
                "what a record judges must be cut here to be run again; its "
                f"{'setting' if one is setting else 'baseline'} is {one.spec.chunker[:80]!r}, "
                "which was cut elsewhere: decide for a setting of this program"
            )
    return setting


# --- questions that are lost ------------------------------------------------------------


def _with_lost(clustering: Clustering, lost: int) -> Clustering:
    """Return the clustering with so many questions more, each by itself."""
    count = clustering.count + lost
    labels = np.concatenate((clustering.labels, np.arange(clustering.count, count)))
    return Clustering(labels.astype(np.int64), clustering.by, count)


def _missed(row: Row, bound: Bound, engine: Engine, lost: int) -> Row:
    """Return a row with so many questions more, which find nothing.

    They count 0 where more is better, and have no value where less is.
    """
    if not lost:
        return row
    label = bound.run.cutoff.label
    wanted = {column_of(name, label) for name, one in MEASURES.items() if one.better == "higher"}
    per_query = {
        name: np.concatenate((column, np.full(lost, 0.0 if name in wanted else np.nan)))
        for name, column in row.per_query.items()
    }
    values = dict(row.values)
    for name, column in per_query.items():
        withheld = engine.queries.kind == "extent" and name.split("@")[0] in WITHHELD_FOR_EXTENT
        if not withheld:
            values[name] = mean(column)
    return replace(row, values=values, per_query=per_query)


# --- figures ----------------------------------------------------------------------------


def _row(engine: Engine, spec: ChunkSpec, bound: Bound) -> Row:
    def row(one: ChunkSpec) -> Row:
        found = evaluate_with(engine, one, bound.run)
        return Row(one, found.values, found.per_query)

    if not bound.phases:
        return row(spec)
    return over_phases([row(one) for one in phase_specs(spec, bound.phases)])


def _update_work(
    bound: Bound, corpus: Corpus, specs: Sequence[ChunkSpec]
) -> tuple[Mapping[ChunkSpec, Mapping[str, float]], str]:
    """Return the update work of settings where a gate asks for it, else why there is none."""
    asked = any(gate.measure == "update_work" for gate in bound.lock.gates)
    if bound.edits is None or not asked:
        return {}, ""
    try:
        edits = draw_edits(corpus, bound.edits.count, bound.edits.seed)
    except InputError as error:
        return {}, str(error)
    works = compare_work(corpus, specs, edits)
    return {one.spec: {"update_work": one.total.embedded} for one in works}, ""
