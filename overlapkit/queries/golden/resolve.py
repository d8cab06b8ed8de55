"""Pieces of evidence to spans of the corpus: by offsets, by text, or by both."""

from collections.abc import Sequence

from overlapkit.corpus import Corpus
from overlapkit.queries.golden.cells import shown, whole
from overlapkit.queries.golden.documents import DocumentNames
from overlapkit.queries.golden.matching import Finder
from overlapkit.queries.golden.rows import Asked, Piece, RowError
from overlapkit.queries.golden.searching import ENOUGH
from overlapkit.queries.model import Evidence, Need

# A text that stands in more places of its document does not name one.
MOST_PLACES = 10


class Resolver:
    """Turns what rows name as evidence into spans of one corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._documents = corpus.documents
        self._names = DocumentNames([document.name for document in corpus.documents])
        self._finder = Finder(corpus)

    def evidence(self, asked: Asked, need: Need) -> tuple[tuple[Evidence, ...], Need, int]:
        """Return a row's spans, its need, and in how many places ambiguous text stands (or 0).

        All places of a text within one document are alternatives: of a single piece, or of
        pieces of which one is enough. Raises RowError where a piece cannot be placed.
        """
        found = [self._places(piece) for piece in asked.pieces]
        several = [places for places in found if len(places) > 1]
        if several and need == "all" and len(set(found)) > 1:
            raise RowError(
                f"of the evidence all is needed, and one piece matches {_count(several[0])}: "
                "give its start and end"
            )
        spans = tuple(dict.fromkeys(span for places in found for span in places))
        return spans, "any" if several else need, sum(len(places) for places in set(several))

    def _places(self, piece: Piece) -> tuple[Evidence, ...]:
        """Return the place of a piece, or its few places within one document."""
        at = self._document(piece.document)
        if piece.within is not None:
            return self._alternatives(self._places_within(piece, at), piece.within, at)
        if piece.start is None and piece.end is None and piece.text is not None:
            return self._alternatives(self._finder.find(piece.text, at), piece.text, at)
        return (self._by_offsets(piece, at),)

    def _document(self, name: str | None) -> int | None:
        if name is None:
            return None
        found = self._names.positions(name)
        if not found:
            raise RowError(f"no document is called {shown(name)} in this corpus")
        if len(found) > 1:
            names = ", ".join(repr(self._documents[at].name) for at in found[:3])
            raise RowError(f"{len(found)} documents are called {shown(name)} ({names}): name one")
        return found[0]

    def _by_offsets(self, piece: Piece, at: int | None) -> Evidence:
        start, end, said = whole(piece.start), whole(piece.end), piece.text
        if at is None and len(self._documents) == 1:
            at = 0
        if at is not None and start is not None:
            exact = self._at_offsets(at, start, end, said)
            if exact is not None:
                return exact
        if said is None:
            raise self._outside(piece, at)
        places = self._finder.find(said, at)
        if len(places) > 1 and start is not None:
            last = start + len(said) if end is None else end
            # One place of several is meant where it alone begins there, or else lies there.
            near = [place for place in places if place.start == start] or [
                place for place in places if place.start < last and start < place.end
            ]
            places = tuple(near) if len(near) == 1 else places
        if len(places) > 1:
            raise RowError(
                f"the text {shown(said)} does not stand at its offsets, and matches "
                f"{_count(places)}: correct its offsets"
            )
        if not places:
            raise RowError(
                str(self._outside(piece, at, said)), nearest=self._finder.nearest(said, at)
            )
        return places[0]

    def _at_offsets(
        self, at: int, start: int, end: int | None, said: str | None
    ) -> Evidence | None:
        """Return the span at offsets if it lies in the document and reads as said."""
        document = self._documents[at]
        if said is None:
            inside = end is not None and 0 <= start < end <= len(document.text)
            return Evidence(document.name, start, end) if inside and end is not None else None
        # Offsets may count the byte-order mark that the stored text does not hold.
        for begin in (start, start - 1):
            if begin >= 0 and document.text.startswith(said, begin):
                return Evidence(document.name, begin, begin + len(said))
        return None

    def _outside(self, piece: Piece, at: int | None, said: str | None = None) -> RowError:
        """Return the error for offsets that hold no evidence."""
        start, end = whole(piece.start), whole(piece.end)
        if start is None or end is None:
            if said is not None:
                return _not_found(said, None if at is None else self._documents[at].name)
            return RowError(
                f"start and end must be whole numbers; got {shown(piece.start)} and "
                f"{shown(piece.end)}"
            )
        if at is None:
            if said is not None:
                return _not_found(said, None)
            return RowError("start and end count in a document: name it as `doc`")
        name, text = self._documents[at].name, self._documents[at].text
        if not 0 <= start < end <= len(text):
            return RowError(
                f"the span {shown(start)}..{shown(end)} must lie in 0..{len(text)} of {name!r}"
            )
        return RowError(
            f"the text at {start}..{end} of {name!r} differs: it reads {shown(text[start:end])}"
        )

    def _places_within(self, piece: Piece, at: int | None) -> tuple[Evidence, ...]:
        """Return where an answer stands in a context that is found in the corpus."""
        context, said, start = piece.within or "", piece.text or "", whole(piece.start)
        if not said.strip():
            raise RowError("the answer is empty: give the text that answers")
        if start is None or start < 0 or not context.startswith(said, start):
            count = context.count(said)
            if count != 1:
                raise RowError(
                    f"the answer {shown(said)} does not stand at its answer_start, and "
                    f"{count} times in its context: correct its answer_start"
                )
            start = context.index(said)
        return self._finder.find(context, at, (start, start + len(said)))

    def _alternatives(
        self, places: tuple[Evidence, ...], text: str, at: int | None
    ) -> tuple[Evidence, ...]:
        """Return the places of a text if they name one, or a few in one document."""
        if not places:
            name = None if at is None else self._documents[at].name
            raise RowError(str(_not_found(text, name)), nearest=self._finder.nearest(text, at))
        documents = len({place.document for place in places})
        if documents > 1:
            raise RowError(
                f"the text {shown(text)} matches {_count(places)} in {documents} documents: "
                "name its document"
            )
        if len(places) > MOST_PLACES:
            raise RowError(
                f"the text {shown(text)} matches {_count(places)} of {places[0].document!r}: "
                "give its start and end, or more of its text"
            )
        return places


def _not_found(text: str, document: str | None) -> RowError:
    where = "any document" if document is None else repr(document)
    return RowError(f"the text {shown(text)} is not found in {where}: quote it from there")


def _count(places: Sequence[Evidence]) -> str:
    return f"more than {ENOUGH} places" if len(places) > ENOUGH else f"{len(places)} places"
