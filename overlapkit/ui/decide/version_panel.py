"""A second version of a document: what becomes of its chunks, and how to re-index it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import streamlit as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.corpus import Corpus, Document
from overlapkit.cost import Prices, money
from overlapkit.errors import InputError, OverlapkitError
from overlapkit.readers import READERS, read_files
from overlapkit.tokens import count_tokens
from overlapkit.ui.decide.reindex_panel import plan_button, state_of
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.updates import Plan, change_set, chunked, reindex_plan
from overlapkit.updates.sentences import plan_sentences
from overlapkit.words import number

# Characters that are read for the sake of chunks of whole sentences without being asked: a few
# seconds' work.
_MOST_READ = 1_500_000

Line = dict[str, object]


def rivals(spec: ChunkSpec) -> tuple[ChunkSpec, ...]:
    """Return a spec, then its size without overlap and its size in chunks of whole sentences."""
    window = replace(spec, chunker="window", overlap=0, asked_pct=None, phase=0)
    return tuple(dict.fromkeys((spec, window, replace(window, chunker="structure"))))


def short(spec: ChunkSpec) -> str:
    """Return a spec for a table: 800 / 160, or 800 / 0, whole sentences."""
    made_of = "" if spec.chunker == "window" else ", whole sentences"
    return f"{number(spec.size)} / {number(spec.overlap)}{made_of}"


def quick(specs: Iterable[ChunkSpec], characters: int) -> tuple[ChunkSpec, ...]:
    """Return the specs that so many characters can be read for while a page waits."""
    return tuple(one for one in specs if one.chunker == "window" or characters <= _MOST_READ)


@dataclass(frozen=True, slots=True)
class _Second:
    """A second version of a document of a corpus, and what was noticed in reading it."""

    corpus: str
    name: str
    text: str
    notes: tuple[str, ...] = ()


def new_version(work: Workspace, spec: ChunkSpec, prices: Prices) -> None:
    """Take a second version of a document, and show what it changes."""
    corpus = work.engine.corpus
    names = [document.name for document in corpus.documents]
    with st.form("w_upd_second", border=False):
        file = st.file_uploader(
            "Its new text: one file of plain text or Markdown",
            type=[extension.lstrip(".") for extension in READERS], key="w_upd_file",
        )  # fmt: skip
        text = st.text_area("Or paste it", key="w_upd_paste", height=100)
        chosen = st.selectbox(
            "Which document it is", names, index=None, key="w_upd_document",
            placeholder="The one of the file's name",
        )  # fmt: skip
        pressed = st.form_submit_button("Compare", key="w_upd_compare")
    if pressed:
        read = None if file is None else (file.name, file.getvalue())
        try:
            st.session_state["second_version"] = _second(corpus, read, text, chosen)
        except OverlapkitError as error:
            st.warning(plain(f"{error}. What was compared before is kept."))
    held: _Second | None = st.session_state.get("second_version")
    if held is not None and held.corpus == corpus.digest:
        _changes(work, spec, prices, held)


def _second(
    corpus: Corpus, file: tuple[str, bytes] | None, text: str, chosen: str | None
) -> _Second:
    if file is not None:
        reading = read_files([file])
        if not reading.documents:
            raise InputError("; ".join(reading.refused))
        name = chosen or _document_of(file[0], corpus)
        return _Second(corpus.digest, name, reading.documents[0].text, reading.notes)
    if not text.strip():
        raise InputError("a comparison needs a new text; got none: choose a file or paste it")
    if chosen is None:
        raise InputError("a pasted text has no name: choose which document it is")
    return _Second(corpus.digest, chosen, text)


def _document_of(name: str, corpus: Corpus) -> str:
    """Return the document of a file's name, which browsers give without its folder."""
    names = [document.name for document in corpus.documents]
    found = [one for one in names if name in (one, PurePosixPath(one).name)]
    if name in found:
        return name
    if len(found) != 1:
        many = f"{number(len(found))} documents are" if found else "no document is"
        raise InputError(f"{many} called {name}: choose which one it is")
    return found[0]


def _changes(work: Workspace, spec: ChunkSpec, prices: Prices, held: _Second) -> None:
    """Show what becomes of a document's chunks, and offer the plan."""
    corpus, encoding = work.engine.corpus, work.settings.encoding
    before = next(one for one in corpus.documents if one.name == held.name)
    after = replace(before, text=held.text)
    every = rivals(spec)
    specs = tuple(dict.fromkeys((spec, *quick(every, len(before.text) + len(after.text)))))

    def compare() -> tuple[Plan, list[Line]]:
        old, own = state_of(work, spec), chunked(after, spec)
        documents = (own if one.name == held.name else one for one in old.documents)
        plan = reindex_plan(old, replace(old, documents=tuple(documents)))
        return plan, [_change(before, after, one, prices, encoding) for one in specs]

    with st.spinner("Comparing the versions …"):
        key = (corpus.digest, held, specs, prices, encoding)
        plan, lines = remembered("changes", key, 2, compare)
    st.markdown(f"**{plain(held.name)}**: {plain(plan_sentences(plan))}")
    for note in held.notes:
        st.text(note)
    st.caption(
        f"{number(len(before.text))} characters before, {number(len(after.text))} after. Of the "
        "chunks of this document:"
    )
    st.table(lines, hide_index=True, border="horizontal")
    if specs != every:
        st.caption("Chunks of whole sentences are left out: the two texts are long to read.")
    plan_button(plan, "w_upd_version_plan")


def _change(
    before: Document, after: Document, spec: ChunkSpec, prices: Prices, encoding: str
) -> Line:
    """Return what becomes of a document's chunks under a spec, as a line of a table."""
    new = chunked(after, spec)
    found = change_set(chunked(before, spec), new)
    spans = [(int(new.start[at]), int(new.end[at])) for at in found.embedded]
    tokens = int(count_tokens([after.text[a:b] for a, b in spans], encoding).sum())
    return {
        "Size / overlap": plain(short(spec)),
        "Chunks": number(len(new.ids)),
        "To embed": number(len(found.embedded)),
        "Reused": number(len(found.reused)),
        "Vanished": number(len(found.vanished)),
        "Tokens": number(tokens),
        "Price": plain(money(tokens * prices.per_million_tokens / 1e6)),
    }
