"""What a reading hands back: documents, and a sentence for all that needs one."""

from collections.abc import Sequence
from dataclasses import dataclass

from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError

_NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """The documents of some files, in the order of the files.

    ``notes`` say what was done to a file that was read or passed over, ``refused`` why
    one was not read. ``guesses`` are (document name, encoding) where the encoding was
    guessed: those a user may want to override.
    """

    documents: tuple[Document, ...] = ()
    notes: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    guesses: tuple[tuple[str, str], ...] = ()


def corpus_of_reading(reading: Reading) -> Corpus:
    """Return the corpus of a reading; raises InputError when it holds no document."""
    if not reading.documents:
        reasons = "; ".join(reading.refused or reading.notes) or "no file was given"
        raise InputError(f"a corpus needs at least one readable document; got none: {reasons}")
    return Corpus(reading.documents)


def listing(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    shown = ", ".join(names[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
