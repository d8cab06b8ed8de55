"""Measure the engine against other libraries, on one setting, and on more text.

    python benchmarks/bench.py [--data DIR] [--runs 5] [--slow-runs 1] [--scale 1,10,50]
                               [--only grid,slider,questions,stages,scale,memory] [--json FILE]

Prints Markdown tables. A claim about speed is a ratio of two medians from one run of this
file: methods take turns (A B C A B C …), since a shared machine drifts. CPU time is the
process's, all threads counted; every method is held to one thread.
"""

import argparse
import gc
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
THREADS = (
    "RAYON_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)  # fmt: skip
sys.path.insert(0, str(ROOT))
os.environ.update(dict.fromkeys(THREADS, "1"))  # read when the libraries are imported

from benchmarks.peers import PEERS, Cell, Peer, Ranking, words  # noqa: E402
from overlapkit import compiled  # noqa: E402
from overlapkit.chunkers import ChunkSpec  # noqa: E402
from overlapkit.corpus import Corpus, corpus_of  # noqa: E402
from overlapkit.engine import Engine, prepare  # noqa: E402
from overlapkit.evaluate import evaluate_with  # noqa: E402
from overlapkit.index import chunk_terms  # noqa: E402
from overlapkit.queries import QuerySet, heading_queries  # noqa: E402
from overlapkit.queries.probes import boundary_probes  # noqa: E402
from overlapkit.retrieve import RANKINGS, Ranked, RunSpec, rank  # noqa: E402

T = TypeVar("T")
K = 5
SIZES = (200, 400, 800, 1200)
PERCENTAGES = (0, 10, 20, 40)
GRID = tuple(ChunkSpec.percent(size, pct) for size in SIZES for pct in PERCENTAGES)
SCALED = tuple(ChunkSpec.percent(size, 20) for size in SIZES)
RUN = RunSpec(terms="word")
DATA = ROOT.parent / "shared" / "data" / "fastapi_overlap"
MANY = 5000  # questions
SLOW = "rank-bm25"
GIB = 1 << 30


# --- what is measured -------------------------------------------------------------------


def load(folder: Path) -> tuple[Corpus, QuerySet]:
    """Return the documents of a folder and the queries from their headings."""
    docs = folder / "docs"
    corpus = corpus_of(
        (path.relative_to(docs).as_posix(), path.read_bytes().decode())
        for path in docs.rglob("*")
        if path.is_file()
    )
    return corpus, heading_queries(corpus)


def repeated(corpus: Corpus, times: int) -> Corpus:
    """Return the corpus with every document ``times`` times, each copy in its own memory."""
    return corpus_of(
        (f"{document.name}~{copy}" if copy else document.name, _copied(document.text))
        for document in corpus.documents
        for copy in range(times)
    )


def _copied(text: str) -> str:
    return "".join((text[:1], text[1:]))


def rank_cell(engine: Engine, spec: ChunkSpec) -> Ranked:
    """Chunk, index and rank one setting."""
    chunks = engine.chunk(spec)
    return rank(engine.index(chunks), engine.query_terms, RUN.ranking, K)


def as_rankings(ranked: Ranked) -> list[Ranking]:
    """Return a ranked list as (chunk, score) pairs per query."""
    pairs = list(zip(ranked.chunk.tolist(), ranked.score.tolist(), strict=True))
    bounds = ranked.first.tolist()
    return [pairs[begin:end] for begin, end in pairwise(bounds)]


def paths() -> list[str]:
    """Return the engine's paths that can run here."""
    return ["numpy", "compiled"] if compiled.installed() else ["numpy"]


def take(path: str) -> None:
    """Make the engine use one of its paths."""
    if path == "compiled":
        compiled.warm_up().join()
    else:
        compiled.switch_off()


# --- timing -----------------------------------------------------------------------------


class Times:
    """CPU and wall seconds of repeated runs; the median is what is shown."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.wall: list[float] = []

    def add(self, work: Callable[[], object]) -> None:
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        self.cpu.append(time.process_time() - cpu)
        self.wall.append(time.perf_counter() - wall)

    def medians(self) -> dict[str, float]:
        return {
            "cpu": statistics.median(self.cpu),
            "wall": statistics.median(self.wall),
            "runs": len(self.cpu),
        }


# --- 1. the whole grid ------------------------------------------------------------------


def measure_grid(corpus: Corpus, queries: QuerySet, runs: int, slow_runs: int) -> dict:
    """Time every method over the 16 settings, preparing included."""
    texts = [document.text for document in corpus.documents]
    reference: dict[ChunkSpec, list[Ranking]] = {}
    times: dict[str, Times] = {}
    cells: dict[ChunkSpec, Times] = {spec: Times() for spec in GRID}
    agreement: dict[str, dict[str, float]] = {}

    def ours() -> dict[ChunkSpec, Ranked]:
        engine = prepare(corpus, queries, RUN.terms)
        return {spec: rank_cell(engine, spec) for spec in GRID}

    def theirs(peer: Peer) -> dict[ChunkSpec, list[Ranking]]:
        asked = [words(query.text) for query in queries]
        found = {}
        for spec in GRID:
            cell = Cell(texts, asked, spec.size, spec.overlap, K)
            if peer.name == SLOW:
                cells[spec].add(lambda: found.__setitem__(spec, peer.rank(cell)))  # noqa: B023
            else:
                found[spec] = peer.rank(cell)
        return found

    def run(name: str, work: Callable[[], dict]) -> dict:
        found: dict = {}
        times.setdefault(name, Times()).add(lambda: found.update(work()))
        return found

    for number in range(runs):
        for path in paths():
            take(path)
            if not number:
                ours()  # what is imported, compiled or cached on first use is not timed
            found = run(f"overlapkit, {path}", ours)
            rankings = {spec: as_rankings(ranked) for spec, ranked in found.items()}
            reference = reference or rankings
            agreement[f"overlapkit, {path}"] = compare(rankings, reference)
        for peer in PEERS:
            if peer.name == SLOW and number >= slow_runs:
                continue
            if not number and peer.name != SLOW:
                peer.rank(Cell(texts, [words(query.text) for query in queries], 1200, 0, K))
            agreement[peer.name] = compare(run(peer.name, lambda: theirs(peer)), reference)  # noqa: B023
            progress(f"grid, run {number + 1}: {peer.name} {times[peer.name].cpu[-1]:.2f} s CPU")
    return {
        "methods": {name: taken.medians() | agreement[name] for name, taken in times.items()},
        "cells": {label(spec): taken.medians() for spec, taken in cells.items() if taken.cpu},
    }


def compare(found: dict[ChunkSpec, list[Ranking]], ours: dict[ChunkSpec, list[Ranking]]) -> dict:
    """Return the shares of ranked lists that equal ours: to the bit, and in their chunks."""
    pairs = [pair for spec in GRID for pair in zip(found[spec], ours[spec], strict=True)]
    same_chunks = sum([c for c, _ in a] == [c for c, _ in b] for a, b in pairs)
    return {
        "equal": sum(a == b for a, b in pairs) / len(pairs),
        "same_chunks": same_chunks / len(pairs),
    }


# --- 2. one move of a slider ------------------------------------------------------------


def measure_slider(corpus: Corpus, queries: QuerySet, runs: int) -> dict:
    """Time one setting with all metrics, the corpus being prepared."""
    times: dict[str, dict[ChunkSpec, Times]] = {}
    engine = prepare(corpus, queries, RUN.terms)
    for number in range(runs + 1):
        for path in paths():
            take(path)
            of_path = times.setdefault(path, {spec: Times() for spec in GRID})
            for spec in GRID:
                first_sight = Times() if number == 0 else of_path[spec]
                first_sight.add(lambda: evaluate_with(engine, spec, RUN, tokens=False))  # noqa: B023
    return {
        path: {label(spec): taken.medians() for spec, taken in of_path.items()}
        for path, of_path in times.items()
    }


def measure_questions(corpus: Corpus, queries: QuerySet, runs: int) -> dict:
    """Time one setting with all metrics for the heading queries and for thousands of probes."""
    engines = {
        str(len(asked)): prepare(corpus, asked, RUN.terms)
        for asked in (queries, boundary_probes(corpus, MANY))
    }
    times = {path: {count: Times() for count in engines} for path in paths()}
    for number in range(runs + 1):
        for path in paths():
            take(path)
            for count, engine in engines.items():
                once = Times() if number == 0 else times[path][count]
                once.add(
                    lambda: [evaluate_with(engine, s, RUN, tokens=False) for s in SCALED]  # noqa: B023
                )
    return {
        path: {count: taken.medians() for count, taken in of_path.items()}
        for path, of_path in times.items()
    }


# --- 3. where the time goes -----------------------------------------------------------


def measure_stages(corpus: Corpus, queries: QuerySet, runs: int) -> dict:
    """Time the stages of one grid: the sum over its settings of each stage's median."""
    engine = prepare(corpus, queries, RUN.terms)
    reading = {path: Times() for path in paths()}
    times: dict[str, dict[tuple[str, ChunkSpec], Times]] = {path: {} for path in paths()}
    for number in range(runs + 1):
        for path, of_path in times.items():
            take(path)
            reading[path].add(lambda: prepare(corpus, queries, RUN.terms))
            for spec in GRID:
                for stage, cpu in stages(engine, spec).items():
                    if number:  # the first run looks up what is then known
                        of_path.setdefault((stage, spec), Times()).cpu.append(cpu)
    found: dict[str, dict[str, float]] = {}
    for path, of_path in times.items():
        once = statistics.median(reading[path].cpu)
        total = found[path] = {"read corpus and queries (once)": once}
        for (stage, _), taken in of_path.items():
            total[stage] = total.get(stage, 0.0) + statistics.median(taken.cpu)
    return found


def stages(engine: Engine, spec: ChunkSpec) -> dict[str, float]:
    """Return the CPU seconds of each stage of one setting."""

    def timed(work: Callable[[], T]) -> tuple[T, float]:
        begin = time.process_time()
        found = work()
        return found, time.process_time() - begin

    chunks, cutting = timed(lambda: engine.chunk(spec))
    _, placing = timed(lambda: chunk_terms(engine.stream, chunks))
    index, indexing = timed(lambda: engine.index(chunks))
    _, averaging = timed(lambda: index.mean_idf)
    _, weighing = timed(lambda: RANKINGS[RUN.ranking].weights(index))
    _, ranking = timed(lambda: rank(index, engine.query_terms, RUN.ranking, K))
    _, everything = timed(lambda: evaluate_with(engine, spec, RUN, tokens=False))
    known = cutting + indexing + averaging + ranking
    return {
        "cut chunks": cutting,
        "which terms each chunk holds": placing,
        "postings": indexing - placing,
        "mean idf over the vocabulary": averaging,
        "weights": weighing,
        "best chunks": ranking - weighing,
        "metrics, ceilings, costs": everything - known,
    }


# --- 4. more text -----------------------------------------------------------------------


def measure_scale(corpus: Corpus, queries: QuerySet, runs: int, scales: list[int]) -> dict:
    """Time a cell (chunk, index, rank) with the text repeated; the scales take turns."""
    engines, characters = {}, {}
    for scale in scales:
        larger = repeated(corpus, scale)
        engines[scale] = prepare(larger, queries, RUN.terms)
        characters[scale] = larger.characters
    times = {path: {scale: Times() for scale in scales} for path in paths()}
    for number in range(runs + 1):
        for path in paths():
            take(path)
            for scale, engine in engines.items():
                once = Times() if number == 0 else times[path][scale]
                once.add(lambda: [rank_cell(engine, spec) for spec in SCALED])  # noqa: B023
                progress(f"scale {scale}, {path}: {once.cpu[-1] / len(SCALED):.3f} s CPU a cell")
    return {
        path: {
            str(scale): taken.medians() | {"characters": characters[scale]}
            for scale, taken in of_path.items()
        }
        for path, of_path in times.items()
    }


def measure_memory(folder: Path, scale: int) -> dict:
    """Run a process for each path that prepares and ranks, and ask for its peak memory."""
    command = [sys.executable, __file__, "--data", str(folder), "--scale", str(scale)]
    found = {}
    for path in paths():
        child = subprocess.run(
            [*command, "--child", path], check=True, capture_output=True, text=True
        )
        found[path] = json.loads(child.stdout) | {"scale": scale}
        progress(f"memory at {scale}x, {path}: {found[path]['peak'] / GIB:.2f} GiB")
    return found


def child(folder: Path, scale: int, path: str) -> dict:
    """Be the process whose memory is asked for."""
    take(path)
    corpus, queries = load(folder)
    larger = repeated(corpus, scale)
    loaded = peak()
    engine = prepare(larger, queries, RUN.terms)
    prepared = peak()
    for spec in GRID:
        evaluate_with(engine, spec, RUN, tokens=False)
    return {"loaded": loaded, "prepared": prepared, "peak": peak()}


def peak() -> int:
    """Return this process's largest resident size so far, in bytes."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


# --- tables -----------------------------------------------------------------------------


def label(spec: ChunkSpec) -> str:
    return f"{spec.size} at {spec.overlap_pct}%"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table, numbers to the right of the first column."""
    marks = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, marks, *rows])


