"""The page of a record in a browser: it loads nothing, says nothing wrong, and fits a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from overlapkit.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WORDS = "--unit word --sizes 80 --ranking count --k 4 --overlaps 0%,25%,50%,75%"
DECIDE = f"decide --sample planted {WORDS} --current 80/75% --gate"
# One with all that a page can hold, one in which nothing passes, one that keeps what there is.
PAGES = {
    "chosen": ["complete >= 95%", "--gate", "complete >= baseline - 40% at bound",
               "--gate", "chunks <= 200"],
    "none": ["chunks <= 10", "--gate", "complete >= 95%"],
    "keep": ["chunks >= 200"],
}  # fmt: skip
LONG = "A_name_that_goes_on_and_on_" * 8 + "<b>.txt"


def written(name: str, folder: Path) -> list[str]:
    """Return the command line of a page; of long names it reads files."""
    if name != "long":
        return [*DECIDE.split(), *PAGES[name]]
    for number in range(8):
        said = [
            f"The door of room{number}x{at} leads past clock{at}z{number} to hall{number}y{at}."
            for at in range(4 * number + 4)
        ]
        (folder / f"{number}{LONG}").write_text("\n\n".join(said))
    files = sorted(map(str, folder.iterdir()))
    sizes = ["--sizes", "60,120,2000", "--budget", "2000", "--overlaps", "0%,10%,50%"]
    gates = ["--gate", "price <= 0.00000001", "--gate", "recall >= 99.9% at bound critical"]
    return ["decide", *files, "--queries", "probes", *sizes, *gates]


class Opened(NamedTuple):
    """A page, and what it asked for and complained of."""

    page: "Page"
    told: list[str]


@pytest.fixture(scope="module", params=[*PAGES, "long"])
def opened(
    request: pytest.FixtureRequest, chromium: "Browser", tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    """Open a record's page from its file."""
    file: Path = tmp_path_factory.mktemp("record") / "record.html"
    line = written(request.param, tmp_path_factory.mktemp("docs"))
    code = main([*line, "--no-cache", "--html", str(file)])
    assert code == (1 if request.param in ("none", "long") else 0)
    context = chromium.new_context()
    page = context.new_page()
    told: list[str] = []
    page.on("request", lambda asked: told.append(asked.url))
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.goto(file.as_uri())
    assert told.pop(0) == file.as_uri()
    yield Opened(page, told)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 768, 390])
def test_the_page_fits_and_breaks_no_accessibility_rule(
    opened: Opened, width: int, theme: Any
) -> None:
    """Nothing scrolls sideways, axe-core finds nothing, nothing is fetched or complained of."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = axe.Axe().run(page).response["violations"]
    broken = [(rule["id"], [node["html"][:160] for node in rule["nodes"]][:3]) for rule in found]
    assert broken == []
    assert opened.told == []


def test_the_page_follows_the_theme_and_prints_on_white(opened: Opened) -> None:
    """Whatever the theme, paper is white and its words are dark."""
    page = opened.page

    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.emulate_media(media="screen", color_scheme="dark")
    assert paper() == "rgb(16, 21, 29)"
    page.emulate_media(media="print", color_scheme="dark")
    assert paper() == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", color_scheme="light")
    assert paper() == "rgb(255, 255, 255)"


def test_the_policy_keeps_a_script_from_running(opened: Opened) -> None:
    """Should one ever get into the page."""
    page = opened.page
    added = """() => {
        const script = document.createElement('script');
        script.textContent = 'document.title = "run"';
        document.body.append(script); script.remove();
        return document.title;
    }"""
    assert page.evaluate(added) != "run"
    opened.told.clear()  # the browser complains of it, as it should
