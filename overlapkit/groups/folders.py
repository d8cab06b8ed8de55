"""Labels from folders, which is how access is often given."""

from overlapkit.corpus import Corpus
from overlapkit.errors import InputError
from overlapkit.groups.labels import Labelled, with_labels


def label_by_folder(corpus: Corpus, depth: int = 1) -> Labelled:
    """Return the corpus with each document labelled by the folder it lies in.

    A document's name is its path. ``depth`` says which of its folders counts, 1 being the
    first; a document that lies less deep has no label.

    Raises InputError for a depth below 1.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise InputError(
            f"the depth of a folder must be a whole number of at least 1; got {depth!r}: "
            "1 is the first folder of a path"
        )

    def label(name: str) -> str | None:
        folders = name.split("/", depth)[:-1]
        return folders[depth - 1].strip() if len(folders) == depth else None

    return with_labels(corpus, lambda document: label(document.name))
