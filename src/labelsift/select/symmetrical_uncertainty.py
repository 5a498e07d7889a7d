"""Rank features by symmetrical uncertainty."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.information import symmetrical_uncertainty
from labelsift.select._information import InformationSelector
from labelsift.statistics.tables import ContingencyTables


class SymmetricalUncertainty(InformationSelector):
    """Rank features by symmetrical uncertainty with the labels.

    Twice the information gain over the sum of both entropies,
    ``2 IG / (H(feature) + H(class))``; 0 where both are constant. Several labels are
    scored one by one and aggregated, or make one class problem. A class vector is such
    a problem as it stands; give the 0/1 matrix of its classes to have each class
    against the rest.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    problem : {"binary_relevance", "label_powerset", "copy", "copy_weight", "ignore", \
"select_max", "select_min"}, default="binary_relevance"
        ``binary_relevance``: each label against its absence, then ``aggregate``. The
        others make one problem of all labels: every distinct label set a class
        (``label_powerset``); a row copied for each of its labels, with weights that
        sum to 1 in ``copy_weight``; only rows with one label (``ignore``); of the
        labels of a row the most or the least frequent (``select_max``,
        ``select_min``). All but ``label_powerset`` leave out rows without labels.
    aggregate : {"mean", "max", "min"}, default="mean"
        How the scores of one feature over the labels become one score. A class
        vector, and every ``problem`` but the first, has one score to begin with.
    discretize : {"mdl", "equal_width", "equal_frequency", "median", "mean", "none", \
"presence"}, default="mdl"
        How a feature is cut into bins. ``"mdl"`` cuts anew for each label or problem,
        by Fayyad and Irani's criterion in the form that Weka's rankers use; a feature
        without a cut scores 0. ``"none"`` takes every distinct value as a category,
        ``"presence"`` asks whether a value is above 0.
    n_bins : int, default=5
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    label_norm : {None, "dl", "dm", "rank"}, default=None
        How labels are put on one scale before aggregation: not at all, divided by the
        Euclidean norm or by the maximum of the label's scores, or replaced by the share
        of the other features that a feature beats.
    missing : {"pairwise", "distribute"}, default="pairwise"
        Rows where a feature is NaN: left out for that feature, or shared out among
        its bins in proportion to their sizes, as Weka does.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories and are never cut: a mask, column
        numbers or names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Symmetrical uncertainty, from 0 to 1; higher is better.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Scores before scaling and aggregation, with names; one column, ``"class"`` or
        the name of the problem, where there is one problem.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"``, and for ``"mdl"``,
        whose cuts differ from label to label.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1, or ``X`` infinite values.

    Notes
    -----
    Time O(d n log n + d n q) with ``"mdl"`` for d features and q labels: a feature is
    sorted once. Sparse ``X`` costs its stored entries; zeros are values.
    ``partial_fit`` counts blocks and forgets them where bins are known beforehand
    (``discretize="none"``, ``"presence"``, or ``cut_points=``) and the problem is
    ``binary_relevance``, ``copy`` or a class vector, else it keeps the rows.

    References
    ----------
    .. [1] Spolaor, Cherman, Monard, Lee. A comparison of multi-label feature selection
       methods using the problem transformation approach. ENTCS 292, 2013, section 3.
       doi:10.1016/j.entcs.2013.02.010
    .. [2] Press, Flannery, Teukolsky, Vetterling. Numerical Recipes in C. Cambridge
       University Press, 1988, section 14.4.
    .. [3] Fayyad, Irani. Multi-interval discretization of continuous-valued attributes
       for classification learning. IJCAI 1993.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 5], [0, 7], [1, 5], [1, 7]])
    >>> Y = np.array([[0, 1], [0, 1], [1, 1], [1, 1]])
    >>> SymmetricalUncertainty(1, discretize="none").fit(X, Y).scores_
    array([0.5, 0. ])
    """

    _measure_name = "symmetrical_uncertainty"

    def _measure(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        return symmetrical_uncertainty(tables)
