"""A golden set's bytes to a query set on a corpus."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from overlapkit.corpus import Corpus
from overlapkit.errors import QueryError
from overlapkit.queries.golden.cells import is_blank
from overlapkit.queries.golden.columns import check_columns, roles_of
from overlapkit.queries.golden.forms import read_table
from overlapkit.queries.golden.records import Record
from overlapkit.queries.golden.resolve import Resolver
from overlapkit.queries.golden.rows import RowError, read_row
from overlapkit.queries.model import Need, Query, QuerySet, Unresolved
from overlapkit.readers.names import legible


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A row that is scored, with evidence that stands in several places, all of them right."""

    row: int
    id: str
    places: int

    @property
    def mark(self) -> str:
        """What to show beside the row."""
        return f"ambiguous: {self.places} places"


@dataclass(frozen=True, slots=True)
class GoldenSet(QuerySet):
    """The questions of a golden set; ``ambiguous`` names those with evidence in several places."""

    ambiguous: tuple[Ambiguous, ...] = ()


def load_golden(
    path: str | Path,
    corpus: Corpus,
    need: Need | None = None,
    columns: Mapping[str, str] | None = None,
) -> GoldenSet:
    """Return the golden set of a file; see ``read_golden``.

    Raises QueryError when the file cannot be read or holds no usable row.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise QueryError(
            f"the golden set {str(path)!r} cannot be read ({error.strerror}): check the path"
        ) from None
    return read_golden(data, corpus, Path(path).name, need, columns)


def read_golden(
    data: bytes,
    corpus: Corpus,
    source: str = "golden",
    need: Need | None = None,
    columns: Mapping[str, str] | None = None,
) -> GoldenSet:
    """Return the golden set held in CSV, JSON lines, JSON or SQuAD's JSON.

    ``need`` holds for every row; without it a row's own, else ``all`` for Chroma's
    references and RAGAS's hops, else ``any``. ``columns`` maps a role (see
    ``columns.NAMES``) to the name of its column, or to "" for none; other roles are guessed.
    A row that cannot be used is left out and listed with its number and reason.

    Raises QueryError when no row can be used, or a column that is needed is missing.
    """
    if need not in (None, "any", "all"):
        raise QueryError(f"need must be any or all; got {need!r}")
    table = read_table(data, source)
    if table.columns:
        check_columns(table.columns, columns, source)
    questions = _Questions(Resolver(corpus), need, columns)
    for record in table.records:
        questions.read(record)
    if not questions.queries:
        left_out = questions.left_out
        why = f": row {left_out[0].row}: {left_out[0].reason}" if left_out else ": it is empty"
        raise QueryError(f"{source} holds no usable question{why}")
    return GoldenSet(
        tuple(questions.queries.values()),
        "minimal",
        source,
        tuple(questions.left_out),
        tuple(questions.ambiguous),
    )


class _Questions:
    """The questions of a set as its rows are read."""

    def __init__(
        self, resolver: Resolver, need: Need | None, columns: Mapping[str, str] | None
    ) -> None:
        self.queries: dict[str, Query] = {}
        self.left_out: list[Unresolved] = []
        self.ambiguous: list[Ambiguous] = []
        self._resolver = resolver
        self._need = need
        self._columns = columns
        self._roles: dict[tuple[str, ...], dict[str, str]] = {}
        self._count: dict[str, int] = {}
        self._ids: dict[tuple[object, ...], str] = {}  # of what was kept, by its content

    def read(self, record: Record) -> None:
        """Add a row's question, or list it with the reason why there is none."""
        names = tuple(record.cells)
        if names not in self._roles:
            self._roles[names] = roles_of(names, self._columns)
        roles = self._roles[names]
        given = record.cells.get(roles.get("id", ""))
        own_id = None if is_blank(given) or isinstance(given, (list, dict)) else legible(str(given))
        row_id = f"row {record.number}" if own_id is None else own_id
        try:
            if record.problem:
                raise RowError(record.problem)
            asked = read_row(record.cells, roles)
            by_form: Need = "all" if asked.all_by_form and len(asked.pieces) > 1 else "any"
            spans, need, places = self._resolver.evidence(
                asked, self._need or asked.need or by_form
            )
            query = Query(row_id, asked.text, spans, need, asked.answer, asked.tag)
            new_id = self._add(query, own_id)
        except RowError as error:
            self.left_out.append(Unresolved(record.number, row_id, str(error), error.nearest))
            return
        if places:
            self.ambiguous.append(Ambiguous(record.number, new_id, places))

    def _add(self, query: Query, own_id: str | None) -> str:
        """Keep a query once; another question under a known id gets a number behind the id."""
        content = (own_id, query.text, query.evidence, query.need, query.answer, query.tag)
        if content in self._ids:
            kept = own_id or self._ids[content]
            raise RowError(f"repeats the question with id {kept!r}")
        number = self._count.get(query.id, 0) + 1
        self._count[query.id] = number
        new_id = query.id if number == 1 else f"{query.id}#{number}"
        while new_id in self.queries:
            number += 1
            new_id = f"{query.id}#{number}"
        self.queries[new_id] = replace(query, id=new_id)
        self._ids[content] = new_id
        return new_id
