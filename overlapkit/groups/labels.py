"""Labels on the documents of a corpus, and what each of them covers."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Refused:
    """A document whose own label cannot be read, and why; it has none."""

    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A corpus with new labels; those it had before are gone.

    ``unknown`` are names, as written, that fit no document. ``unlabelled`` are the documents
    without a label, which nobody may see once there is any; ``refused`` are among them.
    """

    corpus: Corpus
    unknown: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """How much a label covers; the ``name`` of what has no label is None."""

    name: str | None
    documents: int
    characters: int


LONGEST_LABEL = 200  # characters of a group's name


def with_labels(
    corpus: Corpus,
    label: Callable[[Document], str | None],
    unknown: tuple[str, ...] = (),
    refused: tuple[Refused, ...] = (),
) -> Labelled:
    """Return the corpus with each document's label; a blank one is none."""
    documents = tuple(replace(one, group=label(one) or None) for one in corpus.documents)
    longest = max((one.group or "" for one in documents), key=len, default="")
    if len(longest) > LONGEST_LABEL:
        raise InputError(
            f"the name of a group may have at most {LONGEST_LABEL} characters; got "
            f"{len(longest):,}, beginning with {longest[:40]!r}: shorten it"
        )
    unlabelled = tuple(one.name for one in documents if one.group is None)
    return Labelled(Corpus(documents), unknown, unlabelled, refused)


def labels_of(corpus: Corpus) -> tuple[str, ...]:
    """Return the labels of a corpus in order, each once."""
    return tuple(sorted({one.group for one in corpus.documents if one.group is not None}))


def group_table(corpus: Corpus) -> tuple[Group, ...]:
    """Return what each label covers, by name, and last what has none, if anything."""
    found: dict[str | None, list[int]] = {}
    for document in corpus.documents:
        found.setdefault(document.group, []).append(len(document.text))
    ordered = sorted(found, key=lambda name: (name is None, name or ""))
    return tuple(Group(name, len(found[name]), sum(found[name])) for name in ordered)
