import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.label_transform import ClassProblem
from labelsift.encode.sorted_columns import sort_columns
from labelsift.kernels.mdl import class_tables
from labelsift.kernels.mdl_two_classes import label_tables, log_table


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("rule", range(5))
@given(seed=st.integers(0, 2**32 - 1))
def test_two_class_and_many_class_kernels_cut_alike(rule, stored, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    y = (rng.random(n) < rng.random()).astype(np.uint8)
    X = np.round(rng.normal(size=(n, 3)) + y[:, None] * [0, 1, 4], 1)
    X[rng.random(X.shape) < 0.3] = 0
    X[rng.random(X.shape) < 0.05] = np.nan
    block = sort_columns(sparse.csc_array(X) if stored else X, 0, 3)
    columns = block.rows, block.ranks, block.start, block.n_known, block.zero_rank
    rules = np.full(3, rule)
    counts, n_bins, missing = label_tables(*columns, y[None], rules, log_table(n))
    problem = ClassProblem(
        np.arange(n + 1), y.astype(np.int32), np.ones(n), ("without", "with")
    )
    expected = class_tables(
        *columns, problem.start, problem.classes, problem.weights, 2, False, rules
    )
    assert (n_bins[:, 0] == expected[1]).all()
    assert (counts == expected[0]).all()
    assert (missing[:, 0] == expected[2]).all()
    weighted = class_tables(
        *columns, problem.start, problem.classes, problem.weights, 2, True, rules
    )
    assert (weighted[1] == expected[1]).all()
    assert (weighted[0] == expected[0]).all()
