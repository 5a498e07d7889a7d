import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import RFE, VarianceThreshold
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from labelsift.evaluate import METRICS, cross_validate
from labelsift.evaluate._outputs import scores_of
from labelsift.evaluate.metrics import average_precision, hamming_loss
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.learn import MLkNN
from labelsift.read import Dataset


class Correlation(BaseEstimator):
    """Score a feature by its largest absolute correlation with a label."""

    def __init__(self, power=1):
        self.power = power

    def fit(self, X, y):
        X = X.toarray() if sparse.issparse(X) else X
        Y = y.toarray() if sparse.issparse(y) else y
        X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
        norms = np.outer(np.sqrt((X**2).sum(axis=0)), np.sqrt((Y**2).sum(axis=0)))
        found = np.divide(X.T @ Y, norms, out=np.zeros(norms.shape), where=norms > 0)
        self.scores_ = np.abs(found).max(axis=1) ** self.power
        self.rows_ = len(X)
        return self


class OnlyPredicts(ClassifierMixin, BaseEstimator):
    def fit(self, X, Y):
        self.n_labels_ = Y.shape[1]
        return self

    def predict(self, X):
        return np.zeros((len(X), self.n_labels_), dtype=int)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 8))
    Y = (X[:, [3, 5, 3]] + 0.3 * rng.normal(size=(90, 3)) > 0).astype(int)
    return X, Y


def run(X, Y, selectors=None, classifiers=None, **options):
    selectors = Correlation() if selectors is None else selectors
    classifiers = KNeighborsClassifier() if classifiers is None else classifiers
    options = {"grid": [1, 2, 8], "cv": 3, **options}
    return cross_validate(selectors, classifiers, X, Y, **options)


def numbers(results):
    """Everything but the times."""
    hidden = ("seconds_select", "seconds_fit", "seconds_predict")
    return [
        tuple(str(value) for key, value in row.items() if key not in hidden)
        for row in results.rows()
    ]


def test_equals_a_loop_written_by_hand(data):
    X, Y = data
    results = run(X, Y, n_repeats=2, random_state=4)
    expected = {}
    for repeat in range(2):
        splits = KFold(3, shuffle=True, random_state=4 + repeat).split(X)
        for fold, (train, test) in enumerate(splits):
            scores = Correlation().fit(X[train], Y[train]).scores_
            order = np.argsort(-scores, kind="stable")
            for size in (1, 2, 8):
                columns = np.sort(order[:size])
                knn = KNeighborsClassifier().fit(X[train][:, columns], Y[train])
                proba = knn.predict_proba(X[test][:, columns])
                predicted = knn.predict(X[test][:, columns])
                key = repeat, fold, size
                expected[(*key, "hamming_loss")] = hamming_loss(Y[test], predicted)
                expected[(*key, "average_precision")] = average_precision(
                    Y[test], np.column_stack([p[:, 1] for p in proba])
                )
    found = {
        (row["repeat"], row["fold"], row["n_features"], row["metric"]): row["value"]
        for row in results.rows()
        if row["selector"] == "Correlation"
    }
    assert len(found) == 2 * 3 * 3 * 8
    for key, value in expected.items():
        assert found[key] == value
    assert {row["seed"] for row in results.rows()} == {4, 5}


def test_informative_features_are_found_and_two_do_as_well_as_all(data):
    results = run(*data, metrics=["hamming_loss"])
    for ranking in results.rankings:
        assert set(ranking.order[:2]) == {3, 5}
    assert results.best().n_features == 2
    assert "2 features (Correlation, KNeighborsClassifier)" in results.verdict()


