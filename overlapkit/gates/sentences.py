"""Gates, decisions and locks in words and numbers."""

import math
from collections.abc import Mapping, Sequence

from overlapkit.cost import money
from overlapkit.gates.choice import Blocking, Decision
from overlapkit.gates.judging import Judged, Ruling
from overlapkit.gates.lock import Lock, Shown
from overlapkit.gates.measures import MEASURES
from overlapkit.gates.model import Gate, number_text, percent_text
from overlapkit.words import counted, number, percent, points, quality, sentence_case, setting

_MOST_DIGITS = 6


# --- gates ------------------------------------------------------------------------------


def gate_words(gate: Gate) -> str:
    """Return a gate in words: complete evidence of at least 95%, held at an interval's end."""
    name = measure_name(gate.measure)
    name = sentence_case(name)
    worse, end = ("below", "lower") if gate.sense == "at least" else ("above", "upper")
    if not gate.relative:
        said = f"{name} of {gate.sense} {_limit(gate)}"
    elif gate.limit:
        said = f"{name} no more than {_limit(gate)} {worse} the baseline"
    else:
        said = f"{name} not {worse} the baseline"
    if gate.at_bound:
        said += f", held at the {end} end of its 95% interval"
    return said + (" (critical)" if gate.critical else "")


def measure_name(measure: str) -> str:
    """Return a measure's name in running text."""
    known = MEASURES.get(measure)
    if known is None:
        return measure.replace("_", " ")
    # An abbreviation keeps its capitals.
    words = (word if word.isupper() else word.lower() for word in known.label.split())
    return " ".join(words)


def reason(ruling: Ruling) -> str:
    """Return why a setting fails a gate: complete evidence 91.2%, needs 95%."""
    gate = ruling.gate
    name = measure_name(gate.measure)
    if math.isnan(ruling.value):
        return f"{name} has no value here"
    at_least = gate.sense == "at least"
    if gate.relative:
        return f"{name} {_against_baseline(ruling)}"
    needs = _limit(gate) if at_least else f"at most {_limit(gate)}"
    value = _value(gate.measure, ruling.value, gate.limit)
    if gate.at_bound:
        end = _value(gate.measure, ruling.decisive, gate.limit)
        value += f", {'lower' if at_least else 'upper'} end {end}"
    return f"{name} {value}, needs {needs}"


def _against_baseline(ruling: Ruling) -> str:
    gate = ruling.gate
    worse, better = ("below", "above") if gate.sense == "at least" else ("above", "below")
    lost = -ruling.value if gate.sense == "at least" else ruling.value
    said = "at the baseline"
    if lost:
        said = f"{_distance(gate, lost)} {worse if lost > 0 else better} the baseline"
    if gate.at_bound:
        said += f", perhaps {_distance(gate, ruling.decisive)} {worse} it"
    allowed = f"at most {_limit(gate)} {worse}" if gate.limit else f"not {worse}"
    return f"{said}, needs to be {allowed} it"


# --- decisions --------------------------------------------------------------------------


def decision_sentence(decision: Decision, unit: str) -> str:
    """Return what the gates decide; ``unit`` is that of the costs: characters, MiB, US$."""
    if decision.outcome == "none":
        return _none(decision)
    return _keep(decision, unit) if decision.outcome == "keep" else _chosen(decision, unit)


def blocking_sentence(one: Blocking, settings: int) -> str:
    """Return how much a gate blocks, and by how much the nearest setting misses it."""
    return f"{gate_words(one.gate)}: {_blocked(one, settings)}."


def _blocked(one: Blocking, settings: int) -> str:
    if not one.failing:
        return "every setting clears it"
    said = f"{number(one.failing)} of {counted(settings, 'setting')} fail{_s(one.failing)} it"
    if 0 < one.alone < one.failing:
        said += f", {number(one.alone)} of them no other gate"
    elif one.alone:
        said += " and no other gate"
    return f"{said}; {_nearest(one)}"


