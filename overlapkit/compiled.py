"""Compiled twins of the engine's inner loops: the same results to the bit, sooner.

They need numba, which the extra ``compiled`` installs. ``warm_up`` compiles them in the
background; until they are ready, and wherever numba is missing, numpy serves. The loops
are plain functions, and run as such in the tests too.

Nothing here may add in another order than its numpy twin: no fast maths, no parallel
loops (which, called from two threads, can also end the process). The loops let go of the
interpreter's lock, so threads that each evaluate a setting run at the same time.
"""

from collections.abc import Callable
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from overlapkit.arrays import Floats, Ints, Longs

Singles: TypeAlias = npt.NDArray[np.float32]

GROUP = 32  # chunks whose scores one bound stands for
PROMISING = 4  # groups scored before any is ruled out
SLACK = 1e-6  # relative, per term; bounds are sums of 32-bit floats, rounded by 6e-8
TINY = 2.3e-308  # below every score, above 0
NEVER = 2**31 - 1  # beyond every chunk
HASH_BASIS, HASH_PRIME = 0x11C9DC5, 0x1000193  # as in FNV-1a, with 31 bits
HASH_MASK = 2**31 - 1
MOST_RESULTS = 128  # results per query up to which inserting them one by one is quick


# --- loops ------------------------------------------------------------------------------


def number_runs(
    codes: Ints, starts: Longs, ends: Longs, table: Ints, kind: Ints, met: Longs
) -> int:
    """Give equal runs ``codes[starts[r]:ends[r]]`` one number, and return how many differ.

    Numbers are given as runs are first met; ``met`` gets the run that was met first. The
    length of ``table`` is a power of two and more than the runs; it starts at -1.
    """
    distinct = 0
    for run in range(len(starts)):
        length = ends[run] - starts[run]
        value = HASH_BASIS
        for at in range(starts[run], ends[run]):
            value = ((value ^ int(codes[at])) * HASH_PRIME) & HASH_MASK
        place = value & (len(table) - 1)
        while True:
            number = table[place]
            if number < 0:
                number = distinct
                table[place] = number
                met[number] = run
                distinct += 1
                break
            other = starts[met[number]]
            if ends[met[number]] - other == length:
                same = 0
                while same < length and codes[other + same] == codes[starts[run] + same]:
                    same += 1
                if same == length:
                    break
            place = (place + 1) & (len(table) - 1)
        kind[run] = number
    return distinct


def count_chunks(
    terms: Ints, low: Longs, high: Longs, head: Longs, heads: Longs, tail: Longs, tails: Longs,
    seen: Ints, frequency: Longs, order: Longs,
) -> int:  # fmt: skip
    """Count the chunks that hold each term, and list the terms as they are first met.

    Chunk ``c`` holds ``head[heads[c]:heads[c + 1]]``, ``terms[low[c]:high[c]]`` and
    ``tail[tails[c]:tails[c + 1]]``. ``seen`` starts at -1, ``frequency`` at 0.
    """
    met = 0
    for chunk in range(len(low)):
        begin, end = low[chunk], high[chunk]
        first, last = heads[chunk + 1], tails[chunk]
        for at in range(begin - first + heads[chunk], end - last + tails[chunk + 1]):
            if at < begin:
                term = head[first + at - begin]
            elif at < end:
                term = terms[at]
            else:
                term = tail[last + at - end]
            if frequency[term] == 0:
                order[met] = term
                met += 1
            frequency[term] += seen[term] != chunk  # a branch would be guessed wrong too often
            seen[term] = chunk
    return met


def find_covering(low: Longs, high: Longs, first: Ints, last: Ints) -> None:
    """Write which chunks ``first:last`` hold each stream position, both edges rising."""
    after = begun = 0
    for at in range(len(first)):
        while after < len(high) and high[after] <= at:
            after += 1
        while begun < len(low) and low[begun] <= at:
            begun += 1
        first[at] = after
        last[at] = begun


