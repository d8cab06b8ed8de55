"""Labels from a manifest: a table of documents and their groups."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from overlapkit.corpus import Corpus
from overlapkit.errors import InputError, QueryError
from overlapkit.groups.labels import Labelled, with_labels
from overlapkit.queries.golden.columns import plain_name
from overlapkit.queries.golden.records import Record
from overlapkit.queries.golden.separated import read_separated
from overlapkit.readers.decode import decode

# Names of columns as ``plain_name`` gives them, the likelier before the less likely.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "document": ("document", "doc", "path", "name", "file", "filename"),
    "group": ("group", "label", "access"),
}
MOST_PATTERNS = 200  # with several stars: each is held against every document


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a row says: the group, None for no label, of a name or a pattern."""

    row: int
    name: str
    group: str | None


class _Patterns:
    """Patterns, in which each ``*`` stands for any text.

    One with a single star is what stands before and behind it, so a look-up finds it.
    """

    def __init__(self, entries: Iterable[_Entry], source: str) -> None:
        self._ends: dict[tuple[str, str], _Entry] = {}
        self._several: list[tuple[list[str], _Entry]] = []
        for entry in entries:
            first, *others = entry.name.split("*")
            if len(others) == 1:
                self._ends[first, others[0]] = entry
            else:
                self._several.append(([first, *others], entry))
        self._lengths = {(len(first), len(last)) for first, last in self._ends}
        if len(self._several) > MOST_PATTERNS:
            raise InputError(
                f"{source} may hold at most {MOST_PATTERNS:,} patterns with several *; got "
                f"{len(self._several):,}: name documents by their whole names or folders"
            )

    def fitting(self, name: str) -> list[_Entry]:
        """Return the rows whose pattern fits a name, in the order of the rows."""
        size = len(name)
        ends = (
            self._ends.get((name[:first], name[size - last :]))
            for first, last in self._lengths
            if first + last <= size
        )
        found = [entry for entry in ends if entry is not None]
        found += (entry for parts, entry in self._several if _fits(name, parts))
        return sorted(found, key=lambda entry: entry.row)


def _fits(name: str, parts: Sequence[str]) -> bool:
    """Tell whether a name is the parts with any texts between them."""
    first, *middle, last = parts
    if not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for part in middle:  # the earliest place of each leaves the others most room
        found = name.find(part, at, max(end, 0))
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def label_by_manifest(corpus: Corpus, data: bytes, source: str = "the manifest") -> Labelled:
    """Return the corpus with each document labelled as a table of separated cells says.

    The columns are called ``document`` and ``group`` (or as ``COLUMNS`` has it). A name is a
    document's whole name. In a pattern each ``*`` stands for any text, slashes included. The
    row that is a document's name decides; where there is none, the longest pattern that fits.
    A row without a group leaves its documents without a label.

    Raises InputError, which names rows and no document, for what cannot be read and where two
    rows that decide alike give different groups.
    """
    exact: dict[str, _Entry] = {}
    patterns: dict[str, _Entry] = {}
    for entry in _entries(data, source):
        table = patterns if "*" in entry.name else exact
        before = table.setdefault(entry.name, entry)
        if before.group != entry.group:
            raise _contradiction(source, before, entry)
    # A document may be called by what reads like a pattern.
    names = [document.name for document in corpus.documents]
    exact |= {name: patterns.pop(name) for name in names if name in patterns}
    of_patterns = _Patterns(patterns.values(), source)
    fitting = {name: of_patterns.fitting(name) for name in names}
    known = {*names, *(entry.name for fit in fitting.values() for entry in fit)}
    groups = {
        name: exact[name].group if name in exact else _longest(fitting[name], source)
        for name in names
    }
    named = sorted((*exact.values(), *patterns.values()), key=lambda entry: entry.row)
    unknown = tuple(entry.name for entry in named if entry.name not in known)
    return with_labels(corpus, lambda document: groups[document.name], unknown)


def _longest(fitting: Sequence[_Entry], source: str) -> str | None:
    """Return the group of the longest pattern; of as long ones all must give the same."""
    most = max((len(entry.name) for entry in fitting), default=0)
    longest = [entry for entry in fitting if len(entry.name) == most]
    for entry in longest:
        if entry.group != longest[0].group:
            raise _contradiction(source, longest[0], entry)
    return longest[0].group if longest else None


def _entries(data: bytes, source: str) -> Iterable[_Entry]:
    try:
        table = read_separated(decode(data).text)
    except (InputError, QueryError) as error:
        raise InputError(f"{source} cannot be read as a table: {error}") from None
    columns = _columns(table.columns, source)
    for record in table.records:
        if record.problem:
            raise InputError(f"{source}, row {record.number}: {record.problem}")
        name, group = (_cell(record, columns[role]) for role in COLUMNS)
        if name:
            yield _Entry(record.number, name, group or None)
        elif group:
            raise InputError(
                f"{source}, row {record.number}: a row must name a document; got none: "
                "give its name or leave the row out"
            )


def _cell(record: Record, column: str) -> str:
    return str(record.cells.get(column, "")).strip()


def _columns(names: Sequence[str], source: str) -> dict[str, str]:
    """Return the column of each role."""
    by_plain: dict[str, str] = {}
    for name in names:
        by_plain.setdefault(plain_name(name), name)
    found = {}
    for role, usual in COLUMNS.items():
        column = next((by_plain[plain] for plain in usual if plain in by_plain), None)
        if column is None:
            raise InputError(  # without the names there are: the first row may be a document's
                f"{source} must have a column called {' or '.join(usual)}; got {len(names)} "
                f"called otherwise: name the {role}s' column in the first row"
            )
        found[role] = column
    return found


def _contradiction(source: str, one: _Entry, other: _Entry) -> InputError:
    how = "patterns of equal length" if one.name != other.name else "the same name"
    return InputError(
        f"{source} must give a document one group; rows {one.row} and {other.row}, {how}, give "
        f"{one.group or 'none'} and {other.group or 'none'}: change one of them"
    )
