"""Where evidence given as text stands: written as it is, or otherwise, once or several times."""

import json

import pytest

from overlapkit.corpus import corpus_of
from overlapkit.queries import Ambiguous, Evidence, read_golden
from overlapkit.queries.golden.documents import DocumentNames
from overlapkit.queries.golden.folding import fold
from overlapkit.queries.golden.matching import Finder
from overlapkit.queries.golden.resolve import MOST_PLACES
from overlapkit.queries.golden.searching import ENOUGH, Searchable
from tests.by_hand import judged

DECOMPOSED = "Cafe\u0301 Lumen opens at nine."
INVISIBLE = "max load 10\u00a0kg per sur\u00adcharge band, zero\u200bwidth"
# Long enough that its words are listed instead of the text being read through.
PADDING = " ".join(f"filler{number}" for number in range(4_000))


def spans(text: str, evidence: str) -> list[tuple[int, int]]:
    """Return where evidence is found in a text, and the same when the text is a long one."""
    short = Finder(corpus_of([("a.txt", text)])).find(evidence)
    long = Finder(corpus_of([("a.txt", f"{text} {PADDING}")])).find(evidence)
    assert short == long
    return [(place.start, place.end) for place in short]


def read(texts, *rows, **options):
    """Return the golden set of rows of evidence on a corpus, with one row that is good."""
    first = {"query": "good?", "evidence": [{"doc": texts[0][0], "start": 0, "end": 1}]}
    lines = [json.dumps(row) for row in (first, *({"query": "why?"} | row for row in rows))]
    return read_golden("\n".join(lines).encode(), corpus_of(texts), **options)


def left_out(texts, **row):
    """Return the one row that was left out."""
    (found,) = read(texts, row).unresolved
    return found


# --- one text, written in two ways ----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "evidence", "expected"),
    [
        ("The  surcharge\n  applies at night.", "The surcharge applies at night.", (0, 34)),
        ("The surcharge applies.", "The\r\n\tsurcharge\u3000applies.", (0, 22)),
        ("It’s the night‑rate – 5%.", "It's the night-rate - 5%.", (0, 25)),
        ("say „so“ or «no»", 'say "so" or "no"', (0, 16)),
        (DECOMPOSED, "Café Lumen", (0, 11)),
        ("Café Lumen opens.", "Cafe\u0301 Lumen", (0, 10)),
        ("e\u0302\u0323 one", "\u1ec7 one", (0, 7)),
        ("한국어 text", "\u1112\u1161\u11ab국어 text", (0, 8)),
        (INVISIBLE, "10 kg per surcharge band", (9, 34)),
        (INVISIBLE, "zerowidth", (36, 46)),
        ("the Rate applies", "THE RATE", (0, 8)),
        ("the Straße is wide", "THE STRASSE", (0, 10)),
        ("an oﬃce ﬁre, x²", "an office fire, x2", (0, 15)),
        ("ﾊﾟﾝ と ½", "パン と 1/2", (0, 7)),
        ("a sur-\ncharge applies", "a surcharge applies", (0, 21)),
        ("a sur\u00ad\ncharge applies", "a surcharge applies", (0, 21)),
        ("the night-\nrate applies", "the night-rate applies", (0, 23)),
        ("the night-rate applies", "the night-\n   rate applies", (0, 22)),
        ("pages 10-\n20 say", "pages 10-20 say", (0, 16)),
        ("The **day rate** is `five`.", "The day rate is five.", (0, 27)),
        ("## Fees\n\nThey _rise_.", "Fees They rise.", (3, 21)),
        ("- one\n- two\n\n1. three", "one two three", (2, 21)),
        ("> said so\n> and so", "said so and so", (2, 18)),
        ("see [the list](http://x.y/(z) \"t\") now", "see the list now", (0, 38)),
        ("see [the list][1] and ![a map](m.png).", "see the list and a map.", (0, 38)),
        ("| a | b |\n|---|:-:|\n| c | d |", "a b c d", (2, 27)),
        ("one<br>two <b>three</b>", "one two three", (0, 19)),
        (r"five \* six", "five * six", (0, 11)),
        ("nul\0 here", "nul here", (0, 9)),
    ],
)  # fmt: skip
def test_evidence_is_found_however_it_is_written(text, evidence, expected):
    """The span is that of the stored text, from the first to the last character meant."""
    assert spans(text, evidence) == [expected]


