"""Rank features by chi-square with each label."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.aggregate import LABEL_NORMS
from labelsift.score.chi2 import chi2_of_tables, chi2_scores
from labelsift.score.pairs import PairScores
from labelsift.select._problems import ProblemSelector
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import ContingencyTables

_SETTINGS = dict(ProblemSelector._parameter_constraints)
for _unused in ("missing", "categorical_features"):
    del _SETTINGS[_unused]


class Chi2(ProblemSelector):
    """Rank features by chi-square with each label, aggregated over the labels.

    Every feature is cut into bins and tabulated against every label; all cells of the
    table count, absent values and absent labels too. Each pair is scored on its own,
    so redundancy between features and dependence between labels are not seen.
    A class vector makes one table of bins x classes for each feature; give the 0/1
    matrix of its classes to have each class against the rest.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    aggregate : {"mean", "max", "min"}, default="mean"
        How the scores of one feature over the labels become one score. A class
        vector, and every ``problem`` but the first, has one score to begin with.
    variant : {"full", "simplified"}, default="full"
        Pearson's statistic [1]_ eq. 1, or the form without the factor of the label,
        which is smaller by ``p (N - p) / N`` for a label that ``p`` of ``N`` rows
        carry and so weighs rare labels down.
    discretize : {"equal_width", "equal_frequency", "median", "mean", "mdl", "none", \
"presence"}, default="equal_width"
        How a feature is cut into bins. ``"mdl"`` cuts anew for each label, by Fayyad
        and Irani's criterion in the form that Weka's rankers use; a feature without a
        cut scores 0. ``"none"`` takes every distinct value as a category,
        ``"presence"`` asks whether a value is above 0.
    n_bins : int, default=5
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    label_norm : {None, "dl", "dm", "rank"}, default=None
        How labels are put on one scale before aggregation: not at all, divided by the
        Euclidean norm or by the maximum of the label's scores, or replaced by the share
        of the other features that a feature beats. A label whose scores are all 0
        keeps them.
    correction : {None, "p_value", "cramers_v"}, default=None
        Features with more bins have larger statistics by chance. ``"p_value"`` scores
        by ``-log10`` of the p-value with the feature's degrees of freedom, finite for
        statistics of any size; ``"cramers_v"`` by ``sqrt(chi2 / N)``, from 0 to 1.
        Only with ``variant="full"``.
    problem : {"binary_relevance", "label_powerset", "copy", "copy_weight", "ignore", \
"select_max", "select_min"}, default="binary_relevance"
        Each label against its absence, or one class problem made of all labels; see
        ``InfoGain``. A class vector is one problem with its classes.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Aggregated scores, at least 0, higher is better.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Scores of all pairs before scaling and aggregation, with names. Kept up to
        33 554 432 pairs (256 MB).
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"`` and ``"mdl"``, whose
        cuts differ from label to label.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN, or ``y`` anything but 0 and 1.

    Notes
    -----
    Sparse ``X`` and ``y`` stay sparse. A label that meets no bin of a feature but the
    one of 0 has a score in closed form, so that time is that of the meetings of the
    other entries with labels, and pairs that never meet cost nothing; memory beyond
    the coded data is a few arrays over the labels for each thread, whenever
    ``scores_per_label_`` is too large to keep. ``label_norm`` needs every pair:
    time O(n_features n_labels).

    References
    ----------
    .. [1] Guo, Li. A multi-label feature selection framework based on chi-square
       (in Chinese). CAAI Transactions on Intelligent Systems 9(3), 2014, 292-297.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 0], [0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [1, 0]])
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [1, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    >>> Chi2(1, aggregate="max").fit(X, Y).scores_.round(3)
    array([2.   , 3.429])
    """

    _accepts_nan = False
    _parameter_constraints = {
        **_SETTINGS,
        "variant": [StrOptions({"full", "simplified"})],
        "label_norm": [None, StrOptions(set(LABEL_NORMS))],
        "correction": [None, StrOptions({"p_value", "cramers_v"})],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        aggregate: str = "mean",
        variant: str = "full",
        discretize: str = "equal_width",
        n_bins: int = 5,
        label_norm: str | None = None,
        correction: str | None = None,
        problem: str = "binary_relevance",
    ) -> None:
        super().__init__(n_features_to_select)
        self.aggregate = aggregate
        self.variant = variant
        self.discretize = discretize
        self.n_bins = n_bins
        self.label_norm = label_norm
        self.correction = correction
        self.problem = problem

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        self._check_variant(labels)
        return super()._score(X, labels)

    def _start(self, X: Any, labels: LabelMatrix, cut_points: Any = None) -> None:
        self._check_variant(labels)
        super()._start(X, labels, cut_points)

    def _check_variant(self, labels: LabelMatrix) -> None:
        if self.variant == "full":
            return
        if self.correction is not None:
            raise ValueError(
                f"correction={self.correction!r} is defined for Pearson's statistic; "
                "use it with variant='full'."
            )
        if self._is_one_problem(labels):
            raise ValueError(
                "variant='simplified' is defined for one label at a time; use it with "
                "problem='binary_relevance' and a 0/1 label matrix."
            )

    def _measure(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        return chi2_of_tables(tables, variant=self.variant, correction=self.correction)

    def _criterion(
        self, counts: ContingencyCounts, *, pairs: bool, n_top: int = 0
    ) -> PairScores:
        return chi2_scores(
            counts,
            variant=self.variant,
            correction=self.correction,
            pairs=pairs,
            n_top=n_top,
        )
