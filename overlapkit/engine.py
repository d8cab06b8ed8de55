"""A corpus and its queries, read once, ready to evaluate any setting.

Everything here is derived from the corpus, the queries and the term function alone, so an
``Engine`` can be shared by threads and kept as long as its corpus is.
"""

from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from overlapkit.chunkers import ChunkSet, ChunkSpec, chunk
from overlapkit.chunkers.pieces import Pieces, read_pieces
from overlapkit.chunkers.spans import Units
from overlapkit.chunkers.window import read_units
from overlapkit.corpus import Corpus
from overlapkit.index import Index, QueryTerms, build_index, query_terms
from overlapkit.queries.located import EvidenceSpans, locate
from overlapkit.queries.model import QuerySet
from overlapkit.retrieve import Budget, Ranked, TopK, rank
from overlapkit.terms import TermChoice, TermStream, choose_terms, read_terms, term_function

_LONGEST_TOKEN = 128  # characters; a run of 128 spaces is one token of cl100k_base


@dataclass(frozen=True, eq=False)
class Engine:
    """What ``prepare`` made. ``terms`` names the term function taken, and why."""

    corpus: Corpus
    queries: QuerySet
    terms: TermChoice
    stream: TermStream
    query_terms: QueryTerms
    evidence: EvidenceSpans
    _units: dict[tuple[str, str], Units] = field(default_factory=dict)
    _pieces: list[Pieces] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def units(self, unit: str, encoding: str = "cl100k_base") -> Units:
        """Return the corpus's unit spans, read when first asked for."""
        with self._lock:
            key = (unit, encoding if unit == "token" else "")
            if key not in self._units:
                self._units[key] = read_units(self.corpus, unit, encoding)
            return self._units[key]

    def pieces(self) -> Pieces:
        """Return the corpus's pieces of structure, read when first asked for."""
        with self._lock:
            if not self._pieces:
                self._pieces.append(read_pieces(self.corpus))
            return self._pieces[0]

    def chunk(self, spec: ChunkSpec) -> ChunkSet:
        """Return the chunks under a spec."""
        units = self.units(spec.unit, spec.encoding)
        return chunk(self.corpus, spec, units, self.pieces)

    def index(self, chunks: ChunkSet) -> Index:
        """Return the postings of the queries' terms."""
        return build_index(self.stream, chunks, self.query_terms)

    def rank(
        self,
        chunks: ChunkSet,
        index: Index,
        ranking: str,
        cutoffs: tuple[TopK | Budget, ...],
        asked: QueryTerms | None = None,
    ) -> Ranked:
        """Return ranked lists that reach deep enough for every cut-off.

        ``asked`` are other queries than the engine's own; the index must be theirs.
        """
        asked = asked or self.query_terms
        depth = max([_depth(cutoff, chunks) for cutoff in cutoffs], default=1)
        while True:
            ranked = rank(index, asked, ranking, depth)
            if depth >= len(chunks) or all(
                _filled(cutoff, chunks, ranked, depth) for cutoff in cutoffs
            ):
                return ranked
            depth *= 2


def prepare(corpus: Corpus, queries: QuerySet, terms: str = "auto") -> Engine:
    """Read a corpus and its queries once.

    Raises SettingsError for an unknown term function, QueryError for evidence that does
    not lie in the corpus.
    """
    texts = [query.text for query in queries]
    if terms == "auto":
        choice = choose_terms(corpus, texts)
    else:
        term_function(terms)
        choice = TermChoice(terms, "as asked")
    stream = read_terms(corpus, choice.name)
    asked = query_terms(stream, texts)
    return Engine(corpus, queries, choice, stream, asked, locate(corpus, queries))


def _depth(cutoff: TopK | Budget, chunks: ChunkSet) -> int:
    if isinstance(cutoff, TopK):
        return cutoff.k
    typical = int(np.median(chunks.lengths())) if len(chunks) else 1
    return cutoff.size // max(typical // (1 if cutoff.unit == "char" else 4), 1) + 3


def _filled(cutoff: TopK | Budget, chunks: ChunkSet, ranked: Ranked, depth: int) -> bool:
    """Tell whether no list ends for want of depth before the cut-off is reached."""
    if isinstance(cutoff, TopK):
        return True
    taken = np.bincount(ranked.query, chunks.lengths()[ranked.chunk], len(ranked.first) - 1)
    needed = cutoff.size * (1 if cutoff.unit == "char" else _LONGEST_TOKEN)
    full_depth = np.diff(ranked.first) >= depth
    return not bool((full_depth & (taken < needed)).any())
