"""The boundary view: its data in Python, and what a reader sees and does in a browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from overlapkit.boundaries import CUT_KINDS, STATES, Cut
from overlapkit.errors import SettingsError
from overlapkit.ui import boundary_view
from overlapkit.ui.boundary_view import (
    ChunkOverlay,
    ChunkRanges,
    DocumentView,
    EvidenceSpan,
    Goto,
    encode_document,
    encode_overlay,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SPECIAL = "$5 ~~x~~ <b>&amp; # not a title"

APP = """
import streamlit as st

from overlapkit.boundaries import Cut
from overlapkit.ui.boundary_view import (
    ChunkOverlay, ChunkRanges, DocumentView, EvidenceSpan, Goto, chunk_overlay, document_view,
)

SPECIAL = "$5 ~~x~~ <b>&amp; # not a title"
FILLER = "A plain sentence of filler that stands on a line of its own.\\n"
TEXTS = {
    "special": f"{SPECIAL}\\n<script>window.broken = 1</script>\\nNUL[\\0] BEL[\\a]\\r\\nend",
    "plain": FILLER * 40 + "Here is the needle.\\n" + FILLER * 100 + "A second Needle.\\n",
    "big": ("word " * 60 + "\\n") * 2326,
    "long": "x y z lorem ipsum " * 11112,
    "mixed": "tab\\tstop \\U0001f469\\u200d\\U0001f680 \\U0001f44d\\U0001f3fd "
             "and \\U0001f600 smile\\n"
             "e\\u0301 accent, \\u65e5\\u672c\\u8a9e\\u306e\\u6587\\u7ae0, "
             "\\u0639\\u0631\\u0628\\u064a \\u0646\\u0635 mark\\n",
}


def windows(length, size, step):
    starts = [0]
    while starts[-1] + size < length:
        starts.append(starts[-1] + step)
    return starts, [min(length, start + size) for start in starts]


case = st.query_params.get("case", "plain")
text = TEXTS[case]
size = 300 if st.toggle("smaller chunks") else 500
hidden = st.toggle("no overlay")
other = st.toggle("other document")
st.button("again")
if other:
    case, text = "other", "Another document altogether.\\n" * 30

spans = []
for number, word in enumerate(("needle", "smile", "mark", "word word word", "end")):
    at = text.find(word)
    if at >= 0:
        spans.append(EvidenceSpan(str(number), at, at + len(word), f"Where is <i>{word}</i>?"))
states = ("newly cut", "whole in both", "longer than the chunk", "repaired", "still cut")
if case == "mixed":
    starts = [0, text.index("smile"), text.index("mark")]
    ends = [*starts[1:], len(text)]
else:
    starts, ends = windows(len(text), size, size - 100)
kinds = (("sentence",), ("word", "evidence"))
cuts = tuple(Cut(at, kinds[i % 2]) for i, at in enumerate(starts[1:]))
goto = st.query_params.get("goto")
overlay = ChunkOverlay(
    document=case,
    chunks=ChunkRanges(f"size {size}", starts, ends),
    cuts=cuts,
    evidence_states=tuple(states[i % 5] for i in range(len(spans))),
    baseline=ChunkRanges("no overlap", *windows(len(text), size, size)),
    goto=Goto(int(goto), "first") if goto else None,
)


def lay():
    if not hidden:
        chunk_overlay(overlay, key="overlay")


late = st.query_params.get("order") == "late"
if not late:
    lay()
document_view(DocumentView(case, f"the {case} text", text, tuple(spans)), key="view", height=400)
if late:
    lay()
