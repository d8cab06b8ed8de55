"""What changing from one setting to another does to every figure."""

from dataclasses import dataclass, fields

from overlapkit.cost.bill import Bill, Figures


@dataclass(frozen=True, slots=True)
class Change(Figures):
    """Ours − current, figure by figure.

    ``embed_usd`` is what one index costs more than the other. To change from one to the
    other costs the whole embedding of the new one: ``reindex``.
    """


def change_of(ours: Bill, current: Bill) -> Change:
    """Return the difference of two bills; both must be made with the same prices."""
    names = [field.name for field in fields(Figures)]
    return Change(**{name: getattr(ours, name) - getattr(current, name) for name in names})
