"""The text of one document with the places where chunks begin and end.

Two mounts, so that moving a slider does not send the text again:

- ``document_view`` holds the text with its units, parts and evidence, and draws everything;
- ``chunk_overlay`` has no height: it carries the settings and hands them to the view by an
  event on the page's ``document``. Either may arrive first or be mounted again.

While a handle is dragged, the view follows the event ``overlapkit:move`` by itself. Two views
of one document, such as the baseline's beside the chosen one, move together.
"""

from collections.abc import Callable
from pathlib import Path

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
from overlapkit.ui.component import component
from overlapkit.ui.live import OFFER_JS, WINDOWS_JS

_FOLDER = Path(__file__).parent


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

    component(
        "document_view", _FOLDER, _SCRIPTS, html="view.html", css="view.css", before=WINDOWS_JS()
    )(key=key, data=data, on_pick_change=picked)


def chunk_overlay(overlay: ChunkOverlay, *, key: str) -> None:
    """Lay a chunking over the views whose document has the id ``overlay.document``."""
    component("chunk_overlay", _FOLDER, ("overlay.js",), before=OFFER_JS())(
        key=key, data=encode_overlay(overlay)
    )
