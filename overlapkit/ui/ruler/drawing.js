/*
 * The drawing: two bars, what they share, a scale. Sizes are read when the layout changes
 * and never in a frame; a frame only writes.
 */
const BESIDE = 16; // px between the end of chunk 1 and the words beside it
const TICK_ROOM = 64; // px, the least between two numbers of the scale

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function element(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

/** Read what a frame needs to know of the page. */
function readLayout(view) {
  const { root, parts } = view;
  const style = getComputedStyle(parts.words);
  view.width = parts.stage.clientWidth;
  view.columns = root.clientWidth;
  view.pen ??= document.createElement("canvas").getContext("2d");
  view.pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
}

/*
 * The scale is linear, so that both chunks, what they share and the numbers below tell the
 * truth; only its zoom follows the size. The longest bar has half of the width, since the
 * second chunk needs as much again, and a bar is as long as the cube root of its size: on a
 * linear zoom a size of 20 would be 2 pixels wide and lost, on a logarithmic one bars would
 * hardly differ. The handle stays under the pointer, as the zoom is undone by `sizeAt`.
 */
function barWidth(view, size) {
  return (view.width / 2) * Math.cbrt(size / view.state.largest);
}

function sizeAt(view, x) {
  return view.state.largest * (Math.max(0, x) / (view.width / 2)) ** 3;
}

/** How many units one pixel means to the handle of the size, there where it stands. */
function sizePerPixel(view, size) {
  return (3 * size) / Math.max(1, barWidth(view, size));
}

function drawRuler(view) {
  const { parts, now, unit } = view;
  const { size, overlap } = now;
  const scale = barWidth(view, size) / size;
  const end = size * scale;
  const start = (size - overlap) * scale;
  place(parts.first, 0, end);
  place(parts.second, start, end);
  place(parts.shared, start, end - start);
  place(parts.step, 0, start);
  parts.sizeHandle.style.transform = `translateX(${end}px)`;
  parts.overlapHandle.style.transform = `translateX(${start}px)`;

  const room = start - 12;
  const named = fitting(view, room, `chunk 1: ${whole(size)} ${unit}`, "chunk 1");
  put(parts.first.firstChild, named);
  put(parts.second.firstChild, fitting(view, room, "chunk 2"));
  parts.second.firstChild.style.paddingLeft = `${end - start}px`;
  const stepped = fitting(view, start - 30, `step ${whole(size - overlap)}`);
  put(parts.step.firstChild, stepped);

  // What found no room in the bars stands beside them, as far as there is room.
  const shared = overlapWords(now);
  const sized = named.includes(":") ? shared : `size ${whole(size)} · ${shared}`;
  const all = stepped || !overlap ? sized : `${sized} · step ${whole(size - overlap)}`;
  put(parts.words, fitting(view, view.width - end - BESIDE, all, sized, shared));
  parts.words.style.transform = `translateX(${end + BESIDE}px)`;
  drawScale(view, scale);
}

function place(node, left, width) {
  node.style.transform = `translateX(${left}px)`;
  node.style.width = `${width}px`;
}

function fitting(view, room, ...texts) {
  return texts.find((text) => view.pen.measureText(text).width <= room) ?? "";
}

/** Numbers at round places; the short ticks between them are a pattern of the background. */
function drawScale(view, scale) {
  const { parts, width } = view;
  const wide = TICK_ROOM / scale;
  const below = roundStep(wide);
  const step = below >= wide ? below : roundStep(below * 2.5);
  const small = Math.max(1, step / 5) * scale;
  parts.scale.style.backgroundSize = `${small}px 5px, 100% 1px`;
  let used = 0;
  for (let value = 0; value * scale <= width; value += step) {
    const tick = view.ticks[used++] ?? addTick(view);
    tick.hidden = false;
    // The first and the last number stay inside the drawing.
    tick.style.transform = `translateX(${value * scale}px)`;
    put(tick.firstChild, value * scale + 20 > width ? "" : whole(value));
  }
  while (used < view.ticks.length) view.ticks[used++].hidden = true;
}

function addTick(view) {
  const tick = element("i", "okr-tick");
  tick.append(element("span", ""));
  view.parts.scale.append(tick);
  view.ticks.push(tick);
  return tick;
}

/* ---- controls --------------------------------------------------------------------- */

/** Everything that says the setting: readout, handles, range inputs, fields. */
function drawControls(view) {
  const { parts, now, unit, state } = view;
  const { size, overlap } = now;
  put(parts.setting, settingWords(now, unit));
  put(parts.guarantee, guaranteeWords(now, unit));
  const sized = { least: 1, most: state.largest, now: size, words: `${whole(size)} ${unit}` };
  const given = view.inPercent
    ? { least: 0, most: size === 1 ? 0 : 99, now: view.percent }
    : { least: 0, most: size - 1, now: overlap };
  given.words = size === 1 ? "0: a chunk of one cannot overlap" : `${whole(overlap)} ${unit} (${shareIn(size, overlap)}%)`;
  drawSlider(parts.sizeHandle, parts.sizeRange, sized);
  drawSlider(parts.overlapHandle, parts.overlapRange, given);
  drawField(view, parts.sizeField, String(size));
  drawField(view, parts.overlapField, String(given.now));
  parts.overlapRange.disabled = size === 1;
  parts.overlapHandle.setAttribute("aria-disabled", size === 1);
}

function drawSlider(handle, range, { least, most, now, words }) {
  handle.setAttribute("aria-valuemin", least);
  handle.setAttribute("aria-valuemax", most);
  handle.setAttribute("aria-valuenow", now);
  handle.setAttribute("aria-valuetext", words);
  range.max = most; // before the value, which it would hold back
  range.value = now;
  range.setAttribute("aria-valuetext", words);
  range.style.setProperty("--okr-filled", most > least ? (now - least) / (most - least) : 0);
}

/** A field shows the setting, except what is being typed or was refused. */
function drawField(view, field, text) {
  if (!view.typed.has(field) && field.value !== text) field.value = text;
}
