"""What a setting means once documents change: what edits cost, what to load, how to get there."""

from collections.abc import Callable, Sequence

import streamlit as st

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.cost import Prices, money
from overlapkit.errors import OverlapkitError
from overlapkit.ui.decide.candidates import edits_of
from overlapkit.ui.decide.declared import Declared
from overlapkit.ui.decide.reindex_panel import live_index, reindexing
from overlapkit.ui.decide.version_panel import new_version, quick, rivals, short
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.sidebar import shown as as_set
from overlapkit.updates import (
    EDIT_SEED,
    Edit,
    EditKind,
    UpdateWork,
    Work,
    compare_work,
    export_jsonl,
    export_parquet,
)
from overlapkit.updates.sentences import month_sentence, work_sentence
from overlapkit.words import counted, number, setting

_MOST_EDITS = 10_000_000  # a month


def updates_panel(work: Workspace, spec: ChunkSpec, now: Declared) -> None:
    """Show what edits cost under a setting, and how an index is brought to it and checked."""
    if spec.chunker not in CHUNKERS:
        st.info("What was cut elsewhere cannot be cut again here: this is the chosen setting.")
        spec = work.settings.spec
    st.markdown("## What an edit costs")
    try:
        _edit_costs(work, spec, now.prices)
    except OverlapkitError as error:
        st.warning(plain(f"{error}."))
    parts: dict[str, Callable[[], None]] = {
        "A second version of a document": lambda: new_version(work, spec, now.prices),
        "Chunks to load": lambda: _loading(work, spec),
        "Re-index plan": lambda: reindexing(work, spec),
        "Check a live index": lambda: live_index(work, spec),
    }
    for at, (title, draw) in enumerate(parts.items()):
        # What is not looked at is not made.
        box = st.expander(title, key=f"w_upd_part_{at}", on_change="rerun")
        if box.open:
            with box:
                draw()


# --- what edits cost --------------------------------------------------------------------


def _edit_costs(work: Workspace, spec: ChunkSpec, prices: Prices) -> None:
    with st.spinner("Drawing edits …"):
        edits = edits_of(work)
    found = _measured(work, spec, edits)
    if not found:
        return
    st.markdown(f"**{plain(work_sentence(found[0], found[1:]))}**")
    st.caption(
        f"{counted(len(edits), 'edit')}, drawn with seed {EDIT_SEED}: each changes one "
        "sentence of the corpus as it stands. Windows are counted from the start of their "
        "document, so an insertion moves every cut behind it. Chunks of whole sentences begin "
        "anew at each heading, so those of other sections stay."
    )
    _by_kind(found)
    _month(found, prices)


def _measured(work: Workspace, spec: ChunkSpec, edits: Sequence[Edit]) -> tuple[UpdateWork, ...]:
    """Return what the edits cost under a spec and its rivals: those that are quick or asked for."""
    corpus, encoding = work.engine.corpus, work.settings.encoding
    lengths = {document.name: len(document.text) for document in corpus.documents}
    to_read = sum(lengths[edit.document] for edit in edits)
    specs, asked = rivals(spec), st.session_state.setdefault("edits_asked", set())
    if quick(specs, to_read) != specs and (corpus.digest, specs) not in asked:
        st.caption(
            "Chunks of whole sentences are left out: to try them, the edited documents have to "
            f"be read anew after each edit, {number(to_read)} characters in all."
        )
        st.button(
            "Try them too", key="w_upd_try", on_click=asked.add, args=((corpus.digest, specs),)
        )
        specs = quick(specs, to_read)
        if spec not in specs:
            return ()
    key = (corpus.digest, specs, encoding)
    return remembered("edit_costs", key, 8, lambda: _measure(corpus, specs, edits, encoding))


def _measure(
    corpus: Corpus, specs: Sequence[ChunkSpec], edits: Sequence[Edit], encoding: str
) -> tuple[UpdateWork, ...]:
    bar = st.progress(0.0, "Trying the edits")

    def told(done: int) -> None:
        bar.progress(done / len(edits), f"Trying the edits: {done} of {len(edits)}")

    found = compare_work(corpus, specs, edits, encoding=encoding, on_edit=told)
    bar.empty()
    return found


def _by_kind(found: Sequence[UpdateWork]) -> None:
    """List the means of each kind of edit: what is embedded again under each setting."""
    own = found[0]

    def line(kind: EditKind | None) -> dict[str, str]:
        every = {short(each.spec): _of(each, kind) for each in found}
        one = _of(own, kind)
        return {
            "One sentence": f"{kind or 'all edits'} ({number(one.edits)})",
            **{name: _share(each) for name, each in every.items()},
            "New": f"{one.appeared:.1f}",
            "Vanished": f"{one.vanished:.1f}",
        }

    st.caption(
        "Chunks embedded again per edit, of those that its document then has: means. New and "
        f"vanished ones are those under {plain(short(own.spec))}."
    )
    st.table([*map(line, own.by_kind), line(None)], hide_index=True, border="horizontal")


def _of(found: UpdateWork, kind: EditKind | None) -> Work:
    return found.total if kind is None else found.by_kind[kind]


def _share(one: Work) -> str:
    return f"{one.embedded:.1f}\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}{one.chunks:.1f}"


def _month(found: Sequence[UpdateWork], prices: Prices) -> None:
    """Ask how often documents are edited, and say what a month of it costs."""
    many: int = st.session_state.setdefault("edits_per_month", 100)

    def changed() -> None:
        st.session_state["edits_per_month"] = st.session_state["w_edits_per_month"]

    left, right = st.columns([1, 3], gap="large")
    left.number_input(
        "Edits a month", 0, _MOST_EDITS, step=10, key=as_set("w_edits_per_month", many),
        on_change=changed,
    )  # fmt: skip
    own, *others = (
        money((one.per_month(many).tokens or 0) * prices.per_million_tokens / 1e6) for one in found
    )
    under = [
        f"{price} under {setting(one.spec)}" for price, one in zip(others, found[1:], strict=True)
    ]
    costs = "; ".join([f"Embedding them costs {own} a month", *under])
    right.markdown(plain(f"{month_sentence(found[0], many)} {costs}."))


# --- chunks to load ---------------------------------------------------------------------


def _loading(work: Workspace, spec: ChunkSpec) -> None:
    """Offer the chunks as files to load into an index."""
    engine = work.engine
    corpus, chunks = engine.corpus, engine.chunk(spec)
    st.markdown(plain(f"{counted(len(chunks), 'chunk')} of {setting(spec)}."))
    st.caption(
        "A row for each chunk: a stable id, which a new version of its document or another "
        "setting changes; an embedding key, which only another text changes; document, group, "
        "version, setting, span and headings."
    )
    texts = st.checkbox(
        "With the texts", value=True, key="w_upd_texts",
        help="Without them the rows still tell what stands where, and the keys which texts are "
        "the same.",
    )  # fmt: skip
    line = st.container(horizontal=True)
    # Each is called when it is asked for, outside any session.
    line.download_button(
        "Download (JSON lines)",
        lambda: "".join(export_jsonl(corpus, chunks, spec, text=texts)),
        "chunks.jsonl", "application/jsonl", key="w_upd_jsonl", on_click="ignore",
    )  # fmt: skip
    line.download_button(
        "Download (Parquet)", lambda: export_parquet(corpus, chunks, spec, text=texts),
        "chunks.parquet", "application/vnd.apache.parquet", key="w_upd_parquet",
        on_click="ignore",
    )  # fmt: skip
