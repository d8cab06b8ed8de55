"""What edits cost, what a plan does and how a live index stands, in a few sentences."""

from collections import Counter
from collections.abc import Iterable, Sequence

from overlapkit.updates.edits import EditKind
from overlapkit.updates.live import LiveCheck
from overlapkit.updates.plan import Plan
from overlapkit.updates.work import UpdateWork
from overlapkit.words import counted, number, percent, setting

_DOING: dict[EditKind, str] = {
    "insert": "Inserting one sentence",
    "delete": "Deleting one sentence",
    "replace": "Replacing one sentence",
    "append": "Appending one sentence",
}
_NAMED = 3  # so many documents are called by their names


# --- edits ------------------------------------------------------------------------------


def work_sentence(
    work: UpdateWork, others: Iterable[UpdateWork] = (), kind: EditKind | None = None
) -> str:
    """Return how many chunks an edit embeds again under a setting, and under some others.

    Of one kind of edit, or of all that were drawn.
    """
    doing = "One edit of a sentence" if kind is None else _DOING[kind]
    own = _share(work, kind)
    if own is None:
        return f"{doing} was not among the edits."
    said = f"{doing} re-embeds {own} chunks of its document on average"
    compared = [f"{_share(other, kind)} under {setting(other.spec)}" for other in others]
    if compared:
        said += f" under {setting(work.spec)}"
    return "; ".join([said, *compared]) + "."


def month_sentence(work: UpdateWork, edits_per_month: float) -> str:
    """Return what so many edits a month embed again."""
    month = work.per_month(edits_per_month)
    tokens = "" if month.tokens is None else f", {_few(month.tokens)} tokens"
    each = "edit" if edits_per_month == 1 else "edits"
    return (
        f"{_few(edits_per_month)} {each} a month embed {_few(month.embedded)} chunks again "
        f"({_few(month.characters)} characters{tokens}): {percent(work.total.share, 0)} of the "
        "chunks of the documents edited."
    )


def _share(work: UpdateWork, kind: EditKind | None) -> str | None:
    own = work.total if kind is None else work.by_kind.get(kind)
    return None if own is None else f"{_few(own.embedded)} of {_few(own.chunks)}"


# --- plans ------------------------------------------------------------------------------


def plan_sentences(plan: Plan) -> str:
    """Return what a plan changes and how much of it has to be embedded."""
    stay = counted(plan.unchanged, "document")
    if not plan.documents:
        return f"Nothing has to be done: {stay} {_be(plan.unchanged)} as wanted."
    changed = len(plan.documents) - plan.gone
    parts = [f"{counted(changed, 'document')} change{'s' if changed == 1 else ''}"]
    if plan.gone:
        parts.append(f"{number(plan.gone)} {_be(plan.gone)} gone")
    parts.append(f"{number(plan.unchanged)} stay{'s' if plan.unchanged == 1 else ''}")
    return (
        f"{', '.join(parts)}. {counted(plan.added, 'chunk')} to add, {number(plan.deleted)} to "
        f"delete: {counted(plan.embedded, 'text')} to embed, and "
        f"{counted(plan.reused, 'vector')} at hand."
    )


# --- live indexes -----------------------------------------------------------------------


def live_sentences(check: LiveCheck) -> str:
    """Return what is wrong with a live index, or that nothing is."""
    if check.clean:
        return f"The index holds all of its {counted(check.wanted, 'chunk')}, and nothing else."
    said = [f"{number(check.present)} of {counted(check.wanted, 'chunk')} are there."]
    if check.missing:
        documents = {one.document for one in check.missing}
        said.append(f"{counted(len(check.missing), 'chunk')} missing, of {_named(documents)}.")
    if check.stale:
        states = Counter(one.state for one in check.stale)
        where = ", ".join(f"{number(count)} of {state}" for state, count in states.items())
        said.append(f"{counted(len(check.stale), 'chunk')} of another state: {where}.")
    if check.orphans:
        said.append(f"{counted(len(check.orphans), 'id')} that no state knows.")
    if check.repeated:
        said.append(f"{counted(len(check.repeated), 'id')} listed more than once.")
    if check.mixed:
        named = _named([one.document for one in check.mixed])
        said.append(f"Two versions at once of {named}: questions can be answered from either.")
    return " ".join(said)


# --- parts of sentences -----------------------------------------------------------------


def _named(documents: Iterable[str]) -> str:
    names: Sequence[str] = sorted(documents)
    shown = ", ".join(names[:_NAMED])
    rest = len(names) - _NAMED
    return f"{shown} and {counted(rest, 'other document')}" if rest > 0 else shown


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _few(value: float) -> str:
    """Return a mean with one digit where it is small."""
    return number(round(value)) if abs(value) >= 100 else f"{value:.1f}".removesuffix(".0")
