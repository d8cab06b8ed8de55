"""The options that there are, and how the text of one becomes a value."""

import argparse
import re
from collections.abc import Mapping
from typing import Any

from overlapkit.chunkers import CHUNKERS, UNITS, parse_spec
from overlapkit.cli.output import file_to_write
from overlapkit.cost import COSTS
from overlapkit.errors import SettingsError
from overlapkit.gates import Gate, parse_gate
from overlapkit.queries.golden.columns import ROLES
from overlapkit.retrieve import RANKINGS
from overlapkit.samples import SAMPLES
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import ENCODINGS

# What holds where nothing else is asked for. These are no defaults of the parser, so that a
# command can tell what was asked for.
DEFAULT_K = 5  # chunks retrieved
DEFAULT_SIZE, DEFAULT_OVERLAP = 800, "20%"
NEEDS = ("as-given", "any", "all")


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", text):
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at most nine digits; got {text!r}"
        )
    return int(text)


def _wholes(text: str) -> list[int]:
    return [_whole(part) for part in text.split(",")]


def _overlap(text: str) -> str:
    """Return an overlap that some size has room for, without spaces."""
    _whole(text.strip().removesuffix("%"))
    try:
        parse_spec(10**9, text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return "".join(text.split())


def _overlaps(text: str) -> list[str]:
    return [_overlap(part) for part in text.split(",")]


def _columns(text: str) -> dict[str, str]:
    """Return the role of each named column."""
    pairs = [part.partition("=") for part in text.split(",")]
    wrong = [role for role, mark, _ in pairs if not mark or role.strip() not in ROLES]
    if wrong:
        raise argparse.ArgumentTypeError(
            f"must name a role and its column, such as question=Frage; got {wrong[0]!r}"
        )
    return {role.strip(): name.strip() for role, _, name in pairs}


def _gate(text: str) -> Gate:
    try:
        return parse_gate(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _setting(text: str) -> tuple[int, str]:
    """Return a size, and an overlap that it has room for."""
    size, mark, overlap = text.strip().partition("/")
    if not mark:
        raise argparse.ArgumentTypeError(
            f"must be a size and an overlap, such as 800/160 or 800/20%; got {text!r}"
        )
    try:
        parse_spec(_whole(size), overlap)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return _whole(size), overlap


# What argparse is told of each; a command names those that it takes in ``COMMANDS``.
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "paths": {
        "nargs": "*", "metavar": "PATH",
        "help": "files, archives and folders; a folder is read with all below it",
    },
    "--sample": {
        "choices": SAMPLES, "help": "a bundled corpus with its own questions, without PATH",
    },
    "--groups": {
        "metavar": "folder[:N]|front-matter|FILE",
        "help": "give each document the access group of its first (or Nth) folder, of `group` or "
        "`access` in its front matter, or of a CSV table with the columns document and group",
    },
    "--as": {
        "action": "append", "dest": "members", "metavar": "GROUP,…",
        "help": "read and ask only what members of these groups may see; may be given again",
    },
    "--queries": {
        "metavar": "headings|probes|FILE",
        "help": "ask the headings of level 2 and 3 for their sections (the default for PATH), "
        "boundary probes for whole sentences, rows and items, or the questions of a golden set",
    },
    "--columns": {
        "type": _columns, "metavar": "ROLE=NAME,…",
        "help": "what the columns of a golden set hold where their names do not tell, such as "
        f"question=Frage,evidence=Beleg; roles: {', '.join(ROLES)}",
    },
    "--need": {
        "choices": NEEDS, "default": "as-given",
        "help": "whether one evidence span is enough or all are needed (default: as the set says)",
    },
    "--sizes": {
        "type": _wholes, "metavar": "N,N,…", "help": "sizes, such as 200,400 (default: a grid)",
    },
    "--overlaps": {
        "type": _overlaps, "metavar": "X,X,…",
        "help": "overlaps in units or percent of the size, mixed, such as 0%%,10%%,80 "
        "(sweep's default: a grid)",
    },
    "--size": {
        "type": _whole, "metavar": "N", "help": f"size (default: {DEFAULT_SIZE})",
    },
    "--overlap": {
        "type": _overlap, "metavar": "X",
        "help": "overlap in units, such as 80, or percent of the size (default: 20%%)",
    },
    "--unit": {
        "choices": UNITS, "default": "char", "help": "what sizes count (default: %(default)s)",
    },
    "--encoding": {
        "choices": ENCODINGS, "default": ENCODINGS[0],
        "help": "the vocabulary of tokens (default: %(default)s)",
    },
    "--chunker": {
        "choices": CHUNKERS, "default": "window", "help": "how to cut (default: %(default)s)",
    },
    "--ranking": {
        "choices": RANKINGS, "default": "okapi",
        "help": "; ".join(f"{name}: {ranking.meaning}" for name, ranking in RANKINGS.items())
        + " (default: %(default)s)",
    },
    "--terms": {
        "choices": ("auto", *TERM_FUNCTIONS), "default": "auto",
        "help": "how text becomes terms (default: by the corpus, and it says which)",
    },
    "--k": {
        "type": _whole, "metavar": "K", "help": f"the list holds the K best (default: {DEFAULT_K})",
    },
    "--budget": {
        "type": _whole, "metavar": "N", "help": "or as many as fill N characters or tokens",
    },
    "--budget-unit": {
        "metavar": "char|token", "help": "what the budget counts (default: char)",
    },
    "--tail": {
        "metavar": "truncate|drop",
        "help": "truncate the chunk that overfills the budget, or drop it (default: truncate)",
    },
    "--verdict": {
        "action": "store_true",
        "help": "name the smallest overlap that keeps up at each size, and under a budget the "
        "cheapest setting across sizes; after the table, else on standard error",
    },
    "--phases": {
        "type": _whole, "metavar": "N",
        "help": "evaluate each setting N times (8 to 16) with its windows moved, and give the "
        "means, with the standard deviation of the metric that the verdict is about",
    },
    "--cost": {
        "choices": COSTS, "default": "index_chars",
        "help": "what is called cheap, across sizes and by gates (default: %(default)s)",
    },
    "record": {"metavar": "RECORD.json", "help": "a record as decide or the page Decide wrote it"},
    "--gate": {
        "action": "append", "type": _gate, "dest": "gates", "metavar": "GATE",
        "help": "what a setting must clear, such as 'complete >= 95%%', 'chunks <= 4000' or "
        "'complete >= baseline - 2%% at bound'; give one for each gate",
    },
    "--current": {
        "type": _setting, "metavar": "SIZE/OVERLAP",
        "help": "the setting in production, such as 800/160 or 800/20%%: the baseline of relative "
        "gates, and kept unless another one is worth the change",
    },
    "--outside": {
        "metavar": "FILE",
        "help": "results measured elsewhere (CSV, a row per setting), for gates by their names",
    },
    "--confirm": {
        "action": "store_true",
        "help": "decide on one half of the questions and confirm the choice on the other",
    },
    "--html": {
        "type": file_to_write, "metavar": "FILE", "help": "write the record as a page as well",
    },
    "--no-cache": {"action": "store_true", "help": "neither read nor keep results on disk"},
    "--per-query": {
        "action": "store_true",
        "help": "one line per question with what is known of it; JSON is JSON lines",
    },
    "--trec-run": {
        "type": file_to_write, "metavar": "FILE",
        "help": "write the ranked chunks in TREC's format as well",
    },
    "--trec-qrels": {
        "type": file_to_write, "metavar": "FILE",
        "help": "write the relevant chunks, those that are lenient hits, in TREC's format as well",
    },
    "--chunks": {
        "metavar": "FILE",
        "help": "judge these chunks (JSON lines or Parquet), not those of a setting",
    },
    "--run": {
        "metavar": "FILE",
        "help": "judge what another retriever brought (TREC, JSON lines or CSV), from --chunks, or "
        "from chunks called document#start-end",
    },
    "--count": {
        "type": _whole, "default": 200, "metavar": "N",
        "help": "how many questions at most (default: %(default)s)",
    },
    "--seed": {
        "type": _whole, "default": 0, "metavar": "N",
        "help": "which ones are drawn (default: %(default)s)",
    },
    "--limit-queries": {
        "type": _whole, "metavar": "N",
        "help": "compare the first N questions only: rank-bm25 is slow on a large corpus",
    },
    "--out": {
        "type": file_to_write, "metavar": "FILE",  # what goes there is told by the command
    },
}  # fmt: skip
