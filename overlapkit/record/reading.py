"""The bytes of a record to what it binds, every field of it validated."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Final, TypeVar

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import COSTS, Prices
from overlapkit.errors import InputError, OverlapkitError
from overlapkit.evaluate import METRICS
from overlapkit.gates import MEASURES, PARTS, Change, Gate, Lock, Ruling, lock_from
from overlapkit.gates.lock import Part
from overlapkit.phases import FEWEST_PHASES, MOST_PHASES
from overlapkit.queries.model import Kind
from overlapkit.readers import DEFAULT_LIMITS
from overlapkit.record.model import Asked, Bound, Edits, Figure, Measured
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.terms import TERM_FUNCTIONS, TermChoice
from overlapkit.workspace import SavedWorkspace, read_workspace
from overlapkit.workspace.fields import LARGEST, Field, parse

DECISION: Final = "decision"  # the field of a workspace file that makes it a record
# Raise it when a field changes its meaning. A new field needs no new version.
VERSION: Final = 1

_LONGEST = 1000  # characters of a name
_MOST_EDITS = 1000  # each is made in its document; more would keep a check waiting for hours
_T = TypeVar("_T")


def read_record(data: bytes) -> Bound:
    """Return what a record binds; its sentences are not read.

    Raises InputError where the file is none, is of a newer version, or breaks a rule.
    """
    saved = read_workspace(data)
    text = dict(saved.other).get(DECISION)
    if text is None:
        raise InputError(
            "a record must hold a decision; this is a workspace file without one: make it with "
            "the command decide, or on the page Decide"
        )
    top = Field(parse(text.encode(), DEFAULT_LIMITS.max_file_bytes), DECISION)
    version = top.get("version").whole(1)
    if version > VERSION:
        raise InputError(
            f"a decision's version must be at most {VERSION} here; got {version}: update overlapkit"
        )
    bound = _bound(top, saved)
    if (saved.corpus_digest, saved.query_digest) != (
        bound.lock.corpus_digest, bound.lock.query_digest,
    ):  # fmt: skip
        raise InputError(
            "a record must be of the corpus and questions that its gates were locked for; they "
            "differ: take the record as it was written"
        )
    return bound


def _bound(top: Field, saved: SavedWorkspace) -> Bound:
    lock = _lock(top.get("lock"))
    edits, setting, current = top.get("edits"), top.get("setting"), top.get("current")
    bare = setting.value is None
    return Bound(
        at=ruled(top.get("at"), lambda at: Change(at.text(_LONGEST), "", "").at),
        saved=saved,
        lock=lock,
        run=ruled(top.get("run"), _run),
        terms=_terms(top.get("terms")),
        phases=_phases(top.get("phases")),
        asked=_asked(top.get("asked")),
        metric=_metric(top.get("metric")),
        prices=ruled(top.get("prices"), _prices),
        setting=None if bare else _measured(setting),
        baseline=_measured(top.get("baseline")),
        current=None if current.value is None else _measured(current),
        rulings=_rulings(top.get("rulings"), () if bare else lock.gates),
        edits=None if edits.value is None else _edits(edits),
    )


def _lock(field: Field) -> Lock:
    lock = lock_from(field.table())
    if lock.cost not in COSTS:
        raise field.get("cost").wrong(f"one of {', '.join(COSTS)}")
    return lock


def _terms(field: Field) -> TermChoice:
    name = field.get("name").choice(tuple(TERM_FUNCTIONS))
    return TermChoice(name, field.get("reason").text(_LONGEST))


def _metric(field: Field) -> str:
    column = field.text(_LONGEST)
    if column.partition("@")[0] not in METRICS:
        raise field.wrong("the column of a metric")
    return column


def _phases(field: Field) -> int:
    phases = field.whole(0, MOST_PHASES)
    if 0 < phases < FEWEST_PHASES:
        raise field.wrong(f"0, or a whole number in {FEWEST_PHASES}..{MOST_PHASES}")
    return phases


def _asked(field: Field) -> Asked:
    known: dict[str, Part] = {name: name for name in PARTS}
    kinds: dict[str, Kind] = {"minimal": "minimal", "extent": "extent"}
    return Asked(
        known[field.get("part").choice(PARTS)],
        field.get("count").whole(),
        kinds[field.get("kind").choice(tuple(kinds))],
        field.get("source").name(),
        tuple(one.name() for one in field.get("unresolved").items()),
    )


def _edits(field: Field) -> Edits:
    return Edits(field.get("seed").whole(), field.get("count").whole(1, _MOST_EDITS))


def _run(field: Field) -> RunSpec:
    k, budget = field.get("k"), field.get("budget")
    cutoff: TopK | Budget
    if k.value is not None:
        cutoff = TopK(k.whole())
    else:
        unit, tail = budget.get("unit").text(_LONGEST), budget.get("tail").text(_LONGEST)
        cutoff = Budget(budget.get("size").whole(), unit, tail)
    terms = field.get("terms").choice(("auto", *TERM_FUNCTIONS))
    return RunSpec(field.get("ranking").text(_LONGEST), terms, cutoff)


def _prices(field: Field) -> Prices:
    kinds = {one.name: type(one.default) for one in fields(Prices)}
    read: dict[type, Callable[[Field], object]] = {
        int: Field.whole,
        float: number_of,
        str: lambda one: one.text(_LONGEST),
    }
    held: dict[str, object] = {name: read[kind](field.get(name)) for name, kind in kinds.items()}
    return Prices(**held)  # type: ignore[arg-type]


def _rulings(field: Field, gates: tuple[Gate, ...]) -> tuple[Ruling, ...]:
    held = list(field.items())
    if len(held) != len(gates):
        raise field.wrong(f"a list of {len(gates)}, one for each gate")
    return tuple(_ruling(one, gate) for one, gate in zip(held, gates, strict=True))


def _ruling(field: Field, gate: Gate) -> Ruling:
    if field.get("gate").value != gate.text:
        raise field.get("gate").wrong(f"the lock's gate, {gate.text!r}")
    value, low, high = (_number_or_nan(field.get(name)) for name in ("value", "low", "high"))
    passed = field.get("passed")
    if not isinstance(passed.value, bool):
        raise passed.wrong("true or false")
    return Ruling(gate, value, low, high, passed.value)


def _measured(field: Field) -> Measured:
    figures, outside = field.get("figures"), field.get("outside")
    unknown = next((name for name in figures.table() if name not in MEASURES), None)
    if unknown is not None:
        raise figures.wrong("an object with names of measures")
    return Measured(
        ruled(field.get("spec"), spec_of),
        {name: _figure(figures.get(name)) for name in figures.table()},
        {name: number_of(outside.get(name)) for name in outside.table()},
    )


def _figure(field: Field) -> Figure:
    low, high = field.get("low"), field.get("high")
    return Figure(
        number_of(field.get("value")),
        None if low.value is None else number_of(low),
        None if high.value is None else number_of(high),
    )


def spec_of(field: Field) -> ChunkSpec:
    """Return a setting; raises SettingsError for one that breaks a rule."""
    asked = field.get("asked_pct")
    phase = field.get("phase")
    return ChunkSpec(
        field.get("chunker").name(),
        field.get("unit").text(_LONGEST),
        field.get("size").whole(),
        field.get("overlap").whole(),
        field.get("encoding").text(_LONGEST),
        None if asked.value is None else asked.whole(0, 99),
        phase=0 if phase.value is None else phase.whole(),
    )


def number_of(field: Field) -> float:
    """Return a number that a float can hold."""
    held = field.value
    if isinstance(held, bool) or not isinstance(held, int | float) or abs(held) > LARGEST:
        raise field.wrong(f"a number of at most {LARGEST:,}")
    return float(held)


def _number_or_nan(field: Field) -> float:
    return math.nan if field.value is None else number_of(field)


def ruled(field: Field, make: Callable[[Field], _T]) -> _T:
    """Return what is made of a field; a rule that it breaks is named with the place."""
    try:
        return make(field)
    except InputError:
        raise
    except OverlapkitError as error:
        raise InputError(f"the file's {field.place}: {error}") from None
