"""The text of one document with the places where chunks begin and end.

Two mounts, so that moving a slider does not send the text again:

- ``document_view`` holds the text with its units, parts and evidence, and draws everything;
- ``chunk_overlay`` has no height: it carries the settings and hands them to the view by an
  event on the page's ``document``. Either may arrive first or be mounted again.

While a handle is dragged, the view follows the event ``overlapkit:move`` by itself. Two views
of one document, such as the baseline's beside the chosen one, move together.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from overlapkit.ui.boundary_view.data import (
    ChunkOverlay,
    ChunkRanges,
    DocumentView,
    EvidenceSpan,
    Goto,
    Offsets,
    Side,
    WindowSetting,
    encode_document,
    encode_overlay,
)
from overlapkit.ui.live import OFFER_JS, WINDOWS_JS

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = [
    "ChunkOverlay",
    "ChunkRanges",
    "DocumentView",
    "EvidenceSpan",
    "Goto",
    "Offsets",
    "Side",
    "WindowSetting",
    "chunk_overlay",
    "document_view",
    "encode_document",
    "encode_overlay",
]

_SCRIPTS = ("pure.js", "chunks.js", "marks.js", "map.js", "controls.js", "follow.js", "view.js")


def document_view(
    data: bytes, *, key: str, on_pick: Callable[[int, int], None] | None = None
) -> None:
    """Show a document; ``data`` is what ``encode_document`` made of it, once for many runs.

    ``on_pick`` gets the stretch that the reader selected and handed on, in code points.
    """
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    def picked() -> None:
        pick = st.session_state[key].get("pick")
        if pick and on_pick:
            on_pick(int(pick[0]), int(pick[1]))

    _document_component()(key=key, data=data, on_pick_change=picked)


def chunk_overlay(overlay: ChunkOverlay, *, key: str) -> None:
    """Lay a chunking over the views whose document has the id ``overlay.document``."""
    _overlay_component()(key=key, data=encode_overlay(overlay))


@functools.cache
def _document_component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    return st.components.v2.component(
        "overlapkit_document_view",
        html=_asset("view.html"),
        css=_asset("view.css"),
        js="\n".join((WINDOWS_JS(), *map(_asset, _SCRIPTS))),
        # Ranges, selection and highlights are all simpler outside a shadow root; every
        # class name in the style sheet has its own prefix instead.
        isolate_styles=False,
    )


@functools.cache
def _overlay_component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    return st.components.v2.component(
        "overlapkit_chunk_overlay",
        js=f"{OFFER_JS()}\n{_asset('overlay.js')}",
        isolate_styles=False,
    )


def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
