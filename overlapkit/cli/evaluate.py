"""``evaluate``: one setting or what exists, in all or per question; files for TREC's evaluators."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np

from overlapkit.charts import is_rate
from overlapkit.cli.command import Notes
from overlapkit.cli.given import Given, is_given, judge_given
from overlapkit.cli.inputs import engine_of, run_of, spec_of
from overlapkit.cli.output import WIDTH, write
from overlapkit.cli.texts import caption, cut, weak_terms, widened
from overlapkit.decide import primary_metric
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.queries import QuerySet
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
from overlapkit.wording import describe
from overlapkit.words import number, percent, setting


def evaluate_command(args: argparse.Namespace, notes: Notes) -> int:
    """Evaluate one setting, or chunks and runs that exist; files for TREC stand beside it."""
    run, is_there = run_of(args), is_given(args)
    spec = spec_of(args)
    engine = engine_of(args, run, notes)
    given = judge_given(args, run, engine, notes) if is_there else None
    found = evaluate_with(engine, spec, run) if given is None else given.evaluation
    # In the order in which a sweep's rows come from the cache.
    row = Row(found.spec, dict(sorted(found.values.items())), found.per_query)
    notes += widened(found.chunks)
    if given is None or given.ranked_by is None:
        where = None if given is None else f"in {args.chunks}"
        notes += weak_terms([row], run, engine.queries, where)
    if args.per_query:
        write(_query_texts(args.format, found, engine), args.out)
    else:
        write(_setting_texts(args.format, row, run, engine, given), args.out)
    if args.trec_run is not None:
        write([trec_run(found, engine)], args.trec_run)
    if args.trec_qrels is not None:
        write([trec_qrels(found, engine)], args.trec_qrels)
    return 0


def _setting_texts(
    kind: str, row: Row, run: RunSpec, engine: Engine, given: Given | None
) -> list[str]:
    frame = frame_of(Sweep((row,), run, engine.terms, engine.queries))
    if given is not None:
        unknown = dict.fromkeys(("unit", "size", "overlap", "overlap_pct"))
        frame = frame.assign(chunker="given", **unknown)
        if given.ranked_by is not None:
            frame = frame.assign(ranking="given", terms=None)
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
    if given is None:
        about = f"{setting(row.spec)}: {describe(row.spec, row.values)}"
        head = caption(engine, run, row.spec.unit)
    else:
        about, head = given.about, caption(engine, run, ranked_by=given.ranked_by)
    return [head, fill(about, WIDTH), "\n\n", text_table(metrics)]


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
        "id": cut(str(row["id"]), 24),
        "question": cut(str(row["query"]), 36),
        **{name.split("@")[0]: percent(row[name], 0) for name in names},
        "best chunk": f"{cut(best['doc'], 20)} {best['start']}-{best['end']}" if best else None,
    }
