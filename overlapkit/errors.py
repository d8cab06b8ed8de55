"""The errors a caller can expect, all of them children of one.

OverlapkitError (a ValueError)
├── SettingsError   a size, overlap, ranking, cut-off … outside its rule
├── InputError      a file, an archive or a pasted text that cannot become a document
└── QueryError      a query or golden set that cannot be used

A message is one sentence of rule, value and remedy, ready to be shown to a user:
``overlap must lie in 0..99 for size 100; got 100``. Anything that is not an
``OverlapkitError`` is a bug and must surface as one.
"""

from collections.abc import Iterable


class OverlapkitError(ValueError):
    """Base of all errors that a user's input can cause."""


class SettingsError(OverlapkitError):
    """A setting lies outside its rule."""


class InputError(OverlapkitError):
    """A file or text cannot become a document."""


class QueryError(OverlapkitError):
    """A query or a golden set cannot be used."""


def unknown_choice(kind: str, value: object, choices: Iterable[str]) -> SettingsError:
    """Return the error for a name that a table does not hold, listing those it does."""
    return SettingsError(f"{kind} must be one of {', '.join(choices)}; got {value!r}")
