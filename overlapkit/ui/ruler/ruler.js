/*
 * The life of the ruler. The default export runs again whenever the theme changes, so it must
 * find its earlier self; a state that comes during a gesture waits for its end.
 */
const MOVE = "overlapkit:move";
const RULER = "overlapkit:ruler";
const RULER_WANTED = "overlapkit:ruler-wanted";
const MEASURE = "overlapkit:measure";
const MEASURE_WANTED = "overlapkit:measure-wanted";
const USUAL = -1; // for size and overlap: those that Python chooses for a unit
const NARROW = 560; // px
const WIDE = 940;

const mounts = new WeakMap();
/* This outlives a mount, so that a page switch does not turn percent back into units. */
const kept = { inPercent: false, mounts: 0 };

export default function ({ parentElement }) {
  let view = mounts.get(parentElement);
  // A theme that changes while this is being mounted replaces what was built on.
  if (view && !parentElement.contains(view.root)) {
    close(parentElement, view);
    view = null;
  }
  if (!view) {
    view = open(parentElement);
    mounts.set(parentElement, view);
    document.dispatchEvent(new CustomEvent(RULER_WANTED));
  }
  // A late clean-up of an earlier run must not take down what a newer run has built.
  const run = ++view.run;
  return () => run === view.run && close(parentElement, view);
}

/* ---- life ------------------------------------------------------------------------- */

const PARTS = {
  setting: ".okr-setting", stage: ".okr-stage", first: ".okr-first", second: ".okr-second",
  shared: ".okr-shared", step: ".okr-step", words: ".okr-words", scale: ".okr-scale",
  sizeHandle: ".okr-size-handle", overlapHandle: ".okr-overlap-handle",
  sizeField: ".okr-field[data-moves=size]", overlapField: ".okr-field[data-moves=overlap]",
  sizeRange: ".okr-range[data-moves=size]", overlapRange: ".okr-range[data-moves=overlap]",
  guarantee: ".okr-guarantee", against: ".okr-against", strip: ".okr-strip", tiles: ".okr-tiles", status: "[role=status]",
};

function open(parentElement) {
  const root = parentElement.querySelector(".okr");
  const parts = Object.fromEntries(Object.entries(PARTS).map(([name, where]) => [name, root.querySelector(where)]));
  const view = {
    root, parts, id: `okr-${++kept.mounts}`, run: 0, frame: 0, timer: 0, stop: new AbortController(),
    latest: null, state: null, unit: "", sent: null, phase: "exact", gesture: null, refused: null,
    now: null, drawn: null, anchor: null, percent: 0, inPercent: kept.inPercent, typed: new Set(),
    measure: null, counted: null, before: null, cells: {}, tiles: [], tileNames: "", ticks: [], width: 0, columns: 0,
  };
  for (const cell of root.querySelectorAll("[data-figure]")) {
    view.cells[cell.dataset.figure] = cell.querySelectorAll("dd");
  }
  parts.scale.replaceChildren();
  name(view);
  listen(view);
  relayout(view);
  view.observer = new ResizeObserver(() => relayout(view));
  view.observer.observe(root);
  return view;
}

/** Names that must be the page's only ones. */
function name(view) {
  for (const group of view.root.querySelectorAll(".okr-segments")) {
    const buttons = group.querySelectorAll("input");
    for (const button of buttons) button.name = `${view.id}-${buttons.length}`;
  }
  view.root.querySelectorAll(".okr-error").forEach((error, i) => {
    error.id = `${view.id}-error-${i}`;
    error.parentElement.querySelector(".okr-field").setAttribute("aria-describedby", error.id);
  });
}

function close(parentElement, view) {
  mounts.delete(parentElement);
  view.run += 1; // so that no late clean-up takes down its successor
  view.stop.abort();
  view.observer.disconnect();
  cancelAnimationFrame(view.frame);
  clearTimeout(view.timer);
  if (view.gesture?.told) tell(view, false);
}

function listen(view) {
  const { root, parts } = view;
  const { signal } = view.stop;
  const on = (target, type, handler, more = {}) => target.addEventListener(type, handler, { signal, ...more });
  on(document, RULER, ({ detail }) => detail.content && receive(view, detail.content));
  on(document, MEASURE, ({ detail }) => measured(view, detail.content));
  on(document.fonts, "loadingdone", () => relayout(view));
  on(document, "keydown", (event) => escape(view, event), { capture: true });
  on(globalThis, "blur", () => restKeys(view));
  for (const handle of [parts.sizeHandle, parts.overlapHandle]) {
    on(handle, "pointerdown", (event) => grab(view, event));
    on(handle, "pointermove", (event) => drag(view, event));
    on(handle, "pointerup", (event) => release(view, event));
    on(handle, "pointercancel", (event) => lose(view, event));
    on(handle, "lostpointercapture", (event) => lose(view, event));
  }
  for (const range of [parts.sizeRange, parts.overlapRange]) {
    on(range, "pointerdown", (event) => grabRange(view, event));
    on(range, "input", (event) => slide(view, event));
    on(range, "change", () => releaseRange(view));
  }
  // A range input is let go of anywhere on the page.
  on(globalThis, "pointerup", () => releaseRange(view));
  on(globalThis, "pointercancel", () => view.gesture?.kind === "range" && cancel(view));
  for (const slider of [parts.sizeHandle, parts.overlapHandle, parts.sizeRange, parts.overlapRange]) {
    on(slider, "keydown", (event) => sliderKey(view, event));
    on(slider, "keyup", ({ key }) => isSliderKey(key) && restKeys(view));
    on(slider, "blur", () => view.gesture?.kind === "keys" && finish(view));
  }
  for (const field of [parts.sizeField, parts.overlapField]) {
    on(field, "input", (event) => type(view, event));
    on(field, "keydown", (event) => fieldKey(view, event));
    on(field, "blur", () => takeField(view, field));
  }
  const each = (where, handler) => {
    for (const button of root.querySelectorAll(where)) on(button, "change", (event) => handler(view, event));
  };
  each(".okr-units input", chooseUnit);
  each(".okr-measure input", chooseMeasure);
}

