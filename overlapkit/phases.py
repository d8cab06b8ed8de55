"""How much of a result is the accident of where cuts fall: the same windows, moved.

A setting is evaluated in several phases (see ``ChunkSpec``). Nothing else changes between
them, so what their values differ by is noise that no further question would remove.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from overlapkit.arrays import Floats
from overlapkit.chunkers import ChunkSpec
from overlapkit.errors import SettingsError
from overlapkit.multiplicity import t95
from overlapkit.stats import Bounds
from overlapkit.sweep import Row

FEWEST_PHASES, MOST_PHASES = 8, 16

Noise = Literal["questions", "phases", "both", "neither"]


@dataclass(frozen=True, slots=True, eq=False)
class PhaseNoise:
    """One column over the phases of a setting, by rising phase; ``values`` is read-only.

    NaN values are left out of the rest. ``sd`` is the standard deviation of one phase
    (n − 1 in its divisor), NaN for fewer than two.
    """

    values: Floats
    mean: float
    sd: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class PhaseDifference:
    """Ours minus a baseline over phases, each phase held against itself.

    ``difference`` is the mean, ``sd`` the standard deviation (n − 1 in its divisor) of one
    phase's difference. That of one more phase lies in ``low`` … ``high`` with a chance of 95%.
    """

    phases: int
    difference: float
    sd: float
    low: float
    high: float


def phase_specs(spec: ChunkSpec, phases: int = 12) -> tuple[ChunkSpec, ...]:
    """Return the spec in phases 1 … ``phases``, whatever its own is.

    Raises SettingsError unless there are 8 to 16.
    """
    whole = isinstance(phases, int) and not isinstance(phases, bool)
    if not (whole and FEWEST_PHASES <= phases <= MOST_PHASES):
        raise SettingsError(
            f"phases must be a whole number in {FEWEST_PHASES}..{MOST_PHASES}; got {phases!r}"
        )
    return tuple(replace(spec, phase=number) for number in range(1, phases + 1))


def by_setting(rows: Sequence[Row]) -> Mapping[ChunkSpec, tuple[Row, ...]]:
    """Group rows by their spec without its phase; settings as first met, phases rising."""
    found: dict[ChunkSpec, list[Row]] = {}
    for row in rows:
        found.setdefault(replace(row.spec, phase=0), []).append(row)
    return {
        spec: tuple(sorted(group, key=lambda row: row.spec.phase)) for spec, group in found.items()
    }


def phase_noise(rows: Sequence[Row]) -> Mapping[str, PhaseNoise]:
    """Return how far each column's value moves over the phases of one setting."""
    ordered = _phases_of(rows)
    return {column: column_noise(ordered, column) for column in ordered[0].values}


def column_noise(rows: Sequence[Row], column: str) -> PhaseNoise:
    """Return how far one column's value moves over the phases of one setting."""
    return _noise_of([row.values[column] for row in _phases_of(rows)])


def over_phases(rows: Sequence[Row]) -> Row:
    """Return one setting's phases as one row of phase 0, every value their mean.

    Per query, phases without a value (NaN) are left out, and NaN stays where none has one.
    Questions remain the rows to compare, so paired intervals and the verdict take it as any
    other row; a column of 0 and 1 becomes one of shares.
    """
    ordered = _phases_of(rows)
    first = ordered[0]
    values = {name: _mean([row.values[name] for row in ordered]) for name in first.values}
    per_query = {
        name: _mean_known(np.array([row.per_query[name] for row in ordered]))
        for name in first.per_query
    }
    return Row(replace(first.spec, phase=0), values, per_query)


def phase_interval(ours: Sequence[Row], baseline: Sequence[Row], column: str) -> PhaseDifference:
    """Return how far the difference of two settings moves over their common phases.

    The range is mean ± t·sd·√(1 + 1/n), t with n − 1 degrees of freedom: the prediction
    interval for one more draw (Hahn & Meeker, Statistical Intervals, 1991). It does not
    shrink to nothing with more phases, since a corpus is indexed in one of them.
    """
    one, other = _phases_of(ours), _phases_of(baseline)
    numbers = [row.spec.phase for row in one]
    if numbers != [row.spec.phase for row in other] or len(numbers) < 2:
        raise ValueError("both settings must be given in the same phases, at least two of them")
    pairs = zip(one, other, strict=True)
    found = _noise_of([a.values[column] - b.values[column] for a, b in pairs])
    if np.isnan(found.values).any():
        raise ValueError(f"column must have a value in every phase; {column!r} has not")
    n = len(numbers)
    half = t95(n - 1) * found.sd * math.sqrt(1 + 1 / n)
    return PhaseDifference(n, found.mean, found.sd, found.mean - half, found.mean + half)


def inside_noise(questions: Bounds, phases: Bounds) -> Noise:
    """Say which noise alone could make a difference seem to be there.

    It is inside the noise of questions when the paired interval (``stats.paired``) includes
    0: other questions could reverse it. It is inside the noise of phases when the range of
    ``phase_interval`` includes 0: the same windows, moved, could. Ends count as included, so
    settings that cut the same chunks are inside both.
    """
    of_questions = questions.low <= 0 <= questions.high
    of_phases = phases.low <= 0 <= phases.high
    if of_questions and of_phases:
        return "both"
    if of_questions:
        return "questions"
    return "phases" if of_phases else "neither"


def _phases_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows of one setting by rising phase."""
    groups = by_setting(rows)
    if len(groups) != 1:
        raise ValueError(f"rows must be phases of one setting; got {len(groups)} settings")
    (ordered,) = groups.values()
    if len({row.spec.phase for row in ordered}) != len(ordered):
        raise ValueError("each phase must be given once")
    return ordered


def _noise_of(column: Sequence[float]) -> PhaseNoise:
    values = np.array(column, dtype=np.float64)
    values.setflags(write=False)
    known = values[~np.isnan(values)]
    if not len(known):
        return PhaseNoise(values, math.nan, math.nan, math.nan, math.nan)
    mean = _mean(known.tolist())
    squares = math.fsum(((known - mean) ** 2).tolist())
    sd = math.sqrt(squares / (len(known) - 1)) if len(known) > 1 else math.nan
    return PhaseNoise(values, mean, sd, float(known.min()), float(known.max()))


def _mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are known; what no phase changes stays as it is."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return math.nan
    return known[0] if min(known) == max(known) else math.fsum(known) / len(known)


def _mean_known(values: Floats) -> Floats:
    """Return the mean down each column, NaN left out; NaN where there is nothing else."""
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    mean: Floats = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    return mean
