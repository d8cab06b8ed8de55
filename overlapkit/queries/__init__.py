"""Query sets: from headings, from a golden file, planted. A new source is a new module."""

from overlapkit.queries.golden import load_golden, read_golden
from overlapkit.queries.headings import heading_queries
from overlapkit.queries.model import Evidence, Query, QuerySet, Unresolved
from overlapkit.queries.planted import planted_contract

__all__ = [
    "Evidence",
    "Query",
    "QuerySet",
    "Unresolved",
    "heading_queries",
    "load_golden",
    "planted_contract",
    "read_golden",
]
