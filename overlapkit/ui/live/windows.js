/*
 * Windows of a fixed size and what they hold, as overlapkit/chunkers/window.py cuts them at
 * phase 0: plain functions on plain data, no DOM, no state. Positions are code points of a
 * document's stored text.
 *
 * A layout is one document in what size and overlap count:
 *   { count, starts: null, ends: null }   characters: unit i is code point i
 *   { count, starts, ends, rises }        words or tokens: unit i is [starts[i], ends[i]);
 *                                         rises: no two units share a start or an end
 *   { cuts: [{ size, overlap, starts, ends }] }   cut elsewhere, for some settings only
 */

/** How many of the sorted values are at most `x` (the index after them). */
function countUpTo(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- windows of one document ------------------------------------------------------ */

/** Windows of `count` units before any merging; the first to reach the end is the last. */
function windowCount(count, size, overlap) {
  if (!count) return 0;
  return count <= size ? 1 : 1 + Math.ceil((count - size) / (size - overlap));
}

/** The longest span that no place of the cuts can part: it lies whole in some window. */
function guaranteed(size, overlap) {
  return overlap + 1;
}

/** Where each window begins and ends, { starts, ends }; both rise. */
function windowsOf(layout, size, overlap) {
  if (layout.cuts) {
    const { starts, ends } = nearestSetting(layout.cuts, size, overlap);
    return { starts, ends };
  }
  const { count } = layout;
  const windows = windowCount(count, size, overlap);
  const starts = new Int32Array(windows);
  const ends = new Int32Array(windows);
  const step = size - overlap;
  if (!layout.starts) {
    for (let i = 0; i < windows; i++) {
      starts[i] = i * step;
      ends[i] = Math.min(i * step + size, count);
    }
    return { starts, ends };
  }
  let kept = 0;
  eachWindow(layout, size, overlap, (start, end) => {
    starts[kept] = start;
    ends[kept++] = end;
  });
  return { starts: starts.subarray(0, kept), ends: ends.subarray(0, kept) };
}

/**
 * Calls `take(start, end, units)` for each window of words or tokens. Tokens widened to whole
 * characters may share a start or an end, and then a window may lie inside its neighbour: of
 * windows with one start the last is kept, and then of those with one end the first.
 */
function eachWindow(layout, size, overlap, take) {
  const { count, starts, ends } = layout;
  const step = size - overlap;
  const last = (windowCount(count, size, overlap) - 1) * step;
  let reached = -1;
  for (let from = 0; from <= last; from += step) {
    if (from < last && starts[from + step] === starts[from]) continue;
    const to = Math.min(from + size, count);
    if (ends[to - 1] === reached) continue;
    reached = ends[to - 1];
    take(starts[from], reached, to - from);
  }
}

/** Whether [start, end) lies whole in some window of { starts, ends }. */
function holdsWhole(windows, start, end) {
  // Of the windows that begin early enough, the last reaches furthest.
  const last = countUpTo(windows.starts, start) - 1;
  return last >= 0 && windows.ends[last] >= end;
}

/* ---- the whole corpus ------------------------------------------------------------- */

/**
 * { chunks, characters, units } of all windows; what several windows hold counts in each.
 * `units` is null where documents were cut elsewhere, since their units are not known.
 */
function totals(measure, size, overlap) {
  const sum = { chunks: 0, characters: 0, units: 0 };
  for (const layout of measure.docs) {
    if (layout.cuts) addCuts(sum, nearestSetting(layout.cuts, size, overlap));
    else if (!layout.count) continue;
    else if (layout.starts && !layout.rises) addMerged(sum, layout, size, overlap);
    else addWindows(sum, layout, size, overlap);
  }
  return sum;
}

function addWindows(sum, layout, size, overlap) {
  const { count, starts, ends } = layout;
  const windows = windowCount(count, size, overlap);
  // Each window but the first repeats `overlap` units of the one before it.
  const units = count + (windows - 1) * overlap;
  sum.chunks += windows;
  sum.units += units;
  if (!starts) {
    sum.characters += units;
    return;
  }
  const step = size - overlap;
  const last = (windows - 1) * step;
  let characters = ends[count - 1] - starts[last];
  for (let from = 0; from < last; from += step) characters += ends[from + size - 1] - starts[from];
  sum.characters += characters;
}

function addMerged(sum, layout, size, overlap) {
  eachWindow(layout, size, overlap, (start, end, units) => {
    sum.chunks += 1;
    sum.characters += end - start;
    sum.units += units;
  });
}

function addCuts(sum, cut) {
  sum.chunks += cut.starts.length;
  for (let i = 0; i < cut.starts.length; i++) sum.characters += cut.ends[i] - cut.starts[i];
  sum.units = null;
}

/** One byte per evidence span: 1 where some window holds it whole. */
function heldSpans(measure, size, overlap) {
  const { docs, spanDoc, spanFirst, spanLast } = measure;
  const held = new Uint8Array(spanDoc.length);
  const step = size - overlap;
  for (let k = 0; k < held.length; k++) {
    const layout = docs[spanDoc[k]];
    if (layout.cuts) {
      const cut = nearestSetting(layout.cuts, size, overlap);
      held[k] = holdsWhole(cut, measure.spanStart[k], measure.spanEnd[k]) ? 1 : 0;
      continue;
    }
    const first = spanFirst[k];
    const last = spanLast[k];
    if (first < 0 || last >= layout.count) continue;
    // The last window that begins early enough reaches furthest, and merging takes no reach
    // away. Were it beyond the document's last window, that one would reach the end.
    const from = first - (first % step);
    held[k] = last < from + size ? 1 : 0;
  }
  return held;
}

/** One byte per evidence span: 1 where it meets more units than `size`. */
function longSpans(measure, size) {
  const { spanUnits } = measure;
  const long = new Uint8Array(spanUnits.length);
  for (let k = 0; k < long.length; k++) long[k] = spanUnits[k] > size ? 1 : 0;
  return long;
}

/** How many spans are in each state of overlapkit/boundaries.py, from one byte per span. */
function compareSpans(before, after, long) {
  const counts = { whole: 0, repaired: 0, newlyCut: 0, stillCut: 0, longer: 0 };
  for (let k = 0; k < after.length; k++) {
    if (after[k]) {
      if (before[k]) counts.whole += 1;
      else counts.repaired += 1;
    } else if (long[k]) counts.longer += 1;
    else if (before[k]) counts.newlyCut += 1;
    else counts.stillCut += 1;
  }
  return counts;
}

/* ---- from the wire ---------------------------------------------------------------- */

const WIRE_TYPES = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, i32: Int32Array };

