"""``contract``: the planted contract, whose figures are known."""

import argparse

from overlapkit.chunkers import ChunkSpec
from overlapkit.cli.command import Notes
from overlapkit.cli.output import write_rows
from overlapkit.queries import planted_contract
from overlapkit.queries.planted import TOP, WINDOW
from overlapkit.retrieve import RunSpec, TopK
from overlapkit.sweep import Row, sweep

CONTRACT_OVERLAPS = (0, 25, 50, 75)  # percent, as published


def contract_command(args: argparse.Namespace, notes: Notes) -> int:
    """Run the planted contract and write its figures."""
    del notes  # nothing was read
    specs = [ChunkSpec.percent(WINDOW, pct, unit="word") for pct in CONTRACT_OVERLAPS]
    swept = sweep(*planted_contract(), specs, RunSpec("count", "word", TopK(TOP)))
    write_rows([_contract_row(row) for row in swept.rows], args)
    return 0


def _contract_row(row: Row) -> dict[str, object]:
    words = row.values[f"retrieved_words@{TOP}"]
    return {
        "overlap_pct": row.spec.asked_pct,
        "chunks": row.values["chunks"],
        "answer_hits": int(row.per_query[f"answer@{TOP}"].sum()),
        "complete_evidence": int(row.per_query[f"complete@{TOP}"].sum()),
        "unique_documents": row.values[f"distinct_docs@{TOP}"],
        "duplicate_slots": row.values[f"duplicate_slots@{TOP}"],
        "retrieved_words": int(words) if words.is_integer() else words,
    }
