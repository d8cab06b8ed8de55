"""Nine golden files over six corpora at 16 settings, against a plain rank-bm25 harness.

What chunking alone decides is met at every printed digit; what was retrieved within 0.01.
Three differences of definition are known, and each is shown to be the whole difference:

- the harness kept chunks of score 0 as results, which fills the lists of the questions
  that share no term with any chunk (``xquad_zh`` by words: 352 of 400 questions);
- its recall adds up spans that overlap each other (``policyqa``), ours their union;
- its CJK terms are not normalized, so full-width digits and letters stay themselves.
"""

import json
import re

import numpy as np
import pytest

from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.evaluate.ceiling import precision_omega
from overlapkit.evaluate.evaluation import judge
from overlapkit.evaluate.results import cut_off
from overlapkit.queries import load_golden
from overlapkit.retrieve import Ranked, RunSpec, TopK
from overlapkit.terms import TERM_FUNCTIONS, TermFunction
from tests.golden.reference import read_corpus, read_rows, with_need

pytestmark = pytest.mark.shared

SETS = [
    ("tatqa", "golden", "word"),
    ("tatqa", "golden_header_row", "word"),
    ("xquad_de", "golden", "word"),
    ("xquad_de", "golden_sentence", "word"),
    ("xquad_zh", "golden", "word"),
    ("xquad_zh", "golden", "cjk"),
    ("xquad_zh", "golden_sentence", "cjk"),
    ("hotpot100", "golden", "word"),
    ("policyqa", "golden", "word"),
    ("chroma", "golden", "word"),
]
TERMS = {"word": "word", "cjk": "cjk-char"}
GRID = [(size, pct) for size in (200, 400, 800, 1200) for pct in (0, 10, 20, 40)]


@pytest.fixture(scope="module", params=SETS, ids="-".join)
def prepared(request, shared):
    """Return a set's name, its rows by cell, and its engines with need any and all."""
    return read_set(shared, *request.param)


def read_set(shared, dataset, golden, tokenizer):
    """Return (name, rows by cell, engines by need) of a golden file."""
    name = (dataset, golden, tokenizer)
    rows = {
        (int(row["size"]), int(row["overlap_pct"])): row
        for row in read_rows(shared / "data" / "baseline.csv")
        if (row["dataset"], row["golden"], row["tokenizer"]) == name
    }
    corpus = read_corpus(shared / "data" / dataset)
    queries = load_golden(shared / "data" / dataset / f"{golden}.jsonl", corpus)
    engines = {
        need: prepare(corpus, with_need(queries, need), TERMS[tokenizer]) for need in ("any", "all")
    }
    return name, rows, engines


def test_chunks_ceilings_and_rates_are_the_harness_s(prepared):
    """Every cell of the grid agrees, as closely as the module says."""
    name, rows, engines = prepared
    assert sorted(rows) == GRID
    for cell, row in rows.items():
        spec = ChunkSpec.percent(*cell)
        one, every = (
            evaluate_with(engines[need], spec, RunSpec(), tokens=False).values
            for need in ("any", "all")
        )
        exact = {
            "chunks": one["chunks"],
            "index_x": round(one["index_x"], 3),
            "queries": one["queries"],
            "span_ceiling": round(one["containment"], 4),
            "query_ceiling_any": round(one["query_containment"], 4),
            "query_ceiling_all": round(every["query_containment"], 4),
        }
        assert exact == {column: float(row[column]) for column in exact}, cell
        if name == ("xquad_zh", "golden", "word"):
            continue  # most questions share no term: see the padded lists below
        near = {
            "complete_any_at5": one["complete@5"],
            "complete_all_at5": every["complete@5"],
            "char_recall_at5": every["recall@5"],
            "distinct_docs_at5": one["distinct_docs@5"],
        }
        assert near == pytest.approx({c: float(row[c]) for c in near}, abs=0.01), cell


