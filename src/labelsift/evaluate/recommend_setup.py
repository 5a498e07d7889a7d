"""What a recommendation needs before it starts: rows, folds, sizes, a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.evaluate._arguments import named_estimators, sizes_from
from labelsift.evaluate._fold_tasks import Table
from labelsift.evaluate._splits import Split, make_splits
from labelsift.evaluate.recommend_portfolio import (
    LeftOut,
    Member,
    TableFacts,
    default_portfolio,
)
from labelsift.evaluate.recommend_search import Round
from labelsift.learn import MLkNN

Array = np.ndarray[Any, Any]

_N_SIZES = 16
_TRY_ALL_UP_TO = 100  # features; of more, at most three quarters are tried


def rows_to_search(n: int, most: int | None, seed: int) -> Array:
    """Return the rows to search on: all, or ``most`` of them drawn at random.

    Parameters
    ----------
    n : int
        Rows.
    most : int or None
        The most to take.
    seed : int
        Of the draw.
    """
    if most is None or n <= most:
        return np.arange(n)
    drawn: Array = np.random.default_rng(seed).choice(n, size=most, replace=False)
    return np.sort(drawn)


def outer_splits(cv: Any, seed: int, table: Table) -> tuple[list[Split], str]:
    """Return the outer splits and a text that says how they were made.

    Parameters
    ----------
    cv : int, splitter or list of (train, test)
        A number is cut to the number of rows, and spreads every label evenly.
    seed : int
        Of the shuffle.
    table : Table
        The rows.
    """
    own = isinstance(cv, Integral) and not isinstance(cv, bool)
    if own and cv >= 2:
        cv = min(int(cv), table.X.shape[0])
    splits, how = make_splits(
        cv, 1, "iterative" if own else False, seed, table.X, table.Y, None
    )
    for split in splits:
        if len(split.train) < 3:
            raise ValueError(
                f"split {split.number} of cv trains on "
                f"{counted(len(split.train), 'row')}; a search with inner folds "
                "needs at least 3."
            )
    return splits, how


def sizes_to_try(grid: Any, d: int) -> tuple[int, ...]:
    """Return the numbers of features to try, rising, each less than all.

    Parameters
    ----------
    grid : int, float, sequence of these, "all" or None
        As the user gives it.
    d : int
        Features there are.
    """
    if grid is not None:
        return tuple(size for size in sizes_from(grid, d) if size < d)
    if d < 2:
        return ()
    top = d - 1 if d <= _TRY_ALL_UP_TO else 3 * d // 4
    sizes = np.rint(np.geomspace(1, top, _N_SIZES)).astype(np.int64)
    return tuple(np.unique(sizes).tolist())


def portfolio(
    selectors: Any, facts: TableFacts, costs: Any, nominal: Any
) -> tuple[list[Member], list[LeftOut]]:
    """Return the methods to try, in the order in which they run, and those left out.

    Parameters
    ----------
    selectors : estimator, list or dict of these, or None
        As the user gives them; None takes the default portfolio.
    facts : TableFacts
        The table.
    costs : ndarray or None
        What each feature costs.
    nominal : ndarray of bool or None
        Which columns are nominal.
    """
    if selectors is None:
        return default_portfolio(facts, costs=costs, categorical_features=nominal)
    given = named_estimators(selectors, "selectors")
    return [Member(name, one, 0.0) for name, one in given.items()], []


def judges(classifiers: Any, rounds: Sequence[Round], nominal: Any) -> dict[str, Any]:
    """Return the classifiers that measure a set of features.

    By default ML-kNN with 10 neighbours, or as many as the smallest fold allows.

    Parameters
    ----------
    classifiers : estimator, list or dict of these, or None
        As the user gives them.
    rounds : sequence of Round
        With the folds.
    nominal : ndarray of bool or None
        Which columns are nominal.
    """
    if classifiers is not None:
        return named_estimators(classifiers, "classifiers")
    fewest = min(len(split.train) for one in rounds for split in one.inner)
    neighbors = max(1, min(10, fewest - 1))
    return {"ML-kNN": MLkNN(neighbors, scale="minmax", categorical_features=nominal)}
