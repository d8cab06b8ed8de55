"""BM25 postings of a query set over any chunking, by arithmetic on the term stream.

The corpus was read once into a stream of terms. A chunk is a range of that stream and at
most two cut runs, so lengths, document frequencies and postings follow from where the
ranges begin and end; no text is read again. What comes out equals an index built from
each chunk's own text, term for term.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np

from overlapkit.arrays import AnyInts, Floats, Ints, Longs, spread
from overlapkit.chunkers import ChunkSet
from overlapkit.compiled import Kernels, ready
from overlapkit.terms import TermStream

# --- queries ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class QueryTerms:
    """The terms of a list of queries on one stream.

    Query ``q`` holds ``slots[first[q]:first[q + 1]]`` in its own order, repeats repeated; a
    slot numbers a distinct query term. ``slot_of[term]`` is that number or -1. The
    occurrences of all query terms in the stream stand in ``at``, grouped by slot.
    """

    first: Longs
    slots: Longs
    slot_of: Ints
    distinct: tuple[str, ...]
    at: Longs
    at_slot: Ints


def query_terms(stream: TermStream, texts: Sequence[str], *, keep: bool = True) -> QueryTerms:
    """Read queries with the stream's term function.

    ``keep=False`` adds none of their terms to the vocabulary, which is right for a question
    that is typed and forgotten. Terms that only a cut word gives are then found where
    ``chunk_terms`` has met that cut before.
    """
    vocabulary = stream.vocabulary
    numbers: dict[str, int] = {}
    slots: list[int] = []
    first = [0]
    for text in texts:
        slots.extend(numbers.setdefault(t, len(numbers)) for t in vocabulary.terms_of(text))
        first.append(len(slots))
    with vocabulary.lock:
        if keep:
            for term in numbers:
                vocabulary.number(term)
        slot_of = np.full(len(vocabulary.numbers), -1, dtype=np.int32)
        known = {vocabulary.numbers[t]: s for t, s in numbers.items() if t in vocabulary.numbers}
    slot_of[list(known)] = list(known.values())
    found = slot_of[stream.terms]
    at = np.flatnonzero(found >= 0)
    keys = np.sort(found[at].astype(np.int64) * (len(stream.terms) + 1) + at)
    at_slot, at = np.divmod(keys, len(stream.terms) + 1)
    return QueryTerms(
        np.array(first, dtype=np.int64),
        np.array(slots, dtype=np.int64),
        slot_of,
        tuple(numbers),
        at,
        at_slot.astype(np.int32),
    )


# --- chunks as ranges of terms ----------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CutTerms:
    """Terms of cut runs: ``term`` belongs to ``chunk``; ``order`` counts within its piece."""

    chunk: Longs
    term: Longs
    order: Longs


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTerms:
    """Each chunk as the whole terms ``low:high`` and the terms of its cut first and last run."""

    low: Longs
    high: Longs
    head: CutTerms
    tail: CutTerms
    lengths: Longs


def chunk_terms(stream: TermStream, chunks: ChunkSet) -> ChunkTerms:
    """Return which terms each chunk holds."""
    begin, end = chunks.placed(stream.base)
    starts, ends = stream.starts, stream.ends
    if not len(starts):  # so that there is always a run to look at
        starts = ends = np.full(1, np.iinfo(np.int32).max, dtype=np.int32)
    # What is looked for has the width of the runs: else all of them would be widened first.
    low = np.searchsorted(starts, begin.astype(np.int32), side="left")
    high = np.searchsorted(ends, end.astype(np.int32), side="right")
    inside = low > high  # the chunk lies within one run, cut on both sides
    before, after = np.maximum(low - 1, 0), np.minimum(high, len(starts) - 1)
    cut_head = np.flatnonzero((low > 0) & (ends[before] > begin) & ~inside)
    cut_tail = np.flatnonzero((high < len(starts)) & (starts[after] < end) & ~inside)
    within = np.flatnonzero(inside)
    head_run, tail_run = before[cut_head], after[cut_tail]
    suffixes = _cut_pieces(stream, 1, head_run, ends[head_run] - begin[cut_head])
    prefixes = _cut_pieces(stream, 0, tail_run, end[cut_tail] - starts[tail_run])
    middles = _inner_pieces(stream, high[within], begin[within], end[within])
    head = _terms_of_pieces(
        stream, np.concatenate((cut_head, within)), np.concatenate((suffixes, middles))
    )
    tail = _terms_of_pieces(stream, cut_tail, prefixes)
    first = stream.first_term[np.minimum(low, high)].astype(np.int64)
    last = stream.first_term[high].astype(np.int64)
    lengths = last - first
    for part in (head, tail):
        lengths += np.bincount(part.chunk, minlength=len(chunks))
    return ChunkTerms(first, last, head, tail, lengths)


def _cut_pieces(stream: TermStream, side: int, runs: Longs, lengths: Longs) -> Longs:
    """Return piece numbers of the first (side 0) or last (side 1) ``lengths`` of runs."""
    kinds = stream.kind[runs]
    places = stream.offset[kinds] + lengths
    table = stream.cut[side]
    unseen = np.flatnonzero(table[places] < 0)
    if unseen.size:
        _fill(stream, side, kinds[unseen], places[unseen])
    found: Longs = table[places].astype(np.int64)
    return found


def _fill(stream: TermStream, side: int, kinds: Ints, places: Longs) -> None:
    """Look up cut runs that were not met before."""
    places, which = np.unique(places, return_index=True)
    kinds = kinds[which]
    lengths = (places - stream.offset[kinds]).tolist()
    runs = map(stream.kinds.__getitem__, kinds.tolist())
    if side:
        texts = [run[-length:] for run, length in zip(runs, lengths, strict=True)]
    else:
        texts = [run[:length] for run, length in zip(runs, lengths, strict=True)]
    with stream.vocabulary.lock:
        stream.cut[side, places] = stream.vocabulary.of_pieces(texts, stream.simple)


def _inner_pieces(stream: TermStream, runs: Longs, begin: Longs, end: Longs) -> Longs:
    kinds, starts = stream.kind[runs].tolist(), stream.starts[runs]
    bounds = zip(kinds, (begin - starts).tolist(), (end - starts).tolist(), strict=True)
    texts = [stream.kinds[kind][first:last] for kind, first, last in bounds]
    with stream.vocabulary.lock:
        return np.array(stream.vocabulary.of_pieces(texts, stream.simple), dtype=np.int64)


def _terms_of_pieces(stream: TermStream, chunk: Longs, pieces: Longs) -> CutTerms:
    in_order = np.argsort(chunk, kind="stable")
    chunk, pieces = chunk[in_order], pieces[in_order]
    if stream.simple:
        return CutTerms(chunk, pieces, np.zeros(len(chunk), dtype=np.int64))
    counts, begin, flat = stream.vocabulary.piece_arrays()
    count = counts[pieces]
    order = spread(np.zeros_like(count), count)
    return CutTerms(np.repeat(chunk, count), flat[np.repeat(begin[pieces], count) + order], order)


# --- postings ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Index:
    """Postings of the query terms over a chunking.

    Slot ``s`` occurs in ``chunk[first[s]:first[s + 1]]``, ascending, ``frequency`` times
    each. ``covering`` gives for each stream position the chunks ``first:last`` that hold it
    whole.
    """

    stream: TermStream
    ranges: ChunkTerms
    first: Longs
    chunk: Ints
    frequency: Ints
    covering: tuple[Ints, Ints]

    @property
    def chunks(self) -> int:
        """How many chunks there are, those without a term included."""
        return len(self.ranges.lengths)

    @property
    def average_length(self) -> float:
        """Terms per chunk."""
        return int(self.ranges.lengths.sum()) / self.chunks

    @cached_property
    def document_frequency(self) -> Longs:
        """In how many chunks each slot occurs."""
        return np.diff(self.first)

    def per_posting(self, values: Floats) -> Floats:
        """Return a value per slot as one per posting."""
        return np.repeat(values, self.document_frequency)

    @cached_property
    def slot(self) -> Longs:
        """The slot of each posting."""
        return np.repeat(np.arange(len(self.first) - 1), self.document_frequency)

    @cached_property
    def mean_idf(self) -> float:
        """Mean classic idf over the whole vocabulary of the chunks (see ``_mean_idf``)."""
        return _mean_idf(self)


def build_index(stream: TermStream, chunks: ChunkSet, queries: QueryTerms) -> Index:
    """Return the postings of the queries' terms over the chunks."""
    ranges = chunk_terms(stream, chunks)
    cut = np.concatenate([_keys(part, queries, len(chunks)) for part in (ranges.head, ranges.tail)])
    kernels = ready()
    take = partial(_walked_postings, kernels) if kernels is not None else _postings
    return Index(stream, ranges, *take(stream, queries, ranges, cut))


