"""Headings, sections, sentences, lists, tables, code and clauses as spans of the stored text."""

import pytest

from overlapkit.corpus import Document
from overlapkit.structure import blocks, headings, line_starts, prose_sentences, sections, trimmed


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


def test_white_space_at_the_edges_is_no_part_of_a_trimmed_span():
    """No-break spaces count as white space; of white space alone nothing is left."""
    assert trimmed("a \u00a0b \n", 1, 6) == (3, 4)
    assert trimmed("a \n b", 1, 4) == (4, 4)


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


def test_a_heading_ends_with_its_last_line():
    """The underline belongs to it, the newline does not."""
    one, two, three = headings(Document("a.md", "# A\r\n\r\nB\r\n===\r\n\r\n## C"))
    assert [(one.start, one.end), (two.start, two.end), (three.start, three.end)] == [
        (0, 3),
        (7, 13),
        (17, 21),
    ]
    (underlined,) = headings(Document("a.txt", "Top\n***\n\ntext"))
    assert (underlined.start, underlined.end) == (0, 7)


# --- sections -------------------------------------------------------------------------


def test_a_section_runs_to_the_next_heading_of_its_level_or_above():
    """Deeper sections lie inside; the text before the first heading is in none."""
    text = "Intro.\n\n# A\na\n\n## B\nb\n\n### C\nc\n\n## D\nd\n\n# E\ne\n"
    found = [(text[one.start : one.end], one.path) for one in sections(Document("a.md", text))]
    assert found == [
        ("# A\na\n\n## B\nb\n\n### C\nc\n\n## D\nd\n\n", ("A",)),
        ("## B\nb\n\n### C\nc\n\n", ("A", "B")),
        ("### C\nc\n\n", ("A", "B", "C")),
        ("## D\nd\n\n", ("A", "D")),
        ("# E\ne\n", ("E",)),
    ]


def test_sections_with_one_title_are_two():
    """The second 'Setup' does not take the place of the first."""
    text = "# Setup\nalpha one\n# Setup\nbeta two\n"
    assert blocks(Document("a.md", text)).sections == ((0, 18), (18, 35))


def test_neither_front_matter_nor_a_rule_opens_a_section():
    """'owner: ops' is above dashes and the stars stand alone: both are no headings."""
    text = (
        "---\ntitle: Guide\nowner: ops\n---\n\n"
        "Real\n====\nbody\n\nNext\n----\nmore\n\n***\n\nlast para\n"
    )
    found = sections(Document("a.md", text))
    assert [(one.start, one.level, one.path) for one in found] == [
        (33, 1, ("Real",)),
        (49, 2, ("Real", "Next")),
    ]
    assert pieces(text, "sentences") == [
        "Real\n====",
        "body",
        "Next\n----",
        "more",
        "***",
        "last para",
    ]


def test_a_hash_in_a_fence_ends_no_section():
    """All that follows the heading is its section, the text above it is in none."""
    text = "Intro line.\n\n# A\nfirst\n\n```py\n# note\n```\ntail\n"
    assert blocks(Document("a.md", text)).sections == ((13, 46),)


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


def test_prices_times_and_figures_do_not_end_a_sentence():
    """'$3.50.' ends one, 'p.m.' before a small letter and 'Fig.' do not."""
    text = "Dr. Wu paid $3.50. It was 4 p.m. then. Fig. 2 shows v1.2.3."
    assert blocks(Document("a.txt", text)).sentences == ((0, 18), (19, 38), (39, 59))


def test_a_heading_is_no_part_of_the_sentence_below_it():
    """Without a blank line between them they are two all the same."""
    text = "# Title\ntext here. More\n## Two\nnext"
    assert pieces(text, "sentences") == ["# Title", "text here.", "More", "## Two", "next"]


def test_a_sentence_ends_with_its_list_item():
    """Items that end without a mark are not one sentence."""
    text = "Take\n\n* one\n\n  cont\n* two\n* three\n\nThen go"
    assert pieces(text, "sentences") == ["Take", "* one", "cont", "* two", "* three", "Then go"]


def test_prose_sentences_are_neither_headings_nor_rules_nor_markup():
    """What stands in paragraphs and list items is prose."""
    text = "# A head\n\nOne. Two.\n\n***\n\n<div>\nno.\n</div>\n\n- Item.\n\n> Said. So\n"
    spans = prose_sentences(blocks(Document("a.md", text)))
    assert [text[a:b] for a, b in spans] == ["One.", "Two.", "- Item.", "Said.", "So"]


def test_table_rows_are_lines_and_no_sentences():
    """Head and body rows are rows, the dashes between are neither row nor sentence."""
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\nText here. More.\n"
    assert pieces(text, "table_rows") == ["| a | b |", "| 1 | 2 |"]
    assert pieces(text, "sentences") == ["Text here.", "More."]


