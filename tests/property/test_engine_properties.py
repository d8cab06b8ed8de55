"""The engine equals rank-bm25 over each chunk's own text: chunks, scores, ties and all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.index import build_index, query_terms
from overlapkit.retrieve import rank
from overlapkit.terms import TERM_FUNCTIONS, read_terms
from tests import naive
from tests.property.strategies import corpora, sizes, texts


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
@settings(max_examples=150, deadline=None)
@given(
    corpus=corpora(),
    size=sizes(),
    queries=st.lists(texts(12), min_size=1, max_size=3),
    k=st.integers(1, 6),
)
def test_engine_equals_naive_rank_bm25(name, corpus, size, queries, k):
    """Ranked chunks and scores equal a plain rank-bm25 index to the bit."""
    spans = naive.windows([d.text for d in corpus.documents], *size)
    chunks = chunk(corpus, ChunkSpec(size=size[0], overlap=size[1]))
    found = list(zip(chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist(), strict=True))
    assert found == spans
    stream = read_terms(corpus, name)
    asked = query_terms(stream, queries)
    ranked = rank(build_index(stream, chunks, asked), asked, "okapi", k)
    for number, query in enumerate(queries):
        part = slice(*ranked.first[number : number + 2].tolist())
        ours = list(zip(ranked.chunk[part].tolist(), ranked.score[part].tolist(), strict=True))
        assert ours == naive.okapi_results(corpus, spans, query, name, k)


@settings(max_examples=60, deadline=None)
@given(
    vocabulary=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True),
    data=st.data(),
)
def test_rare_terms_first_finds_the_same_chunks(vocabulary, data):
    """On corpora with many chunks the pruned search equals the plain one, ties included."""
    letters = [*vocabulary, "zz", "yy", "the", "of"]
    weights = data.draw(st.lists(st.sampled_from(letters), min_size=200, max_size=600))
    text = " ".join(weights)
    corpus = naive_corpus(text)
    size = data.draw(st.integers(3, 30))
    overlap = data.draw(st.integers(0, size - 1))
    spans = naive.windows([text], size, overlap)
    chunks = chunk(corpus, ChunkSpec(size=size, overlap=overlap))
    stream = read_terms(corpus, "word")
    query = " ".join(data.draw(st.lists(st.sampled_from(letters), min_size=1, max_size=5)))
    asked = query_terms(stream, [query])
    ranked = rank(build_index(stream, chunks, asked), asked, "okapi", 5)
    ours = list(zip(ranked.chunk.tolist(), ranked.score.tolist(), strict=True))
    assert ours == naive.okapi_results(corpus, spans, query, "word", 5)


def naive_corpus(text):
    """Return a corpus of one document."""
    from overlapkit.corpus import corpus_of

    return corpus_of([("a.txt", text)])
