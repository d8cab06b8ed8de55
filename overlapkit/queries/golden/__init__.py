"""Golden sets: questions with the evidence that answers them, in every usual form.

CSV (commas, semicolons, tabs or bars), JSON lines, JSON or SQuAD's JSON, told by content. A
row holds a question and its evidence: as offsets, as text of a named document, or as text to
be found anywhere; columns are known by their names (``columns.NAMES``) or set by hand. A row
that cannot be used is listed with its number and reason, never scored.
"""

from overlapkit.queries.golden.preview import GoldenPreview, preview_golden
from overlapkit.queries.golden.quoting import Quoting, quoting
from overlapkit.queries.golden.reading import Ambiguous, GoldenSet, load_golden, read_golden

__all__ = [
    "Ambiguous",
    "GoldenPreview",
    "GoldenSet",
    "Quoting",
    "load_golden",
    "preview_golden",
    "quoting",
    "read_golden",
]
