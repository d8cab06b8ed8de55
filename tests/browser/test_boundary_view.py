"""The boundary view: its data in Python, and what a reader sees and does in a browser."""

import json
import random
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from overlapkit.boundaries import CUT_KINDS, STATES, cuts, ledger
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import corpus_of
from overlapkit.engine import Engine, prepare
from overlapkit.errors import SettingsError
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.samples import SAMPLES
from overlapkit.structure import Blocks, blocks
from overlapkit.ui import boundary_view
from overlapkit.ui.boundary_view import (
    ChunkOverlay,
    ChunkRanges,
    DocumentView,
    EvidenceSpan,
    Goto,
    WindowSetting,
    encode_document,
    encode_overlay,
)
from overlapkit.ui.live import WINDOWS_JS
from overlapkit.words import setting

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SPECIAL = "$5 ~~x~~ <b>&amp; # not a title"

APP = """
import streamlit as st

from overlapkit.structure import Blocks
from overlapkit.ui.boundary_view import (
    ChunkOverlay, ChunkRanges, DocumentView, EvidenceSpan, Goto, WindowSetting, chunk_overlay,
    document_view, encode_document,
)

st.set_page_config(layout="wide")
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
             "\\u0639\\u0631\\u0628\\u064a \\u0646\\u0635 mark\\n"
             "\\u00c7a \\u2013 na\\u00efve \\u201cquote\\u201d, \\u03a9mega \\u0416uk\\n",
}
# From 500 without overlap to 500 with 100, one in each state; the first two words are elsewhere.
STATES = ((10, 20), (490, 510), (790, 910), (795, 1005), (1400, 2000))

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
if case == "plain":
    spans += [EvidenceSpan(f"s{at}", at, to, f"From {at}?") for at, to in STATES]
chosen = WindowSetting(f"size {size}", size, 100)
if case == "mixed":
    starts = [0, text.index("smile"), text.index("mark"), text.index("mega")]
    chosen = ChunkRanges("size 500", starts, [*starts[1:], len(text)])
baseline = {
    "none": None,
    "pinned": WindowSetting("what is pinned", 700, 70),
    "given": ChunkRanges("your chunks", [0, 100, 450], [100, 450, len(text)]),
}.get(st.query_params.get("base"), WindowSetting("no overlap", size, 0, same_size=True))
goto = st.query_params.get("goto")
overlay = ChunkOverlay(case, chosen, baseline, Goto(int(goto), "first") if goto else None)
lines = [at for at, letter in enumerate(text) if letter == "\\n"]
parts = Blocks(sentences=tuple(zip([0, *[at + 1 for at in lines]], lines)))
document = DocumentView(case, f"the {case} text", text, tuple(spans), blocks=parts)


def lay():
    if not hidden:
        chunk_overlay(overlay, key="overlay")


late = st.query_params.get("order") == "late"
if not late:
    lay()
if st.query_params.get("beside"):
    for column, side in zip(st.columns(2), ("baseline", "chosen")):
        with column:
            document_view(encode_document(document, height=400, side=side), key=side)
else:
    document_view(encode_document(document, height=400), key="view")
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
        drawn = expect(chromium_page.locator(".bv-setting").last)
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
    """Return how far the text has been scrolled.

    Streamlit hides what it shows while it mounts another component, and what is hidden stands at 0.
    """
    text = page.locator(".bv-scroll")
    text.wait_for()
    top: float = text.evaluate("node => node.scrollTop")
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


def move(page: "Page", size: int, overlap: int, *, unit: str = "char", live: bool = True) -> None:
    """Say what the ruler says while a handle is dragged."""
    page.evaluate(
        "(detail) => document.dispatchEvent(new CustomEvent('overlapkit:move', { detail }))",
        {"unit": unit, "size": size, "overlap": overlap, "live": live},
    )


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


def test_words_are_gaps_and_lengths_and_parts_are_flat() -> None:
    """Token 2 begins inside token 1, as one widened to a whole character does."""
    parts = Blocks(sentences=((0, 3), (4, 9)), table_rows=((10, 12),), code_blocks=())
    view = DocumentView(
        "i", "n", " ab cde", unit="word", starts=[1, 2, 4], ends=np.array([3, 3, 7]), blocks=parts
    )
    data = json.loads(encode_document(view, side="baseline"))
    assert (data["unit"], data["count"], data["side"]) == ("word", 3, "baseline")
    assert data["units"] == {"gaps": [1, -1, 1], "lengths": [2, 1, 3]}
    assert data["blocks"] == {"sentences": [0, 3, 4, 9], "tableRows": [10, 12], "codeBlocks": []}


@pytest.mark.parametrize(("text", "count"), [("", 0), (" \n\u3000", 0), ("a\U0001f600", 2)])
def test_white_space_alone_has_no_character_to_cut(text: str, count: int) -> None:
    """A document that no chunk is made of counts as empty; others count code points."""
    data = json.loads(encode_document(DocumentView("i", "n", text)))
    assert (data["unit"], data["count"], data["units"]) == ("char", count, None)


def test_an_overlay_is_two_ways_to_cut() -> None:
    """A setting is its numbers; what was cut elsewhere is where its chunks start and end."""
    overlay = ChunkOverlay(
        document="id",
        chosen=WindowSetting("900", 900, 180),
        baseline=ChunkRanges("yours", np.array([0, 720]), [900, 1000]),
        goto=Goto(5, 1),
        unit="token",
    )
    assert json.loads(encode_overlay(overlay)) == {
        "document": "id",
        "unit": "token",
        "chosen": {"label": "900", "size": 900, "overlap": 180},
        "baseline": {"label": "yours", "starts": [0, 720], "ends": [900, 1000]},
        "goto": {"offset": 5, "nonce": 1},
    }
    moving = ChunkOverlay("id", overlay.chosen, WindowSetting("0%", 900, 0, same_size=True))
    baseline = json.loads(encode_overlay(moving))["baseline"]
    assert baseline == {"label": "0%", "size": 900, "overlap": 0, "same_size": True}


def test_equal_overlays_give_equal_bytes() -> None:
    """An overlay that has not changed must not be sent again."""
    lists = ChunkOverlay("id", ChunkRanges("900", [0], [9]))
    arrays = ChunkOverlay("id", ChunkRanges("900", np.array([0]), np.array([9])))
    assert encode_overlay(lists) == encode_overlay(arrays)


def test_what_the_page_could_not_read_is_refused() -> None:
    """An unknown unit is named with the choices; a start without an end is an error."""
    with pytest.raises(SettingsError, match=r"unit must be one of char, word, token; got 'line'"):
        encode_document(DocumentView("i", "n", "text", unit="line"))
    with pytest.raises(ValueError, match="must pair up; got 2 and 1"):
        encode_overlay(ChunkOverlay("id", ChunkRanges("900", [0, 5], [9])))


# ---- plain functions ----------------------------------------------------------------


@pytest.fixture(scope="module")
def pure(chromium_page_of_module: "Page") -> Callable[..., Any]:
    """Call the script's plain functions from Python."""
    blank = chromium_page_of_module
    folder = Path(boundary_view.__file__).parent
    own = [(folder / name).read_text(encoding="utf-8") for name in ("pure.js", "chunks.js")]
    blank.add_script_tag(content="\n".join((WINDOWS_JS(), *own)))
    blank.evaluate(
        """() => {
          const joins = (code) => /[\\p{M}\\p{Cf}]/u.test(String.fromCodePoint(code));
          globalThis.pen = (width) => ({
            ascii: Array(128).fill(1), tab: 8, advance: (code) => (joins(code) ? 0 : width),
          });
        }"""
    )

    def call(expression: str, argument: object = None) -> Any:
        return blank.evaluate(f"(arg) => {expression}", argument)

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


