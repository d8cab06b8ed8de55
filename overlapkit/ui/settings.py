"""What a page is set to: one frozen value, to and from a link's parameters.

Nothing here knows streamlit. A bad value is ignored with one sentence that names it; a
repeated parameter counts by its first value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from overlapkit.chunkers import UNITS, ChunkSpec
from overlapkit.errors import OverlapkitError, SettingsError, unknown_choice
from overlapkit.phases import FEWEST_PHASES, MOST_PHASES
from overlapkit.retrieve import RANKINGS, Budget, RunSpec, TopK
from overlapkit.sweep import CHARACTERS_PER_UNIT, GRID_OVERLAPS, default_specs
from overlapkit.terms import TERM_FUNCTIONS
from overlapkit.tokens import ENCODINGS
from overlapkit.words import UNIT_NAMES

MAX_SHOWN_K = 20
LARGEST = {"char": 4000, "word": 700, "token": 1000}  # ends of the size slider
USUAL = {"char": (800, 160), "word": (130, 26), "token": (200, 40)}  # first size and overlap
GIVEN = {"chunks": "your chunks", "run": "your run"}
MOST_PINS = 6  # settings that a table can hold side by side
LONGEST_LIST = 200  # chunks that a budget may fill on a page, which must stay quick
QUERY_SOURCES = ("own", "uploaded", "written", "headings", "probes")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a link carries but the corpus itself.

    ``pinned`` is the (size, overlap) now in production, in the same unit; every difference
    is against it, or against no overlap at the chosen size while there is none.
    ``pinned_given`` names what was uploaded and pinned instead, one of ``GIVEN``. ``phases``
    is how many phases the verdict is taken over, 0 for today's cuts alone. ``compared`` are
    the (size, overlap) settings put side by side on Decide, at most ``MOST_PINS``.
    ``held_back`` keeps half of the questions for confirming a decision. ``member`` are the
    access groups as whose member everything is seen and asked, none for the owner.
    """

    unit: str = "char"
    size: int = 800
    overlap: int = 160
    ranking: str = "okapi"
    terms: str = "auto"
    cutoff: TopK | Budget = TopK(5)  # noqa: RUF009 (frozen, shared safely)
    queries: str = "own"
    pinned: tuple[int, int] | None = None
    pinned_given: str = ""
    encoding: str = ENCODINGS[0]
    phases: int = 0
    compared: tuple[tuple[int, int], ...] = ()
    held_back: bool = False
    member: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.cutoff, Budget) and not fits_in_list(self.cutoff, self.unit, self.size):
            unit = UNIT_NAMES[self.unit]
            raise SettingsError(
                f"a budget of {self.cutoff.size:,} characters would take more than {LONGEST_LIST} "
                f"chunks of {self.size:,} {unit}: choose a larger size or a smaller budget"
            )
        if len(self.compared) > MOST_PINS:
            raise SettingsError(
                f"at most {MOST_PINS} settings can be compared; got {len(self.compared)}: take "
                "one out first"
            )

    @property
    def spec(self) -> ChunkSpec:
        """The chosen chunk spec."""
        return self.at(self.size, self.overlap)

    def at(self, size: int, overlap: int) -> ChunkSpec:
        """Return the chunk spec of another size and overlap in the same unit."""
        return ChunkSpec(unit=self.unit, size=size, overlap=overlap, encoding=self.encoding)

    @property
    def overlaps(self) -> tuple[ChunkSpec, ...]:
        """The chosen size at each of the default overlaps, rising."""
        specs = {
            ChunkSpec.percent(self.size, pct, unit=self.unit, encoding=self.encoding)
            for pct in GRID_OVERLAPS
        }
        return tuple(sorted(specs, key=lambda spec: spec.overlap))

    @property
    def grid(self) -> tuple[ChunkSpec, ...]:
        """The default grid in the unit, the chosen size first."""
        specs = default_specs(self.unit, self.encoding)
        return tuple(sorted(specs, key=lambda spec: spec.size != self.size))

    @property
    def run(self) -> RunSpec:
        """The run spec."""
        return RunSpec(self.ranking, self.terms, self.cutoff)

    @property
    def baseline(self) -> ChunkSpec:
        """What every difference is against."""
        if self.pinned is None:
            return self.at(self.size, 0)
        return self.at(*self.pinned)

    def with_size(self, size: int) -> "Settings":
        """Return the settings at another size with the same share of overlap."""
        return replace(self, size=size, overlap=self.overlap * size // self.size)

    def with_unit(self, unit: str) -> "Settings":
        """Return the settings in another unit, at its usual size; a pin does not carry over."""
        if unit == self.unit:
            return self
        size, overlap = USUAL[unit]
        return replace(self, unit=unit, size=size, overlap=overlap, pinned=None, compared=())

    def with_compared(self, size: int, overlap: int) -> "Settings":
        """Return the settings with one more to compare, unless it is among them."""
        return replace(self, compared=tuple(dict.fromkeys((*self.compared, (size, overlap)))))

    @property
    def side_by_side(self) -> tuple[ChunkSpec, ...]:
        """The specs put side by side."""
        return tuple(self.at(*one) for one in self.compared)


def fits_in_list(budget: Budget, unit: str, size: int) -> bool:
    """Tell whether a budget in characters takes a list that a page can wait for."""
    return budget.size <= LONGEST_LIST * size * CHARACTERS_PER_UNIT[unit]


def to_params(settings: Settings) -> dict[str, str]:
    """Return the settings as link parameters."""
    cutoff = settings.cutoff
    params = {
        "unit": settings.unit,
        "size": str(settings.size),
        "overlap": str(settings.overlap),
        "ranking": settings.ranking,
        "terms": settings.terms,
        "queries": settings.queries,
    }
    if isinstance(cutoff, TopK):
        params["k"] = str(cutoff.k)
    else:
        params["budget"] = str(cutoff.size)
    if settings.encoding != ENCODINGS[0]:
        params["encoding"] = settings.encoding
    if settings.phases:
        params["phases"] = str(settings.phases)
    if settings.pinned_given:
        params["pin"] = settings.pinned_given
    if settings.pinned:
        params["pin"] = _pair(settings.pinned)
    if settings.compared:
        params["compare"] = ",".join(map(_pair, settings.compared))
    if settings.held_back:
        params["held_back"] = "1"
    if settings.member:
        params["member"] = ",".join(map(_in_a_list, settings.member))
    return params


def _in_a_list(name: str) -> str:
    """Return a name whose commas do not part the names of a list."""
    return name.replace("%", "%25").replace(",", "%2C")


def _pair(sized: tuple[int, int]) -> str:
    return f"{sized[0]}-{sized[1]}"


def from_params(params: Mapping[str, Sequence[str]]) -> tuple[Settings, list[str]]:
    """Return the settings that parameters ask for, and a sentence for each one ignored."""
    settings, notices = Settings(), []
    if "unit" in params:
        try:
            settings = settings.with_unit(_one_of("unit", params["unit"][0], UNITS))
        except SettingsError as error:
            notices.append(_ignored("unit", error))
    for name, read in _READERS.items():
        values = params.get(name)
        if not values:
            continue
        try:
            settings = read(settings, values[0])
        except OverlapkitError as error:
            notices.append(_ignored(name, error))
    return settings, notices


def _ignored(name: str, error: OverlapkitError) -> str:
    return f"The link's parameter {name} was ignored: {error}."


def _one_of(name: str, value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise unknown_choice(name, value, choices)
    return value


def _whole(name: str, value: str, low: int, high: int) -> int:
    whole = value.isascii() and value.isdigit() and len(value) <= 9
    if not whole or not low <= int(value) <= high:
        raise SettingsError(f"{name} must be a whole number in {low}..{high}; got {value[:40]!r}")
    return int(value)


def _size(settings: Settings, value: str) -> Settings:
    return settings.with_size(_whole("size", value, 1, LARGEST[settings.unit]))


def _overlap(settings: Settings, value: str) -> Settings:
    return replace(settings, overlap=_whole("overlap", value, 0, settings.size - 1))


def _k(settings: Settings, value: str) -> Settings:
    return replace(settings, cutoff=TopK(_whole("k", value, 1, MAX_SHOWN_K)))


def _budget(settings: Settings, value: str) -> Settings:
    return replace(settings, cutoff=Budget(_whole("budget", value, 100, 100_000)))


def _phases(value: str) -> int:
    return 0 if value == "0" else _whole("phases", value, FEWEST_PHASES, MOST_PHASES)


def _pin(settings: Settings, value: str) -> Settings:
    if value in GIVEN:
        return replace(settings, pinned_given=value)
    return replace(settings, pinned=_sized(settings, "pin", value))


def _sized(settings: Settings, name: str, value: str) -> tuple[int, int]:
    size, _, overlap = value.partition("-")
    large = _whole(name, size, 1, LARGEST[settings.unit])
    return large, _whole(name, overlap, 0, large - 1)


def _compare(settings: Settings, value: str) -> Settings:
    pairs = tuple(_sized(settings, "compare", part) for part in value.split(","))
    return replace(settings, compared=tuple(dict.fromkeys(pairs)))


def _member(settings: Settings, value: str) -> Settings:
    groups = tuple(dict.fromkeys(map(unquote, value.split(","))))
    if "" in groups:
        raise SettingsError(f"member must name groups, with commas between; got {value[:40]!r}")
    return replace(settings, member=groups)


_READERS: dict[str, Callable[[Settings, str], Settings]] = {
    "size": _size,
    "overlap": _overlap,
    "ranking": lambda s, v: replace(s, ranking=_one_of("ranking", v, list(RANKINGS))),
    "terms": lambda s, v: replace(s, terms=_one_of("terms", v, ["auto", *TERM_FUNCTIONS])),
    "queries": lambda s, v: replace(s, queries=_one_of("queries", v, QUERY_SOURCES)),
    "k": _k,
    "budget": _budget,
    "pin": _pin,
    "phases": lambda s, v: replace(s, phases=_phases(v)),
    "compare": _compare,
    "held_back": lambda s, v: replace(s, held_back=_one_of("held_back", v, ("0", "1")) == "1"),
    "encoding": lambda s, v: replace(s, encoding=_one_of("encoding", v, ENCODINGS)),
    "member": _member,
}
