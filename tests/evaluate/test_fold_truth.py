import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.evaluate import METRICS
from labelsift.evaluate._fold_truth import FoldTruth
from labelsift.evaluate._label_agreement import Counts, auc
from labelsift.evaluate.metrics import measure
from labelsift.kernels.agreement import exact_means


@given(seed=st.integers(0, 2**32 - 1))
def test_the_same_numbers_as_measure_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    n, L = int(rng.integers(1, 12)), int(rng.integers(1, 5))
    Y = (rng.random((n, L)) < rng.random()).astype(np.int64)
    P = (rng.random((n, L)) < rng.random()).astype(np.int64)
    S = rng.integers(0, 4, (n, L)) / 3
    found = FoldTruth(Y, tuple(METRICS)).fields(P, S)
    expected = measure(METRICS, Y, predictions=P, scores=S)
    assert list(found["values"]) == list(expected)
    np.testing.assert_array_equal(
        list(found["values"].values()), list(expected.values())
    )
    both, relevant, named = Counts(Y, P).per_label()
    np.testing.assert_array_equal(found["true_positives"], both)
    np.testing.assert_array_equal(found["false_positives"], named - both)
    np.testing.assert_array_equal(found["false_negatives"], relevant - both)
    np.testing.assert_array_equal(
        found["auc"], [auc(Y[:, j] == 1, S[:, j]) for j in range(L)]
    )
    assert found["rows_without_prediction"] == (P.sum(axis=1) == 0).sum()


def test_without_scores_there_is_no_area():
    Y = np.array([[0, 1], [1, 0]])
    found = FoldTruth(Y, ("hamming_loss",)).fields(Y, None)
    assert found["auc"] is None
    assert found["values"] == {"hamming_loss": 0.0}


def test_predictions_and_scores_are_checked():
    truth = FoldTruth(np.array([[0, 1], [1, 0]]), ("hamming_loss",))
    with pytest.raises(ValueError, match="P must hold only 0 and 1; found 2"):
        truth.fields(np.array([[0, 2], [1, 0]]), None)
    with pytest.raises(ValueError, match="S holds NaN in 1 cell"):
        truth.fields(np.array([[0, 1], [1, 0]]), np.array([[0.5, np.nan], [1, 0]]))


@given(seed=st.integers(0, 2**32 - 1))
def test_many_sets_of_predictions_give_what_each_gives_alone(seed):
    rng = np.random.default_rng(seed)
    n, L, sets = int(rng.integers(1, 9)), int(rng.integers(1, 5)), 3
    Y = (rng.random((n, L)) < rng.random()).astype(np.int64)
    P = (rng.random((sets, n, L)) < rng.random()).astype(np.int64)
    S = rng.integers(0, 4, (sets, n, L)) / 3
    truth = FoldTruth(Y, tuple(METRICS))
    together = truth.all_fields(P, S)
    assert len(together) == sets
    for p, found in enumerate(together):
        alone = truth.fields(P[p], S[p])
        assert found.keys() == alone.keys()
        for key, value in alone.items():
            np.testing.assert_equal(found[key], value)


@given(
    st.lists(
        st.one_of(
            st.floats(-1e15, 1e15, allow_nan=False),
            st.sampled_from([1.0, -1.0, 2.0**-53, -(2.0**-53), 2.0**-106, 3e-320]),
            st.just(math.nan),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_means_are_exact_and_do_not_depend_on_the_order(values):
    kept = [value for value in values if not math.isnan(value)]
    expected = math.fsum(kept) / len(kept) if kept else math.nan
    out = np.empty(2)
    exact_means(np.array([values, values[::-1]]), out)
    np.testing.assert_array_equal(out, [expected, expected])


def test_a_mean_is_rounded_once_where_two_roundings_would_go_astray():
    # 1 + 2^-53 is halfway between two numbers; the last term decides.
    out = np.empty(2)
    exact_means(
        np.array([[1.0, 2.0**-53, 2.0**-106], [1.0, 2.0**-53, -(2.0**-106)]]), out
    )
    assert out.tolist() == [(1.0 + 2.0**-52) / 3, 1.0 / 3]