def test_every_row_knows_the_head_row_of_its_own_table():
    """A head row is its own; the rows of a second table have the second head."""
    text = (
        "| City | Rate |\n|---|---|\n| Oslo | 4 |\n| Lima | 6 |\n\nText.\n\n"
        "| Day | Pay |\n|---|---|\n| Monday | 2 |\n"
    )
    assert pieces(text, "table_rows") == [
        "| City | Rate |",
        "| Oslo | 4 |",
        "| Lima | 6 |",
        "| Day | Pay |",
        "| Monday | 2 |",
    ]
    assert pieces(text, "table_headers") == ["| City | Rate |"] * 3 + ["| Day | Pay |"] * 2


def test_code_blocks_are_whole_and_no_sentences():
    """A fence runs from its first mark to its last."""
    text = "Before. It.\r\n\r\n```py\r\nx = 1. y\r\n```\r\nEnd."
    assert pieces(text, "code_blocks") == ["```py\r\nx = 1. y\r\n```"]
    assert pieces(text, "sentences") == ["Before.", "It.", "End."]


def test_code_keeps_its_tabs_and_no_break_spaces():
    """The span of a block gives its text as it stands."""
    text = "# H\n```py\nif x:\n\treturn\u00a01\n```\n"
    assert pieces(text, "code_blocks") == ["```py\nif x:\n\treturn\u00a01\n```"]


def test_plain_text_has_neither_tables_nor_code():
    """Only Markdown is parsed for blocks."""
    text = "| a |\n|---|\n"
    assert pieces(text, "table_rows", "a.txt") == []


def test_an_empty_document_has_no_block():
    """Nothing in, nothing out."""
    assert blocks(Document("a.md", "")) == blocks(Document("a.md", " \n"))
    assert blocks(Document("a.md", "")).sentences == ()


# --- paragraphs -----------------------------------------------------------------------


def test_paragraphs_are_prose_between_blank_lines():
    """Headings, tables, code, lists, rules and front matter are none; a quote's are."""
    text = (
        "---\nt: x\n---\n# A\none\r\nmore \n\n  two\n\n| a |\n|---|\n| 1 |\n\n    code\n\n"
        "- item\n\n***\n\n> three\n> four\n\nfive"
    )
    assert pieces(text, "paragraphs") == ["one\r\nmore", "two", "three\n> four", "five"]


def test_a_heading_ends_a_paragraph_without_a_blank_line():
    """The line above a hash and the line below it are two paragraphs."""
    assert pieces("one\n# A\ntwo\n", "paragraphs") == ["one", "two"]


def test_plain_text_has_paragraphs_without_its_headings_and_items():
    """An underlined title is none, nor is a bullet; CR LF is one line end."""
    text = "Top\r\n===\r\none\r\ntwo\r\n \t\r\nthree:\r\n- item\r\n\r\nfour"
    assert pieces(text, "paragraphs", "a.txt") == ["one\r\ntwo", "three:", "four"]


def test_a_line_of_no_break_spaces_is_blank_in_plain_text():
    """It parts two paragraphs."""
    assert pieces("one\n\u00a0\ntwo", "paragraphs", "a.txt") == ["one", "two"]


# --- list items -----------------------------------------------------------------------


def test_an_item_holds_its_continuation_lines():
    """Lazy lines, later paragraphs and code of an item belong to it."""
    text = "1. one\nlazy\n\n   later\n\n2) other\n\n   ```\n   x\n   ```\n\nafter\n"
    assert pieces(text, "list_items") == [
        "1. one\nlazy\n\n   later",
        "2) other\n\n   ```\n   x\n   ```",
    ]
    assert pieces(text, "paragraphs") == ["after"]


def test_nested_items_are_their_own():
    """An item ends where its first nested item begins; what follows those is a paragraph."""
    text = "- a\n  cont\n\n  - b\n    more\n  - c\n\n  after\n- d\n"
    assert pieces(text, "list_items") == ["- a\n  cont", "- b\n    more", "- c", "- d"]
    assert pieces(text, "paragraphs") == ["after"]


def test_an_item_with_nothing_but_a_nested_item_is_none():
    """Two marks on one line are one item."""
    assert pieces("- - b\n- c\n", "list_items") == ["- - b", "- c"]


def test_items_in_a_quote_begin_at_their_own_mark():
    """The marks of the quote stand before it and do not trail behind it."""
    assert pieces("> - a\n> - b\n>\n> text\n", "list_items") == ["- a", "- b"]


def test_plain_text_has_items_by_simple_marks():
    """Bullets and numbers, with the lines below them up to a blank one."""
    text = "Buy:\n- milk\n  and cream\n- bread\n\n3) tea\n\n• sugar\n\n  brown\n\nDone"
    found = ["- milk\n  and cream", "- bread", "3) tea", "• sugar\n\n  brown"]
    assert pieces(text, "list_items", "a.txt") == found
    assert pieces(text, "paragraphs", "a.txt") == ["Buy:", "Done"]


