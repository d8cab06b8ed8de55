"""Plain, slow ways to get what the engine computes: the oracles of the property tests."""

import re

from rank_bm25 import BM25Okapi

from overlapkit.corpus import Corpus
from overlapkit.terms import TERM_FUNCTIONS

SPAN = tuple[int, int, int]


def windows(texts: list[str], size: int, overlap: int) -> list[SPAN]:
    """Return (document, start, end) of character windows, found by stepping."""
    spans = []
    for number, text in enumerate(texts):
        start = 0
        while text.strip():
            spans.append((number, start, min(start + size, len(text))))
            if start + size >= len(text):
                break
            start += size - overlap
    return spans


def okapi_results(
    corpus: Corpus, spans: list[SPAN], query: str, terms: str, k: int
) -> list[tuple[int, float]]:
    """Return (chunk, score) of the k best chunks by rank-bm25 over each chunk's own terms."""
    terms_of = TERM_FUNCTIONS[terms].terms
    read = [terms_of(corpus.documents[d].text[start:end]) for d, start, end in spans]
    asked = terms_of(query)
    if not any(read):  # rank-bm25 divides by zero
        return []
    scores = BM25Okapi(read).get_scores(asked)
    shared = [i for i, words in enumerate(read) if set(words) & set(asked)]
    best = sorted(shared, key=lambda i: (-scores[i], i))[:k]
    return [(i, float(scores[i])) for i in best]


def words(text: str) -> list[str]:
    r"""Return lower-cased \w+, written down once more, apart from the package."""
    return re.findall(r"\w+", text.lower())
