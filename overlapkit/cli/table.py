"""The commands that there are, with what each does and the options that it takes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from overlapkit.cli.chunk import chunk_command
from overlapkit.cli.command import Command
from overlapkit.cli.contract import contract_command
from overlapkit.cli.decide import decide_command
from overlapkit.cli.diagnose import diagnose_command
from overlapkit.cli.evaluate import evaluate_command
from overlapkit.cli.gate import gate_command
from overlapkit.cli.output import FORMATS
from overlapkit.cli.probes import probes_command
from overlapkit.cli.samples import samples_command
from overlapkit.cli.sweep import sweep_command
from overlapkit.cli.units import units_command
from overlapkit.cli.verify import verify_command

# Names of ``OPTIONS`` that go together.
_CORPUS = ("paths", "--sample", "--groups", "--as")
_QUERIES = ("--queries", "--columns", "--need")
_SETTING = ("--size", "--overlap")
_UNIT = ("--unit", "--encoding", "--chunker")
_RUN = ("--ranking", "--terms", "--k", "--budget", "--budget-unit", "--tail")


class Entry(NamedTuple):
    """A command: its function, what it does, its options and formats, the default first.

    ``out`` says what goes to the file that --out names. ``defaults`` are those that differ
    from the options' own.
    """

    run: Command
    about: str
    options: tuple[str, ...] = ()
    formats: tuple[str, ...] = FORMATS
    out: str = "write there, not to standard output"
    defaults: Mapping[str, object] = MappingProxyType({})


COMMANDS: Mapping[str, Entry] = {
    "sweep": Entry(
        sweep_command, "evaluate every size with every overlap",
        (*_CORPUS, *_QUERIES, "--sizes", "--overlaps", *_UNIT, *_RUN, "--phases", "--verdict",
         "--cost", "--no-cache"),
    ),
    "chunk": Entry(
        chunk_command, "write the chunks of one setting, one per line",
        (*_CORPUS, *_SETTING, *_UNIT), ("jsonl", "csv"),
    ),
    "evaluate": Entry(
        evaluate_command, "evaluate one setting, in all or per question",
        (*_CORPUS, *_QUERIES, *_SETTING, *_UNIT, *_RUN, "--chunks", "--run", "--per-query",
         "--trec-run", "--trec-qrels"),
    ),
    "diagnose": Entry(
        diagnose_command, "say why questions miss, and what would help",
        (*_CORPUS, *_QUERIES, *_SETTING, "--overlaps", *_UNIT, *_RUN, "--chunks", "--run",
         "--per-query"),
    ),
    "decide": Entry(
        decide_command, "choose the cheapest setting that clears every gate",
        (*_CORPUS, *_QUERIES, "--sizes", "--overlaps", *_UNIT, *_RUN, "--gate", "--current",
         "--cost", "--outside", "--confirm", "--html", "--no-cache"),
        out="write the record of the decision there, which gate runs again",
        defaults={"cost": "year"},
    ),
    "gate": Entry(
        gate_command, "judge a recorded setting again, on the documents of now",
        ("record", *_CORPUS, *_QUERIES, "--outside"),
    ),
    "units": Entry(
        units_command, "tell how long sentences, rows, clauses and evidence are",
        (*_CORPUS, "--queries", "--size", "--unit", "--encoding"),
    ),
    "probes": Entry(
        probes_command, "write boundary probes, a golden set made from the corpus",
        (*_CORPUS, "--count", "--seed"), ("jsonl", "csv"),
    ),
    "contract": Entry(
        contract_command, "run the planted contract, whose figures are known",
        (), ("csv", "table", "json"),
    ),
    "verify": Entry(
        verify_command, "rank with rank-bm25 as well and compare, bit for bit",
        (*_CORPUS, *_QUERIES, *_SETTING, *_UNIT, "--terms", "--k", "--limit-queries"),
    ),
    "samples": Entry(samples_command, "list the bundled corpora"),
}  # fmt: skip
