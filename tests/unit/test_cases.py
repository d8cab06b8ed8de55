"""Small inputs that broke other tools: one right value each, the class it stands for above."""

import json
import time
from itertools import pairwise

import pytest

from overlapkit.chunkers import UNITS, ChunkSpec, chunk, parse_spec
from overlapkit.corpus import corpus_of
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate
from overlapkit.evaluate.evaluation import judge, mean
from overlapkit.index import build_index, query_terms
from overlapkit.queries import Evidence, Query, QuerySet, read_golden
from overlapkit.retrieve import RunSpec, TopK, lucene_idf, okapi_idf, rank
from overlapkit.terms import read_terms
from overlapkit.tokens import count_tokens, token_spans
from tests.by_hand import judged, question, results_of

ALPHABET = "abcdefghij"


def spans(text: str, spec: ChunkSpec) -> list[tuple[int, int]]:
    """Return the (start, end) of one document's chunks."""
    chunks = chunk(corpus_of([("a.txt", text)]), spec)
    return list(zip(chunks.start.tolist(), chunks.end.tolist(), strict=True))


def one_question(corpus, text: str, *evidence: tuple[str, int, int]) -> QuerySet:
    """Return a set of one question."""
    return QuerySet((Query("q", text, tuple(Evidence(*span) for span in evidence)),), "minimal")


def found(texts, spec, text, *, ranking="okapi", terms="word", k=10):
    """Return (document name, score) of each result."""
    corpus = corpus_of(texts)
    chunks = chunk(corpus, spec)
    stream = read_terms(corpus, terms)
    asked = query_terms(stream, [text])
    ranked = rank(build_index(stream, chunks, asked), asked, ranking, k)
    names = [corpus.documents[doc].name for doc in chunks.doc[ranked.chunk].tolist()]
    return list(zip(names, ranked.score.tolist(), strict=True))


# --- window arithmetic ----------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("size", "overlap"), [(4, 4), (100, 150)])
def test_an_overlap_that_never_advances_is_refused_before_any_chunk(unit, size, overlap):
    """Equal to the size or larger, it is an error that names both."""
    rule = rf"overlap must lie in 0\.\.{size - 1} for size {size}; got {overlap}"
    with pytest.raises(SettingsError, match=rule):
        ChunkSpec(unit=unit, size=size, overlap=overlap)


@pytest.mark.parametrize(
    ("size", "pct", "overlap", "expected"),
    [
        (7, 10, 0, [(0, 7), (7, 14), (14, 15)]),
        (3, 40, 1, [(0, 3), (2, 5), (4, 7), (6, 9), (8, 11), (10, 13), (12, 15)]),
        (10, 25, 2, [(0, 10), (8, 15)]),
    ],
)
def test_a_percentage_is_rounded_down_to_whole_units(size, pct, overlap, expected):
    """The overlap is size * pct // 100, the step what is left."""
    spec = ChunkSpec.percent(size, pct)
    assert (spec.overlap, spec.step) == (overlap, size - overlap)
    assert spans("abcdefghijklmno", spec) == expected


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ChunkSpec(size=10, overlap=2.5),
        lambda: ChunkSpec(size=10, overlap=-1),
        lambda: ChunkSpec(size=0, overlap=0),
        lambda: ChunkSpec.percent(10, 100),
        lambda: parse_spec(10, "100%"),
        lambda: parse_spec(10, "2.5"),
    ],
)
def test_a_fraction_a_negative_and_a_whole_are_refused(ask):
    """None of them is rounded, clipped or wrapped."""
    with pytest.raises(SettingsError):
        ask()


# --- tail containment -----------------------------------------------------------------


def test_the_last_window_does_not_repeat_the_end_of_the_one_before():
    """Ten characters by 4 with overlap 1 are three windows, not four."""
    assert spans(ALPHABET, ChunkSpec(size=4, overlap=1)) == [(0, 4), (3, 7), (6, 10)]


@pytest.mark.parametrize(
    ("pct", "count", "ratio"), [(0, 3, 1.0), (25, 4, 1.25), (50, 5, 400 / 240), (75, 9, 3.0)]
)
def test_word_windows_are_as_many_as_published(pct, count, ratio):
    """240 words by 80: 3, 4, 5 and 9 windows, and so many words embedded per word."""
    text = " ".join(f"w{number}" for number in range(240))
    corpus = corpus_of([("doc.txt", text)])
    queries = one_question(corpus, "w1", ("doc.txt", 0, 2))
    values = evaluate(corpus, queries, ChunkSpec.percent(80, pct, unit="word")).values
    assert values["chunks"] == count
    assert values["index_words"] / 240 == pytest.approx(ratio)


