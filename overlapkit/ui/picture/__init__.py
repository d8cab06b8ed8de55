"""A drawing of ours in the page: SVG whose colours are those of the theme.

Streamlit's own elements either take the drawing out of their HTML or show it as an image, which
knows nothing of the theme.
"""

from pathlib import Path

from overlapkit.ui.component import component

_FOLDER = Path(__file__).parent


def picture(svg: str, *, key: str) -> None:
    """Show a drawing; ``svg`` is put into the page as it is, so no text of a user may be raw."""
    component(
        "picture", _FOLDER, ("picture.js",), html='<div class="okp"></div>', css="picture.css"
    )(key=key, data=svg.encode())
