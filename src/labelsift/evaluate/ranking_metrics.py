"""The four metrics that read the order of the scores; see ``metrics`` for the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._label_agreement import mean
from labelsift.evaluate._metric_arguments import aligned, checked_scores, zero_one
from labelsift.kernels import label_ranks
from labelsift.kernels.blocks import fitting
from labelsift.kernels.threads import run_blocks

_TIES = {
    "first": label_ranks.FIRST,
    "max": label_ranks.LARGEST,
    "half": label_ranks.HALF,
    "mulan": label_ranks.LAST,
}
_EMPTY = ("skip", "mulan", "sklearn")
_BLOCK_ENTRIES = 1 << 22  # scores looked at together: 32 MB


def one_error(Y: Any, S: Any, *, empty: str = "skip", ties: str = "first") -> float:
    """Return the share of rows whose best-scored label is not relevant.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.
    empty : {"skip", "mulan", "sklearn"}, default="skip"
        Rule for rows with no label or with all; see ``metrics``.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> one_error(Y, S)
    0.5
    """
    return mean(ranking_rows(Y, S, empty=empty, ties=ties)["one_error"])


def coverage(
    Y: Any,
    S: Any,
    *,
    empty: str = "skip",
    ties: str = "first",
    normalized: bool = False,
) -> float:
    """Return how far down the ranking one must go to meet every relevant label.

    0 when a row's only label comes first: one less than scikit-learn's
    ``coverage_error``.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.
    empty : {"skip", "mulan", "sklearn"}, default="skip"
        Rule for rows with no label or with all; see ``metrics``.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.
    normalized : bool, default=False
        Divide by the number of labels.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> coverage(Y, S)
    1.5
    """
    rows = ranking_rows(Y, S, empty=empty, ties=ties)
    return mean(rows["coverage"]) / (rows["n_labels"] if normalized else 1)


def ranking_loss(Y: Any, S: Any, *, empty: str = "skip", ties: str = "first") -> float:
    """Return the mean share of (relevant, irrelevant) pairs in the wrong order.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.
    empty : {"skip", "mulan", "sklearn"}, default="skip"
        Rule for rows with no label or with all; see ``metrics``.
    ties : {"first", "max", "half", "mulan"}, default="first"
        ``"first"`` and ``"max"`` count a tie as an error, ``"half"`` as half of one;
        ``"mulan"`` as an error if the irrelevant label has the higher index.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> round(ranking_loss(Y, S), 4)
    0.2917
    """
    rows = ranking_rows(Y, S, empty=empty, ties=ties, half=True)
    return mean(rows["ranking_loss"])


def average_precision(
    Y: Any, S: Any, *, empty: str = "skip", ties: str = "first"
) -> float:
    """Return the mean, over rows and relevant labels, of the precision at its rank.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.
    empty : {"skip", "mulan", "sklearn"}, default="skip"
        Rule for rows with no label or with all; see ``metrics``.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> round(average_precision(Y, S), 4)
    0.6667
    """
    return mean(ranking_rows(Y, S, empty=empty, ties=ties)["average_precision"])


def ranking_rows(
    Y: Any, S: Any, *, empty: str = "skip", ties: str = "first", half: bool = False
) -> dict[str, Any]:
    """Return the four ranking metrics of every row, NaN where a row does not count.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth (dense, sparse or data frame) and scores.
    empty, ties : str
        As in the metrics.
    half : bool, default=False
        Whether ``ties="half"`` is meant.

    Returns
    -------
    dict
        ``one_error``, ``coverage``, ``ranking_loss``, ``average_precision`` and
        ``reversed_pairs``, float arrays of shape (n_samples,), and ``n_labels``.

    Examples
    --------
    >>> rows = ranking_rows([[1, 0, 1], [0, 0, 0]], [[0.9, 0.5, 0.1], [0.3, 0.2, 0.1]])
    >>> rows["ranking_loss"]
    array([0.5, nan])
    """
    if empty not in _EMPTY:
        raise ValueError(f"empty must be one of {list(_EMPTY)}; found {empty!r}.")
    allowed = [t for t in _TIES if half or t != "half"]
    if ties not in allowed:
        raise ValueError(f"ties must be one of {allowed}; found {ties!r}.")
    truth = zero_one(Y, "Y")
    scores = checked_scores(aligned(Y, S, "S"), truth.shape)
    n, L = truth.shape
    out = np.empty((n, 4))
    sizes = np.zeros(n, dtype=np.int64)

    def work(start: int, stop: int) -> None:
        block = sparse.csr_array(truth[start:stop])
        block.sort_indices()
        sizes[start:stop] = np.diff(block.indptr)
        values = scores[start:stop]
        if sparse.issparse(values):
            values = values.toarray()
        label_ranks.rank_rows(
            np.ascontiguousarray(values, dtype=np.float64),
            block.indptr.astype(np.int64),
            block.indices.astype(np.int64),
            _TIES[ties],
            out[start:stop],
        )

    run_blocks(work, n, block=fitting(_BLOCK_ENTRIES, L))
    pairs = sizes * (L - sizes)
    loss = np.divide(out[:, 2], pairs, out=np.zeros(n), where=pairs > 0)
    rows = {
        "one_error": out[:, 0],
        "coverage": out[:, 1],
        "ranking_loss": loss,
        "average_precision": out[:, 3],
        "reversed_pairs": out[:, 2],
    }
    none = sizes == 0
    if empty == "skip":
        for values in rows.values():
            values[pairs == 0] = np.nan
    else:
        rows["coverage"][none] = 0.0 if empty == "mulan" else -1.0
        rows["average_precision"][none] = np.nan if empty == "mulan" else 1.0
    return {**rows, "n_labels": L}
