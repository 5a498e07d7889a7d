import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift import Dataset

NAN = np.nan
X = np.array(
    [[0, 1, 5, 0.5, 0], [1, 1, NAN, 0.5, 0], [2, 1, NAN, NAN, 3], [3, 1, NAN, NAN, 0]]
)
Y = np.array([[0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 0, 1]])


def small(x=X, y=Y, **facts):
    kinds = (("p", "q", "r", "s"), None, None, None, None)
    names = ("id", "one", "gap", "half", "last")
    return Dataset(x, y, names, ("none", "rare", "all"), kinds, name="small", **facts)


def test_figures_worked_by_hand():
    found = small().describe()
    assert (found.n_samples, found.n_features, found.n_labels) == (4, 5, 3)
    assert (found.n_numeric, found.n_nominal) == (4, 1)
    assert found.cardinality == 1.25
    assert found.density == pytest.approx(1.25 / 3)
    assert found.n_distinct_label_sets == 2
    assert found.n_unlabelled == 0
    assert found.n_missing == 5
    assert found.missing_share == {"gap": 0.75, "half": 0.5}
    assert list(found.missing_share) == ["gap", "half"]
    assert found.constant_features == ("one", "gap", "half")
    assert found.identifier_features == ("id",)
    assert found.rarest_labels == (("rare", 1), ("all", 4))
    assert found.never_positive == ("none",)
    assert found.always_positive == ("all",)
    assert found.memory_bytes == 4 * 5 * 8 + 4 * 3
    assert not found.is_sparse


def test_sparse_gives_the_same_figures():
    dense = small().describe().to_dict()
    thin = small(sparse.csr_array(X), sparse.csr_array(Y)).describe().to_dict()
    differ = {"is_sparse", "share_stored", "memory_bytes"}
    for key in dense.keys() - differ:
        assert dense[key] == thin[key], key
    assert thin["share_stored"] == 16 / 20


def test_text_says_what_a_reader_should_know():
    text = str(small(source="made up").describe())
    assert text.splitlines() == [
        "small  (made up)",
        "  4 rows · 5 features (4 numeric, 1 nominal) · 3 labels",
        "  labels per row 1.25 (density 0.417) · 2 distinct label sets",
        '  ! 1 label never positive: "none"',
        '  ! 1 label positive in every row: "all"',
        '  ! rarest label: "rare", 1 row; with 10 folds some folds may hold none',
        '  ! another value in every row, so probably an identifier: "id"',
        '  missing values: 5 in 2 features, most in "gap" (75 %) · constant features: 3'
        " · memory 172 B",
    ]


def test_rows_without_labels_are_counted_in_words():
    y = np.zeros((645, 2))
    y[294:, 0] = 1
    data = Dataset(np.arange(645.0)[:, None], y, ("a",), ("k", "l"))
    lines = str(data.describe()).splitlines()
    assert "  ! 294 rows (46 %) carry no label: ranking metrics skip them" in lines
    assert lines[-1].startswith("  missing values: none · constant features: 0 ·")


def test_json_holds_it():
    found = json.loads(json.dumps(small().describe().to_dict()))
    assert found["rarest_labels"] == [["rare", 1], ["all", 4]]


@given(st.integers(0, 2**32 - 1), st.integers(1, 300))
def test_distinct_label_sets_match_a_plain_set_for_any_number_of_labels(seed, q):
    rng = np.random.default_rng(seed)
    y = (rng.random((6, q)) < rng.choice([0, 0.5, 1])).astype(int)[
        rng.integers(0, 6, 20)
    ]
    expected = len(set(map(tuple, y.tolist())))
    for labels in (y, sparse.csr_array(y)):
        data = Dataset(np.zeros((20, 1)), labels, ("a",), tuple(map(str, range(q))))
        assert data.describe().n_distinct_label_sets == expected


def test_no_features_and_no_labels():
    found = Dataset(np.zeros((3, 0)), np.zeros((3, 0)), (), ()).describe()
    assert found.density == 0
    assert found.n_distinct_label_sets == 1
    assert "3 rows · 0 features" in str(found)


def test_one_row_without_labels_is_it_not_them():
    data = Dataset(np.eye(3), np.array([[1], [1], [0]]), list("abc"), ["l"])
    text = str(data.describe())
    assert "1 row (33 %) carries no label: ranking metrics skip it\n" in text + "\n"
