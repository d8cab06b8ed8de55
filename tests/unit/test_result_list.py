"""Ranked chunks cut into marked pieces."""

import json

from overlapkit.ui.result_list import Result, encode


def pieces(text, matches=(), evidence=()):
    """Return the pieces of one encoded result."""
    return json.loads(encode([Result("a.txt", 0, len(text), 1.0, text, matches, evidence)]))[0][
        "pieces"
    ]


def test_pieces_rebuild_the_text_with_their_marks():
    """1 marks a matched word, 2 evidence, 3 both."""
    found = pieces("one two three", matches=[(4, 7)], evidence=[(0, 7), (5, 9)])
    assert found == [["one ", 2], ["t", 3], ["wo", 3], [" t", 2], ["hree", 0]]


def test_text_without_marks_is_one_piece():
    """Nothing is cut where nothing is marked, and code points stay whole."""
    assert pieces("\U0001f389 caf\u00e9") == [["\U0001f389 caf\u00e9", 0]]


def test_many_marks_take_time_in_proportion():
    """Twenty thousand matches give as many pieces and the gaps between them."""
    found = pieces("a b " * 20_000, matches=[(4 * i, 4 * i + 1) for i in range(20_000)])
    assert len(found) == 40_000
    assert "".join(text for text, _ in found) == "a b " * 20_000
