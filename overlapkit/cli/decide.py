"""``decide``: the cheapest setting that clears every gate, and the record of it."""

import argparse
from collections.abc import Sequence
from textwrap import fill

from overlapkit.charts import is_rate
from overlapkit.chunkers import ChunkSpec
from overlapkit.cli.command import DIFFERS, Notes
from overlapkit.cli.inputs import engine_of, run_of
from overlapkit.cli.judging import (
    SEED,
    Judging,
    confirmation_on,
    decision_on,
    edits_for,
    halves_of,
    in_question,
    judging_of,
    part_of,
)
from overlapkit.cli.output import WIDTH, write, write_rows
from overlapkit.cli.texts import caption, cut, weak_terms
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import cluster_queries
from overlapkit.diagnose import Diagnosis, diagnose
from overlapkit.engine import Engine
from overlapkit.errors import InputError
from overlapkit.evaluate import evaluate_with
from overlapkit.gates import (
    Decision,
    Judged,
    Lock,
    blocking_sentence,
    decision_sentence,
    reason,
    this_second,
)
from overlapkit.queries import QuerySet
from overlapkit.record import (
    Confirmation,
    Record,
    Updates,
    confirmation_sentence,
    focus_of,
    make_record,
    record_html,
    unconfirmed,
    write_record,
)
from overlapkit.record.sentences import ruling_text
from overlapkit.report import text_table
from overlapkit.retrieve import Budget, RunSpec, TopK
from overlapkit.tokens import ENCODINGS
from overlapkit.updates import compare_work, draw_edits
from overlapkit.words import number, percent
from overlapkit.workspace import SavedWorkspace, workspace_of

_WIDEST = 38  # columns of a table that a gate may take


def decide_command(args: argparse.Namespace, notes: Notes) -> int:
    """Choose a setting by gates, confirm it if asked to, and write the record."""
    run = run_of(args)
    asked = in_question(args, run)
    whole = engine_of(args, run, notes)
    explore, held_back, why_none = halves_of(args, whole.queries)
    engine = part_of(whole, explore)
    lock = _lock(args, whole, run)
    found = judging_of(args, engine, run, asked, notes)
    notes += weak_terms([one.row for one in found.candidates], run, engine.queries)
    clustering = cluster_queries(engine.corpus, engine.queries)
    decision = decision_on(args, found, run, engine.queries.kind, clustering)
    confirmation = unconfirmed(why_none) if why_none else unconfirmed()
    if held_back is not None:
        part = part_of(whole, held_back)
        confirmation = confirmation_on(args, part, run, decision, found, notes)
    if args.out is not None or args.html is not None:
        record = make_record(
            at=this_second(), saved=_saved(args, whole, run, decision), lock=lock,
            decision=decision, engine=engine, run=run, baseline=found.baseline, prices=Prices(),
            clustering=clustering, diagnoses=_diagnoses(engine, decision, run),
            update=_updates(engine, decision, found, notes), confirmation=confirmation,
            outside=found.outside,
        )  # fmt: skip
        _keep(record, args)
    _say(args, engine, run, decision, confirmation, notes)
    failed = confirmation.tested and not confirmation.confirmed
    return DIFFERS if decision.choice is None or failed else 0


def _lock(args: argparse.Namespace, engine: Engine, run: RunSpec) -> Lock:
    """Return the gates as they were given, before anything was evaluated."""
    settings = {"ranking": run.ranking, "terms": run.terms, "cutoff": run.cutoff.label}
    return Lock(
        this_second(), tuple(args.gates), args.cost, engine.corpus.digest, engine.queries.digest,
        tuple(settings.items()), SEED,
    )  # fmt: skip


# --- the record -------------------------------------------------------------------------


def _keep(record: Record, args: argparse.Namespace) -> None:
    if args.out is not None:
        write([write_record(record)], args.out)
    if args.html is not None:
        write([record_html(record)], args.html)


def _saved(
    args: argparse.Namespace, engine: Engine, run: RunSpec, decision: Decision
) -> SavedWorkspace:
    """Return what is in use as a workspace, from which a page can go on."""
    queries = engine.queries
    source = args.queries if args.queries in ("headings", "probes") else "uploaded"
    # A bundled corpus comes with its questions, unless it was labelled or they are needed
    # otherwise than it says.
    bundled = args.sample if args.groups is None else None
    own = bundled is not None and args.need == "as-given"
    if args.queries is None:
        source = "headings" if args.sample is None else "own" if own else "uploaded"
    uploaded: QuerySet | None = queries if source == "uploaded" else None
    params = _params(focus_of(decision), decision, run) | {"queries": source}
    return workspace_of(engine.corpus, queries, params, bundled=bundled, uploaded=uploaded)


