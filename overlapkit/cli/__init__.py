"""The terminal interface: ``python -m overlapkit sweep docs --verdict``, for scripts and CI.

A command reads its options, calls the functions that the pages call, and writes text. A new
command is a module and a line in ``COMMANDS`` (``table.py``). What its reader should know besides
goes to standard error, and an error is one line there.
"""

from overlapkit.cli.program import main

__all__ = ["main"]
