"""The result cache: right answers whatever lies in its folder."""

import base64
import math
import multiprocessing
import os
import pickle
import sqlite3
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import diskcache
import pytest

from overlapkit import cache as module
from overlapkit.cache import ResultCache, cache_key, default_folder

POSIX = pytest.mark.skipif(os.name != "posix", reason="mode bits are those of POSIX")
SPANS = [[0, 4], [3, 7], [6, 10]]
KEY = cache_key("abcdefghij", "char", 4, 1)


def windows(text: str, size: int, overlap: int) -> list[list[int]]:
    """Return the spans of ``text`` cut at ``size`` and ``overlap``."""
    spans = []
    for start in range(0, len(text), size - overlap):
        spans.append([start, min(start + size, len(text))])
        if start + size >= len(text):
            break
    return spans


def spans_of(cache: ResultCache) -> list[list[int]]:
    """Return the spans of the small text by way of ``cache``."""
    spans: list[list[int]] = cache.remember(KEY, lambda: windows("abcdefghij", 4, 1))
    return spans


def never() -> Any:
    """Fail where a value should have come from the cache."""
    raise AssertionError("computed again")


def edit(folder: Path, statement: str, *values: object) -> None:
    """Change the database behind the cache's back."""
    with closing(sqlite3.connect(folder / "cache.db", isolation_level=None)) as connection:
        connection.execute(statement, values)


def count_rows(folder: Path) -> int:
    """Return the number of stored values."""
    with closing(sqlite3.connect(folder / "cache.db")) as connection:
        (count,) = connection.execute("SELECT COUNT(*) FROM Cache").fetchone()
    return int(count)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder, two levels down, whose cache holds the spans."""
    folder = tmp_path / "a" / "b"
    cache = ResultCache.open(folder)
    assert spans_of(cache) == SPANS
    assert cache.notice is None
    cache.close()
    return folder


class Bomb:
    """An object that makes a folder when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


# --- rows -----------------------------------------------------------------------------


def test_the_payload_is_live(folder: Path, tmp_path: Path) -> None:
    """The tampered row used below does run under plain diskcache."""
    payload = pickle.dumps(Bomb(tmp_path / "marker"))
    edit(folder, "UPDATE Cache SET mode = 4, value = ?", payload)
    with diskcache.Cache(str(folder)) as plain:
        plain.get(KEY)
    assert (tmp_path / "marker").exists()


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4, 5, None, "x"])
@pytest.mark.parametrize("place", ["value", "file", "both"])
def test_a_row_with_a_pickle_runs_nothing(
    folder: Path, tmp_path: Path, mode: object, place: str
) -> None:
    """A pickle in a row or in a file beside it is a miss in every mode, and is replaced."""
    payload = pickle.dumps(Bomb(tmp_path / "marker"))
    (folder / "payload.val").write_bytes(payload)
    value = None if place == "file" else payload
    filename = None if place == "value" else "payload.val"
    edit(folder, "UPDATE Cache SET mode = ?, value = ?, filename = ?", mode, value, filename)
    cache = ResultCache.open(folder)
    assert cache.get_json(KEY, "miss") == "miss"
    assert cache.notice is not None
    assert cache.notice.startswith("cache entry ignored: ")
    assert spans_of(cache) == SPANS
    assert cache.remember(KEY, never) == SPANS
    assert not (tmp_path / "marker").exists()
    assert (folder / "payload.val").exists()


@pytest.mark.parametrize("raw", [0, 1, None])
def test_a_key_column_with_a_pickle_runs_nothing(
    folder: Path, tmp_path: Path, raw: int | None
) -> None:
    """A pickle in the key column is never loaded, neither when iterated nor when cleared."""
    payload = pickle.dumps(Bomb(tmp_path / "marker"))
    row = payload, raw, payload
    edit(folder, "INSERT INTO Cache (key, raw, mode, value) VALUES (?, ?, 4, ?)", *row)
    cache = ResultCache.open(folder)
    assert cache.get_json(KEY) == SPANS
    assert set(cache._store) == {KEY, None}
    assert set(cache._store.iterkeys()) == {KEY, None}
    cache._store.peekitem()
    cache.clear()
    assert count_rows(folder) == 0
    assert not (tmp_path / "marker").exists()