st.write("the page has been drawn")
"""


@pytest.fixture
def open_case(chromium_page: "Page", run_app: Callable[[Path | str], str]) -> Callable[..., "Page"]:
    """Open the app for one text and wait until its chunks are drawn."""
    from playwright.sync_api import expect

    def visit(case: str, **query: str) -> "Page":
        more = "".join(f"&{name}={value}" for name, value in query.items())
        chromium_page.goto(f"{run_app(APP)}/?case={case}{more}")
        # A server's first page waits for its imports.
        drawn = expect(chromium_page.locator(".bv-setting"))
        drawn.to_contain_text("size 500", timeout=30_000)
        return chromium_page

    return visit


def rows(page: "Page") -> "Locator":
    """Return the text of each row in the page."""
    return page.locator(".bv-row .bv-line")


def details(page: "Page") -> "Locator":
    """Return the lines that say in words what is at a place."""
    return page.locator(".bv-details")


def scroll_top(page: "Page") -> float:
    """Return how far the text has been scrolled."""
    top: float = page.locator(".bv-scroll").evaluate("node => node.scrollTop")
    return top


def x_of_text(page: "Page", row: str, word: str) -> dict[str, float]:
    """Return where the page itself puts a word and where the boundary before it is drawn."""
    found: dict[str, float] = (
        page.locator(".bv-row", has_text=row)
        .first.locator(".bv-line")
        .evaluate(
            """(line, word) => {
              const node = line.firstChild;
              const at = node.data.indexOf(word);
              const range = new Range();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              const box = range.getBoundingClientRect();
              const edges = [...line.parentElement.querySelectorAll(".bv-edge[data-cuts]")];
              const left = Math.min(...edges.map((edge) => edge.getBoundingClientRect().left));
              return { word: box.left, edge: left, count: edges.length };
            }""",
            word,
        )
    )
    return found


# ---- data ---------------------------------------------------------------------------


def test_a_document_is_json_in_utf8_with_offsets_as_given() -> None:
    """Every character, NUL and astral ones included, arrives as it is."""
    text = f"{SPECIAL}\0\U0001f600日本\r\n\u2028"
    view = DocumentView("id", "name", text, (EvidenceSpan("e", 1, 4, "q?"),))
    data = json.loads(encode_document(view, height=300).decode("utf-8"))
    assert data["text"] == text
    assert data["evidence"] == [{"id": "e", "start": 1, "end": 4, "label": "q?"}]
    assert (data["id"], data["name"], data["height"]) == ("id", "name", 300)


def test_a_lone_surrogate_becomes_one_replacement_character() -> None:
    """It has no UTF-8 form, and the offsets behind it must not move."""
    data = json.loads(encode_document(DocumentView("i", "n", "a\ud83d\ude00b")))
    assert data["text"] == "a\ufffd\ufffdb"


def test_an_overlay_is_parallel_arrays() -> None:
    """Cuts are sorted, kinds are a bit mask, states are positions in their table."""
    overlay = ChunkOverlay(
        document="id",
        chunks=ChunkRanges("900", np.array([0, 720]), np.array([900, 1000])),
        cuts=(Cut(900, ("evidence", "word")), Cut(720, ("sentence",))),
        evidence_states=("still cut", "whole in both"),
        baseline=ChunkRanges("0%", [0], [1000]),
        goto=Goto(5, 1),
    )
    assert json.loads(encode_overlay(overlay)) == {
        "document": "id",
        "chunks": {"label": "900", "starts": [0, 720], "ends": [900, 1000]},
        "baseline": {"label": "0%", "starts": [0], "ends": [1000]},
        "cutAt": [720, 900],
        "cutKinds": [2, 33],
        "states": [3, 0],
        "goto": {"offset": 5, "nonce": 1},
    }


def test_equal_overlays_give_equal_bytes() -> None:
    """An overlay that has not changed must not be sent again."""
    lists = ChunkOverlay("id", ChunkRanges("900", [0], [9]))
    arrays = ChunkOverlay("id", ChunkRanges("900", np.array([0]), np.array([9])))
    assert encode_overlay(lists) == encode_overlay(arrays)


def test_unknown_words_are_refused_with_the_choices() -> None:
    """A kind or a state that the page could not explain never reaches it."""
    chunks = ChunkRanges("900", [0], [9])
    with pytest.raises(SettingsError, match=r"cut kind must be one of word, sentence.*'verse'"):
        encode_overlay(ChunkOverlay("id", chunks, cuts=(Cut(1, ("verse",)),)))
    with pytest.raises(SettingsError, match="evidence state must be one of whole in both"):
        encode_overlay(ChunkOverlay("id", chunks, evidence_states=("lost",)))
    with pytest.raises(ValueError, match="must pair up; got 2 and 1"):
        encode_overlay(ChunkOverlay("id", ChunkRanges("900", [0, 5], [9])))


# ---- plain functions ----------------------------------------------------------------


@pytest.fixture
def pure(chromium_page: "Page") -> Callable[..., Any]:
    """Call the script's plain functions from Python."""
    source = (Path(boundary_view.__file__).parent / "pure.js").read_text(encoding="utf-8")
    chromium_page.add_script_tag(content=source)
    chromium_page.evaluate(
        """() => {
          const joins = (code) => /[\\p{M}\\p{Cf}]/u.test(String.fromCodePoint(code));
          globalThis.pen = (width) => ({
            ascii: Array(128).fill(1), tab: 8, advance: (code) => (joins(code) ? 0 : width),
          });
        }"""
    )

    def call(expression: str, argument: object = None) -> Any:
        return chromium_page.evaluate(f"(arg) => {expression}", argument)

    return call


