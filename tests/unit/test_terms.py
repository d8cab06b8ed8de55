"""Term functions, the stream of a corpus, and which function ``auto`` takes."""

import pytest

from overlapkit.corpus import corpus_of
from overlapkit.errors import SettingsError
from overlapkit.terms import (
    TERM_FUNCTIONS,
    choose_terms,
    match_spans,
    read_terms,
)
from overlapkit.terms.functions import (
    cjk_bigram_terms,
    cjk_char_terms,
    normalized_terms,
    word_terms,
)

# --- word -----------------------------------------------------------------------------


def test_words_are_lower_cased_runs_of_word_characters():
    """Punctuation parts words, digits and underscores belong to them."""
    assert word_terms("The Quay's e-mail_2 costs $3.50!") == [
        "the", "quay", "s", "e", "mail_2", "costs", "3", "50",
    ]  # fmt: skip


def test_words_are_lower_cased_before_they_are_found():
    """The dot that a lower-cased İ leaves behind parts the word."""
    assert word_terms("İstanbul") == ["i", "stanbul"]


def test_words_alone_change_nothing_else():
    """No accents are folded and no width is normalised."""
    assert word_terms("Ｃafé") == ["ｃafé"]


# --- normalized -----------------------------------------------------------------------


def test_composed_and_decomposed_letters_are_one_term():
    """NFKC joins a letter with its accent."""
    assert normalized_terms("Cafe\u0301") == normalized_terms("Café") == ["café"]


def test_compatible_characters_are_one_term():
    """Full-width letters, ligatures and superscripts are folded."""
    assert normalized_terms("Ｃａｆé ﬁne x²") == ["café", "fine", "x2"]


@pytest.mark.parametrize("ignorable", ["\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff", "\ufe0f"])
def test_invisible_characters_are_dropped(ignorable):
    """Soft hyphen and zero-width characters do not part a word."""
    assert normalized_terms(f"sur{ignorable}charge") == ["surcharge"]


def test_a_no_break_space_parts_words():
    """It is a space of another width."""
    assert normalized_terms("10\u00a0kg") == ["10", "kg"]


def test_combining_marks_stay_with_their_letters():
    """A vowel sign is no word character, but part of the word."""
    assert normalized_terms("क्षत्रिय") == ["क्षत्रिय"]
    assert word_terms("क्षत्रिय") != ["क्षत्रिय"]


def test_a_mark_without_its_letter_is_nothing():
    """What is left of a letter cut off from its mark carries no meaning."""
    assert normalized_terms("\u0301") == []
    assert normalized_terms("\u0301a") == ["a"]


def test_plain_english_is_the_same_for_both():
    """Without anything to normalise both functions agree."""
    text = "It's 12 o'clock, e-mail_2 me: A/B?"
    assert normalized_terms(text) == word_terms(text)


# --- scripts without spaces -----------------------------------------------------------


def test_one_term_per_character_of_unspaced_scripts():
    """Latin words beside Han stay whole."""
    assert cjk_char_terms("我用Python 3编程") == ["我", "用", "python", "3", "编", "程"]


def test_pairs_of_characters_of_unspaced_scripts():
    """Neighbours overlap; a single character is a term of its own."""
    assert cjk_bigram_terms("東京都 は 東 AI") == ["東京", "京都", "は", "東", "ai"]


def test_pairs_do_not_reach_across_other_letters_or_punctuation():
    """A run ends where its script does."""
    assert cjk_bigram_terms("中文ab字典、大学") == ["中文", "ab", "字典", "大学"]


def test_marks_stay_with_their_character():
    """A Thai vowel sign above a consonant belongs to it."""
    assert cjk_char_terms("กิน") == ["กิ", "น"]


def test_hangul_and_kana_are_split():
    """Hangul has spaces, but its words are long."""
    assert cjk_bigram_terms("대한민국 かな") == ["대한", "한민", "민국", "かな"]


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
def test_no_terms_in_an_empty_text(name):
    """Nothing in, nothing out."""
    assert TERM_FUNCTIONS[name].terms("") == []
    assert TERM_FUNCTIONS[name].terms(" \n…") == []


# --- the stream -----------------------------------------------------------------------


def test_a_stream_holds_every_term_in_order_with_its_place():
    """Documents stand one gap apart, terms are numbered as they first occur."""
    stream = read_terms(corpus_of([("a", "One two"), ("b", "two one.")]), "word")
    assert stream.base.tolist() == [0, 8]
    assert stream.starts.tolist() == [0, 4, 8, 12]
    assert stream.ends.tolist() == [3, 7, 11, 15]
    assert stream.terms.tolist() == [0, 1, 1, 0]
    assert stream.kinds == ["one", "two"]


