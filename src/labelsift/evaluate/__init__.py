"""Cross-validated evaluation of selectors: folds, runner, results, comparisons."""

from labelsift.evaluate._plan_check import PlanError
from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.failures import NothingMeasured
from labelsift.evaluate.folds import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.path import PerformancePath, performance_path
from labelsift.evaluate.plan import Plan, read_plan
from labelsift.evaluate.plan_run import run_plan
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import cross_validate
from labelsift.evaluate.store import ResultStore

__all__ = [
    "METRICS",
    "Comparison",
    "IterativeStratifiedKFold",
    "NothingMeasured",
    "PairedDifference",
    "PerformancePath",
    "Plan",
    "PlanError",
    "RepeatedIterativeStratifiedKFold",
    "ResultStore",
    "Results",
    "corrected_resampled_difference",
    "cross_validate",
    "performance_path",
    "read_plan",
    "run_plan",
]
