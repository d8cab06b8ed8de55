/** Of settings with a size and an overlap: the nearest size by ratio, then overlap by share. */
function nearestSetting(settings, size, overlap) {
  let best = settings[0];
  let bestRatio = Infinity;
  let bestShare = Infinity;
  for (const setting of settings) {
    const ratio = Math.max(setting.size / size, size / setting.size);
    const share = Math.abs(setting.overlap / setting.size - overlap / size);
    if (ratio < bestRatio || (ratio === bestRatio && share < bestShare)) {
      best = setting;
      bestRatio = ratio;
      bestShare = share;
    }
  }
  return best;
}
