"""Plain Python for every unit, alone or within a library's form.

Where a library's own splitter would cut elsewhere or report wrong positions, its snippet cuts
in plain Python and hands the chunks over in the library's types; its note says why.
"""

from overlapkit.chunkers import ChunkSpec
from overlapkit.recipes.kinds import Code, head

TIKTOKEN = "tiktoken==0.14.0"


def write_plain(spec: ChunkSpec) -> Code:
    """Return the functions alone; characters and words need nothing installed."""
    packages = _packages(spec)
    imports = f"{_imports(spec)}\n\n" if spec.unit != "char" else ""
    text = f"{head(spec, *packages)}{imports}{_chunks(spec)}"
    return Code(text, _NOTES[spec.unit])


def with_windows(spec: ChunkSpec, package: tuple[str, str], imports: str, form: str) -> str:
    """Return plain windows followed by a library's form of them."""
    packages = (pinned(package), *_packages(spec))
    return f"{head(spec, *packages)}{_sorted(spec, imports)}\n\n{_chunks(spec)}\n\n{form}"


def pinned(package: tuple[str, str]) -> str:
    """Return a package with its version, as pip takes it."""
    return "==".join(package)


def _packages(spec: ChunkSpec) -> tuple[str, ...]:
    """Return what ``_chunks`` needs installed."""
    return (TIKTOKEN,) if spec.unit == "token" else ()


def _imports(spec: ChunkSpec) -> str:
    """Return the import that ``_chunks`` needs, or nothing."""
    return {"char": "", "word": "import re", "token": "import tiktoken"}[spec.unit]


def _chunks(spec: ChunkSpec) -> str:
    """Return the source of ``chunks`` and of what it uses, without imports."""
    sizes = f"SIZE, OVERLAP = {spec.size}, {spec.overlap}\n"
    if spec.unit == "token":
        named = f'ENCODING = tiktoken.get_encoding("{spec.encoding}")\n'
        return f"{sizes}{named}\n\n{_TOKENS}"
    return f"{sizes}\n\n{_CHARACTERS if spec.unit == 'char' else _WORDS}"


def _sorted(spec: ChunkSpec, imports: str) -> str:
    """Return imports as a sorter leaves them: the standard library first, with a line between."""
    own = _imports(spec)
    gap = "\n\n" if spec.unit == "word" else "\n"
    return f"{own}{gap}{imports}" if own else imports


_CHARACTERS = '''\
def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk; white space alone has none."""
    if not text.strip():
        return []
    starts = range(0, max(len(text) - OVERLAP, 1), SIZE - OVERLAP)
    return [(start, min(start + SIZE, len(text)), text[start : start + SIZE]) for start in starts]
'''

_WORDS = r'''def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk; white space alone has none."""
    words = [word.span() for word in re.finditer(r"\S+", text)]
    if not words:
        return []
    found = []
    for first in range(0, max(len(words) - OVERLAP, 1), SIZE - OVERLAP):
        start, end = words[first][0], words[min(first + SIZE, len(words)) - 1][1]
        found.append((start, end, text[start:end]))
    return found
'''

_TOKENS = '''\
def tokens(text: str) -> list[tuple[int, int]]:
    """Return start and end of every token; one that cuts a character gets all of it."""
    found, begun = [], 0
    for piece in ENCODING.decode_tokens_bytes(ENCODING.encode_ordinary(text)):
        start = begun - (piece[0] & 0xC0 == 0x80)  # such a byte continues a character
        begun += sum(byte & 0xC0 != 0x80 for byte in piece)
        found.append((start, begun))
    return found


def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk; white space alone has none."""
    if not text.strip():
        return []
    units = tokens(text)
    found: list[tuple[int, int, str]] = []
    for first in range(0, max(len(units) - OVERLAP, 1), SIZE - OVERLAP):
        start, end = units[first][0], units[min(first + SIZE, len(units)) - 1][1]
        if found and found[-1][0] == start:
            found.pop()  # it lies inside this one
        if not found or found[-1][1] < end:
            found.append((start, end, text[start:end]))
    return found
'''

_NOTES = {
    "char": "Needs nothing installed: a character is a code point, as Python counts them.",
    "word": (
        "Needs nothing installed: a word is what stands between white space, and a chunk runs "
        "from the first character of its first word to the last of its last."
    ),
    "token": (
        "tiktoken downloads its vocabulary at first use and keeps it; a chunk is a slice of the "
        "text, so a token that cuts a character gets the whole of it."
    ),
}
