"""What differs between a record and now, each in a sentence."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.gates import measure_name
from overlapkit.queries.model import QuerySet, Unresolved
from overlapkit.readers.names import legible
from overlapkit.record.measuring import QUESTIONS
from overlapkit.record.model import Bound, Measured
from overlapkit.record.sentences import value_text
from overlapkit.terms import choose_terms
from overlapkit.words import counted, number, setting
from overlapkit.workspace import changed_documents

_NAMED = 5  # so many documents or questions are called by their names
_ROUNDING = 1e-9  # of a figure: two ways to add it up differ by less


@dataclass(frozen=True, slots=True)
class Now:
    """What there is now: all questions, those that are asked, and the figures of settings.

    ``given`` says that results from outside were brought anew; ``why_no_work`` why update work
    could not be measured.
    """

    corpus: Corpus
    queries: QuerySet
    asked: QuerySet
    lost: Sequence[Unresolved]
    measured: Mapping[ChunkSpec, Measured]
    given: bool
    why_no_work: str


def drift_of(bound: Bound, now: Now) -> tuple[str, ...]:
    """Return a sentence for each thing that differs from the record; none where nothing does."""
    return (
        *_of_documents(bound, now.corpus),
        *_of_questions(bound, now),
        *_of_terms(bound, now),
        *_of_figures(bound, now),
    )


def notes_of(bound: Bound, now: Now) -> tuple[str, ...]:
    """Return what of a rerun was not measured here."""
    found = []
    names = sorted({name for one in now.measured.values() for name in one.outside} - {QUESTIONS})
    if names and not now.given:
        said = ", ".join(map(measure_name, names))
        found.append(f"Results from outside ({said}) are those of the record: not measured again.")
    relative = any(gate.relative for gate in bound.lock.gates)
    if relative and bound.setting is not None and bound.setting.spec == bound.baseline.spec:
        found.append(
            "The setting is the baseline itself: gates against the baseline hold it to the "
            "figures of the record."
        )
    if now.why_no_work:
        found.append(f"Update work could not be measured: {now.why_no_work}.")
    if bound.current is not None and bound.current.spec.chunker not in CHUNKERS:
        found.append(f"{setting(bound.current.spec)} was cut elsewhere and is not judged again.")
    return tuple(found)


def _of_documents(bound: Bound, corpus: Corpus) -> Iterator[str]:
    found = changed_documents(bound.saved, corpus)
    for names, one, many in (
        (found.changed, "has changed", "have changed"),
        (found.missing, "is missing", "are missing"),
        (found.added, "is new", "are new"),
    ):
        if names:
            verb = one if len(names) == 1 else many
            yield f"{counted(len(names), 'document')} {verb} since the record: {_listed(names)}."


def _of_questions(bound: Bound, now: Now) -> Iterator[str]:
    then = bound.lock.query_digest
    if now.queries.digest != then:
        yield (
            f"The questions differ from those of the record: {number(bound.asked.count)} of the "
            f"set {then[:12]} decided, {number(len(now.asked))} of the set "
            f"{now.queries.digest[:12]} are asked now."
        )
    if now.lost:
        many = len(now.lost)
        named = [f"{row.id} ({row.reason})" for row in now.lost]
        yield (
            f"The evidence of {counted(many, 'question')} of the record is gone, so "
            f"{'it counts' if many == 1 else 'they count'} as missed: {_listed(named)}."
        )


def _of_terms(bound: Bound, now: Now) -> Iterator[str]:
    if bound.run.terms != "auto":
        return
    found = choose_terms(now.corpus, [query.text for query in now.asked])
    if found.name != bound.terms.name:
        yield (
            f"Words are compared as {bound.terms.name} terms, as in the record; now {found.name} "
            f"would be chosen, since {found.reason}."
        )


def _of_figures(bound: Bound, now: Now) -> Iterator[str]:
    """Yield a sentence for each setting, with the figures that moved."""
    seen = set()
    for then in (bound.setting, bound.current, bound.baseline):
        if then is None or then.spec in seen or then.spec not in now.measured:
            continue
        seen.add(then.spec)
        here = now.measured[then.spec]
        moved = [*_moved(_values(then), _values(here), bound)]
        if moved:
            yield f"Figures of {setting(then.spec)} moved: {'; '.join(moved)}."


def _values(one: Measured) -> dict[str, float]:
    return {name: figure.value for name, figure in one.figures.items()} | dict(one.outside)


def _moved(then: Mapping[str, float], here: Mapping[str, float], bound: Bound) -> Iterator[str]:
    gates = {gate.measure for gate in bound.lock.gates}
    for name in dict.fromkeys((*then, *here)):
        before, after = then.get(name, math.nan), here.get(name, math.nan)
        # Measured again only where a gate asks for it.
        if name == "update_work" and name not in gates:
            continue
        if _same(before, after):
            continue
        ends = value_text(name, before, after), value_text(name, after, before)
        yield f"{measure_name(name)} {ends[0]} then, {ends[1]} now"


def _same(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(legible, names[:_NAMED]))
    rest = len(names) - _NAMED
    return f"{shown} and {number(rest)} more" if rest > 0 else shown
