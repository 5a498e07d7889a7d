"""Pick features of much relevance and little redundancy."""

from __future__ import annotations

from labelsift.score.redundancy import mlmrmr
from labelsift.select._greedy import Array, GreedySelector
from labelsift.select._greedy_search import Terms, Walk


class MLMRMR(GreedySelector):
    """Pick features by relevance to the labels less mean redundancy.

    ``sum over l of I(f; l) - mean over picks s of I(f; s)``: mRMR with the relevance
    summed over labels. A class vector is one
    variable of several values, which makes this mRMR itself.
    With many labels the relevance is large against the redundancy.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all. A number k costs k
        rounds; its picks are the first k of a full ranking.
    discretize : {"equal_width", "equal_frequency", "median", "mean", "none", \
"presence"}, default="equal_width"
        How a feature is cut into bins. ``"none"`` takes every distinct value as a
        category, ``"presence"`` asks whether a value is above 0.
    n_bins : int, default=3
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories and are never cut: a mask, column
        numbers or names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        They follow the rank: n_features for the first pick, one less for the next;
        0 for constant features. Larger is better.
    criterion_ : ndarray of shape (n_picks,), float64
        Value of each pick when it was taken, in bits. It may rise as
        well as fall.
    order_ : ndarray of shape (n_features,), int64
        Column indices: the picks in order, then the features left by their value in
        the last round, then constant features. Equal values in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"``.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN or infinity, or ``y`` anything but 0 and 1.

    Notes
    -----
    Certainty: [1]_ summed over labels; confirmed by one program, the MLC_toolbox, but
    for the sign: it adds the redundancy.

    Time O(k n d / 64) word operations for k picks of d binary features in n rows (a
    pair of features with b and c levels: (b - 1)(c - 1) times that; rows in lists where
    a level is rare, so that a sparse ``X`` stays sparse), memory one bit for each row
    and level. Where half of the features or more are picked of up to 2048, a table of
    features x features (32 MB).

    Sums over picks are exact whole numbers, so that the order does not depend on
    threads. ``partial_fit`` and ``fit_blocks`` keep coded rows, since pairs of features
    are counted anew for each pick.

    References
    ----------
    .. [1] Peng, Long, Ding. Feature selection based on mutual information: criteria of
       max-dependency, max-relevance, and min-redundancy. IEEE Trans. Pattern Anal.
       Mach. Intell. 27(8), 2005, 1226-1238. doi:10.1109/TPAMI.2005.159

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]] * 2)
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    >>> selector = MLMRMR().fit(X, Y)
    >>> selector.order_
    array([0, 2, 1])
    >>> selector.criterion_
    array([1. , 1. , 0.5])
    """

    _reads = frozenset({"redundancy"})
    _walk = Walk(is_mean=True)

    def _value(self, terms: Terms) -> Array:
        return mlmrmr(terms.relevance, terms.redundancy, terms.n_picked)