def test_zero_scores_explain_chinese_by_words(shared):
    """With lists filled up by chunks of score 0, the harness's figures come out."""
    _, rows, engines = read_set(shared, "xquad_zh", "golden", "word")
    engine = engines["any"]
    for cell, row in rows.items():
        chunks = engine.chunk(ChunkSpec.percent(*cell))
        ranked = engine.rank(chunks, engine.index(chunks), "okapi", (TopK(5),))
        filled = filled_up(ranked, 5)
        found = judge(cut_off(engine, chunks, filled, TopK(5)), "5")
        assert int((np.diff(ranked.first) == 0).sum()) == int(row["zero_score_queries"])
        assert round(found["complete@5"].mean(), 4) == float(row["complete_any_at5"])
        assert round(found["recall@5"].mean(), 4) == float(row["char_recall_at5"])
        assert round(found["repeated_chars@5"].mean(), 4) == float(row["redundant_share_at5"])
        documents = found["distinct_docs@5"].mean()
        assert documents == pytest.approx(float(row["distinct_docs_at5"]), abs=0.00051)


def filled_up(ranked, k):
    """Return the lists with the first chunks of the corpus put behind those too short."""
    chunk = []
    for query in range(len(ranked.first) - 1):
        own = ranked.chunk[ranked.first[query] : ranked.first[query + 1]].tolist()
        others = (number for number in range(2 * k) if number not in own)
        chunk.append([*own, *others][:k])
    flat = np.array(chunk).ravel()
    return Ranked(np.arange(len(chunk) + 1) * k, flat, np.zeros(len(flat)))


def test_overlapping_spans_explain_recall_on_policies(shared):
    """Recall summed over spans instead of their union is the harness's at every digit."""
    _, rows, engines = read_set(shared, "policyqa", "golden", "word")
    engine = engines["all"]
    spans = engine.evidence.spans
    for cell, row in rows.items():
        found = evaluate_with(engine, ChunkSpec.percent(*cell), RunSpec(), tokens=False)
        held = cut_off(engine, found.chunks, found.ranked, TopK(5)).held(spans)
        recall = spans.per_query(held) / spans.per_query(spans.length)
        assert round(float(recall.mean()), 4) == float(row["char_recall_at5"])


def test_normalising_explains_chinese_by_characters(shared, monkeypatch):
    """With CJK characters split but not normalized, distinct documents are the harness's."""
    cjk = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
    pattern = re.compile(rf"{cjk}|(?:(?!{cjk})\w)+")
    plain = TermFunction(lambda text: pattern.findall(text.lower()), True, "for this test")
    monkeypatch.setitem(TERM_FUNCTIONS, "cjk-char", plain)
    _, rows, engines = read_set(shared, "xquad_zh", "golden", "cjk")
    for cell, row in rows.items():
        spec = ChunkSpec.percent(*cell)
        values = evaluate_with(engines["any"], spec, RunSpec(), tokens=False).values
        documents = float(row["distinct_docs_at5"])
        assert values["distinct_docs@5"] == pytest.approx(documents, abs=0.00051)


def test_precision_omega_of_token_windows_is_chroma_s(shared):
    """The 24 cells of token windows agree within 0.01 percentage points, mean and deviation."""
    stored = json.loads((shared / "data" / "chroma_precision_omega.json").read_text("utf-8"))
    cells = [cell for cell in stored["cells"] if cell["chunker"] == "TokenText"]
    assert len(cells) == 24
    corpus = read_corpus(shared / "data" / "chroma")
    queries = load_golden(shared / "data" / "chroma" / "golden.jsonl", corpus)
    engine = prepare(corpus, queries, "word")
    place = np.array([query.evidence[0].document.removesuffix(".md") for query in queries])
    for cell in cells:
        spec = ChunkSpec(unit="token", size=cell["size"], overlap=cell["overlap"])
        chunks = engine.chunk(spec)
        percent = 100 * precision_omega(chunks, engine.evidence)
        if cell["corpus"] != "all":
            percent = percent[place == cell["corpus"]]
            chunks = chunks.of_document(corpus.position(cell["corpus"] + ".md"))
            assert chunks.stop - chunks.start == cell["chunks"]
        else:
            assert len(chunks) == cell["chunks"]
        found = [percent.mean(), percent.std()]
        assert found == pytest.approx(cell["honest_strict"], abs=0.01)
        if cell["corpus"] == "state_of_the_union":
            assert [round(float(value), 1) for value in found] == cell["published"]