# ---- the same as in Python ----------------------------------------------------------

# Playwright takes long over many small values, and no time over one string.
CUT_ALL = """JSON.stringify(JSON.parse(arg).map(([data, ways]) => {
  const doc = readDocument(data);
  const overlay = cutDocument(doc, movedWays(ways, doc.unit, null), null);
  const points = (units) => Array.from(units, (unit) => toCodePoints(doc.astral, unit));
  return {
    count: overlay.count,
    starts: points(overlay.chunks().starts),
    ends: points(overlay.chunks().ends),
    edges: points(overlay.edges),
    kinds: Array.from(overlay.edges, (at) => kindsAt(doc, overlay, at)),
    states: Array.from(overlay.states, (state) => overlay.words[state].name),
  };
}))"""


def cut_in_python(
    engine: Engine, spec: ChunkSpec, base: ChunkSpec | ChunkSet, parts: dict[str, Blocks]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield, for each document, what the page is sent and what it should make of it."""
    chunks, units = engine.chunk(spec), engine.units(spec.unit, spec.encoding)
    before = base if isinstance(base, ChunkSet) else engine.chunk(base)
    lines = ledger(engine, before, spec)
    for doc, document in enumerate(engine.corpus.documents):
        own = [line for line in lines if line.span.document == document.name]
        held = chunks.of_document(doc)
        starts, ends = chunks.start[held], chunks.end[held]
        spans = tuple(EvidenceSpan("e", line.span.start, line.span.end, "?") for line in own)
        view = DocumentView("id", document.name, document.text, spans, spec.unit)
        if units.starts is not None and units.ends is not None:
            part = slice(units.first[doc], units.first[doc + 1])
            shift = units.base[doc]
            view = replace(view, starts=units.starts[part] - shift, ends=units.ends[part] - shift)
        view = replace(view, blocks=parts[document.name])
        theirs = before.of_document(doc)
        baseline = (
            ChunkRanges("given", before.start[theirs], before.end[theirs])
            if isinstance(base, ChunkSet)
            else WindowSetting("before", base.size, base.overlap)
        )
        overlay = ChunkOverlay("id", WindowSetting("now", spec.size, spec.overlap), baseline)
        sent = [json.loads(encode_document(view)), json.loads(encode_overlay(overlay))]
        found = cuts(document, starts, ends, parts[document.name], [line.span for line in own])
        yield (
            sent,
            {
                "count": len(starts),
                "starts": starts.tolist(),
                "ends": ends.tolist(),
                "edges": [cut.position for cut in found],
                "kinds": [sum(1 << CUT_KINDS.index(kind) for kind in cut.kinds) for cut in found],
                "states": [line.state for line in own],
            },
        )


def agree(pure: Callable[..., Any], pairs: list[tuple[Any, dict[str, Any]]]) -> None:
    """Fail at the first document of which the page makes something else than Python does."""
    sent, expected = zip(*pairs, strict=True)
    made = json.loads(pure(CUT_ALL, json.dumps(sent)))
    for data, found, right in zip(sent, made, expected, strict=True):
        if found != right:
            assert (data, found) == (data, right)


@pytest.mark.browser
@pytest.mark.parametrize("name", list(SAMPLES))
def test_bundled_corpora_are_cut_as_in_python(pure: Callable[..., Any], name: str) -> None:
    """Chunks, what every boundary parts and the state of every span, in every unit."""
    corpus, queries = SAMPLES[name].load()
    engine = prepare(corpus, queries)
    parts = {document.name: blocks(document) for document in corpus.documents}
    words = ChunkSpec(unit="word", size=60, overlap=12)
    for spec, base in (
        (ChunkSpec(size=400, overlap=80), ChunkSpec(size=400, overlap=0)),
        (ChunkSpec(size=150, overlap=149 // 2), engine.chunk(words)),
        (words, ChunkSpec(unit="word", size=60, overlap=0)),
        (
            ChunkSpec(unit="token", size=40, overlap=13),
            ChunkSpec(unit="token", size=64, overlap=0),
        ),
    ):
        agree(pure, list(cut_in_python(engine, spec, base, parts)))


@pytest.mark.browser
def test_odd_texts_are_cut_as_in_python(pure: Callable[..., Any]) -> None:
    """Marks, joiners, tones, CR LF, astral letters, tables and code, with spans anywhere."""
    chance = random.Random(8)
    pieces = [
        "a", "Z", "9", "_", " ", ". ", "\n", "\r\n", "\n\n", "é", "e\u0301", "\u0301", "²", "Ⅷ",
        "日", "章。", "\U00020000", "\U0001f469\u200d\U0001f680", "\U0001f44d\U0001f3fd", "½", "ش",
        "\U0001f600", "\u200d", "नि", "\u3000", "\0", "-", "\n\n# Head\n\n", "One two. Three. ",
        "\n\n| a | b |\n|---|---|\n| c d | e |\n\n", "\n\n```\ncode x\n```\n\n",
    ]  # fmt: skip
    texts = ["".join(chance.choices(pieces, k=chance.randrange(60))) for _ in range(80)] + [
        "",
        " \n",
        "x",
        "\U0001f600",
    ]
    corpus = corpus_of([(f"{i}.md", text) for i, text in enumerate(texts)])
    asked: list[Query] = []
    for document in corpus.documents:
        for _ in range(4):
            edges = sorted(chance.choices(range(len(document.text) + 1), k=2))
            if edges[0] < edges[1]:
                asked.append(Query(f"q{len(asked)}", "?", (Evidence(document.name, *edges),)))
    engine = prepare(corpus, QuerySet(tuple(asked), "minimal"))
    parts = {document.name: blocks(document) for document in corpus.documents}
    pairs: list[tuple[Any, dict[str, Any]]] = []
    for unit in ("char", "word", "token"):
        for size in (1, 3, 9, 40):
            spec = ChunkSpec(unit=unit, size=size, overlap=chance.randrange(size))
            base = ChunkSpec(unit=unit, size=chance.choice((size, 6)), overlap=0)
            pairs += cut_in_python(engine, spec, base, parts)
    agree(pure, pairs)


@pytest.mark.browser
def test_letters_and_marks_are_those_of_python(pure: Callable[..., Any]) -> None:
    """Every character that this Python knows; a younger browser only knows more of them."""
    known = [
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in ("Cn", "Cs")
    ]
    found = pure(
        """JSON.stringify([WORD_PART, MARK].map((pattern) =>
          JSON.parse(arg).filter((code) => pattern.test(String.fromCodePoint(code)))))""",
        json.dumps(known),
    )
    words = [code for code in known if chr(code).isalnum() or chr(code) == "_"]
    marks = [code for code in known if unicodedata.category(chr(code))[0] == "M"]
    assert json.loads(found) == [words, marks]


@pytest.mark.browser
def test_settings_are_called_as_in_python(pure: Callable[..., Any]) -> None:
    """The head line must not change its words when the handles are let go."""
    specs = [
        ChunkSpec(unit=unit, size=size, overlap=overlap)
        for unit in ("char", "word", "token")
        for size, overlap in ((900, 120), (800, 100), (800, 108), (4000, 0), (1, 0), (1600, 1599))
    ]
    found = pure(
        "arg.map((spec) => settingInWords(...spec))",
        [[spec.unit, spec.size, spec.overlap] for spec in specs],
    )
    assert found == [setting(spec) for spec in specs]


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
    for row, word in (("stop", "smile"), ("accent", "mark"), ("quote", "mega")):
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
    expect(page.locator(".bv-cuts").first).to_have_text("cuts evidence, a word, a sentence")


@pytest.mark.browser
def test_evidence_in_each_state_has_a_line_and_a_word_of_its_own(
    open_case: Callable[..., "Page"],
) -> None:
    """From 500 without overlap to 500 with 100, worked out by hand: see STATES in the app."""
    from playwright.sync_api import expect

    page = open_case("plain")
    labels = page.locator(".bv-rows .bv-state")
    expect(labels).to_have_text(["repaired", "newly cut", "still cut", "longer"])
    kinds = labels.evaluate_all("nodes => nodes.map((node) => node.dataset.mark)")
    assert kinds == ["repaired", "newly", "still", "longer"]
    assert page.evaluate(
        "(kinds) => kinds.every((kind) => CSS.highlights.get(`overlapkit-${kind}`).size > 0)",
        ["whole", *kinds],
    )
    lines = page.locator(".bv-legend .bv-evidence").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).textDecorationStyle)"
    )
    assert lines == ["solid", "double", "wavy", "dashed", "dotted"]
    for words in (
        "whole in both: one chunk holds it, in both settings (10–20)",
        "repaired: cut in the baseline, whole here (490–510)",
        "newly cut: whole in the baseline, no chunk holds it here (790–910)",
        "still cut: no chunk holds it in either setting (795–1005)",
        "longer than the chunk: no chunk of this size can hold it (1400–2000)",
    ):
        page.get_by_role("button", name="Next evidence").click()
        expect(details(page)).to_contain_text(words)


@pytest.mark.browser
def test_without_a_baseline_evidence_is_whole_or_cut(open_case: Callable[..., "Page"]) -> None:
    """Nothing is said of a comparison that nobody asked for."""
    from playwright.sync_api import expect

    page = open_case("plain", base="none")
    expect(page.locator(".bv-rows .bv-state")).to_have_text(["cut", "cut", "longer"])
    page.get_by_role("button", name="Next evidence").click()
    expect(details(page)).to_contain_text("whole: one chunk holds it (10–20)")
    expect(details(page)).not_to_contain_text("with")


@pytest.mark.browser
def test_chunks_cut_elsewhere_can_be_the_baseline(open_case: Callable[..., "Page"]) -> None:
    """Of 0–100, 100–450 and the rest, the rest held what the chosen chunks now cut."""
    from playwright.sync_api import expect

    page = open_case("plain", base="given")
    expect(page.locator(".bv-rows .bv-state")).to_have_text(["newly cut", "newly cut", "longer"])
    page.get_by_role("button", name="Next evidence").click()
    expect(details(page)).to_contain_text("in chunk 1: 0–500 · with your chunks: chunk 1: 0–100")


@pytest.mark.browser
def test_too_many_chunks_are_counted_and_not_drawn(open_case: Callable[..., "Page"]) -> None:
    """In words, in place of the marks; and a place still says which chunks hold it."""
    from playwright.sync_api import expect

    page = open_case("big")
    expect(page.locator(".bv-notice")).to_have_text("")
    move(page, 20, 0)
    expect(page.locator(".bv-notice")).to_have_text(
        "35,007 chunks in this document are too many to draw over it: choose a larger step. "
        "All figures still count them."
    )
    expect(page.locator(".bv-setting")).to_have_text(
        "20 characters without overlap · 35,007 chunks"
    )
    expect(page.locator(".bv-rows .bv-edge, .bv-number, .bv-bar-lane")).to_have_count(0)
    page.get_by_role("button", name="Next evidence").click()
    expect(details(page)).to_contain_text("in chunk 1: 0–20")
    move(page, 500, 100)
    expect(page.locator(".bv-notice")).to_have_text("")
    expect(page.locator(".bv-number").first).to_have_text("1")


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
    expect(edge).to_have_text("cuts a word, a sentence")
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


# ---- live ---------------------------------------------------------------------------


@pytest.mark.browser
def test_a_drag_is_followed_without_a_message(
    open_case: Callable[..., "Page"], chromium_page: "Page"
) -> None:
    """Head line, marks, states and the moving baseline follow; Escape leads back."""
    from playwright.sync_api import expect

    frames: list[object] = []

    def count(frame: object) -> None:
        frames.append(frame)

    chromium_page.on("websocket", lambda socket: socket.on("framesent", count))
    page = open_case("plain")
    head, states = page.locator(".bv-setting"), page.locator(".bv-rows .bv-state")
    second = page.locator(".bv-row", has=page.locator(".bv-number", has_text=re.compile("^2$")))
    page.get_by_role("button", name="Next evidence").click()
    page.get_by_text("the page has been drawn").wait_for()
    sent = len(frames)
    move(page, 900, 120)
    expect(head).to_have_text("900 characters with 120 overlap (13%) · 11 chunks")
    expect(details(page)).to_have_attribute("aria-busy", "true")
    expect(details(page)).to_contain_text("with 900 characters without overlap: chunk 1: 0–900")
    expect(states).to_have_text(["repaired", "repaired", "still cut"])
    expect(page.locator("[data-count=cut]")).to_have_text("20")
    line = "A plain sentence of filler that stands on a line of its own."
    assert second.evaluate("row => row.offsetTop / row.offsetHeight") == 780 // len(f"{line}\n")
    move(page, 300, 0, live=False)
    expect(head).to_have_text("size 500 · 22 chunks")
    expect(details(page)).to_have_attribute("aria-busy", "false")
    expect(details(page)).to_contain_text("with no overlap: chunk 1: 0–500")
    expect(states).to_have_count(4)
    assert len(frames) == sent > 0


@pytest.mark.browser
def test_new_data_from_python_ends_a_drag(open_case: Callable[..., "Page"]) -> None:
    """What is released is what Python answers with; a late Escape changes nothing."""
    from playwright.sync_api import expect

    page = open_case("plain")
    move(page, 900, 120)
    expect(page.locator(".bv-setting")).to_contain_text("900 characters")
    page.get_by_text("smaller chunks").click()
    expect(page.locator(".bv-setting")).to_contain_text("size 300")
    move(page, 900, 120, live=False)
    expect(page.locator(".bv-setting")).to_contain_text("size 300")


@pytest.mark.browser
def test_a_drag_in_another_unit_or_beyond_the_rules_is_not_followed(
    open_case: Callable[..., "Page"],
) -> None:
    """Words say nothing of characters, and an overlap as long as the chunk would never end."""
    from playwright.sync_api import expect

    page = open_case("plain")
    move(page, 100, 20, unit="word")
    move(page, 100, 100)
    page.get_by_role("button", name="Next cut").click()
    expect(details(page)).to_contain_text("At 400")
    expect(page.locator(".bv-setting")).to_contain_text("size 500")


@pytest.mark.browser
def test_what_is_pinned_stays_during_a_drag(open_case: Callable[..., "Page"]) -> None:
    """Only no overlap at the same size moves along."""
    from playwright.sync_api import expect

    page = open_case("plain", base="pinned")
    page.get_by_role("button", name="Next evidence").click()
    move(page, 900, 120)
    expect(page.locator(".bv-setting")).to_contain_text("900 characters")
    expect(details(page)).to_contain_text("with what is pinned: chunk 1: 0–700")


@pytest.mark.browser
def test_many_moves_in_a_frame_are_one_repaint(open_case: Callable[..., "Page"]) -> None:
    """However fast the pointer is, the page has to do its work once for each picture."""
    page = open_case("plain")
    frames = page.evaluate(
        """() => {
          const real = window.requestAnimationFrame;
          let frames = 0;
          window.requestAnimationFrame = (run) => (frames++, real.call(window, run));
          for (let size = 200; size < 260; size++) {
            const detail = { unit: "char", size, overlap: 10, live: true };
            document.dispatchEvent(new CustomEvent("overlapkit:move", { detail }));
          }
          window.requestAnimationFrame = real;
          return frames;
        }"""
    )
    assert frames == 1
    page.locator(".bv-setting", has_text="259 characters").wait_for()


# ---- side by side -------------------------------------------------------------------


@pytest.mark.browser
def test_two_settings_stand_side_by_side(open_case: Callable[..., "Page"]) -> None:
    """Each has its own marks, and both texts begin at one height."""
    from playwright.sync_api import expect

    page = open_case("plain", beside="1")
    left, right = page.locator(".bv").first, page.locator(".bv").last
    expect(left.locator(".bv-setting")).to_have_text("Baseline: no overlap · 18 chunks")
    expect(right.locator(".bv-setting")).to_have_text("Chosen: size 500 · 22 chunks")
    assert left.locator(".bv-box[data-band=hatch]").count() == 0
    assert right.locator(".bv-box[data-band=hatch]").count() > 0
    expect(left.locator(".bv-rows .bv-state")).to_have_text(["cut", "cut"])
    expect(right.locator(".bv-rows .bv-state").first).to_have_text("repaired")
    tops = page.locator(".bv-scroll").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]
    move(page, 900, 120)
    expect(left.locator(".bv-setting")).to_contain_text("900 characters without overlap · 10")
    expect(right.locator(".bv-setting")).to_contain_text("900 characters with 120 overlap")


@pytest.mark.browser
def test_a_pinned_side_stays_while_the_other_is_dragged(open_case: Callable[..., "Page"]) -> None:
    """The view of what is pinned has nothing to follow."""
    from playwright.sync_api import expect

    page = open_case("plain", beside="1", base="given")
    heads = page.locator(".bv-setting")
    move(page, 900, 120)
    expect(heads.last).to_contain_text("900 characters")
    expect(heads.first).to_have_text("Baseline: your chunks · 3 chunks")


@pytest.mark.browser
def test_both_sides_scroll_together(open_case: Callable[..., "Page"]) -> None:
    """Whichever is scrolled, the other shows the same rows; the end of both is reached."""
    page = open_case("plain", beside="1")
    scroll = "([from, to]) => {document.querySelectorAll('.bv-scroll')[from].scrollTop = to; }"
    for one, to in ((0, 703), (1, 1207), (0, 0), (1, 100_000), (1, 703)):
        page.evaluate(scroll, [one, to])
        page.wait_for_function(
            """([one, to]) => {
              const views = [...document.querySelectorAll(".bv-scroll")];
              const tops = views.map((node) => node.scrollTop);
              const most = views[0].scrollHeight - 400;
              return tops[0] === tops[1] && tops[one] === Math.min(to, most);
            }""",
            arg=[one, to],
        )


@pytest.mark.browser
def test_a_place_in_one_side_is_shown_in_the_other(open_case: Callable[..., "Page"]) -> None:
    """The reading place and the pointer stand in both, each with its own chunks in words."""
    from playwright.sync_api import expect

    page = open_case("plain", beside="1")
    left, right = page.locator(".bv").first, page.locator(".bv").last
    right.get_by_role("button", name="Next cut").click()
    for view, words in ((left, "in chunk 1: 0–500"), (right, "in chunks 1 and 2: 0–500, 400–900")):
        expect(view.locator(".bv-details")).to_contain_text(f"At 400 · {words}")
        expect(view.locator(".bv-caret")).to_be_visible()
    left.locator(".bv-line").first.hover(position={"x": 100, "y": 8})
    expect(right.locator(".bv-echo")).to_be_visible()
    expect(left.locator(".bv-echo")).to_be_hidden()
    expect(right.locator(".bv-details")).to_contain_text("· in chunk 1: 0–500")
    page.mouse.move(2, 2)
    expect(right.locator(".bv-echo")).to_be_hidden()


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
    expect(count).to_have_text("1 of 42")
    expect(current).to_have_text("cuts a word, a sentence")
    expect(details(page)).to_contain_text("At 400")
    page.get_by_role("region", name="Text of the plain text").focus()
    page.keyboard.press("n")
    expect(count).to_have_text("2 of 42")
    expect(details(page)).to_contain_text("The boundary here cuts evidence, a word, a sentence.")
    page.keyboard.press("Shift+N")
    expect(count).to_have_text("1 of 42")
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
@pytest.mark.parametrize(
    ("width", "scheme", "beside"),
    [(390, "light", ""), (1280, "dark", ""), (1280, "light", "1")],
)
def test_no_accessibility_rule_is_broken(
    open_case: Callable[..., "Page"], width: int, scheme: Any, beside: str
) -> None:
    """On a phone and on a desk, light and dark, at a cut; and nothing is wider than the page.

    At rest both themes are looked at on the page Boundaries.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    from playwright.sync_api import expect

    page = open_case("plain", beside=beside)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 1000})
    narrow = 2 if beside else int(width == 390)
    expect(page.locator(".bv[data-narrow]")).to_have_count(narrow)
    page.get_by_role("button", name="Next cut").last.click()
    page.locator(".bv-legend").last.evaluate("node => { node.open = true; }")
    found = axe.Axe().run(page, context=".bv").response["violations"]
    assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
