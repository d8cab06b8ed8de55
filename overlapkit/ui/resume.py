"""Take up a workspace in this session: where its texts are, what is used of it, the way back."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.queries import Unresolved
from overlapkit.readers.reading import listing
from overlapkit.ui import memory, session, sources, today
from overlapkit.ui.decide import keeping
from overlapkit.ui.jobs import JobBoard
from overlapkit.ui.settings import Settings, from_params
from overlapkit.ui.sources import UPLOAD, GoldenUpload, Parts, Uploaded
from overlapkit.words import counted
from overlapkit.workspace import Carried, SavedWorkspace, carry_questions, changed_documents


@dataclass(frozen=True, slots=True, eq=False)
class Resumed:
    """A workspace that was taken up: what to say of it, and the way back.

    ``expected`` is the digest that its questions had, until it has been looked at.
    """

    told: tuple[str, ...]
    left_out: tuple[Unresolved, ...]
    other: tuple[tuple[str, str], ...]
    corpus: str
    before: Mapping[str, object]
    after: Mapping[str, object]
    expected: str | None


def place(saved: SavedWorkspace) -> tuple[str, Corpus] | None:
    """Return the source and corpus of a workspace, where its texts are here."""
    held = _held()
    if saved.bundled is not None:
        corpus, _ = sources.corpus_of(saved.bundled)
        if corpus.digest == saved.corpus_digest:
            return saved.bundled, corpus
    if held is not None and held.digest == saved.corpus_digest:
        return UPLOAD, held
    inside = saved.corpus()
    return None if inside is None else (UPLOAD, inside)


def candidate(saved: SavedWorkspace) -> tuple[str, Corpus] | None:
    """Return the source and corpus that a workspace may mean, though the texts differ."""
    if saved.bundled is not None:
        return saved.bundled, sources.corpus_of(saved.bundled)[0]
    held = _held()
    names = {document.name for document in saved.documents}
    if held is None or not any(document.name in names for document in held.documents):
        return None
    return UPLOAD, held


def _held() -> Corpus | None:
    return sources.corpus_of(UPLOAD)[0] if "uploaded" in st.session_state else None


def differences(saved: SavedWorkspace, corpus: Corpus) -> list[str]:
    """Return what differs from the texts of the workspace, in sentences."""
    found = memory.remembered(
        "differences", (corpus.digest, saved.corpus_digest), 1,
        lambda: changed_documents(saved, corpus),
    )  # fmt: skip
    sentences = []
    if found.changed:
        verb = "has" if len(found.changed) == 1 else "have"
        sentences.append(
            f"{listing(found.changed)} {verb} changed since: evidence in "
            f"{'it' if verb == 'has' else 'them'} may have moved."
        )
    if found.missing:
        sentences.append(f"Missing here: {listing(found.missing)}.")
    if found.added:
        sentences.append(f"New here: {listing(found.added)}.")
    sentences.append(
        "Upload the texts of then, or go on with these: questions whose evidence still stands in "
        "its document are kept, the others are listed as left out."
    )
    return sentences


def take_up(saved: SavedWorkspace, source: str, corpus: Corpus) -> None:
    """Work on a corpus with all that a workspace holds."""
    before = _snapshot()
    carried = carry_questions(saved, corpus)
    held = _held()
    if source == UPLOAD and (held is None or held.digest != corpus.digest):
        sources.hold(Uploaded(corpus, (), (), (), Parts()))
    if carried.uploaded is not None:
        golden = carried.uploaded
        session.hold_golden(corpus, GoldenUpload(golden.source, b"", golden))
    if carried.written:
        sources.write_questions(corpus, carried.written)
    chosen, ignored = from_params({name: [value] for name, value in saved.settings})
    for sentence in ignored:
        memory.tell(sentence.replace("link", "file", 1))
    known = any(document.name == saved.document for document in corpus.documents)
    _work_on(source, chosen, saved.document if known else None)
    keeping.take_up(saved, corpus)
    st.session_state.pop("waiting_workspace", None)
    same = corpus.digest == saved.corpus_digest
    st.session_state["resumed"] = Resumed(
        _said(saved, corpus, carried),
        carried.left_out,
        saved.other,
        corpus.digest,
        before,
        _snapshot(),
        saved.query_digest if same else None,
    )


def _said(saved: SavedWorkspace, corpus: Corpus, carried: Carried) -> tuple[str, ...]:
    """Return what was taken up, and what is to be brought again."""
    golden = 0 if carried.uploaded is None else len(carried.uploaded)
    what = [counted(len(corpus.documents), "document")]
    if golden:
        what.append(f"{counted(golden, 'question')} of a golden set")
    if carried.written:
        what.append(f"{counted(len(carried.written), 'question')} written here")
    sentences = [f"Re-opened: {', '.join(what)}, with the settings of then."]
    if carried.moved:
        moved = counted(carried.moved, "question")
        sentences.append(f"The evidence of {moved} stands elsewhere now and was found again.")
    again = [name for name in (saved.chunks, saved.run) if name is not None]
    if again and today.given_of(corpus) is None:
        sentences.append(f"Upload on Your splitter again: {', '.join(again)}.")
    return tuple(sentences)


def untouched(resumed: Resumed) -> bool:
    """Tell whether nothing was uploaded or written since, which going back would lose."""
    now = _snapshot()
    return all(
        (now.get(name) or None) == (resumed.after.get(name) or None)
        for name in ("uploaded", "golden", "written")
    )


def undo() -> None:
    """Work on what was there before a workspace was taken up."""
    _restore(st.session_state.pop("resumed").before)


# --- what a session works on -------------------------------------------------------------

_RESUMED = (
    "settings", "source", "document", "uploaded", "golden", "written", "missing", "declared",
)  # fmt: skip


def _snapshot() -> dict[str, object]:
    """Return what this session works on, to be taken up again by ``_restore``."""
    held = {name: st.session_state[name] for name in _RESUMED if name in st.session_state}
    return {name: dict(one) if isinstance(one, dict) else one for name, one in held.items()}


def _restore(held: Mapping[str, object]) -> None:
    """Work on what a snapshot holds."""
    for name in _RESUMED:
        st.session_state.pop(name, None)
    for name, one in held.items():
        st.session_state[name] = dict(one) if isinstance(one, dict) else one
    st.session_state.pop("shelf_engines", None)
    st.session_state.pop("board", JobBoard()).close()


def _work_on(source: str, chosen: Settings, document: str | None) -> None:
    """Work on a source that is here, with other settings."""
    st.session_state["source"] = source
    st.session_state["settings"] = chosen
    st.session_state["document"] = document
    st.session_state.pop("missing", None)
