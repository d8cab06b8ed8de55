"""Sweeps in the background: the grid, the chosen size, its phases.

What belongs to one session has a board of its own; the bundled corpora share one.
"""

import time
from collections.abc import Hashable, Mapping, Sequence
from threading import Thread
from uuid import uuid4

import streamlit as st

from overlapkit.chunkers import ChunkSpec
from overlapkit.phases import by_setting, over_phases, phase_specs
from overlapkit.sweep import Cutoff, Row, Sweep
from overlapkit.ui.jobs import Job, JobBoard, Progress
from overlapkit.ui.memory import remembered
from overlapkit.ui.session import Workspace, disk_cache, is_private, opening, show
from overlapkit.ui.today import pinned_given

_PATIENCE = 2.5  # seconds a page waits for its first sentence before it shows progress


@st.cache_resource(show_spinner=False)
def _shared_board() -> JobBoard:
    return JobBoard()


def _board(source: str) -> JobBoard:
    if is_private(source):
        board: JobBoard = st.session_state.setdefault("board", JobBoard())
        return board
    return _shared_board()


def _seat(name: str) -> tuple[str, str]:
    return st.session_state.setdefault("session", uuid4().hex), name


def _beside_all(work: Workspace, specs: Sequence[ChunkSpec]) -> tuple[Cutoff, ...]:
    return work.beside(min(spec.size for spec in specs))


def _job(work: Workspace, name: str, specs: tuple[ChunkSpec, ...]) -> Job:
    return _seated(_board(work.source), _seat(name.split(maxsplit=1)[0]), work, name, specs)


def _seated(
    board: JobBoard, seat: Hashable, work: Workspace, name: str, specs: tuple[ChunkSpec, ...]
) -> Job:
    run, cache, also = work.settings.run, disk_cache(), _beside_all(work, specs)
    key = (name, *_grid_key(work))
    return board.job(key, seat, lambda: Job(work.engine, specs, run, also, cache))


def open_early() -> Thread:
    """Evaluate the opening grid in the background; return a thread that ends with its first size.

    A server calls it as it starts, so that the first visitor finds an answer, and soon after
    it the charts.
    """

    def evaluate_opening() -> None:
        work = opening()
        job = _opening_job(work)
        while job.running and len(job.rows()) < len(work.settings.overlaps):
            job.wait(0.02)

    thread = Thread(target=evaluate_opening, name="opening", daemon=True)
    thread.start()
    return thread


def opening_rows() -> tuple[Row, ...] | None:
    """Return the rows of the opening size, or None while they are made."""
    work = opening()
    return _rows_of(_opening_job(work), work.settings.overlaps, 0.0)


def _opening_job(work: Workspace) -> Job:
    # The server's own seat: no visitor who leaves can stop it.
    return _seated(_shared_board(), ("server", "grid"), work, "grid", work.settings.grid)


def grid_job(work: Workspace) -> Job | None:
    """Return the job over the default grid, the chosen size first; None once declined."""
    if st.session_state.get("declined") == _grid_key(work):
        return None
    return _job(work, "grid", work.settings.grid)


def _grid_key(work: Workspace) -> tuple[Hashable, ...]:
    return work.key, work.settings.unit, work.settings.encoding


def decline(work: Workspace) -> None:
    """Do without the grid in this session; it stops unless another session wants it."""
    st.session_state["declined"] = _grid_key(work)
    _board(work.source).leave(_seat("grid"))


def accept() -> None:
    """Want the grid after all."""
    st.session_state.pop("declined", None)


def size_rows(work: Workspace, patience: float = _PATIENCE) -> tuple[Row, ...] | None:
    """Return the rows of the chosen size over all overlaps, or None while they are made.

    Waits ``patience`` seconds for them. With phases on, each is the mean of its phases.
    """
    rows = _size_rows(work, patience)
    if rows is not None:
        show(work, (row.spec for row in rows))
    return rows


def _size_rows(work: Workspace, patience: float) -> tuple[Row, ...] | None:
    if not work.settings.phases:
        return _rows_of(*_of_size(work), patience)
    moved = phase_rows(work, patience)
    if moved is None:
        return None
    return tuple(_mean_row(work, moved, spec) for spec in work.settings.overlaps)


def size_progress(work: Workspace) -> Progress:
    """Return how far the rows of ``size_rows`` are."""
    job, specs = _of_size(work)
    return job.progress_of(specs)


def _of_size(work: Workspace) -> tuple[Job, tuple[ChunkSpec, ...]]:
    """Return the job that makes the rows of the chosen size, and which of its specs they are."""
    now = work.settings
    if now.phases:
        name, specs = _phases_of(work)
        return _job(work, name, specs), specs
    job = grid_job(work)
    if job is None or not set(now.overlaps) <= set(now.grid):
        job = _job(work, f"size {now.size}", now.overlaps)
    return job, now.overlaps


def _phases_of(work: Workspace) -> tuple[str, tuple[ChunkSpec, ...]]:
    now = work.settings
    moved_ones = dict.fromkeys((*now.overlaps, now.baseline))
    specs = tuple(moved for spec in moved_ones for moved in phase_specs(spec, now.phases))
    return f"phases {now.size} {now.phases} {now.baseline}", specs


def shown_row(work: Workspace, spec: ChunkSpec) -> Row:
    """Return a setting's row as charts show it: over phases where they are on and it was moved."""
    moved = phase_rows(work)
    if moved is None or spec not in moved:
        return work.row(spec)
    return _mean_row(work, moved, spec)


def shown_base(work: Workspace) -> Row:
    """Return what every difference is against, over phases where they are on."""
    return pinned_given(work) or shown_row(work, work.settings.baseline)


def _mean_row(work: Workspace, moved: Mapping[ChunkSpec, tuple[Row, ...]], spec: ChunkSpec) -> Row:
    key = (_grid_key(work), work.settings.phases, spec)
    return remembered("phase_means", key, 24, lambda: over_phases(moved[spec]))


def phase_rows(
    work: Workspace, patience: float = 0.0
) -> Mapping[ChunkSpec, tuple[Row, ...]] | None:
    """Return the rows of every phase by setting, or None while they are made or phases are off.

    Settings are those of ``Settings.overlaps`` and the baseline.
    """
    if not work.settings.phases:
        return None
    name, specs = _phases_of(work)
    rows = _rows_of(_job(work, name, specs), specs, patience)
    if rows is None:
        return None
    return remembered("phases", (_grid_key(work), name), 4, lambda: by_setting(rows))


def _rows_of(job: Job, specs: tuple[ChunkSpec, ...], patience: float) -> tuple[Row, ...] | None:
    """Return the rows of specs from a job that makes them, or None while it does."""
    until = time.monotonic() + patience
    while True:
        raise_error(job)
        wanted = set(specs)
        rows = tuple(row for row in job.rows() if row.spec in wanted)
        if len(rows) == len(wanted):
            return tuple(sorted(rows, key=lambda row: row.spec.overlap))
        if time.monotonic() > until or not job.running:
            return None
        job.wait(0.02)


def raise_error(job: Job) -> None:
    """Raise what stopped a job: it must not vanish in a thread."""
    if job.error is not None:
        raise job.error


def grid_sweep(work: Workspace) -> Sweep | None:
    """Return the finished grid, or None while it is being made or after it was declined."""
    job = grid_job(work)
    if job is None:
        return None
    raise_error(job)
    if job.running or job.stopped:
        return None
    found = job.sweep()
    show(work, (row.spec for row in found.rows))
    return found
