"""How the dashboard follows the pointer: work per frame, missed frames, messages, release.

Before that, how long the opening page takes with a browser that has nothing of it, in ms.

Runs the real dashboard on 127.0.0.1 in headless Chromium, uploads texts of several lengths
and drags the ruler's handles. ``--shared DIR`` adds a real corpus from there.

    python benchmarks/bench_ui.py [--json FILE] [--shared DIR]
"""

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LENGTHS = (20_000, 200_000, 1_400_000)
UNITS = ("characters", "words", "tokens")
SECONDS = 3.0  # of each drag that is watched
RELEASES = 12
HOLD = 50  # ms that the pointer rests before it lets go, as a hand does at least
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

# Adds up the time of every frame callback and pointer handler of the page, Streamlit's own
# included, so that what is reported is no less than our share.
METER = """
(() => {
  const meter = (window.okMeter = { on: false, frames: [], work: [], spent: 0 });
  const timed = (call) => function (...args) {
    const began = performance.now();
    try { return call.apply(this, args); } finally { meter.spent += performance.now() - began; }
  };
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => frame(timed(call));
  const add = EventTarget.prototype.addEventListener;
  const wrapped = new WeakMap();
  EventTarget.prototype.addEventListener = function (type, call, options) {
    if (!type.startsWith("pointer") || typeof call !== "function") {
      return add.call(this, type, call, options);
    }
    if (!wrapped.has(call)) wrapped.set(call, timed(call));
    return add.call(this, type, wrapped.get(call), options);
  };
  const remove = EventTarget.prototype.removeEventListener;
  EventTarget.prototype.removeEventListener = function (type, call, options) {
    return remove.call(this, type, wrapped.get(call) ?? call, options);
  };
  const tick = (now) => {
    if (meter.on) {
      meter.frames.push(now);
      meter.work.push(meter.spent);
    }
    meter.spent = 0;
    frame(tick);
  };
  frame(tick);
  add.call(window, "pointerup", () => {
    const released = performance.now();
    const root = document.querySelector(".okr");
    meter.answered = null;
    const look = () => {
      if (root.dataset.phase !== "exact") return frame(look);
      meter.answered = performance.now() - released;
      return undefined;
    };
    frame(() => frame(look));
  });
})();
"""


# When words, the verdict's picture, the page and plotly's charts are there.
FIRST = """
(() => {
  const seen = (window.okFirst = {});
  const wanted = {
    words: () => document.querySelector("#first-words p, h1"),
    page: () => document.querySelector(".st-key-verdict p"),
    picture: () => document.querySelector("#first-words svg, .okp svg"),
    charts: () => document.querySelector(".js-plotly-plot .main-svg"),
  };
  const look = () => {
    for (const [name, there] of Object.entries(wanted)) {
      if (!(name in seen) && there()) seen[name] = Math.round(performance.now());
    }
    if (!("charts" in seen)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


def text_of(length: int) -> str:
    """Return prose-like Markdown of about a length, the same each time."""
    draw = random.Random(length)
    words = [
        "".join(draw.choice("abcdefghiklmnoprstuvw") for _ in range(draw.randint(2, 10)))
        for _ in range(4000)
    ]
    parts: list[str] = []
    size = 0
    while size < length:
        heading = f"## {' '.join(draw.choices(words, k=3))}\n\n"
        sentences = [
            f"{' '.join(draw.choices(words, k=draw.randint(6, 20))).capitalize()}."
            for _ in range(draw.randint(3, 12))
        ]
        part = f"{heading}{' '.join(sentences)}\n\n"
        parts.append(part)
        size += len(part)
    return "".join(parts)[:length]


@contextmanager
def server() -> Iterator[str]:
    """Run the dashboard with a cache of its own; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as cache:
        command = [
            sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true",
            "--server.address", "127.0.0.1", "--server.port", str(port),
        ]  # fmt: skip
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"OVERLAPKIT_CACHE_DIR": cache},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        address = f"http://127.0.0.1:{port}"
        try:
            _await_health(address)
            yield address
        finally:
            process.terminate()
            process.wait()


def _await_health(address: str) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


# --- one page ---------------------------------------------------------------------------


