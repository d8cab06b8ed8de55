"""``sweep``: every size with every overlap, as a table with verdicts or as data."""

import argparse
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from itertools import count
from textwrap import fill

import numpy as np

from overlapkit.cache import ResultCache
from overlapkit.charts import is_rate
from overlapkit.cli.command import Notes
from overlapkit.cli.inputs import engine_of, grid_of, run_of
from overlapkit.cli.output import WIDTH, progress, write, write_rows
from overlapkit.cli.texts import caption, weak_terms
from overlapkit.cost import COSTS, Prices
from overlapkit.decide import (
    cheapest_that_keeps_up,
    cluster_queries,
    fitting,
    primary_metric,
    verdict,
)
from overlapkit.engine import Engine
from overlapkit.phases import by_setting, over_phases, phase_noise, phase_specs
from overlapkit.report import frame_of, text_table
from overlapkit.retrieve import Budget
from overlapkit.sweep import Sweep, sweep_with
from overlapkit.wording import across_sentence, verdict_sentence
from overlapkit.words import UNIT_NAMES, number, percent

# Column headings of the table with what they show, per kind of query set.
_SHOWN: Mapping[str, Mapping[str, str]] = {
    "minimal": {
        "complete": "complete@", "ceiling": "query_containment", "lenient": "lenient_hit@",
        "answer": "answer@", "recall": "recall@", "overlapping": "overlapping_slots@",
        "repeated": "repeated_chars@",
    },
    "extent": {
        "lenient": "lenient_hit@", "strict": "strict_hit@", "strict@1": "strict_hit@1",
        "strict_mrr": "strict_mrr@", "overlapping": "overlapping_slots@",
        "repeated": "repeated_chars@",
    },
}  # fmt: skip


def sweep_command(args: argparse.Namespace, notes: Notes) -> int:
    """Evaluate every size with every overlap, from the cache where it can be."""
    settings, run = grid_of(args), run_of(args)
    specs = settings
    if args.phases is not None:
        specs = [moved for spec in settings for moved in phase_specs(spec, args.phases)]
    engine = engine_of(args, run, notes)
    show, done = progress("settings"), count(1)
    total = len(dict.fromkeys(specs))
    with closing(ResultCache.disabled() if args.no_cache else ResultCache.open()) as cache:
        swept = sweep_with(
            engine, specs, run, cache=cache, on_row=lambda _: show(next(done), total)
        )
        notes += [f"note: {cache.notice}"] if cache.notice else []
    notes += weak_terms(swept.rows, run, engine.queries)
    if args.phases is not None:
        swept = _over_phases(swept)
    sentences = _verdicts(engine, swept, args.cost) if args.verdict else []
    if args.format == "table":
        means = f"means over {args.phases} phases of each setting\n" if args.phases else ""
        text = [caption(engine, run, specs[0].unit), means, "\n", text_table(_table_rows(swept))]
        text += ("\n" + fill(sentence, WIDTH) + "\n" for sentence in sentences)
        write(text, args.out)
    else:
        write_rows(frame_of(swept), args)
        notes += sentences
    return 0


def _over_phases(swept: Sweep) -> Sweep:
    """Return the mean of each setting's phases, with the deviation of what the verdict is about."""
    column = f"{primary_metric(swept.queries.kind)}@{swept.run.cutoff.label}"
    rows = []
    for phases in by_setting(swept.rows).values():
        mean = over_phases(phases)
        deviation = {f"{column}:sd": phase_noise(phases)[column].sd}
        rows.append(replace(mean, values={**mean.values, **deviation}))
    return replace(swept, rows=tuple(rows))


def _table_rows(swept: Sweep) -> list[dict[str, str]]:
    label = swept.run.cutoff.label
    rows = []
    for row in swept.rows:
        spec, values = row.spec, row.values
        cells = {
            "size": str(spec.size),
            "overlap": f"{spec.overlap} ({spec.overlap_pct:.3g}%)",
            "chunks": f"{values['chunks']:.0f}",
            "index": "" if np.isnan(values["index_x"]) else f"{values['index_x']:.2f}x",
        }
        for heading, name in _SHOWN[swept.queries.kind].items():
            column = name + label if name.endswith("@") else name
            if not np.isnan(values[column]):
                rate = is_rate(column)
                cells[heading] = (percent if rate else "{:.2f}".format)(values[column])
            if f"{column}:sd" in values:
                cells["sd"] = percent(values[f"{column}:sd"])
        if "sd" in cells:  # there is no room for both
            cells.pop("overlapping", None)
        rows.append(cells)
    return rows


def _verdicts(engine: Engine, swept: Sweep, cost: str) -> list[str]:
    """Return the verdict of each size and, under a budget, the one across sizes."""
    run, unit = swept.run, swept.rows[0].spec.unit
    metric = f"{primary_metric(engine.queries.kind)}@{run.cutoff.label}"
    clustering = cluster_queries(engine.corpus, engine.queries)
    sentences = []
    for size in swept.sizes():
        rows = swept.at_size(size)
        if len(rows) == 1:
            sentences.append(
                f"At {number(size)} {UNIT_NAMES[unit]} there is one overlap: nothing to compare."
            )
            continue
        fits = fitting(engine, rows[0].spec)
        sentences.append(verdict_sentence(verdict(rows, metric, clustering), run, fits))
    if isinstance(run.cutoff, Budget) and len(swept.sizes()) > 1:
        held, best = cheapest_that_keeps_up(
            swept.rows, metric, clustering, lambda row: COSTS[cost].compute(row.values, Prices())
        )
        sentences.append(across_sentence(held, best, metric, run, run.cutoff, COSTS[cost]))
    return sentences
