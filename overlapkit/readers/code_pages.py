"""How strange a text looks: what tells a right guess of a code page from a wrong one.

A wrong code page seldom fails to decode; it gives letters that do not go together:
scripts that change within a word, accented letters side by side, box drawing, rare Han.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")
_EAST_ASIAN_SIGN = re.compile("[\u3000-\u303f\uff01-\uff60]")
_DRAWING = re.compile("[\u2500-\u25ff]")
# Signs that stand between words, never inside one. Apostrophes, dashes and the middle
# dot (Catalan, French) are left out, for they do.
_OUTSIDE_WORDS = frozenset("¿¡‚„†‡‰•‹›«»¶§ªº")
_SCRIPTS = (
    ("latin", ((0x0041, 0x024F), (0x1E00, 0x1EFF))),
    ("greek", ((0x0370, 0x03FF),)),
    ("cyrillic", ((0x0400, 0x052F),)),
    ("hebrew", ((0x0590, 0x05FF),)),
    ("arabic", ((0x0600, 0x06FF),)),
    ("thai", ((0x0E00, 0x0E7F),)),
    ("hangul", ((0xAC00, 0xD7A3),)),
    ("han and kana", ((0x3005, 0x3007), (0x3041, 0x30FF), (0x3400, 0x9FFF))),
)


def strangeness(text: str) -> int:
    """Return a score of how little a text looks like written language; 0 is usual."""
    score = sum(map(_oddity, text))
    for before, after in pairwise(text):
        if not (before.isascii() and after.isascii()):
            score += _clash(before, after)
    for before, middle, after in zip(text, text[1:], text[2:], strict=False):
        if not middle.isascii() and before.isalpha() and after.isalpha():
            score += 3 * _is_sign(middle) + (middle.isupper() and after.islower())
    return score


@lru_cache(maxsize=4096)
def _oddity(character: str) -> int:
    """Return what a character costs wherever it stands."""
    if character.isascii():
        return 0
    if unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs"):
        return 10
    if _HALF_WIDTH_KANA.match(character) or _DRAWING.match(character):
        return 2
    return int("\u3400" <= character <= "\u9fff" and not _is_common_han(character))


@lru_cache(maxsize=4096)
def _clash(before: str, after: str) -> int:
    """Return what two neighbouring characters cost."""
    first, second = _script(before), _script(after)
    if first is None and second is None:
        return int(_is_mark(before) and _is_mark(after))
    if first is None or second is None:
        return 0
    if first != second:
        return 3
    if first == "latin" and not before.isascii() and not after.isascii():
        return 1
    return int(before.islower() and after.isupper())


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """Return the script of a letter, None for anything else."""
    if _EAST_ASIAN_SIGN.match(character):
        return "han and kana"
    if not character.isalpha():
        return None
    code = ord(character)
    for script, ranges in _SCRIPTS:
        if any(first <= code <= last for first, last in ranges):
            return script
    return "other"


def _is_sign(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] == "S" or kind == "No" or character in _OUTSIDE_WORDS


def _is_mark(character: str) -> bool:
    """Return whether a character is a non-ASCII punctuation mark or symbol."""
    return not character.isascii() and unicodedata.category(character)[0] in "PS"


def _is_common_han(character: str) -> bool:
    """Return whether a national standard has the character in its frequent first level."""
    return any(
        first <= _lead_byte(character, codec) <= last
        for codec, first, last in (
            ("gb2312", 0xB0, 0xD7),
            ("big5", 0xA4, 0xC6),
            ("euc_jp", 0xB0, 0xCF),
        )
    )


def _lead_byte(character: str, codec: str) -> int:
    data = character.encode(codec, "ignore")
    return data[0] if len(data) == 2 else 0