def grid_table(grid: dict) -> str:
    methods = grid["methods"]
    slowest = methods.get(SLOW)
    rows = []
    for name, found in methods.items():
        factor = f"{slowest['cpu'] / found['cpu']:.0f}x" if slowest else "–"
        equal = "all" if found["equal"] == 1 else f"{found['equal']:.1%}"
        same = "all" if found["same_chunks"] == 1 else f"{found['same_chunks']:.1%}"
        seconds = [f"{found['cpu']:.2f}", f"{found['wall']:.2f}"]
        rows.append([name, *seconds, str(found["runs"]), factor, equal, same])
    head = ["method", "CPU s", "wall s", "runs", f"against {SLOW}", "equal to the bit"]
    return table([*head, "same top 5"], rows)


def ratio_lines(grid: dict) -> Iterator[str]:
    methods = grid["methods"]
    for path in paths():
        ours = methods[f"overlapkit, {path}"]["cpu"]
        against = [
            f"{peer.name} {methods[peer.name]['cpu'] / ours:.1f}x"
            for peer in PEERS
            if peer.name in methods
        ]
        if against:
            yield f"- overlapkit, {path}, CPU time of the grid against " + ", ".join(against)


def slider_table(slider: dict, reference: dict) -> str:
    head = ["setting", *(f"{path}, CPU ms" for path in slider)]
    if reference:
        head += [f"{SLOW}, CPU ms", *(f"{path} against it" for path in slider)]
    rows = []
    for name in (label(spec) for spec in GRID):
        ours = [of_path[name]["cpu"] for of_path in slider.values()]
        row = [name, *(f"{1000 * seconds:.1f}" for seconds in ours)]
        if reference:
            theirs = reference[name]["cpu"]
            row += [f"{1000 * theirs:.0f}", *(f"{theirs / seconds:.0f}x" for seconds in ours)]
        rows.append(row)
    return table(head, rows)


