"""The planted contract: facts laid across a boundary on purpose.

Twelve targets and twelve distractors of 240 words. In windows of 80 words without overlap
the boundary at word 80 parts the cause (word 77) from the answer (word 80), so that every
answer is found while no chunk holds the complete evidence.
"""

from overlapkit.corpus import Corpus, Document
from overlapkit.queries.model import Evidence, Query, QuerySet

TARGETS = 12
WORDS = 240
WINDOW = 80  # words of the published contract's windows
TOP = 4  # chunks retrieved by the published contract


def planted_contract() -> tuple[Corpus, QuerySet]:
    """Return the contract's corpus and its 12 queries (``need`` any, one span each).

    The evidence of query i is the stretch from ``cause_i`` through ``answer_i``, four words.
    """
    documents, queries = [], []
    for number in range(TARGETS):
        for role in ("target", "distractor"):
            text, evidence = _text(number, role)
            name = f"{role}-{number:02d}.txt"
            documents.append(Document(name, text))
            if role == "target":
                question = f"topic_{number} cause_{number} answer_{number}"
                span = Evidence(name, *evidence)
                answer = f"answer_{number}"
                queries.append(Query(f"planted-{number:02d}", question, (span,), "any", answer))
    return Corpus(tuple(documents)), QuerySet(tuple(queries), "minimal", "planted contract")


def _text(number: int, role: str) -> tuple[str, tuple[int, int]]:
    words = [f"{role}{number}filler{position}" for position in range(WORDS)]
    last = "answer" if role == "target" else "decoy"
    for position, word in ((76, "topic"), (77, "cause"), (79, "bridge"), (80, last), (81, "topic")):
        words[position] = f"{word}_{number}"
    start = len(" ".join(words[:77])) + 1
    end = len(" ".join(words[:81]))
    return " ".join(words), (start, end)
