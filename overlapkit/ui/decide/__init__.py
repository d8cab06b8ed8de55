"""The page Decide: gates, the setting that clears them, its price, and what to hand over."""
