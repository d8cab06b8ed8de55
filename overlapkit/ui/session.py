"""What one browser session works on: its settings, and the engine made for them."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace

import streamlit as st

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.compiled import installed, warm_up
from overlapkit.corpus import Corpus
from overlapkit.decide import cluster_queries, primary_metric
from overlapkit.engine import Engine, prepare
from overlapkit.errors import OverlapkitError
from overlapkit.evaluate import Evaluation, evaluate_with
from overlapkit.gates import Shown, enough
from overlapkit.gates.lock import Part
from overlapkit.queries import QuerySet
from overlapkit.readers.reading import listing
from overlapkit.retrieve import Budget
from overlapkit.samples import SAMPLES
from overlapkit.stats import Clustering
from overlapkit.sweep import Cutoff, Row, cached_row
from overlapkit.ui.engines import Made, make_engine
from overlapkit.ui.memory import remembered, tell
from overlapkit.ui.settings import Settings, fits_in_list, from_params, to_params
from overlapkit.ui.sources import (
    OPENING,
    UPLOAD,
    GoldenUpload,
    asked_as,
    bundled,
    corpus_in_use,
    corpus_of,
    everything_in_use,
    golden_sets,
    groups_in_use,
    lost_sets,
    owners_sets,
    shared_sets,
    without_labels,
)

EQUAL_CONTEXT = Budget(4000)  # what sizes are compared at


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Everything a page needs: the settings and the engine they run on.

    ``whole`` holds all questions, of which the engine has a ``part``: the exploring half where
    the other, ``held``, is held back. ``owner`` are the digests of all documents and all their
    questions, of which a member of a group sees some.
    """

    settings: Settings
    source: str
    engine: Engine
    clustering: Clustering
    notice: str | None
    whole: QuerySet
    part: Part
    owner: tuple[str, str]
    held: QuerySet | None

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
        show(self, (spec,))
        return remembered(
            "rows", (self.key, also, spec), 96,
            lambda: cached_row(self.engine, spec, run, also=also, cache=cache),
        )  # fmt: skip

    def evaluation(self, spec: ChunkSpec) -> Evaluation:
        """Return a setting evaluated, with its chunks and ranked lists."""
        show(self, (spec,))
        return remembered(
            "evaluations", (self.key, spec), 12,
            lambda: evaluate_with(self.engine, spec, self.settings.run, tokens=False),
        )  # fmt: skip


# --- what has been on show --------------------------------------------------------------


def show(work: Workspace, specs: Iterable[ChunkSpec]) -> None:
    """Take down that figures of these settings are on show, for whoever locks gates later."""
    ledger: dict[Hashable, set[ChunkSpec]] = st.session_state.setdefault("shown", {})
    key = (*work.owner, work.part, len(work.engine.queries))
    ledger.setdefault(key, set()).update(specs)


def shown(work: Workspace) -> tuple[Shown, ...]:
    """Return what this session has shown of a corpus and its questions, to whomever."""
    here = work.engine.corpus.digest
    ledger: dict[tuple[str, str, Part, int], set[ChunkSpec]] = st.session_state.get("shown", {})
    return tuple(
        Shown(
            here,
            work.whole.digest if queries == work.owner[1] else queries,
            questions,
            len(specs),
            part,
        )
        for (corpus, queries, part, questions), specs in ledger.items()
        if corpus == work.owner[0]
    )


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


def settle_view() -> None:
    """Hold the groups that a link names, and the document, to what the corpus in use has."""
    asked, corpus = settings().member, everything_in_use()
    if not asked or corpus is None:
        return
    there = groups_in_use()
    unknown = [group for group in asked if group not in there]
    if unknown and (there or st.session_state["source"] != UPLOAD):  # an upload may get labels yet
        known = f" ({listing(there)})" if there else ", and no document of this corpus has one"
        tell(
            f"The link's parameter member was ignored: a group must be one that a document "
            f"has{known}; got {listing([repr(group[:40]) for group in unknown])}."
        )
        change(lambda s: replace(s, member=tuple(group for group in asked if group in there)))
    visible, document = corpus_in_use(), st.session_state.get("document")
    if asked_as() and visible is not None and visible.position(document or "") is None:
        st.session_state["document"] = None  # its name is not a member's to know
        st.session_state.pop("w_document", None)


