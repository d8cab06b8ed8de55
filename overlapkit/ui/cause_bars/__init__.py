"""Misses as stacked bars: one bar for each overlap of a size, one part for each cause.

Every part is a button, so a cause can be picked by pointer and by keyboard. While a handle of
the ruler moves, the browser alone moves the chosen mark, by ``overlapkit:move``; the bars stay
those of the size they were made for until Python sends others. The encoder is pure; only the
mount imports streamlit.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from overlapkit.diagnose import CAUSES, Cause
from overlapkit.ui.component import component
from overlapkit.words import counted

_FOLDER = Path(__file__).parent


NO_MISS: tuple[Cause, ...] = ("hit", "unresolved")  # what is not scored is no miss
MISSES: tuple[Cause, ...] = tuple(cause for cause in CAUSES if cause not in NO_MISS)
_MOST_INTERVALS = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """Why questions miss under one setting, or under what was uploaded.

    ``name`` comes back when a part is picked, ``label`` stands below the bar, ``where`` ends
    the sentence that a part is read as ("at 15% overlap"), and ``title`` is the setting in
    full. ``share`` is the overlap as a fraction of the size, None for an upload.
    """

    name: str
    label: str
    where: str
    title: str
    counts: Mapping[Cause, int]
    share: float | None = None


@dataclass(frozen=True, slots=True)
class CauseBars:
    """The bars of one size, which is counted in ``unit``, from left to right, uploads last.

    ``chosen`` names the bar of the chosen setting; ``picked`` is a bar's name and a cause.
    """

    bars: tuple[Bar, ...]
    unit: str
    size: int
    chosen: str
    picked: tuple[str, Cause] | None = None


def missed(counts: Mapping[Cause, int]) -> int:
    """Return how many questions miss, whatever the cause."""
    return sum(counts[cause] for cause in MISSES)


def round_ticks(most: int) -> tuple[int, ...]:
    """Return the ticks of an axis from 0 that holds ``most``: at most five equal steps.

    A step is 1, 2 or 5 times a power of ten, so that counts stay whole.
    """
    steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in steps if step * _MOST_INTERVALS >= most)
    return tuple(range(0, max(most, 1) + step, step))


def overlap_labels(percents: Sequence[float]) -> list[str]:
    """Return overlaps in percent, rounded to the fewest digits that tell them all apart."""
    digits = 0
    while len({round(one, digits) for one in percents}) < len(set(percents)):
        digits += 1
    return [f"{round(one, digits):g}%" for one in percents]


def encode_bars(state: CauseBars) -> bytes:
    """Return the component's data: JSON in UTF-8; counts are in the order of its causes."""
    most = max((missed(bar.counts) for bar in state.bars), default=0)
    data = {
        "causes": [
            {"cause": cause, "label": CAUSES[cause].label, "meaning": CAUSES[cause].meaning}
            for cause in MISSES
        ],
        "ticks": round_ticks(most),
        "bars": [_plain(bar) for bar in state.bars],
        "unit": state.unit,
        "size": state.size,
        "chosen": state.chosen,
        "picked": state.picked,
    }
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _plain(bar: Bar) -> dict[str, object]:
    return {
        "name": bar.name,
        "label": bar.label,
        "title": bar.title,
        "said": f"{counted(missed(bar.counts), 'question')} missed {bar.where}",
        "share": bar.share,
        "parts": [
            {
                "count": bar.counts[cause],
                "said": f"{counted(bar.counts[cause], 'question')}, "
                f"{CAUSES[cause].label.lower()}, {bar.where}",
            }
            for cause in MISSES
        ],
    }


def cause_bars(
    state: CauseBars, *, key: str, on_pick: Callable[[tuple[str, str] | None], None]
) -> None:
    """Show the bars; ``on_pick`` gets a bar's name and a cause, None when they are unpicked."""
    import streamlit as st  # noqa: PLC0415 (the encoder must work without it)

    def picked() -> None:
        pick = st.session_state[key].get("pick")
        if pick:
            name, cause = str(pick[0]), str(pick[1])
            on_pick((name, cause) if cause else None)

    component("cause_bars", _FOLDER, ("drawing.js", "bars.js"), html="bars.html", css="bars.css")(
        key=key, data=encode_bars(state), on_pick_change=picked
    )
