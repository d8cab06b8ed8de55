"""Results in words: the sentences that pages, the terminal and reports share."""

from collections.abc import Mapping, Sequence

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.cost import Cost
from overlapkit.decide import Fitting, Held, Verdict
from overlapkit.diagnose import Diagnosis
from overlapkit.phases import Noise, PhaseDifference, inside_noise
from overlapkit.retrieve import RANKINGS, Budget, RunSpec
from overlapkit.stats import MOST_QUESTIONS, Paired
from overlapkit.sweep import Row
from overlapkit.words import UNIT_NAMES, counted, cutoff, number, percent, points, quality, setting


def loss_range(held: Held) -> str:
    """Return the interval of a loss in words."""
    low, high = held.loss.low, held.loss.high
    if low < 0:
        return f"between {100 * -low:.1f} points better and {100 * high:.1f} worse"
    return f"between {100 * low:.1f} and {100 * high:.1f} points worse"


def verdict_sentence(verdict: Verdict, run: RunSpec, fits: Fitting) -> str:
    """Return the verdict with its numbers, metric, ranking, cut-off and n.

    Where most evidence is longer than a chunk, that comes first.
    """
    best = verdict.best.spec
    size = f"{number(best.size)} {UNIT_NAMES[best.unit]}"
    said = _verdict(verdict, run, fits.one_chunk)
    if fits.too_long > 0.5:
        return (
            f"Overlap cannot help most questions here: {percent(fits.too_long, 0)} of the "
            f"evidence is longer than a chunk of {size}, so try a larger size. {said}"
        )
    if fits.one_chunk > 0.5 and verdict.outcome != "no difference":
        said += (
            f" Mind that {percent(fits.one_chunk, 0)} of the documents fit one chunk, where "
            "overlap changes nothing."
        )
    return said


def _verdict(verdict: Verdict, run: RunSpec, fits_one_chunk: float) -> str:
    under = f"Under {RANKINGS[run.ranking].label}"
    best = verdict.best
    what = f"{quality(verdict.metric)} {cutoff(run.cutoff)}"
    size = f"{number(best.spec.size)} {UNIT_NAMES[best.spec.unit]}"
    if verdict.outcome == "no difference":
        why = (
            f"{percent(fits_one_chunk, 0)} of the documents fit one chunk"
            if fits_one_chunk > 0.5
            else "every overlap gives the same chunks"
        )
        return (
            f"{under}, overlap changes nothing at {size}, since {why}: no overlap is enough, "
            f"with {what} for {percent(best.values[verdict.metric])} of "
            f"{number(verdict.n)} questions."
        )
    if verdict.choice is None:
        return _undecided(verdict, under, what, size)
    chosen = verdict.choice
    sentence = (
        f"{under}, {setting(chosen.spec)} is enough: {what} for "
        f"{percent(chosen.values[verdict.metric])} of {number(verdict.n)} questions"
    )
    if chosen is not best:
        sentence += (
            f", within {100 * verdict.margin:.0f} points of the best overlap at this size "
            f"({best.spec.overlap_pct:.0f}%: {percent(best.values[verdict.metric])})"
        )
    else:
        sentence += ", the best overlap at this size"
    return sentence + "." + _may_do(verdict) + _falling(verdict)


def _undecided(verdict: Verdict, under: str, what: str, size: str) -> str:
    best, needed = verdict.best, _needed(verdict)
    would = f"; at least about {needed} would be needed" if needed else ""
    return (
        f"{under}, {number(verdict.n)} questions cannot tell which overlap {size} need{would}. "
        f"{best.spec.overlap_pct:.0f}% scores best ({what} for "
        f"{percent(best.values[verdict.metric])})." + _may_do(verdict) + _falling(verdict)
    )


def _needed(verdict: Verdict) -> str:
    """Return about how many questions would decide on the smallest overlap that may do."""
    smallest = verdict.cannot_tell[0].questions if verdict.cannot_tell else None
    if smallest is None:
        return ""
    return f"{number(smallest)}{'' if smallest < MOST_QUESTIONS else ' or more'}"


def _may_do(verdict: Verdict) -> str:
    if not verdict.cannot_tell:
        return ""
    smallest, needed = verdict.cannot_tell[0], _needed(verdict)
    would = f", and at least about {needed} questions would decide" if needed else ""
    if verdict.choice is None:
        would = ""  # said already
    return (
        f" {smallest.row.spec.overlap_pct:.0f}% may do as well: it lies {loss_range(smallest)} "
        f"than the best{would}."
    )


def _falling(verdict: Verdict) -> str:
    falling = [held for held in verdict.held if held.standing == "falls behind"]
    smaller = [h for h in falling if h.row.spec.overlap < verdict.best.spec.overlap]
    if not smaller:
        return ""
    largest = smaller[-1]
    return (
        f" {largest.row.spec.overlap_pct:.0f}% falls behind by "
        f"{100 * largest.loss.low:.1f} to {100 * largest.loss.high:.1f} points."
    )


def across_sentence(
    held: Held, best: Row, metric: str, run: RunSpec, budget: Budget, cost: Cost
) -> str:
    """Return which setting is cheapest across sizes at an equal context budget."""
    sentence = (
        f"Across sizes, under {RANKINGS[run.ranking].label} at an equal context of "
        f"{number(budget.size)} {UNIT_NAMES[budget.unit]}, the cheapest setting by "
        f"{cost.label.lower()} that keeps up with the best is {setting(held.row.spec)}: "
        f"{quality(metric)} for {percent(held.row.values[metric])} of {number(held.loss.n)} "
        "questions"
    )
    if held.row is best:
        return sentence + ", the best of all."
    return sentence + (
        f", {loss_range(held)} than the best ({setting(best.spec)}: "
        f"{percent(best.values[metric])})."
    )


