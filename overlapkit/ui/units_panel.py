"""Units that one cannot afford to split: how long they are, and what keeps them whole."""

from dataclasses import replace

import streamlit as st

from overlapkit.chunkers.spans import Units
from overlapkit.corpus import Corpus
from overlapkit.lengths import (
    LengthKind,
    UnitLengths,
    corpus_warnings,
    needed_setting,
    unit_lengths,
)
from overlapkit.queries import QuerySet
from overlapkit.structure import Blocks, blocks
from overlapkit.ui import memory, session, sources
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import LARGEST
from overlapkit.ui.shell import plain
from overlapkit.ui.tables import counts
from overlapkit.words import UNIT_NAMES, number

_ADVISED: tuple[LengthKind, ...] = ("evidence", "sentence")  # what the advice starts from


def units_panel(work: Workspace) -> None:
    """Show the lengths of what the corpus holds, in the unit of the slider."""
    corpus, now = work.engine.corpus, work.settings
    ready = sources.golden_sets(work.source)
    asked = ready.get(now.queries) or next(iter(ready.values()), None)
    key = (corpus.digest, now.unit, now.encoding, asked.digest if asked else "")
    with st.spinner("Reading sentences, rows and clauses …"):
        units = work.engine.units(now.unit, now.encoding)
        found = memory.remembered("lengths", key, 6, lambda: _lengths(corpus, units, asked))
    for sentence in corpus_warnings(corpus, now.size, units):
        st.warning(plain(sentence))
    if not found:
        return
    st.markdown(f"## How long are the things you cannot afford to split? ({UNIT_NAMES[now.unit]})")
    _table(found)
    _advice(found)


def _lengths(corpus: Corpus, units: Units, asked: QuerySet | None) -> tuple[UnitLengths, ...]:
    parts: tuple[Blocks, ...] = memory.remembered(
        "parts", corpus.digest, 2, lambda: tuple(map(blocks, corpus.documents))
    )
    return unit_lengths(corpus, units, asked, parts=parts)


def _table(found: tuple[UnitLengths, ...]) -> None:
    columns: dict[str, list[object]] = {
        "Unit": [one.kind.capitalize() for one in found],
        "How many": [one.count for one in found],
    }
    for at, place in enumerate(found[0].percentiles):
        columns[f"{place.percent}% are at most"] = [one.percentiles[at].length for one in found]
    st.dataframe(columns, hide_index=True, column_config=counts(*list(columns)[1:]))
    st.caption(
        "A passage is whole in some chunk for sure when it is at most one longer than the overlap. "
        "An overlap above a quarter of the size means that the size is too small: choose a larger "
        "one instead."
    )


def _advice(found: tuple[UnitLengths, ...]) -> None:
    """Name the setting that keeps a share of a kind whole, and take it over with one click."""
    by_kind = {one.kind: one for one in found}
    first = next((kind for kind in _ADVISED if kind in by_kind), found[0].kind)
    kinds = sorted(by_kind, key=lambda kind: kind != first)
    left, middle, right = st.columns([2, 2, 3], vertical_alignment="bottom")
    kind = left.selectbox(
        "Keep whole", kinds, format_func=lambda name: str(name).capitalize(), key="w_kept_kind"
    )
    percents = [place.percent for place in by_kind[kind].percentiles]
    share = middle.selectbox(
        "Share of them", percents, index=percents.index(95) if 95 in percents else 0,
        format_func=lambda value: f"{value}%", key="w_kept_share",
    )  # fmt: skip
    place = by_kind[kind].percentiles[percents.index(share)]
    needed = needed_setting(place.length)
    now = session.settings()
    unit = UNIT_NAMES[now.unit]
    if needed.size > LARGEST[now.unit]:
        right.markdown(
            f"That needs chunks of {number(needed.size)} {unit}, more than the slider holds: a "
            "chunker that follows the structure serves such units better."
        )
        return
    right.button(
        f"Use {needed.size:,} / {needed.overlap:,}", key="w_take_units", width="stretch",
        on_click=lambda: session.change(
            lambda s: replace(s, size=needed.size, overlap=needed.overlap)
        ),
        help=f"{share}% are at most {number(place.length)} {unit} long, so an overlap of "
        f"{number(place.overlap)} keeps them whole; the size is four times that.",
    )  # fmt: skip
