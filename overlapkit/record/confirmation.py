"""Whether the questions that were held back confirm a choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from overlapkit.gates import MEASURES, Candidate, Gate, Ruling, judge_gates, reason
from overlapkit.stats import Clustering
from overlapkit.words import counted, number

NOT_HELD_BACK = (
    "No questions were held back, so the choice was made and judged on the same ones: its "
    "figures are rather too good"
)
NO_CHOICE = "There is no choice to confirm"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The rulings of a choice over so many questions that it had not been made on.

    Without any, ``why_not`` says why there are none, in a sentence without its full stop.
    """

    questions: int
    rulings: tuple[Ruling, ...]
    why_not: str = ""

    @property
    def tested(self) -> bool:
        """Whether there were questions to confirm on."""
        return not self.why_not

    @property
    def confirmed(self) -> bool:
        """Whether all gates hold over them."""
        return self.tested and all(ruling.passed for ruling in self.rulings)


def confirm(
    candidate: Candidate,
    gates: Sequence[Gate],
    baseline: Candidate,
    cutoff_label: str,
    clustering: Clustering,
    questions: int,
) -> Confirmation:
    """Hold a choice to the gates over the questions that were held back.

    Both rows must be of those questions alone, and so must the clustering.
    """
    judged = judge_gates(candidate, gates, baseline, cutoff_label, clustering)
    return Confirmation(questions, judged.rulings)


def unconfirmed(why_not: str = NOT_HELD_BACK) -> Confirmation:
    """Return that there was nothing to confirm on, and why."""
    return Confirmation(0, (), why_not.rstrip("."))


def confirmation_sentence(found: Confirmation) -> str:
    """Return whether the choice is confirmed, with its numbers; else why that is not known."""
    if not found.tested:
        return f"Not confirmed on other questions. {found.why_not}."
    on = f"{counted(found.questions, 'question')} that had been held back"
    resting = [one for one in found.rulings if rests_on_questions(one.gate)]
    failed = [one for one in found.rulings if not one.passed]
    if failed:
        hold = len(found.rulings) - len(failed)
        rest = f" {_hold(hold)} there." if hold else ""
        return f"Not confirmed on {on}: {'; '.join(map(reason, failed))}.{rest}"
    if not resting:
        return f"No gate rests on questions, so the {on} say nothing new: all gates hold."
    return f"Confirmed on {on}: all gates hold there ({'; '.join(map(reason, resting))})."


def rests_on_questions(gate: Gate) -> bool:
    """Tell whether a gate's measure has a value for every question."""
    known = MEASURES.get(gate.measure)
    return known is not None and known.per_query


def _hold(count: int) -> str:
    return "The other gate holds" if count == 1 else f"The other {number(count)} gates hold"
