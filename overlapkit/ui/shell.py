"""What every page begins and ends with."""

import streamlit as st

from overlapkit.ui import session
from overlapkit.ui.session import Workspace
from overlapkit.ui.sidebar import sidebar


def page(name: str) -> Workspace:
    """Draw the head of a page and return what it works on; stop where nothing can be shown."""
    work = frame(name)
    if work is None:
        _missing()
        st.stop()
    return work


def frame(name: str) -> Workspace | None:
    """Draw the head of a page and return what is there to work on, if anything."""
    st.set_page_config(page_title=f"{name} · overlapkit", layout="wide")
    session.settings()
    sidebar()
    notices()
    work = session.workspace()
    session.write_link()
    cache_notice = session.disk_cache().notice
    if cache_notice and not st.session_state.get("cache_told"):
        st.session_state["cache_told"] = True
        st.toast(cache_notice)
    if work is not None and work.part == "explore":
        st.sidebar.caption(
            f"{len(work.engine.queries):,} of {len(work.whole):,} questions: the other half is "
            "held back to confirm a decision on (Decide)."
        )
    if work is not None and work.notice:
        st.info(plain(work.notice))
    return work


def notices() -> None:
    """Show what was told since the last page."""
    for sentence in st.session_state.pop("notices", []):
        st.warning(plain(sentence))


def plain(text: str) -> str:
    r"""Return text that Markdown shows as it is: every mark escaped.

    Names of files and words of users must never become formulas, headings or links.
    """
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|~<>$:&" else c for c in text)


def _missing() -> None:
    missing = st.session_state.get("missing", {})
    st.markdown("# This link needs an uploaded corpus")
    st.info(
        f"The link was made with {plain(missing.get('files', 'the same files'))}. Upload them "
        "on the page Corpus to see the same view; its settings are kept. No other corpus is "
        "shown in its place."
    )
    st.page_link("pages/corpus.py", label="Go to Corpus")
