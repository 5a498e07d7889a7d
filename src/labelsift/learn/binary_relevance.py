"""Binary relevance: one base classifier a label."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.learn._columns import columns_of_problems
from labelsift.learn._sub_problem import SubModel, SubProblem, ask_all
from labelsift.learn._transformation import TransformationClassifier

Array = np.ndarray[Any, Any]


class BinaryRelevance(TransformationClassifier):
    """Learn each label by itself with a copy of a single-label classifier.

    Parameters
    ----------
    base : estimator or None, default=None
        scikit-learn classifier; None takes the pruned entropy tree ``EntropyTree()``.
    scores : {"auto", "votes"}, default="auto"
        Score of a label: the base classifier's probability, else the logistic function
        of its decision value, else its vote; or always the vote, 1 or 0 (one half for
        equal evidence), as Mulan does for support vector machines.
    feature_lists : dict or sequence of array-like of int or str, or None, default=None
        Columns that each label's classifier reads, as indices or names, by the index or
        name of the label, such as ``WrapperSPEC(order=1).fit(X, y).feature_lists(20)``.
        Labels left out of a dict read all columns.
    n_jobs : int or None, default=None
        Jobs that fit base classifiers at once, as in joblib. Does not alter results.

    Attributes
    ----------
    estimators_ : list
        The fitted base classifier of each label; None where all rows agree.
    n_fits_ : int
        Base classifiers fitted; labels with equal rows and columns share one.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1, or a feature list is not one of a label or
        names a column that ``X`` has not.

    Notes
    -----
    A label is predicted when its score is at least one half: equal evidence predicts
    it, as in Mulan. A label that all training rows have, or none, is predicted always,
    or never. Cost: O(n_labels) fits of the base classifier; an ``SVC`` shares kernel
    values between labels, as in ``CalibratedLabelRanking``. Sparse ``X`` and NaN are
    handed on where the base classifier says that it takes them.

    References
    ----------
    .. [1] Tsoumakas, Katakis. Multi-label classification: an overview. International
       Journal of Data Warehousing and Mining 3(3), 2007, 1-13.
       doi:10.4018/jdwm.2007070101

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from labelsift.learn import BinaryRelevance
    >>> X = [[0, 5], [1, 4], [5, 5], [6, 4], [0, 1], [6, 0]]
    >>> Y = [[0, 1], [0, 1], [1, 1], [1, 1], [0, 0], [1, 0]]
    >>> BinaryRelevance(GaussianNB()).fit(X, Y).predict([[6, 5], [1, 0]]).tolist()
    [[1, 1], [0, 0]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **TransformationClassifier._parameter_constraints,
        "scores": [StrOptions({"auto", "votes"})],
        "feature_lists": [dict, "array-like", None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        base: Any = None,
        *,
        scores: str = "auto",
        feature_lists: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(base)
        self.scores = scores
        self.feature_lists = feature_lists
        self.n_jobs = n_jobs

    def _problems(self, X: Any, Y: Array) -> tuple[Any, list[SubProblem]]:
        labels = range(Y.shape[1])
        columns = columns_of_problems(
            self.feature_lists,
            list(labels),
            X.shape[1],
            getattr(self, "feature_names_in_", None),
            self.label_names_in_,
        )
        return self._base(), [
            SubProblem(
                self._label(label),
                Y[:, label].astype(np.int64),
                columns=columns.get(label),
            )
            for label in labels
        ]

    def _keep(self, models: list[SubModel]) -> None:
        self._models = models
        self.estimators_ = [model.estimator for model in self._models]
        self.n_fits_ = len({id(e) for e in self.estimators_ if e is not None})

    def _answers(self, X: Any) -> tuple[Array, Array]:
        answers = ask_all(
            self._models, X, lambda model, rows: model.positive(rows, self.scores)
        )
        scores = np.column_stack([answers[id(model)] for model in self._models])
        return scores >= 0.5, scores
