"""What one browser session works on: its settings, and the engine made for them."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.compiled import installed, warm_up
from overlapkit.corpus import Corpus
from overlapkit.decide import cluster_queries, primary_metric
from overlapkit.engine import Engine, prepare
from overlapkit.errors import OverlapkitError, QueryError
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.queries import QuerySet, heading_queries
from overlapkit.queries.probes import boundary_probes
from overlapkit.retrieve import Budget
from overlapkit.samples import SAMPLES
from overlapkit.stats import Clustering
from overlapkit.sweep import Cutoff, Row, cached_row
from overlapkit.ui.jobs import JobBoard
from overlapkit.ui.memory import remembered, tell
from overlapkit.ui.settings import Settings, fits_in_list, from_params, to_params
from overlapkit.ui.sources import (
    OPENING,
    UPLOAD,
    GoldenUpload,
    bundled,
    corpus_in_use,
    corpus_of,
    golden_sets,
    shared_sets,
)

EQUAL_CONTEXT = Budget(4000)  # what sizes are compared at
_RESUMED = ("settings", "source", "document", "uploaded", "golden", "written", "missing")


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
    def column(self) -> str:
        """The column of the metric that speaks, at the chosen cut-off."""
        return f"{primary_metric(self.engine.queries.kind)}@{self.settings.cutoff.label}"

    @property
    def equal_column(self) -> str:
        """The column of the metric that speaks, at the equal context budget."""
        return f"{primary_metric(self.engine.queries.kind)}@{EQUAL_CONTEXT.label}"

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
        run, also = self.settings.run, self.also
        # A setting between those of the grid is seldom met again, and writing it to the disk
        # would keep waiting whoever has let go of a handle.
        cache = disk_cache() if spec in self.settings.grid else None
        return remembered(
            "rows", (self.key, also, spec), 96,
            lambda: cached_row(self.engine, spec, run, also=also, cache=cache),
        )  # fmt: skip

    def evaluation(self, spec: ChunkSpec) -> Evaluation:
        """Return a setting evaluated, with its chunks and ranked lists."""
        return remembered(
            "evaluations", (self.key, spec), 12,
            lambda: evaluate_with(self.engine, spec, self.settings.run, tokens=False),
        )  # fmt: skip


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


# --- questions and engines ---------------------------------------------------------------


def hold_golden(corpus: Corpus, golden: GoldenUpload) -> None:
    """Take a golden set for a corpus, and score with it."""
    st.session_state.setdefault("golden", {})[corpus.digest] = golden
    change(lambda now: replace(now, queries="uploaded"))


def _queries(
    corpus: Corpus, ready: Mapping[str, QuerySet], wanted: str
) -> tuple[QuerySet, str | None]:
    notice = None
    if wanted in ready:
        return ready[wanted], None
    if wanted in ("uploaded", "written"):
        notice = (
            "The questions of this link are not here: upload them on Corpus. Until then others "
            "are used."
        )
    if not ready or wanted in ("headings", "probes"):
        made = boundary_probes if wanted == "probes" else heading_queries
        try:
            return made(corpus), notice
        except QueryError as error:
            if not ready:
                return QuerySet((), "minimal", "none"), f"Nothing can be scored yet: {error}."
            notice = f"Its golden set is used: {error}."
    return next(iter(ready.values())), notice


@st.cache_resource(max_entries=16, show_spinner=False)
def _bundled_engine(source: str, queries: str, terms: str) -> tuple[Engine, Clustering, str | None]:
    corpus, own = bundled(source)  # and nothing that a session holds
    return _engine(corpus, shared_sets(own), queries, terms)


def _engine(
    corpus: Corpus, ready: Mapping[str, QuerySet], queries: str, terms: str
) -> tuple[Engine, Clustering, str | None]:
    asked, notice = _queries(corpus, ready, queries)
    engine = prepare(corpus, asked, terms)
    return engine, cluster_queries(corpus, asked), notice


@st.cache_resource(show_spinner=False)
def _warm() -> bool:
    """Compile the loops in the background, once per server, where numba is installed."""
    if installed():
        warm_up()
    return True


def is_private(source: str) -> bool:
    """Tell whether what is evaluated belongs to this session: its texts or its questions."""
    return source == UPLOAD or settings().queries in ("uploaded", "written")


def opening() -> Workspace:
    """Return what a new session opens with; it asks for no session."""
    _warm()
    chosen = Settings()
    engine, clustering, notice = _bundled_engine(OPENING, chosen.queries, chosen.terms)
    return Workspace(chosen, OPENING, engine, clustering, notice)


def workspace() -> Workspace | None:
    """Return what the pages work on; None while a linked upload is missing."""
    _warm()
    chosen, source = settings(), st.session_state["source"]
    key = (source, chosen.queries, chosen.terms)
    corpus = corpus_in_use()
    if corpus is None:
        return None
    if is_private(source):
        ready = golden_sets(source)
        digests = tuple(asked.digest for asked in ready.values())
        engine, clustering, notice = remembered(
            "engines", (*key, digests), 4,
            lambda: _engine(corpus, ready, chosen.queries, chosen.terms),
        )  # fmt: skip
    else:
        engine, clustering, notice = _bundled_engine(*key)
    return Workspace(chosen, source, engine, clustering, notice)


# --- resuming ---------------------------------------------------------------------------


def snapshot() -> dict[str, object]:
    """Return what this session works on, to be taken up again by ``restore``."""
    held = {name: st.session_state[name] for name in _RESUMED if name in st.session_state}
    return {name: dict(one) if isinstance(one, dict) else one for name, one in held.items()}


def restore(held: Mapping[str, object]) -> None:
    """Work on what a snapshot holds."""
    for name in _RESUMED:
        st.session_state.pop(name, None)
    for name, one in held.items():
        st.session_state[name] = dict(one) if isinstance(one, dict) else one
    st.session_state.pop("shelf_engines", None)
    st.session_state.pop("board", JobBoard()).close()


def take_up(source: str, chosen: Settings, document: str | None) -> None:
    """Work on a source that is here, with other settings."""
    st.session_state["source"] = source
    st.session_state["settings"] = chosen
    st.session_state["document"] = document
    st.session_state.pop("missing", None)


@st.cache_resource(show_spinner=False)
def disk_cache() -> ResultCache:
    """Return the cache on disk that all sessions write to; keys are content digests."""
    return ResultCache.open()
