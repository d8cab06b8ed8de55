"""Chunks of whole sentences, items, rows and statements, section by section."""

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSet, ChunkSpec, chunk
from overlapkit.chunkers.pieces import read_pieces
from overlapkit.corpus import corpus_of
from overlapkit.diagnose import diagnose
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate, evaluate_with
from overlapkit.phases import phase_specs
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.retrieve import RunSpec
from overlapkit.wording import describe, remedy
from overlapkit.words import setting

FOUR = "Aaaa bbbb. Cccc dddd. Eeee ffff. Gggg hhhh."  # sentences of 10, 10, 10 and 10


def spec(size: int, overlap: int = 0, unit: str = "char") -> ChunkSpec:
    """Return a spec of this chunker."""
    return ChunkSpec("structure", unit, size, overlap)


def chunked(text: str, size: int, overlap: int = 0, unit: str = "char", name: str = "a.md"):
    """Return the texts of one document's chunks."""
    corpus = corpus_of([(name, text)])
    chunks = chunk(corpus, spec(size, overlap, unit))
    return [chunks.text(corpus, index) for index in range(len(chunks))]


# --- packing --------------------------------------------------------------------------


def test_sentences_are_packed_until_the_next_one_has_no_room():
    """Two sentences and the space between them are 21 characters; a third makes 32."""
    assert chunked(FOUR, 31) == ["Aaaa bbbb. Cccc dddd.", "Eeee ffff. Gggg hhhh."]
    assert chunked(FOUR, 32) == ["Aaaa bbbb. Cccc dddd. Eeee ffff.", "Gggg hhhh."]


def test_the_overlap_is_whole_sentences_from_the_end_of_the_chunk_before():
    """9 characters hold none of these sentences, 10 hold one, 20 hold no second."""
    none = ["Aaaa bbbb. Cccc dddd. Eeee ffff.", "Gggg hhhh."]
    one = ["Aaaa bbbb. Cccc dddd. Eeee ffff.", "Eeee ffff. Gggg hhhh."]
    two = ["Aaaa bbbb. Cccc dddd. Eeee ffff.", "Cccc dddd. Eeee ffff. Gggg hhhh."]
    assert chunked(FOUR, 32, 9) == none
    assert chunked(FOUR, 32, 10) == chunked(FOUR, 32, 20) == one
    assert chunked(FOUR, 32, 21) == two


def test_the_overlap_leaves_room_for_the_sentence_that_follows():
    """Both short sentences would fit the overlap, yet only the last leaves room for the next."""
    text = "Aa bb. Cc dd. Eeee ffff gggg."  # 6, 6 and 15 characters
    assert chunked(text, 22, 21) == ["Aa bb. Cc dd.", "Cc dd. Eeee ffff gggg."]
    assert chunked(text, 21, 20) == ["Aa bb. Cc dd.", "Eeee ffff gggg."]


def test_words_and_tokens_count_as_they_do_for_windows():
    """Every sentence has two words and, with its full stop, three tokens or more."""
    assert chunked(FOUR, 5, unit="word") == ["Aaaa bbbb. Cccc dddd.", "Eeee ffff. Gggg hhhh."]
    assert chunked("One two. Three four.", 6, unit="token") == ["One two. Three four."]
    assert chunked("One two. Three four.", 5, unit="token") == ["One two.", "Three four."]


def test_white_space_is_left_out_at_the_edges_and_kept_inside():
    """Chunks begin and end with a sign, and a paragraph break within one stays."""
    assert chunked("\n  Aaaa bbbb.\n\nCccc dddd.  \n", 30) == ["Aaaa bbbb.\n\nCccc dddd."]
    assert chunked("\n  Aaaa bbbb.\n\nCccc dddd.  \n", 12) == ["Aaaa bbbb.", "Cccc dddd."]


def test_a_chunk_never_crosses_documents():
    """Each is packed on its own, and one without text has no chunk."""
    corpus = corpus_of([("a", "Aa bb."), ("b", " \n"), ("c", ""), ("d", "Cc dd.")])
    chunks = chunk(corpus, spec(100, 50))
    assert (chunks.doc.tolist(), chunks.start.tolist()) == ([0, 3], [0, 0])
    assert len(chunk(corpus_of([]), spec(100))) == 0


# --- what is kept whole ---------------------------------------------------------------


def test_a_heading_begins_a_chunk_and_keeps_its_text():
    """However much room is left, and whatever the overlap."""
    text = "Above.\n\n# One\n\nAaaa bbbb.\n\n## Two\n\nCccc dddd.\n"
    expected = ["Above.", "# One\n\nAaaa bbbb.", "## Two\n\nCccc dddd."]
    assert chunked(text, 500) == chunked(text, 500, 499) == expected


