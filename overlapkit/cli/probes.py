"""``probes``: a golden set made from the corpus."""

import argparse

from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import corpus_of
from overlapkit.cli.output import write
from overlapkit.queries import Query
from overlapkit.queries.probes import PROBES_SHOW, boundary_probes
from overlapkit.report import golden_lines, spreadsheet_csv


def probes_command(args: argparse.Namespace, notes: Notes) -> int:
    """Write boundary probes, and say what they can show."""
    corpus, _ = corpus_of(args, notes)
    probes = boundary_probes(corpus, args.count, args.seed)
    notes.append(f"note: {PROBES_SHOW}")
    if args.format == "csv":
        write([spreadsheet_csv(map(_row, probes))], args.out)
    else:
        write([golden_lines(probes, corpus)], args.out)
    return 0


def _row(probe: Query) -> dict[str, object]:
    (span,) = probe.evidence
    return {
        "id": probe.id,
        "query": probe.text,
        "doc": span.document,
        "start": span.start,
        "end": span.end,
        "tag": probe.tag,
    }
