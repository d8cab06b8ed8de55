"""Results as text: CSV, JSON, tables and TREC files, for downloads and for the terminal.

Text from documents is data here: a spreadsheet must not run it, JSON keeps it as it is.
"""

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

import numpy as np

from overlapkit.chunkers import ChunkSet
from overlapkit.corpus import Corpus
from overlapkit.engine import Engine
from overlapkit.evaluate import Evaluation, results_of
from overlapkit.evaluate.evaluation import WITHHELD_FOR_EXTENT
from overlapkit.evaluate.metrics import LENIENT_CHARACTERS
from overlapkit.given.names import plain_name
from overlapkit.queries import Query
from overlapkit.retrieve import TopK
from overlapkit.sweep import Sweep

if TYPE_CHECKING:  # importing pandas takes longer than opening the first page may
    import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet read a cell as one
_TO_QUOTE = re.compile('[",\r\n]')
# Lone surrogates, which UTF-8 cannot hold, and characters at which some readers end a line.
_TO_ESCAPE = re.compile("[\ud800-\udfff\u0085\u2028\u2029]")

Rows: TypeAlias = "pd.DataFrame | Iterable[Mapping[str, object]]"


# --- tables as files --------------------------------------------------------------------


def frame_of(swept: Sweep) -> "pd.DataFrame":
    """Return a sweep's rows with the ranking and the terms under which they hold."""
    return swept.to_frame().assign(ranking=swept.run.ranking, terms=swept.terms.name)


def csv_of(data: Rows) -> str:
    """Return CSV for programs, text as it is and numbers in full; missing is empty."""
    return _csv(data, guarded=False)


def spreadsheet_csv(data: Rows) -> str:
    """Return CSV that is safe to open in a spreadsheet.

    A text that begins like a formula (= + - @, tab, carriage return) is prefixed with ``'``;
    numbers stay numbers.
    """
    return _csv(data, guarded=True)


