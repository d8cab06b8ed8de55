/*
 * Plain functions on plain data: no DOM, no state. All offsets in here and in the view are
 * UTF-16 units; Python's code points are mapped once on arrival and back for display.
 */

/* Both lists follow the order of CUT_KINDS and STATES in Python; a mark is a way to underline. */
const CUT_WORDS = ["a word", "a sentence", "a table row", "a code block", "a letter", "evidence"];
const CUTS_EVIDENCE = 1 << 5;
const STATES = [
  { name: "whole in both", mark: "whole", label: "", why: "one chunk holds it, in both settings" },
  { name: "repaired", mark: "repaired", label: "repaired", why: "cut in the baseline, whole here" },
  { name: "newly cut", mark: "newly", label: "newly cut", why: "whole in the baseline, no chunk holds it here" },
  { name: "still cut", mark: "still", label: "still cut", why: "no chunk holds it in either setting" },
  { name: "longer than the chunk", mark: "longer", label: "longer", why: "no chunk of this size can hold it" },
];
/* Without a baseline beside it there is nothing to compare. */
const STATES_ALONE = [
  { ...STATES[0], name: "whole", why: "one chunk holds it" },
  null,
  null,
  { ...STATES[3], name: "cut", label: "cut", why: "no chunk holds it" },
  STATES[4],
];

/* ---- chunks and spans ------------------------------------------------------------- */

/** The range [first, after) of chunks that hold position `p`; starts and ends never fall. */
function chunksAt(chunks, p) {
  return { first: countUpTo(chunks.ends, p), after: countUpTo(chunks.starts, p) };
}

/** Split [from, to) where the number or the parity of its chunks changes. */
function bandsBetween(chunks, from, to) {
  const bands = [];
  let p = from;
  while (p < to) {
    const { first, after } = chunksAt(chunks, p);
    const next = Math.min(to, chunks.ends[first] ?? to, chunks.starts[after] ?? to);
    bands.push({ from: p, to: next, band: bandOf(first, after) });
    p = next;
  }
  return bands;
}

function bandOf(first, after) {
  if (after <= first) return "none";
  if (after - first > 1) return "overlap";
  return first % 2 ? "odd" : "even";
}

function bandAt(chunks, p) {
  const { first, after } = chunksAt(chunks, p);
  return bandOf(first, after);
}

/** Spans may nest, so each also keeps the furthest end of those before it. */
function spanIndex(spans) {
  const sorted = [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
  let furthest = 0;
  return {
    spans: sorted,
    starts: sorted.map((span) => span.start),
    furthest: sorted.map((span) => (furthest = Math.max(furthest, span.end))),
  };
}

/** Whether a place lies strictly inside some span. */
function isInside({ starts, furthest }, place) {
  const before = countUpTo(starts, place - 1) - 1;
  return before >= 0 && furthest[before] > place;
}

/** The spans that share a character with [from, to), in order. */
function spansIn(index, from, to) {
  const found = [];
  for (let i = countUpTo(index.starts, to - 1) - 1; i >= 0 && index.furthest[i] > from; i--) {
    if (index.spans[i].end > from) found.unshift(index.spans[i]);
  }
  return found;
}

/* ---- code points ------------------------------------------------------------------ */

/** Code point positions of the characters that take two UTF-16 units; null if none does. */
function astralPositions(text) {
  const found = [];
  const pairs = /[\u{10000}-\u{10ffff}]/gu;
  for (let hit = pairs.exec(text); hit; hit = pairs.exec(text)) found.push(hit.index - found.length);
  return found.length ? Int32Array.from(found) : null;
}

function toUnits(astral, codePoint) {
  return astral ? codePoint + countUpTo(astral, codePoint - 1) : codePoint;
}

function toCodePoints(astral, unit) {
  if (!astral) return unit;
  let low = 0;
  let high = astral.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (astral[middle] + middle < unit) low = middle + 1;
    else high = middle;
  }
  return unit - low;
}

/** The same for many positions that never fall. */
function allToUnits(astral, codePoints) {
  if (!astral && codePoints instanceof Int32Array) return codePoints;
  const units = new Int32Array(codePoints);
  if (!astral) return units;
  let passed = 0;
  for (let i = 0; i < units.length; i++) {
    while (passed < astral.length && astral[passed] < units[i]) passed++;
    units[i] += passed;
  }
  return units;
}

/** The next or previous place between two characters; a CR LF pair counts as one. */
function neighbour(text, at, direction) {
  const next = Math.max(0, Math.min(text.length, at + direction));
  const inside = next > 0 && next < text.length;
  const pair = inside && /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(next - 1, next + 1));
  return pair ? next + direction : next;
}

/* ---- rows ------------------------------------------------------------------------- */

const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Replace each control character by one visible character, so that offsets stay. */
function visible(text) {
  return text.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return code < 0xa0 ? "\u2426" : "\u21b5";
  });
}

const CLUSTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Move `at` back so that a row never begins inside an accent, an emoji or a pair. */
function clusterStart(text, at, rowStart) {
  if (text.charCodeAt(at) < 0x80 && text.charCodeAt(at - 1) < 0x80) return at;
  const from = Math.max(rowStart, at - 64);
  const cluster = CLUSTERS.segment(text.slice(from, at + 64)).containing(at - from);
  const start = from + cluster.index;
  return start > rowStart ? start : at;
}

