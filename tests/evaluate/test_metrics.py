import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.evaluate import metrics, ranking_metrics
from labelsift.evaluate._metric_arguments import zero_one
from labelsift.evaluate.metrics import METRICS, measure
from reference import metrics as reference
from shared_data import golden

Y = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 1]])
S = np.array([[0.9, 0.8, 0.4, 0.1], [0.2, 0.2, 0.7, 0.1], [0.6, 0.5, 0.3, 0.5]])
P = (S >= 0.5).astype(int)
RANKING = ("one_error", "coverage", "ranking_loss", "average_precision")

# An empty row, a full row, and one row whose only label ties for the first place.
Y_EDGE = [[0, 0, 0], [1, 1, 1], [1, 0, 0]]
S_EDGE = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.5, 0.5, 0.1]]


def tables(draw_seed, n=7, L=5):
    rng = np.random.default_rng(draw_seed)
    truth = (rng.random((n, L)) < rng.random()).astype(int)
    return truth, rng.integers(0, 4, (n, L)) / 4, rng.integers(0, 2, (n, L))


@pytest.mark.parametrize(
    ("ties", "coverage", "precision", "loss"),
    [
        ("first", 2, (5 / 6 + 1 / 3 + 1) / 3, (1 / 4 + 2 / 3) / 3),
        ("max", 2, (5 / 6 + 1 / 3 + 1) / 3, (1 / 4 + 2 / 3) / 3),
        ("mulan", 5 / 3, (5 / 6 + 1 / 2 + 1) / 3, (1 / 4 + 1 / 3) / 3),
    ],
)
def test_worked_example(ties, coverage, precision, loss):
    assert metrics.hamming_loss(Y, P) == pytest.approx(1 / 3)
    assert metrics.one_error(Y, S, ties=ties) == pytest.approx(1 / 3)
    assert metrics.coverage(Y, S, ties=ties) == pytest.approx(coverage)
    assert metrics.average_precision(Y, S, ties=ties) == pytest.approx(precision)
    assert metrics.ranking_loss(Y, S, ties=ties) == pytest.approx(loss)


def test_half_a_tie_is_half_an_error_in_ranking_loss_only():
    assert metrics.ranking_loss(Y, S, ties="half") == pytest.approx(0.25)
    for name in ("one_error", "coverage", "average_precision"):
        with pytest.raises(ValueError, match="ties must be one of"):
            METRICS[name](Y, S, ties="half")


def test_rows_with_no_label_or_all_are_left_out_by_default():
    values = measure(RANKING, Y_EDGE, scores=S_EDGE)
    assert values == {
        "one_error": 0,
        "coverage": 0,
        "ranking_loss": 0.5,
        "average_precision": 1,
    }
    values = measure(RANKING, Y_EDGE, scores=S_EDGE, ties="max")
    assert values == {
        "one_error": 1,
        "coverage": 1,
        "ranking_loss": 0.5,
        "average_precision": 0.5,
    }


def test_each_rule_for_rows_with_no_label_or_all():
    rows = metrics.ranking_rows(Y_EDGE, S_EDGE, empty="mulan")
    assert rows["one_error"].tolist() == [1, 0, 0]
    assert rows["coverage"].tolist() == [0, 2, 0]
    assert rows["ranking_loss"].tolist() == [0, 0, 0.5]
    assert np.isnan(rows["average_precision"]).tolist() == [True, False, False]
    assert metrics.average_precision(Y_EDGE, S_EDGE, empty="mulan") == 1
    rows = metrics.ranking_rows(Y_EDGE, S_EDGE, empty="sklearn", ties="max")
    assert rows["one_error"].tolist() == [1, 0, 1]
    assert rows["coverage"].tolist() == [-1, 2, 1]
    assert rows["ranking_loss"].tolist() == [0, 0, 0.5]
    assert rows["average_precision"].tolist() == [1, 1, 0.5]


def test_no_row_left_gives_nan():
    for name in RANKING:
        assert math.isnan(METRICS[name]([[0, 0], [1, 1]], [[0.1, 0.2], [0.3, 0.4]]))
    assert math.isnan(metrics.hamming_loss(np.zeros((0, 2)), np.zeros((0, 2))))
    assert math.isnan(metrics.macro_auc([[0, 1], [0, 1]], [[0.1, 0.2], [0.3, 0.4]]))


def test_coverage_is_one_less_than_in_scikit_learn_and_can_be_normalised():
    truth, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    assert metrics.coverage(truth, scores) == 1.5
    assert metrics.coverage(truth, scores, normalized=True) == 0.5
    assert sklearn.metrics.coverage_error(truth, scores) == 2.5


