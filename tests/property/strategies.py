"""Texts that break offset arithmetic, for the property tests."""

from hypothesis import strategies as st

from overlapkit.corpus import Corpus, corpus_of

# Letters that fold, compose, join or vanish, separators of every sort, and plain ones.
_ALPHABET = [
    *"abAB xX_1\n\t.,'’=",
    "İ", "Σ", "σ", "ς", "ß", "é", "e\u0301", "\u0301", "\u0338", "\u00ad", "\u200b", "\u200d",
    "ﬁ", "①", "½", "㎏", "\u00a0", "\u3000", "。", "、", "中", "文", "か", "が", "か\u3099", "한",
    "ก", "ำ", "🎉", "👩\u200d👩", "\ufeff", "\x00", "\r", "𝚺", "ﾊﾟ", "ॐ", "क्ष", "´",
]  # fmt: skip


def texts(max_size: int = 60) -> st.SearchStrategy[str]:
    """Return short texts over the troublesome alphabet."""
    return st.lists(st.sampled_from(_ALPHABET), max_size=max_size).map("".join)


@st.composite
def corpora(draw: st.DrawFn, max_documents: int = 4) -> Corpus:
    """Return small corpora, empty documents and repeats included."""
    found = draw(st.lists(texts(), min_size=1, max_size=max_documents))
    return corpus_of((f"{number}.txt", text) for number, text in enumerate(found))


@st.composite
def sizes(draw: st.DrawFn, largest: int = 20) -> tuple[int, int]:
    """Return a valid (size, overlap), sizes down to 1."""
    size = draw(st.integers(1, largest))
    return size, draw(st.integers(0, size - 1))
