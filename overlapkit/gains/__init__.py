"""What part of a gain is only more chunks: equal cost, near-duplicates collapsed, chance."""

from overlapkit.gains.draws import chance
from overlapkit.gains.duplicates import collapse, collapsed_evaluation
from overlapkit.gains.price import equal_cost

__all__ = ["chance", "collapse", "collapsed_evaluation", "equal_cost"]