def test_evidence_that_is_found_as_it_is_needs_no_likeness():
    """An exact place is the place, though another is the same but for its case."""
    assert spans("the RATE. The rate.", "the RATE.") == [(0, 9)]
    assert spans("The rate. the RATE.", "the RATE.") == [(10, 19)]


def test_white_space_around_evidence_is_part_of_it_only_where_it_is_there():
    """Where the text stands with it, it is; elsewhere it says nothing."""
    assert spans("is $5 or $5. ", " $5 ") == [(2, 6)]
    assert spans("is $5.", "\n$5\n") == [(3, 5)]


def test_a_sign_and_a_number_are_no_markup():
    """Another number, sign or word is another text."""
    for text, evidence in [("a fee of -5%", "a fee of 5%"), ("rate 1,5", "rate 15"), ("ab", "a b")]:
        assert spans(text, evidence) == []


def test_the_stored_text_stays_as_it_is():
    """Folding is for comparing alone: every offset leads back into the text."""
    folded = fold(INVISIBLE, markup=False)
    assert folded.text == "max load 10 kg per surcharge band, zerowidth"
    assert [INVISIBLE[at] for at in folded.source[-5:]] == list("width")


def test_marks_are_brought_into_one_order():
    """Two marks of one letter compare equal whichever was typed first."""
    assert fold("e\u0302\u0323", markup=False).text == fold("e\u0323\u0302", markup=False).text


# --- letters and words stay whole -----------------------------------------------------


def test_a_letter_is_not_parted_from_its_mark():
    """Evidence cut between the two is widened to the whole letter."""
    assert spans("cafe\u0301s", "cafe") == [(0, 5)]
    assert spans("a cafe\u0301s", "\u0301s") == [(5, 8)]


def test_a_letter_with_a_mark_is_another_letter():
    """Without a place that is written so, the bare letter is not found, composed or not."""
    assert spans("One CAFÉ.", "one cafe") == spans("One CAFE\u0301.", "one cafe") == []
    assert spans("각 one", "\u1100\u1161") == []


def test_a_whole_letter_goes_before_a_part_of_one():
    """A place that would cut a letter counts only where there is no other."""
    assert spans("cafe\u0301 or CAFE", "cafe") == [(9, 13)]


def test_whole_words_go_before_parts_of_words():
    """Of a word and the same letters within others, the word is meant."""
    assert spans("separate rate, rates", "rate") == [(9, 13)]
    assert spans("separate Rate", "rate") == [(9, 13)]


def test_evidence_cut_within_a_word_is_found():
    """Evidence may be cut by a chunker anywhere."""
    assert spans("The surcharge applies at night.", "rcharge applies at ni") == [(6, 27)]
    assert spans("The surcharge", "rcharge") == [(6, 13)]


def test_scripts_without_spaces_have_no_words_to_cut():
    """Characters within a clause are found like words."""
    assert spans("黑豹队的防守只丢了 308分，防守。", "的防守只") == [(3, 7)]
    assert spans("黑豹队的防守只丢了 308分，防守。", "防守") == [(4, 6), (15, 17)]


def test_a_long_text_is_searched_like_a_short_one():
    """Through its words or by reading, the places of frequent and rare words are the same."""
    words = [f"w{number % 7}" for number in range(9_000)]
    words[4_000:4_002] = ["rare", "w1"]
    text = " ".join(words)
    for sought in ("rare w1", "w0 w1 w2 rare", "are w1 ", "w4 w5 w7", "nowhere"):
        at = text.find(sought)
        assert Searchable([text]).find(sought).at == (((0, at),) if at >= 0 else ())


# --- several places -------------------------------------------------------------------

TWICE = "Total: 5. Later note. Total: 5. End."


