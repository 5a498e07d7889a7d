"""Cross-validated evaluation of selectors: folds, runner, results, comparisons."""

from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.failures import NothingMeasured
from labelsift.evaluate.folds import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.path import PerformancePath, performance_path
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import cross_validate

__all__ = [
    "METRICS",
    "IterativeStratifiedKFold",
    "NothingMeasured",
    "PairedDifference",
    "PerformancePath",
    "RepeatedIterativeStratifiedKFold",
    "Results",
    "corrected_resampled_difference",
    "cross_validate",
    "performance_path",
]