def test_word_windows_stand_where_published():
    """At 25% they start every 60 words."""
    words = [f"w{number}" for number in range(240)]
    text = " ".join(words)
    found_words = [
        text[start:end].split()
        for start, end in spans(text, ChunkSpec.percent(80, 25, unit="word"))
    ]
    assert found_words == [words[0:80], words[60:140], words[120:200], words[180:240]]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("abc", 10, 5, [(0, 3)]),
        ("abc", 12, 11, [(0, 3)]),
        ("abcdefghijkl", 12, 11, [(0, 12)]),
        ("abcdefghijkl", 10, 5, [(0, 10), (5, 12)]),
    ],
)
def test_a_document_no_longer_than_the_size_is_one_window(text, size, overlap, expected):
    """Shorter than the size, or than the overlap, it is one chunk."""
    assert spans(text, ChunkSpec(size=size, overlap=overlap)) == expected


# --- offsets --------------------------------------------------------------------------


def test_repeated_words_keep_their_own_places():
    """Four equal words are four spans, not the first one four times."""
    found_spans = spans("tock tock tock tock", ChunkSpec(unit="word", size=1, overlap=0))
    assert found_spans == [(0, 4), (5, 9), (10, 14), (15, 19)]


def test_a_token_overlap_is_counted_in_tokens():
    """Windows of 5 tokens with overlap 3 share three tokens' characters, from 0 to the end."""
    text = "Tariff tables list surcharges; overnight surcharges apply on surcharges already billed."
    starts, ends, _ = token_spans(text)
    cut = spans(text, ChunkSpec(unit="token", size=5, overlap=3))
    assert cut[0][0] == 0
    assert cut[-1][1] == len(text) == 87
    assert [start for start, _ in cut] == starts[::2][: len(cut)].tolist()
    for (_, end), (start, _) in pairwise(cut):
        shared = (starts >= start) & (ends <= end)
        assert shared.sum() == 3


# --- unicode boundaries ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("cl100k_base", [(0, 2), (2, 3), (3, 5), (5, 6), (6, 7), (7, 8)]),
        ("o200k_base", [(0, 2), (2, 3), (3, 5), (5, 6), (6, 8)]),
    ],
)
def test_a_token_window_never_cuts_a_character(encoding, expected):
    """A Han character and an emoji of several tokens are each one whole chunk, and reported."""
    text = "ab猫cd🎉éf"
    spec = ChunkSpec(unit="token", size=1, overlap=0, encoding=encoding)
    assert spans(text, spec) == expected
    chunks = chunk(corpus_of([("a.txt", text)]), spec)
    assert chunks.widened > 0
    assert chunks.merged > 0


def test_offsets_are_characters_not_bytes():
    """The last window ends at 25, where UTF-8 has 32 bytes."""
    text = "naïve “quoted” text — fin"
    assert len(text.encode()) == 32
    assert spans(text, ChunkSpec(size=10, overlap=0)) == [(0, 10), (10, 20), (20, 25)]


def test_a_size_counts_code_points_even_inside_a_letter():
    """The boundary between e and its accent stays where it is asked for."""
    text = "cafe\u0301s"
    cut = spans(text, ChunkSpec(size=4, overlap=0))
    assert cut == [(0, 4), (4, 6)]
    assert "".join(text[start:end] for start, end in cut) == text


# --- coverage and size ----------------------------------------------------------------


def test_overlap_and_index_size_are_measured_from_spans():
    """An overlap of 2 asked for has no effect where every document is one window."""
    corpus = corpus_of([("a.txt", "aaaa"), ("b.txt", "bbbb"), ("c.txt", "cccc")])
    queries = one_question(corpus, "aaaa", ("a.txt", 0, 4))
    values = evaluate(corpus, queries, ChunkSpec(size=4, overlap=2)).values
    assert (values["effective_overlap"], values["index_x"]) == (0, 1.0)


def test_neighbours_share_the_overlap_without_any_separator():
    """Nothing in a text is needed for an overlap to be applied."""
    cut = spans("klmnopqrstuv", ChunkSpec(size=5, overlap=2))
    assert cut == [(0, 5), (3, 8), (6, 11), (9, 12)]


# --- degenerate documents -------------------------------------------------------------


def test_blank_lines_make_no_empty_window():
    """Leading and repeated blank lines belong to no window of words."""
    text = "\n\nalpha\n\n\n\nbeta\n"
    assert spans(text, ChunkSpec(unit="word", size=1, overlap=0)) == [(2, 7), (11, 15)]


# --- token model ----------------------------------------------------------------------


