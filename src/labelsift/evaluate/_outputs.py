"""Bring what classifiers return into one form: predictions and scores (n, q)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline

from labelsift._words import counted

Array = np.ndarray[Any, Any]


def predictions_of(classifier: Any, X: Any, n_labels: int) -> Array:
    """Return 0/1 predictions of shape (n_samples, n_labels)."""
    return _matrix(
        classifier.predict(X), X.shape[0], n_labels, f"{_name(classifier)}.predict"
    )


def answers_of(classifier: Any, X: Any, n_labels: int) -> tuple[Array, Array | None]:
    """Return what ``predictions_of`` and ``scores_of`` do, asking once where it can.

    A classifier whose ``predict_with_scores`` gives both looks at the rows once. So
    does the last step of a pipeline, whose other steps then transform them once.
    """
    *before, last = _steps(classifier)
    if not _says_both(last):
        return predictions_of(classifier, X, n_labels), scores_of(
            classifier, X, n_labels
        )
    for step in before:
        X = step.transform(X)
    said, found = last.predict_with_scores(X)
    where = f"{_name(last)}.predict_with_scores"
    return (
        _matrix(said, X.shape[0], n_labels, where),
        _score_matrix(last, found, X.shape[0], n_labels, where),
    )


def _steps(classifier: Any) -> list[Any]:
    before: list[Any] = []
    while type(classifier) is Pipeline:
        *steps, classifier = (step for _, step in classifier.steps)
        before += (step for step in steps if step not in (None, "passthrough"))
    return [*before, classifier]


def _says_both(classifier: Any) -> bool:
    """Return whether ``predict_with_scores`` speaks for the other two methods.

    Not so where a subclass has redefined one of them alone.
    """
    kinds = type(classifier).__mro__

    def place(method: str) -> int:
        owners = (i for i, kind in enumerate(kinds) if method in vars(kind))
        return next(owners, len(kinds))

    both = place("predict_with_scores")
    return both < len(kinds) and both <= min(place("predict"), place("predict_proba"))


def scores_of(classifier: Any, X: Any, n_labels: int) -> Array | None:
    """Return scores of shape (n_samples, n_labels), or None if there are none.

    Takes ``predict_proba``, else ``decision_function``; both as one array, or as
    scikit-learn's list with one array for each label.
    """
    for method in ("predict_proba", "decision_function"):
        if hasattr(classifier, method):
            found = getattr(classifier, method)(X)
            where = f"{_name(classifier)}.{method}"
            last = _steps(classifier)[-1]
            return _score_matrix(last, found, X.shape[0], n_labels, where)
    return None


def _score_matrix(
    classifier: Any, found: Any, n: int, n_labels: int, where: str
) -> Array:
    if isinstance(found, list | tuple):
        return _from_list(classifier, found, n, n_labels, where)
    if n_labels == 1 and np.shape(found) == (n, 2):
        found = np.asarray(found)[:, 1]
    elif (
        n_labels == 1
        and np.shape(found) == (n, 1)
        and not hasattr(classifier, "n_labels_in_")  # that column is a label's
    ):
        found = _one_class(found, getattr(classifier, "classes_", None))
    return _matrix(found, n, n_labels, where).astype(np.float64)


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
        raise ValueError(
            f"{where} returned {counted(len(found), 'array')} for "
            f"{counted(n_labels, 'label')}."
        )
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
