"""Bytes to stored text: which encoding, and what was noticed on the way."""

import codecs
import unicodedata
from dataclasses import dataclass

from overlapkit.errors import InputError
from overlapkit.readers.code_pages import strangeness
from overlapkit.readers.guess import decodes, guess_encoding

# UTF-32 before UTF-16, whose little-endian mark is the beginning of the other.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# These remove a byte-order mark themselves, and only one may go.
_MARK_REMOVING_CODECS = ("utf-8-sig", "utf-16", "utf-32")
_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an Office file"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
)
# Control characters that texts do not use; tabs, line and page ends, the backspace of
# manual pages and the escape of coloured logs are not among them.
_CONTROLS = bytes(set(range(0x20)) - set(b"\b\t\n\v\f\r\x1b")) + b"\x7f"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A stored text, how its bytes were read, and notes to show to the user."""

    text: str
    encoding: str
    guessed: bool = False
    notes: tuple[str, ...] = ()


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of some bytes, one leading byte-order mark removed.

    In this order: the named encoding, a byte-order mark, UTF-16 by its NULs, UTF-8, a
    guess. Newlines and NULs stay as they are. Raises InputError for binary data and for
    bytes that the named encoding cannot read; the message leaves out the file's name.
    """
    if encoding is not None:
        return _decode_as(data, encoding)
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise InputError(f"holds {kind}, not text: save it as text first")
    for mark, codec in _MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            if codec.startswith("utf-32") and not decodes(body, codec):
                continue
            return _decode_unicode(body, codec, skipped=len(mark))
    wide = _utf_16_without_mark(data)
    if wide is not None:
        return _decode_unicode(data, wide, guessed=True)
    if b"\x1b$" in data and decodes(data, "iso2022_jp"):
        return _finish(data.decode("iso2022_jp"), "iso2022_jp", guessed=True)
    if decodes(data, "utf-8") or _is_damaged_utf_8(data):
        return _decode_unicode(data, "utf-8")
    return _decode_by_guess(data)


def _decode_as(data: bytes, encoding: str) -> Decoded:
    """Decode as the user said, strictly; what the text then holds is the user's choice."""
    try:
        name = codecs.lookup(encoding).name
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"cannot be read as {encoding} (byte {error.start:,}: {error.reason}): "
            "choose another encoding"
        ) from None
    except (LookupError, ValueError):
        raise InputError(
            f"encoding must be one that Python knows, such as utf-8, cp1252 or shift_jis; "
            f"got {encoding!r}"
        ) from None
    if name not in _MARK_REMOVING_CODECS:
        text = text.removeprefix("\ufeff")
    return _finish(text, name, guessed=False)


def _decode_unicode(data: bytes, codec: str, *, skipped: int = 0, guessed: bool = False) -> Decoded:
    """Decode a Unicode encoding; what is broken in it is replaced, and said."""
    notes: tuple[str, ...] = ()
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        text = data.decode(codec, "replace")
        broken, first = text.count("\ufffd"), error.start + skipped
        if broken > 1 + len(text) // 100:
            raise InputError(
                f"begins or reads like {codec}, but {broken:,} characters cannot be read, the "
                f"first at byte {first:,}: name its encoding or save it as UTF-8"
            ) from None
        guessed = True
        notes = (
            f"is damaged {codec}: {broken:,} U+FFFD mark what could not be read, first at byte "
            f"{first:,}: save it anew or name its encoding",
        )
    controls = _count_controls(text.encode("utf-8"))
    if controls * 10 > len(text) * 3:
        raise _binary(controls, "control")
    return _finish(text, codec, guessed=guessed, notes=notes)


def _decode_by_guess(data: bytes) -> Decoded:
    controls = _count_controls(data)
    # One stray control character is forgiven in a short text, not many in a long one.
    if controls > 1 + len(data) // 20 or controls * 5 > len(data):
        raise _binary(controls, "control")
    encoding = guess_encoding(data)
    if encoding is None:
        raise InputError("no encoding could be told from its bytes: name one, or save it as UTF-8")
    return _finish(data.decode(encoding), encoding, guessed=True)


def _finish(text: str, encoding: str, *, guessed: bool, notes: tuple[str, ...] = ()) -> Decoded:
    found = list(notes)
    if guessed and not notes:
        found.append(f"read as {encoding}, a guess: name its encoding if letters look wrong")
    nuls = text.count("\0")
    if nuls:
        found.append(f"holds {nuls:,} NUL character{'' if nuls == 1 else 's'}, kept")
    lost = text.count("\ufffd")
    if lost and not notes:
        found.append(f"holds {lost:,} U+FFFD from an earlier conversion, kept")
    return Decoded(text, encoding, guessed, tuple(found))


def _utf_16_without_mark(data: bytes) -> str | None:
    """Return the UTF-16 codec whose high bytes the NULs are, or None.

    Outside the scripts with many letters nearly all high bytes are small. Where they are
    not, the text must look written: a code page with a stray NUL also decodes, to Han at
    random.
    """
    even, odd = data[::2].count(0), data[1::2].count(0)
    if len(data) % 2 or even == odd:
        return None
    codec, high = ("utf-16-le", data[1::2]) if odd > even else ("utf-16-be", data[::2])
    if not decodes(data, codec):
        return None
    text = data.decode(codec)
    small = len(high) - len(high.translate(None, bytes(range(0x20))))
    if small * 3 >= len(high) * 2:
        unwritten = sum(
            text.count(character) for character in set(text) if _is_unwritten(character)
        )
        return codec if unwritten * 50 <= len(text) else None
    start = text[:2000]
    looks_written = not decodes(data, "utf-8") and strangeness(start) * 10 <= len(start)
    return codec if looks_written else None


def _is_unwritten(character: str) -> bool:
    return unicodedata.category(character) in ("Cn", "Co") or character.encode() in _CONTROLS


def _is_damaged_utf_8(data: bytes) -> bool:
    """Return whether most non-ASCII sequences are UTF-8, which no code page gives."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return beyond_ascii - broken > broken


def _count_controls(data: bytes) -> int:
    return len(data) - len(data.translate(None, _CONTROLS))


def _binary(count: int, kind: str) -> InputError:
    return InputError(
        f"holds binary data ({kind} characters: {count:,}), not text: save it as text first"
    )
