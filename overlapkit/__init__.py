"""Which chunk size and overlap should a corpus be indexed with? Measure it first.

A chain of pure functions on frozen data:

corpus → spans → index → run → scores → decision → page

>>> from overlapkit import ChunkSpec, chunk, corpus_of
>>> chunk(corpus_of([("a.txt", "abcdefghij")]), ChunkSpec(size=4, overlap=1)).start.tolist()
[0, 3, 6]
"""

from overlapkit.chunkers import ChunkSet, ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.diagnose import diagnose
from overlapkit.engine import prepare
from overlapkit.errors import InputError, OverlapkitError, QueryError, SettingsError
from overlapkit.evaluate import Evaluation, evaluate, evaluate_with
from overlapkit.given import evaluate_given, read_chunks, read_run
from overlapkit.lengths import unit_lengths
from overlapkit.queries import (
    Evidence,
    Query,
    QuerySet,
    boundary_probes,
    heading_queries,
    load_golden,
    planted_contract,
)
from overlapkit.readers import load_corpus
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.sweep import Sweep, default_specs, sweep

__all__ = [
    "Budget",
    "ChunkSet",
    "ChunkSpec",
    "Corpus",
    "Document",
    "Evaluation",
    "Evidence",
    "InputError",
    "OverlapkitError",
    "Query",
    "QueryError",
    "QuerySet",
    "RunSpec",
    "SettingsError",
    "Sweep",
    "TopK",
    "boundary_probes",
    "chunk",
    "corpus_of",
    "default_specs",
    "diagnose",
    "evaluate",
    "evaluate_given",
    "evaluate_with",
    "heading_queries",
    "load_corpus",
    "load_golden",
    "planted_contract",
    "prepare",
    "read_chunks",
    "read_run",
    "sweep",
    "unit_lengths",
]
