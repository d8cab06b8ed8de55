"""Paths to documents: files by their name, folders by the paths below them."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from overlapkit.corpus import Corpus
from overlapkit.errors import InputError
from overlapkit.readers.files import Source, read_sources
from overlapkit.readers.limits import DEFAULT_LIMITS, Limits
from overlapkit.readers.names import is_hidden, is_system_file, legible
from overlapkit.readers.reading import Reading, corpus_of_reading, listing
from overlapkit.readers.table import SUPPORTED, extension_of

PathLike = str | os.PathLike[str]


@dataclass(slots=True)
class _Search:
    """The files that the paths have led to, and what to say about the others."""

    sources: list[Source] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    seen: dict[Path, int] = field(default_factory=dict)

    def add(self, name: str, path: Path, *, required: bool = False) -> None:
        """Add a file, unless another path has already led to it."""
        real = path.resolve()
        index = self.seen.get(real)
        if index is not None:
            earlier = self.sources[index]
            self.sources[index] = replace(earlier, required=earlier.required or required)
            self.notes.append(f"{legible(name)}: given more than once, read once")
            return
        self.seen[real] = len(self.sources)
        self.sources.append(Source(name, path, required))


def read_paths(
    paths: PathLike | Iterable[PathLike],
    *,
    limits: Limits = DEFAULT_LIMITS,
    encodings: Mapping[str, str] | None = None,
) -> Reading:
    """Return the documents of files and folders, searched recursively.

    A document of a folder is named by its POSIX path below that folder, a file by its
    name. Hidden files and files of unsupported types in a folder are passed over with a
    note. Raises InputError for a path that is neither a file nor a folder.
    """
    return _read(_find(paths, required=False), limits, encodings)


def load_corpus(
    paths: PathLike | Iterable[PathLike],
    *,
    limits: Limits = DEFAULT_LIMITS,
    encodings: Mapping[str, str] | None = None,
) -> Corpus:
    """Return the corpus of files and folders; ``read_paths`` also tells what was noted.

    Raises InputError when a file that was named itself cannot be read, or nothing can.
    """
    return corpus_of_reading(_read(_find(paths, required=True), limits, encodings))


def _read(search: _Search, limits: Limits, encodings: Mapping[str, str] | None) -> Reading:
    reading = read_sources(search.sources, limits, encodings)
    return replace(
        reading,
        notes=(*search.notes, *reading.notes),
        refused=(*search.refused, *reading.refused),
    )


def _find(paths: PathLike | Iterable[PathLike], *, required: bool) -> _Search:
    search = _Search()
    for given in [paths] if isinstance(paths, str | os.PathLike) else paths:
        path = Path(given)
        try:
            is_file, is_folder = path.is_file(), path.is_dir()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror}): check it") from None
        if is_file:
            search.add(path.name, path, required=required)
        elif is_folder:
            _search_folder(path, search)
        else:
            raise InputError(f"a path must be a file or a folder; {path} is neither: check it")
    return search


def _search_folder(folder: Path, search: _Search) -> None:
    """Add the readable files of a folder in the order of their names."""
    passed: dict[str, list[str]] = {}
    files, links = [], []
    for path in _walk(folder, passed, search.refused):
        name = path.relative_to(folder).as_posix()
        if not _is_file(path) or extension_of(name) not in SUPPORTED:
            passed.setdefault("unsupported type", []).append(legible(name))
        elif path.is_symlink():
            links.append((name, path))
        else:
            files.append((name, path))
    inside = folder.resolve()
    own = {path.resolve() for _, path in files}
    for name, path in links:
        target = path.resolve()
        if target.is_relative_to(inside) and target not in own:
            files.append((name, path))
            own.add(target)
        else:
            passed.setdefault("link", []).append(legible(name))
    for name, path in sorted(files):
        search.add(name, path)
    search.notes += (
        f"{legible(str(folder))}: skipped, {kind} ({len(names)}): {listing(sorted(names))}"
        for kind, names in passed.items()
    )


def _walk(folder: Path, passed: dict[str, list[str]], refused: list[str]) -> Iterator[Path]:
    """Yield the files below a folder, without hidden ones and without following links."""

    def refuse(error: OSError) -> None:
        refused.append(
            f"{legible(str(error.filename))}: cannot be read ({error.strerror}): check it"
        )

    for root, folders, files in os.walk(folder, onerror=refuse):
        here = Path(root)
        for name in (*folders, *files):
            shown = legible((here / name).relative_to(folder).as_posix())
            if is_hidden([name]) and not is_system_file([name]):
                passed.setdefault("hidden", []).append(shown)
            elif name in folders and (here / name).is_symlink():
                passed.setdefault("link", []).append(shown)
        folders[:] = [name for name in folders if not _is_passed_over(name)]
        yield from (here / name for name in files if not _is_passed_over(name))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_passed_over(name: str) -> bool:
    return is_hidden([name]) or is_system_file([name])
