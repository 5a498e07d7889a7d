"""Supervised cut points by the minimum description length principle."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import StrOptions, fit_context, validate_data
from labelsift.encode.discretizer_base import Discretizer
from labelsift.encode.known_values import cut_columns, has_missing
from labelsift.encode.label_transform import ClassProblem, to_class_problem
from labelsift.encode.labels import as_label_matrix
from labelsift.encode.row_order import refuse_other_order
from labelsift.encode.sorted_columns import columns_a_block, sort_columns
from labelsift.kernels import mdl
from labelsift.kernels.threads import run_blocks
from labelsift.read.dataset import Matrix

RULES = {
    ("fayyad_irani", "default"): mdl.FAYYAD_IRANI_DEFAULT,
    ("fayyad_irani", "better"): mdl.FAYYAD_IRANI_BETTER,
    ("kononenko", "default"): mdl.KONONENKO_DEFAULT,
    ("kononenko", "better"): mdl.KONONENKO_BETTER,
}


def mdl_cut_points(
    X: Matrix, problem: ClassProblem, rule: int
) -> list[np.ndarray[Any, Any]]:
    """Return the cut points of every column for one class problem.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; missing ones (NaN) are left out.
    problem : ClassProblem
        The classes of the rows.
    rule : int
        One of the rules of ``labelsift.kernels.mdl``.

    Returns
    -------
    list of ndarray
        Increasing cuts of each column, midway between two values; a value equal to a
        cut belongs below it.
    """
    columns = sparse.csc_array(X) if sparse.issparse(X) else X

    def cut(start: int, stop: int) -> list[np.ndarray[Any, Any]]:
        block = sort_columns(columns, start, stop)
        _, n_bins, _, below, above = mdl.class_tables(
            block.rows,
            block.ranks,
            block.start,
            block.n_known,
            block.zero_rank,
            problem.start,
            problem.classes,
            problem.weights,
            problem.n_classes,
            problem.is_weighted,
            np.full(stop - start, rule, dtype=np.int64),
        )
        last = np.cumsum(n_bins)
        cuts = []
        for j, (end, count) in enumerate(zip(last, n_bins, strict=True)):
            low = [block.value_at(j, r) for r in below[end - count : end - 1]]
            high = [block.value_at(j, r) for r in above[end - count + 1 : end]]
            cuts.append(_between(np.array(low), np.array(high)))
        return cuts

    blocks = run_blocks(cut, X.shape[1], block=columns_a_block(X.shape[0]))
    return [cuts for block in blocks for cuts in block]


def _between(
    low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    # neighbouring numbers have no midpoint, and large ones a sum without end
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle < high, middle, low).astype(np.float64)


class MDLDiscretizer(Discretizer):
    """Cut features where that tells classes apart better than it costs to say so.

    An interval is cut at the boundary between two distinct values that leaves the
    least class entropy, if the gain pays for the description of the cut, and both
    parts are then treated alike. A feature that tells nothing keeps one bin.

    Parameters
    ----------
    encoding : {"default", "better"}, default="default"
        How many places a cut could have, whose binary logarithm a cut costs: rows of
        the interval less one, or boundaries between its distinct values. The former is
        the default of Weka's Discretize filter, the latter (``-E``) what its rankers
        use.
    criterion : {"fayyad_irani", "kononenko"}, default="fayyad_irani"
        Which description length decides: that of Fayyad and Irani [1]_ or that of
        Kononenko [2]_, which tends to cut more.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cuts of each feature, midway between two values; a value equal to a cut is in
        the bin below.

    Notes
    -----
    ``fit`` needs ``y``: a class vector, or a 0/1 label matrix whose distinct label
    sets are the classes. Missing values (NaN) are left out in ``fit``; where ``X``
    has any, ``transform`` returns float64 in which they stay NaN. Time
    O(d n log n + d n cuts); a sparse ``X`` stays sparse.

    References
    ----------
    .. [1] Fayyad, Irani. Multi-interval discretization of continuous-valued attributes
       for classification learning. IJCAI 1993.
    .. [2] Kononenko. On biases in estimating multi-valued attributes. IJCAI 1995.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(1.0, 9.0)[:, None]
    >>> discretizer = MDLDiscretizer().fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    >>> discretizer.cut_points_
    [array([4.5])]
    >>> discretizer.transform([[0.0], [4.5], [4.6]]).ravel()
    array([0, 0, 1], dtype=uint8)
    """

    _parameter_constraints = {
        "encoding": [StrOptions({"default", "better"})],
        "criterion": [StrOptions({"fayyad_irani", "kononenko"})],
    }

    def __init__(
        self, *, encoding: str = "default", criterion: str = "fayyad_irani"
    ) -> None:
        self.encoding = encoding
        self.criterion = criterion

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the cut points of each feature.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Values; NaN where missing.
        y : array-like, sparse matrix or data frame
            Class vector of shape (n_samples,), or 0/1 label matrix.

        Returns
        -------
        self
            The fitted discretiser.
        """
        if y is None:
            raise ValueError(
                "MDLDiscretizer needs classes: This MDLDiscretizer estimator requires "
                "y to be passed, but the target y is None."
            )
        refuse_other_order(X, y)
        X = self._validate(X, reset=True)
        problem = to_class_problem(as_label_matrix(y, X.shape[0]), "label_powerset")
        rule = RULES[self.criterion, self.encoding]
        self.cut_points_ = mdl_cut_points(X, problem, rule)
        return self

    def transform(self, X: Any) -> Any:
        """Return the bin of each value, counted from 0.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Values; NaN where missing.

        Returns
        -------
        ndarray or csc_array of shape (n_samples, n_features)
            Unsigned integers, sparse where ``X`` is; float64 with NaN where a value
            is missing.
        """
        check_is_fitted(self, "cut_points_")
        X = self._validate(X, reset=False)
        if not has_missing(X):
            return self._bins(X)
        if sparse.issparse(X):
            raise ValueError(
                "Input X contains NaN: bins of missing values cannot be stored in a "
                "sparse matrix; give a dense X, or impute first (sklearn.impute)."
            )
        return cut_columns(X, self.cut_points_, below=True)

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        raise TypeError("supervised cut points need labels: use fit(X, y).")

    def _validate(self, X: Any, *, reset: bool) -> Matrix:
        rows: Matrix = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csc", "csr"),
            dtype=(np.float64, np.float32),
            ensure_all_finite="allow-nan",
        )
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.target_tags.two_d_labels = True
        return tags
