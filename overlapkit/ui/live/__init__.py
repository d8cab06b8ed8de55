"""What the browser needs to follow a drag by itself: windows of any setting, and a measure.

``WINDOWS_JS`` cuts windows and counts what they hold, in the browser, as this package does
in Python. It needs a *measure*: the units and the evidence of a corpus without its text,
sent once for each corpus, query set and unit. ``corpus_measure`` offers one to all that
follow a drag on the page, by an event on the page's ``document``.

A measure on the wire is the length of a header (4 bytes), the header (JSON: ``id``,
``unit``, and for each array its ``name``, ``type`` and ``length``), then the arrays in that
order; all numbers are little-endian. The encoder is pure; only the mount imports streamlit.
"""

import functools
import hashlib
import json
from pathlib import Path

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.spans import Units
from overlapkit.engine import Engine
from overlapkit.ui.component import asset, component

_FOLDER = Path(__file__).parent


# The browser knows the types by these names (windows.js); the first that fits is taken.
_TYPES = (("u8", "<u1"), ("i8", "<i1"), ("u16", "<u2"), ("i16", "<i2"), ("i32", "<i4"))


@functools.cache
def WINDOWS_JS() -> str:  # noqa: N802 (stands for a text, as a constant would)
    """Return the functions of windows.js, to stand in front of a component's own script."""
    return f"{NEAREST_JS()}\n{asset(_FOLDER, 'windows.js')}"


@functools.cache
def NEAREST_JS() -> str:  # noqa: N802 (as above)
    """Return ``nearestSetting`` alone, for what follows a drag by the grid and cuts nothing."""
    return asset(_FOLDER, "nearest.js")


@functools.cache
def OFFER_JS() -> str:  # noqa: N802 (as above)
    """Return ``offerOf``, for what has nothing to draw and hands its data to what has."""
    return asset(_FOLDER, "offer.js")


def measure_id(engine: Engine, unit: str, encoding: str = "cl100k_base") -> str:
    """Return the name of a measure: equal names, equal content."""
    parts = (engine.corpus.digest, engine.queries.digest, unit, encoding * (unit == "token"))
    return hashlib.sha256(":".join(parts).encode()).hexdigest()[:16]


def encode_measure(engine: Engine, unit: str, encoding: str = "cl100k_base") -> bytes:
    """Return the units and the evidence of a corpus as ``corpus_measure`` sends them.

    Evidence spans keep the order of ``engine.evidence.spans``.
    """
    units, spans = engine.units(unit, encoding), engine.evidence.spans
    shift = engine.evidence.base[spans.doc]
    arrays = {"counts": np.diff(units.first), **unit_arrays(units)}
    arrays |= {"spanDoc": spans.doc, "spanStart": spans.start - shift, "spanEnd": spans.end - shift}
    listed, parts = [], []
    for name, values in arrays.items():
        kind, dtype = _smallest(values)
        listed.append({"name": name, "type": kind, "length": len(values)})
        parts.append(values.astype(dtype).tobytes())
    header = {"id": measure_id(engine, unit, encoding), "unit": unit, "arrays": listed}
    data = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((len(data).to_bytes(4, "little"), data, *parts))


def unit_arrays(units: Units) -> dict[str, Longs]:
    """Return the gap before each unit and its length in code points; nothing for characters.

    A gap begins at the end of the unit before in the same document, else at the document's
    start. Tokens widened to whole characters may overlap, and then it is negative.
    """
    if units.starts is None or units.ends is None:
        return {}
    before = np.concatenate(([0], units.ends))[:-1]
    has_units = np.diff(units.first) > 0
    before[units.first[:-1][has_units]] = units.base[has_units]
    return {"gaps": units.starts - before, "lengths": units.ends - units.starts}


def corpus_measure(measure: bytes, *, key: str) -> None:
    """Offer a measure to what follows a drag on this page; nothing is drawn."""
    component("corpus_measure", _FOLDER, ("measure.js",), before=f"{WINDOWS_JS()}\n{OFFER_JS()}")(
        key=key, data=measure
    )


def _smallest(values: Longs) -> tuple[str, str]:
    """Return the name and the numpy type of the smallest type that holds every value."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    for kind, dtype in _TYPES:
        limits = np.iinfo(dtype)
        if limits.min <= low and high <= limits.max:
            return kind, dtype
    raise ValueError(f"positions must lie within 32 bits; got {low}..{high}")