def _nearest(one: Blocking) -> str:
    ruling = _ruling(one.nearest, one.gate)
    if math.isnan(ruling.value):
        return reason(ruling)
    return f"the nearest, {setting(one.nearest.spec)}, misses it ({reason(ruling)})"


def _none(decision: Decision) -> str:
    count, most = len(decision.judged), decision.blocking[0]
    gate = gate_words(most.gate)
    if len(decision.gates) == 1:
        return f"None of {counted(count, 'setting')} clears the gate. {gate}: {_nearest(most)}."
    said = f"None of {counted(count, 'setting')} clears {_all_gates(len(decision.gates))}."
    return f"{said} What blocks most is {_small(gate)}: {_blocked(most, count)}."


def _keep(decision: Decision, unit: str) -> str:
    now = _the(decision.current)
    keep, gates = f"Keep {setting(now.spec)}", _all_gates(len(now.rulings))
    if decision.cheapest is now:
        return f"{keep}: {_cheapest_of(decision)}."
    if decision.cheapest is None:
        return f"{keep}: it clears {gates}, and none of the settings judged does."
    if decision.keep_cost is None or math.isnan(decision.keep_cost):
        return (
            f"{keep}: it clears {gates}, and no setting that does gains on it in "
            f"{quality(decision.metric)} outside the noise; what keeping it costs is not known, so "
            "none can be called cheaper."
        )
    return (
        f"{keep}: it clears {gates}, and no setting that does costs less than keeping it "
        f"({_costs(decision.keep_cost, unit)}) or gains on it in {quality(decision.metric)} "
        "outside the noise."
    )


def _chosen(decision: Decision, unit: str) -> str:
    choice, now = _the(decision.choice), decision.current
    choose = f"Choose {setting(choice.spec)} for {_costs(decision.cost_of(choice.spec), unit)}"
    if choice is not decision.cheapest:
        gain = decision.gains[choice.spec]
        return (
            f"{choose}: today's {setting(_the(now).spec)} clears "
            f"{_all_gates(len(choice.rulings))} and nothing costs less than keeping it "
            f"({_costs(decision.keep_cost, unit)}), but this is the cheapest that gains on it in "
            f"{quality(decision.metric)} outside the noise: {points(gain.difference)} points, 95% "
            f"interval over all settings at once {points(gain.low)} to {points(gain.high)}."
        )
    said = f"{choose}: {_cheapest_of(decision)}."
    if now is None:
        return said
    failed = now.first_failed
    today = f"{said} Today's {setting(now.spec)}"
    if failed is not None:
        return f"{today} fails: {reason(failed)}."
    more = "" if decision.saves is None else f", for {_costs(decision.saves, unit)} more"
    return f"{today} clears as much{more}."


def _cheapest_of(decision: Decision) -> str:
    """Return how many settings clear all gates, of which one costs least."""
    passing, settings = len(decision.passing), len(decision.judged)
    gates = _all_gates(len(decision.gates))
    if settings == 1:
        return f"it clears {gates}"
    if passing == 1:
        return f"of {number(settings)} settings it alone clears {gates}"
    many = f"all {number(settings)}" if passing == settings else f"{number(passing)} of {settings}"
    return f"{many} settings clear {gates}, and it costs least"


def _s(count: int) -> str:
    """Return the ending of a verb whose subject is so many."""
    return "s" if count == 1 else ""


def _small(sentence: str) -> str:
    """Return a sentence's beginning as it stands within another; abbreviations stay."""
    return sentence if sentence[1:2].isupper() else sentence[0].lower() + sentence[1:]


def _all_gates(count: int) -> str:
    return {1: "the gate", 2: "both gates"}.get(count, f"all {number(count)} gates")


def _the(judged: Judged | None) -> Judged:
    """Return a setting that the outcome says is there."""
    assert judged is not None
    return judged


def _ruling(judged: Judged, gate: Gate) -> Ruling:
    return next(ruling for ruling in judged.rulings if ruling.gate == gate)


# --- what had been on show --------------------------------------------------------------


