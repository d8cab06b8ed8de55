// What follows the handles while they are dragged: the chosen mark, by the places of the grid.

const MOVE = "overlapkit:move";

/* A place is [size, overlap, x, y]. Sizes are near by their ratio, since 200 is further from 400 than 1,800 from 2,000. */
function nearestPlace(grid, { size, overlap }) {
  const sized = (place) => Math.abs(Math.log(place[0] / size));
  const shared = (place) => Math.abs(place[1] / place[0] - overlap / size);
  let best = null;
  for (const place of grid) {
    const nearer = !best || sized(place) < sized(best)
      || (sized(place) === sized(best) && shared(place) < shared(best));
    if (nearer) best = place;
  }
  return best;
}

function liveX(overlay, spot, move) {
  if (overlay.exact_x === "overlap") return (100 * move.overlap) / move.size;
  return overlay.exact_x && move.figures ? move.figures[overlay.exact_x] : spot[2];
}

/** Move the chosen mark of one chart to where the grid says that a setting stands. */
function follow(plot, overlay, move) {
  const dot = plot.querySelector(":scope > .okm-layer > .okm-mark-chosen");
  const spot = dot && move.unit === overlay.unit ? nearestPlace(overlay.grid, move) : null;
  if (!spot) return;
  const place = placer(plot);
  const { xaxis } = plot._fullLayout;
  const x = place.x(liveX(overlay, spot, move));
  dot.style.left = `${Math.max(xaxis._offset, Math.min(xaxis._offset + xaxis._length, x))}px`;
  dot.style.top = `${place.inside(spot[3])}px`;
  dot.classList.add("okm-live");
  const words = `from the grid: ${spot[0].toLocaleString("en")} / ${spot[1].toLocaleString("en")}`;
  if (dot.dataset.words !== words) dot.dataset.words = dot.title = words;
}