def find_postings(
    begins: Ints, stops: Ints, first_held: Longs, cut: Longs, first_cut: Longs,
    first: Longs, chunks: Ints, frequency: Ints,
) -> None:  # fmt: skip
    """Write each slot's postings, those of slot ``s`` to ``first[s]:first[s + 1]``.

    The slot's occurrences ``first_held[s]:first_held[s + 1]`` are each held whole by the
    chunks ``begins:stops``, and it is a cut piece in the chunks
    ``cut[first_cut[s]:first_cut[s + 1]]``; all of that rises. ``frequency`` starts at 0.
    """
    end = 0
    for slot in range(len(first) - 1):
        latest = -1  # the chunk of the latest posting
        until = 0  # chunks before it are done
        piece, last_piece = first_cut[slot], first_cut[slot + 1]
        for place in range(first_held[slot], first_held[slot + 1] + 1):
            if place < first_held[slot + 1]:
                begin, stop = begins[place], stops[place]
            else:  # after the last occurrence come the pieces that are left
                begin, stop = NEVER, NEVER
            while piece < last_piece and cut[piece] < begin:
                if cut[piece] >= until and cut[piece] != latest:
                    latest = cut[piece]
                    chunks[end] = latest
                    end += 1
                # Ranges rise, so chunks shared with the one before stand at the end.
                frequency[end - 1 - (latest - cut[piece])] += 1
                piece += 1
            for chunk in range(max(begin, until), stop):
                chunks[end] = chunk
                end += 1
            for posting in range(end - (stop - begin), end):
                frequency[posting] += 1
            if stop > begin:
                until = stop
                latest = stop - 1
        first[slot + 1] = end


def find_peaks(first: Longs, chunks: Ints, weights: Floats, begin: Ints, peak: Singles) -> None:
    """Put each slot's largest weight in each group of chunks into ``peak``, which starts at 0.

    ``begin`` gets where its postings in a group begin.
    """
    for slot in range(len(peak)):
        for at in range(first[slot], first[slot + 1]):
            group = chunks[at] // GROUP
            if peak[slot, group] == 0.0:
                begin[slot, group] = at
            peak[slot, group] = max(peak[slot, group], np.float32(weights[at]))


# One loop nest: a call for each group would cost about as much as the group.
def find_best(  # noqa: PLR0912
    first: Longs, chunks: Ints, weights: Floats, begin: Ints, peak: Singles,
    queries: Longs, slots: Longs, asked: Longs, found: Longs, best: Longs, scores: Floats,
) -> None:  # fmt: skip
    """Find the best chunks of each query in ``asked``, all weights being positive.

    A row of ``best`` and ``scores`` gets the ``found`` best of a query, its width being k.
    Peaks added up, and lifted by more than their rounding, bound the scores in a group. The
    most promising groups come first, so that they rule out most of the others.
    """
    k, groups = best.shape[1], peak.shape[1]
    bounds = np.zeros(groups, dtype=np.float32)
    held = np.zeros(GROUP)
    top = np.zeros(PROMISING, dtype=np.int64)
    for row in range(len(asked)):
        own = slots[queries[asked[row]] : queries[asked[row] + 1]]
        bounds[:] = 0.0
        for slot in own:
            for group in range(groups):
                bounds[group] += peak[slot, group]
        lift = np.float64(1.0 + SLACK * len(own))
        least = TINY  # what a score must reach
        promising = 0
        for group in range(groups):
            if promising == PROMISING and bounds[group] <= bounds[top[PROMISING - 1]]:
                continue
            place = min(promising, PROMISING - 1)
            while place > 0 and bounds[top[place - 1]] < bounds[group]:
                top[place] = top[place - 1]
                place -= 1
            top[place] = group
            promising = min(promising + 1, PROMISING)
        for visit in range(promising + groups):
            group = top[visit] if visit < promising else visit - promising
            if bounds[group] * lift < least:
                continue
            bounds[group] = 0.0
            base = group * GROUP
            for slot in own:
                if peak[slot, group] > 0.0:
                    for at in range(begin[slot, group], first[slot + 1]):
                        inside = chunks[at] - base
                        if inside >= GROUP:
                            break
                        held[inside] += weights[at]
            for inside in range(GROUP):
                score, chunk = held[inside], base + inside
                held[inside] = 0.0
                if score < least:
                    continue
                place = found[row]
                while place > 0 and (
                    scores[row, place - 1] < score
                    or (scores[row, place - 1] == score and best[row, place - 1] > chunk)
                ):
                    place -= 1
                if place == k:
                    continue
                found[row] = min(found[row] + 1, k)
                for later in range(found[row] - 1, place, -1):
                    scores[row, later] = scores[row, later - 1]
                    best[row, later] = best[row, later - 1]
                scores[row, place] = score
                best[row, place] = chunk
                if found[row] == k:
                    least = scores[row, k - 1]


