"""Chunkers: a corpus to spans. A new one is a function and a line in ``CHUNKERS``."""

from overlapkit.chunkers.spans import ChunkSet
from overlapkit.chunkers.spec import UNITS, ChunkSpec, parse_spec
from overlapkit.chunkers.table import CHUNKERS, chunk

__all__ = ["CHUNKERS", "UNITS", "ChunkSet", "ChunkSpec", "chunk", "parse_spec"]
