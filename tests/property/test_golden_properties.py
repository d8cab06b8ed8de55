"""Properties of golden sets: folding, searching and reading on texts of every sort."""

import csv
import io
import json
import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from overlapkit.corpus import corpus_of
from overlapkit.errors import QueryError
from overlapkit.queries import Evidence, QuerySet, preview_golden, quoting, read_golden
from overlapkit.queries.golden.cells import items_of
from overlapkit.queries.golden.folding import fold, sought_form
from overlapkit.queries.golden.matching import Finder
from overlapkit.queries.golden.searching import CUTS_LETTER, CUTS_WORD, WHOLE, Searchable, continues
from overlapkit.terms.functions import is_word
from tests.property.strategies import corpora, texts

# Hyphens, breaks, marks and Markdown beside letters that fold, compose or vanish.
PIECES = [
    *"aBc1 \n-–’\"*_`#>|[]().!<~\\", "\r\n", "\t", "é", "e\u0301", "\u0323", "ß", "ﬁ", "İ", "한",
    "각", "\u1161",
    "\u00ad", "\u200b", "\ufe0f", "½", "´", "\u1fef", "α\u0345", "が", "か\u3099", "中",
    "🎉", "\x00", "\ud800", "](x)", "<br>", "1. ",
]  # fmt: skip
PADDING = " ".join(f"{number}q" for number in range(5_000))


def written(max_size: int = 20) -> st.SearchStrategy[str]:
    """Return short texts over the pieces."""
    return st.lists(st.sampled_from(PIECES), max_size=max_size).map("".join)


# --- folding --------------------------------------------------------------------------


@given(text=written() | st.text(), markup=st.booleans())
def test_every_folded_character_has_its_place_in_the_text(text, markup):
    """Offsets lie in the text and never go back."""
    folded = fold(text, markup=markup)
    source = folded.source.tolist()
    assert len(source) == len(folded.text)
    assert source == sorted(source)
    assert all(0 <= at < len(text) for at in source)


@given(text=written() | st.text())
def test_canonical_forms_fold_alike(text):
    """Composed and decomposed texts cannot be told apart."""
    assert (
        fold(unicodedata.normalize("NFC", text), markup=False).text
        == fold(unicodedata.normalize("NFD", text), markup=False).text
    )


@given(text=written() | st.text())
def test_a_folded_text_folds_to_itself(text):
    """What was made alike stays alike."""
    folded = fold(text, markup=False).text
    assert fold(folded, markup=False).text == folded


@given(
    text=st.lists(
        st.sampled_from([*"aB1 \n-*_`#>|[]().!<~\\\x00\x1c\t'\"+", "<br>", "](x)"]), max_size=20
    ).map("".join),
    markup=st.booleans(),
)
def test_plain_texts_fold_alike_both_ways(text, markup):
    """The short way of plain texts gives what the long way gives."""
    whole = fold(text, markup=markup).text
    sought, lead = sought_form(text, markup=markup)
    assert whole[lead : lead + len(sought)] == sought
    assert whole.strip().strip("-") == sought.strip("-") or sought == whole.strip()


# --- searching ------------------------------------------------------------------------


def naive_places(text: str, sought: str) -> list[int]:
    """Return the places that cut least, none overlapping, by looking at every offset."""
    cuts: dict[int, list[int]] = {WHOLE: [], CUTS_WORD: [], CUTS_LETTER: []}
    for start in range(len(text)):
        if not text.startswith(sought, start):
            continue
        edges = [at for at in (start, start + len(sought)) if 0 < at < len(text)]
        if any(continues(text[at]) for at in edges):
            cut = CUTS_LETTER
        elif any(
            (is_word(text[at - 1]) or text[at - 1] == "\u0301")
            and is_word(text[at])
            and not {*text[at - 1 : at + 1]} & {*"中文"}
            for at in edges
        ):
            cut = CUTS_WORD
        else:
            cut = WHOLE
        if not cuts[cut] or start >= cuts[cut][-1] + len(sought):
            cuts[cut].append(start)
    return next((places for places in cuts.values() if places), [])


@given(
    text=st.text("aab中文 -\u0301", max_size=30),
    sought=st.text("aab中文 -\u0301", min_size=1, max_size=6),
)
def test_search_finds_what_looking_at_every_offset_finds(text, sought):
    """In short texts by reading, in long ones through their words."""
    expected = naive_places(text + " ", sought)
    assert [at for _, at in Searchable([text + " "]).find(sought).at] == expected
    long = Searchable([f"{text} ", f" {PADDING}"]).find(sought)
    if sought.strip():
        assert [place for place in long.at if place[0] == 0] == [(0, at) for at in expected]


@given(corpus=corpora(), data=st.data())
def test_a_stretch_of_a_document_is_found(corpus, data):
    """Every place reads as it does, or folds as it does, and parts no letter from its mark."""
    document = data.draw(st.sampled_from(corpus.documents))
    begin = data.draw(st.integers(0, len(document.text)))
    sought = document.text[begin : data.draw(st.integers(begin, len(document.text)))]
    assume(sought.strip())
    places = Finder(corpus).find(sought)
    assert places
    stored = {one.name: one.text for one in corpus.documents}
    for place in places:
        text = stored[place.document]
        found = text[place.start : place.end]
        assert sought.strip() in found or sought_form(sought, markup=False)[0] in (
            fold(found, markup=False).text
        )
        assert place.start == 0 or not continues(text[place.start])
        assert place.end == len(text) or not continues(text[place.end])


