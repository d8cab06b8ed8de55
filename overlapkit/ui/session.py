"""What one browser session holds, and what all may share.

A session keeps its settings, the corpus it uploaded and the engines and jobs made from it.
Only what comes from a bundled corpus is shared between sessions.
"""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Thread
from typing import TypeVar
from uuid import uuid4

import streamlit as st

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.compiled import installed, warm_up
from overlapkit.corpus import Corpus
from overlapkit.decide import cluster_queries
from overlapkit.engine import Engine, prepare
from overlapkit.errors import OverlapkitError, QueryError
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.queries import QuerySet, heading_queries
from overlapkit.retrieve import Budget
from overlapkit.samples import SAMPLES
from overlapkit.stats import Clustering
from overlapkit.sweep import (
    Cutoff,
    Row,
    Sweep,
    cached_row,
    sweep_with,
)
from overlapkit.ui.jobs import Job, JobBoard
from overlapkit.ui.settings import Settings, fits_in_list, from_params, to_params

T = TypeVar("T")

OPENING = "handbook"
UPLOAD = "upload"
EQUAL_CONTEXT = Budget(4000)  # what sizes are compared at
_PATIENCE = 2.5  # seconds a page waits for its first sentence before it shows progress


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What was uploaded: files (name, bytes), a golden set likewise, a pasted text."""

    files: tuple[tuple[str, bytes], ...] = ()
    golden: tuple[str, bytes] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Uploaded:
    """A corpus that this session uploaded, with what was said about its files.

    ``parts`` is what it was made from, so that it can be read again in other encodings.
    """

    corpus: Corpus
    golden: QuerySet | None
    notes: tuple[str, ...]
    refused: tuple[str, ...]
    encodings: tuple[tuple[str, str], ...]  # guessed, or set by hand
    parts: Parts


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Everything a page needs: the settings and the engine they run on."""

    settings: Settings
    source: str
    engine: Engine
    clustering: Clustering
    notice: str | None

    @property
    def has_queries(self) -> bool:
        """Whether anything can be scored."""
        return len(self.engine.queries) > 0

    @property
    def also(self) -> tuple[Cutoff, ...]:
        """The cut-offs evaluated beside the chosen one, at the chosen size."""
        return self.beside(self.settings.size)

    def beside(self, size: int) -> tuple[Cutoff, ...]:
        """Return the equal context where chunks of a size can fill it, unless it is chosen."""
        now = self.settings
        if now.cutoff == EQUAL_CONTEXT or not fits_in_list(EQUAL_CONTEXT, now.unit, size):
            return ()
        return (EQUAL_CONTEXT,)

    @property
    def key(self) -> Hashable:
        """What every figure depends on besides the chunk spec."""
        engine, run = self.engine, self.settings.run
        return (
            engine.corpus.digest, engine.queries.digest, engine.terms.name, run.ranking, run.cutoff,
        )  # fmt: skip

    def row(self, spec: ChunkSpec) -> Row:
        """Return the exact figures of a setting."""
        run, also, cache = self.settings.run, self.also, disk_cache()
        return remembered(
            "rows", (self.key, also, spec), 96,
            lambda: cached_row(self.engine, spec, run, also=also, cache=cache),
        )  # fmt: skip

    def evaluation(self, spec: ChunkSpec) -> Evaluation:
        """Return a setting evaluated, with its chunks and ranked lists."""
        return remembered(
            "evaluations", (self.key, spec), 6,
            lambda: evaluate_with(self.engine, spec, self.settings.run, tokens=False),
        )  # fmt: skip


def remembered(shelf: str, key: Hashable, most: int, make: Callable[[], T]) -> T:
    """Return what this session made before under a key; the oldest of a shelf goes first."""
    held = st.session_state.setdefault(f"shelf_{shelf}", {})
    if key not in held:
        while len(held) >= most:
            held.pop(next(iter(held)))
        held[key] = make()
    found: T = held[key]
    return found


# --- settings ---------------------------------------------------------------------------


def settings() -> Settings:
    """Return this session's settings, read from the link when it has just been opened."""
    if "settings" not in st.session_state:
        _open_link()
    found: Settings = st.session_state["settings"]
    return found


