"""When to go back to the old index, and by which steps to come to the new one."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import Bill, money, size
from overlapkit.decide import MARGIN
from overlapkit.gates import MEASURES, Gate, gate_words, measure_name
from overlapkit.record.confirmation import rests_on_questions
from overlapkit.record.model import Figure
from overlapkit.retrieve import Budget, TopK
from overlapkit.stats import MOST_QUESTIONS, Bounds
from overlapkit.words import counted, number, percent, quality, setting

# A graph's layers are drawn at random and databases round up what they allot; a tenth more
# than predicted is neither.
STORAGE_ROOM = 1.1
# A provider counts tokens by its own vocabulary, and calls that failed are paid for again; a
# fifth more than the bill is neither.
PRICE_ROOM = 1.2
# Percent of the traffic: at first few people meet a bad index, and each step tells about five
# times as much as the one before.
SHARES = (5, 25, 100)

_BLANK = "______"
_LATENCY = ("latency", "p50", "p95", "p99", "ms", "milliseconds", "response")
_INGESTION = ("ingestion", "ingest", "indexing", "minutes", "hours")


@dataclass(frozen=True, slots=True)
class Built:
    """A chosen setting with what its conditions are filled in from.

    ``loss`` is an interval of the difference to what it is held against in ``metric``, or of
    the metric itself where it is held against nothing else; ``questions`` made it.
    """

    spec: ChunkSpec
    bill: Bill
    figures: Mapping[str, Figure]
    outside: Mapping[str, float]
    gates: Sequence[Gate]
    cutoff: TopK | Budget
    metric: str
    loss: Bounds
    questions: int


# --- going back -------------------------------------------------------------------------


def rollback_conditions(built: Built) -> tuple[str, ...]:
    """Return each condition on which the change should be taken back, as a sentence."""
    return (*_of_the_index(built), *_of_duplicates(built), *_of_time(built.outside),
            *map(_of_gate, built.gates))  # fmt: skip


def _of_the_index(built: Built) -> Iterator[str]:
    bill, vectors = built.bill, number(built.bill.vectors)
    if math.isnan(bill.vectors):  # a run that came without its chunks
        return
    yield (
        f"The index holds another number of vectors than {vectors} while its documents are those "
        "of this record."
    )
    yield (
        f"The index takes more than {size(STORAGE_ROOM * bill.storage_bytes)}: {STORAGE_ROOM} "
        f"times the {size(bill.storage_bytes)} that its vectors, their metadata and their graph "
        "should take."
    )
    if bill.embed_usd > 0:
        yield (
            f"Embedding all of it once costs more than {money(PRICE_ROOM * bill.embed_usd)}: "
            f"{PRICE_ROOM} times the {money(bill.embed_usd)} of this bill."
        )


def _of_duplicates(built: Built) -> Iterator[str]:
    figure = built.figures.get("overlapping_slots")
    if figure is None or figure.high is None:
        return
    of = f" of {built.cutoff.k} results" if isinstance(built.cutoff, TopK) else " results"
    yield (
        f"On live questions, more than {number(round(figure.high, 2))}{of} on average share text "
        "with a better-ranked one: beyond the interval measured here, around "
        f"{number(round(figure.value, 2))}."
    )


def _of_time(outside: Mapping[str, float]) -> Iterator[str]:
    fill_in = f"{_BLANK}: for the team to fill in"
    yield f"Ingestion takes longer than {fill_in}, {_there(outside, _INGESTION)}."
    yield (
        f"The 95th percentile of a query's time is above {fill_in}, {_there(outside, _LATENCY)}."
    )


def _there(outside: Mapping[str, float], words: Sequence[str]) -> str:
    """Return what was measured outside under a name that holds one of some words."""
    found = [
        f"{name} {number(value)}"
        for name, value in outside.items()
        if any(part in words for part in name.split("_"))
    ]
    if not found:
        return "since it was not measured here"
    return f"beside what was measured outside ({', '.join(found)})"


def _of_gate(gate: Gate) -> str:
    where = "when it is measured again"
    if rests_on_questions(gate):
        where = "on live questions, once enough of them are judged"
    elif gate.measure in MEASURES:
        where = "for the index as it was built"
    against = ", the baseline being the old index" if gate.relative else ""
    words = gate_words(gate)
    return f"This gate does not hold {where}{against}: {words[0].lower()}{words[1:]}."


# --- coming to it -----------------------------------------------------------------------


def canary_plan(built: Built, *, replaces: bool) -> tuple[str, ...]:
    """Return the steps by which traffic comes to the new index, each in a sentence or two.

    ``replaces`` says that there is an index in use that is known here.
    """
    bill = built.bill
    price = "" if math.isnan(bill.embed_usd) else f", {money(bill.embed_usd)} to embed"
    beside = "beside the one in use" if replaces else "beside the one in use, if there is one"
    compared = [measure_name(gate.measure) for gate in built.gates if rests_on_questions(gate)]
    first, *later = (f"{share}%" for share in SHARES)
    return (
        f"Build an index with {setting(built.spec)} {beside} "
        f"({counted(int(bill.vectors), 'vector')}{price}). From then on write every edit of a "
        "document to both.",
        f"Before any traffic, ask it the {counted(built.questions, 'question')} of this record: "
        "the figures must come out as they stand here, by gate or by the team's own judge.",
        f"Send it {first} of the traffic, then {', then '.join(later)}. At each share compare the "
        f"two on the same live questions: {', '.join(dict.fromkeys(compared or ['its answers']))}.",
        _enough(built),
        "Going back is to send all traffic to the old index again. Keep that one, with every edit, "
        f"until the new one has served {later[-1]} for as long as the team has agreed on and no "
        "condition for going back has come up.",
    )


def _enough(built: Built) -> str:
    margin = next(
        (
            gate.limit
            for gate in built.gates
            if gate.relative and gate.limit and gate.measure == built.metric.partition("@")[0]
        ),
        MARGIN,
    )
    many = questions_to_see(built.loss, built.questions, margin)
    said = f"{number(many)}{' or more' if many >= MOST_QUESTIONS else ''}"
    points = percent(margin).removesuffix("%").removesuffix(".0")
    loss = f"a loss of {points} point{'' if points == '1' else 's'} in {quality(built.metric)}"
    return (
        f"To see {loss}, about {said} live questions must be judged on both; fewer can pass it "
        "over."
    )


def questions_to_see(interval: Bounds, questions: int, margin: float) -> int:
    """Return about how many questions narrow an interval until its half is the margin.

    It narrows with √n; rounded up to two digits, at least those there are and at most
    ``MOST_QUESTIONS``, which also stands where there is nothing to go by.
    """
    half = (interval.high - interval.low) / 2
    needed = questions * (half / margin) ** 2 if questions and margin else math.inf
    if not needed < MOST_QUESTIONS:
        return MOST_QUESTIONS
    whole = max(questions, math.ceil(needed))
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return min(MOST_QUESTIONS, -(-whole // unit) * unit)
