"""What a user has today: chunks that exist, and the run of an existing retriever."""

from overlapkit.given.chunks import GivenChunks, read_chunks
from overlapkit.given.judge import evaluate_given
from overlapkit.given.reader import Misaligned
from overlapkit.given.run_lines import Unusable
from overlapkit.given.runs import GivenRun, read_run

__all__ = [
    "GivenChunks",
    "GivenRun",
    "Misaligned",
    "Unusable",
    "evaluate_given",
    "read_chunks",
    "read_run",
]
