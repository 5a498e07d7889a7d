"""Entropy trees that share the sorted columns of one table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from labelsift.learn._tree_table import TreeTable

if TYPE_CHECKING:
    from labelsift.learn._sub_problem import SubProblem

Array = np.ndarray[Any, Any]


class SharedTrees:
    """Fit copies of an entropy tree on the rows of one table.

    Parameters
    ----------
    base : EntropyTree
        What is copied.
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        All training rows, checked.
    """

    def __init__(self, base: Any, X: Any) -> None:
        self._base = base
        self._table = TreeTable(X)

    def reads(self, problem: SubProblem) -> bool:
        """Return whether a sub-problem reads rows and columns of the table."""
        return (
            problem.extra is None and _rises(problem.rows) and _rises(problem.columns)
        )

    def fit(self, problem: SubProblem) -> tuple[Any, None]:
        """Return a tree fitted on a sub-problem, equal to one that is fitted alone."""
        model = clone(self._base)
        model.classes_, codes = np.unique(problem.targets, return_inverse=True)
        (tree,) = self._table.grow(
            codes,
            len(model.classes_),
            model.min_samples_leaf,
            rows=problem.rows,
            features=problem.columns,
        )
        model.n_features_in_ = self._table.n_features
        if problem.columns is not None:
            model.n_features_in_ = len(problem.columns)
            own = np.searchsorted(problem.columns, tree.feature)
            tree = replace(tree, feature=np.where(tree.feature < 0, tree.feature, own))
        return model._take(tree), None

    def let_go(self) -> None:
        """Do nothing: no tree knows the table."""


def _rises(numbers: Array | None) -> bool:
    return numbers is None or bool((numbers[1:] > numbers[:-1]).all())
