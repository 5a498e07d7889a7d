"""The rows that an evaluation produces: folds, rankings, and measured cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.evaluate.summary import mean_and_sd

ALL_FEATURES = "all features"
"""Name under which the base line, every feature and no selection, is recorded."""


@dataclass(frozen=True, eq=False)
class Fold:
    """One split into training and test rows, and what is odd about it.

    Parameters
    ----------
    number : int
        Running number over all repetitions, from 0; rankings and cells refer to it.
    repeat, fold : int
        Repetition and fold within it, from 0.
    seed : int or None
        Seed of the shuffle, None for splits that were given.
    n_train, n_test : int
        Number of rows.
    absent_from_train, everywhere_in_train : tuple of int
        Labels that no training row has, and that all have: nothing can be learnt.
    absent_from_test : tuple of int
        Labels that no test row has.
    rows_without_label, rows_with_all_labels : int
        Test rows that ranking metrics skip.
    """

    number: int
    repeat: int
    fold: int
    seed: int | None
    n_train: int
    n_test: int
    absent_from_train: tuple[int, ...]
    everywhere_in_train: tuple[int, ...]
    absent_from_test: tuple[int, ...]
    rows_without_label: int
    rows_with_all_labels: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order in which a selector put the features, on one fold's training rows.

    Parameters
    ----------
    selector : str
        Name of the selector.
    fold : int
        ``Fold.number``.
    order : ndarray of shape (n_features,), int64
        Column indices, best first.
    scores : ndarray of shape (n_features,), float64, or None
        Score of each column, larger is better; None if the selector gives only ranks.
    seconds : float
        Time to fit the selector.
    n_kept : int or None
        Features that the selector keeps by itself, the first of ``order``; None where
        it is measured at given sizes.
    """

    selector: str
    fold: int
    order: np.ndarray[Any, Any]
    scores: np.ndarray[Any, Any] | None
    seconds: float
    n_kept: int | None = None

    def kept(self, n_features: int) -> np.ndarray[Any, Any]:
        """Return the columns kept at a size, or at the selector's own."""
        return self.order[: n_features if self.n_kept is None else self.n_kept]


@dataclass(frozen=True, eq=False)
class Cell:
    """One selector's best ``n_features``, one classifier, one fold: what came out.

    Parameters
    ----------
    selector : str
        Name of the selector, or ``ALL_FEATURES``.
    classifier : str
        Name of the classifier.
    fold : int
        ``Fold.number``.
    n_features : int
        Features used.
    values : dict
        Metric name to value; NaN where no row or label counts.
    true_positives, false_positives, false_negatives : ndarray of shape (n_labels,)
        Test rows, for each label.
    auc : ndarray of shape (n_labels,), float64, or None
        Area under the ROC curve of each label on the test rows; NaN for a label that
        all or none of them have; None if the classifier gives no scores.
    rows_without_prediction : int
        Test rows for which no label was predicted.
    constant_labels : tuple of int
        Labels left out of this fit, since all training rows agree on them and the
        classifier refuses such labels; that one value was predicted.
    seconds_fit, seconds_predict : float
        Time of the classifier. Cells that use the same columns share one fit.
    """

    selector: str
    classifier: str
    fold: int
    n_features: int
    values: dict[str, float]
    true_positives: np.ndarray[Any, Any]
    false_positives: np.ndarray[Any, Any]
    false_negatives: np.ndarray[Any, Any]
    auc: np.ndarray[Any, Any] | None
    rows_without_prediction: int
    constant_labels: tuple[int, ...]
    seconds_fit: float
    seconds_predict: float


@dataclass(frozen=True)
class Failure:
    """What could not be ranked or measured, and why.

    Parameters
    ----------
    selector : str
        Name of the selector, or ``ALL_FEATURES``.
    classifier : str or None
        Name of the classifier; None where the selector itself failed.
    fold : int
        ``Fold.number``.
    n_features : int or None
        Features used; None where the selector itself failed.
    error : str
        Type and text of the error, on one line.
    """

    selector: str
    classifier: str | None
    fold: int
    n_features: int | None
    error: str


@dataclass(frozen=True)
class Method:
    """How a selector or classifier was set, so that a run can be repeated.

    Parameters
    ----------
    estimator : str
        Import path of its class.
    text : str
        Its ``repr``: the class with the settings that differ from the defaults.
    settings : dict
        Every setting as a JSON value; text (``repr``) for anything else.
    parts : tuple of str
        Import paths of the estimators among the settings, such as steps.
    """

    estimator: str
    text: str
    settings: dict[str, Any]
    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, estimator: Any) -> Method:
        """Describe an estimator."""
        settings = sorted(estimator.get_params(deep=True).items())
        parts = {
            _import_path(type(value))
            for _, value in settings
            if hasattr(value, "get_params") and not isinstance(value, type)
        }
        return cls(
            _import_path(type(estimator)),
            " ".join(repr(estimator).split()),
            {name: _plain(value) for name, value in settings},
            tuple(sorted(parts)),
        )


@dataclass(frozen=True)
class LabelResult:
    """How well one label is predicted, over all folds.

    Parameters
    ----------
    label : str
        Its name.
    positives : int
        Rows of the whole table that have it.
    precision, recall, f1 : float
        From counts summed over the folds; NaN where undefined (0 / 0).
    auc : float
        Mean over the folds that have rows with and without it; NaN if there are none.
    """

    label: str
    positives: int
    precision: float
    recall: float
    f1: float
    auc: float

    @classmethod
    def of(
        cls, name: str, positives: int, cells: Sequence[Cell], label: int
    ) -> LabelResult:
        """Sum up what the cells of all folds say about one label, by its number."""
        hits = sum(int(cell.true_positives[label]) for cell in cells)
        extra = sum(int(cell.false_positives[label]) for cell in cells)
        missed = sum(int(cell.false_negatives[label]) for cell in cells)
        return cls(
            name,
            positives,
            _share(hits, hits + extra),
            _share(hits, hits + missed),
            _share(2 * hits, 2 * hits + extra + missed),
            mean_and_sd([c.auc[label] for c in cells if c.auc is not None])[0],
        )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _import_path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return " ".join(repr(value).split())