@pytest.mark.browser
def test_words_are_the_same_in_python_and_in_the_page(pure: Callable[..., Any]) -> None:
    """Masks and positions only mean something if both tables have one order."""
    assert pure("STATES.map((state) => state.name)") == list(STATES)
    words = pure("CUT_WORDS")
    assert [word.removeprefix("a ") for word in words] == list(CUT_KINDS)
    assert pure("cutTag(33)") == "cuts evidence, a word"


@pytest.mark.browser
@pytest.mark.parametrize(
    "text",
    ["", "plain", "a\U0001f600b\U0001f600\U0001f600c", "\U0001f600", "日本\U00020000語"],
    ids=["empty", "plain", "mixed", "only", "cjk"],
)
def test_code_points_map_there_and_back(pure: Callable[..., Any], text: str) -> None:
    """Each code point position has one UTF-16 position, as Python's own encoding says."""
    units = [len(text[:at].encode("utf-16-le")) // 2 for at in range(len(text) + 1)]
    mapped = pure(
        """{
          const astral = astralPositions(arg);
          const count = Array.from(arg).length;
          const units = Array.from({ length: count + 1 }, (_, at) => toUnits(astral, at));
          return { units, back: units.map((unit) => toCodePoints(astral, unit)) };
        }""",
        text,
    )
    assert mapped == {"units": units, "back": list(range(len(text) + 1))}


@pytest.mark.browser
def test_rows_break_at_words_and_never_inside_a_character(pure: Callable[..., Any]) -> None:
    """Long words are split, spaces hang, and an emoji or an accent stays in one piece."""

    def layout(text: str, width: int = 10) -> list[str]:
        split: list[str] = pure(
            """{
              const [text, width] = arg;
              const rows = [...layoutRows(text, pen(2), width), text.length];
              return rows.slice(1).map((end, i) => text.slice(rows[i], end));
            }""",
            [text, width],
        )
        return split

    assert layout("one two three") == ["one two ", "three"]
    assert layout("a\n\nb\r\nc\rd") == ["a\n", "\n", "b\r\n", "c\r", "d"]
    assert layout("x" * 25) == ["x" * 10, "x" * 10, "x" * 5]
    assert layout("ab\tcd efgh") == ["ab\tcd ", "efgh"]
    assert layout("日本語の文章。続く") == ["日本語の文", "章。続く"]
    assert layout("日本語の章。続く") == ["日本語の", "章。続く"]
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert layout("12345678" + family) == ["12345678", family]
    assert layout("123456789e\u0301" + "x") == ["123456789e\u0301", "x"]
    assert "".join(layout("spaces" + " " * 50 + "end")) == "spaces" + " " * 50 + "end"
    assert max(map(len, layout("\u0301" * 5000))) <= 2000


@pytest.mark.browser
def test_bands_and_spans_are_found_as_by_trying_each_place(pure: Callable[..., Any]) -> None:
    """The lookups agree with counting over every chunk and every span."""
    starts, ends = list(range(0, 60, 7)), [min(64, start + 17) for start in range(0, 60, 7)]
    spans = [(0, 50), (3, 5), (3, 9), (20, 21), (40, 64)]
    found = pure(
        """{
          const [starts, ends, spans] = arg;
          const chunks = { starts, ends };
          const index = spanIndex(spans.map(([start, end]) => ({ start, end })));
          return Array.from({ length: 70 }, (_, p) => [
            bandAt(chunks, p),
            bandsBetween(chunks, p, 70)[0].to,
            spansIn(index, p, p + 1).map(({ start, end }) => [start, end]),
          ]);
        }""",
        [starts, ends, [list(span) for span in spans]],
    )

    def band(place: int) -> str:
        held = [i for i in range(len(starts)) if starts[i] <= place < ends[i]]
        if len(held) == 1:
            return "odd" if held[0] % 2 else "even"
        return "overlap" if held else "none"

    for place, (name, until, inside) in enumerate(found):
        assert name == band(place)
        assert {band(at) for at in range(place, until)} == {name}
        assert inside == [[start, end] for start, end in sorted(spans) if start <= place < end]


# ---- text ---------------------------------------------------------------------------


@pytest.mark.browser
def test_text_is_shown_exactly_and_makes_no_element(open_case: Callable[..., "Page"]) -> None:
    """Markup in a document is text, and so it is in a question."""
    from playwright.sync_api import expect

    page = open_case("special")
    expect(rows(page)).to_have_text(
        [SPECIAL, "<script>window.broken = 1</script>", "NUL[␀] BEL[␇]", "end"],
        use_inner_text=True,
    )
    assert rows(page).locator("*").count() == 0
    assert page.evaluate("window.broken") is None
    page.get_by_role("button", name="Next evidence").click()
    expect(details(page)).to_contain_text("“Where is <i>end</i>?”")
    assert details(page).locator("i").count() == 0


@pytest.mark.browser
def test_control_characters_are_marked_and_keep_their_offsets(
    open_case: Callable[..., "Page"],
) -> None:
    """NUL is one visible character, and what is copied is the stored text."""
    from playwright.sync_api import expect

    page = open_case("special")
    assert page.evaluate("CSS.highlights.get('overlapkit-control').size") == 2
    page.get_by_label("Search the text").fill("end")
    page.keyboard.press("Enter")
    place = len(f"{SPECIAL}\n<script>window.broken = 1</script>\nNUL[\0] BEL[\a]\r\n")
    expect(details(page)).to_contain_text(f"At {place}")
    copied = page.evaluate(
        """() => {
          const lines = document.querySelectorAll(".bv-line");
          const [first, , last] = [...lines].map((line) => line.firstChild);
          document.getSelection().setBaseAndExtent(first, 3, last, 6);
          const clipboardData = new DataTransfer();
          const event = new ClipboardEvent("copy", { clipboardData, bubbles: true });
          document.querySelector(".bv-rows").dispatchEvent(event);
          return event.clipboardData.getData("text/plain");
        }"""
    )
    assert copied == SPECIAL[3:] + "\n<script>window.broken = 1</script>\nNUL[\0]"


@pytest.mark.browser
@pytest.mark.parametrize("case", ["big", "long"])
def test_rows_are_bounded_whatever_the_length(open_case: Callable[..., "Page"], case: str) -> None:
    """700,000 characters, or one line of 200,000, need no more nodes than a screenful."""
    from playwright.sync_api import expect

    page = open_case(case)
    page.locator(".bv-scroll").evaluate("node => { node.scrollTop = node.scrollHeight / 2; }")
    expect(page.locator(".bv-map")).to_have_attribute("aria-valuenow", "50")
    assert 20 < rows(page).count() < 80
    assert page.locator(".bv *").count() < 900
    lengths = rows(page).evaluate_all("lines => lines.map((line) => line.textContent.length)")
    assert max(lengths) < 130


@pytest.mark.browser
def test_boundaries_stand_at_the_right_characters(open_case: Callable[..., "Page"]) -> None:
    """After tabs, emoji, accents, wide and right-to-left letters the marks still fit."""
    page = open_case("mixed")
    for row, word in (("stop", "smile"), ("accent", "mark")):
        found = x_of_text(page, row, word)
        assert found["count"] == 1
        assert found["edge"] == pytest.approx(found["word"], abs=1.5)


# ---- marks --------------------------------------------------------------------------


@pytest.mark.browser
def test_chunks_overlaps_cuts_and_evidence_are_drawn(open_case: Callable[..., "Page"]) -> None:
    """Each kind of mark is there, and a cut through evidence is named without asking."""
    from playwright.sync_api import expect

    page = open_case("plain")
    expect(page.locator(".bv-number").first).to_have_text("1")
    for band in ("even", "odd"):
        assert page.locator(f".bv-row[data-band={band}]").count() > 0
    assert page.locator(".bv-box[data-band=hatch]").count() > 0
    assert page.locator(".bv-edge[data-side=start][data-cuts=text]").count() > 0
    assert page.locator(".bv-bar-lane").count() > 1
    expect(page.locator(".bv-note").first).to_have_text("cuts evidence, a word")
    page.get_by_role("button", name="Next evidence").click()
    expect(details(page)).to_contain_text("newly cut: whole in the baseline")
    assert page.evaluate("CSS.highlights.get('overlapkit-cut').size") == 1


@pytest.mark.browser
def test_pointing_at_a_place_says_which_chunks_hold_it(open_case: Callable[..., "Page"]) -> None:
    """The details name chunks, ranges and the baseline; near a cut its tag appears."""
    from playwright.sync_api import expect

    page = open_case("plain")
    edge = page.locator(".bv-edge[data-side=start][data-cuts=text]").first
    edge.wait_for(state="visible")
    box = edge.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    expect(details(page)).to_contain_text("in chunks 1 and 2: 0–500, 400–900")
    expect(details(page)).to_contain_text("with no overlap: chunk 1: 0–500")
    expect(edge).to_have_text("cuts a sentence")
    page.mouse.move(5, 5)
    expect(edge).to_have_text("")


@pytest.mark.browser
@pytest.mark.parametrize("order", ["early", "late"])
def test_either_mount_may_come_first(open_case: Callable[..., "Page"], order: str) -> None:
    """The overlay finds its view, and the view its overlay."""
    assert open_case("plain", order=order).locator(".bv-number").count() > 0


@pytest.mark.browser
def test_a_new_overlay_keeps_the_place_and_the_text(open_case: Callable[..., "Page"]) -> None:
    """Moving a slider redraws marks; rows and scroll position stay as they are."""
    from playwright.sync_api import expect

    page = open_case("plain")
    page.locator(".bv-scroll").evaluate("node => { node.scrollTop = 703; }")
    expect(page.locator(".bv-number").first).not_to_have_text("1")
    page.evaluate("window.keptRow = document.querySelector('.bv-row')")
    page.get_by_text("smaller chunks").click()
    expect(page.locator(".bv-setting")).to_contain_text("size 300")
    assert scroll_top(page) == 703
    assert page.evaluate("window.keptRow.isConnected")
    page.get_by_text("no overlay").click()
    expect(page.locator(".bv-row .bv-edge")).to_have_count(0)
    expect(page.locator(".bv-setting")).to_have_text("")
    page.get_by_text("no overlay").click()
    expect(page.locator(".bv-setting")).to_contain_text("size 300")
    assert scroll_top(page) == 703


@pytest.mark.browser
def test_another_document_takes_its_own_marks_and_the_first_its_place(
    open_case: Callable[..., "Page"],
) -> None:
    """Marks never lie over a text that they were not made for."""
    from playwright.sync_api import expect

    page = open_case("plain")
    page.locator(".bv-scroll").evaluate("node => { node.scrollTop = 723; }")
    expect(page.locator(".bv-number").first).not_to_have_text("1")
    page.get_by_text("other document", exact=True).click()
    expect(rows(page).first).to_have_text("Another document altogether.")
    expect(page.locator(".bv-number").first).to_have_text("1")
    assert scroll_top(page) == 0
    page.get_by_text("other document", exact=True).click()
    expect(rows(page).first).to_contain_text("A plain sentence")
    assert scroll_top(page) == 723


# ---- moving -------------------------------------------------------------------------


@pytest.mark.browser
def test_goto_jumps_once_for_each_nonce(open_case: Callable[..., "Page"]) -> None:
    """A rerun with the same nonce leaves the reader where they have gone since."""
    from playwright.sync_api import expect

    page = open_case("plain", goto="2448")
    expect(page.locator(".bv-row", has_text="needle")).to_be_in_viewport()
    expect(details(page)).to_contain_text("At 2448")
    page.locator(".bv-scroll").evaluate("node => { node.scrollTop = 0; }")
    expect(page.locator(".bv-number").first).to_have_text("1")
    page.get_by_text("smaller chunks").click()
    expect(page.locator(".bv-setting")).to_contain_text("size 300")
    assert scroll_top(page) == 0


@pytest.mark.browser
def test_search_counts_and_steps_through_hits(open_case: Callable[..., "Page"]) -> None:
    """Case does not matter, Enter goes on, Shift+Enter back, and the end leads round."""
    from playwright.sync_api import expect

    page = open_case("plain")
    field, hits = page.get_by_label("Search the text"), page.locator(".bv-hits")
    field.fill("needle")
    expect(hits).to_have_text("2 hits")
    field.press("Enter")
    expect(hits).to_have_text("1 of 2")
    expect(page.locator(".bv-row", has_text="the needle")).to_be_in_viewport()
    assert page.evaluate("CSS.highlights.get('overlapkit-hit-current').size") == 1
    field.press("Enter")
    expect(page.locator(".bv-row", has_text="second Needle")).to_be_in_viewport()
    field.press("Enter")
    expect(hits).to_have_text("1 of 2")
    field.press("Shift+Enter")
    expect(hits).to_have_text("2 of 2")
    field.fill("no such words")
    expect(hits).to_have_text("0 hits")
    field.press("Escape")
    expect(hits).to_have_text("")


@pytest.mark.browser
def test_cuts_are_reached_by_keyboard(open_case: Callable[..., "Page"]) -> None:
    """From the button and from the text, with the tag and the details at each stop."""
    from playwright.sync_api import expect

    page = open_case("plain")
    count, current = page.locator("[data-count=cut]"), page.locator(".bv-edge[data-current]")
    page.get_by_role("button", name="Next cut").focus()
    page.keyboard.press("Enter")
    expect(count).to_have_text("1 of 21")
    expect(current).to_have_text("cuts a sentence")
    expect(details(page)).to_contain_text("At 400")
    page.get_by_role("region", name="Text of the plain text").focus()
    page.keyboard.press("n")
    expect(count).to_have_text("2 of 21")
    expect(details(page)).to_contain_text("cuts evidence, a word")
    page.keyboard.press("Shift+N")
    expect(count).to_have_text("1 of 21")
    page.keyboard.press("ArrowRight")
    expect(details(page)).to_contain_text("At 401")
    page.keyboard.press("Control+End")
    expect(page.locator(".bv-row", has_text="second Needle")).to_be_in_viewport()
    page.keyboard.press("/")
    expect(page.get_by_label("Search the text")).to_be_focused()


@pytest.mark.browser
def test_the_map_is_a_slider(open_case: Callable[..., "Page"]) -> None:
    """It says where the reader is, and moves by key and by pointer."""
    from playwright.sync_api import expect

    page = open_case("big")
    plan = page.get_by_role("slider", name="Place in the document")
    expect(plan).to_have_attribute("aria-valuenow", "0")
    plan.focus()
    page.keyboard.press("PageDown")
    expect(plan).to_have_attribute("aria-valuenow", "10")
    page.keyboard.press("End")
    expect(plan).to_have_attribute("aria-valuenow", "100")
    plan.click(position={"x": 10, "y": 200})
    expect(plan).to_have_attribute("aria-valuenow", "50")


# ---- for everyone -------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_accessibility_rule_is_broken(
    open_case: Callable[..., "Page"], width: int, scheme: Any
) -> None:
    """On a phone and on a desk, light and dark; and nothing is wider than the page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    from playwright.sync_api import expect

    page = open_case("plain")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 1000})
    expect(page.locator(".bv[data-narrow]")).to_have_count(1 if width == 390 else 0)
    page.get_by_role("button", name="Next cut").click()
    page.locator(".bv-legend").evaluate("node => { node.open = true; }")
    found = axe.Axe().run(page, context=".bv").response["violations"]
    assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
