"""The page of a record: its sections in the order in which they are asked for."""

from collections.abc import Iterator

from overlapkit.charts import label_of
from overlapkit.cost import COSTS, shown
from overlapkit.diagnose import CAUSES
from overlapkit.gates import Ruling, gate_words
from overlapkit.record.confirmation import confirmation_sentence
from overlapkit.record.html.charts import charts
from overlapkit.record.html.parts import (
    Cell,
    bullets,
    cell,
    facts,
    name,
    paragraph,
    safe,
    section,
    table,
    verdict,
)
from overlapkit.record.html.style import STYLE
from overlapkit.record.model import Line, Record
from overlapkit.record.sentences import UNKNOWN, cost_text, interval_text, ruling_text, value_text
from overlapkit.retrieve import RANKINGS
from overlapkit.words import UNIT_NAMES, counted, cutoff, number, setting

# Nothing may be loaded or run; styles stand in the page itself.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_MOST_DOCUMENTS = 100  # listed; the JSON file has them all
_DIGITS = 12  # of a digest
_OUTCOMES = {"chosen": "Change", "keep": "Keep", "none": "No setting clears the gates"}


def record_html(record: Record) -> str:
    """Return a record as a page that needs nothing else; equal records give equal pages."""
    title = safe(record.sentence)
    body = "".join(_sections(record))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{safe(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{_head(record)}\n{body}\n{_foot(record)}\n</main>\n</body>\n</html>\n"
    )


def _head(record: Record) -> str:
    bound = record.bound
    looks = "bad" if record.outcome == "none" else "good"
    chosen = "none" if bound.setting is None else safe(setting(bound.setting.spec))
    pairs = [
        ("Setting", chosen),
        ("Today", "not given" if bound.current is None else safe(setting(bound.current.spec))),
        ("Baseline", safe(setting(bound.baseline.spec))),
        ("Cost that decided", safe(COSTS[bound.cost].label)),
        (
            "Questions",
            f"{safe(counted(bound.asked.count, 'question'))}, {name(bound.asked.source)}",
        ),
        ("Ranking", safe(f"{RANKINGS[bound.run.ranking].label}, {cutoff(bound.run.cutoff)}")),
    ]
    return (
        f'<header><p class="over">Chunking decision of {_minute(bound.at)}</p>'
        f'<p class="outcome {looks}">{safe(_OUTCOMES[record.outcome])}</p>'
        f"<h1>{safe(record.sentence)}</h1>{facts(pairs)}</header>"
    )


def _sections(record: Record) -> Iterator[str]:
    yield _gates(record)
    if record.bound.setting is not None:
        said = confirmation_sentence(record.confirmation)
        yield section("Confirmed on other questions?", paragraph(said))
    yield section(
        "What was known when the gates were set", paragraph(record.honesty), _lock_facts(record)
    )
    yield _settings(record)
    yield _price(record)
    yield _diagnosis(record)
    yield _update(record)
    yield section("What later steps change", *map(paragraph, record.ablation))
    yield section("Limits of this evidence", bullets(record.limits))
    yield _rollback(record)
    yield section("How to go there", bullets(record.canary, ordered=True))
    yield _bound(record)


def _rollback(record: Record) -> str:
    if not record.rollback:
        return ""
    title, lead = "When to go back", "Take the change back when any of these is true."
    if record.outcome == "keep":
        title, lead = "When to look again", "Decide anew when any of these is true."
    return section(title, paragraph(lead), bullets(record.rollback))


# --- gates ------------------------------------------------------------------------------


def _gates(record: Record) -> str:
    rulings, today = record.bound.rulings, record.today
    if not rulings:
        held = bullets(gate_words(gate) for gate in record.bound.lock.gates)
        why = bullets(record.blocking)
        return section("Gates", held, "<h3>What blocks</h3>", why)
    heads = ["Gate", "Value, with its 95% interval", "Result"]
    rows = [
        [cell(gate_words(one.gate)), _value(one), verdict(passed=one.passed)] for one in rulings
    ]
    if today and record.outcome != "keep":
        heads += ["Today's setting", "Result"]
        for row, one in zip(rows, today, strict=True):
            row += [_value(one), verdict(passed=one.passed)]
    return section("Gates", table("Gates, with the values of the setting", heads, rows, "gates"))


def _value(ruling: Ruling) -> Cell:
    interval = interval_text(ruling)
    under = f'<span class="sub">{safe(interval)}</span>' if interval else ""
    return Cell(safe(ruling_text(ruling)) + under)


def _lock_facts(record: Record) -> str:
    lock = record.bound.lock
    changes = bullets(
        f"{_minute(change.at)}: {change.before or 'nothing'} became {change.after or 'nothing'}"
        for change in lock.changes
    )
    return paragraph(f"The gates were locked on {_minute(lock.at)}.", "quiet") + changes


def _minute(at: str) -> str:
    """Return a time of a record as people write it."""
    return f"{at[:10]}, {at[11:16]} UTC"


# --- settings ---------------------------------------------------------------------------


def _settings(record: Record) -> str:
    cost, metric = COSTS[record.bound.cost], record.bound.metric
    held = sum(line.passed for line in record.lines)
    about = (
        f"{number(held)} of {counted(len(record.lines), 'setting')} "
        f"{'clears' if held == 1 else 'clear'} all gates. By rising "
        f"{cost.label.lower()}: {cost.meaning}."
    )
    alike = len({(one.spec.unit, one.spec.chunker) for one in record.lines}) == 1
    unit = UNIT_NAMES[record.focus.unit]
    heads = [f"Size / overlap ({unit})" if alike else "Setting", f"{cost.label} ({cost.unit})",
             label_of(metric), "First gate that fails"]  # fmt: skip
    rows = [_line(record, line, short=alike) for line in record.lines]
    return section(
        "Every setting that was judged", paragraph(about), charts(record),
        table("Every setting that was judged", heads, rows, "settings"),
    )  # fmt: skip


def _line(record: Record, line: Line, *, short: bool) -> list[Cell]:
    measure, spec = record.bound.metric.partition("@")[0], line.spec
    unit = COSTS[record.bound.cost].unit
    value = UNKNOWN if line.value is None else value_text(measure, line.value)
    marks = [word for word, one in _named(record) if one == spec]
    note = f'<span class="sub">{safe(", ".join(marks))}</span>' if marks else ""
    sized = f"{number(spec.size)} / {number(spec.overlap)} ({spec.overlap_pct:.0f}%)"
    looks = " ".join([*(["short"] if short else []), *(["strong"] if marks else [])])
    return [
        Cell(safe(sized if short else setting(spec)) + note, looks),
        cell(cost_text(line.cost, unit).removesuffix(f" {unit}"), "figure"),
        cell(value, "figure"),
        cell(line.failed) if line.failed else cell("none", "good"),
    ]


def _named(record: Record) -> Iterator[tuple[str, object]]:
    bound = record.bound
    if bound.setting is not None:
        yield "the choice", bound.setting.spec
    if bound.current is not None:
        yield "today's setting", bound.current.spec
    yield "the baseline", bound.baseline.spec


# --- price, misses, updates -------------------------------------------------------------


def _price(record: Record) -> str:
    rows = [
        [cell(line.name), cell(line.formula), cell(shown(line.amount, line.unit), "figure")]
        for line in record.price
    ]
    if not rows:
        return ""
    return section(
        "Price", paragraph(record.change),
        table("The arithmetic of the price", ["Figure", "How it comes about", "Amount"], rows,
              "sums"),
    )  # fmt: skip


def _diagnosis(record: Record) -> str:
    found = record.diagnosis
    if found is None:
        return ""
    rows = [
        [cell(CAUSES[cause].label), cell(CAUSES[cause].meaning), cell(number(count), "figure")]
        for cause in CAUSES
        if (count := found.counts.get(cause, 0))
    ]
    return section(
        "Why questions miss", paragraph(f"With {setting(record.focus)}. {found.advice}"),
        table("Questions by cause", ["Cause", "What it means", "Questions"], rows, "sums"),
    )  # fmt: skip


def _update(record: Record) -> str:
    update = record.update
    if update is None:
        return ""
    rows = [
        [
            cell(setting(one.spec)), _few(one.total.embedded), _few(one.total.chunks),
            _few(one.total.characters),
        ]
        for one in update.works
    ]  # fmt: skip
    about = (
        f"Means of {counted(update.edits.count, 'edit')} of one sentence each, drawn by seed "
        f"{update.edits.seed}: inserted, deleted, replaced and appended in turn."
    )
    heads = ["Setting", "Chunks to embed again", "Of the document's chunks", "Characters"]
    return section(
        "What an edit costs", paragraph(about), table("What an edit costs", heads, rows, "works")
    )


def _few(value: float) -> Cell:
    return cell(number(round(value, 1)) if value < 100 else number(value), "figure")


# --- what is bound ----------------------------------------------------------------------


def _bound(record: Record) -> str:
    bound, saved = record.bound, record.bound.saved
    pairs = [
        ("Corpus", _digest(bound.lock.corpus_digest)),
        ("Questions", _digest(bound.lock.query_digest)),
        ("Terms", safe(bound.terms.name)),
        ("Seed of the halves", safe(str(bound.lock.seed))),
    ]
    rows = [
        [Cell(name(one.name)), cell(number(one.characters), "figure"),
         Cell(_digest(one.digest[:_DIGITS]))]
        for one in saved.documents[:_MOST_DOCUMENTS]
    ]  # fmt: skip
    rest = len(saved.documents) - _MOST_DOCUMENTS
    more = f"{counted(rest, 'more document')} in the JSON file." if rest > 0 else ""
    return section(
        "What this record binds", facts(pairs), "<h3>Documents</h3>",
        table("Documents", ["Name", "Characters", "Digest"], rows, "files"), paragraph(more),
    )  # fmt: skip


def _digest(digits: str) -> str:
    return f'<span class="mono">{safe(digits)}</span>'


def _foot(record: Record) -> str:
    if record.bound.setting is None:
        return ""
    return (
        "<footer><p>The JSON file of this record runs it again, on the documents of then or of "
        'now: <span class="mono">python -m overlapkit gate RECORD.json PATH…</span></p></footer>'
    )
