"""The bytes of a workspace file to a workspace, every field of it validated."""

from collections.abc import Mapping
from typing import Final

from overlapkit.errors import InputError
from overlapkit.queries.golden import Ambiguous, GoldenSet
from overlapkit.queries.model import Evidence, Kind, Need, Query, Unresolved
from overlapkit.readers import DEFAULT_LIMITS
from overlapkit.samples import SAMPLES
from overlapkit.workspace.fields import REMEDY, Field, as_json, parse, repeated, shown
from overlapkit.workspace.marks import MARK_DIGITS
from overlapkit.workspace.model import SavedDocument, SavedWorkspace, text_digest

FORMAT: Final = "overlapkit workspace"
# Raise it when a field changes its meaning. A new field needs no new version: it is kept and
# ignored by those that do not know it, and must be one that may be missing.
VERSION: Final = 1

_KNOWN = (
    "format", "version", "corpus", "queries", "settings", "document", "uploaded", "written",
    "marks", "today",
)  # fmt: skip
_MOST_SETTINGS = 200
_LONGEST_SETTING = 1000  # characters
_DIGEST_DIGITS = 64

Lengths = Mapping[str, int]  # code points by a document's name


def read_workspace(data: bytes) -> SavedWorkspace:
    """Return the workspace that a file holds.

    Raises InputError where it is none, is of a newer version, or breaks a rule.
    """
    top = Field(parse(data, DEFAULT_LIMITS.max_file_bytes), "")
    _check_version(top)
    documents = tuple(_document(one) for one in top.get("corpus").get("documents").items())
    lengths = {document.name: document.characters for document in documents}
    _check_documents(documents)
    corpus, queries, today = top.get("corpus"), top.get("queries"), top.get("today")
    bundled, uploaded = corpus.get("bundled"), top.get("uploaded")
    saved = SavedWorkspace(
        corpus_digest=corpus.get("digest").hexadecimal(_DIGEST_DIGITS),
        documents=documents,
        query_digest=queries.get("digest").hexadecimal(_DIGEST_DIGITS),
        query_kind=_kind(queries),
        settings=_settings(top.get("settings")),
        uploaded=None if uploaded.value is None else _golden(uploaded, lengths),
        written=_queries(top.get("written"), lengths),
        marks=tuple(_mark(one, lengths) for one in top.get("marks").items()),
        bundled=None if bundled.value is None else bundled.choice(tuple(SAMPLES)),
        files=tuple(file.name() for file in corpus.get("files").items()),
        document=_chosen(top.get("document"), lengths),
        chunks=None if today.value is None else today.get("chunks").name_or_none(),
        run=None if today.value is None else today.get("run").name_or_none(),
        other=tuple((n, as_json(top.get(n))) for n in top.table() if n not in _KNOWN),
    )
    saved.corpus()  # its texts must be those that were saved
    return saved


def _check_version(top: Field) -> None:
    if not isinstance(top.value, dict) or top.value.get("format") != FORMAT:
        raise InputError(
            f"a workspace file must be an object whose format is {FORMAT!r}; got another: {REMEDY}"
        )
    version = top.get("version").whole(1)
    if version > VERSION:
        raise InputError(
            f"a workspace file's version must be at most {VERSION} here; got {version}: "
            "update overlapkit"
        )


# --- the corpus -------------------------------------------------------------------------


def _document(field: Field) -> SavedDocument:
    text = field.get("text").text_or_none()
    saved = SavedDocument(
        field.get("name").name(),
        field.get("characters").whole(),
        field.get("digest").hexadecimal(_DIGEST_DIGITS),
        field.get("group").name_or_none(),
        text,
    )
    if text is not None and (len(text), text_digest(text)) != (saved.characters, saved.digest):
        raise InputError(
            f"the text of {shown(saved.name)} must have the digest that the file gives; it has "
            "another: download the workspace anew"
        )
    return saved


def _check_documents(documents: tuple[SavedDocument, ...]) -> None:
    if not documents:
        raise InputError(f"a workspace must name at least one document; got none: {REMEDY}")
    twice = repeated(document.name for document in documents)
    if twice is not None:
        raise InputError(
            f"a workspace's documents must have names of their own; {shown(twice)} occurs twice: "
            f"{REMEDY}"
        )
    texts = sum(document.text is not None for document in documents)
    if texts not in (0, len(documents)):
        raise InputError(
            f"a workspace must hold all texts or none; got {texts:,} of {len(documents):,}: "
            f"{REMEDY}"
        )


def _chosen(field: Field, lengths: Lengths) -> str | None:
    if field.value is not None and field.name() not in lengths:
        raise field.wrong("the name of a document in the file")
    return field.name_or_none()


# --- questions and settings -------------------------------------------------------------


def _settings(field: Field) -> tuple[tuple[str, str], ...]:
    held = field.table()
    if len(held) > _MOST_SETTINGS:
        raise field.wrong(f"at most {_MOST_SETTINGS} settings")
    most = _LONGEST_SETTING
    return tuple((Field(name, "settings").text(most), field.get(name).text(most)) for name in held)


def _golden(field: Field, lengths: Lengths) -> GoldenSet:
    return GoldenSet(
        _queries(field.get("queries"), lengths),
        _kind(field),
        field.get("source").name(),
        tuple(
            Unresolved(
                one.get("row").whole(),
                one.get("id").text(),
                one.get("reason").text(),
                one.get("nearest").text_or_none() or "",
            )
            for one in field.get("left_out").items()
        ),
        tuple(
            Ambiguous(one.get("row").whole(), one.get("id").text(), one.get("places").whole())
            for one in field.get("ambiguous").items()
        ),
    )


def _queries(field: Field, lengths: Lengths) -> tuple[Query, ...]:
    found = tuple(_query(one, lengths) for one in field.items())
    twice = repeated(query.id for query in found)
    if twice is not None:
        raise InputError(
            f"the ids of the file's {field.place} must be unique; {shown(twice)} occurs twice: "
            f"{REMEDY}"
        )
    return found


def _query(field: Field, lengths: Lengths) -> Query:
    evidence = field.get("evidence")
    spans = tuple(
        _evidence(one.get("doc"), one.get("start"), one.get("end"), lengths)
        for one in evidence.items()
    )
    if not spans:
        raise evidence.wrong("at least one span")
    need: Need = "any" if field.get("need").choice(("any", "all")) == "any" else "all"
    return Query(
        field.get("id").text(),
        field.get("query").text(),
        spans,
        need,
        field.get("answer").text_or_none(),
        field.get("tag").text_or_none(),
    )


def _evidence(name: Field, start: Field, end: Field, lengths: Lengths) -> Evidence:
    document = name.name()
    if document not in lengths:
        raise name.wrong("the name of a document in the file")
    last = end.whole(1, lengths[document])
    return Evidence(document, start.whole(0, last - 1), last)


def _mark(field: Field, lengths: Lengths) -> tuple[Evidence, str]:
    parts = list(field.items())
    if len(parts) != 4:
        raise field.wrong("a document, start, end and mark")
    name, start, end, mark = parts
    return _evidence(name, start, end, lengths), mark.hexadecimal(MARK_DIGITS)


def _kind(field: Field) -> Kind:
    return "minimal" if field.get("kind").choice(("minimal", "extent")) == "minimal" else "extent"
