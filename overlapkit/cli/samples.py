"""``samples``: the bundled corpora."""

import argparse
from textwrap import fill

from overlapkit.cli.command import Notes
from overlapkit.cli.output import WIDTH, write_rows
from overlapkit.samples import SAMPLES


def samples_command(args: argparse.Namespace, notes: Notes) -> int:
    """List the bundled corpora by the names that ``--sample`` takes."""
    del notes  # nothing was read
    rows = [{"name": n, "label": s.label, "about": s.about} for n, s in SAMPLES.items()]
    indent = max(map(len, SAMPLES)) + 2
    margin = " " * indent
    table = "".join(
        fill(f"{name:{indent}}{sample.label}: {sample.about}", WIDTH, subsequent_indent=margin)
        + "\n"
        for name, sample in SAMPLES.items()
    )
    write_rows(rows, args, table)
    return 0
