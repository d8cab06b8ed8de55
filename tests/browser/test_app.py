"""The dashboard as a reader meets it: opened, set by keyboard and pointer, shared, downloaded."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, WebSocket

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PAGES = {
    "": "How much overlap does this corpus need?",
    "boundaries": "What the cuts break, and what overlap repairs",
    "trade_offs": "What overlap buys, and what it costs",
    "diagnose": "Why questions miss",
    "queries": "Which questions are won, and which are lost",
    "your_splitter": "What you have today, judged like the rest",
    "decide": "Which setting should be indexed?",
    "corpus": "Your documents, or a bundled corpus",
}
PATIENT = 60_000  # ms; the grid is evaluated on whatever machine runs this
OFTEN = 50  # ms between two looks; a look at every frame would keep the page from its work


@pytest.fixture
def app(run_app: Callable[[Path], str]) -> str:
    """Return the address of the dashboard."""
    return run_app(ROOT / "app.py")


def heading(page: "Page", path: str) -> None:
    """Wait until a page shows its own heading."""
    page.get_by_role("heading", name=PAGES[path], level=1).wait_for(timeout=PATIENT)


def settled(page: "Page") -> None:
    """Wait until the script has run and no element waits for its value."""
    page.wait_for_function(
        "() => document.querySelector('[data-test-script-state=notRunning]')"
        " && !document.querySelector('[data-stale=true], [data-testid=stSkeleton]')",
        timeout=PATIENT,
        polling=OFTEN,
    )


def field(page: "Page", moves: str) -> "Locator":
    """Return the ruler's number field for the size or the overlap."""
    return page.locator(f".okr-field[data-moves={moves}]")


def expect_setting(page: "Page", size: str, overlap: str) -> None:
    """Wait until the ruler shows a setting."""
    from playwright.sync_api import expect

    expect(field(page, "size")).to_have_value(size, timeout=PATIENT)
    expect(field(page, "overlap")).to_have_value(overlap, timeout=PATIENT)


@pytest.mark.parametrize("path", PAGES)
def test_a_deep_link_to_every_page_works(app, chromium_page, path):
    """It shows its heading and the linked settings, and asks nothing of another machine."""
    asked: set[str] = set()
    chromium_page.on("request", lambda request: asked.add(urlparse(request.url).netloc))
    chromium_page.goto(f"{app}/{path}?corpus=planted&size=320&overlap=64")
    heading(chromium_page, path)
    if path not in ("your_splitter", "decide", "corpus"):  # those show no ruler
        expect_setting(chromium_page, "320", "64")
    pin = chromium_page.get_by_role("button", name="Pin 320 / 64 as current")
    pin.wait_for(timeout=PATIENT)
    assert chromium_page.get_by_test_id("stException").count() == 0
    assert {host for host in asked if host} == {urlparse(app).netloc}


def test_the_first_page_opens_with_a_verdict_and_charts(app, chromium_page):
    """With no click: the verdict in words, then both charts with the chosen setting on them."""
    chromium_page.goto(app)
    verdict = chromium_page.get_by_text(re.compile("^Under BM25, 800 characters"))
    verdict.first.wait_for(timeout=PATIENT)
    chromium_page.locator(".okm-mark-chosen").nth(1).wait_for(timeout=PATIENT)
    assert chromium_page.locator(".js-plotly-plot").count() == 2


def test_the_ranking_is_chosen_in_the_sidebar(app, chromium_page):
    """The choices are drawn when they are asked for, and stay while one is changed."""
    chromium_page.goto(f"{app}/?corpus=planted")
    heading(chromium_page, "")
    sidebar = chromium_page.get_by_test_id("stSidebar")
    assert sidebar.get_by_label("Terms").count() == 0
    sidebar.get_by_text("Ranking and cut-off").click(timeout=PATIENT)
    k = sidebar.get_by_role("spinbutton", name="k")
    k.wait_for(timeout=PATIENT)
    k.fill("4")
    k.press("Enter")
    chromium_page.get_by_text(re.compile("in the top 4")).first.wait_for(timeout=PATIENT)
    assert sidebar.get_by_label("Terms").first.is_visible()


def test_the_ruler_moves_by_keyboard_and_the_link_follows(app, chromium_page):
    """An arrow key on the overlap slider changes the field, and the address bar."""
    chromium_page.goto(f"{app}/?corpus=planted&size=400&overlap=80")
    heading(chromium_page, "")
    chromium_page.locator(".okr-range[data-moves=overlap]").focus()
    chromium_page.keyboard.press("ArrowRight")
    expect_setting(chromium_page, "400", "81")
    chromium_page.wait_for_url(re.compile("overlap=81"))


