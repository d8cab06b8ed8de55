"""How every page looks: nothing runs over its edges, all is reached by keyboard, no gross change.

The pictures that pages are held against stand in ``looks/``, small and grey, since fonts and
renderers differ in detail. OVERLAPKIT_UPDATE_LOOKS=1 takes them anew.
"""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
LOOKS = Path(__file__).parent / "looks"
PAGES = ("", "boundaries", "trade_offs", "diagnose", "queries", "your_splitter", "corpus")
WINDOWS = ((1440, "light"), (768, "dark"), (390, "light"))
PATIENT = 60_000
WIDE = 72  # pixels of a kept picture
GROSS = 20.0  # of 255, mean difference: a block that moved or a theme that fell away


@pytest.fixture
def app(run_app: Callable[[Path], str]) -> str:
    """Return the address of the dashboard."""
    return run_app(ROOT / "app.py")


def opened(browser: "Browser", address: str, width: int, theme: str) -> "Page":
    """Return a page that has settled."""
    context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{address}?corpus=planted")
    page.locator("h1").first.wait_for(timeout=PATIENT)
    page.wait_for_function(
        "() => document.querySelector('[data-test-script-state=notRunning]')"
        " && !document.querySelector('[data-stale=true], [data-testid=stProgress]')"
        " && !/Working out/.test(document.body.innerText)"
        " && [...document.querySelectorAll('.okr')].every(r => r.dataset.phase === 'exact')"
        " && [...document.querySelectorAll('.stPlotlyChart')]"
        ".every(c => c.querySelector('.okm-layer'))",
        timeout=PATIENT,
    )
    return page


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_within_its_edges_and_looks_as_it_did(app, chromium, path, width, theme):
    """Nothing scrolls sideways, and the picture is that which is kept, but for details."""
    page = opened(chromium, f"{app}/{path}", width, theme)
    over = page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth - main.clientWidth }"
    )
    image = Image.open(io.BytesIO(page.screenshot())).convert("L")
    small = image.resize((WIDE, round(WIDE * image.height / image.width)), Image.Resampling.BOX)
    page.context.close()
    assert over <= 1
    kept = LOOKS / f"{path or 'tune'}-{width}-{theme}.png"
    if os.environ.get("OVERLAPKIT_UPDATE_LOOKS") == "1":
        LOOKS.mkdir(exist_ok=True)
        small.save(kept)
    difference = np.abs(np.asarray(small, float) - np.asarray(Image.open(kept), float)).mean()
    assert difference < GROSS


# What can be reached: every visible control that takes part in the tab order. Of a radio
# group only one button does.
REACHABLE = """() => [...document.querySelectorAll(
  'a[href], button, input, select, textarea, summary, [tabindex]')].filter((node) => {
    if (node.tabIndex < 0 || node.disabled || node.type === 'file') return false;
    if (node.type === 'radio' && !node.checked) return false;
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    return box.width > 0 && box.height > 0 && style.visibility !== 'hidden'
      && !node.closest('[inert], [aria-hidden=true]');
  }).map((node, i) => { node.dataset.stop ??= String(i); return node.dataset.stop })"""
SHOWN = "() => (document.activeElement?.dataset?.stop ?? '')"


@pytest.mark.parametrize("path", PAGES)
def test_every_control_is_reached_by_the_tab_key(app, chromium, path):
    """Going on with Tab alone meets every control of the page."""
    page = opened(chromium, f"{app}/{path}", 1440, "light")
    wanted = set(page.evaluate(REACHABLE))
    assert wanted
    met: set[str] = set()
    for _ in range(3 * len(wanted)):
        page.keyboard.press("Tab")
        met.add(page.evaluate(SHOWN))
        if wanted <= met:
            break
    missing = [
        page.locator(f'[data-stop="{stop}"]').evaluate("node => node.outerHTML.slice(0, 120)")
        for stop in sorted(wanted - met)
    ]
    page.context.close()
    assert missing == []
