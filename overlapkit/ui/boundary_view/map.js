/*
 * The map beside the text: boundaries at the left, evidence at the right, the window in sight.
 */

/** Draw the map if the marks, the size or the theme have changed. */
function drawMap(view) {
  if (view.plan?.version === view.version) return;
  view.plan ??= planMap(view);
  view.plan.version = view.version;
  const { pen, width, height, colours } = view.plan;
  if (!width || !height) return;
  pen.clearRect(0, 0, width, height);
  drawMapCuts(view, pen, width, colours.cut);
  const bars = Object.fromEntries(Object.keys(MAP_BARS).map((mark) => [mark, new Map()]));
  for (const span of view.evidence.spans) {
    const [top, bottom] = view.plan.bars[span.order];
    const same = bars[stateOf(view, span)?.mark ?? "evidence"];
    same.set(top, Math.max(bottom, same.get(top) ?? 0)); // spans that begin on one line are one bar
  }
  for (const mark of Object.keys(bars)) MAP_BARS[mark](pen, width, bars[mark], colours[mark]);
}

/* What is whole stands at the right, what is cut runs over the full width; pieces tell a
 * repaired span from one that was always whole, and one still cut from one newly cut. */
const MAP_BARS = {
  evidence: (pen, width, bars, colour) => fillBars(pen, bars, colour, [[width * 0.62, width - 3]]),
  whole: (pen, width, bars, colour) => fillBars(pen, bars, colour, [[width * 0.62, width - 3]]),
  repaired: (pen, width, bars, colour) => fillBars(pen, bars, colour, [[width * 0.4, width * 0.57], [width * 0.62, width - 3]]),
  newly: (pen, width, bars, colour) => fillBars(pen, bars, colour, [[2, width - 2]]),
  still: (pen, width, bars, colour) => fillBars(pen, bars, colour, [[2, width * 0.28], [width * 0.36, width * 0.64], [width * 0.72, width - 2]]),
  longer: (pen, width, bars, colour) => {
    pen.strokeStyle = colour;
    for (const [top, bottom] of bars) pen.strokeRect(width * 0.4, top + 0.5, width * 0.6 - 3.5, Math.max(3, bottom - top));
  },
};

function fillBars(pen, bars, colour, pieces) {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [top, bottom] of bars) {
    for (const [left, right] of pieces) pen.rect(left, top, right - left, Math.max(2, bottom - top));
  }
  pen.fill();
}

/** Many boundaries can fall on one line of pixels: the more there are, the longer the tick. */
function drawMapCuts(view, pen, width, colour) {
  const edges = view.overlay?.edges ?? NO_CHUNKS.starts;
  const { lines } = view.plan;
  pen.fillStyle = colour;
  pen.beginPath();
  let before = 0;
  for (let line = 0; line + 1 < lines.length && before < edges.length; line++) {
    const upTo = countUpTo(edges, lines[line + 1] - 1);
    const count = upTo - before;
    if (count) pen.rect(3, line, width * Math.min(0.5, 0.2 + 0.06 * count), 1);
    before = upTo;
  }
  pen.fill();
}

/** What no setting changes: the size, the colours, and where each line of pixels begins. */
function planMap(view) {
  const canvas = view.parts.chart;
  const scale = globalThis.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name) => style.getPropertyValue(`--bv-map-${name}`);
  const room = height - 2;
  const y = (offset) => Math.round((heightOf(view, offset) / view.total) * room);
  return {
    pen, width, height,
    colours: Object.fromEntries(["cut", ...Object.keys(MAP_BARS)].map((name) => [name, colour(name)])),
    lines: Int32Array.from({ length: Math.max(0, room + 2) }, (_, line) => offsetAtHeight(view, ((line - 0.5) / room) * view.total)),
    bars: view.evidence.spans.reduce((bars, span) => {
      bars[span.order] = [y(span.start), y(span.end)];
      return bars;
    }, []),
  };
}

/** The first offset that stands at least this far down the sheet: the inverse of `heightOf`. */
function offsetAtHeight(view, height) {
  const place = Math.max(0, height / view.rowHeight);
  const row = Math.floor(place);
  if (row >= view.rows.length) return view.text.length + 1;
  const start = view.rows[row];
  return start + Math.ceil((place - row) * ((view.rows[row + 1] ?? view.text.length) - start));
}

function drawWindow(view, first, after) {
  const { map, window } = view.parts;
  const rows = view.rows.length;
  const share = view.top / Math.max(1, view.total - view.height);
  window.style.height = `${(view.height / view.total) * 100}%`;
  window.style.transform = `translateY(${(view.top / view.total) * view.height}px)`;
  map.setAttribute("aria-valuenow", Math.round(100 * Math.min(1, share)));
  map.setAttribute("aria-valuetext", `rows ${first + 1} to ${after} of ${rows}`);
}
