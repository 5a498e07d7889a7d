"""Benchmark data for classifier tests."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from labelsift.evaluate.metrics import measure
from labelsift.read import load_dataset
from shared_data import data_file

NAMES = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
)


@functools.lru_cache(maxsize=8)
def _read(path, xml):
    data = load_dataset(path, xml=xml)
    X = data.X
    for j, categories in enumerate(data.categories):
        # A nominal value that is a number stands for itself.
        if not sparse.issparse(X) and categories and _are_numbers(categories):
            X[:, j] = np.array([float(c) for c in categories])[X[:, j].astype(int)]
    Y = data.Y.toarray() if sparse.issparse(data.Y) else data.Y
    return SimpleNamespace(X=X, Y=Y, is_nominal=data.is_nominal)


def _are_numbers(categories):
    return all(c.replace("-", "", 1).replace(".", "", 1).isdigit() for c in categories)


@pytest.fixture(scope="session")
def split():
    """Return a function that reads the official training and test rows."""

    def read(name):
        if name.endswith(" swapped"):
            return read(name.removesuffix(" swapped"))[::-1]
        xml = data_file(f"{name}.xml")
        if name == "medical":  # one file: test rows first
            rows = _read(data_file("medical.arff.gz"), xml)
            parts = slice(645, None), slice(0, 645)
            return tuple(
                SimpleNamespace(X=rows.X[p], Y=rows.Y[p], is_nominal=rows.is_nominal)
                for p in parts
            )
        return tuple(
            _read(data_file(f"{name}-{part}.arff.gz"), xml)
            for part in ("train", "test")
        )

    return read


@pytest.fixture
def check_targets(split):
    """Return a function that compares a classifier's five metrics with known ones."""

    def check(classifier, data, expected, atol, labels=slice(None)):
        train, test = split(data)
        classifier.fit(train.X, train.Y[:, labels])
        found = measure(
            NAMES,
            test.Y[:, labels],
            predictions=classifier.predict(test.X),
            scores=classifier.predict_proba(test.X),
        )
        assert (np.abs(np.array(list(found.values())) - expected) <= atol).all(), found

    return check