def test_a_drag_moves_text_figures_and_charts_before_it_is_let_go_of(app, chromium_page):
    """Nothing is sent while the size handle moves; then one message, and exact figures."""
    from playwright.sync_api import expect

    sent: list[object] = []

    def watch(socket: "WebSocket") -> None:
        socket.on("framesent", lambda frame: sent.append(len(frame)))

    chromium_page.on("websocket", watch)
    chromium_page.goto(f"{app}/?corpus=planted&size=400&overlap=80")
    chromium_page.locator(".okm-mark-chosen").first.wait_for(timeout=PATIENT)
    settled(chromium_page)
    shown = chromium_page.locator(".bv-setting")
    shown.filter(has_text="400 characters with 80 overlap").wait_for(timeout=PATIENT)
    handle = chromium_page.locator(".okr-size-handle")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    chromium_page.mouse.move(x, y)
    chromium_page.mouse.down()
    before = len(sent)
    chromium_page.mouse.move(x + 60, y, steps=6)
    chromium_page.locator(".okm-mark-chosen.okm-live").first.wait_for(timeout=PATIENT)
    chromium_page.locator(".okr-tile", has_text="from the grid:").first.wait_for()
    live = field(chromium_page, "size").input_value()
    shown.filter(has_text=f"{int(live):,} characters with").wait_for()
    assert int(live) > 450
    assert len(sent) == before
    chromium_page.mouse.up()
    chromium_page.locator(".okr[data-phase=exact]").wait_for(timeout=PATIENT)
    chromium_page.wait_for_url(re.compile(f"size={live}"))
    assert len(sent) == before + 1
    expect(chromium_page.locator(".okm-live")).to_have_count(0, timeout=PATIENT)


def test_a_heat_map_cell_is_chosen_by_click_and_by_key(app, chromium_page):
    """A click on a cell selects its setting; arrow and Enter select a neighbour."""
    chromium_page.goto(f"{app}/?corpus=planted")
    cell = chromium_page.locator('.okm-cell[data-value="400-100"]')
    cell.wait_for(timeout=PATIENT)
    cell.click()
    expect_setting(chromium_page, "400", "100")
    cell = chromium_page.locator('.okm-cell[data-value="400-100"]')
    cell.focus()
    chromium_page.keyboard.press("ArrowRight")
    chromium_page.keyboard.press("Enter")
    expect_setting(chromium_page, "600", "150")


# The shifts of the layout after the page's heading is there, as browsers count them.
SHIFTS = """
window.shifts = [];
let begun = Infinity;
const look = (now) => {
  if (document.querySelector('h1')) begun = now + 50;  // what stands in for the page has gone
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
new PerformanceObserver((list) => {
  for (const { startTime, value } of list.getEntries()) if (startTime > begun) shifts.push(value);
}).observe({ type: 'layout-shift' });
"""


def test_nothing_jumps_when_figures_and_charts_arrive(app, chromium_page):
    """What comes late finds its room kept: the shifts add up to no more than is called good."""
    chromium_page.add_init_script(SHIFTS)
    chromium_page.goto(f"{app}/?corpus=planted&k=3")  # a grid that no other test has evaluated
    heading(chromium_page, "")
    marks = chromium_page.locator(".stPlotlyChart .okm-layer")
    marks.nth(1).wait_for(timeout=PATIENT, state="attached")
    settled(chromium_page)
    assert sum(chromium_page.evaluate("shifts")) <= 0.1


def test_a_slider_move_rebuilds_no_chart(app, chromium_page):
    """The chart elements on Tune outlive a change of the overlap, and the mark moves."""
    chromium_page.goto(f"{app}/?corpus=planted&size=400&overlap=80")
    mark = chromium_page.locator('[class~="okm-mark-chosen"][title*="80 overlap"]').first
    mark.wait_for(timeout=PATIENT)
    chromium_page.evaluate(
        "() => document.querySelectorAll('.js-plotly-plot').forEach(p => p.dataset.same = '1')"
    )
    chromium_page.locator(".okr-range[data-moves=overlap]").focus()
    chromium_page.keyboard.press("ArrowRight")
    moved = chromium_page.locator('[class~="okm-mark-chosen"][title*="81 overlap"]').first
    moved.wait_for(timeout=PATIENT)
    assert chromium_page.locator('.js-plotly-plot[data-same="1"]').count() == 2


def test_settings_survive_switching_pages_and_a_copied_link(app, chromium_page):
    """A link copied from one page opens the same settings in a new tab."""
    chromium_page.goto(f"{app}/?corpus=planted&size=320&overlap=64&pin=500-0")
    heading(chromium_page, "")
    chromium_page.get_by_test_id("stSidebar").get_by_role("link", name="Queries").click()
    heading(chromium_page, "queries")
    chromium_page.wait_for_url(re.compile("queries.*size=320"))
    link = chromium_page.url
    chromium_page.goto("about:blank")
    chromium_page.goto(link)
    heading(chromium_page, "queries")
    expect_setting(chromium_page, "320", "64")
    chromium_page.get_by_text("500 / 0").first.wait_for()


