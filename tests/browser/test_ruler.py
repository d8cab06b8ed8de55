"""The ruler in a browser: what a reader does with it, what it counts, what it tells Python."""

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from overlapkit.boundaries import ledger, tally
from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import Engine, prepare
from overlapkit.samples import SAMPLES
from overlapkit.ui import ruler as ruler_package
from overlapkit.ui.live import WINDOWS_JS
from overlapkit.ui.settings import LARGEST, USUAL
from overlapkit.wording import guarantee_sentence
from overlapkit.words import number, percent, setting

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

CORPUS = "handbook"
REFUSED = 13  # a size that the app does not take
PATIENT = 30_000  # ms; a server's first page waits for its imports

APP = f"""
import numpy as np
import streamlit as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.samples import SAMPLES
from overlapkit.ui.live import corpus_measure, encode_measure, measure_id
from overlapkit.ui.ruler import (
    CutElsewhere, GridRow, Pinned, RulerState, SameSize, Tile, ruler, ruler_state,
)
from overlapkit.ui.settings import LARGEST, USUAL


@st.cache_resource
def load():
    engine = prepare(*SAMPLES["{CORPUS}"].load())
    return engine, {{unit: encode_measure(engine, unit) for unit in USUAL}}


def chosen(unit, size, overlap):
    st.session_state["messages"] = st.session_state.get("messages", 0) + 1
    if size == -1:
        size, overlap = USUAL[unit]
    if size != {REFUSED}:
        st.session_state["now"] = (unit, size, overlap)


st.set_page_config(layout="wide")
engine, measures = load()
case = st.query_params.get("case", "")
unit, size, overlap = st.session_state.setdefault("now", ("char", 800, 160))
elsewhere = st.checkbox("elsewhere")
baseline = SameSize()
if case == "pinned":
    baseline = Pinned("600 characters without overlap", 600, 0)
if case == "uploaded":
    baseline = CutElsewhere("your chunks", np.arange(len(engine.evidence.spans.start)) % 2 == 0)
tiles = tuple(
    Tile(key, label, f"{{size}} and {{overlap}}", note, tone, help="What it counts, in a sentence.")
    for key, label, note, tone in (
        ("first", "Complete evidence in top 5", "+18.1 points [+13.5, +23.1]", "good"),
        ("second", "Overlapping slots", "+0.81", "bad"),
        ("third", "Text to embed", "1.24x of no overlap", "none"),
    )
)
grid = tuple(
    GridRow(large, large * pct // 100, {{"first": f"about {{large}}", "second": f"{{pct}}%"}})
    for large in (100, 200, 400, 800, 1600) for pct in (0, 20, 50)
)
state = RulerState(
    measure_id(engine, unit), unit, size, overlap, LARGEST[unit],
    tokens_per_character=0.25, per_million_tokens=0.02,
    baseline=baseline, evidence=case != "extent", tokens=None if case == "estimate" else 1_000_000,
    tiles=tiles, grid=grid,
)
if case != "late":
    ruler(key="ruler")
if case == "late":
    ruler_state(state, key="state", on_setting=chosen)
corpus_measure(measures[unit], key="measure")
if case != "late":
    ruler_state(state, key="state", on_setting=chosen)
if case == "late":
    ruler(key="ruler")
count = st.session_state.get("messages", 0)
st.text(f"python has {{count}}: {{unit}} {{size}} {{overlap}} {{elsewhere}}")
"""

# What followers on the page are told, and what leaves the browser.
SPY = """
globalThis.moves = [];
document.addEventListener("overlapkit:move", ({ detail }) => moves.push(structuredClone(detail)));
"""


