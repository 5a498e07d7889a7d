"""Discretise columns of which some values are missing: those stay missing."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from labelsift.encode.codes import Codes, code_type, encode_by_cuts
from labelsift.encode.discretize import (
    EqualFrequencyDiscretizer,
    MedianDiscretizer,
    make_discretizer,
)
from labelsift.encode.discretizer_base import StreamingDiscretizer
from labelsift.encode.value_runs import Runs, runs_kept
from labelsift.read.dataset import Matrix

Cuts = list[np.ndarray[Any, Any]]


def has_missing(X: Matrix) -> bool:
    """Return whether any stored value is NaN."""
    return bool(np.isnan(X.data if sparse.issparse(X) else X).any())


def constant_columns(X: Matrix) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which columns hold one value at most, missing values aside.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.

    Returns
    -------
    ndarray of shape (n_features,), bool
    """
    if not sparse.issparse(X):
        low = np.fmin.reduce(X, axis=0)
        high = np.fmax.reduce(X, axis=0)
        return np.asarray(~(low < high))
    columns = sparse.csc_array(X)
    constant = np.zeros(X.shape[1], dtype=bool)
    for j in range(X.shape[1]):
        values = columns.data[columns.indptr[j] : columns.indptr[j + 1]]
        has_zeros = len(values) < X.shape[0]
        known = values[~np.isnan(values)]
        low = known.min(initial=0.0 if has_zeros else np.inf)
        high = known.max(initial=0.0 if has_zeros else -np.inf)
        constant[j] = not low < high
    return constant


def find_known_cuts(X: Matrix, name: str, n_bins: int) -> Cuts:
    """Return cut points of each column from the values that are there.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.

    Returns
    -------
    list of ndarray
        Increasing cuts of each column; none where no value is known.
    """
    discretizer = make_discretizer(name, n_bins)
    if not has_missing(X):
        return discretizer.find_cuts(X)
    columns = sparse.csc_array(X) if sparse.issparse(X) else X
    cuts: Cuts = []
    for known in _known_columns(columns):
        cuts.extend(discretizer.find_cuts(known) if len(known) else [np.empty(0)])
    return cuts


Within = dict[int, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]


def known_cuts(gather: Any, name: str, n_bins: int) -> Cuts | None:
    """Return the cut points of columns whose rows come in blocks.

    Parameters
    ----------
    gather : callable
        ``gather(function, merge)`` returns what a function makes of all blocks, None
        where there are none; see ``labelsift.read.blocks.gather_blocks``.
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.

    Returns
    -------
    list of ndarray or None
        Those of all rows at once, to the last bit; None where there are no rows.

    Raises
    ------
    ValueError
        If the rows are others when they are read again.

    Notes
    -----
    ``"equal_frequency"`` and ``"median"`` read the rows once where columns have few
    distinct values, else a few times, and hold no more than 128 MB of values (or 256
    of each column, or 8 for each bin); the others read them once.
    """
    coder = make_discretizer(name, n_bins)
    found = gather(KnownRows(name, n_bins), merged_rows)
    seen = None if found is None else found.seen
    if seen is None:
        return None
    if not _by_rank(coder):
        return coder._cuts(seen)
    while True:
        chosen = {}
        for j, runs in enumerate(seen):
            after = np.cumsum(runs.rows)
            inside = runs.wide()
            if inside.any():
                inside &= coder._cut_runs(after - runs.rows, after)
            if inside.any():
                chosen[j] = inside
        if not chosen:
            return coder._cuts([runs.ends() for runs in seen])
        within = {j: (seen[j].low[at], seen[j].high[at]) for j, at in chosen.items()}
        finer = gather(KnownRows(name, n_bins, within), merged_rows).seen
        for (j, at), runs in zip(chosen.items(), finer, strict=True):
            seen[j] = seen[j].replaced(at, runs)


def _by_rank(coder: StreamingDiscretizer) -> bool:
    return isinstance(coder, EqualFrequencyDiscretizer | MedianDiscretizer)


class KnownRows:
    """What the cut points of columns depend on, from blocks of rows.

    Parameters
    ----------
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.
    within : dict, optional
        Columns that are looked at, each with the ends of intervals; values elsewhere
        are left out. For ``"equal_frequency"`` and ``"median"`` only.

    Attributes
    ----------
    seen : object
        What was gathered; a list of ``Runs`` for ``"equal_frequency"`` and
        ``"median"``. None before any row.
    """

    def __init__(self, name: str, n_bins: int, within: Within | None = None) -> None:
        self._coder = make_discretizer(name, n_bins)
        self._n_bins = n_bins
        self._within = within
        self.seen: Any = None
        self._width: int | None = None

    def __call__(self, blocks: Any) -> KnownRows:
        """Return one that has seen the rows of some blocks ``(X, y)``."""
        found = copy(self)
        for X, _ in blocks:
            found.update(X)
        return found

    def update(self, X: Any) -> None:
        """Add a block of rows; missing values are left out."""
        X = _checked(X)
        self._check_width(X.shape[1])
        if self._within is not None:
            X = X[:, list(self._within)]
        if not has_missing(X):
            block = self._coder._gather(X)
        else:
            block = _side_by_side(
                [self._coder._gather(known) for known in _known_columns(X)]
            )
        if _by_rank(self._coder):
            block = [Runs.of(values, counts) for values, counts in block]
            if self._within is not None:
                intervals = self._within.values()
                block = [
                    runs.within(*ends)
                    for runs, ends in zip(block, intervals, strict=True)
                ]
            most = self._most_runs()
            block = [runs.bounded(most) for runs in block]
        self._add(block)

    def merge(self, other: KnownRows) -> None:
        """Add what another has seen."""
        if other.seen is not None:
            assert other._width is not None
            self._check_width(other._width)
            self._add(other.seen)

    def _check_width(self, width: int) -> None:
        if self._width not in (None, width):
            raise ValueError(
                f"a block has {width} features, those before it have {self._width}."
            )
        self._width = width

    def _most_runs(self) -> int:
        assert self._width is not None
        columns = self._width if self._within is None else len(self._within)
        return runs_kept(columns, self._n_bins)

    def _add(self, block: Any) -> None:
        if self.seen is None:
            self.seen = block
        elif _by_rank(self._coder):
            most = self._most_runs()
            self.seen = [
                one.joined(other, most)
                for one, other in zip(self.seen, block, strict=True)
            ]
        else:
            self.seen = self._coder._combine(self.seen, block)