def test_a_dash_or_number_that_wrapping_put_first_is_no_item():
    """The line before it ends in the middle of its sentence."""
    text = "It fell by six\n- some say seven - in the year\n12. That was much."
    assert pieces(text, "list_items", "a.txt") == []


# --- code statements ------------------------------------------------------------------

PYTHON = (
    "import os\n\n@retry\n# keep with a\ndef a():\n    return 'def fake():'\n\n\n"
    "class B:\n    def m(self):\n        return 2\n"
)


def test_python_falls_into_its_top_level_statements():
    """Decorator, comment and function are one; a keyword in a string begins nothing."""
    text = f"```python\n{PYTHON}```\n"
    spans = blocks(Document("a.md", text)).code_statements
    assert [(start - 10, end - 10) for start, end in spans] == [(0, 9), (11, 65), (68, 110)]


def test_comments_above_a_statement_belong_to_it():
    """Those that a blank line parts from it stand alone."""
    code = "# file\n\n# one\n# two\nx = 1  # three\ny = (\n  2)\n# end\n"
    assert pieces(f"```py\n{code}```\n", "code_statements") == [
        "# file",
        "# one\n# two\nx = 1  # three",
        "y = (\n  2)",
        "# end",
    ]


def test_statements_on_one_line_are_one():
    """A line is not parted, nor is one that a longer statement ends on."""
    code = "a = 1; b = 2\nc = (\n3); d = 4\n\ne = 5\n"
    found = ["a = 1; b = 2", "c = (\n3); d = 4", "e = 5"]
    assert pieces(f"```py\n{code}```\n", "code_statements") == found


def test_python_that_does_not_parse_falls_apart_at_blank_lines():
    """A syntax error is no failure."""
    text = "```python\ndef x(:\n  pass\n\n\nend\n```\n"
    assert pieces(text, "code_statements") == ["def x(:\n  pass", "end"]


@pytest.mark.parametrize("code", ["x = " + "(" * 9000, "x\ud800 = 1", "x = '\0'", "\tx = 1\n y"])
def test_code_that_the_parser_refuses_in_any_way_is_one_group(code):
    """Too deep, half a character, a null: the block is taken as it is."""
    assert pieces(f"```py\n{code}\n```\n", "code_statements") == [code.strip()]


def test_other_code_falls_apart_at_blank_lines():
    """Without Python's name, nothing is guessed; the fence itself is no statement."""
    text = "~~~ js\nlet a = 1;\nlet b;\n \t\n\nlet c;\n~~~\n\n    x = 1\n    y = 2\n\n    z = 3\n"
    assert pieces(text, "code_statements") == [
        "let a = 1;\nlet b;",
        "let c;",
        "x = 1\n    y = 2",
        "z = 3",
    ]


@pytest.mark.parametrize("info", ["python", "Python hl_lines=3", "{.python .x}", "py3"])
def test_python_is_known_by_its_name(info):
    """However the fence is decorated."""
    assert pieces(f"```{info}\nx = 1\ny = 2\n```\n", "code_statements") == ["x = 1", "y = 2"]


def test_code_inside_a_list_is_read_without_its_indentation():
    """Line ends of two characters do not move the spans."""
    text = "- item\r\n\r\n  ```py\r\n  x = 1\r\n  def f():\r\n      return\r\n  ```\r\n"
    assert pieces(text, "code_statements") == ["x = 1", "def f():\r\n      return"]


def test_an_empty_or_unclosed_fence_is_no_failure():
    """Nothing in it gives no statement; without an end it runs to the end."""
    assert pieces("```py\n```\n", "code_statements") == []
    assert pieces("```py\nx = 1\n\n", "code_statements") == ["x = 1"]
    assert pieces("```py", "code_statements") == []


# --- clauses --------------------------------------------------------------------------


def clause_texts(text: str, name: str = "a.txt") -> list[str]:
    """Return the texts of the clauses."""
    return pieces(text, "clauses", name)


def test_a_clause_holds_those_of_lower_levels():
    """1.1 holds (a) and (b), (a) holds (i) and (ii), and 1.2 ends them all."""
    text = (
        "1.1 The Hirer shall:\n(a) pay, and\n(i) insure;\n(ii) store; and\n(b) return it.\n\n"
        "1.2 The Owner may wait.\n"
    )
    assert clause_texts(text) == [
        "1.1 The Hirer shall:\n(a) pay, and\n(i) insure;\n(ii) store; and\n(b) return it.",
        "(a) pay, and\n(i) insure;\n(ii) store; and",
        "(i) insure;",
        "(ii) store; and",
        "(b) return it.",
        "1.2 The Owner may wait.",
    ]