class Opened:
    """The page with the ruler, and how many frames its websocket has sent."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.frames = 0
        page.add_init_script(SPY)
        page.on("websocket", lambda socket: socket.on("framesent", self._count))

    def _count(self, _: object) -> None:
        self.frames += 1

    def handle(self, moves: str) -> "Locator":
        """Return a handle of the drawing: size or overlap."""
        return self.page.locator(f".okr-handle[data-moves={moves}]")

    def range(self, moves: str) -> "Locator":
        """Return a range input: size or overlap."""
        return self.page.locator(f".okr-range[data-moves={moves}]")

    def field(self, moves: str) -> "Locator":
        """Return a number field: size or overlap."""
        return self.page.locator(f".okr-field[data-moves={moves}]")

    def python_has(self, messages: int | str, now: str) -> None:
        """Wait until Python has had so many messages and holds a setting, and it is drawn."""
        from playwright.sync_api import expect

        text = self.page.get_by_text(re.compile(rf"^python has {messages}: {now} (True|False)$"))
        expect(text).to_be_visible(timeout=PATIENT)
        self.shows("exact")

    def shows(self, phase: str) -> None:
        """Wait until figures are exact, live or pending."""
        from playwright.sync_api import expect

        expect(self.page.locator(f".okr[data-phase={phase}]")).to_have_count(1, timeout=PATIENT)

    def reads(self, words: str) -> None:
        """Wait until the ruler says a setting."""
        from playwright.sync_api import expect

        expect(self.page.locator(".okr-setting")).to_have_text(words)

    def press_down(self, moves: str) -> tuple[float, float]:
        """Take hold of a handle and return where."""
        box = self.handle(moves).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def moves(self) -> list[dict[str, Any]]:
        """Return what followers were told so far."""
        told: list[dict[str, Any]] = self.page.evaluate("moves")
        return told


@pytest.fixture
def visit(chromium_page: "Page", run_app: Callable[[Path | str], str]) -> Callable[..., Opened]:
    """Open the app in one case and wait until the ruler counts."""
    from playwright.sync_api import expect

    def go(case: str = "") -> Opened:
        opened = Opened(chromium_page)
        chromium_page.goto(f"{run_app(APP)}/?case={case}")
        counted = expect(chromium_page.locator("[data-figure=chunks] .okr-value"))
        counted.to_have_text("187", timeout=PATIENT)
        expect(chromium_page.locator(".okr[data-room]")).to_have_count(1)
        chromium_page.locator("[data-test-script-state=notRunning]").wait_for(timeout=PATIENT)
        return opened

    return go


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Return the same corpus as the app's."""
    return prepare(*SAMPLES[CORPUS].load())


# ---- by pointer ---------------------------------------------------------------------


def test_a_drag_sends_nothing_until_it_is_let_go_of_and_then_once(visit):
    """The page is told of each frame; Python hears once, and its figures come back."""
    opened = visit()
    before = opened.frames
    x, y = opened.press_down("size")
    opened.page.mouse.move(x + 80, y, steps=8)
    opened.shows("live")
    opened.page.wait_for_function("moves.length > 2")
    assert opened.frames == before
    opened.page.mouse.up()
    opened.page.get_by_text("python has 1:").wait_for()
    opened.shows("exact")
    assert opened.frames == before + 1
    last = opened.moves()[-1]
    assert (last["live"], last["unit"]) == (True, "char")
    opened.python_has(1, f"char {last['size']} {last['overlap']}")
    assert last["size"] > 800
    assert last["overlap"] == 160 * last["size"] // 800


def test_a_size_that_is_dragged_is_round(visit):
    """A pixel means more than one character there, so only round sizes are passed."""
    opened = visit()
    x, y = opened.press_down("size")
    opened.page.mouse.move(x + 90, y, steps=30)
    opened.page.wait_for_function("moves.length > 2")
    assert {move["size"] % 5 for move in opened.moves()} == {0}


def test_the_start_of_chunk_2_is_dragged_for_the_overlap(visit):
    """To the left there is more to share; the size stays."""
    opened = visit()
    x, y = opened.press_down("overlap")
    opened.page.mouse.move(x - 40, y, steps=4)
    opened.shows("live")
    opened.page.mouse.up()
    opened.page.get_by_text("python has 1:").wait_for()
    last = opened.moves()[-1]
    assert last["size"] == 800
    assert 220 < last["overlap"] < 400


def test_a_handle_stops_at_the_ends(visit):
    """However far the pointer goes, 0 <= overlap < size <= largest."""
    opened = visit()
    for moves, way, end in (
        ("size", -2000, (1, 0)),
        ("size", 2000, (4000, 800)),
        ("overlap", -2000, (800, 799)),
        ("overlap", 2000, (800, 0)),
    ):
        x, y = opened.press_down(moves)
        opened.page.mouse.move(x + way, y, steps=3)
        opened.page.wait_for_function(
            "([size, overlap]) => moves.at(-1)?.size === size && moves.at(-1).overlap === overlap",
            arg=list(end),
        )
        opened.page.keyboard.press("Escape")
        opened.page.mouse.up()


