"""Re-indexing: a plan from one state of an index to another, and the check of a live one."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.errors import OverlapkitError
from overlapkit.report import spreadsheet_csv
from overlapkit.ui import sweeps
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.updates import (
    LiveCheck,
    LiveIds,
    Plan,
    Snapshot,
    check_live,
    plan_jsonl,
    read_export,
    read_ids,
    reindex_plan,
    snapshot,
)
from overlapkit.updates.sentences import live_sentences, plan_sentences
from overlapkit.words import counted, number, setting

_LISTED = 100  # problems of a live index
_EXPORTS = ["jsonl", "json", "parquet"]


def reindexing(work: Workspace, spec: ChunkSpec) -> None:
    """Plan the way to a setting's index, from the baseline's or from an earlier export."""
    file = st.file_uploader(
        "From an earlier export of chunks, instead of the baseline", _EXPORTS, key="w_upd_before"
    )
    base = sweeps.shown_base(work).spec
    if file is None and base.chunker not in CHUNKERS:
        st.info("What is pinned was cut elsewhere and has no ids from here: give an export.")
        return
    key = (work.engine.corpus.digest, spec, base if file is None else file.file_id)

    def make() -> tuple[str, Plan]:
        before = state_of(work, base) if file is None else _export(file)
        return before.label, reindex_plan(before, state_of(work, spec))

    try:
        with st.spinner("Planning …"):
            label, plan = remembered("plans", key, 2, make)
    except OverlapkitError as error:
        st.warning(plain(f"{error}."))
        return
    st.markdown(plain(f"From {label} to {setting(spec)}. {plan_sentences(plan)}"))
    plan_button(plan, "w_upd_plan")


def plan_button(plan: Plan, key: str) -> None:
    """Offer a plan that has something to do."""
    if not plan.documents:
        return
    st.download_button(
        "Download the plan (JSON lines)", lambda: "".join(plan_jsonl(plan)),
        "reindex-plan.jsonl", "application/jsonl", key=key, on_click="ignore",
    )  # fmt: skip
    st.caption(
        "A line for each document: chunks to add, with the id whose vector each can reuse, and "
        "ids to delete. Do both in one transaction. Without transactions add first, then move "
        "the filter on document_version and setting, then delete: so no question is answered "
        "from two versions."
    )


def state_of(work: Workspace, spec: ChunkSpec) -> Snapshot:
    """Return what an index of the corpus under a spec should hold."""
    engine = work.engine
    key = (engine.corpus.digest, spec)
    return remembered(
        "states", key, 3, lambda: snapshot(engine.corpus, spec, chunks=engine.chunk(spec))
    )


def _export(file: UploadedFile) -> Snapshot:
    return remembered("exports", file.file_id, 4, lambda: read_export(file.getvalue(), file.name))


# --- a live index -----------------------------------------------------------------------


def live_index(work: Workspace, spec: ChunkSpec) -> None:
    """Hold the ids of a live index against those of a setting."""
    base = sweeps.shown_base(work).spec
    known = base.chunker in CHUNKERS and base != spec
    older = f"; ids of {setting(base)} count as an older state" if known else ""
    st.caption(plain(f"Held against the chunks of {setting(spec)}{older}."))
    file = st.file_uploader(
        "Its ids: one a line, CSV, JSON lines or Parquet",
        ["txt", "csv", "tsv", "jsonl", "json", "parquet"], key="w_upd_ids",
    )  # fmt: skip
    earlier = st.file_uploader(
        "Earlier exports, to tell what is left of them (optional)", _EXPORTS,
        accept_multiple_files=True, key="w_upd_older",
    )  # fmt: skip
    if file is None:
        return
    key = (
        work.engine.corpus.digest, spec, base, file.file_id, *(one.file_id for one in earlier)
    )  # fmt: skip

    def make() -> tuple[LiveIds, LiveCheck]:
        listed = read_ids(file.getvalue(), file.name)
        states = [state_of(work, base)] if known else []
        states += map(_export, earlier)
        return listed, check_live(listed.rows, state_of(work, spec), states)

    try:
        with st.spinner("Checking …"):
            listed, check = remembered("live_checks", key, 2, make)
    except OverlapkitError as error:
        st.warning(plain(f"{error}."))
        return
    (st.success if check.clean else st.markdown)(plain(live_sentences(check)))
    if listed.left_out:
        st.caption(f"{counted(len(listed.left_out), 'row')} without an id left out.")
    lines = _problems(check)
    if lines:
        st.dataframe(lines[:_LISTED], hide_index=True)
        if len(lines) > _LISTED:
            st.caption(f"The first {number(_LISTED)} of {number(len(lines))}.")
        st.download_button(
            "Download (CSV)", lambda: spreadsheet_csv(lines), "live-index.csv", "text/csv",
            key="w_upd_problems", on_click="ignore",
        )  # fmt: skip


def _problems(check: LiveCheck) -> list[dict[str, str]]:
    """Return what is wrong, a line each."""
    found: list[tuple[str, str, str]] = []
    found += (("missing", one.id, one.document) for one in check.missing)
    found += ((f"of {one.state}", one.id, one.document) for one in check.stale)
    found += (("no state knows it", one, "") for one in check.orphans)
    found += ((f"listed {one.times} times", one.id, "") for one in check.repeated)
    found += ((f"both {' and '.join(one.states)}", "", one.document) for one in check.mixed)
    return [dict(zip(("Problem", "Id", "Document"), one, strict=True)) for one in found]
