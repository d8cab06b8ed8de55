"""Windows of characters, words and tokens, and what a chunk spec accepts."""

import numpy as np
import pytest

from overlapkit.cache import cache_key
from overlapkit.chunkers import CHUNKERS, ChunkSpec, chunk, parse_spec
from overlapkit.chunkers.window import phase_offsets, read_units, windows_moved
from overlapkit.corpus import corpus_of
from overlapkit.errors import SettingsError


def spans(text: str, spec: ChunkSpec) -> list[tuple[int, int]]:
    """Return the (start, end) of one document's chunks."""
    chunks = chunk(corpus_of([("a.txt", text)]), spec)
    return list(zip(chunks.start.tolist(), chunks.end.tolist(), strict=True))


# --- windows --------------------------------------------------------------------------


def test_windows_start_every_step_and_end_at_the_first_that_reaches_the_end():
    """Ten characters in windows of 5 with overlap 2 start at 0, 3, 6 and stop at the end."""
    assert spans("abcdefghij", ChunkSpec(size=5, overlap=2)) == [(0, 5), (3, 8), (6, 10)]


def test_the_last_window_is_not_followed_by_its_own_tail():
    """A window that ends exactly at the end is the last, whatever the next start would be."""
    assert spans("abcdefgh", ChunkSpec(size=5, overlap=2)) == [(0, 5), (3, 8)]


def test_a_step_of_one_moves_by_one():
    """With overlap size - 1 every window moves by one character."""
    assert spans("abcde", ChunkSpec(size=3, overlap=2)) == [(0, 3), (1, 4), (2, 5)]


def test_windows_of_one_character_are_the_characters():
    """Size 1 without overlap gives one chunk per code point, spaces included."""
    assert spans("a b", ChunkSpec(size=1, overlap=0)) == [(0, 1), (1, 2), (2, 3)]


def test_a_short_document_is_one_chunk():
    """A document no longer than the size is one chunk, whatever the overlap."""
    assert spans("abc", ChunkSpec(size=3, overlap=2)) == [(0, 3)]


@pytest.mark.parametrize("unit", ["char", "word", "token"])
@pytest.mark.parametrize("text", ["", " \n\t \u3000"])
def test_a_blank_document_has_no_chunk(text, unit):
    """Nothing but white space is nothing to embed."""
    assert spans(text, ChunkSpec(unit=unit, size=5, overlap=2)) == []


def test_a_chunk_never_crosses_documents():
    """Each document is cut on its own, in the order of names."""
    chunks = chunk(
        corpus_of([("b", "xyz"), ("a", "abcdef"), ("e", "")]), ChunkSpec(size=4, overlap=1)
    )
    assert chunks.doc.tolist() == [0, 0, 1]
    assert chunks.start.tolist() == [0, 3, 0]
    assert chunks.end.tolist() == [4, 6, 3]


def test_word_windows_run_from_first_to_last_word():
    """White space before the first word and after the last of a window is left out."""
    text = "  one  two\nthree "
    assert spans(text, ChunkSpec(unit="word", size=2, overlap=1)) == [(2, 10), (7, 16)]


def test_a_word_is_a_run_of_anything_but_white_space():
    """Punctuation belongs to its word; a no-break space parts words like any other."""
    text = "it's a-b\u00a0c"
    expected = [(0, 4), (5, 8), (9, 10)]
    assert spans(text, ChunkSpec(unit="word", size=1, overlap=0)) == expected


def test_token_windows_follow_token_offsets():
    """'hello world again' is three tokens, the spaces belonging to the words after them."""
    spec = ChunkSpec(unit="token", size=2, overlap=1)
    assert spans("hello world again", spec) == [(0, 11), (5, 17)]


def test_tokens_cut_inside_a_character_are_widened_and_counted():
    """The tokens of one emoji become the whole of it, and fall together to one chunk."""
    chunks = chunk(corpus_of([("a", "🎉")]), ChunkSpec(unit="token", size=1, overlap=0))
    assert (chunks.start.tolist(), chunks.end.tolist()) == ([0], [1])
    assert (chunks.widened, chunks.merged) == (3, 2)


