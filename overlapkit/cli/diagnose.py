"""``diagnose``: why questions miss, for one setting or over the overlaps of one size."""

import argparse
from collections.abc import Sequence
from textwrap import fill

from overlapkit.chunkers import ChunkSpec
from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import engine_of, run_of, size_of, spec_of, specs_of
from overlapkit.cli.output import WIDTH, progress, write, write_rows
from overlapkit.cli.texts import caption, cut, weak_terms, widened
from overlapkit.diagnose import CAUSES, Diagnosis, advice, diagnose, tally
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import QuerySet
from overlapkit.report import json_lines, spreadsheet_csv, text_table
from overlapkit.sweep import Row
from overlapkit.wording import UNIT_NAMES, number, remedy, setting


def diagnose_command(args: argparse.Namespace, notes: Notes) -> int:
    """Write how many questions each cause has, or each question's own."""
    specs, run = _specs_of(args), run_of(args)
    engine = engine_of(args, run, notes)
    show = progress("overlaps")
    rows, found = [], []
    for at, spec in enumerate(specs, start=1):
        evaluation = evaluate_with(engine, spec, run, tokens=False)
        found.append(diagnose(engine, evaluation))
        rows.append(Row(spec, evaluation.values, evaluation.per_query))
        notes += (note for note in widened(evaluation.chunks) if note not in notes)
        show(at, len(specs))
    notes += weak_terms(rows, run, engine.queries)
    head = caption(engine, run, args.unit)
    if args.overlaps is not None:
        _write_overlaps(args, head, specs, found)
    elif args.per_query:
        _write_questions(args, engine.queries, specs[0], found[0])
    else:
        _write_causes(args, head, specs[0], found[0], notes)
    return 0


def _specs_of(args: argparse.Namespace) -> list[ChunkSpec]:
    if args.overlaps is None:
        return [spec_of(args)]
    if args.overlap is not None:
        raise SettingsError("--overlap and --overlaps both say what to diagnose: give one of them")
    if args.per_query:
        raise SettingsError("--per-query lists one setting: give --overlap, not --overlaps")
    return list(dict.fromkeys(specs_of(args, [size_of(args)], args.overlaps)))


def _write_causes(
    args: argparse.Namespace, head: str, spec: ChunkSpec, found: Sequence[Diagnosis], notes: Notes
) -> None:
    counts, sentence = tally(found), advice(found, spec)
    if args.format != "table":
        rows = [
            {"cause": cause, "label": info.label, "questions": counts[cause]}
            for cause, info in CAUSES.items()
        ]
        write_rows(rows, args)
        notes.append(sentence)
        return
    table = text_table(
        {"cause": info.label, "questions": counts[cause]} for cause, info in CAUSES.items()
    )
    write([head, f"{setting(spec)}\n\n", table, "\n", fill(sentence, WIDTH), "\n"], args.out)


def _write_overlaps(
    args: argparse.Namespace,
    head: str,
    specs: Sequence[ChunkSpec],
    found: Sequence[Sequence[Diagnosis]],
) -> None:
    rows = []
    for spec, own in zip(specs, found, strict=True):
        if args.format == "table":
            row: dict[str, object] = {"overlap": f"{spec.overlap} ({spec.overlap_pct:.3g}%)"}
        else:
            row = {name: getattr(spec, name) for name in ("unit", "size", "overlap", "overlap_pct")}
        rows.append({**row, **{str(cause): n for cause, n in tally(own).items()}})
    size = f"{number(specs[0].size)} {UNIT_NAMES[specs[0].unit]}"
    write_rows(rows, args, f"{head}{size}\n\n{text_table(rows)}")


def _write_questions(
    args: argparse.Namespace, queries: QuerySet, spec: ChunkSpec, found: Sequence[Diagnosis]
) -> None:
    rows = [_row(one, queries, spec) for one in found]
    if args.format == "csv":
        write([spreadsheet_csv(rows)], args.out)
    elif args.format == "json":
        write(json_lines(rows), args.out)
    else:
        widths = {"id": 12, "query": 20, "cause": 15, "known": 46}
        lines = [{name: cut(str(row[name] or ""), widths[name]) for name in widths} for row in rows]
        write([text_table(lines)], args.out)


def _row(one: Diagnosis, queries: QuerySet, spec: ChunkSpec) -> dict[str, object]:
    span = one.span
    return {
        "id": one.id,
        "query": None if one.query is None else queries.queries[one.query].text,
        "cause": one.cause,
        "known": remedy(one, spec),
        "document": span.document if span else None,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "needed_size": one.needed_size,
        "working_overlap": one.working_overlap,
        "guaranteed_overlap": one.guaranteed_overlap,
        "rank": one.rank,
    }
