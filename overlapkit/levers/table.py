"""The table of levers. A new one is a function from deep lists to what is handed on, and a line."""

from collections.abc import Mapping

from overlapkit.levers.merge import merge
from overlapkit.levers.model import Lever
from overlapkit.levers.novelty import mmr
from overlapkit.levers.rerank import rerank
from overlapkit.levers.slots import (
    as_retrieved,
    collapse,
    fill_their_documents,
    one_per_document,
    share_no_text,
)

NONE = "none"  # what every other lever is held against

LEVERS: Mapping[str, Lever] = {
    NONE: Lever(as_retrieved, "As retrieved", "the list as it is", "as retrieved"),
    "collapse": Lever(
        collapse, "Near-duplicates collapsed",
        "of results that share text the better-ranked stays, and the next ones move up",
        "once near-duplicates take one slot",
        idle=share_no_text,
    ),
    "merge": Lever(
        merge, "Neighbours merged",
        "retrieved neighbours that overlap or touch become one passage, which takes one slot "
        "and counts each character once",
        "once neighbours are merged into passages",
        idle=fill_their_documents,
    ),
    "one_per_document": Lever(
        one_per_document, "One per document",
        "the best chunk of each document alone, so that the next documents move up",
        "once each document takes one slot",
        idle=fill_their_documents,
    ),
    "mmr": mmr(),
    "rerank": rerank(),
}  # fmt: skip
