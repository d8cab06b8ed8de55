"""Plain, slow ways to get what the engine computes: the oracles of the property tests."""

import re
from collections.abc import Iterable

from rank_bm25 import BM25Okapi

from overlapkit.corpus import Corpus
from overlapkit.retrieve import Budget, TopK
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


def unit_windows(units: list[tuple[int, int]], size: int, overlap: int) -> list[tuple[int, int]]:
    """Return windows over the unit spans of one text, those inside another left out."""
    found: list[tuple[int, int]] = []
    for first in range(0, len(units), size - overlap):
        last = min(first + size, len(units))
        found.append((units[first][0], units[last - 1][1]))
        if last == len(units):
            break
    distinct = list(dict.fromkeys(found))
    return [a for a in distinct if not any(b != a and inside(a, b) for b in distinct)]


def inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether one span lies in the other, equal ones included."""
    return other[0] <= one[0] and one[1] <= other[1]


def characters(spans: Iterable[SPAN]) -> set[tuple[int, int]]:
    """Return the (document, position) pairs of spans."""
    return {(doc, at) for doc, start, end in spans for at in range(start, end)}


def metrics(results: list[SPAN], evidence: list[SPAN], need: str) -> dict[str, float]:
    """Return one query's metrics from sets of characters; results stand best first."""
    sets = [characters([span]) for span in results]
    targets = [characters([span]) for span in evidence]
    shared = [[len(held & target) for target in targets] for held in sets]
    strict = [max(row) * 2 >= len(held) for row, held in zip(shared, sets, strict=True)]
    lenient = [
        any(n >= min(100, len(target)) for n, target in zip(row, targets, strict=True))
        for row in shared
    ]
    whole = [any(target <= held for held in sets) for target in targets]
    retrieved, wanted = set().union(*sets), set().union(*targets)
    total = sum(map(len, sets))
    union = len(retrieved & wanted)
    kept = [len(retrieved & target) / len(target) for target in targets]
    missing = len(wanted) - union
    if need == "any":
        best = max(kept)
        missing = min(
            len(target - retrieved)
            for target, share in zip(targets, kept, strict=True)
            if share == best
        )
    documents = {doc for doc, _, _ in results}
    return {
        "complete": float(all(whole) if need == "all" else any(whole)),
        "strict_hit": float(any(strict)),
        "lenient_hit": float(any(lenient)),
        "strict_mrr": 1 / (strict.index(True) + 1) if True in strict else 0.0,
        "lenient_mrr": 1 / (lenient.index(True) + 1) if True in lenient else 0.0,
        "recall": union / len(wanted) if need == "all" else max(kept),
        "precision": union / total if total else 0.0,
        "iou": union / (total + missing),
        "distinct_docs": len(documents),
        "duplicate_slots": len(results) - len(documents),
        "overlapping_slots": sum(
            any(sets[rank] & better for better in sets[:rank]) for rank in range(len(sets))
        ),
        "repeated_chars": 1 - len(retrieved) / total if total else 0.0,
        "retrieved_chars": total,
    }


def precision_omega(chunks: list[SPAN], evidence: list[SPAN]) -> float:
    """Return how pure the chunks that share a character with the evidence are."""
    wanted = characters(evidence)
    sets = [characters([chunk]) for chunk in chunks]
    touching = set().union(*(held for held in sets if held & wanted))
    return len(wanted & touching) / len(wanted | touching)


def cut(results: list[SPAN], cutoff: TopK | Budget) -> list[SPAN]:
    """Return the results up to a cut-off; a budget here counts characters."""
    if isinstance(cutoff, TopK):
        return results[: cutoff.k]
    kept, left = [], cutoff.size
    for doc, start, end in results:
        if end - start > left and cutoff.tail == "drop":
            break
        kept.append((doc, start, min(end, start + left)))
        left -= kept[-1][2] - start
        if not left:
            break
    return kept
