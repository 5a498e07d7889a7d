"""Metrics for several labels, with the rules for ties and for empty rows spelt out.

``Y`` is the truth (0/1), ``P`` predictions (0/1), ``S`` scores, all of shape
(n_samples, n_labels). Four metrics read the order of the scores (one-error, coverage,
ranking loss, average precision); the others read predictions. Where implementations
differ, two options say which rule is used:

``empty``: rows whose label set is empty or full.
    ``"skip"`` leaves them out of the four ranking metrics. ``"mulan"``: an empty row
    counts 1 in one-error, 0 in coverage and ranking loss, and is left out of average
    precision; a full row counts 0, n_labels - 1, 0 and 1. ``"sklearn"``: an empty row
    counts -1 in coverage (0 in ``coverage_error``, which is larger by one), 0 in
    ranking loss and 1 in average precision; one-error, which scikit-learn has not,
    counts 1.

``ties``: labels of equal score in a row.
    ``"first"``: the lower label index ranks higher; in ranking loss a tie is an error.
    ``"max"``: all tied labels take the lowest of their ranks, as in scikit-learn; for
    one-error every label tied for the first place must be relevant. ``"mulan"``: the
    higher index ranks higher. ``"half"``, in ranking loss only: half an error.

Where ``Y`` and the other are data frames, columns are matched by name; rows stand as
they are. A label that no row of ``Y`` has is a label like any other: scores and
predictions for it count.

Examples
--------
>>> [name for name, metric in METRICS.items() if metric.needs == "scores"][:2]
['one_error', 'coverage']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._label_agreement import auc, mean
from labelsift.evaluate._metric_arguments import (
    aligned,
    checked_scores,
    dense,
    zero_one,
)
from labelsift.evaluate.prediction_metrics import (
    example_accuracy,
    example_f1,
    example_precision,
    example_recall,
    hamming_loss,
    macro_f1,
    macro_precision,
    macro_recall,
    micro_f1,
    micro_precision,
    micro_recall,
    subset_accuracy,
)
from labelsift.evaluate.ranking_metrics import (
    average_precision,
    coverage,
    one_error,
    ranking_loss,
    ranking_rows,
)

__all__ = [
    "METRICS",
    "Metric",
    "average_precision",
    "coverage",
    "example_accuracy",
    "example_f1",
    "example_precision",
    "example_recall",
    "hamming_loss",
    "macro_auc",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "measure",
    "micro_auc",
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "one_error",
    "ranking_loss",
    "ranking_rows",
    "subset_accuracy",
]


@dataclass(frozen=True)
class Metric:
    """What a runner must know of a metric.

    Parameters
    ----------
    name, title : str
        Key in ``METRICS``, and the name to print.
    function : callable
        ``function(Y, values, **options)`` returns a float, NaN where nothing counts.
    needs : {"scores", "predictions"}
        What ``values`` are. Scores must not be replaced by 0/1 predictions.
    greater_is_better : bool
        Orientation.
    options : tuple of str
        Keyword options that ``function`` takes.

    Examples
    --------
    >>> metric = METRICS["coverage"]
    >>> metric.needs, metric.greater_is_better
    ('scores', False)
    >>> metric([[1, 0, 0]], [[0.2, 0.9, 0.5]])
    2.0
    """

    name: str
    title: str
    function: Callable[..., float]
    needs: str
    greater_is_better: bool
    options: tuple[str, ...] = ()

    def __call__(self, Y: Any, values: Any, **options: Any) -> float:
        """Return the metric; see ``function``."""
        return self.function(Y, values, **options)


def macro_auc(Y: Any, S: Any) -> float:
    """Return the mean area under the ROC curve, labels of one value left out.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> round(macro_auc(Y, S), 4)
    0.3333
    """
    truth = zero_one(Y, "Y")
    scores = checked_scores(aligned(Y, S, "S"), truth.shape)
    columns = sparse.csc_array(truth)
    areas = []
    for label in range(truth.shape[1]):
        relevant = dense(columns[:, [label]]).ravel() == 1
        areas.append(auc(relevant, dense(scores[:, [label]]).ravel()))
    return mean(np.array(areas, dtype=np.float64))


def micro_auc(Y: Any, S: Any) -> float:
    """Return the area under the ROC curve over all (row, label) cells.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.

    Examples
    --------
    >>> Y = [[1, 0, 1, 0], [0, 1, 0, 0]]
    >>> S = [[0.9, 0.8, 0.4, 0.1], [0.2, 0.6, 0.7, 0.1]]
    >>> round(micro_auc(Y, S), 4)
    0.7333
    """
    truth = zero_one(Y, "Y")
    scores = dense(checked_scores(aligned(Y, S, "S"), truth.shape))
    return auc(dense(truth).ravel() == 1, scores.ravel())


def measure(
    names: Iterable[str],
    Y: Any,
    *,
    predictions: Any = None,
    scores: Any = None,
    empty: str = "skip",
    ties: str = "first",
) -> dict[str, float]:
    """Return several metrics of one set of predictions.

    Parameters
    ----------
    names : iterable of str
        Keys of ``METRICS``.
    Y : array-like of shape (n_samples, n_labels)
        Truth.
    predictions, scores : array-like of shape (n_samples, n_labels)
        What the classifier said; a metric that needs what is not given is an error.
    empty, ties : str
        As in the ranking metrics.

    Returns
    -------
    dict
        Value of each metric, in the order of ``names``.

    Examples
    --------
    >>> Y, S, P = [[1, 0], [0, 1]], [[0.9, 0.2], [0.6, 0.4]], [[1, 0], [1, 0]]
    >>> measure(["one_error", "hamming_loss"], Y, scores=S, predictions=P)
    {'one_error': 0.5, 'hamming_loss': 0.5}
    """
    given = {"predictions": predictions, "scores": scores}
    rows: dict[str, Any] = {}
    values: dict[str, float] = {}
    for name in names:
        if name not in METRICS:
            raise ValueError(f"unknown metric {name!r}; known: {', '.join(METRICS)}.")
        metric = METRICS[name]
        if given[metric.needs] is None:
            remedy = {
                "predictions": "",
                "scores": " 0/1 predictions cannot stand for scores: use a classifier "
                "with predict_proba or decision_function.",
            }[metric.needs]
            raise ValueError(f"{name} needs {metric.needs}; none are given.{remedy}")
        if "ties" in metric.options:
            if ties == "half" and name != "ranking_loss":
                raise ValueError(f"ties='half' is for ranking_loss only, not {name}.")
            rows = rows or ranking_rows(Y, scores, empty=empty, ties=ties, half=True)
            values[name] = mean(rows[name])
        else:
            values[name] = metric(Y, given[metric.needs])
    return values


_RANKING = ("empty", "ties")
_ZERO = ("zero_division",)
METRICS = MappingProxyType(
    {
        function.__name__: Metric(
            function.__name__, title, function, needs, greater, options
        )
        for function, title, needs, greater, options in (
            (hamming_loss, "Hamming loss", "predictions", False, ()),
            (one_error, "one-error", "scores", False, _RANKING),
            (coverage, "coverage", "scores", False, (*_RANKING, "normalized")),
            (ranking_loss, "ranking loss", "scores", False, _RANKING),
            (average_precision, "average precision", "scores", True, _RANKING),
            (subset_accuracy, "subset accuracy", "predictions", True, ()),
            (micro_f1, "micro F1", "predictions", True, _ZERO),
            (macro_f1, "macro F1", "predictions", True, _ZERO),
            (example_f1, "example F1", "predictions", True, _ZERO),
            (micro_precision, "micro precision", "predictions", True, _ZERO),
            (macro_precision, "macro precision", "predictions", True, _ZERO),
            (example_precision, "example precision", "predictions", True, _ZERO),
            (micro_recall, "micro recall", "predictions", True, _ZERO),
            (macro_recall, "macro recall", "predictions", True, _ZERO),
            (example_recall, "example recall", "predictions", True, _ZERO),
            (example_accuracy, "example accuracy", "predictions", True, _ZERO),
            (micro_auc, "micro AUC", "scores", True, ()),
            (macro_auc, "macro AUC", "scores", True, ()),
        )
    }
)