def _keys(part: CutTerms, queries: QueryTerms, chunks: int) -> Longs:
    """Return ``slot * chunks + chunk`` of the cut pieces that are query terms."""
    asked = part.term < len(queries.slot_of)
    slots = queries.slot_of[part.term[asked]].astype(np.int64)
    keys: Longs = (slots * chunks + part.chunk[asked])[slots >= 0]
    return keys


class Postings(NamedTuple):
    """What an index says about its postings: see there."""

    first: Longs
    chunk: Ints
    frequency: Ints
    covering: tuple[Ints, Ints]


def _postings(stream: TermStream, queries: QueryTerms, ranges: ChunkTerms, cut: Longs) -> Postings:
    """Return the postings of the whole terms in ``ranges`` and of the keys of ``cut`` ones."""
    terms, chunks, slots = len(stream.terms), len(ranges.lengths), len(queries.distinct)
    begins = np.cumsum(np.bincount(ranges.high, minlength=terms + 1), dtype=np.int32)
    stops = np.cumsum(np.bincount(ranges.low, minlength=terms + 1), dtype=np.int32)
    begin, count = begins[queries.at], (stops - begins)[queries.at]
    small = slots * chunks + len(queries.at) * int(count.max(initial=0)) < np.iinfo(np.int32).max
    width = np.dtype(np.int32 if small else np.int64)  # half the width is sorted in half the time
    shift = begin + count - np.cumsum(count, dtype=width)
    whole: AnyInts = np.repeat(queries.at_slot.astype(width) * chunks + shift, count)
    whole += np.arange(len(whole), dtype=width)
    # Most keys are in order already, which this kind of sort makes use of.
    key = np.sort(np.concatenate((whole, cut.astype(width))), kind="stable")
    starts = run_starts(key)
    frequency = np.diff(starts, append=len(key)).astype(np.int32)
    key = key[starts]
    first = np.searchsorted(key, np.arange(slots + 1, dtype=key.dtype) * chunks)
    slot = np.repeat(np.arange(slots), np.diff(first))
    return Postings(first, (key - slot * chunks).astype(np.int32), frequency, (begins, stops))


