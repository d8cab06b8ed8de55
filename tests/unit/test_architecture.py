"""The order of modules, read from the source: who may import whom, and what may be written."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "overlapkit"

# A module (a package counts as one) imports only from those before it.
ORDER = [
    "arrays", "errors", "corpus", "readers", "structure", "compiled", "terms", "tokens",
    "queries", "chunkers", "index", "scoring", "retrieve", "engine", "lengths", "evaluate", "stats",
    "multiplicity", "cache", "sweep", "given", "phases", "words", "groups",
    "cost", "updates", "decide", "gains", "levers", "diagnose", "gates", "recipes",
    "samples", "wording", "workspace", "charts", "sketch", "boundaries", "report", "record",
    "verify", "ui", "cli", "__main__",
]  # fmt: skip

FILES = sorted(PACKAGE.rglob("*.py"))
OUTSIDE = [ROOT / "app.py", ROOT / "tune.py", *sorted((ROOT / "pages").glob("*.py"))]
WRITERS = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
    "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip


def name_of(path: Path) -> str:
    """Return the module or package directly below the root that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def tree_of(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, those inside functions included."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def label(path: Path) -> str:
    """Return a file's path below the project."""
    return path.relative_to(ROOT).as_posix()


def test_every_module_has_its_place_in_the_order():
    """A new module is put into the order before anything else is said about it."""
    assert {name_of(path) for path in FILES} - {"__init__"} <= set(ORDER)


def test_a_module_imports_only_from_those_before_it():
    """There is no way back, so there is no circle; the root's table of contents is last."""
    wrong = []
    for path in FILES:
        own = name_of(path)
        before = ORDER if own == "__init__" else [*ORDER[: ORDER.index(own)], own]
        parts = (name.split(".") for name in imports_of(path))
        wrong += [
            f"{label(path)} imports {rest[0]}"
            for root, *rest in parts
            if root == "overlapkit" and rest and rest[0] not in before
        ]
    assert wrong == []


def test_nobody_imports_the_package_root():
    """``from overlapkit import …`` is for users; inside, a name has one home."""
    assert [label(p) for p in [*FILES, *OUTSIDE] if "overlapkit" in imports_of(p)] == []


def test_imports_are_written_in_full():
    """No import is relative, so that a search finds them all."""
    relative = [path for path in FILES if any(name.startswith(".") for name in imports_of(path))]
    assert relative == []


def test_only_the_ui_imports_streamlit():
    """Everything else runs without a browser; what is outside the package belongs to it."""
    users = {
        name_of(path)
        for path in FILES
        if any(name.split(".")[0] == "streamlit" for name in imports_of(path))
    }
    assert users <= {"ui"}


def test_no_function_writes_module_level_state():
    """What a module binds, or imports from the package, is never changed by a call."""
    written = {label(path): list(writes_in(tree_of(path))) for path in [*FILES, *OUTSIDE]}
    assert {path: lines for path, lines in written.items() if lines} == {}


def writes_in(tree: ast.Module) -> Iterator[str]:
    """Yield where a function changes a name that the module binds."""
    shared = set(names_bound(tree))
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        own = names_inside(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield f"line {node.lineno}: global {', '.join(node.names)}"
            for target in targets_of(node):
                name = root_name(target)
                if name in shared - own:
                    yield f"line {node.lineno}: {name} is written"


def names_bound(tree: ast.Module) -> Iterator[str]:
    """Yield what a module assigns at its top level or imports from the package."""
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (t.id for target in targets for t in ast.walk(target) if is_name(t))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("overlapkit"):
            yield from (alias.asname or alias.name for alias in node.names)


def names_inside(function: ast.AST) -> set[str]:
    """Return a function's own names: parameters and what it assigns."""
    nodes = list(ast.walk(function))
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return own | {n.id for n in nodes if is_name(n) and isinstance(n.ctx, ast.Store)}


def targets_of(node: ast.AST) -> list[ast.AST]:
    """Return the subscripts and attributes that a node writes to, or calls a writer of."""
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        return [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value] if node.func.attr in WRITERS else []
    return []


def root_name(node: ast.AST) -> str | None:
    """Return the name that a chain of attributes and subscripts begins with."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def is_name(node: ast.AST) -> bool:
    """Tell whether a node is a plain name."""
    return isinstance(node, ast.Name)


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("T = {}\ndef f():\n    T['a'] = 1", True),
        ("T = {}\ndef f():\n    T.update(a=1)", True),
        ("T = {}\ndef f():\n    T['a'].append(1)", True),
        ("T: list[int] = []\ndef f():\n    del T[0]", True),
        ("N = 0\ndef f():\n    global N\n    N += 1", True),
        ("from overlapkit.x import T\ndef f():\n    T[1] = 2", True),
        ("T = {}\nT['a'] = 1", False),
        ("T = {}\ndef f():\n    return T['a']", False),
        ("T = {}\ndef f(T):\n    T['a'] = 1", False),
        ("T = {}\ndef f():\n    T = {}\n    T['a'] = 1", False),
    ],
)
def test_the_search_for_written_state_finds_it(source, writes):
    """The test above would fail where a table is filled by a call."""
    assert bool(list(writes_in(ast.parse(source)))) == writes
