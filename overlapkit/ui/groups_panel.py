"""Access groups on the page Corpus: labels for an upload, and what a member sees instead."""

from collections.abc import Hashable, MutableMapping
from dataclasses import replace

import streamlit as st

from overlapkit.errors import OverlapkitError
from overlapkit.groups import group_table, groups_sentence, labels_of
from overlapkit.readers.reading import listing
from overlapkit.samples import SAMPLES
from overlapkit.ui import corpus_panels, memory, session, sources, today
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.sources import Labelling, Uploaded
from overlapkit.ui.tables import counts
from overlapkit.ui.units_panel import units_panel
from overlapkit.words import counted, sentence_case

_DEEPEST = 20  # folders
_IN_A_SENTENCE = 6  # groups, before a table alone names them
_WAYS = {
    "none": "not at all",
    "folder": "by its folder",
    "front matter": "by its front matter",
    "manifest": "by a table (CSV)",
}


def groups_panel() -> None:
    """Let the documents of an upload be labelled, and show what each group covers."""
    st.markdown("## Access groups")
    if st.session_state["source"] in SAMPLES:
        st.caption(
            "Where people may see only some documents, label them and see every page as a member "
            "of a group does. Labels need an upload of your own."
        )
        return
    st.caption(
        "Where people may see only some documents, give each its group. The sidebar then shows "
        "every page as members of a group see it: ranked, scored and counted among their "
        "documents alone."
    )
    uploaded: Uploaded = st.session_state["uploaded"]
    asked = session.settings().member
    if asked and not labels_of(uploaded.corpus):
        st.info(plain(f"The link asks as a member of {listing(asked)}: label the documents first."))
    _choice(uploaded)
    _report(uploaded)


def member_page(work: Workspace) -> None:
    """Show a member its documents, and none of what is the owner's."""
    st.info(
        "Uploads, golden sets, labels and the workspace file are the owner's: choose no group in "
        "the sidebar to come back to them."
    )
    corpus_panels.overview(work.engine.corpus)
    units_panel(work)


# --- labelling --------------------------------------------------------------------------


def _choice(uploaded: Uploaded) -> None:
    """Let a way to label be chosen, and take it on request."""
    ways = list(_WAYS)
    way = st.radio(
        "How a document gets its group", ways, index=ways.index(_way_of(uploaded.labelling)),
        format_func=_WAYS.__getitem__, horizontal=True,
        key=memory.key_of("w_labelling", uploaded.corpus.digest),
    )  # fmt: skip
    labelling = None
    if way == "folder":
        depth = st.number_input(
            "Which folder of its path", 1, _DEEPEST, _depth_of(uploaded.labelling),
            key="w_label_depth", width=220,
            help="1 is the first: of hr/2024/pay.md it is hr. Folders come in a zip.",
        )  # fmt: skip
        labelling = Labelling(depth=int(depth))
    elif way == "front matter":
        st.caption("The value of `group` or `access` at the top of a Markdown document: one name.")
        labelling = Labelling()
    elif way == "manifest":
        file = st.file_uploader(
            "Columns document and group; in a name each * stands for any text",
            type=["csv", "tsv", "txt"], key="w_label_manifest",
        )  # fmt: skip
        held = None if uploaded.labelling is None else uploaded.labelling.manifest
        if held is not None and file is None:
            st.caption(plain(f"{held[0]} is in use."))
        manifest = held if file is None else (file.name, file.getvalue())
        labelling = None if manifest is None else Labelling(manifest=manifest)
    nothing = labelling is None and (way != "none" or not labels_of(uploaded.corpus))
    label = "Remove the groups" if way == "none" else "Label the documents"
    if st.button(label, key="w_label", disabled=nothing):
        _take(uploaded, labelling)


def _way_of(labelling: Labelling | None) -> str:
    if labelling is None:
        return "none"
    if labelling.manifest is not None:
        return "manifest"
    return "front matter" if labelling.depth is None else "folder"


def _depth_of(labelling: Labelling | None) -> int:
    return (labelling and labelling.depth) or 1


def _take(uploaded: Uploaded, labelling: Labelling | None) -> None:
    """Label an upload in another way; where no document would have a group, nothing changes."""
    try:
        found = uploaded.labelled(labelling)
    except OverlapkitError as error:
        st.warning(plain(f"{error}. The groups are as they were."))
        return
    if labelling is not None and not labels_of(found.corpus):
        why = "; ".join(found.labels_told)
        st.warning(plain(f"That gives no document a group ({why}). The groups are as they were."))
        return
    relabel(found)
    st.rerun()


def _report(uploaded: Uploaded) -> None:
    """Say what each group covers, and what labelling left open."""
    groups = labels_of(uploaded.corpus)
    if not groups:
        return
    if len(groups) <= _IN_A_SENTENCE:
        said = groups_sentence(uploaded.corpus)
        st.markdown(plain(f"{sentence_case(said)}."))
    else:
        st.markdown(f"{counted(len(groups), 'group')}.")
    for sentence in uploaded.labels_told[1:]:  # the first has just been said
        st.info(plain(f"{sentence}."))
    table = group_table(uploaded.corpus)
    st.dataframe(
        {
            "Group": [one.name or "none: no member sees these" for one in table],
            "Documents": [one.documents for one in table],
            "Characters": [one.characters for one in table],
        },
        hide_index=True, column_config=counts("Documents", "Characters"),
    )  # fmt: skip


# --- the same texts with other labels ---------------------------------------------------


def relabel(uploaded: Uploaded) -> None:
    """Take the upload in use with other labels, and with it all that belongs to its texts."""
    before = sources.corpus_of(sources.UPLOAD)[0]
    if uploaded.corpus.digest == before.digest:
        st.session_state["uploaded"] = uploaded
        return
    kept = {name: st.session_state.get(name) for name in ("replaced", "document")}
    sources.hold(uploaded)
    for name, value in kept.items():
        st.session_state[name] = value
    _carry(before.digest, uploaded.corpus.digest)
    given = today.given_of(before)
    if given is not None:
        chunks = given.chunks and replace(given.chunks, corpus=uploaded.corpus.digest)
        today.hold_given(uploaded.corpus, chunks, given.run)


def _carry(before: str, after: str) -> None:
    """Let what is held under the digest of the same texts be found under another one."""
    for name in ("golden", "written"):
        by_corpus: MutableMapping[str, object] = st.session_state.setdefault(name, {})
        if before in by_corpus:
            by_corpus[after] = by_corpus[before]
    # What was on show counts for a later lock; a lock itself binds the labels too.
    shown: MutableMapping[tuple[Hashable, ...], set[Hashable]] = st.session_state.setdefault(
        "shown", {}
    )
    for corpus, *rest in list(shown):
        if corpus == before:
            shown.setdefault((after, *rest), set()).update(shown[before, *rest])
    declared: MutableMapping[tuple[str, str], Declared] = st.session_state.setdefault(
        "declared", {}
    )
    for corpus, queries in list(declared):
        if corpus == before:
            now = declared[before, queries]
            declared[after, queries] = replace(now, lock=None)
            if now.lock is not None:
                memory.tell("The gates are as they were, and to be locked again: groups changed.")
    resumed = st.session_state.get("resumed")
    if resumed is not None and resumed.corpus == before:
        st.session_state["resumed"] = replace(resumed, corpus=after)
