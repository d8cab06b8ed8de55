/*
 * What lies on and beside the rows: highlights, boundary marks, lanes and the map.
 */

/* ---- highlights ------------------------------------------------------------------- */

/* CSS.highlights belongs to the whole page: the names carry the package's, and the views
 * on a page share each highlight, adding and taking away only their own ranges. Later
 * names are painted over earlier ones. */
const HIGHLIGHTS = ["control", "evidence", "whole", "longer", "cut", "hit", "hit-current"];

function highlightOf(name) {
  if (!globalThis.Highlight) return null;
  const key = `overlapkit-${name}`;
  if (!CSS.highlights.has(key)) {
    const highlight = new Highlight();
    highlight.priority = HIGHLIGHTS.indexOf(name);
    CSS.highlights.set(key, highlight);
  }
  return CSS.highlights.get(key);
}

function paint(row, name, from, to) {
  const length = row.node.length;
  const startOffset = Math.max(0, from - row.start);
  const endOffset = Math.min(length, to - row.start);
  const highlight = startOffset < endOffset && highlightOf(name);
  if (!highlight) return;
  const range = new StaticRange({ startContainer: row.node, startOffset, endContainer: row.node, endOffset });
  highlight.add(range);
  row.painted.push([highlight, range]);
}

function unpaint(row) {
  for (const [highlight, range] of row.painted) highlight.delete(range);
  row.painted = [];
}

/* ---- rows ------------------------------------------------------------------------- */

/** Put everything on these rows; positions are read for all of them before any is drawn. */
function dressRows(view, rows) {
  const plans = rows.map((row) => {
    const bands = bandsOn(view, row);
    const boxes = boxesOn(view, row, bands);
    const edges = edgesOn(view, row).map((offset) => edgeAt(view, row, offset));
    return { bands, boxes, edges };
  });
  rows.forEach((row, i) => {
    undressRow(row);
    row.element.dataset.band = plans[i].bands.at(-1).band;
    paintEvidence(view, row);
    paintControls(view, row);
    paintHits(view, row);
    for (const box of plans[i].boxes) drawBox(row, box);
    row.edges = plans[i].edges.map((edge) => drawEdge(view, row, edge));
    for (const edge of row.edges.filter(({ offset }) => offset === view.place)) mark(view, edge, "data-current", true);
    noteEvidenceCuts(view, row);
    numberChunks(view, row);
  });
}

function undressRow(row) {
  unpaint(row);
  row.edges = [];
  row.element.replaceChildren(row.line);
}

/** The bands of a row, its line end included, so that the rest of the row has a colour. */
function bandsOn(view, row) {
  if (!view.overlay || row.start === row.end) return [{ band: "none", from: row.start, to: row.end }];
  return bandsBetween(view.overlay.chunks, row.start, row.end);
}

/**
 * Chunks are boxes behind the text and not highlights: any change of a highlight makes the
 * browser paint every highlighted row again, which here would be all of them in each frame
 * of a scroll; and highlights leave out tabs and can have no pattern. The row itself has
 * the band of its end.
 */
function boxesOn(view, row, bands) {
  const tail = bands.at(-1).band;
  const behind = bands.filter(({ band }) => band !== tail);
  const over = bands.filter(({ band }) => band === "overlap").map((band) => ({ ...band, band: "hatch" }));
  return [...behind, ...over].flatMap(({ band, from, to }) => spansOf(view, row, from, to).map((span) => ({ band, ...span })));
}

function drawBox(row, { band, left, right }) {
  const box = element("i", "bv-box");
  box.dataset.band = band;
  box.style.left = `${left}px`;
  box.style.width = `${right - left}px`;
  // The stripes of one box go on in the next.
  box.style.backgroundPosition = `${-left}px ${-row.top}px`;
  row.element.append(box);
}

function paintControls(view, row) {
  for (const hit of view.text.slice(row.start, row.start + row.node.length).matchAll(INVISIBLE)) {
    const from = row.start + hit.index;
    paint(row, "control", from, from + 1);
  }
}

function paintEvidence(view, row) {
  for (const span of spansIn(view.evidence, row.start, row.end)) {
    paint(row, stateOf(view, span)?.mark ?? "evidence", span.start, span.end);
  }
}

function paintHits(view, row) {
  const { starts, ends, current } = view.hits;
  for (let i = countUpTo(ends, row.start); i < starts.length && starts[i] < row.end; i++) {
    paint(row, i === current ? "hit-current" : "hit", starts[i], ends[i]);
  }
}

function stateOf(view, span) {
  return view.overlay && STATES[view.overlay.states[span.order]];
}

/* ---- boundaries ------------------------------------------------------------------- */

function edgesOn(view, row) {
  if (!view.overlay) return [];
  const edges = view.overlay.edges;
  // A boundary at the very end of the text has no row of its own.
  const last = row.end === view.text.length ? row.end : row.end - 1;
  return Array.from(edges.subarray(countUpTo(edges, row.start - 1), countUpTo(edges, last)));
}

function edgeAt(view, row, offset) {
  const x = xOf(view, row, offset);
  return { offset, x, backwards: !row.plain && xOf(view, row, offset + 1) < x };
}

