"""Single-label problems that several labels are split into, each fitted once."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed

from labelsift.kernels.blas import one_blas_thread
from labelsift.learn._kernel_machine import KernelMachine, shared_machines
from labelsift.learn._kernel_table import AskedRows

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class SubProblem:
    """What one base classifier learns.

    Parameters
    ----------
    name : str
        For messages, such as ``"label 'calm'"``.
    targets : ndarray of shape (n_rows,), int64
        Class of each row.
    rows, columns : ndarray of int64 or None
        Rows and (sorted) columns of ``X`` that are used; all where None.
    extra : ndarray of shape (n_rows, n_extra), float64, or None
        Columns put after those of ``X``.
    """

    name: str
    targets: Array
    rows: Array | None = None
    columns: Array | None = None
    extra: Array | None = None

    def key(self) -> bytes:
        """Return the same bytes for sub-problems with the same data."""
        digest = blake2b(digest_size=24)
        for part in (self.targets, self.rows, self.columns, self.extra):
            digest.update(b"-" if part is None else b"%d:" % part.size)
            if part is not None:
                digest.update(np.ascontiguousarray(part).data)
        return digest.digest()

    def select(self, X: Any) -> Any:
        """Return the training rows of this sub-problem."""
        chosen = X if self.rows is None else X[self.rows]
        return with_columns(chosen, self.columns, self.extra)


@dataclass(frozen=True, eq=False)
class SubModel:
    """A fitted base classifier, or the only class that its training rows had.

    Parameters
    ----------
    name : str
        Name of the sub-problem.
    estimator : object or None
        Fitted base classifier; None where there was one class.
    constant : int
        That class; -1 where there is an estimator.
    columns : ndarray or None
        Columns of ``X`` to read.
    machine : KernelMachine or None
        The estimator as it is asked with ``AskedRows``, where it shares a table.
    """

    name: str
    estimator: Any
    constant: int
    columns: Array | None
    machine: KernelMachine | None = None

    def positive(self, X: Any, scores: str, extra: Array | None = None) -> Array:
        """Return a score from 0 to 1 for class 1 of the classes 0 and 1.

        ``scores="auto"``: the probability, else the logistic function of the decision
        value, else the vote; ``"votes"``: 1 or 0, and one half for equal evidence.
        """
        if self.estimator is None:
            return np.full(X.shape[0], float(self.constant))
        found = self._ask(X, extra)
        return _votes(found) if scores == "votes" else found

    def _ask(self, X: Any, extra: Array | None) -> Array:
        estimator, rows = self._reader(X, extra)
        try:
            if hasattr(estimator, "predict_proba"):
                found = estimator.predict_proba(rows)[:, 1]
            elif hasattr(estimator, "decision_function"):
                found = _logistic(estimator.decision_function(rows))
            else:
                found = estimator.predict(rows)
        except Exception as error:
            error.add_note(f"in the base classifier of {self.name}")
            raise
        positive: Array = np.asarray(found, dtype=np.float64)
        return positive

    def _reader(self, X: Any, extra: Array | None) -> tuple[Any, Any]:
        """Return what to ask, and the rows in the form in which it reads them."""
        if not isinstance(X, AskedRows):
            return self.estimator, with_columns(X, self.columns, extra)
        if self.machine is None:
            return self.estimator, with_columns(X.rows, self.columns, extra)
        return self.machine, X

    def distribution(self, X: Any, n_classes: int) -> tuple[Array, Array]:
        """Return the predicted class and the probabilities of all classes.

        A base classifier without probabilities gives its class all of it.
        """
        n = X.shape[0]
        if self.estimator is None:
            predicted = np.full(n, self.constant, dtype=np.int64)
            return predicted, _one_hot(predicted, n_classes)
        estimator, rows = self._reader(X, None)
        try:
            predicted = np.asarray(estimator.predict(rows)).astype(np.int64)
            if not hasattr(estimator, "predict_proba"):
                return predicted, _one_hot(predicted, n_classes)
            found = estimator.predict_proba(rows)
        except Exception as error:
            error.add_note(f"in the base classifier of {self.name}")
            raise
        return predicted, np.asarray(found, dtype=np.float64)


class SharedFits(Protocol):
    """What fits copies of a base classifier on rows of one table, with work in common.

    A base classifier offers one by a method ``fits_together(X)``, or None. Its models
    are equal to those that are fitted alone.
    """

    def reads(self, problem: SubProblem) -> bool:
        """Return whether a sub-problem can be fitted here."""

    def fit(self, problem: SubProblem) -> tuple[Any, KernelMachine | None]:
        """Return a fitted classifier, and how it is asked with ``AskedRows``."""

    def let_go(self) -> None:
        """Forget what only the fit needs."""


def with_columns(X: Any, columns: Array | None, extra: Array | None) -> Any:
    """Return some columns of ``X``, followed by others."""
    chosen = X if columns is None else X[:, columns]
    if extra is None:
        return chosen
    if sparse.issparse(chosen):
        return sparse.hstack([chosen, sparse.csr_array(extra)], format="csr")
    return np.hstack([chosen, extra])


def fit_sub_problems(
    base: Any, X: Any, problems: Iterable[SubProblem], n_jobs: int | None
) -> list[SubModel]:
    """Fit a clone of ``base`` on each sub-problem; equal ones share the model.

    The result does not depend on ``n_jobs``: nothing is drawn here. Each job keeps the
    BLAS to one thread, whose number must not decide either; small fits are faster so.
    """
    first, place = _distinct(problems)
    if get_tags(base).input_tags.pairwise:
        first = [_pairwise(problem, X) for problem in first]
    shared = _shared_fits(base, X, first)
    # threads share a table; processes would have a copy of it each
    jobs = Parallel(n_jobs=n_jobs, require="sharedmem" if shared else None)
    with warnings.catch_warnings():
        # The numbers of label sets are classes, however many there are.
        warnings.filterwarnings("ignore", "The number of unique classes is greater")
        models = jobs(delayed(_fit_one)(base, X, p, shared) for p in first)
    if shared is not None:
        shared.let_go()
    return [models[i] for i in place]


def fit_prefixes(
    base: Any,
    X: Any,
    problems: Sequence[SubProblem],
    order: Array,
    sizes: Array,
    asked: Any,
    n_jobs: int | None,
) -> list[list[SubModel]]:
    """Fit each sub-problem on the columns of each prefix of a ranking.

    Returns for each size what ``fit_sub_problems`` does, but for models that read all
    columns and answer for the rows ``asked`` only. ``base`` offers ``fits_together``.
    """
    first, place = _distinct(problems)
    shared = base.fits_together(X)
    jobs = Parallel(n_jobs=n_jobs, require="sharedmem")

    def fit(problem: SubProblem) -> list[SubModel]:
        target = problem.targets[0]
        if (problem.targets == target).all():
            return [SubModel(problem.name, None, int(target), None)] * len(sizes)
        found = shared.fit_prefixes(problem, order, sizes, asked)
        return [SubModel(problem.name, one, -1, None) for one in found]

    by_problem = jobs(delayed(fit)(problem) for problem in first)
    return [[by_problem[i][s] for i in place] for s in range(len(sizes))]


def _distinct(problems: Iterable[SubProblem]) -> tuple[list[SubProblem], list[int]]:
    """Return problems without repetition, and where each is among them."""
    unique: dict[bytes, int] = {}
    place: list[int] = []
    first: list[SubProblem] = []
    for problem in problems:
        key = problem.key()
        if key not in unique:
            unique[key] = len(first)
            first.append(problem)
        place.append(unique[key])
    return first, place


def _shared_fits(
    base: Any, X: Any, problems: Sequence[SubProblem]
) -> SharedFits | None:
    """Return what fits copies of ``base`` with work in common, or None."""
    if hasattr(base, "fits_together"):
        offered: SharedFits | None = base.fits_together(X)
        return offered
    return shared_machines(base, X, problems)


def _pairwise(problem: SubProblem, X: Any) -> SubProblem:
    """Return a problem whose columns are its rows."""
    if problem.columns is not None or problem.extra is not None:
        raise ValueError(
            "the base classifier reads values of pairs of rows (such as a precomputed "
            f"kernel); {problem.name} cannot read other columns than those of its rows."
        )
    if X.shape[0] != X.shape[1]:
        raise ValueError(
            "the base classifier reads values of pairs of rows (such as a precomputed "
            f"kernel), so X must be square; found shape {X.shape}."
        )
    return replace(problem, columns=problem.rows)


def ask_all(
    models: Sequence[SubModel], X: Any, question: Callable[[SubModel, Any], Array]
) -> dict[int, Array]:
    """Return what ``question(model, rows)`` is of every distinct model, by its ``id``.

    Kernel values of the rows are found once for all models that share a table.
    """
    distinct = {id(model): model for model in models}
    table = next((m.machine.table for m in models if m.machine is not None), None)
    if table is None:
        return {key: question(model, X) for key, model in distinct.items()}
    parts = [
        {key: question(model, rows) for key, model in distinct.items()}
        for rows in table.asked(X)
    ]
    return {key: np.concatenate([part[key] for part in parts]) for key in distinct}


def _fit_one(
    base: Any, X: Any, problem: SubProblem, shared: SharedFits | None
) -> SubModel:
    targets = problem.targets
    if (targets == targets[0]).all():
        return SubModel(problem.name, None, int(targets[0]), problem.columns)
    try:
        with one_blas_thread():
            if shared is not None and shared.reads(problem):
                estimator, machine = shared.fit(problem)
                return SubModel(problem.name, estimator, -1, problem.columns, machine)
            estimator = clone(base).fit(problem.select(X), targets)
    except Exception as error:
        error.add_note(
            f"while fitting {type(base).__name__} on {problem.name} ({len(targets)} "
            f"rows; the rarest class has {np.unique_counts(targets).counts.min()})"
        )
        raise
    return SubModel(problem.name, estimator, -1, problem.columns)


def _votes(scores: Array) -> Array:
    votes: Array = (np.sign(scores - 0.5) + 1) / 2
    return votes


def _logistic(decision: Any) -> Array:
    from scipy.special import expit

    logistic: Array = expit(np.asarray(decision, dtype=np.float64))
    return logistic


def _one_hot(classes: Array, n_classes: int) -> Array:
    table = np.zeros((len(classes), n_classes))
    table[np.arange(len(classes)), classes] = 1.0
    return table