def test_selection_on_pure_noise_scores_chance():
    # 2000 noise features, 60 rows: choosing the best 10 on all rows before the folds
    # makes coin flips look predictable; choosing inside the fold does not.
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(60, 2000)), rng.integers(0, 2, (60, 4))
    options = {
        "grid": [10],
        "cv": 5,
        "n_repeats": 3,
        "metrics": ["hamming_loss", "macro_auc"],
        "baseline": False,
    }
    nb = MultiOutputClassifier(GaussianNB())
    honest = run(X, Y, classifiers=nb, **options).best()
    # 240 cells a repetition: one standard error of the share is .032
    assert abs(honest.mean["hamming_loss"] - 0.5) < 0.1
    assert abs(honest.mean["macro_auc"] - 0.5) < 0.1
    chosen = np.argsort(-Correlation().fit(X, Y).scores_)[:10]
    leaky = run(X[:, chosen], Y, classifiers=nb, **options).best()
    assert leaky.mean["hamming_loss"] < 0.38


def test_selectors_and_classifiers_never_see_test_rows(data):
    X, Y = data
    marked = np.column_stack([X, np.arange(90)])
    seen = []

    class Spy(Correlation):
        def fit(self, X, y):
            seen.append(set(X[:, -1].astype(int)))
            return super().fit(X, y)

    class SpyKNN(KNeighborsClassifier):
        def fit(self, X, y):
            seen.append(set(X[:, -1].astype(int)))
            return super().fit(X, y)

        def predict(self, X):
            self.tested_ = set(X[:, -1].astype(int))
            assert not self.tested_ & seen[-1]
            return super().predict(X)

    run(marked, Y, Spy(), SpyKNN(), grid=[9], baseline=False)
    assert len(seen) == 6
    assert all(len(rows) == 60 for rows in seen)


def test_the_same_numbers_for_any_number_of_processes(data):
    X, Y = data
    kinds = {"trees": ExtraTreesClassifier(5), "forest": ExtraTreesClassifier(3)}
    one, two = (
        run(
            X, Y, {"a": Correlation(), "b": ExtraTreesClassifier(5)}, kinds, n_jobs=jobs
        )
        for jobs in (1, 2)
    )
    assert numbers(one) == numbers(two)
    for a, b in zip(one.rankings, two.rankings, strict=True):
        np.testing.assert_array_equal(a.order, b.order)


def test_sparse_and_frame_and_dataset_give_the_same_numbers(data):
    pandas = pytest.importorskip("pandas")
    X, Y = data
    X = np.where(np.abs(X) < 0.8, 0, X)

    def same(X, Y):  # this classifier treats sparse rows as it treats dense ones
        return run(X, Y, classifiers=DecisionTreeClassifier())

    expected = numbers(same(X, Y))
    names = [f"x{i}" for i in range(8)]
    labels = [f"label{i}" for i in range(3)]
    assert numbers(same(sparse.csr_array(X), sparse.csr_array(Y))) == expected
    frames = pandas.DataFrame(X, columns=names), pandas.DataFrame(Y, columns=labels)
    assert numbers(same(*frames)) == expected
    dataset = Dataset(X, Y, names, labels, name="data")
    assert numbers(same(dataset, None)) == expected
    assert run(dataset, None, dataset_name="other").dataset == "other"


def test_each_selector_is_fitted_once_a_fold_and_equal_columns_share_a_fit(data):
    fits = []

    class Counted(Correlation):
        def fit(self, X, y):
            fits.append("select")
            return super().fit(X, y)

    class CountedKNN(KNeighborsClassifier):
        def fit(self, X, y):
            fits.append("fit")
            return super().fit(X, y)

    run(*data, {"a": Counted(), "b": Counted(power=3)}, CountedKNN())
    # both selectors order alike: sizes 1, 2 and 8 = base line, once a fold
    assert fits.count("select") == 2 * 3
    assert fits.count("fit") == 3 * 3


def test_the_users_estimators_stay_unfitted(data):
    selector, classifier = Correlation(), ExtraTreesClassifier(3)
    run(*data, selector, classifier)
    assert not hasattr(selector, "scores_")
    assert not hasattr(classifier, "classes_")
    assert classifier.random_state is None


