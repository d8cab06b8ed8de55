"""What a setting costs, by hand."""

import pytest

from overlapkit.cost import COSTS, Prices
from overlapkit.errors import SettingsError

VALUES = {"chunks": 1024, "index_chars": 500_000, "index_tokens": 125_000}


@pytest.mark.parametrize(
    ("name", "prices", "cost"),
    [
        ("index_chars", Prices(), 500_000),
        ("chunks", Prices(), 1024),
        ("storage", Prices(), 6.0),  # 1024 vectors of 1536 numbers of 4 bytes
        ("storage", Prices(dimension=1024, bytes_per_number=1), 1.0),
        ("price", Prices(), 0.0025),  # an eighth of a million tokens at 0.02
        ("price", Prices(per_million_tokens=0.0), 0.0),
    ],
)
def test_each_cost_is_its_formula(name, prices, cost):
    """Vectors, storage in MiB, and tokens times price."""
    assert COSTS[name].compute(VALUES, prices) == pytest.approx(cost)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimension": 0},
        {"bytes_per_number": 0},
        {"per_million_tokens": -0.01},
        {"per_million_tokens": float("nan")},
    ],
)
def test_impossible_prices_are_errors(wrong):
    """Neither a vector without numbers nor a negative price is taken."""
    with pytest.raises(SettingsError, match="must be at least"):
        Prices(**wrong)
