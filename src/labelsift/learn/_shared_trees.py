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

    def fit_prefixes(
        self, problem: SubProblem, order: Array, sizes: Array, asked: Any
    ) -> list[Answers]:
        """Return what trees on each prefix of a ranking of the columns say.

        Parameters
        ----------
        problem : SubProblem
            Without columns of its own.
        order : ndarray of int64
            Columns of the table, best first.
        sizes : ndarray of int64
            Lengths of prefixes, rising.
        asked : ndarray or sparse matrix of shape (n_asked, n_features)
            Rows to be asked about.
        """
        model = clone(self._base)
        model.classes_, codes = np.unique(problem.targets, return_inverse=True)
        trees = self._table.grow(
            codes,
            len(model.classes_),
            model.min_samples_leaf,
            rows=problem.rows,
            features=order,
            sizes=sizes,
        )
        return [
            Answers(model.classes_, model._take(tree)._asked(asked)) for tree in trees
        ]

    def let_go(self) -> None:
        """Do nothing: no tree knows the table."""


class Answers:
    """A classifier that knows rows beforehand, and answers for nothing else.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        Classes.
    shares : ndarray of shape (n_rows, n_classes), float64
        Their probabilities for those rows.
    """

    def __init__(self, classes: Array, shares: Array) -> None:
        self.classes_ = classes
        self._shares = shares

    def predict_proba(self, X: Any) -> Array:
        """Return the probabilities; ``X`` must be those rows."""
        return self._shares

    def predict(self, X: Any) -> Array:
        """Return the most probable classes; equally probable ones go to the first."""
        found: Array = self.classes_[self._shares.argmax(axis=1)]
        return found


def _rises(numbers: Array | None) -> bool:
    return numbers is None or bool((numbers[1:] > numbers[:-1]).all())