@given(before=written(5), text=written(), after=written(5))
def test_a_stretch_written_otherwise_is_found(before, text, after):
    """In capitals, decomposed, with other white space, quotation marks and invisible ones."""
    stored = f"{before} . {text} . {after}"
    # What begins with a mark is a part of the letter before it.
    sought = f". {text} ."
    other = unicodedata.normalize("NFD", sought).upper().replace(" ", " \u200b\r\n ")
    other = other.replace("’", "'").replace("–", "-")
    assume(sought_form(other, markup=False) == sought_form(sought, markup=False))
    places = Finder(corpus_of([("a", stored)])).find(other)
    assert places
    for place in places:
        found = stored[place.start : place.end]
        assert any(
            sought_form(found, markup=markup)[0] == sought_form(sought, markup=markup)[0]
            for markup in (False, True)
        )


@given(corpus=corpora(), sought=texts(), data=st.data())
def test_the_nearest_text_is_short_and_printable(corpus, sought, data):
    """Whatever is looked for."""
    nearest = Finder(corpus).nearest(sought)
    assert len(nearest) <= 200
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in nearest)


# --- reading --------------------------------------------------------------------------

CELLS = (
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | written(6) | st.text(max_size=5)
)
VALUES = st.recursive(
    CELLS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["doc", "start", "end", "text", "content", "answer_start"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)
ROWS = st.dictionaries(
    st.sampled_from(
        ["id", "query", "evidence", "contexts", "context", "answers", "doc", "start", "end", "need",
         "answer", "tag", "references", "is_impossible"]
    ),
    VALUES,
    max_size=7,
)  # fmt: skip


def check(data: bytes, corpus) -> None:
    """Read a set and hold that its spans lie in the corpus, and that errors are of our kind."""
    said = ""
    try:
        found = read_golden(data, corpus)
    except QueryError as error:
        found, said = QuerySet((), "minimal"), str(error)
    lengths = {document.name: len(document.text) for document in corpus.documents}
    assert len({query.id for query in found}) == len(found)
    for query in found:
        assert all(0 <= s.start < s.end <= lengths[s.document] for s in query.evidence)
    assert all(row.reason for row in found.unresolved)
    assert all("\n" not in sentence for sentence in (said, *(r.reason for r in found.unresolved)))
    assert quoting(corpus, found).questions == len(found)


@given(rows=st.lists(ROWS, min_size=1, max_size=4), corpus=corpora(), lines=st.booleans())
def test_no_json_row_stops_the_reading(rows, corpus, lines):
    """Each becomes a question within the corpus or is listed with one sentence."""
    good = {"query": "good", "evidence": [{"doc": "0.txt", "start": 0, "end": 1}]}
    data = "\n".join(map(json.dumps, [good, *rows])) if lines else json.dumps([good, *rows])
    check(data.encode(), corpus)


@given(
    rows=st.lists(st.lists(written(5), max_size=5), max_size=4),
    corpus=corpora(),
    separator=st.sampled_from(",;\t|"),
)
def test_no_table_stops_the_reading(rows, corpus, separator):
    """Whatever its cells hold."""
    out = io.StringIO()
    heading = ["question", "evidence", "doc", "start"]
    csv.writer(out, delimiter=separator).writerows([heading, *rows])
    check(out.getvalue().encode("utf-8", "replace"), corpus)


@given(
    text=st.lists(
        st.sampled_from([*"[]{}\",;\t|\n'\\:01 a", "question", "evidence", "sep="]), max_size=40
    ).map("".join)
)
def test_no_text_stops_the_reading(text):
    """Reading and looking give a result or an error of our kind."""
    check(text.encode(), corpus_of([("a", "aa 01")]))
    try:
        found = preview_golden(text.encode())
    except QueryError:
        return
    assert all(len(row) == len(found.columns) for row in found.rows)


@given(
    cells=st.lists(
        st.lists(st.text("ab\"',;|\t\n ", max_size=6), min_size=3, max_size=3), max_size=5
    ),
    separator=st.sampled_from(",;\t|"),
)
def test_a_table_is_read_as_it_was_written(cells, separator):
    """Every cell comes back, white space around it aside, under its column and number."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows([["question", "evidence", "id"], *cells])
    filled = [
        tuple(" ".join(cell.split()) for cell in row)
        for row in cells[:5]
        if any(map(str.strip, row))
    ]
    found = preview_golden(out.getvalue().encode())
    shown = [tuple(" ".join(cell.split()) for cell in row) for row in found.rows]
    assert [row for row in shown if any(row)] == filled


@given(items=st.lists(written(8).filter(lambda text: text.strip()), min_size=1, max_size=4))
def test_lists_come_back_as_they_were_written(items):
    """As JSON, and as Python writes them."""
    assert items_of(json.dumps(items)) == items
    assert items_of(repr(items)) == items


@given(corpus=corpora(), data=st.data())
def test_offsets_are_taken_as_they_are(corpus, data):
    """A span that lies in its document and reads as said is the evidence, exactly."""
    document = data.draw(st.sampled_from([one for one in corpus.documents if one.text] or [None]))
    assume(document is not None)
    start = data.draw(st.integers(0, len(document.text) - 1))
    end = data.draw(st.integers(start + 1, len(document.text)))
    item = {"doc": document.name, "start": start, "end": end, "text": document.text[start:end]}
    for text in (item, {name: item[name] for name in ("doc", "start", "end")}):
        row = json.dumps({"query": "x", "evidence": [text]})
        found = read_golden(row.encode(), corpus)
        assert found.queries[0].evidence == (Evidence(document.name, start, end),)
