import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB

from labelsift.evaluate import PlanError, load_data, read_plan
from labelsift.evaluate._plan_costs import with_costs
from labelsift.evaluate._plan_places import places
from labelsift.evaluate.plan import parse_plan
from labelsift.read import Dataset, ReadError
from labelsift.select import CSIG, SPEC, Chi2, LabelTransform

GOOD = """\
sizes = [2, 0.5, "100%"]
metrics = ["hamming_loss", "one_error"]

[folds]
n_splits = 4
n_repeats = 3

[data.toy]
path = "toy.npz"

[selectors.chi2]
grid = { aggregate = ["mean", "max"] }

[selectors.s]
method = "spec"

[classifiers.mlknn]
settings = { n_neighbors = 5 }

[classifiers.bayes]
method = "sklearn.multioutput:MultiOutputClassifier"

[classifiers.bayes.settings.estimator]
method = "sklearn.naive_bayes:GaussianNB"
settings = { var_smoothing = 1e-6 }
"""


@pytest.fixture
def folder(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 4))
    names = [f"x{i}" for i in range(4)]
    Dataset(X, X[:, :2] > 0, names, ["a", "b"]).save(tmp_path / "toy.npz")
    return tmp_path


def mistakes(text, folder):
    with pytest.raises(PlanError) as caught:
        parse_plan(text, name="p.toml", folder=folder)
    return list(caught.value.mistakes)


def test_an_alias_is_a_method_with_settings(folder):
    text = GOOD.replace(
        "[selectors.s]\n", "[selectors.igmf]\nsettings = {n_bins = 4}\n[selectors.s]\n"
    )
    found = parse_plan(text, name="p.toml", folder=folder).selectors["igmf"]
    assert isinstance(found, LabelTransform)
    assert (found.measure, found.n_bins) == ("symmetrical_uncertainty", 4)
    wrong = text.replace("selectors.igmf", "selectors.igfm")
    assert 'Did you mean "igmf"?' in mistakes(wrong, folder)[0]
    wrong = GOOD.replace("[classifiers.mlknn]", "[classifiers.igmf]")
    assert (
        'classifier "igmf" is not known: that is a selector.'
        in mistakes(wrong, folder)[0]
    )
    wrong = GOOD.replace("[selectors.s]", "[selectors.mlknn]\n[selectors.s]")
    assert (
        'selector "mlknn" is not known: that is a classifier.'
        in mistakes(wrong, folder)[0]
    )


