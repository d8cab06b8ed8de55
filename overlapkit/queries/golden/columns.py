"""The usual names of a golden set's columns, in one place, and which column plays which role."""

from collections.abc import Mapping, Sequence

from overlapkit.errors import QueryError, unknown_choice
from overlapkit.queries.golden.cells import shown

# Names as ``plain_name`` gives them, the likelier before the less likely. What a retriever
# returned comes last: it is evidence only where nothing better is told apart from it.
NAMES: dict[str, tuple[str, ...]] = {
    "question": (
        "query", "question", "userinput", "userquery", "queries", "questions", "querytext",
        "questiontext", "prompt", "input",
    ),
    "evidence": (
        "evidence", "evidences", "evidencetext", "evidencetexts", "references",
        "referencecontexts", "referencecontext", "groundtruthcontexts", "groundtruthcontext",
        "goldcontexts", "goldcontext", "goldencontexts", "goldencontext", "relevantcontexts",
        "relevantcontext", "expectedcontexts", "expectedcontext", "goldpassages",
        "goldpassage", "passages", "passage", "excerpts", "excerpt", "quotes", "quote",
        "snippets", "snippet", "highlights", "spans", "span", "contexts", "context",
        "retrievedcontexts", "retrievedcontext", "retrievalcontext", "text", "content",
        "pagecontent",
    ),
    "document": (
        "doc", "document", "docname", "documentname", "docid", "documentid", "file",
        "filename", "filepath", "path", "corpusid", "sourcefile", "sourcedocument", "source",
    ),
    "start": ("start", "startindex", "startoffset", "startchar", "charstart", "begin"),
    "end": ("end", "endindex", "endoffset", "endchar", "charend", "stop"),
    "answer": (
        "answer", "reference", "groundtruth", "groundtruths", "referenceanswer",
        "expectedanswer", "expectedoutput", "goldanswer", "goldenanswer", "answertext",
        "answers",
    ),
    "id": ("id", "qid", "questionid", "queryid", "uid", "uuid", "rowid"),
    "tag": ("tag", "tags", "category", "label", "questiontype", "querytype", "type", "topic"),
    "need": ("need", "needs"),
}  # fmt: skip
ROLES = tuple(NAMES)

# Of what stands in these, all is needed; elsewhere one is enough, unless a row says so.
ALL_NEEDED = ("references",)


def plain_name(name: str) -> str:
    """Return a column's name without case, spaces and punctuation."""
    return "".join(character for character in name.casefold() if character.isalnum())


def roles_of(names: Sequence[str], columns: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the column of each role: those set by hand, the others by their names.

    A role set to an empty name has no column. A column set by hand is not guessed again.
    """
    given = columns or {}
    by_plain: dict[str, str] = {}
    for name in names:
        if name not in given.values():
            by_plain.setdefault(plain_name(name), name)
    found = {}
    for role, usual in NAMES.items():
        if role in given:
            column = _column(given[role], names) if given[role] else None
        else:
            column = next((by_plain[plain] for plain in usual if plain in by_plain), None)
        if column is not None:
            found[role] = column
    return found


def check_columns(names: Sequence[str], columns: Mapping[str, str] | None, source: str) -> None:
    """Raise QueryError, with the names there are, where they cannot make a golden set."""
    there = f"its columns are {', '.join(shown(name) for name in names[:30])}"
    for role, name in (columns or {}).items():
        if role not in NAMES:
            raise QueryError(str(unknown_choice("a column's role", role, ROLES)))
        if name and _column(name, names) is None:
            raise QueryError(f"{source} has no column {name!r} to take the {role} from: {there}")
    found = roles_of(names, columns)
    if "question" not in found:
        raise QueryError(f"{source} has no column of questions: {there}; say which one it is")
    if "evidence" not in found and not {"start", "end"} <= found.keys():
        raise QueryError(
            f"{source} has no column of evidence, nor of start and end: {there}; say which one "
            "it is"
        )


def _column(name: str, names: Sequence[str]) -> str | None:
    if name in names:
        return name
    alike = [other for other in names if plain_name(other) == plain_name(name)]
    return alike[0] if len(alike) == 1 else None
