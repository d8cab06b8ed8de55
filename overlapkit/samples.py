"""The corpora that are at hand without an upload."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError
from overlapkit.queries import QuerySet, heading_queries, load_golden, planted_contract
from overlapkit.readers import load_corpus

FOLDER = Path(__file__).resolve().parent.parent / "sample_corpora"


class Sample(NamedTuple):
    """A bundled corpus: what it is in one sentence, and how to get it with its queries."""

    label: str
    about: str
    load: Callable[[], tuple[Corpus, QuerySet]]


def python_reference() -> tuple[Corpus, QuerySet]:
    """Return the language reference inside this interpreter, its headings as queries.

    The text differs from one Python version to the next, and so do its figures.
    """
    # Half a megabyte, so it is read only when asked for.
    from pydoc_data.topics import topics  # noqa: PLC0415

    documents = tuple(Document(f"{name}.txt", text) for name, text in topics.items())
    corpus = Corpus(documents)
    return corpus, heading_queries(corpus, levels=(1, 2, 3))


def _written(name: str) -> Callable[[], tuple[Corpus, QuerySet]]:
    def load() -> tuple[Corpus, QuerySet]:
        folder = FOLDER / name
        if not folder.is_dir():
            raise InputError(
                f"the sample corpus {name!r} is not installed: run from a checkout of the project"
            )
        corpus = load_corpus(folder / "docs")
        return corpus, load_golden(folder / "golden.jsonl", corpus)

    return load


SAMPLES: dict[str, Sample] = {
    "handbook": Sample(
        "Product handbook",
        "24 chapters on a kitchen growing cabinet, with questions whose answers are a "
        "clause to two sentences long",
        _written("handbook"),
    ),
    "clauses": Sample(
        "Contract clauses",
        "numbered clauses with provisos: a rule without its exception is a wrong answer",
        _written("clauses"),
    ),
    "tariff": Sample(
        "Freight tariff",
        "rate tables: a figure needs the head of its column, often further away than a chunk",
        _written("tariff"),
    ),
    "api": Sample(
        "API reference",
        "one short page per call: most documents fit one chunk",
        _written("api"),
    ),
    "planted": Sample(
        "Planted contract",
        "generated: twelve facts laid across a boundary on purpose",
        planted_contract,
    ),
    "python": Sample(
        "Python language reference",
        "the topics inside this interpreter, asked for by their headings",
        python_reference,
    ),
}