def merged_rows(one: KnownRows, other: KnownRows) -> KnownRows:
    """Return what both have seen."""
    one.merge(other)
    return one


def _known_columns(X: Matrix) -> Iterator[Matrix]:
    """Yield the values of each column that are there, as one column."""
    for j in range(X.shape[1]):
        column = X[:, [j]]
        dense = column.toarray() if sparse.issparse(column) else column
        yield dense[~np.isnan(dense[:, 0])]


def _side_by_side(parts: list[Any]) -> Any:
    if isinstance(parts[0], tuple):
        return tuple(np.concatenate(each) for each in zip(*parts, strict=True))
    return [column for part in parts for column in part]


def _checked(X: Any) -> Matrix:
    return check_array(
        X, accept_sparse="csc", dtype=np.float64, ensure_all_finite="allow-nan"
    )


def cut_columns(
    X: Matrix,
    cuts: Cuts,
    *,
    below: bool,
    as_they_are: np.ndarray[Any, Any] | None = None,
) -> Matrix:
    """Replace values by bin numbers, leaving missing values missing.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    cuts : list of ndarray
        Increasing cuts of each column.
    below : bool
        Whether a value equal to a cut is in the bin below it.
    as_they_are : ndarray of shape (n_features,), bool, optional
        Columns that keep their values.

    Returns
    -------
    ndarray or csc_array of shape (n_samples, n_features), float64
        Bin numbers. In a sparse matrix they are counted from the bin that holds 0,
        so that what is not stored stays in it.
    """
    side: Literal["left", "right"] = "left" if below else "right"
    is_sparse = sparse.issparse(X)
    result = sparse.csc_array(X, dtype=np.float64, copy=True) if is_sparse else None
    dense = None if is_sparse else np.array(X, dtype=np.float64)
    for j in range(X.shape[1]):
        if as_they_are is not None and as_they_are[j]:
            continue
        if result is not None:
            values = result.data[result.indptr[j] : result.indptr[j + 1]]
            base = np.searchsorted(cuts[j], 0.0, side=side)
        else:
            assert dense is not None
            values, base = dense[:, j], np.intp(0)
        known = ~np.isnan(values)
        values[known] = np.searchsorted(cuts[j], values[known], side=side) - base
    if result is not None:
        result.eliminate_zeros()
        return result
    return dense


def encode_known(X: Matrix, cuts: Cuts, *, below: bool) -> Codes:
    """Code values by bin, with one more bin a feature for those that are missing.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    cuts : list of ndarray
        Increasing cuts of each column.
    below : bool
        Whether a value equal to a cut is in the bin below it.

    Returns
    -------
    Codes
        The last bin of every feature is that of missing values.
    """
    codes = encode_by_cuts(X, cuts, below=below)
    n_bins = codes.n_bins + 1
    kind = code_type(n_bins)
    if not codes.is_sparse:
        values = codes.values.astype(kind, copy=False)
        row, column = np.nonzero(np.isnan(X))
        values[column, row] = codes.n_bins[column]
        return Codes(values, n_bins, codes.default)
    columns = sparse.csc_array(X)
    if not np.isnan(columns.data).any():
        return Codes(codes.values.astype(kind), n_bins, codes.default)
    # a missing value must not be taken for one of the default bin and dropped
    known = columns.copy()
    known.data = np.where(np.isnan(known.data), 0.0, known.data)
    known.eliminate_zeros()
    codes = encode_by_cuts(known, cuts, below=below)
    rest = columns.copy()
    rest.data = np.isnan(rest.data).astype(kind)
    rest.eliminate_zeros()
    of = np.repeat(np.arange(X.shape[1]), np.diff(rest.indptr))
    rest.data = codes.n_bins[of].astype(kind)
    known_codes = codes.values.tocoo()
    rest = rest.tocoo()
    values = sparse.csc_array(
        (
            np.concatenate([known_codes.data.astype(kind), rest.data]),
            (
                np.concatenate([known_codes.row, rest.row]),
                np.concatenate([known_codes.col, rest.col]),
            ),
        ),
        shape=X.shape,
    )
    return Codes(values, n_bins, codes.default)