def _params(spec: ChunkSpec, decision: Decision, run: RunSpec) -> dict[str, str]:
    """Return the settings as the parameters of a link, as far as it has names for them."""
    params = {
        "unit": spec.unit,
        "size": str(spec.size),
        "overlap": str(spec.overlap),
        "ranking": run.ranking,
        "terms": run.terms,
    }
    if isinstance(run.cutoff, TopK):
        params["k"] = str(run.cutoff.k)
    elif isinstance(run.cutoff, Budget) and run.cutoff.unit == "char":
        params["budget"] = str(run.cutoff.size)
    if spec.encoding != ENCODINGS[0]:
        params["encoding"] = spec.encoding
    if decision.current is not None:
        params["pin"] = f"{decision.current.spec.size}-{decision.current.spec.overlap}"
    return params


def _diagnoses(engine: Engine, decision: Decision, run: RunSpec) -> Sequence[Diagnosis] | None:
    """Return why questions miss; of whole sections that cannot be told."""
    if engine.queries.kind == "extent":
        return None
    return diagnose(engine, evaluate_with(engine, focus_of(decision), run, tokens=False))


def _updates(engine: Engine, decision: Decision, found: Judging, notes: Notes) -> Updates | None:
    """Return what edits cost under the choice and what it is held against."""
    specs = [focus_of(decision), found.baseline.spec]
    edits = edits_for()
    try:
        drawn = draw_edits(engine.corpus, edits.count, edits.seed)
    except InputError as error:
        notes.append(f"note: what edits cost is not in the record: {error}")
        return None
    return Updates(edits, compare_work(engine.corpus, dict.fromkeys(specs), drawn))


# --- what is said -----------------------------------------------------------------------


def _say(
    args: argparse.Namespace,
    engine: Engine,
    run: RunSpec,
    decision: Decision,
    confirmation: Confirmation,
    notes: Notes,
) -> None:
    sentences = [decision_sentence(decision, COSTS[args.cost].unit)]
    many = len(decision.judged)
    # What blocks most stands in the first sentence already.
    sentences += (blocking_sentence(one, many) for one in decision.blocking[1:] if one.failing)
    if args.confirm:
        sentences.append(confirmation_sentence(confirmation))
    shown = argparse.Namespace(format=args.format, out=None)  # --out takes the record
    if args.format != "table":
        write_rows([_row(args, decision, *one) for one in _pairs(decision)], shown)
        notes += sentences
        return
    lines = [_line(args, decision, *one) for one in _pairs(decision)]
    head = caption(engine, run, args.unit)
    text = [head, "\n", text_table(lines), *(f"\n{fill(one, WIDTH)}\n" for one in sentences)]
    write_rows([], shown, "".join(text))


def _pairs(decision: Decision) -> Sequence[tuple[Judged, float]]:
    return list(zip(decision.judged, decision.costs, strict=True))


def _line(
    args: argparse.Namespace, decision: Decision, one: Judged, cost: float
) -> dict[str, object]:
    column = decision.metric
    value = one.candidate.row.values[column]
    failed = one.first_failed
    return {
        "size": str(one.spec.size),
        "overlap": f"{one.spec.overlap} ({one.spec.overlap_pct:.3g}%)",
        args.cost: f"{cost:.4g}" if COSTS[args.cost].unit == "US$" else number(cost),
        column.partition("@")[0]: percent(value) if is_rate(column) else number(value),
        "choice": _standing(decision, one),
        "first failed gate": "" if failed is None else cut(failed.gate.text, _WIDEST),
        "value": "" if failed is None else ruling_text(failed),
    }


def _standing(decision: Decision, one: Judged) -> str:
    if decision.choice is not None and one.spec == decision.choice.spec:
        return "chosen" if decision.outcome == "chosen" else "kept"
    current = decision.current is not None and one.spec == decision.current.spec
    return "today" if current else "clears" if one.passed else ""


def _row(
    args: argparse.Namespace, decision: Decision, one: Judged, cost: float
) -> dict[str, object]:
    failed = one.first_failed
    names = ("chunker", "unit", "size", "overlap", "overlap_pct")
    return {
        **{name: getattr(one.spec, name) for name in names},
        args.cost: cost,
        decision.metric: one.candidate.row.values[decision.metric],
        "passed": one.passed,
        "failed_gate": None if failed is None else failed.gate.text,
        "reason": None if failed is None else reason(failed),
        "chosen": decision.choice is not None and one.spec == decision.choice.spec,
    }
