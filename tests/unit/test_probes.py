"""Boundary probes: which units are drawn, what they are asked for, and what is refused."""

from collections import Counter

import pytest

from overlapkit.corpus import Corpus, corpus_of
from overlapkit.errors import QueryError, SettingsError
from overlapkit.queries.model import QuerySet
from overlapkit.queries.probes import PROBES_SHOW, boundary_probes

NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def sentences(count: int, topic: str = "harbour") -> str:
    """Return so many different sentences of prose, each a paragraph."""
    return "\n\n".join(f"The {topic} keeps ledger a{n}z for boat b{n}y." for n in range(count))


def evidence_texts(corpus: Corpus, probes: QuerySet) -> list[str]:
    """Return the text of each probe's evidence."""
    texts = {document.name: document.text for document in corpus.documents}
    spans = [span for query in probes for span in query.evidence]
    return [texts[span.document][span.start : span.end] for span in spans]


def drawn(text: str, **settings) -> list[str]:
    """Return the evidence of all probes of one Markdown document."""
    corpus = corpus_of([("a.md", text)])
    return evidence_texts(corpus, boundary_probes(corpus, **settings))


def test_probes_are_a_minimal_set_that_names_itself_and_its_seed():
    """Each needs one span, is called by its number in the order of the text, and has a kind."""
    probes = boundary_probes(corpus_of([("a.md", sentences(6))]), seed=7)
    assert (probes.kind, probes.source) == ("minimal", "boundary probes, seed 7")
    assert [query.id for query in probes] == [f"probe-000{n}" for n in range(1, 7)]
    assert {query.need for query in probes} == {"any"}
    assert {query.tag for query in probes} == {"sentence"}
    starts = [query.evidence[0].start for query in probes]
    assert starts == sorted(starts)


def test_a_unit_is_asked_for_by_its_rarest_terms_in_the_order_of_the_text():
    """Of eight terms a ledger and a boat are rarest; of equals, the first in the text."""
    probes = boundary_probes(corpus_of([("a.md", sentences(6))]))
    assert [query.text for query in probes] == [f"the a{n}z b{n}y" for n in range(6)]


def test_rare_is_what_few_units_hold():
    """'zeta' is in two units of two documents, 'mill' in six units of one: 'zeta' is rarer."""
    one = "The mill keeps zeta ledger a9z for boat b9y.\n\n" + sentences(5, "mill")
    corpus = corpus_of([("a.md", one), ("b.md", "It was zeta once more.")])
    assert boundary_probes(corpus).queries[0].text == "zeta a9z b9y"


def test_a_third_of_the_terms_is_asked_up_to_six():
    """Fifteen distinct terms give five, thirty give six, six give three."""
    words = {3: 6, 5: 15, 6: 30}
    text = "\n\n".join(
        " ".join(f"w{unit}x{word}z" for word in range(words[asked])) + "."
        for unit, asked in enumerate([3, 5, 6, 3, 5])
    )
    probes = boundary_probes(corpus_of([("a.md", text)]))
    assert [len(query.text.split()) for query in probes] == [3, 5, 6, 3, 5]


def test_terms_are_those_that_auto_takes_for_the_corpus():
    """Scripts without spaces are asked for by pairs of characters."""
    text = "".join(f"港口第{n}号码头今天晚上停靠了来自远方的货船。" for n in NUMBERS)
    (first, *_) = boundary_probes(corpus_of([("a.md", text)])).queries
    assert all(len(term) == 2 or term.isascii() for term in first.text.split())


MIXED = """# The harbour and its many rules

The harbour opens at nine in summer.

- Boats below five metres pay nothing here.
- Boats with code:

  ```
  tariff = read("summer.csv")
  ```

| Berth | Fee per night | Remark |
|---|---|---|
| North | 14 euro | power included |
| South | 18 euro | water included |

```python
import harbour

# the yearly total of all
def total(fees): return sum(fees)
```
"""


def test_units_of_every_kind_are_drawn_and_share_no_text():
    """Items stand for their sentences, code for the item around it; no heads or headings."""
    assert drawn(MIXED) == [
        "The harbour opens at nine in summer.",
        "- Boats below five metres pay nothing here.",
        'tariff = read("summer.csv")',
        "| North | 14 euro | power included |",
        "| South | 18 euro | water included |",
        "# the yearly total of all\ndef total(fees): return sum(fees)",
    ]


def test_kinds_can_be_chosen():
    """Only what is asked for is drawn."""
    text = sentences(6) + "\n\n" + "\n".join(f"- item {n} of a long list x{n}" for n in NUMBERS)
    corpus = corpus_of([("a.md", text)])
    probes = boundary_probes(corpus, kinds=("list item",))
    assert {query.tag for query in probes} == {"list item"}
    assert len(probes) == 10


