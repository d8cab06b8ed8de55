"""What there is to work on: the bundled corpora, and what this session uploaded and wrote.

Only what comes from a bundled corpus is shared between sessions. Where the session looks on
as a member of some access groups, what is in use is what such a member may see and be asked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.errors import QueryError
from overlapkit.groups import (
    Labelled,
    label_by_folder,
    label_by_front_matter,
    label_by_manifest,
    labels_notes,
    labels_of,
    member_queries,
    queries_for,
    visible_to,
)
from overlapkit.queries import Query, QuerySet, read_golden
from overlapkit.queries.model import Need
from overlapkit.samples import SAMPLES
from overlapkit.ui.jobs import JobBoard
from overlapkit.ui.memory import remembered, tell
from overlapkit.ui.settings import Settings

OPENING = "handbook"
UPLOAD = "upload"


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What was uploaded: files (name, bytes), a pasted text."""

    files: tuple[tuple[str, bytes], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How documents carry an access group.

    By a manifest (name, bytes) where there is one, else by the folder of a depth, else by
    their front matter.
    """

    depth: int | None = None
    manifest: tuple[str, bytes] | None = None

    def label(self, corpus: Corpus) -> Labelled:
        """Return the corpus with labels; raises InputError for a manifest that cannot be used."""
        if self.manifest is not None:
            name, data = self.manifest
            return label_by_manifest(corpus, data, name)
        if self.depth is not None:
            return label_by_folder(corpus, self.depth)
        return label_by_front_matter(corpus)


@dataclass(frozen=True, slots=True, eq=False)
class Uploaded:
    """A corpus that this session uploaded, with what was said about its files.

    ``parts`` is what it was made from, so that it can be read again in other encodings.
    ``labelling`` says how its documents were labelled, ``labels_told`` what came of it.
    """

    corpus: Corpus
    notes: tuple[str, ...]
    refused: tuple[str, ...]
    encodings: tuple[tuple[str, str], ...]  # guessed, or set by hand
    parts: Parts
    labelling: Labelling | None = None
    labels_told: tuple[str, ...] = ()

    def labelled(self, labelling: Labelling | None) -> "Uploaded":
        """Return the upload with other labels, or without any.

        Raises InputError as ``Labelling.label`` does.
        """
        if labelling is None:
            return replace(self, corpus=without_labels(self.corpus), labelling=None, labels_told=())
        found = labelling.label(self.corpus)
        told = tuple(labels_notes(found))
        return replace(self, corpus=found.corpus, labelling=labelling, labels_told=told)


@dataclass(frozen=True, slots=True, eq=False)
class GoldenUpload:
    """A golden set that this session uploaded: the file, what was read from it, and how.

    ``data`` is empty where only its questions are at hand. ``need`` and ``columns`` are as in
    ``read_golden``.
    """

    name: str
    data: bytes
    queries: QuerySet
    need: Need | None = None
    columns: Mapping[str, str] | None = None

    def read(self, corpus: Corpus) -> QuerySet:
        """Return the file's questions, found in a corpus."""
        return read_golden(self.data, corpus, self.name, self.need, self.columns)


@st.cache_resource(max_entries=len(SAMPLES), show_spinner=False)
def bundled(name: str) -> tuple[Corpus, QuerySet]:
    """Return a bundled corpus with its own queries."""
    return SAMPLES[name].load()


def corpus_of(source: str) -> tuple[Corpus, QuerySet | None]:
    """Return all documents of a source and its own queries, if it has some."""
    if source == UPLOAD:
        held: Uploaded = st.session_state["uploaded"]
        return held.corpus, None
    return bundled(source)


def everything_in_use() -> Corpus | None:
    """Return all documents of the chosen corpus; None while a linked upload is missing."""
    source = st.session_state["source"]
    if source == UPLOAD and "uploaded" not in st.session_state:
        return None
    return corpus_of(source)[0]


def corpus_in_use() -> Corpus | None:
    """Return what may be seen of the chosen corpus; None while a linked upload is missing."""
    corpus, groups = everything_in_use(), asked_as()
    if corpus is None or not groups:
        return corpus
    return remembered("visible", (corpus.digest, groups), 3, lambda: visible_to(corpus, groups))


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
    if missing and not without_labels(uploaded.corpus).digest.startswith(missing["digest"]):
        tell("These files differ from those the link was made with; its settings are kept.")


# --- who is looking on ------------------------------------------------------------------


def asked_as() -> tuple[str, ...]:
    """Return the groups as whose member the session looks on; none for the owner."""
    held: Settings | None = st.session_state.get("settings")
    if held is None or not held.member:
        return ()
    there = groups_in_use()
    return tuple(sorted(group for group in held.member if group in there))


def groups_in_use() -> tuple[str, ...]:
    """Return the groups that the documents of the chosen corpus have."""
    corpus = everything_in_use()
    if corpus is None:
        return ()
    return remembered("labels", corpus.digest, 3, lambda: labels_of(corpus))


def without_labels(corpus: Corpus) -> Corpus:
    """Return the documents without their groups, as they were uploaded."""
    if not labels_of(corpus):
        return corpus
    return Corpus(tuple(replace(document, group=None) for document in corpus.documents))


def _is_part(corpus: Corpus) -> bool:
    """Tell whether a corpus is what a member sees, and leaves out what others see."""
    visible, everything = corpus_in_use(), everything_in_use()
    if visible is None or everything is None:
        return False
    return corpus.digest == visible.digest != everything.digest


# --- questions --------------------------------------------------------------------------


def golden_of(corpus: Corpus) -> GoldenUpload | None:
    """Return the golden set that this session uploaded for a corpus.

    A member has its questions, and not its file.
    """
    if not _is_part(corpus):
        return _golden().get(corpus.digest)
    everything, asked = corpus_of(UPLOAD)[0], _sets_in_use(UPLOAD).get("uploaded")
    if not isinstance(asked, QuerySet):
        return None
    return GoldenUpload(_golden()[everything.digest].name, b"", asked)


def written(corpus: Corpus) -> tuple[Query, ...]:
    """Return the questions that were written in this session for a corpus."""
    if not _is_part(corpus):
        return _written().get(corpus.digest, ())
    asked = _sets_in_use(UPLOAD).get("written")
    return asked.queries if isinstance(asked, QuerySet) else ()


def write_questions(corpus: Corpus, queries: tuple[Query, ...]) -> None:
    """Hold the questions written for a corpus in place of those before.

    What a member writes stands among the questions of all documents.
    """
    if _is_part(corpus):
        everything = corpus_of(UPLOAD)[0]
        seen = {query.id for query in written(corpus)}
        queries = _among(_written().get(everything.digest, ()), seen, queries)
        corpus = everything
    _written()[corpus.digest] = queries


def _among(
    before: tuple[Query, ...], seen: Collection[str], now: tuple[Query, ...]
) -> tuple[Query, ...]:
    """Return questions of which those with the ids ``seen`` are now others.

    Those unseen stay, and so does evidence, which is in part unseen.
    """
    left, kept = {query.id: query for query in now}, []
    for query in before:
        if query.id not in seen:
            kept.append(query)
        elif query.id in left:
            kept.append(replace(left.pop(query.id), evidence=query.evidence))
    used = {query.id for query in kept}
    for query in left.values():
        names = (f"q{number}" for number in count(len(kept) + 1))
        name = query.id if query.id not in used else next(n for n in names if n not in used)
        used.add(name)
        kept.append(replace(query, id=name))
    return tuple(kept)


def _golden() -> dict[str, GoldenUpload]:
    held: dict[str, GoldenUpload] = st.session_state.setdefault("golden", {})
    return held


def _written() -> dict[str, tuple[Query, ...]]:
    held: dict[str, tuple[Query, ...]] = st.session_state.setdefault("written", {})
    return held


def golden_sets(source: str) -> dict[str, QuerySet]:
    """Return the golden sets there are for a source, by the names that settings use."""
    found = _sets_in_use(source)
    return {name: asked for name, asked in found.items() if isinstance(asked, QuerySet)}


def lost_sets(source: str) -> dict[str, str]:
    """Return the golden sets of which a member can be asked nothing, and why."""
    found = _sets_in_use(source) if asked_as() else {}
    return {name: str(error) for name, error in found.items() if isinstance(error, QueryError)}


def shared_sets(own: QuerySet | None) -> dict[str, QuerySet]:
    """Return the sets that come with a bundled corpus, and so belong to no session."""
    return {} if own is None else {"own": own}


def owners_sets(source: str) -> tuple[Corpus, dict[str, QuerySet]]:
    """Return all documents of a source with the golden sets there are for them."""
    corpus, own = corpus_of(source)
    uploaded, here = _golden().get(corpus.digest), _written().get(corpus.digest, ())
    found = shared_sets(own)
    if uploaded is not None:
        found["uploaded"] = uploaded.queries
    if here:
        found["written"] = QuerySet(here, "minimal", "written here")
    return corpus, found


def _sets_in_use(source: str) -> Mapping[str, QuerySet | QueryError]:
    """Return each set there is, as far as whoever looks on can be asked it."""
    corpus, found = owners_sets(source)
    visible, groups = corpus_in_use(), asked_as()
    if visible is None or visible.digest == corpus.digest:
        return found
    return {name: _for_member(name, asked, corpus, groups) for name, asked in found.items()}


def _for_member(
    name: str, asked: QuerySet, corpus: Corpus, groups: tuple[str, ...]
) -> QuerySet | QueryError:
    file = _golden().get(corpus.digest) if name == "uploaded" else None

    def make() -> QuerySet | QueryError:
        try:
            with st.spinner("Looking for what a member can be asked …"):
                if file is not None and file.data:
                    return member_queries(file.read, corpus, groups)
                return queries_for(asked, visible_to(corpus, groups))
        except QueryError as error:  # kept too, or each run of the page would look again
            return error

    key = (corpus.digest, groups, name, asked.digest, file)
    return remembered("member_sets", key, 6, make)
