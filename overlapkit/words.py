"""Numbers, settings and cut-offs in words: the small parts of every sentence."""

from collections.abc import Mapping

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.evaluate import METRICS
from overlapkit.retrieve import Budget, TopK

UNIT_NAMES: Mapping[str, str] = {"char": "characters", "word": "words", "token": "tokens"}
_MADE_OF: Mapping[str, str] = {"structure": " of whole sentences"}  # chunks but windows


def percent(rate: float, digits: int = 1) -> str:
    """Return a fraction as a percentage: 0.8123 is 81.2%."""
    return f"{100 * rate:.{digits}f}%"


def points(difference: float) -> str:
    """Return a difference of fractions in percentage points, without the word."""
    shown = f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")
    return "0.0" if shown[1:] == "0.0" else shown


def number(value: float) -> str:
    """Return a count with thousands separated, or a small number with two digits."""
    if abs(value) >= 100 or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.2f}"


def sentence_case(text: str) -> str:
    """Return a text with a capital first letter, all else as it is."""
    return text[:1].upper() + text[1:]


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which takes a plain s: 1 row, 2 rows."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def setting(spec: ChunkSpec) -> str:
    """Return a spec in words: 800 characters with 160 overlap (20%).

    What other chunks are made of stands behind their size: 800 characters of whole sentences.
    What no chunker of ours cut, such as uploaded chunks, is called by its chunker's name.
    """
    if spec.chunker not in CHUNKERS:
        return spec.chunker
    size = f"{number(spec.size)} {UNIT_NAMES[spec.unit]}{_MADE_OF.get(spec.chunker, '')}"
    if not spec.overlap:
        return f"{size} without overlap"
    return f"{size} with {number(spec.overlap)} overlap ({spec.overlap_pct:.0f}%)"


def cutoff(value: TopK | Budget) -> str:
    """Return where the list ends: in the top 5, or within 4,000 characters of context."""
    if isinstance(value, TopK):
        return f"in the top {value.k}" if value.k > 1 else "at rank 1"
    return f"within {number(value.size)} {UNIT_NAMES[value.unit]} of context"


def quality(metric: str) -> str:
    """Return a metric column's name in running text, without its cut-off."""
    return METRICS[metric.split("@", maxsplit=1)[0]].label.lower()
