"""The table of measures that a gate can hold a setting to."""

from typing import Literal, NamedTuple

from overlapkit.evaluate import METRICS

Better = Literal["higher", "lower"]
Shown = Literal["rate", "number", "money"]


class Measure(NamedTuple):
    """A measure: where its value stands, what it is, and which way is better.

    ``column`` names a value of a row or of a candidate's figures; one that ends in ``@``
    takes the cut-off's label. A rate is a fraction, money is in US dollars. ``per_query``
    says that every question has a value of its own.
    """

    column: str
    label: str
    meaning: str
    better: Better
    shown: Shown
    per_query: bool


def _metric(name: str) -> Measure:
    """Return a metric as a measure; of one that is neither better nor worse, less is wanted."""
    metric = METRICS[name]
    better: Better = "higher" if metric.better == "higher" else "lower"
    return Measure(f"{name}@", metric.label, metric.meaning, better, metric.shown, per_query=True)


MEASURES: dict[str, Measure] = {
    "containment": Measure(
        "query_containment", "Containment",
        "the share of questions whose complete evidence some chunk holds, retrieved or not",
        "higher", "rate", per_query=True,
    ),
    "complete": _metric("complete"),
    "lenient_hit": _metric("lenient_hit"),
    "strict_hit": _metric("strict_hit"),
    "lenient_mrr": _metric("lenient_mrr"),
    "strict_mrr": _metric("strict_mrr"),
    "recall": _metric("recall"),
    "distinct_docs": _metric("distinct_docs"),
    "duplicate_slots": _metric("duplicate_slots"),
    "overlapping_slots": _metric("overlapping_slots"),
    "repeated_chars": _metric("repeated_chars"),
    "index_x": Measure(
        "index_x", "Text to embed against 0%",
        "characters in all chunks, as a multiple of those without overlap at the same size",
        "lower", "number", per_query=False,
    ),
    "chunks": Measure(
        "chunks", "Number of chunks", "one vector each", "lower", "number", per_query=False
    ),
    "price": Measure(
        "price", "Price of embedding", "US$ to embed every chunk once",
        "lower", "money", per_query=False,
    ),
    "storage": Measure(
        "storage", "Vector storage", "MiB that the vectors take",
        "lower", "number", per_query=False,
    ),
    "update_work": Measure(
        "update_work", "Update work", "chunks to embed again per edit of a document",
        "lower", "number", per_query=False,
    ),
    "retrieved_chars": _metric("retrieved_chars"),
    "retrieved_tokens": Measure(
        "retrieved_tokens@", "Retrieved tokens", "tokens handed on, repeats counted",
        "lower", "number", per_query=True,
    ),
}  # fmt: skip


def column_of(measure: str, cutoff_label: str) -> str:
    """Return the column of a measure; a result from outside stands under its own name."""
    if measure not in MEASURES:
        return measure
    column = MEASURES[measure].column
    return column + cutoff_label if column.endswith("@") else column
