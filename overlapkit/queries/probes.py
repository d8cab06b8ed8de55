"""Boundary probes: the corpus's own sentences, rows, items and statements as evidence.

What a probe can show is said by ``PROBES_SHOW``. It knows its evidence exactly, covers the
whole corpus and takes nobody's time. What it cannot show is how people ask: its query is made
of the words that mark the unit out, so the ranking is told more than a user would tell it.
Its scores are for comparing settings with one another, never for saying how good retrieval is.
"""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from overlapkit.corpus import Corpus
from overlapkit.errors import QueryError, unknown_choice
from overlapkit.queries.model import Evidence, Query, QuerySet
from overlapkit.structure import Blocks, blocks, prose_sentences, trimmed
from overlapkit.terms import choose_terms, term_function

PROBES_SHOW = (
    "Boundary probes show whether boundaries part facts and what overlap does to whole "
    "sentences, rows, items and statements under a ranking that is handed their rarest words; "
    "they cannot show how people really ask, nor how good retrieval is in itself."
)
PROBE_KINDS = ("sentence", "table row", "list item", "code statement")

MIN_CHARACTERS = 20
MIN_TERMS = 3
MOST_TERMS = 6
MIN_UNITS = 5  # usable ones; with fewer there is nothing to compare
FEW = 5  # probes of every kind that has as many
TRIES = 5

Span = tuple[int, int]


class _Unit(NamedTuple):
    """A unit of a document, with its distinct terms in the order of the text."""

    doc: int
    start: int
    end: int
    kind: str
    terms: tuple[str, ...]


def boundary_probes(
    corpus: Corpus, count: int = 200, seed: int = 0, kinds: Collection[str] | None = None
) -> QuerySet:
    """Return at most ``count`` ``minimal`` queries, each asking for one unit of the corpus.

    A unit is a sentence of prose, a table row below its head, a list item or a top-level
    statement of a code block, and no two share text: a list item goes before its sentences,
    and code or rows before the item around them. Units with fewer than 3 distinct terms or
    20 characters, and those whose text stands in the corpus more than once, are passed over.

    The kinds are drawn in proportion to their units, after up to 5 of each; so are the
    documents within a kind. ``seed`` decides which units, by a hash of it and their places.
    A query is a third of its unit's distinct terms, at least 3 and at most 6, the rarest,
    in the order of the text. Rare is what few *units* hold: how many documents hold a term
    tells nothing where documents are few and long.

    Raises QueryError for a count below 1 and when fewer than 5 units are usable,
    SettingsError for an unknown kind.
    """
    wanted = _checked(count, kinds)
    units = tuple(_read_units(corpus, term_function(choose_terms(corpus).name).terms))
    usable = _usable(corpus, units, wanted)
    drawn: list[_Unit] = []
    for kind, share in _shares({kind: len(own) for kind, own in usable.items()}, count).items():
        drawn += _draw(corpus, usable[kind], share, seed)
    available = sum(map(len, usable.values()))
    if available < MIN_UNITS or len(drawn) < min(MIN_UNITS, count):
        found = available if available < MIN_UNITS else len(drawn)
        raise QueryError(
            f"boundary probes need {MIN_UNITS} units of {MIN_TERMS} terms and {MIN_CHARACTERS} "
            f"characters that occur once; got {found}: add documents, or "
            "choose other queries"
        )
    rarity = Counter(term for unit in units for term in unit.terms)
    queries = (_query(corpus, unit, at, rarity) for at, unit in enumerate(sorted(drawn), start=1))
    return QuerySet(tuple(queries), "minimal", f"boundary probes, seed {seed}")


def _checked(count: int, kinds: Collection[str] | None) -> Collection[str]:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise QueryError(f"the number of probes must be a whole number of at least 1; got {count}")
    for kind in kinds or ():
        if kind not in PROBE_KINDS:
            raise unknown_choice("kind of probe", kind, PROBE_KINDS)
    return PROBE_KINDS if kinds is None else kinds


def _read_units(corpus: Corpus, terms_of: Callable[[str], list[str]]) -> Iterator[_Unit]:
    """Yield the units of every kind, in order, those that are not usable included."""
    for doc, document in enumerate(corpus.documents):
        for start, end, kind in sorted(_places(blocks(document))):
            span = trimmed(document.text, start, end)
            terms = dict.fromkeys(terms_of(document.text[slice(*span)]))
            yield _Unit(doc, *span, kind, tuple(terms))


