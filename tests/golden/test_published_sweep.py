"""A published overlap sweep over FastAPI's documentation, and a rank-bm25 harness on our copy.

The article's commit is not stored, so its own figures are met within 0.02; those of the
harness are met at every printed digit.
"""

import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import heading_queries
from overlapkit.retrieve import RunSpec
from tests.golden.reference import read_corpus, read_rows

pytestmark = pytest.mark.shared

RATES = {
    "strict_hit1": "strict_hit@1",
    "strict_hit5": "strict_hit@5",
    "strict_mrr": "strict_mrr@5",
    "lenient_hit1": "lenient_hit@1",
    "lenient_hit5": "lenient_hit@5",
}
GRID = [(size, pct) for size in (200, 400, 800, 1200) for pct in (0, 10, 20, 40)]


@pytest.fixture(scope="module")
def engine(shared):
    """Return the corpus and its heading queries, read once with the terms ``auto`` takes."""
    corpus = read_corpus(shared / "data" / "fastapi_overlap")
    return prepare(corpus, heading_queries(corpus), "auto")


@pytest.fixture(scope="module")
def table(shared):
    """Return the rows of the table by (size, overlap percentage)."""
    rows = read_rows(shared / "data" / "overlap_table.csv")
    return {(int(row["size"]), int(row["overlap_pct"])): row for row in rows}


@pytest.fixture(scope="module")
def found(engine):
    """Return our values of the whole grid."""
    return {
        cell: evaluate_with(engine, ChunkSpec.percent(*cell), RunSpec(), tokens=False).values
        for cell in GRID
    }


def test_the_corpus_and_its_questions_are_the_published_ones(engine):
    """152 documents of 1,461,438 characters give 781 heading questions."""
    corpus = engine.corpus
    assert (len(corpus.documents), corpus.characters) == (152, 1_461_438)
    assert len(engine.queries) == 781


def test_auto_takes_plain_words(engine):
    """Normalising changes next to nothing in English documentation."""
    assert engine.terms.name == "word"


def test_the_table_holds_the_grid(table):
    """Sixteen cells are compared, none less."""
    assert sorted(table) == GRID


@pytest.mark.parametrize("cell", GRID)
def test_every_figure_of_the_harness_comes_out(found, table, cell):
    """Chunk counts are equal, and so are index size and rates at their printed digits."""
    row, values = table[cell], found[cell]
    assert values["chunks"] == int(row["ref_chunks"])
    assert round(values["index_x"], 3) == float(row["ref_index_x"])
    ours = {name: round(float(values[column]), 4) for name, column in RATES.items()}
    assert ours == {name: float(row[f"ref_{name}"]) for name in RATES}


@pytest.mark.parametrize("cell", GRID)
def test_every_published_rate_is_met_within_two_points(found, table, cell):
    """The article's rates differ by at most 0.02, its chunk counts by at most 15."""
    row, values = table[cell], found[cell]
    apart = {name: abs(values[RATES[name]] - float(row[f"pub_{name}"])) for name in RATES}
    assert max(apart.values()) <= 0.02, apart
    assert abs(values["chunks"] - int(row["pub_chunks"])) <= 15


@pytest.mark.parametrize("cell", GRID)
def test_every_published_index_size_is_met_within_two_points(found, table, cell):
    """Index sizes differ by at most 0.02, but for one where the article divided chunk counts."""
    published, values = float(table[cell]["pub_index_x"]), found[cell]
    if cell == (1200, 40):
        assert round(values["chunks"] / found[1200, 0]["chunks"], 2) == published
    else:
        assert abs(values["index_x"] - published) <= 0.02