def test_a_heading_right_below_another_stays_with_it():
    """A heading without text of its own would be a chunk that says nothing."""
    text = "# One\n\n## Two\n\nAaaa bbbb.\n\n# Three\n"
    assert chunked(text, 500) == ["# One\n\n## Two\n\nAaaa bbbb.", "# Three"]


def test_underlined_headings_of_plain_text_begin_chunks_too():
    """As ``structure`` knows them, the line below included."""
    text = "One\n===\nAaaa bbbb.\n\nTwo\n===\nCccc dddd.\n"
    expected = ["One\n===\nAaaa bbbb.", "Two\n===\nCccc dddd."]
    assert chunked(text, 500, name="a.txt") == expected


def test_a_heading_of_two_sentences_is_one_piece():
    """Its first sentence does not stay behind for want of room."""
    text = "Aaaa. Bbbb.\n\n# Why? How?\n"
    assert chunked(text, 11) == ["Aaaa. Bbbb.", "# Why? How?"]


def test_a_list_item_is_whole_where_it_fits():
    """Its second sentence moves on with the first; longer than the size, it is parted there."""
    text = "- Aaaa bbbb. Cccc dddd.\n\n- Eeee ffff. Gggg hhhh.\n"
    items = ["- Aaaa bbbb. Cccc dddd.", "- Eeee ffff. Gggg hhhh."]
    assert chunked(text, 36) == chunked(text, 23) == items
    sentences = ["- Aaaa bbbb.", "Cccc dddd.", "- Eeee ffff.", "Gggg hhhh."]
    assert chunked(text, 22) == sentences


def test_table_rows_are_whole_and_the_head_keeps_its_line():
    """The line of dashes is no row."""
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    assert chunked(text, 20) == ["| a | b |\n|---|---|", "| 1 | 2 |\n| 3 | 4 |"]


def test_statements_are_whole_and_fences_stay_with_them():
    """The lines of a function are not parted, though there is room for its first."""
    text = "```python\nimport x\n\ndef f(a):\n    return a\n```\n"
    assert chunked(text, 30) == ["```python\nimport x", "def f(a):\n    return a\n```"]


def test_a_fence_lets_go_of_a_statement_that_fits_only_without_it():
    """Eight characters are room for the statement alone."""
    assert chunked("```\nx = 1, 2\n```\n", 8) == ["```", "x = 1, 2", "```"]


def test_the_marks_of_a_quote_stay_with_its_text():
    """None is left at the end of the chunk before."""
    assert chunked("Aaaa bbbb.\n\n> Cccc dddd.\n", 14) == ["Aaaa bbbb.", "> Cccc dddd."]


def test_front_matter_is_a_chunk_before_the_first_heading():
    """It is no sentence, and yet not lost."""
    assert chunked("---\nt: x\n---\n# One\n\nAa.\n", 99) == ["---\nt: x\n---", "# One\n\nAa."]


# --- what is longer than a chunk ------------------------------------------------------


def test_a_piece_that_is_too_long_is_parted_at_its_lines():
    """Lines are packed like sentences, and stay with what is around them."""
    text = "Aa.\n\n```\nfirst = 1\nsecond = 2\nthird = 3\n```\n"
    assert chunked(text, 20) == ["Aa.\n\n```\nfirst = 1", "second = 2\nthird = 3", "```"]


def test_a_line_that_is_too_long_is_parted_at_its_words():
    """No word is cut that fits; the overlap is whole words."""
    text = "Aaaa bbbb cccc dddd eeee."
    assert chunked(text, 16) == ["Aaaa bbbb cccc", "dddd eeee."]
    assert chunked(text, 16, 5) == ["Aaaa bbbb cccc", "cccc dddd eeee."]


def test_a_word_that_is_too_long_is_parted_like_windows():
    """Six characters with an overlap of two begin every four."""
    assert chunked("abcdefghij", 6, 2) == ["abcdef", "efghij"]
    assert chunked("xy abcdefghij", 6, 2) == ["xy abc", "bcdefg", "fghij"]


def test_a_character_of_more_tokens_than_the_size_is_one_chunk():
    """It cannot be parted; the emoji is three tokens."""
    assert chunked("🎉🎉", 1, unit="token") == ["🎉", "🎉"]


# --- sections stand alone -------------------------------------------------------------


@pytest.mark.parametrize("unit", ["char", "word", "token"])
def test_an_insertion_changes_no_chunk_of_another_section(unit):
    """A sentence put into the second of three sections leaves the chunks of the others alone."""
    section = "## {}\n\nAaaa bbbb. Cccc dddd.\n\n- Eeee ffff.\n- Gggg hhhh. Iiii.\n\nKkkk.\n\n"
    parts = [section.format(name) for name in ("One", "Two", "Three")]
    changed = [parts[0], parts[1].replace("Aaaa", "Put in between. Aaaa"), parts[2]]
    size, overlap = {"char": (30, 12), "word": (6, 2), "token": (12, 4)}[unit]
    before, after = (chunked("".join(p), size, overlap, unit) for p in (parts, changed))

    def of(chunks: list[str], name: str, end: str | None) -> list[str]:
        """Return the chunks of one section."""
        first = next(at for at, text in enumerate(chunks) if text.startswith(f"## {name}"))
        last = next((at for at, text in enumerate(chunks) if end and f"## {end}" in text), None)
        return chunks[first:last]

    assert of(before, "One", "Two") == of(after, "One", "Two")
    assert of(before, "Two", "Three") != of(after, "Two", "Three")
    assert of(before, "Three", None) == of(after, "Three", None)


