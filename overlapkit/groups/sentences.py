"""What is said of labels, and to a member, who learns of what stays unseen only its number."""

from collections.abc import Iterable, Iterator, Sequence

from overlapkit.corpus import Corpus
from overlapkit.groups.labels import Labelled, group_table, labels_of
from overlapkit.readers.names import legible
from overlapkit.readers.reading import listing
from overlapkit.words import counted, number

_LISTED = 5  # documents that are named before they are only counted


def named(groups: Sequence[str]) -> str:
    """Return groups in words: group a; groups a and b; groups a, b and c."""
    shown = [legible(group) for group in groups]
    if len(shown) == 1:
        return f"group {shown[0]}"
    return f"groups {', '.join(shown[:-1])} and {shown[-1]}"


def lost_evidence(groups: Sequence[str]) -> str:
    """Return why a member cannot be asked a question; without groups, why nobody can."""
    if not groups:
        return "its evidence stands in documents that this corpus does not hold"
    return f"its evidence stands in documents that {named(groups)} may not see"


def untold(groups: Sequence[str]) -> str:
    """Return what stands in place of a reason that could tell of unseen documents."""
    return (
        f"it cannot be used, and why could tell of documents that {named(groups)} may not see: "
        "run it without a group to know"
    )


def visible_sentence(visible: Corpus, corpus: Corpus) -> str:
    """Return as whom a run is asked, and how many documents that leaves."""
    seen, all_of_them = len(visible.documents), counted(len(corpus.documents), "document")
    are = "is" if seen == 1 else "are"
    groups = labels_of(visible)
    who = f"asked as a member of {named(groups)}" if groups else "no document has a group"
    return f"{who}: {number(seen)} of {all_of_them} {are} visible"


def groups_sentence(corpus: Corpus) -> str:
    """Return what each group covers; for those who may see all."""
    table = group_table(corpus)
    if all(one.name is None for one in table):
        return "no document has a group"
    covered = (
        f"{one.name} ({counted(one.documents, 'document')}, {counted(one.characters, 'character')})"
        for one in table
        if one.name is not None
    )
    return f"groups: {', '.join(covered)}"


def labels_notes(labelled: Labelled) -> Iterator[str]:
    """Yield what came of labelling, sentence by sentence; for those who may see all."""
    yield groups_sentence(labelled.corpus)
    if labelled.unknown:
        yield f"{_fit(labelled.unknown)} no document: {listing(labelled.unknown)}"
    for one in labelled.refused[:_LISTED]:
        yield f"{one.document}: {one.reason}"
    if len(labelled.refused) > _LISTED:
        more = counted(len(labelled.refused) - _LISTED, "more document")
        yield f"{more} whose front matter gives a group that cannot be read"
    if labelled.unlabelled and len(labelled.unlabelled) < len(labelled.corpus.documents):
        have = "has" if len(labelled.unlabelled) == 1 else "have"
        yield (
            f"{counted(len(labelled.unlabelled), 'document')} {have} no group, so no member "
            f"sees {'it' if have == 'has' else 'them'}: {listing(labelled.unlabelled)}"
        )


def _fit(names: Iterable[str]) -> str:
    count = len(tuple(names))
    return f"{counted(count, 'name')} of the manifest {'fits' if count == 1 else 'fit'}"
