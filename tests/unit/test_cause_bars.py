"""Misses as bars: what is sent to the page."""

import json
from pathlib import Path

import pytest

from overlapkit.diagnose import CAUSES
from overlapkit.ui import cause_bars
from overlapkit.ui.cause_bars import (
    MISSES,
    Bar,
    CauseBars,
    encode_bars,
    missed,
    overlap_labels,
    round_ticks,
)

NOTHING = dict.fromkeys(CAUSES, 0)
CUT = NOTHING | {"hit": 50, "unresolved": 7, "cut boundary": 1, "outranked": 12}


def encoded(*bars, **more):
    """Return what the page reads."""
    state = CauseBars(bars, "char", 800, "120", **more)
    return json.loads(encode_bars(state))


def test_hits_and_what_is_not_scored_are_no_miss():
    """Every other cause is one, in the order in which it is asked for."""
    assert MISSES == (
        "chunk too small", "cut boundary", "no shared term", "crowded out", "outranked",
    )  # fmt: skip
    assert missed(CUT) == 13


def test_each_part_is_read_as_a_sentence():
    """How many questions, which cause, where; one question is no plural."""
    (bar,) = encoded(Bar("120", "15%", "at 15% overlap", "title", CUT, 0.15))["bars"]
    assert [part["said"] for part in bar["parts"]] == [
        "0 questions, chunk too small, at 15% overlap",
        "1 question, cut boundary, at 15% overlap",
        "0 questions, no shared term, at 15% overlap",
        "0 questions, crowded out, at 15% overlap",
        "12 questions, outranked, at 15% overlap",
    ]
    assert bar["said"] == "13 questions missed at 15% overlap"
    assert (bar["name"], bar["label"], bar["title"], bar["share"]) == ("120", "15%", "title", 0.15)


def test_an_upload_has_no_share_of_overlap():
    """The page sets it apart by that."""
    (bar,) = encoded(Bar("your run", "your run", "in your run", "Your run", CUT))["bars"]
    assert bar["share"] is None
    assert bar["parts"][4] == {"count": 12, "said": "12 questions, outranked, in your run"}


def test_the_axis_holds_the_highest_bar():
    """Of 13 and 26 misses it is the second."""
    twice = {cause: 2 * count for cause, count in CUT.items()}
    found = encoded(*(Bar(name, "", "", "", c) for name, c in (("a", CUT), ("b", twice))))
    assert found["ticks"] == [0, 10, 20, 30]


def test_what_is_chosen_and_picked_is_sent_by_name():
    """With the setting that the bars belong to."""
    found = encoded(picked=("120", "outranked"))
    assert (found["unit"], found["size"], found["chosen"]) == ("char", 800, "120")
    assert found["picked"] == ["120", "outranked"]
    assert encoded()["picked"] is None


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, (0, 1)),
        (1, (0, 1)),
        (5, (0, 1, 2, 3, 4, 5)),
        (6, (0, 2, 4, 6)),
        (11, (0, 5, 10, 15)),
        (80, (0, 20, 40, 60, 80)),
        (81, (0, 20, 40, 60, 80, 100)),
        (251, (0, 100, 200, 300)),
        (12_345, (0, 5_000, 10_000, 15_000)),
    ],
)
def test_ticks_are_round_and_few(most, ticks):
    """Steps are 1, 2 or 5 times a power of ten, at most five of them."""
    assert round_ticks(most) == ticks


@pytest.mark.parametrize(
    ("percents", "labels"),
    [
        ([0, 5, 20], ["0%", "5%", "20%"]),
        ([5, 12.5], ["5%", "12%"]),
        ([5, 20, 20.375], ["5%", "20%", "20.4%"]),
        ([20, 20.025], ["20%", "20.02%"]),
        ([], []),
    ],
)
def test_overlaps_have_as_many_digits_as_tell_them_apart(percents, labels):
    """A chosen overlap beside a default one is not called the same."""
    assert overlap_labels(percents) == labels


def test_each_cause_has_a_look_of_its_own():
    """The style sheet knows every cause, by a colour and a pattern that no other has."""
    css = (Path(cause_bars.__file__).parent / "bars.css").read_text(encoding="utf-8")
    looks = {}
    for cause in MISSES:
        rule = css.partition(f'[data-cause="{cause}"] {{')[2].partition("}")[0]
        colour, pattern = rule.partition("--okb-pattern:")[::2]
        looks[cause] = (colour.strip(), pattern.strip())
    assert all(colour and pattern for colour, pattern in looks.values())
    for part in (0, 1):
        assert len({look[part] for look in looks.values()}) == len(MISSES)
