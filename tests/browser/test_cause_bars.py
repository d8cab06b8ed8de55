"""The bars of Diagnose in a browser: what a reader picks, by pointer and by keyboard."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PATIENT = 60_000  # ms; a server's first page waits for its imports

APP = """
import streamlit as st

from overlapkit.diagnose import CAUSES
from overlapkit.ui.cause_bars import MISSES, Bar, CauseBars, cause_bars

st.set_page_config(layout="wide")
OVERLAPS = {
    "0": (3, 40, 2, 0, 0), "80": (3, 15, 0, 4, 13), "160": (0,) * 5, "240": (3, 0, 0, 1, 30),
}
UPLOADS = {"your chunks": (0, 1200, 0, 0, 9)}


def pick(picked):
    st.session_state["picked"] = picked
    st.session_state["messages"] = st.session_state.get("messages", 0) + 1


other = st.toggle("other size")
none = st.toggle("no miss")
bars = []
for name, counts in (OVERLAPS | UPLOADS).items():
    if none:
        counts = (0,) * 5
    elif other:
        counts = (3, 0, 0, 0, 10)
    tally = dict.fromkeys(CAUSES, 0) | dict(zip(MISSES, counts))
    if name in UPLOADS:
        bars.append(Bar(name, name, f"in {name}", "Your <b>chunks</b>", tally))
    else:
        label = f"{int(name) // 8}%"
        title = f"800 characters with {name} overlap"
        bars.append(Bar(name, label, f"at {label} overlap", title, tally, int(name) / 800))
state = CauseBars(
    tuple(bars), "char", 400 if other else 800, "80", st.session_state.get("picked")
)
cause_bars(state, key="bars", on_pick=pick)
st.text(f"python has {st.session_state.get('messages', 0)}: {st.session_state.get('picked')}")
"""


class Opened:
    """The page with the bars, and how many frames its websocket has sent."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.frames = 0
        page.on("websocket", lambda socket: socket.on("framesent", self._count))

    def _count(self, _: object) -> None:
        self.frames += 1

    def part(self, label: str) -> "Locator":
        """Return a part of a bar by what it is read as."""
        return self.page.get_by_role("button", name=label, exact=True)

    def python_has(self, messages: int, picked: object) -> None:
        """Wait until Python has had so many messages and holds what was picked."""
        self.page.get_by_text(f"python has {messages}: {picked}", exact=True).wait_for()

    def focus_is(self, label: str) -> None:
        """Wait until a part has the focus."""
        from playwright.sync_api import expect

        expect(self.part(label)).to_be_focused()

    def pressed(self) -> list[str]:
        """Return what the pressed parts are read as."""
        labels: list[str] = self.page.locator(".okb-part[aria-pressed=true]").evaluate_all(
            "(parts) => parts.map((part) => part.getAttribute('aria-label'))"
        )
        return labels

    def move(self, size: int, overlap: int, *, unit: str = "char", live: bool = True) -> None:
        """Say what the ruler says while a handle is dragged."""
        self.page.evaluate(
            "(detail) => document.dispatchEvent(new CustomEvent('overlapkit:move', { detail }))",
            {"unit": unit, "size": size, "overlap": overlap, "live": live},
        )

    def mark(self) -> tuple[str, str, str]:
        """Return the bar that is marked as chosen, how it is drawn, and what it says."""
        found: list[str] = self.page.evaluate(
            """() => {
              const frame = document.querySelector(".okb-frame");
              const word = document.querySelector(".okb-word").textContent;
              const slot = (node) => [node.style.left, node.style.width].join();
              const bars = [...document.querySelectorAll(".okb-bar")];
              const bar = bars.find((one) => slot(one) === slot(frame));
              return [bar?.dataset.name ?? "none", getComputedStyle(frame).borderTopStyle, word];
            }"""
        )
        name, style, word = found
        return name, style, word


