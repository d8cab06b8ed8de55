// Marks over plotly charts. A chart is found by the name in its layout.meta; places come
// from its own axes. Those are plotly's inner fields, so every access is guarded: without
// them the chart simply has no marks.

const SVG = "http://www.w3.org/2000/svg";
const CHECK_EVERY = 200; // ms; charts may arrive, resize or change theme at any time

function charts() {
  const found = new Map();
  for (const plot of document.querySelectorAll(".js-plotly-plot")) {
    const name = plot.layout?.meta?.overlapkit;
    if (name && plot._fullLayout?.xaxis?.d2p && plot._fullLayout?.yaxis?.d2p) {
      found.set(name, plot);
    }
  }
  return found;
}

function placer(plot) {
  const { xaxis, yaxis } = plot._fullLayout;
  const along = (axis, value) => {
    // A category such as "800" would pass for a number, so its index is looked up here.
    const place = axis.type === "category" ? axis._categories.indexOf(value) : null;
    return axis._offset + (place === null ? axis.d2p(Number(value)) : axis.c2p(place));
  };
  const [top, bottom] = [yaxis._offset, yaxis._offset + yaxis._length];
  return {
    x: (value) => along(xaxis, value),
    y: (value) => along(yaxis, value),
    // The end of an interval that leaves the plot is drawn at its edge.
    inside: (value) => Math.max(top, Math.min(bottom, along(yaxis, value))),
  };
}

// What the places depend on; marks are drawn again only when it changes.
function geometry(plot) {
  const { xaxis, yaxis, width, height } = plot._fullLayout;
  return [xaxis._offset, xaxis._length, yaxis._offset, yaxis._length, width, height]
    .concat(xaxis.range, yaxis.range)
    .join(" ");
}

// The theme's colours are known inside the component only, so they are handed on.
function themeOf(element) {
  const style = getComputedStyle(element);
  return ["primary-color", "text-color", "background-color"].map((name) => [
    `--okm-${name}`,
    style.getPropertyValue(`--st-${name}`),
  ]);
}

function layerOf(plot, theme) {
  let layer = plot.querySelector(":scope > .okm-layer");
  if (!layer) {
    layer = document.createElement("div");
    layer.className = "okm-layer";
    plot.style.position = "relative";
    plot.append(layer);
  }
  for (const [name, value] of theme) layer.style.setProperty(name, value);
  return layer;
}

function drawLines(layer, lines, place) {
  if (!lines.length) return;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  for (const line of lines) {
    const points = line.xs.map((x, i) => [place.x(x), place.y(line.ys[i])]);
    if (line.kind === "phases") {
      svg.append(band(line, points, place));
      continue;
    }
    const path = document.createElementNS(SVG, "polyline");
    path.setAttribute("points", points.map((point) => point.join(",")).join(" "));
    path.setAttribute("class", `okm-line okm-line-${line.kind}`);
    svg.append(path);
    line.low.forEach((low, i) => {
      const bar = document.createElementNS(SVG, "line");
      bar.setAttribute("class", "okm-bar");
      bar.setAttribute("x1", points[i][0]);
      bar.setAttribute("x2", points[i][0]);
      bar.setAttribute("y1", place.inside(low));
      bar.setAttribute("y2", place.inside(line.high[i]));
      svg.append(bar);
    });
  }
  layer.append(svg);
}

// The area between the lower and the upper ends, from left to right and back.
function band(line, points, place) {
  const lower = line.low.map((low, i) => [points[i][0], place.inside(low)]);
  const upper = line.high.map((high, i) => [points[i][0], place.inside(high)]).reverse();
  const area = document.createElementNS(SVG, "polygon");
  area.setAttribute("points", [...lower, ...upper].map((point) => point.join(",")).join(" "));
  area.setAttribute("class", "okm-band");
  return area;
}

function drawMarks(layer, marks, place, onCells) {
  for (const mark of marks) {
    const dot = document.createElement("div");
    dot.className = `okm-mark okm-mark-${mark.kind}${onCells ? " okm-on-cell" : ""}`;
    dot.title = mark.label;
    dot.style.left = `${place.x(mark.x)}px`;
    dot.style.top = `${place.y(mark.y)}px`;
    layer.append(dot);
  }
}

function drawCells(layer, cells, marks, place, plot, pick) {
  if (!cells.length) return;
  const columns = [...new Set(cells.map((cell) => cell.x))];
  const rows = [...new Set(cells.map((cell) => cell.y))];
  const width = plot._fullLayout.xaxis._length / columns.length;
  const height = plot._fullLayout.yaxis._length / rows.length;
  const chosen = marks.find((mark) => mark.kind === "chosen");
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Settings: arrow keys move, Enter selects");
  const buttons = new Map();
  for (const cell of cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "okm-cell";
    button.title = cell.label;
    button.setAttribute("aria-label", cell.label);
    button.dataset.value = cell.value.join("-");
    button.tabIndex = -1;
    Object.assign(button.style, {
      left: `${place.x(cell.x) - width / 2}px`,
      top: `${place.y(cell.y) - height / 2}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    button.addEventListener("click", () => pick(cell.value));
    button.addEventListener("keydown", (event) => {
      const [dx, dy] = STEPS[event.key] ?? [0, 0];
      if (!dx && !dy) return;
      event.preventDefault();
      const x = columns[columns.indexOf(cell.x) + dx];
      const y = rows[rows.indexOf(cell.y) + dy];
      buttons.get(`${x} ${y}`)?.focus();
    });
    buttons.set(`${cell.x} ${cell.y}`, button);
    group.append(button);
  }
  // One stop in the tab order: the chosen cell, or the first.
  const entry = buttons.get(`${chosen?.x} ${chosen?.y}`) ?? buttons.values().next().value;
  entry.tabIndex = 0;
  layer.append(group);
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function draw(plot, overlay, theme, pick) {
  const layer = layerOf(plot, theme);
  const focused = layer.contains(document.activeElement)
    ? document.activeElement.dataset.value
    : null;
  layer.replaceChildren();
  const place = placer(plot);
  drawLines(layer, overlay.lines, place);
  drawCells(layer, overlay.cells, overlay.marks, place, plot, pick);
  drawMarks(layer, overlay.marks, place, overlay.cells.length > 0);
  if (focused) layer.querySelector(`[data-value="${focused}"]`)?.focus();
}

const running = new WeakMap();

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  running.get(parentElement)?.();
  const overlays = JSON.parse(new TextDecoder().decode(data));
  const drawn = new WeakMap();
  let live = false;

  function moved({ detail }) {
    live = detail.live;
    if (!live) return redraw();
    for (const [name, plot] of charts()) {
      if (overlays[name]?.grid.length) follow(plot, overlays[name], detail);
    }
    return undefined;
  }

  function redraw() {
    for (const plot of charts().values()) drawn.delete(plot);
    refresh();
  }

  function refresh() {
    if (live) return;
    const host = parentElement.host ?? parentElement;
    const theme = themeOf(host);
    for (const [name, plot] of charts()) {
      const overlay = overlays[name];
      const shape = `${geometry(plot)} ${theme}`;
      const missing = !plot.querySelector(":scope > .okm-layer");
      if (!overlay || (drawn.get(plot) === shape && !missing)) continue;
      draw(plot, overlay, theme, (value) => setTriggerValue("pick", value));
      drawn.set(plot, shape);
    }
  }

  refresh();
  const timer = setInterval(refresh, CHECK_EVERY);
  document.addEventListener(MOVE, moved);
  const stop = () => {
    clearInterval(timer);
    document.removeEventListener(MOVE, moved);
  };
  running.set(parentElement, stop);
  return stop;
}
