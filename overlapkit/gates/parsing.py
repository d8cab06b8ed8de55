"""A gate as people write it: ``complete >= 95%``, ``chunks at most baseline + 100 critical``."""

import re
from decimal import Decimal

from overlapkit.errors import SettingsError
from overlapkit.gates.measures import MEASURES
from overlapkit.gates.model import OUTSIDE_NAME, Gate, Sense

LONGEST = 200  # characters; no gate needs more

_GATE = re.compile(r"([^<>=≤≥]+?) ?(>=|=>|≥|<=|=<|≤|at least|at most) ?(.+)")
_ENDS = re.compile(r"(.+) (at (?:the |its )?bound|critical)")
_NUMBER = r"([1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_VALUE = re.compile(
    rf"(baseline)? ?([+-])? ?(?:us ?\$|\$)? ?(?:{_NUMBER}(e[+-]?[0-9]{{1,3}})?)? ?"
    r"(%|percent|points?|pts?|pp)?"
)
_SENSES: dict[str, Sense] = {
    ">=": "at least", "=>": "at least", "≥": "at least", "at least": "at least",
    "<=": "at most", "=<": "at most", "≤": "at most", "at most": "at most",
}  # fmt: skip
_DASHES = str.maketrans("\N{MINUS SIGN}\N{EN DASH}", "--")


def parse_gate(text: str) -> Gate:
    """Return the gate that a text stands for: ``name (>=|<=) value [at bound] [critical]``.

    ``value`` is ``0.95``, ``95%``, ``4000``, ``baseline - 2%`` or ``baseline + 1.5``. A name
    may also be a measure's label. The inverse of ``Gate.text``.

    Raises SettingsError for anything else.
    """
    plain = " ".join(text.casefold().translate(_DASHES).split())
    found = _GATE.fullmatch(plain) if len(plain) <= LONGEST else None
    if found is None:
        raise _wrong(text)
    name, sense, rest = _name(found[1], text), _SENSES[found[2]], found[3]
    ends = set()
    while end := _ENDS.fullmatch(rest):
        rest = end[1]
        ends.add("critical" if end[2] == "critical" else "at bound")
    limit, relative = _value(name, sense, rest, text)
    return Gate(name, sense, limit, relative, "at bound" in ends, "critical" in ends)


def _name(written: str, text: str) -> str:
    """Return the measure that is meant; a name in several words is a label or is joined by _."""
    if " " in written:
        labels = {measure.label.casefold(): name for name, measure in MEASURES.items()}
        if written in labels:
            return labels[written]
    name = re.sub("[ -]", "_", written)
    if name in MEASURES or OUTSIDE_NAME.fullmatch(name):
        return name
    raise _wrong(text)


def _value(name: str, sense: Sense, written: str, text: str) -> tuple[float, bool]:
    """Return the limit and whether it is held against the baseline."""
    found = _VALUE.fullmatch(written)
    if found is None:
        raise _wrong(text)
    baseline, sign, digits, exponent, unit = found.groups()
    if digits is None:
        if baseline and not sign and not unit:
            return 0.0, True
        raise _wrong(text)
    value = Decimal(digits.replace(",", "") + (exponent or ""))
    if unit:
        if name in MEASURES and MEASURES[name].shown != "rate":
            raise SettingsError(
                f"a limit in % is for rates, and {name} is none; got {text[:80]!r}: write it as a "
                "plain number"
            )
        value = value.scaleb(-2)
    if baseline:
        wanted = "-" if sense == "at least" else "+"
        if sign != wanted:
            raise SettingsError(
                f"{sense} the baseline leaves room to lose and must be written baseline {wanted} "
                f"a number; got {text[:80]!r}"
            )
        return float(value), True
    return float(-value if sign == "-" else value), False


def _wrong(text: str) -> SettingsError:
    return SettingsError(
        'a gate must read like "complete >= 95%", "chunks <= 4000" or "complete >= baseline - 2% '
        f'at bound", its name one of {", ".join(MEASURES)} or of a result from outside; got '
        f"{text[:80]!r}"
    )
