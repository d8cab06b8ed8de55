"""The compiled path gives what numpy gives, to the bit, and is never in the way."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlapkit import compiled, scoring
from overlapkit.chunkers import ChunkSpec, chunk
from overlapkit.compiled import Kernels
from overlapkit.corpus import corpus_of
from overlapkit.index import build_index, query_terms
from overlapkit.retrieve import RANKINGS, rank
from overlapkit.terms import TERM_FUNCTIONS, read_terms
from tests.property import test_engine_properties as engine
from tests.property.strategies import corpora, sizes, texts

LOOPS = Kernels(*(getattr(compiled, name) for name in Kernels._fields))  # not compiled


@pytest.fixture(scope="module", params=["interpreted", "compiled"])
def kernels(request):
    """Let the loops serve, once as Python and once compiled; numpy serves again afterwards."""
    if request.param == "compiled":
        pytest.importorskip("numba", reason="the extra `compiled` (numba) is not installed")
        compiled.warm_up().join()
        found = compiled.ready()
    else:
        found = LOOPS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled._READINESS, "kernels", found)
        yield found
    compiled.switch_off()


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
def test_the_kernels_equal_naive_rank_bm25(kernels, name):
    """What holds for numpy holds for them: chunks, scores, ties and all."""
    engine.test_engine_equals_naive_rank_bm25(name=name)


def test_the_kernels_find_the_same_among_many_chunks(kernels):
    """Groups of chunks are ruled out, and nothing that belongs to the best with them."""
    engine.test_rare_terms_first_finds_the_same_chunks()


@pytest.mark.parametrize("name", TERM_FUNCTIONS)
@settings(max_examples=60, deadline=None)
@given(
    corpus=corpora(),
    size=sizes(),
    queries=st.lists(texts(12), min_size=1, max_size=3),
    k=st.sampled_from([1, 2, 5, 200]),
)
def test_the_kernels_equal_numpy(kernels, name, corpus, size, queries, k):
    """Postings, mean idf and every ranking are the same on both paths."""
    chunks = chunk(corpus, ChunkSpec(size=size[0], overlap=size[1]))
    stream = read_terms(corpus, name)
    asked = query_terms(stream, queries)

    def results():
        index = build_index(stream, chunks, asked)
        parts = [index.first, index.chunk, index.slot, index.frequency]
        for ranking in RANKINGS:
            ranked = rank(index, asked, ranking, k)
            parts += [ranked.first, ranked.chunk, ranked.score]
        mean = [index.mean_idf] if len(chunks) and index.average_length else []
        return [part.tolist() for part in parts], mean

    walked = results()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled._READINESS, "kernels", None)
        assert results() == walked


@settings(max_examples=80, deadline=None)
@given(data=st.data(), k=st.integers(1, 4))
def test_small_groups_find_the_same_chunks(data, k):
    """Numpy and the loops agree with scores of all chunks when groups are small and many."""
    letters = ["aa", "bb", "cc", "dd", "the", "of"]
    text = " ".join(data.draw(st.lists(st.sampled_from(letters), min_size=30, max_size=150)))
    corpus = corpus_of([("a.txt", text)])
    chunks = chunk(corpus, ChunkSpec(size=data.draw(st.integers(3, 12)), overlap=1))
    stream = read_terms(corpus, "word")
    query = st.lists(st.sampled_from(letters), min_size=1, max_size=4).map(" ".join)
    asked = query_terms(stream, data.draw(st.lists(query, min_size=1, max_size=4)))
    index = build_index(stream, chunks, asked)
    everything = rank(index, asked, "lucene", len(chunks))
    keep = everything.rank < k
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_BLOCK", 8)
        for module in (scoring, compiled):
            patch.setattr(module, "GROUP", 2)
            patch.setattr(module, "PROMISING", 1)
        for serving in (None, LOOPS):
            patch.setattr(compiled._READINESS, "kernels", serving)
            found = rank(index, asked, "lucene", k)
            assert found.chunk.tolist() == everything.chunk[keep].tolist()
            assert found.score.tolist() == everything.score[keep].tolist()


def test_threads_can_rank_at_the_same_time(kernels):
    """Two threads that evaluate settings of one corpus get what one gets."""
    corpus = corpus_of([("a.txt", "the cat sat on the mat and the dog ran off " * 40)])
    stream = read_terms(corpus, "word")
    asked = query_terms(stream, ["the cat", "a dog off", "mat"])

    def scores(size):
        chunks = chunk(corpus, ChunkSpec(size=size, overlap=size // 3))
        return rank(build_index(stream, chunks, asked), asked).score.tolist()

    wanted = [scores(size) for size in range(10, 60)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(scores, range(10, 60))) == wanted


@pytest.mark.parametrize(
    ("serving", "k", "expected"),
    [(None, 5, False), (LOOPS, 5, True), (LOOPS, compiled.MOST_RESULTS + 1, False)],
)
def test_numpy_serves_without_kernels_and_for_long_lists(serving, k, expected):
    """Whether the kernels rank follows from what is asked and whether they are there."""
    assert compiled.can_rank(serving, k) is expected


def test_without_numba_nothing_changes(monkeypatch):
    """Warming up does nothing where there is nothing to compile with."""
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    compiled.warm_up().join()
    assert not compiled.installed()
    assert compiled.ready() is None


def test_numba_is_not_imported_unless_asked_for():
    """The package starts as fast with numba installed as without."""
    code = "import sys, overlapkit, overlapkit.sweep; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scores_add_in_the_order_of_the_query(kernels):
    """Sums of floats depend on their order; both paths keep the query's."""
    words = [f"w{number}" for number in range(12)]
    text = "\n".join(" ".join(words[: 1 + number % 12]) for number in range(300))
    corpus = corpus_of([("a.txt", text)])
    stream = read_terms(corpus, "word")
    chunks = chunk(corpus, ChunkSpec(size=37, overlap=11))
    asked = query_terms(stream, [" ".join(words), " ".join(reversed(words)), "w3 w1 w3 w9"])
    index = build_index(stream, chunks, asked)
    weights = RANKINGS["lucene"].weights(index)
    found = rank(index, asked, "lucene", 5)
    dense = np.zeros((len(asked.distinct), len(chunks)))
    dense[index.slot, index.chunk] = weights
    for query, number, score in zip(found.query, found.chunk, found.score, strict=True):
        total = 0.0
        for slot in asked.slots[asked.first[query] : asked.first[query + 1]]:
            total += dense[slot, number]
        assert total == score
