"""Rank features by SPEC on each two-class problem of the labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from scipy.stats import rankdata
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.progress import teller
from labelsift.score.class_moments import ClassSums, membership
from labelsift.score.ranking import order_from_scores, ranking_from_order, rounded
from labelsift.score.wrapper_spectral import round_robin, two_class_phi
from labelsift.select._base import StatisticSelector
from labelsift.select._score_table import ScoreTable
from labelsift.statistics.label_moments import LabelMoments

MAX_ENTRIES = 1 << 27  # problems x features: 1 GB for the scores
_BLOCK_ENTRIES = 1 << 20


class WrapperSPEC(StatisticSelector):
    """Rank features by SPEC on each two-class problem that the labels split into.

    The first order asks, for each label, which rows carry it; the second, for each
    pair of labels, which of the two a row carries (rows with exactly one of them).
    Rows of one class are joined with weight ``1 / (rows of the class)``. Each problem
    keeps its own ranking, for a classifier built on the same problems; ``order_`` is
    one ranking made of them all.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    order : {1, 2}, default=1
        One problem a label, or one a pair of labels.
    aggregate : {"mean_rank", "mean_score", "min_score", "round_robin"}, \
default="mean_rank"
        How the rankings become one: by the mean rank over the problems (ties share
        the mean of their ranks), by the mean or the minimum of the scores, or by
        letting each problem in turn take its best feature that is still free.
    criterion : {"phi_1", "phi_2"}, default="phi_1"
        As in ``SPEC``.
    self_loops : bool, default=False
        Whether a row is its own neighbour.
    scale : {"zscore", "minmax", "none"}, default="zscore"
        Scaling of the features over all rows; phi_1 depends on its shift.
    min_pair_size : int, default=10
        Pairs of labels with fewer rows are left out.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Higher is better. Minus the mean rank; the mean or minimum of
        ``scores_per_problem_``; or the number of features chosen later. ``-inf`` for
        constant features, with mean and minimum of scores.
    scores_per_problem_ : ScoreTable of shape (n_features, n_problems)
        ``-phi`` by the name of the label, or such as ``"a vs b"``; ``-inf`` where a
        feature is constant on the rows of the problem (it counts as the worst of the
        problem in a mean).
    orders_ : ndarray of shape (n_problems, n_features), int64
        Column indices of each problem, best first.
    rankings_ : ndarray of shape (n_problems, n_features), int64
        Ranks of the features in each problem, 1 = best.
    problems_ : list of tuple of int
        The label, or pair of labels, of each problem. Problems with one class only are
        left out.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``order=2`` and there is one label, or problems times features exceed
        134 217 728 (1 GB of scores).

    Notes
    -----
    The paper gives each problem its own features and no single ranking; ``aggregate``
    is an addition. Closed form from the sums per label set: time
    O(n d + P u d) at most for P problems and u distinct label sets, where a pair costs
    the sets that hold one of its labels; memory O((u + P) d). Sparse ``X`` stays
    sparse; ``partial_fit`` gives the bits of the whole table.

    References
    ----------
    .. [1] Yan, Li. A study of the spectral feature selection for multi-label data (in
       Chinese). Journal of Frontiers of Computer Science and Technology 10(4), 2016,
       543-553.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 3], [1, 5], [5, 4], [6, 4], [0, 5], [5, 3]])
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 0], [0, 1]])
    >>> selector = WrapperSPEC(1).fit(X, Y)
    >>> selector.rankings_.tolist()
    [[1, 2], [1, 2]]
    >>> selector.feature_lists(1)
    {0: array([0]), 1: array([0])}
    """

    _parameter_constraints = {
        **StatisticSelector._parameter_constraints,
        "order": [Interval(Integral, 1, 2, closed="both")],
        "aggregate": [
            StrOptions({"mean_rank", "mean_score", "min_score", "round_robin"})
        ],
        "criterion": [StrOptions({"phi_1", "phi_2"})],
        "self_loops": ["boolean"],
        "scale": [StrOptions({"zscore", "minmax", "none"})],
        "min_pair_size": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        order: int = 1,
        aggregate: str = "mean_rank",
        criterion: str = "phi_1",
        self_loops: bool = False,
        scale: str = "zscore",
        min_pair_size: int = 10,
    ) -> None:
        super().__init__(n_features_to_select)
        self.order = order
        self.aggregate = aggregate
        self.criterion = criterion
        self.self_loops = self_loops
        self.scale = scale
        self.min_pair_size = min_pair_size

    def feature_lists(self, n_features: int) -> dict[Any, np.ndarray[Any, Any]]:
        """Return the best columns of each problem.

        Parameters
        ----------
        n_features : int
            Columns for each problem, at least 1; more than there are gives all.

        Returns
        -------
        dict
            From each label (``order=1``) or pair ``(a, b)``, a < b (``order=2``), to
            its column indices, best first. A problem that was left out has the best
            columns of the common ranking.
        """
        check_is_fitted(self, "orders_")
        if n_features < 1:
            raise ValueError(f"n_features must be at least 1; found {n_features}.")
        place = {problem: i for i, problem in enumerate(self.problems_)}
        lists = {}
        for problem in combinations(range(self.n_labels_in_), self.order):
            i = place.get(problem)
            best = self.order_ if i is None else self.orders_[i]
            lists[problem if self.order == 2 else problem[0]] = best[:n_features]
        return lists

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> LabelMoments:
        if self.order == 2 and labels.n_labels < 2:
            raise ValueError(
                "order=2 compares pairs of labels; y has one. Use order=1."
            )
        return LabelMoments(X.shape[1], labels.n_labels, is_sparse=sparse.issparse(X))

    def _score_statistic(self, statistic: LabelMoments) -> np.ndarray[Any, Any]:
        d = statistic.n_features
        low, high = statistic.range
        varies = high > low
        sums = ClassSums(statistic)
        shift = {
            "zscore": np.zeros(d),
            "minmax": low - sums.mean,
            "none": -sums.mean,
        }[self.scale]
        self.problems_: list[tuple[int, ...]] = []
        parts = [np.empty((0, d))]
        for problems, first, second in self._problems(statistic, sums):
            phi = two_class_phi(
                sums.of(first),
                sums.of(second),
                criterion=self.criterion,
                self_loops=self.self_loops,
                shift=shift,
            )
            phi[:, ~varies] = np.nan
            parts.append(np.where(np.isnan(phi), -np.inf, -phi))
            self.problems_.extend(problems)
            if len(self.problems_) * d > MAX_ENTRIES:
                raise ValueError(
                    f"the labels give more than {MAX_ENTRIES // d} problems with "
                    f"{d} features each, which is too many scores to keep. Use "
                    "order=1, or fewer labels or features."
                )
        scores = np.concatenate(parts)  # (n_problems, d)
        self.scores_per_problem_ = ScoreTable(
            scores.T, self._feature_names(), self._problem_names()
        )
        orders = [order_from_scores(row) for row in scores]
        self.orders_ = np.array(orders, dtype=np.int64).reshape(-1, d)
        ranks = [ranking_from_order(order) for order in self.orders_]
        self.rankings_ = np.array(ranks, dtype=np.int64).reshape(-1, d)
        if not self.problems_:
            warnings.warn(
                "no label or pair of labels parts the rows: no feature can be told "
                "from another, all scores are 0.",
                UserWarning,
                stacklevel=5,
            )
            return np.zeros(d)
        return self._aggregated(scores, varies)

    def _problem_names(self) -> tuple[str, ...]:
        names = [str(name) for name in self.label_names_in_]
        return tuple(
            " vs ".join(names[label] for label in problem) for problem in self.problems_
        )

    def _aggregated(
        self, scores: np.ndarray[Any, Any], varies: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, Any]:
        p, d = scores.shape
        if self.aggregate == "mean_rank":
            total: np.ndarray[Any, Any] = np.zeros(d)
            for row in scores:
                total -= rankdata(-rounded(row), method="average")
            total /= p
            return total
        if self.aggregate == "round_robin":
            place = ranking_from_order(round_robin(self.orders_)).astype(np.float64)
            result: np.ndarray[Any, Any] = d - place
            return result
        finite = np.isfinite(scores)
        worst = np.where(finite, scores, np.inf).min(axis=1, keepdims=True)
        worst[np.isinf(worst)] = -1.0  # nothing varies in this problem
        filled = np.where(finite, scores, worst)
        one = filled.min(axis=0) if self.aggregate == "min_score" else filled.mean(0)
        return np.where(varies, one, -np.inf)

    def _problems(
        self, statistic: LabelMoments, sums: ClassSums
    ) -> Iterator[
        tuple[list[tuple[int, ...]], np.ndarray[Any, Any], np.ndarray[Any, Any]]
    ]:
        """Yield blocks of problems and which label sets are in their two classes."""
        members = membership(statistic)
        size = max(statistic.n_features, statistic.n_sets)
        step = max(1, _BLOCK_ENTRIES // size)
        every = combinations(range(len(members)), self.order)
        n_labels, done, tell = len(members), 0, teller("problems")
        while block := list(islice(every, step)):
            a = members[[problem[0] for problem in block]]
            b = members[[problem[-1] for problem in block]]
            first, second = (a, ~a) if self.order == 1 else (a & ~b, b & ~a)
            n_first, n_second = first @ sums.counts, second @ sums.counts
            used = (n_first > 0) & (n_second > 0)
            if self.order == 2:
                used &= n_first + n_second >= self.min_pair_size
            if used.any():
                kept = [problem for problem, u in zip(block, used, strict=True) if u]
                yield kept, first[used], second[used]
            done += len(block)
            if tell is not None:
                tell(done, comb(n_labels, self.order))
