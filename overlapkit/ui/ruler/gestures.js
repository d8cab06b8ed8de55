/*
 * What the reader does. A gesture lasts from the first move of a handle, a range input or a
 * key until it is let go of; then one message goes to Python, and none if nothing changed.
 */
const KEYS_REST = 250; // ms after the last key until its setting counts as chosen

/* ---- settings --------------------------------------------------------------------- */

/** Another size with the same share of overlap, taken from where the share was last chosen. */
function chooseSize(view, wanted) {
  const size = Math.max(1, Math.min(view.state.largest, wanted));
  const { anchor } = view;
  const kept = Math.floor((anchor.overlap * size) / anchor.size);
  view.now = { size, overlap: view.inPercent ? overlapAt(size, view.percent) : kept };
}

function chooseOverlap(view, wanted) {
  const { size } = view.now;
  view.now = view.anchor = { size, overlap: Math.max(0, Math.min(size - 1, wanted)) };
  view.percent = percentFor(view.now, view.percent);
}

function choosePercent(view, wanted) {
  const { size } = view.now;
  view.percent = Math.max(0, Math.min(99, wanted));
  view.now = view.anchor = { size, overlap: overlapAt(size, view.percent) };
}

/** Choose by what a slider counts: the size, or the overlap in units or percent. */
function choose(view, moves, value) {
  if (moves === "size") chooseSize(view, value);
  else if (view.inPercent) choosePercent(view, value);
  else chooseOverlap(view, value);
}

function valueOf(view, moves) {
  if (moves === "size") return view.now.size;
  return view.inPercent ? view.percent : view.now.overlap;
}

function same(a, b) {
  return a.size === b.size && a.overlap === b.overlap;
}

/* ---- gestures --------------------------------------------------------------------- */

/** Begin a gesture, or go on with the one that waits for another key; false where none may. */
function begin(view, kind, more = {}) {
  if (!view.state || view.sent?.size === USUAL) return false;
  clearTimeout(view.timer);
  dropTyped(view);
  view.gesture?.aim?.(); // what no frame has shown yet
  const { now, anchor, percent } = view;
  const { from, told } = view.gesture ?? { from: { now, anchor, percent }, told: false };
  view.gesture = { kind, from, told, ...more };
  return true;
}

/** Show what was chosen and tell the page, once in a frame. */
function schedule(view) {
  view.frame ||= requestAnimationFrame(() => {
    view.frame = 0;
    if (view.gesture) move(view);
  });
}

function move(view) {
  const { gesture } = view;
  gesture.aim?.();
  if (view.phase === "live" && same(view.now, view.drawn) && view.percent === view.drawn.percent) return;
  if (!gesture.told && same(view.now, gesture.from.now)) return; // no more than a touch
  gesture.told = true;
  view.phase = "live";
  draw(view);
  tell(view, true);
}

/** Let go: send the setting, or take back what was told where nothing has changed. */
function finish(view) {
  const { gesture } = view;
  if (!gesture) return;
  cancelAnimationFrame(view.frame);
  view.frame = 0;
  clearTimeout(view.timer);
  gesture.aim?.(); // what no frame has shown yet
  view.gesture = null;
  if (same(view.now, gesture.from.now)) {
    rest(view, gesture.told);
  } else {
    const told = gesture.told && same(view.now, view.drawn);
    send(view);
    // Followers wait at the place that was sent.
    if (!told) afterMessage(() => view.sent && tell(view, true));
  }
}

function cancel(view) {
  const { gesture } = view;
  if (!gesture) return;
  cancelAnimationFrame(view.frame);
  view.frame = 0;
  clearTimeout(view.timer);
  view.gesture = null;
  Object.assign(view, gesture.from);
  rest(view, gesture.told);
}

/** Back to what Python gave, or to what it was last sent. */
function rest(view, told) {
  view.phase = view.sent ? "pending" : "exact";
  if (told) tell(view, false);
  settle(view);
  draw(view);
}

