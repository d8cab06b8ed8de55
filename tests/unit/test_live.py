"""The corpus as units and evidence on the wire, decoded by hand."""

import json

import numpy as np
import pytest

from overlapkit.corpus import corpus_of
from overlapkit.engine import Engine, prepare
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.tokens import token_spans
from overlapkit.ui.live import WINDOWS_JS, encode_measure, measure_id

WIRE = {"u8": "<u1", "i8": "<i1", "u16": "<u2", "i16": "<i2", "i32": "<i4"}


def engine_of(*texts, spans=()):
    """Return an engine on documents 0, 1 … with one question per (document, start, end)."""
    corpus = corpus_of((str(number), text) for number, text in enumerate(texts))
    queries = [Query(f"q{n}", "?", (Evidence(str(d), a, b),)) for n, (d, a, b) in enumerate(spans)]
    return prepare(corpus, QuerySet(tuple(queries), "minimal"), "word")


def decode(data):
    """Return the header and the arrays by name; nothing may be left over."""
    at = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:at])
    arrays = {}
    for one in header["arrays"]:
        arrays[one["name"]] = np.frombuffer(data, WIRE[one["type"]], one["length"], at).tolist()
        at += arrays_size(one)
    assert at == len(data)
    return header, arrays


def arrays_size(listed):
    """Return the bytes of an array in the header."""
    return np.dtype(WIRE[listed["type"]]).itemsize * listed["length"]


def types(data):
    """Return the type of each array by its name."""
    return {one["name"]: one["type"] for one in decode(data)[0]["arrays"]}


def test_words_are_gaps_and_lengths():
    """A gap begins at the end of the word before, or at the start of the word's document."""
    engine = engine_of("ab  c", "  def g ")
    header, arrays = decode(encode_measure(engine, "word"))
    assert header["unit"] == "word"
    assert arrays["counts"] == [2, 2]
    assert arrays["gaps"] == [0, 2, 2, 1]
    assert arrays["lengths"] == [2, 1, 3, 1]


def test_characters_need_no_gaps():
    """For characters the counts say everything."""
    _, arrays = decode(encode_measure(engine_of("abc", "de"), "char"))
    assert arrays == {"counts": [3, 2], "spanDoc": [], "spanStart": [], "spanEnd": []}


@pytest.mark.parametrize("unit", ["char", "word", "token"])
def test_empty_and_white_documents_have_no_units(unit):
    """They keep their place among the documents, and take nothing from their neighbours."""
    _, arrays = decode(encode_measure(engine_of("", "a", " \n ", "b", ""), unit))
    assert arrays["counts"] == [0, 1, 0, 1, 0]
    assert unit == "char" or (arrays["gaps"], arrays["lengths"]) == ([0, 0], [1, 1])


def test_a_corpus_without_documents_is_encoded():
    """Nothing at all has a measure too."""
    _, arrays = decode(encode_measure(engine_of(), "word"))
    assert set(map(len, arrays.values())) == {0}


def test_widened_tokens_overlap_by_a_negative_gap():
    """Each byte token of one emoji is the whole emoji, which begins one character back."""
    starts, ends, widened = token_spans("\U0001fae0")
    count = len(starts)
    assert count > 1
    assert widened == count
    assert starts.tolist() == [0] * count
    assert ends.tolist() == [1] * count
    data = encode_measure(engine_of("\U0001fae0"), "token")
    _, arrays = decode(data)
    assert arrays["counts"] == [count]
    assert arrays["gaps"] == [0] + [-1] * (count - 1)
    assert arrays["lengths"] == [1] * count
    assert types(data)["gaps"] == "i8"


@pytest.mark.parametrize(
    ("length", "kind"), [(255, "u8"), (256, "u16"), (65_535, "u16"), (65_536, "i32")]
)
def test_the_smallest_type_that_fits_is_taken(length, kind):
    """A word's length decides how many bytes each length takes."""
    data = encode_measure(engine_of("x" * length + " y"), "word")
    assert types(data)["lengths"] == kind
    assert decode(data)[1]["lengths"] == [length, 1]


def test_evidence_is_placed_inside_its_document_in_its_order():
    """Spans are those of the questions one after the other, not sorted."""
    engine = engine_of("abcdef", "ghijkl", spans=[(1, 2, 5), (0, 1, 6), (1, 0, 1)])
    _, arrays = decode(encode_measure(engine, "word"))
    assert arrays["spanDoc"] == [1, 0, 1]
    assert arrays["spanStart"] == [2, 1, 0]
    assert arrays["spanEnd"] == [5, 6, 1]


@pytest.mark.parametrize("unit", ["word", "token"])
def test_units_are_restored_from_gaps_and_lengths(unit):
    """The running sum of both, begun anew in each document, gives the units back."""
    engine = engine_of(" one two\n", "", "\U0001fae0 caf\u00e9 \u6f22\u5b57\U0001f9ac!", "x")
    _, arrays = decode(encode_measure(engine, unit))
    units = engine.units(unit)
    place = 0
    for doc, count in enumerate(arrays["counts"]):
        here = slice(place, place + count)
        place += count
        ends = np.cumsum(np.add(arrays["gaps"][here], arrays["lengths"][here]))
        assert (units.base[doc] + ends).tolist() == units.ends[here].tolist()
        starts = ends - arrays["lengths"][here]
        assert (units.base[doc] + starts).tolist() == units.starts[here].tolist()


def test_the_id_names_corpus_questions_unit_and_vocabulary():
    """Whatever changes the arrays changes the id; a vocabulary counts for tokens only."""
    engine = engine_of("abc", spans=[(0, 0, 1)])
    asked = [
        (engine, "char"),
        (engine, "word"),
        (engine, "token"),
        (engine, "token", "o200k_base"),
        (engine_of("abd", spans=[(0, 0, 1)]), "char"),
        (engine_of("abc", spans=[(0, 0, 2)]), "char"),
    ]
    assert len({measure_id(*one) for one in asked}) == len(asked)
    assert measure_id(engine, "word") == measure_id(engine, "word", "o200k_base")


def test_equal_input_gives_equal_bytes_that_bear_the_id():
    """Two engines on one corpus and one query set make the same measure."""

    def build() -> Engine:
        return engine_of("one two", spans=[(0, 4, 7)])

    data = encode_measure(build(), "word")
    assert data == encode_measure(build(), "word")
    assert decode(data)[0]["id"] == measure_id(build(), "word")


def test_the_windows_script_may_stand_in_front_of_another():
    """It declares functions and constants, and neither imports nor exports."""
    first_words = {line.split(" ")[0] for line in WINDOWS_JS().splitlines() if line[:1].isalpha()}
    assert first_words == {"function", "const"}
