"""A gate: a threshold that a setting must clear, declared before the choice."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.gates.measures import MEASURES

Sense = Literal["at least", "at most"]
SENSES: tuple[Sense, ...] = get_args(Sense)

OUTSIDE_NAME = re.compile("[a-z][a-z0-9_]{0,59}")
_SIGNS = {"at least": (">=", "-"), "at most": ("<=", "+")}
_PLAIN_DIGITS = 15  # a number of more digits is written with an exponent


@dataclass(frozen=True, slots=True)
class Gate:
    """A threshold in one measure of ``MEASURES``, or in a result from outside by its name.

    ``limit`` of a rate is a fraction. ``relative`` means no worse than the baseline by more
    than ``limit``, in the measure's own unit. ``at_bound`` holds the worse end of the 95%
    interval to the limit. A ``critical`` gate is never loosened once gates are locked.

    Raises SettingsError for a limit, a name or a sense that makes no gate.
    """

    measure: str
    sense: Sense
    limit: float
    relative: bool = False
    at_bound: bool = False
    critical: bool = False

    def __post_init__(self) -> None:
        _check_name(self.measure)
        if self.sense not in SENSES:
            raise unknown_choice("a gate's sense", self.sense, SENSES)
        object.__setattr__(self, "limit", _number(self.measure, self.limit))
        if self.relative:
            self._check_relative()
        self._check_range()

    @property
    def text(self) -> str:
        """The gate as it is written: ``complete >= baseline - 2% at bound``."""
        sign, step = _SIGNS[self.sense]
        value = limit_text(self)
        if self.relative:
            value = f"baseline {step} {value}" if self.limit else "baseline"
        ends = (" at bound" if self.at_bound else "") + (" critical" if self.critical else "")
        return f"{self.measure} {sign} {value}{ends}"

    def _check_relative(self) -> None:
        if self.limit < 0:
            raise SettingsError(
                f"what {self.measure} may lose against the baseline must be at least 0; got "
                f"{number_text(self.limit)}"
            )
        known = MEASURES.get(self.measure)
        fitting = "at least" if known and known.better == "higher" else "at most"
        if known and self.sense != fitting:
            raise SettingsError(
                f"against the baseline {self.measure}, which is better when {known.better}, must "
                f"be {fitting} it; got {self.sense}"
            )

    def _check_range(self) -> None:
        known = MEASURES.get(self.measure)
        if known is None:
            if self.at_bound:
                raise SettingsError(
                    f"a result from outside has no interval here, so {self.measure} cannot be held "
                    "at a bound: leave out 'at bound', or bring the bound as a column of its own"
                )
            return
        if known.shown == "rate" and not 0 <= self.limit <= 1:
            raise SettingsError(
                f"the limit of {self.measure}, a rate, must lie in 0%..100%; got "
                f"{percent_text(self.limit)}: write it as 95% or 0.95"
            )
        if self.limit < 0:
            raise SettingsError(
                f"the limit of {self.measure} must be at least 0; got {number_text(self.limit)}"
            )


def check_distinct(gates: Sequence[Gate]) -> None:
    """Raise SettingsError unless there is a gate and each stands once."""
    if not gates:
        raise SettingsError(
            "there must be at least one gate; got none: declare one, such as complete >= 95%"
        )
    seen: set[str] = set()
    for gate in gates:
        if gate.text in seen:
            raise SettingsError(
                f"each gate must stand once; {gate.text!r} occurs twice: take one out"
            )
        seen.add(gate.text)


def limit_text(gate: Gate) -> str:
    """Return a gate's limit as it is written: a rate with %."""
    known = MEASURES.get(gate.measure)
    rate = known is not None and known.shown == "rate"
    return percent_text(gate.limit) if rate else number_text(gate.limit)


def percent_text(rate: float) -> str:
    """Return a fraction as a percentage with all its digits and no others."""
    return f"{_digits(Decimal(repr(rate)).scaleb(2))}%"


def number_text(value: float) -> str:
    """Return a number with all its digits and no others."""
    return _digits(Decimal(repr(value)))


def _digits(value: Decimal) -> str:
    value = value.normalize()
    plain = not value or abs(value.adjusted()) < _PLAIN_DIGITS
    return format(value, "f") if plain else str(value)


def _check_name(name: object) -> None:
    if not isinstance(name, str) or (name not in MEASURES and not OUTSIDE_NAME.fullmatch(name)):
        raise SettingsError(
            f"a gate's measure must be one of {', '.join(MEASURES)}, or the name of a result from "
            f"outside in small letters, digits and _; got {name!r}"
        )


def _number(measure: str, limit: object) -> float:
    """Return a limit as a float; raise SettingsError where it is no finite number."""
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        try:
            value = float(limit) + 0.0  # −0.0 becomes 0.0
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    raise SettingsError(f"the limit of {measure} must be a finite number; got {str(limit)[:40]}")
