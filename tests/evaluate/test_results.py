import json
import math
import os

import numpy as np
import pytest

from labelsift.evaluate import Results
from labelsift.evaluate.records import ALL_FEATURES, Cell, Fold, Method, Ranking
from labelsift.read import ReadError

LOSSES = {  # selector -> size -> one value a fold
    "good": {1: [0.30, 0.20], 2: [0.10, 0.20], 3: [0.2, 0.2]},
    "<b>odd, name": {1: [0.5, 0.5], 2: [0.4, 0.6], 3: [0.2, 0.2]},
}


def cell(selector, fold, size, loss, precision=math.nan):
    return Cell(
        selector,
        "knn",
        fold,
        size,
        {"hamming_loss": loss, "average_precision": precision},
        np.array([3, 0]),
        np.array([1, 0]),
        np.array([1, 2]),
        np.array([0.75 + fold / 10, math.nan]),
        rows_without_prediction=fold,
        constant_labels=(1,) if fold else (),
        seconds_fit=0.5,
        seconds_predict=0.25,
    )


@pytest.fixture
def results():
    folds = tuple(
        Fold(i, 0, i, 7, 20, 10, (1,) if i else (), (), (1,), 2, 0) for i in range(2)
    )
    rankings = tuple(
        Ranking(name, i, np.array([2, 0, 1]), np.array([1.0, -np.inf, 5.5]), 0.1)
        for name in LOSSES
        for i in range(2)
    )
    cells = [
        cell(name, fold, size, loss, 0.5)
        for name, sizes in LOSSES.items()
        for size, losses in sizes.items()
        for fold, loss in reversed(list(enumerate(losses)))
    ]
    cells += [cell(ALL_FEATURES, i, 3, 0.2) for i in range(2)]
    method = Method("a.B", "B()", {"k": None})
    return Results(
        dataset="toy",
        n_samples=30,
        feature_names=("a", 'b,"c"', "=é"),
        label_names=("calm", "angry"),
        label_counts=(8, 2),
        metrics=("hamming_loss", "average_precision"),
        sizes=(1, 2, 3),
        selectors=dict.fromkeys(LOSSES, method),
        classifiers={"knn": method},
        folds=folds,
        rankings=rankings,
        cells=tuple(cells),
        settings={"cv": 2},
        warnings={"watch out": 3},
    )


def test_curves_come_in_order_of_sizes_and_folds(results):
    sizes, values = results.values("good", "knn")
    assert sizes.tolist() == [1, 2, 3]
    assert values.tolist() == [[0.30, 0.20], [0.10, 0.20], [0.2, 0.2]]
    assert results.baseline("knn").tolist() == [0.2, 0.2]


def test_best_is_the_lowest_loss_and_for_equal_means_the_fewest_features(results):
    best = results.best()
    assert (best.selector, best.n_features) == ("good", 2)
    assert best.mean["hamming_loss"] == pytest.approx(0.15)
    assert best.sd["hamming_loss"] == pytest.approx(0.1 / math.sqrt(2))
    tied = results.best("average_precision")
    assert (tied.selector, tied.n_features) == ("good", 1)


def test_summary_has_a_row_a_method_and_the_base_line(results):
    rows = results.summary().rows
    assert [(r.selector, r.n_features) for r in rows] == [
        ("good", 2),
        ("<b>odd, name", 3),
        (ALL_FEATURES, 3),
    ]
    assert len(results.summary(sizes="all").rows) == 7
    assert "0.150 ± 0.071" in str(results.summary())
    frame = results.summary().to_frame()
    assert frame["hamming_loss"].round(3).tolist() == [0.15, 0.2, 0.2]


def test_difference_from_all_features_worked_by_hand(results):
    # differences -.1 and 0: mean -.05, variance .005; (1/2 + 10/20) * .005 = .005;
    # t(.975, 1 df) = 12.7062, so the half width is 12.7062 * sqrt(.005) = .898465
    found = results.compare_with_all("good", "knn", 2)
    assert found.mean == pytest.approx(-0.05)
    assert found.high - found.mean == pytest.approx(0.898465, abs=1e-5)
    assert found.verdict == "undecided"
    assert results.verdict() == (
        "2 features (good, knn) do as well as all 3, as far as these folds can tell "
        "(Hamming loss difference -0.050, 95 % interval -0.948 to +0.848)."
    )


