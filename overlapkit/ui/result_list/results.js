// Ranked chunks: texts go in as text nodes, whatever they hold.

function piece([text, mask]) {
  if (!mask) return document.createTextNode(text);
  const element = document.createElement(mask & 1 ? "mark" : "span");
  element.textContent = text;
  if (mask & 2) element.className = "evidence";
  return element;
}

function item(result, index) {
  const row = document.createElement("li");
  const head = document.createElement("div");
  head.className = "head";
  const part = result.whole ? "holds evidence whole" : "holds a part of the evidence, cut";
  const held = result.evidence ? ` · ${part} (underlined)` : "";
  const score = result.score.toFixed(3);
  head.textContent =
    `${index + 1}. ${result.document} ${result.start}..${result.end} · score ${score}${held}`;
  const text = document.createElement("div");
  text.className = "text";
  text.append(...result.pieces.map(piece));
  row.append(head, text);
  return row;
}

function nothing() {
  const row = document.createElement("li");
  row.className = "empty";
  row.textContent = "No chunk shares a word with this question.";
  return row;
}

export default function (component) {
  const { parentElement, data } = component;
  const results = JSON.parse(new TextDecoder().decode(data));
  const rows = results.length ? results.map(item) : [nothing()];
  parentElement.querySelector(".results").replaceChildren(...rows);
}
