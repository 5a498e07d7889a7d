"""An entropy tree pruned by the errors it is expected to make: the role of C4.5."""

from __future__ import annotations

from numbers import Integral
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, RealNotInt, fit_context, validate_data
from labelsift.encode.row_order import refuse_other_order
from labelsift.kernels import tree_answers
from labelsift.learn._columns import refuse_huge_rows
from labelsift.learn._shared_trees import SharedTrees
from labelsift.learn._tree_table import TreeTable
from labelsift.learn.grown_tree import GrownTree

Array = np.ndarray[Any, Any]


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

    Attributes
    ----------
    tree_ : GrownTree
        The tree before pruning: arrays with an item for each node.
    node_ : ndarray of shape (n_nodes,), int64
        For each node of that tree, the node that answers for it after pruning.
    n_leaves_ : int
        Leaves after pruning.
    classes_ : ndarray
        The classes, sorted.

    Notes
    -----
    Nothing is drawn at random: of equally good splits the lowest column is taken, then
    the lowest threshold. Gains are compared as whole numbers, so that splits that are
    equally good by arithmetic are so here, whatever the order of rows and classes.
    A node is split while its rows differ in class and in any column, as scikit-learn's
    trees are; the threshold is the middle between two values. Missing values go to the
    side that gains more, to the right where both gain alike; where a node had none in
    training, to the side with more rows.

    Time O(n d log n) for sorting the columns, then O(n d) a level; zeros of sparse
    columns, and values that more than half of the rows have, take no time.
    ``BinaryRelevance``, ``RAkEL`` and the like sort the columns once for all labels.

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
    }

    def __init__(
        self,
        *,
        confidence: float | None = 0.25,
        min_samples_leaf: int = 2,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf

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
        refuse_other_order(X, y)
        X, y = validate_data(
            self, X, y=y, accept_sparse="csc", ensure_all_finite=_gaps_allowed(X)
        )
        refuse_huge_rows(self, X)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        (tree,) = TreeTable(X).grow(codes, len(self.classes_), self.min_samples_leaf)
        return self._take(tree)

    def _take(self, tree: GrownTree) -> Self:
        """Prune a grown tree and answer by it."""
        self.tree_ = tree
        left, right = tree.children_left, tree.children_right
        is_leaf = left < 0
        if self.confidence is not None:
            n_rows = tree.n_node_samples
            is_leaf = tree_answers.prune(
                left,
                right,
                n_rows,
                n_rows - tree.counts.max(axis=1),
                self.confidence,
                _upper_quantile(self.confidence),
            )
        self.node_, self.n_leaves_ = tree_answers.answering_nodes(left, right, is_leaf)
        return self

    def fits_prefixes(self) -> bool:
        """Return whether ``fits_together`` offers anything.

        Not where a subclass may fit in another way, or where a setting is wrong, which
        ``fit`` says.
        """
        if type(self) is not EntropyTree:
            return False
        try:
            self._validate_params()
        except ValueError:
            return False
        return True

    def fits_together(self, X: Any) -> SharedTrees | None:
        """Return what fits copies of this classifier on the same rows, sorted once.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            Training rows, as they came through ``check_array``.
        """
        if not self.fits_prefixes():
            return None
        # what ``fit`` refuses and the caller need not have looked for
        assert_all_finite(X, allow_nan=not sparse.issparse(X), input_name="X")
        refuse_huge_rows(self, X)
        return SharedTrees(self, X)

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
        refuse_huge_rows(self, X)
        return self._asked(X)

    def _asked(self, X: Any) -> Array:
        """Return what ``predict_proba`` does, of rows that are checked."""
        nodes = self.node_[self.tree_.apply(X)]
        counts = self.tree_.counts[nodes]
        shares: Array = counts / self.tree_.n_node_samples[nodes, None]
        return shares

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


def _upper_quantile(confidence: float) -> float:
    """Return what a standard normal number exceeds with this probability."""
    below = 1 - confidence
    if below == 1.0:  # rounded: so far out only the lower end has the places
        return -NormalDist().inv_cdf(confidence)
    return NormalDist().inv_cdf(below)


def expected_errors(n: float, errors: float, confidence: float) -> float:
    """Return the errors expected on ``n`` new rows after ``errors`` on ``n`` seen ones.

    Upper limit of the binomial share at one-sided level ``confidence``: exact without
    errors, the normal approximation with continuity correction from one error on, and
    a straight line between.
    """
    z = _upper_quantile(confidence)
    return float(tree_answers.expected_errors(float(n), float(errors), confidence, z))