def test_a_good_plan_says_what_to_run(folder):
    (folder / "my plan.toml").write_text(GOOD)
    plan = read_plan(folder / "my plan.toml")
    assert plan.title == "my plan"
    assert list(plan.selectors) == [
        "chi2 (aggregate mean)",
        "chi2 (aggregate max)",
        "s",
    ]
    assert isinstance(plan.selectors["chi2 (aggregate max)"], Chi2)
    assert plan.selectors["chi2 (aggregate max)"].aggregate == "max"
    assert isinstance(plan.selectors["s"], SPEC)
    assert plan.classifiers["mlknn"].n_neighbors == 5
    bayes = plan.classifiers["bayes"]
    assert isinstance(bayes, MultiOutputClassifier)
    assert isinstance(bayes.estimator, GaussianNB)
    assert bayes.estimator.var_smoothing == 1e-6
    assert plan.sizes == [2, 0.5, 1.0]
    assert (plan.folds.n_splits, plan.folds.n_repeats) == (4, 3)
    assert str(plan.folds) == "3 x 4 folds"
    assert plan.data["toy"].load()[0].name == "toy"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"spec"', '"spce"', 15, 'selector "spce" is not known. Did you mean "spec"?'),
        ("[selectors.chi2]", "[selectors.chi3]", 11, 'Did you mean "chi2"?'),
        ("n_neighbors", "n_neighbours", 18, 'Did you mean "n_neighbors"?'),
        ("n_neighbors = 5", "n_neighbors = 0", 18, "MLkNN: "),
        ("n_neighbors = 5", "n_neighbors = 2020-01-01", 18, "a date is no setting"),
        ('"max"]', '"maximum"]', 12, "Chi2: "),
        ('"max"]', '"mean"]', 12, 'the grid makes "chi2 (aggregate mean)" more'),
        ('["mean", "max"]', '"mean"', 12, "aggregate must be a list"),
        ("grid = {", "grids = {", 12, 'Did you mean "grid"?'),
        ("n_splits = 4", "n_splits = 1", 5, "n_splits must be 2 or more"),
        ("n_splits = 4", "n_splits = true", 5, "n_splits must be a whole number"),
        ("n_splits = 4", "splits = 4", 5, '"splits" in [folds] is not known'),
        ("n_splits = 4", 'kind = "holdout"', 5, 'Did you mean "hold-out"?'),
        ("n_splits = 4", 'kind = "hold-out"\ntest_size = 1', 6, "between 0 and 1"),
        ("n_splits = 4", "n_splits = 4\nkind = 3", 6, "kind must be text; found 3"),
        ("[2, 0.5", "[0, 0.5", 1, "numbers of features from 1 (30)"),
        ("[2, 0.5", "[2, 1.5", 1, "found 1.5"),
        ('"100%"]', '"all"]', 1, 'found "all"'),
        ('[2, 0.5, "100%"]', "7", 1, "sizes must be"),
        ('"one_error"', '"one_eror"', 2, 'Did you mean "one_error"?'),
        ('"one_error"', '"hamming_loss"', 2, "more than once"),
        ('"toy.npz"', '"toys.npz"', 9, "path: there is no file"),
        ('path = "toy.npz"', "paths = 3", 9, 'Did you mean "path"?'),
        ('path = "toy.npz"', 'path = "toy.npz"\nlabels = 2.5', 10, "labels must be"),
        ('path = "toy.npz"', 'path = "toy.npz"\ntest = "x.csv"', 10, "no file"),
        ("[data.toy]\npath", "[data.emotoins]\n#", 8, 'Did you mean "emotions"?'),
        (":GaussianNB", ":GausianNB", 24, 'has no class "GausianNB"'),
        ("naive_bayes:", "naive-bayes:", 24, "is no import path"),
        ("sklearn.multio", "sklaern.multio", 21, "could not be imported"),
        ("var_smoothing", "smoothing", 25, 'no setting "smoothing"'),
        ("sizes", "size", 1, '"size" is not known. Did you mean "sizes"?'),
        ("sizes", "seed = -1\nsizes", 1, "seed must lie between 0 and"),
        ("sizes", "sizes == 3 #", 1, "this is no TOML"),
        ("n_neighbors = 5", "method = 5", 18, 'no setting "method"'),
    ],
)
def test_a_mistake_is_named_with_its_line(folder, old, new, line, message):
    assert old in GOOD
    found = mistakes(GOOD.replace(old, new, 1), folder)
    hits = [text for text in found if message in text]
    assert hits, found
    assert all(text.startswith(f"p.toml line {line}: ") for text in hits)


def test_every_mistake_is_listed_in_the_order_of_the_lines(folder):
    text = GOOD.replace('"spec"', '"spce"').replace("n_splits", "n_slpits")
    text = text.replace("one_error", "two_error").replace("[2,", "[-2,")
    found = mistakes(text, folder)
    assert [m.partition(":")[0] for m in found] == [
        f"p.toml line {n}" for n in (1, 2, 5, 15)
    ]


def test_parts_that_are_missing_or_no_tables_are_named(folder):
    assert mistakes("", folder) == [
        f"p.toml line 1: the plan must name {kind}, each in a table [{kind}.NAME]."
        for kind in ("data", "selectors", "classifiers")
    ]
    found = mistakes("data.x = 1\nselectors.x = 2\nclassifiers.x = []", folder)
    assert [m.partition(": ")[2] for m in found] == [
        f"x must be a table: [{kind}.x]."
        for kind in ("data", "selectors", "classifiers")
    ]