@pytest.fixture
def opened(chromium_page: "Page", run_app: Callable[[Path | str], str]) -> Opened:
    """Open the app and wait until its bars are drawn."""
    found = Opened(chromium_page)
    chromium_page.goto(run_app(APP))
    chromium_page.locator(".okb-bar").nth(4).wait_for(timeout=PATIENT)
    chromium_page.locator("[data-test-script-state=notRunning]").wait_for(timeout=PATIENT)
    return found


# ---- reading ------------------------------------------------------------------------


def test_every_part_with_questions_is_a_button_with_a_sentence(opened):
    """From the bottom of each bar up, and from left to right."""
    labels = opened.page.locator(".okb-part").evaluate_all(
        "(parts) => parts.map((part) => part.getAttribute('aria-label'))"
    )
    assert labels == [
        "3 questions, chunk too small, at 0% overlap",
        "40 questions, cut boundary, at 0% overlap",
        "2 questions, no shared term, at 0% overlap",
        "3 questions, chunk too small, at 10% overlap",
        "15 questions, cut boundary, at 10% overlap",
        "4 questions, crowded out, at 10% overlap",
        "13 questions, outranked, at 10% overlap",
        "3 questions, chunk too small, at 30% overlap",
        "1 question, crowded out, at 30% overlap",
        "30 questions, outranked, at 30% overlap",
        "1,200 questions, cut boundary, in your chunks",
        "9 questions, outranked, in your chunks",
    ]
    bars = opened.page.locator(".okb-bar")
    assert [bar.get_attribute("aria-label") for bar in bars.all()] == [
        "45 questions missed at 0% overlap",
        "35 questions missed at 10% overlap, the chosen setting",
        "0 questions missed at 20% overlap",
        "34 questions missed at 30% overlap",
        "1,209 questions missed in your chunks",
    ]
    totals = opened.page.locator(".okb-total").all_text_contents()
    assert totals == ["45", "35", "0", "34", "1,209"]


def test_parts_are_as_high_as_they_count_and_stand_on_each_other(opened):
    """1,200 of an axis to 1,500, and 9 on top of them."""
    area = opened.page.locator(".okb-bars").bounding_box()
    low = opened.part("1,200 questions, cut boundary, in your chunks").bounding_box()
    high = opened.part("9 questions, outranked, in your chunks").bounding_box()
    assert opened.page.locator(".okb-tick").last.text_content() == "1,500"
    assert low["height"] == pytest.approx(area["height"] * 1200 / 1500, abs=1)
    assert high["y"] + high["height"] == pytest.approx(low["y"], abs=1)
    counts = opened.page.locator(".okb-count:visible").all_text_contents()
    assert counts == ["1,200"]


def test_a_tip_says_what_the_cause_means(opened):
    """While the pointer is on a part; names reach the page as text."""
    from playwright.sync_api import expect

    part = opened.part("1,200 questions, cut boundary, in your chunks")
    part.hover()
    tip = opened.page.get_by_role("tooltip")
    expect(tip).to_contain_text("Cut boundary: 1,200 questions")
    expect(tip).to_contain_text("Your <b>chunks</b>.")
    expect(tip).to_contain_text("Here the longest chunk has room for the evidence")
    assert part.get_attribute("aria-describedby") == tip.get_attribute("id")
    opened.page.mouse.move(2, 2)
    expect(tip).to_have_count(0)


# ---- picking ------------------------------------------------------------------------


def test_a_click_picks_and_another_unpicks(opened):
    """Python hears once of each."""
    part = opened.part("1,200 questions, cut boundary, in your chunks")
    before = opened.frames
    part.click()
    opened.python_has(1, ("your chunks", "cut boundary"))
    assert opened.pressed() == ["1,200 questions, cut boundary, in your chunks"]
    part.click()
    opened.python_has(2, None)
    assert opened.pressed() == []
    assert opened.frames == before + 2