@given(seed=st.integers(0, 2**32 - 1))
def test_every_row_matches_the_plain_definitions(seed):
    truth, scores, _ = tables(seed)
    usable = (truth.sum(axis=1) > 0) & (truth.sum(axis=1) < truth.shape[1])
    for ties in ("first", "max", "mulan", "half"):
        rows = metrics.ranking_rows(truth, scores, ties=ties, half=True)
        for i in range(len(truth)):
            for name in ("ranking_loss",) if ties == "half" else RANKING:
                if usable[i]:
                    row = truth[i].tolist(), scores[i].tolist()
                    expected = getattr(reference, name)(*row, ties)
                    assert rows[name][i] == pytest.approx(expected, abs=1e-12)
                else:
                    assert math.isnan(rows[name][i])


@given(seed=st.integers(0, 2**32 - 1))
def test_equal_to_scikit_learn_where_it_has_the_metric(seed):
    truth, scores, predictions = tables(seed)
    options = {"empty": "sklearn", "ties": "max"}
    ours = measure(RANKING, truth, scores=scores, **options)
    theirs = {
        "coverage": sklearn.metrics.coverage_error(truth, scores) - 1,
        "ranking_loss": sklearn.metrics.label_ranking_loss(truth, scores),
        "average_precision": sklearn.metrics.label_ranking_average_precision_score(
            truth, scores
        ),
    }
    for name, value in theirs.items():
        assert ours[name] == pytest.approx(value, abs=1e-12)
    for average in ("micro", "macro", "samples"):
        short = "example" if average == "samples" else average
        for zero in (0.0, 1.0):
            value = sklearn.metrics.f1_score(
                truth, predictions, average=average, zero_division=zero
            )
            found = METRICS[f"{short}_f1"](truth, predictions, zero_division=zero)
            assert found == pytest.approx(value, abs=1e-12)
        for kind in ("precision", "recall"):
            function = getattr(sklearn.metrics, f"{kind}_score")
            value = function(truth, predictions, average=average, zero_division=0)
            found = METRICS[f"{short}_{kind}"](truth, predictions, zero_division=0)
            assert found == pytest.approx(value, abs=1e-12)
    jaccard = sklearn.metrics.jaccard_score(
        truth, predictions, average="samples", zero_division=1
    )
    assert metrics.example_accuracy(truth, predictions) == pytest.approx(jaccard)
    assert metrics.hamming_loss(truth, predictions) == pytest.approx(
        sklearn.metrics.hamming_loss(truth, predictions)
    )
    assert metrics.subset_accuracy(truth, predictions) == pytest.approx(
        sklearn.metrics.accuracy_score(truth, predictions)
    )
    both = [0 < c < len(truth) for c in truth.sum(axis=0)]
    if all(both):
        assert metrics.macro_auc(truth, scores) == pytest.approx(
            sklearn.metrics.roc_auc_score(truth, scores, average="macro")
        )
        assert metrics.micro_auc(truth, scores) == pytest.approx(
            sklearn.metrics.roc_auc_score(truth, scores, average="micro")
        )


@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_rows_and_container_change_nothing_to_the_last_bit(seed):
    truth, scores, predictions = tables(seed, n=11)
    order = np.random.default_rng(seed).permutation(len(truth))
    expected = measure(METRICS, truth, predictions=predictions, scores=scores)
    shuffled = measure(
        METRICS, truth[order], predictions=predictions[order], scores=scores[order]
    )
    stored = measure(
        METRICS,
        sparse.csc_matrix(truth),
        predictions=sparse.csr_array(predictions),
        scores=sparse.csr_array(scores),
    )
    frames = measure(
        METRICS,
        pd.DataFrame(truth),
        predictions=pl.DataFrame(predictions),
        scores=scores.tolist(),
    )
    for other in (shuffled, stored, frames):
        np.testing.assert_array_equal(list(other.values()), list(expected.values()))


@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_labels_matters_only_for_ties(seed):
    truth, _, predictions = tables(seed)
    rng = np.random.default_rng(seed)
    scores = rng.permutation(truth.size).reshape(truth.shape) / truth.size
    order = rng.permutation(truth.shape[1])
    expected = measure(METRICS, truth, predictions=predictions, scores=scores)
    moved = measure(
        METRICS,
        truth[:, order],
        predictions=predictions[:, order],
        scores=scores[:, order],
    )
    np.testing.assert_allclose(
        list(moved.values()), list(expected.values()), atol=1e-12
    )


