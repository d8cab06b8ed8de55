"""What this session has declared for a decision: gates, cost, prices, results from outside."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.cost import Prices
from overlapkit.errors import OverlapkitError
from overlapkit.gates import Gate, Lock, parse_gate, since_lock, this_second
from overlapkit.ui import session
from overlapkit.ui.engines import SEED
from overlapkit.ui.memory import tell
from overlapkit.ui.session import Workspace
from overlapkit.ui.settings import to_params

SCOPES = {
    "size": "this size",
    "grid": "all sizes of the grid",
    "compared": "the settings put side by side",
}
# Where a team may begin; a limit on what is read by the model comes with them, so that sizes
# can be compared.
_SUGGESTED = {
    "minimal": ("complete >= 90%", "index_x <= 1.5"),
    "extent": ("lenient_hit >= 80%", "index_x <= 1.5"),
}
_OF_THE_VIEW = ("size", "overlap", "compare", "held_back")  # they decide nothing by themselves
_MORE_TEXT = 1.1  # of what the baseline hands on: a little more is no other context


@dataclass(frozen=True, slots=True)
class Declared:
    """What a decision rests on, besides the figures.

    ``own`` says that the gates were declared here, not suggested. ``outside`` is the name and
    the content of a table of results.
    """

    gates: tuple[Gate, ...]
    own: bool = False
    cost: str = "year"
    prices: Prices = Prices()  # noqa: RUF009 (frozen, shared safely)
    scope: str = "grid"
    lock: Lock | None = None
    outside: tuple[str, bytes] | None = None


def declared(work: Workspace) -> Declared:
    """Return what was declared for a corpus and its questions, else what is suggested.

    Where nothing is put side by side, this size takes the place of what was.
    """
    held: dict[tuple[str, str], Declared] = st.session_state.setdefault("declared", {})
    found = held.get(_key(work)) or Declared(suggested(work))
    alone = found.scope == "compared" and not work.settings.compared
    return replace(found, scope="size") if alone else found


def declare(work: Workspace, update: Callable[[Declared], Declared]) -> None:
    """Replace what was declared; a change that breaks a rule is told and nothing changes."""
    try:
        found = update(declared(work))
    except OverlapkitError as error:
        tell(f"{error}.")
        return
    st.session_state.setdefault("declared", {})[_key(work)] = found


def suggested(work: Workspace) -> tuple[Gate, ...]:
    """Return gates to begin with, one of them on about the text that the baseline hands on."""
    label = work.settings.cutoff.label
    text = _MORE_TEXT * work.row(work.settings.baseline).values[f"retrieved_chars@{label}"]
    unit = 10 ** max(len(f"{text:.0f}") - 2, 0)
    limit = f"retrieved_chars <= {unit * ceil(text / unit)}"
    return tuple(map(parse_gate, (*_SUGGESTED[work.engine.queries.kind], limit)))


def set_gates(now: Declared, gates: Sequence[Gate]) -> Declared:
    """Return what is declared with other gates; after the lock each change is recorded."""
    lock = None if now.lock is None else now.lock.amended(gates, this_second())
    return replace(now, gates=tuple(gates), own=True, lock=lock)


def with_gate(now: Declared, gate: Gate) -> Declared:
    """Return what is declared with a gate added, in place of one on the same measure."""
    others = [one for one in now.gates if not _same_place(one, gate)]
    return set_gates(now, (*others, gate))


def without_gate(now: Declared, text: str) -> Declared:
    """Return what is declared without a gate."""
    return set_gates(now, [one for one in now.gates if one.text != text])


def locked(work: Workspace, now: Declared) -> Declared:
    """Return what is declared with its gates locked, and what had been on show by then."""
    lock = Lock(
        this_second(), now.gates, now.cost, work.engine.corpus.digest, work.whole.digest,
        settings_of(work, now), SEED, session.shown(work),
    )  # fmt: skip
    return replace(now, lock=lock, own=True)


def settings_of(work: Workspace, now: Declared) -> tuple[tuple[str, str], ...]:
    """Return, besides the gates, what a decision goes by: names and values for the lock."""
    params = to_params(work.settings)
    found = {name: value for name, value in params.items() if name not in _OF_THE_VIEW}
    found["settings in question"] = SCOPES[now.scope]
    for name, value in asdict(now.prices).items():
        found[name.replace("_", " ")] = str(value)
    if now.outside is not None:
        found["results from outside"] = hashlib.sha256(now.outside[1]).hexdigest()[:12]
    return tuple(sorted(found.items()))


def since(work: Workspace, now: Declared) -> str:
    """Return what is set otherwise than at the lock, nothing where all is as it was."""
    return "" if now.lock is None else since_lock(now.lock, dict(settings_of(work, now)))


def _same_place(one: Gate, other: Gate) -> bool:
    return (one.measure, one.sense, one.relative) == (other.measure, other.sense, other.relative)


def key_of(corpus: Corpus, query_digest: str) -> tuple[str, str]:
    """Return under what a session keeps what is declared for a corpus and all its questions."""
    return corpus.digest, query_digest


def _key(work: Workspace) -> tuple[str, str]:
    return key_of(work.engine.corpus, work.whole.digest)
