"""List prices of embedding models: those that come along, and a user's own table."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields, replace
from importlib.resources import files

from overlapkit.cost.prices import Prices, is_iso_date
from overlapkit.errors import InputError
from overlapkit.readers.decode import decode

_DELIMITERS = ",;\t"  # a spreadsheet writes one of these, by its country


@dataclass(frozen=True, slots=True)
class ListPrice:
    """A model's public price, without discounts or free allowances.

    ``dimension`` is the model's default. ``as_of`` (YYYY-MM-DD) is the day of the source:
    when it announced the price, or was read.
    """

    model: str
    provider: str
    dimension: int
    us_dollars_per_million_tokens: float
    as_of: str
    source: str

    def prices(self, base: Prices | None = None) -> Prices:
        """Return prices with this model for embedding, all else as in ``base``."""
        return replace(
            base or Prices(),
            model=self.model,
            dimension=self.dimension,
            per_million_tokens=self.us_dollars_per_million_tokens,
            as_of=self.as_of,
        )


COLUMNS = tuple(field.name for field in fields(ListPrice))


def list_prices() -> tuple[ListPrice, ...]:
    """Return the list prices that come along, each with its source."""
    return read_prices(files("overlapkit.cost").joinpath("list_prices.csv").read_bytes())


def read_prices(data: bytes) -> tuple[ListPrice, ...]:
    """Return the rows of a price table, in their order.

    A CSV whose first line names the columns of ``ListPrice``, in any order, others being
    passed over; the separator may be a comma, a semicolon or a tab. Raises InputError that
    names the line.
    """
    found: dict[tuple[str, str], ListPrice] = {}
    try:
        for line, cells in _rows(decode(data).text):
            row = _list_price(line, cells)
            if found.setdefault((row.provider, row.model), row) is not row:
                raise InputError(f"line {line} repeats the price of {row.model!r}: keep one")
    except csv.Error as error:
        raise InputError(f"the price table is not usable CSV ({error}): save it anew") from None
    if not found:
        raise InputError("a price table needs at least one price; it has none: add a line")
    return tuple(found.values())


def prices_csv(rows: Iterable[ListPrice]) -> bytes:
    """Return a price table that ``read_prices`` reads back."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(row) for row in rows)
    return out.getvalue().encode("utf-8")


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield (line, cells by column) of the rows that are not blank."""
    first = text.lstrip().split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    for record in reader:
        cells = [cell.strip() for cell in record]
        if not any(cells):
            continue
        if header is not None:
            yield reader.line_num, dict(zip(header, cells, strict=False))
            continue
        header = [cell.lower() for cell in cells]
        missing = [column for column in COLUMNS if column not in header]
        if missing:
            raise InputError(
                f"a price table needs the columns {', '.join(COLUMNS)} in its first line; "
                f"missing: {', '.join(missing)}"
            )


def _list_price(line: int, cells: Mapping[str, str]) -> ListPrice:
    model, provider, dimension, price, as_of, source = (cells.get(name, "") for name in COLUMNS)
    if not model:
        raise InputError(f"line {line}: model must have a name; got none")
    if not (dimension.isascii() and dimension.isdigit() and 1 <= len(dimension.lstrip("0")) < 10):
        raise InputError(
            f"line {line}: dimension must be a whole number of at least 1; got {dimension[:40]!r}"
        )
    if not is_iso_date(as_of):
        raise InputError(f"line {line}: as_of must be a day such as 2024-01-25; got {as_of[:40]!r}")
    return ListPrice(model, provider, int(dimension), _price(line, price), as_of, source)


def _price(line: int, text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = math.nan
    if not 0 <= price < math.inf:
        raise InputError(
            f"line {line}: us_dollars_per_million_tokens must be a number of at least 0, such as "
            f"0.02; got {text[:40]!r}"
        )
    return price
