"""A drawing of ours in the page: SVG whose colours are those of the theme.

Streamlit's own elements either take the drawing out of their HTML or show it as an image, which
knows nothing of the theme.
"""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def picture(svg: str, *, key: str) -> None:
    """Show a drawing; ``svg`` is put into the page as it is, so no text of a user may be raw."""
    _component()(key=key, data=svg.encode())


@functools.cache
def _component() -> "ComponentRenderer":
    import streamlit as st  # noqa: PLC0415 (as in the other views)

    folder = Path(__file__).parent
    return st.components.v2.component(
        "overlapkit_picture",
        html='<div class="okp"></div>',
        css=(folder / "picture.css").read_text(encoding="utf-8"),
        js=(folder / "picture.js").read_text(encoding="utf-8"),
        isolate_styles=False,
    )