def honesty(lock: Lock) -> str:
    """Return plainly what had been on show when the gates were locked, and changed since."""
    said = f"{_on_show(lock)} What was looked at elsewhere is not known."
    if lock.changes:
        times = "once" if len(lock.changes) == 1 else f"{number(len(lock.changes))} times"
        said += f" A gate was changed {times} after the lock."
    return said


def since_lock(lock: Lock, settings: Mapping[str, str]) -> str:
    """Return what is set otherwise than at the lock, nothing where all is as it was.

    ``settings`` are the names and values of now; a name that is missing has no value.
    """
    then = dict(lock.settings)
    names = [name for name in (*then, *settings) if then.get(name) != settings.get(name)]
    changed = [
        f"{name} from {then.get(name, 'nothing')} to {settings.get(name, 'nothing')}"
        for name in dict.fromkeys(names)
    ]
    return f"Since the lock was changed: {'; '.join(changed)}." if changed else ""


def _on_show(lock: Lock) -> str:
    if lock.exposed:
        return (
            f"When the gates were locked, {_results(lock.exposed)} had been on show here, so the "
            "gates may have been chosen to fit them."
        )
    others = [one for one in lock.shown if one.settings]
    explored = [one for one in others if one.query_digest == lock.query_digest]
    if explored:
        return (
            f"When the gates were locked, {_results(explored)} had been on show here, and no "
            "result over the questions that are to confirm."
        )
    if others:
        return (
            f"When the gates were locked, {_results(others)} of another question set had been on "
            "show here, and no result over this one."
        )
    return "No result had been on show here when the gates were locked."


def _results(shown: Sequence[Shown]) -> str:
    """Return the most that had been on show: over all questions before a part of them."""
    whole = [one for one in shown if one.part == "all"]
    most = max(whole or shown, key=lambda one: (one.settings, one.questions))
    kind = {"all": "all ", "explore": "the exploring ", "confirm": "the confirming "}[most.part]
    over = f"{kind}{counted(most.questions, 'question')}"
    return f"results of {counted(most.settings, 'setting')} over {over}"


# --- numbers ----------------------------------------------------------------------------


def _limit(gate: Gate) -> str:
    """Return a limit in full; what may be lost of a rate, in points."""
    shown = _shown_as(gate.measure)
    if shown == "money":
        return money(gate.limit)
    if shown == "rate":
        text = percent_text(gate.limit)
        return _in_points(text.removesuffix("%")) if gate.relative else text
    return f"{gate.limit:,.0f}" if gate.limit.is_integer() else number_text(gate.limit)


def _distance(gate: Gate, difference: float) -> str:
    """Return how far from the baseline, with as many digits as tell it from the limit."""
    shown = _value(gate.measure, abs(difference), gate.limit)
    rate = _shown_as(gate.measure) == "rate"
    return _in_points(shown.removesuffix("%")) if rate else shown


def _in_points(figure: str) -> str:
    return f"{figure} point{'' if figure in ('1', '1.0') else 's'}"


def _value(measure: str, value: float, limit: float) -> str:
    """Return a value with as many digits as tell it from the limit that it is held to."""
    shown = _shown_as(measure)
    if shown == "money":
        return money(value)
    if value.is_integer() and shown != "rate":
        return f"{value:,.0f}"
    fewest = 1 if shown == "rate" else 0 if abs(value) >= 100 else 2
    for digits in range(fewest, _MOST_DIGITS):
        if shown == "rate":
            said, bound = percent(value, digits), percent(limit, digits)
        else:
            said, bound = f"{value:,.{digits}f}", f"{limit:,.{digits}f}"
        if said != bound:
            break
    return said


def _shown_as(measure: str) -> str:
    return MEASURES[measure].shown if measure in MEASURES else "number"


def _costs(cost: float | None, unit: str) -> str:
    if cost is None or math.isnan(cost):
        return "a cost that is not known"
    return money(cost) if unit == "US$" else f"{number(cost)} {unit}"