def test_escape_takes_a_drag_back(visit):
    """The old figures return, followers are told to go back, and Python hears nothing."""
    opened = visit()
    before = opened.frames
    x, y = opened.press_down("size")
    opened.page.mouse.move(x + 80, y, steps=4)
    opened.shows("live")
    opened.page.keyboard.press("Escape")
    opened.shows("exact")
    opened.reads("800 characters with 160 overlap (20%)")
    last = opened.moves()[-1]
    assert (last["live"], last["size"], last["overlap"]) == (False, 800, 160)
    opened.page.mouse.move(x + 120, y)
    opened.page.mouse.up()
    opened.field("size").fill("900")
    opened.field("size").press("Enter")
    opened.python_has(1, "char 900 180")
    assert opened.frames == before + 1


def test_a_drag_back_to_where_it_began_sends_nothing(visit):
    """Nothing has changed, so followers go back to what Python gave them."""
    opened = visit()
    before = opened.frames
    x, y = opened.press_down("size")
    opened.page.mouse.move(x + 80, y, steps=4)
    opened.shows("live")
    opened.page.mouse.move(x, y)
    opened.page.mouse.up()
    opened.shows("exact")
    assert opened.moves()[-1]["live"] is False
    opened.field("overlap").fill("0")
    opened.field("overlap").press("Enter")
    opened.python_has(1, "char 800 0")
    assert opened.frames == before + 1


@pytest.mark.parametrize("moves", ["size", "overlap"])
def test_a_range_input_is_dragged_like_a_handle(visit, moves):
    """It is live while it moves and sends once; Escape takes it back."""
    opened = visit()
    before = opened.frames
    box = opened.range(moves).bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    for cancelled in (True, False):
        opened.page.mouse.move(box["x"] + box["width"] * 0.5, y)
        opened.page.mouse.down()
        opened.page.mouse.move(box["x"] + box["width"] * 0.6, y, steps=5)
        opened.shows("live")
        if cancelled:
            opened.page.keyboard.press("Escape")
            opened.shows("exact")
            opened.page.mouse.move(box["x"] + box["width"] * 0.7, y)
        opened.page.mouse.up()
        if cancelled:
            opened.reads("800 characters with 160 overlap (20%)")
    opened.page.get_by_text("python has 1:").wait_for()
    assert opened.frames == before + 1
    assert opened.moves()[-1][moves] > {"size": 2000, "overlap": 400}[moves]


def test_data_that_comes_while_dragging_waits(visit):
    """Another widget's run does not pull the handle out of the hand."""
    opened = visit()
    x, y = opened.press_down("size")
    opened.page.mouse.move(x + 80, y, steps=4)
    opened.shows("live")
    held = opened.page.locator(".okr-setting").inner_text()
    opened.page.get_by_role("checkbox", name="elsewhere").evaluate("node => node.click()")
    opened.page.get_by_text("python has 0: char 800 160 True").wait_for()
    opened.reads(held)
    opened.shows("live")
    opened.page.mouse.up()
    opened.page.get_by_text("python has 1:").wait_for()
    opened.reads(held)
    opened.shows("exact")


