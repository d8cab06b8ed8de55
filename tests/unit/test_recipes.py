"""Code for a setting: every pair has some, it stands on its own, and plain Python is exact."""

import ast
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import toktok
from hypothesis import example, given, settings

from overlapkit.chunkers import CHUNKERS, UNITS, ChunkSpec, chunk
from overlapkit.corpus import corpus_of
from overlapkit.errors import SettingsError
from overlapkit.recipes import RECIPES, Code, Refusal, recipe
from overlapkit.tokens import ENCODINGS
from tests.property.strategies import sizes, texts

LOCK = Path(__file__).parents[2] / "requirements-recipes.txt"
every_library = pytest.mark.parametrize("library", RECIPES)
every_unit = pytest.mark.parametrize("unit", UNITS)


def code_of(library, unit, size=731, overlap=93, encoding="cl100k_base") -> str:
    """Return a recipe's code, with sizes that occur nowhere else in it."""
    written = recipe(library, ChunkSpec("window", unit, size, overlap, encoding))
    assert isinstance(written, Code)
    return written.text


def vocabulary(name):
    """Return the two calls of tiktoken that recipes make, answered by toktok's equal ids."""
    tokenizer = toktok._encoding(name)
    return SimpleNamespace(
        encode_ordinary=tokenizer.encode_ordinary,
        decode_tokens_bytes=lambda ids: [tokenizer.decode_single_token_bytes(one) for one in ids],
    )


@pytest.fixture
def pasted(monkeypatch):
    """Return a call that runs a snippet and returns its functions, tiktoken being stood in for."""
    stand_in = ModuleType("tiktoken")
    stand_in.get_encoding = vocabulary
    monkeypatch.setitem(sys.modules, "tiktoken", stand_in)

    def paste(code):
        names = {}
        exec(compile(code, "<recipe>", "exec"), names)
        return SimpleNamespace(**names)

    return paste


def measured(text, spec) -> list[tuple[int, int, str]]:
    """Return the start, end and text of a text's chunks, as the project cuts them."""
    chunks = chunk(corpus_of([("a.txt", text)]), spec)
    spans = zip(chunks.start.tolist(), chunks.end.tolist(), strict=True)
    return [(start, end, text[start:end]) for start, end in spans]


@every_library
@every_unit
def test_code_stands_on_its_own(library, unit):
    """It parses, imports what it needs, and defines ``chunks``."""
    tree = ast.parse(code_of(library, unit))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert "chunks" in defined
    assert not any(
        "overlapkit" in ast.unparse(node) for node in tree.body if not isinstance(node, ast.Expr)
    )


@every_library
@every_unit
def test_code_holds_the_numbers_of_the_setting(library, unit):
    """Size and overlap stand in the code, and in the comment that it begins with."""
    code = code_of(library, unit)
    first, rest = code.split("\n", maxsplit=1)
    assert first.startswith("# Chunks of 731 ")
    assert " 93 overlap" in first
    assert "731" in rest
    assert "93" in rest


@every_library
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_code_for_tokens_names_their_vocabulary(library, encoding):
    """Other tokens would give other chunks."""
    assert f'get_encoding("{encoding}")' in code_of(library, "token", encoding=encoding)


@every_library
@every_unit
def test_lines_are_short_enough_to_paste(library, unit):
    """No line of code is longer than 100 characters, with the largest numbers in it."""
    code = code_of(library, unit, 1_000_000_000, 999_999_999)
    assert max(map(len, code.splitlines())) <= 100


@every_library
@every_unit
def test_a_note_is_a_sentence(library, unit):
    """What to know before pasting is written out, without a placeholder."""
    note = recipe(library, ChunkSpec(unit=unit)).note
    assert note.endswith(".")
    assert "{" not in note


@every_library
@every_unit
def test_code_installs_the_version_that_was_tried(library, unit):
    """What the tests install is what a snippet tells its reader to install."""
    locked = LOCK.read_text(encoding="utf-8").splitlines()
    _, package, version, _ = RECIPES[library]
    asked = [
        name
        for line in code_of(library, unit).splitlines()
        if line.startswith("# pip install ")
        for name in line.removeprefix("# pip install ").split()
    ]
    assert [name for name in asked if name not in locked] == []
    assert (f"{package}=={version}" in asked) == bool(package)


@every_unit
@pytest.mark.parametrize("library", ["llamaindex", "haystack", "chonkie"])
def test_a_library_that_cannot_cut_so_gets_the_windows_of_plain_python(library, unit):
    """Its snippet holds the functions that the property below holds against the project."""
    plain = code_of("python", unit)
    functions = plain[plain.index("SIZE, OVERLAP") :]
    own_splitter = unit == "char" and library != "llamaindex"
    assert (functions in code_of(library, unit)) != own_splitter


@every_unit
def test_plain_python_cuts_the_measured_chunks(pasted, unit):
    """Start, end and text of every chunk agree, whatever the text."""

    @settings(max_examples=150, deadline=None)
    @given(text=texts(), size=sizes())
    @example(text="a 🎉🎉 🎉", size=(1, 0))  # windows that lie inside one character
    @example(text="ab🎉", size=(3, 0))  # a last window that is no more than a cut character
    @example(text=" \n\u3000", size=(2, 1))
    def holds(text, size):
        spec = ChunkSpec("window", unit, *size)
        assert pasted(code_of("python", unit, *size)).chunks(text) == measured(text, spec)

    holds()


@every_library
def test_a_phase_is_refused(library):
    """A phase draws for each document by its name, which no snippet knows."""
    refusal = recipe(library, ChunkSpec(phase=3))
    assert refusal == Refusal(
        "Phase 3 only moves the windows to measure chance, by a draw for each document: choose "
        "phase 0, whose windows start with their document."
    )


@every_library
def test_chunks_that_were_given_are_refused(library):
    """Code for windows would cut something else than the chunks that were uploaded."""
    refusal = recipe(library, ChunkSpec("my splitter"))
    assert isinstance(refusal, Refusal)
    assert "keep its code, or choose a setting of windows" in refusal.reason


@every_library
def test_a_chunker_of_the_project_that_cuts_no_windows_is_refused(library):
    """What other libraries do not do is cut by the project itself."""
    for chunker in set(CHUNKERS) - {"window"}:
        refusal = recipe(library, ChunkSpec(chunker))
        assert isinstance(refusal, Refusal)
        assert "cut with overlapkit's own chunk(), or choose" in refusal.reason


def test_an_unknown_library_lists_those_there_are():
    """The error names every choice."""
    with pytest.raises(SettingsError, match="one of python, langchain, llamaindex, hay"):
        recipe("gensim", ChunkSpec())
