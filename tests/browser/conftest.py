"""A headless Chromium and Streamlit servers for the tests in this folder."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urljoin

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--process-per-site",  # so that pages share what one of them has compiled
]
START_SECONDS = 60
PATIENCE = 20_000  # ms for what a page does by itself, on a busy machine
HEALTH = "/_stcore/health"


def unavailable(reason: str) -> NoReturn:
    """Skip for want of a browser; fail where everything is required to run."""
    if os.environ.get("OVERLAPKIT_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """One browser for all tests: the system's Chromium, else Playwright's own."""
    try:
        from playwright.sync_api import Error, expect, sync_playwright
    except ImportError:
        unavailable("playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        except Error as error:
            unavailable(f"Chromium does not start: {str(error).splitlines()[0]}")
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(chromium: "Browser") -> Iterator["BrowserContext"]:
    """One profile for all pages: what is fetched and compiled for one is there for the next."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 1000},
        color_scheme="light",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def chromium_page(profile: "BrowserContext") -> Iterator["Page"]:
    """Open a page that finds no cookie and nothing stored; a script error fails the test."""
    with new_page(profile) as page:
        yield page


@pytest.fixture(scope="module")
def chromium_page_of_module(profile: "BrowserContext") -> Iterator["Page"]:
    """Open a page like the one above for all tests of a module that leave it as it was."""
    with new_page(profile) as page:
        yield page


@contextmanager
def new_page(profile: "BrowserContext") -> Iterator["Page"]:
    """Open a page and close it; forget what it stored, and fail at an uncaught script error."""
    page = profile.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
        _keep_process(profile, page.url)
    profile.clear_cookies()
    page.close()
    assert errors == []


def _keep_process(profile: "BrowserContext", address: str) -> None:
    """Leave an empty page of the site open: with the last one, what is compiled would go."""
    empty = [page for page in profile.pages if page.url.endswith(HEALTH)]
    if not empty:
        profile.new_page().goto(urljoin(address, HEALTH))


@pytest.fixture(scope="session")
def run_app(
    tmp_path_factory: pytest.TempPathFactory, cache_of_run: Path
) -> Iterator[Callable[[Path | str], str]]:
    """Serve a script (a Path) or its source (a str) and return its address.

    The server of a script is started once and shared by all that ask for the same.
    """
    servers: dict[Path | str, tuple[subprocess.Popen[bytes], str]] = {}

    def serve(app: Path | str) -> str:
        if app not in servers:
            folder = tmp_path_factory.mktemp("app")
            script = app
            if isinstance(app, str):
                script = folder / "app.py"
                script.write_text(app, encoding="utf-8")
            servers[app] = _start(Path(script), folder, cache_of_run)
        return servers[app][1]

    yield serve
    for process, _ in servers.values():
        process.terminate()
    for process, _ in servers.values():
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start(script: Path, folder: Path, cache: Path) -> tuple[subprocess.Popen[bytes], str]:
    address = f"http://127.0.0.1:{_free_port()}"
    options = {
        "server.address": "127.0.0.1",
        "server.port": address.rpartition(":")[2],
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "server.showEmailPrompt": "false",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    for name, value in options.items():
        command += [f"--{name}", value]
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    variables = {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OVERLAPKIT_CACHE_DIR": str(cache),
    }
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT if script.is_relative_to(ROOT) else folder,
            env=os.environ | variables,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    _wait_until_healthy(process, address, log)
    return process, address


def _wait_until_healthy(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}{HEALTH}", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    process.kill()
    process.wait()
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8')}", pytrace=False)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
