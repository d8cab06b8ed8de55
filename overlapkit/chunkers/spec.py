"""What a chunking is asked for: validated once, then trusted."""

from dataclasses import dataclass, field

from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.tokens import ENCODINGS

UNITS = ("char", "word", "token")
LARGEST_SIZE = 1_000_000_000  # far beyond any text, and safe in 64-bit arithmetic
LARGEST_PHASE = 1000


@dataclass(frozen=True, slots=True)
class ChunkSpec:
    """A chunker and its settings; ``size`` and ``overlap`` count ``unit``.

    ``encoding`` names the byte-pair vocabulary when the unit is ``token``. ``asked_pct`` is
    the percentage that was asked for, if one was; it is only shown and makes no difference.
    ``phase`` 0 lets windows start with their document; phase n >= 1 moves the same windows
    back by a number of units drawn per document, the n-th draw.

    Raises SettingsError unless 0 <= overlap < size, phase lies in 0..1000, or is 0 where the
    chunker cuts no windows, and every name is known.
    """

    chunker: str = "window"
    unit: str = "char"
    size: int = 800
    overlap: int = 160
    encoding: str = "cl100k_base"
    asked_pct: int | None = field(default=None, compare=False)
    phase: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise unknown_choice("unit", self.unit, UNITS)
        if self.encoding not in ENCODINGS:
            raise unknown_choice("encoding", self.encoding, ENCODINGS)
        _check_whole("size", self.size, "use a whole number of at least 1")
        if self.size < 1:
            raise SettingsError(f"size must be at least 1; got {self.size}")
        if self.size > LARGEST_SIZE:
            raise SettingsError(f"size must be at most {LARGEST_SIZE}; got {self.size}")
        _check_whole("overlap", self.overlap, "use a whole number, or a percentage such as 20%")
        if not 0 <= self.overlap < self.size:
            raise SettingsError(
                f"overlap must lie in 0..{self.size - 1} for size {self.size}; got {self.overlap}"
            )
        _check_whole("phase", self.phase, f"use a whole number in 0..{LARGEST_PHASE}")
        if not 0 <= self.phase <= LARGEST_PHASE:
            raise SettingsError(f"phase must lie in 0..{LARGEST_PHASE}; got {self.phase}")
        if self.phase and self.chunker != "window":
            raise SettingsError(
                f"a phase moves windows, and chunker {self.chunker!r} cuts none; got phase "
                f"{self.phase}: leave it at 0, or use the chunker window"
            )

    @property
    def step(self) -> int:
        """Units from one window's start to the next."""
        return self.size - self.overlap

    @property
    def overlap_pct(self) -> float:
        """Overlap as a percentage of the size: as asked, else derived."""
        return 100 * self.overlap / self.size if self.asked_pct is None else self.asked_pct

    @classmethod
    def percent(
        cls,
        size: int,
        pct: int,
        *,
        chunker: str = "window",
        unit: str = "char",
        encoding: str = "cl100k_base",
    ) -> "ChunkSpec":
        """Return the spec with ``overlap = size * pct // 100``, pct a whole number in 0..99."""
        _check_whole("size", size, "use a whole number of at least 1")
        _check_whole("overlap percentage", pct, "use a whole number in 0..99")
        if not 0 <= pct <= 99:
            raise SettingsError(f"overlap percentage must lie in 0..99; got {pct}")
        return cls(chunker, unit, size, size * pct // 100, encoding, pct)


def parse_spec(
    size: int,
    overlap: str,
    *,
    chunker: str = "window",
    unit: str = "char",
    encoding: str = "cl100k_base",
) -> ChunkSpec:
    """Return the spec whose overlap is written ``"80"`` (units) or ``"20%"`` (of the size).

    Raises SettingsError for anything else.
    """
    body = overlap.strip()
    number = body.removesuffix("%").strip()
    # int() refuses very long digit strings by an error that is not ours.
    if not (number.isascii() and number.isdigit() and len(number) < 20):
        raise SettingsError(
            f"overlap must be a whole number or a percentage such as 20%; got {overlap[:40]!r}"
        )
    if body.endswith("%"):
        return ChunkSpec.percent(size, int(number), chunker=chunker, unit=unit, encoding=encoding)
    return ChunkSpec(chunker, unit, size, int(number), encoding)


def _check_whole(name: str, value: object, remedy: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{name} must be a whole number; got {value!r}: {remedy}")
