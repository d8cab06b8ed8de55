"""The browser's windows against this package's, and the component that offers a measure.

Every script runs in the browser itself, from the text that a component would send.
"""

import base64
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from overlapkit.boundaries import STATES, ledger, tally
from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.chunkers.spans import Units
from overlapkit.corpus import corpus_of
from overlapkit.engine import Engine, prepare
from overlapkit.evaluate.ceiling import whole_spans
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.samples import SAMPLES
from overlapkit.ui import live
from overlapkit.ui.component import asset
from overlapkit.ui.live import OFFER_JS, WINDOWS_JS, encode_measure, measure_id

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

CASES = 5_000
LAYOUTS = (
    ("char", "cl100k_base"), ("word", "cl100k_base"),
    ("token", "cl100k_base"), ("token", "o200k_base"),
)  # fmt: skip
NAMES = ("whole", "repaired", "newlyCut", "stillCut", "longer")  # in the order of STATES

# Bytes travel as base64, many whole numbers as 32 bits each.
HARNESS = """
function fromBase64(text) {
  // One byte of padding in front, so that no array begins where its type asks for.
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length + 1);
  for (let i = 0; i < binary.length; i++) bytes[i + 1] = binary.charCodeAt(i);
  return bytes.subarray(1);
}

function toBase64(numbers) {
  const bytes = new Uint8Array(Int32Array.from(numbers).buffer);
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(binary);
}

function flatWindows(all) {
  return all.flatMap(({ starts, ends }) => [starts.length, ...starts, ...ends]);
}

function answer(measure, cut, { size, overlap, baseline }) {
  const { docs, spanDoc, spanStart, spanEnd } = measure;
  const windows = docs.map((layout) => windowsOf(layout, size, overlap));
  const held = heldSpans(measure, size, overlap);
  const long = longSpans(measure, size);
  const searched = held.map((_, k) => holdsWhole(windows[spanDoc[k]], spanStart[k], spanEnd[k]));
  return {
    totals: totals(measure, size, overlap),
    unmerged: docs.reduce((sum, { count }) => sum + windowCount(count, size, overlap), 0),
    windows: toBase64(flatWindows(windows)),
    held: [...held].join(""),
    long: [...long].join(""),
    states: compareSpans(heldSpans(measure, ...baseline), held, long),
    searched: [...searched].join(""),
    cutTotals: totals(cut, size, overlap),
    cutWindows: toBase64(flatWindows(cut.docs.map((layout) => windowsOf(layout, size, overlap)))),
    cutHeld: [...heldSpans(cut, size, overlap)].join(""),
  };
}

function answers(text) {
  const all = JSON.parse(text).map(({ data, settings }) => {
    const measure = decodeMeasure(fromBase64(data));
    // The same windows once more, as if they had been cut elsewhere for these settings.
    const recut = (layout) => ({
      cuts: settings.map(({ size, overlap }) => (
        { size, overlap, ...windowsOf(layout, size, overlap) }
      )),
    });
    const cut = measureOf("cut", "char", measure.docs.map(recut), measure);
    return settings.map((setting) => answer(measure, cut, setting));
  });
  return JSON.stringify(all);
}
"""


@pytest.fixture(scope="module")
def page(chromium_page_of_module: "Page") -> "Page":
    """Open a blank page that knows the functions of windows.js."""
    chromium_page_of_module.add_script_tag(content=f"{WINDOWS_JS()}\n{HARNESS}")
    return chromium_page_of_module


# --- random corpora ---------------------------------------------------------------------

PLAIN = ["the", "window", "cut", "overlap", "a", "I", "2024", "8,000", "end.", "(x)", "caf\u00e9"]
WIDE = [
    "\U0001fae0", "\U0001f9ac\U0001fae0", "\U0001f469\u200d\U0001f680", "\U0001f44d\U0001f3fd",
    "\u6f22\u5b57", "\u9f98", "\u304b\u3099", "\U0001d6ba", "\u0e01\u0e33", "\ud55c",
    "\U00020bb7", "e\u0301", "\u200b", "\x00", "\ud800",
]  # fmt: skip
WHITE = [" ", " ", " ", "\n", "  ", "\t", "\r\n", "\u3000", "\u00a0 "]


