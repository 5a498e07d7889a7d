"""Rank features by any score of one feature matrix and one label, label by label."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.feature_selection import f_classif

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.aggregate import AGGREGATES, LABEL_NORMS, aggregate, scale_labels
from labelsift.select._base import RankingSelector
from labelsift.select._score_table import ScoreTable


class PerLabel(RankingSelector):
    """Rank features by your own score, taken for each label and aggregated.

    Turns any scorer of single-label data into one for several labels: a function of
    your own, or those of ``sklearn.feature_selection`` such as ``f_classif`` and
    ``mutual_info_classif``.

    Parameters
    ----------
    score_func : callable, default=sklearn.feature_selection.f_classif
        ``score_func(X, y)`` with the checked ``X`` and 0/1 values ``y`` of one label
        (class numbers for a class vector). It returns one score a feature, larger is
        better, or a tuple whose first item these are. NaN counts as 0.
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    aggregate : {"mean", "max", "min"}, default="mean"
        How the scores of one feature over the labels become one score.
    label_norm : {None, "dl", "dm", "rank"}, default=None
        How labels are put on one scale before aggregation; see ``InfoGain``. All but
        ``"rank"`` need scores of at least 0.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Aggregated scores, higher is better.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Scores before scaling and aggregation, with names; a label that is the same in
        all rows scores 0.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.

    Raises
    ------
    ValueError
        If ``score_func`` does not return one number a feature.

    Notes
    -----
    Time O(n_labels) calls of ``score_func``; sparse ``X`` reaches it as it is.

    References
    ----------
    .. [1] Tsoumakas, Katakis, Vlahavas. Mining multi-label data. Data Mining and
       Knowledge Discovery Handbook, 2nd ed., Springer, 2010, section 34.5.

    Examples
    --------
    >>> import numpy as np
    >>> def spread_of_means(X, y):
    ...     return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    >>> X = np.array([[0, 5], [0, 7], [1, 5], [1, 8]])
    >>> Y = np.array([[0, 1], [0, 0], [1, 1], [1, 0]])
    >>> PerLabel(spread_of_means).fit(X, Y).scores_per_label_.values
    array([[1. , 0. ],
           [0.5, 2.5]])
    """

    _parameter_constraints = {
        **RankingSelector._parameter_constraints,
        "score_func": [callable],
        "aggregate": [StrOptions(set(AGGREGATES))],
        "label_norm": [None, StrOptions(set(LABEL_NORMS))],
    }

    def __init__(
        self,
        score_func: Any = f_classif,
        *,
        n_features_to_select: float | None = None,
        aggregate: str = "mean",
        label_norm: str | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.score_func = score_func
        self.aggregate = aggregate
        self.label_norm = label_norm

    @property
    def scores_per_label_(self) -> ScoreTable:
        """Scores of every feature for every label, before scaling and aggregation."""
        if not hasattr(self, "_pair_scores"):
            raise AttributeError("this PerLabel is not fitted yet: call fit first.")
        return ScoreTable(self._pair_scores, self._feature_names(), self._names)

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        X = X.astype(np.float64, copy=False)  # sums of single precision drift
        self._names: tuple[str, ...] = labels.names
        if labels.classes is not None:
            targets, self._names = [labels.codes], ("class",)
        else:
            Y = labels.values.tocsc() if hasattr(labels.values, "tocsc") else None
            targets = [
                labels.values[:, i] if Y is None else Y[:, [i]].toarray().ravel()
                for i in range(labels.n_labels)
            ]
        table = np.zeros((X.shape[1], len(targets)))
        constant = 0
        for i, target in enumerate(targets):
            if (target == target[0]).all():
                constant += 1
            else:
                table[:, i] = self._score_one(X, np.array(target, dtype=np.int64), i)
        if constant == len(targets):
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=4,
            )
        self._pair_scores = table
        if self.label_norm in ("dl", "dm") and (table < 0).any():
            raise ValueError(
                f"label_norm={self.label_norm!r} needs scores of at least 0; "
                f"score_func gave {table.min():.4g}. Use label_norm='rank'."
            )
        if self.label_norm is None and self.aggregate == "mean":
            both = (table == np.inf).any(axis=1) & (table == -np.inf).any(axis=1)
            if both.any():
                name = self._feature_names()[int(np.flatnonzero(both)[0])]
                raise ValueError(
                    f"score_func gave feature {name!r} infinity for one label and "
                    "minus infinity for another, which have no mean. Use "
                    "label_norm='rank', or aggregate='max' or 'min'."
                )
        return aggregate(scale_labels(table, self.label_norm), self.aggregate)

    def _score_one(
        self, X: Any, target: np.ndarray[Any, Any], label: int
    ) -> np.ndarray[Any, Any]:
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = self.score_func(X, target)
        if isinstance(scores, tuple):
            scores = scores[0]
        scores = np.asarray(scores, dtype=np.float64)
        if scores.shape != (X.shape[1],):
            raise ValueError(
                f"score_func must return one score for each of the {X.shape[1]} "
                f"features; for label {self._names[label]!r} it returned shape "
                f"{scores.shape}."
            )
        return np.where(np.isnan(scores), 0.0, scores)
