"""The table of recipes, and the one call that uses it."""

from collections.abc import Callable, Mapping
from functools import partial

from overlapkit.chunkers import CHUNKERS, ChunkSpec
from overlapkit.errors import unknown_choice
from overlapkit.recipes import chonkie, haystack, langchain, llamaindex
from overlapkit.recipes.kinds import Code, Recipe, Refusal
from overlapkit.recipes.plain import write_plain

_Write = Callable[[ChunkSpec], Code]


def recipe(library: str, spec: ChunkSpec) -> Code | Refusal:
    """Return code that cuts exactly the windows of a spec, or why there is none.

    Raises SettingsError for a library that the table does not hold.
    """
    if library not in RECIPES:
        raise unknown_choice("library", library, RECIPES)
    return RECIPES[library].write(spec)


def _write(by_unit: Mapping[str, _Write], spec: ChunkSpec) -> Code | Refusal:
    if spec.chunker != "window" and spec.chunker in CHUNKERS:
        return Refusal(
            f"No library cuts as the chunker {spec.chunker} does: cut with overlapkit's own "
            "chunk(), or choose a setting of windows to get code here."
        )
    if spec.chunker == "structure":
        return Refusal(
            "No library packs whole sentences, rows and blocks of a section as this chunker does: "
            "load the chunks as they are exported here, or choose windows to get code."
        )
    if spec.chunker != "window":
        return Refusal(
            f"The chunks of {spec.chunker} were made by a splitter of your own: keep its code, or "
            "choose a setting of windows to get code here."
        )
    if spec.phase:
        return Refusal(
            f"Phase {spec.phase} only moves the windows to measure chance, by a draw for each "
            "document: choose phase 0, whose windows start with their document."
        )
    return by_unit[spec.unit](spec)


def _units(char: _Write, word: _Write, token: _Write) -> Callable[[ChunkSpec], Code | Refusal]:
    return partial(_write, {"char": char, "word": word, "token": token})


RECIPES: Mapping[str, Recipe] = {
    "python": Recipe("Plain Python", "", "3.11", _units(write_plain, write_plain, write_plain)),
    "langchain": Recipe(
        "LangChain",
        *langchain.PACKAGE,
        _units(langchain.by_characters, langchain.by_words, langchain.by_tokens),
    ),
    "llamaindex": Recipe("LlamaIndex", *llamaindex.PACKAGE, _units(*[llamaindex.by_any] * 3)),
    "haystack": Recipe(
        "Haystack",
        *haystack.PACKAGE,
        _units(haystack.by_characters, haystack.by_words_or_tokens, haystack.by_words_or_tokens),
    ),
    "chonkie": Recipe(
        "Chonkie",
        *chonkie.PACKAGE,
        _units(chonkie.by_characters, chonkie.by_words_or_tokens, chonkie.by_words_or_tokens),
    ),
}
