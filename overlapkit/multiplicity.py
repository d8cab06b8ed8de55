"""Many settings looked at together: intervals that hold for all at once, and adjusted p-values.

Of twenty 95% intervals one is expected to miss, so whoever looks over a grid for what differs
finds something. Both corrections here are for a baseline named beforehand: one picked because
it scored best has gained by the picking, which no width makes up for.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from overlapkit.arrays import Floats, Longs
from overlapkit.chunkers import ChunkSpec
from overlapkit.errors import SettingsError
from overlapkit.stats import Z95, Clustering, Interval, Paired, settled, summed_up

LEAST_RESAMPLES = 100  # fewer have no tail of 5%
_BLOCK = 2**20  # numbers drawn at a time, so that memory stays small


def simultaneous(
    rows_values: Mapping[ChunkSpec, Floats],
    baseline: Floats,
    clustering: Clustering,
    *,
    seed: int = 0,
    resamples: int = 4000,
    scale: float = 1.0,
    identical: Collection[ChunkSpec] = (),
) -> Mapping[ChunkSpec, Paired]:
    """Compare many settings with one baseline; 95% is the chance that *all* intervals hold.

    The single-step max-|t| of Westfall & Young (1993) and Romano & Wolf (2005, J. Am. Stat.
    Assoc. 100) over a bootstrap of clusters that all settings share: each difference is
    divided by its own bootstrap standard error, and the 95% quantile of the largest over the
    settings widens every interval alike. Settings that win and lose together widen little.

    As in ``paired``, two imaginary queries join, won and lost by ``scale`` in every setting
    and each its own cluster, and the quantile is expanded for few clusters. With the same
    seed no interval is narrower than over any part of the settings; over a single one it is
    close to that of ``paired``. Where many settings differ from the baseline on a handful of
    queries each and all in one direction, the chance falls below 95% (to about 85% for 81
    settings with 6 such queries in 300): no bootstrap knows what it has hardly seen.

    ``identical`` names settings that cut the very same chunks as the baseline, itself
    included: (0, 0). Queries without a value (NaN) somewhere are left out everywhere; no
    query at all leaves (−scale, scale). ``mcnemar_p`` is not adjusted (see ``holm``).
    """
    if resamples < LEAST_RESAMPLES:
        raise SettingsError(f"resamples must be at least {LEAST_RESAMPLES}; got {resamples}")
    ours, other, labels = _known(rows_values, baseline, clustering)
    differences = settled(ours - other[:, None], scale)
    same = np.array([spec in identical for spec in rows_values], dtype=bool)
    if differences[:, same].any():
        raise ValueError("the same setting must give the same values; some named identical differ")
    low, high = np.zeros((2, len(same)))
    if len(labels) == 0:
        low[~same], high[~same] = -scale, scale
    elif not same.all():
        ends = _intervals(differences[:, ~same], labels, scale, resamples, seed)
        low[~same], high[~same] = ends
    zero_one = bool(np.isin(other, (0, 1)).all())
    return {
        spec: summed_up(
            differences[:, at],
            Interval(float(low[at]), float(high[at])),
            clustering.by,
            bool(same[at]),
            zero_one and bool(np.isin(ours[:, at], (0, 1)).all()),
        )
        for at, spec in enumerate(rows_values)
    }


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted for their number, in the order given (Holm 1979).

    Rejecting where the adjusted value is at most α keeps the chance of a single false
    rejection at α, whatever the dependence between the tests; each p itself must hold, which
    for McNemar's means *if questions were independent*.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"p-values must lie in 0..1; got {p.tolist()}")
    order = np.argsort(p, kind="stable")
    stepped = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return tuple(adjusted.tolist())


def t95(free: int) -> float:
    """Return Student's two-sided 95% point, exact for every number of degrees of freedom.

    By halving, from the finite series of Abramowitz & Stegun 26.7.3 and 26.7.4.
    """
    if free < 1:
        raise ValueError(f"degrees of freedom must be at least 1; got {free}")
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_within(middle, free) < 0.95 else (low, middle)
    return math.sqrt(free) * math.tan(low)


def _chance_within(angle: float, free: int) -> float:
    """Return P(|t| ≤ √free · tan(angle))."""
    odd = free % 2
    at = np.arange(1, (free - odd) // 2)
    series = 1 + float(np.cumprod((2 * at - 1 + odd) / (2 * at + odd) * math.cos(angle) ** 2).sum())
    if not odd:
        return math.sin(angle) * series
    beyond_one = math.sin(angle) * math.cos(angle) * series if free > 1 else 0.0
    return 2 / math.pi * (angle + beyond_one)


# --- what simultaneous is made of ---------------------------------------------------------


def _known(
    rows_values: Mapping[ChunkSpec, Floats], baseline: ArrayLike, clustering: Clustering
) -> tuple[Floats, Floats, Longs]:
    """Return (query × setting values, baseline, labels) of the queries with every value."""
    other = np.asarray(baseline, dtype=np.float64)
    columns = [np.asarray(values, dtype=np.float64) for values in rows_values.values()]
    if {column.shape for column in (*columns, other)} != {clustering.labels.shape}:
        raise ValueError("every setting, baseline and clustering must have one value per query")
    ours = np.column_stack(columns) if columns else np.empty((len(other), 0))
    if np.isinf(ours).any() or np.isinf(other).any():
        raise ValueError("values must be finite, or NaN where a query has none")
    known = ~(np.isnan(ours).any(axis=1) | np.isnan(other))
    return ours[known], other[known], clustering.labels[known]


def _intervals(
    differences: Floats, labels: Longs, scale: float, resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Return the lower and the upper ends, one per column, of at least one query."""
    order = np.argsort(labels, kind="stable")
    _, first, members = np.unique(labels[order], return_index=True, return_counts=True)
    pair = np.full((1, differences.shape[1]), scale)
    sums = np.concatenate((np.add.reduceat(differences[order], first), pair, -pair))
    sizes = np.append(members, (1, 1))
    means = np.concatenate(list(_resampled_means(sums, sizes, resamples, seed)))
    centre = sums.sum(axis=0) / sizes.sum()
    error = means.std(axis=0, ddof=1)
    largest = np.abs((means - centre) / error).max(axis=1)
    clusters = len(sizes)
    # Hesterberg's expansion, as ``paired`` has it, of the quantile in place of the tail.
    expanded = t95(clusters - 1) * math.sqrt(clusters / (clusters - 1)) / Z95
    half = float(np.quantile(largest, 0.95)) * expanded * error
    return np.maximum(centre - half, -scale), np.minimum(centre + half, scale)


def _resampled_means(sums: Floats, sizes: Longs, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield resamples × settings means of clusters drawn with replacement, block by block.

    What is drawn depends on the number of clusters alone, so a setting's means are the same
    whichever others stand beside it.
    """
    rng = np.random.default_rng(seed)
    clusters = len(sizes)
    weighted = np.column_stack((sums, sizes.astype(np.float64)))
    most = max(1, _BLOCK // clusters)
    for start in range(0, resamples, most):
        rows = min(most, resamples - start)
        drawn = rng.integers(0, clusters, (rows, clusters))
        drawn += np.arange(rows)[:, None] * clusters
        often = np.bincount(drawn.ravel(), minlength=rows * clusters).reshape(rows, clusters)
        totals = often.astype(np.float64) @ weighted
        yield totals[:, :-1] / totals[:, -1:]