function tell(view, live) {
  const { now, state } = view;
  const figures = countNow(view)?.figures ?? null;
  const detail = { unit: state.unit, size: now.size, overlap: now.overlap, live, figures };
  document.dispatchEvent(new CustomEvent(MOVE, { detail }));
}

function send(view) {
  const { now, state } = view;
  sendSetting(view, { unit: state.unit, ...now });
}

function sendSetting(view, { unit, size, overlap }) {
  view.sent = { unit, size, overlap, after: view.latest.answered.count };
  view.phase = "pending";
  view.trigger("setting", [unit, size, overlap]);
  afterMessage(() => draw(view));
}

/** Draw only when the message has left, which Streamlit sends by a timer of its own. */
function afterMessage(call) {
  setTimeout(call, 0);
}

/* ---- pointer on a handle ---------------------------------------------------------- */

function grab(view, event) {
  const handle = event.currentTarget;
  const { moves } = handle.dataset;
  if (event.button !== 0 || (moves === "overlap" && view.now.size === 1)) return;
  if (!begin(view, "pointer", { pointer: event.pointerId })) return;
  handle.setPointerCapture(event.pointerId);
  const { size, overlap } = view.now;
  const width = barWidth(view, size);
  const stands = moves === "size" ? width : (width * (size - overlap)) / size;
  // The handle keeps its distance to the pointer, or it would jump at the first touch.
  const offset = stands - event.clientX;
  view.gesture.x = event.clientX;
  view.gesture.aim = () => {
    if (view.gesture.x === view.gesture.aimed) return;
    view.gesture.aimed = view.gesture.x;
    if (moves === "size") aimSize(view, view.gesture.x + offset);
    else aimOverlap(view, view.gesture.x + offset);
  };
  view.gesture.aimed = event.clientX;
}

/** The size at a place, round where a pixel means more than one unit. */
function aimSize(view, x) {
  const exact = sizeAt(view, x);
  const round = roundStep(1.3 * sizePerPixel(view, Math.max(1, Math.min(view.state.largest, exact))));
  chooseSize(view, exact >= view.state.largest ? view.state.largest : Math.round(exact / round) * round);
}

function aimOverlap(view, x) {
  const { size } = view.now;
  const width = barWidth(view, size);
  const exact = size * (1 - x / width);
  const round = roundStep((1.3 * size) / width);
  if (view.inPercent) choosePercent(view, Math.round((100 * exact) / size));
  else chooseOverlap(view, Math.round(exact / round) * round);
}

function drag(view, event) {
  if (view.gesture?.pointer !== event.pointerId) return;
  view.gesture.x = event.clientX;
  schedule(view);
}

function release(view, event) {
  if (view.gesture?.pointer !== event.pointerId) return;
  view.gesture.x = event.clientX;
  finish(view);
}

function lose(view, event) {
  if (view.gesture?.pointer === event.pointerId) cancel(view);
}

/* ---- range inputs ----------------------------------------------------------------- */

function grabRange(view, event) {
  const range = event.currentTarget;
  view.refused = null;
  if (range.disabled || event.button !== 0 || !begin(view, "range", { range })) return;
  const span = Number(range.max) - Number(range.min);
  view.gesture.round = roundStep((1.3 * span) / Math.max(1, range.clientWidth));
}

function slide(view, event) {
  const range = event.currentTarget;
  const { moves } = range.dataset;
  // After Escape the browser goes on dragging its own thumb.
  if (view.refused === range || !(view.gesture?.kind === "range" || begin(view, "keys"))) {
    range.value = valueOf(view, moves);
    return;
  }
  const value = Number(range.value);
  const round = view.gesture.round ?? 1;
  const atEnd = value <= Number(range.min) || value >= Number(range.max);
  view.gesture.aim = () => {
    view.gesture.aim = null;
    choose(view, moves, atEnd ? value : Math.round(value / round) * round);
  };
  if (view.gesture.kind === "keys") restKeys(view);
  schedule(view);
}

