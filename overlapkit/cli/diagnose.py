"""``diagnose``: why questions miss, for one setting, the overlaps of a size, or what exists."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill, wrap

from overlapkit.chunkers import ChunkSpec
from overlapkit.cli.command import Notes
from overlapkit.cli.given import is_given, judge_given
from overlapkit.cli.inputs import engine_of, run_of, size_of, spec_of, specs_of
from overlapkit.cli.output import WIDTH, progress, write, write_rows
from overlapkit.cli.texts import caption, cut, weak_terms, widened
from overlapkit.diagnose import CAUSES, Diagnosis, advice, diagnose, tally
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import QuerySet
from overlapkit.readers.names import legible
from overlapkit.report import json_lines, spreadsheet_csv, text_table
from overlapkit.retrieve import RunSpec
from overlapkit.sweep import Row
from overlapkit.wording import remedy
from overlapkit.words import UNIT_NAMES, number, setting


def diagnose_command(args: argparse.Namespace, notes: Notes) -> int:
    """Write how many questions each cause has, or each question's own."""
    run = run_of(args)
    if is_given(args):
        return _diagnose_given(args, run, notes)
    specs = _specs_of(args)
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
        _write_causes(args, f"{head}{setting(specs[0])}\n", specs[0], found[0], notes)
    return 0


def _diagnose_given(args: argparse.Namespace, run: RunSpec, notes: Notes) -> int:
    """Write the same of chunks that exist, and of the run that was made from them."""
    if args.chunks is None:
        raise SettingsError(
            "a run names only the chunks that it brings, so what it misses has no known cause: "
            "give --chunks as well"
        )
    engine = engine_of(args, run, notes)
    given = judge_given(args, run, engine, notes, tokens=False)
    evaluation = given.evaluation
    spec, found = evaluation.spec, diagnose(engine, evaluation)
    if given.ranked_by is None:
        row = Row(spec, evaluation.values, evaluation.per_query)
        notes += weak_terms([row], run, engine.queries, f"in {args.chunks}")
    if args.per_query:
        _write_questions(args, engine.queries, spec, found)
    else:
        head = caption(engine, run, ranked_by=given.ranked_by)
        _write_causes(args, f"{head}{fill(given.about, WIDTH)}\n", spec, found, notes)
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
    write([head, "\n", table, "\n", fill(sentence, WIDTH), "\n"], args.out)


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
        write([text_table(line for row in rows for line in _lines(row))], args.out)


def _lines(row: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """Yield the lines of a question, of which what is known may take several."""
    known = legible(" ".join(str(row["known"]).split()))
    for at, part in enumerate(wrap(known, 46, max_lines=4, placeholder=" …") or [""]):
        widths = {"id": 12, "query": 20, "cause": 15}
        line = {n: "" if at else cut(str(row[n] or ""), width) for n, width in widths.items()}
        yield line | {"known": part}


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
