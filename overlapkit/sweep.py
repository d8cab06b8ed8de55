"""Many settings on one corpus: the grid that charts and the verdict are drawn from."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from overlapkit.arrays import Floats
from overlapkit.cache import ResultCache, cache_key
from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine, prepare
from overlapkit.errors import unknown_choice
from overlapkit.evaluate import evaluate_with
from overlapkit.queries.model import QuerySet
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.terms import TermChoice

if TYPE_CHECKING:
    import pandas as pd

Cutoff = TopK | Budget

GRID_SIZES = (200, 300, 400, 600, 800, 1000, 1200, 1600, 2000)
GRID_OVERLAPS = (0, 5, 10, 15, 20, 25, 30, 40, 50)  # percent
# A word of English is about six characters with its space, a token about four.
CHARACTERS_PER_UNIT = {"char": 1, "word": 6, "token": 4}

# Columns in the order in which people read them; those not named here follow.
_LEADING = (
    "chunks", "index_chars", "index_x", "queries", "unresolved",
    "strict_hit@1", "strict_hit@", "strict_mrr@",
    "lenient_hit@1", "lenient_hit@", "lenient_mrr@",
    "complete@", "answer@", "containment", "query_containment",
    "recall@", "precision@", "iou@", "precision_omega",
    "distinct_docs@", "duplicate_slots@", "overlapping_slots@", "repeated_chars@",
    "retrieved_chars@",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One setting of a sweep: its spec, its values and what each query got."""

    spec: ChunkSpec
    values: Mapping[str, float]
    per_query: Mapping[str, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Settings evaluated on one corpus with one run spec, in the order asked for."""

    rows: tuple[Row, ...]
    run: RunSpec
    terms: TermChoice
    queries: QuerySet

    def row(self, spec: ChunkSpec) -> Row | None:
        """Return the row of a spec, or None."""
        return next((row for row in self.rows if row.spec == spec), None)

    def at_size(self, size: int) -> tuple[Row, ...]:
        """Return the rows of one size, by rising overlap."""
        rows = (row for row in self.rows if row.spec.size == size)
        return tuple(sorted(rows, key=lambda row: row.spec.overlap))

    def sizes(self) -> tuple[int, ...]:
        """Return the sizes, rising."""
        return tuple(sorted({row.spec.size for row in self.rows}))

    def knows(self, column: str) -> bool:
        """Tell whether some row has a value in a column."""
        return any(not math.isnan(row.values[column]) for row in self.rows)

    def to_frame(self) -> "pd.DataFrame":
        """Return one line per setting; rates are fractions, withheld values are missing."""
        # Importing pandas takes longer than opening the first page may.
        import pandas as pd  # noqa: PLC0415

        return pd.DataFrame([self._line(row) for row in self.rows])

    def _line(self, row: Row) -> dict[str, object]:
        spec = row.spec
        ours = spec.chunker in CHUNKERS  # chunks that were uploaded have no size of ours
        line: dict[str, object] = {
            "chunker": spec.chunker,
            "unit": spec.unit if ours else None,
            "size": spec.size if ours else None,
            "overlap": spec.overlap if ours else None,
            "overlap_pct": spec.overlap_pct if ours else None,
        }
        label = self.run.cutoff.label
        for name in _LEADING:
            column = name + label if name.endswith("@") else name
            if column in row.values:
                line[column] = row.values[column]
        return line | {k: v for k, v in sorted(row.values.items()) if k not in line}


def default_specs(unit: str = "char", encoding: str = "cl100k_base") -> tuple[ChunkSpec, ...]:
    """Return the default grid: 9 sizes by 9 overlaps, scaled to the unit.

    Raises SettingsError for an unknown unit.
    """
    if unit not in CHARACTERS_PER_UNIT:
        raise unknown_choice("unit", unit, CHARACTERS_PER_UNIT)
    ratio = CHARACTERS_PER_UNIT[unit]
    sizes = [round(size / ratio / 10) * 10 for size in GRID_SIZES]
    return tuple(
        ChunkSpec.percent(size, pct, unit=unit, encoding=encoding)
        for size in sizes
        for pct in GRID_OVERLAPS
    )


def sweep(
    corpus: Corpus,
    queries: QuerySet,
    specs: Iterable[ChunkSpec],
    run: RunSpec | None = None,
) -> Sweep:
    """Evaluate every spec; equal specs are evaluated once.

    Raises SettingsError or QueryError for input that cannot be used.
    """
    run = run or RunSpec()
    return sweep_with(prepare(corpus, queries, run.terms), tuple(specs), run)


def sweep_with(
    engine: Engine,
    specs: Sequence[ChunkSpec],
    run: RunSpec,
    *,
    also: tuple[Cutoff, ...] = (),
    tokens: bool = True,
    cache: ResultCache | None = None,
    on_row: Callable[[Row], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Sweep:
    """Evaluate every spec with what is already prepared.

    ``on_row`` is called after each; ``cancelled`` is asked before each, and ends the sweep
    with the rows so far. ``also`` adds metrics at further cut-offs.
    """
    rows = []
    for spec in dict.fromkeys(specs):
        if cancelled():
            break
        row = cached_row(engine, spec, run, also=also, tokens=tokens, cache=cache)
        rows.append(row)
        if on_row:
            on_row(row)
    return Sweep(tuple(rows), run, engine.terms, engine.queries)


def cached_row(
    engine: Engine,
    spec: ChunkSpec,
    run: RunSpec,
    *,
    also: tuple[Cutoff, ...] = (),
    tokens: bool = True,
    cache: ResultCache | None = None,
) -> Row:
    """Return the row of one setting, from the cache when it holds it."""

    def compute() -> dict[str, dict[str, Any]]:
        found = evaluate_with(engine, spec, run, also=also, tokens=tokens)
        columns = {name: column.tolist() for name, column in found.per_query.items()}
        return {"values": dict(found.values), "per_query": columns}

    stored: dict[str, dict[str, Any]]
    if cache is None:
        stored = compute()
    else:
        key = cache_key(
            "row", engine.corpus.digest, engine.queries.digest, engine.terms.name,
            spec, run.ranking, run.cutoff, also, tokens,
        )  # fmt: skip
        stored = cache.remember(key, compute)
    values, columns = stored["values"], stored["per_query"]
    return Row(spec, values, {name: np.array(column) for name, column in columns.items()})


def rising_overlaps(rows: Iterable[Row]) -> Iterator[tuple[int, tuple[Row, ...]]]:
    """Yield (size, its rows by rising overlap), sizes rising."""
    by_size: dict[int, list[Row]] = {}
    for row in rows:
        by_size.setdefault(row.spec.size, []).append(row)
    for size in sorted(by_size):
        yield size, tuple(sorted(by_size[size], key=lambda row: row.spec.overlap))