/* Scripts without spaces may break between any two letters, but not before these. */
const NEVER_FIRST = new Set(
  Array.from("、。，．：；！？）］｝」』】〉》’”…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ", (character) => character.charCodeAt(0)),
);

function breaksAnywhere(code) {
  return (code >= 0x2e80 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff)
    || (code >= 0xff00 && code <= 0xff60) || (code >= 0x20000 && code <= 0x3ffff);
}

/* A row of characters without width would never be full. */
const LONGEST_ROW = 2000;

/**
 * Where each row begins, for rows at most `width` pixels wide. `pen.ascii` holds the width
 * of each ASCII character, `pen.advance(code)` that of any other, `pen.tab` the tab stops.
 * A row ends at a line end, else after white space, else at any whole character, so that
 * one line of any length costs the same as many short ones.
 */
function layoutRows(text, pen, width) {
  const rows = [0];
  let rowStart = 0;
  let breakAt = 0;
  let x = 0;
  let loose = false; // whether the character before may be parted from the next
  let i = 0;
  while (i < text.length) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) code = text.codePointAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) {
      i += 1;
      rows.push(i);
      rowStart = i;
      x = 0;
      loose = false;
      continue;
    }
    const space = code === 32 || code === 9;
    const step = code === 9 ? tabStep(x, pen.tab) : code < 128 ? pen.ascii[code] : pen.advance(code);
    const anywhere = code >= 0x2e80 && breaksAnywhere(code);
    if ((loose || anywhere) && step > 0 && !(code > 127 && NEVER_FIRST.has(code))) breakAt = i;
    // One space may hang over the edge; a run of them wraps like any other text.
    const full = x + step > width && !(space && breakAt !== i);
    if (i > rowStart && (full || i - rowStart >= LONGEST_ROW)) {
      i = breakAt > rowStart ? breakAt : clusterStart(text, i, rowStart);
      rows.push(i);
      rowStart = i;
      x = 0;
      loose = false;
      continue;
    }
    x += step;
    i += code > 0xffff ? 2 : 1;
    loose = space || anywhere;
  }
  return Int32Array.from(rows);
}

/** CSS skips a tab stop that is nearer than half a character; eight characters make a stop. */
function tabStep(x, tab) {
  const step = tab - (x % tab);
  return step < tab / 16 ? step + tab : step;
}

function rowOf(rows, offset) {
  return countUpTo(rows, offset) - 1;
}

/** The row's text without its line end. */
function rowText(text, rows, index) {
  return text.slice(rows[index], rows[index + 1] ?? text.length).replace(/(?:\r\n|[\n\r])$/, "");
}

/* ---- search ----------------------------------------------------------------------- */

/** All places of `query`, whatever its case; white space in it matches any run of it. */
function findAll(text, query) {
  const words = query.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const hits = { starts: [], ends: [] };
  if (!query.trim()) return hits;
  const pattern = new RegExp(words.join("\\s+"), "giu");
  for (let hit = pattern.exec(text); hit; hit = pattern.exec(text)) {
    hits.starts.push(hit.index);
    hits.ends.push(hit.index + hit[0].length);
  }
  return hits;
}

/** The index of the next (+1) or previous (-1) position, going round at the end; -1 if none. */
function neighbourIn(positions, at, direction) {
  if (!positions.length) return -1;
  const index = direction > 0 ? countUpTo(positions, at) : countUpTo(positions, at - 1) - 1;
  return (index + positions.length) % positions.length;
}

/* ---- words ------------------------------------------------------------------------ */

function cutTag(kinds) {
  const words = CUT_WORDS.filter((_, bit) => kinds & (1 << bit));
  if (kinds & CUTS_EVIDENCE) words.unshift(words.pop());
  return words.length ? `cuts ${words.join(", ")}` : "";
}

/** "chunks 14 and 15: 800–1600, 1440–2240"; `show` turns an offset into what people read. */
function chunksInWords(chunks, p, show) {
  const { first, after } = chunksAt(chunks, p);
  const count = after - first;
  if (count <= 0) return "no chunk";
  if (count > 4) return `${count} chunks, ${first + 1} to ${after}`;
  const numbers = [];
  const ranges = [];
  for (let i = first; i < after; i++) {
    numbers.push(i + 1);
    ranges.push(`${show(chunks.starts[i])}–${show(chunks.ends[i])}`);
  }
  const last = numbers.pop();
  const names = numbers.length ? `chunks ${numbers.join(", ")} and ${last}` : `chunk ${last}`;
  return `${names}: ${ranges.join(", ")}`;
}

const NUMBERS = new Intl.NumberFormat("en");

function inWords(count) {
  return NUMBERS.format(count);
}

/** A setting as wording.py says it: 900 characters with 120 overlap (13%). */
function settingInWords(unit, size, overlap) {
  const what = `${inWords(size)} ${UNIT_WORDS[unit]}`;
  if (!overlap) return `${what} without overlap`;
  return `${what} with ${inWords(overlap)} overlap (${roundHalfEven((100 * overlap) / size)}%)`;
}

const UNIT_WORDS = { char: "characters", word: "words", token: "tokens" };

/** As Python rounds: 12.5 to 12, 13.5 to 14. */
function roundHalfEven(value) {
  const down = Math.floor(value);
  return value - down === 0.5 && down % 2 === 0 ? down : Math.round(value);
}
