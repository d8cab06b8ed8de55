"""The price of a setting, with its arithmetic, against the current one, and for the real corpus."""

from overlapkit.cost.arithmetic import Line, arithmetic
from overlapkit.cost.bill import Bill, Figures, bill_for, bill_of, reindex
from overlapkit.cost.columns import COSTS, Cost, index_figures, keep_cost
from overlapkit.cost.difference import Change, change_of
from overlapkit.cost.formats import money, money_change, shown, size, size_change, unit_price
from overlapkit.cost.formulas import graph_bytes_per_vector
from overlapkit.cost.growth import (
    DocumentCounts,
    Estimate,
    GrownBill,
    Whole,
    grow,
    grown_bill,
    per_document_counts,
)
from overlapkit.cost.lists import ListPrice, list_prices, prices_csv, read_prices
from overlapkit.cost.prices import Prices
from overlapkit.cost.sentences import change_sentence, growth_sentence

__all__ = [
    "COSTS",
    "Bill",
    "Change",
    "Cost",
    "DocumentCounts",
    "Estimate",
    "Figures",
    "GrownBill",
    "Line",
    "ListPrice",
    "Prices",
    "Whole",
    "arithmetic",
    "bill_for",
    "bill_of",
    "change_of",
    "change_sentence",
    "graph_bytes_per_vector",
    "grow",
    "grown_bill",
    "growth_sentence",
    "index_figures",
    "keep_cost",
    "list_prices",
    "money",
    "money_change",
    "per_document_counts",
    "prices_csv",
    "read_prices",
    "reindex",
    "shown",
    "size",
    "size_change",
    "unit_price",
]
