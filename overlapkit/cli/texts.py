"""What several commands say: captions, notes, and how a column is shown."""

from collections.abc import Sequence
from textwrap import fill

from overlapkit.chunkers import ChunkSet
from overlapkit.cli.command import Notes
from overlapkit.cli.output import WIDTH
from overlapkit.engine import Engine
from overlapkit.queries import QuerySet
from overlapkit.retrieve import RANKINGS, RunSpec
from overlapkit.sweep import Row
from overlapkit.wording import UNIT_NAMES, cutoff, number, setting, weak_words


def caption(engine: Engine, run: RunSpec, unit: str) -> str:
    """Return what stands above a table: corpus, questions, ranking, terms."""
    corpus, queries = engine.corpus, engine.queries
    ranking = RANKINGS[run.ranking]
    lines = [
        f"{counted(len(corpus.documents), 'document')}, {counted(corpus.characters, 'character')}"
        f"; {counted(len(queries), 'question')} ({queries.source}), evidence {queries.kind}",
        f"{ranking.label} ({run.ranking}) {cutoff(run.cutoff)}; sizes in {UNIT_NAMES[unit]}; "
        f"terms {engine.terms.name}: {engine.terms.reason}",
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


def weak_terms(rows: Sequence[Row], run: RunSpec, queries: QuerySet) -> Notes:
    """Say where okapi's weights are not its own, and offer a ranking that has none of this."""
    worst = max(rows, key=lambda row: row.values["common_term_queries"])
    if run.ranking != "okapi" or not worst.values["common_term_queries"]:
        return []
    return [
        f"note: at {setting(worst.spec)}, "
        f"{weak_words(worst.values['common_term_queries'], len(queries))} (--ranking lucene)"
    ]


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural except for 1."""
    return f"{number(n)} {noun}" if n == 1 else f"{number(n)} {noun}s"
