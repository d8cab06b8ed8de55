"""The terminal interface: ``python -m overlapkit sweep docs --verdict``, for scripts and CI.

A command reads its options, calls the functions that the pages call, and writes text. A new
command is a function and a line in ``_COMMANDS``. What its reader should know besides
goes to standard error, and an error is one line there.
"""

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from overlapkit.cache import ResultCache
from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSet, ChunkSpec, chunk, parse_spec
from overlapkit.corpus import Corpus
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import cheapest_that_keeps_up, cluster_queries, primary_metric, verdict
from overlapkit.engine import Engine, prepare
from overlapkit.errors import OverlapkitError, SettingsError
from overlapkit.evaluate import METRICS, Evaluation, evaluate_with
from overlapkit.queries import QuerySet, heading_queries, load_golden, planted_contract
from overlapkit.queries.planted import TOP, WINDOW
from overlapkit.readers import corpus_of_reading, load_corpus, read_paths
from overlapkit.readers.names import legible
from overlapkit.report import (
    Rows,
    chunk_rows,
    json_lines,
    json_of,
    query_rows,
    spreadsheet_csv,
    text_table,
    trec_qrels,
    trec_run,
)
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK
from overlapkit.samples import SAMPLES
from overlapkit.sweep import GRID_OVERLAPS, Row, Sweep, default_specs, sweep, sweep_with
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import ENCODINGS
from overlapkit.verify import verify
from overlapkit.wording import (
    UNIT_NAMES,
    across_sentence,
    cutoff,
    describe,
    number,
    percent,
    setting,
    verdict_sentence,
)

DIFFERS, USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141  # exit codes beside 0

NEEDS = ("as-given", "any", "all")
CONTRACT_OVERLAPS = (0, 25, 50, 75)  # percent, as published

_WIDTH = 100  # columns of a terminal
_K = 5  # chunks retrieved where nothing else is asked for
_LISTED = 5  # items that a note names before it only counts them

# Column headings of the sweep's table with what they show, per kind of query set.
_SHOWN: Mapping[str, Mapping[str, str]] = {
    "minimal": {
        "complete": "complete@", "ceiling": "query_containment", "lenient": "lenient_hit@",
        "answer": "answer@", "recall": "recall@", "overlapping": "overlapping_slots@",
        "repeated": "repeated_chars@",
    },
    "extent": {
        "lenient": "lenient_hit@", "strict": "strict_hit@", "strict@1": "strict_hit@1",
        "strict_mrr": "strict_mrr@", "overlapping": "overlapping_slots@",
        "repeated": "repeated_chars@",
    },
}  # fmt: skip
_RATES_BESIDE_METRICS = (
    "containment", "query_containment", "predicted_containment", "precision_omega",
)  # fmt: skip

_AS_TEXT: Mapping[str, Callable[[Rows], str]] = {
    "table": text_table,
    "csv": spreadsheet_csv,
    "json": json_of,
}
FORMATS = tuple(_AS_TEXT)

