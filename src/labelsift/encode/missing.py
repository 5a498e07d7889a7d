"""Delete values from a complete table, to see what a method does without them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse
from scipy.stats import rankdata
from sklearn.utils import check_random_state

from labelsift.read.dataset import Dataset

Array = np.ndarray[Any, Any]

MECHANISMS = ("mcar", "mar", "mnar")

_TILT = 3.0  # the largest value goes missing exp(3) = 20 times as easily as the least


def inject_missing(
    X: Any, rate: float, mechanism: str = "mcar", *, random_state: Any = None
) -> Any:
    """Return a copy of a table in which a share of the values is missing (NaN).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), data frame or Dataset
        Numbers; labels of a Dataset stay as they are. Values that are missing already
        stay missing and do not count.
    rate : float
        Share of the values that are there to delete, from 0 to below 1. Exactly this
        share is deleted, to the nearest whole number of values.
    mechanism : {"mcar", "mar", "mnar"}, default="mcar"
        What makes a value go missing:

        - ``mcar``, nothing: all values are equally likely;
        - ``mar``, what is seen: a third of the features, drawn at random, stay
          complete, and each other feature loses values where one of these, drawn at
          random, is large;
        - ``mnar``, what is not seen: large values of a feature go missing themselves.

        With the last two, the row of the largest value is about 20 times as likely to
        lose one as that of the smallest, by rank.
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    ndarray, data frame or Dataset
        Of the kind of ``X``, with floating-point values.

    Raises
    ------
    ValueError
        If ``rate`` is out of range, or ``mar`` cannot delete that many from the
        features that may lose values.
    TypeError
        If ``X`` is sparse: in it, a value that is not stored is 0, not missing.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(12.0).reshape(4, 3)
    >>> np.isnan(inject_missing(X, 0.25, random_state=0)).sum()
    np.int64(3)
    """
    if mechanism not in MECHANISMS:
        raise ValueError(
            f"mechanism must be one of {', '.join(MECHANISMS)}; found {mechanism!r}."
        )
    if not 0 <= rate < 1:
        raise ValueError(f"rate must be at least 0 and below 1; found {rate}.")
    if isinstance(X, Dataset):
        holed = inject_missing(X.X, rate, mechanism, random_state=random_state)
        return replace(X, X=holed, loaded="")
    if sparse.issparse(X):
        raise TypeError(
            "X is sparse, where what is not stored is 0 and not missing; give a dense "
            "table: X.toarray()."
        )
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    is_frame = isinstance(frame, nw.DataFrame)
    values = np.array(frame.to_numpy() if is_frame else X, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"X must have two dimensions; found {values.ndim}.")
    values[_choose(values, rate, mechanism, check_random_state(random_state))] = np.nan
    if is_frame:
        return _same_frame(frame, values)
    kind = getattr(X, "dtype", None)
    return values.astype(np.float32) if kind == np.float32 else values


def _choose(values: Array, rate: float, mechanism: str, rng: Any) -> Array:
    """Return a mask of the values to delete."""
    n, d = values.shape
    there = ~np.isnan(values)
    wanted = round(rate * int(there.sum()))
    chosen = np.zeros((n, d), dtype=bool)
    tilt = np.zeros((n, d))
    if mechanism == "mnar":
        tilt = _ranks(values)
    elif mechanism == "mar":
        n_seen = max(1, d // 3)
        shuffled = rng.permutation(d)
        seen, others = shuffled[:n_seen], shuffled[n_seen:]
        tilt[:, others] = _ranks(values)[:, seen][
            :, rng.randint(n_seen, size=len(others))
        ]
        there[:, seen] = False
        if wanted > there.sum():
            raise ValueError(
                f"mechanism='mar' keeps {n_seen} of {d} features complete, and the "
                f"others hold {int(there.sum())} values: {wanted} cannot be deleted. "
                "Lower the rate."
            )
    # Of independent waiting times with these rates the first ones are a draw without
    # replacement in proportion to the rates.
    waiting = rng.exponential(size=(n, d)) / np.exp(_TILT * tilt)
    places = np.flatnonzero(there)
    first = np.argsort(waiting.ravel()[places], kind="stable")[:wanted]
    chosen.ravel()[places[first]] = True
    return chosen


def _ranks(values: Array) -> Array:
    """Return mean ranks within each column, 0 to 1; 1/2 where missing."""
    ranks = np.full(values.shape, 0.5)
    for c in range(values.shape[1]):
        known = ~np.isnan(values[:, c])
        if known.sum() > 1:
            place = rankdata(values[known, c]) - 1
            ranks[known, c] = place / (known.sum() - 1)
    return ranks


def _same_frame(frame: Any, values: Array) -> Any:
    native = frame.to_native()
    if frame.implementation.is_pandas():
        return type(native)(values, index=native.index, columns=native.columns)
    columns = dict(zip(frame.columns, values.T, strict=True))
    return nw.from_dict(columns, backend=frame.implementation).to_native()
