"""Cross-validated evaluation of selectors: folds, runner, results, comparisons."""

from labelsift.evaluate.folds import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)

__all__ = ["IterativeStratifiedKFold", "RepeatedIterativeStratifiedKFold"]