def test_a_size_of_a_selector_has_no_part_in_a_comparison(folder):
    text = GOOD.replace('"spec"', '"spec"\nsettings = { n_features_to_select = 3 }')
    assert (
        "n_features_to_select has no part in a comparison" in mistakes(text, folder)[0]
    )
    text = GOOD.replace(
        'method = "spec"',
        'method = "sklearn.feature_selection:RFE"\n'
        "settings = { n_features_to_select = 1, estimator = { method = "
        '"sklearn.tree:DecisionTreeClassifier" } }',
    )
    assert parse_plan(text, folder=folder).selectors["s"].n_features_to_select == 1


def test_a_classifier_without_scores_is_refused_before_it_runs(folder):
    text = GOOD.replace("sklearn.multioutput:MultiOutputClassifier", "labelsift.x:Y")
    assert "could not be imported" in mistakes(text, folder)[0]
    text = GOOD[: GOOD.index("[classifiers.bayes]")]
    text += '[classifiers.p]\nmethod = "sklearn.linear_model:Perceptron"\n'
    assert parse_plan(text, folder=folder)  # it has decision_function
    text = text.replace("linear_model:Perceptron", "neighbors:NearestCentroid")
    assert parse_plan(text, folder=folder)
    text = text.replace("neighbors:NearestCentroid", "linear_model:LinearRegression")
    found = mistakes(text, folder)
    assert "LinearRegression has neither predict_proba" in found[0]
    assert found[0].startswith("p.toml line 20: ")


def test_nothing_but_estimators_is_made_from_an_import_path(folder, monkeypatch):
    called = []
    monkeypatch.setattr("subprocess.Popen.__init__", lambda *a, **k: called.append(a))
    monkeypatch.setattr("os.system", called.append)
    for path, message in (
        ("subprocess:Popen", "is no scikit-learn estimator"),
        ("os:system", '"os" has no class "system"'),
        ("builtins:eval", '"builtins" has no class "eval"'),
        ("__import__('os'):x", "is no import path"),
        ("os.path:join", "has no class"),
        ("spec()", "is not known"),
    ):
        text = GOOD.replace('"spec"', f'"{path}"\nsettings = {{ args = "ls" }}')
        assert any(message in m for m in mistakes(text, folder)), path
    assert called == []


