"""From a command's options to what the library takes: corpus, questions, settings."""

import argparse
from dataclasses import replace
from itertools import product

from overlapkit.chunkers import ChunkSpec, parse_spec
from overlapkit.cli.command import Notes
from overlapkit.cli.options import DEFAULT_K
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine, prepare
from overlapkit.errors import SettingsError
from overlapkit.queries import QuerySet, heading_queries, load_golden
from overlapkit.readers import corpus_of_reading, load_corpus, read_paths
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.samples import SAMPLES
from overlapkit.sweep import GRID_OVERLAPS, default_specs

_LISTED = 5  # items that a note names before it only counts them


def corpus_of(args: argparse.Namespace, notes: Notes) -> tuple[Corpus, QuerySet | None]:
    """Return what the paths hold, or a bundled corpus with its own queries."""
    if bool(args.paths) == (args.sample is not None):
        raise SettingsError("give either paths to files and folders, or --sample NAME")
    if args.sample is not None:
        return SAMPLES[args.sample].load()
    reading = read_paths(args.paths)
    notes += (f"note: {note}" for note in (*reading.notes, *reading.refused))
    # Of the refused, a file that was named itself is an error, one in a folder is not.
    return (load_corpus(args.paths) if reading.refused else corpus_of_reading(reading)), None


def engine_of(args: argparse.Namespace, run: RunSpec, notes: Notes) -> Engine:
    """Return the corpus and the questions asked of it, ready to be evaluated."""
    corpus, queries = corpus_of(args, notes)
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


def run_of(args: argparse.Namespace) -> RunSpec:
    """Return the ranking, the terms and where the list of each question ends."""
    if args.budget is None:
        if args.budget_unit is not None or args.tail is not None:
            raise SettingsError("--budget-unit and --tail say how --budget counts: give that too")
        return RunSpec(args.ranking, args.terms, top_of(args))
    if args.k is not None:
        raise SettingsError("--k and --budget both end the list: give one of them")
    budget = Budget(args.budget, args.budget_unit or "char", args.tail or "truncate")
    return RunSpec(args.ranking, args.terms, budget)


def top_of(args: argparse.Namespace) -> TopK:
    """Return how many chunks are retrieved."""
    return TopK(DEFAULT_K if args.k is None else args.k)


def spec_of(args: argparse.Namespace) -> ChunkSpec:
    """Return the one setting asked for."""
    return parse_spec(args.size, args.overlap, **_names_of(args))


def grid_of(args: argparse.Namespace) -> list[ChunkSpec]:
    """Return every size with every overlap, as asked for or from the default grid."""
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
    return [parse_spec(size, overlap, **_names_of(args)) for size, overlap in pairs]


def _names_of(args: argparse.Namespace) -> dict[str, str]:
    return {"chunker": args.chunker, "unit": args.unit, "encoding": args.encoding}