def test_units_that_are_short_or_say_little_are_passed_over():
    """Twenty characters and three distinct terms are the least."""
    text = (
        sentences(5)
        + "\n\nAbc defg hij klmno.\n\nAbc defg hij klmnop.\n\nBahbahbah bah bah bahbahbah."
    )
    found = drawn(text)
    assert len(found) == 6
    assert found[-1] == "Abc defg hij klmnop."


def test_a_text_that_stands_twice_is_passed_over():
    """In another document, or inside a longer unit."""
    again = "The keeper lights the old lamp."
    inside = "Fog signals are tested at noon."
    one = f"{sentences(5)}\n\n{again}\n\n{inside}"
    two = f"{again}\n\n- Since May: {inside}"
    corpus = corpus_of([("a.md", one), ("b.md", two)])
    found = evidence_texts(corpus, boundary_probes(corpus))
    assert again not in found
    assert inside not in found
    assert len(found) == 6


def test_kinds_are_drawn_in_proportion_after_a_few_of_each():
    """Of 45 sentences and 15 items, 5 and 5, then the other 10 as 40 to 10."""
    items = "\n".join(f"- item c{n}d of a long list e{n}f" for n in range(15))
    corpus = corpus_of([("a.md", sentences(45) + "\n\n" + items)])
    probes = boundary_probes(corpus, 20)
    assert Counter(query.tag for query in probes) == {"sentence": 13, "list item": 7}


def test_a_rare_kind_is_drawn_whole():
    """Three rows among many sentences are all asked for."""
    table = "| a | b |\n|---|---|\n" + "".join(
        f"| row g{n}h | costs {n} euro more |\n" for n in range(3)
    )
    probes = boundary_probes(corpus_of([("a.md", sentences(60) + "\n\n" + table)]), 20)
    assert Counter(query.tag for query in probes) == {"sentence": 17, "table row": 3}


def test_documents_are_drawn_in_proportion_to_their_units():
    """One of 40 units gets 8 probes, two of 10 get 2 each."""
    topics = [("a.md", 40, "quay"), ("b.md", 10, "mill"), ("c.md", 10, "inn")]
    corpus = corpus_of((name, sentences(count, topic)) for name, count, topic in topics)
    probes = boundary_probes(corpus, 12)
    found = Counter(query.evidence[0].document for query in probes)
    assert found == {"a.md": 8, "b.md": 2, "c.md": 2}


def test_equal_seeds_draw_the_same_and_others_do_not():
    """The order in which documents are handed in makes no difference."""
    pairs = [("a.md", sentences(40)), ("b.md", sentences(40, "mill"))]
    probes = boundary_probes(corpus_of(pairs), 10, seed=3)
    assert boundary_probes(corpus_of(reversed(pairs)), 10, seed=3) == probes
    assert boundary_probes(corpus_of(pairs), 10, seed=4).digest != probes.digest


def test_a_draw_is_the_same_on_every_machine():
    """It hangs on no random generator's version and on no order of a set: fixed for good."""
    probes = boundary_probes(corpus_of([("a.md", sentences(40))]), 5, seed=0)
    assert [query.text for query in probes] == [
        "the a1z b1y",
        "the a8z b8y",
        "the a23z b23y",
        "the a30z b30y",
        "the a35z b35y",
    ]


def test_more_probes_than_units_are_as_many_as_units():
    """``count`` is the most that is drawn."""
    assert len(boundary_probes(corpus_of([("a.md", sentences(9))]), 1000)) == 9
    assert len(boundary_probes(corpus_of([("a.md", sentences(9))]), 1)) == 1


def test_four_units_are_too_few():
    """The error says how many there are."""
    with pytest.raises(QueryError, match=r"need 5 units .*; got 4: add documents"):
        boundary_probes(corpus_of([("a.md", sentences(4))]), 3)
    with pytest.raises(QueryError, match="got 0"):
        boundary_probes(corpus_of([("a.md", "")]))


def test_the_number_of_probes_and_their_kinds_are_checked():
    """A count below one and an unknown kind are refused."""
    corpus = corpus_of([("a.md", sentences(9))])
    with pytest.raises(QueryError, match="at least 1; got 0"):
        boundary_probes(corpus, 0)
    with pytest.raises(SettingsError, match="must be one of sentence, table row, list item"):
        boundary_probes(corpus, kinds=["section"])


def test_what_probes_show_is_one_sentence():
    """Pages print it beside every figure that comes from them."""
    assert PROBES_SHOW.count(".") == 1
    assert PROBES_SHOW.endswith(".")
