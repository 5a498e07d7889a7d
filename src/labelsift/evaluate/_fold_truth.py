"""Measure many sets of predictions against the same test rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._label_agreement import means, ratios
from labelsift.evaluate._metric_arguments import checked_scores, zero_one
from labelsift.evaluate.metrics import METRICS, measure
from labelsift.kernels import label_ranks
from labelsift.kernels.agreement import areas, count_agreement

Array = np.ndarray[Any, Any]

_RANKING = {"one_error": 0, "coverage": 1, "ranking_loss": 2, "average_precision": 3}
_RATIOS = {
    f"{over}_{title}": (kind, over)
    for over in ("micro", "macro", "example")
    for title, kind in (("precision", "precision"), ("recall", "recall"), ("f1", "f1"))
}
_RATIOS["example_accuracy"] = "jaccard", "example"


class FoldTruth:
    """The labels of the test rows, prepared once.

    Gives the same numbers as ``measure``, without checking and sorting the same truth
    for every classifier and every size.

    Parameters
    ----------
    Y : ndarray of shape (n_rows, n_labels), int
        Truth, 0/1.
    metrics : sequence of str
        Keys of ``METRICS``.
    """

    def __init__(self, Y: Array, metrics: Sequence[str]) -> None:
        self.Y = Y
        self.metrics = metrics
        self._truth = np.ascontiguousarray(Y, dtype=np.uint8)
        rows = sparse.csr_array(self._truth)
        self._indptr = rows.indptr.astype(np.int64)
        self._indices = rows.indices.astype(np.int64)
        self._by_row = self._truth.sum(axis=1, dtype=np.int64)
        self._by_label = self._truth.sum(axis=0, dtype=np.int64)
        self._pairs = self._by_row * (Y.shape[1] - self._by_row)

    def fields(self, predictions: Array, scores: Array | None) -> dict[str, Any]:
        """Return what a cell says about predictions, with every metric.

        Parameters
        ----------
        predictions : ndarray of shape (n_rows, n_labels)
            0/1; anything else is an error.
        scores : ndarray of shape (n_rows, n_labels) or None
            None where there are none; metrics that need them are then an error.
        """
        if (
            predictions.dtype.kind not in "bui"
            or not ((predictions == 0) | (predictions == 1)).all()
        ):
            predictions = zero_one(predictions, "P")
        if scores is not None and (
            scores.dtype != np.float64 or np.isnan(scores).any()
        ):
            scores = checked_scores(scores, self.Y.shape).astype(np.float64)
        return self.all_fields(
            predictions[None], None if scores is None else scores[None]
        )[0]

    def all_fields(
        self, predictions: Array, scores: Array | None
    ) -> list[dict[str, Any]]:
        """Return what ``fields`` returns, for each of several sets of predictions.

        Parameters
        ----------
        predictions : ndarray of shape (n_sets, n_rows, n_labels)
            0/1.
        scores : ndarray of shape (n_sets, n_rows, n_labels), float64, or None
            Without NaN.
        """
        sets, (n, L) = len(predictions), self._truth.shape
        by_row = np.zeros((2, sets, n), dtype=np.int64)
        by_label = np.zeros((2, sets, L), dtype=np.int64)
        guesses = np.ascontiguousarray(predictions, dtype=np.uint8)
        count_agreement(self._truth, guesses, by_row, by_label)
        rows = by_row[0], self._by_row, by_row[1]
        labels = by_label[0], self._by_label, by_label[1]
        auc = None
        if scores is not None:
            scores = np.ascontiguousarray(scores)
            auc = np.empty((sets, L))
            areas(self._truth, scores, auc)
        ranks: Array | None = None
        columns: dict[str, list[float]] = {}
        for name in self.metrics:
            if name in _RANKING and scores is not None:
                ranks = self._ranks(scores) if ranks is None else ranks
                columns[name] = means(ranks[_RANKING[name]])
            elif name in _RATIOS:
                kind, over = _RATIOS[name]
                counts = rows if over == "example" else labels
                columns[name] = ratios(kind, counts, 1.0, micro=over == "micro")
            elif name == "hamming_loss" and n * L:
                wrong = (rows[1] + rows[2] - 2 * rows[0]).sum(axis=1)
                columns[name] = (wrong / (n * L)).tolist()
            elif name == "subset_accuracy":
                columns[name] = means(rows[1] + rows[2] == 2 * rows[0])
            elif name == "macro_auc" and auc is not None:
                columns[name] = means(auc)
            else:
                columns[name] = [
                    measure(
                        [name],
                        self.Y,
                        predictions=predictions[p],
                        scores=None if scores is None else scores[p],
                    )[name]
                    for p in range(sets)
                ]
        false_positives = by_label[1] - by_label[0]
        false_negatives = self._by_label - by_label[0]
        empty = (by_row[1] == 0).sum(axis=1).tolist()
        by_set = zip(*columns.values(), strict=True)
        values = [dict(zip(columns, one, strict=True)) for one in by_set]
        return [
            {
                "values": values[p],
                "true_positives": by_label[0, p],
                "false_positives": false_positives[p],
                "false_negatives": false_negatives[p],
                "auc": None if auc is None else auc[p],
                "rows_without_prediction": empty[p],
            }
            for p in range(sets)
        ]

    def _ranks(self, scores: Array) -> Array:
        """Return four ranking metrics, by set and row; NaN where it does not count."""
        out = np.empty((len(scores), len(self._pairs), 4))
        for values, ranks in zip(scores, out, strict=True):
            label_ranks.rank_rows(
                values, self._indptr, self._indices, label_ranks.FIRST, ranks
            )
        counts = self._pairs > 0
        np.divide(out[:, :, 2], self._pairs, out=out[:, :, 2], where=counts)
        out[:, ~counts] = np.nan
        return np.ascontiguousarray(out.transpose(2, 0, 1))


def needs_scores(metrics: Sequence[str]) -> list[str]:
    """Return the metrics that read scores."""
    return [name for name in metrics if METRICS[name].needs == "scores"]