Notes = list[str]
Command = Callable[[argparse.Namespace, Notes], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0 is success, 1 a verification that found a difference, 2 a usage or input error, 130 an
    interruption, 141 an output that was closed before its end.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    notes: Notes = []
    try:
        code = _run(argv, notes)
    except OverlapkitError as error:
        print(f"overlapkit: {legible(str(error))}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    for note in notes:
        print(legible(note), file=sys.stderr)
    return code


def _run(argv: Sequence[str] | None, notes: Notes) -> int:
    try:
        args = _parser().parse_args(argv)
    except SystemExit:  # --help has been printed; errors are raised as SettingsError
        _write([], None)
        return 0
    command: Command = args.command
    return command(args, notes)


# --- commands ---------------------------------------------------------------------------


def _sweep(args: argparse.Namespace, notes: Notes) -> int:
    specs, run = _grid(args), _run_spec(args)
    engine = _engine(args, run, notes)
    show, done = _progress("settings"), count(1)
    total = len(dict.fromkeys(specs))
    with closing(ResultCache.disabled() if args.no_cache else ResultCache.open()) as cache:
        swept = sweep_with(
            engine, specs, run, cache=cache, on_row=lambda _: show(next(done), total)
        )
        notes += [f"note: {cache.notice}"] if cache.notice else []
    notes += _weak_terms(swept.rows, run, engine.queries)
    sentences = _verdicts(engine, swept, args.cost) if args.verdict else []
    if args.format == "table":
        text = [_caption(engine, run, specs[0].unit), "\n", text_table(_sweep_rows(swept))]
        text += ("\n" + fill(sentence, _WIDTH) + "\n" for sentence in sentences)
        _write(text, args.out)
    else:
        _write_rows(_frame(swept), args)
        notes += sentences
    return 0


def _chunk(args: argparse.Namespace, notes: Notes) -> int:
    spec = _spec(args)
    corpus, _ = _corpus(args, notes)
    chunks = chunk(corpus, spec)
    notes += _widened(chunks)
    rows = chunk_rows(corpus, chunks)
    _write([spreadsheet_csv(rows)] if args.format == "csv" else json_lines(rows), args.out)
    return 0


def _evaluate(args: argparse.Namespace, notes: Notes) -> int:
    spec, run = _spec(args), _run_spec(args)
    engine = _engine(args, run, notes)
    found = evaluate_with(engine, spec, run)
    # In the order in which a sweep's rows come from the cache.
    row = Row(spec, dict(sorted(found.values.items())), found.per_query)
    notes += _widened(found.chunks) + _weak_terms([row], run, engine.queries)
    if args.per_query:
        _write(_query_texts(args.format, found, engine), args.out)
    else:
        _write(_setting_texts(args.format, row, run, engine), args.out)
    if args.trec_run is not None:
        _write([trec_run(found, engine)], args.trec_run)
    if args.trec_qrels is not None:
        _write([trec_qrels(found, engine)], args.trec_qrels)
    return 0


def _contract(args: argparse.Namespace, notes: Notes) -> int:
    del notes  # nothing was read
    specs = [ChunkSpec.percent(WINDOW, pct, unit="word") for pct in CONTRACT_OVERLAPS]
    swept = sweep(*planted_contract(), specs, RunSpec("count", "word", TopK(TOP)))
    _write_rows([_contract_row(row) for row in swept.rows], args)
    return 0


def _contract_row(row: Row) -> dict[str, object]:
    words = row.values[f"retrieved_words@{TOP}"]
    return {
        "overlap_pct": row.spec.asked_pct,
        "chunks": row.values["chunks"],
        "answer_hits": int(row.per_query[f"answer@{TOP}"].sum()),
        "complete_evidence": int(row.per_query[f"complete@{TOP}"].sum()),
        "unique_documents": row.values[f"distinct_docs@{TOP}"],
        "duplicate_slots": row.values[f"duplicate_slots@{TOP}"],
        "retrieved_words": int(words) if words.is_integer() else words,
    }


def _verify(args: argparse.Namespace, notes: Notes) -> int:
    spec, run = _spec(args), RunSpec("okapi", args.terms, _top(args.k))
    if args.limit_queries is not None and args.limit_queries < 1:
        raise SettingsError(f"--limit-queries must be at least 1; got {args.limit_queries}")
    engine = _engine(args, run, notes)
    found = verify(engine, spec, _top(args.k).k, _progress("questions"), limit=args.limit_queries)
    row = {
        "chunks": found.chunks,
        "queries": found.queries,
        "k": found.k,
        "terms": found.terms,
        "differing": found.differing,
        "largest_difference": found.largest_difference,
        "our_seconds": found.our_seconds,
        "their_seconds": found.their_seconds,
    }
    table = (
        f"{setting(spec)}, terms {found.terms}: {_counted(found.chunks, 'chunk')}, "
        f"{_counted(found.queries, 'question')}, top {found.k}\n"
        f"questions whose ranked chunks differ: {found.differing}\n"
        f"largest difference of a score: {found.largest_difference:g}\n"
        f"seconds: {found.our_seconds:.2f} here, {found.their_seconds:.2f} in rank-bm25\n"
    )
    _write([table] if args.format == "table" else [_AS_TEXT[args.format]([row])], args.out)
    return 0 if found.same else DIFFERS


def _samples(args: argparse.Namespace, notes: Notes) -> int:
    del notes  # nothing was read
    rows = [{"name": n, "label": s.label, "about": s.about} for n, s in SAMPLES.items()]
    indent = max(map(len, SAMPLES)) + 2
    margin = " " * indent
    table = "".join(
        fill(f"{name:{indent}}{sample.label}: {sample.about}", _WIDTH, subsequent_indent=margin)
        + "\n"
        for name, sample in SAMPLES.items()
    )
    _write([table] if args.format == "table" else [_AS_TEXT[args.format](rows)], args.out)
    return 0


# --- input ------------------------------------------------------------------------------


def _corpus(args: argparse.Namespace, notes: Notes) -> tuple[Corpus, QuerySet | None]:
    """Return what the paths hold, or a bundled corpus with its own queries."""
    if bool(args.paths) == (args.sample is not None):
        raise SettingsError("give either paths to files and folders, or --sample NAME")
    if args.sample is not None:
        return SAMPLES[args.sample].load()
    reading = read_paths(args.paths)
    notes += (f"note: {note}" for note in (*reading.notes, *reading.refused))
    # Of the refused, a file that was named itself is an error, one in a folder is not.
    return (load_corpus(args.paths) if reading.refused else corpus_of_reading(reading)), None


def _engine(args: argparse.Namespace, run: RunSpec, notes: Notes) -> Engine:
    corpus, queries = _corpus(args, notes)
    if args.queries == "headings" or (queries is None and args.queries is None):
        queries = heading_queries(corpus)
    elif queries is None or args.queries is not None:
        queries = load_golden(args.queries, corpus)
    left_out = queries.unresolved
    notes += (f"note: left out: row {row.row}: {row.reason}" for row in left_out[:_LISTED])
    if len(left_out) > _LISTED:
        notes.append(f"note: left out: {len(left_out) - _LISTED} more rows of {queries.source}")
    if args.need != "as-given":
        asked = tuple(replace(query, need=args.need) for query in queries)
        queries = replace(queries, queries=asked)
    return prepare(corpus, queries, run.terms)


def _run_spec(args: argparse.Namespace) -> RunSpec:
    if args.budget is None:
        if args.budget_unit is not None or args.tail is not None:
            raise SettingsError("--budget-unit and --tail say how --budget counts: give that too")
        return RunSpec(args.ranking, args.terms, _top(args.k))
    if args.k is not None:
        raise SettingsError("--k and --budget both end the list: give one of them")
    budget = Budget(args.budget, args.budget_unit or "char", args.tail or "truncate")
    return RunSpec(args.ranking, args.terms, budget)


def _top(k: int | None) -> TopK:
    return TopK(_K if k is None else k)


def _spec(args: argparse.Namespace) -> ChunkSpec:
    names = {"chunker": args.chunker, "unit": args.unit, "encoding": args.encoding}
    return parse_spec(args.size, args.overlap, **names)


def _grid(args: argparse.Namespace) -> list[ChunkSpec]:
    """Return every size with every overlap, as asked for or from the default grid."""
    names = {"chunker": args.chunker, "unit": args.unit, "encoding": args.encoding}
    sizes = args.sizes or dict.fromkeys(s.size for s in default_specs(args.unit, args.encoding))
    overlaps = args.overlaps or [f"{pct}%" for pct in GRID_OVERLAPS]
    for size in sizes:
        ChunkSpec(size=size, overlap=0)  # a size that is wrong by itself is named first
    pairs = list(product(sizes, overlaps))
    wrong = [f"{o} at size {size}" for size, o in pairs if o.isdigit() and int(o) >= size]
    if wrong:
        raise SettingsError(
            f"an overlap must be smaller than its size; got {', '.join(wrong)}: "
            "leave them out or give percentages"
        )
    return [parse_spec(size, overlap, **names) for size, overlap in pairs]


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", text):
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at most nine digits; got {text!r}"
        )
    return int(text)


def _wholes(text: str) -> list[int]:
    return [_whole(part) for part in text.split(",")]


def _overlap(text: str) -> str:
    """Return an overlap that some size has room for, without spaces."""
    _whole(text.strip().removesuffix("%"))
    try:
        parse_spec(10**9, text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return "".join(text.split())


def _overlaps(text: str) -> list[str]:
    return [_overlap(part) for part in text.split(",")]


# --- output -----------------------------------------------------------------------------


def _write_rows(rows: Rows, args: argparse.Namespace) -> None:
    _write([_AS_TEXT[args.format](rows)], args.out)


def _write(pieces: Iterable[str], out: str | None) -> None:
    """Write to a file, or to standard output where none is named."""
    if out is None:
        try:
            for piece in pieces:
                print(piece, end="")
            print(end="", flush=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            _discard_output()
            raise SettingsError(
                f"standard output cannot be written ({error.strerror}): use --out"
            ) from None
        return
    try:
        with Path(out).open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(pieces)
    except OSError as error:
        raise _unwritable(out, error.strerror) from None


def _unwritable(out: str, reason: str | None) -> SettingsError:
    return SettingsError(f"{out} cannot be written ({reason}): name another file")


def _file_to_write(text: str) -> str:
    """Return the name of a file, refused at once where writing it must fail later."""
    path = Path(text)
    try:
        reason = "it is a folder" if path.is_dir() else "its folder does not exist"
        if not path.is_dir() and path.parent.is_dir():
            return text
    except OSError as error:
        reason = str(error.strerror)
    raise argparse.ArgumentTypeError(str(_unwritable(text, reason)))


def _discard_output() -> None:
    """Let what is still in the buffer go nowhere, so that leaving does not fail on it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _progress(what: str) -> Callable[[int, int], None]:
    """Return what shows progress on a terminal, and nowhere else."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            text = f"{done} of {total} {what}" if done < total else ""
            print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    return show


def _caption(engine: Engine, run: RunSpec, unit: str) -> str:
    corpus, queries = engine.corpus, engine.queries
    ranking = RANKINGS[run.ranking]
    lines = [
        f"{_counted(len(corpus.documents), 'document')}, {_counted(corpus.characters, 'character')}"
        f"; {_counted(len(queries), 'question')} ({queries.source}), evidence {queries.kind}",
        f"{ranking.label} ({run.ranking}) {cutoff(run.cutoff)}; sizes in {UNIT_NAMES[unit]}; "
        f"terms {engine.terms.name}: {engine.terms.reason}",
    ]
    if queries.kind == "extent":
        lines.append(
            "complete evidence and containment are withheld: a section is mostly longer than "
            "a chunk"
        )
    return "".join(fill(line, _WIDTH) + "\n" for line in lines)


def _sweep_rows(swept: Sweep) -> list[dict[str, str]]:
    label = swept.run.cutoff.label
    rows = []
    for row in swept.rows:
        spec, values = row.spec, row.values
        cells = {
            "size": str(spec.size),
            "overlap": f"{spec.overlap} ({spec.overlap_pct:.3g}%)",
            "chunks": str(values["chunks"]),
            "index": "" if np.isnan(values["index_x"]) else f"{values['index_x']:.2f}x",
        }
        for heading, name in _SHOWN[swept.queries.kind].items():
            column = name + label if name.endswith("@") else name
            if not np.isnan(values[column]):
                rate = _is_rate(column)
                cells[heading] = (percent if rate else "{:.2f}".format)(values[column])
        rows.append(cells)
    return rows


def _is_rate(column: str) -> bool:
    name = column.split("@", maxsplit=1)[0]
    return METRICS[name].shown == "rate" if name in METRICS else name in _RATES_BESIDE_METRICS


def _frame(swept: Sweep) -> pd.DataFrame:
    return swept.to_frame().assign(ranking=swept.run.ranking, terms=swept.terms.name)


def _setting_texts(kind: str, row: Row, run: RunSpec, engine: Engine) -> list[str]:
    frame = _frame(Sweep((row,), run, engine.terms, engine.queries))
    if kind == "csv":
        return [spreadsheet_csv(frame)]
    line = {str(name): column.tolist()[0] for name, column in frame.items()}
    if kind == "json":
        return list(json_lines([line]))
    metrics = [
        {"metric": name, "value": (percent if _is_rate(name) else number)(value)}
        for name, value in line.items()
        if name in row.values and not np.isnan(value) and _speaks(name, engine.queries)
    ]
    about = f"{setting(row.spec)}: {describe(row.spec, row.values)}"
    return [_caption(engine, run, row.spec.unit), fill(about, _WIDTH), "\n\n", text_table(metrics)]


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


# --- sentences --------------------------------------------------------------------------


def _verdicts(engine: Engine, swept: Sweep, cost: str) -> list[str]:
    """Return the verdict of each size and, under a budget, the one across sizes."""
    run, unit = swept.run, swept.rows[0].spec.unit
    metric = f"{primary_metric(engine.queries.kind)}@{run.cutoff.label}"
    clustering = cluster_queries(engine.corpus, engine.queries)
    sentences = []
    for size in swept.sizes():
        rows = swept.at_size(size)
        if len(rows) == 1:
            sentences.append(
                f"At {number(size)} {UNIT_NAMES[unit]} there is one overlap: nothing to compare."
            )
            continue
        lengths = np.diff(engine.units(unit, rows[0].spec.encoding).first)
        fits = float((lengths <= size).mean())
        sentences.append(verdict_sentence(verdict(rows, metric, clustering), run, fits))
    if isinstance(run.cutoff, Budget) and len(swept.sizes()) > 1:
        held, best = cheapest_that_keeps_up(
            swept.rows, metric, clustering, lambda row: COSTS[cost].compute(row.values, Prices())
        )
        rate = best.values[metric]
        sentences.append(across_sentence(held, rate, metric, run.cutoff, COSTS[cost]))
    return sentences


def _widened(chunks: ChunkSet) -> Notes:
    if not chunks.widened:
        return []
    return [
        f"note: {number(chunks.widened)} tokens begin or end inside a character and were widened "
        f"to whole ones; {number(chunks.merged)} windows fell together that way"
    ]


def _weak_terms(rows: Sequence[Row], run: RunSpec, queries: QuerySet) -> Notes:
    """Say where okapi's weights are not its own, and offer a ranking that has none of this."""
    worst = max(rows, key=lambda row: row.values["common_term_queries"])
    if run.ranking != "okapi" or not worst.values["common_term_queries"]:
        return []
    return [
        f"note: at {setting(worst.spec)}, {number(worst.values['common_term_queries'])} of "
        f"{_counted(len(queries), 'question')} hold a word that stands in half of the chunks or "
        "more: BM25 as in rank-bm25 has no positive weight for it and uses a stand-in; "
        "--ranking lucene needs none"
    ]


def _counted(n: int, noun: str) -> str:
    return f"{number(n)} {noun}" if n == 1 else f"{number(n)} {noun}s"


# --- options ----------------------------------------------------------------------------


_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "paths": {
        "nargs": "*", "metavar": "PATH",
        "help": "files, archives and folders; a folder is read with all below it",
    },
    "--sample": {
        "choices": SAMPLES, "help": "a bundled corpus with its own questions, without PATH",
    },
    "--queries": {
        "metavar": "headings|FILE",
        "help": "ask the headings of level 2 and 3 for their sections (the default for PATH), or "
        "the questions of a golden set in JSON lines",
    },
    "--need": {
        "choices": NEEDS, "default": "as-given",
        "help": "whether one evidence span is enough or all are needed (default: as the set says)",
    },
    "--sizes": {
        "type": _wholes, "metavar": "N,N,…", "help": "sizes, such as 200,400 (default: a grid)",
    },
    "--overlaps": {
        "type": _overlaps, "metavar": "X,X,…",
        "help": "overlaps in units or percent of the size, mixed, such as 0%%,10%%,80 "
        "(default: a grid)",
    },
    "--size": {
        "type": _whole, "default": 800, "metavar": "N", "help": "size (default: %(default)s)",
    },
    "--overlap": {
        "type": _overlap, "default": "20%", "metavar": "X",
        "help": "overlap in units, such as 80, or percent of the size (default: 20%%)",
    },
    "--unit": {
        "choices": UNITS, "default": "char", "help": "what sizes count (default: %(default)s)",
    },
    "--encoding": {
        "choices": ENCODINGS, "default": ENCODINGS[0],
        "help": "the vocabulary of tokens (default: %(default)s)",
    },
    "--chunker": {
        "choices": CHUNKERS, "default": "window", "help": "how to cut (default: %(default)s)",
    },
    "--ranking": {
        "choices": RANKINGS, "default": "okapi",
        "help": "; ".join(f"{name}: {ranking.meaning}" for name, ranking in RANKINGS.items())
        + " (default: %(default)s)",
    },
    "--terms": {
        "choices": ("auto", *TERM_FUNCTIONS), "default": "auto",
        "help": "how text becomes terms (default: by the corpus, and it says which)",
    },
    "--k": {
        "type": _whole, "metavar": "K", "help": f"the list holds the K best (default: {_K})",
    },
    "--budget": {
        "type": _whole, "metavar": "N", "help": "or as many as fill N characters or tokens",
    },
    "--budget-unit": {
        "metavar": "char|token", "help": "what the budget counts (default: char)",
    },
    "--tail": {
        "metavar": "truncate|drop",
        "help": "truncate the chunk that overfills the budget, or drop it (default: truncate)",
    },
    "--verdict": {
        "action": "store_true",
        "help": "name the smallest overlap that keeps up at each size, and under a budget the "
        "cheapest setting across sizes; after the table, else on standard error",
    },
    "--cost": {
        "choices": COSTS, "default": "index_chars",
        "help": "what the verdict across sizes calls cheap (default: %(default)s)",
    },
    "--no-cache": {"action": "store_true", "help": "neither read nor keep results on disk"},
    "--per-query": {
        "action": "store_true",
        "help": "one line per question with its metrics and ranked chunks; JSON is JSON lines",
    },
    "--trec-run": {
        "type": _file_to_write, "metavar": "FILE",
        "help": "write the ranked chunks in TREC's format as well",
    },
    "--trec-qrels": {
        "type": _file_to_write, "metavar": "FILE",
        "help": "write the relevant chunks, those that are lenient hits, in TREC's format as well",
    },
    "--limit-queries": {
        "type": _whole, "metavar": "N",
        "help": "compare the first N questions only: rank-bm25 is slow on a large corpus",
    },
    "--out": {
        "type": _file_to_write, "metavar": "FILE", "help": "write there, not to standard output",
    },
}  # fmt: skip

_CORPUS = ("paths", "--sample")
_QUERIES = ("--queries", "--need")
_SETTING = ("--size", "--overlap")
_UNIT = ("--unit", "--encoding", "--chunker")
_RUN = ("--ranking", "--terms", "--k", "--budget", "--budget-unit", "--tail")


class _Entry(NamedTuple):
    """A command: its function, what it does, its options and formats, the default first."""

    run: Command
    about: str
    options: tuple[str, ...] = ()
    formats: tuple[str, ...] = FORMATS


_COMMANDS: Mapping[str, _Entry] = {
    "sweep": _Entry(
        _sweep, "evaluate every size with every overlap",
        (*_CORPUS, *_QUERIES, "--sizes", "--overlaps", *_UNIT, *_RUN, "--verdict", "--cost",
         "--no-cache"),
    ),
    "chunk": _Entry(
        _chunk, "write the chunks of one setting, one per line",
        (*_CORPUS, *_SETTING, *_UNIT), ("jsonl", "csv"),
    ),
    "evaluate": _Entry(
        _evaluate, "evaluate one setting, in all or per question",
        (*_CORPUS, *_QUERIES, *_SETTING, *_UNIT, *_RUN, "--per-query", "--trec-run",
         "--trec-qrels"),
    ),
    "contract": _Entry(
        _contract, "run the planted contract, whose figures are known",
        (), ("csv", "table", "json"),
    ),
    "verify": _Entry(
        _verify, "rank with rank-bm25 as well and compare, bit for bit",
        (*_CORPUS, *_QUERIES, *_SETTING, *_UNIT, "--terms", "--k", "--limit-queries"),
    ),
    "samples": _Entry(_samples, "list the bundled corpora"),
}  # fmt: skip


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the package."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message} (see {self.prog} --help)")


def _parser() -> _Parser:
    parser = _Parser(
        prog="overlapkit",
        allow_abbrev=False,
        description="Measure which chunk size and overlap a corpus should be indexed with.",
        epilog="Exit codes: 0 done, 1 verify found a difference, 2 an error (one line on "
        "standard error), 130 interrupted, 141 the reader of the output closed it.",
    )
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, entry in _COMMANDS.items():
        about = f"{entry.about[0].upper()}{entry.about[1:]}."
        command = commands.add_parser(name, help=entry.about, description=about, allow_abbrev=False)
        command.set_defaults(command=entry.run)
        for option in (*entry.options, "--out"):
            command.add_argument(option, **_OPTIONS[option])
        command.add_argument(
            "--format", choices=entry.formats, default=entry.formats[0],
            help="what to write (default: %(default)s)",
        )  # fmt: skip
    return parser
