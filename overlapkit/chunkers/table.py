"""The table of chunkers, and the one call that uses it."""

from collections.abc import Callable
from functools import partial

from overlapkit.chunkers.pieces import Pieces, read_pieces
from overlapkit.chunkers.spans import ChunkSet, Units
from overlapkit.chunkers.spec import ChunkSpec
from overlapkit.chunkers.structure import packed
from overlapkit.chunkers.window import read_units, windows
from overlapkit.corpus import Corpus
from overlapkit.errors import unknown_choice

# Pieces come by a call, since a chunker that does not ask for them need not wait for them.
Chunker = Callable[[Corpus, ChunkSpec, Units, Callable[[], Pieces]], ChunkSet]

CHUNKERS: dict[str, Chunker] = {"window": windows, "structure": packed}


def chunk(
    corpus: Corpus,
    spec: ChunkSpec,
    units: Units | None = None,
    pieces: Callable[[], Pieces] | None = None,
) -> ChunkSet:
    """Return the chunks of a corpus under a spec.

    ``units`` is what ``read_units`` returned for this corpus and unit, ``pieces`` returns
    what ``read_pieces`` did; passing them saves reading again. Raises SettingsError for a
    chunker that the table does not hold.
    """
    try:
        chunker = CHUNKERS[spec.chunker]
    except KeyError:
        raise unknown_choice("chunker", spec.chunker, CHUNKERS) from None
    units = units or read_units(corpus, spec.unit, spec.encoding)
    return chunker(corpus, spec, units, pieces or partial(read_pieces, corpus))
