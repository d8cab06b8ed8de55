"""The parts of Corpus: upload, paste, what was read, what was refused."""

from collections.abc import Mapping

import streamlit as st

from overlapkit.corpus import Corpus, Document, duplicate_texts
from overlapkit.errors import OverlapkitError
from overlapkit.readers import SUPPORTED, corpus_of_reading, read_files
from overlapkit.readers.names import GivenNames
from overlapkit.samples import SAMPLES
from overlapkit.ui import memory, sources
from overlapkit.ui.shell import notices, plain
from overlapkit.ui.sources import Parts, Uploaded
from overlapkit.ui.tables import counts
from overlapkit.words import counted, number

ROWS = 500  # of a table, at a time
ENCODINGS = (
    "utf-8", "cp1252", "cp1250", "cp1251", "cp1254", "shift_jis", "euc_jp", "gb18030", "big5",
    "euc_kr", "utf-16",
)  # fmt: skip


def upload() -> None:
    """Take files, or a pasted text, in place of what was uploaded before."""
    with st.form("upload", border=True):
        files = st.file_uploader(
            "Documents: text, Markdown, or a zip of them",
            type=[extension.lstrip(".") for extension in SUPPORTED],
            accept_multiple_files=True, key="w_files",
        )  # fmt: skip
        text = st.text_area("Or paste a text (Markdown)", key="w_paste", height=120)
        if st.form_submit_button("Load"):
            held = tuple((file.name, file.getvalue()) for file in files or [])
            _load(Parts(held, text), {})
        st.caption("Nothing is read before you press Load.")


def _load(parts: Parts, encodings: Mapping[str, str]) -> None:
    """Take what was uploaded as the corpus; where it cannot be, nothing is lost."""
    reading = read_files(parts.files, encodings=encodings)
    documents = list(reading.documents)
    if parts.text.strip():
        names = GivenNames(document.name for document in documents)
        documents.append(Document(names.give("pasted.md"), parts.text))
    try:
        if not documents:
            corpus_of_reading(reading)  # says why there is nothing, in one sentence
        read_as = tuple({**encodings, **dict(reading.guesses)}.items())
        told = (tuple(reading.notes), tuple(reading.refused), read_as)
        uploaded = _with_labels(Uploaded(Corpus(tuple(documents)), *told, parts), encodings)
    except OverlapkitError as error:
        memory.tell(f"{error}. What was loaded before is still there.")
        for refused in reading.refused:
            memory.tell(refused)
        notices()
        return
    if encodings and len(reading.documents) < len(st.session_state["uploaded"].corpus.documents):
        memory.tell("; ".join(reading.refused) + ". What was loaded before is still there.")
        notices()
        return
    sources.hold(uploaded)
    st.rerun()


def _with_labels(uploaded: Uploaded, encodings: Mapping[str, str]) -> Uploaded:
    """Return an upload, labelled as before where only its encodings are others."""
    before: Uploaded | None = st.session_state.get("uploaded")
    return uploaded.labelled(before.labelling) if encodings and before is not None else uploaded


def overview(corpus: Corpus) -> None:
    """Say what the corpus in use holds, and list its documents."""
    source = st.session_state["source"]
    name = SAMPLES[source].label if source in SAMPLES else "Your upload"
    st.markdown(
        f"## {name}: {number(len(corpus.documents))} documents, "
        f"{number(corpus.characters)} characters"
    )
    if source in SAMPLES:
        st.caption(f"{SAMPLES[source].about.capitalize()}.")
    elif not sources.asked_as():  # what was said of files may name any of them
        _reading_report(st.session_state["uploaded"])
    shown = corpus.documents[:ROWS]
    st.dataframe(
        {
            "Document": [document.name for document in shown],
            "Characters": [len(document.text) for document in shown],
            "Words": [len(document.text.split()) for document in shown],
        },
        hide_index=True,
        column_config=counts("Characters", "Words"),
    )  # fmt: skip
    if len(corpus.documents) > len(shown):
        st.caption(f"The first {number(ROWS)} of {number(len(corpus.documents))}.")
    _pairs(corpus)


def _reading_report(uploaded: Uploaded) -> None:
    before: Uploaded | None = st.session_state.get("replaced")
    if before is not None:
        st.button(
            f"Go back to the upload before: {counted(len(before.corpus.documents), 'document')}",
            key="w_upload_undo", on_click=sources.hold, args=(before,),
        )  # fmt: skip
    for sentence in uploaded.refused:
        st.warning(plain(sentence))
    if uploaded.notes:
        with st.expander(f"{len(uploaded.notes)} notes on reading"):
            for sentence in uploaded.notes:
                st.text(sentence)
    _encodings(uploaded)


def _encodings(uploaded: Uploaded) -> None:
    """Show the guessed encodings and let each be set by hand."""
    if not uploaded.encodings:
        return
    title = f"{len(uploaded.encodings)} encodings were guessed or set by hand"
    with st.expander(title, expanded=True):
        chosen = dict(uploaded.encodings)
        for index, (name, guess) in enumerate(uploaded.encodings[:50]):
            choices = [guess, *(name for name in ENCODINGS if name != guess)]
            chosen[name] = st.selectbox(plain(name), choices, key=f"w_encoding_{index}")
        if st.button("Read again"):
            _load(uploaded.parts, chosen)


def _pairs(corpus: Corpus) -> None:
    pairs = duplicate_texts(corpus)
    if pairs:
        st.warning(f"{number(len(pairs))} documents repeat the text of another:")
        st.dataframe(
            {"Repeats": [b for _, b in pairs[:ROWS]], "Of": [a for a, _ in pairs[:ROWS]]},
            hide_index=True,
        )
