"""A fitted selector beside the data that it saw, for the page of a selection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from labelsift._words import counted
from labelsift.evaluate.stability import absolute_correlations
from labelsift.read import Dataset
from labelsift.read.describe import DatasetSummary
from labelsift.read.numbered_names import numbered
from labelsift.report.feature_section import Floats, relevance_of

_MOST_RELEVANT = 200
_MOST_ALIKE = 200
_NEXT = 5


@dataclass(frozen=True, eq=False)
class View:
    """What was selected, and what can be said of it.

    Parameters
    ----------
    selector : fitted selector
        It has ``order_`` and ``scores_``.
    method : str
        What to call it.
    name : str
        Name of the data.
    feature_names, label_names : sequence of str
        Names of the columns; labels may be none.
    dataset : Dataset or None
        The rows; None where they were read in blocks and are not held.
    loaded : str, default=""
        The call that reads those blocks again, where it is known.
    """

    selector: Any
    method: str
    name: str
    feature_names: Any
    label_names: Any
    dataset: Dataset | None
    loaded: str = ""

    @property
    def n_features(self) -> int:
        """Number of features, kept or not."""
        return len(self.feature_names)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.label_names)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Column indices, best first."""
        return np.asarray(self.selector.order_, dtype=np.int64)

    @cached_property
    def is_kept(self) -> NDArray[np.bool_]:
        """Whether each feature is kept."""
        return np.asarray(self.selector.get_support(), dtype=bool)

    @cached_property
    def kept(self) -> NDArray[np.int64]:
        """Column indices of what is kept, best first."""
        return self.order[self.is_kept[self.order]]

    @cached_property
    def left_out(self) -> NDArray[np.int64]:
        """Column indices of what is not kept, best first."""
        return self.order[~self.is_kept[self.order]]

    @cached_property
    def values(self) -> Floats:
        """What decided on each feature: its score, or the criterion when picked.

        NaN for features that a greedy search did not pick.
        """
        picks = getattr(self.selector, "criterion_", None)
        if picks is None:
            return np.asarray(self.selector.scores_, dtype=np.float64)
        values = np.full(self.n_features, np.nan)
        values[self.order[: len(picks)]] = picks
        return values

    @property
    def measure(self) -> str:
        """Name of ``values``."""
        return "Criterion" if hasattr(self.selector, "criterion_") else "Score"

    @cached_property
    def costs(self) -> Floats | None:
        """Price of each feature by itself, where it is known."""
        if self.dataset is not None and self.dataset.test_costs is not None:
            return np.asarray(self.dataset.test_costs, dtype=np.float64)
        given: Any = getattr(self.selector, "costs", None)
        is_row = isinstance(given, np.ndarray | list | tuple)
        if not is_row or np.shape(given) != (self.n_features,):
            return None
        return np.asarray(given, dtype=np.float64)

    @cached_property
    def summary(self) -> DatasetSummary | None:
        """Figures of the data; needs rows."""
        return None if self.dataset is None else self.dataset.describe()

    @property
    def missing_share(self) -> dict[str, float]:
        """Share of rows missing, for each feature that misses any; worst first."""
        return {} if self.summary is None else self.summary.missing_share

    @cached_property
    def label_counts(self) -> NDArray[np.int64] | None:
        """Rows that have each label; needs rows."""
        if self.dataset is None:
            return None
        return np.asarray(self.dataset.Y.sum(axis=0, dtype=np.int64)).ravel()

    @cached_property
    def shown(self) -> NDArray[np.int64]:
        """The first of those that are kept, then the next that are not."""
        return np.concatenate([self.kept[:40], self.left_out[:_NEXT]])

    @cached_property
    def relevance(self) -> tuple[Floats, NDArray[np.int64], str]:
        """How much each of the first kept serves which labels, and its name.

        See ``relevance_of``; without rows only a method's own scores are known.
        """
        columns = self.kept[:_MOST_RELEVANT]
        found = self._relevance(columns)
        return found or (np.full((len(columns), 0), np.nan), np.zeros(0, np.int64), "")

    @cached_property
    def relevance_shown(self) -> tuple[Floats, NDArray[np.int64], str]:
        """The same of the features ``shown``."""
        found = self._relevance(self.shown)
        none = np.full((len(self.shown), 0), np.nan), np.zeros(0, np.int64), ""
        return found or none

    def _relevance(self, columns: NDArray[np.int64]) -> Any:
        if self.n_labels < 2:
            return None
        if self.dataset is not None:
            return relevance_of(self.selector, self.dataset, columns)
        table: Any = getattr(self.selector, "scores_per_label_", None)
        has_table = table is not None and np.shape(table) == (
            self.n_features,
            self.n_labels,
        )
        top = None if table is not None else getattr(self.selector, "top_labels_", None)
        if has_table or (top is not None and top.n_labels == self.n_labels):
            names: Any = self  # no row is read
            return relevance_of(self.selector, names, columns)
        return None

    @cached_property
    def alike(self) -> Floats | None:
        """|correlation| of the first kept features with each other; needs rows."""
        return self._correlations(self.kept[:_MOST_ALIKE])

    @cached_property
    def alike_shown(self) -> Floats | None:
        """|correlation| of the features ``shown``; needs rows."""
        return self._correlations(self.shown)

    def _correlations(self, columns: NDArray[np.int64]) -> Floats | None:
        if self.dataset is None or len(columns) < 2:
            return None
        found: Floats = absolute_correlations(self.dataset.X, columns)
        return found

    @cached_property
    def is_ordered_by_value(self) -> bool:
        """Whether every feature has a value and none comes before a better one."""
        ranked = self.values[self.order]
        return bool((ranked[1:] <= ranked[:-1]).all())

    @cached_property
    def has_tie_at_the_cut(self) -> bool:
        """Whether the last kept and the first left out score the same.

        Nothing is said of rankings that do not follow the scores, as by round robin.
        """
        if not len(self.kept) or not len(self.left_out):
            return False
        if not self.is_ordered_by_value:
            return False
        last, following = self.values[self.kept[-1]], self.values[self.left_out[0]]
        return bool(last == following)


