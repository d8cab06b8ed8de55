"""How long the units are that a boundary should not part, and what keeps them whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from overlapkit.arrays import Longs
from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus
from overlapkit.errors import SettingsError
from overlapkit.queries.located import locate
from overlapkit.queries.model import QuerySet
from overlapkit.structure import Blocks, blocks, prose_sentences, trimmed

LengthKind = Literal[
    "sentence", "paragraph", "list item", "table row", "table row with its header",
    "code statement", "code block", "clause", "section", "evidence",
]  # fmt: skip
LENGTH_KINDS: tuple[LengthKind, ...] = get_args(LengthKind)
PERCENTS = (50, 90, 95, 99)

_POINT = 0.01  # what counts as no room left for a difference
_NOISE = 1e-9


class Percentile(NamedTuple):
    """The smallest length that at least ``percent`` % of the units do not exceed.

    ``overlap`` is the least that keeps every unit up to that length whole in some window:
    ``length`` - 1.
    """

    percent: int
    length: int
    overlap: int


@dataclass(frozen=True, slots=True)
class UnitLengths:
    """How long the units of one kind are, in what size and overlap count.

    A table row with its header counts the head row, a line end and the row, though other
    rows may stand between. One percentile for each of ``PERCENTS``.
    """

    kind: LengthKind
    count: int
    percentiles: tuple[Percentile, ...]


class NeededSetting(NamedTuple):
    """A size and an overlap in one unit."""

    size: int
    overlap: int


def unit_lengths(
    corpus: Corpus,
    units: Units,
    queries: QuerySet | None = None,
    *,
    parts: Sequence[Blocks] | None = None,
) -> tuple[UnitLengths, ...]:
    """Return the lengths of each kind of unit that the corpus has, as ``units`` count them.

    Sentences are those of prose; head rows are no rows. Evidence counts once per query, and
    only where it is the shortest text that answers (a ``minimal`` set). ``parts`` are the
    documents' blocks where they are already known.

    Raises QueryError for evidence that does not lie in the corpus.
    """
    gathered: dict[LengthKind, list[Longs]] = {kind: [] for kind in LENGTH_KINDS}
    known = map(blocks, corpus.documents) if parts is None else parts
    for document, base, own in zip(corpus.documents, units.base.tolist(), known, strict=True):
        for kind, spans in _spans(document.text, own):
            gathered[kind].append(_met(units, base, spans))
        rows = [
            (row, header)
            for row, header in zip(own.table_rows, own.table_headers, strict=True)
            if row != header
        ]
        length = _met(units, base, [row for row, _ in rows])
        # A header counts with one character of its line end, whatever that is in this unit.
        above = _met(units, base, [(start, end + 1) for _, (start, end) in rows])
        gathered["table row"].append(length)
        gathered["table row with its header"].append(length + above)
    if queries is not None and queries.kind == "minimal":
        evidence = locate(corpus, queries).spans
        gathered["evidence"].append(units.met(evidence.start, evidence.end))
    found = ((kind, np.concatenate(own)) for kind, own in gathered.items() if own)
    return tuple(_summary(kind, lengths) for kind, lengths in found if len(lengths))


def _spans(text: str, parts: Blocks) -> Iterator[tuple[LengthKind, Sequence[tuple[int, int]]]]:
    yield "sentence", prose_sentences(parts)
    yield "paragraph", parts.paragraphs
    yield "list item", parts.list_items
    yield "code statement", parts.code_statements
    yield "code block", parts.code_blocks
    yield "clause", parts.clauses
    yield "section", [trimmed(text, start, end) for start, end in parts.sections]


def _met(units: Units, base: int, spans: Sequence[tuple[int, int]]) -> Longs:
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T + base
    return units.met(start, end)


def _summary(kind: LengthKind, lengths: Longs) -> UnitLengths:
    ordered = np.sort(lengths)
    count = len(ordered)
    found = ((percent, int(ordered[-(-percent * count // 100) - 1])) for percent in PERCENTS)
    return UnitLengths(
        kind,
        count,
        tuple(Percentile(percent, length, max(length - 1, 0)) for percent, length in found),
    )


def needed_setting(length: int) -> NeededSetting:
    """Return the smallest size, with its overlap, at which no unit of a length is parted.

    An overlap of ``length`` - 1 keeps it whole wherever the windows fall. An overlap above a
    quarter of the size means that the size is too small, so the size is four times that.

    Raises SettingsError for a length below 1.
    """
    if length < 1:
        raise SettingsError(f"a length must be at least 1; got {length}: give that of a unit")
    return NeededSetting(max(4 * (length - 1), length), length - 1)


def corpus_warnings(corpus: Corpus, size: int, units: Units) -> tuple[str, ...]:
    """Return one sentence for each trait of a corpus that makes its results say less.

    ``size`` is the chunk size in what ``units`` count; documents without text do not count.
    """
    counts = np.diff(units.first)
    written = int(np.count_nonzero(counts))
    fitting = int(np.count_nonzero((counts > 0) & (counts <= size)))
    found = []
    if 2 * fitting > written:
        found.append(
            f"{fitting:,} of {written:,} documents fit one chunk of size {size:,}: neither a "
            "larger size nor any overlap changes these"
        )
    longest = max(corpus.documents, key=lambda document: len(document.text), default=None)
    if longest and written > 1 and 2 * len(longest.text) > corpus.characters:
        share = 100 * len(longest.text) / corpus.characters
        found.append(
            f"{longest.name!r} is {share:.0f}% of the text of {written:,} documents: results "
            "speak of that one file more than of all others together"
        )
    return tuple(found)


def saturated(values: Sequence[float]) -> str | None:
    """Return a sentence when all values of a grid lie within 1 point of 0 or all of 1.

    A value is a fraction; fewer than two are no grid.
    """
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    if low >= 1 - _POINT - _NOISE:
        end, remedy = "100%", "ask harder questions or cut the list off earlier"
    elif high <= _POINT + _NOISE:
        end, remedy = "0%", "ask easier questions or cut the list off later"
    else:
        return None
    return (
        f"all {len(values):,} values lie within 1 point of {end} ({100 * low:.1f}% to "
        f"{100 * high:.1f}%), so this metric cannot tell these settings apart: {remedy}"
    )
