"""The README's terminal sessions: every command that it shows writes what it shows."""

import re
import shlex
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from overlapkit.cli import main

README = Path(__file__).resolve().parents[2] / "README.md"
PREFIX = "$ python -m overlapkit "


def blocks() -> list[str]:
    """Return the console blocks of the page."""
    page = README.read_text("utf-8")
    return re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def test_the_page_shows_a_terminal() -> None:
    """Without a block the test below would pass by running nothing."""
    assert blocks()
    assert README.read_text("utf-8").count("```console") == len(blocks())


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.split()[4])
def test_an_example_of_the_page_runs(
    block: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And writes what the page says, where it says anything."""
    monkeypatch.setenv("OVERLAPKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    prompt, expected = block.split("\n", maxsplit=1)
    assert prompt.startswith(PREFIX)
    code = main(shlex.split(prompt.removeprefix(PREFIX)))
    written = capsys.readouterr().out
    assert code == 0
    assert not expected or OutputChecker().check_output(expected, written, ELLIPSIS), written
