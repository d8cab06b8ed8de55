"""Every chunker under every unit and phase: spans in order, inside, covering, none in another."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSpec, chunk
from overlapkit.chunkers.window import phase_offsets, read_units, windows_moved
from overlapkit.corpus import corpus_of
from overlapkit.evaluate.ceiling import predicted_whole, whole_spans
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.queries.located import locate
from overlapkit.tokens import ENCODINGS, token_spans
from tests import naive
from tests.property.strategies import corpora, sizes

every_entry = pytest.mark.parametrize("chunker", CHUNKERS)
every_unit = pytest.mark.parametrize("unit", UNITS)
every_phase = st.integers(0, 1000)
fast = settings(max_examples=40, deadline=None)


def spec_of(chunker, unit, size, phase):
    """Return the spec; a phase moves windows and nothing else."""
    return ChunkSpec(chunker, unit, *size, phase=phase if chunker == "window" else 0)


def spans_of(corpus, spec):
    """Return the (start, end) of each document's chunks."""
    chunks = chunk(corpus, spec)
    found = [[] for _ in corpus.documents]
    for doc, start, end in zip(
        chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True
    ):
        found[doc].append((start, end))
    assert sorted(chunks.doc.tolist()) == chunks.doc.tolist()
    return found


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_spans_are_ordered_and_inside_their_document(chunker, unit, corpus, size, phase):
    """Starts and ends both rise strictly, so no chunk is empty or inside another."""
    spec = spec_of(chunker, unit, size, phase)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        assert all(0 <= start < end <= len(document.text) for start, end in spans)
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans))
        assert not any(naive.inside(a, b) for a in spans for b in spans if a is not b)


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_spans_cover_all_text_but_white_space(chunker, unit, corpus, size, phase):
    """Every character that is not white space stands in a chunk; blank texts have none."""
    spec = spec_of(chunker, unit, size, phase)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        covered = {at for start, end in spans for at in range(start, end)}
        assert all(c.isspace() or at in covered for at, c in enumerate(document.text))
        assert bool(spans) == bool(document.text.strip())


@every_entry
@every_unit
@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_a_document_is_cut_the_same_in_any_corpus(chunker, unit, corpus, size, phase):
    """Chunks of a document depend on its name and text, and on nothing beside it."""
    spec = spec_of(chunker, unit, size, phase)
    for document, spans in zip(corpus.documents, spans_of(corpus, spec), strict=True):
        assert spans_of(corpus_of([(document.name, document.text)]), spec) == [spans]


@fast
@given(corpus=corpora(), size=sizes())
def test_character_windows_equal_plain_stepping(corpus, size):
    """Windows of characters are those that a loop finds."""
    chunks = chunk(corpus, ChunkSpec("window", "char", *size))
    found = zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True)
    assert list(found) == naive.windows([d.text for d in corpus.documents], *size)


@fast
@given(corpus=corpora(), size=sizes())
def test_word_windows_equal_plain_stepping(corpus, size):
    """Windows of words run from their first word's start to their last word's end."""
    found = spans_of(corpus, ChunkSpec("window", "word", *size))
    for document, spans in zip(corpus.documents, found, strict=True):
        words = [match.span() for match in re.finditer(r"\S+", document.text)]
        assert spans == naive.unit_windows(words, *size)


@pytest.mark.parametrize("encoding", ENCODINGS)
@fast
@given(corpus=corpora(), size=sizes())
def test_token_windows_equal_plain_stepping(encoding, corpus, size):
    """Windows of tokens widened to whole characters, those inside another merged."""
    found = spans_of(corpus, ChunkSpec("window", "token", *size, encoding))
    for document, spans in zip(corpus.documents, found, strict=True):
        if document.text.strip():
            starts, ends, _ = token_spans(document.text, encoding)
            tokens = list(zip(starts.tolist(), ends.tolist(), strict=True))
            assert spans == naive.unit_windows(tokens, *size)


@pytest.mark.parametrize("encoding", ENCODINGS)
@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_merged_windows_are_counted(encoding, corpus, size, phase):
    """What is cut and what was merged add up to the windows that were asked for."""
    spec = ChunkSpec("window", "token", *size, encoding, phase=phase)
    chunks = chunk(corpus, spec)
    asked = 0
    offsets = phase_offsets(corpus, spec).tolist()
    for document, offset in zip(corpus.documents, offsets, strict=True):
        if document.text.strip():
            tokens = len(token_spans(document.text, encoding).starts)
            asked += len(stepped(tokens, *size, offset))
    assert len(chunks) + chunks.merged == asked


# --- phases -----------------------------------------------------------------------------


def stepped(count, size, overlap, offset):
    """Return windows over units 0 … count - 1, moved by an offset, found by stepping."""
    found, start = [], -offset if count > size else 0
    while count:
        found.append((max(start, 0), min(start + size, count)))
        if start + size >= count:
            break
        start += size - overlap
    return found


def evidence_of(corpus, spans):
    """Return (document, start, end) as the evidence of one question each."""
    queries = (
        Query(str(number), "x", (Evidence(corpus.documents[doc].name, start, end),))
        for number, (doc, start, end) in enumerate(spans)
    )
    return locate(corpus, QuerySet(tuple(queries), "minimal"))


