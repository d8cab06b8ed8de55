"""Intervals, paired comparisons and chance levels: how much a difference can be trusted."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overlapkit.errors import SettingsError

ClusteredBy = Literal["document", "section", "query"]
Standing = Literal["keeps up", "falls behind", "cannot be told"]

MIN_DOCUMENTS = 20  # documents that must carry questions before they are the clusters
MIN_CLUSTERS = 10  # fewer than this and a bootstrap has nothing to resample
MOST_QUESTIONS = 100_000  # ``questions_needed`` says this for "this many or more"

Z95 = 1.959964
_NOISE = 1e-12  # of the scale: two orders of summing one value are not a difference
_BLOCK = 2**19  # numbers drawn at a time, so that memory stays small


class Bounds(Protocol):
    """Anything with two ends: an ``Interval``, a ``Paired``."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Two ends, both included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Which queries belong together: ``labels`` (read-only, 0 … count − 1), one per query."""

    labels: NDArray[np.int64]
    by: ClusteredBy
    count: int


@dataclass(frozen=True, slots=True)
class Paired:
    """Ours against a baseline, query by query.

    ``difference`` is the mean of ours − baseline, ``low`` and ``high`` its 95% interval.
    ``mcnemar_p`` is what holds *if questions were independent*; None where a value is
    neither 0 nor 1. ``identical`` means the two settings cut the very same chunks.
    """

    n: int
    difference: float
    low: float
    high: float
    won: int
    lost: int
    unchanged: int
    by: ClusteredBy
    identical: bool
    mcnemar_p: float | None


def wilson(successes: int, n: int, z: float = Z95) -> Interval:
    """Return Wilson's score interval (1927) of a rate; (0, 1) when nothing was tried."""
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie in 0..n for n {n}; got {successes}")
    if n == 0:
        return Interval(0.0, 1.0)
    rate, spread = successes / n, z * z / n
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    # At none and at all, one end is exactly 0 or 1; rounding would leave 1e-17 of it.
    return Interval(
        0.0 if successes == 0 else max(0.0, middle - half),
        1.0 if successes == n else min(1.0, middle + half),
    )


def clusters_of(
    query_documents: Sequence[Sequence[str | int]],
    query_sections: Sequence[Sequence[str | int]] | None = None,
) -> Clustering:
    """Group the queries that share evidence, since such queries win and lose together.

    Each query gives the documents (and sections) of its evidence. Queries that share a
    document, directly or through others, are one cluster when at least ``MIN_DOCUMENTS``
    documents carry questions; else those that share a section, where there is more than
    one; else every query is its own. A level that leaves fewer than ``MIN_CLUSTERS``
    clusters is passed over: a few questions over many documents can tie the whole set
    into one, and resampling a handful of clusters says little about the next corpus. The
    finer level then ignores what those queries share, so its interval is rather too
    narrow: ``by`` must stand beside it. A section label must name its document as well,
    else every "Introduction" is one section.
    """
    n = len(query_documents)
    if query_sections is not None and len(query_sections) != n:
        raise ValueError(f"sections must be given for all {n} queries; got {len(query_sections)}")
    ladder: tuple[tuple[ClusteredBy, Sequence[Sequence[str | int]], int], ...] = (
        ("document", query_documents, MIN_DOCUMENTS),
        ("section", query_sections or (), 2),
    )
    for by, keys, enough in ladder:
        labels = _components(keys)
        count = len(set(labels))
        if len({key for row in keys for key in row}) >= enough and count >= MIN_CLUSTERS:
            return _clustering(labels, by, count)
    return _clustering(list(range(n)), "query", n)


