"""Keep a session's work in a file, and take it up again from there."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from overlapkit.errors import OverlapkitError
from overlapkit.readers.reading import listing
from overlapkit.report import spreadsheet_csv
from overlapkit.samples import SAMPLES
from overlapkit.ui import resume, session, sources, today
from overlapkit.ui.decide import keeping
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import to_params
from overlapkit.ui.shell import plain
from overlapkit.ui.sources import Parts
from overlapkit.words import counted, number
from overlapkit.workspace import SavedWorkspace, read_workspace, workspace_of, write_workspace

_LISTED = 500
# Above it a file with the texts could be too large to be uploaded again.
_MOST_CHARACTERS = 40_000_000


def settle() -> None:
    """Take up a workspace that waits for its texts, where they have come."""
    session.settings()
    saved: SavedWorkspace | None = st.session_state.get("waiting_workspace")
    found = None if saved is None else resume.place(saved)
    if saved is not None and found is not None:
        resume.take_up(saved, *found)


def waiting_notice() -> None:
    """Say what a workspace that was opened still waits for."""
    saved: SavedWorkspace | None = st.session_state.get("waiting_workspace")
    if saved is None:
        return
    other = resume.candidate(saved)
    if other is None:
        files = saved.needed_files
        these = "this file" if len(files) == 1 else f"these {number(len(files))} files"
        st.info(
            f"The workspace needs its texts. Upload {these} again: {plain(listing(files))}. Its "
            "questions, settings, pin and document are used as soon as the same texts are here."
        )
    else:
        for sentence in resume.differences(saved, other[1]):
            st.warning(plain(sentence))
    line = st.container(horizontal=True)
    if other is not None and line.button("Go on with these texts", key="w_workspace_go"):
        with st.spinner("Looking for the evidence in the documents …"):
            resume.take_up(saved, *other)
        st.rerun()
    if line.button("Leave the workspace", key="w_workspace_leave"):
        del st.session_state["waiting_workspace"]
        st.rerun()


def workspace_panel(work: Workspace | None) -> None:
    """Offer the work as a file, and take such a file."""
    st.markdown("## Keep and resume this work")
    if work is not None:
        _download(work)
    with st.form("w_workspace", border=True):
        file = st.file_uploader("A workspace file", type=["json"], key="w_workspace_file")
        if st.form_submit_button("Re-open") and file is not None:
            _open(file.getvalue())
    if work is not None:
        _report(work)


# --- keeping ----------------------------------------------------------------------------


def _download(work: Workspace) -> None:
    corpus, held = work.engine.corpus, today.given_of(work.engine.corpus)
    st.caption(
        "One file holds the questions, settings, pin and document, and by what your texts are "
        "known again. Files of chunks and runs are not in it: they are to be uploaded again."
    )
    large = corpus.characters > _MOST_CHARACTERS
    texts = st.checkbox(
        "With the texts", key="w_workspace_texts", disabled=large,
        help="Then the file is all it takes to go on. Without, no document's text is in it."
        + (f" Not offered above {number(_MOST_CHARACTERS)} characters." if large else ""),
    )  # fmt: skip
    st.download_button(
        "Download the workspace (JSON)", _content(work, held, texts and not large),
        "overlapkit-workspace.json", "application/json", on_click="ignore",
        key="w_workspace_download",
    )  # fmt: skip


def _content(work: Workspace, held: today.GivenUpload | None, texts: bool) -> Callable[[], str]:
    """Return the function that makes the file when it is asked for, from what is here now."""
    saved = saved_of(work, held, texts)
    return lambda: write_workspace(saved())


def saved_of(
    work: Workspace, held: today.GivenUpload | None, texts: bool
) -> Callable[[], SavedWorkspace]:
    """Return the function that makes the workspace, from what is here now."""
    corpus, bundled = work.engine.corpus, work.source in SAMPLES
    golden, written = sources.golden_of(corpus), sources.written(corpus)
    # What a member hands over names no file: it may be one that they may not see.
    theirs = bundled or bool(sources.asked_as())
    parts = Parts() if theirs else st.session_state["uploaded"].parts
    document = st.session_state.get("document")
    resumed: resume.Resumed | None = st.session_state.get("resumed")
    other = resumed.other if resumed is not None and resumed.corpus == corpus.digest else ()
    fields = {**dict(other), **keeping.fields_of(work)}

    def make() -> SavedWorkspace:
        return workspace_of(
            corpus,
            work.whole,
            to_params(work.settings),
            bundled=work.source if bundled else None,
            files=_files(parts),
            uploaded=None if golden is None else golden.queries,
            written=written,
            document=document,
            chunks=held.chunks.source if held is not None and held.chunks else None,
            run=held.run[0] if held is not None and held.run else None,
            other=tuple(fields.items()),
            texts=texts,
        )

    return make


def _files(parts: Parts) -> tuple[str, ...]:
    pasted = ("the pasted text",) if parts.text.strip() else ()
    return (*(name for name, _ in parts.files), *pasted)


# --- resuming ---------------------------------------------------------------------------


def _open(data: bytes) -> None:
    """Take up a workspace file, or let it wait for its texts; a bad one changes nothing."""
    try:
        with st.spinner("Reading the workspace …"):
            saved = read_workspace(data)
            found = resume.place(saved)
    except OverlapkitError as error:
        st.warning(plain(f"{error}. Nothing was changed."))
        return
    if found is None:
        st.session_state["waiting_workspace"] = saved
    else:
        resume.take_up(saved, *found)
    st.rerun()


def _report(work: Workspace) -> None:
    """Say what was taken up, list what was left out, and offer the way back."""
    resumed: resume.Resumed | None = st.session_state.get("resumed")
    if resumed is None or resumed.corpus != work.engine.corpus.digest:
        return
    if resumed.expected not in (None, work.whole.digest):
        made = "The questions in use differ from those of then: they are made in another way now."
        resumed = replace(resumed, told=(*resumed.told, made))
    resumed = st.session_state["resumed"] = replace(resumed, expected=None)
    st.success(plain(" ".join(resumed.told)))
    if resumed.left_out:
        many = counted(len(resumed.left_out), "question")
        st.markdown(f"**Left out: {many}** whose evidence is not in these texts.")
        lines = [
            {"Question": one.row, "Id": one.id, "Reason": one.reason} for one in resumed.left_out
        ]
        st.dataframe(lines[:_LISTED], hide_index=True)
        st.download_button(
            "Download (CSV)", spreadsheet_csv(lines), "questions-not-carried.csv", "text/csv",
            on_click="ignore",
        )  # fmt: skip
    if resume.untouched(resumed):
        st.button("Undo the re-opening", key="w_workspace_undo", on_click=resume.undo)
