"""Labels from the front matter of Markdown documents.

Front matter is YAML, and YAML can ask a reader for much. Here it is lines of text: of its
keys only ``group`` and ``access`` are looked at, and of their values only one plain name is
taken. Everything else is refused, so a label is never guessed.
"""

import re
from collections.abc import Iterator

from overlapkit.corpus import Corpus, Document
from overlapkit.groups.labels import Labelled, Refused, with_labels
from overlapkit.structure.markdown import is_markdown

KEYS = ("group", "access")

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_OPENING = re.compile(r"-{3,}[ \t]*")
_KEY = re.compile(rf"""(["']?)({"|".join(KEYS)})\1[ \t]*:(?:[ \t]+(.*))?""")
_QUOTED = re.compile(r"""(["'])([^"'\\]*)\1[ \t]*(?:[ \t]#.*)?""")
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
# How YAML begins what is no plain text: lists, mappings, anchors, tags, blocks and the like.
_NOT_PLAIN = re.compile(r"[\[\]{},&*!|>%@`\"']|[-?:](?:[ \t]|$)")
_NOTHING = ("", "~", "null", "Null", "NULL")
_LONGEST_SHOWN = 40


class _RefusalError(Exception):
    """A value that is not one plain name, in words."""


def label_by_front_matter(corpus: Corpus) -> Labelled:
    """Return the corpus with each document labelled by ``group`` or ``access`` of its front matter.

    Front matter stands between two lines of dashes at the very beginning of a Markdown
    document. A value must be one name on the line of its key, plain or in quotation marks; a
    document with any other has no label, and is among ``refused`` with the reason.
    """
    found: dict[str, str | None] = {}
    refused = []
    for document in corpus.documents:
        try:
            found[document.name] = _label(document)
        except _RefusalError as error:
            refused.append(Refused(document.name, str(error)))
    return with_labels(corpus, lambda one: found.get(one.name), refused=tuple(refused))


def _label(document: Document) -> str | None:
    lines = _front_matter(document.text) if is_markdown(document) else []
    if not lines:
        return None
    outermost = min(map(_indent, lines))
    if lines[0].lstrip().startswith(("{", "[")):
        if re.search("|".join(KEYS), " ".join(lines)):
            raise _RefusalError("its front matter must be lines of `key: value` to be read")
        return None
    labels = set()
    for at, line in enumerate(lines):
        match = _KEY.fullmatch(line.strip()) if _indent(line) == outermost else None
        if match is None:
            continue
        goes_on = at + 1 < len(lines) and _indent(lines[at + 1]) > outermost
        labels.add(_name(match[2], match[3] or "", goes_on=goes_on))
    if len(labels) > 1:
        raise _RefusalError("its front matter gives more than one group: keep one")
    return next(iter(labels), None)


def _name(key: str, value: str, *, goes_on: bool) -> str:
    """Return the one plain name that a value is."""
    quoted = _QUOTED.fullmatch(value)
    label = (quoted[2] if quoted else _COMMENT.sub("", value)).strip()
    wrong = not quoted and (
        _NOT_PLAIN.match(label) or ": " in label or label.endswith(":") or label in _NOTHING
    )
    if goes_on or wrong or not label:
        if goes_on:
            got = "several lines"
        elif label in _NOTHING:
            got = "nothing"
        else:
            got = repr(label if len(label) <= _LONGEST_SHOWN else f"{label[:_LONGEST_SHOWN]}…")
        raise _RefusalError(
            f"`{key}` of its front matter must be one plain name; got {got}: write {key}: NAME"
        )
    return label


def _front_matter(text: str) -> list[str]:
    """Return the lines of a text's front matter that say something, or none."""
    lines = _lines(text)
    opening = next(lines)
    if not _OPENING.fullmatch(opening):
        return []
    closing = re.compile(rf" {{0,3}}-{{{len(opening.rstrip())},}}[ \t]*|\.\.\.[ \t]*")
    found: list[str] = []
    for line in lines:
        if closing.fullmatch(line):
            return found
        if line.strip() and not line.lstrip().startswith("#"):
            found.append(line)
    return []  # never closed, so it is text


def _lines(text: str) -> Iterator[str]:
    return (match[1] for match in _LINE.finditer(text))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