def test_a_finger_drags_too(visit):
    """Touch moves the handle and does not scroll the page."""
    opened = visit()
    page = opened.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".okr[data-room=narrow]").wait_for()
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    box = page.locator(".okr-size-handle").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def send(kind: str, *points: tuple[float, float]) -> None:
        listed = [{"x": at, "y": down} for at, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": listed})

    send("touchStart", (x, y))
    for i in range(1, 6):
        send("touchMove", (x + 8 * i, y + 4 * i))
    opened.shows("live")
    send("touchEnd")
    opened.python_has(1, r"char \d+ \d+")
    assert page.evaluate("scrollY") == 0


# ---- by keyboard --------------------------------------------------------------------


@pytest.mark.parametrize("control", ["handle", "range"])
def test_keys_move_a_slider_and_send_once_they_rest(visit, control):
    """Arrows step by one, Shift and Page keys by ten, Home and End go to the ends."""
    from playwright.sync_api import expect

    opened = visit()
    before = opened.frames
    getattr(opened, control)("overlap").focus()
    keyboard = opened.page.keyboard
    for key, shift, overlap in (
        ("ArrowRight", False, 161), ("ArrowUp", False, 162), ("ArrowLeft", True, 152),
        ("PageUp", False, 162), ("PageDown", False, 152), ("ArrowDown", False, 151),
        ("End", False, 799), ("Home", False, 0), ("ArrowLeft", False, 0), ("ArrowUp", True, 10),
    ):  # fmt: skip
        if shift:
            keyboard.down("Shift")
        keyboard.down(key)  # and held, so that this test may be slow
        if shift:
            keyboard.up("Shift")
        expect(opened.handle("overlap")).to_have_attribute("aria-valuenow", str(overlap))
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        keyboard.up(key)
    opened.python_has(1, "char 800 10")
    assert opened.frames == before + 1


def test_a_held_key_sends_only_after_it_is_let_go_of(visit):
    """The wait begins at the release, since a held key repeats only after a while."""
    opened = visit()
    before = opened.frames
    opened.handle("size").focus()
    for _ in range(5):
        opened.page.keyboard.down("ArrowRight")
    opened.reads("805 characters with 161 overlap (20%)")
    # Longer than the keys' rest: some frames of the browser, counted by itself.
    opened.page.evaluate(
        "() => new Promise((done) => { let n = 40;"
        " const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); })"
    )
    assert opened.frames == before
    opened.page.keyboard.up("ArrowRight")
    opened.python_has(1, "char 805 161")
    assert opened.frames == before + 1


def test_leaving_a_slider_sends_at_once_and_escape_takes_keys_back(visit):
    """A key's setting counts when the focus moves on; before, Escape undoes it."""
    opened = visit()
    opened.handle("size").focus()
    opened.page.keyboard.down("ArrowRight")
    opened.shows("live")
    opened.page.keyboard.press("Escape")
    opened.reads("800 characters with 160 overlap (20%)")
    opened.page.keyboard.up("ArrowRight")
    opened.page.keyboard.down("ArrowLeft")
    opened.reads("799 characters with 159 overlap (20%)")
    opened.page.keyboard.press("Tab")
    opened.python_has(1, "char 799 159")


def test_sliders_say_what_they_are(visit):
    """Name, ends, place and words of both handles, as a screen reader gets them."""
    from playwright.sync_api import expect

    opened = visit()
    for moves, name, ends, words in (
        ("size", "End of chunk 1: chunk size", ("1", "4000", "800"), "800 characters"),
        ("overlap", "Start of chunk 2: overlap", ("0", "799", "160"), "160 characters (20%)"),
    ):
        handle = opened.page.get_by_role("slider", name=name)
        for attribute, value in zip(("min", "max", "now"), ends, strict=True):
            expect(handle).to_have_attribute(f"aria-value{attribute}", value)
        expect(handle).to_have_attribute("aria-valuetext", words)
        expect(opened.range(moves)).to_have_attribute("aria-valuetext", words)


def test_a_chunk_of_one_has_no_overlap(visit):
    """The overlap cannot be moved at size 1, and says why."""
    from playwright.sync_api import expect

    opened = visit()
    opened.handle("size").focus()
    opened.page.keyboard.press("Home")
    opened.python_has(1, "char 1 0")
    overlap = opened.handle("overlap")
    expect(overlap).to_have_attribute("aria-disabled", "true")
    expect(overlap).to_have_attribute("aria-valuetext", "0: a chunk of one cannot overlap")
    expect(opened.range("overlap")).to_be_disabled()
    overlap.focus()
    opened.page.keyboard.press("End")
    opened.reads("1 characters without overlap")
    opened.page.keyboard.press("Tab")
    opened.field("overlap").fill("1")
    opened.field("overlap").press("Enter")
    expect(opened.page.get_by_role("alert").nth(1)).to_have_text(
        "Overlap must be 0 for size 1; got 1: raise the size first."
    )


# ---- fields and switches ------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "typed", "sentence", "good"),
    [
        ("size", "0", "Size must lie between 1 and 4,000; got 0: type at least 1.", "1,000"),
        (
            "overlap",
            "900",
            "Overlap must be below the size of 800; got 900: type at most 799.",
            "200",
        ),
    ],
)
def test_a_bad_value_gets_one_sentence_and_changes_nothing(visit, moves, typed, sentence, good):
    """Rule, value, remedy; the field is marked until a good value comes."""
    from playwright.sync_api import expect

    opened = visit()
    before = opened.frames
    field = opened.field(moves)
    field.fill(typed)
    field.press("Enter")
    told = opened.page.get_by_role("alert").nth(["size", "overlap"].index(moves))
    expect(told).to_have_text(sentence)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(sentence)
    opened.reads("800 characters with 160 overlap (20%)")
    field.fill(good)
    field.press("Enter")
    opened.python_has(1, {"size": "char 1000 200", "overlap": "char 800 200"}[moves])
    expect(told).to_have_text("")
    assert field.get_attribute("aria-invalid") is None
    assert opened.frames == before + 1


