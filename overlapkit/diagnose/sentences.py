"""What a setting's causes ask for, in a sentence or two."""

from collections.abc import Callable, Iterable, Sequence

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.diagnose.causes import Cause, Diagnosis, tally

WORTH_NAMING = 0.25  # the second cause is named from this share of the misses on
LARGE_OVERLAP = 4  # an overlap above one in so many of the size means that the size is too small
_WITHOUT_TERM = "evidence whose chunks share no term with the question"


def advice(diagnoses: Iterable[Diagnosis], spec: ChunkSpec) -> str:
    """Return what most misses under a spec are, with their numbers, and what that asks for.

    The most frequent cause speaks, and the next one where it has a quarter of the misses. Of
    chunks that are given, those of a spec whose chunker is none of ours, no overlap is named,
    since other splitters need not keep what an overlap of windows promises.
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
    table = _SENTENCES if spec.chunker in CHUNKERS else _SENTENCES_OF_GIVEN
    return f"{are} {table[cause](own, spec)}.{_lacking(own, spec)}"


# --- a setting --------------------------------------------------------------------------


def _too_small(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    sentence = "evidence longer than a chunk: overlap cannot help"
    size, held = _enough([one.needed_size for one in own])
    if not held:
        return sentence
    return f"{sentence}; use at least {_units(size, spec)}, which can hold {_share(held, own)}"


def _cut(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    sentence = "cut at a chunk boundary"
    overlap, held = _enough([one.guaranteed_overlap for one in own])
    if not held:
        return f"{sentence}, and no overlap is sure to mend {_them(own)}"
    sentence += f": an overlap of {_number(overlap)} would hold {_share(held, own)} for sure"
    size = LARGE_OVERLAP * overlap
    if size <= spec.size:
        return sentence
    return (
        f"{sentence}, but that is {100 * overlap / spec.size:.0f}% of the size: rather use chunks "
        f"of {_units(size, spec)}, with the same overlap"
    )


def _no_term(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    return f"{_WITHOUT_TERM}: no overlap makes words match{_headings(own)}"


def _crowded(_: Sequence[Diagnosis], __: ChunkSpec) -> str:
    return (
        "crowded out by results that share text: collapse those into one slot, or use less overlap"
    )


def _outranked(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    return (
        "outranked: a chunk holds the evidence whole already, so more overlap cannot help; look "
        f"at the ranking ({_ranks(own)})"
    )


# --- chunks that are given --------------------------------------------------------------


def _too_small_of_given(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    sentence = f"evidence longer than the longest chunk ({_units(spec.size, spec)})"
    size, held = _enough([one.needed_size for one in own])
    if not held:
        return sentence
    return f"{sentence}: chunks of at least {_units(size, spec)} can hold {_share(held, own)}"


def _cut_of_given(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    cut = [one.span for one in own if one.lacks is None]
    if not cut:
        return "evidence that no chunk holds whole"
    sentence = "cut at a chunk boundary: cut elsewhere, or let neighbours share text"
    size, held = _enough([None if span is None else span.end - span.start for span in cut])
    if not held:
        return sentence
    return (
        f"{sentence}; {_units(size, spec)} in one piece are enough for {_share(held, own)}, and "
        f"the longest chunk has {_number(spec.size)}"
    )


def _no_term_of_given(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    return f"{_WITHOUT_TERM}: look at how words are matched{_headings(own)}"


def _crowded_of_given(_: Sequence[Diagnosis], __: ChunkSpec) -> str:
    return (
        "crowded out by results that share text: collapse those into one slot, or let chunks "
        "share less"
    )


def _outranked_of_given(own: Sequence[Diagnosis], _: ChunkSpec) -> str:
    return (
        f"outranked: a chunk holds the evidence whole already; look at the ranking ({_ranks(own)})"
    )


# --- parts of sentences -----------------------------------------------------------------

_Say = Callable[[Sequence[Diagnosis], ChunkSpec], str]

_SENTENCES: dict[Cause, _Say] = {
    "chunk too small": _too_small,
    "cut boundary": _cut,
    "no shared term": _no_term,
    "crowded out": _crowded,
    "outranked": _outranked,
}
_SENTENCES_OF_GIVEN: dict[Cause, _Say] = {
    "chunk too small": _too_small_of_given,
    "cut boundary": _cut_of_given,
    "no shared term": _no_term_of_given,
    "crowded out": _crowded_of_given,
    "outranked": _outranked_of_given,
}


def _lacking(own: Sequence[Diagnosis], spec: ChunkSpec) -> str:
    """Return what else stands in the way of some, as sentences of their own."""
    edges, text = (sum(one.lacks == what for one in own) for what in ("edges", "text"))
    said = ""
    if text:
        have = "has" if text == 1 else "have"
        said += f" {_share(text, own).capitalize()} {have} text that stands in no chunk."
    if edges:
        begin, them = ("begins or ends", "it") if edges == 1 else ("begin or end", "them")
        ours = spec.chunker in CHUNKERS
        where = "every word" if ours else "the chunk that holds the rest"
        said += (
            f" {_share(edges, own).capitalize()} {begin} with white space outside {where}: "
            f"trim {them} in the question set."
        )
    return said


def _headings(own: Sequence[Diagnosis]) -> str:
    headed = sum(bool(one.headings) for one in own)
    return f"; headings put into the chunks would give {_share(headed, own)} one" if headed else ""


def _ranks(own: Sequence[Diagnosis]) -> str:
    """Return where the chunks stand, as far as another retriever's lists tell."""
    ranks = sorted(one.rank for one in own if one.rank is not None)
    lacking = len(own) - len(ranks)
    said, others = "", "them"
    if not ranks:
        return "it is not in the run's list" if lacking == 1 else "none is in the run's lists"
    if lacking:
        are, lists = ("is", "list") if lacking == 1 else ("are", "lists")
        said, others = f"{_number(lacking)} of them {are} not in the run's {lists}; ", "the others"
    rank = f"rank {_number(ranks[(len(ranks) - 1) // 2])}"
    if len(ranks) == 1:
        return f"{said}{'the other' if lacking else 'it'} stands at {rank}"
    return f"{said}half of {others} stand at {rank} or better"


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


def _them(own: Sequence[Diagnosis]) -> str:
    return "them" if len(own) > 1 else "it"


def _units(value: int, spec: ChunkSpec) -> str:
    unit = "character" if spec.unit == "char" else spec.unit
    return f"{_number(value)} {unit}{'' if value == 1 else 's'}"


def _number(value: int) -> str:
    return f"{value:,}"
