"""What all multi-label classifiers share: labels out of ``y``, answers for classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin

from labelsift.encode.labels import as_label_matrix, class_column

Array = np.ndarray[Any, Any]


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers of a 0/1 matrix, or of one label for each class."""

    def _take_labels(self, y: Any, n_samples: int) -> Array:
        """Return 0/1 labels of shape (rows, labels), and remember what they are."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} needs labels: it requires y to be passed, but "
                "the target y is None."
            )
        labels = as_label_matrix(class_column(y), n_samples)
        self.label_names_in_ = np.array(labels.names, dtype=object)
        self.n_labels_in_ = labels.n_labels
        self._class_vector = labels.classes is not None
        classes = labels.classes
        self.classes_ = np.arange(labels.n_labels) if classes is None else classes
        values: Any = labels.values
        dense: Array = values.toarray() if sparse.issparse(values) else values
        return dense

    def _class_answers(self, scores: Array) -> tuple[Array, Array]:
        """Return the likeliest class of each row, and the classes' shares of scores.

        Where no class has any, all have the same.
        """
        total = scores.sum(axis=1, keepdims=True)
        empty = total == 0.0
        shares: Array = np.where(empty, 1.0, scores) / np.where(
            empty, scores.shape[1], total
        )
        return self.classes_[shares.argmax(axis=1)], shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        tags.target_tags.two_d_labels = True
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags
