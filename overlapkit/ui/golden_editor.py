"""Make a golden set here: select text, write the question that it answers, keep the file."""

from dataclasses import replace
from itertools import count

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.queries import Evidence, Query
from overlapkit.report import golden_lines
from overlapkit.ui import session, sources
from overlapkit.ui.session import Workspace
from overlapkit.words import counted, number

_MOST_SHOWN = 600  # characters of selected text


def take(document: str, start: int, end: int) -> None:
    """Remember the stretch that the reader selected."""
    st.session_state["picked"] = (document, start, end)


def editor(work: Workspace, doc: int) -> None:
    """Offer a question for the selected text, and the questions written so far."""
    held = sources.written(work.engine.corpus)
    count = f" ({number(len(held))} so far)" if held else ""
    with st.expander(
        f"Write questions for this corpus{count}",
        expanded=bool(held or st.session_state.get("picked")),
    ):
        _questions(work, doc, held)


def _questions(work: Workspace, doc: int, held: tuple[Query, ...]) -> None:
    corpus = work.engine.corpus
    _form(corpus, doc)
    if held:
        _table(corpus, held)
        _actions(work, held)
    _undo(corpus)
    own = sources.corpus_of(st.session_state["source"])[1]
    if own is not None and len(own) and not held:
        st.button(
            f"Start from its own {number(len(own))} questions", key="w_copy_own",
            on_click=lambda: sources.write_questions(corpus, own.queries),
        )  # fmt: skip


def _form(corpus: Corpus, doc: int) -> None:
    document = corpus.documents[doc]
    name, start, end = st.session_state.get("picked") or (document.name, 0, 0)
    if name != document.name:
        start = end = 0
    length = len(document.text)
    # A new form after each question, so that a refused one keeps what was typed.
    with st.form(f"w_question_{st.session_state.get('questions_added', 0)}", border=True):
        st.caption(
            "Select a passage in the text above and press the button over it, or give its "
            "characters here. The shortest passage that answers is the best evidence."
        )
        left, right = st.columns(2)
        first = left.number_input("From character", 0, length, min(start, length))
        last = right.number_input("To character", 0, length, min(end, length))
        if start < end:
            text = document.text[start:end]
            more = " …" if len(text) > _MOST_SHOWN else ""
            st.code(text[:_MOST_SHOWN] + more, language=None, wrap_lines=True)
        question = st.text_input("Question", max_chars=2000)
        left, right = st.columns(2)
        answer = left.text_input("Answer text (optional)", help="Text that a hit must hold.")
        tag = right.text_input("Tag (optional)")
        if st.form_submit_button("Add the question"):
            span = _trimmed(document.text, int(first), int(last))
            _add(corpus, document.name, span, question.strip(), answer.strip(), tag.strip())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch without white space at its ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _add(
    corpus: Corpus, document: str, span: tuple[int, int], question: str, answer: str, tag: str
) -> None:
    if not question:
        st.warning("Write the question that the passage answers.")
        return
    if span[0] >= span[1]:
        st.warning("Select the passage that answers, or give its first and last character.")
        return
    passage = next(d.text for d in corpus.documents if d.name == document)[span[0] : span[1]]
    if answer and answer not in passage:
        st.warning(
            "The answer text does not stand in the passage: copy it from there, or leave it."
        )
        return
    held = sources.written(corpus)
    used = {query.id for query in held}
    name = next(f"q{n}" for n in count(len(held) + 1) if f"q{n}" not in used)
    evidence = (Evidence(document, *span),)
    query = Query(name, question, evidence, "any", answer or None, tag or None)
    sources.write_questions(corpus, (*held, query))
    for held_over in ("picked", "deleted"):
        st.session_state.pop(held_over, None)
    st.session_state["questions_added"] = st.session_state.get("questions_added", 0) + 1
    st.rerun()


def _table(corpus: Corpus, held: tuple[Query, ...]) -> None:
    """List the questions; what is edited or deleted in the table is changed at once."""
    texts = {document.name: document.text for document in corpus.documents}
    spans = [query.evidence[0] for query in held]
    edited = st.data_editor(
        {
            "Id": [query.id for query in held],
            "Question": [query.text for query in held],
            "Answer": [query.answer or "" for query in held],
            "Tag": [query.tag or "" for query in held],
            "Document": [span.document for span in spans],
            "Evidence": [
                plain_text(texts[span.document][span.start : span.end]) for span in spans
            ],
        },
        disabled=("Id", "Document", "Evidence"), num_rows="delete", hide_index=True,
        key=f"w_written_{len(held)}",
    )  # fmt: skip
    by_id = {query.id: query for query in held}
    rows = zip(edited["Id"], edited["Question"], edited["Answer"], edited["Tag"], strict=True)
    kept = tuple(
        replace(
            by_id[name], text=(text or "").strip() or by_id[name].text, answer=answer or None,
            tag=tag or None,
        )
        for name, text, answer, tag in rows
    )  # fmt: skip
    if kept != held:
        sources.write_questions(corpus, kept)
        if len(kept) < len(held):
            st.session_state["deleted"] = (corpus.digest, held)
        st.rerun()


def plain_text(text: str) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:119]}…"


def _actions(work: Workspace, held: tuple[Query, ...]) -> None:
    corpus = work.engine.corpus
    line = st.container(horizontal=True)
    if work.settings.queries != "written":
        line.button(
            f"Score with {counted(len(held), 'question')}", key="w_use_written",
            on_click=lambda: session.change(lambda s: replace(s, queries="written")),
        )  # fmt: skip
    line.download_button(
        "Download (JSON lines)", lambda: golden_lines(held, corpus), "golden.jsonl",
        "application/jsonl", on_click="ignore",
    )  # fmt: skip


def _undo(corpus: Corpus) -> None:
    """Offer what was deleted last."""
    digest, before = st.session_state.get("deleted", ("", ()))
    if digest != corpus.digest:
        return

    def restore() -> None:
        sources.write_questions(corpus, before)
        del st.session_state["deleted"]

    st.button("Undo the deletion", key="w_undo", on_click=restore)
