/*
 * The bars in the page. Elements are kept by the names of bars and causes, so that new data
 * moves them, and neither the focus nor a transition is lost.
 */
const GAP = 0.5; // before the uploads, in widths of a bar
const UPLOAD = 1.6; // their names are longer
const LONG_WORD = 11; // letters; a longer one is kept away from the edges
const COUNT = new Intl.NumberFormat("en");

function make(kind, name, parent) {
  const node = document.createElement(kind);
  node.className = name;
  parent?.append(node);
  return node;
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function percentOf(part, of) {
  return `${(100 * part) / of}%`;
}

/** Where each bar stands: its left end and its width, as shares of the plot. */
function slotsOf(bars) {
  const widths = bars.map((bar) => (bar.share === null ? UPLOAD : 1));
  const first = bars.findIndex((bar) => bar.share === null);
  const gap = first > 0 ? GAP : 0;
  const all = widths.reduce((sum, width) => sum + width, gap);
  let left = 0;
  return widths.map((width, i) => {
    if (i === first) left += gap;
    left += width;
    return { left: (left - width) / all, width: width / all };
  });
}

function drawLegend(view) {
  const { causes } = view.state;
  if (view.parts.legend.children.length === causes.length) return;
  view.parts.legend.replaceChildren(...causes.map(({ cause, label, meaning }) => {
    const item = make("li", "okb-name");
    item.title = `${label}: ${meaning}.`;
    make("span", "okb-swatch", item).dataset.cause = cause;
    item.append(label);
    return item;
  }));
}

function drawLines(view) {
  const { ticks } = view.state;
  const shown = ticks.join(" ");
  if (view.ticks === shown) return;
  view.ticks = shown;
  view.parts.lines.replaceChildren(...ticks.map((tick) => {
    const line = make("div", "okb-line");
    line.style.bottom = percentOf(tick, ticks.at(-1));
    make("span", "okb-tick", line).textContent = COUNT.format(tick);
    return line;
  }));
}

function drawBars(view) {
  const { state, shown, parts } = view;
  const names = new Set(state.bars.map((bar) => bar.name));
  for (const [name, bar] of shown) {
    if (names.has(name)) continue;
    bar.root.remove();
    shown.delete(name);
  }
  const slots = slotsOf(state.bars);
  let before = null;
  state.bars.forEach((data, i) => {
    const bar = shown.get(data.name) ?? openBar(view, data.name);
    bar.data = data;
    bar.slot = slots[i];
    drawBar(view, bar);
    const place = before ? before.nextSibling : parts.bars.firstChild;
    if (place !== bar.root) parts.bars.insertBefore(bar.root, place);
    before = bar.root;
  });
}

function openBar(view, name) {
  const root = make("div", "okb-bar");
  root.setAttribute("role", "group");
  root.dataset.name = name;
  const stack = make("div", "okb-stack", root);
  const total = make("div", "okb-total", root);
  const label = make("div", "okb-label", root);
  for (const node of [total, label]) node.setAttribute("aria-hidden", "true");
  const bar = { name, root, stack, total, label, parts: new Map() };
  view.shown.set(name, bar);
  return bar;
}

function drawBar(view, bar) {
  const { causes, ticks, chosen } = view.state;
  const { data, root, stack, slot } = bar;
  const top = ticks.at(-1);
  root.style.left = percentOf(slot.left, 1);
  root.style.width = percentOf(slot.width, 1);
  root.classList.toggle("okb-upload", data.share === null);
  const here = data.name === chosen ? ", the chosen setting" : "";
  root.setAttribute("aria-label", `${data.said}${here}`);
  drawLabel(bar.label, data.label);
  let below = 0;
  let before = null;
  causes.forEach(({ cause }, i) => {
    const { count, said } = data.parts[i];
    let part = bar.parts.get(cause);
    if (!count) {
      part?.remove();
      bar.parts.delete(cause);
      return;
    }
    part ??= openPart(view, bar, cause);
    part.setAttribute("aria-label", said);
    put(part.firstChild, COUNT.format(count));
    part.style.bottom = percentOf(below, top);
    part.style.height = percentOf(count, top);
    part.middle = below + count / 2;
    below += count;
    const place = before ? before.nextSibling : stack.firstChild;
    if (place !== part) stack.insertBefore(part, place);
    before = part;
  });
  bar.total.style.bottom = percentOf(below, top);
  put(bar.total, COUNT.format(below));
}

/** The sign is its own element, since a narrow page leaves it out. */
function drawLabel(node, label) {
  if (node.textContent === label) return;
  node.textContent = label.endsWith("%") ? label.slice(0, -1) : label;
  if (label.endsWith("%")) make("span", "okb-sign", node).textContent = "%";
}

function openPart(view, bar, cause) {
  const part = make("button", "okb-part");
  part.type = "button";
  part.tabIndex = -1;
  part.dataset.cause = cause;
  make("span", "okb-count", part).setAttribute("aria-hidden", "true");
  listenTo(view, part, { name: bar.name, cause });
  bar.parts.set(cause, part);
  return part;
}

function drawPicked(view) {
  const { picked } = view.state;
  for (const { name, parts } of view.shown.values()) {
    for (const [cause, part] of parts) {
      part.setAttribute("aria-pressed", String(picked?.[0] === name && picked[1] === cause));
    }
  }
}

/* ---- the chosen setting ----------------------------------------------------------- */

function nearestBar(bars, share) {
  const away = (bar) => Math.abs(bar.share - share);
  const overlaps = bars.filter((bar) => bar.share !== null);
  return overlaps.reduce((best, bar) => (best && away(best) <= away(bar) ? best : bar), null);
}

/** Which bar the mark stands at and what it says; null without one. */
function markOf({ state, live, letGo }) {
  if (!live) return { bar: state.chosen, words: "chosen", phase: "exact" };
  const share = live.overlap / live.size;
  const bar = nearestBar(state.bars, share);
  if (!bar) return null;
  if (live.size !== state.size) {
    return { bar: bar.name, words: letGo ? "diagnosing …" : "let go to diagnose", phase: "other" };
  }
  return { bar: bar.name, words: Math.abs(bar.share - share) < 1e-9 ? "chosen" : "nearest", phase: "live" };
}

function drawChosen(view) {
  const { root, frame, word } = view.parts;
  const mark = markOf(view);
  const bar = mark && view.shown.get(mark.bar);
  for (const node of [frame, word]) node.hidden = !bar;
  if (!bar) return;
  const { left, width } = bar.slot;
  const middle = percentOf(left + width / 2, 1);
  const half = mark.words.length > LONG_WORD ? "4.6em" : "1em";
  frame.style.left = percentOf(left, 1);
  frame.style.width = percentOf(width, 1);
  word.style.left = `clamp(${half}, ${middle}, 100% - ${half})`;
  put(word, mark.words);
  if (root.dataset.phase !== mark.phase) root.dataset.phase = mark.phase;
}

/* ---- the tip ---------------------------------------------------------------------- */

function showTip(view, part, { name, cause }) {
  const { root, tip } = view.parts;
  const at = view.state.causes.findIndex((one) => one.cause === cause);
  const { label, meaning } = view.state.causes[at];
  const { data } = view.shown.get(name);
  const { count } = data.parts[at];
  const pressed = part.getAttribute("aria-pressed") === "true";
  const lines = [
    `${label}: ${COUNT.format(count)} ${count === 1 ? "question" : "questions"}`, `${data.title}.`, `Here ${meaning}.`,
    pressed ? "They are listed below." : "Pick to list them below.",
  ];
  tip.replaceChildren(...lines.map((line, i) => {
    const node = make(i ? "div" : "strong", "");
    node.textContent = line;
    return node;
  }));
  tip.hidden = false;
  part.setAttribute("aria-describedby", tip.id);
  view.tipOf = part;
  const [box, own] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
  const right = own.right - box.left + 10;
  const room = box.width - tip.offsetWidth;
  const left = right <= room ? right : own.left - box.left - tip.offsetWidth - 10;
  const top = own.top - box.top + own.height / 2 - tip.offsetHeight / 2;
  tip.style.left = `${Math.max(0, Math.min(room, left))}px`;
  tip.style.top = `${Math.max(0, Math.min(box.height - tip.offsetHeight, top))}px`;
}

function hideTip(view) {
  view.parts.tip.hidden = true;
  view.tipOf?.removeAttribute("aria-describedby");
  view.tipOf = null;
}