def test_numbers_with_more_points_lie_deeper():
    """2 ends 1.1.1, 1.1 and 1 together."""
    text = "1. One\n\n1.1 Two\n\n1.1.1. Three\n\n2) Four"
    assert clause_texts(text) == [
        "1. One\n\n1.1 Two\n\n1.1.1. Three",
        "1.1 Two\n\n1.1.1. Three",
        "1.1.1. Three",
        "2) Four",
    ]


def test_articles_and_paragraph_signs_are_the_top():
    """Their numbers may be Roman or carry a letter; (1) lies below."""
    text = "§ 3 Dauer\n(1) Ein Jahr.\n\n§ 3a Ende\n\nArticle IV\n\nSection 4.2: Notice"
    assert clause_texts(text) == [
        "§ 3 Dauer\n(1) Ein Jahr.",
        "(1) Ein Jahr.",
        "§ 3a Ende",
        "Article IV\n\nSection 4.2: Notice",
        "Section 4.2: Notice",
    ]


def test_a_sentence_about_an_article_is_no_clause():
    """A small letter follows; nor do years, bare numbers or decimals make one."""
    text = (
        "Article 4 of the terms holds.\n\nSection 9 applies.\n\n2019. A year.\n\n7 days.\n\n"
        "(see) there\n\n(EU) law\n\n1.5million\n"
    )
    assert clause_texts(text) == []


def test_an_unnumbered_paragraph_ends_a_clause():
    """Unless it is indented deeper than the clause's mark."""
    assert clause_texts("1. One\nmore\n\n   still one\n\nNo more.\n") == [
        "1. One\nmore\n\n   still one"
    ]
    assert clause_texts("1. One\n\n  (a) Two\n\n  still one\n\nNo.") == [
        "1. One\n\n  (a) Two\n\n  still one",
        "(a) Two",
    ]


def test_a_heading_or_a_table_ends_a_clause():
    """Neither is part of it; the number of a heading is no clause's."""
    text = "## 1. Head\n\n1.1 One\n## 2. Next\n1.2 Two\n\n| a |\n|---|\n| 1.3 x |\n\n1.4 Three\n"
    assert clause_texts(text, "a.md") == ["1.1 One", "1.2 Two", "1.4 Three"]


def test_a_number_that_wrapping_put_first_begins_no_clause():
    """The line before it ends in the middle of its sentence."""
    assert clause_texts("1.1 The price rises by\n3.5 million in the year\n(a) hat.") == [
        "1.1 The price rises by\n3.5 million in the year\n(a) hat."
    ]


def test_marks_may_follow_line_upon_line():
    """The next of a level and the first of a lower one need no mark at the end before."""
    assert clause_texts("(a) one\n(b) two\n(c) three") == ["(a) one", "(b) two", "(c) three"]
    assert clause_texts("1. Terms\n1.1 one\n1.2 two\n(i) three") == [
        "1. Terms\n1.1 one\n1.2 two\n(i) three",
        "1.1 one",
        "1.2 two\n(i) three",
        "(i) three",
    ]
    assert clause_texts("Article IV\nArticle V\n7. one") == ["Article IV", "Article V\n7. one"]


def test_i_after_h_is_a_letter():
    """Elsewhere it is one in Roman numerals and lies below the letters."""
    assert clause_texts("(h) one;\n(i) two;\n(j) three.") == ["(h) one;", "(i) two;", "(j) three."]
    assert clause_texts("(a) one;\n(i) two;\n(ii) three.")[0] == "(a) one;\n(i) two;\n(ii) three."


def test_a_number_of_any_length_is_no_failure():
    """Digits without end are no clause's number."""
    assert clause_texts(f"§ {'9' * 5000}\n\n{'9' * 5000}. x") == []


def test_marks_in_code_begin_no_clause():
    """Only lines outside code, tables and front matter are read."""
    assert clause_texts("```\n1. x\n```\n\n    1. y\n", "a.md") == []


def test_carriage_returns_and_no_break_spaces_stand_beside_marks():
    """A mark may be followed by a no-break space, a line by CR LF."""
    text = "§\u00a03\u00a0Dauer\r\n\r\n(a)\u00a0one;\r\n(b)\ttwo.\r\n"
    assert clause_texts(text) == [
        "§\u00a03\u00a0Dauer\r\n\r\n(a)\u00a0one;\r\n(b)\ttwo.",
        "(a)\u00a0one;",
        "(b)\ttwo.",
    ]


def test_half_a_character_is_text_like_any_other():
    """A lone surrogate, as JSON can bring one, stops no sentence and moves no offset."""
    assert pieces("Bad \ud800 lamp. Lit again.", "sentences", "a.txt") == [
        "Bad \ud800 lamp.", "Lit again.",
    ]  # fmt: skip
