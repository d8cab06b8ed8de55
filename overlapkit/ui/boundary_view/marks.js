/*
 * What lies on and beside the rows: highlights, boundary marks, notes and lanes.
 */

/* ---- highlights ------------------------------------------------------------------- */

/* CSS.highlights belongs to the whole page: the names carry the package's, and the views
 * on a page share each highlight, adding and taking away only their own ranges. Later
 * names are painted over earlier ones. */
const HIGHLIGHTS = ["control", "evidence", "whole", "repaired", "longer", "still", "newly", "hit", "hit-current"];

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

/** Put everything on these rows, unless it is there; positions are read for all of them before any is drawn. */
function dressRows(view, shown) {
  const rows = shown.filter((row) => row.version !== view.version);
  const plans = rows.map((row) => {
    const bands = bandsOn(view, row);
    const boxes = boxesOn(view, row, bands);
    const edges = edgesOn(view, row).map((offset) => edgeAt(view, row, offset));
    return { bands, boxes, edges };
  });
  rows.forEach((row, i) => {
    const { bands, boxes, edges } = plans[i];
    unpaint(row);
    row.version = view.version;
    row.element.dataset.band = bands.at(-1).band;
    paintEvidence(view, row);
    paintControls(view, row);
    paintHits(view, row);
    row.edges = edges.map((edge) => edgeNode(view, row, edge));
    const marks = element("div", "bv-marks");
    marks.append(
      ...boxes.map((box) => boxNode(row, box)),
      ...row.edges.map(({ node }) => node),
      ...[evidenceNote(view, row), chunkNumber(view, row)].filter(Boolean),
    );
    row.marks.replaceWith(marks);
    row.marks = marks;
    for (const edge of row.edges.filter(({ offset }) => offset === view.place)) mark(view, edge, "data-current", true);
  });
}

/** The bands of a row, its line end included, so that the rest of the row has a colour. */
function bandsOn(view, row) {
  if (!view.overlay || row.start === row.end) return [{ band: "none", from: row.start, to: row.end }];
  return bandsBetween(view.overlay.drawn, row.start, row.end);
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

function boxNode(row, { band, left, right }) {
  const box = element("i", "bv-box");
  box.dataset.band = band;
  box.style.left = `${left}px`;
  box.style.width = `${right - left}px`;
  // The stripes of one box go on in the next.
  box.style.backgroundPosition = `${-left}px ${-row.top}px`;
  return box;
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

/** What became of a span, in the words of its view; null where there is no overlay. */
function stateOf(view, span) {
  return view.overlay && view.overlay.words[view.overlay.states[span.order]];
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
  return { offset, x, backwards: row.mixed && xOf(view, row, offset + 1) < x };
}

function edgeNode(view, row, { offset, x, backwards }) {
  const { drawn } = view.overlay;
  const cuts = kindsAt(view.doc, view.overlay, offset);
  const node = element("i", "bv-edge");
  node.style.left = `${x}px`;
  const starts = drawn.starts[countUpTo(drawn.starts, offset) - 1] === offset;
  const ends = drawn.ends[countUpTo(drawn.ends, offset) - 1] === offset;
  node.dataset.side = starts && ends ? "both" : starts ? "start" : "end";
  if (cuts) {
    node.dataset.cuts = cuts & CUTS_EVIDENCE ? "evidence" : "text";
    node.toggleAttribute("data-flip", x > view.sheetWidth / 2);
  }
  node.toggleAttribute("data-backwards", backwards);
  return { offset, x, node, row };
}

/** At the right: what became of the evidence that begins here, and the cuts through any. */
function evidenceNote(view, row) {
  if (!view.overlay) return null;
  const begun = spansIn(view.evidence, row.start, row.end).filter((span) => span.start >= row.start);
  const states = [...new Set(begun.map((span) => stateOf(view, span)))].filter((state) => state.label);
  const tags = row.edges.map((edge) => kindsAt(view.doc, view.overlay, edge.offset)).filter((cuts) => cuts & CUTS_EVIDENCE);
  if (!states.length && !tags.length) return null;
  const note = element("span", "bv-note");
  for (const { label, mark } of states) note.append(stateLabel(label, mark));
  if (tags.length) note.append(cutNote(tags.reduce((all, cuts) => all | cuts, 0)));
  return note;
}

function stateLabel(label, mark) {
  const node = element("b", "bv-state", label);
  node.dataset.mark = mark;
  return node;
}

function cutNote(kinds) {
  const [first, ...more] = cutTag(kinds).split(", ");
  const node = element("span", "bv-cuts", first);
  node.append(element("span", "bv-more", more.map((word) => `, ${word}`).join("")));
  return node;
}

/** The number of each chunk that starts on this row, in the gutter. */
function chunkNumber(view, row) {
  if (!view.overlay) return null;
  const { starts } = view.overlay.drawn;
  const first = countUpTo(starts, row.start - 1);
  const after = countUpTo(starts, row.end - 1);
  if (after <= first) return null;
  return element("span", "bv-number", after - first > 1 ? `${first + 1}–${after}` : `${first + 1}`);
}

/* ---- lanes ------------------------------------------------------------------------ */

const MOST_BARS = 300;

/** A bar per chunk beside its rows, in as many lanes as chunks lie over each other. */
function drawLanes(view, from, to) {
  const { drawn: chunks, lanes } = view.overlay ?? { drawn: NO_CHUNKS, lanes: 0 };
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
