"""What a gain is made of, and what the next bit of index buys.

Beside a gain: equal cost, near-duplicates collapsed, chance.
"""

from overlapkit.gains.draws import chance
from overlapkit.gains.duplicates import collapse, collapsed_evaluation
from overlapkit.gains.marginal import NextStep, next_steps, stops_paying
from overlapkit.gains.price import equal_cost

__all__ = [
    "NextStep",
    "chance",
    "collapse",
    "collapsed_evaluation",
    "equal_cost",
    "next_steps",
    "stops_paying",
]