MULAN = {
    "hamming_loss": "hamming_loss",
    "subset_accuracy": "subset_accuracy",
    "example_based_precision": "example_precision",
    "example_based_recall": "example_recall",
    "example_based_f_measure": "example_f1",
    "example_based_accuracy": "example_accuracy",
    "micro_precision": "micro_precision",
    "micro_recall": "micro_recall",
    "micro_f_measure": "micro_f1",
    "macro_precision": "macro_precision",
    "macro_recall": "macro_recall",
    "macro_f_measure": "macro_f1",
    "average_precision": "average_precision",
    "coverage": "coverage",
    "one_error": "one_error",
    "ranking_loss": "ranking_loss",
    "micro_auc": "micro_auc",
    "macro_auc": "macro_auc",
}


def test_every_measure_of_mulan_on_its_small_cases():
    case = golden("mulan_measures_a.json")["values"]
    truth, scores = np.array(case["truth"]), np.array(case["confidences"])
    named = np.array(case["bipartition"])
    options = {"empty": "mulan", "ties": "mulan"}

    def check(expected, rows):
        ours = measure(
            MULAN.values(),
            truth[rows],
            predictions=named[rows],
            scores=scores[rows],
            **options,
        )
        for theirs, name in MULAN.items():
            if theirs in expected:
                value = expected[theirs]
                value = math.nan if value is None else value
                assert ours[name] == pytest.approx(value, abs=1e-11, nan_ok=True), name

    check(case["aggregate"], slice(None))
    reversed_pairs = metrics.ranking_rows(truth, scores, **options)["reversed_pairs"]
    assert reversed_pairs.mean() == case["aggregate"]["error_set_size"]
    assert (reversed_pairs > 0).mean() == case["aggregate"]["is_error"]
    for i, expected in enumerate(case["per_instance"]):
        check(expected, slice(i, i + 1))
        assert reversed_pairs[i] == expected["error_set_size"]


def test_label_neither_relevant_nor_predicted_counts_by_a_stated_rule():
    truth, named = [[1, 0], [1, 0]], [[1, 0], [0, 0]]
    first = 2 / 3  # one hit, one miss
    assert metrics.macro_f1(truth, named) == pytest.approx((first + 1) / 2)
    assert metrics.macro_f1(truth, named, zero_division=0) == pytest.approx(first / 2)
    skipped = metrics.macro_f1(truth, named, zero_division=math.nan)
    assert skipped == pytest.approx(first)
    # Row 2 has a label and no prediction: its precision is 0 by any rule.
    assert metrics.example_precision(truth, named) == 0.5
    with pytest.raises(ValueError, match="zero_division must be 0, 1 or nan"):
        metrics.macro_f1(truth, named, zero_division=0.5)


def test_registry_knows_names_needs_and_orientation():
    assert list(METRICS)[:5] == [
        "hamming_loss",
        "one_error",
        "coverage",
        "ranking_loss",
        "average_precision",
    ]
    perfect = {"predictions": Y, "scores": Y + np.arange(4) / 100}
    worst = {"predictions": 1 - Y, "scores": 1 - perfect["scores"]}
    for name, metric in METRICS.items():
        assert metric.name == name
        better = metric(Y, perfect[metric.needs])
        worse = metric(Y, worst[metric.needs])
        assert better != worse, name
        assert (better > worse) == metric.greater_is_better, name


