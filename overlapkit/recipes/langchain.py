"""LangChain: its splitter for characters and words, its documents for tokens."""

from overlapkit.chunkers import ChunkSpec
from overlapkit.recipes.kinds import Code, head
from overlapkit.recipes.plain import pinned, with_windows

PACKAGE = ("langchain-text-splitters", "1.1.3")


def by_characters(spec: ChunkSpec) -> Code:
    """Return ``CharacterTextSplitter`` with every single character as a piece."""
    text = f'''\
{head(spec, pinned(PACKAGE))}from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

splitter = CharacterTextSplitter(
    separator="",
    chunk_size={spec.size},
    chunk_overlap={spec.overlap},
    strip_whitespace=False,
    add_start_index=True,
)


def split(documents: list[Document]) -> list[Document]:
    """Cut documents; one of white space alone gives no chunk."""
    return splitter.split_documents([each for each in documents if each.page_content.strip()])


def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk."""
    found = []
    for document in split([Document(page_content=text)]):
        start, piece = document.metadata["start_index"], document.page_content
        found.append((start, start + len(piece), piece))
    return found
'''
    return Code(
        text,
        "An empty separator makes every character a piece of its own; with the default ones "
        "LangChain cuts where they stand and takes both numbers as upper limits.",
    )


def by_words(spec: ChunkSpec) -> Code:
    """Return ``CharacterTextSplitter`` cutting before each word, which counts words."""
    text = f'''\
{head(spec, pinned(PACKAGE))}import re

from langchain_core.documents import Document
from langchain_text_splitters import CharacterTextSplitter

splitter = CharacterTextSplitter(
    separator=r"(?<=\\s)(?=\\S)",  # before every word
    is_separator_regex=True,
    chunk_size={spec.size},
    chunk_overlap={spec.overlap},
    length_function=lambda piece: len(piece.split()),
)


def chunks(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and text of every chunk; white space alone has none."""
    starts = [word.start() for word in re.finditer(r"\\S+", text)][::{spec.step}]
    pairs = zip(starts, splitter.split_text(text), strict=False)  # starts go on to the end
    return [(start, start + len(piece), piece) for start, piece in pairs]


{_SPLIT}'''
    return Code(
        text,
        "Leave add_start_index off: it takes the overlap, which counts words, from a position "
        "in characters; split() sets start_index itself.",
    )


def by_tokens(spec: ChunkSpec) -> Code:
    """Return plain windows as LangChain's documents."""
    imports = "from langchain_core.documents import Document"
    text = with_windows(spec, PACKAGE, imports, _SPLIT)
    return Code(
        text,
        "LangChain's own TokenTextSplitter decodes token ids, so that a character cut by a chunk "
        "comes back damaged, and its start_index is wrong; this cuts in plain Python and "
        "returns LangChain's documents.",
    )


_SPLIT = '''\
def split(documents: list[Document]) -> list[Document]:
    """Cut documents; start_index is where a chunk begins, in characters."""
    return [
        Document(page_content=piece, metadata={**document.metadata, "start_index": start})
        for document in documents
        for start, _, piece in chunks(document.page_content)
    ]
'''
