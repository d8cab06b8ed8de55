"""Texts made comparable: the same words give the same folded text, however they are written.

Only the place of a text is looked for in the folded form; what is found is a span of the
stored text.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from overlapkit.arrays import Ints, Longs, Mask, spread
from overlapkit.terms.functions import IGNORABLE, is_mark

_SINGLE = "'\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb\u02bc\u02c8\u00b4\uff07"
_DOUBLE = '"\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f\uff02'
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
# What NFKD leaves apart, or takes apart into a space and a mark.
_SAME = {
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
    "\u2044": "/",  # the stroke of a fraction such as ½
}
# Markdown that is not seen when the text is rendered.
_MARKUP = re.compile(
    "|".join(
        (
            # The target of a link, with its title; the reference of one; the sign of an image.
            r"""(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)""",
            r"(?<=\])\[[^\[\]\n]*\]",
            r"!(?=\[)",
            # HTML tags; struck text; escapes.
            r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>\n]*)?/?>",
            r"~~",
            r"\\(?=[!-/:-@\[-`{-~])",
            # Quotes, bullets and numbers that begin a line.
            r"^[ \t]*(?:>[ \t]*|(?:[-+*•]|\d{1,3}[.)])[ \t]+)+",
            # Headings, bullets, dashes and rules on their own, since lines may have been joined.
            rf"(?<![^\s|])(?:\#{{1,6}}|>|[•◦▪·]|:?[{re.escape(_DASHES)}]+:?)(?![^\s|])",
        )
    ),
    re.MULTILINE,
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_UNSEEN = "*_`[]"
# A soft hyphen is seen at the end of a line, and only there.
_SEEN_SOFT_HYPHEN = re.compile(r"\u00ad(?=[^\S\r\n]*[\r\n])")
_FIRST_MARK = 0x300
_FEW = 20_000  # from here a table of all code points costs less than sorting
_ASCII_UNSEEN = re.compile(f"[{re.escape(_UNSEEN)}]")
_ASCII_BLANK = re.compile(r"\s")
_ASCII_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ASCII_RUN = re.compile(r"([ -])\1+")
_ASCII_HYPHEN = re.compile(
    r"(?<=[A-Za-z])- ?(?=[A-Za-z])|(?<=[A-Za-z0-9]-) (?=[A-Za-z0-9])", re.ASCII
)
# A hyphen at the edge of a piece of text, where the letter beyond it is out of sight.
_LOOSE_HYPHEN = re.compile(r"(?<=[^\W\d_])-$|^-(?=[^\W\d_])")


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A folded text; ``source`` is the offset each of its characters has in the original."""

    text: str
    source: Ints


def fold(text: str, *, markup: bool) -> Folded:
    """Return the text with everything made equal that does not change what it says.

    White space runs become one space; case, compatibility forms, composition, quotation
    marks and dashes are made alike; invisible characters are dropped, and so are hyphens
    between letters with the line break after them. With ``markup``, Markdown's is dropped.
    """
    if not text:
        return Folded("", np.zeros(0, dtype=np.int32))
    text = _SEEN_SOFT_HYPHEN.sub("-", text)
    if markup:
        text = _BREAK.sub(lambda match: " " * len(match[0]), text)
    codes = _codes(text)
    present, kind = _kinds(codes)
    pieces = [_fold_character(chr(code), markup) for code in present]
    lengths = np.array([len(piece) for piece in pieces], dtype=np.int32)
    firsts = (np.cumsum(lengths) - lengths).astype(np.int32)
    count = lengths[kind]
    if markup:
        for match in _MARKUP.finditer(text):
            count[match.start() : match.end()] = 0
    source = np.repeat(np.arange(len(codes), dtype=np.int32), count)
    out = _codes("".join(pieces))[spread(firsts[kind], count)]
    for keep_of in (_single, _joined):
        keep = keep_of(out)
        out, source = out[keep], source[keep]
    _order_marks(out)
    return Folded(out.tobytes().decode("utf-32-le", "surrogatepass"), source)


