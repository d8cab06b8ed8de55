"""What text is made of that a cut should not part: the pieces of a corpus, as arrays."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from overlapkit.arrays import Longs, Mask
from overlapkit.corpus import Corpus, Document, global_starts
from overlapkit.structure import Blocks, blocks, trimmed

_LEAD = re.compile(r"(?:\A|(?<=[\r\n]))[ \t]*>[ \t>]*")  # the marks of a quote before its text

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Stretches of text in order, apart, which hold every character but white space.

    ``start`` and ``end`` are global code points; no edge is white space. The pieces of one
    ``group`` belong together where they have room: the sentences of a list item, a fence and
    the statement next to it. A ``section`` begins with each heading that has text above it
    and with each document. Numbers of groups and sections rise.
    """

    doc: Longs
    start: Longs
    end: Longs
    group: Longs
    section: Longs

    def __post_init__(self) -> None:
        for array in (self.doc, self.start, self.end, self.group, self.section):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.start)


def read_pieces(corpus: Corpus) -> Pieces:
    """Return the sentences, table rows, code statements and headings, and what joins them.

    List items and opening fences begin a group that holds the sentences of the item, or the
    first statement; other pieces are a group of their own, with whatever marks follow them.
    """
    found = [np.zeros((5, 0), dtype=np.int64)]
    groups = sections = 0
    bases = global_starts(corpus).tolist()
    for doc, (document, base) in enumerate(zip(corpus.documents, bases, strict=True)):
        spans, group, section = _pieces_of(document)
        if not len(spans):
            continue
        start, end = spans.T + base
        own = (np.full(len(spans), doc), start, end, group + groups, section + sections)
        found.append(np.array(own, dtype=np.int64))
        groups, sections = int(own[3][-1]), int(own[4][-1])
    return Pieces(*np.concatenate(found, axis=1))


def _pieces_of(document: Document) -> tuple[Longs, Longs, Longs]:
    """Return the spans of a document's pieces, their groups and their sections, from 1 on."""
    text, parts = document.text, blocks(document)
    leads = {match.end(): match.start() for match in _LEAD.finditer(text)}
    whole = (*parts.sentences, *parts.table_rows, *parts.code_statements, *parts.headings)
    items = [(leads.get(start, start), end) for start, end in parts.list_items]
    first = {leads.get(start, start) for start, _ in chain(whole, items, parts.code_blocks)}
    first |= {0} | {end for _, end in parts.headings}
    # Groups open at ``first``, unless they would within what is held together.
    edges = np.unique([0, len(text), *first, *chain.from_iterable(whole)])
    held = (*items, *parts.headings, *_openings(parts))
    opens = np.isin(edges, list(first)) & ~_inside(edges, held)
    spans = np.array([trimmed(text, *pair) for pair in pairwise(edges.tolist())], dtype=np.int64)
    spans = spans.reshape(-1, 2)
    inked = spans[:, 0] < spans[:, 1]
    group: Longs = np.cumsum(opens, dtype=np.int64)[:-1][inked]
    heads = np.isin(edges[opens], [start for start, _ in parts.headings])[group - 1]
    return spans[inked], group, _sections(group, heads)


def _openings(parts: Blocks) -> Iterable[Span]:
    """Yield for each code block the span from its beginning into its first statement."""
    starts = np.array([start for start, _ in parts.code_statements], dtype=np.int64)
    for begin, end in parts.code_blocks:
        at = int(np.searchsorted(starts, begin))
        if at < len(starts) and starts[at] < end:
            yield begin, int(starts[at]) + 1


def _inside(edges: Longs, spans: Iterable[Span]) -> Mask:
    """Tell which of the edges, which rise, lie strictly inside a span."""
    starts, ends = np.array(list(spans), dtype=np.int64).reshape(-1, 2).T
    depth = np.zeros(len(edges) + 1, dtype=np.int64)
    np.add.at(depth, np.searchsorted(edges, starts, side="right"), 1)
    np.add.at(depth, np.searchsorted(edges, ends, side="left"), -1)
    inside: Mask = np.cumsum(depth)[:-1] > 0
    return inside


def _sections(group: Longs, heads: Mask) -> Longs:
    """Return each piece's section; a heading right below another one opens none."""
    opens = heads & (np.diff(group, prepend=0) > 0)
    opens[1:] &= ~heads[:-1]
    opens[:1] = True
    return np.cumsum(opens, dtype=np.int64)
