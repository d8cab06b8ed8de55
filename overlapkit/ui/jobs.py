"""Sweeps in the background: one thread each, which can be watched and cancelled.

Nothing here knows streamlit; a page polls ``Job.progress``.
"""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Event, Lock, Thread

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import Engine
from overlapkit.retrieve import RunSpec
from overlapkit.sweep import Cutoff, Row, Sweep, sweep_with

Key = Hashable


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
    def stopped(self) -> bool:
        """Whether it was told to stop before it was done."""
        return self._stop.is_set() and len(self.rows()) < len(self._specs)

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
        return self.progress_of(self._specs)

    def progress_of(self, specs: Sequence[ChunkSpec]) -> Progress:
        """Return how far it is with some of its specs, which come before the others."""
        rows, wanted = self.rows(), set(specs)
        done = sum(row.spec in wanted for row in rows)
        spent = time.monotonic() - self._began
        left = len(wanted) - done
        return Progress(done, len(wanted), spent / len(rows) * left if rows else None)

    def sweep(self) -> Sweep:
        """Return the sweep so far, sizes rising, then overlaps."""
        rows = sorted(self.rows(), key=lambda row: (row.spec.size, row.spec.overlap))
        return Sweep(tuple(rows), self._run, self._engine.terms, self._engine.queries)


class JobBoard:
    """Jobs by key, kept while somebody wants them, made again after a stop or an error.

    A *seat* is one place that wants one job at a time, such as the grid of one session; when
    it asks for another, a job that no seat wants any more is stopped. Finished jobs stay as
    long as there is room, since they hold what the next visitor asks for.
    """

    def __init__(self, most_jobs: int = 48, most_seats: int = 1000) -> None:
        self._jobs: dict[Key, Job] = {}
        self._seats: dict[Key, Key] = {}
        self._most_jobs, self._most_seats = most_jobs, most_seats
        self._lock = Lock()

    def job(self, key: Key, seat: Key, make: Callable[[], Job]) -> Job:
        """Return the job of a key for a seat, starting it where there is none."""
        with self._lock:
            self._leave(seat, key)
            self._seats[seat] = key
            while len(self._seats) > self._most_seats:
                self._leave(next(iter(self._seats)), None)
            held = self._jobs.get(key)
            if held is None or held.stopped:
                held = self._jobs[key] = make()
                while len(self._jobs) > self._most_jobs:
                    self._jobs.pop(next(iter(self._jobs))).cancel()
            elif held.error is not None:  # raised once by whoever asks, then forgotten
                del self._jobs[key]
            return held

    def leave(self, seat: Key) -> None:
        """Let a seat want nothing; its job stops unless another seat wants it."""
        with self._lock:
            self._leave(seat, None)

    def close(self) -> None:
        """Stop every job."""
        with self._lock:
            for job in self._jobs.values():
                job.cancel()

    def _leave(self, seat: Key, key: Key | None) -> None:
        before = self._seats.pop(seat, None)
        if before is None or before == key or before in self._seats.values():
            return
        job = self._jobs.get(before)
        if job is not None and job.running:
            job.cancel()
