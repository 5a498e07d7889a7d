"""Classes of the rows in every problem, worked by hand."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.score import relief_problems as module
from labelsift.score.relief_problems import class_problem, label_problems

# label sets: ab, a, b, b, none; the third label is on every row but the last
Y = np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1], [0, 0, 0]])
FORMS = [np.asarray, sparse.csr_array]


def test_rows_of_one_class_are_no_problem():
    assert class_problem(np.zeros(4, dtype=int), 1).n_problems == 0
    assert class_problem(np.full(4, 2), 3).n_problems == 0
    found = class_problem(np.array([2, 0, 2, 2]), 3)
    assert found.n_problems == 1
    assert found.priors.tolist() == [0.25, 0.0, 0.75]
    assert found.class_indptr.tolist() == [0, 3]
    indptr, rows = found.members()
    assert indptr.tolist() == [0, 1, 1, 4, 8]
    assert rows.tolist() == [1, 0, 2, 3, 0, 1, 2, 3]
    assert found.most_neighbors(2).tolist() == [1 + 0 + 2] * 4


@pytest.mark.parametrize("form", FORMS)
def test_a_problem_for_each_label_that_parts_the_rows(form):
    found = label_problems(as_label_matrix(form(Y)), "binary_relevance")
    assert found.first.tolist() == [0, 1, 2]
    assert found.priors.tolist() == [3 / 5, 2 / 5, 2 / 5, 3 / 5, 1 / 5, 4 / 5]
    assert found.class_indptr.tolist() == [0, 2, 4, 6]
    indptr, rows = found.members()
    assert indptr.tolist() == [0, 2, 5, 9, 14]
    assert rows.tolist() == [0, 1, 0, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4]
    assert found.most_neighbors(2).tolist() == [2 + 2 + 2 + 2 + 1 + 2] * 5
    full = label_problems(as_label_matrix(form(Y[:4])), "binary_relevance")
    assert full.first.tolist() == [0, 1]  # all of the rows carry the third


@pytest.mark.parametrize("form", FORMS)
def test_a_problem_for_each_pair_that_parts_some_rows(form):
    found = label_problems(as_label_matrix(form(Y)), "pairwise")
    # a row with a alone, two with b alone; no row has a or b without the third
    assert (found.first.tolist(), found.second.tolist()) == ([0], [1])
    assert found.priors.tolist() == [1 / 3, 2 / 3]
    assert found.most_neighbors(3).tolist() == [
        2 * 3 * h * (3 - h) for h in (3, 2, 2, 2, 0)
    ]


def test_too_many_cells_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_ENTRIES", 14)
    with pytest.raises(ValueError, match="5 rows x 3 labels are more than the 14"):
        label_problems(as_label_matrix(Y), "pairwise")
    monkeypatch.setattr(module, "MAX_ENTRIES", 15)
    assert label_problems(as_label_matrix(Y), "pairwise").n_problems == 1
