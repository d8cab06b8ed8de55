"""Text to terms, once per corpus."""

from overlapkit.terms.choice import TermChoice, choose_terms
from overlapkit.terms.functions import TERM_FUNCTIONS, TermFunction, term_function
from overlapkit.terms.runs import match_spans, read_runs
from overlapkit.terms.stream import TermStream, read_terms

__all__ = [
    "TERM_FUNCTIONS",
    "TermChoice",
    "TermFunction",
    "TermStream",
    "choose_terms",
    "match_spans",
    "read_runs",
    "read_terms",
    "term_function",
]