def json_of(data: Rows) -> str:
    """Return a JSON list with one object per row, each on a line; NaN becomes null."""
    columns, rows = _table(data)
    lines = [_json(dict(zip(columns, row, strict=True))) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def json_lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield each row as one line of JSON, its newline included."""
    return (_json(row) + "\n" for row in rows)


def text_table(data: Rows) -> str:
    """Return rows as aligned text: numbers to the right, all else to the left."""
    columns, rows = _table(data)
    shown = [["" if _is_missing(value) else str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *shown, strict=True)]
    left = [any(_begins_like_text(row[at]) for row in shown) for at in range(len(columns))]
    lines = []
    for cells in (columns, *shown):
        padded = [
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(cells, widths, left, strict=True)
        ]
        lines.append("  ".join(padded).rstrip() + "\n")
    return "".join(lines)


def _begins_like_text(cell: str) -> bool:
    return bool(cell) and not (cell.lstrip("+-\N{MINUS SIGN}")[:1].isdigit())


def _table(data: Rows) -> tuple[list[str], list[Sequence[object]]]:
    """Return column names and rows of cells; a key that a row lacks is missing."""
    if _is_frame(data):
        names = [str(name) for name in data.columns]
        return names, list(data.itertuples(index=False, name=None))
    rows = list(cast("Iterable[Mapping[str, object]]", data))
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return columns, [[row.get(name) for name in columns] for row in rows]


def _csv(data: Rows, *, guarded: bool) -> str:
    columns, rows = _table(data)
    lines = [",".join(_cell(value, guarded) for value in row) for row in (columns, *rows)]
    # A lone empty cell would be an empty line, which readers pass over.
    return "".join(f"{line}\n" if line else '""\n' for line in lines) if columns else ""


def _cell(value: object, guarded: bool) -> str:
    if _is_missing(value):
        return ""
    if isinstance(value, Number):
        return str(value)
    text = _json(value) if isinstance(value, list | tuple | dict) else str(value)
    if guarded and text.startswith(_FORMULA):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if _TO_QUOTE.search(text) else text


def _is_missing(value: object) -> bool:
    not_a_number = isinstance(value, float | np.floating) and math.isnan(value)
    return not_a_number or value is None or _is_pandas_missing(value)


# A table or a missing value of pandas is met only where somebody has imported it.


def _is_frame(data: Rows) -> "TypeGuard[pd.DataFrame]":
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _is_pandas_missing(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def _json(value: object) -> str:
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)
    return _TO_ESCAPE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: object) -> object:
    """Return a value that JSON can hold; what it has no number for becomes None."""
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if _is_missing(value) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


# --- chunks and queries -----------------------------------------------------------------


def chunk_rows(corpus: Corpus, chunks: ChunkSet) -> Iterator[dict[str, object]]:
    """Yield doc, index (within the document), start, end and text of each chunk."""
    first = np.searchsorted(chunks.doc, np.arange(len(corpus.documents))).tolist()
    columns = (chunks.doc.tolist(), chunks.start.tolist(), chunks.end.tolist())
    for at, (doc, start, end) in enumerate(zip(*columns, strict=True)):
        yield {
            "doc": corpus.documents[doc].name,
            "index": at - first[doc],
            "start": start,
            "end": end,
            "text": corpus.documents[doc].text[start:end],
        }


def chunks_jsonl(corpus: Corpus, chunks: ChunkSet) -> Iterator[str]:
    """Yield each chunk as one line of JSON, its newline included (see ``chunk_rows``)."""
    return json_lines(chunk_rows(corpus, chunks))


def query_rows(evaluation: Evaluation, engine: Engine) -> Iterator[dict[str, Any]]:
    """Yield each query with its metrics and the ``chunks`` it got, best first.

    A chunk has doc, start, end and score; its end is where a budget cut it. What is
    withheld for the kind of query set is missing here too.
    """
    results = results_of(engine, evaluation)
    extent = engine.queries.kind == "extent"
    shown = {
        name: column.tolist()
        for name, column in evaluation.per_query.items()
        if not (extent and name.split("@")[0] in WITHHELD_FOR_EXTENT)
    }
    for at, query in enumerate(engine.queries):
        yield {
            "id": query.id,
            "query": query.text,
            "need": query.need,
            **{name: shown[name][at] if name in shown else None for name in evaluation.per_query},
            "chunks": [
                {"doc": one.document.name, "start": one.start, "end": one.end, "score": one.score}
                for one in results.of_query(at, evaluation.ranked)
            ],
        }


def golden_lines(queries: Iterable[Query], corpus: Corpus) -> str:
    """Return questions as JSON lines that ``load_golden`` reads, evidence text beside offsets."""
    texts = {document.name: document.text for document in corpus.documents}
    return "".join(
        json_lines(
            {
                "id": query.id,
                "query": query.text,
                "need": query.need,
                **({"answer": query.answer} if query.answer else {}),
                **({"tag": query.tag} if query.tag else {}),
                "evidence": [
                    {
                        "doc": span.document,
                        "start": span.start,
                        "end": span.end,
                        "text": texts[span.document][span.start : span.end],
                    }
                    for span in query.evidence
                ],
            }
            for query in queries
        )
    )


# --- TREC -------------------------------------------------------------------------------


def trec_run(evaluation: Evaluation, engine: Engine, tag: str = "overlapkit") -> str:
    """Return the ranked chunks as a TREC run: query, Q0, chunk, rank, score, tag.

    A chunk is called ``document#start-end``, names percent-encoded where they need it. The
    score is k minus the rank from 0, since evaluators sort by score and would break ties,
    and near-ties in single precision, by name. Under a budget k is the longest list.
    """
    results = results_of(engine, evaluation)
    cutoff = evaluation.run.cutoff
    k = cutoff.k if isinstance(cutoff, TopK) else int(results.count.max(initial=0))
    queries = _query_names(engine)
    name = _chunk_name(evaluation, engine)
    label = plain_name(tag)
    columns = (results.query.tolist(), results.chunk.tolist(), results.rank.tolist())
    return "".join(
        f"{queries[query]} Q0 {name(chunk)} {rank + 1} {k - rank} {label}\n"
        for query, chunk, rank in zip(*columns, strict=True)
    )


def trec_qrels(evaluation: Evaluation, engine: Engine) -> str:
    """Return the relevant chunks as TREC judgements: query, 0, chunk, relevance.

    A chunk is relevant (1) when it is a lenient hit: it shares at least min(100, span
    length) characters with an evidence span. One that shares fewer is listed with 0, so
    that a query without a relevant chunk is counted too; any other is not relevant.
    """
    queries = _query_names(engine)
    name = _chunk_name(evaluation, engine)
    judged: dict[tuple[int, int], int] = {}
    for query, chunk, relevant in _touching(evaluation, engine):
        judged[query, chunk] = max(relevant, judged.get((query, chunk), 0))
    return "".join(
        f"{queries[query]} 0 {name(chunk)} {relevant}\n"
        for (query, chunk), relevant in sorted(judged.items())
    )


def _touching(evaluation: Evaluation, engine: Engine) -> Iterator[tuple[int, int, int]]:
    """Yield (query, chunk, 1 for a lenient hit) where a chunk shares a character with a span."""
    chunks, spans = evaluation.chunks, engine.evidence.spans
    start, end = chunks.placed(engine.evidence.base)
    first = np.searchsorted(end, spans.start, side="right").tolist()
    last = np.searchsorted(start, spans.end, side="left").tolist()
    columns = (spans.query.tolist(), spans.start.tolist(), spans.end.tolist(), first, last)
    for query, begin, stop, low, high in zip(*columns, strict=True):
        needed = min(LENIENT_CHARACTERS, stop - begin)
        for chunk in range(low, high):
            shared = min(int(end[chunk]), stop) - max(int(start[chunk]), begin)
            yield query, chunk, int(shared >= needed)


def _query_names(engine: Engine) -> list[str]:
    return [plain_name(query.id) for query in engine.queries]


def _chunk_name(evaluation: Evaluation, engine: Engine) -> Callable[[int], str]:
    """Return the function that names a chunk by its document and span."""
    chunks = evaluation.chunks
    documents = [plain_name(document.name) for document in engine.corpus.documents]

    def name(chunk: int) -> str:
        span = f"{chunks.start[chunk]}-{chunks.end[chunk]}"
        return f"{documents[int(chunks.doc[chunk])]}#{span}"

    return name
