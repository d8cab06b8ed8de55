"""The boundary view of one document, and the ledger of its evidence."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import streamlit as st

from overlapkit.boundaries import STATES, LedgerLine, State, cuts, ledger, tally
from overlapkit.queries import Evidence
from overlapkit.structure import Blocks, blocks
from overlapkit.ui import session
from overlapkit.ui.boundary_view import (
    ChunkOverlay,
    ChunkRanges,
    DocumentView,
    EvidenceSpan,
    Goto,
    chunk_overlay,
    document_view,
)
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.today import Cutting, base_cutting
from overlapkit.wording import number, setting

MOST_DRAWN = 20_000  # chunks that the browser is sent with one move of a slider

_MEANINGS: dict[State, str] = {
    "whole in both": "some chunk holds it under either setting",
    "repaired": "cut before, whole now",
    "newly cut": "whole before, cut now: overlap moves the cuts",
    "still cut": "cut under either setting",
    "longer than the chunk": "no overlap can help: choose a larger size",
}


def pick_document(work: Workspace) -> int:
    """Let the reader choose a document; the choice is part of the link."""
    names = [document.name for document in work.engine.corpus.documents]
    held = st.session_state.get("document")
    if held and held not in names:
        st.caption(f"No document is called {plain(held[:80])} here; another is shown.")
    if held not in names:  # the one with the most evidence has the most to show
        counts = Counter(e.document for query in work.engine.queries for e in query.evidence)
        held = max(names, key=lambda name: counts[name])
    st.session_state["w_document"] = held

    def chosen() -> None:
        st.session_state["document"] = st.session_state["w_document"]

    st.selectbox("Document", names, key="w_document", on_change=chosen)
    return names.index(st.session_state["w_document"])


def boundary_panel(
    work: Workspace,
    doc: int,
    *,
    key: str,
    height: int,
    picks: Callable[[str, int, int], None] | None = None,
) -> None:
    """Show a document with the chosen chunks over it.

    ``picks`` gets the document's name and the stretch of it that the reader handed on.
    """
    document = work.engine.corpus.documents[doc]
    now, before = work.settings.spec, base_cutting(work)
    chosen = work.engine.chunk(now)
    lines = ledger(work.engine, before.chunks, now, document.name)
    identity = _identity(work, doc)
    view = DocumentView(
        identity,
        document.name,
        document.text,
        tuple(
            EvidenceSpan(line.query.id, line.span.start, line.span.end, line.query.text)
            for line in lines
        ),
    )
    document_view(
        view, key=f"{key}_text", height=height, on_pick=picks and partial(picks, document.name)
    )
    shown = _ranges(Cutting(setting(now), chosen), doc)
    compared = _ranges(before, doc)
    if len(shown.starts) + len(compared.starts) > MOST_DRAWN:
        st.info(
            f"{number(len(shown.starts))} chunks in this document are too many to draw over it: "
            "choose a larger step. All figures still count them."
        )
        return
    found = cuts(
        document,
        chosen.start[chosen.of_document(doc)],
        chosen.end[chosen.of_document(doc)],
        _blocks(work, doc),
        [line.span for line in lines],
    )
    goto = st.session_state.get("goto")
    overlay = ChunkOverlay(
        identity,
        shown,
        found,
        tuple(line.state for line in lines),
        compared,
        Goto(goto["offset"], goto["nonce"]) if goto and goto["document"] == identity else None,
    )
    chunk_overlay(overlay, key=f"{key}_chunks")


def _identity(work: Workspace, doc: int | None) -> str:
    """Return what joins a text to what lies over it."""
    return f"{work.engine.corpus.digest[:16]} {work.engine.queries.digest[:16]} {doc}"


def _ranges(cutting: Cutting, doc: int) -> ChunkRanges:
    chunks = cutting.chunks
    part = chunks.of_document(doc)
    return ChunkRanges(cutting.name, chunks.start[part], chunks.end[part])


def _blocks(work: Workspace, doc: int) -> Blocks:
    """Return a document's parts, read once per session and text."""
    document = work.engine.corpus.documents[doc]
    key = (work.engine.corpus.digest, doc)
    return session.remembered("blocks", key, 8, lambda: blocks(document))


def ledger_panel(work: Workspace) -> None:
    """Show what became of each evidence span; a click goes to its place."""
    if work.engine.queries.kind == "extent":
        st.info(
            "Headings ask for whole sections, which are mostly longer than a chunk, so a ledger "
            "of whole and cut evidence would say nothing here."
        )
        return
    base, now = base_cutting(work), work.settings.spec
    only = st.session_state.get("w_document") if st.toggle("This document only") else None
    lines = ledger(work.engine, base.chunks, now, only)
    counts = tally(lines)
    st.markdown(
        f"## From {base.name} to {setting(now)}: "
        f"{number(counts['repaired'])} repaired, {number(counts['newly cut'])} newly cut"
    )
    line = st.container(horizontal=True, gap="large")  # wraps where there is little room
    for state in STATES:
        line.metric(
            state.capitalize(), number(counts[state]), help=_MEANINGS[state], width="content"
        )
    wanted = st.pills(
        "Show", STATES, default=None, selection_mode="multi", key="w_states",
        help="Choose states to list; none chosen lists all but those whole in both.",
    )  # fmt: skip
    states = wanted or [state for state in STATES if state != "whole in both"]
    listed = [line for line in lines if line.state in states]
    _table(work, listed)


def _table(work: Workspace, lines: list[LedgerLine]) -> None:
    if not lines:
        st.caption("No evidence is in these states.")
        return
    shown = lines[:500]
    frame = {
        "State": [line.state for line in shown],
        "Question": [line.query.text for line in shown],
        "Document": [line.span.document for line in shown],
        "From": [line.span.start for line in shown],
        "Length": [line.span.end - line.span.start for line in shown],
        "Chunks that hold it": [line.chunks for line in shown],
    }
    event = st.dataframe(
        frame, hide_index=True, on_select="rerun", selection_mode="single-row",
        key=session.key_of("w_ledger", work.key, frame["State"], frame["From"]),
    )  # fmt: skip
    if len(lines) > len(shown):
        st.caption(f"The first {number(len(shown))} of {number(len(lines))}.")
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(shown):
        _go(work, shown[rows[0]])


def _go(work: Workspace, line: LedgerLine) -> None:
    """Send the view to a span, once for each new choice."""
    if send_to(work, line.query.id, line.span):
        st.rerun()


def send_to(work: Workspace, query: str, span: Evidence) -> bool:
    """Let the view show a query's span when it is drawn next; False where it does already."""
    doc = work.engine.corpus.position(span.document)
    nonce = f"{query} {span.start} {_identity(work, doc)}"
    held = st.session_state.get("goto")
    if held and held["nonce"] == nonce:
        return False
    goto = {"document": _identity(work, doc), "offset": span.start, "nonce": nonce}
    st.session_state["goto"] = goto
    st.session_state["document"] = span.document
    return True