def test_a_text_that_spells_a_special_token_is_plain_text():
    """The mark is several tokens, and windows cover the whole text."""
    text = "Stop at <|endoftext|> or <|im_start|> please."
    assert count_tokens(["<|endoftext|>"])[0] > 1
    cut = spans(text, ChunkSpec(unit="token", size=5, overlap=1))
    assert (cut[0][0], cut[-1][1]) == (0, 45)
    assert {at for start, end in cut for at in range(start, end)} == set(range(45))


# --- metrics --------------------------------------------------------------------------

HELD_TWICE = corpus_of([("a.txt", "x" * 10 + "EVIDENCE!!" + "y" * 40)])
RANKING = [("a.txt", 0, 24), ("a.txt", 8, 32), ("a.txt", 40, 60)]


@pytest.mark.parametrize("listed", [1, 2])
def test_no_rate_exceeds_one_where_two_chunks_hold_the_evidence(listed):
    """Nor does it where the same gold span is listed twice."""
    span = {"doc": "a.txt", "start": 10, "end": 20}
    line = json.dumps({"id": "q", "query": "x", "evidence": [span] * listed})
    (query,) = read_golden(line.encode(), HELD_TWICE).queries
    values = judged(HELD_TWICE, query, RANKING)
    names = ("recall", "lenient_hit", "strict_hit", "lenient_mrr", "strict_mrr", "complete")
    assert [values[name] for name in names] == [1.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    assert all(0 <= values[name] <= 1 for name in ("precision", "iou", "repeated_chars"))


def test_a_question_that_fails_stays_in_the_average():
    """First hits at 1, 2, never and never: hit 0.5 and MRR 0.375 of four."""
    corpus = corpus_of([("a", "a" * 100), ("b", "b" * 100)])
    queries = [question(("a", 0, 100), name=str(number)) for number in range(4)]
    hit, miss = ("a", 0, 100), ("b", 0, 100)
    results = results_of(corpus, queries, [[hit], [miss, hit], [miss], []], TopK(5))
    columns = judge(results, "5")
    assert len(columns["strict_hit@5"]) == 4
    assert mean(columns["strict_hit@5"]) == mean(columns["lenient_hit@5"]) == 0.5
    assert mean(columns["strict_mrr@5"]) == mean(columns["lenient_mrr@5"]) == 0.375


@pytest.mark.parametrize(
    ("span", "strict", "lenient"),
    [((0, 200), 1, 1), ((0, 199), 0, 0), ((100, 150), 1, 0), ((250, 650), 0, 0)],
)
def test_thresholds_of_hits_at_their_edges(span, strict, lenient):
    """Strict at half of the chunk, lenient at 100 characters, both included."""
    corpus = corpus_of([("a", "a" * 700)])
    values = judged(corpus, question(("a", 100, 300)), [("a", *span)])
    assert (values["strict_hit"], values["lenient_hit"]) == (strict, lenient)


def test_evidence_shorter_than_the_lenient_minimum_can_be_hit():
    """All 40 characters of it are a lenient hit, and complete; strict they are not."""
    corpus = corpus_of([("a", "a" * 200)])
    values = judged(corpus, question(("a", 10, 50)), [("a", 0, 200)])
    assert (values["strict_hit"], values["lenient_hit"], values["complete"]) == (0, 1, 1)


def test_evidence_at_two_places_is_met_by_either():
    """The second occurrence alone gives every hit, and recall 1, not a half."""
    corpus = corpus_of([("a.txt", "Total: 5. Later note. Total: 5. End.")])
    asked = question(("a.txt", 0, 9), ("a.txt", 22, 31))
    values = judged(corpus, asked, [("a.txt", 22, 36)])
    assert [values[name] for name in ("strict_hit", "lenient_hit", "complete", "recall")] == [1] * 4


# --- BM25 scoring ---------------------------------------------------------------------

LARGE = ChunkSpec(size=100, overlap=0)


def test_a_question_of_unknown_words_has_no_result():
    """An empty list is a miss, not the first k chunks."""
    corpus = corpus_of([("a.txt", "tide tables for the harbour"), ("b.txt", "bus times")])
    queries = one_question(corpus, "zzzqqq", ("a.txt", 0, 11))
    result = evaluate(corpus, queries, LARGE, RunSpec(cutoff=TopK(2)))
    assert len(result.ranked.chunk) == 0
    names = ("complete@2", "lenient_hit@2", "strict_mrr@2", "lenient_mrr@2")
    assert [result.values[name] for name in names] == [0] * 4


KELP = [
    ("a.txt", "kelp farm"),
    ("b.txt", "kelp soup"),
    ("c.txt", "iron mine"),
    ("d.txt", "salt road"),
]


def test_a_word_in_half_of_the_chunks_is_found_under_lucene():
    """Two equal positive scores, tied in order of names; the others are no results."""
    (first, score), (second, other) = found(KELP, LARGE, "kelp", ranking="lucene", k=4)
    assert (first, second) == ("a.txt", "b.txt")
    assert score == other > 0


def test_a_word_in_half_of_the_chunks_is_found_under_okapi():
    """The same results in the same order, with rank-bm25's scores of 0."""
    assert found(KELP, LARGE, "kelp", k=4) == [("a.txt", 0.0), ("b.txt", 0.0)]


@pytest.mark.parametrize(("holding", "idf"), [(2, 0.693147), (3, 0.356675), (4, 0.105361)])
def test_the_lucene_idf_stays_positive(holding, idf):
    """In 2, 3 and 4 of four chunks the idf falls, and stays above 0."""
    texts = [(str(n), "kelp" if n < holding else "iron") for n in range(4)]
    corpus = corpus_of(texts)
    stream = read_terms(corpus, "word")
    asked = query_terms(stream, ["kelp"])
    index = build_index(stream, chunk(corpus, LARGE), asked)
    assert lucene_idf(index).tolist() == pytest.approx([idf], abs=5e-7)
    assert holding > 2 or okapi_idf(index).tolist() == [0.0]
    assert len(found(texts, LARGE, "kelp", ranking="lucene")) == holding


def test_k_larger_than_the_number_of_chunks_gives_all_of_them():
    """Ten asked for, two there."""
    texts = [("a.txt", "red car"), ("b.txt", "red bus")]
    assert len(found(texts, LARGE, "red", k=10)) == 2


# --- language and normalisation -------------------------------------------------------


def test_a_composed_question_finds_decomposed_text():
    """Matching normalises both, the stored text stays as it is."""
    texts = [("a.txt", "Cafe\u0301 Lumen opens at nine."), ("b.txt", "Tea room opens at ten.")]
    corpus = corpus_of(texts)
    assert found(texts, LARGE, "Café") == []
    assert found(texts, LARGE, "Café", terms="normalized") == [("a.txt", 0.0)]
    ((name, score),) = found(texts, LARGE, "Café", terms="normalized", ranking="lucene")
    assert (name, score > 0) == ("a.txt", True)
    queries = one_question(corpus, "Café", ("a.txt", 0, 11))
    result = evaluate(corpus, queries, LARGE)
    assert (result.terms.name, result.values["complete@5"]) == ("normalized", 1)
    assert len(corpus.documents[0].text) == 26


def test_invisible_characters_do_not_defeat_matching():
    """A soft hyphen and a zero-width space are dropped from terms, never from the text."""
    text = "max load 10\u00a0kg per sur\u00adcharge band, zero\u200bwidth"
    texts = [("a.txt", text)]
    assert found(texts, LARGE, "surcharge") == []
    ((_, score),) = found(texts, LARGE, "surcharge", terms="normalized")
    assert score == pytest.approx(-0.274653, abs=5e-7)
    ((_, score),) = found(texts, LARGE, "zerowidth", terms="normalized", ranking="lucene")
    assert score > 0
    assert spans(text, LARGE) == [(0, 46)]


def test_question_and_document_are_read_alike():
    """The case of a question makes no difference to result or score."""
    texts = [("a.md", "call OvertimeService now"), ("b.md", "call PayrollService now")]
    spec = ChunkSpec(unit="word", size=10, overlap=0)
    questions = ("OvertimeService", "overtimeservice", "OVERTIMESERVICE")
    results = [found(texts, spec, text, ranking="lucene", k=2) for text in questions]
    assert results[0] == results[1] == results[2]
    assert [name for name, _ in results[0]] == ["a.md"]


# --- scale ----------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "text",
    [
        " " * 80_000 + "one two three",
        "x" * 200_000,
        "word\n\n\n\n" * 25_000,
        "a" + "." * 5_000 + "b",
    ],
    ids=["spaces", "line", "blank", "dots"],
)
def test_time_does_not_grow_with_the_square_of_the_input(text, unit):
    """Long runs of one sort are cut and read in a moment."""
    begin = time.process_time()
    corpus = corpus_of([("a.txt", text)])
    chunks = chunk(corpus, ChunkSpec(unit=unit, size=200, overlap=20))
    stream = read_terms(corpus, "normalized")
    asked = query_terms(stream, ["word"])
    build_index(stream, chunks, asked)
    assert time.process_time() - begin < 3
    assert len(chunks) >= 1
