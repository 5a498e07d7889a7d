"""A program of a user, for the type checker: ``make check-wheel`` runs mypy on it."""

from pathlib import Path

import numpy as np

from labelsift import Dataset, ReadError, load_dataset
from labelsift.evaluate import cross_validate, recommend
from labelsift.learn import MLkNN
from labelsift.select import Chi2


def best_features(path: Path, count: int) -> list[str]:
    """Return the names of the best features of a file."""
    try:
        data: Dataset = load_dataset(path)
    except ReadError as error:
        raise SystemExit(f"{error.path}: {error.message}") from error
    selector = Chi2(count).fit(data.X, data.Y)
    return [data.feature_names[i] for i in selector.order_[:count]]


def is_worth_it(data: Dataset) -> bool:
    """Return whether fewer features are recommended."""
    results = cross_validate(Chi2(), MLkNN(), data, grid=[2, 4], cv=3)
    size: int | None = results.best().n_features
    found = recommend(data, cv=3)
    chosen = np.flatnonzero(found.get_support())
    return size is not None and bool(len(chosen) < data.n_features)
