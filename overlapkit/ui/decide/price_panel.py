"""What the setting costs: against the current one, with its arithmetic, for the real corpus."""

from dataclasses import replace
from math import isnan, nan

import streamlit as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import (
    Bill,
    DocumentCounts,
    ListPrice,
    Prices,
    Whole,
    arithmetic,
    bill_of,
    change_of,
    change_sentence,
    grown_bill,
    growth_sentence,
    list_prices,
    money,
    money_change,
    per_document_counts,
    prices_csv,
    read_prices,
    shown,
    size,
    size_change,
)
from overlapkit.errors import OverlapkitError
from overlapkit.evaluate.evaluation import token_counts
from overlapkit.sweep import Row
from overlapkit.ui.decide.declared import Declared, declare
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.shell import plain
from overlapkit.ui.sidebar import shown as as_set
from overlapkit.ui.today import base_row
from overlapkit.words import counted, number, sentence_case, setting


def price_panel(work: Workspace, spec: ChunkSpec, now: Declared) -> None:
    """Show the price of a setting against the current one."""
    base = base_row(work)  # today's cuts, as the row of the setting is
    ours = _bill(work, work.row(spec), now.prices)
    if isnan(base.values.get("index_tokens", nan)):
        st.info("What is pinned came without its chunks, so its price is not known.")
        theirs = ours
    else:
        theirs = _bill(work, base, now.prices)
        st.markdown(f"**{plain(_against(work, spec, base.spec, ours, theirs))}**")
    _figures(ours, theirs, base.spec)
    left, right = st.columns(2, gap="large")
    with left:
        _arithmetic(ours, now.prices, spec)
        _growth(work, spec, ours, now)
    with right:
        _prices(work, now)


def _against(work: Workspace, spec: ChunkSpec, base: ChunkSpec, ours: Bill, theirs: Bill) -> str:
    """Return what a setting costs more than what it is held against."""
    if work.settings.pinned or work.settings.pinned_given:
        return change_sentence(spec, base, ours, theirs)
    if spec == base:
        return f"To embed all of it once costs {money(ours.embed_usd)}."
    change = change_of(ours, theirs)
    return (
        f"Against {setting(base)}: {money_change(change.embed_usd)} to embed once, "
        f"{size_change(change.storage_bytes)}, {money_change(change.month_usd)} a month. Pin what "
        "is in production to see what re-indexing costs."
    )


def _bill(work: Workspace, row: Row, prices: Prices) -> Bill:
    return bill_of(row.values, prices, work.settings.cutoff.label)


def _figures(ours: Bill, theirs: Bill, base: ChunkSpec) -> None:
    change = change_of(ours, theirs)
    st.caption(f"Differences are against {plain(setting(base))}.")
    line = st.container(horizontal=True, gap="large")
    figures = (
        ("To index once", money(ours.embed_usd), money_change, change.embed_usd),
        ("Stored", size(ours.storage_bytes), size_change, change.storage_bytes),
        ("Each month", money(ours.month_usd), money_change, change.month_usd),
        ("The first year", money(ours.year_usd), money_change, change.year_usd),
    )
    for label, value, words, difference in figures:
        line.metric(
            label, value, words(difference) if difference else None, delta_color="inverse",
            width="content",
        )  # fmt: skip


def _arithmetic(bill: Bill, prices: Prices, spec: ChunkSpec) -> None:
    with st.expander("The arithmetic"):
        st.caption(plain(f"{sentence_case(setting(spec))}."))
        lines = ["| Figure | How it comes about | Amount |", "|---|---|---|"]
        lines += [
            f"| {plain(one.name)} | {plain(one.formula)} | {plain(shown(one.amount, one.unit))} |"
            for one in arithmetic(bill, prices)
        ]
        st.markdown("\n".join(lines))


# --- prices -----------------------------------------------------------------------------


def _prices(work: Workspace, now: Declared) -> None:
    """Let a list price be chosen, and every figure be set by hand."""
    st.markdown("## Prices")
    rows = price_list()
    names = [f"{row.provider} {row.model}" for row in rows]
    known = next((at for at, row in enumerate(rows) if _is(row, now.prices)), None)

    def chosen() -> None:
        row = rows[names.index(st.session_state["w_price_model"])]
        declare(work, lambda held: replace(held, prices=row.prices(held.prices)))

    now_named = None if known is None else names[known]
    st.selectbox(
        "Embedding model", names, key=as_set("w_price_model", now_named),
        placeholder="Figures set by hand", on_change=chosen,
    )  # fmt: skip
    source = "" if known is None else f" Source: {rows[known].source}."
    st.caption(plain(f"List price of {now.prices.as_of}.{source}"))
    for name, label, step in _FIELDS:
        _field(work, now.prices, name, label, step)
    _table(rows)


