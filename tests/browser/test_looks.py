"""How every page looks: nothing runs over its edges, all is reached by keyboard, no gross change.

The pictures that pages are held against stand in ``looks/``, small and grey, since fonts and
renderers differ in detail. OVERLAPKIT_UPDATE_LOOKS=1 takes them anew.
"""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
LOOKS = Path(__file__).parent / "looks"
PAGES = ("", "boundaries", "trade_offs", "diagnose", "queries", "your_splitter", "decide", "corpus")
WINDOWS = ((1440, "light"), (768, "dark"), (390, "light"))
PATIENT = 60_000
OFTEN = 50  # ms between two looks; a look at every frame would keep the page from its work
WIDE = 72  # pixels of a kept picture
GROSS = 20.0  # of 255, mean difference: a block that moved or a theme that fell away


@pytest.fixture(scope="module", params=PAGES, ids=lambda path: path or "tune")
def opened(
    request: pytest.FixtureRequest,
    chromium_page_of_module: "Page",
    run_app: Callable[[Path], str],
) -> "Opened":
    """Open each page once, as the first test wants it; the tests change its window and theme."""
    page = chromium_page_of_module
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="dark")
    page.goto(
        f"{run_app(ROOT / 'app.py')}/{request.param}?corpus=planted&unit=word&size=80&overlap=40"
    )
    return Opened(request.param or "tune", page)


class Opened(NamedTuple):
    """A page and its name."""

    name: str
    page: "Page"


def settle(page: "Page", width: int, theme: Literal["light", "dark"]) -> None:
    """Give a page a window and a theme, and wait until all of it is drawn."""
    from playwright.sync_api import TimeoutError  # noqa: A004 (the driver's own)

    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.locator("h1").first.wait_for(timeout=PATIENT)
    if not any(name in page.url for name in ("corpus?", "your_splitter?", "decide?")):
        page.locator(".okr[data-phase=exact]").wait_for(timeout=PATIENT, state="attached")
    try:
        page.wait_for_function(SETTLED, arg=theme, timeout=PATIENT, polling=OFTEN)
    except TimeoutError:
        pytest.fail(f"not settled in {theme}: {page.evaluate(UNSETTLED)}", pytrace=False)


# The marks over the charts follow a change of size by themselves, a moment later.
SETTLED = """(theme) => document.querySelector('[data-test-script-state=notRunning]')
  && !document.querySelector(
    '[data-stale=true], [data-testid=stProgress], [data-testid=stSkeleton]')
  && !/Working out/.test(document.body.innerText)
  && [...document.querySelectorAll('.okr')].every((ruler) => ruler.dataset.phase === 'exact')
  && [...document.querySelectorAll('.stPlotlyChart')].every((c) => c.querySelector('.okm-layer'))
  && (getComputedStyle(document.querySelector('.stApp')).colorScheme === theme)"""


UNSETTLED = """() => JSON.stringify({
  script: document.querySelector('[data-test-script-state]')?.dataset.testScriptState,
  stale: document.querySelectorAll('[data-stale=true]').length,
  waited: document.querySelectorAll('[data-testid=stSkeleton]').length,
  progress: document.querySelectorAll('[data-testid=stProgress]').length,
  rulers: [...document.querySelectorAll('.okr')].map((ruler) => ruler.dataset.phase),
  bare: document.querySelectorAll('.stPlotlyChart:not(:has(.okm-layer))').length,
  scheme: getComputedStyle(document.querySelector('.stApp')).colorScheme,
})"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_page_breaks_an_accessibility_rule(opened, theme):
    """axe-core finds no WCAG A or AA violation on any page, in either theme."""
    from axe_playwright_python.sync_playwright import Axe

    settle(opened.page, 1440, theme)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
    found = Axe().run(
        opened.page,
        # What passes is not listed: finding a name for each of its nodes takes half the time.
        options={"runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations"]},
    )
    broken = [
        (violation["id"], [node["html"][:160] for node in violation["nodes"]][:3])
        for violation in found.response["violations"]
    ]
    assert broken == []


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
def test_a_page_keeps_within_its_edges_and_looks_as_it_did(opened, width, theme):
    """Nothing scrolls sideways, and the picture is that which is kept, but for details."""
    settle(opened.page, width, theme)
    over = opened.page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth - main.clientWidth }"
    )
    image = Image.open(io.BytesIO(opened.page.screenshot())).convert("L")
    small = image.resize((WIDE, round(WIDE * image.height / image.width)), Image.Resampling.BOX)
    assert over <= 1
    kept = LOOKS / f"{opened.name}-{width}-{theme}.png"
    if os.environ.get("OVERLAPKIT_UPDATE_LOOKS") == "1":
        LOOKS.mkdir(exist_ok=True)
        small.save(kept)
    difference = np.abs(np.asarray(small, float) - np.asarray(Image.open(kept), float)).mean()
    assert difference < GROSS


# What can be reached: every visible control that takes part in the tab order. Of a group of
# radio buttons or pills only one does; arrow keys lead to the rest.
REACHABLE = """() => [...document.querySelectorAll(
  'a[href], button, input, select, textarea, summary, [tabindex]')].filter((node) => {
    if (node.tabIndex < 0 || node.disabled || node.type === 'file') return false;
    if (node.type === 'radio' && !node.checked) return false;
    const group = node.closest('[role=toolbar], [role=radiogroup], [data-testid=stButtonGroup]');
    if (group && group.querySelector('button, [tabindex="0"]') !== node) return false;
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    return box.width > 0 && box.height > 0 && style.visibility !== 'hidden'
      && !node.closest('[inert], [aria-hidden=true]');
  }).map((node, i) => { node.dataset.stop ??= String(i); return node.dataset.stop })"""
MEET = """() => {
  window.met = [];
  document.addEventListener('focusin', ({ target }) => met.push(target.dataset?.stop ?? ''));
}"""


def test_every_control_is_reached_by_the_tab_key(opened):
    """Going on with Tab alone meets every control of the page."""
    page = opened.page
    settle(page, 1440, "light")
    wanted = set(page.evaluate(REACHABLE))
    assert wanted
    page.evaluate(MEET)
    met: set[str] = set()
    for _ in range(3 * len(wanted) // 10 + 1):
        for _ in range(10):
            page.keyboard.press("Tab")
        met = set(page.evaluate("met"))
        if wanted <= met:
            break
    # A control that was drawn anew meanwhile is no longer there to be reached.
    missing = page.evaluate(
        """(stops) => stops.map((stop) => document.querySelector(`[data-stop="${stop}"]`))
          .filter(Boolean).map((node) => node.outerHTML.slice(0, 120))""",
        sorted(wanted - met),
    )
    assert missing == []
