"""Levers that leave chunks out, so that the next ones move up."""

import numpy as np

from overlapkit.gains.duplicates import apart
from overlapkit.levers.lists import DeepLists, Handed, Kept, keep


def as_retrieved(lists: DeepLists) -> Handed:
    """Hand on the list as it is."""
    ranked = lists.evaluation.ranked
    return Handed(ranked, lists.chunks, ranked, ranked.rank)


def collapse(lists: DeepLists) -> Handed:
    """Leave out what shares text with a better-ranked chunk that stays."""
    slots = lists.slots

    def take(chunk: list[int], score: list[float]) -> tuple[Kept, bool]:
        places, full = apart(chunk, slots)
        return _looked_at(chunk, score, places, full), full

    return keep(lists.chunks, lists.fill(take))


def one_per_document(lists: DeepLists) -> Handed:
    """Leave out what comes from the document of a better-ranked chunk."""
    doc, sizes, most = lists.chunks.doc.tolist(), lists.slots.sizes, lists.slots.room
    documents = len(set(doc))

    def take(chunk: list[int], score: list[float]) -> tuple[Kept, bool]:
        seen: set[int] = set()
        places: list[int] = []
        room = most
        for place, number in enumerate(chunk):
            if doc[number] not in seen:
                seen.add(doc[number])
                places.append(place)
                room -= sizes[number]
                # With a chunk of every document, no deeper list could bring another.
                if room <= 0 or len(seen) == documents:
                    return _looked_at(chunk, score, places, True), True
        return _looked_at(chunk, score, places, False), False

    return keep(lists.chunks, lists.fill(take))


def share_no_text(lists: DeepLists) -> bool:
    """Tell whether no two chunks share text."""
    start, end = (np.array(edge, dtype=np.int64) for edge in (lists.slots.start, lists.slots.end))
    order = np.argsort(start, kind="stable")
    return bool((np.maximum.accumulate(end[order])[:-1] <= start[order][1:]).all())


def fill_their_documents(lists: DeepLists) -> bool:
    """Tell whether no document has two chunks."""
    return len(np.unique(lists.chunks.doc)) == len(lists.chunks)


def _looked_at(chunk: list[int], score: list[float], places: list[int], full: bool) -> Kept:
    """Return what stays of the list as far as it was looked at."""
    looked = places[-1] + 1 if full else len(chunk)
    return Kept(chunk[:looked], score[:looked], places)