_FIELDS = (
    ("per_million_tokens", "Embedding (US$ per million tokens)", 0.01),
    ("dimension", "Numbers in a vector", 1),
    ("bytes_per_number", "Bytes per number", 1),
    ("metadata_bytes", "Metadata beside each vector (bytes)", 100),
    ("hnsw_m", "Links of the HNSW graph, M (0: none)", 1),
    ("storage_per_gib_month", "Storage (US$ per GiB and month)", 0.01),
    ("queries_per_month", "Queries a month", 1000.0),
    ("context_per_million_tokens", "Model that reads (US$ per million tokens)", 0.01),
)


def _field(work: Workspace, prices: Prices, name: str, label: str, step: float) -> None:
    def changed() -> None:
        value = st.session_state[f"w_price_{name}"]
        declare(work, lambda held: replace(held, prices=replace(held.prices, **{name: value})))

    value = getattr(prices, name)
    least = 1 if name in ("dimension", "bytes_per_number") else type(value)(0)
    st.number_input(
        label, least, None, step=step, key=as_set(f"w_price_{name}", value), on_change=changed,
        format=None if isinstance(step, int) or step >= 1 else "%.4g",
    )  # fmt: skip


def price_list() -> tuple[ListPrice, ...]:
    """Return the list prices in use: those of this session, else those that come along."""
    rows: tuple[ListPrice, ...] = st.session_state.get("price_list") or list_prices()
    return rows


def _is(row: ListPrice, prices: Prices) -> bool:
    ours = (prices.model, prices.dimension, prices.per_million_tokens)
    return ours == (row.model, row.dimension, row.us_dollars_per_million_tokens)


def _table(rows: tuple[ListPrice, ...]) -> None:
    """Give the table of list prices to be edited, and take it back."""
    with st.expander("The table of list prices"):
        st.dataframe(
            [
                {"Model": row.model, "US$ per million": row.us_dollars_per_million_tokens,
                 "Dimension": row.dimension, "As of": row.as_of}
                for row in rows
            ],
            hide_index=True,
        )  # fmt: skip
        st.download_button(
            "Download (CSV)", prices_csv(rows), "list-prices.csv", "text/csv",
            on_click="ignore", key="w_prices_csv",
        )  # fmt: skip
        file = st.file_uploader("Your own table", type=["csv"], key="w_prices_file")
        if file is None:
            return
        try:
            found = read_prices(file.getvalue())
        except OverlapkitError as error:
            st.warning(plain(f"{error}. The prices used before are still there."))
            return
        if found != st.session_state.get("price_list"):
            st.session_state["price_list"] = found
            st.rerun()


# --- growth -----------------------------------------------------------------------------


def _growth(work: Workspace, spec: ChunkSpec, bill: Bill, now: Declared) -> None:
    """Estimate the bill of the real corpus from the sample that is here."""
    documents = len(work.engine.corpus.documents)
    with st.expander(
        "If this is a sample of a larger corpus", key="w_growth", on_change="rerun"
    ) as box:
        if not box.open:
            return
        characters = st.number_input(
            "Characters of the real corpus (0: not known)", 0, None, 0, step=1_000_000,
            key="w_growth_characters",
        )  # fmt: skip
        many = st.number_input(
            "Documents of the real corpus (0: not known)", 0, None, 0, step=100,
            key="w_growth_documents",
        )  # fmt: skip
        st.caption(
            f"The sample has {counted(documents, 'document')} and "
            f"{number(work.engine.corpus.characters)} characters. It should be drawn at random."
        )
        if not (characters or many):
            return
        try:
            whole = Whole(characters or None, many or None)
            found = grown_bill(
                _counts(work, spec), whole, now.prices, bill.context_tokens_per_query
            )
        except OverlapkitError as error:
            st.warning(plain(f"{error}."))
            return
        st.markdown(plain(growth_sentence(found)))


def _counts(work: Workspace, spec: ChunkSpec) -> DocumentCounts:
    def make() -> DocumentCounts:
        chunks = work.engine.chunk(spec)
        tokens = token_counts(work.engine, chunks, work.settings.encoding)
        return per_document_counts(chunks, work.engine.corpus.documents, tokens)

    key = (work.engine.corpus.digest, spec, work.settings.encoding)
    return remembered("document_counts", key, 4, make)
