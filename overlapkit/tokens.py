"""Byte-pair tokens, offline, behind one wrapper.

The vocabularies ship inside ``toktok-rs``. Its tokenizer class sits behind an underscore
name, so it is touched here and nowhere else, the version is pinned, and a test holds the
ids. Text that spells a special token is plain text.
"""

import re
from typing import NamedTuple

import numpy as np
import toktok

from overlapkit.arrays import Longs
from overlapkit.errors import unknown_choice

ENCODINGS = ("cl100k_base", "o200k_base")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class TokenSpans(NamedTuple):
    """Token offsets in code points; ``widened`` counts tokens cut inside a character."""

    starts: Longs
    ends: Longs
    widened: int


def token_spans(text: str, encoding: str = "cl100k_base") -> TokenSpans:
    """Return the span of every token, widened to whole code points where a token cuts one.

    Raises SettingsError for an unknown encoding.
    """
    _check(encoding)
    clean = _encodable(text)
    tokenizer = toktok._encoding(encoding)
    _, pairs = tokenizer.encode_with_offsets(clean, unit="byte")
    offsets = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    if clean.isascii():
        return TokenSpans(offsets[:, 0], offsets[:, 1], 0)
    data = np.frombuffer(clean.encode("utf-8"), dtype=np.uint8)
    leads = (data & 0xC0) != 0x80  # every byte that is not a continuation begins a character
    character = np.cumsum(leads) - 1
    starts = character[offsets[:, 0]]
    ends = character[offsets[:, 1] - 1] + 1
    at_lead = np.append(leads, True)
    widened = int(np.count_nonzero(~(at_lead[offsets[:, 0]] & at_lead[offsets[:, 1]])))
    return TokenSpans(starts, ends, widened)


def count_tokens(texts: list[str], encoding: str = "cl100k_base") -> Longs:
    """Return how many tokens each text has on its own."""
    _check(encoding)
    counts = toktok.batch_count([_encodable(text) for text in texts], encoding)
    return np.array(counts, dtype=np.int64)


def _check(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise unknown_choice("encoding", encoding, ENCODINGS)


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, one for one."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)
