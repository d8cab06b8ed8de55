/*
 * What has nothing to draw offers its content to what draws it, by an event on the page's
 * document. What is mounted later asks by the same name with "-wanted", so the order is free.
 */
const offers = new WeakMap();

/** The offer of an element, made when it is first asked for: { content, post, left }. */
function offerOf(parentElement, name) {
  if (offers.has(parentElement)) return offers.get(parentElement);
  let runs = 0;
  const tell = () => {
    document.dispatchEvent(new CustomEvent(name, { detail: { source: offer, content: offer.content } }));
  };
  const post = (content) => {
    offer.content = content;
    tell();
  };
  // A late clean-up of an earlier run must not take away what a newer run has posted.
  const left = () => {
    const run = ++runs;
    return () => run === runs && close();
  };
  const close = () => {
    document.removeEventListener(`${name}-wanted`, tell);
    if (container) container.style.display = "";
    offers.delete(parentElement);
    post(null);
  };
  const offer = { content: null, post, left };
  document.addEventListener(`${name}-wanted`, tell);
  // Streamlit leaves a gap below every element; one that draws nothing must not add to it.
  const container = parentElement.closest(".stElementContainer");
  if (container) container.style.display = "none";
  offers.set(parentElement, offer);
  return offer;
}