def write_link() -> None:
    """Put the settings into the address bar, so that it can be copied at any time."""
    source = st.session_state["source"]
    params = {"corpus": source, **to_params(settings())}
    if source == UPLOAD:
        everything, visible = everything_in_use(), corpus_in_use()
        if everything is not None and visible is not None:
            named = [document.name for document in visible.documents[:3]]
            more = len(everything.documents) - len(named)
            params["digest"] = _digest_of_texts(everything)
            params["files"] = ", ".join(named) + (f" and {more} more" if more else "")
        else:
            params |= st.session_state.get("missing", {})
    else:
        params["digest"] = corpus_of(source)[0].digest[:12]
    if st.session_state.get("document"):
        params["document"] = st.session_state["document"]
    if dict(st.query_params) != params:
        st.query_params.from_dict(params)


def _digest_of_texts(corpus: Corpus) -> str:
    """Return by what a link knows an upload again, which comes without labels."""
    found = remembered("texts", corpus.digest, 2, lambda: without_labels(corpus).digest)
    return found[:12]


# --- questions and engines ---------------------------------------------------------------


def hold_golden(corpus: Corpus, golden: GoldenUpload) -> None:
    """Take a golden set for a corpus, and score with it."""
    st.session_state.setdefault("golden", {})[corpus.digest] = golden
    # Questions that nobody has seen the results of can still confirm a decision.
    held_back = enough(golden.queries)
    change(lambda now: replace(now, queries="uploaded", held_back=held_back))


@st.cache_resource(max_entries=16, show_spinner=False)
def _bundled_engine(source: str, queries: str, terms: str, held_back: bool = False) -> Made:
    corpus, own = bundled(source)  # and nothing that a session holds
    return make_engine(corpus, shared_sets(own), {}, queries, terms, held_back)


def confirming(work: Workspace) -> Workspace:
    """Return the workspace over the half of the questions that is held back."""
    engine, held = work.engine, work.held
    if held is None:
        raise RuntimeError("no half of the questions is held back")

    def make() -> tuple[Engine, Clustering]:
        asked = prepare(engine.corpus, held, engine.terms.name)
        return asked, cluster_queries(engine.corpus, held)

    key = (engine.corpus.digest, held.digest, engine.terms.name)
    other, clustering = remembered("confirming", key, 1, make)
    return replace(work, engine=other, clustering=clustering, part="confirm")


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
    return Workspace(chosen, OPENING, *_bundled_engine(OPENING, chosen.queries, chosen.terms))


def workspace() -> Workspace | None:
    """Return what the pages work on; None while a linked upload is missing."""
    _warm()
    chosen, source = settings(), st.session_state["source"]
    key = (source, chosen.queries, chosen.terms, chosen.held_back)
    corpus = corpus_in_use()
    if corpus is None:
        return None
    if is_private(source):
        ready, lost = golden_sets(source), lost_sets(source)
        owner = owners_sets(source) if asked_as() else None
        sets = (*ready.values(), *(() if owner is None else owner[1].values()))
        made = remembered(
            "engines",
            (*key, corpus.digest, tuple(asked.digest for asked in sets), tuple(lost.values())), 4,
            lambda: make_engine(
                corpus, ready, lost, chosen.queries, chosen.terms, chosen.held_back, owner
            ),
        )  # fmt: skip
    else:
        made = _bundled_engine(*key)
    return Workspace(chosen, source, *made)


@st.cache_resource(show_spinner=False)
def disk_cache() -> ResultCache:
    """Return the cache on disk that all sessions write to; keys are content digests."""
    return ResultCache.open()
