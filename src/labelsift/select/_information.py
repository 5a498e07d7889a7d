"""What the rankers by an information measure share: their settings."""

from __future__ import annotations

from typing import Any

from labelsift._sklearn import StrOptions
from labelsift.score.aggregate import LABEL_NORMS
from labelsift.select._problems import ProblemSelector


class InformationSelector(ProblemSelector):
    """Base of selectors that aggregate one measure over labels; settings only."""

    _parameter_constraints = {
        **ProblemSelector._parameter_constraints,
        "label_norm": [None, StrOptions(set(LABEL_NORMS))],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        problem: str = "binary_relevance",
        aggregate: str = "mean",
        discretize: str = "mdl",
        n_bins: int = 5,
        label_norm: str | None = None,
        missing: str = "pairwise",
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.problem = problem
        self.aggregate = aggregate
        self.discretize = discretize
        self.n_bins = n_bins
        self.label_norm = label_norm
        self.missing = missing
        self.categorical_features = categorical_features
