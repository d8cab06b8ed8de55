"""Term functions: what counts as a word for matching. A new one is a function and a line below."""

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from overlapkit.errors import unknown_choice

WORD = re.compile(r"\w+")

# Default_Ignorable_Code_Point of the Unicode Character Database: soft hyphen, zero-width
# characters, variation selectors, … They are dropped for matching, never from the text.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Scripts written without spaces (and Hangul, whose words are long): Thai, Lao, Tibetan,
# Myanmar, Hangul, Khmer, kana, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3007"
    "\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")


def is_word(character: str) -> bool:
    r"""Tell whether ``\w`` matches a character."""
    return character.isalnum() or character == "_"


def is_mark(character: str) -> bool:
    """Tell whether a character combines with the one before it."""
    return unicodedata.category(character)[0] == "M"


def word_terms(text: str) -> list[str]:
    r"""Return the lower-cased ``\w+`` of a text, and nothing else."""
    if text.isalnum() and text.isascii():
        return [text.lower()]
    return WORD.findall(text.lower())


def normalized_terms(text: str) -> list[str]:
    r"""Return the lower-cased words after NFKC, without ignorables, marks kept in words."""
    if text.isascii():
        return WORD.findall(text.lower())
    folded = IGNORABLE.sub("", unicodedata.normalize("NFKC", IGNORABLE.sub("", text))).lower()
    # One space for each character that is neither word nor mark; a mark that follows no
    # letter (its letter was cut off, or it stands alone) carries no meaning by itself.
    spaced = "".join(c if is_word(c) or is_mark(c) else " " for c in folded)
    stripped = (_strip_marks(piece) for piece in spaced.split(" "))
    return [piece for piece in stripped if piece]


def _strip_marks(piece: str) -> str:
    for index, character in enumerate(piece):
        if is_word(character):
            return piece[index:] if index else piece
    return ""


def cjk_char_terms(text: str) -> list[str]:
    """Return the normalized words, with unspaced scripts as one term per character."""
    return _split_unspaced(text, lambda letters: letters)


def cjk_bigram_terms(text: str) -> list[str]:
    """Return the normalized words, with unspaced scripts as overlapping pairs."""
    return _split_unspaced(text, _pairs)


def _pairs(letters: list[str]) -> list[str]:
    if len(letters) < 2:
        return letters
    return [first + second for first, second in pairwise(letters)]


def _split_unspaced(text: str, terms_of: Callable[[list[str]], list[str]]) -> list[str]:
    terms: list[str] = []
    for word in normalized_terms(text):
        if word.isascii() or not UNSPACED_CHARACTER.search(word):
            terms.append(word)
            continue
        letters: list[str] = []
        other = ""
        for character in word:
            if UNSPACED_CHARACTER.match(character) and not is_mark(character):
                if other:
                    terms.append(other)
                    other = ""
                letters.append(character)
            elif letters and not other and is_mark(character):
                letters[-1] += character
            else:
                terms.extend(terms_of(letters))
                letters = []
                other += character
        terms.extend([other] if other else terms_of(letters))
    return terms


class TermFunction(NamedTuple):
    """A named way to take terms from a text, with its meaning in one sentence."""

    terms: Callable[[str], list[str]]
    normalizes: bool
    meaning: str


TERM_FUNCTIONS: dict[str, TermFunction] = {
    "word": TermFunction(word_terms, False, r"lower-cased \w+ of the chunk's own text"),
    "normalized": TermFunction(
        normalized_terms,
        True,
        "words after NFKC, without invisible characters, with combining marks kept",
    ),
    "cjk-char": TermFunction(
        cjk_char_terms, True, "normalized, one term per character of unspaced scripts"
    ),
    "cjk-bigram": TermFunction(
        cjk_bigram_terms, True, "normalized, pairs of characters of unspaced scripts"
    ),
}


def term_function(name: str) -> TermFunction:
    """Return the table entry, or raise SettingsError naming the choices."""
    try:
        return TERM_FUNCTIONS[name]
    except KeyError:
        raise unknown_choice("terms", name, ["auto", *TERM_FUNCTIONS]) from None
