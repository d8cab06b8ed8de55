"""Background sweeps and the board that keeps them."""

from threading import Event

import pytest

from overlapkit.cache import ResultCache
from overlapkit.chunkers import ChunkSpec
from overlapkit.engine import prepare
from overlapkit.queries import planted_contract
from overlapkit.retrieve import RunSpec
from overlapkit.ui.jobs import Job, JobBoard

SPECS = tuple(ChunkSpec(size=size, overlap=0) for size in (100, 200, 300, 400))


@pytest.fixture(scope="module")
def engine():
    """Return the planted contract, prepared."""
    return prepare(*planted_contract())


class Gate:
    """A stand-in for a cache that holds each evaluation back until it is let through."""

    def __init__(self):
        self.open, self.reached = Event(), Event()

    def remember(self, key, compute):
        """Compute once the gate is open."""
        self.reached.set()
        assert self.open.wait(30)
        return compute()


def job(engine, cache=None):
    """Return a job over four sizes."""
    return Job(engine, SPECS, RunSpec(terms="word"), (), cache or ResultCache.disabled())


def test_a_finished_job_holds_every_row_in_order_of_size(engine):
    """All rows are there, the progress is whole, nothing was stopped."""
    done = job(engine)
    done.wait(60)
    assert [row.spec for row in done.sweep().rows] == list(SPECS)
    assert (done.progress().done, done.progress().remaining) == (4, 0)
    assert not done.running
    assert not done.stopped


def test_progress_can_be_asked_of_the_first_specs_alone(engine):
    """They are done before the whole is, and then nothing of them is left."""
    done = job(engine)
    done.wait(60)
    first = done.progress_of(SPECS[:1])
    assert (first.done, first.total, first.remaining) == (1, 1, 0)
    none = done.progress_of((ChunkSpec(size=7, overlap=0),))
    assert (none.done, none.total) == (0, 1)
    assert none.remaining is not None
    assert none.remaining > 0


def test_a_cancelled_job_stops_after_the_row_at_work(engine):
    """The row at work is finished, the others are not begun."""
    gate = Gate()
    held = job(engine, gate)
    assert gate.reached.wait(30)
    held.cancel()
    gate.open.set()
    held.wait(30)
    assert len(held.rows()) == 1
    assert held.stopped


def test_cancelling_a_finished_job_does_not_undo_it(engine):
    """A cancel that comes too late leaves a whole sweep."""
    done = job(engine)
    done.wait(60)
    done.cancel()
    assert not done.stopped


def test_an_error_in_the_thread_is_kept_for_the_page(engine):
    """What a thread raises is not swallowed."""
    broken = Job(engine, (ChunkSpec("nope"),), RunSpec(terms="word"), (), ResultCache.disabled())
    broken.wait(30)
    assert "chunker must be one of window" in str(broken.error)


def test_a_job_stops_when_its_last_seat_leaves(engine):
    """Of two seats that want one job, the first to leave does not stop it."""
    board, gate = JobBoard(), Gate()
    held = board.job("grid", "anne", lambda: job(engine, gate))
    assert board.job("grid", "bert", lambda: job(engine)) is held
    board.leave("anne")
    gate.open.set()
    held.wait(60)
    assert len(held.rows()) == 4


def test_a_seat_that_asks_for_another_job_stops_the_first(engine):
    """Changing a setting does not leave the old sweep running."""
    board, gate = JobBoard(), Gate()
    first = board.job("k=5", "anne", lambda: job(engine, gate))
    second = board.job("k=6", "anne", lambda: job(engine))
    gate.open.set()
    first.wait(30)
    second.wait(60)
    assert first.stopped
    assert not second.stopped


def test_a_stopped_or_failed_job_is_made_again(engine):
    """After a stop, and after an error was handed out once, the key starts anew."""
    board, gate = JobBoard(), Gate()
    stopped = board.job("grid", "anne", lambda: job(engine, gate))
    board.leave("anne")
    gate.open.set()
    stopped.wait(30)
    again = board.job("grid", "anne", lambda: job(engine))
    assert again is not stopped
    bad = (ChunkSpec("nope"),)
    make = lambda: Job(engine, bad, RunSpec(terms="word"), (), ResultCache.disabled())  # noqa: E731
    failed = board.job("bad", "bert", make)
    failed.wait(30)
    assert board.job("bad", "bert", make) is failed
    assert board.job("bad", "bert", lambda: job(engine)) is not failed


def test_the_board_forgets_the_oldest(engine):
    """Jobs hold rows, so there is an end to how many are kept."""
    board = JobBoard(most_jobs=2)
    first = board.job(1, "a", lambda: job(engine))
    for key in (2, 3):
        board.job(key, "a", lambda: job(engine))
    assert board.job(1, "a", lambda: job(engine)) is not first
