"""Fixtures that more than one folder of tests uses."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no reason to fail.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")

SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of reference data; skip, or fail where everything is required."""
    if not (SHARED / "data").is_dir():
        reason = "the reference data is missing: put its folder `data` into ../shared"
        if os.environ.get("OVERLAPKIT_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED


@pytest.fixture(scope="session")
def cache_of_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for results that starts empty and is one for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "overlapkit-cache"
