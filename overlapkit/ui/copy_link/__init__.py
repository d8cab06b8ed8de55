"""A button that copies the address of the page, which holds every setting."""

from pathlib import Path

from overlapkit.ui.component import component

_FOLDER = Path(__file__).parent
_HTML = (
    '<button type="button" class="okl-button">Copy link</button>'
    '<span class="okl-said" role="status"></span>\n'
)


def copy_link(*, key: str) -> None:
    """Offer the page's address; the browser copies it, so nothing is sent to the server."""
    component("copy_link", _FOLDER, ("link.js",), html=_HTML, css="link.css")(key=key)
