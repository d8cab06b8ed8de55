"""What a workspace file holds, and how it is made from what is in use."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from overlapkit.corpus import Corpus, Document
from overlapkit.errors import InputError
from overlapkit.queries.golden import GoldenSet
from overlapkit.queries.model import Evidence, Kind, Query, QuerySet
from overlapkit.workspace.marks import Marks


@dataclass(frozen=True, slots=True)
class SavedDocument:
    """A document; its ``text`` is None unless the texts were asked for.

    ``digest`` is that of its text (hex SHA-256), ``characters`` counts code points.
    """

    name: str
    characters: int
    digest: str
    group: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class SavedWorkspace:
    """A session's work.

    ``corpus_digest`` and ``query_digest`` are those of the corpus and of the questions in
    use. ``settings`` are names and values of link parameters. ``uploaded`` and ``written``
    are the questions with evidence that were brought for the corpus; ``marks`` tell by what
    their evidence is known again in a changed text (see ``marks.Marks``). ``bundled`` names a
    bundled corpus, ``files`` what was uploaded. ``chunks`` and ``run`` name files that were
    judged beside the settings and are not in the workspace. ``other`` holds fields of other
    versions, names and JSON.
    """

    corpus_digest: str
    documents: tuple[SavedDocument, ...]
    query_digest: str
    query_kind: Kind
    settings: tuple[tuple[str, str], ...]
    uploaded: GoldenSet | None = None
    written: tuple[Query, ...] = ()
    marks: tuple[tuple[Evidence, str], ...] = ()
    bundled: str | None = None
    files: tuple[str, ...] = ()
    document: str | None = None
    chunks: str | None = None
    run: str | None = None
    other: tuple[tuple[str, str], ...] = ()

    @property
    def needed_files(self) -> tuple[str, ...]:
        """The files to bring again where the texts are not here."""
        return self.files or tuple(document.name for document in self.documents)

    def corpus(self) -> Corpus | None:
        """Return the corpus, where its texts were asked for.

        Raises InputError when they are not those that it was saved with.
        """
        found = tuple(
            Document(saved.name, saved.text, saved.group)
            for saved in self.documents
            if saved.text is not None
        )
        if len(found) < len(self.documents):
            return None
        corpus = Corpus(found)
        if corpus.digest != self.corpus_digest:
            raise InputError(
                f"the texts of a workspace must have the digest {self.corpus_digest[:12]} that it "
                f"names; they have {corpus.digest[:12]}: download it anew"
            )
        return corpus


def workspace_of(
    corpus: Corpus,
    queries: QuerySet,
    settings: Mapping[str, str],
    *,
    bundled: str | None = None,
    files: Iterable[str] = (),
    uploaded: QuerySet | None = None,
    written: Iterable[Query] = (),
    document: str | None = None,
    chunks: str | None = None,
    run: str | None = None,
    other: Iterable[tuple[str, str]] = (),
    texts: bool = False,
) -> SavedWorkspace:
    """Return the workspace of a corpus and the questions in use, with its texts if asked.

    ``uploaded`` is a golden set, ``written`` are questions made by hand; both must lie in the
    corpus. A ``document`` that the corpus does not hold is left out.
    """
    written = tuple(written)
    known = any(one.name == document for one in corpus.documents)
    return SavedWorkspace(
        corpus_digest=corpus.digest,
        documents=tuple(_saved(one, texts) for one in corpus.documents),
        query_digest=queries.digest,
        query_kind=queries.kind,
        settings=tuple(sorted(settings.items())),
        uploaded=None if uploaded is None else _golden(uploaded, texts),
        written=written,
        marks=_marks(corpus, (*(uploaded or ()), *written)),
        bundled=bundled,
        files=tuple(files),
        document=document if known else None,
        chunks=chunks,
        run=run,
        other=tuple(other),
    )


def text_digest(text: str) -> str:
    """Return the digest by which a changed text is known."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _saved(document: Document, texts: bool) -> SavedDocument:
    text = document.text
    return SavedDocument(
        document.name, len(text), text_digest(text), document.group, text if texts else None
    )


def _golden(found: QuerySet, texts: bool) -> GoldenSet:
    ambiguous = found.ambiguous if isinstance(found, GoldenSet) else ()
    left_out = found.unresolved
    if not texts:  # the nearest text is a stretch of the corpus
        left_out = tuple(replace(row, nearest="") for row in left_out)
    return GoldenSet(found.queries, found.kind, found.source, left_out, ambiguous)


def _marks(corpus: Corpus, queries: Iterable[Query]) -> tuple[tuple[Evidence, str], ...]:
    """Return the marks of all evidence, document by document."""
    wanted: dict[str, dict[Evidence, None]] = {}
    for query in queries:
        for span in query.evidence:
            wanted.setdefault(span.document, {})[span] = None
    found = []
    for document in corpus.documents:
        if document.name in wanted:
            marks = Marks(document.text)
            found += [(span, marks.at(span.start, span.end)) for span in wanted[document.name]]
    return tuple(found)