def unit_spans(units, length):
    """Return (document, start, end) of every stretch of so many units, document after document."""
    found = []
    for doc, base in enumerate(units.base.tolist()):
        first, last = units.first[doc : doc + 2].tolist()
        for at in range(first, last - length + 1):
            if units.starts is None:
                found.append((doc, at - first, at - first + length))
            else:
                start, end = int(units.starts[at]), int(units.ends[at + length - 1])
                found.append((doc, start - base, end - base))
    return found


@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_moved_windows_equal_plain_stepping(corpus, size, phase):
    """A phase's windows of characters are those that a loop finds from the same offset."""
    spec = ChunkSpec("window", "char", *size, phase=phase)
    offsets = phase_offsets(corpus, spec).tolist()
    for document, spans, offset in zip(
        corpus.documents, spans_of(corpus, spec), offsets, strict=True
    ):
        assert 0 <= offset < spec.step
        length = len(document.text) if document.text.strip() else 0
        assert spans == stepped(length, *size, offset)


@every_unit
@fast
@given(corpus=corpora(), size=sizes(), draw=st.data())
def test_no_window_is_inside_another_whatever_the_offset(unit, corpus, size, draw):
    """Starts and ends rise strictly for any mixture of offsets, not only for those drawn."""
    spec = ChunkSpec("window", unit, *size)
    offset = st.integers(0, spec.step - 1)
    offsets = draw.draw(st.lists(offset, min_size=len(corpus.documents), max_size=4))
    offsets = np.array(offsets[: len(corpus.documents)], dtype=np.int64)
    chunks = windows_moved(spec, read_units(corpus, unit), offsets)
    same = chunks.doc[1:] == chunks.doc[:-1]
    assert (np.diff(chunks.start)[same] > 0).all()
    assert (np.diff(chunks.end)[same] > 0).all()


@every_unit
@fast
@given(corpus=corpora(), size=sizes())
def test_phase_0_is_no_phase(unit, corpus, size):
    """Windows of phase 0 start with their document, as if there were no phases."""
    units = read_units(corpus, unit)
    for doc, spans in enumerate(spans_of(corpus, ChunkSpec("window", unit, *size, phase=0))):
        first, last = units.first[doc : doc + 2].tolist()
        own = list(range(first, last))
        starts = [i - first if units.starts is None else int(units.starts[i]) for i in own]
        ends = [i - first + 1 if units.ends is None else int(units.ends[i]) for i in own]
        base = 0 if units.starts is None else int(units.base[doc])
        pairs = [(a - base, b - base) for a, b in zip(starts, ends, strict=True)]
        assert spans == naive.unit_windows(pairs, *size)


@every_unit
@fast
@given(corpus=corpora(), size=sizes(), phase=every_phase)
def test_a_span_of_overlap_plus_one_units_is_whole_in_every_phase(unit, corpus, size, phase):
    """What the overlap guarantees does not depend on where the cuts fall."""
    spec = ChunkSpec("window", unit, *size, phase=phase)
    evidence = evidence_of(corpus, unit_spans(read_units(corpus, unit), spec.overlap + 1))
    assert whole_spans(chunk(corpus, spec), evidence).all()


@pytest.mark.parametrize("unit", ["char", "word"])
@settings(max_examples=25, deadline=None)
@given(corpus=corpora(), size=sizes(12), length=st.integers(1, 14))
def test_theory_is_the_mean_over_all_offsets(unit, corpus, size, length):
    """Over every offset of the step, a span is whole exactly as often as predicted."""
    spec, units = ChunkSpec("window", unit, *size), read_units(corpus, unit)
    evidence = evidence_of(corpus, unit_spans(units, length))
    whole = np.zeros(len(evidence.spans.start))
    for offset in range(spec.step):
        offsets = np.full(len(corpus.documents), offset, dtype=np.int64)
        whole += whole_spans(windows_moved(spec, units, offsets), evidence)
    assert whole / spec.step == pytest.approx(predicted_whole(spec, units, evidence))


@pytest.mark.parametrize(
    ("size", "overlap", "length"), [(100, 0, 40), (100, 20, 60), (100, 50, 80), (60, 15, 59)]
)
def test_the_mean_over_phases_approaches_theory(size, overlap, length):
    """Over 400 phases, a span deep in a long document is whole about as often as predicted."""
    corpus = corpus_of([("long.txt", "x" * 2000)])
    evidence = evidence_of(corpus, [(0, start, start + length) for start in (0, 777, 1500)])
    spec = ChunkSpec(size=size, overlap=overlap)
    phases = range(1, 401)
    share = np.mean(
        [
            whole_spans(chunk(corpus, ChunkSpec(size=size, overlap=overlap, phase=n)), evidence)
            for n in phases
        ],
        axis=0,
    )
    (chance,) = set(predicted_whole(spec, read_units(corpus, "char"), evidence).tolist())
    assert chance == (size - length + 1) / (size - overlap)
    # Four binomial standard deviations; the draws are seeded, so it never fails by chance.
    bound = 4 * math.sqrt(chance * (1 - chance) / len(phases))
    assert np.abs(share - chance).max() <= bound