function releaseRange(view) {
  if (view.gesture?.kind === "range") finish(view);
  view.refused = null;
}

/* ---- keys ------------------------------------------------------------------------- */

const WAYS = { ArrowRight: 1, ArrowUp: 1, PageUp: 10, ArrowLeft: -1, ArrowDown: -1, PageDown: -10 };

function isSliderKey(key) {
  return key in WAYS || key === "Home" || key === "End";
}

function sliderKey(view, event) {
  const { moves } = event.currentTarget.dataset;
  const { key } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || !isSliderKey(key)) return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit has single-letter shortcuts of its own
  if (moves === "overlap" && view.now.size === 1) return;
  if (["pointer", "range"].includes(view.gesture?.kind) || !begin(view, "keys")) return;
  const tenfold = event.shiftKey && Math.abs(WAYS[key]) === 1 ? 10 : 1;
  const least = moves === "size" ? 1 : 0;
  const to = { Home: least, End: Infinity }[key] ?? Math.max(least, valueOf(view, moves) + tenfold * WAYS[key]);
  choose(view, moves, to);
  view.gesture.held = true;
  schedule(view);
}

/** A key that is held repeats only after a while, so the wait begins when it is let go of. */
function restKeys(view) {
  if (view.gesture?.kind !== "keys") return;
  clearTimeout(view.timer);
  view.timer = setTimeout(() => finish(view), KEYS_REST);
}

/** Escape takes back any gesture, wherever the focus is. */
function escape(view, event) {
  if (event.key !== "Escape" || !view.gesture) return;
  event.preventDefault();
  event.stopPropagation();
  if (view.gesture.kind === "range") view.refused = view.gesture.range;
  cancel(view);
}

/* ---- fields ----------------------------------------------------------------------- */

function type(view, event) {
  view.typed.add(event.currentTarget);
}

function fieldKey(view, event) {
  event.stopPropagation(); // Streamlit has single-letter shortcuts of its own
  if (event.key === "Enter") takeField(view, event.currentTarget);
  if (event.key !== "Escape") return;
  complain(event.currentTarget, "");
  view.typed.delete(event.currentTarget);
  draw(view);
}

/** Take what was typed, or say in one sentence why not; then nothing changes. */
function takeField(view, field) {
  if (!view.typed.has(field) || view.sent?.size === USUAL) return;
  const { moves } = field.dataset;
  if (view.gesture) finish(view);
  const found = moves === "size"
    ? readSize(field.value, view.state.largest)
    : readOverlap(field.value, view.now.size, view.inPercent);
  complain(field, found.problem ?? "");
  if (found.problem) return;
  const before = view.now;
  view.typed.delete(field);
  if (found.size !== undefined) chooseSize(view, found.size);
  else if (found.percent !== undefined) choosePercent(view, found.percent);
  else chooseOverlap(view, found.overlap);
  if (same(view.now, before)) draw(view);
  else send(view);
}

function complain(field, problem) {
  const error = field.closest(".okr-control").querySelector(".okr-error");
  put(error, problem);
  if (problem) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

/** What was typed and not taken goes when the setting moves otherwise. */
function dropTyped(view) {
  for (const field of view.typed) complain(field, "");
  view.typed.clear();
}

/* ---- switches --------------------------------------------------------------------- */

function chooseMeasure(view, event) {
  view.inPercent = event.currentTarget.value === "percent";
  kept.inPercent = view.inPercent;
  dropTyped(view);
  draw(view);
}

/** Python chooses the usual size of the unit, so only the unit is sent. */
function chooseUnit(view, event) {
  const unit = event.currentTarget.value;
  if (view.gesture) cancel(view);
  dropTyped(view);
  sendSetting(view, { unit, size: USUAL, overlap: USUAL });
}
