"""``verify``: this engine beside rank-bm25, bit for bit."""

import argparse

from overlapkit.chunkers import ChunkSpec
from overlapkit.cli.command import DIFFERS, Notes
from overlapkit.cli.inputs import engine_of, spec_of, top_of
from overlapkit.cli.output import progress, write_rows
from overlapkit.cli.texts import counted
from overlapkit.errors import SettingsError
from overlapkit.retrieve import RunSpec
from overlapkit.verify import Verification, verify
from overlapkit.words import setting


def verify_command(args: argparse.Namespace, notes: Notes) -> int:
    """Rank with rank-bm25 as well and compare; the exit code tells whether anything differs."""
    spec, run = spec_of(args), RunSpec("okapi", args.terms, top_of(args))
    if args.limit_queries is not None and args.limit_queries < 1:
        raise SettingsError(f"--limit-queries must be at least 1; got {args.limit_queries}")
    engine = engine_of(args, run, notes)
    found = verify(engine, spec, top_of(args).k, progress("questions"), limit=args.limit_queries)
    write_rows([_row(found)], args, _table(spec, found))
    return 0 if found.same else DIFFERS


def _row(found: Verification) -> dict[str, object]:
    return {
        "chunks": found.chunks,
        "queries": found.queries,
        "k": found.k,
        "terms": found.terms,
        "differing": found.differing,
        "largest_difference": found.largest_difference,
        "our_seconds": found.our_seconds,
        "their_seconds": found.their_seconds,
    }


def _table(spec: ChunkSpec, found: Verification) -> str:
    return (
        f"{setting(spec)}, terms {found.terms}: {counted(found.chunks, 'chunk')}, "
        f"{counted(found.queries, 'question')}, top {found.k}\n"
        f"questions whose ranked chunks differ: {found.differing}\n"
        f"largest difference of a score: {found.largest_difference:g}\n"
        f"seconds: {found.our_seconds:.2f} here, {found.their_seconds:.2f} in rank-bm25\n"
    )
