"""A ruler of two neighbouring chunks whose handles set size and overlap.

While a handle moves, the browser alone works: the ruler tells the page's ``document`` of each
frame by the event ``overlapkit:move``, and counts chunks, text and evidence exactly, by the
measure that ``overlapkit.ui.live.corpus_measure`` offers. On release one message goes to
Python, whose figures then replace what the grid stood in for.

It is two mounts, so that an answer carries figures alone: ``ruler`` draws, ``ruler_state``
has no height, hands the state over and takes the message. Either may arrive first. The
encoder is pure; only the mounts import streamlit.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.errors import SettingsError, unknown_choice
from overlapkit.ui.component import component
from overlapkit.ui.live import OFFER_JS, WINDOWS_JS
from overlapkit.words import UNIT_NAMES

_FOLDER = Path(__file__).parent
_SCRIPTS = ("words.js", "drawing.js", "figures.js", "gestures.js", "ruler.js")

USUAL_SETTING = -1  # what the browser sends for size and overlap when only the unit changes


@dataclass(frozen=True, slots=True)
class SameSize:
    """Evidence is compared with no overlap at whatever size is chosen."""

    label: str = "no overlap at the same size"


@dataclass(frozen=True, slots=True)
class Pinned:
    """Evidence is compared with a setting of ours in the unit of the ruler."""

    label: str
    size: int
    overlap: int


@dataclass(frozen=True, slots=True, eq=False)
class CutElsewhere:
    """Evidence is compared with chunks that no setting of ours makes.

    ``held`` tells which evidence spans those hold whole, in the order of the measure.
    """

    label: str
    held: Sequence[bool] | npt.NDArray[np.bool_]


Baseline: TypeAlias = SameSize | Pinned | CutElsewhere


@dataclass(frozen=True, slots=True)
class Tile:
    """An exact figure from Python, ready to read; ``note`` says how it differs from the baseline.

    ``tone`` is what the note means to the reader; ``key`` joins the tile to the grid.
    """

    key: str
    label: str
    value: str
    note: str = ""
    tone: Literal["good", "bad", "none"] = "none"
    help: str = ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """What tiles show while a handle is near this setting: their values as text, by key."""

    size: int
    overlap: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class RulerState:
    """Everything that the ruler shows.

    ``measure`` is the ``overlapkit.ui.live.measure_id`` of the corpus, its questions and the
    unit; ``largest`` ends the scale of sizes. Without ``evidence`` (questions whose evidence
    is a whole region, or none at all) its figures are left out. ``tokens`` to embed are exact
    and belong to this very setting; where they are not known, and while a handle moves, the
    price comes from ``tokens_per_character``. ``per_million_tokens`` is in US dollars. Grid
    rows are in the unit of the ruler.
    """

    measure: str
    unit: str
    size: int
    overlap: int
    largest: int
    tokens_per_character: float
    per_million_tokens: float
    baseline: Baseline = field(default_factory=SameSize)
    evidence: bool = True
    tokens: int | None = None
    tiles: tuple[Tile, ...] = ()
    grid: tuple[GridRow, ...] = ()

    def __post_init__(self) -> None:
        if self.unit not in UNIT_NAMES:
            raise unknown_choice("unit", self.unit, UNIT_NAMES)
        if not 0 <= self.overlap < self.size:
            raise SettingsError(
                f"overlap must lie in 0..{self.size - 1} for size {self.size}; got {self.overlap}"
            )


@dataclass(frozen=True, slots=True)
class Answered:
    """The last message from the browser, and how many there were.

    It goes back with the next data, so that the browser can tell the answer to its message
    from what an earlier run of the script still sends, and sees a setting that was refused.
    """

    count: int = 0
    setting: tuple[str, int, int] | None = None


def encode_ruler(state: RulerState, answered: Answered | None = None) -> bytes:
    """Return the component's data: JSON in UTF-8."""
    data = {
        "measure": state.measure,
        "unit": state.unit,
        "units": dict(UNIT_NAMES),
        "size": state.size,
        "overlap": state.overlap,
        # A link may ask for more than the scale has.
        "largest": max(state.largest, state.size),
        "baseline": _baseline(state.baseline),
        "evidence": state.evidence,
        "tokens": state.tokens,
        "tokensPerCharacter": state.tokens_per_character,
        "perMillionTokens": state.per_million_tokens,
        "tiles": [asdict(tile) for tile in state.tiles],
        "grid": [
            {"size": row.size, "overlap": row.overlap, "values": dict(row.values)}
            for row in state.grid
        ],
        "answered": asdict(answered or Answered()),
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _baseline(baseline: Baseline) -> dict[str, Any]:
    """Return a baseline as the browser reads it; one digit stands for each evidence span."""
    if isinstance(baseline, Pinned):
        return asdict(baseline)
    if isinstance(baseline, CutElsewhere):
        held = "".join("1" if whole else "0" for whole in np.asarray(baseline.held, dtype=bool))
        return {"label": baseline.label, "held": held}
    return {"label": baseline.label, "sameSize": True}


def ruler(*, key: str) -> None:
    """Draw a ruler; it shows the state that this page gives by ``ruler_state``."""
    component("ruler", _FOLDER, _SCRIPTS, html="ruler.html", css="ruler.css", before=WINDOWS_JS())(
        key=key
    )


def ruler_state(
    state: RulerState, *, key: str, on_setting: Callable[[str, int, int], None]
) -> None:
    """Give the page's ruler its state; ``on_setting`` gets unit, size and overlap let go of.

    Where only the unit was changed, size and overlap are ``USUAL_SETTING``: the caller
    chooses those of the new unit. A fragment that holds this and nothing else answers a
    message at once.
    """
    import streamlit as st  # noqa: PLC0415 (the encoder must work without it)

    remembered = f"{key}_answered"

    def changed() -> None:
        setting = st.session_state[key].get("setting")
        if setting:
            unit, size, overlap = str(setting[0]), int(setting[1]), int(setting[2])
            before = st.session_state.get(remembered, Answered())
            st.session_state[remembered] = Answered(before.count + 1, (unit, size, overlap))
            on_setting(unit, size, overlap)

    data = encode_ruler(state, st.session_state.get(remembered))
    component("ruler_state", _FOLDER, ("state.js",), before=OFFER_JS())(
        key=key, data=data, on_setting_change=changed
    )
