"""What the engine is held against: each peer does one setting from the documents' texts.

A peer gets what its users have, the texts and a setting: it cuts the chunks, takes their
terms, builds its index and ranks every query. Nothing is kept from one setting to the next,
since a boundary may cut a word and no library knows how its pieces follow from the whole.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ranking = list[tuple[int, float]]  # the best chunks of one query with their scores

_WORD = re.compile(r"\w+")
_GROUPED = 64


class Cell(NamedTuple):
    """One setting to do: texts, each query's terms, character windows and how many results."""

    texts: Sequence[str]
    queries: list[list[str]]
    size: int
    overlap: int
    k: int


class Peer(NamedTuple):
    """A way to rank; ``exact`` says that its scores are defined to equal the engine's."""

    name: str
    rank: Callable[[Cell], list[Ranking]]
    exact: bool
    note: str


def words(text: str) -> list[str]:
    r"""Return the lower-cased ``\w+`` of a text."""
    return _WORD.findall(text.lower())


def chunk_texts(cell: Cell) -> list[str]:
    """Return the text of each window, the last one being the first to reach the end."""
    step = cell.size - cell.overlap
    found = []
    for text in cell.texts:
        if not text or text.isspace():
            continue
        last = max(len(text) - cell.overlap, 1)
        found.extend(text[start : start + cell.size] for start in range(0, last, step))
    return found


def best(scores: Floats, k: int) -> Ranking:
    """Return the k best positive scores, ties by number.

    Sorting all of them would cost the fast peers more than their scoring, so maxima of
    groups bound the k-th best first.
    """
    groups = len(scores) // _GROUPED
    if groups > k:
        maxima = scores[: groups * _GROUPED].reshape(_GROUPED, groups).max(axis=0)
        bound = np.partition(maxima, groups - k)[groups - k]
    else:
        bound = 0.0
    kept = np.flatnonzero((scores >= bound) & (scores > 0))
    order = kept[np.argsort(-scores[kept], kind="stable")[:k]]
    return list(zip(order.tolist(), scores[order].tolist(), strict=True))


# --- the peers --------------------------------------------------------------------------


def rank_bm25(cell: Cell) -> list[Ranking]:
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([words(text) for text in chunk_texts(cell)])
    return [best(index.get_scores(query), cell.k) for query in cell.queries]


def rank_bm25_rs(cell: Cell) -> list[Ranking]:
    from rank_bm25_rs import BM25Okapi

    index = BM25Okapi([words(text) for text in chunk_texts(cell)])
    return [best(index.get_scores(query), cell.k) for query in cell.queries]


def bm25s(cell: Cell) -> list[Ranking]:
    import bm25s as library

    index = library.BM25(method="robertson", backend="numba")
    index.index([words(text) for text in chunk_texts(cell)], show_progress=False)
    found = index.retrieve(cell.queries, k=cell.k, n_threads=1, show_progress=False)
    pairs = zip(found.documents.tolist(), found.scores.tolist(), strict=True)
    return [list(zip(chunks, scores, strict=True)) for chunks, scores in pairs]


def tantivy(cell: Cell) -> list[Ranking]:
    import tantivy as library

    builder = library.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="words", index_option="freq")
    schema = builder.build()
    index = library.Index(schema)
    simple = library.TextAnalyzerBuilder(library.Tokenizer.simple())
    index.register_tokenizer("words", simple.filter(library.Filter.lowercase()).build())
    # One thread and room for everything: one segment, whose documents keep their numbers.
    writer = index.writer(heap_size=1_000_000_000, num_threads=1)
    for text in chunk_texts(cell):
        document = library.Document()
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    index.reload()
    searcher = index.searcher()
    found = []
    for query in cell.queries:
        terms = [library.Query.term_query(schema, "text", term, "freq") for term in query]
        should = [(library.Occur.Should, term) for term in terms]
        result = searcher.search(library.Query.boolean_query(should), cell.k, count=False)
        found.append([(address.doc, score) for score, address in result.hits])
    return found


def scikit_learn(cell: Cell) -> list[Ranking]:
    """BM25 as a sparse product, with the idf as defined and no floor below it."""
    from scipy import sparse
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(token_pattern=r"\w+", dtype=np.float64)
    counts = vectorizer.fit_transform(chunk_texts(cell)).tocsr()
    total = counts.shape[0]
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.maximum(np.log((total - df + 0.5) / (df + 0.5)), 0.0)
    norm = 1.5 * (0.25 + 0.75 * lengths / lengths.mean())
    row_norm = np.repeat(norm, np.diff(counts.indptr))
    weights = idf[counts.indices] * counts.data * 2.5 / (counts.data + row_norm)
    weighted = sparse.csr_matrix((weights, counts.indices, counts.indptr), counts.shape)
    asked = vectorizer.transform([" ".join(query) for query in cell.queries])
    scores = (asked @ weighted.T.tocsr()).tocsr()
    found = []
    for begin, end in zip(scores.indptr, scores.indptr[1:], strict=False):
        chunks, values = scores.indices[begin:end], scores.data[begin:end]
        kept = np.arange(len(values))
        if len(values) > cell.k:
            kept = np.flatnonzero(values >= np.partition(values, -cell.k)[-cell.k])
        order = kept[np.lexsort((chunks[kept], -values[kept]))][: cell.k]
        found.append(list(zip(chunks[order].tolist(), values[order].tolist(), strict=True)))
    return found


PEERS = (
    Peer("rank-bm25", rank_bm25, True, "the reference"),
    Peer("rank-bm25-rs", rank_bm25_rs, True, "the same scores, from Rust"),
    Peer("bm25s", bm25s, False, "robertson, float32, numba"),
    Peer("tantivy", tantivy, False, "Lucene's formula; cuts the text into terms in Rust"),
    Peer("scikit-learn", scikit_learn, False, "CountVectorizer and a scipy product"),
)
