/*
 * The life of the bars, and what the reader does with them. The default export runs again
 * whenever the data or the theme changes, so it must find its earlier self.
 */
const MOVE = "overlapkit:move";
const NOTHING = ["", ""]; // what is sent when nothing is picked any more

const mounts = new WeakMap();
const kept = { mounts: 0 };

export default function ({ data, parentElement, setTriggerValue }) {
  let view = mounts.get(parentElement);
  // A theme that changes while this is being mounted replaces what was built on.
  if (view && !parentElement.contains(view.parts.root)) {
    close(parentElement, view);
    view = null;
  }
  if (!view) {
    view = open(parentElement);
    mounts.set(parentElement, view);
  }
  view.send = (pick) => setTriggerValue("pick", pick);
  view.state = JSON.parse(new TextDecoder().decode(data));
  view.live = null;
  draw(view);
  // A late clean-up of an earlier run must not take down what a newer run has built.
  const run = ++view.run;
  return () => run === view.run && close(parentElement, view);
}

const PARTS = {
  legend: ".okb-legend", chart: ".okb-chart", lines: ".okb-lines", frame: ".okb-frame", bars: ".okb-bars",
  word: ".okb-word", empty: ".okb-empty", tip: ".okb-tip",
};

function open(parentElement) {
  const root = parentElement.querySelector(".okb");
  const parts = { root };
  for (const [name, where] of Object.entries(PARTS)) parts[name] = root.querySelector(where);
  parts.tip.id = `okb-tip-${++kept.mounts}`;
  for (const name of ["legend", "lines", "bars"]) parts[name].replaceChildren();
  const view = {
    parts, run: 0, state: null, live: null, letGo: false, shown: new Map(), ticks: "", at: null, tipOf: null,
    send: null, stop: new AbortController(),
  };
  const { signal } = view.stop;
  document.addEventListener(MOVE, ({ detail }) => moved(view, detail), { signal });
  // The ruler says nothing when it is let go of: its message goes to Python.
  for (const type of ["pointerup", "keyup"]) {
    document.addEventListener(type, () => released(view), { signal, capture: true });
  }
  return view;
}

function close(parentElement, view) {
  mounts.delete(parentElement);
  view.run += 1; // so that no late clean-up takes down its successor
  view.stop.abort();
}

function draw(view) {
  const { parts, state } = view;
  const focused = parts.bars.contains(document.activeElement);
  const none = !state.bars.some((bar) => bar.parts.some((part) => part.count));
  parts.chart.hidden = parts.legend.hidden = none;
  parts.empty.hidden = !none;
  hideTip(view);
  drawLegend(view);
  drawLines(view);
  drawBars(view);
  drawPicked(view);
  drawChosen(view);
  const entry = rove(view);
  // The part that had the focus may be gone.
  if (focused && !parts.bars.contains(document.activeElement)) entry?.focus();
}

/* ---- following the handles -------------------------------------------------------- */

function moved(view, detail) {
  const live = detail.live && detail.unit === view.state.unit ? detail : null;
  if (!live && !view.live) return;
  view.live = live;
  view.letGo = false;
  drawChosen(view);
}

function released(view) {
  if (!view.live) return;
  view.letGo = true;
  drawChosen(view);
}

/* ---- picking ---------------------------------------------------------------------- */

function listenTo(view, part, here) {
  part.addEventListener("click", () => {
    const { picked } = view.state;
    const again = picked?.[0] === here.name && picked[1] === here.cause;
    pick(view, again ? null : [here.name, here.cause]);
  });
  part.addEventListener("keydown", (event) => key(view, part, here, event));
  part.addEventListener("focus", () => {
    view.at = here;
    rove(view);
    if (part.matches(":focus-visible")) showTip(view, part, here);
  });
  part.addEventListener("blur", () => hideTip(view));
  part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && showTip(view, part, here));
  part.addEventListener("pointerleave", () => hideTip(view));
}

/** Show what is picked at once; the listing follows when Python has it. */
function pick(view, picked) {
  view.state.picked = picked;
  hideTip(view);
  drawPicked(view);
  view.send(picked ?? NOTHING);
}

function key(view, part, here, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape") {
    if (view.state.picked) pick(view, null);
    else if (view.tipOf) hideTip(view);
    else return;
  } else {
    const next = neighbour(view, part, here, event.key);
    if (!next) return;
    next.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}

/** The part that an arrow key leads to, the same one at an end; null for other keys. */
function neighbour(view, part, { name, cause }, pressed) {
  const columns = view.state.bars.map((bar) => view.shown.get(bar.name)).filter((bar) => bar.parts.size);
  const at = columns.findIndex((bar) => bar.name === name);
  if (pressed === "ArrowUp") return part.nextSibling ?? part;
  if (pressed === "ArrowDown") return part.previousSibling ?? part;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 }[pressed];
  if (to === undefined) return null;
  const bar = columns[Math.max(0, Math.min(columns.length - 1, to))];
  return bar.parts.get(cause) ?? nearestPart(bar, part.middle);
}

function nearestPart({ parts }, middle) {
  const away = (part) => Math.abs(part.middle - middle);
  return [...parts.values()].reduce((best, part) => (away(part) < away(best) ? part : best));
}

/** Leave one part in the tab order: where the focus was last, what is picked, or the chosen bar's first. */
function rove(view) {
  const { state, shown, at } = view;
  const { picked, chosen } = state;
  const first = (bar) => bar?.stack.firstChild;
  const entry = (at && shown.get(at.name)?.parts.get(at.cause))
    ?? (picked && shown.get(picked[0])?.parts.get(picked[1]))
    ?? first(shown.get(chosen))
    ?? first([...shown.values()].find((bar) => bar.parts.size));
  for (const { parts } of shown.values()) {
    for (const part of parts.values()) part.tabIndex = part === entry ? 0 : -1;
  }
  return entry;
}
