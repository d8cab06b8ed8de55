"""Byte-pair tokens: the ids of the real vocabularies, and offsets in code points."""

import pytest
import toktok

from overlapkit.errors import SettingsError
from overlapkit.tokens import ENCODINGS, count_tokens, token_spans

# The first four are printed in OpenAI's cookbook, "How to count tokens with tiktoken".
IDS = {
    "cl100k_base": {
        "antidisestablishmentarianism": [519, 85342, 34500, 479, 8997, 2191],
        "2 + 2 = 4": [17, 489, 220, 17, 284, 220, 19],
        "お誕生日おめでとう": [33334, 45918, 243, 21990, 9080, 33334, 62004, 16556, 78699],
        "tiktoken is great!": [83, 1609, 5963, 374, 2294, 0],
        "hello world": [15339, 1917],
        "<|endoftext|>": [27, 91, 8862, 728, 428, 91, 29],
    },
    "o200k_base": {
        "antidisestablishmentarianism": [493, 129901, 376, 160388, 21203, 2367],
        "2 + 2 = 4": [17, 659, 220, 17, 314, 220, 19],
        "お誕生日おめでとう": [8930, 9697, 243, 128225, 8930, 17693, 4344, 48669],
        "tiktoken is great!": [83, 8251, 2488, 382, 2212, 0],
        "hello world": [24912, 2375],
        "<|endoftext|>": [27, 91, 419, 1440, 919, 91, 29],
    },
}


def offsets(text: str, encoding: str = "cl100k_base") -> list[tuple[int, int]]:
    """Return (start, end) of each token."""
    starts, ends, _ = token_spans(text, encoding)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_vocabulary_is_the_real_one(encoding):
    """Known texts have their published ids, so an update cannot change them unseen."""
    tokenizer = toktok._encoding(encoding)
    for text, ids in IDS[encoding].items():
        assert tokenizer.encode_with_offsets(text, unit="byte")[0] == ids
        assert count_tokens([text], encoding).tolist() == [len(ids)]
        assert len(offsets(text, encoding)) == len(ids)


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("cl100k_base", [(0, 1), (1, 3), (3, 8), (8, 11), (11, 17), (17, 18)]),
        ("o200k_base", [(0, 1), (1, 4), (4, 8), (8, 11), (11, 17), (17, 18)]),
    ],
)
def test_offsets_are_where_the_tokens_stand(encoding, expected):
    """'tiktoken is great!' is cut as the vocabulary cuts it."""
    assert offsets("tiktoken is great!", encoding) == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_offsets_count_code_points_not_bytes(encoding):
    """Behind two-byte letters an offset is still that of the character."""
    assert offsets("naïve café", encoding) == [(0, 2), (2, 3), (3, 5), (5, 10)]


def test_a_token_cut_inside_a_character_is_widened_to_it():
    """The three tokens of an emoji are each the whole emoji, and counted."""
    starts, ends, widened = token_spans("a🎉b", "cl100k_base")
    assert starts.tolist() == [0, 1, 1, 1, 2]
    assert ends.tolist() == [1, 2, 2, 2, 3]
    assert widened == 3


def test_only_cut_tokens_are_counted_as_widened():
    """A whole two-byte letter is one token and not widened."""
    assert token_spans("é", "cl100k_base").widened == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("mark", ["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"])
def test_a_special_token_in_a_text_is_plain_text(encoding, mark):
    """It is several tokens that together cover its characters."""
    found = offsets(mark, encoding)
    assert len(found) > 1
    assert found[0][0] == 0
    assert found[-1][1] == len(mark)
    assert count_tokens([mark], encoding).tolist() == [len(found)]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_lone_surrogate_is_one_character(encoding):
    """Text that UTF-8 cannot hold has tokens and offsets all the same."""
    assert offsets("a\ud800b", encoding) == [(0, 1), (1, 2), (2, 3)]
    assert count_tokens(["a\ud800b", "\udfff"], encoding).tolist() == [3, 1]


def test_offsets_of_texts_without_tokens():
    """An empty text has none, and no text has no count."""
    assert offsets("") == []
    assert count_tokens([""]).tolist() == [0]
    assert count_tokens([]).tolist() == []


def test_each_text_is_counted_on_its_own():
    """Counts stand in the order of the texts."""
    assert count_tokens(["hello world", "", "hello"]).tolist() == [2, 0, 1]


def test_an_unknown_encoding_is_an_error():
    """The message lists the encodings."""
    for call in (lambda: token_spans("x", "gpt2"), lambda: count_tokens(["x"], "gpt2")):
        with pytest.raises(SettingsError, match="one of cl100k_base, o200k_base; got 'gpt2'"):
            call()