def test_label_table_sums_counts_over_folds(results):
    calm, angry = results.per_label("good", "knn", 2)
    assert (calm.precision, calm.recall, calm.f1) == (0.75, 0.75, 0.75)
    assert calm.auc == pytest.approx(0.8)
    assert math.isnan(angry.precision)
    assert angry.recall == angry.f1 == 0
    assert math.isnan(angry.auc)
    assert (angry.label, angry.positives) == ("angry", 2)


def test_notes_name_what_limits_trust(results):
    notes = "\n".join(results.notes())
    assert "4 of 20 test rows (20 %) carry no label" in notes
    assert "1 of 2 labels have no positive row in the test part" in notes
    assert "knn with good, 2 features predicts no label for 5 % of the test" in notes
    assert 'predicted as that one value: "angry"' in notes
    assert "Warning, 3 times: watch out" in notes
    assert "chosen on the same folds" in notes


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_tidy_rows_become_a_frame(results, backend):
    frame = results.to_frame(backend)
    assert frame.shape == (28, 17)
    assert set(frame["metric"]) == {"hamming_loss", "average_precision"}
    assert frame["seconds_select"].max() == 0.1
    assert set(frame["seed"]) == {7}


def test_json_round_trip_keeps_every_number_and_name(results, tmp_path):
    path = results.save(tmp_path / "r.json")
    json.loads(path.read_text(), parse_constant=pytest.fail)
    back = Results.load(path)
    for name in ("feature_names", "label_counts", "sizes", "selectors", "settings"):
        assert getattr(back, name) == getattr(results, name)
    assert list(map(str, back.rows())) == list(map(str, results.rows()))
    np.testing.assert_array_equal(back.rankings[0].order, results.rankings[0].order)
    np.testing.assert_array_equal(back.rankings[0].scores, results.rankings[0].scores)
    np.testing.assert_array_equal(back.cells[0].auc, results.cells[0].auc)
    assert back.folds[1].absent_from_train == (1,)
    assert back.verdict() == results.verdict()
    assert os.listdir(tmp_path) == ["r.json"]


def test_csv_holds_the_tidy_rows(results, tmp_path):
    pandas = pytest.importorskip("pandas")
    for ending, separator in ((".csv", ","), (".tsv", "\t")):
        path = results.save(tmp_path / f"r{ending}")
        frame = pandas.read_csv(path, sep=separator)
        assert frame.shape == (28, 17)
        assert "<b>odd, name" in set(frame["selector"])
        with pytest.raises(ReadError, match="cannot be loaded"):
            Results.load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "expected results saved as .json"),
        ("[1]", '"format"'),
        ('{"format": "labelsift results 1"}', "incomplete"),
        ('{"format": "labelsift results 9"}', '"format"'),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(ReadError, match=message):
        Results.load(path)


def test_wrong_names_are_refused_with_the_right_ones(results, tmp_path):
    with pytest.raises(KeyError, match="no selector 'x'; there are: good"):
        results.values("x", "knn")
    with pytest.raises(KeyError, match="no classifier 'x'; there are: knn"):
        results.values("good", "x")
    with pytest.raises(KeyError, match="9 features were not measured; sizes: 1, 2, 3"):
        results.cells_of("good", "knn", 9)
    with pytest.raises(ValueError, match="'x' was not measured"):
        results.best("x")
    with pytest.raises(ValueError, match="found the ending"):
        results.save(tmp_path / "r.xml")
    with pytest.raises(ReadError, match="no such file"):
        Results.load(tmp_path / "none.json")
    with pytest.raises(ValueError, match="'best' or 'all'"):
        results.summary(sizes="some")


def test_notebook_table_escapes_names(results):
    html = results._repr_html_()
    assert "&lt;b&gt;odd, name" in html
    assert "<b>" not in html