def test_an_old_pickle_entry_is_a_miss(folder: Path) -> None:
    """An entry that an earlier program pickled is recomputed, replaced and told once."""
    old = base64.b64decode("gASMC25vX3N1Y2hfbW9klIwBWJSTlC4=")
    edit(folder, "UPDATE Cache SET mode = 4, value = ?", old)
    cache = ResultCache.open(folder)
    assert spans_of(cache) == SPANS
    assert cache.notice == "cache entry ignored: it is damaged or was not made by this program"
    again = ResultCache.open(folder)
    assert again.remember(KEY, never) == SPANS
    assert again.notice is None


@pytest.mark.parametrize(
    "value", [b"", b"[[0,4]]", b"\xff" * 40, "[[0,4]]", 7, 0.5, None, b"[" * 100_000]
)
def test_a_foreign_value_is_a_miss(folder: Path, value: object) -> None:
    """A value that this program did not write is a miss, JSON or not."""
    edit(folder, "UPDATE Cache SET value = ?", value)
    assert spans_of(ResultCache.open(folder)) == SPANS


def test_a_value_of_another_key_is_a_miss(folder: Path) -> None:
    """A row that moved under another key is not that key's value."""
    edit(folder, "UPDATE Cache SET key = ?", cache_key("other"))
    assert ResultCache.open(folder).remember(cache_key("other"), lambda: "right") == "right"


def test_deeply_nested_json_is_a_miss(folder: Path) -> None:
    """JSON too deep to parse is a miss even with the right digest."""
    cache = ResultCache.open(folder)
    cache._put(KEY, b"[" * 100_000 + b"]" * 100_000)
    assert cache.get_json(KEY, "miss") == "miss"


