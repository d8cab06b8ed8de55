"""Markdown: the source is the stored text, so that every offset points into the file."""

from overlapkit.readers.decode import Decoded, decode


def read_markdown(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the source of a Markdown file; its structure is read from that later."""
    return decode(data, encoding)