def test_a_module_that_fails_on_import_is_a_mistake(folder, monkeypatch):
    (folder / "broken_module.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(folder)
    text = GOOD.replace('"spec"', '"broken_module:X"')
    assert "(ZeroDivisionError: division by zero)" in mistakes(text, folder)[0]


def test_a_file_that_is_no_plan_is_refused(tmp_path):
    with pytest.raises(ReadError, match="there is no such file"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(ReadError, match="found a folder"):
        read_plan(tmp_path)
    path = tmp_path / "plan.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ReadError, match="UTF-8"):
        read_plan(path)
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ReadError, match="at most 1000000 bytes"):
        read_plan(path)
    with pytest.raises(PlanError, match="no TOML"):
        parse_plan("x = " + "[" * 100_000)


def test_lines_are_found_through_every_form_of_toml():
    text = '''# comment
a = [
  1, # ] in a comment
  2,
]

[b."c d"]
e.f = """
[not.a.table]
x = 1
"""
g = { h = { i = 1 } }
[[k]]
l = 1
[b.m]
n = 2'''
    assert places(text) == {
        (): 1,
        ("a",): 2,
        ("b",): 7,
        ("b", "c d"): 7,
        ("b", "c d", "e"): 8,
        ("b", "c d", "e", "f"): 8,
        ("b", "c d", "g"): 12,
        ("b", "c d", "g", "h"): 12,
        ("b", "c d", "g", "h", "i"): 12,
        ("k",): 13,
        ("k", "l"): 14,
        ("b", "m"): 15,
        ("b", "m", "n"): 16,
    }


@given(st.text(max_size=200))
def test_any_text_is_a_plan_or_a_list_of_mistakes(text):
    with pytest.raises(PlanError) as caught:
        parse_plan(text)
    assert all(m.startswith("plan") for m in caught.value.mistakes)


def test_given_splits_need_a_file_of_test_rows_or_fold_numbers(folder):
    text = GOOD.replace("n_splits = 4\nn_repeats = 3", 'kind = "given"')
    assert '[data.toy] needs test = "FILE"' in mistakes(text, folder)[0]
    (folder / "folds.txt").write_text("1 2 3 4 5 " * 4)
    with_folds = text.replace('"toy.npz"', '"toy.npz"\nfolds = "folds.txt"')
    _, splits = parse_plan(with_folds, folder=folder).data["toy"].load()
    assert [test.tolist() for _, test in splits] == [
        [i, i + 5, i + 10, i + 15] for i in range(5)
    ]
    assert all(set(a) | set(b) == set(range(20)) for a, b in splits)
    with_test = text.replace('"toy.npz"', '"toy.npz"\ntest = "toy.npz"')
    whole, ((train, test),) = parse_plan(with_test, folder=folder).data["toy"].load()
    assert whole.n_samples == 40
    assert (train.tolist(), test.tolist()) == (list(range(20)), list(range(20, 40)))
    both = with_folds.replace('folds.txt"', 'folds.txt"\ntest = "toy.npz"')
    assert "give test or folds, not both" in mistakes(both, folder)[0]
    assert (
        "is for given splits"
        in mistakes(GOOD.replace('"toy.npz"', '"toy.npz"\ntest = "toy.npz"'), folder)[0]
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 2", "each of the 20 rows, found 2"),
        ("1 " * 20, "in one fold"),
        ("a", "whole"),
    ],
)
def test_fold_numbers_that_do_not_fit_are_refused(folder, content, message):
    (folder / "folds.txt").write_text(content)
    text = GOOD.replace("n_splits = 4\nn_repeats = 3", 'kind = "given"')
    text = text.replace('"toy.npz"', '"toy.npz"\nfolds = "folds.txt"')
    with pytest.raises(ReadError, match=message):
        parse_plan(text, folder=folder).data["toy"].load()


COSTS = GOOD.replace("[selectors.s]", "[selectors.csig]\n[selectors.s]")


def with_data(line):
    return COSTS.replace('path = "toy.npz"\n', f'path = "toy.npz"\n{line}\n')


@pytest.mark.parametrize(
    "line",
    [
        'costs = "costs.csv"',
        "costs = [1.0, 0, 2.5, 4]",
        "costs = { x3 = 4, x0 = 1.0, x1 = 0, x2 = 2.5 }",
    ],
)
def test_costs_of_a_plan_reach_the_selectors_that_weigh_them(folder, line):
    (folder / "costs.csv").write_text("feature,cost\nx1,0\nx0,1\nx2,2.5\nx3,4\n")
    plan = parse_plan(with_data(line), folder=folder)
    dataset, _ = plan.data["toy"].load()
    assert dataset.test_costs.tolist() == [1.0, 0.0, 2.5, 4.0]
    told = with_costs(plan.selectors, dataset)
    assert list(told) == list(plan.selectors)
    assert told["csig"].costs == [1.0, 0.0, 2.5, 4.0]
    assert plan.selectors["csig"].costs is None
    assert told["s"] is plan.selectors["s"]
    by_hand = CSIG(costs=[1, 0, 2.5, 4]).fit(dataset.X, dataset.Y)
    fitted = told["csig"].fit(dataset.X, dataset.Y)
    assert (fitted.order_ == by_hand.order_).all()
    free = CSIG().fit(dataset.X, dataset.Y)
    assert (fitted.scores_ != free.scores_).any()


