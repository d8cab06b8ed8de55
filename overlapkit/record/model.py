"""What a record binds, and what it says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost import Line as PriceLine
from overlapkit.cost import Prices
from overlapkit.gates import Lock, Ruling
from overlapkit.gates.choice import Outcome
from overlapkit.gates.lock import Part
from overlapkit.queries.model import Kind
from overlapkit.record.confirmation import Confirmation
from overlapkit.retrieve import RunSpec
from overlapkit.terms import TermChoice
from overlapkit.updates import UpdateWork
from overlapkit.workspace import SavedWorkspace


class Figure(NamedTuple):
    """A value with the ends of its 95% interval, which are None where it is exact."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A setting: its figures by the names of ``MEASURES``, those from outside by their own.

    What has no value is not among them.
    """

    spec: ChunkSpec
    figures: Mapping[str, Figure]
    outside: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions that decided: which part of the set, how many, and the ids left out."""

    part: Part
    count: int
    kind: Kind
    source: str
    unresolved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edits:
    """By what the edits that update work was measured on are drawn again."""

    seed: int
    count: int


@dataclass(frozen=True, slots=True)
class Bound:
    """What it takes to make the figures of a decision again.

    ``at`` is when it was taken (ISO 8601, UTC). ``terms`` is the term function in use, and the
    reason for it. ``phases`` is how many phases every figure is the mean of, 0 for one cut
    alone. ``metric`` is the column that spoke for quality. ``setting`` is None where no
    setting cleared the gates; ``rulings`` are those of the setting, in the order of the
    lock's gates.
    """

    at: str
    saved: SavedWorkspace
    lock: Lock
    run: RunSpec
    terms: TermChoice
    phases: int
    asked: Asked
    metric: str
    prices: Prices
    setting: Measured | None
    baseline: Measured
    current: Measured | None
    rulings: tuple[Ruling, ...]
    edits: Edits | None

    @property
    def cost(self) -> str:
        """The name of the cost that decided."""
        return self.lock.cost


class Line(NamedTuple):
    """A setting that was judged; ``failed`` says why it fails the first gate that it fails.

    The interval of its value is there for the sizes that are drawn.
    """

    spec: ChunkSpec
    cost: float | None
    value: float | None
    low: float | None
    high: float | None
    failed: str

    @property
    def passed(self) -> bool:
        """Whether it clears every gate."""
        return not self.failed


class Updates(NamedTuple):
    """Update work of some settings, over edits drawn by a seed."""

    edits: Edits
    works: tuple[UpdateWork, ...]


class Diagnosed(NamedTuple):
    """Why questions miss under a setting: how many by each cause, and what that asks for."""

    counts: Mapping[str, int]
    advice: str


@dataclass(frozen=True, slots=True)
class Record:
    """A decision as it can be defended: what it binds, and every sentence of it.

    ``focus`` is the setting that was chosen; where none was, the one that comes nearest to
    passing the gate that blocks most. The diagnosis is its own. ``today`` are the rulings of
    the current setting.
    """

    bound: Bound
    outcome: Outcome
    sentence: str
    focus: ChunkSpec
    today: tuple[Ruling, ...]
    lines: tuple[Line, ...]
    blocking: tuple[str, ...]
    confirmation: Confirmation
    honesty: str
    diagnosis: Diagnosed | None
    price: tuple[PriceLine, ...]
    change: str
    update: Updates | None
    ablation: tuple[str, ...]
    limits: tuple[str, ...]
    rollback: tuple[str, ...]
    canary: tuple[str, ...]
