/*
 * What the reader does: point, move the reading place, step from mark to mark, search.
 */

/* ---- reading place ---------------------------------------------------------------- */

function setPlace(view, offset) {
  const place = Math.max(0, Math.min(view.text.length, offset));
  reveal(view, place);
  showPlace(view, place);
  tell(view, { place });
}

function showPlace(view, place) {
  view.place = place;
  view.hover = view.echo = null;
  draw(view);
  for (const row of view.shown.values()) {
    for (const edge of row.edges) {
      const current = edge.offset === view.place;
      if (current || edge.node.hasAttribute("data-current")) mark(view, edge, "data-current", current);
    }
  }
  showCounts(view);
  showDetails(view);
}

/** Scroll only if the place is out of sight, and then to a third of the height. */
function reveal(view, offset) {
  const { scroll } = view.parts;
  if (!view.rowHeight) return scrollTo(view, { offset, rest: 0 });
  const top = rowOf(view.rows, offset) * view.rowHeight;
  const low = scroll.scrollTop + view.rowHeight;
  const high = scroll.scrollTop + scroll.clientHeight - 2 * view.rowHeight;
  if (top < low || top > high) scroll.scrollTop = top - scroll.clientHeight / 3;
  return undefined;
}

function setHover(view, offset) {
  if (offset === view.hover) return;
  view.hover = offset;
  view.echo = null; // the pointer is here, not in the other view
  drawCarets(view);
  showDetails(view);
  tell(view, { hover: offset });
}

/** The offset under the pointer; null where there is no text. */
function offsetAt(view, event) {
  const spot = document.caretPositionFromPoint
    ? document.caretPositionFromPoint(event.clientX, event.clientY)
    : document.caretRangeFromPoint?.(event.clientX, event.clientY);
  const node = spot?.offsetNode ?? spot?.startContainer;
  const row = rowAround(view, node);
  if (!row || node !== row.node) return null;
  return row.start + (spot.offset ?? spot.startOffset);
}

function point(view, event) {
  const offset = offsetAt(view, event);
  setHover(view, offset);
  const row = offset === null ? null : view.shown.get(rowOf(view.rows, offset));
  const x = row ? event.clientX - row.element.getBoundingClientRect().left : 0;
  showNear(view, row?.edges.find((edge) => Math.abs(edge.x - x) < 8));
}

function pointAway(view) {
  setHover(view, null);
  showNear(view, undefined);
}

/** Show the tag of the boundary that the pointer is near, and of no other. */
function showNear(view, near) {
  if (view.near?.node === near?.node) return;
  if (view.near) mark(view, view.near, "data-near", false);
  if (near) mark(view, near, "data-near", true);
  view.near = near;
}

/** Show or hide the tag of a boundary: below it where there is no room above. */
function mark(view, edge, attribute, on) {
  const { node, row, offset } = edge;
  node.toggleAttribute(attribute, on);
  const shown = node.matches("[data-near], [data-current]");
  const words = shown ? cutTag(kindsAt(view.doc, view.overlay, offset)) : "";
  node.replaceChildren(...(words ? [element("b", "bv-tag", words)] : []));
  node.toggleAttribute("data-below", row.top < view.top + view.rowHeight);
  row.element.toggleAttribute("data-raised", row.element.querySelector(".bv-tag") !== null);
}

function placeAtPointer(view, event) {
  if (!document.getSelection().isCollapsed) return;
  const offset = offsetAt(view, event);
  if (offset !== null) setPlace(view, offset);
}

/** The selected stretch of the text, or null; an end outside the text selects nothing. */
function selectedRange(view) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return null;
  const ends = [[selection.anchorNode, selection.anchorOffset], [selection.focusNode, selection.focusOffset]];
  const [from, to] = ends.map(([node, at]) => {
    const row = rowAround(view, node);
    return row && row.start + (node === row.node ? at : 0);
  }).sort((a, b) => a - b);
  return from === undefined || to === undefined || from === to ? null : [from, to];
}

/** Copy the stored characters: the page would add line ends at wraps and marks for NUL. */
function copyExactly(view, event) {
  const range = selectedRange(view);
  if (!range) return;
  event.clipboardData.setData("text/plain", view.text.slice(...range));
  event.preventDefault();
}

/** Send the selected stretch, in code points. */
function pick(view) {
  const range = selectedRange(view);
  if (!range) return;
  view.send("pick", range.map((unit) => toCodePoints(view.astral, unit)));
  view.parts.legend.open = false; // what asks for the question stands below
  view.root.scrollIntoView({ block: "start" });
}

/* ---- stepping --------------------------------------------------------------------- */

function targets(view, what) {
  if (what === "cut") return view.overlay?.edges ?? [];
  return what === "evidence" ? view.evidence.starts : view.hits.starts;
}

function go(view, what, way) {
  const positions = targets(view, what);
  const index = neighbourIn(positions, whereNow(view, way), way);
  if (index < 0) return;
  if (what === "hit") view.hits.current = index;
  setPlace(view, positions[index]);
  if (what === "hit") refresh(view);
}

/** Step on from the reading place, or from what is in sight once it has scrolled away. */
function whereNow(view, way) {
  const { first, after } = rowsInSight(view);
  const from = view.rows[first];
  const to = view.rows[after] ?? view.text.length + 1;
  if (view.place !== null && view.place >= from && view.place < to) return view.place;
  return way > 0 ? from - 1 : to;
}

