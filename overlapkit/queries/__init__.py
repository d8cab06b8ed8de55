"""Query sets: from headings, a golden file, probes, planted. A new source is a new module."""

from overlapkit.queries.golden import (
    Ambiguous,
    GoldenPreview,
    GoldenSet,
    Quoting,
    load_golden,
    preview_golden,
    quoting,
    read_golden,
)
from overlapkit.queries.headings import heading_queries
from overlapkit.queries.model import Evidence, Query, QuerySet, Unresolved
from overlapkit.queries.planted import planted_contract
from overlapkit.queries.probes import PROBE_KINDS, PROBES_SHOW, boundary_probes

__all__ = [
    "PROBES_SHOW",
    "PROBE_KINDS",
    "Ambiguous",
    "Evidence",
    "GoldenPreview",
    "GoldenSet",
    "Query",
    "QuerySet",
    "Quoting",
    "Unresolved",
    "boundary_probes",
    "heading_queries",
    "load_golden",
    "planted_contract",
    "preview_golden",
    "quoting",
    "read_golden",
]
