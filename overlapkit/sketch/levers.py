"""What overlap buys under each lever, as a picture."""

from html import escape

from overlapkit.charts import ACCENT, label_of
from overlapkit.evaluate import METRICS
from overlapkit.levers import Ablation
from overlapkit.sketch.words import words

_ROW = 26
_NAMES = 190  # pixels for the names of the levers


def levers_svg(found: Ablation) -> str:
    """Return what overlap buys under each lever: a point with its 95% interval on one scale."""
    effects = list(found.effects.values())
    rate = METRICS[found.metric.partition("@")[0]].shown == "rate"
    ends = [(one.buys.low, one.buys.high) for one in effects]
    low, high = min(0.0, *(a for a, _ in ends)), max(0.0, *(b for _, b in ends))
    width, height = _NAMES + 250, 46 + _ROW * len(effects)

    def x(value: float) -> float:
        return _NAMES + 12 + 220 * ((value - low) / (high - low) if high > low else 0.5)

    zero = x(0.0)
    parts = [
        words(0, 12, f"What overlap buys: {label_of(found.metric)}", weight=600),
        f'<path d="M{zero:.1f} 24V{height - 22}" stroke="currentColor" stroke-opacity="0.4"/>',
    ]
    for at, one in enumerate(effects):
        y = 38 + _ROW * at
        parts += [
            words(0, y + 4, one.lever.label),
            f'<path d="M{x(one.buys.low):.1f} {y}H{x(one.buys.high):.1f}" stroke="{ACCENT}" '
            'stroke-width="2"/>',
            f'<circle cx="{x(one.buys.difference):.1f}" cy="{y}" r="4" fill="{ACCENT}"/>',
        ]
    said = [f"{100 * end:+.0f} points" if rate else f"{end:+.2f}" for end in (low, high)]
    parts += [
        words(x(low), height - 4, said[0] if low < 0 else "0", "middle" if low < 0 else "start"),
        words(x(high), height - 4, said[1] if high > 0 else "0", "end"),
    ]
    spoken = "; ".join(
        f"{one.lever.label} {one.buys.difference:+.3f} ({one.buys.low:+.3f} to "
        f"{one.buys.high:+.3f})" for one in effects
    )  # fmt: skip
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" style="max-width:100%" '
        f'font-size="12" fill="currentColor" role="img" '
        f'aria-label="{escape(f"What overlap buys under each lever: {spoken}.")}">'
        f"{''.join(parts)}</svg>"
    )
