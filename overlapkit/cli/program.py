"""The program: from a command line to an exit code, with one line for an error."""

import io
import sys
from collections.abc import Sequence

from overlapkit.cli.command import CLOSED_PIPE, INTERRUPTED, USAGE, Command, Notes
from overlapkit.cli.output import check_targets, discard_output, write
from overlapkit.cli.parsing import parser_of_commands
from overlapkit.errors import OverlapkitError
from overlapkit.readers.names import legible


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0 is success, 1 a verification that found a difference, no setting that clears the gates or
    a gate that fails, 2 a usage or input error, 130 an interruption, 141 an output that was
    closed before its end.
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
        discard_output()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    for note in notes:
        print(legible(note), file=sys.stderr)
    return code


def _run(argv: Sequence[str] | None, notes: Notes) -> int:
    try:
        args = parser_of_commands().parse_args(argv)
    except SystemExit:  # --help has been printed; errors are raised as SettingsError
        write([], None)
        return 0
    check_targets(args)
    command: Command = args.command
    return command(args, notes)