def change(update: Callable[[Settings], Settings]) -> None:
    """Replace the settings; a change that breaks a rule is told and nothing changes."""
    try:
        st.session_state["settings"] = update(settings())
    except OverlapkitError as error:
        tell(str(error))


def tell(sentence: str) -> None:
    """Show a sentence on the next page drawn."""
    st.session_state.setdefault("notices", []).append(sentence)


def _open_link() -> None:
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    found, notices = from_params(params)
    st.session_state["settings"] = found
    st.session_state["document"] = (params.get("document") or [""])[0]
    st.session_state["notices"] = notices
    wanted = (params.get("corpus") or [OPENING])[0]
    if wanted in SAMPLES:
        st.session_state["source"] = wanted
        digest = (params.get("digest") or [""])[0]
        if digest and not corpus_of(wanted)[0].digest.startswith(digest):
            tell("The text of this corpus differs from the one the link was made with.")
    elif wanted == UPLOAD:
        st.session_state["source"] = UPLOAD
        st.session_state["missing"] = {
            "digest": (params.get("digest") or [""])[0],
            "files": (params.get("files") or ["the same files"])[0],
        }
    else:
        st.session_state["source"] = OPENING
        tell(
            f"The link's parameter corpus was ignored: corpus must be one of "
            f"{', '.join([*SAMPLES, UPLOAD])}; got {wanted[:40]!r}."
        )


def write_link() -> None:
    """Put the settings into the address bar, so that it can be copied at any time."""
    source = st.session_state["source"]
    params = {"corpus": source, **to_params(settings())}
    if source == UPLOAD:
        held = st.session_state.get("uploaded")
        if held:
            names = [document.name for document in held.corpus.documents]
            params["digest"] = held.corpus.digest[:12]
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            params["files"] = ", ".join(names[:3]) + more
        else:
            params |= st.session_state.get("missing", {})
    else:
        params["digest"] = corpus_of(source)[0].digest[:12]
    if st.session_state.get("document"):
        params["document"] = st.session_state["document"]
    if dict(st.query_params) != params:
        st.query_params.from_dict(params)


# --- corpora ----------------------------------------------------------------------------


@st.cache_resource(max_entries=len(SAMPLES), show_spinner=False)
def _bundled(name: str) -> tuple[Corpus, QuerySet]:
    return SAMPLES[name].load()


def corpus_of(source: str) -> tuple[Corpus, QuerySet | None]:
    """Return the corpus of a source and its own queries, if it has some."""
    if source == UPLOAD:
        held: Uploaded = st.session_state["uploaded"]
        return held.corpus, held.golden
    return _bundled(source)


def hold(uploaded: Uploaded) -> None:
    """Take a new upload in place of the last one."""
    st.session_state["uploaded"] = uploaded
    st.session_state["source"] = UPLOAD
    st.session_state["document"] = None
    st.session_state["engines"] = {}
    st.session_state.pop("board", JobBoard()).close()
    missing = st.session_state.pop("missing", None)
    if missing and not uploaded.corpus.digest.startswith(missing["digest"]):
        tell("These files differ from those the link was made with; its settings are kept.")


def _queries(source: str, wanted: str) -> tuple[QuerySet, str | None]:
    corpus, own = corpus_of(source)
    if own is not None and wanted == "own":
        return own, None
    try:
        return heading_queries(corpus), None
    except QueryError as error:
        if own is not None:
            return own, f"Its own questions are used: {error}."
        return QuerySet((), "minimal", "none"), f"Nothing can be scored yet: {error}."


@st.cache_resource(max_entries=16, show_spinner=False)
def _bundled_engine(source: str, queries: str, terms: str) -> tuple[Engine, Clustering, str | None]:
    return _engine(source, queries, terms)


def _engine(source: str, queries: str, terms: str) -> tuple[Engine, Clustering, str | None]:
    corpus, _ = corpus_of(source)
    asked, notice = _queries(source, queries)
    engine = prepare(corpus, asked, terms)
    return engine, cluster_queries(corpus, asked), notice


@st.cache_resource(show_spinner=False)
def _warm() -> bool:
    """Compile the loops in the background, once per server, where numba is installed."""
    if installed():
        warm_up()
    return True


