"""What a setting's causes ask for, in a sentence or two."""

from collections.abc import Callable, Iterable, Sequence

from overlapkit.chunkers import ChunkSpec
from overlapkit.diagnose.causes import Cause, Diagnosis, tally

WORTH_NAMING = 0.25  # the second cause is named from this share of the misses on


def advice(diagnoses: Iterable[Diagnosis], spec: ChunkSpec) -> str:
    """Return what most misses under a spec are, with their numbers, and what that asks for.

    The most frequent cause speaks, and the next one where it has a quarter of the misses.
    """
    every = list(diagnoses)
    counts = tally(every)
    hits = counts.pop("hit")
    unresolved = counts.pop("unresolved")
    misses = len(every) - hits - unresolved
    if not hits + misses:
        return "There is no question to diagnose."
    if not misses:
        return f"Every question finds its complete evidence ({_number(hits)} of {_number(hits)})."
    by_count = sorted(counts, key=lambda cause: -counts[cause])  # of equals, as in the table
    named = [by_count[0]]
    if counts[by_count[1]] >= WORTH_NAMING * misses:
        named.append(by_count[1])
    return " ".join(_sentence(cause, every, misses, spec) for cause in named)


def _sentence(cause: Cause, every: Sequence[Diagnosis], misses: int, spec: ChunkSpec) -> str:
    own = [one for one in every if one.cause == cause]
    are = f"{_number(len(own))} of {_number(misses)} {'misses are' if misses > 1 else 'miss is'}"
    return f"{are} {_SENTENCES[cause](own, spec)}"


def _too_small(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    unit = "characters" if spec.unit == "char" else f"{spec.unit}s"
    sentence = "evidence longer than a chunk: overlap cannot help"
    size, held = _enough([one.needed_size for one in own])
    if not held:
        return f"{sentence}."
    return f"{sentence}; use at least {_number(size)} {unit}, which can hold {_share(held, own)}."


def _cut(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    sentence = "cut at a chunk boundary"
    overlap, held = _enough([one.guaranteed_overlap for one in own])
    if not held:
        return f"{sentence}, and no overlap is sure to mend them."
    return f"{sentence}: an overlap of {_number(overlap)} would hold {_share(held, own)} for sure."


def _no_term(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    sentence = "evidence whose chunks share no term with the question: no overlap makes words match"
    headed = sum(bool(one.headings) for one in own)
    if not headed:
        return f"{sentence}."
    return f"{sentence}; headings put into the chunks would give {_share(headed, own)} one."


def _crowded(_: Sequence[Diagnosis], __: ChunkSpec) -> str:
    return (
        "crowded out by results that share text: collapse those into one slot, or use less overlap."
    )


def _outranked(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    ranks = sorted(one.rank for one in own if one.rank is not None)
    middle = ranks[(len(ranks) - 1) // 2]
    return (
        "outranked: a chunk holds the evidence whole already, so more overlap cannot help; look "
        f"at the ranking (half of them stand at rank {_number(middle)} or better)."
    )


_SENTENCES: dict[Cause, Callable[[Sequence[Diagnosis], ChunkSpec], str]] = {
    "chunk too small": _too_small,
    "cut boundary": _cut,
    "no shared term": _no_term,
    "crowded out": _crowded,
    "outranked": _outranked,
}


def _enough(needed: Sequence[int | None]) -> tuple[int, int]:
    """Return the least that is enough for nine in ten of those known, and for how many it is."""
    known = sorted(value for value in needed if value is not None)
    if not known:
        return 0, 0
    enough = known[(9 * len(known) + 9) // 10 - 1]
    return enough, sum(value <= enough for value in known)


def _share(count: int, own: Sequence[Diagnosis]) -> str:
    if count < len(own):
        return f"{_number(count)} of them"
    return "all of them" if count > 1 else "it"


def _number(value: int) -> str:
    return f"{value:,}"
