"""Scores of every feature for every label, with their names."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from labelsift._words import counted


class ScoreTable:
    """A features x labels table that keeps its names.

    It converts to an array with ``numpy.asarray(table)``, to a data frame with
    ``to_frame``, and looks up by name: ``table["tempo", "calm"]``.

    Parameters
    ----------
    values : ndarray of shape (n_features, n_labels), float64
        The scores; larger is better.
    feature_names, label_names : tuple of str
        Row and column names.
    """

    def __init__(
        self,
        values: np.ndarray[Any, Any],
        feature_names: tuple[str, ...],
        label_names: tuple[str, ...],
    ) -> None:
        self.values = values
        self.feature_names = feature_names
        self.label_names = label_names

    @property
    def shape(self) -> tuple[int, int]:
        """Number of features and of labels."""
        return int(self.values.shape[0]), int(self.values.shape[1])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2:
            row, column = key
            return self.values[
                self._index(row, self.feature_names, "feature"),
                self._index(column, self.label_names, "label"),
            ]
        return self.values[self._index(key, self.feature_names, "feature")]

    @staticmethod
    def _index(key: Any, names: tuple[str, ...], kind: str) -> Any:
        if not isinstance(key, str):
            return key
        try:
            return names.index(key)
        except ValueError:
            raise KeyError(f"no {kind} is called {key!r}") from None

    def to_frame(self, backend: Any = "pandas") -> Any:
        """Return a data frame: a column ``feature``, then one column a label.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Library of the frame.
        """
        columns: dict[str, Any] = {"feature": list(self.feature_names)}
        for i, name in enumerate(self.label_names):
            columns[name if name != "feature" else "feature (label)"] = self.values[
                :, i
            ]
        return nw.from_dict(columns, backend=backend).to_native()

    def __repr__(self) -> str:
        d, q = self.shape
        return f"ScoreTable({counted(d, 'feature')} x {counted(q, 'label')})"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.label_names)
        best = np.argsort(-self.values.max(axis=1, initial=-np.inf), kind="stable")[:20]
        rows = "".join(
            f"<tr><th>{escape(self.feature_names[i])}</th>"
            + "".join(f"<td>{value:.4g}</td>" for value in self.values[i])
            + "</tr>"
            for i in best
        )
        d, q = self.shape
        return (
            f"<table><caption>{counted(d, 'feature')} x {counted(q, 'label')}; "
            f"best {len(best)}</caption>"
            f"<thead><tr><th>feature</th>{head}</tr></thead><tbody>{rows}</tbody>"
            "</table>"
        )


class TopLabels:
    """The best labels of each feature, with their names.

    ``top["tempo"]`` is the list of ``(label, score)`` of one feature, best first; a
    column number does as well.

    Parameters
    ----------
    scores : ndarray of shape (n_features, m), float64
        Scores of the best labels, falling; 0 where there are none left.
    labels : ndarray of shape (n_features, m), int
        Their columns in ``y``; -1 where there are none left. Equal scores by column.
    feature_names : tuple of str
        Names of the features.
    names : callable
        Returns the names of the labels: of a million labels they are made on demand.
    n_labels : int
        How many labels there are.
    """

    def __init__(
        self,
        scores: np.ndarray[Any, Any],
        labels: np.ndarray[Any, Any],
        feature_names: tuple[str, ...],
        names: Callable[[], tuple[str, ...]],
        n_labels: int,
    ) -> None:
        self.scores = scores
        self.labels = labels
        self.feature_names = feature_names
        self.n_labels = n_labels
        self._names = names

    def __getitem__(self, feature: int | str) -> list[tuple[str, float]]:
        row = ScoreTable._index(feature, self.feature_names, "feature")
        names = self._names()
        return [
            (names[label], float(score))
            for score, label in zip(self.scores[row], self.labels[row], strict=True)
            if label >= 0
        ]

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        d, m = self.labels.shape
        return f"TopLabels({counted(d, 'feature')}, the best {m} labels of each)"
