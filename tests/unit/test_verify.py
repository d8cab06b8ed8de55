"""rank-bm25 beside our engine."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.engine import Engine, prepare
from overlapkit.errors import SettingsError
from overlapkit.queries import Evidence, Query, QuerySet, planted_contract
from overlapkit.retrieve import Ranked
from overlapkit.verify import verify

SPEC = ChunkSpec.percent(80, 25, unit="word")


@pytest.fixture(scope="module")
def planted() -> Engine:
    """Return the planted contract, prepared."""
    return prepare(*planted_contract())


def small(text: str, *questions: str) -> Engine:
    """Return one document with some questions on its first character."""
    corpus = corpus_of([("a.txt", text)])
    evidence = (Evidence("a.txt", 0, 1),)
    queries = (Query(str(i), question, evidence) for i, question in enumerate(questions))
    return prepare(corpus, QuerySet(tuple(queries), "minimal"))


def test_the_engine_equals_rank_bm25(planted: Engine) -> None:
    """Chunks, order and scores are the same to the bit."""
    found = verify(planted, SPEC, 4)
    assert found.same
    assert (found.chunks, found.queries, found.k, found.terms) == (96, 12, 4, "word")
    assert (found.differing, found.largest_difference) == (0, 0.0)
    assert found.our_seconds > 0
    assert found.their_seconds > 0


def test_repeated_terms_ties_and_cut_words_are_the_same() -> None:
    """Repeats in a question count, equal chunks stand in their order, words may be cut."""
    engine = small("key door key lamp key door " * 20, "key key door", "la", "KEY", "...", "x")
    for size in (5, 7, 12, 40):
        assert verify(engine, ChunkSpec(size=size, overlap=size // 3), 7).same


def test_documents_without_terms_compare_equal() -> None:
    """rank-bm25 would divide by zero; there is nothing to rank either way."""
    assert verify(small(" ", "key"), ChunkSpec(size=5, overlap=0)).same
    assert verify(small("... !", "key"), ChunkSpec(size=5, overlap=0)).same


def change_ranked(monkeypatch: pytest.MonkeyPatch, **change: Any) -> None:
    """Let the engine return other results than it found."""
    rank = Engine.rank

    def other(self: Engine, chunks: ChunkSet, *rest: Any) -> Ranked:
        ranked = rank(self, chunks, *rest)
        return replace(ranked, **{name: f(ranked) for name, f in change.items()})

    monkeypatch.setattr(Engine, "rank", other)


def test_another_order_is_a_difference(planted: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two results of one question change places: one question differs, by its scores too."""

    def swap(ranked: Ranked) -> Any:
        chunk = ranked.chunk.copy()
        chunk[[0, 3]] = chunk[[3, 0]]
        return chunk

    change_ranked(monkeypatch, chunk=swap)
    found = verify(planted, SPEC, 4)
    assert not found.same
    assert found.differing == 1
    assert found.largest_difference > 0


def test_another_last_bit_of_a_score_is_a_difference(
    planted: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chunks agree, the scores do not quite."""
    change_ranked(monkeypatch, score=lambda ranked: np.nextafter(ranked.score, np.inf))
    found = verify(planted, SPEC, 4)
    assert not found.same
    assert found.differing == 0
    assert 0 < found.largest_difference < 1e-12


def test_progress_is_told_after_each_question(planted: Engine) -> None:
    """The counts run to the number of questions."""
    told: list[tuple[int, int]] = []
    verify(planted, SPEC, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 12) for done in range(1, 13)]


def test_cancelling_ends_with_the_questions_so_far(planted: Engine) -> None:
    """What was compared until then is reported."""
    answers = iter([False, False, True])
    found = verify(planted, SPEC, cancelled=lambda: next(answers))
    assert found.queries == 3
    assert found.same


def test_a_limit_takes_the_first_questions(planted: Engine) -> None:
    """A limit above the number of questions takes them all."""
    assert verify(planted, SPEC, limit=5).queries == 5
    assert verify(planted, SPEC, limit=50).queries == 12


def test_a_wrong_k_is_refused(planted: Engine) -> None:
    """The rule is that of a cut-off."""
    with pytest.raises(SettingsError, match=r"k must be a whole number in 1\.\.1000; got 0"):
        verify(planted, SPEC, 0)
