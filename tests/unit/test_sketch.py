"""Small pictures say what the words beside them say."""

from xml.etree import ElementTree

import numpy as np

from overlapkit.chunkers import ChunkSpec
from overlapkit.decide import Verdict, cluster_queries, verdict
from overlapkit.engine import prepare
from overlapkit.evaluate import evaluate_with
from overlapkit.levers import LEVERS, ablate
from overlapkit.queries import planted_contract
from overlapkit.retrieve import RunSpec, TopK
from overlapkit.sketch.levers import levers_svg
from overlapkit.sketch.verdict import verdict_svg
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row

METRIC = "complete@5"
QUESTIONS = 200


def found_with(*hits: int) -> Verdict:
    """Return the verdict over overlaps of 0, 10, 20 … of 100, each with so many hits of 200."""
    rows = []
    for step, count in enumerate(hits):
        column = np.repeat([1.0, 0.0], [count, QUESTIONS - count])
        values = {METRIC: count / QUESTIONS, "chunks": 10 + step, "index_chars": 1000 + step}
        rows.append(Row(ChunkSpec(size=100, overlap=10 * step), values, {METRIC: column}))
    return verdict(rows, METRIC, clusters_of([()] * QUESTIONS))


def parts(found: Verdict) -> tuple[ElementTree.Element, list[str]]:
    """Return the drawing and the words in it."""
    drawing = ElementTree.fromstring(verdict_svg(found, METRIC))
    return drawing, [node.text or "" for node in drawing.iter("text")]


def test_the_choice_is_ringed_and_named():
    """10% finds what 20% finds: its ring stands at half of the width, at the top."""
    drawing, words = parts(found_with(100, 150, 150))
    (ring,) = [node for node in drawing.iter("circle") if node.get("r") == "8"]
    assert (float(ring.get("cx", "")), float(ring.get("cy", ""))) == ((56 + 306) / 2, 30)
    assert {"0%", "10%", "20%", "50.0%", "75.0%"} <= set(words)


def test_every_overlap_has_the_mark_of_its_standing():
    """One falls behind, two keep up; the legend adds one mark of each kind."""
    found = found_with(100, 150, 150)
    drawing, _ = parts(found)
    assert [one.standing for one in found.held] == ["falls behind", "keeps up", "keeps up"]
    dots = [node for node in drawing.iter("circle") if node.get("r") == "3.5"]
    assert len(list(drawing.iter("path"))) == 1 + 1
    assert [node.get("fill") for node in dots].count("currentColor") == 2 + 1
    assert [node.get("fill") for node in dots].count("none") == 0 + 1


def test_its_name_says_all_that_is_drawn():
    """Who cannot see it hears each overlap with its rate and its standing."""
    drawing, _ = parts(found_with(100, 150))
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == (
        "Complete evidence, top 5, by overlap. 0%: 50.0% (falls behind), 10%: 75.0% (keeps up)."
    )


def test_rates_that_are_all_alike_lie_on_one_line():
    """No division by nothing: the marks stand in the middle, and the rate is named once."""
    drawing, words = parts(found_with(120, 120, 120))
    (line,) = drawing.iter("polyline")
    assert line.get("points") == "56.0,68.0 181.0,68.0 306.0,68.0"
    assert words.count("60.0%") == 1


def test_each_lever_has_a_row_with_what_overlap_buys_under_it():
    """A name, a line from end to end of the interval and a point, on one scale with 0."""
    corpus, queries = planted_contract()
    engine = prepare(corpus, queries, "word")
    run = RunSpec("count", "word", TopK(4))
    pair = [evaluate_with(engine, ChunkSpec(unit="word", size=80, overlap=o), run) for o in (0, 20)]
    found = ablate(engine, *pair, cluster_queries(corpus, queries))
    drawing = ElementTree.fromstring(levers_svg(found))
    said = [node.text for node in drawing.iter("text")]
    assert said[1 : 1 + len(LEVERS)] == [lever.label for lever in LEVERS.values()]
    assert len(list(drawing.iter("circle"))) == len(LEVERS)
    assert "As retrieved +1.000" in drawing.attrib["aria-label"]  # every fact is repaired
    assert said[-1] == "+100 points"
