"""What a command is: a function that writes, leaves notes and returns an exit code."""

import argparse
from collections.abc import Callable

DIFFERS, USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141  # exit codes beside 0

Notes = list[str]  # lines for standard error, written after the command is done
Command = Callable[[argparse.Namespace, Notes], int]
