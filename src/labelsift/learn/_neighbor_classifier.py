"""What the neighbour-based classifiers share: labels, graph, label counts."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import ParametersCheckedOnce, fit_context
from labelsift._words import counted
from labelsift.encode.row_order import refuse_other_order
from labelsift.learn._columns import validate_rows
from labelsift.learn._label_counts import LabelCounts
from labelsift.learn._multi_label import MultiLabelClassifier
from labelsift.learn.neighbor_graph import (
    DISTANCE_CONSTRAINTS,
    NeighborGraph,
    Neighbors,
)

Array = np.ndarray[Any, Any]


class NeighborClassifier(ParametersCheckedOnce, MultiLabelClassifier):
    """Base of classifiers that read the labels of the nearest training rows.

    A subclass implements ``_learn`` and ``_scores``, and ``_relevant`` where a label is
    not predicted by a score over one half.
    """

    _parameter_constraints: dict[str, list[Any]] = {**DISTANCE_CONSTRAINTS}

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        scale: str | None = None,
        ties: str = "index",
        categorical_features: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scale = scale
        self.ties = ties
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from training rows and their labels.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or NeighborGraph
            Training rows of shape (n_samples, n_features), NaN where missing; or a
            fitted graph of them with the same ``scale`` and ``ties``.
        y : array-like, sparse matrix or data frame
            0/1 labels of shape (n_samples, n_labels), or a class vector of shape
            (n_samples,): one label for each class. Rows are matched by position; the
            same index of pandas in another order is refused.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._graph_is_own = not isinstance(X, NeighborGraph)
        if isinstance(X, NeighborGraph):
            self.graph_ = self._checked_graph(X)
            self._labels = self._take_labels(y, X.n_samples_fit_)
        else:
            refuse_other_order(X, y)
            rows = validate_rows(self, X, reset=True)
            self._labels = self._take_labels(y, rows.shape[0])
            self.graph_ = NeighborGraph(
                self.n_neighbors,
                scale=self.scale,
                ties=self.ties,
                categorical_features=self.categorical_features,
            )._fit_rows(rows, getattr(self, "feature_names_in_", None))
        self._learn(self.graph_.neighbors_)
        return self

    def learn_from(self, graph: NeighborGraph) -> Self:
        """Learn anew from other columns of the same training rows.

        What ``fit(graph, y)`` does with the ``y`` of the last fit, which is not checked
        again.

        Parameters
        ----------
        graph : NeighborGraph
            Fitted on the same rows.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_fitted()
        if graph.n_samples_fit_ != len(self._labels):
            raise ValueError(
                f"the graph is of {counted(graph.n_samples_fit_, 'row')}, the labels "
                f"are of {len(self._labels)}; fit anew."
            )
        self.graph_ = self._checked_graph(graph)
        self._learn(graph.neighbors_)
        return self

    def _checked_graph(self, graph: NeighborGraph) -> NeighborGraph:
        if not hasattr(graph, "neighbors_"):
            check_is_fitted(graph, "neighbors_")
        for name in ("scale", "ties"):
            mine, its = getattr(self, name), getattr(graph, name)
            if mine != its:
                raise ValueError(
                    f"{type(self).__name__} has {name}={mine!r} but the graph has "
                    f"{name}={its!r}; give both the same."
                )
        k, deep = self.n_neighbors, graph.n_neighbors
        if k > deep or (k != deep and self.ties == "weka"):
            raise ValueError(
                f"n_neighbors={k} but the graph holds {counted(deep, 'neighbour')}"
                + (
                    ", and ties='weka' depends on that number; give both the same."
                    if k < deep
                    else "; make the graph at least as deep."
                )
            )
        if self.categorical_features is not None:
            raise ValueError(
                "categorical_features belongs to the graph when one is given; leave it "
                f"out of {type(self).__name__}."
            )
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(graph, name):
                setattr(self, name, getattr(graph, name))
            elif hasattr(self, name):
                delattr(self, name)
        return graph

    def predict_proba(self, X: Any) -> Array:
        """Return a score from 0 to 1 for each row and label.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Neighbors
            Rows of shape (n_samples, n_features), or what the graph's ``query``
            returned for them.

        Returns
        -------
        ndarray of shape (n_samples, n_labels), float64
            Scores. For a class vector they are divided by their sum over the classes.
        """
        scores = self._scores(self._neighbors(X))
        return self._class_answers(scores)[1] if self._class_vector else scores

    def predict(self, X: Any) -> Array:
        """Return 0/1 labels of shape (n_samples, n_labels), or the likeliest class.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Neighbors
            Rows of shape (n_samples, n_features), or what the graph's ``query``
            returned for them.

        Returns
        -------
        ndarray of shape (n_samples, n_labels), int64
            1 where the label is predicted. For a class vector, the class of the
            greatest score, shape (n_samples,); equal scores go to the first class.
        """
        return self.predict_with_scores(X)[0]

    def predict_with_scores(self, X: Any) -> tuple[Array, Array]:
        """Return predictions and scores of one search.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Neighbors
            As in ``predict``.

        Returns
        -------
        predictions, scores : ndarray
            What ``predict`` and ``predict_proba`` return.
        """
        neighbors = self._neighbors(X)
        scores = self._scores(neighbors)
        if self._class_vector:
            return self._class_answers(scores)
        return self._relevant(scores, neighbors).astype(np.int64), scores

    def _check_fitted(self) -> None:
        if not hasattr(self, "graph_"):  # the check itself is slow
            check_is_fitted(self, "graph_")

    def _neighbors(self, X: Any) -> Neighbors:
        self._check_fitted()
        if isinstance(X, Neighbors):
            if X.graph is not self.graph_:
                raise ValueError(
                    "these neighbours belong to another graph than "
                    f"{type(self).__name__} was fitted with."
                )
            return X
        return self.graph_._query_rows(validate_rows(self, X, reset=False))

    def _label_counts(self, neighbors: Neighbors) -> LabelCounts:
        """Return how many of the k neighbours have each label.

        Counts of a graph that was given may serve another classifier, too, and are kept
        with it.
        """
        k = int(self.n_neighbors)
        if self._graph_is_own:
            return LabelCounts(neighbors.index, k, self._labels)
        return neighbors.label_counts(k, self._labels)

    @abstractmethod
    def _learn(self, neighbors: Neighbors) -> None:
        """Learn from the training rows' neighbours; labels are in ``_labels``."""

    @abstractmethod
    def _scores(self, neighbors: Neighbors) -> Array:
        """Return scores of shape (rows, labels)."""

    def _relevant(self, scores: Array, neighbors: Neighbors) -> Array:
        """Return which labels are predicted."""
        return scores > 0.5

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
