"""A button that copies the address of the page, which holds every setting."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def copy_link(*, key: str) -> None:
    """Offer the page's address; the browser copies it, so nothing is sent to the server."""
    _component()(key=key)


@functools.cache
def _component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (as in the other components)

    folder = Path(__file__).parent
    return st.components.v2.component(
        "overlapkit_copy_link",
        html='<button type="button" class="okl-button">Copy link</button>'
        '<span class="okl-said" role="status"></span>\n',
        css=(folder / "link.css").read_text(encoding="utf-8"),
        js=(folder / "link.js").read_text(encoding="utf-8"),
        isolate_styles=False,
    )
