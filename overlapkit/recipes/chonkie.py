"""Chonkie: its splitter for characters, else plain windows as its chunks."""

from overlapkit.chunkers import ChunkSpec
from overlapkit.recipes.kinds import Code, head
from overlapkit.recipes.plain import pinned, with_windows

PACKAGE = ("chonkie", "1.7.0")


def by_characters(spec: ChunkSpec) -> Code:
    """Return ``TokenChunker`` with one token per character."""
    text = f'''\
{head(spec, pinned(PACKAGE))}from chonkie import TokenChunker

chunker = TokenChunker("character", chunk_size={spec.size}, chunk_overlap={spec.overlap})


def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk; white space alone has none."""
    return [(each.start_index, each.end_index, each.text) for each in chunker.chunk(text)]
'''
    return Code(
        text,
        "Call chunk() for each text: chunk_batch() also makes chunks of texts that are white "
        "space alone.",
    )


def by_words_or_tokens(spec: ChunkSpec) -> Code:
    """Return plain windows of words or tokens as Chonkie's chunks."""
    text = with_windows(spec, PACKAGE, "from chonkie import Chunk", _SPLIT)
    return Code(text, f"{_NOTES[spec.unit]}; this cuts in plain Python.")


_SPLIT = '''\
def split(text: str) -> list[Chunk]:
    """Return Chonkie's chunks, with positions in characters."""
    return [
        Chunk(text=piece, start_index=start, end_index=end) for start, end, piece in chunks(text)
    ]
'''

_NOTES = {
    "word": (
        "Chonkie's own TokenChunker splits words at single spaces, so that words on two lines "
        "are one and two spaces hold another"
    ),
    "token": (
        "Chonkie's own TokenChunker decodes token ids, so that a character cut by a chunk comes "
        "back damaged and every later position is wrong"
    ),
}