# --- when they are ready ----------------------------------------------------------------


class Kernels(NamedTuple):
    """The compiled loops."""

    number_runs: Callable[..., int]
    count_chunks: Callable[..., int]
    find_covering: Callable[..., None]
    find_postings: Callable[..., None]
    find_peaks: Callable[..., None]
    find_best: Callable[..., None]


def compile_kernels() -> Kernels:
    """Compile the loops, or load them from numba's cache on disk.

    Raises ImportError without numba.
    """
    from numba import njit  # noqa: PLC0415 - it takes a second, and not everyone has it
    from numba.core import types  # noqa: PLC0415

    def array(kind: Any, dimensions: int = 1, read: bool = False) -> Any:
        return types.Array(kind, dimensions, "C", readonly=read)

    def compiled(function: Callable[..., Any], result: Any, *arguments: Any) -> Callable[..., Any]:
        signature = result(*arguments)
        try:
            return njit(signature, nogil=True, cache=True)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # no folder that a cache could be written to
            return njit(signature, nogil=True)(function)  # type: ignore[no-any-return]

    # Arrays that are only read may be writeable or not.
    ints, longs = array(types.int32, read=True), array(types.int64, read=True)
    floats = array(types.float64, read=True)
    walked = (ints, longs, longs, longs, longs, longs, longs)
    postings = (longs, ints, floats)
    found = (ints, ints, longs, longs, longs)
    begin, peak = array(types.int32, 2), array(types.float32, 2)
    out_ints, out = array(types.int32), array(types.int64)
    best, scores = array(types.int64, 2), array(types.float64, 2)
    return Kernels(
        compiled(number_runs, types.int64, ints, longs, longs, out_ints, out_ints, out),
        compiled(count_chunks, types.int64, *walked, out_ints, out, out),
        compiled(find_covering, types.void, longs, longs, out_ints, out_ints),
        compiled(find_postings, types.void, *found, out, out_ints, out_ints),
        compiled(find_peaks, types.void, *postings, begin, peak),
        compiled(
            find_best, types.void, *postings, begin, peak, longs, longs, longs, out, best, scores
        ),
    )


def can_rank(kernels: Kernels | None, k: int) -> bool:
    """Tell whether the kernels should look for the ``k`` best chunks, or numpy."""
    return kernels is not None and k <= MOST_RESULTS


class Readiness:
    """Holds the kernels once they are compiled.

    There is one for the process, as there is one compiled code in it: whether it is there
    yet changes no result, only who computes it, so nothing needs to be told about it.
    """

    def __init__(self) -> None:
        self.kernels: Kernels | None = None
        self._compiled: Kernels | None = None
        self._lock = Lock()

    def turn_on(self) -> None:
        """Compile unless that was done, and let the kernels serve."""
        with self._lock:
            if self._compiled is None:
                self._compiled = compile_kernels()
            self.kernels = self._compiled

    def turn_off(self) -> None:
        """Let numpy serve."""
        self.kernels = None


_READINESS = Readiness()


def installed() -> bool:
    """Tell whether numba is there, without importing it."""
    return find_spec("numba") is not None


def warm_up() -> Thread:
    """Compile in the background and return the thread; without numba it does nothing."""
    target = _READINESS.turn_on if installed() else _READINESS.turn_off
    thread = Thread(target=target, name="compile", daemon=True)
    thread.start()
    return thread


def switch_off() -> None:
    """Let numpy serve until the next ``warm_up``."""
    _READINESS.turn_off()


def ready() -> Kernels | None:
    """Return the kernels, or None while numpy serves."""
    return _READINESS.kernels
