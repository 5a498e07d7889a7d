"""Metrics that read 0/1 predictions; see ``metrics`` for the rules."""

from __future__ import annotations

from typing import Any

from labelsift.evaluate._label_agreement import Counts, mean, ratio


def hamming_loss(Y: Any, P: Any) -> float:
    """Return the share of (row, label) cells predicted wrongly, from 0 to 1.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.

    Examples
    --------
    >>> hamming_loss([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.25
    """
    counts = Counts(Y, P)
    cells = counts.n_rows * counts.n_labels
    return int(counts.wrong.sum()) / cells if cells else float("nan")


def subset_accuracy(Y: Any, P: Any) -> float:
    """Return the share of rows whose predicted label set is exactly right.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.

    Examples
    --------
    >>> subset_accuracy([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.5
    """
    return mean(Counts(Y, P).wrong == 0)


def micro_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return precision over all (row, label) cells; see ``micro_f1``.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> Y, P = [[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]]
    >>> round(micro_precision(Y, P), 4)
    0.6667
    """
    return ratio("precision", Counts(Y, P).per_label(), zero_division, micro=True)


def micro_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return recall over all (row, label) cells; see ``micro_f1``.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> Y, P = [[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]]
    >>> round(micro_recall(Y, P), 4)
    0.6667
    """
    return ratio("recall", Counts(Y, P).per_label(), zero_division, micro=True)


def micro_f1(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return F1 over all (row, label) cells.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        Value where nothing is relevant and nothing predicted (as in Mulan): 1 counts
        it as right, 0 as wrong, NaN leaves it out. Precision with nothing predicted,
        and recall with nothing relevant, are 0 in all other cases.

    Examples
    --------
    >>> Y, P = [[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]]
    >>> round(micro_f1(Y, P), 4)
    0.6667
    """
    return ratio("f1", Counts(Y, P).per_label(), zero_division, micro=True)


def macro_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean precision of the labels; ``zero_division`` as in micro_f1.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> macro_precision([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.625
    """
    return ratio("precision", Counts(Y, P).per_label(), zero_division)


def macro_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean recall of the labels; ``zero_division`` as in micro_f1.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> macro_recall([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.75
    """
    return ratio("recall", Counts(Y, P).per_label(), zero_division)


def macro_f1(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean F1 of the labels; ``zero_division`` as in ``micro_f1``.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> Y, P = [[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]]
    >>> round(macro_f1(Y, P), 4)
    0.6667
    """
    return ratio("f1", Counts(Y, P).per_label(), zero_division)


def example_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean precision of the rows; ``zero_division`` as in micro_f1.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> example_precision([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.75
    """
    return ratio("precision", Counts(Y, P).per_row(), zero_division)


def example_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean recall of the rows; ``zero_division`` as in ``micro_f1``.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> example_recall([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.75
    """
    return ratio("recall", Counts(Y, P).per_row(), zero_division)


def example_f1(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean F1 of the rows; ``zero_division`` as in ``micro_f1``.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> example_f1([[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]])
    0.75
    """
    return ratio("f1", Counts(Y, P).per_row(), zero_division)


def example_accuracy(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean Jaccard index of the rows; ``zero_division`` as in micro_f1.

    Parameters
    ----------
    Y, P : array-like of shape (n_samples, n_labels)
        Truth and predictions.
    zero_division : {0, 1, nan}, default=1
        See ``micro_f1``.

    Examples
    --------
    >>> Y, P = [[1, 0, 1, 0], [0, 1, 0, 0]], [[1, 1, 0, 0], [0, 1, 0, 0]]
    >>> round(example_accuracy(Y, P), 4)
    0.6667
    """
    return ratio("jaccard", Counts(Y, P).per_row(), zero_division)
