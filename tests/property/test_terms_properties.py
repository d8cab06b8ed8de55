"""Properties of term functions: runs can be cut anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlapkit.terms import TERM_FUNCTIONS, read_runs
from tests.naive import words
from tests.property.strategies import texts


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
@given(text=texts(), data=st.data())
def test_terms_of_a_slice_are_the_terms_of_its_cut_runs(name, text, data):
    """Any slice has the terms of the parts of runs that lie in it, in order."""
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    function = TERM_FUNCTIONS[name]
    runs = read_runs(text, function)
    found = []
    for start, stop, run in zip(runs.starts.tolist(), runs.ends.tolist(), runs.texts, strict=True):
        assert len(run) == stop - start
        first, last = max(begin, start), min(end, stop)
        if first < last:
            found.extend(function.terms(run[first - start : last - start]))
    assert found == function.terms(text[begin:end])


@given(text=st.text())
def test_word_terms_are_lower_cased_words(text):
    r"""``word`` is exactly \w+ of the lower-cased text, on any Unicode."""
    assert TERM_FUNCTIONS["word"].terms(text) == words(text)
