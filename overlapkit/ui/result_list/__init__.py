"""Ranked chunks with their scores, matched words marked and evidence underlined.

The texts reach the page as text nodes only, so nothing in a document can become markup.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from overlapkit.ui.component import component

_FOLDER = Path(__file__).parent
_HTML = '<ol class="results" tabindex="0" aria-label="Ranked chunks"></ol>\n'

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Result:
    """A ranked chunk; ``matches`` and ``evidence`` are code points of ``text``, in order."""

    document: str
    start: int
    end: int
    score: float
    text: str
    matches: Sequence[Span]
    evidence: Sequence[Span]
    whole: bool = False  # whether some evidence span lies whole in it


def encode(results: Sequence[Result]) -> bytes:
    """Return the component's data: JSON in UTF-8; texts are cut into marked pieces.

    Cutting here spares the browser the difference between code points and its own units.
    """
    return json.dumps(
        [
            {
                **{k: v for k, v in asdict(one).items() if k not in ("text", "matches")},
                "pieces": _pieces(one),
                "evidence": len(one.evidence),
                "whole": one.whole,
            }
            for one in results
        ],
        ensure_ascii=True,
    ).encode()


def _pieces(result: Result) -> list[tuple[str, int]]:
    """Return (text, mask) pieces: 1 marks a matched word, 2 evidence."""
    depth: Counter[tuple[int, int]] = Counter()  # how many marks of a kind begin or end where
    bounds = {0, len(result.text)}
    for kind, spans in ((1, result.matches), (2, result.evidence)):
        for start, end in spans:
            depth[start, kind] += 1
            depth[end, kind] -= 1
            bounds |= {start, end}
    open_ = {1: 0, 2: 0}
    pieces = []
    for start, end in pairwise(sorted(bounds)):
        for kind in open_:
            open_[kind] += depth[start, kind]
        mask = sum(kind for kind, count in open_.items() if count > 0)
        pieces.append((result.text[start:end], mask))
    return pieces


def result_list(results: Sequence[Result], *, key: str) -> None:
    """Show ranked chunks, best first."""
    component(
        "result_list", _FOLDER, ("results.js",), html=_HTML, css="results.css", isolate_styles=True
    )(key=key, data=encode(results))