def test_a_field_is_taken_on_enter_or_when_left_if_it_changed(visit):
    """The same value again sends nothing; Escape gives up what was typed."""
    opened = visit()
    before = opened.frames
    field = opened.field("size")
    field.fill("800")
    field.press("Enter")
    field.fill("700")
    field.press("Escape")
    assert field.input_value() == "800"
    field.press("Tab")
    opened.field("overlap").fill("25%")
    opened.field("overlap").blur()
    opened.python_has(1, "char 800 200")
    assert opened.frames == before + 1


def test_percent_mode_gives_the_overlap_of_python_and_keeps_it_when_the_size_changes(visit):
    """``size * pct // 100``, for the field, the sliders and every size."""
    from playwright.sync_api import expect

    opened = visit()
    before = opened.frames
    opened.page.get_by_role("radio", name="% of the size").check()
    expect(opened.field("overlap")).to_have_value("20")
    opened.field("overlap").fill("33")
    opened.field("overlap").press("Enter")
    opened.python_has(1, f"char 800 {800 * 33 // 100}")
    expect(opened.field("overlap")).to_have_value("33")
    opened.field("size").fill("70")
    opened.field("size").press("Enter")
    opened.python_has(2, f"char 70 {70 * 33 // 100}")
    expect(opened.handle("overlap")).to_have_attribute("aria-valuemax", "99")
    opened.handle("overlap").focus()
    opened.page.keyboard.press("ArrowRight")
    expect(opened.field("overlap")).to_have_value("34")
    expect(opened.handle("overlap")).to_have_attribute("aria-valuetext", "23 characters (33%)")
    opened.page.keyboard.press("ArrowRight")
    opened.python_has(3, f"char 70 {70 * 35 // 100}")
    expect(opened.field("overlap")).to_have_value("35")
    opened.field("overlap").fill("100")
    opened.field("overlap").press("Enter")
    expect(opened.page.get_by_role("alert").nth(1)).to_contain_text("between 0% and 99%")
    assert opened.frames == before + 3


def test_another_unit_is_sent_at_once_and_python_chooses_its_size(visit):
    """Only the unit goes; the answer has the unit's usual size, and its own measure."""
    from playwright.sync_api import expect

    opened = visit()
    before = opened.frames
    for messages, unit in enumerate(("word", "token", "char"), start=1):
        name = {"word": "words", "token": "tokens", "char": "characters"}[unit]
        opened.page.locator(".okr-units label", has_text=name).click()
        size, overlap = USUAL[unit]
        opened.python_has(messages, f"{unit} {size} {overlap}")
        opened.reads(setting(ChunkSpec(unit=unit, size=size, overlap=overlap)))
        expect(opened.handle("size")).to_have_attribute("aria-valuemax", str(LARGEST[unit]))
        expect(opened.page.locator("[data-figure=chunks] .okr-value")).to_have_text(
            re.compile(r"^\d+$")
        )
    assert opened.frames == before + 3


def test_a_setting_that_python_refuses_is_taken_back(visit):
    """The ruler returns to Python's setting and tells followers and the reader so."""
    from playwright.sync_api import expect

    opened = visit()
    opened.field("size").fill(str(REFUSED))
    opened.field("size").press("Enter")
    opened.python_has(1, "char 800 160")
    opened.reads("800 characters with 160 overlap (20%)")
    assert opened.moves()[-1]["live"] is False
    expect(opened.page.locator(".okr [role=status]")).to_have_text(
        "The setting is still 800 characters with 160 overlap (20%): "
        "Complete evidence in top 5 800 and 160."
    )


# ---- figures ------------------------------------------------------------------------

