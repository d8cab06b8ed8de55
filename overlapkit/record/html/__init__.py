"""A record as one page of HTML that needs nothing else: no script, no font, no network."""

from overlapkit.record.html.page import record_html

__all__ = ["record_html"]
