"""A decision bound in one file that can be read, defended and run again.

The file is a workspace file with one more field, so that the work can be taken up from it; a
page beside it, in HTML, says the same in words and pictures.
"""

from overlapkit.record.confirmation import (
    Confirmation,
    confirm,
    confirmation_sentence,
    unconfirmed,
)
from overlapkit.record.html import record_html
from overlapkit.record.making import focus_of, make_record
from overlapkit.record.model import Bound, Edits, Figure, Measured, Record, Updates
from overlapkit.record.reading import VERSION, read_record
from overlapkit.record.rerun import Rerun, rerun
from overlapkit.record.writing import write_record

__all__ = [
    "VERSION",
    "Bound",
    "Confirmation",
    "Edits",
    "Figure",
    "Measured",
    "Record",
    "Rerun",
    "Updates",
    "confirm",
    "confirmation_sentence",
    "focus_of",
    "make_record",
    "read_record",
    "record_html",
    "rerun",
    "unconfirmed",
    "write_record",
]
