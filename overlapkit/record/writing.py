"""A record to the text of its file: a workspace file with one more field."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace

from overlapkit.chunkers import ChunkSpec
from overlapkit.gates import Ruling, lock_fields
from overlapkit.record.model import Bound, Figure, Line, Measured, Record, Updates
from overlapkit.record.reading import DECISION, VERSION, read_record
from overlapkit.retrieve import TopK
from overlapkit.updates import Work
from overlapkit.workspace import write_workspace

Fields = dict[str, object]


def write_record(record: Record) -> str:
    """Return a record as JSON that ``read_record`` reads; equal ones give equal texts.

    Raises InputError for what could not be read again.
    """
    # As a workspace keeps fields that it does not know, so that saving one again leaves the
    # decision as it is, byte for byte.
    text = json.dumps(decision_fields(record), allow_nan=False)
    saved = record.bound.saved
    others = tuple((name, held) for name, held in saved.other if name != DECISION)
    written = write_workspace(replace(saved, other=(*others, (DECISION, text))))
    read_record(written.encode())
    return written


def decision_fields(record: Record) -> Fields:
    """Return all of a record but its workspace, as JSON can hold it."""
    return {
        "version": VERSION,
        **_bound(record.bound),
        "outcome": record.outcome,
        "sentence": record.sentence,
        "focus": spec_fields(record.focus),
        "today": [_ruling(one) for one in record.today],
        "settings": [_line(one) for one in record.lines],
        "blocking": record.blocking,
        "confirmation": {
            "questions": record.confirmation.questions,
            "confirmed": record.confirmation.confirmed,
            "rulings": [_ruling(one) for one in record.confirmation.rulings],
            "why_not": record.confirmation.why_not,
        },
        "honesty": record.honesty,
        "diagnosis": None if record.diagnosis is None else record.diagnosis._asdict(),
        "price": [line._asdict() for line in record.price],
        "change": record.change,
        "update_work": None if record.update is None else _updates(record.update),
        "ablation": record.ablation,
        "limits": record.limits,
        "rollback": record.rollback,
        "canary": record.canary,
    }


def spec_fields(spec: ChunkSpec) -> Fields:
    """Return a setting as JSON can hold it."""
    return asdict(spec)


def _bound(bound: Bound) -> Fields:
    return {
        "at": bound.at,
        "lock": lock_fields(bound.lock),
        "run": {"ranking": bound.run.ranking, "terms": bound.run.terms, **_cutoff(bound)},
        "terms": bound.terms._asdict(),
        "phases": bound.phases,
        "asked": asdict(bound.asked),
        "metric": bound.metric,
        "prices": asdict(bound.prices),
        "setting": None if bound.setting is None else _measured(bound.setting),
        "baseline": _measured(bound.baseline),
        "current": None if bound.current is None else _measured(bound.current),
        "rulings": [_ruling(one) for one in bound.rulings],
        "edits": None if bound.edits is None else asdict(bound.edits),
    }


def _cutoff(bound: Bound) -> Fields:
    cutoff = bound.run.cutoff
    if isinstance(cutoff, TopK):
        return {"k": cutoff.k}
    return {"budget": {"size": cutoff.size, "unit": cutoff.unit, "tail": cutoff.tail}}


def _measured(one: Measured) -> Fields:
    return {
        "spec": spec_fields(one.spec),
        "figures": {name: _figure(figure) for name, figure in one.figures.items()},
        "outside": dict(one.outside),
    }


def _figure(figure: Figure) -> Fields:
    return _known({"value": figure.value, "low": figure.low, "high": figure.high})


def _ruling(ruling: Ruling) -> Fields:
    numbers = {name: getattr(ruling, name) for name in ("value", "low", "high")}
    return {"gate": ruling.gate.text, **_known(numbers), "passed": ruling.passed}


def _line(line: Line) -> Fields:
    numbers = {name: getattr(line, name) for name in ("cost", "value", "low", "high")}
    return {"spec": spec_fields(line.spec), **_known(numbers), "failed": line.failed}


def _updates(update: Updates) -> list[Fields]:
    return [
        {
            "spec": spec_fields(one.spec),
            **_work(one.total),
            "by_kind": {kind: _work(work) for kind, work in one.by_kind.items()},
        }
        for one in update.works
    ]


def _work(work: Work) -> Fields:
    return _known(asdict(work))


def _known(numbers: Mapping[str, float | None]) -> Fields:
    """Return those of some numbers that are known and finite."""
    return dict(_finite(numbers.items()))


def _finite(numbers: Iterable[tuple[str, float | None]]) -> Iterable[tuple[str, float]]:
    return ((name, one) for name, one in numbers if one is not None and math.isfinite(one))
