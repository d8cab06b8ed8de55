"""Where text goes: standard output or a file, in a format; progress beside it."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from overlapkit.errors import SettingsError
from overlapkit.report import Rows, json_of, spreadsheet_csv, text_table

WIDTH = 100  # columns of a terminal

_AS_TEXT: Mapping[str, Callable[[Rows], str]] = {
    "table": text_table,
    "csv": spreadsheet_csv,
    "json": json_of,
}
FORMATS = tuple(_AS_TEXT)

# Options that name files.
_TARGETS = ("out", "html", "trec_run", "trec_qrels")
_READ = ("record", "queries", "groups", "chunks", "run", "outside")


def write_rows(rows: Rows, args: argparse.Namespace, table: str | None = None) -> None:
    """Write rows in the format asked for; ``table`` is the text of one that is not plain."""
    if table is None or args.format != "table":
        table = _AS_TEXT[args.format](rows)
    write([table], args.out)


def write(pieces: Iterable[str], out: str | None) -> None:
    """Write to a file, or to standard output where none is named."""
    if out is None:
        if sys.stdout is None:  # closed by whoever started us
            raise SettingsError("standard output is closed: use --out")
        try:
            for piece in pieces:
                print(piece, end="")
            print(end="", flush=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            discard_output()
            raise SettingsError(
                f"standard output cannot be written ({error.strerror}): use --out"
            ) from None
        return
    try:
        with Path(out).open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(pieces)
    except OSError as error:
        raise _unwritable(out, error.strerror) from None


def _unwritable(out: str, reason: str | None) -> SettingsError:
    return SettingsError(f"{out} cannot be written ({reason}): name another file")


def file_to_write(text: str) -> str:
    """Return the name of a file, refused at once where writing it must fail later."""
    path = Path(text)
    try:
        reason = "it is a folder" if path.is_dir() else "its folder does not exist"
        if not path.is_dir() and path.parent.is_dir():
            return text
    except OSError as error:
        reason = str(error.strerror)
    raise argparse.ArgumentTypeError(str(_unwritable(text, reason)))


def check_targets(args: argparse.Namespace) -> None:
    """Refuse to write two things to one file, or anything over what is read.

    Raises SettingsError that names the file.
    """
    targets = [getattr(args, name, None) for name in _TARGETS]
    read = [*(getattr(args, "paths", None) or [])]
    read += (getattr(args, name, None) for name in _READ)
    taken = {Path(str(path)).resolve() for path in read if path and Path(str(path)).is_file()}
    folders = [Path(str(path)).resolve() for path in read if path and Path(str(path)).is_dir()]
    for target in filter(None, targets):
        place = Path(target).resolve()
        inside = any(place.is_relative_to(folder) for folder in folders)
        if place in taken or (inside and place.exists()):
            raise SettingsError(f"{target} is read or written already: name another file")
        taken.add(place)


def discard_output() -> None:
    """Let what is still in the buffer go nowhere, so that leaving does not fail on it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress(what: str) -> Callable[[int, int], None]:
    """Return what shows progress on a terminal, and nowhere else."""

    def show(done: int, total: int) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            text = f"{done} of {total} {what}" if done < total else ""
            print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    return show