def questions_table(found: dict) -> str:
    rows = []
    for path, of_path in found.items():
        few = min(of_path, key=int)
        for count, taken in of_path.items():
            cell = 1000 * taken["cpu"] / len(SCALED)
            factor = taken["cpu"] / of_path[few]["cpu"]
            rows.append([path, f"{int(count):,}", f"{cell:.1f}", f"{factor:.1f}x"])
    return table(["path", "questions", "CPU ms a setting", "against the fewest"], rows)


def stages_table(found: dict) -> str:
    rows = []
    for stage in next(iter(found.values())):
        row = [stage]
        for of_path in found.values():
            share = of_path[stage] / sum(of_path.values())
            row += [f"{1000 * of_path[stage]:.0f}", f"{share:.0%}"]
        rows.append(row)
    return table(["stage", *(head for path in found for head in (f"{path}, ms", "share"))], rows)


def scale_table(scale: dict) -> str:
    head = ["path", "text", "characters", "CPU s a cell", "ns a character", "against 1x"]
    rows = []
    for path, of_path in scale.items():
        base = min(of_path, key=int)
        per_character = {s: f["cpu"] / len(SCALED) / f["characters"] for s, f in of_path.items()}
        for name, found in of_path.items():
            rows.append([
                path, f"{name}x", f"{found['characters']:,}", f"{found['cpu'] / len(SCALED):.3f}",
                f"{1e9 * per_character[name]:.1f}",
                f"{per_character[name] / per_character[base]:.2f}x",
            ])  # fmt: skip
    return table(head, rows)


