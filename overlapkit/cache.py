"""Results kept on disk between runs, in a database of which no row is believed.

diskcache unpickles rows, opens and deletes the files that rows name, and lets the table
of its settings run pragmas and replace attributes (CVE-2025-69872), so whoever can plant
a database could act as the user. Here a row is a str key and bytes, and nothing else;
a database whose schema is not that of a new one is never used; settings come from this
module only. What cannot be read is computed again, and a cache that cannot be used says
so in ``notice`` instead of raising.
"""

import hashlib
import json
import os
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

import diskcache
from diskcache.core import DBNAME, ENOVAL, MODE_RAW, UNKNOWN

if sys.platform != "win32":
    import fcntl

# Raise it whenever equal settings on equal documents may give another result than before
# (a changed chunker, ranking, metric or interval) or a stored value changes its shape.
CODE_VERSION = 3

DEFAULT_LIMIT = 256 * 2**20
FOLDER_VARIABLE = "OVERLAPKIT_CACHE_DIR"

_PATIENCE = 10.0  # seconds to wait for another process that opens or writes
_SIDE_FILES = tuple(DBNAME + suffix for suffix in ("-wal", "-shm", "-journal"))
_BROKEN, _DAMAGED, _LOCK = DBNAME + ".broken", DBNAME + ".damaged", "lock"
_OUR_FILES = frozenset((DBNAME, *_SIDE_FILES, _BROKEN, _DAMAGED, _LOCK))
_DIGEST_SIZE = hashlib.sha256().digest_size
_FOREIGN = "is damaged or was not made by this program"
_MISS = object()

# Trouble around a database; any other error means that the database itself is unusable.
_OUTER_TROUBLE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY_DBMOVED,
    )
)


