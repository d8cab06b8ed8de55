"""What pages work on: which questions are asked, and which are held back from whom."""

from overlapkit.corpus import Corpus, Document
from overlapkit.gates import enough, split_halves
from overlapkit.groups import queries_for, visible_to
from overlapkit.queries import Evidence, Query, QuerySet
from overlapkit.ui.engines import SEED, make_engine

COUNT = 320  # enough for two halves; half of them are not
CORPUS = Corpus(
    tuple(
        Document(f"{number:03d}.txt", f"Lamp {number} is lit.", "harbour" if number % 2 else "pier")
        for number in range(COUNT)
    )
)
WHOLE = QuerySet(
    tuple(
        Query(f"q{number}", f"Which lamp is {number}?", (Evidence(f"{number:03d}.txt", 0, 6),))
        for number in range(COUNT)
    ),
    "minimal",
)


def ids(asked) -> set[str]:
    """Return the ids of questions."""
    return {query.id for query in asked}


def test_all_questions_are_asked_where_none_are_held_back():
    """The set itself is the engine's."""
    made = make_engine(CORPUS, {"own": WHOLE}, {}, "own", "word", held_back=False)
    assert (made.part, made.held, made.engine.queries) == ("all", None, WHOLE)


def test_the_exploring_half_is_asked_and_the_other_is_held():
    """As the set is split, and nothing of it is lost."""
    made = make_engine(CORPUS, {"own": WHOLE}, {}, "own", "word", held_back=True)
    halves = split_halves(WHOLE, SEED)
    assert made.part == "explore"
    assert (made.engine.queries, made.held, made.whole) == (halves.explore, halves.confirm, WHOLE)


def test_what_is_held_back_is_held_back_from_a_member_too():
    """Though the member's own questions are too few to be split, none of the held ones is asked."""
    visible = visible_to(CORPUS, ["pier"])
    own = queries_for(WHOLE, visible)
    assert not enough(own)
    made = make_engine(
        visible, {"own": own}, {}, "own", "word", held_back=True, owner=(CORPUS, {"own": WHOLE})
    )
    confirm = ids(split_halves(WHOLE, SEED).confirm)
    assert made.part == "explore"
    assert ids(made.engine.queries) == ids(own) - confirm
    assert ids(made.held) == ids(own) & confirm
    assert made.owner == (CORPUS.digest, WHOLE.digest)
