"""What the user has today: existing chunks and a run, uploaded in this session."""

from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from overlapkit.chunkers import ChunkSet, ChunkSpec
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine
from overlapkit.errors import OverlapkitError
from overlapkit.evaluate import Evaluation
from overlapkit.given import GivenChunks, GivenRun, evaluate_given, read_run
from overlapkit.sweep import Row
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import GIVEN
from overlapkit.words import setting


@dataclass(frozen=True, slots=True, eq=False)
class GivenUpload:
    """What this session has today: existing chunks, and a file with an existing run.

    ``number`` tells one upload of the session from another.
    """

    chunks: GivenChunks | None
    run: tuple[str, bytes] | None
    number: int


def given_of(corpus: Corpus) -> GivenUpload | None:
    """Return the chunks and the run that this session uploaded for a corpus."""
    held: dict[str, GivenUpload] = st.session_state.setdefault("given_uploads", {})
    return held.get(corpus.digest)


def hold_given(corpus: Corpus, chunks: GivenChunks | None, run: tuple[str, bytes] | None) -> None:
    """Take what the user has today in place of what was uploaded before."""
    number = st.session_state.get("given_number", 0) + 1
    st.session_state["given_number"] = number
    held: dict[str, GivenUpload] = st.session_state.setdefault("given_uploads", {})
    held[corpus.digest] = GivenUpload(chunks, run, number)


def upload_number(work: Workspace) -> int:
    """Return the number of the upload that is here, 0 without one: part of what it decides."""
    held = given_of(work.engine.corpus)
    return 0 if held is None else held.number


def given_run(work: Workspace) -> GivenRun | None:
    """Return the uploaded run, read for the questions in use.

    Raises InputError where it has no usable result for them.
    """
    corpus, queries = work.engine.corpus, work.engine.queries
    held = given_of(corpus)
    if held is None or held.run is None:
        return None
    name, data = held.run

    def read() -> GivenRun | OverlapkitError:
        try:
            return read_run(data, queries, held.chunks, name, corpus=corpus)
        except OverlapkitError as error:  # kept too, or each run of the page would read it again
            return error

    found = remembered("run", (held.number, corpus.digest, queries.digest), 2, read)
    if isinstance(found, OverlapkitError):
        raise found
    return found


def given_evaluations(work: Workspace) -> dict[str, Evaluation]:
    """Return what the user has today, evaluated like a setting, by the names of ``GIVEN``."""
    held = given_of(work.engine.corpus)
    if held is None:
        return {}
    key = (work.key, work.also, work.settings.encoding, held.number)
    return remembered("given", key, 4, lambda: _judge_given(work, held))


def _judge_given(work: Workspace, held: GivenUpload) -> dict[str, Evaluation]:
    try:
        run = given_run(work)
    except OverlapkitError:  # told where it was uploaded; other questions need another run
        run = None
    parts = {"chunks": (held.chunks, None), "run": (held.chunks, run)}
    return {
        name: evaluate_given(
            work.engine, chunks, work.settings.run, GIVEN[name], ranked,
            also=work.also, encoding=work.settings.encoding,
        )
        for name, (chunks, ranked) in parts.items()
        if (chunks if name == "chunks" else ranked) is not None
    }  # fmt: skip


def given_rows(work: Workspace) -> dict[str, Row]:
    """Return what the user has today as rows, by the names of ``GIVEN``."""
    return {
        name: Row(one.spec, one.values, one.per_query)
        for name, one in given_evaluations(work).items()
    }


def pinned_given(work: Workspace) -> Row | None:
    """Return the upload that is pinned, where it was uploaded in this session."""
    return given_rows(work).get(work.settings.pinned_given)


def base_row(work: Workspace) -> Row:
    """Return what every difference is against: the pinned setting or upload, else 0%."""
    return pinned_given(work) or work.row(work.settings.baseline)


def base_evaluation(work: Workspace) -> Evaluation:
    """Return what every difference is against, with its chunks and ranked lists."""
    pinned = given_evaluations(work).get(work.settings.pinned_given)
    return pinned or work.evaluation(work.settings.baseline)


class Cutting(NamedTuple):
    """A way to cut the corpus: what it is called, and its spec, or its chunks if cut elsewhere."""

    name: str
    source: ChunkSpec | ChunkSet

    def chunks(self, engine: Engine) -> ChunkSet:
        """Return the chunks of the engine's corpus."""
        return engine.chunk(self.source) if isinstance(self.source, ChunkSpec) else self.source


def base_cutting(work: Workspace) -> Cutting:
    """Return the cuts that the chosen ones are held against.

    A run without its index's chunks has none, so 0% at the chosen size stands in for it.
    """
    held, baseline = given_of(work.engine.corpus), work.settings.baseline
    if work.settings.pinned_given and held is not None and held.chunks is not None:
        return Cutting(GIVEN["chunks"], held.chunks.chunks)
    return Cutting(setting(baseline), baseline)
