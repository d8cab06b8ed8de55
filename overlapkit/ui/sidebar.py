"""The sidebar that every page shows: navigation, corpus, questions, pin, ranking."""

from dataclasses import replace

import streamlit as st

from overlapkit.groups import visible_sentence
from overlapkit.retrieve import RANKINGS, Budget, TopK
from overlapkit.samples import SAMPLES
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import ENCODINGS
from overlapkit.ui import session, sources, today
from overlapkit.ui.settings import GIVEN, MAX_SHOWN_K
from overlapkit.words import UNIT_NAMES, sentence_case

PAGES = {
    "tune.py": "Tune",
    "pages/boundaries.py": "Boundaries",
    "pages/trade_offs.py": "Trade-offs",
    "pages/diagnose.py": "Diagnose",
    "pages/queries.py": "Queries",
    "pages/your_splitter.py": "Your splitter",
    "pages/decide.py": "Decide",
    "pages/corpus.py": "Corpus",
}
_QUESTIONS = {
    "own": "Its own questions",
    "uploaded": "Your golden set",
    "headings": "Its headings",
    "probes": "Boundary probes",
    "written": "Questions written here",
}


def sidebar() -> None:
    """Draw the sidebar; widgets write to the session's settings and nowhere else."""
    session.settle_view()
    with st.sidebar:
        st.markdown("### overlapkit")
        with st.container(key="pages"):
            for path, name in PAGES.items():
                st.page_link(path, label=name)
        st.divider()
        _corpus()
        _viewer()
        _queries()
        _pin()
        _ranking()


def shown(key: str, value: object) -> str:
    """Set a widget's value before it is drawn, so that it shows what is used."""
    st.session_state[key] = value
    return key


def _corpus() -> None:
    choices = [*SAMPLES]
    if "uploaded" in st.session_state or st.session_state["source"] == sources.UPLOAD:
        choices.append(sources.UPLOAD)

    def label(source: str) -> str:
        return SAMPLES[source].label if source in SAMPLES else "Your upload"

    def chosen() -> None:
        st.session_state["source"] = st.session_state["w_corpus"]
        st.session_state["document"] = None
        session.change(lambda s: replace(s, member=()))  # groups are those of one corpus

    key = shown("w_corpus", st.session_state["source"])
    st.selectbox("Corpus", choices, format_func=label, key=key, on_change=chosen)


def _viewer() -> None:
    """Let everything be seen as a member of groups sees it, where documents have any."""
    groups = sources.groups_in_use()
    if not groups:
        return
    st.multiselect(
        "See as a member of", groups, key=shown("w_member", [*sources.asked_as()]),
        placeholder="The owner: all documents",
        on_change=lambda: session.change(
            lambda s: replace(s, member=tuple(st.session_state["w_member"]))
        ),
        help="Every page then holds only the documents of these groups, and questions with their "
        "evidence there, as if there were no others. Nothing chosen shows all to their owner.",
    )  # fmt: skip
    from overlapkit.ui.shell import plain  # noqa: PLC0415 (the shell draws the sidebar)

    visible, everything = sources.corpus_in_use(), sources.everything_in_use()
    if sources.asked_as() and visible is not None and everything is not None:
        sentence = visible_sentence(visible, everything)
        st.caption(plain(f"{sentence_case(sentence)}."))


def _queries() -> None:
    source = st.session_state["source"]
    ready = {} if sources.corpus_in_use() is None else sources.golden_sets(source)
    choices = [*ready, "headings", "probes"]
    wanted = session.settings().queries
    key = shown("w_queries", wanted if wanted in choices else choices[0])

    def chosen() -> None:
        session.change(lambda s: replace(s, queries=st.session_state["w_queries"]))

    st.selectbox(
        "Questions", choices, format_func=_QUESTIONS.__getitem__, key=key, on_change=chosen,
        help="A golden set asks for the passage that answers. A heading asks for its section. A "
        "boundary probe asks for a sentence, row, item or statement by its rarest words.",
    )  # fmt: skip


