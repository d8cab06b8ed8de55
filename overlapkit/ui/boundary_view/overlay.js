/*
 * The overlay has nothing to draw: it offers its data to the views on the page. A view that
 * arrives later asks for it, so the order in which the two are mounted does not matter.
 */
const OVERLAY = "overlapkit:overlay";
const WANTED = "overlapkit:overlay-wanted";
const mounts = new WeakMap();

export default function ({ data, parentElement }) {
  const mount = mounts.get(parentElement) ?? open(parentElement);
  mount.overlay = JSON.parse(new TextDecoder().decode(data));
  mount.post();
  // A late clean-up of an earlier run must not take away what a newer run has posted.
  const run = ++mount.run;
  return () => run === mount.run && close(parentElement, mount);
}

function open(parentElement) {
  const mount = { run: 0, overlay: null };
  mount.post = () => {
    document.dispatchEvent(new CustomEvent(OVERLAY, { detail: { source: mount, overlay: mount.overlay } }));
  };
  document.addEventListener(WANTED, mount.post);
  // Streamlit leaves a gap below every element; one that draws nothing must not add to it.
  mount.container = parentElement.closest(".stElementContainer");
  if (mount.container) mount.container.style.display = "none";
  mounts.set(parentElement, mount);
  return mount;
}

function close(parentElement, mount) {
  document.removeEventListener(WANTED, mount.post);
  if (mount.container) mount.container.style.display = "";
  mounts.delete(parentElement);
  mount.overlay = null;
  mount.post();
}
