"""How every component of ours is registered: from the files beside its module."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@functools.cache
def component(
    name: str,
    folder: Path,
    scripts: tuple[str, ...],
    *,
    html: str = "",
    css: str = "",
    before: str = "",
    isolate_styles: bool = False,
) -> "ComponentRenderer":
    """Return what draws a component; it is registered when it is first asked for.

    ``scripts`` and ``css`` name files of the folder; ``html`` does too where it ends in
    ``.html``. ``before`` is script that stands before theirs. Styles are not isolated: our
    components look at the page around them, and every class has a prefix of its own instead.
    """
    import streamlit as st  # noqa: PLC0415 (what encodes their data must work without it)

    return st.components.v2.component(
        f"overlapkit_{name}",
        html=asset(folder, html) if html.endswith(".html") else html or None,
        css=asset(folder, css) if css else None,
        js="\n".join(filter(None, (before, *(asset(folder, script) for script in scripts)))),
        isolate_styles=isolate_styles,
    )


def asset(folder: Path, name: str) -> str:
    """Return the text of a file that belongs to a component."""
    return (folder / name).read_text(encoding="utf-8")
