"""``chunk``: the chunks of one setting."""

import argparse

from overlapkit.chunkers import chunk
from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import corpus_of, spec_of
from overlapkit.cli.output import write
from overlapkit.cli.texts import widened
from overlapkit.report import chunk_rows, json_lines, spreadsheet_csv


def chunk_command(args: argparse.Namespace, notes: Notes) -> int:
    """Write the chunks of one setting, one per line."""
    spec = spec_of(args)
    corpus, _ = corpus_of(args, notes)
    chunks = chunk(corpus, spec)
    notes += widened(chunks)
    rows = chunk_rows(corpus, chunks)
    groups = {document.name: document.group for document in corpus.documents}
    if any(groups.values()):
        rows = ({"doc": row["doc"], "group": groups[str(row["doc"])], **row} for row in rows)
    write([spreadsheet_csv(rows)] if args.format == "csv" else json_lines(rows), args.out)
    return 0
