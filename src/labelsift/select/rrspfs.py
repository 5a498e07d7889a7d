"""Rank features by gain ratio on every pair of classes, merged by round robin."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.known_values import constant_columns, cut_columns, find_known_cuts
from labelsift.encode.label_transform import ClassProblem, to_class_problem
from labelsift.encode.labels import LabelMatrix
from labelsift.encode.mdl import RULES, mdl_cut_points
from labelsift.score.information import gain_ratio
from labelsift.score.round_robin import pooled_scores, round_robin
from labelsift.select._base import RankingSelector, StatisticSelector
from labelsift.select._discretized import KeptRows
from labelsift.select._score_table import ScoreTable
from labelsift.statistics.pair_ratios import pair_ratios, usable_pairs
from labelsift.statistics.tables import EVERY_VALUE, measure_labels

CELL_LIMIT = 2**28
"""Largest features x subproblems table (2 GB)."""


class RRSPFS(StatisticSelector):
    """Rank features by round robin over the subproblems "one class or another".

    A feature that parts just two of many classes has a low gain ratio over all of
    them, and a plain ranking drops it. Here every pair of classes ranks all features
    on its own rows by gain ratio, and the rankings take turns, so that the best
    features of every pair come early.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept: a number of at least 1, a share in (0, 1], or None for all (then
        only ``order_`` and ``ranking_`` matter).
    mode : {"level", "next", "random"}, default="level"
        How the rankings are merged:

        - ``level``: all features that are first in some ranking, then those that are
          second in some, and so on, each level sorted by ``scores_``;
        - ``next``: in every round each ranking gives its best feature not yet taken,
          the round sorted by ``scores_``;
        - ``random``: rankings are drawn with probability in proportion to their rows
          and give their best feature not yet taken (Rand-Robin).
    discretize : {"mdl", "mdl_global", "equal_width", "equal_frequency", "mean", \
"median", "none"}, default="mdl"
        ``mdl`` cuts each feature inside each subproblem, by Fayyad and Irani's
        criterion as Weka's rankers do; a feature without a cut has gain ratio 0 there.
        The others cut once on all rows: ``mdl_global`` by all classes (label sets);
        ``none`` takes each value as it is.
    problem : {"pairwise", "binary_relevance", "label_powerset"}, default="pairwise"
        The subproblems. ``pairwise``: each pair of classes, or of labels on the rows
        with exactly one of the two; ``binary_relevance``: each class or label against
        the rest; ``label_powerset``: pairs of label sets. A single label is always
        told from its absence.
    n_bins : int, default=5
        Bins of ``equal_width`` and ``equal_frequency``, at least 2.
    random_state : int, RandomState or None, default=None
        Seed of ``mode="random"``.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Gain ratio averaged over subproblems, weighted by their rows; from 0 to 1.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first, by round robin: not the order of ``scores_``.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    scores_per_problem_ : ScoreTable of shape (n_features, n_problems)
        Gain ratio on each subproblem, by names such as ``"a vs b"``.
    problem_sizes_ : ndarray of shape (n_problems,), int64
        Rows of each subproblem.

    Raises
    ------
    ValueError
        If ``y`` is a class vector of one class.

    Notes
    -----
    For n rows, d features and q labels there are s = q (q - 1) / 2 pairs. A feature is
    sorted once for all of them: O(n log n + s m) for pairs of m rows. A feature of two
    values is not walked but counted: O(n log n + s + r l^2) for the r rows with its
    rarer value (with a stored one, if ``X`` is sparse) of l labels each, so that
    hundreds of labels take seconds. Merging costs O(d s) and a sort of the scores that
    are not 0. Memory: 8 d s bytes for the scores, which are kept, and with the modes
    ``next`` and ``random`` 4 d s more for the lists. Rows where a feature is missing
    (NaN) are left out for that feature. Of a sparse ``X`` only columns of three or more
    values are written out, a few at a time.

    ``partial_fit`` keeps the rows, since cuts depend on rows still to come.

    The gain ratio is ``IG / H(feature)``, the denominator of C4.5 and Weka. A pair
    whose rows all fall to one side (labels that imply each other) is no subproblem.

    References
    ----------
    .. [1] Liu et al. RRSPFS: feature selection by round robin over subproblems for
       multi-class gene expression data.
    .. [2] Forman. A pitfall and solution in multi-class feature selection for text
       classification. ICML 2004.
    .. [3] Fayyad, Irani. Multi-interval discretization of continuous-valued attributes
       for classification learning. IJCAI 1993.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]])
    >>> selector = RRSPFS(1, discretize="none").fit(X, ["a", "a", "b", "b", "c", "c"])
    >>> selector.scores_per_problem_["x0", "a vs c"]
    np.float64(1.0)
    >>> selector.order_
    array([0, 1])
    """

    _parameter_constraints = {
        **RankingSelector._parameter_constraints,
        "mode": [StrOptions({"level", "next", "random"})],
        "discretize": [
            StrOptions(
                {
                    "mdl",
                    "mdl_global",
                    "equal_width",
                    "equal_frequency",
                    "mean",
                    "median",
                    "none",
                }
            )
        ],
        "problem": [StrOptions({"pairwise", "binary_relevance", "label_powerset"})],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }
    _accepts_nan = True

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        mode: str = "level",
        discretize: str = "mdl",
        problem: str = "pairwise",
        n_bins: int = 5,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.mode = mode
        self.discretize = discretize
        self.problem = problem
        self.n_bins = n_bins
        self.random_state = random_state

    @property
    def scores_per_problem_(self) -> ScoreTable:
        """Gain ratio of every feature on every subproblem."""
        if not hasattr(self, "_ratios"):
            name = type(self).__name__
            raise AttributeError(f"this {name} is not fitted yet: call fit first.")
        return ScoreTable(self._ratios, self._feature_names(), self._problem_names)

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        self.__dict__.pop("_statistic", None)
        if labels.classes is not None and labels.n_labels < 2:
            raise ValueError(
                f"RRSPFS needs at least two classes; y has one class, "
                f"{labels.names[0]!r}."
            )
        self._is_constant = constant_columns(X)
        X, rule = self._cut(X, labels)
        if self.problem == "binary_relevance" or labels.n_labels == 1:
            self._problem_names = labels.names
            self.problem_sizes_ = np.full(labels.n_labels, X.shape[0], dtype=np.int64)
            rules = np.full(X.shape[1], rule, dtype=np.int64)
            self._ratios = measure_labels(X, labels.values, rules, gain_ratio)
        else:
            self._ratios = self._score_pairs(X, labels, rule)
        if not self._parts_rows(labels):
            warnings.warn(
                "no two labels or label sets part any rows: every score is 0, and the "
                "order is that of the columns.",
                UserWarning,
                stacklevel=4,
            )
        return pooled_scores(self._ratios, self.problem_sizes_)

    def _parts_rows(self, labels: LabelMatrix) -> bool:
        if self.problem != "binary_relevance" and labels.n_labels > 1:
            return len(self.problem_sizes_) > 0
        p = np.asarray(labels.values.sum(axis=0)).ravel()
        return bool(((p > 0) & (p < labels.values.shape[0])).any())

    def _start(self, X: Any, labels: LabelMatrix) -> None:
        if hasattr(self, "order_"):
            warnings.warn(
                "fit of this RRSPFS has kept no rows to add to: partial_fit starts "
                "afresh. Give all blocks to partial_fit.",
                UserWarning,
                stacklevel=6,
            )
        super()._start(X, labels)

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> KeptRows:
        return KeptRows()

    def _score_statistic(self, statistic: KeptRows) -> np.ndarray[Any, Any]:
        scores = self._score(*statistic.whole())
        self._statistic = statistic
        return scores

    def _score_pairs(
        self, X: Any, labels: LabelMatrix, rule: int
    ) -> np.ndarray[Any, Any]:
        if self.problem == "label_powerset" and labels.classes is None:
            sets = to_class_problem(labels, "label_powerset")
            Y, names = sparse.csr_array(sets.indicator()), sets.names
        else:
            Y, names = sparse.csr_array(labels.values), labels.names
        n_pairs = len(names) * (len(names) - 1) // 2
        if n_pairs * X.shape[1] > CELL_LIMIT:
            raise ValueError(
                f"problem={self.problem!r} makes {n_pairs} subproblems for "
                f"{X.shape[1]} features, more than the {CELL_LIMIT} scores that can be "
                "kept. Use problem='binary_relevance', or fewer labels."
            )
        first, second, self.problem_sizes_ = usable_pairs(Y)
        self._problem_names = tuple(
            f"{names[a]} vs {names[b]}" for a, b in zip(first, second, strict=True)
        )
        return pair_ratios(X, Y, first, second, rule)

    def _cut(self, X: Any, labels: LabelMatrix) -> tuple[Any, int]:
        """Return columns and the rule that cuts them inside a subproblem."""
        better = RULES["fayyad_irani", "better"]
        if self.discretize == "mdl":
            return X, better
        if self.discretize == "none":
            return X, EVERY_VALUE
        if self.discretize == "mdl_global":
            problem: ClassProblem = to_class_problem(labels, "label_powerset")
            cuts = mdl_cut_points(X, problem, better)
        else:
            cuts = find_known_cuts(X, self.discretize, self.n_bins)
        below = self.discretize != "equal_width"
        return cut_columns(X, cuts, below=below), EVERY_VALUE

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        rng = check_random_state(self.random_state) if self.mode == "random" else None
        return round_robin(
            self._ratios,
            self.problem_sizes_,
            self.mode,
            rng,
            self._is_constant,
            pooled=scores,
        )