def open_page(browser: Browser, address: str) -> tuple[Page, list[str]]:
    """Return a page with the meter in it, and the list that its messages go to."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.add_init_script(METER)
    sent: list[str] = []
    page.on(
        "websocket", lambda ws: ws.on("framesent", lambda payload: sent.append(str(len(payload))))
    )
    page.goto(address)
    return page, sent


def settle(page: Page) -> None:
    """Wait until the ruler is exact and no grid is being evaluated."""
    page.wait_for_selector(".okr[data-phase=exact]", timeout=120_000)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stProgress]')"
        " && !/Working out/.test(document.body.innerText)"
        " && document.querySelector('.js-plotly-plot')"
        " && !document.querySelector('[data-test-script-state=running]')",
        timeout=300_000,
    )
    page.wait_for_timeout(1500)


def upload(page: Page, address: str, files: Sequence[Path]) -> None:
    """Bring texts in through the Corpus page and go to Tune."""
    page.goto(f"{address}/corpus")
    page.locator("input[type=file]").first.set_input_files([str(file) for file in files])
    page.get_by_text(files[0].name).first.wait_for(timeout=120_000)
    page.wait_for_timeout(2000)  # the others are on their way
    page.get_by_role("button", name="Load", exact=True).click(timeout=120_000)
    page.get_by_text("Your upload:").first.wait_for(timeout=120_000)
    page.get_by_role("link", name="Tune").click()
    settle(page)


def drag(page: Page, sent: list[str]) -> dict[str, float]:
    """Drag the size handle to and fro; return what the frames took."""
    handle = page.locator(".okr-size-handle").bounding_box()
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y)
    page.wait_for_timeout(100)
    before = len(sent)
    page.evaluate("Object.assign(okMeter, { on: true, frames: [], work: [] })")
    until, step = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        step += 1
        page.mouse.move(x + 90 * abs((step % 60) / 30 - 1), y)
    found = page.evaluate(
        "() => { okMeter.on = false; return { frames: okMeter.frames, work: okMeter.work } }"
    )
    during = len(sent) - before
    page.mouse.move(x + 40, y)
    page.mouse.up()
    page.wait_for_function("okMeter.answered !== null", timeout=60_000)
    page.wait_for_timeout(600)
    frames = found["frames"]
    expected = (frames[-1] - frames[0]) / (1000 / 60)
    return {
        "work_p50_ms": percentile(found["work"], 50),
        "work_p95_ms": percentile(found["work"], 95),
        "missed_percent": max(0.0, 100 * (1 - (len(frames) - 1) / expected)),
        "messages_while_dragging": during,
        "messages_on_release": len(sent) - before - during,
    }


def releases(page: Page) -> dict[str, float]:
    """Drag and let go several times; return how long exact figures took to be painted."""
    times = []
    for number in range(RELEASES):
        handle = page.locator(".okr-overlap-handle").bounding_box()
        assert handle is not None
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + (-1) ** number * (7 + number), y, steps=4)
        page.wait_for_timeout(HOLD)
        page.mouse.up()
        page.wait_for_function("okMeter.answered !== null", timeout=60_000)
        times.append(page.evaluate("okMeter.answered"))
        page.wait_for_timeout(500)
    return {"release_p50_ms": percentile(times, 50), "release_p95_ms": percentile(times, 95)}


def percentile(values: Sequence[float], share: int) -> float:
    """Return a percentile of at least two values."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def first_seen(playwright: Playwright) -> Iterator[dict[str, Any]]:
    """Yield the waits of the first visitor of a server, then of a second; both know nothing."""
    with server() as address:
        for visitor in ("first visitor", "second visitor"):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 1000})
            page.goto("about:blank")
            page.add_init_script(FIRST)
            page.goto(address, wait_until="commit")
            page.wait_for_function("'charts' in (window.okFirst ?? {})", timeout=60_000)
            yield {"visitor": visitor, **page.evaluate("okFirst")}
            browser.close()


# --- all of it --------------------------------------------------------------------------


def measure(browser: Browser, address: str, shared: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a row for each text and unit."""
    with tempfile.TemporaryDirectory() as folder:
        for length in LENGTHS:
            file = Path(folder) / f"text-{length}.md"
            file.write_text(text_of(length), encoding="utf-8")
            page, sent = open_page(browser, address)
            upload(page, address, [file])
            yield from by_unit(page, sent, f"{length:,} characters", exact=False)
            page.close()
    for corpus in ("handbook", "clauses", "tariff", "api"):
        page, sent = open_page(browser, f"{address}/?corpus={corpus}")
        settle(page)
        yield {"corpus": corpus, "unit": "characters", **drag(page, sent), **releases(page)}
        page.close()
    if shared is not None:
        texts = sorted((shared / "fastapi_overlap" / "docs").rglob("*.md"))
        page, sent = open_page(browser, address)
        upload(page, address, texts)
        yield from by_unit(page, sent, "fastapi_overlap", exact=True)
        page.close()


def by_unit(page: Page, sent: list[str], name: str, *, exact: bool) -> Iterator[dict[str, Any]]:
    """Yield a row for each unit of one text."""
    for unit in UNITS:
        if unit != UNITS[0]:
            page.locator(".okr-units label", has_text=unit).click()
            page.wait_for_timeout(3000)  # the figures come first, the new grid begins after them
            settle(page)
        row = {"corpus": name, "unit": unit, **drag(page, sent)}
        yield row | releases(page) if exact or unit == UNITS[0] else row


COLUMNS = {
    "corpus": "{}",
    "unit": "{}",
    "work_p50_ms": "{:.1f}",
    "work_p95_ms": "{:.1f}",
    "missed_percent": "{:.1f}",
    "messages_while_dragging": "{}",
    "messages_on_release": "{}",
    "release_p50_ms": "{:.0f}",
    "release_p95_ms": "{:.0f}",
}


def main() -> None:
    """Measure, print a Markdown table, and write JSON where asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--shared", type=Path)
    args = parser.parse_args()
    rows = []
    with sync_playwright() as playwright:
        for row in first_seen(playwright):
            rows.append(row)
            print(", ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    print(f"\n| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}")
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for row in measure(browser, address, args.shared):
            rows.append(row)
            cells = (shown.format(row[c]) if c in row else "" for c, shown in COLUMNS.items())
            print(f"| {' | '.join(cells)} |", flush=True)
        browser.close()
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
