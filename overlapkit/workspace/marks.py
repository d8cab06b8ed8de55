"""A text's mark: a number by which it is known again, wherever it stands.

The mark of ``c[0] … c[n − 1]`` (code points) is the sum of ``c[i] · B**i`` modulo 2**64, a
polynomial hash as in Karp and Rabin (1987), so that all windows of a text are compared with
it in a few passes over arrays.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.arrays import Longs

MARK_DIGITS = 16  # hexadecimal
_BASE = 0x9E3779B97F4A7C15  # odd, so that no power of it vanishes

Codes: TypeAlias = npt.NDArray[np.uint64]


class Marks:
    """The marks of one text's stretches."""

    def __init__(self, text: str) -> None:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._codes = codes.astype(np.uint64)
        self._powers = np.full(len(codes), _BASE, dtype=np.uint64)
        self._powers[:1] = 1
        np.multiply.accumulate(self._powers, out=self._powers)
        self._sums: Codes | None = None

    def __len__(self) -> int:
        return len(self._codes)

    def at(self, start: int, end: int) -> str:
        """Return the mark of a stretch within the text, ``MARK_DIGITS`` hexadecimal digits."""
        part = self._codes[start:end]
        return f"{int((part * self._powers[: len(part)]).sum(dtype=np.uint64)):016x}"

    def find(self, mark: str, length: int) -> Longs:
        """Return where stretches of a length that have a mark begin."""
        if self._sums is None:
            self._sums = np.zeros(len(self._codes) + 1, dtype=np.uint64)
            np.cumsum(self._codes * self._powers, out=self._sums[1:])
        count = max(len(self._codes) - length + 1, 0)
        windows = self._sums[length:] - self._sums[:count]
        # A window's sum has the power of its place in it, so the mark is raised to it instead.
        return np.flatnonzero(windows == np.uint64(int(mark, 16)) * self._powers[:count])