def _walked_postings(
    kernels: Kernels, stream: TermStream, queries: QueryTerms, ranges: ChunkTerms, cut: Longs
) -> Postings:
    """Return the same by a walk over each slot's occurrences."""
    covering = (np.empty(len(stream.terms), np.int32), np.empty(len(stream.terms), np.int32))
    kernels.find_covering(ranges.low, ranges.high, *covering)
    begins, stops = covering[0][queries.at], covering[1][queries.at]
    slots = np.arange(len(queries.distinct) + 1)
    cut_slot, cut_chunk = np.divmod(np.sort(cut), max(len(ranges.lengths), 1))
    first_held, first_cut = (np.searchsorted(of, slots) for of in (queries.at_slot, cut_slot))
    first = np.zeros(len(slots), dtype=np.int64)
    most = int((stops - begins).sum()) + len(cut)
    chunk, frequency = np.empty(most, dtype=np.int32), np.zeros(most, dtype=np.int32)
    kernels.find_postings(begins, stops, first_held, cut_chunk, first_cut, first, chunk, frequency)
    end = int(first[-1])
    return Postings(first, chunk[:end], frequency[:end], covering)


def run_starts(values: AnyInts) -> Longs:
    """Return where each run of equal values begins."""
    begins = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return np.flatnonzero(begins)


# --- the classic mean idf ---------------------------------------------------------------


def idf_of(frequencies: Longs, chunks: int) -> Floats:
    """Return ``ln(N - n + 0.5) - ln(n + 0.5)`` as rank-bm25 computes it, to the bit."""
    logs = _half_logs(1 << chunks.bit_length())
    values: Floats = logs[chunks - frequencies] - logs[frequencies]
    return values


