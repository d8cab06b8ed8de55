// What follows the handles while they are dragged: the chosen mark, by the places of the grid.

const MOVE = "overlapkit:move";

function liveX(overlay, spot, move) {
  if (overlay.exact_x === "overlap") return (100 * move.overlap) / move.size;
  return overlay.exact_x && move.figures ? move.figures[overlay.exact_x] : spot.x;
}

/** Move the chosen mark of one chart to where the grid says that a setting stands. */
function follow(plot, overlay, move) {
  const dot = plot.querySelector(":scope > .okm-layer > .okm-mark-chosen");
  const spot = dot && move.unit === overlay.unit ? nearestSetting(overlay.grid, move.size, move.overlap) : null;
  if (!spot) return;
  const place = placer(plot);
  const { xaxis } = plot._fullLayout;
  const x = place.x(liveX(overlay, spot, move));
  dot.style.left = `${Math.max(xaxis._offset, Math.min(xaxis._offset + xaxis._length, x))}px`;
  dot.style.top = `${place.inside(spot.y)}px`;
  dot.classList.add("okm-live");
  const words = `from the grid: ${spot.size.toLocaleString("en")} / ${spot.overlap.toLocaleString("en")}`;
  if (dot.dataset.words !== words) dot.dataset.words = dot.title = words;
}