def test_windows_of_whole_tokens_report_nothing():
    """Plain text has nothing to widen or to merge."""
    chunks = chunk(corpus_of([("a", "plain text")]), ChunkSpec(unit="token", size=1, overlap=0))
    assert (chunks.widened, chunks.merged) == (0, 0)


def test_a_window_inside_the_next_one_is_merged():
    """Where widening makes one window reach as far as the next, the shorter goes."""
    spec = ChunkSpec(unit="token", size=2, overlap=1)
    chunks = chunk(corpus_of([("a", "ab🎉")]), spec)
    # Tokens: ab, then three of the emoji: windows 0..1, 1..2, 2..3 of four tokens.
    assert list(zip(chunks.start.tolist(), chunks.end.tolist(), strict=True)) == [(0, 3)]
    assert chunks.merged == 2


# --- phases ---------------------------------------------------------------------------


def moved(text: str, spec: ChunkSpec, offset: int) -> list[tuple[int, int]]:
    """Return the (start, end) of one document's windows, moved by an offset."""
    units = read_units(corpus_of([("a", text)]), spec.unit, spec.encoding)
    chunks = windows_moved(spec, units, np.array([offset]))
    return list(zip(chunks.start.tolist(), chunks.end.tolist(), strict=True))


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (0, [(0, 5), (3, 8), (6, 10)]),
        (1, [(0, 4), (2, 7), (5, 10)]),
        (2, [(0, 3), (1, 6), (4, 9), (7, 10)]),
    ],
)
def test_a_phase_moves_every_window_and_clips_the_first(offset, expected):
    """Windows of 5 with step 3 start at -1, 2, 5 … or -2, 1, 4 … and are cut off at 0."""
    assert moved("abcdefghij", ChunkSpec(size=5, overlap=2), offset) == expected


def test_a_moved_window_that_reaches_the_end_is_the_last():
    """Of eight characters, -1..4 and 2..7 leave one to 5..8; -2..3, 1..6, 4..9 reach it."""
    spec = ChunkSpec(size=5, overlap=2)
    assert moved("abcdefgh", spec, 1) == [(0, 4), (2, 7), (5, 8)]
    assert moved("abcdefgh", spec, 2) == [(0, 3), (1, 6), (4, 8)]


def test_word_windows_are_moved_by_words():
    """Three words in windows of two without overlap, moved by one: one and two."""
    text = "  one  two\nthree "
    assert moved(text, ChunkSpec(unit="word", size=2, overlap=0), 1) == [(2, 5), (7, 16)]


def test_token_windows_are_moved_by_tokens():
    """'hello world again' in windows of two tokens, moved by one."""
    spec = ChunkSpec(unit="token", size=2, overlap=0)
    assert moved("hello world again", spec, 1) == [(0, 5), (5, 17)]


def test_a_document_that_fits_one_window_is_never_cut():
    """Where no cut is needed no phase makes one; one character more, and it does."""
    spec = ChunkSpec(size=5, overlap=0)
    assert [moved("abcde", spec, offset) for offset in range(5)] == [[(0, 5)]] * 5
    assert moved("abcdef", spec, 4) == [(0, 1), (1, 6)]


def test_the_draw_of_a_phase_is_the_same_in_every_process():
    """The offset is the first 8 bytes of SHA-256 of '1:a.txt', modulo the step."""
    corpus = corpus_of([("a.txt", "x")])
    # sha256sum gives a4122d1b408e987d…, read from its last byte of eight to its first.
    drawn = 0x7D988E401B2D12A4
    for step in (1, 3, 800, 999_999_937):
        spec = ChunkSpec(size=step, overlap=0, phase=1)
        assert phase_offsets(corpus, spec).tolist() == [drawn % step]


