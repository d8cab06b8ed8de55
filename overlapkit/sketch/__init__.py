"""Answers as small pictures: SVG that needs no script, in the colours of the text around it.

Light enough to stand beside a sentence, and the verdict's to come with the first byte of a page.
"""
