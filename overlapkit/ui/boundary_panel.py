"""The boundary view of one document, and the ledger of its evidence."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import streamlit as st

from overlapkit.boundaries import STATES, LedgerLine, State, ledger, tally
from overlapkit.chunkers import ChunkSpec
from overlapkit.chunkers.spans import Units
from overlapkit.queries import Evidence
from overlapkit.structure import Blocks, blocks
from overlapkit.ui import memory
from overlapkit.ui.boundary_view import (
    ChunkOverlay,
    ChunkRanges,
    DocumentView,
    EvidenceSpan,
    Goto,
    Offsets,
    Side,
    WindowSetting,
    chunk_overlay,
    document_view,
    encode_document,
)
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.tables import counts
from overlapkit.ui.today import Cutting, base_cutting, upload_number
from overlapkit.words import counted, number, setting

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
    beside: bool = False,
) -> None:
    """Show a document with the chosen chunks over it, and ``beside`` it those of the baseline.

    ``picks`` gets the document's name and the stretch of it that the reader handed on.
    """
    name = work.engine.corpus.documents[doc].name

    def view(side: Side | None) -> None:
        document_view(
            _encoded(work, doc, height, picks is not None, side),
            key=f"{key}_{side or 'text'}", on_pick=picks and partial(picks, name),
        )  # fmt: skip

    if beside:
        left, right = st.columns(2)
        with left:
            view("baseline")
        with right:
            view("chosen")
    else:
        view(None)
    chunk_overlay(_overlay(work, doc), key=f"carry_{key}_chunks")


def _encoded(work: Workspace, doc: int, height: int, picks: bool, side: Side | None) -> bytes:
    """Return a view's data, made once: no setting but the unit has a part in it."""
    now, engine = work.settings, work.engine
    identity = _identity(work, doc)

    def encode() -> bytes:
        document = engine.corpus.documents[doc]
        view = DocumentView(
            identity, document.name, document.text, _evidence(work, document.name),
            now.unit, *_units(engine.units(now.unit, now.encoding), doc), _blocks(work, doc),
        )  # fmt: skip
        return encode_document(view, height=height, picks=picks, side=side)

    key = (identity, now.unit, now.encoding, height, picks, side)
    return memory.remembered("views", key, 6, encode)


def _evidence(work: Workspace, document: str) -> tuple[EvidenceSpan, ...]:
    return tuple(
        EvidenceSpan(query.id, span.start, span.end, query.text)
        for query in work.engine.queries
        for span in query.evidence
        if span.document == document
    )


def _units(units: Units, doc: int) -> tuple[Offsets, Offsets]:
    """Return where a document's words or tokens start and end; nothing for characters."""
    if units.starts is None or units.ends is None:
        return (), ()
    part = slice(units.first[doc], units.first[doc + 1])
    return units.starts[part] - units.base[doc], units.ends[part] - units.base[doc]


def _overlay(work: Workspace, doc: int) -> ChunkOverlay:
    now, before = work.settings, base_cutting(work)
    identity, goto = _identity(work, doc), st.session_state.get("goto")
    return ChunkOverlay(
        identity,
        WindowSetting(setting(now.spec), now.size, now.overlap),
        _baseline(before, doc, moves=now.pinned is None),
        Goto(goto["offset"], goto["nonce"]) if goto and goto["document"] == identity else None,
        now.unit,
    )


def _baseline(cutting: Cutting, doc: int, *, moves: bool) -> WindowSetting | ChunkRanges:
    """Return what the chosen chunks are held against; ``moves`` tells 0% from a pinned setting."""
    source = cutting.source
    if isinstance(source, ChunkSpec):
        return WindowSetting(cutting.name, source.size, source.overlap, same_size=moves)
    part = source.of_document(doc)
    return ChunkRanges(cutting.name, source.start[part], source.end[part])


def _identity(work: Workspace, doc: int | None) -> str:
    """Return what joins a text to what lies over it."""
    return f"{work.engine.corpus.digest[:16]} {work.engine.queries.digest[:16]} {doc}"


def _blocks(work: Workspace, doc: int) -> Blocks:
    """Return a document's parts, read once per session and text."""
    document = work.engine.corpus.documents[doc]
    key = (work.engine.corpus.digest, doc)
    return memory.remembered("blocks", key, 8, lambda: blocks(document))


def ledger_sentence(work: Workspace) -> str:
    """Say what the chosen setting repairs and cuts; nothing for questions on whole sections."""
    if work.engine.queries.kind == "extent":
        return ""
    found = tally(_lines(work, None))
    all_of_it = counted(sum(found.values()), "piece")
    return (
        f"From {base_cutting(work).name} to {setting(work.settings.spec)}: "
        f"**{number(found['repaired'])} repaired, {number(found['newly cut'])} newly cut**, "
        f"{number(found['still cut'])} still cut of {all_of_it} of evidence."
    )


def _lines(work: Workspace, only: str | None) -> tuple[LedgerLine, ...]:
    base, now = base_cutting(work), work.settings.spec
    key = (work.key, base.name, upload_number(work), now, only)
    return memory.remembered(
        "ledgers", key, 6, lambda: ledger(work.engine, base.chunks(work.engine), now, only)
    )


def ledger_panel(work: Workspace) -> None:
    """Show what became of each evidence span; a click goes to its place."""
    if work.engine.queries.kind == "extent":
        st.info(
            "Headings ask for whole sections, which are mostly longer than a chunk, so a ledger "
            "of whole and cut evidence would say nothing here."
        )
        return
    st.markdown("## What became of each piece of evidence")
    only = st.session_state.get("w_document") if st.toggle("This document only") else None
    lines = _lines(work, only)
    found = tally(lines)
    line = st.container(horizontal=True, gap="large")  # wraps where there is little room
    for state in STATES:
        line.metric(
            state.capitalize(), number(found[state]), help=_MEANINGS[state], width="content"
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
        key=memory.key_of("w_ledger", work.key, frame["State"], frame["From"]),
        column_config=counts("From", "Length", "Chunks that hold it"),
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