def random_text(rng: random.Random, longest: int) -> str:
    """Return a text of some words, wide ones in some share; it may be empty or white."""
    count = rng.choice([0, 1, 2, rng.randint(0, 12), rng.randint(0, longest)])
    wide = rng.choice([0, 0.1, 0.5, 1])
    glue = rng.choice([0.2, 0.9, 1])
    parts = [rng.choice(["", "", rng.choice(WHITE)])]
    for _ in range(count):
        parts.append(rng.choice(WIDE if rng.random() < wide else PLAIN))
        if rng.random() < glue:
            parts.append(rng.choice(WHITE))
    return "".join(parts)


def random_engine(rng: random.Random) -> Engine:
    """Return a small corpus with evidence anywhere in it, in white space too."""
    longest = rng.choice([10, 40, 40, 120])
    texts = [random_text(rng, longest) for _ in range(rng.choice([1, 1, 2, 5]))]
    full = [number for number, text in enumerate(texts) if text]
    queries = []
    for number in range(rng.randint(1, 8) if full else 0):
        doc = rng.choice(full)
        start = rng.randrange(len(texts[doc]))
        end = rng.randint(start + 1, min(start + rng.choice([1, 5, 30, 999]), len(texts[doc])))
        queries.append(Query(f"q{number}", "?", (Evidence(str(doc), start, end),)))
    corpus = corpus_of((str(number), text) for number, text in enumerate(texts))
    return prepare(corpus, QuerySet(tuple(queries), "minimal"), "word")


