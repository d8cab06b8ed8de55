"""Queries from headings: a heading asks for its section."""

import re
from collections.abc import Collection

from overlapkit.corpus import Corpus
from overlapkit.errors import QueryError
from overlapkit.queries.model import Evidence, Query, QuerySet
from overlapkit.structure import headings

_ANCHOR = re.compile(r"\s*\{[^{}]*\}\s*$")
_WORD = re.compile(r"\w+")


def heading_queries(
    corpus: Corpus,
    levels: Collection[int] = (2, 3),
    min_words: int = 2,
    min_characters: int = 300,
) -> QuerySet:
    """Return one ``extent`` query per heading whose section says something.

    A heading of one of ``levels`` and at least ``min_words`` words asks; its evidence runs
    from the start of its line to the next heading of level 3 or above, or the end, and
    counts when that stretch, stripped, has at least ``min_characters``. A trailing
    ``{ #anchor }`` is taken off the question.

    Raises QueryError when no heading qualifies.
    """
    queries: list[Query] = []
    deepest = max(3, *levels)
    for document in corpus.documents:
        found = [heading for heading in headings(document) if heading.level <= deepest]
        ends = [*(heading.start for heading in found[1:]), len(document.text)]
        for heading, end in zip(found, ends, strict=False):
            title = _ANCHOR.sub("", heading.title)
            if (
                heading.level in levels
                and len(_WORD.findall(title)) >= min_words
                and len(document.text[heading.start : end].strip()) >= min_characters
            ):
                span = Evidence(document.name, heading.start, end)
                queries.append(Query(f"{document.name}#{heading.start}", title, (span,)))
    if not queries:
        wanted = " or ".join(str(level) for level in levels)
        raise QueryError(
            f"no heading of level {wanted} has {min_words} words and a section of "
            f"{min_characters} characters: upload a golden set, or choose other queries"
        )
    return QuerySet(tuple(queries), "extent", "headings")
