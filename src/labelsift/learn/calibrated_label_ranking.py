"""Calibrated label ranking: labels play each other, and one that parts yes from no."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.learn._columns import columns_of_problems
from labelsift.learn._sub_problem import SubModel, SubProblem, ask_all
from labelsift.learn._transformation import TransformationClassifier

Array = np.ndarray[Any, Any]


class CalibratedLabelRanking(TransformationClassifier):
    """Rank labels by pairwise votes, and cut the ranking at a virtual label.

    For each pair of labels a classifier learns which one a row has, from the rows with
    exactly one of them; a label's games against the virtual label are a binary
    classifier's. Labels with no fewer votes than the virtual label are predicted.

    Parameters
    ----------
    base : estimator or None, default=None
        scikit-learn classifier; None takes a support vector machine with RBF kernel,
        ``SVC()``.
    calibrated : bool, default=True
        Play against the virtual label. Without it there is a ranking only, and
        ``predict`` takes the first m labels of it, m being the mean size of the
        training label sets, rounded.
    tie : {"relevant", "irrelevant"}, default="relevant"
        Whether a label with as many votes as the virtual label is predicted (as in
        Mulan) or not (as in the published ranking). Without effect on scores.
    voting : {"hard", "soft"}, default="hard"
        A game gives its winner one vote (half a vote each for equal evidence), or
        parts it by the probability; see ``BinaryRelevance`` for base classifiers
        without probabilities.
    feature_lists : dict or None, default=None
        Columns that sub-problems read, as indices or names, by pair ``(a, b)`` with a <
        b, and by label for the games against the virtual label, such as
        ``WrapperSPEC(order=2).fit(X, y).feature_lists(20)`` or that of ``order=1``, or
        both in one dict. Labels are called by number or name. Sub-problems left out
        read all columns.
    n_jobs : int or None, default=None
        Jobs that fit base classifiers at once, as in joblib. Does not alter results.

    Attributes
    ----------
    pairs_ : list of tuple of int
        The pairs with training rows. Pairs without have no vote.
    pair_estimators_ : list
        The fitted base classifier of each pair, class 1 for its first label; None
        where all rows have the same one, which then always wins.
    estimators_ : list
        That of each label's games against the virtual label; empty when
        ``calibrated=False``.
    n_fits_ : int
        Base classifiers fitted; sub-problems with equal data share one.
    n_top_ : int
        The number m of the labels predicted when ``calibrated=False``.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1; if there is one label and
        ``calibrated=False``; or if a feature list is not one of a sub-problem or names
        a column that ``X`` has not.

    Notes
    -----
    A score is the label's share of the votes that it could get: its votes over
    n_labels, or over n_labels - 1 without the virtual label. The virtual label has as
    many votes as there are labels that its classifiers deny. Scores are relative to the
    other labels of the row: a score under one half may well be predicted.

    Cost: O(n_labels^2) fits on the rows of each pair, O(n_labels) row counts in all
    for each label that a row has. An ``SVC`` with one of scikit-learn's own kernels
    reads the products of all rows, found once for all pairs on up to 8192 rows (half a
    gigabyte); decisions are those of machines fitted by themselves, up to rounding.

    References
    ----------
    .. [1] Fuernkranz, Huellermeier, Loza Mencia, Brinker. Multilabel classification via
       calibrated label ranking. Machine Learning 73(2), 2008, 133-153.
       doi:10.1007/s10994-008-5064-8

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from labelsift.learn import CalibratedLabelRanking
    >>> X = [[0], [1], [2], [3], [4], [5]]
    >>> Y = [[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 1]]
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> model = CalibratedLabelRanking(tree).fit(X, Y)
    >>> model.predict_proba([[2]]).round(3).tolist()
    [[1.0, 0.667, 0.0]]
    >>> model.predict([[2]]).tolist()
    [[1, 1, 0]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **TransformationClassifier._parameter_constraints,
        "calibrated": ["boolean"],
        "tie": [StrOptions({"relevant", "irrelevant"})],
        "voting": [StrOptions({"hard", "soft"})],
        "feature_lists": [dict, None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        base: Any = None,
        *,
        calibrated: bool = True,
        tie: str = "relevant",
        voting: str = "hard",
        feature_lists: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(base)
        self.calibrated = calibrated
        self.tie = tie
        self.voting = voting
        self.feature_lists = feature_lists
        self.n_jobs = n_jobs

    def _base(self) -> Any:
        if self.base is not None:
            return self.base
        from sklearn.svm import SVC

        return SVC()

    def _problems(self, X: Any, Y: Array) -> tuple[Any, list[SubProblem]]:
        n_labels = Y.shape[1]
        if n_labels == 1 and not self.calibrated:
            raise ValueError(
                "calibrated=False ranks labels against each other; y has one label. "
                "Use calibrated=True."
            )
        every: list[Any] = list(combinations(range(n_labels), 2))
        labels = list(range(n_labels)) if self.calibrated else []
        columns = columns_of_problems(
            self.feature_lists,
            labels + every,
            X.shape[1],
            getattr(self, "feature_names_in_", None),
            self.label_names_in_,
        )
        problems = [
            SubProblem(
                self._label(label),
                Y[:, label].astype(np.int64),
                columns=columns.get(label),
            )
            for label in labels
        ]
        self.pairs_ = []
        for a, b in every:
            rows = np.flatnonzero(Y[:, a] != Y[:, b])
            if rows.size == 0:
                continue
            self.pairs_.append((a, b))
            problems.append(
                SubProblem(
                    f"{self._label(a)} against {self._label(b)}",
                    Y[rows, a].astype(np.int64),
                    rows=None if rows.size == len(Y) else rows,
                    columns=columns.get((a, b)),
                )
            )
        self.n_top_ = int(np.floor(Y.sum() / len(Y) + 0.5))
        return self._base(), problems

    def _keep(self, models: list[SubModel]) -> None:
        self._models = models
        fitted = [model.estimator for model in models]
        n_single = len(models) - len(self.pairs_)
        self.estimators_ = fitted[:n_single]
        self.pair_estimators_ = fitted[n_single:]
        self.n_fits_ = len({id(e) for e in fitted if e is not None})

    def _votes(self, X: Any) -> tuple[Array, Array]:
        """Return the labels' votes, and the virtual label's."""
        scores = "votes" if self.voting == "hard" else "auto"
        answers = ask_all(
            self._models, X, lambda model, rows: model.positive(rows, scores)
        )
        votes = np.zeros((X.shape[0], self.n_labels_in_))
        virtual = np.zeros(X.shape[0])
        games = self._models[: len(self.estimators_)]
        for label, model in enumerate(games):
            yes = answers[id(model)]
            if self.voting == "hard":  # equal evidence predicts, as in BinaryRelevance
                yes = np.ceil(yes)
            votes[:, label] += yes
            virtual += 1 - yes
        for (a, b), model in zip(self.pairs_, self._models[len(games) :], strict=True):
            first = answers[id(model)]
            votes[:, a] += first
            votes[:, b] += 1 - first
        return votes, virtual

    def _answers(self, X: Any) -> tuple[Array, Array]:
        votes, virtual = self._votes(X)
        scores: Array = votes / (self.n_labels_in_ - (not self.calibrated))
        return self._relevant(votes, virtual), scores

    def _relevant(self, votes: Array, virtual: Array) -> Array:
        if not self.calibrated:
            order = np.argsort(-votes, axis=1, kind="stable")[:, : self.n_top_]
            relevant = np.zeros(votes.shape, dtype=np.bool_)
            np.put_along_axis(relevant, order, True, axis=1)
            return relevant
        if self.tie == "relevant":
            return np.asarray(votes >= virtual[:, None])
        return np.asarray(votes > virtual[:, None])
