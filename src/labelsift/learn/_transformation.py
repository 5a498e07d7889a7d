"""What the classifiers share that turn several labels into single-label problems."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import HasMethods, fit_context, validate_data
from labelsift.encode.extremes import column_by_name, refuse_huge
from labelsift.encode.labels import as_label_matrix, class_column
from labelsift.learn.entropy_tree import EntropyTree

Array = np.ndarray[Any, Any]


class TransformationClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers that hand single-label problems to another classifier.

    A subclass implements ``_fit_labels``, which keeps fitted models, and ``_scores``;
    and ``_relevant`` where a label is not predicted by a score of at least one half.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "base": [HasMethods(["fit", "predict"]), None],
    }

    def __init__(self, base: Any = None) -> None:
        self.base = base

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from training rows and their labels.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows; sparse or with NaN where the base classifier takes that.
        y : array-like, sparse matrix or data frame
            0/1 labels of shape (n_samples, n_labels), or a class vector of shape
            (n_samples,): one label for each class.

        Returns
        -------
        self
            The fitted classifier.
        """
        if is_regressor(self._base()):
            raise ValueError(
                f"base must be a classifier; {self._base()!r} is a regressor, to which "
                "the numbers of classes would be quantities."
            )
        X = self._validate(X, reset=True)
        if y is None:
            raise ValueError(
                f"{type(self).__name__} needs labels: it requires y to be passed, but "
                "the target y is None."
            )
        labels = as_label_matrix(class_column(y), X.shape[0])
        self.label_names_in_ = np.array(labels.names, dtype=object)
        self.n_labels_in_ = labels.n_labels
        self._class_vector = labels.classes is not None
        self.classes_ = (
            np.arange(labels.n_labels) if labels.classes is None else labels.classes
        )
        values = labels.values
        self._fit_labels(X, values.toarray() if sparse.issparse(values) else values)
        return self

    def predict_proba(self, X: Any) -> Array:
        """Return a score from 0 to 1 for each row and label.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_labels), float64
            Scores. For a class vector they are divided by their sum over the classes.
        """
        return self._class_shares(self._scores(self._queries(X)))

    def predict(self, X: Any) -> Array:
        """Return 0/1 labels of shape (n_samples, n_labels), or the likeliest class.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_labels), int64
            1 where the label is predicted. For a class vector, the class of the
            greatest score, shape (n_samples,); equal scores go to the first class.
        """
        rows = self._queries(X)
        if self._class_vector:
            shares = self._class_shares(self._scores(rows))
            classes: Array = self.classes_[shares.argmax(axis=1)]
            return classes
        return self._relevant(rows).astype(np.int64)

    @abstractmethod
    def _fit_labels(self, X: Any, Y: Array) -> None:
        """Fit the models on checked rows and labels of shape (rows, labels), uint8."""

    @abstractmethod
    def _scores(self, X: Any) -> Array:
        """Return scores of shape (rows, labels)."""

    def _relevant(self, X: Any) -> Array:
        """Return which labels are predicted."""
        relevant: Array = self._scores(X) >= 0.5
        return relevant

    def _base(self) -> Any:
        return EntropyTree() if self.base is None else self.base

    def _label(self, label: int) -> str:
        return f"label {str(self.label_names_in_[label])!r}"

    def _queries(self, X: Any) -> Any:
        check_is_fitted(self, "label_names_in_")
        return self._validate(X, reset=False)

    def _validate(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self._base()).input_tags
        rows = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if tags.sparse else False,
            dtype=(np.float64, np.float32),
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
        )
        refuse_huge(rows, column_by_name(getattr(self, "feature_names_in_", None)))
        return _with_short_indices(rows) if sparse.issparse(rows) else rows

    def _class_shares(self, scores: Array) -> Array:
        if not self._class_vector:
            return scores
        total = scores.sum(axis=1, keepdims=True)
        empty = total == 0.0
        shares: Array = np.where(empty, 1.0, scores) / np.where(
            empty, scores.shape[1], total
        )
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base()).input_tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        tags.input_tags.pairwise = base.pairwise
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        tags.target_tags.two_d_labels = True
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


def _with_short_indices(X: Any) -> Any:
    """Return sparse rows with 32-bit indices, as scikit-learn wants, where they fit."""
    largest = max(*X.shape, X.nnz)
    if X.indices.dtype == np.int32 or largest > np.iinfo(np.int32).max:
        return X
    parts = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return type(X)(parts, shape=X.shape)
