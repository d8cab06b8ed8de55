"""Code to paste that cuts exactly the chunks of a setting, for the libraries people index with."""

from overlapkit.recipes.kinds import Code, Recipe, Refusal
from overlapkit.recipes.table import RECIPES, recipe

__all__ = ["RECIPES", "Code", "Recipe", "Refusal", "recipe"]