function showCounts(view) {
  for (const what of ["cut", "evidence"]) {
    const positions = targets(view, what);
    const index = view.place === null ? -1 : countUpTo(positions, view.place) - 1;
    const total = inWords(positions.length);
    const here = index >= 0 && positions[index] === view.place;
    view.root.querySelector(`[data-count=${what}]`).textContent = here ? `${index + 1} of ${total}` : total;
  }
  const { starts, current } = view.hits;
  const sought = view.parts.query.value.trim();
  const total = inWords(starts.length);
  view.parts.hits.textContent = !sought ? "" : current >= 0 ? `${current + 1} of ${total}` : counted(starts.length, "hit");
  for (const button of view.root.querySelectorAll("button[data-go]")) {
    button.disabled = !targets(view, button.dataset.go).length;
  }
}

/* ---- search ----------------------------------------------------------------------- */

function searchSoon(view) {
  clearTimeout(view.timer);
  view.timer = setTimeout(() => {
    search(view);
    refresh(view);
  }, 150);
}

function search(view) {
  clearTimeout(view.timer);
  view.timer = 0;
  view.sought = view.parts.query.value;
  view.hits = { ...findAll(view.text, view.sought), current: -1 };
}

function queryKey(view, event) {
  event.stopPropagation(); // Streamlit has single-letter shortcuts of its own
  if (event.key === "Escape") {
    view.parts.query.value = "";
    search(view);
    refresh(view);
    view.parts.scroll.focus();
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (view.sought !== view.parts.query.value) search(view);
  go(view, "hit", event.shiftKey ? -1 : 1);
  if (!view.hits.starts.length) refresh(view);
}

/* ---- keys ------------------------------------------------------------------------- */

function textKey(view, event) {
  if (event.altKey || event.metaKey || (event.ctrlKey && !["Home", "End"].includes(event.key))) return;
  const way = event.shiftKey ? -1 : 1;
  const act = {
    n: () => go(view, "cut", way),
    e: () => go(view, "evidence", way),
    "/": () => view.parts.query.focus(),
  }[event.key.toLowerCase()];
  const move = act ? null : movedBy(view, event);
  if (!act && move === null) return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit has single-letter shortcuts of its own
  if (act) act();
  else setPlace(view, move);
}

/** The place that a key leads to; null for any other key. */
function movedBy(view, { key, ctrlKey }) {
  const { first, after } = rowsInSight(view);
  const here = view.place ?? view.rows[first];
  const row = rowOf(view.rows, here);
  const page = Math.max(1, after - first - 2);
  const end = (index) => view.rows[index] + rowText(view.text, view.rows, index).length;
  const down = (count) => {
    const index = Math.max(0, Math.min(view.rows.length - 1, row + count));
    return Math.min(end(index), view.rows[index] + here - view.rows[row]);
  };
  switch (key) {
    case "ArrowLeft": return neighbour(view.text, here, -1);
    case "ArrowRight": return neighbour(view.text, here, 1);
    case "ArrowUp": return down(-1);
    case "ArrowDown": return down(1);
    case "PageUp": return down(-page);
    case "PageDown": return down(page);
    case "Home": return ctrlKey ? 0 : view.rows[row];
    case "End": return ctrlKey ? view.text.length : end(row);
    default: return null;
  }
}

function dragMap(view, event) {
  const { map, scroll } = view.parts;
  const box = map.getBoundingClientRect();
  if (event.type === "pointerdown") map.setPointerCapture(event.pointerId);
  scroll.scrollTop = ((event.clientY - box.top) / box.height) * view.total - scroll.clientHeight / 2;
}

function mapKey(view, event) {
  const { scroll } = view.parts;
  const step = { ArrowUp: -0.01, ArrowDown: 0.01, ArrowLeft: -0.01, ArrowRight: 0.01, PageUp: -0.1, PageDown: 0.1, Home: -1, End: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  scroll.scrollTop += step * view.total;
}

/* ---- details ---------------------------------------------------------------------- */

/** Say in words what the marks say at the place pointed at, else at the reading place. */
function showDetails(view) {
  const at = view.hover ?? view.place;
  const lines = at === null ? [["", view.text ? HINT : "This document has no text."]] : detailsAt(view, at);
  const key = JSON.stringify(lines);
  if (key === view.detailsKey) return;
  view.detailsKey = key;
  view.parts.details.replaceChildren(...lines.map(([mark, text, strong]) => {
    const line = element("p", "", text);
    if (mark) line.dataset.mark = mark;
    if (strong) line.prepend(element("strong", "", strong));
    return line;
  }));
}

const HINT = "Point at the text, or focus it and use the arrow keys, to read which chunks hold a place and what is cut there.";

function detailsAt(view, at) {
  const show = (offset) => toCodePoints(view.astral, offset);
  const { overlay } = view;
  const here = `At ${show(at)}`;
  const code = view.text.charCodeAt(at);
  const control = code < 32 && !"\t\n\r".includes(view.text[at]) ? `, a control character (U+${code.toString(16).padStart(4, "0")})` : "";
  if (!overlay) return [["", `${control} · no chunking to show`, here]];
  if (at === view.text.length) return [["", " · the end of the text", here]];
  const lines = [["", `${control} · in ${chunksInWords(overlay.chunks(), at, show)}`, here]];
  if (overlay.baseline) lines[0][1] += ` · with ${overlay.baseline.label}: ${chunksInWords(overlay.baseline.chunks(), at, show)}`;
  const cuts = kindsAt(view.doc, overlay, at);
  if (cuts) lines.push([cuts & CUTS_EVIDENCE ? "cut" : "edge", `The boundary here ${cutTag(cuts)}.`]);
  for (const span of spansIn(view.evidence, at, at + 1)) {
    const state = stateOf(view, span);
    lines.push([state.mark, `“${span.label}” — ${state.name}: ${state.why} (${show(span.start)}–${show(span.end)})`, "Evidence "]);
  }
  return lines;
}
