"""Questions with evidence for the corpus in use: upload, mapping by hand, what was left out."""

from collections.abc import Mapping

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.errors import OverlapkitError
from overlapkit.queries import preview_golden, quoting, read_golden
from overlapkit.queries.golden import GoldenPreview, GoldenSet
from overlapkit.queries.golden.columns import ROLES
from overlapkit.queries.model import Need, QuerySet
from overlapkit.report import spreadsheet_csv
from overlapkit.ui import memory, session, sources
from overlapkit.ui.shell import plain
from overlapkit.ui.sources import GoldenUpload
from overlapkit.words import counted, number, percent

_LISTED = 500
_NEEDS: Mapping[str, Need | None] = {
    "as the file says": None,
    "one passage is enough": "any",
    "all passages are needed": "all",
}
_QUOTES_TO_WARN = 0.2  # share of questions that repeat what they look for


def golden_panel(corpus: Corpus) -> None:
    """Take a golden set for a corpus, and show how it was read."""
    st.markdown("## Questions with evidence for this corpus")
    file = st.file_uploader(
        "CSV, JSON lines or JSON: a question, and its evidence as offsets or as text",
        type=["csv", "tsv", "jsonl", "json", "txt"], key="w_golden",
    )  # fmt: skip
    held = sources.golden_of(corpus)
    if file is not None:
        data = file.getvalue()
        if held is None or (held.name, held.data) != (file.name, data):
            _preview(corpus, file.name, data)
            return
    if held is not None:
        _report(corpus, held)


def _preview(corpus: Corpus, name: str, data: bytes) -> None:
    """Show what a file holds and what its columns are taken for, before it is used."""
    try:
        seen = memory.remembered("preview", (name, data), 1, lambda: preview_golden(data, name))
    except OverlapkitError as error:
        st.warning(plain(f"{error}. The questions used before are still there."))
        return
    if not seen.records:
        st.warning(plain(f"{name} holds no row. The questions used before are still there."))
        return
    st.caption(plain(f"{seen.form}, {counted(seen.records, 'row')}; the first {len(seen.rows)}:"))
    if seen.columns:
        st.dataframe(
            {column: [row[at] for row in seen.rows] for at, column in enumerate(seen.columns)},
            hide_index=True,
        )
    columns = _mapping(seen)
    asked = st.radio("Where a question has several passages", list(_NEEDS), horizontal=True)
    if st.button("Use these questions", key="w_use_golden"):
        _take(corpus, name, data, _NEEDS[asked], columns)


def _mapping(seen: GoldenPreview) -> Mapping[str, str] | None:
    """Let each role's column be set by hand; None where all are as guessed."""
    if not seen.columns:
        return None
    known = ", ".join(f"{role}: {column}" for role, column in seen.roles.items())
    st.caption(plain(f"Taken for {known or 'nothing yet: set the columns by hand'}."))
    chosen = dict(seen.roles)
    with st.expander("Set the columns by hand", expanded="question" not in seen.roles):
        places = st.columns(3)
        for at, role in enumerate(ROLES):
            choices = ["", *seen.columns]
            guess = seen.roles.get(role, "")
            chosen[role] = places[at % 3].selectbox(
                role.capitalize(), choices, index=choices.index(guess),
                key=memory.key_of(f"w_role_{role}", seen.columns, seen.roles),
                format_func=lambda column: column or "none",
            )  # fmt: skip
    if all(seen.roles.get(role, "") == column for role, column in chosen.items()):
        return None
    return chosen


def _take(
    corpus: Corpus, name: str, data: bytes, need: Need | None, columns: Mapping[str, str] | None
) -> None:
    try:
        with st.spinner("Looking for the evidence in the documents …"):
            found = read_golden(data, corpus, name, need, columns)
    except OverlapkitError as error:
        st.warning(plain(f"{error}. The questions used before are still there."))
        return
    session.hold_golden(corpus, GoldenUpload(name, data, found, need, columns))
    st.rerun()


def _report(corpus: Corpus, held: GoldenUpload) -> None:
    """Say how many questions are used, and list those that are not."""
    found = held.queries
    used = "" if session.settings().queries == "uploaded" else " (choose them in the sidebar)"
    st.markdown(f"**{number(len(found))} questions** of {plain(held.name)} are ready{used}.")
    if found.unresolved:
        st.markdown(
            f"**Left out: {counted(len(found.unresolved), 'row')}**, never scored as a miss."
        )
        lines = [
            {"Row": one.row, "Id": one.id, "Reason": one.reason, "Nearest text": one.nearest}
            for one in found.unresolved
        ]
        st.dataframe(lines[:_LISTED], hide_index=True)
        st.download_button(
            "Download (CSV)", spreadsheet_csv(lines), "questions-left-out.csv", "text/csv",
            on_click="ignore",
        )  # fmt: skip
    if isinstance(found, GoldenSet) and found.ambiguous:
        many = counted(len(found.ambiguous), "row")
        with st.expander(f"Evidence in several places of one document: {many}"):
            st.caption("Each of the places counts as evidence, and any one of them is enough.")
            st.dataframe(
                [
                    {"Row": one.row, "Id": one.id, "Note": one.mark}
                    for one in found.ambiguous[:_LISTED]
                ],
                hide_index=True,
            )
    _quotes(corpus, found)


def _quotes(corpus: Corpus, found: QuerySet) -> None:
    """Warn where questions repeat the words of what they look for."""
    key = (corpus.digest, found.digest)
    seen = memory.remembered("quoting", key, 4, lambda: quoting(corpus, found))
    for count, what in ((seen.evidence, "their evidence"), (seen.heading, "the heading above it")):
        share = count / max(seen.questions, 1)
        if share >= _QUOTES_TO_WARN:
            st.warning(
                f"{percent(share, 0)} of the questions repeat {what} word for word: a ranking by "
                "words finds such passages more easily than those of real questions."
            )