@pytest.mark.parametrize(
    "classifier",
    [
        KNeighborsClassifier(),
        DecisionTreeClassifier(),
        RidgeClassifier(),
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(LinearSVC()),
        MultiOutputClassifier(LogisticRegression()),
        MultiOutputClassifier(GaussianNB()),
    ],
    ids=lambda c: " ".join(repr(c).split()),
)
def test_scikit_learn_classifiers_rank_labels_by_their_scores(data, classifier):
    found = run(*data, classifiers=classifier, grid=[2], baseline=False).best()
    assert found.mean["hamming_loss"] < 0.25
    assert found.mean["average_precision"] > 0.85


@pytest.mark.parametrize(
    "classifier",
    [KNeighborsClassifier(), DecisionTreeClassifier(), RidgeClassifier()],
)
def test_one_label_works(data, classifier):
    X, Y = data
    found = run(X, Y[:, :1], classifiers=classifier, metrics=["macro_auc", "micro_f1"])
    assert found.best().mean["macro_auc"] > 0.75


@pytest.mark.parametrize(
    "classifier",
    [
        MultiOutputClassifier(LogisticRegression()),
        OneVsRestClassifier(LogisticRegression()),
        KNeighborsClassifier(),
        RidgeClassifier(),
    ],
    ids=lambda c: " ".join(repr(c).split()),
)
def test_a_label_missing_from_a_training_part_is_marked_and_predicted_absent(
    data, classifier
):
    X, Y = data
    splits = [(np.arange(60), np.arange(60, 90)), (np.arange(30, 90), np.arange(30))]
    rare = np.zeros(90, dtype=int)
    rare[60:63] = 1  # absent from the first training part
    common = np.ones(90, dtype=int)
    Y = np.column_stack([Y, rare, common])
    results = run(X, Y, classifiers=classifier, cv=splits)
    assert results.folds[0].absent_from_train == (3,)
    assert results.folds[0].everywhere_in_train == (4,)
    assert results.folds[1].absent_from_test == (3,)
    first = results.cells_of("Correlation", type(classifier).__name__, 2)[0]
    assert first.true_positives[3:].tolist() == [0, 30]
    assert first.false_positives[3] == 0
    assert first.false_negatives[3] == 3
    if isinstance(classifier, MultiOutputClassifier):
        assert first.constant_labels == (3, 4)
    text = "\n".join(results.notes())
    assert '"label3"' in text
    assert "have no positive row in the training part" in text


def test_all_labels_constant_in_training_is_no_crash(data):
    X, _ = data
    Y = np.zeros((90, 2), dtype=int)
    Y[0] = 1
    splits = [(np.arange(30, 90), np.arange(30))]
    classifier = MultiOutputClassifier(LogisticRegression())
    results = run(X, Y, classifiers=classifier, cv=splits)
    cell = results.cells_of("Correlation", "MultiOutputClassifier", 1)[0]
    assert cell.values["hamming_loss"] == pytest.approx(1 / 30)
    assert cell.constant_labels == (0, 1)
    assert np.isnan(cell.values["one_error"])  # no row has some labels and not others


def test_rows_without_labels_or_predictions_are_counted(data):
    X, Y = data
    Y = Y.copy()
    Y[:10] = 0
    classifier = DummyClassifier(strategy="constant", constant=[0, 0, 0])
    results = run(X, Y, classifiers=classifier)
    empty = int((Y.sum(axis=1) == 0).sum())
    assert sum(fold.rows_without_label for fold in results.folds) == empty
    assert f"{empty} of 90 test rows" in "\n".join(results.notes())
    cells = results.cells_of("Correlation", "DummyClassifier", 1)
    assert [cell.rows_without_prediction for cell in cells] == [30, 30, 30]
    assert "predicts no label for 100 % of the test rows" in "\n".join(results.notes())


def test_ranking_metrics_refuse_bare_predictions(data):
    with pytest.raises(TypeError, match="OnlyPredicts has neither predict_proba nor"):
        run(*data, classifiers=OnlyPredicts())
    found = run(*data, classifiers=OnlyPredicts(), metrics=["hamming_loss"])
    assert found.best().mean["hamming_loss"] == pytest.approx(data[1].mean())
    assert found.cells[0].auc is None


