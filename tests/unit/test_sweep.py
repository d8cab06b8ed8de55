"""Many settings on one corpus: the grid, its order, its table, cancel and cache."""

import math
import sys

import numpy as np
import pytest

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.errors import SettingsError
from overlapkit.evaluate import evaluate_with
from overlapkit.queries import planted_contract
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.sweep import default_specs, rising_overlaps, sweep, sweep_with

SPECS = [ChunkSpec.percent(size, pct, unit="word") for size in (80, 40) for pct in (50, 0)]
RUN = RunSpec("count", "word", TopK(4))


@pytest.fixture(scope="module")
def engine():
    """Return the planted contract, read once."""
    return prepare(*planted_contract(), "word")


# --- the grid -------------------------------------------------------------------------


def test_the_default_grid_has_nine_sizes_by_nine_overlaps():
    """Sizes rise from 200 to 2,000, overlaps from 0 to 50%."""
    specs = default_specs()
    assert len(set(specs)) == 81
    assert specs[0] == ChunkSpec(size=200, overlap=0)
    assert specs[-1] == ChunkSpec(size=2000, overlap=1000)


@pytest.mark.parametrize(
    ("unit", "sizes"),
    [
        ("char", [200, 300, 400, 600, 800, 1000, 1200, 1600, 2000]),
        ("word", [30, 50, 70, 100, 130, 170, 200, 270, 330]),
        ("token", [50, 80, 100, 150, 200, 250, 300, 400, 500]),
    ],
)
def test_the_grid_is_scaled_to_its_unit(unit, sizes):
    """A word stands for six characters, a token for four, rounded to tens."""
    specs = default_specs(unit)
    assert [spec.size for spec in specs[::9]] == sizes
    assert {spec.unit for spec in specs} == {unit}


def test_the_grid_keeps_the_encoding():
    """Token windows are cut by the vocabulary asked for."""
    assert {spec.encoding for spec in default_specs("token", "o200k_base")} == {"o200k_base"}


def test_a_grid_of_an_unknown_unit_is_an_error():
    """The message lists the units."""
    with pytest.raises(SettingsError, match="unit must be one of char, word, token; got 'line'"):
        default_specs("line")


# --- rows -----------------------------------------------------------------------------


def test_rows_stand_in_the_order_asked_for(engine):
    """Every spec has its row, with what a single evaluation gives."""
    found = sweep_with(engine, SPECS, RUN)
    assert [row.spec for row in found.rows] == SPECS
    for row in found.rows:
        single = evaluate_with(engine, row.spec, RUN)
        assert dict(row.values) == dict(single.values)
        assert all(np.array_equal(row.per_query[name], c) for name, c in single.per_query.items())


def test_equal_specs_are_evaluated_once(engine):
    """A spec that comes twice, also as a percentage, is one row."""
    specs = [ChunkSpec(unit="word", size=80, overlap=40), *SPECS, SPECS[0]]
    assert len(sweep_with(engine, specs, RUN).rows) == 4


def test_rows_by_spec_size_and_overlap(engine):
    """Rows are found by spec, sizes and overlaps rise whatever the order asked for."""
    found = sweep_with(engine, SPECS, RUN)
    assert found.row(SPECS[2]) is found.rows[2]
    assert found.row(ChunkSpec(size=1, overlap=0)) is None
    assert found.sizes() == (40, 80)
    assert [row.spec.overlap for row in found.at_size(80)] == [0, 40]
    grouped = [
        (size, [row.spec.overlap for row in rows]) for size, rows in rising_overlaps(found.rows)
    ]
    assert grouped == [(40, [0, 20]), (80, [0, 40])]


def test_a_sweep_of_a_corpus_equals_one_of_its_engine(engine):
    """The short way in from Python reads the corpus itself."""
    found = sweep(*planted_contract(), SPECS, RUN)
    assert found.terms.name == engine.terms.name
    assert [dict(row.values) for row in found.rows] == [
        dict(row.values) for row in sweep_with(engine, SPECS, RUN).rows
    ]


def test_further_cut_offs_add_columns(engine):
    """Every metric stands at each cut-off."""
    (row,) = sweep_with(engine, SPECS[:1], RUN, also=(Budget(500),)).rows
    assert {"complete@4", "complete@500c"} <= set(row.values)


# --- progress and cancel --------------------------------------------------------------


def test_each_row_is_reported_when_it_is_there(engine):
    """The rows reported are those returned, in order."""
    seen = []
    found = sweep_with(engine, SPECS, RUN, on_row=seen.append)
    assert seen == list(found.rows)


def test_a_cancelled_sweep_returns_the_rows_so_far(engine):
    """Cancel is asked before each setting."""
    seen = []
    found = sweep_with(engine, SPECS, RUN, on_row=seen.append, cancelled=lambda: len(seen) == 2)
    assert [row.spec for row in found.rows] == SPECS[:2]
    assert sweep_with(engine, SPECS, RUN, cancelled=lambda: True).rows == ()


# --- the table ------------------------------------------------------------------------


def test_the_table_begins_with_the_setting_and_its_cost(engine):
    """One line per setting; leading columns stand in the order in which people read them."""
    frame = sweep_with(engine, SPECS, RUN).to_frame()
    assert list(frame.columns[:9]) == [
        "chunker", "unit", "size", "overlap", "overlap_pct",
        "chunks", "index_chars", "index_x", "queries",
    ]  # fmt: skip
    assert frame["overlap"].tolist() == [40, 0, 20, 0]
    assert frame["overlap_pct"].tolist() == [50, 0, 50, 0]
    assert frame["complete@4"].tolist()[:2] == [1, 0]
    assert not frame.columns.duplicated().any()


def test_the_table_of_no_rows_is_empty(engine):
    """A cancelled sweep can be shown."""
    assert sweep_with(engine, [], RUN).to_frame().empty


# --- cache ----------------------------------------------------------------------------


def test_a_cached_row_equals_a_computed_one(engine, tmp_path):
    """What comes from the disk is what was put there, missing values included."""
    cache = ResultCache.open(tmp_path)
    computed, stored = (sweep_with(engine, SPECS, RUN, cache=cache).rows for _ in range(2))
    plain = sweep_with(engine, SPECS, RUN).rows
    for one, other, third in zip(computed, stored, plain, strict=True):
        for name, value in third.values.items():
            assert one.values[name] == other.values[name] == value or math.isnan(value)
        for name, column in third.per_query.items():
            assert np.array_equal(other.per_query[name], column, equal_nan=True)
            assert other.per_query[name].dtype == column.dtype
    cache.close()


def test_a_cached_row_is_not_computed_again(engine, tmp_path, monkeypatch):
    """The second sweep asks the cache alone; another run spec does not find it there."""
    cache = ResultCache.open(tmp_path)
    sweep_with(engine, SPECS[:1], RUN, cache=cache)
    monkeypatch.setattr(sys.modules[sweep.__module__], "evaluate_with", None)
    assert len(sweep_with(engine, SPECS[:1], RUN, cache=cache).rows) == 1
    with pytest.raises(TypeError):
        sweep_with(engine, SPECS[:1], RunSpec("count", "word", TopK(5)), cache=cache)
    cache.close()
