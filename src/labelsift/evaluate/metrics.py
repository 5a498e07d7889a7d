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
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._label_agreement import Counts, auc, mean, ratio
from labelsift.evaluate._metric_arguments import (
    aligned,
    checked_scores,
    dense,
    zero_one,
)
from labelsift.kernels import label_ranks
from labelsift.kernels.threads import run_blocks

_TIES = {
    "first": label_ranks.FIRST,
    "max": label_ranks.LARGEST,
    "half": label_ranks.HALF,
    "mulan": label_ranks.LAST,
}
_EMPTY = ("skip", "mulan", "sklearn")
_BLOCK_ENTRIES = 1 << 22  # scores looked at together: 32 MB


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


def hamming_loss(Y: Any, P: Any) -> float:
    """Return the share of (row, label) cells predicted wrongly, from 0 to 1."""
    counts = Counts(Y, P)
    cells = counts.n_rows * counts.n_labels
    return int(counts.wrong.sum()) / cells if cells else float("nan")


def subset_accuracy(Y: Any, P: Any) -> float:
    """Return the share of rows whose predicted label set is exactly right."""
    return mean(Counts(Y, P).wrong == 0)


def one_error(Y: Any, S: Any, *, empty: str = "skip", ties: str = "first") -> float:
    """Return the share of rows whose best-scored label is not relevant.

    Parameters
    ----------
    Y, S : array-like of shape (n_samples, n_labels)
        Truth and scores.
    empty : {"skip", "mulan", "sklearn"}, default="skip"
        Rule for rows with no label or with all; see the module's text.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.
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
        Rule for rows with no label or with all; see the module's text.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.
    normalized : bool, default=False
        Divide by the number of labels.
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
        Rule for rows with no label or with all; see the module's text.
    ties : {"first", "max", "half", "mulan"}, default="first"
        ``"first"`` and ``"max"`` count a tie as an error, ``"half"`` as half of one;
        ``"mulan"`` as an error if the irrelevant label has the higher index.
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
        Rule for rows with no label or with all; see the module's text.
    ties : {"first", "max", "mulan"}, default="first"
        Rule for equal scores.
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

    run_blocks(work, n, block=max(1, _BLOCK_ENTRIES // max(L, 1)))
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


def micro_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return precision over all (row, label) cells; see ``micro_f1``."""
    return ratio("precision", Counts(Y, P).per_label(), zero_division, micro=True)


def micro_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return recall over all (row, label) cells; see ``micro_f1``."""
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
    """
    return ratio("f1", Counts(Y, P).per_label(), zero_division, micro=True)


def macro_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean precision of the labels; ``zero_division`` as in micro_f1."""
    return ratio("precision", Counts(Y, P).per_label(), zero_division)


def macro_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean recall of the labels; ``zero_division`` as in micro_f1."""
    return ratio("recall", Counts(Y, P).per_label(), zero_division)


def macro_f1(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean F1 of the labels; ``zero_division`` as in ``micro_f1``."""
    return ratio("f1", Counts(Y, P).per_label(), zero_division)


def example_precision(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean precision of the rows; ``zero_division`` as in micro_f1."""
    return ratio("precision", Counts(Y, P).per_row(), zero_division)


def example_recall(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean recall of the rows; ``zero_division`` as in ``micro_f1``."""
    return ratio("recall", Counts(Y, P).per_row(), zero_division)


def example_f1(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean F1 of the rows; ``zero_division`` as in ``micro_f1``."""
    return ratio("f1", Counts(Y, P).per_row(), zero_division)


def example_accuracy(Y: Any, P: Any, *, zero_division: float = 1.0) -> float:
    """Return the mean Jaccard index of the rows; ``zero_division`` as in micro_f1."""
    return ratio("jaccard", Counts(Y, P).per_row(), zero_division)


def macro_auc(Y: Any, S: Any) -> float:
    """Return the mean area under the ROC curve, labels of one value left out."""
    truth = zero_one(Y, "Y")
    scores = checked_scores(aligned(Y, S, "S"), truth.shape)
    columns = sparse.csc_array(truth)
    areas = []
    for label in range(truth.shape[1]):
        relevant = dense(columns[:, [label]]).ravel() == 1
        areas.append(auc(relevant, dense(scores[:, [label]]).ravel()))
    return mean(np.array(areas, dtype=np.float64))


def micro_auc(Y: Any, S: Any) -> float:
    """Return the area under the ROC curve over all (row, label) cells."""
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
