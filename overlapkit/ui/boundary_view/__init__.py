"""The text of one document with the places where chunks begin and end.

Two mounts, so that moving a slider does not send the text again:

- ``document_view`` holds the text and its evidence, and draws everything;
- ``chunk_overlay`` has no height: it carries the chosen chunking and hands it to the view
  by an event on the page's ``document``. Either may arrive first or be mounted again.

All offsets are code points of the stored text; the browser maps them to its own units.
The ``encode_`` functions are pure; only the two mounts import streamlit.
"""

import functools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.boundaries import CUT_KINDS, STATES, Cut
from overlapkit.errors import unknown_choice

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

Offsets: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """One evidence span; ``label`` is the question that it answers."""

    id: str
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The text to show.

    ``id`` joins it to its overlays and names the place to come back to: one per text and
    evidence, such as a digest.
    """

    id: str
    name: str
    text: str
    evidence: tuple[EvidenceSpan, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRanges:
    """The chunks of the document under one setting, in order: no chunk inside another."""

    label: str
    starts: Offsets
    ends: Offsets


@dataclass(frozen=True, slots=True)
class Goto:
    """A place to jump to, once for each new ``nonce``."""

    offset: int
    nonce: int | str


@dataclass(frozen=True, slots=True, eq=False)
class ChunkOverlay:
    """What lies over the text.

    ``document`` is the ``DocumentView.id`` that it belongs to; ``evidence_states`` has one
    word of ``STATES`` for each evidence span of that view, in its order.
    """

    document: str
    chunks: ChunkRanges
    cuts: tuple[Cut, ...] = ()
    evidence_states: tuple[str, ...] = ()
    baseline: ChunkRanges | None = None
    goto: Goto | None = None


def encode_document(document: DocumentView, *, height: int = 560, picks: bool = False) -> bytes:
    """Return the view's data: JSON in UTF-8; ``picks`` lets selected text be handed on."""
    return _json(
        {
            "id": document.id,
            "name": document.name,
            "height": height,
            "picks": picks,
            "text": document.text,
            "evidence": [
                {"id": span.id, "start": span.start, "end": span.end, "label": span.label}
                for span in document.evidence
            ],
        }
    )


def encode_overlay(overlay: ChunkOverlay) -> bytes:
    """Return the overlay's data: JSON in UTF-8, many values as parallel arrays."""
    baseline, goto = overlay.baseline, overlay.goto
    cuts = sorted(overlay.cuts, key=lambda cut: cut.position)
    return _json(
        {
            "document": overlay.document,
            "chunks": _ranges(overlay.chunks),
            "baseline": None if baseline is None else _ranges(baseline),
            "cutAt": [cut.position for cut in cuts],
            "cutKinds": [_mask(cut.kinds) for cut in cuts],
            "states": [
                _position("evidence state", state, STATES) for state in overlay.evidence_states
            ],
            "goto": None if goto is None else {"offset": goto.offset, "nonce": goto.nonce},
        }
    )


def document_view(
    document: DocumentView,
    *,
    key: str,
    height: int = 560,
    on_pick: Callable[[int, int], None] | None = None,
) -> None:
    """Show the text; ``height`` is that of the text itself, in pixels.

    ``on_pick`` gets the stretch that the reader selected and handed on, in code points.
    """
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    def picked() -> None:
        pick = st.session_state[key].get("pick")
        if pick and on_pick:
            on_pick(int(pick[0]), int(pick[1]))

    data = encode_document(document, height=height, picks=on_pick is not None)
    _document_component()(key=key, data=data, on_pick_change=picked)


def chunk_overlay(overlay: ChunkOverlay, *, key: str) -> None:
    """Lay a chunking over the view whose document has the id ``overlay.document``."""
    _overlay_component()(key=key, data=encode_overlay(overlay))


@functools.cache
def _document_component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    return st.components.v2.component(
        "overlapkit_document_view",
        html=_asset("view.html"),
        css=_asset("view.css"),
        js="\n".join(_asset(name) for name in ("pure.js", "marks.js", "controls.js", "view.js")),
        # Ranges, selection and highlights are all simpler outside a shadow root; every
        # class name in the style sheet has its own prefix instead.
        isolate_styles=False,
    )


@functools.cache
def _overlay_component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (the encoders must work without it)

    return st.components.v2.component(
        "overlapkit_chunk_overlay", js=_asset("overlay.js"), isolate_styles=False
    )


def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _ranges(chunks: ChunkRanges) -> dict[str, Any]:
    starts, ends = _offsets(chunks.starts), _offsets(chunks.ends)
    if len(starts) != len(ends):
        raise ValueError(f"starts and ends must pair up; got {len(starts)} and {len(ends)}")
    return {"label": chunks.label, "starts": starts, "ends": ends}


def _offsets(values: Offsets) -> list[int]:
    return [int(value) for value in np.asarray(values, dtype=np.int64)]


def _mask(kinds: tuple[str, ...]) -> int:
    mask = 0
    for kind in kinds:
        mask |= 1 << _position("cut kind", kind, CUT_KINDS)
    return mask


def _position(what: str, value: str, choices: tuple[str, ...]) -> int:
    if value not in choices:
        raise unknown_choice(what, value, choices)
    return choices.index(value)


def _json(payload: dict[str, Any]) -> bytes:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8 form; one replacement each keeps every offset.
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