/* ---- data ------------------------------------------------------------------------- */

function receive(view, { state, trigger }) {
  view.trigger = trigger;
  view.latest = state;
  if (view.gesture) return;
  settle(view);
  draw(view);
}

/** Take Python's latest data, unless it was made before the message that was sent last. */
function settle(view) {
  const { latest: state, sent } = view;
  if (state === view.state || (sent && !answers(state.answered, sent))) return;
  const refused = sent && !(state.unit === sent.unit && (sent.size === USUAL || same(state, sent)));
  const other = state.measure !== view.state?.measure;
  view.sent = null;
  view.phase = "exact";
  view.state = state;
  view.unit = state.units[state.unit];
  view.now = view.anchor = { size: state.size, overlap: state.overlap };
  view.percent = percentFor(view.now, view.percent);
  forgetCounts(view);
  dress(view);
  loadTiles(view);
  if (other && view.measure?.id !== state.measure) document.dispatchEvent(new CustomEvent(MEASURE_WANTED));
  if (refused) tell(view, false);
  if (sent) announce(view, refused);
}

function answers({ count, setting }, { unit, size, overlap, after }) {
  // A lower count is another session's, which knows of no message.
  return count < after || (count > after && setting[0] === unit && setting[1] === size && setting[2] === overlap);
}

/** Put on what depends on the data alone. */
function dress(view) {
  const { root, parts, state, unit } = view;
  for (const node of root.querySelectorAll(".okr-unit")) put(node, unit);
  parts.sizeField.setAttribute("aria-label", `Chunk size in ${unit}`);
  parts.strip.toggleAttribute("data-plain", !state.evidence);
  for (const [name, nodes] of Object.entries(view.cells)) {
    nodes[0].parentElement.hidden = !state.evidence && !["chunks", "text", "price"].includes(name);
  }
  parts.against.hidden = !state.evidence;
  const meaning = "repaired was cut there and is whole here, newly cut was whole there";
  put(parts.against, `Evidence is compared with ${state.baseline.label}: ${meaning}.`);
}

/** Say the setting and its first figure to those who cannot see them change. */
function announce(view, refused) {
  const { state, parts, now, unit } = view;
  const words = settingWords(now, unit);
  const [first] = state.tiles;
  const counted = state.evidence ? countNow(view) : null;
  let figure = "";
  if (first) figure = `: ${first.label} ${first.value}`;
  else if (counted?.spans) figure = `: evidence whole ${percentOf(counted.held, counted.spans)}`;
  parts.status.textContent = refused ? `The setting is still ${words}${figure}.` : `${words}${figure}.`;
}

function measured(view, measure) {
  if (measure && measure.id === view.state?.measure) view.measure = measure;
  else return;
  forgetCounts(view);
  draw(view);
}

/* ---- drawing ---------------------------------------------------------------------- */

function relayout(view) {
  readLayout(view);
  const { root, columns } = view;
  root.dataset.room = columns < NARROW ? "narrow" : columns < WIDE ? "medium" : "wide";
  layTiles(view);
  draw(view);
}

function draw(view) {
  if (!view.state) return;
  const { root } = view;
  if (root.dataset.phase !== view.phase) root.dataset.phase = view.phase;
  view.drawn = { ...view.now, percent: view.percent };
  if (!view.gesture) drawSwitches(view);
  drawControls(view);
  if (view.width) drawRuler(view);
  drawStrip(view);
  drawTiles(view);
}

function drawSwitches(view) {
  const { root, parts, state, sent, inPercent } = view;
  const unit = sent?.unit ?? state.unit;
  for (const button of root.querySelectorAll(".okr-units input")) button.checked = button.value === unit;
  const mode = inPercent ? "percent" : "unit";
  for (const button of root.querySelectorAll(".okr-measure input")) button.checked = button.value === mode;
  parts.overlapField.setAttribute("aria-label", inPercent ? "Overlap in percent of the size" : `Overlap in ${view.unit}`);
}
