"""Names for the kinds of arrays that modules hand to one another, and two ways to group."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Longs: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
AnyInts: TypeAlias = npt.NDArray[np.integer[Any]]  # where the width makes no difference


def sum_by(label: AnyInts, values: AnyInts | Floats, labels: int) -> Floats:
    """Return the sum of the values of each label in 0 … labels − 1, added in their order."""
    # numpy's stubs give whole numbers, weights or not; with them the array is of float64.
    return np.bincount(label, weights=values, minlength=labels).astype(np.float64, copy=False)


def spread(begin: AnyInts, count: AnyInts) -> Longs:
    """Return ``begin[i], begin[i] + 1, …``, ``count[i]`` of them, one i after the other."""
    end = np.cumsum(count)
    total = int(end[-1]) if len(end) else 0
    found: Longs = np.arange(total) + np.repeat(begin - (end - count), count)
    return found