def open_early() -> Thread:
    """Evaluate what the first sentence needs, in the background; return the thread.

    A server calls it as it starts, so that the first visitor finds an answer.
    """

    def evaluate_opening() -> None:
        _warm()
        chosen = Settings()
        engine, clustering, notice = _bundled_engine(OPENING, chosen.queries, chosen.terms)
        work = Workspace(chosen, OPENING, engine, clustering, notice)
        also = _beside_all(work, chosen.grid)
        sweep_with(engine, chosen.overlaps, chosen.run, also=also, cache=disk_cache())

    thread = Thread(target=evaluate_opening, name="opening", daemon=True)
    thread.start()
    return thread


def workspace() -> Workspace | None:
    """Return what the pages work on; None while a linked upload is missing."""
    _warm()
    chosen, source = settings(), st.session_state["source"]
    key = (source, chosen.queries, chosen.terms)
    if source == UPLOAD:
        if "uploaded" not in st.session_state:
            return None
        engines = st.session_state.setdefault("engines", {})
        if key not in engines:
            engines[key] = _engine(*key)
        engine, clustering, notice = engines[key]
    else:
        engine, clustering, notice = _bundled_engine(*key)
    return Workspace(chosen, source, engine, clustering, notice)


@st.cache_resource(show_spinner=False)
def disk_cache() -> ResultCache:
    """Return the cache on disk that all sessions write to; keys are content digests."""
    return ResultCache.open()


# --- sweeps -----------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def _shared_board() -> JobBoard:
    return JobBoard()


def _board(source: str) -> JobBoard:
    if source == UPLOAD:
        board: JobBoard = st.session_state.setdefault("board", JobBoard())
        return board
    return _shared_board()


def _seat(name: str) -> tuple[str, str]:
    return st.session_state.setdefault("session", uuid4().hex), name


def _beside_all(work: Workspace, specs: Sequence[ChunkSpec]) -> tuple[Cutoff, ...]:
    return work.beside(min(spec.size for spec in specs))


def _job(work: Workspace, name: str, specs: tuple[ChunkSpec, ...]) -> Job:
    key = (name, *_grid_key(work))
    run, cache, also = work.settings.run, disk_cache(), _beside_all(work, specs)
    seat = _seat(name.split(maxsplit=1)[0])
    return _board(work.source).job(key, seat, lambda: Job(work.engine, specs, run, also, cache))


def grid_job(work: Workspace) -> Job | None:
    """Return the job over the default grid, the chosen size first; None once declined."""
    if st.session_state.get("declined") == _grid_key(work):
        return None
    return _job(work, "grid", work.settings.grid)


def _grid_key(work: Workspace) -> tuple[Hashable, ...]:
    return work.key, work.settings.unit, work.settings.encoding


def decline(work: Workspace) -> None:
    """Do without the grid in this session; it stops unless another session wants it."""
    st.session_state["declined"] = _grid_key(work)
    _board(work.source).leave(_seat("grid"))


def accept() -> None:
    """Want the grid after all."""
    st.session_state.pop("declined", None)


def size_rows(work: Workspace, patience: float = _PATIENCE) -> tuple[Row, ...] | None:
    """Return the rows of the chosen size over all overlaps, or None while they are made.

    Waits ``patience`` seconds for them.
    """
    specs = work.settings.overlaps
    job = grid_job(work)
    if job is None or not set(specs) <= set(work.settings.grid):
        job = _job(work, f"size {work.settings.size}", specs)
    until = time.monotonic() + patience
    while True:
        raise_error(job)
        rows = tuple(row for row in job.rows() if row.spec in specs)
        if len(rows) == len(specs):
            return tuple(sorted(rows, key=lambda row: row.spec.overlap))
        if time.monotonic() > until or not job.running:
            return None
        job.wait(0.02)


def raise_error(job: Job) -> None:
    """Raise what stopped a job: it must not vanish in a thread."""
    if job.error is not None:
        raise job.error


def grid_sweep(work: Workspace) -> Sweep | None:
    """Return the finished grid, or None while it is being made or after it was declined."""
    job = grid_job(work)
    if job is None:
        return None
    raise_error(job)
    return None if job.running or job.stopped else job.sweep()
