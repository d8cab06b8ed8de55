"""Every recipe, run with its library, cuts exactly the chunks that were measured."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from overlapkit.chunkers import UNITS, ChunkSpec, chunk
from overlapkit.corpus import corpus_of
from overlapkit.recipes import RECIPES, recipe
from tests.recipes.elsewhere import ELSEWHERE, SAME

pytestmark = pytest.mark.recipes

RUNNER = Path(__file__).with_name("run_snippets.py")
SIZES = [(1, 0), (2, 1), (3, 0), (5, 2), (7, 6), (40, 8)]
LETTERS = "ab \n🦛\u0301c  中\t\r\n文\u00a0か\u3000d"
PHRASE = (
    "It isn't far — \n\n  über\tnaïve\u2028words, 12 000 of\r\nthem: "
    "中文字 🦛👩\u200d👩 <|endoftext|> \x1c"
)
TEXTS = [
    "",
    " ",
    "\n\t \u2003\x1f\u00a0",
    *[LETTERS[:length] for length in range(1, len(LETTERS) + 1)],
    *["ab" * half for half in (1, 2, 3, 4, 5, 20, 24, 36, 60)],  # where a search goes wrong
    *["word " * words for words in (1, 2, 3, 7, 8, 9, 40, 41, 72, 73)],
    *["\n  " + "🦛" * animals + " \n" for animals in (1, 2, 5, 13)],
    *[PHRASE[cut:] + PHRASE * 3 for cut in (0, 5, 9, 17)],
    "a\x00b\x85c\ufeffd\u200be  " * 9,
]
LONG = [PHRASE * 40, "-" * 3000, "No end.\n" * 700]
LONG_SIZES = [(256, 51), (800, 160), (300, 240)]


def specs():
    """Yield every unit with every size, and tokens of the other vocabulary with two."""
    for size, overlap in SIZES + LONG_SIZES:
        yield from (ChunkSpec("window", unit, size, overlap) for unit in UNITS)
    for size, overlap in (SIZES[1], LONG_SIZES[0]):
        yield ChunkSpec("window", "token", size, overlap, "o200k_base")


def texts_for(spec):
    """Return short texts for a small size, and long ones for a large one."""
    return TEXTS if (spec.size, spec.overlap) in SIZES else LONG


CASES = [(library, spec) for library in RECIPES for spec in specs()]


@pytest.fixture(scope="module")
def found(recipes_python, tmp_path_factory):
    """Run everything in one process and return what each snippet found, by its key."""
    snippets = {
        (library, spec): {
            "library": library,
            "code": recipe(library, spec).text,
            "texts": texts_for(spec),
        }
        for library, spec in CASES
    }
    for name, case in (ELSEWHERE | SAME).items():
        snippets[name] = {"library": name, "code": case.code, "texts": list(case.texts)}
    folder = tmp_path_factory.mktemp("recipes")
    source, target = folder / "asked.json", folder / "found.json"
    source.write_text(json.dumps({"texts": [], "snippets": list(snippets.values())}))
    done = subprocess.run(
        [recipes_python, "-I", RUNNER, source, target],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder), "HAYSTACK_TELEMETRY_ENABLED": "False"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(zip(snippets, json.loads(target.read_text()), strict=True))


def expected(spec, texts):
    """Return the [start, end] of each text's chunks, as the project cuts them."""
    names = [f"{number:04}" for number in range(len(texts))]
    chunks = chunk(corpus_of(zip(names, texts, strict=True)), spec)
    spans = [[] for _ in texts]
    for doc, start, end in zip(chunks.doc, chunks.start, chunks.end, strict=True):
        spans[doc].append([int(start), int(end)])
    return spans


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("library", RECIPES)
def test_a_recipe_cuts_exactly_the_measured_chunks(found, library, unit):
    """Start, end and text of every chunk agree, in every size, and so in the library's form."""
    for spec in specs():
        if spec.unit == unit:
            spans = expected(spec, texts_for(spec))
            told = found[library, spec]
            assert told["chunks"] == spans, spec
            assert told["form"] in (None, spans), spec


@pytest.mark.parametrize("library", ["langchain", "llamaindex", "haystack"])
def test_the_usual_form_of_a_library_is_run_too(found, library):
    """What cuts documents is compared with the measured chunks, not only ``chunks``."""
    assert all(found[library, spec]["form"] is not None for spec in specs())


@pytest.mark.parametrize("name", SAME)
def test_another_form_of_a_library_cuts_the_same(found, name):
    """What is known to agree with a recipe does."""
    assert found[name]["chunks"] == expected(SAME[name].spec, SAME[name].texts)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_splitter_passed_over_does_what_the_note_says(found, name):
    """What a note gives as the reason holds in the version that was tried."""
    case = ELSEWHERE[name]
    assert found[name]["chunks"] == [case.found]
    assert found[name]["chunks"] != expected(case.spec, case.texts)