def test_each_document_and_phase_has_its_own_draw():
    """A thousand names, and a thousand phases of one, spread evenly over ten offsets."""
    names = corpus_of([(f"{number}.txt", "") for number in range(1000)])
    of_names = phase_offsets(names, ChunkSpec(size=10, overlap=0, phase=1))
    one = corpus_of([("a.txt", "")])
    specs = [ChunkSpec(size=10, overlap=0, phase=phase) for phase in range(1, 1001)]
    of_phases = np.concatenate([phase_offsets(one, spec) for spec in specs])
    for drawn in (of_names, of_phases):
        counts = np.bincount(drawn, minlength=10)
        assert len(counts) == 10
        # 100 expected of each, with a standard deviation of 9.5: four of them either way.
        assert 62 <= counts.min() <= counts.max() <= 138


def test_a_name_that_is_no_unicode_can_be_drawn_for():
    """A lone surrogate, which an archive's names can hold, stops nothing."""
    offsets = phase_offsets(corpus_of([("\udc80", "x")]), ChunkSpec(phase=1))
    assert 0 <= offsets[0] < 640


def test_settings_of_one_phase_share_their_origin():
    """Half a window of overlap only adds windows: those of 0% are still there in every phase."""
    text = "x" * 103
    for phase in range(20):
        bare = spans(text, ChunkSpec(size=20, overlap=0, phase=phase))
        dense = spans(text, ChunkSpec(size=20, overlap=10, phase=phase))
        # At both ends of the document a longer window may hold the one of 0%.
        assert set(bare[1:-1]) <= set(dense)
        assert all(any(a <= start and end <= b for a, b in dense) for start, end in bare)


# --- what comes out -------------------------------------------------------------------


def test_chunk_arrays_cannot_be_written():
    """Chunks are frozen: no caller can change what others see."""
    chunks = chunk(corpus_of([("a", "abcdef")]), ChunkSpec(size=3, overlap=0))
    with pytest.raises(ValueError, match="read-only"):
        chunks.start[0] = 1


def test_text_lengths_and_slices_of_a_chunk_set():
    """A chunk's text is a slice of its document; a document's chunks are one slice."""
    corpus = corpus_of([("a", "abcde"), ("b", "xy")])
    chunks = chunk(corpus, ChunkSpec(size=3, overlap=1))
    assert [chunks.text(corpus, index) for index in range(len(chunks))] == ["abc", "cde", "xy"]
    assert chunks.lengths().tolist() == [3, 3, 2]
    assert (chunks.of_document(0), chunks.of_document(1)) == (slice(0, 2), slice(2, 3))


def test_units_met_count_cut_ones():
    """A stretch meets every unit it shares a character with."""
    corpus = corpus_of([("a", "one two"), ("b", "three")])
    units = read_units(corpus, "word")
    start, end = np.array([0, 2, 3, 8, 0]), np.array([3, 5, 4, 10, 7])
    assert units.met(start, end).tolist() == [1, 2, 0, 1, 2]


def test_units_of_characters_are_the_code_points():
    """For characters a stretch meets as many units as it is long."""
    units = read_units(corpus_of([("a", "abc")]), "char")
    assert units.met(np.array([1]), np.array([3])).tolist() == [2]


# --- specs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "overlap", "rule"),
    [
        (100, 100, r"overlap must lie in 0\.\.99 for size 100; got 100"),
        (100, 101, r"overlap must lie in 0\.\.99 for size 100; got 101"),
        (100, -1, r"overlap must lie in 0\.\.99 for size 100; got -1"),
        (1, 1, r"overlap must lie in 0\.\.0 for size 1; got 1"),
        (0, 0, "size must be at least 1; got 0"),
        (10.0, 0, "size must be a whole number; got 10.0"),
        (True, 0, "size must be a whole number; got True"),
        (10, 2.5, "overlap must be a whole number; got 2.5"),
        (10, "2", "overlap must be a whole number; got '2'"),
    ],
)
def test_a_spec_outside_the_rule_is_an_error(size, overlap, rule):
    """The message says the rule and the value."""
    with pytest.raises(SettingsError, match=rule):
        ChunkSpec(size=size, overlap=overlap)