def test_the_text_below_a_heading_has_no_say_in_the_sentences_above_it():
    """Lines that are taken for more items of a list would make the item above one sentence."""
    above = "- Aaaa bbbb. Cccc dddd.\n# Two\n"
    expected = ["- Aaaa bbbb.", "Cccc dddd."]
    assert chunked(above, 12)[:2] == chunked(above + "- Eeee ffff.\n", 12)[:2] == expected


# --- specs, words, and what others make of it -----------------------------------------


def test_a_phase_is_refused():
    """There are no windows that it could move."""
    with pytest.raises(SettingsError, match="a phase moves windows, and chunker 'structure' cuts"):
        ChunkSpec("structure", phase=1)
    with pytest.raises(SettingsError, match="leave it at 0, or use the chunker window"):
        phase_specs(spec(800))


def test_a_setting_says_what_its_chunks_are_made_of():
    """Windows are called as they were."""
    asked = ChunkSpec.percent(800, 20, chunker="structure")
    assert setting(asked) == "800 characters of whole sentences with 160 overlap (20%)"
    assert setting(spec(80, unit="word")) == "80 words of whole sentences without overlap"
    assert setting(ChunkSpec.percent(800, 20)) == "800 characters with 160 overlap (20%)"


def test_a_cost_names_no_step():
    """The next chunk begins where a sentence does."""
    values = {"chunks": 2, "index_chars": 31, "index_x": 1.5}
    words = "2 chunks, 31 characters to embed (1.50 times 0% at this size"
    assert describe(spec(32, 10), values) == words + ")"
    assert describe(ChunkSpec(size=32, overlap=10), values) == words + ", step 22)"


def asked(*spans: tuple[int, int]) -> QuerySet:
    """Return a question for each span of ``a.md``."""
    queries = (
        Query(str(number), "aaaa", (Evidence("a.md", *span),)) for number, span in enumerate(spans)
    )
    return QuerySet(tuple(queries), "minimal")


def test_theory_says_nothing_of_chunks_that_are_no_windows():
    """The ceiling is counted, and what random cuts would give stays open."""
    corpus = corpus_of([("a.md", FOUR)])
    queries = asked((0, 10), (11, 21), (0, 21))
    values = evaluate(corpus, queries, spec(20)).values
    assert values["containment"] == pytest.approx(2 / 3)
    assert np.isnan(values["predicted_containment"])
    windows = evaluate(corpus, queries, ChunkSpec(size=20, overlap=0)).values
    assert not np.isnan(windows["predicted_containment"])


def test_the_overlap_reported_is_the_one_that_was_cut():
    """20 are asked for, and one sentence of 10 characters fits; 0% is the same chunker's."""
    values = evaluate(corpus_of([("a.md", FOUR)]), asked((0, 10)), spec(32, 20)).values
    assert values["effective_overlap"] == 10
    assert values["index_chars"] == 32 + 21
    assert values["index_x"] == (32 + 21) / (32 + 10)


def test_a_diagnosis_promises_nothing_of_an_overlap():
    """Two sentences that no chunk of 21 holds are cut, and more overlap is not sure to help."""
    engine = prepare(corpus_of([("a.md", FOUR)]), asked((11, 32)), "word")
    (one,) = diagnose(engine, evaluate_with(engine, spec(21), RunSpec(terms="word")))
    assert (one.cause, one.working_overlap, one.guaranteed_overlap) == ("cut boundary", None, None)
    assert remedy(one, spec(21)) == "each of these chunks cuts it"


def test_an_engine_reads_the_pieces_once():
    """They depend on the corpus alone, so every setting shares them."""
    engine = prepare(corpus_of([("a.md", FOUR)]), asked((0, 10)), "word")
    assert engine.pieces() is engine.pieces()
    cut, plain = engine.chunk(spec(32)), chunk(engine.corpus, spec(32))
    assert [a.tolist() for a in columns(cut)] == [a.tolist() for a in columns(plain)]


def columns(chunks: ChunkSet):
    """Return the arrays of a chunk set."""
    return chunks.doc, chunks.start, chunks.end


def test_pieces_cannot_be_written():
    """They are shared by threads."""
    pieces = read_pieces(corpus_of([("a.md", FOUR)]))
    with pytest.raises(ValueError, match="read-only"):
        pieces.start[0] = 1
