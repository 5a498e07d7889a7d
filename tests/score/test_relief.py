"""How Relief tells what it has done."""

import numpy as np

from labelsift.kernels.progress import listening
from labelsift.score import regression_relief, relief, relief_rows
from labelsift.score.regression_relief import regression_relief_weights
from labelsift.score.relief import relief_weights
from labelsift.score.relief_problems import class_problem
from labelsift.score.relief_rows import ReliefRows

rng = np.random.default_rng(5)
X, CODES = rng.random((128, 3)), rng.integers(0, 2, 128)
ROWS = ReliefRows(X, np.zeros(3, dtype=bool))


def test_rows_are_told_after_every_few_and_in_the_end(monkeypatch):
    monkeypatch.setattr(relief, "_ROWS", 8)
    monkeypatch.setattr(relief, "_REPORTED", 32)
    told = []
    relief_weights(
        ROWS,
        class_problem(CODES, 2),
        n_neighbors=3,
        chosen=np.arange(96, dtype=np.int64),
        report=lambda *words: told.append(words),
    )
    assert told == [(32, 96), (64, 96), (96, 96)]


def test_rows_of_label_sets_are_told_from_the_first_block_on(monkeypatch):
    monkeypatch.setattr(relief_rows, "_SYMMETRIC_BYTES", 0)  # row by row
    monkeypatch.setattr(regression_relief, "_ROWS", 32)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    told = []
    with listening(lambda *words: told.append(words)):
        regression_relief_weights(
            ROWS,
            (np.arange(129), CODES.astype(np.int32)),
            n_labels=2,
            label_distance="hamming",
            n_neighbors=3,
        )
    assert told == [(done, 128, "rows") for done in (32, 64, 96, 128)]


def test_distances_that_differ_by_the_order_of_their_terms_only_are_equal():
    distances = np.array([0.1 + 0.2 + 0.7, 0.7 + 0.2 + 0.1, 0.7 + 0.1 + 0.2])
    assert len(set(distances.tolist())) > 1
    keys = regression_relief._keys(np.append(distances, [1 - 1e-11, 1 + 1e-11]))
    assert len(set(keys[:3].tolist())) == 1
    assert keys[3] < keys[0] < keys[4]
