"""Choose one parameter of a classifier by cross-validation within the training rows."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from labelsift._sklearn import HasMethods, Interval, fit_context
from labelsift.encode.row_order import refuse_other_order
from labelsift.kernels.blas import one_blas_thread
from labelsift.learn._columns import refuse_huge_rows
from labelsift.learn._pruning_path import wrong_answers

Array = np.ndarray[Any, Any]

_MOST_VALUES = 20  # of a pruning path


class ChosenByFolds(ClassifierMixin, BaseEstimator):
    """A classifier whose one parameter is the best of some values in inner folds.

    Unlike a grid search it takes classes with fewer rows than folds, without a
    warning: rows of a class are dealt out to the folds in turn, and the row of a class
    that has one only is always trained on.

    Parameters
    ----------
    estimator : estimator
        scikit-learn classifier with probabilities.
    parameter : str
        Parameter to choose, as in ``set_params``.
    values : array-like or None, default=None
        Values, the simplest model first; of equally good ones the first is taken. None,
        for ``ccp_alpha`` of a decision tree: the geometric means of neighbours on the
        pruning path of all rows, at most 20 of them.
    n_folds : int, default=5
        Inner folds, at least 2.

    Attributes
    ----------
    estimator_ : estimator
        The classifier with the chosen value, fitted on all rows.
    value_ : object
        The value chosen; the middle one where no class has two rows.
    errors_ : ndarray of shape (n_values,), int64
        Rows that each value got wrong in the inner folds.
    classes_ : ndarray
        The classes, sorted.

    Notes
    -----
    Nothing is drawn: folds follow the order of the rows. Warnings that a candidate did
    not converge are kept back; the final fit gives its own. The BLAS has one thread
    meanwhile, so that its threads decide nothing. Cost: O(n_folds n_values) fits;
    O(n_folds) along a pruning path.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> model = ChosenByFolds(tree, "ccp_alpha").fit(X, y)
    >>> int(model.estimator_.get_n_leaves())
    4
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba", "set_params"])],
        "parameter": [str],
        "values": ["array-like", None],
        "n_folds": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self, estimator: Any, parameter: str, values: Any = None, *, n_folds: int = 5
    ) -> None:
        self.estimator = estimator
        self.parameter = parameter
        self.values = values
        self.n_folds = n_folds

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> Self:
        """Choose the value and fit on all rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Class of each row.

        Returns
        -------
        self
            The fitted classifier.
        """
        refuse_other_order(X, y)
        X, y = validate_data(self, X, y, **self._accepts())
        refuse_huge_rows(self, X)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        values = self._candidates(X, codes)
        self.errors_ = np.zeros(len(values), dtype=np.int64)
        folds = fold_numbers(codes, self.n_folds)
        folds[np.bincount(codes)[codes] == 1] = -1
        tested = np.unique(folds[folds >= 0])
        with one_blas_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for fold in tested:
                train, test = folds != fold, folds == fold
                self.errors_ += self._errors(
                    values, X[train], codes[train], X[test], codes[test]
                )
        best = int(self.errors_.argmin()) if tested.size else len(values) // 2
        self.value_ = values[best]
        with one_blas_thread():
            self.estimator_ = self._with(self.value_).fit(X, codes)
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return the classifier's class probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), float64
            Probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self, "estimator_")
        X = validate_data(self, X, reset=False, **self._accepts())
        refuse_huge_rows(self, X)
        shares: Array = self.estimator_.predict_proba(X)
        return shares

    def predict(self, X: Any) -> Array:
        """Return the likeliest class of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        likeliest = self.predict_proba(X).argmax(axis=1)
        classes: Array = self.classes_[likeliest]
        return classes

    def _errors(
        self, values: list[Any], X: Any, codes: Array, asked: Any, truth: Array
    ) -> list[int]:
        """Return the rows of ``asked`` that each value gets wrong."""
        if self.values is None:  # one tree, pruned more and more
            grown = self._with(0.0).fit(X, codes)
            return wrong_answers(grown, values, asked, truth)
        return [
            int((self._with(value).fit(X, codes).predict(asked) != truth).sum())
            for value in values
        ]

    def _with(self, value: Any) -> Any:
        return clone(self.estimator).set_params(**{self.parameter: value})

    def _candidates(self, X: Any, codes: Array) -> list[Any]:
        if self.values is not None:
            return list(self.values)
        path = clone(self.estimator).cost_complexity_pruning_path(X, codes)
        alphas = np.unique(np.maximum(path.ccp_alphas, 0.0))
        between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), alphas[-1])
        if len(between) > _MOST_VALUES:
            places = np.linspace(0, len(between) - 1, _MOST_VALUES)
            between = between[np.unique(places.round().astype(np.int64))]
        return [float(alpha) for alpha in between[::-1]]

    def _accepts(self) -> dict[str, Any]:
        tags = get_tags(self.estimator).input_tags
        return {
            "accept_sparse": "csr" if tags.sparse else False,
            "ensure_all_finite": "allow-nan" if tags.allow_nan else True,
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        return tags


def fold_numbers(codes: Array, n_folds: int, random: Any = None) -> Array:
    """Return a fold for each row: the rows of a class are dealt out in turn.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int64
        Class of each row, 0 .. n_classes - 1.
    n_folds : int
        Folds; sizes differ by one row at most.
    random : RandomState or None
        Shuffles the rows first.
    """
    n = len(codes)
    order = np.arange(n) if random is None else random.permutation(n)
    order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(n, dtype=np.int64)
    folds[order] = np.arange(n) % n_folds
    return folds