def test_scores_are_not_replaced_by_predictions():
    with pytest.raises(ValueError, match=r"coverage needs scores.*cannot stand for"):
        measure(["hamming_loss", "coverage"], Y, predictions=P)
    with pytest.raises(ValueError, match="hamming_loss needs predictions"):
        measure(["hamming_loss"], Y, scores=S)
    with pytest.raises(ValueError, match="unknown metric 'accuracy'"):
        measure(["accuracy"], Y, scores=S)
    with pytest.raises(ValueError, match="for ranking_loss only"):
        measure(["coverage"], Y, scores=S, ties="half")
    assert measure(["ranking_loss"], Y, scores=S, ties="half") == {"ranking_loss": 0.25}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.hamming_loss(Y, P[:, :3]), r"same shape; found \(3, 4\) and"),
        (lambda: metrics.coverage(Y, S[:2]), r"Y and S must have the same shape"),
        (lambda: metrics.hamming_loss(Y, S), "P must hold only 0 and 1; found 0.9"),
        (lambda: metrics.hamming_loss(Y * 2, P), "Y must hold only 0 and 1; found 2"),
        (lambda: metrics.hamming_loss([1, 0], [1, 0]), "One label is one column"),
        (lambda: metrics.coverage(Y, S * np.nan), "S holds NaN in 12 cells"),
        (lambda: metrics.coverage(Y, S.astype(str)), "S must hold numbers"),
        (lambda: metrics.hamming_loss(Y.astype(str), P), "Y must hold 0 and 1; found"),
        (lambda: metrics.coverage(Y, S, empty="keep"), "empty must be one of"),
        (lambda: metrics.coverage(Y, S, ties="last"), "ties must be one of"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_blocks_of_rows_give_the_same_values(monkeypatch):
    rng = np.random.default_rng(0)
    truth = sparse.random_array((40, 3000), density=1e-3, rng=rng, format="csr")
    truth.data[:] = 1
    scores = rng.random((40, 3000))
    expected = sklearn.metrics.label_ranking_average_precision_score(truth, scores)
    monkeypatch.setattr(ranking_metrics, "_BLOCK_ENTRIES", 10_000)  # 3 rows at a time
    found = metrics.average_precision(truth, scores, empty="sklearn", ties="max")
    assert found == pytest.approx(expected)


def test_sparse_predictions_of_the_caller_stay_as_they_are():
    parts = (np.array([1, 0, 1]), np.array([0, 0, 1]), np.array([0, 2, 3]))
    P = sparse.csr_array(parts, shape=(2, 2))
    assert zero_one(P, "P").toarray().tolist() == [[1, 0], [0, 1]]
    assert P.indptr.tolist() == [0, 2, 3]
    assert P.indices.tolist() == [0, 0, 1]


@pytest.mark.parametrize("kind", ["precision", "recall", "f1"])
@pytest.mark.parametrize("average", ["micro", "macro", "example"])
def test_nothing_relevant_and_nothing_predicted_is_right_unless_said(average, kind):
    metric, nothing = METRICS[f"{average}_{kind}"], np.zeros((2, 3), dtype=int)
    assert metric(nothing, nothing) == 1.0
    assert metric(nothing, nothing, zero_division=0) == 0.0
    assert math.isnan(metric(nothing, nothing, zero_division=math.nan))


def test_a_cell_that_is_stored_twice_counts_as_its_sum():
    once = (np.array([1, 1, 1]), np.array([0, 0, 1]), np.array([0, 2, 3]))
    with pytest.raises(ValueError, match="found 2 \\(1 such cell\\)"):
        zero_one(sparse.csr_array(once, shape=(2, 2)), "P")
    zero = (np.array([1, 0, 0]), np.array([0, 0, 1]), np.array([0, 2, 3]))
    matrix = zero_one(sparse.csr_array(zero, shape=(2, 2)), "P")
    assert (matrix.nnz, matrix.data.tolist()) == (1, [1])


@pytest.mark.parametrize(
    ("values", "found"),
    [([1, 0], "found 1 dimension. "), ([[[1]]], "found 3 dimensions. ")],
)
def test_one_dimension_or_three_are_counted_in_words(values, found):
    with pytest.raises(ValueError, match=found):
        metrics.hamming_loss(values, values)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_labels_of_data_frames_are_matched_by_name(frame):
    rng = np.random.default_rng(0)
    Y, P = (rng.integers(0, 2, (30, 3)) for _ in range(2))
    S = rng.random((30, 3))
    names, other = ["calm", "sad", "loud"], [2, 0, 1]

    def turned(values):
        return frame({names[j]: values[:, j] for j in other})

    truth = frame({name: Y[:, j] for j, name in enumerate(names)})
    for name, metric in METRICS.items():
        said = S if metric.needs == "scores" else P
        expected = metric(Y, said)
        assert metric(truth, turned(said)) == expected, name
        assert metric(turned(Y), turned(said)) == pytest.approx(expected), name
        # An array has no names: its columns are taken as they stand.
        assert metric(truth, said) == expected, name
    found = measure(METRICS, truth, predictions=turned(P), scores=turned(S))
    assert found == measure(METRICS, Y, predictions=P, scores=S)


def test_data_frames_with_other_labels_are_refused():
    Y = pd.DataFrame({"calm": [0, 1], "sad": [1, 0]})
    for metric in METRICS.values():
        with pytest.raises(ValueError, match="has 'mad', which Y has not, and lacks"):
            metric(Y, Y.rename(columns={"sad": "mad"}))
        with pytest.raises(ValueError, match="must have the same shape"):
            metric(Y, Y[["sad"]])
    # A number that stands for a place is no name.
    assert metrics.hamming_loss(Y, pd.DataFrame(Y.to_numpy())) == 0.0
