"""An entropy tree pruned by the errors it is expected to make: the role of C4.5."""

from __future__ import annotations

from numbers import Integral
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, RealNotInt, fit_context, validate_data
from labelsift.encode.extremes import column_by_name, refuse_huge

Array = np.ndarray[Any, Any]

_SLACK = 0.1  # errors by which a leaf may seem worse and still replace its subtree


class EntropyTree(ClassifierMixin, BaseEstimator):
    """Decision tree grown by entropy and cut back by C4.5's error-based pruning.

    A subtree becomes a leaf unless it is expected to save errors on new rows: the
    expectation is the upper confidence limit of the error share seen in training.

    Parameters
    ----------
    confidence : float or None, default=0.25
        Over 0 and at most 0.5; smaller prunes more. None does not prune.
    min_samples_leaf : int, default=2
        Training rows that each leaf of the grown tree has at least.
    random_state : int, RandomState or None, default=0
        Decides between equally good splits.

    Attributes
    ----------
    tree_ : DecisionTreeClassifier
        The tree before pruning.
    node_ : ndarray of shape (n_nodes,), int64
        For each node of that tree, the node that answers for it after pruning.
    n_leaves_ : int
        Leaves after pruning.
    classes_ : ndarray
        The classes, sorted.

    Notes
    -----
    Growing is scikit-learn's, O(n d log n) for a balanced tree; pruning is O(nodes).
    Differs from C4.5 [1]_ and Weka's J48: splits take the greatest gain, not the
    greatest gain ratio among those of at least average gain; every split is binary;
    a numeric split may part off ``min_samples_leaf`` rows, where C4.5 wants a tenth of
    the node's rows a class (at most 25); a gain does not pay for its threshold;
    no subtree is raised in place of its parent; missing values go to the better side,
    and are not spread over both.

    References
    ----------
    .. [1] Quinlan. C4.5: Programs for Machine Learning. Morgan Kaufmann, 1993,
       chapter 4.

    Examples
    --------
    >>> X = [[0], [1], [2], [3], [4], [5], [6], [7]]
    >>> y = [0, 0, 0, 1, 1, 1, 0, 1]
    >>> EntropyTree(confidence=None, min_samples_leaf=1).fit(X, y).n_leaves_
    4
    >>> EntropyTree(min_samples_leaf=1).fit(X, y).n_leaves_
    2
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "confidence": [Interval(RealNotInt, 0, 0.5, closed="right"), None],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        confidence: float | None = 0.25,
        min_samples_leaf: int = 2,
        random_state: Any = 0,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Grow and prune the tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training rows; NaN where missing (dense only).
        y : array-like of shape (n_samples,)
            Class of each row.

        Returns
        -------
        self
            The fitted classifier.
        """
        X, y = validate_data(
            self, X, y=y, accept_sparse="csc", ensure_all_finite=_gaps_allowed(X)
        )
        self._refuse_huge(X)
        check_classification_targets(y)
        self.tree_ = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.random_state,
        ).fit(X, y)
        self.classes_ = self.tree_.classes_
        tree = self.tree_.tree_
        self._shares = tree.value[:, 0, :]
        counts = self._shares * tree.n_node_samples[:, None]
        is_leaf = tree.children_left < 0
        if self.confidence is not None:
            is_leaf = _pruned(
                tree.children_left,
                tree.children_right,
                tree.n_node_samples,
                tree.n_node_samples - np.rint(counts.max(axis=1)),
                self.confidence,
            )
        self.node_, self.n_leaves_ = answering_nodes(
            tree.children_left, tree.children_right, is_leaf
        )
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the class shares of the training rows in each row's leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), float64
            Shares, in the order of ``classes_``.
        """
        check_is_fitted(self, "node_")
        X = validate_data(
            self,
            X,
            reset=False,
            accept_sparse="csr",
            ensure_all_finite=_gaps_allowed(X),
        )
        self._refuse_huge(X)
        shares: Array = self._shares[self.node_[self.tree_.apply(X)]]
        return shares

    def _refuse_huge(self, X: Any) -> None:
        # the tree holds its rows as 32-bit floats
        name_of = column_by_name(getattr(self, "feature_names_in_", None))
        refuse_huge(X, name_of, most=float(np.finfo(np.float32).max))

    def predict(self, X: Any) -> Array:
        """Return the most frequent class of each row's leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes; equally frequent ones go to the first.
        """
        shares = self.predict_proba(X)
        classes: Array = self.classes_[shares.argmax(axis=1)]
        return classes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _gaps_allowed(X: Any) -> str | bool:
    """Return what scikit-learn shall let pass: its trees take gaps in dense rows."""
    return True if sparse.issparse(X) else "allow-nan"


def expected_errors(n: float, errors: float, confidence: float) -> float:
    """Return the errors expected on ``n`` new rows after ``errors`` on ``n`` seen ones.

    Upper limit of the binomial share at one-sided level ``confidence``: exact without
    errors, the normal approximation with continuity correction from one error on, and
    a straight line between.
    """
    if errors < 1:
        none: float = n * (1 - confidence ** (1 / n))
        one = expected_errors(n, 1, confidence) if errors > 0 else none
        return none + errors * (one - none)
    if errors + 0.5 >= n:
        return max(n, errors)
    z = NormalDist().inv_cdf(1 - confidence)
    share = (errors + 0.5) / n
    spread = z * (share / n * (1 - share) + z * z / (4 * n * n)) ** 0.5
    limit: float = (share + z * z / (2 * n) + spread) / (1 + z * z / n)
    return n * limit


def _pruned(
    left: Array, right: Array, n_rows: Array, errors: Array, confidence: float
) -> Array:
    """Return which nodes are leaves, or would be if their ancestors were not."""
    is_leaf = left < 0
    seen = errors.astype(np.float64)  # by the subtree as it is pruned so far
    expected = np.empty(len(left))
    for node in range(len(left) - 1, -1, -1):  # children have higher numbers
        n = float(n_rows[node])
        as_leaf = expected_errors(n, float(errors[node]), confidence)
        expected[node] = as_leaf
        if is_leaf[node]:
            continue
        a, b = left[node], right[node]
        below = expected[a] + expected[b]
        # A subtree that saves no error in training is a leaf to begin with.
        if as_leaf <= below + _SLACK or seen[a] + seen[b] >= errors[node]:
            is_leaf[node] = True
        else:
            seen[node], expected[node] = seen[a] + seen[b], below
    return is_leaf


def answering_nodes(left: Array, right: Array, is_leaf: Array) -> tuple[Array, int]:
    """Return the node that answers for each node after pruning, and the leaves left.

    ``is_leaf`` marks the nodes that become leaves; what lies below them is marked too.
    """
    nodes = np.arange(len(left))
    reached = np.zeros(len(left), dtype=bool)
    reached[0] = True
    for node in range(len(left)):  # parents come first
        if left[node] < 0:
            continue
        if is_leaf[node]:
            nodes[[left[node], right[node]]] = nodes[node]
            is_leaf[[left[node], right[node]]] = True
        elif reached[node]:
            reached[[left[node], right[node]]] = True
    return nodes, int((reached & is_leaf).sum())
