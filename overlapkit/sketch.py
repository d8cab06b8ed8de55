"""Answers as small pictures, the verdict first: SVG that needs no script.

Light enough to stand beside the sentence, and to come with the first byte of a page. Colours
are those of the text around it.
"""

from html import escape

from overlapkit.charts import ACCENT, label_of
from overlapkit.decide import Verdict
from overlapkit.evaluate import METRICS
from overlapkit.levers import Ablation
from overlapkit.stats import Standing
from overlapkit.words import percent

_WIDTH, _HEIGHT = 320, 152
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 306, 30, 106
_STANDINGS: tuple[Standing, ...] = ("keeps up", "cannot be told", "falls behind")


def verdict_svg(found: Verdict, column: str) -> str:
    """Return the picture of a verdict on the rates of a column: a mark for each overlap."""
    rates = [one.row.values[column] for one in found.held]
    shares = [one.row.spec.overlap_pct for one in found.held]
    low, high = min(rates), max(rates)
    widest = max(shares) or 1.0

    def x(share: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * share / widest

    def y(rate: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * ((rate - low) / (high - low) if high > low else 0.5)

    places = [(x(share), y(rate)) for share, rate in zip(shares, rates, strict=True)]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    parts = [
        _text(0, 12, f"{label_of(column)}, by overlap", weight=600),
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>',
        *(_mark(one.standing, *place) for one, place in zip(found.held, places, strict=True)),
        *(_text(_LEFT - 10, y(rate) + 4, percent(rate), "end") for rate in {low, high}),
    ]
    named = {shares[0], shares[-1]}
    if found.choice is not None:
        share = found.choice.spec.overlap_pct
        named = {one for one in named if abs(x(one) - x(share)) > 34}
        place = f'cx="{x(share):.1f}" cy="{y(found.choice.values[column]):.1f}"'
        parts += [
            f'<circle {place} r="8" fill="none" stroke="{ACCENT}" stroke-width="2.5"/>',
            _text(x(share), _BOTTOM + 20, f"{share:.0f}%", "middle", weight=700),
        ]
    parts += [_text(x(one), _BOTTOM + 20, f"{one:.0f}%", "middle") for one in sorted(named)]
    parts += _legend()
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" style="max-width:100%" '
        f'font-size="12" fill="currentColor" role="img" aria-label="{escape(_said(found, column))}"'
        f">{''.join(parts)}</svg>"
    )


def _said(found: Verdict, column: str) -> str:
    values = ", ".join(
        f"{one.row.spec.overlap_pct:.0f}%: {percent(one.row.values[column])} ({one.standing})"
        for one in found.held
    )
    return f"{label_of(column)}, by overlap. {values}."


def _legend() -> list[str]:
    parts, at = [], 6.0
    for standing in _STANDINGS:
        parts += [_mark(standing, at, _HEIGHT - 8), _text(at + 9, _HEIGHT - 4, standing)]
        at += 28 + 5.9 * len(standing)
    return parts


def _mark(standing: Standing, x: float, y: float) -> str:
    if standing == "falls behind":
        return (
            f'<path d="M{x - 3:.1f} {y - 3:.1f}l6 6m0-6l-6 6" stroke="currentColor" '
            'stroke-width="1.5" fill="none"/>'
        )
    fill = "currentColor" if standing == "keeps up" else "none"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{fill}" stroke="currentColor"/>'


def _text(x: float, y: float, words: str, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(words)}</text>"
    )


# --- what overlap buys under each lever -------------------------------------------------

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
        _text(0, 12, f"What overlap buys: {label_of(found.metric)}", weight=600),
        f'<path d="M{zero:.1f} 24V{height - 22}" stroke="currentColor" stroke-opacity="0.4"/>',
    ]
    for at, one in enumerate(effects):
        y = 38 + _ROW * at
        parts += [
            _text(0, y + 4, one.lever.label),
            f'<path d="M{x(one.buys.low):.1f} {y}H{x(one.buys.high):.1f}" stroke="{ACCENT}" '
            'stroke-width="2"/>',
            f'<circle cx="{x(one.buys.difference):.1f}" cy="{y}" r="4" fill="{ACCENT}"/>',
        ]
    said = [f"{100 * end:+.0f} points" if rate else f"{end:+.2f}" for end in (low, high)]
    parts += [
        _text(x(low), height - 4, said[0] if low < 0 else "0", "middle" if low < 0 else "start"),
        _text(x(high), height - 4, said[1] if high > 0 else "0", "end"),
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
