"""Hashes of every stretch of a text, from one reading of it."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.arrays import Longs

Hashes: TypeAlias = npt.NDArray[np.uint64]

# A polynomial in an odd base modulo 2**64: products that overflow are exact there, and
# dividing by the base is multiplying by its inverse.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)


class Powers:
    """Powers of the base and of its inverse, from the 0th on."""

    def __init__(self) -> None:
        self._known = {base: np.ones(1, dtype=np.uint64) for base in (_BASE, _INVERSE)}

    def of_base(self, count: int) -> Hashes:
        """Return the first powers of the base."""
        return self._first(_BASE, count)

    def of_inverse(self, count: int) -> Hashes:
        """Return the first powers of its inverse."""
        return self._first(_INVERSE, count)

    def _first(self, base: int, count: int) -> Hashes:
        if len(self._known[base]) < count:
            powers = np.full(count, base, dtype=np.uint64)
            powers[0] = 1
            self._known[base] = np.multiply.accumulate(powers)
        return self._known[base][:count]


class HashedText:
    """The polynomial hash of every stretch of a text."""

    def __init__(self, text: str, powers: Powers) -> None:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        # Neighbouring code points are spread far apart; none becomes 0.
        values = codes.astype(np.uint64)
        values += np.uint64(1)
        values *= np.uint64(0xD6E8FEB86659FD93)
        values ^= values >> np.uint64(32)
        values *= powers.of_base(len(values))
        self.sums = np.zeros(len(values) + 1, dtype=np.uint64)
        np.cumsum(values, out=self.sums[1:])
        self.shift = powers.of_inverse(len(values) + 1)

    def __len__(self) -> int:
        return len(self.sums) - 1

    def of(self, at: Longs, length: Longs | int) -> Hashes:
        """Return the hashes of some stretches."""
        found: Hashes = (self.sums[at + length] - self.sums[at]) * self.shift[at]
        return found

    def every(self, length: int) -> Hashes:
        """Return the hashes of all stretches of a length."""
        if length > len(self):
            return np.zeros(0, dtype=np.uint64)
        found: Hashes = self.sums[length:] - self.sums[:-length]
        found *= self.shift[: len(found)]
        return found
