"""Which term function ``auto`` stands for."""

from collections.abc import Iterable
from typing import NamedTuple

from overlapkit.corpus import Corpus
from overlapkit.terms.functions import (
    UNSPACED_CHARACTER,
    WORD,
    normalized_terms,
    word_terms,
)
from overlapkit.terms.runs import Characters


class TermChoice(NamedTuple):
    """The term function taken and one sentence that says why."""

    name: str
    reason: str


def choose_terms(corpus: Corpus, queries: Iterable[str] = ()) -> TermChoice:
    """Take the term function that ``auto`` stands for.

    ``cjk-bigram`` when at least 5% of the letters stand in scripts without spaces; else
    ``word`` when ``normalized`` would leave every query term and at least 99.9% of the
    corpus's term occurrences as they are; else ``normalized``.
    """
    unspaced, letters = _script_counts(corpus)
    if letters and unspaced >= 0.05 * letters:
        share = f"{100 * unspaced / letters:.0f}%"
        return TermChoice(
            "cjk-bigram", f"{share} of the letters stand in scripts written without spaces"
        )
    changed_query = next((q for q in queries if word_terms(q) != normalized_terms(q)), None)
    if changed_query is not None:
        return TermChoice("normalized", "normalising changes terms of at least one query")
    changed, total = _changed_occurrences(corpus)
    if changed > total / 1000:
        share = f"{100 * changed / total:.1f}%"
        return TermChoice("normalized", f"normalising changes {share} of the corpus's terms")
    return TermChoice("word", "normalising would change next to nothing in this corpus")


def _script_counts(corpus: Corpus) -> tuple[int, int]:
    unspaced = letters = 0
    for document in corpus.documents:
        text = document.text
        letters += int(Characters(text).where(str.isalpha).sum())
        if not text.isascii():
            unspaced += sum(match[0].isalpha() for match in UNSPACED_CHARACTER.finditer(text))
    return unspaced, letters


def _changed_occurrences(corpus: Corpus) -> tuple[int, int]:
    changed = total = 0
    for document in corpus.documents:
        if document.text.isascii():
            total += len(WORD.findall(document.text))
            continue
        for run in document.text.split():
            plain = word_terms(run)
            differs = not run.isascii() and plain != normalized_terms(run)
            occurrences = max(len(plain), int(differs))  # a sign may become a word: ㎏
            total += occurrences
            changed += occurrences if differs else 0
    return changed, total
