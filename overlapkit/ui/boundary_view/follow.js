/*
 * What comes from outside: settings from Python, a drag on this page, and the other view of
 * two that stand beside each other.
 */
const OVERLAY = "overlapkit:overlay";
const WANTED = "overlapkit:overlay-wanted";
const MOVE = "overlapkit:move";
const TOGETHER = "overlapkit:together";

/* ---- settings --------------------------------------------------------------------- */

function receive(view, { source, content: overlay }) {
  if (!view.root.isConnected) return; // being taken down: a jump is for its successor
  if (!overlay && view.source === source) {
    view.source = null;
    settle(view, null);
  }
  // After a change of the unit, the settings before it may still be on their way.
  if (overlay?.document !== view.id || overlay.unit !== view.doc.unit) return;
  view.source = source;
  settle(view, overlay);
  jump(view, overlay.goto);
}

/** Take what Python says; whatever was followed before is over. */
function settle(view, ways) {
  view.ways = ways;
  view.move = null;
  cut(view);
  refresh(view);
}

function cut(view) {
  view.stale = false;
  view.overlay = view.ways && cutDocument(view.doc, movedWays(view.ways, view.doc.unit, view.move), view.side);
}

/** Follow the handles: once per frame, however often they say where they are. */
function follow(view, { unit, size, overlap, live }) {
  if (!view.root.isConnected || !view.ways || unit !== view.doc.unit) return;
  if (live ? !(overlap >= 0 && overlap < size) : !view.move) return;
  // What was pinned stays: the view of its chunks has nothing to follow.
  if (view.side === "baseline" && !view.ways.baseline?.same_size) return;
  view.move = live ? { size, overlap } : null;
  view.stale = true;
  schedule(view);
}

/** A jump is made once for each nonce, whatever is mounted again in between. */
function jump(view, goto) {
  const key = `${view.id} ${view.side}`;
  if (!goto || jumps.get(key) === goto.nonce) return;
  jumps.set(key, goto.nonce);
  setPlace(view, toUnits(view.astral, goto.offset));
}

/* ---- beside each other ------------------------------------------------------------ */

/** Tell the other views of this document what has moved here: { spot }, { place } or { hover }. */
function tell(view, change) {
  document.dispatchEvent(new CustomEvent(TOGETHER, { detail: { source: view, ...change } }));
}

function join(view, { source, spot, place, hover }) {
  if (source === view || source.id !== view.id || !view.root.isConnected) return;
  if (spot) lead(view, spot);
  if (place !== undefined) showPlace(view, place);
  if (hover !== undefined) {
    view.hover = view.echo = hover;
    drawCarets(view);
    showDetails(view);
  }
}

/** Scroll as the other view did, and know its own scroll event for an echo. */
function lead(view, spot) {
  const { scroll } = view.parts;
  const before = scroll.scrollTop;
  scrollTo(view, spot);
  view.led = scroll.scrollTop === before ? null : scroll.scrollTop;
}

function scrolled(view) {
  schedule(view);
  const echo = view.led === view.parts.scroll.scrollTop;
  view.led = null;
  if (!echo && view.rowHeight) tell(view, { spot: spotNow(view) });
}
