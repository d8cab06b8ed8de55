"""The table of chunkers, and the one call that uses it."""

from collections.abc import Callable

from overlapkit.chunkers.spans import ChunkSet, Units
from overlapkit.chunkers.spec import ChunkSpec
from overlapkit.chunkers.window import read_units, windows
from overlapkit.corpus import Corpus
from overlapkit.errors import unknown_choice

Chunker = Callable[[Corpus, ChunkSpec, Units], ChunkSet]

CHUNKERS: dict[str, Chunker] = {"window": windows}


def chunk(corpus: Corpus, spec: ChunkSpec, units: Units | None = None) -> ChunkSet:
    """Return the chunks of a corpus under a spec.

    ``units`` is what ``read_units`` returned for this corpus and unit; passing it saves
    reading them again. Raises SettingsError for a chunker that the table does not hold.
    """
    try:
        chunker = CHUNKERS[spec.chunker]
    except KeyError:
        raise unknown_choice("chunker", spec.chunker, CHUNKERS) from None
    return chunker(corpus, spec, units or read_units(corpus, spec.unit, spec.encoding))
