"""Bring what classifiers return into one form: predictions and scores (n, q)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]


def predictions_of(classifier: Any, X: Any, n_labels: int) -> Array:
    """Return 0/1 predictions of shape (n_samples, n_labels)."""
    return _matrix(
        classifier.predict(X), X.shape[0], n_labels, f"{_name(classifier)}.predict"
    )


def scores_of(classifier: Any, X: Any, n_labels: int) -> Array | None:
    """Return scores of shape (n_samples, n_labels), or None if there are none.

    Takes ``predict_proba``, else ``decision_function``; both as one array, or as
    scikit-learn's list with one array for each label.
    """
    for method in ("predict_proba", "decision_function"):
        if hasattr(classifier, method):
            found = getattr(classifier, method)(X)
            where = f"{_name(classifier)}.{method}"
            if isinstance(found, list | tuple):
                return _from_list(classifier, found, X.shape[0], n_labels, where)
            if n_labels == 1 and np.shape(found) == (X.shape[0], 2):
                found = np.asarray(found)[:, 1]
            elif (
                n_labels == 1
                and np.shape(found) == (X.shape[0], 1)
                and not hasattr(classifier, "n_labels_in_")  # that column is a label's
            ):
                found = _one_class(found, getattr(classifier, "classes_", None))
            return _matrix(found, X.shape[0], n_labels, where).astype(np.float64)
    return None


def can_score(classifier: Any) -> bool:
    """Return whether a classifier, fitted or not, may give scores."""
    return any(
        hasattr(classifier, method) or hasattr(type(classifier), method)
        for method in ("predict_proba", "decision_function")
    )


def no_scores_message(classifier: Any, metrics: list[str]) -> str:
    """Return why ranking metrics cannot be computed for a classifier."""
    return (
        f"{_name(classifier)} has neither predict_proba nor decision_function, and "
        f"{', '.join(metrics)} rank labels by scores: 0/1 predictions cannot stand for "
        "them. Leave those metrics out or take another classifier."
    )


def _from_list(classifier: Any, found: Any, n: int, n_labels: int, where: str) -> Array:
    if len(found) != n_labels:
        raise ValueError(f"{where} returned {len(found)} arrays for {n_labels} labels.")
    classes = getattr(classifier, "classes_", None)
    scores = np.empty((n, n_labels))
    for label, part in enumerate(found):
        values = np.asarray(part, dtype=np.float64)
        if values.ndim == 2 and values.shape[1] == 2:
            values = values[:, 1]
        elif values.ndim == 2 and values.shape[1] == 1:
            known = None if classes is None else classes[label]
            values = _one_class(values, known)
        if values.shape != (n,):
            raise ValueError(
                f"{where} returned shape {values.shape} for label {label}; expected "
                f"({n}, 2)."
            )
        scores[:, label] = values
    return scores


def _one_class(values: Any, classes: Any) -> Array:
    """Probability of 1 where training knew one class: all of it, or none."""
    column = np.asarray(values, dtype=np.float64).reshape(len(values))
    if classes is None:
        return column
    known = np.asarray(classes).ravel()
    if len(known) != 1:
        return column
    return column if known[0] == 1 else 1 - column


def _matrix(values: Any, n: int, n_labels: int, where: str) -> Array:
    array = values.toarray() if sparse.issparse(values) else np.asarray(values)
    if array.ndim == 1 and n_labels == 1:
        array = array[:, None]
    if array.shape != (n, n_labels):
        raise ValueError(
            f"{where} returned shape {array.shape}; expected {(n, n_labels)}."
        )
    return array


def _name(classifier: Any) -> str:
    return type(classifier).__name__
