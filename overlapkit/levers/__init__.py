"""What a step after retrieval changes, one lever at a time, with overlap and without it."""

from overlapkit.levers.ablation import Ablation, Effect, Pulled, ablate
from overlapkit.levers.lists import POOL, DeepLists, Handed
from overlapkit.levers.model import Candidate, Lever, LeverRun, Setting, run_lever
from overlapkit.levers.novelty import mmr
from overlapkit.levers.rerank import Reranker, rerank, rerank_with
from overlapkit.levers.sentences import ablation_sentence, lever_sentence
from overlapkit.levers.table import LEVERS, NONE

__all__ = [
    "LEVERS",
    "NONE",
    "POOL",
    "Ablation",
    "Candidate",
    "DeepLists",
    "Effect",
    "Handed",
    "Lever",
    "LeverRun",
    "Pulled",
    "Reranker",
    "Setting",
    "ablate",
    "ablation_sentence",
    "lever_sentence",
    "mmr",
    "rerank",
    "rerank_with",
    "run_lever",
]
