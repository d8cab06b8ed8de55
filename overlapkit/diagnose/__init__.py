"""Why each query misses: one cause each, and what would help."""

from overlapkit.diagnose.causes import CAUSES, Cause, CauseInfo, Diagnosis, Passage, tally
from overlapkit.diagnose.diagnosis import diagnose
from overlapkit.diagnose.sentences import advice

__all__ = ["CAUSES", "Cause", "CauseInfo", "Diagnosis", "Passage", "advice", "diagnose", "tally"]
