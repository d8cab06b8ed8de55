"""Words in a picture."""

from html import escape


def words(x: float, y: float, said: str, anchor: str = "start", weight: int = 400) -> str:
    """Return a text at a place, its baseline at ``y``, in pixels."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(said)}</text>"
    )