@pytest.mark.parametrize(
    "selector",
    [
        ExtraTreesClassifier(20),
        RFE(DecisionTreeClassifier(), n_features_to_select=1),
        Correlation(),
    ],
    ids=lambda s: type(s).__name__,
)
def test_any_ranker_can_be_cut(data, selector):
    results = run(*data, selectors=selector, metrics=["hamming_loss"])
    assert {results.rankings[0].order[0], results.rankings[0].order[1]} == {3, 5}


def test_a_selector_without_ranking_is_refused(data):
    with pytest.raises(TypeError, match="VarianceThreshold has no ranking to cut"):
        run(*data, selectors=VarianceThreshold())


def test_a_class_vector_reaches_selectors_as_it_is(data):
    from sklearn.feature_selection import SelectKBest, f_classif

    X, Y = data
    y = np.array(["low", "high"])[Y[:, 0]]
    X = np.column_stack([X, np.zeros(90)])
    results = run(X, y, SelectKBest(f_classif, k=1), grid=[1, 9])
    assert results.label_names == ("high", "low")
    assert [r.order[0] for r in results.rankings] == [3, 3, 3]
    assert [r.order[-1] for r in results.rankings] == [8, 8, 8]  # NaN ranks last
    assert any("constant" in text for text in results.warnings)


def test_fractions_sizes_all_and_default():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(20, 20)), rng.integers(0, 2, (20, 2))

    def sizes(grid):
        return run(
            X, Y, None, OnlyPredicts(), grid=grid, cv=2, metrics=["micro_f1"]
        ).sizes

    assert sizes([0.1, 0.5, 3, 1.0]) == (2, 3, 10, 20)
    assert sizes(0.01) == (1,)
    assert sizes(7) == (7,)
    assert sizes("all") == tuple(range(1, 21))
    assert sizes(None) == (1, 2, 4, 6, 8, 10, 14, 20)


def test_splitters_given_splits_and_repeats(data):
    X, Y = data
    results = run(X, Y, cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0))
    assert [(f.repeat, f.fold) for f in results.folds] == [
        (r, f) for r in range(2) for f in range(3)
    ]
    assert results.folds[0].seed is None
    masks = np.arange(90) % 3 == 0
    given = run(X, Y, cv=[(~masks, masks)])
    assert (given.folds[0].n_train, given.folds[0].n_test) == (60, 30)
    assert len(run(X, Y, cv=ShuffleSplit(2, random_state=0)).folds) == 2
    groups = np.repeat(np.arange(9), 10)
    assert len(run(X, Y, cv=GroupKFold(3), groups=groups).folds) == 3
    spread = run(X, Y, stratify="iterative", n_repeats=2)
    assert len(spread.folds) == 6
    assert "iterative" in spread.settings["splits"]


def test_names_come_from_classes_settings_or_the_user(data):
    results = run(*data, [Correlation(), Correlation(2)], metrics=["hamming_loss"])
    assert list(results.selectors) == ["Correlation()", "Correlation(power=2)"]
    assert results.selectors["Correlation(power=2)"].settings == {"power": 2}
    results = run(*data, {"r": Correlation()}, [KNeighborsClassifier(3)])
    assert list(results.selectors) == ["r"]
    assert list(results.classifiers) == ["KNeighborsClassifier"]
    assert {c.selector for c in results.cells} == {"r", ALL_FEATURES}


def test_progress_counts_up_to_all_fits(data):
    steps = []
    run(*data, progress=lambda done, total: steps.append((done, total)))
    total = 3 * (1 + 3 + 1)
    assert steps[0] == (0, total)
    assert steps[-1] == (total, total)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_a_progress_bar_is_silent_where_there_is_no_terminal(data, capsys):
    run(*data, progress=True)
    assert capsys.readouterr() == ("", "")


def test_an_error_says_which_estimator_and_fold(data):
    X, Y = data
    X = X.copy()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN") as caught:
        run(X, Y, selectors=ExtraTreesClassifier(3), classifiers=RidgeClassifier())
    note = "In classifier RidgeClassifier with 8 features, repeat 0, fold "
    assert note in caught.value.__notes__[0]


