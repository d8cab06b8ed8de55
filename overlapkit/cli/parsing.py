"""The parser, made from the table of commands and the table of options."""

import argparse
from typing import NoReturn

from overlapkit.cli.options import OPTIONS
from overlapkit.cli.table import COMMANDS
from overlapkit.errors import SettingsError
from overlapkit.words import sentence_case


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the package."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(f"{message} (see {self.prog} --help)")


def parser_of_commands() -> argparse.ArgumentParser:
    """Return the parser of a command line; the function to call is its ``command``."""
    parser = _Parser(
        prog="overlapkit",
        allow_abbrev=False,
        description="Measure which chunk size and overlap a corpus should be indexed with.",
        epilog="Exit codes: 0 done, 1 verify found a difference, decide no setting or gate one "
        "that fails, 2 an error (one line on standard error), 130 interrupted, 141 the reader of "
        "the output closed it.",
    )
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, entry in COMMANDS.items():
        about = f"{sentence_case(entry.about)}."
        command = commands.add_parser(name, help=entry.about, description=about, allow_abbrev=False)
        command.set_defaults(command=entry.run)
        for option in entry.options:
            command.add_argument(option, **OPTIONS[option])
        command.add_argument("--out", **{**OPTIONS["--out"], "help": entry.out})
        command.add_argument(
            "--format", choices=entry.formats, default=entry.formats[0],
            help="what to write (default: %(default)s)",
        )  # fmt: skip
        command.set_defaults(**entry.defaults)
    return parser