OPERATIONS: dict[str, Callable[[ResultCache], object]] = {
    "get": lambda cache: cache.get_json(KEY),
    "put": lambda cache: cache.put_json(KEY, 1),
    "read": lambda cache: cache._store.read(KEY),
    "pop": lambda cache: cache._store.pop(KEY),
    "delete": lambda cache: cache._store.delete(KEY),
    "peekitem": lambda cache: cache._store.peekitem(),
    "pull": lambda cache: cache._store.pull(prefix="p"),
    "expire": lambda cache: cache._store.expire(now=2e9),
    "evict": lambda cache: cache._store.evict("tag"),
    "cull": lambda cache: cache._store.cull(),
    "eviction by put": lambda cache: cache.put_json("new", 1),
    "clear": lambda cache: cache.clear(),
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_a_file_named_by_a_row_is_left_alone(
    folder: Path, tmp_path: Path, operation: str, mode: int
) -> None:
    """A row that names a file outside neither reads nor deletes it, whatever is done."""
    victim = tmp_path / "victim"
    victim.write_text("[1]")
    edit(
        folder,
        "UPDATE Cache SET mode = ?, value = NULL, filename = '../../victim', size = ?, tag = 'tag'",
        mode,
        2**40,
    )
    edit(
        folder,
        "INSERT INTO Cache (key, raw, expire_time, mode, filename) VALUES (?, 1, 1e9, ?, ?)",
        "p-000000000000001",
        mode,
        "../../victim",
    )
    limit = 2**10 if operation in ("cull", "eviction by put") else 2**20
    cache = ResultCache.open(folder, limit_bytes=limit)
    assert OPERATIONS[operation](cache) not in ([1], "[1]", b"[1]")
    assert victim.read_text() == "[1]"
    assert cache.notice is None or "entry ignored" in cache.notice


def test_files_unknown_to_the_database_are_kept(folder: Path) -> None:
    """The check that would delete every unknown file is refused."""
    (folder / "letter.txt").write_text("mine")
    cache = ResultCache.open(folder)
    with pytest.raises(TypeError, match="never repaired"):
        cache._store.check(fix=True)
    assert (folder / "letter.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("key", "value"), [(1, b"x"), (b"k", b"x"), (("k",), b"x"), ("k", "x"), ("k", {}), ("k", None)]
)
def test_the_table_takes_str_and_bytes_only(folder: Path, key: object, value: object) -> None:
    """Any other key or value is refused before diskcache could pickle it."""
    cache = ResultCache.open(folder)
    with pytest.raises(TypeError, match=r"a cache (key|row)"):
        cache._store.set(key, value)


# --- settings, schema and files of the database ----------------------------------------

HOSTILE_SETTINGS = [
    ("_directory", "elsewhere"),
    ("_directory", None),
    ("_disk", None),
    ("_accepted", None),
    ("get", "x"),
    ("disk_fetch", "x"),
    ("disk_remove", None),
    ("disk__directory", "/"),
    ("disk_min_file_size", 0),
    ("sqlite_user_version", 7),
    ("sqlite_locking_mode", "exclusive"),
    ("sqlite_max_page_count", 1),
    ("sqlite_mmap_size", 2**40),
    ("sqlite_journal_mode", "off"),
    ("sqlite_(", ")"),
    ("eviction_policy", "none"),
    ("eviction_policy", b"\xff"),
    ("size_limit", "large"),
    ("cull_limit", "x"),
    ("statistics", 1),
    ("tag_index", "x"),
    ("size", "many"),
    ("size", 2**50),
    ("count", None),
    (b"\xff\x00", 1),
]


@pytest.mark.parametrize("setting", HOSTILE_SETTINGS, ids=str)
@pytest.mark.parametrize("when", ["before", "while open"])
def test_tampered_settings_do_nothing(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    setting: tuple[object, object],
    when: str,
) -> None:
    """A row of the Settings table neither sets an attribute nor runs a pragma."""
    monkeypatch.chdir(tmp_path)
    cache = ResultCache.open(folder)
    cache.close()
    edit(folder, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", *setting)
    if when == "before":
        cache = ResultCache.open(folder)
    for number in range(30):
        assert cache.remember(cache_key(number), lambda number=number: number) == number
    assert spans_of(cache) == SPANS
    if not isinstance(setting[0], bytes):  # diskcache cannot even sort such a row: all is replaced
        assert cache.notice is None
        assert cache.remember(cache_key(29), never) == 29
        assert cache._store._con.execute("PRAGMA user_version").fetchone() == (0,)
        assert cache._store._con.execute("PRAGMA mmap_size").fetchone() == (0,)
        assert cache._store.directory == str(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_missing_settings_are_written_again(folder: Path) -> None:
    """A database without its settings works like any other."""
    edit(folder, "DELETE FROM Settings")
    cache = ResultCache.open(folder)
    assert cache.remember(KEY, never) == SPANS
    cache.put_json("k", 1)
    assert (cache.get_json("k"), cache.notice) == (1, None)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE other (x)",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "CREATE INDEX i ON Cache (abs(size))",
        "ALTER TABLE Cache ADD COLUMN extra DEFAULT 1",
    ],
)
def test_a_foreign_schema_is_set_aside(folder: Path, statement: str) -> None:
    """A database that holds more than a new one is replaced, and kept beside it."""
    edit(folder, statement)
    cache = ResultCache.open(folder)
    assert cache.notice == (
        "cache replaced: its database is damaged or was not made by this program"
    )
    assert cache.get_json(KEY) is None
    assert spans_of(cache) == SPANS
    assert (folder / "cache.db.broken").exists()
    assert ResultCache.open(folder).remember(KEY, never) == SPANS


def hot_journal(database: Path, victim: Path) -> bytes:
    """Return a rollback journal after whose replay SQLite deletes ``victim``."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), bytes(victim)
    pages = database.stat().st_size // 4096
    header = (magic + struct.pack(">5I", 0, 1, pages, 512, 4096)).ljust(512, b"\0")
    tail = struct.pack(">I", 2**30 // 4096 + 1) + name
    return header + tail + struct.pack(">2I", len(name), sum(name)) + magic


def test_a_planted_journal_deletes_nothing(folder: Path, tmp_path: Path) -> None:
    """A rollback journal that names a file is dropped before SQLite could replay it."""
    victim = tmp_path / "victim"
    victim.write_text("keep")
    (folder / "cache.db-journal").write_bytes(hot_journal(folder / "cache.db", victim))
    cache = ResultCache.open(folder)
    assert cache.remember(KEY, never) == SPANS
    assert victim.read_text() == "keep"


@POSIX
@pytest.mark.parametrize("name", ["cache.db", "cache.db-wal", "cache.db-shm", "lock"])
@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_a_link_is_not_followed(folder: Path, tmp_path: Path, name: str, link: str) -> None:
    """A link in the place of a file of ours leaves what it leads to as it was."""
    victim = tmp_path / "victim"
    victim.write_text("keep")
    victim.chmod(0o644)
    (folder / name).unlink(missing_ok=True)
    getattr(folder / name, link)(victim)
    assert spans_of(ResultCache.open(folder)) == SPANS
    assert victim.read_text() == "keep"
    assert victim.stat().st_mode & 0o777 == 0o644


GARBAGE = {
    "case": base64.b64decode("U1FMaXRlIGZvcm1hdCAzAP" + "/" * 104 + "w=="),
    "text": b"not a database at all\n" * 500,
    "zeros": bytes(8192),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_replaced(tmp_path: Path, name: str) -> None:
    """A file that is no database is set aside, told once, and the cache works."""
    (tmp_path / "cache.db").write_bytes(GARBAGE[name])
    cache = ResultCache.open(tmp_path)
    assert cache.notice is not None
    assert cache.notice.startswith("cache replaced: ")
    assert spans_of(cache) == SPANS
    assert (tmp_path / "cache.db.broken").read_bytes() == GARBAGE[name]
    again = ResultCache.open(tmp_path)
    assert again.remember(KEY, never) == SPANS
    assert again.notice is None


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_database_gives_right_answers(folder: Path, share: float) -> None:
    """Half a database is recomputed, and healed at the latest by the next open."""
    data = (folder / "cache.db").read_bytes()
    (folder / "cache.db").write_bytes(data[: int(len(data) * share)])
    assert spans_of(ResultCache.open(folder)) == SPANS
    assert spans_of(ResultCache.open(folder)) == SPANS
    assert ResultCache.open(folder).notice is None


@pytest.mark.parametrize("place", ["everywhere", "one page"])
def test_damage_while_open_disables_and_the_next_open_replaces(folder: Path, place: str) -> None:
    """A database overwritten under an open cache costs no answer and is replaced later."""
    cache = ResultCache.open(folder)
    cache.close()
    data = bytearray((folder / "cache.db").read_bytes())
    with closing(sqlite3.connect(folder / "cache.db")) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'Cache_key_raw'"
        (page,) = connection.execute(query).fetchone()
    start = 0 if place == "everywhere" else (page - 1) * 4096
    end = len(data) if place == "everywhere" else page * 4096
    data[start:end] = b"\x07" * (end - start)
    (folder / "cache.db").write_bytes(data)
    assert spans_of(cache) == SPANS
    assert cache.notice == (
        "cache disabled: its database is damaged or was not made by this program"
    )
    assert spans_of(cache) == SPANS
    after = ResultCache.open(folder)
    assert after.notice is not None
    assert after.notice.startswith("cache replaced: ")
    assert spans_of(after) == SPANS
    assert ResultCache.open(folder).notice is None


# --- folders --------------------------------------------------------------------------


@POSIX
def test_the_folder_is_private(tmp_path: Path) -> None:
    """Whatever the umask, the folder is 0700 and every file in it 0600."""
    before = os.umask(0)
    try:
        cache = ResultCache.open(tmp_path / "new" / "cache")
        spans_of(cache)
    finally:
        os.umask(before)
    folder = tmp_path / "new" / "cache"
    assert folder.stat().st_mode & 0o777 == 0o700
    names = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert set(names) >= {"cache.db", "cache.db-wal", "cache.db-shm"}
    assert set(names.values()) == {0o600}


@POSIX
def test_an_open_folder_of_ours_is_closed(folder: Path) -> None:
    """A folder and database that others can read become private again."""
    folder.chmod(0o755)
    (folder / "cache.db").chmod(0o644)
    assert ResultCache.open(folder).remember(KEY, never) == SPANS
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "cache.db").stat().st_mode & 0o777 == 0o600


@POSIX
@pytest.mark.parametrize(
    ("mode", "other", "reason"),
    [
        (0o777, False, "anybody can write in its folder"),
        (0o1777, False, "anybody can write in its folder"),
        (0o755, True, "its folder is open to others and holds other files"),
        (0o770, True, "its folder is open to others and holds other files"),
    ],
)
def test_a_folder_that_others_use_is_left_as_it_is(
    tmp_path: Path, mode: int, other: bool, reason: str
) -> None:
    """A shared folder is not used and keeps its mode."""
    shared = tmp_path / "shared"
    shared.mkdir()
    if other:
        (shared / "letter.txt").write_text("mine")
    shared.chmod(mode)
    cache = ResultCache.open(shared)
    assert cache.notice == f"cache disabled: {reason}; set OVERLAPKIT_CACHE_DIR"
    assert spans_of(cache) == SPANS
    assert shared.stat().st_mode & 0o7777 == mode
    assert not (shared / "cache.db").exists()


@POSIX
def test_a_folder_of_somebody_else_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with another owner is not trusted."""
    monkeypatch.setattr(module.os, "geteuid", lambda: os.getuid() + 1)
    cache = ResultCache.open(folder)
    assert cache.notice == "cache disabled: its folder is somebody else's; set OVERLAPKIT_CACHE_DIR"
    assert spans_of(cache) == SPANS


def unusable(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Yield names and paths at which no cache can be."""
    (tmp_path / "file").write_text("a regular file")
    (tmp_path / "taken" / "lock").mkdir(parents=True)
    (tmp_path / "odd" / "cache.db").mkdir(parents=True)
    (tmp_path / "odd" / "cache.db.broken").mkdir()
    yield "file as parent", tmp_path / "file" / "cache"
    yield "file", tmp_path / "file"
    yield "NUL", tmp_path / "a\0b"
    yield "long", tmp_path / ("x" * 300)
    yield "variable", tmp_path / "$SOMEWHERE"
    yield "lock is a folder", tmp_path / "taken"
    if sys.platform == "linux":
        yield "proc", Path("/proc/none")


def test_an_unusable_folder_disables_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no cache can be made the answer is right and one sentence says why."""
    monkeypatch.setenv("SOMEWHERE", "else")
    for name, path in unusable(tmp_path):
        cache = ResultCache.open(path)
        assert spans_of(cache) == SPANS, name
        assert cache.notice is not None, name
        assert cache.notice.startswith("cache disabled: "), name
        assert str(tmp_path) not in cache.notice, name
        cache.put_json(KEY, 1)
        cache.clear()
        cache.close()
        assert cache.get_json(KEY) is None, name


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root writes anywhere")
@pytest.mark.parametrize("lock", ["missing", "there"])
def test_a_read_only_folder_disables_the_cache(folder: Path, lock: str) -> None:
    """A folder without write permission is not used."""
    if lock == "missing":
        (folder / "lock").unlink()
    folder.chmod(0o500)
    cache = ResultCache.open(folder)
    assert spans_of(cache) == SPANS
    assert cache.notice is not None
    assert cache.notice.startswith("cache disabled: ")
    folder.chmod(0o700)
    assert ResultCache.open(folder).remember(KEY, never) == SPANS


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Return a function that mounts a tmpfs with options; skip where that is not allowed."""
    place = tmp_path / "mounted"
    place.mkdir()

    def mount(options: str) -> Path:
        command = ["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "none", str(place)]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("no tmpfs can be mounted here")
        return place

    yield mount
    subprocess.run(["umount", str(place)], check=False, capture_output=True)


@pytest.mark.parametrize("size", ["4k", "16k", "64k", "128k"])
def test_a_full_disk_disables_the_cache(mount: Callable[[str], Path], size: str) -> None:
    """On a disk too small for the database, or soon full, every answer is right."""
    cache = ResultCache.open(mount(f"size={size}"))
    assert spans_of(cache) == SPANS
    for number in range(50):
        value = [number] * 500
        assert cache.remember(cache_key(number), lambda value=value: value) == value
    assert cache.notice is not None
    assert cache.notice.startswith("cache disabled: ")
    cache.close()


def test_a_read_only_mount_disables_the_cache(mount: Callable[[str], Path]) -> None:
    """A read-only file system is told, also to root."""
    cache = ResultCache.open(mount("size=1m,ro"))
    assert spans_of(cache) == SPANS
    assert cache.notice == "cache disabled: Read-only file system"


def test_a_write_that_fails_later_stops_writing_only(folder: Path) -> None:
    """When the database cannot grow, reading goes on and the notice names the cause."""
    cache = ResultCache.open(folder)
    cache._store._con.execute("PRAGMA max_page_count = 1")
    for number in range(50):
        value = [number] * 2000
        assert cache.remember(cache_key(number), lambda value=value: value) == value
    assert cache.notice == "cache disabled: database or disk is full"
    assert cache.remember(KEY, never) == SPANS


@pytest.mark.parametrize("moment", ["at open", "later"])
def test_a_locked_database_is_not_waited_for_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """A database that somebody keeps locked costs the patience once."""
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    cache = ResultCache.open(folder)
    with closing(sqlite3.connect(folder / "cache.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        if moment == "at open":
            cache = ResultCache.open(folder)
        for number in range(20):
            assert cache.remember(cache_key(number), lambda number=number: number) == number
            assert cache.notice == "cache disabled: database is locked"  # from the first one on
    assert spans_of(cache) == SPANS


@POSIX
def test_a_kept_lock_is_not_waited_for_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that never finishes opening does not stop the others."""
    import fcntl

    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    with (folder / "lock").open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        cache = ResultCache.open(folder)
    assert cache.notice == "cache disabled: another process holds its lock"
    assert spans_of(cache) == SPANS


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/overlapkit"),
        ("linux", {"XDG_CACHE_HOME": "relative", "HOME": "/home/u"}, "/home/u/.cache/overlapkit"),
        ("linux", {"HOME": "/home/u"}, "/home/u/.cache/overlapkit"),
        ("darwin", {"HOME": "/Users/u"}, "/Users/u/Library/Caches/overlapkit"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/overlapkit"),
        ("linux", {"OVERLAPKIT_CACHE_DIR": "/mine", "XDG_CACHE_HOME": "/xdg"}, "/mine"),
        ("linux", {"OVERLAPKIT_CACHE_DIR": "", "XDG_CACHE_HOME": "/xdg"}, "/xdg/overlapkit"),
    ],
)
@POSIX
def test_the_default_folder_is_the_users(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    """The default is the platform's cache folder, unless the variable names another."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "OVERLAPKIT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(module, "sys", SimpleNamespace(platform=platform))
    assert default_folder() == Path(expected)


def test_open_without_a_folder_uses_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment variable decides where a cache without a folder lies."""
    monkeypatch.setenv("OVERLAPKIT_CACHE_DIR", str(tmp_path / "mine"))
    assert spans_of(ResultCache.open()) == SPANS
    assert (tmp_path / "mine" / "cache.db").exists()


# --- many at once -----------------------------------------------------------------------


def work_in_threads(folder: Path, barrier: Any, answers: Any) -> None:
    """Open the cache in four threads at once and send what each of them got."""

    def work() -> tuple[object, str | None]:
        barrier.wait(60)
        cache = ResultCache.open(folder)
        spans = spans_of(cache)
        for number in range(10):
            value = [number] * 500
            assert cache.remember(cache_key(number), lambda: value) == value  # noqa: B023
        cache.close()
        return spans, cache.notice

    with ThreadPoolExecutor(4) as threads:
        answers.put([future.result() for future in [threads.submit(work) for _ in range(4)]])


@POSIX
@pytest.mark.parametrize("start", ["new", "garbage"])
def test_many_processes_open_one_folder(tmp_path: Path, start: str) -> None:
    """Eight processes of four threads open one folder at once, and all get the spans."""
    if start == "garbage":
        (tmp_path / "cache.db").write_bytes(GARBAGE["case"])
    context = multiprocessing.get_context("fork")  # so that nothing is imported again
    barrier, answers = context.Barrier(32), context.Queue()
    processes = [
        context.Process(target=work_in_threads, args=(tmp_path, barrier, answers)) for _ in range(8)
    ]
    for process in processes:
        process.start()
    results = [answer for _ in processes for answer in answers.get(timeout=60)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    assert [spans for spans, _ in results] == [SPANS] * 32
    assert len([notice for _, notice in results if notice]) == (start == "garbage")
    assert ResultCache.open(tmp_path).remember(KEY, never) == SPANS


def test_threads_share_one_cache(tmp_path: Path) -> None:
    """One cache serves many threads, each with its own connection."""
    cache, wrong = ResultCache.open(tmp_path), []

    def work() -> None:
        for number in range(50):
            if cache.remember(cache_key(number), lambda number=number: [number]) != [number]:
                wrong.append(number)
        cache.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, cache.notice, count_rows(tmp_path)) == ([], None, 50)


# --- keys -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spec:
    """A setting."""

    unit: str
    size: int
    overlap: int


@dataclass(frozen=True)
class Other:
    """Another setting with the same fields."""

    unit: str
    size: int
    overlap: int


@dataclass
class Loose:
    """A dataclass that can change."""

    size: int


def test_settings_never_run_together(tmp_path: Path) -> None:
    """Sizes and overlaps whose digits run together keep their own results, in either order."""
    text = "abcdefghij" * 150
    assert cache_key("100", "20", "5") != cache_key("1002", "0", "5")
    for order in (1, -1):
        cache = ResultCache.open(tmp_path / str(order))
        counts = {}
        for size, overlap in [(100, 20), (1002, 0)][::order]:
            key = cache_key(text, "char", size, overlap, 5)
            spans = cache.remember(
                key, lambda size=size, overlap=overlap: windows(text, size, overlap)
            )
            counts[size] = len(spans)
        assert counts == {100: 19, 1002: 2}


def test_keys_tell_values_types_and_nesting_apart() -> None:
    """No two different lists of parts share a key."""
    parts: list[tuple[object, ...]] = [
        (),
        ("",),
        ("", ""),
        ((),),
        ((), ()),
        ("a", "b"),
        ("ab",),
        ("a", "b", ""),
        (("a", "b"),),
        (("a",), "b"),
        ("str:1:a",),
        (1,),
        (True,),
        (1.0,),
        ("1",),
        (0,),
        (0.0,),
        (-0.0,),
        (False,),
        (None,),
        ("None",),
        (math.nan,),
        (math.inf,),
        (10**30,),
        ("\ud800",),
        ("é",),
        ("e\u0301",),
        (Spec("char", 4, 1),),
        (Spec("char", 41, 1),),
        (Other("char", 4, 1),),
        ("char", 4, 1),
        (("char", 4, 1),),
    ]
    keys = [cache_key(*part) for part in parts]
    assert len(set(keys)) == len(parts)
    assert keys == [cache_key(*part) for part in parts]
    assert all(len(key) == 64 and int(key, 16) >= 0 for key in keys)


class Text(str):
    """A str that may print as it likes."""

    __slots__ = ()


@pytest.mark.parametrize(
    "part", [[1], {"a": 1}, {1}, b"x", Loose(1), Spec, object(), Text("x"), 1j, (1, [2])]
)
def test_a_part_without_a_stable_form_is_refused(part: object) -> None:
    """What is not plain and frozen raises TypeError, however deep."""
    with pytest.raises(TypeError, match="a cache key holds"):
        cache_key("x", part)


def test_a_numpy_number_is_refused() -> None:
    """A numpy float is a float to Python but prints unlike one."""
    import numpy as np

    with pytest.raises(TypeError, match="float64"):
        cache_key(np.float64(1))


def test_keys_are_equal_in_every_process(tmp_path: Path) -> None:
    """Two processes with different hash seeds share one entry."""
    program = (
        "import sys; from pathlib import Path; from overlapkit.cache import *\n"
        "cache, made = ResultCache.open(Path(sys.argv[1])), []\n"
        "key = cache_key('abc', 'char', 2, 0, 0.1, None, True, ('x', 'y'))\n"
        "cache.remember(key, lambda: made.append(1) or [[0, 2], [2, 3]])\n"
        "print(key, len(made), cache.get_json(key))"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split(maxsplit=2)
        for seed in ("1", "2")
    ]
    assert outputs[0][0] == outputs[1][0]
    assert [made for _, made, _ in outputs] == ["1", "0"]
    assert outputs[0][2] == outputs[1][2] == "[[0, 2], [2, 3]]\n"
    assert count_rows(tmp_path) == 1


def test_a_new_code_version_reuses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed algorithm never serves the spans of the one before."""
    monkeypatch.setattr(module, "CODE_VERSION", module.CODE_VERSION + 1)
    key = cache_key("abcdefghij", "char", 4, 1)
    assert key != KEY
    assert ResultCache.open(folder).remember(key, lambda: "new") == "new"


# --- values -----------------------------------------------------------------------------


def test_values_come_back_the_same_way_each_time(folder: Path) -> None:
    """First call, later call and a disabled cache give equal values, tuples as lists."""
    for cache in (ResultCache.open(folder), ResultCache.open(folder), ResultCache.disabled()):
        assert cache.remember("k", lambda: {"b": (1, 2), "a": "é\ud800"}) == {
            "a": "é\ud800",
            "b": [1, 2],
        }
        assert cache.notice is None


def test_nan_and_infinities_come_back(folder: Path) -> None:
    """NaN, the infinities and a negative zero survive the round trip."""
    cache = ResultCache.open(folder)
    cache.put_json("k", [math.nan, math.inf, -math.inf, -0.0, 0.1])
    nan, *rest = cache.get_json("k")
    assert math.isnan(nan)
    assert rest == [math.inf, -math.inf, 0.0, 0.1]
    assert math.copysign(1, rest[2]) == -1


def test_null_is_a_value(folder: Path) -> None:
    """A stored null is found, not computed again."""
    cache = ResultCache.open(folder)
    assert cache.remember("k", lambda: None) is None
    assert cache.remember("k", never) is None
    assert cache.get_json("k", "miss") is None


def test_a_changed_answer_does_not_change_the_cache(folder: Path) -> None:
    """A caller may pop, sort and add to what it got."""
    cache = ResultCache.open(folder)
    for _ in range(3):
        spans = spans_of(cache)
        assert spans == SPANS
        spans.pop()
        spans.sort(reverse=True)
        spans[0].append(9)


@pytest.mark.parametrize("value", [b"x", {1, 2}, object(), {(1, 2): 3}])
@pytest.mark.parametrize("kind", ["open", "disabled"])
def test_a_value_that_is_not_plain_is_refused(folder: Path, value: object, kind: str) -> None:
    """What JSON cannot hold is a mistake of the caller, with or without a cache."""
    cache = ResultCache.open(folder) if kind == "open" else ResultCache.disabled()
    with pytest.raises(TypeError):
        cache.put_json("k", value)
    with pytest.raises(TypeError):
        cache.remember("k", lambda: value)
    assert cache.notice is None


def test_an_error_of_the_computation_is_not_kept(folder: Path) -> None:
    """A computation that fails raises, and the next one is tried."""
    cache = ResultCache.open(folder)
    with pytest.raises(AssertionError, match="computed again"):
        cache.remember("k", never)
    assert cache.remember("k", lambda: 1) == 1


def test_a_disabled_cache_computes_each_time() -> None:
    """A cache disabled by choice keeps nothing and says nothing."""
    cache, made = ResultCache.disabled(), []
    for _ in range(2):
        cache.remember("k", lambda: made.append(1))
    cache.put_json("k", 1)
    assert (len(made), cache.get_json("k"), cache.notice) == (2, None, None)


def test_the_size_is_bounded(tmp_path: Path) -> None:
    """Old values go when the limit is reached, many small ones for a large one too."""
    limit = 2**20
    cache = ResultCache.open(tmp_path, limit_bytes=limit)
    for number in range(500):
        cache.put_json(cache_key(number), "x" * 1000)
    for number in range(100):
        cache.put_json(cache_key("large", number), "x" * (limit // 21))
        assert cache._store.volume() <= limit
    for number in range(95, 100):
        assert cache.get_json(cache_key("large", number)) == "x" * (limit // 21)
    assert cache.get_json(cache_key(0)) is None
    cache.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= limit


def test_a_value_near_the_limit_is_not_kept(folder: Path) -> None:
    """A value that would push out all the others is computed each time."""
    cache = ResultCache.open(folder, limit_bytes=2**20)
    cache.put_json("k", "x" * 2**16)
    assert cache.get_json("k") is None
    assert cache.remember(KEY, never) == SPANS
