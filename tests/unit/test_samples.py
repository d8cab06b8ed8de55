"""The bundled corpora: their sizes, every evidence span, and the effect each was made for."""

import json

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import MARGIN, cluster_queries, compare
from overlapkit.engine import prepare
from overlapkit.errors import InputError
from overlapkit.retrieve import RunSpec
from overlapkit.samples import FOLDER, SAMPLES
from overlapkit.sweep import GRID_OVERLAPS, sweep_with

WRITTEN = ("handbook", "clauses", "tariff", "api")
# characters, documents, questions: at least
LEAST = {
    "handbook": (80_000, 20, 120),
    "clauses": (40_000, 10, 60),
    "tariff": (40_000, 10, 60),
    "api": (40_000, 10, 60),
}


@pytest.fixture(scope="module")
def samples():
    """Return (corpus, queries) of each written sample."""
    return {name: SAMPLES[name].load() for name in WRITTEN}


def rows_of(corpus, queries, size, percentages):
    """Return the rows of one size under the default run."""
    specs = [ChunkSpec.percent(size, pct) for pct in percentages]
    return sweep_with(prepare(corpus, queries), specs, RunSpec(), tokens=False).rows


# --- what they hold -------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITTEN)
def test_a_sample_is_large_enough(samples, name):
    """Characters, documents and questions reach what was asked for."""
    corpus, queries = samples[name]
    found = (corpus.characters, len(corpus.documents), len(queries))
    assert all(have >= least for have, least in zip(found, LEAST[name], strict=True)), found


@pytest.mark.parametrize("name", WRITTEN)
def test_every_question_can_be_scored(samples, name):
    """No row is left out, and the golden file has no other lines."""
    _, queries = samples[name]
    lines = (FOLDER / name / "golden.jsonl").read_text("utf-8").splitlines()
    assert queries.unresolved == ()
    assert len(queries) == len(lines)
    assert len({query.text for query in queries}) == len(queries)


@pytest.mark.parametrize("name", WRITTEN)
def test_every_evidence_text_is_the_stored_slice(samples, name):
    """Each span carries its text, which stands at its offsets and is not padded."""
    corpus, _ = samples[name]
    texts = {document.name: document.text for document in corpus.documents}
    for line in (FOLDER / name / "golden.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for span in row["evidence"]:
            assert texts[span["doc"]][span["start"] : span["end"]] == span["text"], row["id"]
            assert span["text"] == span["text"].strip(), row["id"]


@pytest.mark.parametrize("name", WRITTEN)
def test_every_answer_stands_in_its_evidence(samples, name):
    """An answer that the evidence does not hold could never be told from luck."""
    corpus, queries = samples[name]
    texts = {document.name: document.text for document in corpus.documents}
    for query in queries:
        spans = [texts[span.document][span.start : span.end] for span in query.evidence]
        assert query.answer is None or any(query.answer in text for text in spans), query.id


# --- what each was made to show -------------------------------------------------------


def test_overlap_repairs_contract_clauses(samples):
    """Clauses at 800 characters: 40% finds more than 0%, beyond the 95% interval."""
    corpus, queries = samples["clauses"]
    none, much = rows_of(corpus, queries, 800, (0, 40))
    found = compare(much, none, "complete@5", cluster_queries(corpus, queries))
    assert found.low > 0


def test_overlap_does_nothing_for_short_pages(samples):
    """Api at 1,000 characters: every overlap lies within the margin of 0%."""
    corpus, queries = samples["api"]
    clustering = cluster_queries(corpus, queries)
    none, *others = rows_of(corpus, queries, 1000, GRID_OVERLAPS)
    for row in others:
        found = compare(row, none, "complete@5", clustering)
        assert -MARGIN <= found.low <= found.high <= MARGIN, row.spec


@pytest.mark.parametrize("size", [400, 800])
def test_tables_are_longer_than_a_chunk(samples, size):
    """Tariff: under every overlap most misses need evidence that no chunk can hold."""
    corpus, queries = samples["tariff"]
    longest = np.array([max(span.end - span.start for span in q.evidence) for q in queries])
    shortest = np.array([min(span.end - span.start for span in q.evidence) for q in queries])
    needed = np.where([query.need == "all" for query in queries], longest, shortest)
    for row in rows_of(corpus, queries, size, GRID_OVERLAPS):
        missed = row.per_query["complete@5"] == 0
        assert 2 * np.count_nonzero(needed[missed] > size) > np.count_nonzero(missed), row.spec


# --- the others -----------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_says_what_it_is_and_loads(name):
    """Every entry has a label, a sentence, documents and questions."""
    sample = SAMPLES[name]
    corpus, queries = sample.load()
    assert sample.label
    assert sample.about
    assert corpus.documents
    assert len(queries) > 0


def test_a_sample_loads_the_same_twice():
    """Nothing is kept between loads, and nothing is drawn at random."""
    one, other = SAMPLES["clauses"].load(), SAMPLES["clauses"].load()
    assert (one[0].digest, one[1].digest) == (other[0].digest, other[1].digest)


def test_a_sample_that_is_not_installed_is_an_error(monkeypatch, tmp_path):
    """Outside a checkout the message says what to do."""
    monkeypatch.setattr("overlapkit.samples.FOLDER", tmp_path)
    with pytest.raises(InputError, match="'handbook' is not installed: run from a checkout"):
        SAMPLES["handbook"].load()
