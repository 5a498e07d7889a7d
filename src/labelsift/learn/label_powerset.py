"""Label powerset: every label set that occurs is a class of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.learn._label_sets import label_set_codes, marginal_scores
from labelsift.learn._sub_problem import SubModel, SubProblem
from labelsift.learn._transformation import TransformationClassifier

Array = np.ndarray[Any, Any]


class LabelPowerset(TransformationClassifier):
    """Learn which label set a row has, as one class out of those seen in training.

    Parameters
    ----------
    base : estimator or None, default=None
        scikit-learn classifier; None takes the pruned entropy tree ``EntropyTree()``.
    scores : {"marginal", "set"}, default="marginal"
        Score of a label: the summed probability of the label sets with it; or, as in
        Mulan, the probability p of the predicted set for its labels, 1 - p for others.

    Attributes
    ----------
    estimator_ : object or None
        The fitted base classifier; its classes are rows of ``label_sets_``. None where
        all rows have one label set.
    label_sets_ : ndarray of shape (n_sets, n_labels), uint8
        The label sets seen, most frequent first; equally frequent ones by first row.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1.

    Notes
    -----
    ``predict`` gives the base classifier's label set, so only sets seen in training;
    it may differ from the labels that score over one half. With a base classifier
    without probabilities scores are 0 and 1. Cost: one fit with up to n classes, and
    O(n q log n) to number the sets.

    References
    ----------
    .. [1] Tsoumakas, Katakis. Multi-label classification: an overview. International
       Journal of Data Warehousing and Mining 3(3), 2007, 1-13.
       doi:10.4018/jdwm.2007070101

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from labelsift.learn import LabelPowerset
    >>> X = [[0], [1], [2], [10], [11], [12]]
    >>> Y = [[1, 1], [1, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    >>> model = LabelPowerset(KNeighborsClassifier(3)).fit(X, Y)
    >>> model.predict([[1], [11]]).tolist()
    [[1, 1], [1, 0]]
    >>> model.predict_proba([[1], [11]]).round(3).tolist()
    [[0.667, 1.0], [1.0, 0.0]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **TransformationClassifier._parameter_constraints,
        "scores": [StrOptions({"marginal", "set"})],
    }

    def __init__(self, base: Any = None, *, scores: str = "marginal") -> None:
        super().__init__(base)
        self.scores = scores

    def _problems(self, X: Any, Y: Array) -> tuple[Any, list[SubProblem]]:
        codes, self.label_sets_ = label_set_codes(Y)
        return self._base(), [SubProblem("the label sets", codes)]

    def _keep(self, models: list[SubModel]) -> None:
        (self._model,) = models
        self.estimator_ = self._model.estimator

    def _answers(self, X: Any) -> tuple[Array, Array]:
        predicted, shares = self._model.distribution(X, len(self.label_sets_))
        sets: Array = self.label_sets_[predicted]
        if self.scores == "marginal":
            return sets, marginal_scores(shares, self.label_sets_)
        chosen = shares[np.arange(len(shares)), predicted][:, None]
        return sets, np.where(sets == 1, chosen, 1 - chosen)