def _pin() -> None:
    now = session.settings()
    unit = UNIT_NAMES[now.unit]
    if now.pinned_given:
        corpus = sources.corpus_in_use()
        held = None if corpus is None else today.given_of(corpus)
        absent = "" if held else " (not uploaded here: 0% stands in)"
        st.markdown(f"Current: **{GIVEN[now.pinned_given]}**{absent}")
        st.button(
            "Unpin", key="w_unpin_given", width="stretch",
            on_click=lambda: session.change(lambda s: replace(s, pinned_given="")),
        )  # fmt: skip
    if now.pinned:
        st.markdown(f"Current setting: **{now.pinned[0]:,} / {now.pinned[1]:,}** {unit}")
        st.button(
            "Unpin", key="w_unpin", width="stretch",
            on_click=lambda: session.change(lambda s: replace(s, pinned=None)),
        )  # fmt: skip
    if now.pinned != (now.size, now.overlap):
        st.button(
            f"Pin {now.size:,} / {now.overlap:,} as current", key="w_pin", width="stretch",
            on_click=lambda: session.change(
                lambda s: replace(s, pinned=(s.size, s.overlap), pinned_given="")
            ),
            help="Pin what you have in production: every difference is then against it.",
        )  # fmt: skip


def _ranking() -> None:
    now = session.settings()
    # A closed one is not drawn: each element on the page delays every answer a little.
    expander = st.expander("Ranking and cut-off", key="w_more", on_change="rerun")
    if not expander.open:
        return
    with expander:
        st.selectbox(
            "Ranking", list(RANKINGS), format_func=lambda name: RANKINGS[name].label,
            key=shown("w_ranking", now.ranking), help=_meanings(RANKINGS),
            on_change=lambda: session.change(
                lambda s: replace(s, ranking=st.session_state["w_ranking"])
            ),
        )  # fmt: skip
        st.selectbox(
            "Terms", ["auto", *TERM_FUNCTIONS], key=shown("w_terms", now.terms),
            help=_meanings(TERM_FUNCTIONS),
            on_change=lambda: session.change(
                lambda s: replace(s, terms=st.session_state["w_terms"])
            ),
        )  # fmt: skip
        _cutoff()
        st.toggle(
            f"Over {now.phases or 12} phases", key=shown("w_phases", bool(now.phases)),
            help="Where cuts fall is luck. This moves all windows many times, takes the verdict "
            "over them and shows how far each figure moves on the same questions.",
            on_change=lambda: session.change(
                lambda s: replace(s, phases=12 if st.session_state["w_phases"] else 0)
            ),
        )  # fmt: skip
        st.selectbox(
            "Token vocabulary", ENCODINGS, key=shown("w_encoding", now.encoding),
            help="Which tokens are counted, for sizes in tokens and for the price of embedding.",
            on_change=lambda: session.change(
                lambda s: replace(s, encoding=st.session_state["w_encoding"])
            ),
        )  # fmt: skip


def _cutoff() -> None:
    now = session.settings()
    by_k = isinstance(now.cutoff, TopK)

    def kind_chosen() -> None:
        cutoff = TopK(5) if st.session_state["w_cutoff"] == "k" else session.EQUAL_CONTEXT
        session.change(lambda s: replace(s, cutoff=cutoff))

    st.radio(
        "Retrieve", ["k", "budget"], horizontal=True,
        key=shown("w_cutoff", "k" if by_k else "budget"),
        format_func={"k": "top k chunks", "budget": "a context budget"}.__getitem__,
        on_change=kind_chosen,
    )  # fmt: skip
    if isinstance(now.cutoff, TopK):
        st.number_input(
            "k", 1, MAX_SHOWN_K, key=shown("w_k", now.cutoff.k),
            on_change=lambda: session.change(
                lambda s: replace(s, cutoff=TopK(int(st.session_state["w_k"])))
            ),
        )  # fmt: skip
    else:
        st.number_input(
            "Budget (characters)", 100, 100_000, step=500, key=shown("w_budget", now.cutoff.size),
            on_change=lambda: session.change(
                lambda s: replace(s, cutoff=Budget(int(st.session_state["w_budget"])))
            ),
        )  # fmt: skip


def _meanings(table: object) -> str:
    items = table.items() if isinstance(table, dict) else ()
    return "\n\n".join(f"`{name}`: {entry.meaning}." for name, entry in items)