/** The header of what `encode_measure` made in Python: { id, unit, arrays }. */
function measureHeader(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
}

/** The measure that `encode_measure` made in Python; its bytes may begin anywhere in a buffer. */
function decodeMeasure(bytes) {
  const { id, unit, arrays } = measureHeader(bytes);
  const found = {};
  let at = 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  for (const { name, type, length } of arrays) {
    const Type = WIRE_TYPES[type];
    const after = at + length * Type.BYTES_PER_ELEMENT;
    // A copy, since an array's first byte may stand where its type must not begin.
    found[name] = new Type(Uint8Array.prototype.slice.call(bytes, at, after).buffer);
    at = after;
  }
  const { counts, gaps, lengths } = found;
  const docs = [];
  let first = 0;
  for (const count of counts) {
    const after = first + count;
    docs.push(gaps ? layoutOf(count, gaps.subarray(first, after), lengths.subarray(first, after)) : layoutOf(count));
    first = after;
  }
  return measureOf(id, unit, docs, found);
}

/** A layout from the gap before each unit and its length; without them, of characters. */
function layoutOf(count, gaps = null, lengths = null) {
  if (!gaps) return { count, starts: null, ends: null };
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  let rises = true;
  let start = -1;
  let end = 0;
  for (let i = 0; i < count; i++) {
    const next = end + gaps[i];
    const nextEnd = next + lengths[i];
    if (next <= start || nextEnd <= end) rises = false;
    starts[i] = start = next;
    ends[i] = end = nextEnd;
  }
  return { count, starts, ends, rises };
}

/**
 * A measure from its layouts and evidence spans, with what arithmetic on units needs of each
 * span: the last unit that begins no later (-1: none), the first that ends no earlier
 * (`count`: none), and how many it meets, parted ones included.
 */
function measureOf(id, unit, docs, { spanDoc, spanStart, spanEnd }) {
  const spanFirst = new Int32Array(spanDoc.length);
  const spanLast = new Int32Array(spanDoc.length);
  const spanUnits = new Int32Array(spanDoc.length);
  for (let k = 0; k < spanDoc.length; k++) {
    const { starts, ends } = docs[spanDoc[k]];
    const start = spanStart[k];
    const end = spanEnd[k];
    if (starts) {
      spanFirst[k] = countUpTo(starts, start) - 1;
      spanLast[k] = countUpTo(ends, end - 1);
      spanUnits[k] = countUpTo(starts, end - 1) - countUpTo(ends, start);
    } else {
      spanFirst[k] = start;
      spanLast[k] = end - 1;
      spanUnits[k] = end - start;
    }
  }
  return { id, unit, docs, spanDoc, spanStart, spanEnd, spanFirst, spanLast, spanUnits };
}
