"""Split rows into folds so that every label is spread evenly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from labelsift._words import counted
from labelsift.encode.labels import as_label_matrix

Indices = np.ndarray[Any, np.dtype[np.intp]]


class IterativeStratifiedKFold(BaseCrossValidator):
    """K folds in which each label is as frequent as in the whole table.

    Serves the rarest label first: its rows go, one by one, to the fold that wants that
    label most, then the next label is served. Plain k-fold leaves rare labels out of
    some folds; scikit-learn's ``StratifiedKFold`` refuses a label matrix.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2 and at most the number of rows.
    shuffle : bool, default=False
        Visit the rows in random order and break ties at random. Otherwise rows are
        visited as they come and ties go to the first fold.
    random_state : int, RandomState instance or None, default=None
        Seed of the shuffle; only with ``shuffle=True``.

    Notes
    -----
    No fold is empty. Labels without a positive row and rows without labels are fine:
    the latter fill up the smaller folds. The number of rows may differ between folds
    by more than one, the price of even labels. Time is proportional to the number of
    1s in ``y`` plus ``n_samples * n_splits``; sparse ``y`` stays sparse.

    References
    ----------
    .. [1] Sechidis, Tsoumakas, Vlahavas. On the stratification of multi-label data.
       ECML PKDD 2011, LNCS 6913, 145-158, algorithm 1.
       doi:10.1007/978-3-642-23808-6_10

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 0], [0, 0]])
    >>> for train, test in IterativeStratifiedKFold(2).split(Y, Y):
    ...     print(test)
    [0 2 4]
    [1 3 5]
    """

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None
    ) -> None:
        _check_count("n_splits", n_splits, 2)
        if not isinstance(shuffle, bool):
            raise TypeError(f"shuffle must be True or False; found {shuffle!r}.")
        if random_state is not None and not shuffle:
            raise ValueError("random_state has no effect without shuffle=True.")
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds; the arguments are not used."""
        return self.n_splits

    def _iter_test_indices(
        self, X: Any = None, y: Any = None, groups: Any = None
    ) -> Iterator[Indices]:
        if y is None:
            raise ValueError(
                "IterativeStratifiedKFold needs y, the labels that it spreads evenly."
            )
        labels = as_label_matrix(y).values
        if labels.shape[0] < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} but there are only "
                f"{counted(labels.shape[0], 'row')}."
            )
        random = check_random_state(self.random_state) if self.shuffle else None
        fold = assign_folds(labels, self.n_splits, random)
        for number in range(self.n_splits):
            yield np.flatnonzero(fold == number)

    def __repr__(self) -> str:
        return (
            f"IterativeStratifiedKFold(n_splits={self.n_splits}, "
            f"shuffle={self.shuffle}, random_state={self.random_state!r})"
        )


class RepeatedIterativeStratifiedKFold(BaseCrossValidator):
    """Repeat :class:`IterativeStratifiedKFold`, each time with another shuffle.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    n_repeats : int, default=10
        Number of repetitions, at least 1.
    random_state : int or None, default=None
        Repetition ``r`` shuffles with ``random_state + r``; None draws a seed.

    Examples
    --------
    >>> folds = RepeatedIterativeStratifiedKFold(2, n_repeats=3, random_state=0)
    >>> Y = [[1, 0], [0, 1], [1, 1], [0, 0]]
    >>> [test.tolist() for train, test in folds.split(Y, Y)][:2]
    [[2, 3], [0, 1]]
    """

    def __init__(
        self, n_splits: int = 5, *, n_repeats: int = 10, random_state: Any = None
    ) -> None:
        _check_count("n_splits", n_splits, 2)
        _check_count("n_repeats", n_repeats, 1)
        if random_state is not None and not isinstance(random_state, Integral):
            raise TypeError(
                f"random_state must be a whole number or None; found {random_state!r}."
            )
        self.n_splits = int(n_splits)
        self.n_repeats = int(n_repeats)
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits in all; the arguments are not used."""
        return self.n_splits * self.n_repeats

    def _iter_test_indices(
        self, X: Any = None, y: Any = None, groups: Any = None
    ) -> Iterator[Indices]:
        seed = fresh_seed() if self.random_state is None else int(self.random_state)
        for repeat in range(self.n_repeats):
            yield from IterativeStratifiedKFold(
                self.n_splits, shuffle=True, random_state=seed + repeat
            )._iter_test_indices(X, y, groups)

    def __repr__(self) -> str:
        return (
            f"RepeatedIterativeStratifiedKFold(n_splits={self.n_splits}, "
            f"n_repeats={self.n_repeats}, random_state={self.random_state!r})"
        )


def fresh_seed() -> int:
    """Return a seed from the operating system, small enough for scikit-learn."""
    return int(np.random.SeedSequence().generate_state(1)[0] >> 1)


def assign_folds(
    labels: Any, n_splits: int, random: np.random.RandomState | None
) -> Indices:
    """Return the fold of each row, by iterative stratification.

    Parameters
    ----------
    labels : ndarray or csr_array of shape (n_samples, n_labels)
        Checked 0/1 labels.
    n_splits : int
        Number of folds.
    random : RandomState or None
        Source of the order of rows and of ties; None takes rows and folds in order.

    Returns
    -------
    ndarray of shape (n_samples,), intp
        Fold numbers from 0.
    """
    n, q = labels.shape
    by_row = sparse.csr_array(labels)
    by_label = sparse.csc_array(by_row)
    visit = np.arange(n) if random is None else random.permutation(n)
    place = np.empty(n, dtype=np.intp)
    place[visit] = np.arange(n)
    luck = np.zeros(n) if random is None else random.random_sample(n)
    preference = np.arange(q) if random is None else random.permutation(q)

    # Algorithm 1 gives a row to the fold with the largest unmet demand. All folds ask
    # for the same share, so that is the fold that has received least: whole numbers.
    received = [[0] * n_splits for _ in range(q)]
    sizes = [0] * n_splits
    fold = np.full(n, -1, dtype=np.intp)
    row_labels = [
        by_row.indices[start:stop].tolist()
        for start, stop in pairwise(by_row.indptr.tolist())
    ]
    left = np.diff(by_label.indptr).astype(np.int64)

    def put(row: int, chosen: int) -> None:
        fold[row] = chosen
        sizes[chosen] += 1
        for other in row_labels[row]:
            received[other][chosen] += 1
            left[other] -= 1

    for _ in range(q):
        open_labels = preference[left[preference] > 0]
        if not len(open_labels):
            break
        label = int(open_labels[np.argmin(left[open_labels])])
        rows = by_label.indices[by_label.indptr[label] : by_label.indptr[label + 1]]
        rows = rows[fold[rows] < 0]
        got = received[label]
        for row in rows[np.argsort(place[rows])].tolist():
            put(row, _least(got, sizes, luck[row]))
    empty = [0] * n_splits
    for row in visit[fold[visit] < 0].tolist():
        put(row, _least(empty, sizes, luck[row]))
    return fold


def _least(got: list[int], sizes: list[int], luck: float) -> int:
    fewest = min(got)
    wanting = [i for i, count in enumerate(got) if count == fewest]
    if len(wanting) > 1:
        smallest = min(sizes[i] for i in wanting)
        wanting = [i for i in wanting if sizes[i] == smallest]
    return wanting[int(luck * len(wanting))]


def _check_count(name: str, value: Any, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(
            f"{name} must be a whole number of at least {least}; found {value!r}."
        )