READ_STRIP = """async (settings) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const slide = (moves, value) => {
    const range = document.querySelector(`.okr-range[data-moves=${moves}]`);
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const text = (where) => document.querySelector(where).textContent;
  const found = [];
  for (const [size, overlap] of settings) {
    slide("size", size);
    await frame();
    await frame();
    slide("overlap", overlap);
    await frame();
    await frame();
    found.push({
      words: text(".okr-setting"),
      guarantee: text(".okr-guarantee"),
      figures: moves.at(-1).figures,
      ...Object.fromEntries([...document.querySelectorAll("[data-figure]")].map((cell) =>
        [cell.dataset.figure, [...cell.querySelectorAll("dd")].map((node) => node.textContent)])),
    });
  }
  return found;
}"""


def expected(engine: Engine, spec: ChunkSpec, before: ChunkSpec) -> dict[str, Any]:
    """Return what the strip must say, by Python's own chunks and ledger."""
    chunks = engine.chunk(spec)
    characters = int(chunks.lengths().sum())
    units = characters
    held = engine.units(spec.unit)
    if held.starts is not None and held.ends is not None:
        base = held.base[chunks.doc]
        first = np.searchsorted(held.starts, chunks.start + base)
        last = np.searchsorted(held.ends, chunks.end + base, side="right")
        units = int((last - first).sum())
    states = tally(ledger(engine, engine.chunk(before), spec))
    spans, whole = sum(states.values()), states["whole in both"] + states["repaired"]
    note = "characters" if spec.unit == "char" else f"chars, {number(units)} {spec.unit}s"
    return {
        "words": setting(spec),
        "guarantee": guarantee_sentence(spec),
        "figures": {"chunks": len(chunks), "characters": characters, "units": units},
        "chunks": [number(len(chunks)), "one vector each"],
        "text": [number(characters), note],
        "held": [percent(whole / spans), f"{number(whole)} of {number(spans)}"],
        "repaired": [number(states["repaired"]), "by this setting"],
        "newlyCut": [number(states["newly cut"]), "by this setting"],
        "stillCut": [number(states["still cut"]), "in both"],
        "longer": [number(states["longer than the chunk"]), "than the chunk"],
    }


def some_settings(unit: str, count: int) -> Sequence[tuple[int, int]]:
    """Return settings of every magnitude, the ends of the scale included."""
    draw = random.Random(unit)
    largest = LARGEST[unit]
    sizes = [2, largest, *(round(largest ** draw.random()) for _ in range(count - 2))]
    return [(max(2, size), draw.randrange(max(2, size))) for size in sizes]


@pytest.mark.parametrize("unit", ["char", "word", "token"])
def test_the_strip_says_what_python_says_while_dragging(visit, engine, unit):
    """For thirty settings: chunks, text, units, evidence by state, and both sentences."""
    opened = visit()
    if unit != "char":
        opened.page.locator(f".okr-units input[value={unit}]").check()
        opened.python_has(1, " ".join(map(str, (unit, *USUAL[unit]))))
    settings = some_settings(unit, 30)
    for (size, overlap), found in zip(
        settings, opened.page.evaluate(READ_STRIP, settings), strict=True
    ):
        spec = ChunkSpec(unit=unit, size=size, overlap=overlap)
        before = ChunkSpec(unit=unit, size=size, overlap=0)
        found.pop("price")
        assert found == expected(engine, spec, before)


def test_evidence_is_held_against_a_pinned_setting(visit, engine):
    """Repaired and newly cut are told against what was pinned, at every size."""
    opened = visit("pinned")
    opened.page.get_by_text("compared with 600 characters without overlap").wait_for()
    (found,) = opened.page.evaluate(READ_STRIP, [[500, 100]])
    found.pop("price")
    assert found == expected(
        engine, ChunkSpec(size=500, overlap=100), ChunkSpec(size=600, overlap=0)
    )


def test_evidence_is_held_against_chunks_cut_elsewhere(visit, engine):
    """Python says which spans those hold; here, every other one."""
    opened = visit("uploaded")
    (found,) = opened.page.evaluate(READ_STRIP, [[500, 100]])
    spec = ChunkSpec(size=500, overlap=100)
    held = [line.chunks > 0 for line in ledger(engine, engine.chunk(spec), spec)]
    repaired = sum(
        now for now, before in zip(held, [True, False] * len(held), strict=False) if not before
    )
    assert found["repaired"][0] == number(repaired)
    assert found["held"][1] == f"{number(sum(held))} of {number(len(held))}"