def paired(
    ours: ArrayLike,
    baseline: ArrayLike,
    clustering: Clustering,
    *,
    seed: int = 0,
    resamples: int = 10_000,
    scale: float = 1.0,
    same_setting: bool = False,
) -> Paired:
    """Compare two settings over the same queries, with a 95% interval by cluster bootstrap.

    Few or no discordant queries would give a bootstrap without width, so two imaginary
    queries join, one won and one lost by ``scale`` (the largest difference the metric can
    show), each its own cluster: the "+1 to each discordant cell" of Bonett & Price (2012,
    J. Educ. Behav. Stat. 37). ``difference`` is that of the real queries alone. The
    percentiles are those of Hesterberg's expanded interval (2015, Am. Stat. 69), which
    makes up for the narrowness of a bootstrap over few clusters, and the interval is
    widened where it would not reach ``difference``.

    The order of the queries and the names of the clusters change nothing, and swapping
    ours and baseline mirrors the interval exactly. ``same_setting`` says that both cut
    the very same chunks: the interval is (0, 0), whatever n is. Without any query the
    interval is (−scale, scale).
    """
    if resamples < 1:
        raise SettingsError(f"resamples must be at least 1; got {resamples}")
    one, other = np.asarray(ours, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    differences = _differences(one, other, clustering, scale)
    n = len(differences)
    if same_setting:
        differing = int(np.count_nonzero(differences))
        if differing:
            raise ValueError(f"the same setting must give the same values; {differing} differ")
        ends = Interval(0.0, 0.0)
    elif n == 0:
        ends = Interval(-scale, scale)
    else:
        ends = _interval(differences, clustering.labels, scale, resamples, seed)
    zero_one = bool(np.isin(one, (0, 1)).all() and np.isin(other, (0, 1)).all())
    return summed_up(differences, ends, clustering.by, same_setting, zero_one)


def summed_up(
    differences: NDArray[np.float64],
    ends: Interval,
    by: ClusteredBy,
    identical: bool,
    zero_one: bool,
) -> Paired:
    """Return settled differences as a comparison, its interval widened to reach their mean.

    ``zero_one`` says that all values are 0 or 1, so that McNemar's test can be asked.
    """
    n = len(differences)
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    mean = math.fsum(differences.tolist()) / n if n else 0.0
    return Paired(
        n=n,
        difference=mean,
        low=min(ends.low, mean),
        high=max(ends.high, mean),
        won=won,
        lost=lost,
        unchanged=n - won - lost,
        by=by,
        identical=identical,
        mcnemar_p=mcnemar(won, lost) if zero_one else None,
    )


def mcnemar(won: int, lost: int) -> float:
    """Return the exact two-sided p of McNemar's test; 1 without a discordant pair."""
    discordant = int(won) + int(lost)  # a NumPy whole number would overflow below
    term = tail = 1
    for i in range(min(won, lost)):
        term = term * (discordant - i) // (i + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << discordant))  # whole numbers up to the one division


def standing(loss: Bounds, margin: float) -> Standing:
    """Say whether a setting keeps up with the best; ``loss`` is best − this setting."""
    _check_margin(margin)
    if loss.high <= margin:
        return "keeps up"
    return "falls behind" if loss.low > 0 else "cannot be told"


def questions_needed(loss: Paired, margin: float) -> int | None:
    """Return about how many questions would decide ``standing``; None where it is decided.

    With the difference d staying where it is and both arms of the interval shrinking with
    √n, the upper end comes down to the margin at n·((high − d)/(margin − d))² if d < margin,
    and the lower end leaves 0 at n·((d − low)/d)² if d > 0; the smaller of the two counts,
    rounded up to two significant digits. The new questions are taken to cluster like the
    old; where hardly a query differs it is rather too many, since there the imaginary pair
    is most of the width and fades with n. ``MOST_QUESTIONS`` means that many or more, or
    that nothing has been asked yet.
    """
    if standing(loss, margin) != "cannot be told":
        return None
    factors = [math.inf]
    if loss.difference < margin:
        factors.append((loss.high - loss.difference) / (margin - loss.difference))
    if loss.difference > 0:
        factors.append((loss.difference - loss.low) / loss.difference)
    needed = loss.n * min(factors) * min(factors) if loss.n else math.inf
    if needed >= MOST_QUESTIONS:
        return MOST_QUESTIONS
    whole = max(loss.n + 1, math.ceil(needed))
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return min(MOST_QUESTIONS, -(-whole // unit) * unit)


def chance_hit(population: int, qualifying: int, k: int) -> float:
    """Return the probability that k random draws without replacement hold a qualifying one.

    Drawing more than there is draws all. 1 − C(N − K, k)/C(N, k), as a product of
    min(K, k) factors in logarithms, so that tiny probabilities keep their digits.
    """
    if not 0 <= qualifying <= population:
        raise ValueError(f"qualifying must lie in 0..{population}; got {qualifying}")
    if k < 0:
        raise ValueError(f"k must be at least 0; got {k}")
    fewer, more = sorted((qualifying, min(k, population)))
    if fewer + more > population:
        return 1.0
    missed = math.fsum(math.log1p(-more / (population - i)) for i in range(fewer))
    return -math.expm1(missed) + 0.0


def _check_margin(margin: float) -> None:
    if not margin >= 0:
        raise SettingsError(f"margin must be at least 0; got {margin}")


def _clustering(labels: list[int], by: ClusteredBy, count: int) -> Clustering:
    array = np.array(labels, dtype=np.int64)
    array.setflags(write=False)
    return Clustering(array, by, count)


def _components(keys: Sequence[Sequence[str | int]]) -> list[int]:
    """Label the connected components of queries that share a key, in order of appearance."""
    parent = list(range(len(keys)))

    def root(query: int) -> int:
        while parent[query] != query:
            parent[query] = parent[parent[query]]
            query = parent[query]
        return query

    first: dict[str | int, int] = {}
    for query, row in enumerate(keys):
        if isinstance(row, str):
            raise TypeError(f"each query needs a sequence of labels; got the string {row!r}")
        for key in row:
            a, b = root(query), root(first.setdefault(key, query))
            parent[max(a, b)] = min(a, b)
    number: dict[int, int] = {}
    return [number.setdefault(root(query), len(number)) for query in range(len(keys))]


def _differences(
    ours: NDArray[np.float64], baseline: NDArray[np.float64], clustering: Clustering, scale: float
) -> NDArray[np.float64]:
    if ours.ndim != 1 or ours.shape != baseline.shape or ours.shape != clustering.labels.shape:
        raise ValueError(
            "ours, baseline and clustering must have one value per query; got shapes "
            f"{ours.shape}, {baseline.shape} and {clustering.labels.shape}"
        )
    differences = ours - baseline
    if not np.isfinite(differences).all():
        raise ValueError("values must be finite; leave out the queries that have none")
    return settled(differences, scale)


def settled(differences: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Return differences with those that are rounding made 0; they may reach ``scale``."""
    largest = float(np.abs(differences).max(initial=0.0))
    # An imaginary pair smaller than the real differences would make the interval too narrow.
    if not (scale > 0 and largest <= scale * (1 + _NOISE)):
        raise ValueError(f"scale must reach the largest difference {largest:g}; got {scale:g}")
    return np.where(np.abs(differences) <= _NOISE * scale, 0.0, differences)


def _interval(
    differences: NDArray[np.float64],
    labels: NDArray[np.int64],
    scale: float,
    resamples: int,
    seed: int,
) -> Interval:
    """Return the bootstrap interval of the mean, the imaginary pair included."""
    members: dict[int, list[float]] = {}
    for label, value in zip(labels.tolist(), differences.tolist(), strict=True):
        members.setdefault(label, []).append(value)
    # fsum is exact, so neither the order of the queries nor a swap changes a bit of a sum.
    groups = Counter((math.fsum(values), len(values)) for values in members.values())
    groups.update([(scale, 1), (-scale, 1)])
    here = sorted(groups.items())
    there = sorted(((-total, size), count) for (total, size), count in groups.items())
    # Both directions of a comparison resample the same one of the two.
    ratios = np.concatenate(list(_ratios(min(here, there), resamples, seed)))
    tail = _tail(len(members) + 2)
    low, high = np.quantile(ratios, (tail, 1 - tail)).tolist()
    if here == there:
        low, high = (low - high) / 2, (high - low) / 2
    elif there < here:
        low, high = -high, -low
    # Rounding may leave the scale by a bit; + 0.0 turns −0.0 into 0.0.
    return Interval(max(-scale, low) + 0.0, min(scale, high) + 0.0)


def _ratios(
    groups: list[tuple[tuple[float, int], int]], resamples: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Yield sum/size of resampled clusters, block by block; equal clusters are one group."""
    rng = np.random.default_rng(seed)
    counts = np.array([count for _, count in groups])
    # A cluster as the complex number sum + size·i: one pass adds up both.
    values = np.array([complex(total, size) for (total, size), _ in groups])
    clusters = int(counts.sum())
    # Drawing how often each group occurs costs a binomial per group, drawing the clusters
    # a twelfth of that per cluster.
    merged = 12 * len(groups) <= clusters
    every = values.repeat(counts)
    dtype = np.min_scalar_type(clusters - 1)
    rows = max(1, _BLOCK // (len(groups) if merged else clusters))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        if merged:
            drawn = rng.multinomial(clusters, counts / clusters, size=size) @ values
        else:
            drawn = every.take(rng.integers(0, clusters, (size, clusters), dtype=dtype)).sum(axis=1)
        yield drawn.real / drawn.imag


def _tail(clusters: int) -> float:
    """Return the share to cut off each end: Φ(−t·√(c/(c − 1))), t with c − 1 degrees of freedom.

    t comes from the normal quantile by Cornish and Fisher's expansion (Abramowitz & Stegun
    26.7.5), good to 0.01% from 11 degrees of freedom on.
    """
    z, free = Z95, clusters - 1
    t = (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )
    return math.erfc(t * math.sqrt(clusters / free) / math.sqrt(2)) / 2