class ResultCache:
    """A bounded, private cache of plain values; it never raises for the disk's sake.

    ``notice`` is None or one sentence for the user, ``cache disabled: …``, ``cache
    replaced: …`` or ``cache entry ignored: …``; it changes only when things get worse.
    A value is what JSON can hold: tuples come back as lists, NaN and the infinities as
    they were. Every get returns a value of its own. One above a twentieth of the limit
    is not kept: old values go by tens, and it would soon push out all the others.
    """

    def __init__(self, store: "_Store | None", notice: str | None = None) -> None:
        self._store = store
        self._writing = True
        self.notice = notice

    @classmethod
    def open(cls, folder: Path | None = None, *, limit_bytes: int = DEFAULT_LIMIT) -> Self:
        """Return the cache in ``folder``, or a disabled one that says why."""
        try:
            place = (folder or default_folder()).expanduser().absolute()
            return cls(*_open_store(place, limit_bytes))
        except Exception as error:  # a missing cache must not stop the work, whatever the cause
            return cls(None, f"cache disabled: {_reason(error)}")

    @classmethod
    def disabled(cls) -> Self:
        """Return a cache that keeps nothing, by choice and so without a notice."""
        return cls(None)

    def remember(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return the JSON value under ``key``; compute and keep it where there is none.

        The computed value takes the same way through JSON, so that a first call, a later
        one and a disabled cache give equal values.
        """
        value = self.get_json(key, _MISS)
        if value is _MISS:
            data = _json_bytes(compute())
            self._put(key, data)
            value = json.loads(data)
        return value

    def get_json(self, key: str, default: Any = None) -> Any:
        """Return the JSON value under ``key``, or ``default``."""
        data = self._get(key)
        try:
            return default if data is None else json.loads(data)
        except (ValueError, RecursionError):
            return default

    def put_json(self, key: str, value: Any) -> None:
        """Keep ``value``; raise TypeError where it is not plain data."""
        self._put(key, _json_bytes(value))

    def clear(self) -> None:
        """Forget every value."""
        if self._store is not None:
            try:
                self._store.clear()
            except Exception as error:
                self._give_up(error)

    def close(self) -> None:
        """Close this thread's connection; a later call opens it again."""
        if self._store is not None:
            self._store.close()

    def _get(self, key: str) -> bytes | None:
        name = key.encode()
        if self._store is None:
            return None
        try:
            row = self._store.get(key)
        except Exception as error:
            # diskcache fails in many ways on a database damaged under its hands.
            self._give_up(error)
            return None
        if row is None:
            return None
        data: bytes = row[_DIGEST_SIZE:]
        if row[:_DIGEST_SIZE] == _digest(name, data):
            return data
        self.notice = self.notice or f"cache entry ignored: it {_FOREIGN}"
        return None

    def _put(self, key: str, data: bytes) -> None:
        store, row = self._store, _digest(key.encode(), data) + data
        if store is None or not self._writing or len(row) > store.size_limit // 20:
            return
        try:
            store.set(key, row)
            if store.volume() > store.size_limit:
                store.cull()
        except Exception as error:
            self._give_up(error, reading=True)

    def _give_up(self, error: Exception, *, reading: bool = False) -> None:
        """Write no more, and read no more unless ``reading`` still works; say why."""
        store, self._writing = self._store, False
        damage = _is_damage(error)
        self.notice = f"cache disabled: {_reason(error)}"
        if store is None or (reading and not damage):
            return
        self._store = None
        with suppress(OSError, sqlite3.Error):
            if damage:
                # Others may have it open: the next process to open it sets it aside.
                Path(store.directory, _DAMAGED).touch(mode=0o600)
            store.close()


def default_folder() -> Path:
    """Return ``$OVERLAPKIT_CACHE_DIR``, else the place where the platform keeps caches."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        place = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        place = Path.home() / "Library" / "Caches"
    else:
        place = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not place.is_absolute():  # unset, or to be ignored by its specification
            place = Path.home() / ".cache"
    return place / "overlapkit"


def cache_key(*parts: object) -> str:
    """Return the hex SHA-256 of ``parts`` and CODE_VERSION, the same in every process.

    A part is a str, int, float, bool, None, or a tuple or frozen dataclass of such;
    1, 1.0, True and "1" differ. Raises TypeError for anything else, subclasses included
    (a numpy float prints and compares unlike a float).
    """
    return hashlib.sha256(_encode((CODE_VERSION, parts))).hexdigest()


def _encode(part: object) -> bytes:
    """Return ``part`` with its type and length, so that neighbours never run together."""
    kind = type(part)
    tag = kind.__name__
    if kind in (type(None), bool, int, float):
        data = repr(part).encode()
    elif isinstance(part, str) and kind is str:
        data = part.encode("utf-8", "surrogatepass")
    elif isinstance(part, tuple) and kind is tuple:
        data = b"".join(map(_encode, part))
    elif is_dataclass(part) and not isinstance(part, type) and _is_frozen(kind):
        values = tuple((field.name, getattr(part, field.name)) for field in fields(part))
        tag, data = "dataclass", _encode((kind.__module__, kind.__qualname__, values))
    else:
        raise TypeError(f"a cache key holds plain values and frozen dataclasses; got {kind!r}")
    return b"%s:%d:%s" % (tag.encode(), len(data), data)


def _is_frozen(kind: type) -> bool:
    return bool(kind.__dict__["__dataclass_params__"].frozen)


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _digest(name: bytes, data: bytes) -> bytes:
    """Return what binds a value to its key: half a JSON number is a JSON number too."""
    return hashlib.sha256(b"%d:%s%s" % (len(name), name, data)).digest()


class _RowDisk(diskcache.Disk):  # type: ignore[misc]
    """Str keys and bytes values within their row; whatever else a row says is ignored."""

    def __init__(self, directory: str, **_settings: object) -> None:
        super().__init__(directory)

    def put(self, key: object) -> tuple[str, bool]:
        if type(key) is not str:
            raise TypeError(f"a cache key is a str; got {type(key)!r}")
        return key, True

    def get(self, key: object, raw: object) -> str | None:
        return key if type(key) is str and raw == 1 else None

    def store(self, value: object, read: bool, key: object = UNKNOWN) -> tuple[object, ...]:
        if type(value) is not bytes or read:
            raise TypeError(f"a cache row holds bytes; got {type(value)!r}")
        return 0, MODE_RAW, None, sqlite3.Binary(value)

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> bytes:
        good = mode == MODE_RAW and filename is None and not read
        return value if good and type(value) is bytes else b""

    def filename(self, key: object = UNKNOWN, value: object = UNKNOWN) -> NoReturn:
        raise TypeError("a cache value is never a file")

    def remove(self, file_path: object) -> None:
        """Delete nothing: no file belongs to a row."""


class _Store(diskcache.Cache):  # type: ignore[misc]
    """diskcache's table, eviction and connections, with settings of our own."""

    def __init__(self, folder: str, limit_bytes: int) -> None:
        self._accepted: dict[str, object] = {
            "statistics": 0,
            "tag_index": 0,
            "eviction_policy": "least-recently-stored",
            "size_limit": limit_bytes,
            "cull_limit": 0,  # by count; ResultCache culls by size instead
            "sqlite_auto_vacuum": 1,
            "sqlite_cache_size": 2**10,
            "sqlite_cell_size_check": 1,
            "sqlite_journal_mode": "wal",
            "sqlite_journal_size_limit": 2**22,
            "sqlite_mmap_size": 0,  # a mapped file that shrinks would kill the process
            "sqlite_synchronous": 1,
            "sqlite_trusted_schema": 0,
        }
        try:
            super().__init__(folder, timeout=_PATIENCE, disk=_RowDisk, **self._accepted)
        except BaseException:
            self.close()
            raise

    def reset(self, key: str, value: object = ENOVAL, update: bool = True) -> object:
        """Apply a setting of ours; rows of the Settings table come through here too."""
        if value is ENOVAL:
            return 0  # counters of the table, which may hold anything; none is needed
        if key in self._accepted and self._accepted[key] == value:
            super().reset(key, value, update)
        return value

    def check(self, fix: bool = False, retry: bool = False) -> NoReturn:
        """Refuse: with ``fix`` it deletes files that it does not know."""
        raise TypeError("a result cache is replaced, never repaired")


class _DamagedError(Exception):
    """A database that must not be used."""


def _open_store(folder: Path, limit_bytes: int) -> tuple[_Store, str | None]:
    """Return the store in ``folder`` and, where an unusable one had to go, a notice."""
    if os.path.expandvars(folder) != str(folder):  # diskcache would expand it
        raise OSError("the name of its folder holds an environment variable")
    _make_private(folder)
    with _locked(folder / _LOCK):
        try:
            return _open_database(folder, limit_bytes), None
        except Exception as error:
            if not _is_damage(error):
                raise
            with suppress(FileNotFoundError):
                (folder / DBNAME).replace(folder / _BROKEN)
            for name in (*_SIDE_FILES, _DAMAGED):
                (folder / name).unlink(missing_ok=True)
            return _open_database(folder, limit_bytes), f"cache replaced: its database {_FOREIGN}"


def _make_private(folder: Path) -> None:
    """Make ``folder`` ours alone; raise OSError rather than change one that others use."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform == "win32":  # a user's profile is private there
        return
    status = folder.stat()
    if status.st_uid != os.geteuid():
        raise PermissionError(f"its folder is somebody else's; set {FOLDER_VARIABLE}")
    if status.st_mode & stat.S_IWOTH:
        raise PermissionError(f"anybody can write in its folder; set {FOLDER_VARIABLE}")
    if status.st_mode & 0o077:
        if any(entry.name not in _OUR_FILES for entry in folder.iterdir()):
            raise PermissionError(
                f"its folder is open to others and holds other files; set {FOLDER_VARIABLE}"
            )
        folder.chmod(0o700)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Let one process at a time open or replace a database."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    deadline = time.monotonic() + _PATIENCE
    try:
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise TimeoutError("another process holds its lock")
            time.sleep(0.01)
        yield
    finally:
        if sys.platform != "win32":  # a forked child may still hold the descriptor
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    if sys.platform != "win32":  # where a database in use cannot be replaced anyway
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _open_database(folder: Path, limit_bytes: int) -> _Store:
    database = folder / DBNAME
    for path in (database, *(folder / name for name in _SIDE_FILES)):
        with suppress(FileNotFoundError):
            status = path.lstat()
            # SQLite would write through a link, and into whatever it leads to.
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise _DamagedError("not a plain file")
            path.chmod(0o600)
    # Replaying a planted rollback journal deletes the file that it names. None of ours
    # is worth replaying: a write-ahead log takes its place once a database is open.
    (folder / _SIDE_FILES[-1]).unlink(missing_ok=True)
    with suppress(FileExistsError):  # so that SQLite gives its other files this mode too
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if (folder / _DAMAGED).exists():
        raise _DamagedError("marked as damaged")
    _inspect(database)
    return _Store(str(folder), limit_bytes)


def _inspect(database: Path) -> None:
    """Raise unless ``database`` can be written and holds nothing that a new one does not."""
    with closing(sqlite3.connect(database, timeout=_PATIENCE, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = 0")
        found = _schema(connection)
        if found and not found <= _new_schema():  # a view or trigger could run for ever
            raise _DamagedError("schema of something else")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def _schema(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def _new_schema() -> set[tuple[object, ...]]:
    """Return the schema that diskcache, in whichever version, gives a new database."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(_Store(folder, DEFAULT_LIMIT)),
        closing(sqlite3.connect(Path(folder, DBNAME))) as connection,
    ):
        return _schema(connection)


def _cause(error: BaseException) -> BaseException:
    """Return the SQLite error that diskcache hides behind a Timeout or a failed rollback."""
    while isinstance(error.__context__, sqlite3.Error):
        error = error.__context__
    return error


def _is_damage(error: Exception) -> bool:
    cause = _cause(error)
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return not _OUTER_TROUBLE & {code, code & 0xFF}
    return not isinstance(cause, OSError | MemoryError | diskcache.Timeout)


def _reason(error: Exception) -> str:
    """Return the cause in a few words, without the path, which a web page must not show."""
    cause = _cause(error)
    if isinstance(cause, sqlite3.Error) and _is_damage(error):
        return f"its database {_FOREIGN}"  # SQLite's own words may quote the database
    return (isinstance(cause, OSError) and cause.strerror) or str(cause) or type(cause).__name__