def test_an_upload_becomes_the_corpus_and_its_link_names_it(app, chromium_page, tmp_path):
    """Uploaded files are chunked at once; their link in a fresh session asks for them."""
    text = "# Manual\n\n## Lighting the beacon safely\n\n" + "The beacon is lit at dusk. " * 30
    (tmp_path / "notes.md").write_text(text)
    (tmp_path / "plan.txt").write_text("plain text")
    chromium_page.goto(f"{app}/corpus")
    heading(chromium_page, "corpus")
    chooser = chromium_page.locator('input[type="file"]').first
    chooser.set_input_files([tmp_path / "notes.md", tmp_path / "plan.txt"])
    chromium_page.get_by_text("plan.txt").first.wait_for(timeout=PATIENT)
    chromium_page.get_by_role("button", name="Load", exact=True).click()
    chromium_page.get_by_text("Your upload: 2 documents").wait_for(timeout=PATIENT)
    chromium_page.get_by_test_id("stSidebar").get_by_role("link", name="Tune").click()
    chromium_page.get_by_text(re.compile("Under BM25, ")).first.wait_for(timeout=PATIENT)
    chromium_page.wait_for_url(re.compile("corpus=upload"))
    link = chromium_page.url
    fresh = chromium_page.context.new_page()  # a page is a session
    fresh.goto(link)
    fresh.get_by_text("This link needs an uploaded corpus").wait_for(timeout=PATIENT)
    fresh.get_by_text(re.compile("notes.md, plan.txt")).first.wait_for()
    assert fresh.locator(".js-plotly-plot").count() == 0
    fresh.close()


def test_downloading_the_grid_gives_its_rows_and_keeps_the_page(app, chromium_page):
    """The CSV has a line per setting, twice the same, and the table stays."""
    chromium_page.goto(f"{app}/trade_offs?corpus=planted")
    button = chromium_page.get_by_role("button", name="Download the grid (CSV)")
    button.wait_for(timeout=PATIENT)
    found = []
    for _ in range(2):
        with chromium_page.expect_download(timeout=PATIENT) as download:
            button.click()
        found.append(Path(download.value.path()).read_text())
    assert found[0] == found[1]
    lines = found[0].splitlines()
    assert lines[0].startswith("chunker,unit,size,overlap,overlap_pct,chunks,index_chars")
    assert len(lines) == 1 + 81
    assert button.is_visible()


def test_document_text_never_becomes_markup(app, chromium_page, tmp_path):
    """Prices, marks and tags in a document are shown as they are, and make no element."""
    nasty = "Costs $5 and $7. ~~old~~ <img src=x onerror=window.broken=1> # not a title\n"
    (tmp_path / "a.md").write_text("# T\n\n## Nasty prices here\n\n" + nasty * 10)
    chromium_page.goto(f"{app}/corpus")
    heading(chromium_page, "corpus")
    chromium_page.locator('input[type="file"]').first.set_input_files(tmp_path / "a.md")
    chromium_page.get_by_text("a.md").first.wait_for(timeout=PATIENT)
    chromium_page.get_by_role("button", name="Load", exact=True).click()
    chromium_page.get_by_text("Your upload").first.wait_for(timeout=PATIENT)
    chromium_page.get_by_test_id("stSidebar").get_by_role("link", name="Queries").click()
    chromium_page.get_by_text(nasty.strip()).first.wait_for(timeout=PATIENT)
    assert chromium_page.evaluate("() => window.broken") is None
    assert chromium_page.locator(".katex").count() == 0


def test_selected_text_becomes_the_evidence_of_a_question(app, chromium_page):
    """A passage selected in the text is handed to the form, in the characters it stands at."""
    from playwright.sync_api import expect

    page = chromium_page
    page.goto(f"{app}/boundaries?document=07-touch-panel.md")
    line = page.locator(".bv-line").filter(has_text="The touch panel sits")
    line.wait_for(timeout=PATIENT)
    settled(page)
    box = line.bounding_box()
    assert box
    page.mouse.move(box["x"] + 12, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 8, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Write a question about the selected text").click()
    form = page.get_by_test_id("stForm")
    code = form.get_by_test_id("stCode")
    code.wait_for(timeout=PATIENT)
    text = code.inner_text().strip()
    assert len(text) > 10
    assert text in "The touch panel sits in the right-hand upright of the door frame at about chest"
    form.get_by_label("Question", exact=True).fill("Where is the panel?")
    form.get_by_role("button", name="Add the question").click()
    expect(page.get_by_text("Write questions for this corpus (1 so far)")).to_be_visible(
        timeout=PATIENT
    )