def test_occurrences_are_grouped_by_term():
    """The places of each term rise."""
    groups = read_terms(corpus_of([("a", "x y x"), ("b", "y x")]), "word").occurrences
    assert groups.at.tolist() == [0, 2, 4, 1, 3]
    assert groups.first.tolist() == [0, 3, 5]
    assert groups.begins.tolist() == [True, False, False, True, False]


def test_words_do_not_run_together_across_documents():
    """A document that ends in a letter and one that begins with one share no word."""
    stream = read_terms(corpus_of([("a", "hand"), ("b", "book")]), "word")
    assert stream.kinds == ["hand", "book"]


def test_an_empty_corpus_has_an_empty_stream():
    """Neither no document nor empty documents are special."""
    for corpus in (corpus_of([]), corpus_of([("a", ""), ("b", "…")])):
        assert len(read_terms(corpus, "word").terms) == 0


def test_an_unknown_term_function_is_an_error():
    """The message lists the table, and auto."""
    with pytest.raises(SettingsError, match="terms must be one of auto, word, normalized"):
        read_terms(corpus_of([]), "stem")


# --- auto -----------------------------------------------------------------------------


def test_auto_takes_words_for_plain_text():
    """Where normalising changes nothing, the plain words are taken."""
    choice = choose_terms(corpus_of([("a", "plain text")]), ["text"])
    assert choice.name == "word"
    assert "next to nothing" in choice.reason


def test_auto_normalises_for_one_query():
    """A single query that normalising changes is enough."""
    choice = choose_terms(corpus_of([("a", "plain text")]), ["text", "sur\u00adcharge"])
    assert choice.name == "normalized"
    assert "query" in choice.reason


@pytest.mark.parametrize(("plain", "taken"), [(999, "word"), (998, "normalized")])
def test_auto_normalises_above_one_term_in_a_thousand(plain, taken):
    """One changed term among a thousand is let pass, among 999 it is not."""
    corpus = corpus_of([("a", "word " * plain + "ﬁne")])
    assert choose_terms(corpus).name == taken


@pytest.mark.parametrize(("latin", "taken"), [(95, "cjk-bigram"), (96, "word")])
def test_auto_splits_at_five_percent_of_the_letters(latin, taken):
    """Five Han letters of 100 are enough, of 101 they are not."""
    corpus = corpus_of([("a", "x" * latin + " 中文字典学")])
    choice = choose_terms(corpus)
    assert choice.name == taken
    assert taken == "word" or choice.reason.startswith("5% of the letters")


def test_auto_says_what_share_it_would_change():
    """A corpus whose only sign becomes a word has changed wholly, and no more."""
    choice = choose_terms(corpus_of([("a", "㎏")]))
    assert choice == ("normalized", "normalising changes 100.0% of the corpus's terms")


def test_auto_takes_words_where_there_is_nothing():
    """An empty corpus is no reason to normalise."""
    assert choose_terms(corpus_of([])).name == "word"


def test_marks_cover_matched_words_and_characters_only():
    """A word that is one term is marked whole; of an unspaced clause, the matched pair."""
    function = TERM_FUNCTIONS["cjk-bigram"]
    assert match_spans("price of 人口調査 rose", {"price", "人口"}, function) == [(0, 5), (9, 11)]
    plain = TERM_FUNCTIONS["normalized"]
    assert match_spans("price=100+naïve±error", {"naïve"}, plain) == [(10, 15)]
    assert match_spans("Cafe\u0301 Lumen", {"café"}, plain) == [(0, 5)]
    assert match_spans("The the other", {"the"}, TERM_FUNCTIONS["word"]) == [(0, 3), (4, 7)]


def test_auto_counts_letters_only():
    """Marks of unspaced scripts are no letters, and a Thai text is one of letters."""
    table = corpus_of([("a.txt", "Name \u30fb Price \u30fb Qty \u30fb \u0e3f")])
    assert choose_terms(table).name != "cjk-bigram"
    thai = choose_terms(corpus_of([("a.txt", "\u0e01\u0e33\u0e25\u0e31\u0e07\u0e17\u0e35\u0e48")]))
    assert thai.name == "cjk-bigram"
    assert thai.reason.startswith("100%")
