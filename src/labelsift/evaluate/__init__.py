"""Cross-validated evaluation of selectors: folds, runner, results, comparisons."""

from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.folds import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)
from labelsift.evaluate.results import Results

__all__ = [
    "IterativeStratifiedKFold",
    "PairedDifference",
    "RepeatedIterativeStratifiedKFold",
    "Results",
    "corrected_resampled_difference",
]
