"""Rank features by how they differ between near rows of different classes."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from labelsift._sklearn import Interval, RealNotInt, StrOptions
from labelsift.encode.label_transform import to_class_problem
from labelsift.encode.labels import LabelMatrix
from labelsift.score.aggregate import aggregate
from labelsift.score.ranking import order_from_scores
from labelsift.score.relief import relief_weights
from labelsift.score.relief_problems import Problems, class_problem, label_problems
from labelsift.score.relief_rows import ReliefRows
from labelsift.select._base import RankingSelector
from labelsift.select._progress import row_progress
from labelsift.select._score_table import ScoreTable

MAX_ENTRIES = 1 << 27  # problems x features: 1 GB of scores


class ReliefF(RankingSelector):
    """Rank features by how much more they differ to near misses than to near hits.

    For each row the nearest rows of its own class (hits) and of each other class
    (misses) are found; a feature gains what it differs to the misses and loses what
    it differs to the hits. Because neighbours are found on all features, a feature
    that helps only together with others can score well.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    n_neighbors : int, default=10
        Hits, and misses of each class, for each row; all of a class that has fewer.
    problem : {"binary_relevance", "pairwise", "label_powerset", "copy", "ignore", \
"select_max", "select_min"}, default="binary_relevance"
        How several labels become classes. ``"binary_relevance"``: each label against
        its absence, then ``aggregate``. ``"pairwise"``: each pair of labels, on the
        rows with exactly one of the two, then ``aggregate``, as in [2]_.
        ``"label_powerset"``: every distinct label set is a class. The others make one
        class of a row's labels as in ``InfoGain``. A class vector is one problem as
        it stands, and a single label column always two classes.
    aggregate : {"mean", "max", "min"}, default="mean"
        How the weights of one feature over labels or pairs become one score.
    sigma : float or None, default=None
        If given, the r-th nearest neighbour (from 0) counts ``exp(-(r / sigma)**2)``
        instead of equally; Weka's ``-W -A sigma``. Rows at the same distance share.
    n_samples : int, float or None, default=None
        Rows whose neighbours are looked at, drawn without replacement: a number, a
        share, or all. Neighbours are always sought among all rows.
    random_state : int, RandomState or None, default=None
        Seed of ``n_samples``.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose values are categories, equal or not: a mask, column numbers or
        names.
    n_categories : array-like of int of shape (n_features,) or None, default=None
        How many categories each such feature can take, for the difference of a missing
        value, ``1 - 1 / n_categories``. ``None`` counts those that occur.
    pair_weight : {"uniform", "prior"}, default="uniform"
        ``"prior"`` multiplies what a row with label a of the pair (a, b) adds by
        P(b) / (1 - P(a)). For ``problem="pairwise"``.
    progress : bool or callable, default=False
        True shows a bar with the time left on standard error, on terminals, if it takes
        over two seconds; a callable is called, now and then, with the number of rows
        that are done and of all.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Weights, from -1 to 1, higher is better; 0 for a constant feature, which comes
        after others of the same score.
    scores_per_problem_ : ScoreTable of shape (n_features, n_problems)
        Weights in each problem, by the name of the label, or such as ``"a vs b"``. A
        label that all rows or none carry has weights of 0; such a pair is left out.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds infinite values; if problems times features are more than
        134 217 728 (1 GB), or rows times labels more than 268 435 456.

    Notes
    -----
    With a class vector and all rows it gives the weights of Weka's
    ReliefFAttributeEval [1]_: numbers scaled to 0..1 by their range, distances as sums
    of absolute differences, misses weighted by the share of their class; missing
    values differ from a number x (scaled) by ``max(x, 1 - x)``, from one another by 1.
    At the last place a later row of equal distance does not enter, and among equals the
    first gives way to a closer row; so with tied distances the order of the rows can
    matter. Distances are sums in column order, compared to the last bit: where rows are
    equally far but for rounding (sums of thirds, say), the order of the columns can
    decide which are neighbours, and with it the scores. With ``sigma``, Weka breaks
    ties of rank by an unstable sort; here tied rows share their weights.

    Time O(n**2 d / 2 + n**2 P + n k P d) for n rows, k neighbours and P problems: the
    distances are computed once for all problems. For sparse ``X`` the number of
    stored entries of two rows stands in place of d. Memory O(n d) for a scaled copy,
    64 MB of distances at most, and about 50 MB of neighbours; never n x n.
    ``n_samples`` makes it linear in n; ``progress`` tells how long it will take.

    References
    ----------
    .. [1] Robnik-Sikonja, Kononenko. Theoretical and empirical analysis of ReliefF and
       RReliefF. Machine Learning 53, 2003. doi:10.1023/A:1025667309714
    .. [2] Kong, Ding, Huang, Zhao. Multi-label ReliefF and F-statistic feature
       selections for image annotation. CVPR 2012. doi:10.1109/CVPR.2012.6247947

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0.2, 0.9], [0.9, 0.1], [1, 1]])
    >>> selector = ReliefF(1, n_neighbors=1).fit(X, ["a", "a", "b", "b"])
    >>> selector.scores_.round(3)
    array([ 0.7, -0.8])
    """

    _parameter_constraints = {
        **RankingSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "problem": [
            StrOptions(
                {
                    "binary_relevance",
                    "pairwise",
                    "label_powerset",
                    "copy",
                    "ignore",
                    "select_max",
                    "select_min",
                }
            )
        ],
        "aggregate": [StrOptions({"mean", "max", "min"})],
        "sigma": [None, Interval(Real, 0, None, closed="neither")],
        "n_samples": [
            None,
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
        ],
        "random_state": ["random_state"],
        "categorical_features": [None, "array-like"],
        "n_categories": [None, "array-like"],
        "pair_weight": [StrOptions({"uniform", "prior"})],
        "progress": ["boolean", callable],
    }
    _accepts_nan = True

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        n_neighbors: int = 10,
        problem: str = "binary_relevance",
        aggregate: str = "mean",
        sigma: float | None = None,
        n_samples: float | None = None,
        random_state: Any = None,
        categorical_features: Any = None,
        n_categories: Any = None,
        pair_weight: str = "uniform",
        progress: Any = False,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_neighbors = n_neighbors
        self.problem = problem
        self.aggregate = aggregate
        self.sigma = sigma
        self.n_samples = n_samples
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_categories = n_categories
        self.pair_weight = pair_weight
        self.progress = progress

    @property
    def scores_per_problem_(self) -> ScoreTable:
        """Weight of every feature in every problem."""
        if not hasattr(self, "_weights"):
            raise AttributeError("this ReliefF is not fitted yet: call fit first.")
        return ScoreTable(self._weights, self._feature_names(), self._problem_names)

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        if self.pair_weight == "prior" and self.problem != "pairwise":
            raise ValueError(
                f"pair_weight='prior' is for problem='pairwise'; problem is "
                f"{self.problem!r}."
            )
        categorical = self._nominal_mask(self.categorical_features)
        n_categories = self._n_categories()
        X, problems, names = self._problems(X, labels)
        d = X.shape[1]
        if len(names) * d > MAX_ENTRIES:
            raise ValueError(
                f"{len(names)} problems with {d} features each are more scores than "
                f"the {MAX_ENTRIES} that can be kept. Use fewer labels or features."
            )
        if not problems.n_problems:
            self._is_constant = np.zeros(d, dtype=bool)
            self._weights, self._problem_names = np.zeros((d, len(names))), names
            warnings.warn(
                "no label or pair of labels parts the rows: no feature can be told "
                "from another, all scores are 0.",
                UserWarning,
                stacklevel=4,
            )
            return np.zeros(d)
        table = ReliefRows(X, categorical, n_categories)
        self._is_constant = table.constant
        with row_progress(self.progress, "ReliefF") as report:
            weights = relief_weights(
                table,
                problems,
                n_neighbors=int(self.n_neighbors),
                sigma=self.sigma,
                chosen=self._sample(table.n),
                class_weights=self._class_weights(labels, problems),
                report=report,
            )
        per_problem = np.zeros((d, len(names)))
        if len(names) == problems.n_problems:
            per_problem[:] = weights.T
        else:  # binary relevance with labels that all rows or none carry
            per_problem[:, problems.first] = weights.T
            if self.aggregate == "min":
                warnings.warn(
                    "some labels are carried by all rows or by none: the minimum over "
                    "labels is at most 0. Leave such labels out.",
                    UserWarning,
                    stacklevel=4,
                )
        self._weights, self._problem_names = per_problem, names
        return aggregate(per_problem, self.aggregate)

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return order_from_scores(scores, self._is_constant)

    def _problems(
        self, X: Any, labels: LabelMatrix
    ) -> tuple[Any, Problems, tuple[str, ...]]:
        """Return rows, problems on these rows, and the names of the problems."""
        if labels.classes is not None:
            problems = class_problem(labels.codes, labels.n_labels)
            return X, problems, ("class",)
        if self.problem == "binary_relevance" or labels.n_labels == 1:
            return X, label_problems(labels, "binary_relevance"), labels.names
        if self.problem == "pairwise":
            problems = label_problems(labels, "pairwise")
            names = labels.names
            pairs = zip(problems.first, problems.second, strict=True)
            return X, problems, tuple(f"{names[a]} vs {names[b]}" for a, b in pairs)
        classes = to_class_problem(labels, self.problem)
        counts = np.diff(classes.start)
        if (counts != 1).any():  # rows left out or copied
            X = X[np.repeat(np.arange(len(counts)), counts)]
        problems = class_problem(classes.classes, classes.n_classes)
        return X, problems, (self.problem,)

    def _class_weights(
        self, labels: LabelMatrix, problems: Problems
    ) -> np.ndarray[Any, Any] | None:
        if self.pair_weight == "uniform" or problems.second[0] < 0:
            return None
        share = np.asarray(labels.values.sum(axis=0)).ravel() / labels.values.shape[0]
        a, b = problems.first, problems.second
        weights = np.stack([share[b] / (1 - share[a]), share[a] / (1 - share[b])])
        return np.ascontiguousarray(weights.T).ravel()

    def _sample(self, n: int) -> np.ndarray[Any, Any] | None:
        if self.n_samples is None:
            return None
        asked = self.n_samples
        size = int(asked) if isinstance(asked, Integral) else max(1, int(asked * n))
        if size >= n:
            return None
        rng = check_random_state(self.random_state)
        return np.sort(rng.choice(n, size, replace=False))

    def _n_categories(self) -> np.ndarray[Any, Any] | None:
        if self.n_categories is None:
            return None
        counts = np.asarray(self.n_categories)
        d = int(self.n_features_in_)
        if counts.shape != (d,) or counts.dtype.kind not in "iu" or (counts < 0).any():
            raise ValueError(
                f"n_categories must hold one whole number, 0 or more, for each of the "
                f"{d} features; found {self.n_categories!r}."
            )
        return counts