def gain_sentence(
    rows: Sequence[Row], metric: str, run: RunSpec, gains: Mapping[ChunkSpec, Paired]
) -> str:
    """Return what overlap buys in one metric, over the rows of one size.

    ``gains`` are against the smallest overlap, with intervals that hold together.
    """
    first = min(rows, key=lambda row: row.spec.overlap)
    best = max(rows, key=lambda row: (row.values[metric], -row.spec.overlap))
    size = f"{number(first.spec.size)} {UNIT_NAMES[first.spec.unit]}"
    under = f"Under {RANKINGS[run.ranking].label} at {size}"
    of = f"of {number(first.values['queries'])} questions"
    what = f"{quality(metric)} {cutoff(run.cutoff)}"
    if best is first:
        return (
            f"{under}, no overlap scores higher than none: {what} for "
            f"{percent(first.values[metric])} {of}."
        )
    gain = gains[best.spec]
    return (
        f"{under}, {what} rises from {percent(first.values[metric])} {of} without overlap to "
        f"{percent(best.values[metric])} at {best.spec.overlap_pct:.0f}%, for "
        f"{best.values['index_x']:.2f} times the text to embed ({points(gain.difference)} points, "
        f"95% interval over all overlaps at once {points(gain.low)} to {points(gain.high)})."
    )


def remedy(one: Diagnosis, spec: ChunkSpec) -> str:
    """Return what is known of a miss, and of what would mend it."""
    if one.cause in ("chunk too small", "cut boundary"):
        return _repairing(one, spec)
    if one.cause == "no shared term":
        held = "; ".join(one.headings)
        return f"headings above it hold its words: {held}" if held else "no heading above helps"
    if one.cause == "unresolved":
        return one.reason or ""
    above = one.ranked_above
    best = "" if above is None else f"; first: {above.document} from {number(above.start)}"
    place = "not in the run's list" if one.rank is None else f"rank {number(one.rank)}"
    return f"{place}{best}"


def _repairing(one: Diagnosis, spec: ChunkSpec) -> str:
    """Return what would hold evidence that is whole in no chunk."""
    ours, unit = spec.chunker in CHUNKERS, UNIT_NAMES[spec.unit]
    if one.lacks == "edges":
        if ours:
            why = "its evidence begins or ends with white space outside every word"
        else:
            why = "a chunk holds it but for white space at its ends"
        return f"{why}: trim it in the question set"
    needed, working, always = one.needed_size, one.working_overlap, one.guaranteed_overlap
    found = []
    if needed is not None:
        found.append(f"needs chunks of at least {number(needed)} {unit}")
    if one.lacks == "text":
        found.append("some of its text stands in no chunk")
    if working is not None and always is not None:
        overlap = counted(working, unit.removesuffix("s"))
        found.append(
            f"an overlap of {overlap} happens to hold it on these cuts; from {number(always)} on "
            "it is always held"
            if working < always
            else f"from an overlap of {overlap} on it is always held"
        )
    none = "no window can hold it: it is white space alone"
    windows = spec.chunker == "window"
    return "; ".join(found) or (none if windows else "each of these chunks cuts it")


_NOISES: Mapping[Noise, str] = {
    "neither": "outside both noises (95% each)",
    "questions": "inside the noise of the questions: other questions could reverse it",
    "phases": "inside the noise of the cuts: the same windows, moved, could reverse it",
    "both": "inside both noises: other questions, or the same windows moved, could reverse it",
}


def noise_sentence(
    found: Paired, moving: PhaseDifference, ours: ChunkSpec, baseline: ChunkSpec
) -> str:
    """Return a difference over phases beside its two noises."""
    return (
        f"Over {moving.phases} phases {setting(ours)} differs from {setting(baseline)} by "
        f"{points(found.difference)} points. Other questions: {points(found.low)} to "
        f"{points(found.high)}; one more phase: {points(moving.low)} to {points(moving.high)}. "
        f"That is {_NOISES[inside_noise(found, moving)]}."
    )


def weak_words(count: float, questions: int) -> str:
    """Return how many questions hold a word that okapi has no positive weight of its own for."""
    return (
        f"{number(count)} of {number(questions)} questions hold a word that stands in half of the "
        "chunks or more, such as “the”. BM25 as in rank-bm25 has no positive weight of its own "
        "for it and, above half, uses a stand-in; Lucene's BM25 needs none."
    )


def guarantee_sentence(spec: ChunkSpec) -> str:
    """Return what overlap insures: the longest span that no cut can break."""
    unit = UNIT_NAMES[spec.unit]
    if not spec.overlap:
        return f"A new chunk begins every {number(spec.step)} {unit}; any cut can break a fact."
    return (
        f"A new chunk begins every {number(spec.step)} {unit}; any passage of up to "
        f"{number(spec.overlap + 1)} {unit} is whole in some chunk."
    )


def describe(spec: ChunkSpec, values: Mapping[str, float]) -> str:
    """Return a setting's cost in words."""
    step = f", step {number(spec.step)}" if spec.chunker == "window" else ""  # others have none
    return (
        f"{number(values['chunks'])} chunks, {number(values['index_chars'])} characters to embed "
        f"({values['index_x']:.2f} times 0% at this size{step})"
    )