def view_of(selector: Any, data: Any, method: str, name: str) -> View:
    """Check that selector and data fit together, and return both.

    Parameters
    ----------
    selector : fitted selector
        From ``labelsift.select``.
    data : Dataset or RowBlocks
        What it was fitted on.
    method, name : str
        What to call the method and the data; the class and the data's own name where
        empty.

    Raises
    ------
    TypeError
        If ``selector`` is no selector that ranks.
    NotFittedError
        If it is not fitted.
    ValueError
        If it was fitted on other features or labels.
    """
    kind = type(selector).__name__
    if not hasattr(selector, "get_support") or not hasattr(selector, "get_params"):
        raise TypeError(f"selector must be a selector of labelsift; found {kind}.")
    if not hasattr(selector, "order_"):
        raise NotFittedError(f"{kind} is not fitted: call fit first.")
    dataset = data if isinstance(data, Dataset) else None
    n_features = int(selector.n_features_in_)
    n_labels = int(getattr(selector, "n_labels_in_", 0))
    features = data.feature_names or numbered("feature", n_features)
    # a method that needs no labels has counted none
    labels = data.label_names or numbered("label", n_labels)
    for noun, count, names in (
        ("feature", n_features, features),
        ("label", n_labels or len(labels), labels),
    ):
        if count != len(names):
            raise ValueError(
                f"selector was fitted on {counted(count, noun)}, the data has "
                f"{len(names)}: give the data that it was fitted on."
            )
    own = getattr(data, "name", "")
    return View(
        selector,
        method or kind,
        name or own or "data",
        features,
        labels,
        dataset,
        getattr(data, "loaded", ""),
    )
