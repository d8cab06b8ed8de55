"""One lever at a time, with overlap and without it; queries and cut-off stay as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from overlapkit.arrays import Floats
from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import primary_metric
from overlapkit.engine import Engine
from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.evaluate import METRICS, Evaluation
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT, mean
from overlapkit.evaluate.metrics import ZERO_OR_ONE
from overlapkit.levers.lists import DeepLists
from overlapkit.levers.model import Lever, LeverRun, pull
from overlapkit.levers.table import LEVERS, NONE
from overlapkit.retrieve import RunSpec
from overlapkit.stats import Clustering, Paired, paired


@dataclass(frozen=True, slots=True, eq=False)
class Pulled:
    """One lever at one overlap: what it handed on, every metric per query, and their means.

    What an ``extent`` set withholds is NaN.
    """

    run: LeverRun
    columns: Mapping[str, Floats]
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """One lever without and with overlap.

    ``changes_off`` and ``changes_on`` are the lever minus none at that overlap; ``buys`` is
    with overlap minus without, both under the lever.
    """

    lever: Lever
    off: Pulled
    on: Pulled
    changes_off: Paired
    changes_on: Paired
    buys: Paired


@dataclass(frozen=True, slots=True, eq=False)
class Ablation:
    """Each lever alone, without overlap (``off``) and with it (``on``), "none" first.

    ``metric`` is the column that intervals are of; they are paired over queries, clustered.
    """

    metric: str
    run: RunSpec
    off: ChunkSpec
    on: ChunkSpec
    effects: Mapping[str, Effect]


def ablate(
    engine: Engine,
    without: Evaluation,
    with_overlap: Evaluation,
    clustering: Clustering,
    levers: Mapping[str, Lever] = LEVERS,
    metric: str | None = None,
) -> Ablation:
    """Return what each lever changes, and what overlap buys under each.

    Both evaluations must be of one size and one run spec, the first without overlap.
    ``metric`` is a column such as ``complete@5``; else the one that speaks for the kind of
    query set. Raises SettingsError for evaluations that differ in more than overlap, and
    for a metric that is unknown or says nothing about the set.
    """
    _check_pair(without, with_overlap)
    label = without.run.cutoff.label
    metric = metric or f"{primary_metric(engine.queries.kind)}@{label}"
    _check_metric(metric, label, engine.queries.kind)
    against = partial(_held, metric=metric, clustering=clustering)
    lists = [DeepLists(engine, one) for one in (without, with_overlap)]
    none = [_pull(LEVERS[NONE], one) for one in lists]
    alike = _same_chunks(without, with_overlap)
    effects = {}
    for name, lever in {NONE: LEVERS[NONE], **levers}.items():
        off, on = none if name == NONE else (_pull(lever, one) for one in lists)
        idle = [name == NONE or lever.idle(one) for one in lists]
        effects[name] = Effect(
            lever, off, on,
            against(off, none[0], same=idle[0]),
            against(on, none[1], same=idle[1]),
            against(on, off, same=alike),
        )  # fmt: skip
    return Ablation(metric, without.run, without.spec, with_overlap.spec, effects)


def _pull(lever: Lever, lists: DeepLists) -> Pulled:
    run = pull(lever, lists)
    columns = run.columns(lists.evaluation.run.cutoff.label)
    return Pulled(run, columns, {name: mean(column) for name, column in columns.items()})


def _held(
    ours: Pulled, theirs: Pulled, *, same: bool, metric: str, clustering: Clustering
) -> Paired:
    """Return ours minus theirs in one column, over the queries that have a value.

    ``same`` says that no question could tell the two apart.
    """
    one, other = ours.columns[metric], theirs.columns[metric]
    known = ~np.isnan(one) & ~np.isnan(other)
    part = Clustering(clustering.labels[known], clustering.by, clustering.count)
    largest = float(np.abs(one[known] - other[known]).max(initial=0.0))
    # The imaginary pair that keeps an interval honest: one question won and one lost whole,
    # or of graded metrics by the largest difference met.
    whole = metric.partition("@")[0] in ZERO_OR_ONE or not largest
    scale = 1.0 if whole else largest
    same = same and not largest
    return paired(one[known], other[known], part, scale=scale, same_setting=same)


def _same_chunks(one: Evaluation, other: Evaluation) -> bool:
    ours, theirs = one.chunks, other.chunks
    pairs = ((ours.doc, theirs.doc), (ours.start, theirs.start), (ours.end, theirs.end))
    return all(np.array_equal(*pair) for pair in pairs)


def _check_pair(without: Evaluation, with_overlap: Evaluation) -> None:
    off, on = without.spec, with_overlap.spec
    if off != replace(on, overlap=0):
        raise SettingsError(
            "overlap is ablated at one size, without it first: the settings must differ in "
            f"overlap alone, the first at 0; got {_shown(off)} and {_shown(on)}"
        )
    if without.run != with_overlap.run:
        raise SettingsError(
            "overlap is ablated under one run spec: evaluate both settings with the same; got "
            f"{without.run} and {with_overlap.run}"
        )


def _shown(spec: ChunkSpec) -> str:
    return f"{spec.chunker} {spec.unit} {spec.size}/{spec.overlap}"


def _check_metric(metric: str, label: str, kind: str) -> None:
    name, _, own = metric.partition("@")
    choices = [one for one in METRICS if kind != "extent" or one not in WITHHELD_FOR_EXTENT]
    if name not in choices or own != label:
        raise unknown_choice("metric of an ablation", metric, [f"{one}@{label}" for one in choices])