def test_places_within_one_document_are_alternatives():
    """Either is as good as the other, so a hit on one is a hit; the row is marked."""
    corpus = corpus_of([("a.txt", TWICE)])
    found = read_golden(b'{"id": "q", "query": "x", "evidence": ["Total: 5."]}', corpus)
    (query,) = found.queries
    assert query.evidence == (Evidence("a.txt", 0, 9), Evidence("a.txt", 22, 31))
    assert query.need == "any"
    assert found.ambiguous == (Ambiguous(1, "q", 2),)
    assert found.ambiguous[0].mark == "ambiguous: 2 places"
    assert found.unresolved == ()
    values = judged(corpus, query, [("a.txt", 22, 36)])
    assert [values[name] for name in ("strict_hit", "lenient_hit", "recall")] == [1.0, 1.0, 1.0]


def test_a_single_piece_in_several_places_is_needed_once():
    """All of one piece of evidence is any of its places."""
    row = {"need": "all", "evidence": [{"doc": "a.txt", "text": "Total: 5."}]}
    found = read([("a.txt", TWICE)], row)
    assert (found.queries[1].need, len(found.queries[1].evidence)) == ("any", 2)


def test_one_of_several_pieces_in_several_places_cannot_be_needed():
    """Where all pieces are needed, which place of one is meant must be said."""
    row = left_out([("a.txt", TWICE)], need="all", evidence=["Total: 5.", "End."])
    assert "one piece matches 2 places: give its start and end" in row.reason


def test_alternatives_with_several_places_are_all_alternatives():
    """Where one piece is enough, so is any place of any piece."""
    found = read([("a.txt", TWICE)], {"need": "any", "evidence": ["Total: 5.", "End."]})
    assert [span.start for span in found.queries[1].evidence] == [0, 22, 32]
    assert [row.places for row in found.ambiguous] == [2]


def test_places_in_several_documents_say_too_little():
    """The same words in another document may speak of something else."""
    texts = [("a.txt", "The fee is five."), ("b.txt", "The fee is five.")]
    row = left_out(texts, evidence=["The fee is five."])
    assert "matches 2 places in 2 documents: name its document" in row.reason
    assert read(texts, {"evidence": [{"doc": "b", "text": "The fee is five."}]}).unresolved == ()


def test_a_text_in_too_many_places_names_none():
    """Ten places are alternatives; eleven would make any answer right."""
    few, many = ("a.txt", "5 " * MOST_PLACES), ("a.txt", "5 " * (MOST_PLACES + 1))
    assert read([few], {"evidence": ["5"]}).unresolved == ()
    assert "matches 11 places of 'a.txt'" in left_out([many], evidence=["5"]).reason
    most = ("a.txt", "5 " * (ENOUGH + 50))
    assert "matches more than 100 places" in left_out([most], evidence=["5"]).reason


def test_places_of_a_text_do_not_overlap():
    """A text that repeats itself is counted as often as it fits."""
    assert spans("aa aa aa aa ", "aa aa") == [(0, 5), (6, 11)]


# --- offsets and text -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ({"start": 22, "end": 31}, (22, 31)),
        ({"start": 23, "end": 32}, (22, 31)),
        ({"start": 22}, (22, 31)),
        ({"start": 20, "end": 29}, (22, 31)),
        ({"start": "22", "end": "31.0"}, (22, 31)),
        ({"start": 22.0, "end": 31.0}, (22, 31)),
    ],
)
def test_offsets_single_out_a_place(offsets, expected):
    """Exact, shifted by a byte-order mark, without an end, or beside it by a few characters."""
    item = {"doc": "a.txt", "text": "Total: 5."} | offsets
    found = read([("a.txt", TWICE)], {"evidence": [item]})
    (span,) = found.queries[1].evidence
    assert (span.start, span.end) == expected
    assert found.ambiguous == ()


def test_offsets_single_out_a_document():
    """Of two documents with the text, it is the one where it stands there."""
    texts = [("a.txt", "xx The fee."), ("b.txt", "The fee.")]
    item = {"text": "The fee.", "start": 3, "end": 11}
    found = read(texts, {"evidence": [item]})
    assert found.queries[1].evidence == (Evidence("a.txt", 3, 11),)


