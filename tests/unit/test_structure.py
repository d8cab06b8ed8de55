"""Headings, sentences, table rows and code blocks as spans of the stored text."""

import pytest

from overlapkit.corpus import Document
from overlapkit.structure import blocks, headings, line_starts


def found(text: str, name: str = "a.md") -> list[tuple[int, int, str]]:
    """Return (start, level, title) of each heading."""
    return [(one.start, one.level, one.title) for one in headings(Document(name, text))]


def pieces(text: str, kind: str, name: str = "a.md") -> list[str]:
    """Return the texts of one kind of block."""
    spans = getattr(blocks(Document(name, text)), kind)
    return [text[start:end] for start, end in spans]


# --- lines ----------------------------------------------------------------------------


def test_lines_end_at_the_three_newlines_of_markdown():
    """CR, LF and CRLF end a line; form feed and line separator do not."""
    assert line_starts("a\r\nb\rc\n\x0cd\u2028e") == [0, 3, 5, 7, 11]


def test_an_empty_text_has_no_line():
    """Last stands the length, which is all there is of an empty text."""
    assert line_starts("") == [0]
    assert line_starts("\n") == [0, 1]


# --- headings -------------------------------------------------------------------------


def test_atx_and_setext_headings_with_their_levels():
    """Numbers of # are levels; lines of = and - are levels 1 and 2."""
    text = "# A\n\ntext\n\nB\n===\n\nC c\n---\n\n### D ###\n"
    assert found(text) == [(0, 1, "A"), (11, 1, "B"), (18, 2, "C c"), (27, 3, "D")]


def test_a_hash_inside_code_is_no_heading():
    """Fenced and indented code is passed over."""
    text = "```\n# no\n```\n\n    # nor this\n\n# yes\n"
    assert found(text) == [(30, 1, "yes")]


def test_a_hash_inside_a_quote_or_list_is_no_heading():
    """Only the document's own headings part its sections."""
    assert found("> # quoted\n\n- # item\n") == []


def test_hashes_need_a_space_and_at_most_six():
    """Tags, seven hashes and four spaces of indent are text; three spaces are allowed."""
    text = "#tag\n####### seven\n   ## three\n\n    ## four\n"
    assert found(text) == [(19, 2, "three")]


def test_front_matter_is_no_heading():
    """The dashes below its last line underline nothing."""
    assert found("---\ntitle: x\n---\n# A\n") == [(17, 1, "A")]


def test_a_rule_after_a_blank_line_is_no_heading():
    """Three dashes underline a line only where they follow it."""
    assert found("Head\n---\n\n---\n\ntext\n") == [(0, 2, "Head")]


def test_offsets_count_code_points_across_carriage_returns():
    """A heading behind CRLF and characters outside the basic plane starts at its line."""
    text = "🎉é\r\n\r\n# B\r\n\r# C\n"
    assert found(text) == [(6, 1, "B"), (12, 1, "C")]
    assert text[12:15] == "# C"


def test_two_headings_with_one_title_are_two():
    """A title is not a key."""
    assert found("## A\n\n## A\n") == [(0, 2, "A"), (6, 2, "A")]


def test_plain_text_is_underlined_by_any_mark():
    """Levels follow the order in which marks first occur."""
    text = "Top\n***\n\nSub\n...\n\nNext\n****\n"
    assert found(text, "a.txt") == [(0, 1, "Top"), (9, 2, "Sub"), (18, 1, "Next")]


def test_an_underline_is_at_least_as_long_as_its_title():
    """Three marks below a longer line are no underline in plain text."""
    text = "A long line\n***\n\nTop\n===\n"
    assert found(text, "a.txt") == [(17, 1, "Top")]


def test_a_rule_above_a_rule_is_no_title():
    """Two lines of marks name nothing."""
    assert found("Top\n===\n\n----\n----\n", "a.txt") == [(0, 1, "Top")]


def test_plain_text_without_underlines_may_have_markdown_headings():
    """A .txt file of Markdown is read as such."""
    assert found("# A\n\ntext\n", "a.txt") == [(0, 1, "A")]


# --- blocks ---------------------------------------------------------------------------


def test_sentences_end_at_their_marks():
    """Sentences stand without the white space around them."""
    assert pieces("One. Two!  Three?\n", "sentences") == ["One.", "Two!", "Three?"]


def test_equal_sentences_keep_their_own_places():
    """The third 'Go on.' is the third, not the first."""
    spans = blocks(Document("a.md", "Go on. Go on. Go on. ")).sentences
    assert spans == ((0, 6), (7, 13), (14, 20))


def test_abbreviations_decimals_and_versions_do_not_end_a_sentence():
    """A full stop inside 'Dr. Smith', '3.5' and 'v2.0' is none."""
    text = "Dr. Smith paid $3.5 for v2.0. Then he left."
    assert pieces(text, "sentences") == ["Dr. Smith paid $3.5 for v2.0.", "Then he left."]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\x0b"])
def test_unusual_spaces_neither_fail_nor_move_offsets(space):
    """A capital, an unusual space and a full stop in a row are taken."""
    text = f"See B{space}. Then go."
    assert "".join(pieces(text, "sentences")).replace(" ", "") == text.replace(" ", "")


def test_table_rows_are_lines_and_no_sentences():
    """Head and body rows are rows, the dashes between are neither row nor sentence."""
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\nText here. More.\n"
    assert pieces(text, "table_rows") == ["| a | b |", "| 1 | 2 |"]
    assert pieces(text, "sentences") == ["Text here.", "More."]


def test_code_blocks_are_whole_and_no_sentences():
    """A fence runs from its first mark to its last."""
    text = "Before. It.\r\n\r\n```py\r\nx = 1. y\r\n```\r\nEnd."
    assert pieces(text, "code_blocks") == ["```py\r\nx = 1. y\r\n```"]
    assert pieces(text, "sentences") == ["Before.", "It.", "End."]


def test_plain_text_has_neither_tables_nor_code():
    """Only Markdown is parsed for blocks."""
    text = "| a |\n|---|\n"
    assert pieces(text, "table_rows", "a.txt") == []


def test_an_empty_document_has_no_block():
    """Nothing in, nothing out."""
    assert blocks(Document("a.md", "")) == blocks(Document("a.md", " \n"))
    assert blocks(Document("a.md", "")).sentences == ()
