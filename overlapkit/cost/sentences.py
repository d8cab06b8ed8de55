"""What a change costs, and what the real corpus would, in a sentence."""

from overlapkit.chunkers import ChunkSpec
from overlapkit.cost.bill import Bill, reindex
from overlapkit.cost.difference import change_of
from overlapkit.cost.formats import about, money, money_change, size_change
from overlapkit.cost.growth import GrownBill
from overlapkit.words import counted, sentence_case, setting


def change_sentence(
    ours_spec: ChunkSpec, current_spec: ChunkSpec, ours: Bill, current: Bill
) -> str:
    """Return what changing from the current setting to ours costs, once and every month."""
    if ours_spec == current_spec:
        return f"{sentence_case(setting(ours_spec))} is the current setting: nothing to re-index."
    change, once = change_of(ours, current), reindex(ours)
    parts = (
        f"{money_change(once)} to re-index" if once else "no charge to re-index",
        size_change(change.storage_bytes) if change.storage_bytes else "the same storage",
        f"{money_change(change.month_usd)} a month" if change.month_usd else "the same each month",
    )
    return f"From {setting(current_spec)} to {setting(ours_spec)}: {', '.join(parts)}."


def growth_sentence(grown: GrownBill) -> str:
    """Return what the real corpus would cost, with ranges where there are any."""
    bill, low, high = grown.bill, grown.low, grown.high
    vectors, once = f"about {about(bill.vectors)} vectors", f"{money(bill.embed_usd)} to embed"
    month = f"{money(bill.month_usd)} a month"
    if low is None or high is None:
        return (
            f"For the real corpus: {vectors}, {once} and {month}. One document cannot tell how "
            "far off that may be."
        )
    return (
        f"For the real corpus: {vectors} ({about(low.vectors)} to {about(high.vectors)}), "
        f"{once} ({money(low.embed_usd)} to {money(high.embed_usd)}) and "
        f"{month} ({money(low.month_usd)} to {money(high.month_usd)}); 95% ranges, judged from "
        f"{counted(grown.vectors.n, 'document')}."
    )
