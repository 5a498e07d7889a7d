"""Rank features for one class problem that is made of all labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from types import MappingProxyType
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.label_transform import (
    ClassProblem,
    pruned_label_sets,
    whole_weights,
)
from labelsift.encode.labels import LabelMatrix
from labelsift.score.chi2 import chi2_of_tables, chi2_scores
from labelsift.score.information import information_gain, symmetrical_uncertainty
from labelsift.score.pairs import PairScores
from labelsift.select._problems import ProblemSelector
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import ContingencyTables

_PROBLEMS = {
    "lp": "label_powerset",
    "ppt": "label_powerset",
    "ela": "copy_weight",
    "copy": "copy",
    "br": "binary_relevance",
}
_MEASURES: dict[str, Callable[[ContingencyTables], np.ndarray[Any, Any]]] = {
    "chi2": chi2_of_tables,
    "info_gain": information_gain,
    "symmetrical_uncertainty": symmetrical_uncertainty,
}
_SETTINGS = dict(ProblemSelector._parameter_constraints)
for _unused in ("missing", "categorical_features", "problem"):
    del _SETTINGS[_unused]


class LabelTransform(ProblemSelector):
    """Rank features by a score of one class, to which all labels are transformed.

    The classical way to select for several labels: make a single-label problem of
    them, then score each feature. Known by the names of its combinations: IGMF [1]_,
    LP+chi2 and LP+IG [2]_, PPT+MI [3]_ and PPT+chi2, ELA+chi2 [4]_. They are methods
    at the command line and in plans, too (``igmf``, ``lp_chi2``, ``lp_ig``,
    ``ppt_mi``, ``ppt_chi2``, ``ela_chi2``); ``make_selector("igmf")`` in Python.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    transformation : {"lp", "ppt", "ela", "copy", "br"}, default="lp"
        ``"lp"``: every distinct label set is a class. ``"ppt"``: the same, without
        the rows whose label set is rare. ``"ela"``: a row with m labels stands for m
        rows, one a label, of weight 1 / m each; rows without labels are left out.
        ``"copy"``: the same with weight 1. ``"br"``: each label against its absence,
        then ``aggregate``.
    measure : {"chi2", "info_gain", "symmetrical_uncertainty"}, default="chi2"
        Of the table of bins by classes: Pearson's statistic; ``I(f; class)`` in bits;
        ``2 I(f; class) / (H(f) + H(class))``, which with ``"lp"`` is IGMF.
    min_count : int, default=6
        For ``"ppt"``: rows that must carry a label set for it to be kept.
    aggregate : {"mean", "max", "min"}, default="mean"
        For ``"br"``: how the scores of one feature over the labels become one.
    discretize : {"equal_width", "equal_frequency", "median", "mean", "mdl", "none", \
"presence"}, default="equal_width"
        How a feature is cut into bins, on all rows whatever the transformation; see
        ``Chi2``.
    n_bins : int, default=3
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        At least 0, higher is better.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Scores before aggregation, with names; one column but for ``"br"``.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order, constant ones last.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"`` and ``"mdl"``.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN, ``y`` anything but 0 and 1, or no label set is carried by
        ``min_count`` rows.

    Notes
    -----
    Time O(n d + u d b) for u classes and b bins; with ``"ela"`` and ``"copy"`` O(d)
    for each label of a row. Sparse ``X`` costs its stored entries and stays sparse. A
    class vector is one class a row as it stands; ``"ppt"`` leaves out its rare
    classes.

    Certainty: high. LP, ELA and PPT with their scores agree with programs of
    the laboratory of Lee and Kim or an independent library. Programs for PPT differ in
    whether a set seen just ``min_count`` times is kept; here it is, and the default 6
    is our choice. [3]_ goes on to a greedy search on joint information of several
    features; PPT+MI here is the ranking.

    References
    ----------
    .. [1] Li, Liu, Ma, Mo, Duan, Zhou, Zhao. Multi-label feature selection via
       information gain. ADMA 2014.
    .. [2] Spolaor, Cherman, Monard, Lee. A comparison of multi-label feature selection
       methods using the problem transformation approach. ENTCS 292, 2013, 135-151.
       doi:10.1016/j.entcs.2013.02.010
    .. [3] Doquire, Verleysen. Feature selection for multi-label classification
       problems. IWANN 2011. doi:10.1007/978-3-642-21501-8_2
    .. [4] Chen, Yan, Zhang, Chen, Yang. Document transformation for multi-label
       feature selection in text categorization. ICDM 2007. doi:10.1109/ICDM.2007.18

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 5], [0, 7], [1, 5], [1, 7]])
    >>> Y = np.array([[0, 1], [0, 1], [1, 1], [1, 0]])
    >>> LabelTransform(1, measure="info_gain").fit(X, Y).scores_
    array([1. , 0.5])
    """

    _accepts_nan = False
    _parameter_constraints = {
        **_SETTINGS,
        "transformation": [StrOptions(set(_PROBLEMS))],
        "measure": [StrOptions(set(_MEASURES))],
        "min_count": [Interval(Integral, 1, None, closed="left")],
    }
    ALIASES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
        {
            "igmf": {"transformation": "lp", "measure": "symmetrical_uncertainty"},
            "lp_chi2": {"transformation": "lp", "measure": "chi2"},
            "lp_ig": {"transformation": "lp", "measure": "info_gain"},
            "ppt_mi": {"transformation": "ppt", "measure": "info_gain"},
            "ppt_chi2": {"transformation": "ppt", "measure": "chi2"},
            "ela_chi2": {"transformation": "ela", "measure": "chi2"},
        }
    )

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        transformation: str = "lp",
        measure: str = "chi2",
        min_count: int = 6,
        aggregate: str = "mean",
        discretize: str = "equal_width",
        n_bins: int = 3,
    ) -> None:
        super().__init__(n_features_to_select)
        self.transformation = transformation
        self.measure = measure
        self.min_count = min_count
        self.aggregate = aggregate
        self.discretize = discretize
        self.n_bins = n_bins

    @property
    def problem(self) -> str:  # type: ignore[override]
        """The transformation by the name that other selectors have for it."""
        return _PROBLEMS[self.transformation]

    def _is_countable(self, labels: LabelMatrix, *, has_cuts: bool = False) -> bool:
        rows_are_left_out = self.transformation == "ppt"
        return not rows_are_left_out and super()._is_countable(
            labels, has_cuts=has_cuts
        )

    def _note_columns(self, labels: LabelMatrix) -> None:
        super()._note_columns(labels)
        self._weight_factor = 1.0
        if self._is_joint and labels.classes is None:
            self._measured_columns = (self.transformation,)

    def _class_problem(self, labels: LabelMatrix) -> ClassProblem:
        if self.transformation == "ppt":
            return pruned_label_sets(labels, int(self.min_count))
        problem = super()._class_problem(labels)
        if problem.is_weighted and self.discretize != "mdl":  # MDL looks at totals
            problem, self._weight_factor = whole_weights(problem)
        return problem

    def _warn_of_one_class(self, classes: np.ndarray[Any, Any]) -> None:
        if self.transformation == "ppt" and len(np.unique(classes)) < 2:
            warnings.warn(
                f"min_count={self.min_count} leaves rows of one label set only: every "
                "score is 0, and the order is that of the columns.",
                UserWarning,
                stacklevel=5,
            )
            return
        super()._warn_of_one_class(classes)

    def _measure(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        scores = _MEASURES[self.measure](tables)
        if self.measure == "chi2" and self._is_joint:
            scores = scores / self._weight_factor
        return scores

    def _criterion(
        self, counts: ContingencyCounts, *, pairs: bool, n_top: int = 0
    ) -> PairScores:
        if self.measure == "chi2":
            return chi2_scores(counts, pairs=pairs, n_top=n_top)
        return super()._criterion(counts, pairs=pairs, n_top=n_top)
