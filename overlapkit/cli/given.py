"""``--chunks`` and ``--run``: what a user has today, judged like a setting."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from overlapkit.cli.command import Notes
from overlapkit.cli.files import bytes_of
from overlapkit.cli.inputs import left_out
from overlapkit.cli.options import OPTIONS
from overlapkit.cli.texts import counted
from overlapkit.engine import Engine
from overlapkit.errors import SettingsError
from overlapkit.evaluate import Evaluation
from overlapkit.given import GivenChunks, GivenRun, evaluate_given, read_chunks, read_run
from overlapkit.retrieve import RunSpec
from overlapkit.words import number, percent

_CUTTING = ("--size", "--overlap", "--overlaps", "--unit", "--chunker")
_RANKING = ("--ranking", "--terms", "--trec-run", "--trec-qrels")


class Given(NamedTuple):
    """What was judged, what it is, and the file of a run that ranked it."""

    evaluation: Evaluation
    about: str
    ranked_by: str | None


def is_given(args: argparse.Namespace) -> bool:
    """Tell whether there is something to judge; raises SettingsError for what it leaves idle."""
    if args.chunks is None and args.run is None:
        return False
    if args.members:
        raise SettingsError(
            "--chunks and --run were made from documents that a group may not see; got --as: "
            "leave that out"
        )
    _refuse(args, _CUTTING, "with --chunks or --run nothing is cut here")
    if args.run is not None:
        _refuse(args, _RANKING, "with --run nothing is ranked here")
    return True


def _refuse(args: argparse.Namespace, options: Sequence[str], rule: str) -> None:
    asked = []
    for option in options:  # of which a command need not take every one
        default = OPTIONS[option].get("default")
        if getattr(args, option[2:].replace("-", "_"), default) != default:
            asked.append(option)
    if asked:
        raise SettingsError(f"{rule}; got {', '.join(asked)}: leave that out")


def judge_given(
    args: argparse.Namespace, run: RunSpec, engine: Engine, notes: Notes, *, tokens: bool = True
) -> Given:
    """Read the chunks, the run or both, and judge them; tokens are counted if asked for."""
    given = ranked = None
    if args.chunks is not None:
        given = read_chunks(bytes_of(args.chunks), engine.corpus, Path(args.chunks).name)
        notes += _about_chunks(given)
    if args.run is not None:
        data, name = bytes_of(args.run), Path(args.run).name
        ranked = read_run(data, engine.queries, given, name, corpus=engine.corpus)
        notes += _about_run(ranked, engine)
    found = evaluate_given(
        engine, given, run, "given", ranked, tokens=tokens, encoding=args.encoding
    )
    return Given(found, _about(found, given), None if ranked is None else ranked.source)


def _about(found: Evaluation, given: GivenChunks | None) -> str:
    chunks = counted(len(found.chunks), "chunk")
    if given is None:
        return f"{chunks} named by the run"
    return f"{given.source}: {chunks}, {number(found.values['index_chars'])} characters to embed"


def _about_chunks(given: GivenChunks) -> Notes:
    covered = f"{percent(given.covered)} of the corpus's characters, white space aside"
    return [
        *left_out(given.left_out, given.source, f" of {given.source}"),
        f"note: the chunks of {given.source} cover {covered}",
    ]


def _about_run(run: GivenRun, engine: Engine) -> Notes:
    notes = left_out(run.left_out, run.source, f" of {run.source}")
    if run.missing_queries:
        missing = f"{number(run.missing_queries)} of {counted(len(engine.queries), 'question')}"
        notes.append(f"note: {run.source} does not mention {missing}: no result counts 0")
    return notes
