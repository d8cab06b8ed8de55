"""What the ruler's state becomes on its way to the browser."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from overlapkit.errors import SettingsError
from overlapkit.ui.ruler import (
    Answered,
    CutElsewhere,
    GridRow,
    Pinned,
    RulerState,
    SameSize,
    Tile,
    encode_ruler,
)

STATE = RulerState(
    measure="0123",
    unit="word",
    size=130,
    overlap=26,
    largest=700,
    tokens_per_character=0.25,
    per_million_tokens=0.02,
)


def sent(state: RulerState, answered: Answered | None = None) -> Any:
    """Return what the browser reads."""
    return json.loads(encode_ruler(state, answered).decode("utf-8"))


def test_a_state_is_json_in_utf8():
    """Every field has its place, and texts arrive as they are."""
    tile = Tile("complete", "Complete in top 5 – „ganz“", "85.6%", "+5.3 points", "good", "Why?")
    row = GridRow(100, 20, {"complete": "81.0%"})
    found = sent(replace(STATE, tokens=1234, tiles=(tile,), grid=(row,)))
    assert found == {
        "measure": "0123",
        "unit": "word",
        "units": {"char": "characters", "word": "words", "token": "tokens"},
        "size": 130,
        "overlap": 26,
        "largest": 700,
        "baseline": {"label": "no overlap at the same size", "sameSize": True},
        "evidence": True,
        "tokens": 1234,
        "tokensPerCharacter": 0.25,
        "perMillionTokens": 0.02,
        "tiles": [
            {
                "key": "complete",
                "label": "Complete in top 5 – „ganz“",
                "value": "85.6%",
                "note": "+5.3 points",
                "tone": "good",
                "help": "Why?",
            }
        ],
        "grid": [{"size": 100, "overlap": 20, "values": {"complete": "81.0%"}}],
        "answered": {"count": 0, "setting": None},
    }


def test_each_kind_of_baseline_says_what_it_is():
    """The same size without overlap, a pinned setting, or one digit per evidence span."""
    assert sent(replace(STATE, baseline=SameSize("none")))["baseline"] == {
        "label": "none",
        "sameSize": True,
    }
    assert sent(replace(STATE, baseline=Pinned("100 words", 100, 0)))["baseline"] == {
        "label": "100 words",
        "size": 100,
        "overlap": 0,
    }
    held = np.array([True, False, True])
    assert sent(replace(STATE, baseline=CutElsewhere("yours", held)))["baseline"] == {
        "label": "yours",
        "held": "101",
    }


def test_spans_held_elsewhere_may_be_a_list_or_an_array():
    """Equal answers give equal bytes, so nothing is sent again."""
    lists = replace(STATE, baseline=CutElsewhere("yours", [True, False]))
    arrays = replace(STATE, baseline=CutElsewhere("yours", np.array([True, False])))
    assert encode_ruler(lists) == encode_ruler(arrays)


def test_the_scale_reaches_a_size_that_a_link_asks_for():
    """A size beyond the end of the scale moves that end."""
    assert sent(replace(STATE, size=900))["largest"] == 900


def test_the_last_message_goes_back():
    """The browser tells by it which of its messages this data answers."""
    found = sent(STATE, Answered(3, ("char", -1, -1)))
    assert found["answered"] == {"count": 3, "setting": ["char", -1, -1]}


def test_what_no_chunk_can_have_is_refused():
    """An unknown unit and an overlap of the whole size never reach the page."""
    with pytest.raises(SettingsError, match="unit must be one of char, word, token; got 'line'"):
        replace(STATE, unit="line")
    with pytest.raises(SettingsError, match=r"overlap must lie in 0..129 for size 130; got 130"):
        replace(STATE, overlap=130)
