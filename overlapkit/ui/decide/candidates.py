"""The settings that a decision chooses from, with the figures that gates ask for."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.cost import COSTS, index_figures, keep_cost
from overlapkit.errors import OverlapkitError
from overlapkit.gates import Candidate, Decision, Outside, decide_by_gates, read_outside
from overlapkit.sweep import Row
from overlapkit.ui import sweeps
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.today import base_row, pinned_given, upload_number
from overlapkit.updates import EDIT_SEED, TRIED, Edit, compare_work, draw_edits


class Field(NamedTuple):
    """The candidates, what every relative gate is against, and what is in production."""

    candidates: tuple[Candidate, ...]
    baseline: Candidate
    current: Candidate | None


def rows_in_question(work: Workspace, scope: str) -> tuple[Row, ...] | None:
    """Return the rows of a scope, or None while they are made."""
    if scope == "compared":
        return tuple(work.row(spec) for spec in work.settings.side_by_side)
    if scope == "grid":
        sweep = sweeps.grid_sweep(work)
        return None if sweep is None else sweep.rows
    return sweeps.size_rows(work)


def field_of(work: Workspace, rows: Sequence[Row], now: Declared) -> Field:
    """Return the rows as candidates, with the figures that the gates ask for."""
    pinned = pinned_given(work)
    # Only rows of one size are taken over phases; others are today's cuts, and so is what
    # they are held against.
    base = sweeps.shown_base(work) if now.scope == "size" else base_row(work)
    current = pinned or (base if work.settings.pinned else None)
    everyone = (*rows, base)
    asked = {gate.measure for gate in now.gates}
    updates = _update_work(work, everyone) if "update_work" in asked else {}
    outside = outside_of(work, now, everyone)
    results = outside.values if isinstance(outside, Outside) else {}

    def candidate(row: Row) -> Candidate:
        figures = index_figures(row.values, now.prices)
        if row.spec in updates:
            figures["update_work"] = updates[row.spec]
        return Candidate(row, {**figures, **results.get(row.spec, {})})

    baseline = candidate(base)
    return Field(
        tuple(map(candidate, rows)), baseline, None if current is None else candidate(current)
    )


def decision_of(work: Workspace, found: Field, now: Declared) -> Decision:
    """Return the decision; raises SettingsError where the gates cannot decide."""
    key = (*rests_on(work, now), tuple(one.spec for one in found.candidates))
    return remembered("decisions", key, 8, lambda: decide_now(work, found, now))


def rests_on(work: Workspace, now: Declared) -> tuple[Hashable, ...]:
    """Return all that a decision depends on besides the settings in question."""
    here = work.settings
    averaged = sweeps.phase_rows(work) is not None  # else a mean is still on its way
    return (
        work.key, work.whole.digest, now.gates, now.cost, now.prices, now.scope, now.outside,
        here.baseline, here.pinned, here.pinned_given, here.phases, averaged, upload_number(work),
    )  # fmt: skip


def decide_now(work: Workspace, found: Field, now: Declared) -> Decision:
    """Return the decision, made anew."""
    current = found.current

    def cost(one: Candidate) -> float:
        return COSTS[now.cost].compute(one.row.values, now.prices)

    return decide_by_gates(
        found.candidates, now.gates, cost=cost, baseline=found.baseline, current=found.current,
        keep_cost=None if current is None else keep_cost(now.cost, current.row.values, now.prices),
        cutoff=work.settings.cutoff,
        metric=work.column, clustering=work.clustering,
    )  # fmt: skip


# --- figures that take work of their own ------------------------------------------------


def edits_of(work: Workspace) -> tuple[Edit, ...]:
    """Return the edits that update work is measured on."""
    corpus = work.engine.corpus
    return remembered("edits", corpus.digest, 2, lambda: draw_edits(corpus, TRIED, EDIT_SEED))


def _update_work(work: Workspace, rows: Sequence[Row]) -> Mapping[ChunkSpec, float]:
    """Return chunks to embed again per edit; what was cut elsewhere has no such figure."""
    specs = tuple(dict.fromkeys(row.spec for row in rows if row.spec.chunker in CHUNKERS))
    key = (work.engine.corpus.digest, specs)

    def make() -> dict[ChunkSpec, float]:
        found = compare_work(work.engine.corpus, specs, edits_of(work))
        return {one.spec: one.total.embedded for one in found}

    return remembered("update_work", key, 4, make)


def outside_of(
    work: Workspace, now: Declared, rows: Sequence[Row]
) -> Outside | OverlapkitError | None:
    """Return the results from outside, or what is wrong with their table."""
    if now.outside is None:
        return None
    _, data = now.outside
    specs = tuple(dict.fromkeys(row.spec for row in rows))

    def read() -> Outside | OverlapkitError:
        try:
            return read_outside(data, specs)
        except OverlapkitError as error:
            return error

    return remembered("outside", (data, specs), 2, read)
