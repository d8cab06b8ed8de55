"""``gate``: a recorded setting judged again, for CI."""

import argparse
import math
from textwrap import fill

from overlapkit.cli.command import DIFFERS, Notes
from overlapkit.cli.files import bytes_of
from overlapkit.cli.inputs import asked_of, texts_of
from overlapkit.cli.judging import outside_of
from overlapkit.cli.output import WIDTH, write_rows
from overlapkit.corpus import Corpus
from overlapkit.errors import SettingsError
from overlapkit.gates import Ruling, reason
from overlapkit.queries import QuerySet
from overlapkit.record import Bound, Rerun, read_record, rerun
from overlapkit.record.questions import held_questions
from overlapkit.record.sentences import interval_text, ruling_text
from overlapkit.report import text_table
from overlapkit.words import number, setting


def gate_command(args: argparse.Namespace, notes: Notes) -> int:
    """Judge a record's setting on the documents of now; the exit code tells whether it passes."""
    bound = read_record(bytes_of(args.record))
    corpus, queries = _asked(args, bound, notes)
    outside = None
    if args.outside is not None:
        known = (bound.setting, bound.baseline, bound.current)
        specs = [one.spec for one in known if one is not None]
        outside = outside_of(args.outside, list(dict.fromkeys(specs)), notes)
    found = rerun(bound, corpus, queries, outside)
    notes += (f"note: {sentence}" for sentence in (*found.drift, *found.notes))
    pairs = list(zip(found.recorded, found.judged.rulings, strict=True))
    table = text_table(_line(*pair) for pair in pairs)
    said = [fill(sentence, WIDTH) for sentence in (_head(bound, found), _result(found))]
    write_rows([_row(*pair) for pair in pairs], args, f"{said[0]}\n\n{table}\n{said[1]}\n")
    return 0 if found.passed else DIFFERS


def _asked(args: argparse.Namespace, bound: Bound, notes: Notes) -> tuple[Corpus, QuerySet]:
    """Return the corpus, and the questions given or else those of the record."""
    how = dict(bound.saved.settings).get("queries")
    if args.queries is None:
        held = held_questions(bound)
        if held is not None:
            return texts_of(args, notes)[0].corpus, held
        if how in ("headings", "probes"):
            args.queries = how
        elif args.sample is None:
            raise SettingsError(
                "the record's questions come with a bundled corpus: give --sample "
                f"{bound.saved.bundled or 'NAME'}, or other questions by --queries"
            )
    return asked_of(args, notes)


def _head(bound: Bound, found: Rerun) -> str:
    return f"{setting(found.judged.spec)}, as decided at {bound.at}"


def _result(found: Rerun) -> str:
    """Return whether all gates hold, or which do not."""
    failed = [one for one in found.judged.rulings if not one.passed]
    many = len(found.recorded)
    if not failed:
        return {1: "The gate holds.", 2: "Both gates hold."}.get(
            many, f"All {number(many)} gates hold."
        )
    fail = f"{number(len(failed))} of {number(many)} gates fail{'s' if len(failed) == 1 else ''}"
    return f"{'The gate fails' if many == 1 else fail}: {'; '.join(map(reason, failed))}."


def _line(then: Ruling, now: Ruling) -> dict[str, object]:
    return {
        "gate": now.gate.text,
        "then": ruling_text(then),
        "now": ruling_text(now),
        "95% interval": interval_text(now),
        "result": "holds" if now.passed else "fails",
    }


def _row(then: Ruling, now: Ruling) -> dict[str, object]:
    names = ("value", "low", "high")
    before = {f"recorded_{name}": getattr(then, name) for name in names}
    return {
        "gate": now.gate.text,
        **{name: None if math.isnan(value) else value for name, value in before.items()},
        **{name: getattr(now, name) for name in names},
        "passed": now.passed,
    }
