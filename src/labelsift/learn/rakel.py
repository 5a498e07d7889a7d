"""RAkEL: label powersets of random small groups of labels, which vote."""

from __future__ import annotations

import warnings
from math import comb
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from labelsift._sklearn import Interval, StrOptions
from labelsift._words import counted
from labelsift.learn._label_sets import label_set_codes, marginal_scores
from labelsift.learn._labelsets_draw import cover_all, distinct_subsets, partition
from labelsift.learn._sub_problem import (
    SubModel,
    SubProblem,
    ask_all,
)
from labelsift.learn._transformation import TransformationClassifier

Array = np.ndarray[Any, Any]


class RAkEL(TransformationClassifier):
    """Random k-labelsets: an ensemble of label powersets of k labels each.

    Each model learns the label sets within its own few labels; a label's score is the
    share of its models that vote for it.

    Parameters
    ----------
    base : estimator or None, default=None
        scikit-learn classifier; None takes the pruned entropy tree ``EntropyTree()``.
    labelset_size : int, default=3
        Labels of each model. With more than there are labels (a warning) or as many,
        one model has them all.
    n_models : int or None, default=None
        Models; None takes twice the number of labels, or all labelsets where there are
        fewer. More than there are labelsets: all of them (a warning).
    disjoint : bool, default=False
        Part the labels at random into groups of ``labelset_size`` instead, the last
        one smaller (RAkELd); a last group of one label joins the one before.
    cover : bool, default=True
        See to it that every label is in a model. The published method leaves it to
        chance and never predicts a label that was not drawn.
    voting : {"hard", "soft"}, default="hard"
        Models vote with their label set, or with the probability of each label.
    threshold : float, default=0.5
        A label is predicted when its score is at least this, over 0 and at most 1.
    random_state : int, RandomState or None, default=None
        Draws the labelsets, and seeds for a ``base`` that has none of its own.
    n_jobs : int or None, default=None
        Jobs that fit base classifiers at once, as in joblib. Does not alter results.

    Attributes
    ----------
    labelsets_ : list of tuple of int
        Labels of each model, sorted.
    estimators_ : list
        The fitted base classifier of each model; None where all rows agree.
    n_fits_ : int
        Base classifiers fitted; models that part the rows alike share one.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1, or ``n_models`` is given with
        ``disjoint=True``.

    Notes
    -----
    Votes of one half (with the default threshold) predict the label. The labelsets are
    distinct and are drawn without listing them all, so any number of labels will do.
    Cost: O(n_labels) fits with at most ``2 ** labelset_size`` classes each; an ``SVC``
    shares kernel values between them, as in ``CalibratedLabelRanking``.

    References
    ----------
    .. [1] Tsoumakas, Katakis, Vlahavas. Random k-labelsets for multilabel
       classification. IEEE Transactions on Knowledge and Data Engineering 23(7), 2011,
       1079-1089. doi:10.1109/TKDE.2010.164

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from labelsift.learn import RAkEL
    >>> X = [[0], [1], [2], [10], [11], [12]]
    >>> Y = [[1, 1, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 0]]
    >>> base = KNeighborsClassifier(3)
    >>> model = RAkEL(base, labelset_size=2, random_state=0).fit(X, Y)
    >>> model.labelsets_
    [(0, 1), (0, 2), (1, 2)]
    >>> model.predict([[1], [11]]).tolist()
    [[1, 1, 0], [1, 0, 1]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **TransformationClassifier._parameter_constraints,
        "labelset_size": [Interval(Integral, 1, None, closed="left")],
        "n_models": [Interval(Integral, 1, None, closed="left"), None],
        "disjoint": ["boolean"],
        "cover": ["boolean"],
        "voting": [StrOptions({"hard", "soft"})],
        "threshold": [Interval(Real, 0, 1, closed="right")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        base: Any = None,
        *,
        labelset_size: int = 3,
        n_models: int | None = None,
        disjoint: bool = False,
        cover: bool = True,
        voting: str = "hard",
        threshold: float = 0.5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(base)
        self.labelset_size = labelset_size
        self.n_models = n_models
        self.disjoint = disjoint
        self.cover = cover
        self.voting = voting
        self.threshold = threshold
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _problems(self, X: Any, Y: Array) -> tuple[Any, list[SubProblem]]:
        random = check_random_state(self.random_state)
        self.labelsets_ = self._draw(Y.shape[1], random)
        base = _seeded(self._base(), random)
        problems = []
        self._sets = []
        for labels in self.labelsets_:
            codes, sets = label_set_codes(Y[:, labels])
            names = ", ".join(self._label(label) for label in labels)
            problems.append(SubProblem(f"the label sets of {names}", codes))
            self._sets.append(sets)
        return base, problems

    def _keep(self, models: list[SubModel]) -> None:
        self._models = models
        self.estimators_ = [model.estimator for model in self._models]
        self.n_fits_ = len({id(e) for e in self.estimators_ if e is not None})

    def _draw(self, n_labels: int, random: Any) -> list[tuple[int, ...]]:
        size = self.labelset_size
        if size > n_labels:
            size = n_labels
            if not self._class_vector:
                warnings.warn(
                    f"labelset_size={self.labelset_size} but y has "
                    f"{counted(n_labels, 'label')}: one model has them all.",
                    UserWarning,
                    stacklevel=6,
                )
        if self.disjoint:
            if self.n_models is not None:
                raise ValueError(
                    f"n_models={self.n_models} with disjoint=True: the number of "
                    "groups follows from labelset_size. Leave n_models out."
                )
            return partition(n_labels, size, random)
        possible = comb(n_labels, size)
        wanted = 2 * n_labels if self.n_models is None else self.n_models
        if self.n_models is not None and wanted > possible:
            warnings.warn(
                f"n_models={wanted} but {n_labels} labels have {possible} labelsets of "
                f"{size}; all are used.",
                UserWarning,
                stacklevel=6,
            )
        wanted = min(wanted, possible)
        subsets = distinct_subsets(n_labels, size, wanted, random)
        if not self.cover:
            return subsets
        if wanted * size < n_labels:
            warnings.warn(
                f"{wanted} models of {size} labels cannot reach all {n_labels} labels: "
                f"{n_labels - wanted * size} or more are never predicted. Take "
                f"n_models={-(-n_labels // size)} or more.",
                UserWarning,
                stacklevel=6,
            )
        return cover_all(subsets, n_labels, random)

    def _answers(self, X: Any) -> tuple[Array, Array]:
        votes = np.zeros((X.shape[0], self.n_labels_in_))
        asked = np.zeros(self.n_labels_in_)
        hard = self.voting == "hard"
        n_sets = {id(m): len(s) for m, s in zip(self._models, self._sets, strict=True)}

        def said(model: SubModel, rows: Any) -> Array:
            predicted, shares = model.distribution(rows, n_sets[id(model)])
            return predicted if hard else shares

        answers = ask_all(self._models, X, said)
        for model, labels, sets in zip(
            self._models, self.labelsets_, self._sets, strict=True
        ):
            answer, columns = answers[id(model)], list(labels)
            votes[:, columns] += sets[answer] if hard else marginal_scores(answer, sets)
            asked[columns] += 1
        scores: Array = votes / np.maximum(asked, 1)
        return scores >= self.threshold, scores


def _seeded(base: Any, random: Any) -> Any:
    """Return a copy of ``base`` with seeds where it has a random_state of None."""
    seeded = clone(base)
    open_seeds = {
        name: int(random.randint(2**31 - 1))
        for name, value in sorted(seeded.get_params(deep=True).items())
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return seeded.set_params(**open_seeds)
