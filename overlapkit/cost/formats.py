"""Prices and sizes in words; no price that is there is ever shown as nothing."""

import math
from decimal import Decimal

from overlapkit.words import number

_MINUS = "\N{MINUS SIGN}"
_SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def money(usd: float) -> str:
    """Return a price in US$: in cents, and below a dollar with two digits that say something.

    1234.5 is $1,234, 1.2 is $1.20 and 0.00251 is $0.0025.
    """
    if math.isnan(usd):
        return "an unknown price"
    size = abs(usd)
    if size == 0:
        return "$0"
    decimals = 0 if size >= 999.5 else 2
    if size < 1:
        decimals = max(2, 1 - math.floor(math.log10(size)))
    whole, _, rest = f"{size:,.{decimals}f}".partition(".")
    # The third decimal and those after it are only there to say something.
    cents = rest[:2] + rest[2:].rstrip("0")
    return f"{_MINUS if usd < 0 else ''}${whole}{'.' if cents else ''}{cents}"


def money_change(usd: float) -> str:
    """Return a difference of prices, with its sign: +$0.12, −$0.12, $0."""
    return f"+{money(usd)}" if usd > 0 else money(usd)


def unit_price(usd: float) -> str:
    """Return a price per something as it was given, digit for digit."""
    exact = format(Decimal(str(usd)), "f")
    return f"${exact.rstrip('0').rstrip('.') if '.' in exact else exact}"


def size(stored: float) -> str:
    """Return bytes in the largest binary unit that leaves 1 or more: 6291456 is 6 MiB."""
    if math.isnan(stored):
        return "an unknown size"
    amount, power = abs(stored), 0
    while amount >= 1024 and power < len(_SIZES) - 1:
        amount, power = amount / 1024, power + 1
    shown = f"{amount:,.0f}" if amount >= 100 or power == 0 else f"{amount:.1f}".removesuffix(".0")
    unit = "byte" if power == 0 and shown == "1" else _SIZES[power]
    return f"{_MINUS if stored < 0 else ''}{shown} {unit}"


def size_change(stored: float) -> str:
    """Return a difference of bytes, with its sign."""
    return f"+{size(stored)}" if stored > 0 else size(stored)


def about(count: float) -> str:
    """Return an estimated count with three digits that say something: 12345 is 12,300."""
    if math.isnan(count):
        return "an unknown number of"
    if count < 1000:
        return number(round(count))
    return number(round(count, 2 - math.floor(math.log10(count))))


def shown(amount: float, unit: str) -> str:
    """Return the amount of a line of arithmetic in its unit."""
    if unit == "US$":
        return money(amount)
    if unit == "bytes":
        return size(amount)
    return "unknown" if math.isnan(amount) else f"{number(amount)} {unit}"
