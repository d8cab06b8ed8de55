/*
 * From a document and two ways to cut it to what is drawn: chunks, boundaries with what they
 * part, and what becomes of the evidence. Plain functions on plain data, no DOM.
 */

const MOST_DRAWN = 20_000; // chunks; more than this many marks would say nothing

/* ---- the document ----------------------------------------------------------------- */

/** A document as it came, with everything that no setting changes worked out once. */
function readDocument({ id, text, unit, count, units, blocks, evidence }) {
  const astral = astralPositions(text);
  const layout = layoutOf(count, units?.gaps, units?.lengths);
  const spans = evidence.map((span, order) => ({
    ...span, order, start: toUnits(astral, span.start), end: toUnits(astral, span.end),
  }));
  const index = spanIndex(spans);
  const parts = [blocks.sentences, blocks.tableRows, blocks.codeBlocks].map((flat) => partIndex(astral, flat));
  return { id, text, unit, astral, layout, evidence: index, parts, measure: measureOf(id, unit, [layout], {
    spanDoc: new Int32Array(evidence.length),
    spanStart: Int32Array.from(evidence, (span) => span.start),
    spanEnd: Int32Array.from(evidence, (span) => span.end),
  }) };
}

/** Parts of one kind from [start, end, start, end, …]; starts rise, and no two meet. */
function partIndex(astral, flat) {
  const edges = allToUnits(astral, flat);
  return {
    starts: edges.filter((_, i) => i % 2 === 0),
    furthest: edges.filter((_, i) => i % 2 === 1),
  };
}

/* ---- what a boundary parts -------------------------------------------------------- */

/* What Python's str.isalnum takes for part of a word, and the underscore. */
const WORD_PART = /^[\p{L}\p{N}_]/u;
const MARK = /^\p{M}/u;

/** What a boundary at an offset inside the text parts: one bit for each of CUT_WORDS. */
function cutKinds({ text, parts, evidence }, at) {
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at));
  let kinds = WORD_PART.test(before) && WORD_PART.test(after) ? 1 : 0;
  parts.forEach((index, i) => (kinds |= isInside(index, at) ? 2 << i : 0));
  if (partsLetter(before, after)) kinds |= 1 << 4;
  return isInside(evidence, at) ? kinds | CUTS_EVIDENCE : kinds;
}

function characterBefore(text, at) {
  const pair = at > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 2, at));
  return text.slice(pair ? at - 2 : at - 1, at);
}

/** Whether a letter is parted from its mark, an emoji from its tone or joiner, CR from LF. */
function partsLetter(before, after) {
  const code = after.codePointAt(0);
  const joined = before === "\u200d" || after === "\u200d";
  const tone = code >= 0x1f3fb && code <= 0x1f3ff;
  return joined || tone || (before === "\r" && after === "\n") || MARK.test(after);
}

/* ---- chunks ----------------------------------------------------------------------- */

/**
 * A way to cut is { label, size, overlap } or { label, starts, ends }. While the handles stand
 * elsewhere, `move` is their { size, overlap }: no overlap at the same size moves along, what
 * was pinned stays.
 */
function movedWays({ chosen, baseline }, unit, move) {
  if (!move) return { chosen, baseline };
  const at = (size, overlap) => ({ label: settingInWords(unit, size, overlap), size, overlap });
  return {
    chosen: at(move.size, move.overlap),
    baseline: baseline?.same_size ? { ...at(move.size, 0), same_size: true } : baseline,
  };
}

/** Everything that depends on the setting, drawn for one side: the chosen one, else the baseline. */
function cutDocument(doc, ways, side) {
  const own = side === "baseline" ? ways.baseline : ways.chosen;
  const other = side === "baseline" ? null : ways.baseline;
  if (!own) return null;
  const chunks = once(() => chunksOf(doc, own));
  const count = chunkCount(doc, own, chunks);
  const tooMany = count > MOST_DRAWN;
  return {
    label: own.label,
    count,
    tooMany,
    chunks,
    drawn: tooMany ? NO_CHUNKS : chunks(),
    edges: tooMany ? NO_CHUNKS.starts : innerEdges(chunks(), doc.text.length),
    kinds: new Map(),
    lanes: tooMany ? 0 : Math.min(MOST_LANES, Math.max(2, depthOf(chunks()))),
    baseline: other && { label: other.label, chunks: once(() => chunksOf(doc, other)) },
    states: statesOf(doc, own, other),
    words: other ? STATES : STATES_ALONE,
  };
}

const NO_CHUNKS = { starts: new Int32Array(0), ends: new Int32Array(0) };
const MOST_LANES = 4;

function once(make) {
  let made;
  return () => (made ??= make());
}

function chunksOf({ layout, astral }, way) {
  const { starts, ends } = way.starts ? way : windowsOf(layout, way.size, way.overlap);
  return { starts: allToUnits(astral, starts), ends: allToUnits(astral, ends) };
}

/** How many chunks there are; only where windows may merge, they must be cut to be counted. */
function chunkCount({ layout }, way, chunks) {
  if (way.starts) return way.starts.length;
  return layout.starts && !layout.rises ? chunks().starts.length : windowCount(layout.count, way.size, way.overlap);
}

/** The places inside the text where chunks begin or end, each once: starts and ends both rise. */
function innerEdges({ starts, ends }, length) {
  const edges = new Int32Array(starts.length + ends.length);
  let count = 0;
  let last = 0;
  for (let i = 0, j = 0; i < starts.length || j < ends.length;) {
    const next = j >= ends.length || starts[i] <= ends[j] ? starts[i++] : ends[j++];
    if (next > last && next < length) edges[count++] = last = next;
  }
  return edges.subarray(0, count);
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

/** What the boundary at an offset parts; 0 where no chunk begins or ends. */
function kindsAt(doc, { edges, kinds }, at) {
  let found = kinds.get(at);
  if (found === undefined) {
    found = edges[countUpTo(edges, at) - 1] === at ? cutKinds(doc, at) : 0;
    kinds.set(at, found);
  }
  return found;
}

/* ---- evidence --------------------------------------------------------------------- */

/** The place in STATES of each evidence span, as boundaries.py decides it. */
function statesOf(doc, own, other) {
  const after = heldBy(doc, own);
  const before = other ? heldBy(doc, other) : after;
  // How many units fit what was cut elsewhere, nobody knows.
  const long = own.starts ? new Uint8Array(after.length) : longSpans(doc.measure, own.size);
  return after.map((held, k) => {
    if (held) return before[k] ? 0 : 1;
    if (long[k]) return 4;
    return before[k] ? 2 : 3;
  });
}

function heldBy({ measure }, way) {
  if (!way.starts) return heldSpans(measure, way.size, way.overlap);
  return Uint8Array.from(measure.spanStart, (start, k) => (holdsWhole(way, start, measure.spanEnd[k]) ? 1 : 0));
}