def test_results_can_be_repeated_from_a_drawn_seed(data):
    first = run(*data, random_state=None)
    again = run(*data, random_state=first.settings["random_state"])
    assert numbers(first) == numbers(again)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"grid": [0]}, ValueError, "grid asks for 0 features; X has 8"),
        ({"grid": [9]}, ValueError, "grid asks for 9 features; X has 8"),
        ({"grid": [1.5]}, ValueError, "grid holds 1.5"),
        ({"grid": []}, ValueError, "at least one size"),
        ({"grid": "some"}, ValueError, "grid must be 'all'"),
        ({"grid": [True]}, TypeError, "found True"),
        ({"cv": 1}, ValueError, "at least 2 and at most the 90 rows; found 1"),
        ({"cv": 91}, ValueError, "found 91"),
        ({"cv": "ten"}, TypeError, "cv must be a number of folds"),
        ({"cv": []}, ValueError, "gives no split"),
        ({"cv": [1]}, ValueError, "split 0 of cv must be a pair"),
        ({"cv": [([0, 1], [1, 2])]}, ValueError, "same 1 row, first row 1"),
        ({"cv": [([0, 90], [1])]}, ValueError, "names row 90; X has rows 0 to 89"),
        ({"cv": [([], [1])]}, ValueError, "must be row indices"),
        ({"cv": KFold(2), "n_repeats": 2}, ValueError, "decide that themselves"),
        ({"n_repeats": 0}, ValueError, "n_repeats must be a whole number"),
        ({"stratify": "yes"}, ValueError, "False or 'iterative'"),
        ({"groups": [1]}, ValueError, "GroupKFold"),
        ({"metrics": ["accuracy"]}, ValueError, "'accuracy' is not known"),
        ({"metrics": []}, ValueError, "at least one metric"),
        ({"metrics": ["micro_f1"] * 2}, ValueError, "more than once"),
        ({"random_state": -1}, ValueError, "between 0 and"),
        ({"random_state": 0.5}, TypeError, "whole number or None"),
        ({"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
        ({"n_jobs": "two"}, TypeError, "n_jobs must be a whole number"),
        ({"progress": 3}, TypeError, "progress must be True"),
        ({"selectors": [Correlation(), Correlation()]}, ValueError, "give a dict"),
        ({"selectors": [3]}, TypeError, "not a scikit-learn estimator"),
        ({"selectors": "chi2"}, TypeError, "not a scikit-learn .*found 'chi2'"),
        ({"classifiers": "mlknn"}, TypeError, "not a scikit-learn .*found 'mlknn'"),
        ({"metrics": None}, TypeError, "metrics must be names .*found None"),
        ({"baseline": "no"}, TypeError, "baseline must be True or False; found 'no'"),
        ({"selectors": Correlation}, TypeError, "not a scikit-learn estimator"),
        ({"selectors": {1: Correlation()}}, TypeError, "names must be text"),
        ({"selectors": {ALL_FEATURES: Correlation()}}, ValueError, "base line"),
    ],
)
def test_wrong_arguments_are_refused(data, options, error, message):
    with pytest.raises(error, match=message):
        run(*data, **options)


def test_labels_given_twice_or_never_are_refused(data):
    X, Y = data
    dataset = Dataset(X, Y, [f"x{i}" for i in range(8)], list("abc"))
    with pytest.raises(ValueError, match="Y must be left out"):
        run(dataset, Y)
    with pytest.raises(ValueError, match="Y is missing"):
        run(X, None)


def test_every_metric_of_the_registry_can_be_run(data):
    results = run(*data, metrics=list(METRICS), grid=[2])
    assert set(results.best().mean) == set(METRICS)


def test_one_label_keeps_the_direction_of_its_scores(data):
    X, Y = data
    model = MLkNN(5).fit(X, Y[:, [0]])
    found = scores_of(model, X, 1)
    np.testing.assert_array_equal(found, model.predict_proba(X))
    assert ((found > 0.5) == model.predict(X)).all()
