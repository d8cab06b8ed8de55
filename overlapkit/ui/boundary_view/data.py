"""What the boundary view is given, and its form on the wire: JSON in UTF-8.

A document comes with its units and its parts, and a setting is two numbers: the browser
works out chunks, cuts and what becomes of the evidence by itself, so that it can follow a
drag. All offsets are code points of the stored text; the browser maps them to its own units.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.chunkers import UNITS
from overlapkit.errors import unknown_choice
from overlapkit.structure import Blocks

Offsets: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
Side = Literal["baseline", "chosen"]


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """One evidence span; ``label`` is the question that it answers."""

    id: str
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class DocumentView:
    """The text to show, in the unit that its chunks are counted in.

    ``id`` joins it to its overlays and names the place to come back to: one per text and
    evidence, such as a digest. ``starts`` and ``ends`` are those of its words or tokens.
    """

    id: str
    name: str
    text: str
    evidence: tuple[EvidenceSpan, ...] = ()
    unit: str = "char"
    starts: Offsets = ()
    ends: Offsets = ()
    blocks: Blocks = Blocks()  # noqa: RUF009 (frozen, shared safely)


@dataclass(frozen=True, slots=True)
class WindowSetting:
    """Windows of the document's unit; ``same_size`` keeps the size of the chosen ones."""

    label: str
    size: int
    overlap: int
    same_size: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRanges:
    """Chunks that were cut elsewhere, in order: no chunk inside another."""

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
    """What lies over the text: it is for the view of this ``document`` in this ``unit``."""

    document: str
    chosen: WindowSetting | ChunkRanges
    baseline: WindowSetting | ChunkRanges | None = None
    goto: Goto | None = None
    unit: str = "char"


def encode_document(
    document: DocumentView, *, height: int = 560, picks: bool = False, side: Side | None = None
) -> bytes:
    """Return the view's data; ``picks`` lets selected text be handed on.

    ``height`` is that of the text itself, in pixels. Of two views beside each other, the
    ``side`` says whose chunks are drawn.
    """
    if document.unit not in UNITS:
        raise unknown_choice("unit", document.unit, UNITS)
    parts = document.blocks
    return _json(
        {
            "id": document.id,
            "name": document.name,
            "height": height,
            "picks": picks,
            "side": side,
            "text": document.text,
            "evidence": [
                {"id": span.id, "start": span.start, "end": span.end, "label": span.label}
                for span in document.evidence
            ],
            "blocks": {
                "sentences": _flat(parts.sentences),
                "tableRows": _flat(parts.table_rows),
                "codeBlocks": _flat(parts.code_blocks),
            },
            **_units(document),
        }
    )


def encode_overlay(overlay: ChunkOverlay) -> bytes:
    """Return the overlay's data."""
    baseline, goto = overlay.baseline, overlay.goto
    return _json(
        {
            "document": overlay.document,
            "unit": overlay.unit,
            "chosen": _way(overlay.chosen),
            "baseline": None if baseline is None else _way(baseline),
            "goto": None if goto is None else {"offset": goto.offset, "nonce": goto.nonce},
        }
    )


def _units(document: DocumentView) -> dict[str, Any]:
    """Return the document's layout in its unit; text of white space alone has no unit."""
    unit, text = document.unit, document.text
    if unit == "char":
        return {"unit": unit, "count": 0 if text.isspace() else len(text), "units": None}
    starts, ends = _paired(document.starts, document.ends)
    gaps = np.diff(starts, prepend=0)
    gaps[1:] -= (ends - starts)[:-1]
    units = {"gaps": gaps.tolist(), "lengths": (ends - starts).tolist()}
    return {"unit": unit, "count": len(starts), "units": units}


def _way(chunks: WindowSetting | ChunkRanges) -> dict[str, Any]:
    if isinstance(chunks, WindowSetting):
        found = {"label": chunks.label, "size": chunks.size, "overlap": chunks.overlap}
        return {**found, "same_size": True} if chunks.same_size else found
    starts, ends = _paired(chunks.starts, chunks.ends)
    return {"label": chunks.label, "starts": starts.tolist(), "ends": ends.tolist()}


def _paired(starts: Offsets, ends: Offsets) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    if len(starts) != len(ends):
        raise ValueError(f"starts and ends must pair up; got {len(starts)} and {len(ends)}")
    return np.asarray(starts, dtype=np.int64), np.asarray(ends, dtype=np.int64)


def _flat(spans: Sequence[tuple[int, int]]) -> list[int]:
    return [edge for span in spans for edge in span]


def _json(payload: dict[str, Any]) -> bytes:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8 form; one replacement each keeps every offset.
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
