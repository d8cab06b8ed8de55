"""What a text is made of, as spans: headings, sections, sentences, lists, tables, code, clauses.

Markdown is parsed by markdown-it-py, sentences are found by sentencex and Python by its own
``ast``; this package only turns what they say into code-point offsets.
"""

from overlapkit.structure.blocks import Blocks, blocks, prose_sentences
from overlapkit.structure.headings import Heading, Section, headings, sections
from overlapkit.structure.lines import line_starts, trimmed

__all__ = [
    "Blocks",
    "Heading",
    "Section",
    "blocks",
    "headings",
    "line_starts",
    "prose_sentences",
    "sections",
    "trimmed",
]
