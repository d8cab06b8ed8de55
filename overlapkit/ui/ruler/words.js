/*
 * Numbers and sentences, as overlapkit/wording.py writes them, and what may be typed: plain
 * functions on plain data, no DOM, no state.
 */

/* ---- numbers ---------------------------------------------------------------------- */

/* Made once: a format made anew for each number would cost more than the rest of a frame. */
const WHOLE = new Intl.NumberFormat("en");
const ROUGH = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

function whole(value) {
  return WHOLE.format(value);
}

/** A number rounded as Python does it: a tie goes to the even neighbour. */
function rounded(value, digits) {
  // A tie ends in .5, or for one digit in .25 or .75: all exact in binary.
  const tie = digits ? Math.abs((value * 2) % 1) === 0.5 : Math.abs(value % 1) === 0.5;
  if (!tie) return value.toFixed(digits);
  const scale = 10 ** digits;
  const below = Math.floor(value * scale);
  return ((below % 2 ? below + 1 : below) / scale).toFixed(digits);
}

function percentOf(part, of) {
  return `${rounded(100 * (part / of), 1)}%`;
}

/** US dollars: two significant digits below one dollar, cents above. */
function dollars(value) {
  if (!value) return "US$0";
  if (value < 1e-6) return "< US$0.000001";
  if (value < 1) return `US$${value.toPrecision(2)}`;
  return `US$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** About how many: three significant digits. */
function about(value) {
  return `≈ ${ROUGH.format(value)}`;
}

/** The largest of 1, 2, 5, 10, 20, 50 … that is not above `most`; at least 1. */
function roundStep(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return power * ([5, 2].find((factor) => factor * power <= most) ?? 1);
}

/* ---- settings --------------------------------------------------------------------- */

/** Overlap as a share of the size, in whole percent: 20. */
function shareIn(size, overlap) {
  return rounded((100 * overlap) / size, 0);
}

function settingWords({ size, overlap }, unit) {
  if (!overlap) return `${whole(size)} ${unit} without overlap`;
  return `${whole(size)} ${unit} with ${whole(overlap)} overlap (${shareIn(size, overlap)}%)`;
}

function overlapWords({ size, overlap }) {
  return overlap ? `overlap ${whole(overlap)} (${shareIn(size, overlap)}%)` : "no overlap";
}

function guaranteeWords({ size, overlap }, unit) {
  const begins = `A new chunk begins every ${whole(size - overlap)} ${unit}`;
  if (!overlap) return `${begins}; any cut can break a fact.`;
  return `${begins}; any passage of up to ${whole(guaranteed(size, overlap))} ${unit} is whole in some chunk.`;
}

/** `overlap = size * percent // 100`. */
function overlapAt(size, percent) {
  return Math.floor((size * percent) / 100);
}

/** The percentage that gives an overlap: `before` if it does, else the smallest, else the one below. */
function percentFor({ size, overlap }, before) {
  const candidates = [before, Math.ceil((100 * overlap) / size)];
  return candidates.find((percent) => percent <= 99 && overlapAt(size, percent) === overlap)
    ?? Math.floor((100 * overlap) / size);
}

/* ---- what was typed --------------------------------------------------------------- */

/** A whole number, with or without thousands separated; NaN for anything else. */
function readWhole(text) {
  const typed = text.trim();
  const plain = /^\d{1,3}(?:[,\u00a0\u202f ]\d{3})+$/.test(typed) ? typed.replace(/\D/g, "") : typed;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : NaN;
}

/** { size } of what was typed, or { problem }: one sentence of rule, value, remedy. */
function readSize(text, largest) {
  const size = readWhole(text);
  if (Number.isNaN(size)) return { problem: notWhole("Size", text) };
  if (size >= 1 && size <= largest) return { size };
  const remedy = size ? `type at most ${whole(largest)}` : "type at least 1";
  return { problem: `Size must lie between 1 and ${whole(largest)}; got ${whole(size)}: ${remedy}.` };
}

/** { overlap }, { percent } or { problem }; a percent sign says percent whatever the switch says. */
function readOverlap(text, size, inPercent) {
  const typed = text.trim();
  const percent = inPercent || typed.endsWith("%");
  const value = readWhole(typed.replace(/\s*%$/, ""));
  if (Number.isNaN(value)) return { problem: notWhole("Overlap", text) };
  const most = percent ? 99 : size - 1;
  if (value <= most) return percent ? { percent: value } : { overlap: value };
  if (percent) return { problem: `Overlap must lie between 0% and 99%; got ${whole(value)}%: type at most 99.` };
  if (size === 1) return { problem: `Overlap must be 0 for size 1; got ${whole(value)}: raise the size first.` };
  return { problem: `Overlap must be below the size of ${whole(size)}; got ${whole(value)}: type at most ${whole(most)}.` };
}

function notWhole(what, text) {
  return `${what} must be a whole number; got “${shortened(text)}”: type digits only.`;
}

function shortened(text) {
  const typed = text.trim();
  return typed.length > 20 ? `${typed.slice(0, 20)}…` : typed;
}