@pytest.mark.parametrize(
    ("phase", "rule"),
    [
        (-1, r"phase must lie in 0\.\.1000; got -1"),
        (1001, r"phase must lie in 0\.\.1000; got 1001"),
        (1.0, r"phase must be a whole number; got 1\.0: use a whole number in 0\.\.1000"),
        (True, "phase must be a whole number; got True"),
        ("2", "phase must be a whole number; got '2'"),
    ],
)
def test_a_phase_outside_its_rule_is_an_error(phase, rule):
    """A phase counts draws, and 0 is none."""
    with pytest.raises(SettingsError, match=rule):
        ChunkSpec(phase=phase)


def test_a_phase_makes_another_spec():
    """Rows and caches must keep the phases of a setting apart."""
    assert ChunkSpec(phase=1) != ChunkSpec() == ChunkSpec(phase=0)
    assert cache_key(ChunkSpec(phase=1)) != cache_key(ChunkSpec())


def test_a_phase_is_named_where_a_spec_is_made():
    """Nobody can give one by its place, since it came last."""
    with pytest.raises(TypeError):
        ChunkSpec("window", "char", 800, 160, "cl100k_base", 20, 1)


def test_unknown_names_are_errors_that_list_the_choices():
    """Unit, encoding and chunker each come from a table that the message prints."""
    with pytest.raises(SettingsError, match="unit must be one of char, word, token; got 'line'"):
        ChunkSpec(unit="line")
    with pytest.raises(SettingsError, match="encoding must be one of cl100k_base, o200k_base"):
        ChunkSpec(encoding="p50k")
    names = ", ".join(CHUNKERS)
    with pytest.raises(SettingsError, match=f"chunker must be one of {names}; got 'magic'"):
        chunk(corpus_of([("a", "x")]), ChunkSpec("magic"))


def test_the_step_is_size_minus_overlap():
    """Step, overlap percentage as asked, and derived where none was."""
    assert ChunkSpec(size=100, overlap=30).step == 70
    assert ChunkSpec(size=80, overlap=20).overlap_pct == 25
    assert ChunkSpec.percent(7, 10).overlap_pct == 10


def test_a_percentage_asked_for_makes_no_other_spec():
    """Two ways to ask for one overlap are one setting."""
    assert ChunkSpec.percent(800, 20) == ChunkSpec(size=800, overlap=160)
    assert hash(ChunkSpec.percent(800, 20)) == hash(ChunkSpec(size=800, overlap=160))


@pytest.mark.parametrize("pct", [-1, 100, 2.5, True])
def test_a_percentage_is_a_whole_number_below_100(pct):
    """Neither fractions nor 100% are rounded or clipped."""
    with pytest.raises(SettingsError, match="overlap percentage must"):
        ChunkSpec.percent(800, pct)


@pytest.mark.parametrize(
    ("written", "overlap"), [("80", 80), ("20%", 160), (" 20 % ", 160), ("0", 0), ("0%", 0)]
)
def test_an_overlap_is_written_in_units_or_percent(written, overlap):
    """A plain number counts units, a percent sign makes it a share of the size."""
    assert parse_spec(800, written).overlap == overlap


@pytest.mark.parametrize("written", ["", "%", "-5", "2.5", "20%%", "٣", "1e2", "abc", "9" * 5000])
def test_any_other_way_to_write_an_overlap_is_an_error(written):
    """The message shows what was written."""
    with pytest.raises(SettingsError, match="whole number or a percentage such as 20%"):
        parse_spec(800, written)


def test_a_written_spec_keeps_unit_and_encoding():
    """Unit and encoding reach the spec on both ways."""
    for written in ("10%", "10"):
        spec = parse_spec(100, written, unit="token", encoding="o200k_base")
        assert (spec.unit, spec.encoding, spec.overlap) == ("token", "o200k_base", 10)