def test_the_price_is_exact_at_rest_and_an_estimate_on_the_way(visit):
    """From Python's tokens, else from tokens per character; where tokens are the unit, exact."""
    opened = visit()
    price = opened.page.locator("[data-figure=price] dd")
    assert price.all_inner_texts() == ["US$0.020", "1,000,000 tokens"]
    opened.handle("size").focus()
    opened.page.keyboard.down("ArrowRight")
    opened.shows("live")
    characters = opened.moves()[-1]["figures"]["characters"]
    value, tokens = price.all_inner_texts()
    assert value == f"≈ US${characters * 0.25 * 0.02 / 1e6:.5f}"
    assert tokens.startswith("≈ 3")
    opened.page.keyboard.up("ArrowRight")
    opened.python_has(1, "char 801 160")
    opened.page.locator(".okr-units input[value=token]").check()
    opened.python_has(2, "token 200 40")
    (found,) = opened.page.evaluate(READ_STRIP, [[100, 20]])
    assert found["price"][1] == f"{found['figures']['units']:,} tokens"


def test_without_python_s_tokens_the_price_stays_an_estimate(visit):
    """An approximate figure is marked as one, also at rest."""
    opened = visit("estimate")
    assert opened.page.locator("[data-figure=price] dd").first.inner_text().startswith("≈ US$0.0")


def test_regions_as_evidence_leave_its_figures_out(visit):
    """Where evidence is a whole region, only chunks, text and price are counted."""
    opened = visit("extent")
    cells = opened.page.locator("[data-figure]:visible")
    assert [cell.get_attribute("data-figure") for cell in cells.all()] == [
        "chunks",
        "text",
        "price",
    ]
    assert not opened.page.locator(".okr-against").is_visible()
    opened.handle("size").focus()
    opened.page.keyboard.press("ArrowRight")
    opened.python_has(1, "char 801 160")


def test_the_ruler_may_stand_before_its_measure(visit):
    """It asks for what came earlier and hears of what comes later."""
    opened = visit("late")
    assert opened.page.locator("[data-figure=held] .okr-note").inner_text() == "424 of 428"


def test_tiles_show_the_grid_on_the_way_and_python_s_figures_at_rest(visit):
    """The nearest size by ratio, then overlap by share; what the grid lacks is not made up."""
    from playwright.sync_api import expect

    opened = visit()
    tiles = opened.page.locator(".okr-tile")
    expect(tiles.first.locator(".okr-value")).to_have_text("800 and 160")
    expect(tiles.first.locator(".okr-note")).to_have_text("+18.1 points [+13.5, +23.1]")
    height = opened.page.locator(".okr").bounding_box()
    opened.page.evaluate(READ_STRIP, [[500, 120]])
    expect(tiles.nth(0).locator(".okr-value")).to_have_text("about 400")
    expect(tiles.nth(1).locator(".okr-value")).to_have_text("20%")
    expect(tiles.nth(1).locator(".okr-note")).to_have_text("from the grid: 400 / 80")
    expect(tiles.nth(2).locator(".okr-value")).to_have_text("…")
    expect(tiles.nth(2).locator(".okr-note")).to_have_text(
        re.compile("exact once you let go|being worked out")
    )
    assert opened.page.locator(".okr").bounding_box() == height
    opened.python_has(r"\d+", "char 500 120")
    expect(tiles.first.locator(".okr-value")).to_have_text("500 and 120")
    expect(opened.page.locator(".okr [role=status]")).to_have_text(
        "500 characters with 120 overlap (24%): Complete evidence in top 5 500 and 120."
    )


# ---- plain functions ----------------------------------------------------------------


@pytest.fixture(scope="module")
def words(chromium_page_of_module: "Page") -> Callable[..., Any]:
    """Call the script's plain functions from Python."""
    source = (Path(ruler_package.__file__).parent / "words.js").read_text(encoding="utf-8")
    chromium_page_of_module.add_script_tag(content=WINDOWS_JS() + source)

    def call(expression: str, argument: object = None) -> Any:
        return chromium_page_of_module.evaluate(f"(arg) => {expression}", argument)

    return call


def test_numbers_round_as_in_python(words):
    """Every share of a thousand and every half, ties included."""
    parts = [(part, of) for of in (8, 400, 1000, 428) for part in range(of + 1)]
    found = words("arg.map(([part, of]) => percentOf(part, of))", parts)
    assert found == [percent(part / of) for part, of in parts]
    pairs = [(size, overlap) for size in (8, 40, 200) for overlap in range(1, size)]
    found = words("arg.map(([size, overlap]) => settingWords({ size, overlap }, 'words'))", pairs)
    assert found == [setting(ChunkSpec(unit="word", size=s, overlap=o)) for s, o in pairs]