def memory_table(memory: dict) -> str:
    head = ["path", "text", "texts and imports, GiB", "prepared, GiB", "peak of 16 cells, GiB"]
    rows = []
    for path, found in memory.items():
        sizes = (found[at] / GIB for at in ("loaded", "prepared", "peak"))
        rows.append([path, f"{found['scale']}x", *(f"{size:.2f}" for size in sizes)])
    return table(head, rows)


def report(found: dict) -> str:
    """Return everything measured as Markdown."""
    queries, characters = found["queries"], found["characters"]
    parts = [
        f"{characters:,} characters, {queries} queries, top {K}, {len(GRID)} settings; "
        f"Python {platform.python_version()}, one thread each "
        f"({', '.join(THREADS)} = 1; bm25s and tantivy asked for one)."
    ]
    if "grid" in found:
        parts += ["## The whole grid, preparing included", grid_table(found["grid"])]
        parts += ["\n".join(ratio_lines(found["grid"]))]
    if "slider" in found:
        parts += ["## One setting: chunk, index, rank and all metrics"]
        parts += [slider_table(found["slider"], found.get("grid", {}).get("cells", {}))]
    if "questions" in found:
        parts += ["## More questions: one setting with all metrics"]
        parts += [questions_table(found["questions"])]
    if "stages" in found:
        parts += ["## Where the CPU time of a grid with all metrics goes"]
        parts += [stages_table(found["stages"])]
    if "scale" in found:
        parts += [f"## More text: chunk, index and rank at {', '.join(map(label, SCALED))}"]
        parts += [scale_table(found["scale"])]
    if "memory" in found:
        parts += ["## Peak memory", memory_table(found["memory"])]
    return "\n\n".join(parts)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder with docs/")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--slow-runs", type=int, default=1, help=f"runs of {SLOW}; 0 leaves it out")
    parser.add_argument("--scale", default="1,10,50", help="how many times the text is repeated")
    parser.add_argument("--only", default="grid,slider,questions,stages,scale,memory")
    parser.add_argument("--json", type=Path, help="also write what was measured to this file")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    scales = [int(scale) for scale in asked.scale.split(",")]
    if asked.child:
        print(json.dumps(child(asked.data, scales[0], asked.child)))
        return
    parts = asked.only.split(",")
    found: dict = {}
    if "memory" in parts:  # first: a child's peak counts what its parent held when it began
        found["memory"] = measure_memory(asked.data, max(scales))
    corpus, queries = load(asked.data)
    found |= {"characters": corpus.characters, "queries": len(queries)}
    if "grid" in parts:
        found["grid"] = measure_grid(corpus, queries, asked.runs, asked.slow_runs)
    if "slider" in parts:
        found["slider"] = measure_slider(corpus, queries, asked.runs)
    if "questions" in parts:
        found["questions"] = measure_questions(corpus, queries, asked.runs)
    if "stages" in parts:
        found["stages"] = measure_stages(corpus, queries, asked.runs)
    if "scale" in parts:
        found["scale"] = measure_scale(corpus, queries, asked.runs, scales)
    print(report(found))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