def random_specs(rng: random.Random, engine: Engine, unit: str, encoding: str) -> list[ChunkSpec]:
    """Return settings around the lengths of the documents, small and huge ones included."""
    longest = max(int(np.diff(engine.units(unit, encoding).first).max()), 1)
    specs = []
    for _ in range(16):
        size = rng.choice([
            rng.randint(1, 6), rng.randint(1, longest + 2), rng.randint(1, longest // 4 + 2),
            longest, rng.choice([800, 1_000_000_000]),
        ])  # fmt: skip
        overlap = rng.choice([0, size // 5, size - 1, rng.randrange(size)])
        specs.append(ChunkSpec(unit=unit, size=size, overlap=overlap, encoding=encoding))
    return specs


Asked = tuple[Engine, list[tuple[ChunkSpec, ChunkSpec]]]  # each setting with its baseline


def random_batches(rng: random.Random) -> Iterator[list[Asked]]:
    """Yield batches of corpora and settings, about ``CASES`` settings in all."""
    per_engine = 16 * len(LAYOUTS)
    engines = -(-CASES // per_engine)
    for _ in range(4):
        batch = []
        for _ in range(-(-engines // 4)):
            engine = random_engine(rng)
            for layout in LAYOUTS:
                specs = random_specs(rng, engine, *layout)
                batch.append((engine, [(spec, rng.choice(specs)) for spec in specs]))
        yield batch


def request(asked: Asked) -> dict[str, Any]:
    """Return what the browser is asked about one corpus in one unit."""
    engine, pairs = asked
    spec = pairs[0][0]
    return {
        "data": base64.b64encode(encode_measure(engine, spec.unit, spec.encoding)).decode(),
        "settings": [
            {"size": s.size, "overlap": s.overlap, "baseline": [b.size, b.overlap]}
            for s, b in pairs
        ],
    }


def ask(page: "Page", batch: list[Asked]) -> Iterator[tuple[Engine, ChunkSpec, ChunkSpec, Any]]:
    """Yield the browser's answer to each setting, and what it was asked."""
    # One string each way: Playwright is slow at checking many small values.
    replies = json.loads(page.evaluate("answers", json.dumps([request(one) for one in batch])))
    for (engine, pairs), found in zip(batch, replies, strict=True):
        for (spec, baseline), reply in zip(pairs, found, strict=True):
            for name in ("windows", "cutWindows"):
                reply[name] = numbers(reply[name])
            yield engine, spec, baseline, reply


# --- what this package says -------------------------------------------------------------


def numbers(text: str) -> list[int]:
    """Return whole numbers that travelled as base64."""
    return np.frombuffer(base64.b64decode(text), "<i4").tolist()


def bits(mask: np.ndarray) -> str:
    """Return one digit for each entry."""
    return "".join("1" if one else "0" for one in mask.tolist())


def flat_windows(chunks: ChunkSet, documents: int) -> list[int]:
    """Return for each document the number of its windows, their starts, their ends."""
    flat = []
    edges = np.searchsorted(chunks.doc, np.arange(documents + 1)).tolist()
    start, end = chunks.start.tolist(), chunks.end.tolist()
    for first, after in pairwise(edges):
        flat += [after - first, *start[first:after], *end[first:after]]
    return flat


def kept_units(spec: ChunkSpec, units: Units, chunks: ChunkSet) -> int:
    """Return the units of all windows kept, from the definition and window by window."""
    kept = []
    for doc, (first, after) in enumerate(pairwise(units.first.tolist())):
        windows = []
        for at in range(first, after, spec.step):
            to = min(at + spec.size, after)
            start, end = (at - first, to - first)
            if units.starts is not None and units.ends is not None:
                base = int(units.base[doc])
                start, end = int(units.starts[at]) - base, int(units.ends[to - 1]) - base
            windows.append((doc, start, end, to - at))
            if to == after:
                break
        latest = {window[1]: window for window in windows}
        by_end: dict[int, tuple[int, int, int, int]] = {}
        for window in latest.values():
            by_end.setdefault(window[2], window)
        kept += by_end.values()
    assert [window[1:3] for window in kept] == [
        *zip(chunks.start.tolist(), chunks.end.tolist(), strict=True)
    ]
    return sum(window[3] for window in kept)


def expected(engine: Engine, spec: ChunkSpec, baseline: ChunkSpec) -> dict[str, Any]:
    """Return what the browser must answer to one setting."""
    chunks, units = engine.chunk(spec), engine.units(spec.unit, spec.encoding)
    spans = engine.evidence.spans
    sums = {"chunks": len(chunks), "characters": int(chunks.lengths().sum())}
    held = bits(whole_spans(chunks, engine.evidence))
    windows = flat_windows(chunks, len(engine.corpus.documents))
    states = tally(ledger(engine, engine.chunk(baseline), spec))
    return {
        "totals": {**sums, "units": kept_units(spec, units, chunks)},
        "unmerged": len(chunks) + chunks.merged,
        "windows": windows,
        "held": held,
        "long": bits(units.met(spans.start, spans.end) > spec.size),
        "states": {name: states[state] for name, state in zip(NAMES, STATES, strict=True)},
        "searched": held,
        "cutTotals": {**sums, "units": None if engine.corpus.documents else 0},
        "cutWindows": windows,
        "cutHeld": held,
    }


# --- parity -----------------------------------------------------------------------------


def test_windows_and_what_they_hold_equal_python(page: "Page"):
    """5,000 random settings: windows, totals, whole, long and compared spans, cuts as given."""
    seen = merged = 0
    met: Counter[tuple[str, str, str]] = Counter()
    for batch in random_batches(random.Random(20)):
        for engine, spec, baseline, reply in ask(page, batch):
            where = (spec, baseline, [one.text for one in engine.corpus.documents])
            assert reply == expected(engine, spec, baseline), where
            seen += 1
            merged += reply["unmerged"] > reply["totals"]["chunks"]
            found = [name for name in NAMES if reply["states"][name]]
            met.update((spec.unit, spec.encoding, name) for name in found)
    assert seen >= CASES
    # No state of a span is rare in any unit.
    assert min(met[*layout, name] for layout in LAYOUTS for name in NAMES) > CASES // 200
    assert merged > CASES // 100  # widened tokens did let windows fall together


READ = """(data) => {
  const { id, unit, docs, ...spans } = decodeMeasure(fromBase64(data));
  const joined = (name) => toBase64(docs.flatMap((layout) => [...(layout[name] ?? [])]));
  const found = { id, unit, starts: joined("starts"), ends: joined("ends") };
  found.counts = docs.map(({ count }) => count);
  for (const name of ["spanDoc", "spanStart", "spanEnd", "spanUnits"]) {
    found[name] = toBase64(spans[name]);
  }
  return found;
}"""


@pytest.mark.parametrize("name", SAMPLES)
def test_the_measure_of_a_bundled_corpus_arrives_whole(page: "Page", name: str):
    """Units and evidence are those of the engine, in each unit and at any place in memory."""
    engine = prepare(*SAMPLES[name].load(), "word")
    spans, base = engine.evidence.spans, engine.evidence.base
    for unit in ("char", "word", "token"):
        found = page.evaluate(READ, base64.b64encode(encode_measure(engine, unit)).decode())
        units = engine.units(unit)
        counts = np.diff(units.first)
        assert (found["id"], found["unit"]) == (measure_id(engine, unit), unit)
        assert found["counts"] == counts.tolist()
        shift = np.repeat(units.base, counts)
        for side, wanted in (("starts", units.starts), ("ends", units.ends)):
            assert numbers(found[side]) == ([] if wanted is None else (wanted - shift).tolist())
        assert numbers(found["spanDoc"]) == spans.doc.tolist()
        assert numbers(found["spanStart"]) == (spans.start - base[spans.doc]).tolist()
        assert numbers(found["spanEnd"]) == (spans.end - base[spans.doc]).tolist()
        assert numbers(found["spanUnits"]) == units.met(spans.start, spans.end).tolist()


def test_bundled_corpora_are_counted_and_compared_alike(page: "Page"):
    """At real lengths, with a real baseline, every figure is that of Python."""
    engine = prepare(*SAMPLES["handbook"].load(), "word")
    batch = []
    for unit, size in (("char", 800), ("word", 120), ("token", 200)):
        shares = [ChunkSpec.percent(size, pct, unit=unit) for pct in (0, 20, 50, 99)]
        batch.append((engine, [(spec, shares[0]) for spec in shares]))
    for _, spec, baseline, reply in ask(page, batch):
        assert reply == expected(engine, spec, baseline), (spec, baseline)


# --- by hand ----------------------------------------------------------------------------


def test_how_many_sorted_values_are_at_most_x(page: "Page"):
    """Equal values count together; below the first there are none."""
    found = page.evaluate("[-1, 0, 2, 3, 9].map((x) => countUpTo([0, 2, 2, 5], x))")
    assert found == [0, 1, 3, 3, 4]
    assert page.evaluate("countUpTo([], 1)") == 0


def test_the_longest_span_sure_to_be_whole_is_one_more_than_the_overlap(page: "Page"):
    """A window of ten with four repeated always holds five in a row."""
    assert page.evaluate("guaranteed(10, 4)") == 5


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ((800, 160), (800, 160)),
        ((800, 150), (800, 160)),
        ((810, 0), (800, 0)),
        # 550 is 1.375 times 400, and 800 is 1.4545 times 550; a fifth of 550 is 110.
        ((550, 110), (400, 80)),
        # 570 is 1.425 times 400, and 800 is 1.4035 times 570.
        ((570, 114), (800, 160)),
        ((20, 10), (400, 80)),
        ((9000, 0), (800, 0)),
    ],
)
def test_what_was_cut_elsewhere_shows_the_nearest_setting(
    page: "Page", asked: tuple[int, int], taken: tuple[int, int]
):
    """The size is nearest by ratio, then the overlap by its share of the size."""
    settings = [(400, 0), (400, 80), (800, 0), (800, 160)]
    cuts = [
        {"size": size, "overlap": overlap, "starts": [0, size + overlap], "ends": [size, 5000]}
        for size, overlap in settings
    ]
    found = page.evaluate("([cuts, s, o]) => windowsOf({ cuts }, s, o)", [cuts, *asked])
    size, overlap = taken
    assert found == {"starts": [0, size + overlap], "ends": [size, 5000]}


def test_chunks_cut_elsewhere_are_counted_and_hold_spans(page: "Page"):
    """Chunks of 0..10 and 8..20 hold 8..10 and 12..20, not 7..11; their units are unknown."""
    found = page.evaluate("""() => {
      const docs = [{ cuts: [{ size: 10, overlap: 0, starts: [0, 8], ends: [10, 20] }] }];
      const spans = { spanDoc: [0, 0, 0], spanStart: [8, 12, 7], spanEnd: [10, 20, 11] };
      const measure = measureOf("id", "char", docs, spans);
      return { totals: totals(measure, 5, 1), held: [...heldSpans(measure, 5, 1)] };
    }""")
    assert found["totals"] == {"chunks": 2, "characters": 22, "units": None}
    assert found["held"] == [1, 1, 0]


def test_a_layout_is_read_from_gaps_and_lengths(page: "Page"):
    """Running sums give the units, and whether any two share a start or an end."""
    layout = """([gaps, lengths]) => {
      const { starts, ends, ...rest } = layoutOf(gaps.length, gaps, lengths);
      return { starts: [...starts], ends: [...ends], ...rest };
    }"""
    found = page.evaluate(layout, [[1, 1, 0, -1], [2, 1, 2, 1]])
    assert found == {"count": 4, "starts": [1, 4, 5, 6], "ends": [3, 5, 7, 7], "rises": False}
    found = page.evaluate(layout, [[1, 1, 0], [2, 1, 2]])
    assert found == {"count": 3, "starts": [1, 4, 5], "ends": [3, 5, 7], "rises": True}
    found = page.evaluate(layout, [[0, -1], [1, 2]])
    assert found == {"count": 2, "starts": [0, 0], "ends": [1, 2], "rises": False}
    assert page.evaluate("layoutOf(7)") == {"count": 7, "starts": None, "ends": None}


# --- the component ----------------------------------------------------------------------

MOUNT = """async ([script, ...measures]) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: mount } = await import(address);
  const told = [];
  document.addEventListener("overlapkit:measure", ({ detail }) => {
    told.push(detail.content?.id ?? null);
  });
  const want = () => document.dispatchEvent(new CustomEvent("overlapkit:measure-wanted"));
  const container = document.body.appendChild(document.createElement("div"));
  container.className = "stElementContainer";
  const parentElement = container.appendChild(document.createElement("div"));
  const [first, second] = measures.map(fromBase64);
  const seen = {};
  const step = (name, act) => { act(); seen[name] = told.splice(0); };
  let leaveFirst, leaveAgain, leaveSecond;
  step("arrived", () => { leaveFirst = mount({ data: first, parentElement }); });
  step("asked", want);
  step("unchanged", () => { leaveAgain = mount({ data: first.slice(), parentElement }); });
  step("changed", () => { leaveSecond = mount({ data: second.slice().buffer, parentElement }); });
  step("late", () => { leaveFirst(); leaveAgain(); });
  seen.hidden = container.style.display;
  step("left", () => leaveSecond());
  step("askedInVain", want);
  seen.shown = container.style.display;
  return seen;
}"""


def test_a_measure_is_offered_while_it_is_mounted(page: "Page"):
    """It is told when new and when asked for, and taken back by the last clean-up only."""
    corpus = corpus_of([("a", "one two")])
    engine = prepare(corpus, QuerySet((Query("q", "?", (Evidence("a", 0, 3),)),), "minimal"))
    script = "\n".join((WINDOWS_JS(), OFFER_JS(), asset(Path(live.__file__).parent, "measure.js")))
    data = [base64.b64encode(encode_measure(engine, unit)).decode() for unit in ("char", "word")]
    first, second = measure_id(engine, "char"), measure_id(engine, "word")
    assert page.evaluate(MOUNT, [script, *data]) == {
        "arrived": [first],
        "asked": [first],
        "unchanged": [],
        "changed": [second],
        "late": [],
        "hidden": "none",
        "left": [None],
        "askedInVain": [],
        "shown": "",
    }
