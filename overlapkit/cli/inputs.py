"""From a command's options to what the library takes: corpus, questions, settings."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple, Protocol

from overlapkit.chunkers import ChunkSpec, parse_spec
from overlapkit.cli.command import Notes
from overlapkit.cli.groups import UNTOLD, untold, visible_part
from overlapkit.cli.options import DEFAULT_K, DEFAULT_OVERLAP, DEFAULT_SIZE
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine, prepare
from overlapkit.errors import InputError, SettingsError
from overlapkit.groups import labels_of, member_queries, queries_for
from overlapkit.queries import QuerySet, heading_queries, load_golden
from overlapkit.queries.probes import PROBES_SHOW, boundary_probes
from overlapkit.readers import corpus_of_reading, load_corpus, read_paths
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.samples import SAMPLES
from overlapkit.sweep import GRID_OVERLAPS, default_specs

_LISTED = 5  # items that a note names before it only counts them

# What ``--queries`` takes beside the name of a file.
_DERIVED: Mapping[str, Callable[[Corpus], QuerySet]] = {
    "headings": heading_queries,
    "probes": boundary_probes,
}


class _LeftOut(Protocol):
    """A row of a file that could not be used."""

    @property
    def row(self) -> int: ...

    @property
    def reason(self) -> str: ...


class Texts(NamedTuple):
    """The documents that the asker may see, and all of them."""

    corpus: Corpus
    everything: Corpus

    @property
    def limited(self) -> bool:
        """Tell whether there are documents that the asker may not see."""
        return len(self.corpus.documents) < len(self.everything.documents)


def corpus_of(args: argparse.Namespace, notes: Notes) -> tuple[Corpus, QuerySet | None]:
    """Return what the paths hold, or a bundled corpus with its own queries.

    The documents are those that the asker may see, the queries are about all of them.
    """
    texts, queries = texts_of(args, notes)
    return texts.corpus, queries


def texts_of(args: argparse.Namespace, notes: Notes) -> tuple[Texts, QuerySet | None]:
    """Return the same, and all documents beside those that the asker may see."""
    if bool(args.paths) == (args.sample is not None):
        raise SettingsError("give either paths to files and folders, or --sample NAME")
    corpus, queries = _read(args, notes) if args.sample is None else SAMPLES[args.sample].load()
    return Texts(*visible_part(corpus, args, notes)), queries


def _read(args: argparse.Namespace, notes: Notes) -> tuple[Corpus, None]:
    reading = read_paths(args.paths)
    told = (*reading.notes, *reading.refused)
    notes += untold(told) if args.members else (f"note: {note}" for note in told)
    try:
        # Of the refused, a file that was named itself is an error, one in a folder is not.
        return (load_corpus(args.paths) if reading.refused else corpus_of_reading(reading)), None
    except InputError:
        if args.members:
            raise InputError(UNTOLD) from None
        raise


def engine_of(args: argparse.Namespace, run: RunSpec, notes: Notes) -> Engine:
    """Return the corpus and the questions asked of it, ready to be evaluated."""
    corpus, queries = asked_of(args, notes)
    return prepare(corpus, queries, run.terms)


def asked_of(args: argparse.Namespace, notes: Notes) -> tuple[Corpus, QuerySet]:
    """Return the corpus and the questions asked of it."""
    texts, queries = texts_of(args, notes)
    if queries is None or args.queries is not None:
        queries = queries_of(args.queries or "headings", texts, args, notes)
    else:
        queries = own_queries(queries, texts, args, notes)
    return texts.corpus, _with_need(queries, args)


def own_queries(
    queries: QuerySet, texts: Texts, args: argparse.Namespace, notes: Notes
) -> QuerySet:
    """Return those of a bundled corpus's queries that the asker can be asked."""
    if not texts.limited:
        return queries
    left = queries_for(_with_need(queries, args), texts.corpus)
    notes += left_out(left.unresolved, left.source)
    return left


def queries_of(source: str, texts: Texts, args: argparse.Namespace, notes: Notes) -> QuerySet:
    """Return the questions that ``--queries`` names, its columns as ``--columns`` says."""
    derived, columns = _DERIVED.get(source), getattr(args, "columns", None)
    if derived is not None and columns:
        raise SettingsError("--columns says what the columns of a golden set hold: give its file")

    def read(corpus: Corpus) -> QuerySet:
        # Whether a question can do without evidence that is out of sight depends on its need.
        return _with_need(load_golden(source, corpus, columns=columns), args)

    if derived is not None:
        queries = derived(texts.corpus)
    elif texts.limited:
        queries = member_queries(read, texts.everything, labels_of(texts.corpus))
    else:
        queries = read(texts.corpus)
    if source == "probes":
        notes.append(f"note: {PROBES_SHOW}")
    notes += left_out(queries.unresolved, queries.source)
    return queries


def _with_need(queries: QuerySet, args: argparse.Namespace) -> QuerySet:
    need: Any = getattr(
        args, "need", "as-given"
    )  # not every command that takes questions asks them
    if need == "as-given":
        return queries
    return replace(queries, queries=tuple(replace(query, need=need) for query in queries))


def left_out(rows: Sequence[_LeftOut], source: str, of: str = "") -> Notes:
    """Name the first rows that are left out, and count the others."""
    notes = [f"note: left out: row {one.row}{of}: {one.reason}" for one in rows[:_LISTED]]
    if len(rows) > _LISTED:
        notes.append(f"note: left out: {len(rows) - _LISTED} more rows of {source}")
    return notes


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
    return parse_spec(size_of(args), args.overlap or DEFAULT_OVERLAP, **_names_of(args))


def size_of(args: argparse.Namespace) -> int:
    """Return the one size asked for."""
    return ChunkSpec(size=DEFAULT_SIZE if args.size is None else args.size, overlap=0).size


def grid_of(args: argparse.Namespace) -> list[ChunkSpec]:
    """Return every size with every overlap, as asked for or from the default grid."""
    sizes = args.sizes or dict.fromkeys(s.size for s in default_specs(args.unit, args.encoding))
    overlaps = args.overlaps or [f"{pct}%" for pct in GRID_OVERLAPS]
    return specs_of(args, sizes, overlaps)


def specs_of(
    args: argparse.Namespace, sizes: Iterable[int], overlaps: Sequence[str]
) -> list[ChunkSpec]:
    """Return every size with every overlap; raises SettingsError that names what has no room."""
    sizes = list(sizes)
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
