"""Readers: bytes to stored text. A new format is a module and a line in ``READERS``."""

from overlapkit.readers.decode import Decoded, decode
from overlapkit.readers.files import Content, read_files
from overlapkit.readers.limits import DEFAULT_LIMITS, Limits
from overlapkit.readers.paths import load_corpus, read_paths
from overlapkit.readers.reading import Reading, corpus_of_reading
from overlapkit.readers.table import ARCHIVES, READERS, SUPPORTED, Reader, Unpacker

__all__ = [
    "ARCHIVES",
    "DEFAULT_LIMITS",
    "READERS",
    "SUPPORTED",
    "Content",
    "Decoded",
    "Limits",
    "Reader",
    "Reading",
    "Unpacker",
    "corpus_of_reading",
    "decode",
    "load_corpus",
    "read_files",
    "read_paths",
]
