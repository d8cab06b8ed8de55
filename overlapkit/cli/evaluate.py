"""``evaluate``: one setting, in all or per question, and its files for TREC's evaluators."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np

from overlapkit.charts import is_rate
from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import engine_of, run_of, spec_of
from overlapkit.cli.output import WIDTH, write
from overlapkit.cli.texts import caption, weak_terms, widened
from overlapkit.decide import primary_metric
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.queries import QuerySet
from overlapkit.readers.names import legible
from overlapkit.report import (
    frame_of,
    json_lines,
    query_rows,
    spreadsheet_csv,
    text_table,
    trec_qrels,
    trec_run,
)
from overlapkit.retrieve import RunSpec
from overlapkit.sweep import Row, Sweep
from overlapkit.wording import describe, number, percent, setting


def evaluate_command(args: argparse.Namespace, notes: Notes) -> int:
    """Evaluate one setting; the files for TREC are written beside the result."""
    spec, run = spec_of(args), run_of(args)
    engine = engine_of(args, run, notes)
    found = evaluate_with(engine, spec, run)
    # In the order in which a sweep's rows come from the cache.
    row = Row(spec, dict(sorted(found.values.items())), found.per_query)
    notes += widened(found.chunks) + weak_terms([row], run, engine.queries)
    if args.per_query:
        write(_query_texts(args.format, found, engine), args.out)
    else:
        write(_setting_texts(args.format, row, run, engine), args.out)
    if args.trec_run is not None:
        write([trec_run(found, engine)], args.trec_run)
    if args.trec_qrels is not None:
        write([trec_qrels(found, engine)], args.trec_qrels)
    return 0


def _setting_texts(kind: str, row: Row, run: RunSpec, engine: Engine) -> list[str]:
    frame = frame_of(Sweep((row,), run, engine.terms, engine.queries))
    if kind == "csv":
        return [spreadsheet_csv(frame)]
    line = {str(name): column.tolist()[0] for name, column in frame.items()}
    if kind == "json":
        return list(json_lines([line]))
    metrics = [
        {"metric": name, "value": (percent if is_rate(name) else number)(value)}
        for name, value in line.items()
        if name in row.values and not np.isnan(value) and _speaks(name, engine.queries)
    ]
    about = f"{setting(row.spec)}: {describe(row.spec, row.values)}"
    return [caption(engine, run, row.spec.unit), fill(about, WIDTH), "\n\n", text_table(metrics)]


def _speaks(column: str, queries: QuerySet) -> bool:
    """Tell whether a table shows a metric: a chunk is rarely half evidence if that is short."""
    return queries.kind == "extent" or not column.startswith("strict")


def _query_texts(kind: str, found: Evaluation, engine: Engine) -> Iterable[str]:
    rows = query_rows(found, engine)
    if kind == "csv":
        return [spreadsheet_csv(rows)]
    if kind == "json":
        return json_lines(rows)
    label = found.run.cutoff.label
    names = [f"{primary_metric(engine.queries.kind)}@{label}", f"recall@{label}"]
    return [text_table(_query_line(row, names) for row in rows)]


def _query_line(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, object]:
    best = row["chunks"][0] if row["chunks"] else None
    return {
        "id": _cut(str(row["id"]), 24),
        "question": _cut(str(row["query"]), 36),
        **{name.split("@")[0]: percent(row[name], 0) for name in names},
        "best chunk": f"{_cut(best['doc'], 20)} {best['start']}-{best['end']}" if best else None,
    }


def _cut(text: str, width: int) -> str:
    text = legible(" ".join(text.split()))
    return text if len(text) <= width else text[: width - 1] + "…"