def test_wrong_offsets_of_a_text_that_stands_once_are_put_right():
    """Offsets in bytes, or of a text before it was edited, do not matter."""
    item = {"doc": "a.txt", "start": 900, "end": 904, "text": "End."}
    found = read([("a.txt", TWICE)], {"evidence": [item]})
    assert found.queries[1].evidence == (Evidence("a.txt", 32, 36),)
    assert found.unresolved == found.ambiguous == ()


def test_wrong_offsets_of_a_text_that_stands_twice_are_said():
    """Which of them is meant cannot be told."""
    item = {"doc": "a.txt", "start": 12, "end": 18, "text": "Total: 5."}
    reason = left_out([("a.txt", TWICE)], evidence=[item]).reason
    assert "does not stand at its offsets, and matches 2 places" in reason


def test_offsets_without_a_document_need_one():
    """Of a single document they are meant; of several they say nothing."""
    offsets = [{"start": 0, "end": 5}]
    assert read([("a.txt", TWICE)], {"evidence": offsets}).unresolved == ()
    reason = left_out([("a.txt", TWICE), ("b.txt", TWICE)], evidence=offsets).reason
    assert reason == "start and end count in a document: name it as `doc`"


def test_offsets_count_code_points():
    """A character beyond the basic plane is one, whatever an encoding makes of it."""
    found = read([("a.txt", "🎉🎉 five")], {"evidence": ["five"]})
    assert found.queries[1].evidence == (Evidence("a.txt", 3, 7),)


# --- not found ------------------------------------------------------------------------


def test_what_is_not_found_is_shown_with_what_is_nearest():
    """The stretch that shares most words stands beside the reason."""
    text = "Rates.\n\nThe surcharge of five per cent\napplies at night only. " + PADDING
    row = left_out([("a.txt", text)], evidence=["The surcharge of six per cent applies at night"])
    assert "is not found in any document: quote it from there" in row.reason
    assert row.nearest == "The surcharge of five per cent applies at night"


def test_the_nearest_text_lies_in_the_document_named():
    """A better one elsewhere is no help."""
    texts = [("a.txt", "a surcharge for nights"), ("b.txt", "the surcharge applies at nights")]
    item = {"doc": "a.txt", "text": "the surcharge applies for nights"}
    assert left_out(texts, evidence=[item]).nearest == "a surcharge for nights"


def test_the_nearest_text_is_short():
    """Evidence of any length is shown in 200 characters."""
    text = PADDING[:3_000]
    row = left_out([("a.txt", text)], evidence=[text[:1_000] + " other " + text[1_000:]])
    assert len(row.nearest) == 200
    assert row.nearest.startswith("filler0 filler1 ")


def test_nothing_is_near_what_shares_no_words():
    """One word in common is none, where there are more."""
    assert left_out([("a.txt", TWICE)], evidence=["nothing of the sort"]).nearest == ""
    assert left_out([("a.txt", TWICE)], evidence=["a later train"]).nearest == ""


# --- documents ------------------------------------------------------------------------

NAMES = ["fees.md", "notes/fees.md", "notes/Hours.TXT", "v1/plan.md", "v2/plan.md", "v1.2"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fees.md", ["fees.md"]),
        ("fees", ["fees.md"]),
        ("FEES.md ", ["fees.md"]),
        ("notes\\hours", ["notes/Hours.TXT"]),
        ("hours.txt", ["notes/Hours.TXT"]),
        ("./notes/fees", ["notes/fees.md"]),
        ("/data/notes/fees.md", ["notes/fees.md"]),
        ("plan.md", ["v1/plan.md", "v2/plan.md"]),
        ("v1.2", ["v1.2"]),
        ("fees.pdf", []),
        ("v3/plan.md", []),
        ("", []),
    ],
)
def test_a_document_is_known_by_its_usual_names(name, expected):
    """With or without extension and folders, but never under another's."""
    assert [NAMES[at] for at in DocumentNames(NAMES).positions(name)] == expected


def test_a_name_of_two_documents_is_not_enough():
    """Both are named, so that one can be chosen."""
    texts = [("v1/plan.md", "one"), ("v2/plan.md", "two")]
    reason = left_out(texts, evidence=[{"doc": "plan", "text": "one"}]).reason
    assert reason == "2 documents are called 'plan' ('v1/plan.md', 'v2/plan.md'): name one"
