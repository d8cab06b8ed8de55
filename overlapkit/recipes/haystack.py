"""Haystack: its splitter for characters, else plain windows as a component."""

from overlapkit.chunkers import ChunkSpec
from overlapkit.recipes.kinds import Code, head
from overlapkit.recipes.plain import pinned, with_windows

PACKAGE = ("haystack-ai", "3.4.1")


def by_characters(spec: ChunkSpec) -> Code:
    """Return ``RecursiveDocumentSplitter`` with every single character as a piece."""
    text = f'''\
{head(spec, pinned(PACKAGE))}from haystack import Document
from haystack.components.preprocessors import RecursiveDocumentSplitter

splitter = RecursiveDocumentSplitter(
    split_length={spec.size}, split_overlap={spec.overlap}, split_unit="char", separators=[""]
)


def split(documents: list[Document]) -> list[Document]:
    """Cut documents; one of white space alone gives no chunk."""
    whole = [each for each in documents if each.content and each.content.strip()]
    return splitter.run(whole)["documents"]


def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk."""
    found = []
    for document in split([Document(content=text)]):
        start, piece = document.meta["split_idx_start"], document.content
        found.append((start, start + len(piece), piece))
    return found
'''
    return Code(
        text,
        "An empty separator makes every character a piece of its own; with the default ones "
        "Haystack cuts where they stand and takes the length as an upper limit.",
    )


def by_words_or_tokens(spec: ChunkSpec) -> Code:
    """Return plain windows of words or tokens as a component from documents to documents."""
    text = with_windows(spec, PACKAGE, "from haystack import Document, component", _WINDOWS)
    return Code(text, f"{_NOTES[spec.unit]}; this cuts in plain Python, as a component.")


_WINDOWS = '''\
@component
class Windows:
    """For pipeline.add_component("windows", Windows()), or Windows().run(documents)."""

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        found = []
        for document in documents:
            for number, (start, _, piece) in enumerate(chunks(document.content or "")):
                meta = {"source_id": document.id, "split_id": number, "split_idx_start": start}
                found.append(Document(content=piece, meta={**document.meta, **meta}))
        return {"documents": found}
'''

_NOTES = {
    "word": (
        "Haystack's own DocumentSplitter splits words at single spaces, so that words on two "
        "lines are one and two spaces hold another"
    ),
    "token": (
        "Haystack's own DocumentSplitter leaves out a character that a chunk's last token cuts, "
        "and makes chunks of white space alone"
    ),
}
