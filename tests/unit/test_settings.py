"""Settings to and from a link."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlapkit.errors import SettingsError
from overlapkit.retrieve import Budget, TopK
from overlapkit.ui.settings import LARGEST, Settings, from_params, to_params


@st.composite
def settings(draw):
    """Return valid settings of every sort."""
    unit = draw(st.sampled_from(list(LARGEST)))
    size = draw(st.integers(1, LARGEST[unit]))
    cutoff = TopK(draw(st.integers(1, 20)))
    if size >= 30 and draw(st.booleans()):
        cutoff = Budget(draw(st.integers(100, 6000)))
    pinned = draw(st.none() | st.just((size, size // 2)))
    overlap = draw(st.integers(0, size - 1))
    compared = tuple(
        (size, part) for part in sorted(draw(st.sets(st.integers(0, size - 1), max_size=6)))
    )
    return Settings(
        unit, size, overlap, "lucene", "word", cutoff, "headings", pinned,
        compared=compared, held_back=draw(st.booleans()),
    )  # fmt: skip


@given(settings())
def test_a_link_brings_back_the_settings(chosen):
    """What a link says is what it was made from, with nothing ignored."""
    params = {name: [value] for name, value in to_params(chosen).items()}
    assert from_params(params) == (chosen, [])


@pytest.mark.parametrize("value", ["0000000008005", "9" * 5000, "-5", "1e3", "٣", ""])
def test_a_number_that_is_none_is_ignored_by_name(value):
    """Padded, endless, negative and foreign digits leave the default and one sentence."""
    found, notices = from_params({"size": [value]})
    assert found.size == Settings().size
    assert len(notices) == 1
    assert notices[0].startswith("The link's parameter size was ignored: size must be a whole")


def test_another_size_keeps_the_share_of_overlap():
    """From 200/150 to size 100 the overlap is 75, and at size 1 none is left."""
    assert Settings(size=200, overlap=150).with_size(100).overlap == 75
    assert Settings(size=200, overlap=199).with_size(1).overlap == 0


def test_another_unit_starts_at_its_usual_size_without_a_pin():
    """A pinned size in characters means nothing in words."""
    found = Settings(pinned=(500, 0)).with_unit("word")
    assert (found.unit, found.size, found.overlap, found.pinned) == ("word", 130, 26, None)


def test_the_baseline_is_the_pin_or_no_overlap():
    """Without a pin, differences are against 0% at the chosen size."""
    assert Settings(size=300, overlap=30).baseline.overlap == 0
    assert Settings(pinned=(500, 50)).baseline.size == 500


def test_a_budget_far_beyond_the_chunks_is_refused_in_one_sentence():
    """A list of hundreds of chunks would keep the page waiting."""
    with pytest.raises(SettingsError, match="more than 200 chunks of 10 characters: choose"):
        Settings(size=10, overlap=0, cutoff=Budget(4000))


def test_six_settings_can_be_compared_and_a_seventh_is_refused():
    """A seventh column would not be read; one that is there already changes nothing."""
    six = Settings(compared=tuple((800, overlap) for overlap in range(6)))
    assert six.with_compared(800, 3) == six
    with pytest.raises(SettingsError, match="at most 6 settings can be compared; got 7: take one"):
        six.with_compared(800, 6)
