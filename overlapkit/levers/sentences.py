"""What levers change and what overlap buys under each, in a sentence or two."""

from collections.abc import Mapping

from overlapkit.evaluate import METRICS
from overlapkit.levers.ablation import Ablation
from overlapkit.levers.table import NONE
from overlapkit.stats import Paired
from overlapkit.words import cutoff, number, percent, points, quality


def ablation_sentence(ablation: Ablation) -> str:
    """Return what overlap buys as retrieved, and once near-duplicates take one slot."""
    none, collapsed = ablation.effects[NONE], ablation.effects.get("collapse")
    if not ablation.on.overlap:
        return "Both settings are without overlap: there is nothing that overlap could buy."
    if not none.buys.n:
        return f"{quality(ablation.metric).capitalize()} has no value for any question."
    if none.buys.identical:
        return f"{_overlap(ablation)} changes nothing here: it cuts the same chunks as none."
    where = cutoff(ablation.run.cutoff)
    said = f"{_overlap(ablation)} {_buys(ablation, none.buys, where)} {none.lever.once}"
    if collapsed is not None:
        gain = _amount(ablation, collapsed.buys)
        said += f", and {gain} ({_range(ablation, collapsed.buys)}) {collapsed.lever.once}"
    return f"{said}, over {number(none.buys.n)} questions."


def lever_sentence(ablation: Ablation, name: str) -> str:
    """Return what one lever changes without overlap and with it, and what overlap then buys."""
    effect, none = ablation.effects[name], ablation.effects[NONE]
    what = f"{effect.lever.label}: {quality(ablation.metric)}"
    if not effect.buys.n:
        return f"{what} has no value for any question."
    sides = [
        _side(ablation, before.values, after.values, None if name == NONE else change)
        for before, after, change in (
            (none.off, effect.off, effect.changes_off),
            (none.on, effect.on, effect.changes_on),
        )
    ]
    if not ablation.on.overlap:
        return f"{what} without overlap {sides[0]}."
    said = f"{what} without overlap {sides[0]}; with {_percentage(ablation)} {sides[1]}."
    if effect.buys.identical:
        return f"{said} Overlap cuts the same chunks as none."
    gain = _buys(ablation, effect.buys)
    inside = effect.buys.low <= 0 <= effect.buys.high
    noise = " That is inside the noise of the questions." if inside else ""
    return f"{said} Overlap {'' if name == NONE else 'then '}{gain}.{noise}"


def _side(
    ablation: Ablation,
    before: Mapping[str, float],
    after: Mapping[str, float],
    change: Paired | None,
) -> str:
    old, new = (_value(ablation, values[ablation.metric]) for values in (before, after))
    if change is None:
        return new
    if change.identical:
        return f"still {new}, with nothing to change"
    moved = f"from {old} to {new}" if old != new else f"still {new}"
    amount = f"{_amount(ablation, change)}{_unit(ablation)}"
    return f"{moved} ({amount}, {_interval(ablation, change)})"


def _buys(ablation: Ablation, gain: Paired, where: str = "") -> str:
    """Return the gain with its metric and interval, as a purchase where it is one."""
    what = f"{quality(ablation.metric)} {where}".strip()
    amount, unit = _amount(ablation, gain), _unit(ablation)
    better = METRICS[ablation.metric.partition("@")[0]].better
    if unit and better == "higher" and gain.difference > 0:
        return f"buys {amount}{unit} of {what} ({_interval(ablation, gain)})"
    return f"changes {what} by {amount}{unit} ({_interval(ablation, gain)})"


def _overlap(ablation: Ablation) -> str:
    return f"Overlap of {_percentage(ablation)}"


def _percentage(ablation: Ablation) -> str:
    return f"{ablation.on.overlap_pct:.0f}%"


def _interval(ablation: Ablation, found: Paired) -> str:
    return f"95% interval {_range(ablation, found)}"


def _range(ablation: Ablation, found: Paired) -> str:
    return f"{_signed(ablation, found.low)} to {_signed(ablation, found.high)}"


def _amount(ablation: Ablation, found: Paired) -> str:
    return _signed(ablation, found.difference)


def _is_rate(ablation: Ablation) -> bool:
    return METRICS[ablation.metric.partition("@")[0]].shown == "rate"


def _unit(ablation: Ablation) -> str:
    return " points" if _is_rate(ablation) else ""


def _value(ablation: Ablation, value: float) -> str:
    return percent(value) if _is_rate(ablation) else number(value)


def _signed(ablation: Ablation, value: float) -> str:
    if _is_rate(ablation):
        return points(value)
    shown = number(abs(value))
    if shown in ("0", "0.00"):
        return "0"
    sign = "+" if value > 0 else "\N{MINUS SIGN}"
    return f"{sign}{shown}"
