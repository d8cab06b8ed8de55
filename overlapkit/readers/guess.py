"""Guess the code page of bytes that are no Unicode encoding."""

from charset_normalizer import from_bytes

from overlapkit.readers.code_pages import strangeness

# Pages in real use. Without this list charset-normalizer reads short texts as rare ones.
_LATIN = (
    "cp1252", "cp1250", "cp1254", "cp1257", "cp1258",
    "iso8859_2", "iso8859_9", "iso8859_15", "cp437", "cp850", "mac_roman",
)  # fmt: skip
_OTHER = (
    "cp1251", "cp1253", "cp1255", "cp1256", "koi8_r", "koi8_u", "iso8859_5", "iso8859_7",
    "cp866", "cp874", "cp932", "euc_jp", "gb18030", "big5", "cp949",
)  # fmt: skip
_NAME_PAGES = (
    "cp932", "gb18030", "big5", "cp949", "euc_jp",
    "cp437", "cp850", "cp1252", "cp866", "cp1251",
)  # fmt: skip
_SAMPLE_BYTES = 20_000


def guess_encoding(data: bytes) -> str | None:
    """Return the likeliest code page that decodes all of the data, or None.

    Among the Latin pages it is cp1252 unless that cannot decode the data or makes a
    stranger text of it: short texts do not tell those pages apart, and it is by far the
    most used.
    """
    sample = _sample(data)
    matches = from_bytes(sample, cp_isolation=[*_LATIN, *_OTHER], enable_fallback=False)
    found = [match.encoding for match in matches]
    pages = [page for page in (*found, "cp1252") if decodes(data, page)]
    if not pages:
        return None
    scores = {page: strangeness(sample.decode(page, "replace")[:_SAMPLE_BYTES]) for page in pages}
    best = min(pages, key=scores.__getitem__)
    if best in _LATIN and scores.get("cp1252") == scores[best]:
        return "cp1252"
    return best


def guess_name(raw: bytes) -> tuple[str, str]:
    """Return a file name and its encoding: UTF-8, else the page that looks least strange."""
    for page in ("utf-8", *sorted(_NAME_PAGES, key=lambda page: _name_strangeness(raw, page))):
        if decodes(raw, page):
            return raw.decode(page), page
    # cp437 and cp866 decode all bytes, so this line is out of reach; a name is due anyway.
    return raw.decode("latin-1"), "latin-1"


def _name_strangeness(raw: bytes, page: str) -> int:
    return strangeness(raw.decode(page, "replace"))


def _sample(data: bytes) -> bytes:
    """Return lines that hold non-ASCII bytes, spread over all of the data.

    A guess from the beginning alone would be one from ASCII where the first accent comes
    late. Lines stay whole, since a cut could fall into a character.
    """
    lines = [line for line in data.splitlines() if not line.isascii()]
    every = max(1, sum(map(len, lines)) // _SAMPLE_BYTES)
    return b"\n".join(lines[::every])


def decodes(data: bytes, encoding: str) -> bool:
    """Tell whether bytes are valid in an encoding."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
