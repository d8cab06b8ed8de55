/*
 * The measure has nothing to draw: it offers the corpus as units and evidence to what follows
 * a drag on this page. What arrives later asks for it, so the order of mounting is free.
 */
const MEASURE = "overlapkit:measure";
const MEASURE_WANTED = "overlapkit:measure-wanted";
const mounts = new WeakMap();

export default function ({ data, parentElement }) {
  const mount = mounts.get(parentElement) ?? open(parentElement);
  const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
  // The id names the content, so a run that changed nothing decodes nothing and tells nobody.
  if (mount.measure?.id !== measureHeader(bytes).id) {
    mount.measure = decodeMeasure(bytes);
    mount.post();
  }
  // A late clean-up of an earlier run must not take away what a newer run has posted.
  const run = ++mount.run;
  return () => run === mount.run && close(parentElement, mount);
}

function open(parentElement) {
  const mount = { run: 0, measure: null };
  mount.post = () => {
    document.dispatchEvent(new CustomEvent(MEASURE, { detail: { source: mount, measure: mount.measure } }));
  };
  document.addEventListener(MEASURE_WANTED, mount.post);
  // Streamlit leaves a gap below every element; one that draws nothing must not add to it.
  mount.container = parentElement.closest(".stElementContainer");
  if (mount.container) mount.container.style.display = "none";
  mounts.set(parentElement, mount);
  return mount;
}

function close(parentElement, mount) {
  document.removeEventListener(MEASURE_WANTED, mount.post);
  if (mount.container) mount.container.style.display = "";
  mounts.delete(parentElement);
  mount.measure = null;
  mount.post();
}