function drawEdge(view, row, { offset, x, backwards }) {
  const { chunks, kinds } = view.overlay;
  const cuts = kinds.get(offset) ?? 0;
  const node = element("i", "bv-edge");
  node.style.left = `${x}px`;
  const starts = chunks.starts[countUpTo(chunks.starts, offset) - 1] === offset;
  const ends = chunks.ends[countUpTo(chunks.ends, offset) - 1] === offset;
  node.dataset.side = starts && ends ? "both" : starts ? "start" : "end";
  if (cuts) {
    node.dataset.cuts = cuts & CUTS_EVIDENCE ? "evidence" : "text";
    node.toggleAttribute("data-flip", x > view.sheetWidth / 2);
  }
  node.toggleAttribute("data-backwards", backwards);
  row.element.append(node);
  return { offset, x, node, row };
}

function noteEvidenceCuts(view, row) {
  const tags = row.edges.map((edge) => view.overlay.kinds.get(edge.offset) ?? 0).filter((cuts) => cuts & CUTS_EVIDENCE);
  if (!tags.length) return;
  const [first, ...more] = cutTag(tags.reduce((all, cuts) => all | cuts, 0)).split(", ");
  const note = element("span", "bv-note", first);
  note.append(element("span", "bv-more", more.map((word) => `, ${word}`).join("")));
  row.element.append(note);
}

/** The number of each chunk that starts on this row, in the gutter. */
function numberChunks(view, row) {
  if (!view.overlay) return;
  const { starts } = view.overlay.chunks;
  const first = countUpTo(starts, row.start - 1);
  const after = countUpTo(starts, row.end - 1);
  if (after <= first) return;
  const label = after - first > 1 ? `${first + 1}–${after}` : `${first + 1}`;
  row.element.append(element("span", "bv-number", label));
}

/* ---- lanes ------------------------------------------------------------------------ */

const MOST_LANES = 4;
const MOST_BARS = 300;

/** A bar per chunk beside its rows, in as many lanes as chunks lie over each other. */
function drawLanes(view, from, to) {
  const { chunks, lanes } = view.overlay ?? { chunks: { starts: [], ends: [] }, lanes: 0 };
  const first = countUpTo(chunks.ends, from);
  const after = Math.min(countUpTo(chunks.starts, to - 1), first + MOST_BARS);
  const key = `${view.version} ${first} ${after}`;
  if (key === view.lanesKey) return;
  view.lanesKey = key;
  const bars = [];
  for (let i = first; i < after; i++) {
    const bar = element("i", "bv-bar-lane");
    const top = heightOf(view, chunks.starts[i]);
    bar.style.top = `${top + 1}px`;
    bar.style.height = `${Math.max(3, heightOf(view, chunks.ends[i]) - top - 2)}px`;
    bar.style.left = `${(i % lanes) * 5}px`;
    bar.dataset.band = i % 2 ? "odd" : "even";
    bars.push(bar);
  }
  view.parts.lanes.replaceChildren(...bars);
}

/** How far down the sheet an offset stands, with its share of the row. */
function heightOf(view, offset) {
  const row = rowOf(view.rows, offset);
  const start = view.rows[row];
  const length = (view.rows[row + 1] ?? view.text.length) - start;
  return (row + (length ? (offset - start) / length : 0)) * view.rowHeight;
}

/** The largest number of chunks over one character: two pointers, since ends never fall. */
function depthOf(chunks) {
  let depth = 0;
  for (let i = 0, first = 0; i < chunks.starts.length; i++) {
    while (chunks.ends[first] <= chunks.starts[i]) first++;
    depth = Math.max(depth, i - first + 1);
  }
  return depth;
}

/* ---- map -------------------------------------------------------------------------- */

/** Cuts at the left, evidence at the right; what is cut runs over the full width. */
function drawMap(view) {
  const canvas = view.parts.chart;
  const scale = globalThis.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (!width || !height) return;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
  const y = (offset) => (heightOf(view, offset) / view.total) * (height - 2);
  drawMapCuts(view, pen, y, width, colour("--bv-map-cut"));
  const inState = (mark) => view.evidence.spans.filter((span) => (stateOf(view, span)?.mark ?? "evidence") === mark);
  const bar = (span, left, right) => {
    const top = Math.round(y(span.start));
    pen.fillRect(left, top, right - left, Math.max(2, Math.round(y(span.end)) - top));
  };
  for (const [mark, name] of [["evidence", "--bv-map-cut"], ["whole", "--bv-map-whole"]]) {
    pen.fillStyle = colour(name);
    for (const span of inState(mark)) bar(span, width * 0.62, width - 3);
  }
  pen.strokeStyle = colour("--bv-map-longer");
  for (const span of inState("longer")) {
    const top = Math.round(y(span.start)) + 0.5;
    pen.strokeRect(width * 0.4, top, width * 0.6 - 3.5, Math.max(3, Math.round(y(span.end) - top)));
  }
  pen.fillStyle = colour("--bv-map-evidence-cut");
  for (const span of inState("cut")) bar(span, 2, width - 2);
}

/** Many cuts can fall on one line of pixels: the more there are, the longer the tick. */
function drawMapCuts(view, pen, y, width, colour) {
  const counts = new Map();
  for (const offset of view.overlay?.cuts ?? []) {
    const line = Math.round(y(offset));
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  pen.fillStyle = colour;
  for (const [line, count] of counts) pen.fillRect(3, line, width * Math.min(0.5, 0.2 + 0.06 * count), 1);
}
