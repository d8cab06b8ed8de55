"""Whether overlap is needed at all: by the gates, and by why questions miss without it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import compare_all
from overlapkit.diagnose import Cause, Diagnosis, tally
from overlapkit.diagnose.sentences import WORTH_NAMING
from overlapkit.errors import SettingsError
from overlapkit.gates.choice import Decision, series
from overlapkit.stats import Clustering
from overlapkit.sweep import Row

Needed = Literal["needed", "not needed", "unknown"]


@dataclass(frozen=True, slots=True)
class OverlapCase:
    """What speaks against overlap at one size; true where both do.

    ``causes`` are the leading causes of the ``misses`` at 0%, with their numbers, ``cut`` how
    many are cut at a boundary. ``gaining`` holds the overlaps of the ``tested`` ones whose
    gain over 0% lies outside the noise.
    """

    misses: int
    cut: int
    causes: tuple[tuple[Cause, int], ...]
    tested: int
    gaining: tuple[ChunkSpec, ...]
    rejected: bool

    def __bool__(self) -> bool:
        return self.rejected


def overlap_needed(decision: Decision) -> Needed:
    """Say whether the gates ask for overlap at the size of the choice.

    It is needed where 0% was among the candidates and fails a gate, and not needed where the
    choice itself has none.
    """
    if decision.choice is None:
        return "unknown"
    spec = decision.choice.spec
    if not spec.overlap:
        return "not needed"
    without = [
        one for one in decision.judged if series(one.spec) == series(spec) and not one.spec.overlap
    ]
    return "needed" if without and not any(one.passed for one in without) else "unknown"


def rejects_overlap(
    diagnoses: Iterable[Diagnosis],
    rows_at_size: Sequence[Row],
    metric: str,
    clustering: Clustering,
) -> OverlapCase:
    """Say whether the diagnosis at 0% overlap speaks against any overlap at that size.

    It does where fewer than ``WORTH_NAMING`` of the misses are cut at a boundary and none of
    the overlaps tested gains on 0% in the column ``metric`` outside the noise. Without a
    question, or another overlap beside 0%, nothing can be said.

    Raises SettingsError where 0% is not among the rows.
    """
    without = next((row for row in rows_at_size if not row.spec.overlap), None)
    if without is None:
        raise SettingsError("whether overlap is needed is told from 0%; got no such row: add 0%")
    counts = tally(diagnoses)
    hits = counts.pop("hit")
    counts.pop("unresolved")
    misses, cut = sum(counts.values()), counts["cut boundary"]
    gains = compare_all(rows_at_size, without, metric, clustering)
    tested = [row.spec for row in rows_at_size if row.spec.overlap]
    gaining = tuple(spec for spec in tested if gains[spec].low > 0)
    few = cut == 0 or cut < WORTH_NAMING * misses
    rejected = few and not gaining and bool(tested) and hits + misses > 0
    return OverlapCase(misses, cut, _leading(counts, misses), len(tested), gaining, rejected)


def _leading(counts: dict[Cause, int], misses: int) -> tuple[tuple[Cause, int], ...]:
    """Return the most frequent cause, and the next where it has its share of the misses."""
    by_count = sorted(counts.items(), key=lambda one: -one[1])[:2]
    least = (1, max(1, WORTH_NAMING * misses))
    return tuple(one for one, enough in zip(by_count, least, strict=True) if one[1] >= enough)
