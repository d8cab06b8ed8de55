"""Pages run without a browser."""

import functools
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
PAGES = ("boundaries", "trade_offs", "diagnose", "queries", "your_splitter", "decide", "corpus")


class Session:
    """One browser session: pages of the app, run as the browser would ask for them."""

    def __init__(self, params: dict[str, str | list[str]] | None = None) -> None:
        self.test = AppTest.from_file(str(ROOT / "tune.py"), default_timeout=120)
        for name, value in (params or {}).items():
            self.test.query_params[name] = value
        self.run()

    def run(self) -> "Session":
        """Run the page again."""
        self.test.run()
        return self

    def go(self, page: str) -> "Session":
        """Switch to a page."""
        self.test.switch_page("tune.py" if page == "tune" else f"pages/{page}.py")
        return self.run()

    def setting(self) -> tuple[int, int]:
        """Return the size and the overlap in use."""
        now = self.test.session_state["settings"]
        return now.size, now.overlap

    def choose(self, size: int, overlap: int) -> "Session":
        """Choose another setting, as the ruler's message does (a script cannot drag)."""
        now = self.test.session_state["settings"]
        self.test.session_state["settings"] = replace(now, size=size, overlap=overlap)
        return self.run()

    def settle(self) -> "Session":
        """Run again until no verdict and no grid is waited for."""
        deadline = time.monotonic() + 120
        while self.waiting():
            assert time.monotonic() < deadline, "the grid did not finish"
            time.sleep(0.05)
            self.run()
        return self

    def waiting(self) -> bool:
        """Tell whether figures are still being worked out."""
        return bool(self.test.get("progress"))

    def texts(self) -> list[str]:
        """Return what the page says, in order."""
        kinds = ("markdown", "caption", "warning", "info", "error", "text")
        return [element.value for kind in kinds for element in self.test.get(kind)]

    def says(self, part: str) -> bool:
        """Tell whether some text of the page holds a part."""
        return any(part in text for text in self.texts())

    def sound(self) -> bool:
        """Tell whether the page ran without an exception."""
        return not self.test.exception


@pytest.fixture(autouse=True, scope="package")
def _cache(cache_of_run: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OVERLAPKIT_CACHE_DIR", str(cache_of_run))
        # A session would look through all installed packages for components: once is enough.
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture
def made(monkeypatch):
    """Collect what download buttons would make when they are pressed, by file name."""
    found = {}

    def keep(self, make, mimetype, coordinates, file_name=None, element_id=""):
        found[file_name] = make
        return "file"

    monkeypatch.setattr(MediaFileManager, "add_deferred", keep)
    return found
