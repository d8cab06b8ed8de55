/*
 * The view: one text, drawn as the rows that are in sight. The default export runs again
 * whenever the data or the theme changes, so it must find its earlier self.
 */
const SPARE_ROWS = 12; // above and below, so that a fast wheel meets no blank
const LONGEST_LINE = 112; // columns; longer lines are hard to follow
const LINE_HEIGHT = 1.4;
const PADDING = 8;

const mounts = new WeakMap();
/* These outlive a mount, so that a page switch neither loses a place nor jumps again. */
const places = new Map();
const jumps = new Map();

export default function ({ data, parentElement, setTriggerValue }) {
  let view = mounts.get(parentElement);
  // A theme that changes while this is being mounted replaces what was built on.
  if (view && !parentElement.contains(view.root)) {
    close(parentElement, view);
    view = null;
  }
  if (!view) {
    view = open(parentElement);
    mounts.set(parentElement, view);
  }
  view.send = setTriggerValue;
  if (sameBytes(view.bytes, data)) relayout(view);
  else load(view, data);
  // A late clean-up of an earlier run must not take down what a newer run has built.
  const run = ++view.run;
  return () => run === view.run && close(parentElement, view);
}

function sameBytes(a, b) {
  if (a === b || a?.length !== b.length) return a === b;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function element(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

/* ---- life ------------------------------------------------------------------------- */

const PARTS = ["find", "query", "hits", "pick", "setting", "notice", "scroll", "sheet", "lanes", "rows", "caret", "echo", "map", "chart", "window", "details", "legend"];

function open(parentElement) {
  const root = parentElement.querySelector(".bv");
  const parts = Object.fromEntries(PARTS.map((name) => [name, root.querySelector(`.bv-${name}`)]));
  const view = {
    root, parts, run: 0, bytes: null, version: 0, frame: 0, timer: 0, rest: 0,
    text: "", astral: null, rows: Int32Array.of(0), shown: new Map(), rowOfElement: new WeakMap(),
    doc: null, side: null, evidence: spanIndex([]), ways: null, move: null, stale: false, overlay: null,
    late: null, led: null, plan: null, hits: { starts: [], ends: [], current: -1 },
    place: null, hover: null, echo: null, lanesKey: "", selected: new Set(), advances: new Map(), stop: new AbortController(),
  };
  parts.rows.replaceChildren();
  parts.legend.open = root.clientWidth > 700;
  listen(view);
  view.observer = new ResizeObserver(() => relayout(view));
  view.observer.observe(parts.scroll);
  return view;
}

function close(parentElement, view) {
  mounts.delete(parentElement);
  view.run += 1; // so that no late clean-up takes down its successor
  view.stop.abort();
  view.observer.disconnect();
  cancelAnimationFrame(view.frame);
  clearTimeout(view.timer);
  clearTimeout(view.rest);
  for (const row of view.shown.values()) unpaint(row);
}

function listen(view) {
  const { parts, root } = view;
  const on = (target, type, handler) => target.addEventListener(type, handler, { signal: view.stop.signal });
  on(document, OVERLAY, (event) => receive(view, event.detail));
  on(document, MOVE, (event) => follow(view, event.detail));
  on(document, TOGETHER, (event) => join(view, event.detail));
  on(document.fonts, "loadingdone", () => {
    view.advances.clear();
    relayout(view, true);
  });
  on(parts.scroll, "scroll", () => scrolled(view));
  on(parts.scroll, "pointermove", (event) => point(view, event));
  on(parts.scroll, "pointerleave", () => pointAway(view));
  on(parts.scroll, "click", (event) => placeAtPointer(view, event));
  on(parts.scroll, "keydown", (event) => textKey(view, event));
  on(parts.scroll, "copy", (event) => copyExactly(view, event));
  on(document, "selectionchange", () => select(view));
  on(parts.pick, "pointerdown", (event) => event.preventDefault()); // or the selection would go
  on(parts.pick, "click", () => pick(view));
  on(parts.query, "input", () => searchSoon(view));
  on(parts.query, "keydown", (event) => queryKey(view, event));
  for (const button of root.querySelectorAll("button[data-go]")) {
    on(button, "click", () => go(view, button.dataset.go, Number(button.dataset.way)));
  }
  on(parts.map, "pointerdown", (event) => dragMap(view, event));
  on(parts.map, "pointermove", (event) => event.buttons && dragMap(view, event));
  on(parts.map, "keydown", (event) => mapKey(view, event));
}

/* ---- data ------------------------------------------------------------------------- */

function load(view, bytes) {
  const data = JSON.parse(new TextDecoder().decode(bytes));
  const again = data.id === view.id && data.text === view.text;
  const before = places.get(data.id);
  const doc = readDocument(data);
  const { id, text, astral, evidence } = doc;
  Object.assign(view, { bytes, doc, id, text, astral, evidence, side: data.side, plan: null });
  Object.assign(view, { ways: null, move: null, stale: false, overlay: null });
  if (data.side) view.root.dataset.side = data.side;
  else delete view.root.dataset.side;
  const suffix = data.side ? `, ${data.side}` : "";
  view.root.setAttribute("aria-label", `Chunk boundaries in the text${suffix}`);
  view.parts.find.setAttribute("aria-label", `Search${suffix}`);
  view.parts.scroll.style.height = `${data.height}px`;
  view.parts.pick.hidden = !data.picks;
  view.parts.scroll.setAttribute("aria-label", `Text of ${data.name}${suffix}`);
  if (!again) {
    view.place = view.hover = view.echo = null;
    view.rows = Int32Array.of(0);
    view.rowHeight = 0;
    view.layoutKey = "";
  }
  dropRows(view);
  search(view);
  relayout(view);
  if (!again) scrollTo(view, before ?? { offset: 0, rest: 0 });
  document.dispatchEvent(new CustomEvent(WANTED));
  if (!view.overlay) refresh(view);
}

/** Draw again what depends on the setting or the search, never the text or its place. */
function refresh(view) {
  renew(view);
  schedule(view);
}

function renew(view) {
  view.version += 1;
  view.near = undefined;
  showHead(view);
  showCounts(view);
  showDetails(view);
}

const SIDES = { baseline: "Baseline: ", chosen: "Chosen: " };

function showHead(view) {
  const { overlay, side, parts } = view;
  parts.setting.textContent = overlay ? `${SIDES[side] ?? ""}${overlay.label} · ${counted(overlay.count, "chunk")}` : "";
  parts.setting.title = parts.setting.textContent;
  parts.notice.textContent = overlay?.tooMany
    ? `${counted(overlay.count, "chunk")} in this document are too many to draw over it: choose a larger step. All figures still count them.`
    : "";
  // While the handles move, nothing is read out; what stands there in the end is.
  parts.details.setAttribute("aria-busy", view.move !== null);
}

function counted(count, noun) {
  return `${inWords(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/* ---- layout ----------------------------------------------------------------------- */

/** Lay the rows out again if the width or the font has changed, and keep the place. */
function relayout(view, fontsChanged = false) {
  const { scroll, sheet } = view.parts;
  if (!scroll.clientWidth) return; // in a closed tab: the observer will call again
  view.root.toggleAttribute("data-narrow", view.root.clientWidth < 640);
  const pen = measure(view);
  const key = [view.id, view.text.length, pen.width, pen.height, ...pen.ascii.slice(32)].join(" ");
  if (key !== view.layoutKey || fontsChanged) {
    const spot = spotNow(view);
    view.layoutKey = key;
    view.pen = pen;
    view.rowHeight = pen.height;
    view.rows = layoutRows(view.text, pen, pen.width);
    view.total = view.rows.length * pen.height;
    sheet.style.height = `${view.total}px`;
    sheet.style.setProperty("--bv-row", `${pen.height}px`);
    sheet.style.setProperty("--bv-line", `${pen.width + 2 * PADDING}px`);
    view.sheetWidth = sheet.clientWidth;
    dropRows(view);
    scrollTo(view, spot);
    view.version += 1;
  }
  if (view.late) scrollTo(view, view.late);
  view.plan = null; // the size or the theme may have changed
  draw(view);
}

/** What stands at the top: the offset of its row, and how much of the row is hidden. */
function spotNow(view) {
  if (!view.rowHeight) return { offset: 0, rest: 0 };
  return spotAt(view, rowsInSight(view).first);
}

function spotAt(view, first) {
  return { offset: view.rows[first], rest: view.top - first * view.rowHeight };
}

/** Bring a spot to the top; in a closed tab, once the rows have been laid out. */
function scrollTo(view, spot) {
  view.late = view.rowHeight ? null : spot;
  if (view.rowHeight) view.parts.scroll.scrollTop = rowOf(view.rows, spot.offset) * view.rowHeight + spot.rest;
}

/** Measure the font in a row that nobody sees. */
function measure(view) {
  const row = element("div", "bv-row bv-probe");
  const line = row.appendChild(element("div", "bv-line"));
  const text = line.appendChild(element("span", "", "x".repeat(100)));
  view.parts.rows.append(row);
  const box = text.getBoundingClientRect();
  const style = getComputedStyle(line);
  const left = line.offsetLeft + PADDING;
  const room = view.parts.scroll.clientWidth - left - PADDING - parseFloat(style.getPropertyValue("--bv-lane"));
  const height = Math.max(Math.ceil(box.height), Math.round(parseFloat(style.fontSize) * LINE_HEIGHT));
  const canvas = (view.ruler ??= document.createElement("canvas").getContext("2d"));
  const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  if (font !== view.font || box.width !== view.fontWidth) view.advances.clear();
  canvas.font = view.font = font;
  view.fontWidth = box.width;
  canvas.fontKerning = "none";
  row.remove();
  const ascii = Array.from({ length: 128 }, (_, code) => (code < 32 || code === 127 ? box.width / 100 : canvas.measureText(String.fromCharCode(code)).width));
  const even = ascii.slice(32, 127).every((width) => Math.abs(width - box.width / 100) < 0.01);
  const column = box.width / 100;
  if (even) ascii.fill(column);
  const columns = Math.max(8, Math.min(LONGEST_LINE, Math.floor(room / column)));
  return {
    even, ascii, column, left, height, tab: 8 * ascii[32], width: columns * column,
    advance: (code) => advanceOf(view, code),
  };
}

/** The width of a character outside ASCII; marks and joiners add none of their own. */
function advanceOf(view, code) {
  let width = view.advances.get(code);
  if (width === undefined) {
    const character = String.fromCodePoint(code);
    width = /[\p{Mn}\p{Me}\p{Cf}]/u.test(character) ? 0 : view.ruler.measureText(visible(character)).width;
    view.advances.set(code, width);
  }
  return width;
}

/* ---- drawing ---------------------------------------------------------------------- */

function schedule(view) {
  view.frame ||= requestAnimationFrame(() => draw(view));
}

function draw(view) {
  cancelAnimationFrame(view.frame);
  view.frame = 0;
  const inSight = view.rowHeight > 0 && view.parts.scroll.clientHeight;
  // Read before anything is written, or the browser would lay the page out twice.
  const { first, after } = inSight ? rowsInSight(view) : {};
  if (view.stale) {
    cut(view);
    renew(view);
  }
  if (!inSight) return;
  const from = Math.max(0, first - SPARE_ROWS);
  const to = Math.min(view.rows.length, after + SPARE_ROWS);
  showRows(view, from, to);
  if (view.move) dressInSight(view, first, after);
  else dressRows(view, [...view.shown.values()]);
  drawLanes(view, view.rows[from], view.rows[to] ?? view.text.length + 1);
  drawMap(view);
  drawWindow(view, first, after);
  drawCarets(view);
  places.set(view.id, spotAt(view, first));
}

/** During a drag the rows out of sight wait until it rests. */
function dressInSight(view, first, after) {
  const rows = [...view.shown.values()];
  dressRows(view, rows.filter(({ index }) => index >= first && index < after));
  clearTimeout(view.rest);
  view.rest = setTimeout(() => dressRows(view, [...view.shown.values()]), 150);
}

function rowsInSight(view) {
  view.top = view.parts.scroll.scrollTop;
  view.height = view.parts.scroll.clientHeight;
  const first = Math.min(view.rows.length - 1, Math.floor(view.top / view.rowHeight));
  return { first, after: Math.min(view.rows.length, Math.ceil((view.top + view.height) / view.rowHeight)) };
}

/** Keep the rows of [from, to) in the page, in order. */
function showRows(view, from, to) {
  for (const [index, row] of view.shown) {
    if ((index < from || index >= to) && !view.selected.has(row)) removeRow(view, row);
  }
  let cursor = [...view.shown.values()].filter((row) => row.index >= from).sort((a, b) => a.index - b.index)[0]?.element ?? null;
  for (let index = from; index < to; index++) {
    const row = view.shown.get(index);
    if (row) {
      cursor = row.element.nextSibling;
      continue;
    }
    view.parts.rows.insertBefore(makeRow(view, index).element, cursor);
  }
}

function makeRow(view, index) {
  const start = view.rows[index];
  const end = view.rows[index + 1] ?? view.text.length;
  const text = rowText(view.text, view.rows, index);
  const node = document.createTextNode(visible(text));
  const line = element("div", "bv-line");
  line.replaceChildren(node);
  const box = element("div", "bv-row");
  const top = index * view.rowHeight;
  box.style.top = `${top}px`;
  // Marks stand apart from the line, which is never taken out, or a selection in it would be lost.
  const marks = element("div", "bv-marks");
  box.append(line, marks);
  const row = {
    index, top, start, end, node, line, marks, element: box, version: -1, edges: [], painted: [], xs: new Map(),
    plain: isPlain(view, text), mixed: RUNS_BACKWARDS.test(text),
  };
  view.shown.set(index, row);
  view.rowOfElement.set(box, row);
  return row;
}

/** Whether every character is one column wide, so that no place in the row need be measured. */
function isPlain({ pen }, text) {
  if (!pen.even || !SIMPLE.test(text)) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const half = code >= 0xd800 && code < 0xe000;
    if (half || (code > 126 && Math.abs(pen.advance(code) - pen.column) > 0.01)) return false;
  }
  return true;
}

/* No tabs, marks or joiners, and of letters only those that never change beside another. */
const SIMPLE = /^(?:[ -~]|(?!\p{M})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u00a1-\u00ac\u00ae-\u00ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf])*$/u;
const RUNS_BACKWARDS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function removeRow(view, row) {
  unpaint(row);
  row.element.remove();
  view.shown.delete(row.index);
}

function dropRows(view) {
  for (const row of view.shown.values()) removeRow(view, row);
}

/** Rows that hold an end of the selection stay, or scrolling would lose it. */
function select(view) {
  const selection = document.getSelection();
  const ends = selection && !selection.isCollapsed ? [selection.anchorNode, selection.focusNode] : [];
  view.selected = new Set(ends.map((node) => rowAround(view, node)));
  view.parts.pick.disabled = !selectedRange(view);
}

function rowAround(view, node) {
  const box = (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement)?.closest(".bv-row");
  return box ? view.rowOfElement.get(box) : undefined;
}

/** Where an offset stands in its row, from the left of the sheet; measured once at most. */
function xOf(view, row, offset) {
  const at = Math.min(offset - row.start, row.node.length);
  if (row.plain) return view.pen.left + at * view.pen.column;
  let x = row.xs.get(at);
  if (x === undefined) {
    const range = document.createRange();
    range.setStart(row.node, at);
    const box = range.getClientRects()[0];
    x = box ? box.left - row.element.getBoundingClientRect().left : view.pen.left;
    row.xs.set(at, x);
  }
  return x;
}

/** What [from, to) covers in a row, from left to right; at the row's ends, its margins too. */
function spansOf(view, row, from, to) {
  const left = view.pen.left - PADDING;
  const right = view.pen.left + view.pen.width + PADDING;
  const first = from === row.start;
  const last = to === row.end;
  if (first && last) return [{ left, right }];
  if (!row.mixed) return [{ left: first ? left : xOf(view, row, from), right: last ? right : xOf(view, row, to) }];
  const spans = textSpans(row, from, to);
  const all = textSpans(row, row.start, row.end);
  const before = { left, right: Math.min(...all.map((span) => span.left)) };
  const behind = { left: Math.max(...all.map((span) => span.right)), right };
  const backwards = STARTS_FROM_THE_RIGHT.test(row.node.data);
  if (first) spans.push(backwards ? behind : before);
  if (last) spans.push(backwards ? before : behind);
  return spans;
}

/* The first letter decides, as in unicode-bidi: plaintext. */
const STARTS_FROM_THE_RIGHT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

function textSpans(row, from, to) {
  const range = document.createRange();
  range.setStart(row.node, Math.min(from - row.start, row.node.length));
  range.setEnd(row.node, Math.min(to - row.start, row.node.length));
  const origin = row.element.getBoundingClientRect().left;
  return Array.from(range.getClientRects(), (box) => ({ left: box.left - origin, right: box.right - origin }));
}

/** The reading place, and where the pointer is in the other view. */
function drawCarets(view) {
  drawCaret(view, view.parts.caret, view.place);
  drawCaret(view, view.parts.echo, view.echo);
}

function drawCaret(view, caret, offset) {
  const row = offset === null ? null : view.shown.get(rowOf(view.rows, offset));
  caret.hidden = !row;
  if (!row) return;
  caret.style.top = `${row.top}px`;
  caret.style.left = `${xOf(view, row, offset)}px`;
}
