"""Gates declared before the choice, and the cheapest setting that clears them.

A new measure is a line in ``MEASURES``.
"""

from overlapkit.gates.choice import Blocking, Decision, check_gates, decide_by_gates
from overlapkit.gates.halves import FEWEST_PER_HALF, Halves, enough, split_halves, why_not
from overlapkit.gates.judging import (
    Candidate,
    Judged,
    Ruling,
    judge_gates,
    measured,
    rule_on,
    value_of,
)
from overlapkit.gates.lock import PARTS, Change, Lock, Shown, this_second
from overlapkit.gates.lock_fields import lock_fields, lock_from
from overlapkit.gates.measures import MEASURES, Measure, column_of
from overlapkit.gates.model import SENSES, Gate
from overlapkit.gates.outside import LeftOut, Outside, read_outside
from overlapkit.gates.overlap import OverlapCase, overlap_needed, rejects_overlap
from overlapkit.gates.parsing import parse_gate
from overlapkit.gates.sentences import (
    blocking_sentence,
    decision_sentence,
    gate_words,
    honesty,
    measure_name,
    reason,
    since_lock,
)

__all__ = [
    "FEWEST_PER_HALF",
    "MEASURES",
    "PARTS",
    "SENSES",
    "Blocking",
    "Candidate",
    "Change",
    "Decision",
    "Gate",
    "Halves",
    "Judged",
    "LeftOut",
    "Lock",
    "Measure",
    "Outside",
    "OverlapCase",
    "Ruling",
    "Shown",
    "blocking_sentence",
    "check_gates",
    "column_of",
    "decide_by_gates",
    "decision_sentence",
    "enough",
    "gate_words",
    "honesty",
    "judge_gates",
    "lock_fields",
    "lock_from",
    "measure_name",
    "measured",
    "overlap_needed",
    "parse_gate",
    "read_outside",
    "reason",
    "rejects_overlap",
    "rule_on",
    "since_lock",
    "split_halves",
    "this_second",
    "value_of",
    "why_not",
]
