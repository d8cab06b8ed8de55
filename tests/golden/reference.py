"""Reading the reference data: corpora as they stand, tables as rows of text."""

import csv
from dataclasses import replace
from pathlib import Path

from overlapkit.corpus import Corpus, corpus_of
from overlapkit.queries import QuerySet
from overlapkit.queries.model import Need


def read_corpus(folder: Path) -> Corpus:
    """Return the corpus of a folder's ``docs``, each file named by its path below it."""
    docs = folder / "docs"
    files = (path for path in docs.rglob("*") if path.is_file())
    return corpus_of((p.relative_to(docs).as_posix(), p.read_bytes().decode()) for p in files)


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def with_need(queries: QuerySet, need: Need) -> QuerySet:
    """Return the query set with every query's need replaced."""
    asked = tuple(replace(query, need=need) for query in queries)
    return QuerySet(asked, queries.kind, queries.source, queries.unresolved)
