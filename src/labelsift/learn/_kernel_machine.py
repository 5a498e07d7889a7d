"""Support vector machines that share the kernel values of one table of rows."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if

from labelsift.learn._kernel_table import KERNELS, AskedRows, KernelTable

if TYPE_CHECKING:
    from labelsift.learn._sub_problem import SubProblem

Array = np.ndarray[Any, Any]

MOST_ROWS = 8192  # half a gigabyte of products


class SharedSVC(SVC):
    """A support vector machine whose support vectors are rows of a shared table.

    It is asked as any ``SVC``, with the answers of one that was fitted by itself. A
    clone of it knows no table.
    """

    def _join(
        self, machine: SVC, table: KernelTable, rows: Array | None, gamma: float
    ) -> None:
        """Take over what a machine learnt from the table's kernel values."""
        learnt = vars(machine).copy()
        del learnt["support_vectors_"]
        self.__dict__ |= learnt | {"kernel": table.kernel, "_gamma": gamma}
        self._table, self._rows = table, rows
        self.n_features_in_ = table.rows.shape[1]
        self.shape_fit_ = len(table.places(rows)), self.n_features_in_
        if table.is_sparse:  # SVC keeps its coefficients as it found the rows
            self._sparse = True
            for name in ("dual_coef_", "_dual_coef_"):
                setattr(self, name, _all_stored(learnt[name]))

    @property
    def support_vectors_(self) -> Any:
        if "_table" not in vars(self):
            return vars(self)["support_vectors_"]
        return self._table.rows[self._table.places(self._rows)[self.support_]]

    @support_vectors_.setter
    def support_vectors_(self, vectors: Any) -> None:
        self.__dict__.pop("_table", None)  # fitted anew, by itself
        self.__dict__["support_vectors_"] = vectors


class _ReadySVC(SVC):
    """A support vector machine for classes that are known to be whole numbers.

    SVC's look at the classes takes longer than many a fit. Where a release of
    scikit-learn should not call this method, it looks at them as before.
    """

    def _validate_targets(self, y: Array) -> Array:
        self.classes_, codes = np.unique(y, return_inverse=True)
        if self.class_weight is None:
            self.class_weight_ = np.ones(len(self.classes_))
        else:
            self.class_weight_ = compute_class_weight(
                self.class_weight, classes=self.classes_, y=y
            )
        return np.asarray(codes, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class KernelMachine:
    """A machine that is asked about rows whose products with a table are known.

    Parameters
    ----------
    svc : SVC
        Fitted with ``kernel="precomputed"``.
    table : KernelTable
        Training rows of all machines.
    rows : ndarray of int64 or None
        Those of this one; all where None.
    gamma : float
        That of the kernel.
    """

    svc: SVC
    table: KernelTable
    rows: Array | None
    gamma: float

    def decision_function(self, asked: AskedRows) -> Array:
        """Return decision values, as ``SVC`` does."""
        found: Array
        if len(self.svc.classes_) != 2:
            found = self.svc.decision_function(self._values(asked))
            return found
        weights = asked.values(self.rows, self.svc.support_, self.gamma)
        weights *= self.svc.dual_coef_[0]
        # summed one by one, as libsvm does: what cancels there does so here
        found = weights.cumsum(axis=1)[:, -1] + self.svc.intercept_[0]
        return found

    def predict(self, asked: AskedRows) -> Array:
        """Return classes, as ``SVC`` does."""
        return np.asarray(self.svc.predict(self._values(asked)))

    @available_if(lambda self: hasattr(self.svc, "predict_proba"))
    def predict_proba(self, asked: AskedRows) -> Array:
        """Return probabilities, as ``SVC`` does."""
        return np.asarray(self.svc.predict_proba(self._values(asked)))

    def _values(self, asked: AskedRows) -> Array:
        """Return kernel values with the training rows; only support vectors' matter."""
        filled = np.zeros((asked.shape[0], len(self.table.places(self.rows))))
        support = self.svc.support_
        filled[:, support] = asked.values(self.rows, support, self.gamma)
        return filled


class SharedMachines:
    """Fit copies of a support vector machine on the kernel values of one table.

    Parameters
    ----------
    base : SVC
        With one of scikit-learn's own kernels.
    X : ndarray or csr_array of shape (n_rows, n_features)
        All training rows.
    """

    def __init__(self, base: SVC, X: Any) -> None:
        self._parameters = base.get_params()
        self.table = KernelTable(X, base.kernel, base.gamma, base.degree, base.coef0)

    def fit(self, problem: SubProblem) -> tuple[SharedSVC, KernelMachine]:
        """Return a fitted machine, as the user may ask it and as the table does."""
        gamma = self.table.gamma_of(problem.rows)
        # as clone does, whose look at signatures takes longer than many a fit
        parameters = {key: deepcopy(value) for key, value in self._parameters.items()}
        svc = _ReadySVC(**(parameters | {"kernel": "precomputed"}))
        with config_context(skip_parameter_validation=True):  # done for the base
            svc.fit(self.table.values(problem.rows, gamma), problem.targets)
        shared = SharedSVC(**parameters)
        shared._join(svc, self.table, problem.rows, gamma)
        return shared, KernelMachine(svc, self.table, problem.rows, gamma)

    def reads(self, problem: SubProblem) -> bool:
        """Return whether a sub-problem reads rows of the table as they are."""
        return _reads_table(problem)

    def let_go(self) -> None:
        """Forget what only the fit needs."""
        self.table.let_go()


def _reads_table(problem: SubProblem) -> bool:
    return problem.columns is None and problem.extra is None


def shared_machines(
    base: Any, X: Any, problems: Sequence[SubProblem]
) -> SharedMachines | None:
    """Return what fits machines on the same rows, or None where sharing does not pay.

    It pays for support vector machines with one of scikit-learn's own kernels that are
    at least two, and on so many rows that all of them together read an eighth as many
    kernel values as the table has: its product costs less for each value than theirs.
    """
    if type(base) is not SVC or base.kernel not in KERNELS:
        return None
    n = X.shape[0]
    sizes = [len(problem.targets) for problem in problems if _reads_table(problem)]
    if n > MOST_ROWS or len(sizes) < 2 or 8 * sum(s * s for s in sizes) < n * n:
        return None
    try:
        base._validate_params()
    except ValueError:
        return None  # its own fit says what is wrong
    return SharedMachines(base, X)


def _all_stored(coefficients: Array) -> Any:
    """Return coefficients as sparse rows that store zeros, too."""
    n, width = coefficients.shape
    columns = np.tile(np.arange(width, dtype=np.int32), n)
    starts = np.arange(n + 1, dtype=np.int32) * np.int32(width)
    return sparse.csr_array((coefficients.ravel(), columns, starts), (n, width))
