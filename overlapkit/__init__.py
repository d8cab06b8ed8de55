"""Which chunk size and overlap should a corpus be indexed with? Measure it first.

A chain of pure functions on frozen data:

corpus → spans → index → run → scores → decision → page

>>> from overlapkit import ChunkSpec, chunk, corpus_of
>>> chunk(corpus_of([("a.txt", "abcdefghij")]), ChunkSpec(size=4, overlap=1)).start.tolist()
[0, 3, 6]
"""

from overlapkit.chunkers import ChunkSet, ChunkSpec, chunk
from overlapkit.corpus import Corpus, Document, corpus_of
from overlapkit.errors import InputError, OverlapkitError, QueryError, SettingsError
from overlapkit.evaluate import Evaluation, evaluate
from overlapkit.queries import (
    Evidence,
    Query,
    QuerySet,
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
    "chunk",
    "corpus_of",
    "default_specs",
    "evaluate",
    "heading_queries",
    "load_corpus",
    "load_golden",
    "planted_contract",
    "sweep",
]