def test_a_percentage_gives_its_overlap_back(words):
    """Whatever percentage was asked for stays, as long as it gives this very overlap."""
    asked = [(size, pct) for size in (1, 7, 130, 800, 4000) for pct in range(100)]
    found = words(
        "arg.map(([size, pct]) => [overlapAt(size, pct),"
        " percentFor({ size, overlap: overlapAt(size, pct) }, pct),"
        " overlapAt(size, percentFor({ size, overlap: overlapAt(size, pct) }, 0))])",
        asked,
    )
    assert found == [[size * pct // 100, pct, size * pct // 100] for size, pct in asked]


def test_what_is_typed_is_read_or_refused_in_one_sentence(words):
    """Whole numbers, thousands and percent signs are read; the rest is told its rule and remedy."""
    sizes = words("arg.map((text) => readSize(text, 4000))", ["800", " 1,200 ", "1 200", "4000"])
    assert sizes == [{"size": 800}, {"size": 1200}, {"size": 1200}, {"size": 4000}]
    read = "arg.map(([text, inPercent]) => readOverlap(text, 800, inPercent))"
    overlaps = words(read, [["799", False], ["25 %", False], ["25", True], ["0", False]])
    assert overlaps == [{"overlap": 799}, {"percent": 25}, {"percent": 25}, {"overlap": 0}]
    refused = words("arg.map((text) => readSize(text, 4000).problem)", ["abc", "", "1,2", "4001"])
    whole = "Size must be a whole number; got “{}”: type digits only."
    assert refused == [
        whole.format("abc"),
        whole.format(""),
        whole.format("1,2"),
        "Size must lie between 1 and 4,000; got 4,001: type at most 4,000.",
    ]
    refused = words(
        f"{read}.map((found) => found.problem)", [["-5", False], ["x" * 30, False], ["100%", False]]
    )
    assert refused == [
        "Overlap must be a whole number; got “-5”: type digits only.",
        f"Overlap must be a whole number; got “{'x' * 20}…”: type digits only.",
        "Overlap must lie between 0% and 99%; got 100%: type at most 99.",
    ]


def test_round_steps_never_exceed_what_they_may(words):
    """1, 2, 5 and their tens; at least 1."""
    found = words("arg.map(roundStep)", [0.2, 1, 1.9, 2, 4.9, 5, 9.9, 10, 24, 99, 100, 5000])
    assert found == [1, 1, 1, 2, 2, 5, 5, 10, 20, 50, 100, 5000]


# ---- for everyone -------------------------------------------------------------------


def test_help_is_reached_by_keyboard_and_goes_by_escape(visit):
    """The sentence appears with the focus and describes the button."""
    from playwright.sync_api import expect

    opened = visit()
    ask = opened.page.get_by_role("button", name="What Complete evidence in top 5 means")
    expect(ask).to_have_accessible_description("What it counts, in a sentence.")
    tip = opened.page.get_by_role("tooltip")
    expect(tip).to_have_count(0)
    ask.focus()
    expect(tip).to_have_text("What it counts, in a sentence.")
    opened.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)


@pytest.mark.parametrize(
    ("scheme", "states"),
    [
        ("light", {"wide": True, "medium": False, "narrow": True}),
        ("dark", {"wide": False, "medium": True, "narrow": False}),
    ],
)
def test_no_accessibility_rule_is_broken(
    visit: Callable[..., Opened], scheme: Any, states: dict[str, bool]
) -> None:
    """On a phone, a tablet and a desk, at rest and live, with an error; in any two of them.

    And nothing is wider than the page.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    opened = visit()
    page = opened.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for (room, live), width in zip(states.items(), (1440, 768, 390), strict=True):
        page.set_viewport_size({"width": width, "height": 1000})
        page.locator(f".okr[data-room={room}]").wait_for()
        opened.field("size").fill("0")
        opened.field("size").press("Enter")
        if live:
            opened.handle("size").focus()
            page.keyboard.down("ArrowRight")
            opened.shows("live")
        found = axe.Axe().run(page, context=".okr").response["violations"]
        assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("Escape")
        page.keyboard.up("ArrowRight")
