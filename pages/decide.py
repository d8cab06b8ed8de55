"""Decide: declared gates, the setting that clears them, its price, and the proof."""

from overlapkit.ui.decide.page import decide_page
from overlapkit.ui.shell import page

decide_page(page("Decide"))
