"""What there is to work on: the bundled corpora, and what this session uploaded and wrote.

Only what comes from a bundled corpus is shared between sessions.
"""

from dataclasses import dataclass

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.queries import Query, QuerySet
from overlapkit.samples import SAMPLES
from overlapkit.ui.jobs import JobBoard
from overlapkit.ui.memory import tell

OPENING = "handbook"
UPLOAD = "upload"


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What was uploaded: files (name, bytes), a pasted text."""

    files: tuple[tuple[str, bytes], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Uploaded:
    """A corpus that this session uploaded, with what was said about its files.

    ``parts`` is what it was made from, so that it can be read again in other encodings.
    """

    corpus: Corpus
    notes: tuple[str, ...]
    refused: tuple[str, ...]
    encodings: tuple[tuple[str, str], ...]  # guessed, or set by hand
    parts: Parts


@dataclass(frozen=True, slots=True, eq=False)
class GoldenUpload:
    """A golden set that this session uploaded: the file, and what was read from it."""

    name: str
    data: bytes
    queries: QuerySet


@st.cache_resource(max_entries=len(SAMPLES), show_spinner=False)
def bundled(name: str) -> tuple[Corpus, QuerySet]:
    """Return a bundled corpus with its own queries."""
    return SAMPLES[name].load()


def corpus_of(source: str) -> tuple[Corpus, QuerySet | None]:
    """Return the corpus of a source and its own queries, if it has some."""
    if source == UPLOAD:
        held: Uploaded = st.session_state["uploaded"]
        return held.corpus, None
    return bundled(source)


def corpus_in_use() -> Corpus | None:
    """Return the chosen corpus; None while a linked upload is missing."""
    source = st.session_state["source"]
    if source == UPLOAD and "uploaded" not in st.session_state:
        return None
    return corpus_of(source)[0]


def hold(uploaded: Uploaded) -> None:
    """Take an upload in place of the last one, which is kept to go back to."""
    replaced = st.session_state.pop("uploaded", None)
    st.session_state["replaced"] = replaced
    st.session_state["uploaded"] = uploaded
    st.session_state["source"] = UPLOAD
    st.session_state["document"] = None
    st.session_state.pop("shelf_engines", None)
    st.session_state.pop("board", JobBoard()).close()
    missing = st.session_state.pop("missing", None)
    if missing and not uploaded.corpus.digest.startswith(missing["digest"]):
        tell("These files differ from those the link was made with; its settings are kept.")


def golden_of(corpus: Corpus) -> GoldenUpload | None:
    """Return the golden set that this session uploaded for a corpus."""
    held: dict[str, GoldenUpload] = st.session_state.setdefault("golden", {})
    return held.get(corpus.digest)


def written(corpus: Corpus) -> tuple[Query, ...]:
    """Return the questions that were written in this session for a corpus."""
    held: dict[str, tuple[Query, ...]] = st.session_state.setdefault("written", {})
    return held.get(corpus.digest, ())


def write_questions(corpus: Corpus, queries: tuple[Query, ...]) -> None:
    """Hold the questions written for a corpus in place of those before."""
    st.session_state.setdefault("written", {})[corpus.digest] = queries


def golden_sets(source: str) -> dict[str, QuerySet]:
    """Return the golden sets there are for a source, by the names that settings use."""
    corpus, own = corpus_of(source)
    uploaded, here = golden_of(corpus), written(corpus)
    found = shared_sets(own)
    if uploaded is not None:
        found["uploaded"] = uploaded.queries
    if here:
        found["written"] = QuerySet(here, "minimal", "written here")
    return found


def shared_sets(own: QuerySet | None) -> dict[str, QuerySet]:
    """Return the sets that come with a bundled corpus, and so belong to no session."""
    return {} if own is None else {"own": own}