def test_the_keyboard_reaches_every_bar_and_every_cause(opened):
    """One stop in the tab order; arrows go on from there, over bars where nothing is missed."""
    page = opened.page
    assert page.locator(".okb-part[tabindex='0']").count() == 1
    page.get_by_label("no miss").focus()
    page.keyboard.press("Tab")
    opened.focus_is("3 questions, chunk too small, at 10% overlap")
    page.keyboard.press("ArrowUp")
    opened.focus_is("15 questions, cut boundary, at 10% overlap")
    page.keyboard.press("ArrowLeft")
    opened.focus_is("40 questions, cut boundary, at 0% overlap")
    page.keyboard.press("ArrowLeft")
    opened.focus_is("40 questions, cut boundary, at 0% overlap")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    opened.focus_is("3 questions, chunk too small, at 0% overlap")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    opened.focus_is("3 questions, chunk too small, at 30% overlap")
    page.keyboard.press("End")
    opened.focus_is("1,200 questions, cut boundary, in your chunks")
    page.keyboard.press("Home")
    opened.focus_is("40 questions, cut boundary, at 0% overlap")
    assert page.locator(".okb-part[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert page.locator(".okb-part:focus").count() == 0


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keys_pick_and_unpick(opened, key):
    """Enter and Space do both, Escape takes back what is picked; the focus stays."""
    label = "15 questions, cut boundary, at 10% overlap"
    part = opened.part(label)
    part.focus()
    opened.page.keyboard.press(key)
    opened.python_has(1, ("80", "cut boundary"))
    assert opened.pressed() == [label]
    opened.page.keyboard.press(key)
    opened.python_has(2, None)
    opened.page.keyboard.press(key)
    opened.python_has(3, ("80", "cut boundary"))
    opened.page.keyboard.press("Escape")
    opened.python_has(4, None)
    assert opened.pressed() == []
    opened.focus_is(label)


def test_escape_where_nothing_is_picked_tells_nobody(opened):
    """It hides the tip and sends no message."""
    from playwright.sync_api import expect

    opened.page.get_by_label("no miss").focus()
    opened.page.keyboard.press("Tab")
    tip = opened.page.get_by_role("tooltip")
    expect(tip).to_have_count(1)
    before = opened.frames
    opened.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    assert opened.frames == before


# ---- following the handles ----------------------------------------------------------


def test_the_mark_follows_a_drag_and_nothing_is_sent(opened):
    """To the nearest share of overlap, dashed; a cancelled drag brings it back."""
    before = opened.frames
    assert opened.mark() == ("80", "solid", "chosen")
    opened.move(800, 210)
    assert opened.mark() == ("240", "dashed", "nearest")
    opened.move(800, 240)
    assert opened.mark() == ("240", "dashed", "chosen")
    opened.move(400, 10)
    assert opened.mark() == ("0", "dashed", "let go to diagnose")
    opened.move(400, 10, live=False)
    assert opened.mark() == ("80", "solid", "chosen")
    opened.move(400, 10, unit="word")
    assert opened.mark() == ("80", "solid", "chosen")
    assert opened.frames == before


def test_what_is_let_go_of_is_waited_for_until_new_data_comes(opened):
    """The words change with the pointer's release, and end with Python's answer."""
    from playwright.sync_api import expect

    word = opened.page.locator(".okb-word")
    opened.move(400, 10)
    opened.page.mouse.move(2, 2)
    opened.page.mouse.down()
    opened.page.mouse.up()
    expect(word).to_have_text("diagnosing …")
    opened.page.get_by_text("other size").click()
    expect(word).to_have_text("chosen")
    assert opened.mark() == ("80", "solid", "chosen")


# ---- new data -----------------------------------------------------------------------


def test_new_bars_keep_the_height_the_elements_and_the_focus(opened):
    """Where the focused part is gone, the focus goes to one that is there."""
    from playwright.sync_api import expect

    page = opened.page
    page.evaluate("document.querySelector(\".okb-bar[data-name='80']\").own = true")
    opened.part("15 questions, cut boundary, at 10% overlap").focus()
    page.get_by_label("other size").evaluate("(box) => box.click()")
    expect(page.locator(".okb-bar[data-name='80'] .okb-total")).to_have_text("13")
    assert page.evaluate("document.querySelector(\".okb-bar[data-name='80']\").own")
    opened.focus_is("3 questions, chunk too small, at 10% overlap")
    assert page.locator(".okb").bounding_box()["height"] == 320


def test_where_nothing_is_missed_a_sentence_stands_in_the_same_place(opened):
    """No axis and no empty bar, and what is below stays where it was."""
    from playwright.sync_api import expect

    page = opened.page
    page.get_by_text("no miss").click()
    expect(page.get_by_text("No overlap of this size misses a question")).to_be_visible()
    expect(page.locator(".okb-chart")).to_be_hidden()
    assert page.locator(".okb").bounding_box()["height"] == 320
    page.get_by_text("no miss").click()
    expect(opened.part("15 questions, cut boundary, at 10% overlap")).to_be_visible()


# ---- for everyone -------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_no_accessibility_rule_is_broken(opened, width: int, scheme: Any):
    """On a phone and on a desk, light and dark, with something picked.

    With nothing picked, the page Diagnose is looked at in both themes.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    opened.part("15 questions, cut boundary, at 10% overlap").focus()
    page.keyboard.press("Enter")
    opened.python_has(1, ("80", "cut boundary"))
    page.locator("[data-test-script-state=notRunning]").wait_for()
    found = axe.Axe().run(page, context=".okb").response["violations"]
    assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ---- on its page --------------------------------------------------------------------


@pytest.fixture
def diagnose(chromium_page: "Page", run_app: Callable[[Path | str], str]) -> "Page":
    """Open Diagnose on the freight tariff at 800 characters with 20%."""
    chromium_page.goto(f"{run_app(ROOT / 'app.py')}/diagnose?corpus=tariff&size=800&overlap=160")
    chromium_page.locator(".okb-bar").first.wait_for(timeout=PATIENT)
    return chromium_page


def listed(page: "Page", words: str) -> None:
    """Wait until the heading of the list says what is in it."""
    page.get_by_role("heading", name=re.compile(words)).wait_for(timeout=PATIENT)


def test_a_picked_part_lists_its_questions_until_the_size_changes(diagnose):
    """Of its overlap and its cause alone; another size knows nothing of it, even coming back."""
    from playwright.sync_api import expect

    page = diagnose
    listed(page, "^80 misses, 800 characters with 160")
    part = page.get_by_role("button", name=re.compile("crowded out, at 40% overlap"))
    part.focus()
    page.keyboard.press("Enter")
    listed(page, "^1 miss: crowded out, 800 characters with 320 overlap")
    expect(part).to_have_attribute("aria-pressed", "true")
    size = page.get_by_label("Chunk size in characters", exact=True).first
    size.fill("700")
    size.press("Enter")
    listed(page, "misses, 700 characters")
    size.fill("800")
    size.press("Enter")
    listed(page, "^80 misses, 800 characters with 160")
    expect(part).to_have_attribute("aria-pressed", "false")


def test_the_chosen_setting_has_a_bar_of_its_own(diagnose):
    """Also between the overlaps of the grid, and its chart can be taken as CSV."""
    page = diagnose
    overlap = page.get_by_label("Overlap in characters", exact=True).first
    overlap.fill("163")
    overlap.press("Enter")
    bar = page.locator(".okb-bar[data-name='163']")
    bar.wait_for(timeout=PATIENT)
    assert bar.locator(".okb-label").text_content() == "20.4%"
    assert "the chosen setting" in bar.get_attribute("aria-label")
    with page.expect_download(timeout=PATIENT) as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[0] == "setting,cause,questions"
    assert len(lines) == 1 + 10 * 5
    assert "800 characters with 163 overlap (20%),chunk too small,80" in lines
