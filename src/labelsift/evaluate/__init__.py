"""Cross-validated evaluation of selectors: folds, runner, results, comparisons.

Examples
--------
>>> METRICS["hamming_loss"].title, METRICS["hamming_loss"].greater_is_better
('Hamming loss', False)
"""

from labelsift.evaluate._plan_check import PlanError
from labelsift.evaluate.budget import LoweredPlan, lower_by, lower_to_fit
from labelsift.evaluate.claims import Claim, ClaimCase, Judgement, judge
from labelsift.evaluate.claims_file import Claims, ResultTable, read_claims
from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.failures import NothingMeasured, WorkerDied
from labelsift.evaluate.folds import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)
from labelsift.evaluate.method_profile import MethodProfile
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.pairwise import (
    PairTest,
    SignedRankPosterior,
    bayesian_signed_rank,
    holm,
    wilcoxon_holm,
)
from labelsift.evaluate.path import PerformancePath, performance_path
from labelsift.evaluate.plan import Plan, read_plan
from labelsift.evaluate.plan_run import (
    LoadedData,
    load_data,
    run_plan,
    stored_comparison,
)
from labelsift.evaluate.prefix_search import PrefixSearchCV
from labelsift.evaluate.ranks import (
    RankComparison,
    average_ranks,
    critical_difference,
    friedman,
)
from labelsift.evaluate.recommendation import recommend
from labelsift.evaluate.recommended_selector import RecommendedSelector
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import cross_validate
from labelsift.evaluate.significance import MethodTest
from labelsift.evaluate.stability import (
    Stability,
    mean_jaccard,
    mean_kuncheva,
    nogueira,
    redundancies,
    redundancy,
)
from labelsift.evaluate.store import ResultStore

__all__ = [
    "METRICS",
    "Claim",
    "ClaimCase",
    "Claims",
    "Comparison",
    "IterativeStratifiedKFold",
    "Judgement",
    "LoadedData",
    "LoweredPlan",
    "MethodProfile",
    "MethodTest",
    "NothingMeasured",
    "PairTest",
    "PairedDifference",
    "PerformancePath",
    "Plan",
    "PlanError",
    "PrefixSearchCV",
    "RankComparison",
    "RecommendedSelector",
    "RepeatedIterativeStratifiedKFold",
    "ResultStore",
    "ResultTable",
    "Results",
    "SignedRankPosterior",
    "Stability",
    "WorkerDied",
    "average_ranks",
    "bayesian_signed_rank",
    "corrected_resampled_difference",
    "critical_difference",
    "cross_validate",
    "friedman",
    "holm",
    "judge",
    "load_data",
    "lower_by",
    "lower_to_fit",
    "mean_jaccard",
    "mean_kuncheva",
    "nogueira",
    "performance_path",
    "read_claims",
    "read_plan",
    "recommend",
    "redundancies",
    "redundancy",
    "run_plan",
    "stored_comparison",
    "wilcoxon_holm",
]
