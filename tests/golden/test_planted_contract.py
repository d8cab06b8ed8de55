"""The planted contract: facts across a boundary on purpose, all figures exact.

The four rows are the published table of the planted contract: windows of 80 words, the
unweighted count of the query's terms, top 4.
"""

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import planted_contract
from overlapkit.queries.planted import TOP, WINDOW
from overlapkit.retrieve import RunSpec, TopK
from tests.golden.reference import read_rows

# pct: chunks, answers, complete evidence, distinct documents, duplicate slots, words
PUBLISHED = {
    0: (72, 12, 0, 2.0, 2.0, 320.0),
    25: (96, 12, 12, 2.0, 2.0, 320.0),
    50: (120, 12, 12, 2.0, 2.0, 320.0),
    75: (216, 12, 12, 2.0, 2.0, 320.0),
}
COLUMNS = (
    "overlap_pct", "chunks", "answer_hits", "complete_evidence", "unique_documents",
    "duplicate_slots", "retrieved_words",
)  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    """Return the contract's corpus and questions, read once."""
    return prepare(*planted_contract(), "word")


def evaluated(engine, pct):
    """Return the evaluation of one overlap under the contract's rules."""
    spec = ChunkSpec.percent(WINDOW, pct, unit="word")
    return evaluate_with(engine, spec, RunSpec("count", "word", TopK(TOP)))


@pytest.mark.parametrize("pct", PUBLISHED)
def test_every_published_figure_comes_out(engine, pct):
    """Chunks, answers, complete evidence, documents, duplicates and words are the table's."""
    found = evaluated(engine, pct)
    per_query, values = found.per_query, found.values
    assert PUBLISHED[pct] == (
        values["chunks"],
        per_query["answer@4"].sum(),
        per_query["complete@4"].sum(),
        values["distinct_docs@4"],
        values["duplicate_slots@4"],
        values["retrieved_words@4"],
    )


@pytest.mark.parametrize("pct", PUBLISHED)
def test_no_question_differs_from_another(engine, pct):
    """Every question retrieves 320 words of its target and its distractor."""
    per_query = evaluated(engine, pct).per_query
    assert np.array_equal(per_query["retrieved_words@4"], [320.0] * 12)
    assert np.array_equal(per_query["distinct_docs@4"], [2.0] * 12)


def test_the_contract_is_laid_as_described():
    """Topic, cause, bridge, answer and topic stand at words 76, 77, 79, 80 and 81 of 240."""
    corpus, queries = planted_contract()
    assert (len(corpus.documents), len(queries)) == (24, 12)
    texts = {document.name: document.text for document in corpus.documents}
    for number, role, last in ((3, "target", "answer_3"), (3, "distractor", "decoy_3")):
        words = texts[f"{role}-{number:02d}.txt"].split(" ")
        assert len(words) == 240
        assert words[76:82] == [
            "topic_3", "cause_3", f"{role}3filler78", "bridge_3", last, "topic_3",
        ]  # fmt: skip
    query = queries.queries[3]
    (span,) = query.evidence
    evidence = texts[span.document][span.start : span.end]
    assert evidence == "cause_3 target3filler78 bridge_3 answer_3"
    assert query.text == "topic_3 cause_3 answer_3"


@pytest.mark.shared
def test_the_rows_are_those_of_the_reference(shared):
    """The rows written down here are the stored table's."""
    rows = read_rows(shared / "data" / "planted_contract.csv")
    stored = {
        int(row["overlap_pct"]): tuple(float(row[name]) for name in COLUMNS[1:]) for row in rows
    }
    assert stored == PUBLISHED
