"""Evidence against a run: the metrics, and what chunking alone allows."""

from overlapkit.evaluate.evaluation import Evaluation, evaluate, evaluate_with, results_of
from overlapkit.evaluate.metrics import METRICS, Metric

__all__ = ["METRICS", "Evaluation", "Metric", "evaluate", "evaluate_with", "results_of"]
