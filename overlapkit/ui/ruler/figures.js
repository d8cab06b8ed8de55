/*
 * The figures: those that the browser counts exactly itself, and the tiles, which are
 * Python's and stand for the nearest setting of the grid while a handle moves.
 */
const UNKNOWN = "–";
const TILE = 190; // px, the least width of a tile with its gap

/* ---- counted here ----------------------------------------------------------------- */

/** Exact figures of the setting shown; null while the measure is another corpus's or unit's. */
function countNow(view) {
  const { measure, state, now } = view;
  if (measure?.id !== state.measure) return null;
  const key = `${now.size} ${now.overlap}`;
  if (view.counted?.key === key) return view.counted;
  const figures = totals(measure, now.size, now.overlap);
  view.counted = { key, figures, spans: measure.spanDoc.length, held: 0, states: null };
  if (!state.evidence) return view.counted;
  const held = heldSpans(measure, now.size, now.overlap);
  const before = heldBefore(view);
  view.counted.held = held.reduce((sum, one) => sum + one, 0);
  view.counted.states = before && compareSpans(before, held, longSpans(measure, now.size));
  return view.counted;
}

/** What the baseline holds whole; null where it belongs to other questions. */
function heldBefore(view) {
  const { measure, state, now } = view;
  const { baseline } = state;
  const size = baseline.sameSize ? now.size : baseline.size;
  if (view.before && view.before.size === size) return view.before.held;
  const held = baseline.held === undefined
    ? heldSpans(measure, size, baseline.overlap ?? 0)
    : Uint8Array.from(baseline.held, Number);
  view.before = { size, held: held.length === measure.spanDoc.length ? held : null };
  return view.before.held;
}

function forgetCounts(view) {
  view.counted = view.before = null;
}

function drawStrip(view) {
  const { state } = view;
  const counted = countNow(view);
  const figures = counted?.figures;
  const words = state.unit === "char" ? "characters" : `chars, ${figures ? whole(figures.units) : UNKNOWN} ${view.unit}`;
  drawCell(view, "chunks", figures ? whole(figures.chunks) : UNKNOWN, "one vector each");
  drawCell(view, "text", figures ? whole(figures.characters) : UNKNOWN, words);
  drawCell(view, "price", ...priceOf(view, figures));
  if (!state.evidence) return;
  const { held, spans, states } = counted ?? {};
  if (spans) drawCell(view, "held", percentOf(held, spans), `${whole(held)} of ${whole(spans)}`);
  else drawCell(view, "held", UNKNOWN, counted ? "no evidence" : "");
  for (const name of ["repaired", "newlyCut", "stillCut", "longer"]) {
    drawCell(view, name, states ? whole(states[name]) : UNKNOWN);
  }
}

function drawCell(view, name, value, note) {
  const [valueNode, noteNode] = view.cells[name];
  put(valueNode, value);
  if (note !== undefined) put(noteNode, note);
}

/** [price, tokens]: exact where the tokens are, by Python's own count or since they are the unit. */
function priceOf(view, figures) {
  const { state } = view;
  if (view.phase === "exact" && state.tokens !== null) return priced(state, state.tokens, true);
  if (!figures) return [UNKNOWN, ""];
  if (state.unit === "token") return priced(state, figures.units, true);
  return priced(state, figures.characters * state.tokensPerCharacter, false);
}

function priced(state, tokens, exact) {
  const price = dollars((tokens * state.perMillionTokens) / 1e6);
  return exact ? [price, `${whole(tokens)} tokens`] : [`≈ ${price.replace(/^< /, "")}`, `${about(tokens)} tokens`];
}

/* ---- tiles ------------------------------------------------------------------------ */

/** Make the tiles anew only where there are others; a tooltip that is open then stays so. */
function loadTiles(view) {
  const { tiles } = view.state;
  const names = JSON.stringify(tiles.map(({ key, label, help }) => [key, label, help]));
  if (names !== view.tileNames) {
    view.tileNames = names;
    view.tiles = tiles.map((tile, i) => makeTile(view, tile, i));
    view.parts.tiles.replaceChildren(...view.tiles.map((tile) => tile.root));
  }
  view.parts.tiles.hidden = !tiles.length;
  layTiles(view);
}

/** As few rows as there is room for, and all rows as full as the first. */
function layTiles(view) {
  const fit = Math.max(2, Math.floor(view.columns / TILE));
  const rows = Math.ceil(view.tiles.length / fit);
  view.parts.tiles.style.setProperty("--okr-columns", Math.ceil(view.tiles.length / Math.max(1, rows)) || 1);
}

function makeTile(view, { label, help }, index) {
  const root = element("div", "okr-tile");
  const name = element("dt", "okr-label", label);
  const value = element("dd", "okr-value");
  const note = element("dd", "okr-note");
  if (help) name.append(helpFor(view, label, help, `${view.id}-help-${index}`));
  root.append(name, value, note);
  return { root, value, note };
}

/** A button that shows a sentence while it is pointed at, has the focus, or was pressed. */
function helpFor(view, label, text, id) {
  const box = element("span", "okr-help");
  const button = element("button", "okr-ask", "?");
  const tip = element("span", "okr-tip", text);
  button.type = "button";
  button.setAttribute("aria-label", `What ${label} means`);
  button.setAttribute("aria-describedby", id);
  tip.id = id;
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  const show = (shown) => {
    tip.hidden = !shown;
    if (shown) keepInside(view, box, tip);
  };
  box.addEventListener("pointerenter", () => show(true));
  box.addEventListener("pointerleave", () => show(document.activeElement === button));
  button.addEventListener("focus", () => show(true));
  button.addEventListener("blur", () => show(false));
  button.addEventListener("click", () => show(true));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
  });
  box.append(button, tip);
  return box;
}

/** Move a tooltip to the left as far as it would leave the component. */
function keepInside(view, box, tip) {
  tip.style.left = "0";
  const over = tip.getBoundingClientRect().right - view.root.getBoundingClientRect().right;
  tip.style.left = `${Math.min(0, -over)}px`;
  const left = tip.getBoundingClientRect().left - view.root.getBoundingClientRect().left;
  if (left < 0) tip.style.left = `${Math.min(0, -over) - left}px`;
}

function drawTiles(view) {
  const { state, now } = view;
  const exact = view.phase === "exact";
  const known = !exact && view.sent?.size !== USUAL && state.grid.length;
  const near = known ? nearestSetting(state.grid, now.size, now.overlap) : null;
  const words = near ? `from the grid: ${whole(near.size)} / ${whole(near.overlap)}` : "";
  const later = view.phase === "live" ? "exact once you let go" : "being worked out";
  view.tiles.forEach((tile, i) => {
    const { key, value, note, tone } = state.tiles[i];
    const shown = exact ? value : near?.values[key];
    put(tile.value, shown ?? "…");
    put(tile.note, exact ? note : shown === undefined ? later : words);
    tile.note.dataset.tone = exact && note ? tone : "none";
  });
}
