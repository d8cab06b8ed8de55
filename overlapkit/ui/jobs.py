"""Sweeps in the background: one thread each, which can be watched and cancelled.

Nothing here knows streamlit; a page polls ``Job.progress``.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event, Lock, Thread

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import Engine
from overlapkit.retrieve import RunSpec
from overlapkit.sweep import Cutoff, Row, Sweep, sweep_with


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is; ``remaining`` is an estimate in seconds, None before the first row."""

    done: int
    total: int
    remaining: float | None


class Job:
    """A sweep that runs from its making until it is finished or cancelled."""

    def __init__(
        self,
        engine: Engine,
        specs: Sequence[ChunkSpec],
        run: RunSpec,
        also: tuple[Cutoff, ...],
        cache: ResultCache,
    ) -> None:
        self._rows: list[Row] = []
        self._lock = Lock()
        self._stop = Event()
        self._began = time.monotonic()
        self._engine, self._specs, self._run, self._also = engine, tuple(specs), run, also
        self._cache = cache
        self.error: BaseException | None = None
        self._thread = Thread(target=self._work, name="sweep", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            sweep_with(
                self._engine,
                self._specs,
                self._run,
                also=self._also,
                cache=self._cache,
                on_row=self._keep,
                cancelled=self._stop.is_set,
            )
        except BaseException as error:
            self.error = error

    def _keep(self, row: Row) -> None:
        with self._lock:
            self._rows.append(row)

    @property
    def running(self) -> bool:
        """Whether rows may still come."""
        return self._thread.is_alive()

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped before it was done."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Stop after the row at work."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Return when it has ended, or after some seconds."""
        self._thread.join(seconds)

    def rows(self) -> tuple[Row, ...]:
        """Return the rows so far."""
        with self._lock:
            return tuple(self._rows)

    def progress(self) -> Progress:
        """Return how far it is."""
        done, total = len(self.rows()), len(self._specs)
        spent = time.monotonic() - self._began
        return Progress(done, total, spent / done * (total - done) if done else None)

    def sweep(self) -> Sweep:
        """Return the sweep so far, sizes rising, then overlaps."""
        rows = sorted(self.rows(), key=lambda row: (row.spec.size, row.spec.overlap))
        return Sweep(tuple(rows), self._run, self._engine.terms, self._engine.queries)