@lru_cache(maxsize=8)
def _half_logs(count: int) -> Floats:
    """Return ``ln(n + 0.5)`` for ``n`` in 0 … count - 1.

    numpy's logarithm may differ from the C library's in the last bit, so each goes through
    ``math.log``; settings with about as many chunks share a table.
    """
    table = np.fromiter(map(math.log, (np.arange(count) + 0.5).tolist()), np.float64, count)
    table.flags.writeable = False
    return table


def _mean_idf(index: Index) -> float:
    """Return the mean of the classic idf over every distinct term of the chunks.

    rank-bm25 lifts a negative idf to a quarter of this mean. Floating-point sums depend on
    their order, so the terms are added as rank-bm25 meets them: chunk by chunk, each
    chunk's terms from left to right.
    """
    kernels = ready()
    frequency = _walked_frequencies(kernels, index) if kernels else _frequencies(index)
    values = idf_of(frequency, index.chunks)
    return float(np.cumsum(values)[-1]) / len(values)  # cumsum adds left to right


def _walked_frequencies(kernels: Kernels, index: Index) -> Longs:
    """Return in how many chunks each term occurs, in the order in which terms are met."""
    size = len(index.stream.vocabulary.numbers)
    frequency, order = np.zeros((2, size), dtype=np.int64)
    seen = np.full(size, -1, dtype=np.int32)
    ranges = index.ranges
    cut: list[Longs] = []
    for part in (ranges.head, ranges.tail):
        count = np.bincount(part.chunk, minlength=index.chunks)
        cut += [part.term, np.concatenate(([0], np.cumsum(count)))]
    walk = (index.stream.terms, ranges.low, ranges.high, *cut)
    met = kernels.count_chunks(*walk, seen, frequency, order)
    return frequency[order[:met]]


def _frequencies(index: Index) -> Longs:
    """Return the same by arithmetic on ranges of chunks."""
    frequency, first_seen = _vocabulary_frequencies(index)
    present = np.flatnonzero(frequency)
    return frequency[present[np.argsort(first_seen[present])]]


def _vocabulary_frequencies(index: Index) -> tuple[Longs, Longs]:
    """Return, per term, in how many chunks it occurs and a key of where it is first seen."""
    stream, ranges = index.stream, index.ranges
    frequency = np.zeros(len(stream.vocabulary.numbers), dtype=np.int64)
    first_seen = np.full(len(frequency), np.iinfo(np.int64).max)
    width = len(stream.terms) + 2  # places in a chunk: cut head, stream positions, cut tail
    parts = (ranges.head, ranges.tail)
    depth = 1 + max(int(part.order.max(initial=0)) for part in parts)

    groups = stream.occurrences
    first, last = (edge.take(groups.at) for edge in index.covering)
    # Positions of a term rise, so the chunks that hold one are new from the last one's end.
    seen_until = np.zeros_like(last)
    seen_until[1:] = last[:-1]
    seen_until[groups.begins] = 0
    fresh = np.maximum(last - np.maximum(first, seen_until), 0)
    total = np.concatenate(([0], np.cumsum(fresh)))
    whole = len(groups.first) - 1
    frequency[:whole] = np.diff(total[groups.first])
    met = np.flatnonzero(frequency[:whole])
    # The first occurrence that any chunk holds is where the running total first exceeds
    # what it was at the group's beginning.
    place = np.searchsorted(total, total[groups.first[met]], side="right") - 1
    first_seen[met] = (first[place].astype(np.int64) * width + groups.at[place] + 1) * depth

    pairs = []
    for part, at in zip(parts, (0, width - 1), strict=True):
        key = (part.chunk * width + at) * depth + part.order
        seen = np.full(len(frequency), np.iinfo(np.int64).max)
        seen[part.term[::-1]] = key[::-1]  # the last write wins: the earliest place
        np.minimum(first_seen, seen, out=first_seen)
        pairs.append(part.term * index.chunks + part.chunk)
    pair = np.sort(np.concatenate(pairs))
    term, chunk = np.divmod(pair[np.diff(pair, prepend=-1) != 0], index.chunks)
    known = term < whole
    only_cut = np.ones(len(term), dtype=bool)
    low, high = ranges.low[chunk[known]], ranges.high[chunk[known]]
    only_cut[known] = ~groups.holds(term[known], low, high)
    frequency += np.bincount(term[only_cut], minlength=len(frequency))
    return frequency, first_seen
