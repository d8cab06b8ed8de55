"""What several commands say: captions, notes, and how a column is shown."""

from collections.abc import Sequence
from textwrap import fill

from overlapkit.chunkers import ChunkSet
from overlapkit.cli.command import Notes
from overlapkit.cli.output import WIDTH
from overlapkit.engine import Engine
from overlapkit.queries import QuerySet
from overlapkit.readers.names import legible
from overlapkit.retrieve import RANKINGS, RunSpec
from overlapkit.sweep import Row
from overlapkit.wording import weak_words
from overlapkit.words import UNIT_NAMES, cutoff, number, setting


def caption(
    engine: Engine, run: RunSpec, unit: str | None = None, ranked_by: str | None = None
) -> str:
    """Return what stands above a table: corpus, questions, ranking, terms.

    ``unit`` is what sizes count, ``ranked_by`` the file of a run that was ranked elsewhere.
    """
    corpus, queries = engine.corpus, engine.queries
    how = f"{RANKINGS[run.ranking].label} ({run.ranking})"
    if ranked_by is not None:
        how = f"the ranking of {ranked_by}"
    facts = [f"{how} {cutoff(run.cutoff)}"]
    if unit is not None:
        facts.append(f"sizes in {UNIT_NAMES[unit]}")
    if ranked_by is None:
        facts.append(f"terms {engine.terms.name}: {engine.terms.reason}")
    lines = [
        f"{counted(len(corpus.documents), 'document')}, {counted(corpus.characters, 'character')}"
        f"; {counted(len(queries), 'question')} ({queries.source}), evidence {queries.kind}",
        "; ".join(facts),
    ]
    if queries.kind == "extent":
        lines.append(
            "complete evidence and containment are withheld: a section is mostly longer than "
            "a chunk"
        )
    return "".join(fill(line, WIDTH) + "\n" for line in lines)


def widened(chunks: ChunkSet) -> Notes:
    """Say how many tokens were widened to whole characters, if any."""
    if not chunks.widened:
        return []
    return [
        f"note: {number(chunks.widened)} tokens begin or end inside a character and were widened "
        f"to whole ones; {number(chunks.merged)} windows fell together that way"
    ]


def weak_terms(
    rows: Sequence[Row], run: RunSpec, queries: QuerySet, where: str | None = None
) -> Notes:
    """Say where okapi's weights are not its own, and offer a ranking that has none of this.

    ``where`` names the chunks where they are not those of a setting.
    """
    worst = max(rows, key=lambda row: row.values["common_term_queries"])
    if run.ranking != "okapi" or not worst.values["common_term_queries"]:
        return []
    return [
        f"note: {where or 'at ' + setting(worst.spec)}, "
        f"{weak_words(worst.values['common_term_queries'], len(queries))} (--ranking lucene)"
    ]


def cut(text: str, width: int) -> str:
    """Return a text on one line, no longer than ``width`` characters."""
    text = legible(" ".join(text.split()))
    return text if len(text) <= width else text[: width - 1] + "…"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural except for 1."""
    return f"{number(n)} {noun}" if n == 1 else f"{number(n)} {noun}s"
