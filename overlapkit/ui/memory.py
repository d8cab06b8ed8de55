"""What one browser session remembers: made before, to be told, and the keys of tables."""

import zlib
from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def remembered(shelf: str, key: Hashable, most: int, make: Callable[[], T]) -> T:
    """Return what this session made before under a key; the oldest of a shelf goes first."""
    held = st.session_state.setdefault(f"shelf_{shelf}", {})
    if key not in held:
        while len(held) >= most:
            held.pop(next(iter(held)))
        held[key] = make()
    found: T = held[key]
    return found


def key_of(name: str, *listed: object) -> str:
    """Return the key of a table whose selection must not outlive what it lists."""
    return f"{name}_{zlib.crc32(repr(listed).encode('utf-8', 'surrogatepass')):08x}"


def tell(sentence: str) -> None:
    """Show a sentence on the next page drawn."""
    st.session_state.setdefault("notices", []).append(sentence)