def _places(parts: Blocks) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, kind) of units that share no text."""
    solid = sorted(parts.code_blocks + parts.table_rows)
    items = [span for span in parts.list_items if not _meets(solid, span)]
    yield from ((*span, "list item") for span in items)
    for span in prose_sentences(parts):
        if not _meets(items, span):
            yield *span, "sentence"
    yield from ((*span, "code statement") for span in parts.code_statements)
    for span, header in zip(parts.table_rows, parts.table_headers, strict=True):
        if span != header:
            yield *span, "table row"


def _meets(spans: Sequence[Span], span: Span) -> bool:
    """Tell whether a span shares text with one of ``spans``, which are sorted and apart."""
    place = bisect_left(spans, (span[1], 0)) - 1
    return place >= 0 and spans[place][1] > span[0]


def _usable(
    corpus: Corpus, units: Sequence[_Unit], kinds: Collection[str]
) -> dict[str, list[_Unit]]:
    copies = Counter(_text(corpus, unit) for unit in units)
    usable: dict[str, list[_Unit]] = {kind: [] for kind in PROBE_KINDS}
    for unit in units:
        if (
            unit.kind in kinds
            and len(unit.terms) >= MIN_TERMS
            and unit.end - unit.start >= MIN_CHARACTERS
            and copies[_text(corpus, unit)] == 1
        ):
            usable[unit.kind].append(unit)
    return {kind: own for kind, own in usable.items() if own}


def _shares(available: Mapping[str, int], count: int) -> dict[str, int]:
    """Return how many to draw of each kind: a few of each, the rest in proportion."""
    count = min(count, sum(available.values()))
    few = min(FEW, count // max(len(available), 1))
    shares = {kind: min(few, number) for kind, number in available.items()}
    left = {kind: number - shares[kind] for kind, number in available.items()}
    rest, total = count - sum(shares.values()), max(sum(left.values()), 1)
    for kind, number in left.items():
        shares[kind] += rest * number // total
    # What rounding left over goes to those that it cost most, the first of equals first.
    most_cost = sorted(left, key=lambda kind: -(rest * left[kind] % total))
    for kind in most_cost[: count - sum(shares.values())]:
        shares[kind] += 1
    return shares


def _draw(corpus: Corpus, units: Sequence[_Unit], share: int, seed: int) -> Iterator[_Unit]:
    """Yield one unit of each of ``share`` equal stretches, so that documents get their part.

    Whether a text stands elsewhere, within another unit, is asked of few, as it costs a
    search through the corpus; a stretch whose first five all do goes without.
    """

    def chance(unit: _Unit) -> bytes:
        place = f"{seed}\0{corpus.documents[unit.doc].name}\0{unit.start}\0{unit.end}"
        return hashlib.blake2b(place.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    for number in range(share):
        first, last = (len(units) * at // share for at in (number, number + 1))
        tried = sorted(units[first:last], key=chance)[:TRIES]
        yield from next(([unit] for unit in tried if _stands_once(corpus, unit)), [])


def _stands_once(corpus: Corpus, unit: _Unit) -> bool:
    wanted = _text(corpus, unit)
    for doc, document in enumerate(corpus.documents):
        found = document.text.find(wanted)
        if doc == unit.doc and found == unit.start:
            found = document.text.find(wanted, found + 1)
        if found >= 0:
            return False
    return True


def _text(corpus: Corpus, unit: _Unit) -> str:
    return corpus.documents[unit.doc].text[unit.start : unit.end]


def _query(corpus: Corpus, unit: _Unit, number: int, rarity: Mapping[str, int]) -> Query:
    many = min(MOST_TERMS, max(MIN_TERMS, len(unit.terms) // 3))
    places = sorted(range(len(unit.terms)), key=lambda at: (rarity[unit.terms[at]], at))[:many]
    text = " ".join(unit.terms[at] for at in sorted(places))
    span = Evidence(corpus.documents[unit.doc].name, unit.start, unit.end)
    return Query(f"probe-{number:04d}", text, (span,), "any", None, unit.kind)
