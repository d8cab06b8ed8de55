"""The verdict as a picture: its metric over overlap."""

from html import escape

from overlapkit.charts import ACCENT, label_of
from overlapkit.decide import Verdict
from overlapkit.sketch.words import words
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
        words(0, 12, f"{label_of(column)}, by overlap", weight=600),
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>',
        *(_mark(one.standing, *place) for one, place in zip(found.held, places, strict=True)),
        *(words(_LEFT - 10, y(rate) + 4, percent(rate), "end") for rate in {low, high}),
    ]
    named = {shares[0], shares[-1]}
    if found.choice is not None:
        share = found.choice.spec.overlap_pct
        named = {one for one in named if abs(x(one) - x(share)) > 34}
        place = f'cx="{x(share):.1f}" cy="{y(found.choice.values[column]):.1f}"'
        parts += [
            f'<circle {place} r="8" fill="none" stroke="{ACCENT}" stroke-width="2.5"/>',
            words(x(share), _BOTTOM + 20, f"{share:.0f}%", "middle", weight=700),
        ]
    parts += [words(x(one), _BOTTOM + 20, f"{one:.0f}%", "middle") for one in sorted(named)]
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
        parts += [_mark(standing, at, _HEIGHT - 8), words(at + 9, _HEIGHT - 4, standing)]
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
