"""What a recipe is, and what one returns."""

from collections.abc import Callable
from typing import NamedTuple

from overlapkit.chunkers import ChunkSpec
from overlapkit.words import setting


class Code(NamedTuple):
    """A snippet that stands on its own, and what to know before it is pasted.

    ``text`` defines ``chunks(text)``, which returns start, end (code points, half open) and
    text of every chunk. For a library it also defines its usual form: ``split`` from
    documents to documents, or the component ``Windows`` that a pipeline takes.
    """

    text: str
    note: str


class Refusal(NamedTuple):
    """Why there is no code for a spec, with what to do instead, in a sentence."""

    reason: str


class Recipe(NamedTuple):
    """A way to cut: its library, the package and version it was tried with, and its code.

    ``package`` is empty where nothing has to be installed, and ``version`` is then Python's.
    """

    library: str
    package: str
    version: str
    write: Callable[[ChunkSpec], Code | Refusal]


def described(spec: ChunkSpec) -> str:
    """Return a spec in words, with the vocabulary that its tokens are of."""
    vocabulary = f", tokens of {spec.encoding}" if spec.unit == "token" else ""
    return f"{setting(spec)}{vocabulary}"


def head(spec: ChunkSpec, *packages: str) -> str:
    """Return the comment that a snippet begins with: the setting, and what to install."""
    install = f"# pip install {' '.join(packages)}\n" if packages else ""
    return f"# Chunks of {described(spec)}\n{install}"
