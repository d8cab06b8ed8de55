"""The parts of Your splitter: upload chunks and a run, what fitted, and the comparison."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from overlapkit.charts import is_rate, label_of
from overlapkit.decide import MARGIN, compare
from overlapkit.errors import OverlapkitError
from overlapkit.evaluate import METRICS
from overlapkit.given import Misaligned, Unusable, read_chunks
from overlapkit.report import spreadsheet_csv
from overlapkit.sweep import Row
from overlapkit.ui import session, today
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.ui.shell import plain
from overlapkit.words import counted, cutoff, number, percent, points, quality, setting

_LISTED = 500


def upload(work: Workspace) -> None:
    """Take existing chunks and an existing run for the corpus in use."""
    st.caption(
        "Upload the chunks of your index, and if you like what your retriever returns for these "
        "questions: both are judged by the same metrics, so that keeping what you have is one of "
        "the choices. Files stay in your session."
    )
    with st.form("w_given", border=True):
        chunks = st.file_uploader(
            "Chunks: JSON lines or Parquet with a text or offsets, and the document's name",
            type=["jsonl", "json", "parquet"], key="w_chunks",
        )  # fmt: skip
        run = st.file_uploader(
            "Run (optional): TREC lines, CSV or JSON lines with query id and ranked chunk ids",
            type=["run", "trec", "txt", "csv", "jsonl", "json"], key="w_run",
        )  # fmt: skip
        if st.form_submit_button("Judge") and (chunks or run):
            corpus, before = work.engine.corpus, today.given_of(work.engine.corpus)
            kept = before.chunks if before else None
            try:
                read = read_chunks(chunks.getvalue(), corpus, chunks.name) if chunks else kept
            except OverlapkitError as error:
                st.warning(plain(f"{error}. What was there before is kept."))
                return
            asked = (run.name, run.getvalue()) if run else (before.run if before else None)
            today.hold_given(corpus, read, asked)
            st.rerun()


def report(work: Workspace) -> None:
    """Say what was aligned, and list what was not."""
    held = today.given_of(work.engine.corpus)
    if held is None:
        st.info("Nothing was uploaded for this corpus yet.")
        return
    if held.chunks is not None:
        st.markdown(
            f"**{number(len(held.chunks.ids))} chunks** of {plain(held.chunks.source)} stand in "
            f"this corpus and hold {percent(held.chunks.covered)} of its text."
        )
        _left_out("chunk", held.chunks.left_out, "chunks-left-out.csv")
    try:
        run = today.given_run(work)
    except OverlapkitError as error:
        st.warning(plain(f"The run cannot be judged with these questions: {error}."))
        return
    if run is not None:
        asked = len(work.engine.queries)
        st.markdown(
            f"**The run** of {plain(run.source)} answers {number(asked - run.missing_queries)} of "
            f"{number(asked)} questions; one that it does not mention counts 0."
        )
        _left_out("result", run.left_out, "results-left-out.csv")


def _left_out(what: str, rows: Sequence[Misaligned | Unusable], file: str) -> None:
    if not rows:
        return
    lines = [{"Row": row.row, "Id": row.id, "Reason": row.reason} for row in rows]
    with st.expander(f"Left out: {counted(len(rows), what)}"):
        st.dataframe(lines[:_LISTED], hide_index=True)
        st.download_button(
            "Download (CSV)", spreadsheet_csv(lines), file, "text/csv", on_click="ignore"
        )


def comparison(work: Workspace) -> None:
    """Set what there is today beside the chosen setting, and offer to pin it."""
    given = today.given_rows(work)
    if not given:
        return
    chosen = work.row(work.settings.spec)
    st.markdown(f"## Against {setting(chosen.spec)}")
    for name, row in given.items():
        _sentence(work, chosen, row)
        if work.settings.pinned_given != name:
            st.button(
                f"Pin {GIVEN[name]} as the current setting", key=f"w_pin_{name}",
                on_click=session.change,
                args=(lambda s, name=name: replace(s, pinned_given=name, pinned=None),),
            )  # fmt: skip
    _table(work, [chosen, *given.values()])


def _sentence(work: Workspace, chosen: Row, row: Row) -> None:
    found = compare(chosen, row, work.column, work.clustering)
    if found.high <= MARGIN:
        margin = f"{100 * MARGIN:.0f} points"
        then = f"it gains no more than {margin}, so nothing here says that changing would help"
    elif found.low <= 0:
        then = "these questions cannot tell the two apart"
    else:
        then = "the chosen setting is better"
    name = setting(row.spec)
    st.markdown(
        f"**{name.capitalize()}**: {quality(work.column)} {cutoff(work.settings.cutoff)} for "
        f"{percent(row.values[work.column])} of {number(found.n)} questions. The chosen setting "
        f"differs by {points(found.difference)} points, 95% interval {points(found.low)} to "
        f"{points(found.high)}: {then}."
    )


def _table(work: Workspace, rows: list[Row]) -> None:
    label = work.settings.cutoff.label
    columns = [f"{name}@{label}" for name in METRICS]
    columns += ["query_containment", "precision_omega", "chunks", "index_chars"]
    known = [
        name for name in columns if not all(np.isnan(row.values.get(name, np.nan)) for row in rows)
    ]
    of_rows = {
        setting(row.spec).capitalize(): [_value(row, name) for name in known] for row in rows
    }
    st.dataframe({"Metric": [label_of(name) for name in known]} | of_rows, hide_index=True)


def _value(row: Row, column: str) -> str:
    value = row.values.get(column, np.nan)
    if np.isnan(value):
        return "–"
    return percent(value) if is_rate(column) else number(value)
