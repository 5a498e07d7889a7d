"""Benchmark data for classifier tests."""

import functools
import gzip
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from labelsift.evaluate.metrics import measure
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
    attributes, rows = [], []
    labels = {
        e.attrib["name"]
        for e in ElementTree.parse(xml).iter()
        if e.tag.endswith("label")
    }
    with gzip.open(path, "rt") as lines:
        for line in lines:
            text = line.strip()
            lower = text.lower()
            if not text or text.startswith("%") or lower.startswith("@relation"):
                continue
            if lower.startswith("@attribute"):
                name, kind = text[len("@attribute") :].strip().rsplit(None, 1)
                if text.endswith("}"):
                    name, kind = text[len("@attribute") :].strip().split("{", 1)
                    kind = kind.rstrip("}").split(",")
                attributes.append((name.strip().strip("'\""), kind))
            elif not lower.startswith("@data"):
                rows.append(text)
    values = np.zeros((len(rows), len(attributes)))
    for i, row in enumerate(rows):
        if row.startswith("{"):
            cells = [c.split() for c in row.strip("{}").split(",") if c.strip()]
            cells = [(int(j), v) for j, v in cells]
        else:
            cells = enumerate(row.split(","))
        for j, cell in cells:
            kind, v = attributes[j][1], cell.strip()
            if v == "?":
                values[i, j] = np.nan
            elif isinstance(kind, list) and not v.replace("-", "").isdigit():
                values[i, j] = [c.strip() for c in kind].index(v)
            else:  # a nominal value that is a number stands for itself
                values[i, j] = float(v)
    plain = {name.replace("\\", "") for name in labels}
    is_label = np.array([a[0].replace("\\", "") in plain for a in attributes])
    nominal = np.array([isinstance(a[1], list) for a in attributes])
    return SimpleNamespace(
        X=values[:, ~is_label],
        Y=values[:, is_label].astype(np.uint8),
        is_nominal=nominal[~is_label],
    )


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
