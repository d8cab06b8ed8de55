"""What libraries do when asked for a recipe's numbers in another way, as notes claim it."""

from typing import NamedTuple

from overlapkit.chunkers import ChunkSpec

_TIKTOKEN = 'import tiktoken\n\nENCODING = tiktoken.get_encoding("cl100k_base")\n'
_COUNTED = "one two three four five six seven"
_LINES = "one two\nthree four\nfive  six"
# Each of the two is three tokens, the first of which takes the space before it along.
_HIPPOS = "a 🦛🦛 b"


class Case(NamedTuple):
    """Code that defines ``chunks``, the spec it was asked for, a text or more, and its chunks.

    A chunk is [start, end] where it is that slice of the text, else [start, end, what it is].
    """

    code: str
    spec: ChunkSpec
    texts: tuple[str, ...]
    found: list[list[object]]


def _langchain(splitter: str, imports: str) -> str:
    return f"""\
from langchain_text_splitters import {imports}

splitter = {splitter}


def chunks(text):
    found = [(each.metadata["start_index"], each.page_content)
             for each in splitter.create_documents([text])]
    return [(start, start + len(piece), piece) for start, piece in found]
"""


def _llama_index(splitter: str, imports: str, before: str = "") -> str:
    return f"""\
{before}
from llama_index.core import Document
from llama_index.core.node_parser import {imports}


def chunks(text):
    splitter = {splitter}
    nodes = splitter.get_nodes_from_documents([Document(text=text)])
    return [(each.start_char_idx, each.end_char_idx, each.text) for each in nodes]
"""


def _haystack(settings: str) -> str:
    return f"""\
from haystack import Document
from haystack.components.preprocessors import DocumentSplitter

splitter = DocumentSplitter({settings})


def chunks(text):
    found = splitter.run(documents=[Document(content=text)])["documents"]
    pairs = [(each.meta["split_idx_start"], each.content) for each in found]
    return [(start, start + len(piece), piece) for start, piece in pairs]
"""


def _chonkie(chunker: str, call: str = "chunk(text)", before: str = "") -> str:
    return f"""\
{before}
from chonkie import TokenChunker


def chunks(text):
    found = {chunker}.{call}
    return [(each.start_index, each.end_index, each.text) for each in found]
"""


def _words(size: int, overlap: int) -> ChunkSpec:
    return ChunkSpec("window", "word", size, overlap)


def _tokens(size: int, overlap: int) -> ChunkSpec:
    return ChunkSpec("window", "token", size, overlap)


SAME = {
    "langchain recursive": Case(
        _langchain(
            'RecursiveCharacterTextSplitter(separators=[""], chunk_size=7, chunk_overlap=3, '
            "strip_whitespace=False, add_start_index=True)",
            "RecursiveCharacterTextSplitter",
        ),
        ChunkSpec("window", "char", 7, 3),
        tuple((_LINES + " \n")[:length] for length in range(1, len(_LINES) + 3)),
        [],
    ),
    "langchain character": Case(
        _langchain(
            'CharacterTextSplitter(separator="", chunk_size=7, chunk_overlap=3, '
            "strip_whitespace=False, keep_separator=False, add_start_index=True)",
            "CharacterTextSplitter",
        ),
        ChunkSpec("window", "char", 7, 3),
        tuple((_LINES + " \n")[:length] for length in range(1, len(_LINES) + 3)),
        [],
    ),
}

