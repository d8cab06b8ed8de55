"""The cheapest setting that clears every gate, or what keeps all of them from it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import compare_all
from overlapkit.errors import SettingsError
from overlapkit.gates.judging import Candidate, Judged, judge_gates
from overlapkit.gates.measures import column_of
from overlapkit.gates.model import Gate, check_distinct
from overlapkit.retrieve import Budget
from overlapkit.stats import Clustering, Paired
from overlapkit.sweep import Cutoff

_ROUNDING = 1e-9  # costs that differ by less than this share are one cost
_OF_TEXT = ("retrieved_chars", "retrieved_tokens")

Outcome = Literal["chosen", "keep", "none"]
Series: TypeAlias = tuple[str, str, str, int]


class Blocking(NamedTuple):
    """How much one gate keeps settings out.

    ``failing`` settings fail it, ``alone`` of them no other gate. ``nearest`` is the one of
    those that comes nearest to passing it; of a gate that none fails, the cheapest setting.
    """

    gate: Gate
    failing: int
    alone: int
    nearest: Judged


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What the gates decide.

    ``choice`` is the setting to use: today's where it is kept, None where nothing passes.
    ``cheapest`` is the cheapest candidate that clears all gates, whether or not it is chosen.
    ``judged`` holds the candidates by rising cost, ``costs`` what each costs. ``keep_cost``
    is what keeping the current setting costs, ``saves`` how much less the choice does where
    that is why it is chosen. ``gains`` are in the column ``metric``, against the current
    setting, else the baseline, with intervals that hold together.
    """

    outcome: Outcome
    choice: Judged | None
    cheapest: Judged | None
    current: Judged | None
    judged: tuple[Judged, ...]
    costs: tuple[float, ...]
    keep_cost: float | None
    saves: float | None
    blocking: tuple[Blocking, ...]
    metric: str
    gains: Mapping[ChunkSpec, Paired]

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates, in their order."""
        return tuple(ruling.gate for ruling in self.judged[0].rulings)

    @property
    def passing(self) -> tuple[Judged, ...]:
        """The candidates that clear every gate, by rising cost."""
        return tuple(one for one in self.judged if one.passed)

    def cost_of(self, spec: ChunkSpec) -> float | None:
        """Return what a candidate costs, None for a setting that is none of them."""
        pairs = zip(self.judged, self.costs, strict=True)
        return next((cost for one, cost in pairs if one.spec == spec), None)


def check_gates(candidates: Sequence[Candidate], gates: Sequence[Gate], cutoff: Cutoff) -> None:
    """Raise SettingsError where gates cannot decide between candidates.

    Those of several sizes or chunkers need a limit on the text that is handed on.
    """
    check_distinct(gates)
    if not candidates:
        raise SettingsError("there must be at least one setting to judge; got none: measure some")
    kinds = {(one.spec.chunker, one.spec.unit, one.spec.size) for one in candidates}
    limited = any(gate.measure in _OF_TEXT and gate.sense == "at most" for gate in gates)
    if len(kinds) > 1 and not limited and not isinstance(cutoff, Budget):
        raise SettingsError(
            "settings of several sizes or chunkers must be held to an equal amount of text, since "
            f"{cutoff.k} bigger chunks are simply more text; got {len(kinds)} of them at the top "
            f"{cutoff.k}: set a context budget, add a gate such as retrieved_chars <= 4000, or "
            "judge one size"
        )


def decide_by_gates(
    candidates: Sequence[Candidate],
    gates: Sequence[Gate],
    *,
    cost: Callable[[Candidate], float],
    baseline: Candidate,
    current: Candidate | None,
    keep_cost: float | None,
    cutoff: Cutoff,
    metric: str,
    clustering: Clustering,
) -> Decision:
    """Return the cheapest candidate that clears all gates, unless the current setting stays.

    Of each size only the smallest overlap that clears them is in question. The current setting
    stays where it clears them and is the cheapest itself, or where nothing is cheaper than
    ``keep_cost`` (by default its own cost) and no candidate that passes gains on it in
    ``metric``, a rate of which more is better, outside the noise. Where nothing is cheaper
    but some do gain, the cheapest of those is chosen.

    Raises SettingsError as ``check_gates`` does.
    """
    check_gates(candidates, gates, cutoff)
    _check_baseline(candidates, gates, current)

    def judge(one: Candidate) -> Judged:
        return judge_gates(one, gates, baseline, cutoff.label, clustering)

    costs = {one.spec: cost(one) for one in candidates}
    judged = sorted(map(judge, candidates), key=lambda one: _order(one, costs[one.spec]))
    now = None if current is None else _among(judged, current) or judge(current)
    if current is None:
        keep_cost = None
    elif keep_cost is None:
        keep_cost = cost(current)
    column = metric if "@" in metric else column_of(metric, cutoff.label)
    reference = baseline if current is None else current
    gains = compare_all([one.row for one in candidates], reference.row, column, clustering)
    passing = [one for one in judged if one.passed]
    cheapest = next(iter(_in_question(passing)), None)
    choice, saves = _choose(passing, cheapest, now, costs, keep_cost, gains)
    outcome: Outcome = "none" if choice is None else "keep" if choice is now else "chosen"
    return Decision(
        outcome, choice, cheapest, now, tuple(judged), tuple(costs[one.spec] for one in judged),
        keep_cost, saves, _blocking(judged, gates) if outcome == "none" else (), column, gains,
    )  # fmt: skip


def _check_baseline(
    candidates: Sequence[Candidate], gates: Sequence[Gate], current: Candidate | None
) -> None:
    """Raise SettingsError where several sizes have no baseline in common."""
    relative = next((gate for gate in gates if gate.relative), None)
    sizes = {(one.spec.unit, one.spec.size) for one in candidates}
    if relative is not None and current is None and len(sizes) > 1:
        raise SettingsError(
            f"{relative.text!r} is held against the setting in production, and there are "
            f"{len(sizes)} sizes: say which is in production, or judge one size"
        )


def series(spec: ChunkSpec) -> Series:
    """Return what settings have in common that differ in nothing but their overlap."""
    return spec.chunker, spec.unit, spec.encoding, spec.size


def _choose(
    passing: Sequence[Judged],
    cheapest: Judged | None,
    now: Judged | None,
    costs: Mapping[ChunkSpec, float],
    keep_cost: float | None,
    gains: Mapping[ChunkSpec, Paired],
) -> tuple[Judged | None, float | None]:
    """Return the choice, which is ``now`` where it stays, and what it saves."""
    if now is None or keep_cost is None or not now.passed:
        return cheapest, None
    if cheapest is None or cheapest is now:
        return now, None
    asked = costs[cheapest.spec]
    if asked < keep_cost and not math.isclose(asked, keep_cost, rel_tol=_ROUNDING):
        return cheapest, keep_cost - asked
    return next((one for one in passing if gains[one.spec].low > 0), now), None


def _in_question(passing: Sequence[Judged]) -> list[Judged]:
    """Return the smallest overlap of each size, in the order given."""
    smallest: dict[Series, int] = {}
    for one in passing:
        group, overlap = series(one.spec), one.spec.overlap
        smallest[group] = min(overlap, smallest.get(group, overlap))
    return [one for one in passing if one.spec.overlap == smallest[series(one.spec)]]


def _order(one: Judged, cost: float) -> tuple[float | int | str, ...]:
    """Return by what settings are ordered; one whose cost is not known comes last."""
    spec = one.spec
    chunks = one.candidate.row.values.get("chunks", math.nan)
    return (
        _known(cost), _known(chunks), spec.overlap, spec.size, spec.chunker, spec.unit,
        spec.encoding, spec.phase,
    )  # fmt: skip


def _known(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _among(judged: Sequence[Judged], current: Candidate) -> Judged | None:
    return next((one for one in judged if one.spec == current.spec), None)


def _blocking(judged: Sequence[Judged], gates: Sequence[Gate]) -> tuple[Blocking, ...]:
    """Return every gate, the one that most settings fail first."""
    found = [_block(judged, gate, at) for at, gate in enumerate(gates)]
    return tuple(sorted(found, key=lambda one: (-one.failing, -one.alone)))


def _block(judged: Sequence[Judged], gate: Gate, at: int) -> Blocking:
    failing = [one for one in judged if not one.rulings[at].passed]
    alone = sum(sum(not ruling.passed for ruling in one.rulings) == 1 for one in failing)
    nearest = min(failing or judged[:1], key=lambda one: one.rulings[at].shortfall)
    return Blocking(gate, len(failing), alone, nearest)
