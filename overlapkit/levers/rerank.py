"""Levers that score the head of a list anew: by its words, or by a model that is plugged in."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from overlapkit.arrays import Floats
from overlapkit.errors import SettingsError
from overlapkit.levers.by_words import shares_of
from overlapkit.levers.lists import POOL, DeepLists, Handed, check_pool, relevance, reorder
from overlapkit.levers.model import Lever, Setting
from overlapkit.retrieve import Ranked

# A question and the texts of its chunks, best first, to one score per text: higher is better.
Reranker: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]


def rerank(pool: int = POOL) -> Lever:
    """Return the lever that orders the first ``pool`` chunks by how the question stands in them.

    The score is the mean of four shares: phrase, coverage and nearness of its terms (see
    ``shares_of``), and the score before over the question's best (see ``relevance``).
    Terms are the engine's, of the chunk's own text. That order and nearness of terms tell
    more than counting them is Metzler & Croft's finding (SIGIR 2005) and Tao & Zhai's
    (SIGIR 2007); the equal parts are ours.

    Raises SettingsError unless the pool lies in 1..1000.
    """
    check_pool(pool)
    return Lever(
        lambda lists: _rerank(lists, pool), "Rerank by words",
        "the first chunks stand by how much of the question they hold, in its order and close "
        "together, beside the score they had",
        "once the first chunks are reranked by their words",
        (_pool_setting(pool),),
    )  # fmt: skip


def rerank_with(reranker: Reranker, pool: int = POOL, label: str = "Rerank by a model") -> Lever:
    """Return the lever that orders the first ``pool`` chunks by a reranker's scores.

    Of equal scores the better-ranked chunk stands first. Raises SettingsError unless the
    pool lies in 1..1000 and, when applied, for scores that are not one number per text.
    """
    check_pool(pool)
    return Lever(
        lambda lists: _rerank_with(lists, reranker, pool), label,
        "the first chunks stand by the score that a given model has for each with its question",
        "once a model reranks the first chunks",
        (_pool_setting(pool),),
    )  # fmt: skip


def _pool_setting(pool: int) -> Setting:
    return Setting("pool", pool, "chunks, from the best on, that are put into another order")


def _rerank_with(lists: DeepLists, reranker: Reranker, pool: int) -> Handed:
    head, corpus = lists.head(pool), lists.engine.corpus
    score = np.full(len(head.chunk), np.nan)
    for number, query in enumerate(lists.engine.queries):
        begin = int(head.first[number])
        own = slice(begin, min(begin + pool, int(head.first[number + 1])))
        texts = [lists.chunks.text(corpus, chunk) for chunk in head.chunk[own].tolist()]
        if texts:
            score[own] = _checked(reranker(query.text, texts), len(texts), query.id)
    return reorder(lists.chunks, head, score)


def _checked(given: Sequence[float], texts: int, query: str) -> Floats:
    scores: Floats = np.asarray(given, dtype=np.float64)
    if scores.shape != (texts,) or not np.isfinite(scores).all():
        raise SettingsError(
            f"a reranker must give one finite score per text; for the {texts} texts of query "
            f"{query!r} it gave {scores.size} scores, {int(np.isfinite(scores).sum())} finite"
        )
    return scores


def _rerank(lists: DeepLists, pool: int) -> Handed:
    head = lists.head(pool)
    inside = head.rank < pool
    first = np.concatenate(([0], np.cumsum(np.minimum(np.diff(head.first), pool))))
    shares = shares_of(lists, Ranked(first, head.chunk[inside], head.score[inside]))
    score = relevance(head, pool)
    score[inside] = (shares.sum(axis=0) + score[inside]) / 4
    return reorder(lists.chunks, head, score)