ELSEWHERE = {
    "langchain, default separator": Case(
        _langchain(
            "CharacterTextSplitter(chunk_size=8, chunk_overlap=4, add_start_index=True)",
            "CharacterTextSplitter",
        ),
        ChunkSpec("window", "char", 8, 4),
        ("one\n\ntwo three\n\nsix",),
        [[0, 3], [5, 14], [16, 19]],
    ),
    "langchain, start_index with words": Case(
        _langchain(
            r'CharacterTextSplitter(separator=r"(?<=\s)(?=\S)", is_separator_regex=True, '
            "chunk_size=4, chunk_overlap=2, length_function=lambda piece: len(piece.split()), "
            "add_start_index=True)",
            "CharacterTextSplitter",
        ),
        _words(4, 2),
        (_COUNTED,),
        [[0, 18], [-1, 18, "three four five six"], [19, 33]],
    ),
    "langchain, tokens": Case(
        _langchain(
            'TokenTextSplitter(encoding_name="cl100k_base", chunk_size=2, chunk_overlap=0, '
            "add_start_index=True)",
            "TokenTextSplitter",
        ),
        _tokens(2, 0),
        (_HIPPOS,),
        [[-1, 2, "a \ufffd"], [-1, 1, "\ufffd\ufffd"], [-1, 0, "\ufffd"], [-1, 2, "\ufffd b"]],
    ),
    "langchain, start_index with tokens": Case(
        _langchain(
            'TokenTextSplitter(encoding_name="cl100k_base", chunk_size=4, chunk_overlap=1, '
            "add_start_index=True)",
            "TokenTextSplitter",
        ),
        _tokens(4, 1),
        (_COUNTED,),
        [[0, 18], [-1, 19, " four five six seven"]],
    ),
    "llamaindex, characters": Case(
        _llama_index(
            "TokenTextSplitter(chunk_size=12, chunk_overlap=2, tokenizer=list, "
            "keep_whitespaces=True)",
            "TokenTextSplitter",
        ),
        ChunkSpec("window", "char", 12, 2),
        (_COUNTED,),
        # Two characters are kept free for metadata, and no word is cut.
        [[0, 7], [7, 13], [13, 23], [23, 33]],
    ),
    "llamaindex, words": Case(
        _llama_index(
            # Two words more make up for the room that is kept free for metadata.
            "TokenTextSplitter(chunk_size=5, chunk_overlap=1, tokenizer=str.split)",
            "TokenTextSplitter",
        ),
        _words(3, 1),
        (_LINES,),
        # "two" and "three" are one piece, which is more than the overlap may hold.
        [[0, 13], [14, 28]],
    ),
    "llamaindex, tokens": Case(
        _llama_index(
            "TokenTextSplitter(chunk_size=5, chunk_overlap=0, tokenizer=ENCODING.encode)",
            "TokenTextSplitter",
            _TIKTOKEN,
        ),
        _tokens(3, 0),
        ("one two unbelievably",),
        [[0, 7], [8, 20]],
    ),
    "llamaindex, positions": Case(
        _llama_index("Windows()", "TextSplitter").replace(
            "\n\ndef",
            "\n\nclass Windows(TextSplitter):\n    def split_text(self, text):\n"
            "        return [text[start : start + 6] for start in range(0, 10, 4)]\n\n\ndef",
        ),
        ChunkSpec("window", "char", 6, 2),
        ("ab" * 6,),
        [[0, 6], [2, 8], [4, 8]],
    ),
    "haystack, words": Case(
        _haystack('split_by="word", split_length=2, split_overlap=1'),
        _words(2, 1),
        (_LINES,),
        # One word is "two", line break, "three"; another is nothing between two spaces.
        [[0, 14], [4, 24], [14, 25], [24, 28]],
    ),
    "haystack, tokens": Case(
        _haystack('split_by="token", split_length=2, tokenizer_encoding="cl100k_base"'),
        _tokens(2, 0),
        (_HIPPOS,),
        [[0, 2], [2, 3], [3, 3], [3, 6]],
    ),
    "haystack, tokens of white space": Case(
        _haystack('split_by="token", split_length=2, tokenizer_encoding="cl100k_base"'),
        _tokens(2, 0),
        (" \n ",),
        [[0, 3]],
    ),
    "chonkie, words": Case(
        _chonkie('TokenChunker("word", 2, 1)'),
        _words(2, 1),
        (_LINES,),
        [[0, 13], [4, 23], [14, 24], [24, 28]],
    ),
    "chonkie, tokens": Case(
        _chonkie("TokenChunker(ENCODING, 2, 0)", before=_TIKTOKEN),
        _tokens(2, 0),
        (_HIPPOS,),
        [[0, 3, "a \ufffd"], [3, 5, "\ufffd\ufffd"], [5, 6, "\ufffd"], [6, 9, "\ufffd b"]],
    ),
    "chonkie, a batch": Case(
        _chonkie(
            'TokenChunker("character", 2, 0)', "chunk_batch([text], show_progress_bar=False)[0]"
        ),
        ChunkSpec("window", "char", 2, 0),
        ("  \n",),
        [[0, 2], [2, 3]],
    ),
}
