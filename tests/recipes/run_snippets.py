"""Run snippets where their libraries are; started by the test with two file names.

Reads texts and snippets from the first file and writes to the second, for every snippet and
text, the chunks of its ``chunks`` and of its library's form: [start, end] where the chunk is
that slice of the text, else [start, end, what it is].
"""

import importlib.metadata
import json
import os
import socket
import sys
import types
from pathlib import Path


def main(source: str, target: str) -> None:
    """Run every snippet over every text, offline."""
    # LlamaIndex's package holds tiktoken's vocabularies under the names tiktoken looks for.
    library = importlib.metadata.distribution("llama-index-core")
    vocabularies = library.locate_file("llama_index/core/_static/tiktoken_cache")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabularies)
    socket.socket.connect = refuse
    asked = json.loads(Path(source).read_text(encoding="ascii"))
    found = [run(snippet, asked["texts"]) for snippet in asked["snippets"]]
    Path(target).write_text(json.dumps(found), encoding="ascii")


def refuse(*_: object) -> None:
    """Stand in for a connection: what runs here has to be installed."""
    raise OSError("a snippet tried to reach the network")


def run(snippet: dict[str, object], texts: list[str]) -> dict[str, object]:
    """Return a snippet's chunks of all texts, or of its own ones, in both forms."""
    module = types.ModuleType("pasted")
    sys.modules["pasted"] = module  # classes look for the module they are defined in
    exec(compile(str(snippet["code"]), "<snippet>", "exec"), module.__dict__)
    own = snippet.get("texts", texts)
    form = FORMS.get((snippet["library"], hasattr(module, "split"), hasattr(module, "Windows")))
    return {
        "chunks": [[told(text, *each) for each in module.chunks(text)] for text in own],
        "form": form and [[told(text, *each) for each in form(module, text)] for text in own],
    }


def told(text: str, start: int, end: int, piece: str) -> list[object]:
    """Return a chunk, with its text only where it is no slice."""
    return [start, end] if piece == text[start:end] else [start, end, piece]


def langchain(module, text):
    """Return the chunks of LangChain's documents, whose metadata must stay."""
    document = module.Document(page_content=text, metadata={"page": 1})
    for each in module.split([document]):
        start = each.metadata["start_index"] if each.metadata["page"] == 1 else None
        yield start, start + len(each.page_content), each.page_content


def llama_index(module, text):
    """Return the chunks of LlamaIndex's nodes, whose metadata and source must stay."""
    from llama_index.core import Document

    document = Document(text=text, metadata={"page": 1}, excluded_embed_metadata_keys=["page"])
    for each in module.Windows()([document]):
        kept = each.metadata == {"page": 1} and each.excluded_embed_metadata_keys == ["page"]
        sourced = each.ref_doc_id == document.id_
        yield each.start_char_idx, each.end_char_idx if kept and sourced else None, each.text


def haystack_split(module, text):
    """Return the chunks of Haystack's splitter."""
    return haystack_chunks(module.split([module.Document(content=text, meta={"page": 1})]))


def haystack_windows(module, text):
    """Return the chunks of the component in a pipeline of Haystack."""
    document = module.Document(content=text, meta={"page": 1})
    return haystack_chunks(module.Windows().run(documents=[document])["documents"])


def haystack_chunks(documents):
    """Return the chunks of Haystack's documents, whose metadata must stay."""
    for each in documents:
        start = each.meta["split_idx_start"] if each.meta["page"] == 1 else None
        yield start, start + len(each.content), each.content


def chonkie(module, text):
    """Return the chunks of Chonkie's chunks."""
    for each in module.split(text):
        yield each.start_index, each.end_index, each.text


# By library, whether the snippet has `split`, and whether it has `Windows`.
FORMS = {
    ("langchain", True, False): langchain,
    ("llamaindex", False, True): llama_index,
    ("haystack", True, False): haystack_split,
    ("haystack", False, True): haystack_windows,
    ("chonkie", True, False): chonkie,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
