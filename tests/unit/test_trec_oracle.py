"""trec_eval, through pytrec-eval-terrier, finds the same hits, ranks and recall as we do."""

import numpy as np
import pytest
import pytrec_eval

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import Evidence, Query, QuerySet, heading_queries
from overlapkit.report import trec_qrels, trec_run
from overlapkit.retrieve import RunSpec, TopK
from overlapkit.samples import SAMPLES

K = 5


def judged(engine, spec, measures):
    """Return our evaluation and trec_eval's value per query of each measure."""
    found = evaluate_with(engine, spec, RunSpec(terms="word", cutoff=TopK(K)), tokens=False)
    qrels = pytrec_eval.parse_qrel(trec_qrels(found, engine).splitlines(keepends=True))
    run = pytrec_eval.parse_run(trec_run(found, engine).splitlines(keepends=True))
    measured = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    # trec_eval leaves out a query without a result; here it counts 0.
    columns = {
        name: [measured.get(query, {}).get(name, 0.0) for query in qrels]
        for name in (name.replace(".", "_") for name in measures)
    }
    return found, columns


@pytest.mark.parametrize("spec", [ChunkSpec(size=400, overlap=0), ChunkSpec(size=300, overlap=120)])
@pytest.mark.parametrize("asked", ["headings", "own"])
def test_hits_and_reciprocal_ranks_are_those_of_trec_eval(asked, spec):
    """Every chunk that is a lenient hit is relevant; the best five are handed in."""
    corpus, own = SAMPLES["clauses"].load()
    queries = own if asked == "own" else heading_queries(corpus)
    engine = prepare(corpus, queries, "word")
    found, theirs = judged(engine, spec, {"success.5", "success.1", "recip_rank"})
    assert len(theirs["recip_rank"]) == len(queries)
    for ours, name in (
        ("lenient_hit@5", "success_5"),
        ("lenient_hit@1", "success_1"),
        ("lenient_mrr@5", "recip_rank"),
    ):
        assert found.per_query[ours] == pytest.approx(theirs[name], abs=1e-7), ours
    assert 0 < found.values["lenient_hit@1"] < found.values["lenient_hit@5"]


def test_recall_is_that_of_trec_eval_where_evidence_is_whole_chunks():
    """With chunks of one length that are evidence as a whole, characters count like chunks."""
    rng = np.random.default_rng(4)
    words = [f"w{number:03d}" for number in range(60)]
    texts = [" ".join(rng.choice(words, 20)) for _ in range(30)]
    corpus = corpus_of((f"{number:02d}.txt", text) for number, text in enumerate(texts))
    size = len(texts[0])
    queries = [
        Query(
            f"q{number}", " ".join(rng.choice(words, 4)),
            tuple(Evidence(f"{d:02d}.txt", 0, size) for d in rng.choice(30, 1 + number % 7, False)),
            need="all",
        )
        for number in range(40)
    ]  # fmt: skip
    engine = prepare(corpus, QuerySet(tuple(queries), "minimal"), "word")
    found, theirs = judged(engine, ChunkSpec(size=size, overlap=0), {"recall.5"})
    assert found.per_query["recall@5"] == pytest.approx(theirs["recall_5"], abs=1e-7)
    assert 0 < found.values["recall@5"] < 1
