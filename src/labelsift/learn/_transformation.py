"""What the classifiers share that turn several labels into single-label problems."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import HasMethods, fit_context, validate_data
from labelsift.encode.row_order import refuse_other_order
from labelsift.learn._columns import refuse_huge_rows
from labelsift.learn._multi_label import MultiLabelClassifier
from labelsift.learn._sub_problem import (
    SubModel,
    SubProblem,
    fit_prefixes,
    fit_sub_problems,
)
from labelsift.learn.entropy_tree import EntropyTree

Array = np.ndarray[Any, Any]

_OWN = (  # a subclass may differ
    "fit",
    "predict",
    "predict_proba",
    "predict_with_scores",
    "_fit_labels",
)


class TransformationClassifier(MultiLabelClassifier):
    """Base of classifiers that hand single-label problems to another classifier.

    A subclass implements ``_answers``, and ``_problems`` and ``_keep``, which name the
    single-label problems and take the models fitted on them, or ``_fit_labels``, which
    does both.
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
        X, Y = self._checked(X, y)
        self._fit_labels(X, Y)
        return self

    def answers_prefixes(self) -> bool:
        """Return whether ``prefix_answers`` can be asked.

        The base classifier must offer to be fitted on all prefixes together, as
        ``EntropyTree`` does, and no problem may read columns of its own.
        """
        base, own = self._base(), TransformationClassifier
        return (
            hasattr(base, "fits_prefixes")
            and base.fits_prefixes()
            and type(self)._problems is not own._problems
            and all(getattr(type(self), name) is getattr(own, name) for name in _OWN)
            and getattr(self, "feature_lists", None) is None
        )

    def prefix_answers(
        self, X: Any, y: Any, order: Any, sizes: Any, asked: Any
    ) -> Iterator[tuple[Array, Array]]:
        """Yield what the classifier says after a fit on each prefix of a ranking.

        Parameters
        ----------
        X, y
            Training rows and labels, as for ``fit``.
        order : array-like of int
            Columns of ``X``, best first, each at most once.
        sizes : array-like of int
            Lengths of prefixes, rising.
        asked : array-like, sparse matrix or data frame of shape (n_asked, n_features)
            Rows to ask about.

        Yields
        ------
        predictions, scores : ndarray
            What ``predict`` and ``predict_proba`` return after
            ``fit(X[:, np.sort(order[:size])], y)``, to the last bit.
        """
        X, Y = self._checked(X, y)
        rows = self._queries(asked)
        base, problems = self._problems(X, Y)
        each = fit_prefixes(
            base,
            X,
            problems,
            np.asarray(order, dtype=np.int64),
            np.asarray(sizes, dtype=np.int64),
            rows,
            getattr(self, "n_jobs", None),
        )
        for models in each:
            self._keep(models)
            yield self._said(rows)

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
        return self.predict_with_scores(X)[1]

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
        return self.predict_with_scores(X)[0]

    def predict_with_scores(self, X: Any) -> tuple[Array, Array]:
        """Return predictions and scores, for which base classifiers are asked once.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        predictions, scores : ndarray
            What ``predict`` and ``predict_proba`` return.
        """
        return self._said(self._queries(X))

    def _said(self, rows: Any) -> tuple[Array, Array]:
        relevant, scores = self._answers(rows)
        if not self._class_vector:
            return relevant.astype(np.int64), scores
        return self._class_answers(scores)

    def _fit_labels(self, X: Any, Y: Array) -> None:
        """Fit the models on checked rows and labels of shape (rows, labels), uint8."""
        base, problems = self._problems(X, Y)
        jobs = getattr(self, "n_jobs", None)
        self._keep(fit_sub_problems(base, X, problems, jobs))

    def _problems(self, X: Any, Y: Array) -> tuple[Any, list[SubProblem]]:
        """Return the base classifier and the problems; draw what is to be drawn.

        Not of a subclass that has a ``_fit_labels`` of its own.
        """
        raise NotImplementedError

    def _keep(self, models: list[SubModel]) -> None:
        """Take the models fitted on the problems; goes with ``_problems``."""
        raise NotImplementedError

    def _checked(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Return rows and labels, checked, and remember what they are like."""
        if is_regressor(self._base()):
            raise ValueError(
                f"base must be a classifier; {self._base()!r} is a regressor, to which "
                "the numbers of classes would be quantities."
            )
        refuse_other_order(X, y)
        X = self._validate(X, reset=True)
        return X, self._take_labels(y, X.shape[0])

    @abstractmethod
    def _answers(self, X: Any) -> tuple[Array, Array]:
        """Return which labels are predicted, and scores, both (rows, labels)."""

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
        refuse_huge_rows(self, rows)
        return _with_short_indices(rows) if sparse.issparse(rows) else rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base()).input_tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        tags.input_tags.pairwise = base.pairwise
        return tags


def _with_short_indices(X: Any) -> Any:
    """Return sparse rows with 32-bit indices, as scikit-learn wants, where they fit."""
    largest = max(*X.shape, X.nnz)
    if X.indices.dtype == np.int32 or largest > np.iinfo(np.int32).max:
        return X
    parts = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return type(X)(parts, shape=X.shape)
