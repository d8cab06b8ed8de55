"""Results as figures: what is drawn, named and left out."""

import math

import numpy as np
import pytest

from overlapkit.charts import (
    frontier_figure,
    heat_figure,
    lines_figure,
    margin_figure,
    nearest_overlap,
)
from overlapkit.chunkers import ChunkSpec
from overlapkit.gains import next_steps
from overlapkit.stats import clusters_of
from overlapkit.sweep import Row

COLUMN = "complete@5"


def row(size: int, pct: int, rate: float, characters: int = 1000) -> Row:
    """Return a row of a hundred questions."""
    values = {
        COLUMN: rate, "index_chars": characters, "chunks": 10, "effective_overlap": 0.0,
        "queries": 100, "overlapping_slots@5": rate,
    }  # fmt: skip
    column = (np.arange(100) < 100 * rate).astype(np.float64)
    return Row(ChunkSpec.percent(size, pct), values, {COLUMN: column})


def cut_elsewhere(shared: float, rate: float = 0.5) -> Row:
    """Return uploaded chunks: ten of a hundred characters that share so many."""
    values = {COLUMN: rate, "index_chars": 1000, "chunks": 10, "effective_overlap": shared}
    return Row(ChunkSpec("your chunks", size=100, overlap=0), values, {})


GRID = [row(400, 0, 0.2), row(400, 20, 0.4), row(800, 0, 0.6), row(800, 20, math.nan)]


def test_a_heat_map_has_a_cell_for_every_setting():
    """Sizes along x, overlaps along y; a value that is not known is a dash."""
    (heat,) = heat_figure(GRID, COLUMN)["data"]
    assert (heat["x"], heat["y"]) == (["400", "800"], ["0%", "20%"])
    assert heat["text"] == [["20%", "60%"], ["40%", "–"]]


def test_what_was_cut_elsewhere_has_a_column_of_its_own():
    """It stands at the overlap nearest to its own, and nowhere else."""
    (heat,) = heat_figure(GRID, COLUMN, [cut_elsewhere(17)])["data"]
    assert heat["x"] == ["400", "800", "your chunks"]
    assert [line[2] for line in heat["text"]] == ["", "50%"]


@pytest.mark.parametrize(("shared", "nearest"), [(0, 0), (9, 0), (11, 20), (60, 50), (math.nan, 0)])
def test_the_nearest_overlap_goes_by_what_neighbours_share(shared, nearest):
    """The mean overlap against the mean length of a chunk, here 100."""
    assert nearest_overlap(cut_elsewhere(shared), [0, 20, 50]) == nearest


def test_lines_name_the_unit_of_what_they_count():
    """Rates have a percent sign on their ticks, counts a word on the axis."""
    rates = lines_figure(GRID, COLUMN, "x")["layout"]
    assert rates["yaxis"]["tickformat"] == ".0%"
    counts = lines_figure(GRID, "overlapping_slots@5", "x")["layout"]
    assert counts["yaxis"]["title"]["text"] == "results"
    assert counts["xaxis"]["title"]["text"] == "Overlap (% of size)"
    assert len(lines_figure(GRID, COLUMN, "x")["data"]) == 2


def test_the_next_percent_is_drawn_in_points_for_each_percent_of_index():
    """Twenty points for 25% more text are 0.8 points per 1%."""
    alone = clusters_of([[str(number)] for number in range(100)])
    steps = next_steps([row(400, 0, 0.2), row(400, 20, 0.4, 1250)], COLUMN, alone)
    (line,) = margin_figure({400: steps}, "margin")["data"]
    assert (line["x"], line["y"]) == ([20], [pytest.approx(0.8)])


def test_the_frontier_joins_the_efficient_settings():
    """The others are dots; each interval holds its value, and wide costs get a log axis."""
    rows = [row(400, 0, 0.2, 1000), row(400, 20, 0.4, 2000), row(800, 0, 0.3, 9000)]
    front = rows[:2]
    figure = frontier_figure(rows, front, COLUMN, lambda one: one.values["index_chars"], "cost")
    others, efficient = figure["data"]
    assert (others["x"], efficient["x"]) == ([9000], [1000, 2000])
    assert all(up > 0 for up in efficient["error_y"]["array"])
    assert all(down > 0 for down in efficient["error_y"]["arrayminus"])
    assert figure["layout"]["xaxis"] == {"title": {"text": "cost"}, "type": "log"}