def sought_form(text: str, *, markup: bool) -> tuple[str, int]:
    """Return the folded form of a text to be looked for, and where in all of it that begins.

    White space and hyphens at its edges are left out: what they are joined to is not seen.
    """
    whole = _fold_ascii(text, markup) if text.isascii() else fold(text, markup=markup).text
    sought = _LOOSE_HYPHEN.sub("", whole.strip())
    return sought, whole.find(sought)


def _fold_ascii(text: str, markup: bool) -> str:
    """Return the folded text alone: the same rules, many times as fast for a short text."""
    if markup:
        text = _MARKUP.sub("", _BREAK.sub(lambda match: " " * len(match[0]), text))
        text = _ASCII_UNSEEN.sub("", text).replace("|", " ")
    single = _ASCII_RUN.sub(r"\1", _ASCII_CONTROL.sub("", _ASCII_BLANK.sub(" ", text)))
    return _ASCII_HYPHEN.sub("", single.lower())


def _codes(text: str) -> Ints:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)


def _fold_character(character: str, markup: bool) -> str:
    if character.isspace() or (markup and character == "|"):
        return " "
    if _is_dropped(character, markup):
        return ""
    if character in _SAME:
        return _SAME[character]
    for apart in (
        unicodedata.normalize("NFD", character),
        unicodedata.normalize("NFKD", character),
        # The one mark that has a case would become a letter, which no mark is ordered around.
        character if is_mark(character) else character.casefold(),
    ):
        if apart != character:
            return "".join(_fold_character(part, markup) for part in apart)
    return character


def _is_dropped(character: str, markup: bool) -> bool:
    if markup and character in _UNSEEN:
        return True
    return unicodedata.category(character) == "Cc" or IGNORABLE.match(character) is not None


def _single(out: Ints) -> Mask:
    """Mark all but the spaces that follow a space and the dashes that follow a dash."""
    keep = np.ones(len(out), dtype=bool)
    blank = (out == ord(" ")) | (out == ord("-"))
    keep[1:] = ~(blank[1:] & (out[1:] == out[:-1]))
    return keep


def _joined(out: Ints) -> Mask:
    """Mark all but hyphens between letters, and the space after a hyphen within a word."""
    keep = np.ones(len(out), dtype=bool)
    hyphen = np.flatnonzero(out == ord("-"))
    hyphen = hyphen[(hyphen > 0) & (hyphen < len(out) - 1)]
    if not len(hyphen):
        return keep
    letter = _where(out, lambda character: character.isalpha() or is_mark(character))
    written = letter | _where(out, str.isalnum)
    beyond = hyphen + 1
    spaced = (out[beyond] == ord(" ")) & (beyond < len(out) - 1)
    beyond[spaced] += 1
    spaced &= written[hyphen - 1] & written[beyond]
    keep[hyphen[spaced] + 1] = False
    keep[hyphen[letter[hyphen - 1] & letter[beyond]]] = False
    return keep


def _order_marks(out: Ints) -> None:
    """Bring the marks of a letter into canonical order, in place."""
    if out.max(initial=0) < _FIRST_MARK:
        return
    rank = _mapped(out, unicodedata.combining)
    wrong = np.flatnonzero((rank[1:] > 0) & (rank[:-1] > rank[1:]))
    done = 0
    for at in wrong.tolist():
        if at < done:
            continue
        begin, end = at, at + 1
        while begin and rank[begin - 1]:
            begin -= 1
        while end < len(out) and rank[end]:
            end += 1
        out[begin:end] = out[begin:end][np.argsort(rank[begin:end], kind="stable")]
        done = end


def _where(codes: Ints, holds: Callable[[str], bool]) -> Mask:
    return _mapped(codes, lambda character: int(holds(character))).astype(bool)


def _mapped(codes: Ints, to: Callable[[str], int]) -> Ints:
    present, kind = _kinds(codes)
    return np.array([to(chr(code)) for code in present], dtype=np.int32)[kind]


def _kinds(codes: Ints) -> tuple[list[int], Longs]:
    """Return the distinct code points in order, and which of them each one is."""
    if len(codes) < _FEW:
        present, kind = np.unique(codes, return_inverse=True)
        return present.tolist(), kind
    seen = np.bincount(codes) > 0
    return np.flatnonzero(seen).tolist(), (np.cumsum(seen) - 1)[codes]
