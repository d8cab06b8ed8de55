"""An environment with the libraries that recipes are written for."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import NoReturn

import pytest

LOCK = Path(__file__).parents[2] / "requirements-recipes.txt"


def unavailable(reason: str) -> NoReturn:
    """Skip for want of the libraries; fail where everything is required to run."""
    if os.environ.get("OVERLAPKIT_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def recipes_python(request: pytest.FixtureRequest) -> Path:
    """Return the interpreter of an environment that holds the lock, built once for each lock.

    OVERLAPKIT_RECIPES_VENV names a ready environment to take instead.
    """
    ready = os.environ.get("OVERLAPKIT_RECIPES_VENV")
    if ready:
        python = python_of(Path(ready))
        if not python.exists():
            unavailable(f"OVERLAPKIT_RECIPES_VENV holds no environment: {ready}")
        return python
    folder = request.config.cache.mkdir("recipes")
    digest = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:16]
    if not (folder / digest).exists():
        build(folder, digest)
    return python_of(folder / digest)


def python_of(environment: Path) -> Path:
    """Return the path of an environment's interpreter."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def build(folder: Path, name: str) -> None:
    """Install the lock beside its place and move it there, so that half of one is never used."""
    for outdated in folder.iterdir():
        if not outdated.name.startswith("building-"):
            shutil.rmtree(outdated, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="building-", dir=folder) as parent:
        environment = Path(parent) / name
        venv.create(environment)
        command = [sys.executable, "-m", "pip", "--python", str(python_of(environment))]
        command += ["install", "--quiet", "--no-deps", "--no-compile", "--requirement", str(LOCK)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            said = (errors or done.stderr.splitlines() or ["it said nothing"])[-1]
            unavailable(
                f"pip cannot install requirements-recipes.txt (is there a network?): {said}"
            )
        if not (folder / name).exists():
            environment.rename(folder / name)
