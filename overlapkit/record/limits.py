"""What the evidence of a decision does not reach, each in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overlapkit.cost import Prices
from overlapkit.engine import Engine
from overlapkit.gates import measure_name
from overlapkit.queries import PROBES_SHOW
from overlapkit.record.confirmation import NOT_HELD_BACK, Confirmation
from overlapkit.record.model import Asked
from overlapkit.retrieve import RANKINGS, RunSpec
from overlapkit.stats import Clustering
from overlapkit.words import counted, cutoff, number

_KINDS = {
    "minimal": "the shortest text that answers",
    "extent": "a whole section, so that complete evidence and containment are withheld",
}
_GENERATED = {
    "headings": "The questions are the headings of the documents, whose words stand beside their "
    "answers; they cannot show how people ask.",
    "boundary probes": PROBES_SHOW,
    "planted": "The questions and their documents were generated; they cannot show how people ask.",
}
_BY = {
    "document": "questions about the same documents count as one draw",
    "section": "questions about the same section count as one draw, though some share a document",
    "query": "every question counts as a draw of its own, though some share a document",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the figures of a decision rest on.

    ``outside`` are the names of results from elsewhere, ``left_out`` the rows or cells of their
    table that could not be used.
    """

    engine: Engine
    run: RunSpec
    asked: Asked
    clustering: Clustering
    settings: int
    phases: int
    confirmation: Confirmation
    prices: Prices
    outside: Sequence[str]
    left_out: int


def limits_of(found: Evidence) -> tuple[str, ...]:
    """Return the limits of the evidence, the ones that matter most first."""
    return (
        *_of_the_corpus(found.engine),
        *_of_the_questions(found.asked),
        *_of_the_ranking(found.engine, found.run),
        *_of_the_choice(found),
        f"95% intervals tell what other questions of the same kind could show: "
        f"{_BY[found.clustering.by]} ({number(found.clustering.count)} in all).",
        f"Prices are list prices, that of {found.prices.model} as of {found.prices.as_of}; no "
        "invoice was read.",
    )


def _of_the_corpus(engine: Engine) -> Iterator[str]:
    corpus = engine.corpus
    yield (
        f"The verdict is for these {counted(len(corpus.documents), 'document')} of "
        f"{counted(corpus.characters, 'character')} (digest {corpus.digest[:12]}); other "
        "documents may ask for another setting."
    )


def _of_the_questions(asked: Asked) -> Iterator[str]:
    yield (
        f"It rests on {counted(asked.count, 'question')} ({asked.source}) whose evidence is "
        f"{_KINDS[asked.kind]}. What nobody asked is not measured."
    )
    for beginning, sentence in _GENERATED.items():
        if asked.source.startswith(beginning):
            yield sentence
    if asked.unresolved:
        many = len(asked.unresolved)
        yield (
            f"{counted(many, 'row')} of the set {'is' if many == 1 else 'are'} in no figure, since "
            f"{'its' if many == 1 else 'their'} evidence could not be located."
        )


def _of_the_ranking(engine: Engine, run: RunSpec) -> Iterator[str]:
    yield (
        f"Results are ranked by {RANKINGS[run.ranking].label}, {cutoff(run.cutoff)}. Another "
        "retriever, such as one of embeddings, may rank otherwise; containment alone rests on no "
        "ranking."
    )
    terms = engine.terms
    yield f"Words are compared as {terms.name} terms: {terms.reason}."


def _of_the_choice(found: Evidence) -> Iterator[str]:
    if found.asked.part == "explore":
        yield (
            "The choice was made on the exploring half of the questions; its figures are those of "
            "that half."
        )
    elif found.confirmation.why_not == NOT_HELD_BACK and found.settings > 1:
        yield f"{NOT_HELD_BACK}, being the best of {number(found.settings)} settings on them."
    if found.phases:
        yield f"Every figure is the mean over {number(found.phases)} ways to place the same cuts."
    else:
        yield (
            "Every figure is of one way to place the cuts; moved by a few words, the same windows "
            "score somewhat differently."
        )
    if found.outside:
        names = ", ".join(map(measure_name, found.outside))
        unused = f"; {counted(found.left_out, 'row')} of their table could not be used"
        yield (
            f"Results from outside ({names}) are taken as they were given"
            f"{unused if found.left_out else ''}."
        )
