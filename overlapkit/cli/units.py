"""``units``: how long the things are that one cannot afford to split."""

import argparse
from collections.abc import Sequence
from contextlib import suppress

from overlapkit.chunkers.window import read_units
from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import own_queries, queries_of, size_of, texts_of
from overlapkit.cli.output import write_rows
from overlapkit.errors import QueryError
from overlapkit.lengths import UnitLengths, corpus_warnings, unit_lengths
from overlapkit.report import text_table
from overlapkit.words import UNIT_NAMES


def units_command(args: argparse.Namespace, notes: Notes) -> int:
    """Write the lengths of each kind of unit, and what makes this corpus say less."""
    size = size_of(args)
    texts, own = texts_of(args, notes)
    corpus, queries = texts.corpus, None
    if args.queries is not None:
        queries = queries_of(args.queries, texts, args, notes)
    elif own is not None:
        with suppress(QueryError):  # lengths can be told without a question
            queries = own_queries(own, texts, args, notes)
    units = read_units(corpus, args.unit, args.encoding)
    found = unit_lengths(corpus, units, queries)
    write_rows(map(_row, found), args, _table(found, args.unit))
    notes += (f"note: {text}" for text in corpus_warnings(corpus, size, units))
    return 0


def _row(one: UnitLengths) -> dict[str, object]:
    return {
        "kind": one.kind,
        "count": one.count,
        **{f"p{place.percent}": place.length for place in one.percentiles},
        **{f"overlap_p{place.percent}": place.overlap for place in one.percentiles},
    }


def _table(found: Sequence[UnitLengths], unit: str) -> str:
    rows = [
        {"kind": one.kind, "count": one.count}
        | {f"p{p.percent} (overlap)": f"{p.length} ({p.overlap})" for p in one.percentiles}
        for one in found
    ]
    about = f"lengths in {UNIT_NAMES[unit]}, with the overlap that keeps what is so long whole\n\n"
    return about + text_table(rows)