def test_costs_in_the_settings_of_a_selector_stand(folder):
    own = COSTS.replace(
        "[selectors.csig]", "[selectors.csig]\nsettings = { costs = [1, 1, 1, 2] }"
    )
    text = own.replace('path = "toy.npz"', 'path = "toy.npz"\ncosts = [4, 4, 4, 4]')
    plan = parse_plan(text, folder=folder)
    dataset, _ = plan.data["toy"].load()
    assert with_costs(plan.selectors, dataset)["csig"].costs == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('costs = "no.csv"', "costs: there is no file"),
        ('costs = "bad.csv"', "bad.csv line 2: the cost of 'x1' must be a number of 0"),
        ('costs = "empty.csv"', "expected lines feature,cost; found none"),
        (
            "costs = [1, -2]",
            "the cost number 2 must be a number of 0 or more, at most 1e+100; found -2",
        ),
        (
            "costs = [1, true]",
            "number 2 must be a number of 0 or more, at most 1e+100; found true",
        ),
        ("costs = { x1 = inf }", 'the cost of "x1" must be a number of 0 or more'),
        ("costs = 3", "costs must be a CSV file of feature,cost lines, a list of num"),
    ],
)
def test_wrong_costs_are_found_before_anything_runs(folder, line, message):
    (folder / "bad.csv").write_text("x0,1\nx1,-3\n")
    (folder / "empty.csv").write_text("feature,cost\n")
    found = mistakes(with_data(line), folder)
    assert len(found) == 1
    assert found[0].startswith("p.toml line 10: ")
    assert message in found[0]


@pytest.mark.parametrize(
    ("line", "setting", "message"),
    [
        (
            "costs = [1, 2]",
            "",
            "p.toml line 10: costs must hold one number for each of the 4 features of "
            "'toy'; found 2. Give all, in column order, or by name.",
        ),
        (
            "costs = { x0 = 1, x1 = 2, x3 = 0 }",
            "",
            "p.toml line 10: costs are missing for 'x2' (3 costs for the 4 features of "
            "'toy'); give 0 where it is free.",
        ),
        (
            'costs = "five.csv"',
            "",
            "five.csv line 5: costs name 'x9', which is no feature (5 costs for the 4 "
            "features of 'toy')",
        ),
        (
            "",
            "[1, 2, 3, 4, 5]",
            "p.toml line 16: costs must hold one number for each of the 4 features of "
            "'toy'; found 5. Leave it out here and give costs in [data.toy].",
        ),
    ],
)
def test_costs_of_other_features_are_a_mistake_of_the_plan(
    folder, line, setting, message
):
    (folder / "five.csv").write_text("x0,1\nx1,1\nx2,1\nx3,1\nx9,1\n")
    text = with_data(line)
    if setting:
        text = text.replace(
            "[selectors.csig]", f"[selectors.csig]\nsettings = {{ costs = {setting} }}"
        )
    plan = parse_plan(text, name="p.toml", folder=folder)
    with pytest.raises(PlanError) as caught:
        load_data(plan)
    (found,) = caught.value.mistakes
    assert message in found


def test_costs_of_a_step_may_be_those_of_fewer_columns(folder):
    text = GOOD.replace(
        '[selectors.s]\nmethod = "spec"',
        "[selectors.s]\nsteps = [\n"
        '  { method = "chi2", settings = { n_features_to_select = 2 } },\n'
        '  { method = "csig", settings = { costs = [1, 2] } },\n]',
    )
    (loaded,) = load_data(parse_plan(text, folder=folder))
    assert loaded.error == ""


def test_a_budget_needs_costs_with_every_data_set(folder):
    (folder / "toy.arff").write_text(
        "@relation toy\n@attribute x0 numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n"
    )
    text = COSTS.replace("toy.npz", "toy.arff").replace(
        "[selectors.csig]", "[selectors.csig]\nsettings = { budget = 3.0 }"
    )
    text = text.replace('toy.arff"', 'toy.arff"\nlabels = 1')
    (found,) = mistakes(text, folder)
    assert "budget needs costs, and [data.toy] has none: give costs" in found
    parse_plan(text.replace("labels = 1", "labels = 1\ncosts = [2]"), folder=folder)
    wrong = text.replace("labels = 1", "labels = 1\ncosts = [-2]")
    (found,) = mistakes(wrong, folder)
    assert "must be a number of 0 or more, at most 1e+100; found -2" in found
