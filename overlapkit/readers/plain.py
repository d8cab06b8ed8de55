"""Plain text: the decoded bytes, nothing added and nothing taken away."""

from overlapkit.readers.decode import Decoded, decode


def read_plain(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of a plain-text file."""
    return decode(data, encoding)
