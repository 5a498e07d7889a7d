from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import SelectFpr, SelectKBest
from sklearn.model_selection import KFold

from labelsift.cli.compare_progress import PlanProgress
from labelsift.evaluate import (
    PlanError,
    Results,
    ResultStore,
    cross_validate,
    performance_path,
    run_plan,
)
from labelsift.evaluate._notes import own_sizes_in_words
from labelsift.evaluate.estimate import estimate
from labelsift.evaluate.plan import parse_plan
from labelsift.evaluate.plan_run import load_data, stored_comparison, survey
from labelsift.learn import BRkNN, MLkNN, RAkEL
from labelsift.read import load_dataset
from labelsift.report import write_comparison, write_report
from labelsift.report.again_section import python_lines
from labelsift.report.choice import contests
from labelsift.select import CSIG, Chi2, ToleranceRoughSet
from plan_tools import numbers, write_data

PLAN = """\
sizes = [1, 4]
metrics = ["hamming_loss"]
seed = 3
folds = { n_splits = 3 }

[data.one]
path = "one.npz"

[data.two]
path = "two.npz"

[selectors.chi2]

[selectors.tolerance]
method = "tolerance_rough_set"
sizes = "own"
settings = { lam = 0.4, n_features_to_select = 3 }

[selectors.csig]
sizes = "own"
settings = { threshold = -0.5 }

[classifiers.mlknn]
sizes = "all"
settings = { n_neighbors = 5 }

[classifiers.brknn]
sizes = "all"

[classifiers.rakel]
sizes = { steps = 3 }

[classifiers.powerset]
method = "label_powerset"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_data(folder)
    return folder


@pytest.fixture(scope="module")
def whole(folder):
    with ResultStore.in_memory() as store:
        plan = parse_plan(PLAN, folder=folder)
        return run_plan(plan, store)


def mistakes(text, folder):
    with pytest.raises(PlanError) as caught:
        parse_plan(text, name="p.toml", folder=folder)
    return "\n".join(caught.value.mistakes)


def test_each_classifier_has_its_own_sizes(whole):
    one, two = whole.results  # of 8 and 6 features
    assert one.sizes_of("chi2", "mlknn") == (1, 2, 3, 4, 5, 6, 7, 8)
    assert one.sizes_of("chi2", "rakel") == (2, 5, 8)
    assert two.sizes_of("chi2", "rakel") == (2, 4, 6)
    assert two.sizes_of("chi2", "powerset") == (1, 4)
    assert one.sizes == (1, 2, 3, 4, 5, 6, 7, 8)
    # chi2, then tolerance and csig at their own size
    assert one.n_tried == 8 + 8 + 3 + 2 + 2 * 4
    with pytest.raises(KeyError, match=r"5 features were not measured; sizes: 1, 4\."):
        two.cells_of("chi2", "powerset", 5)


def test_a_cell_is_the_same_whatever_else_is_measured(folder, whole):
    data = load_dataset(folder / "one.npz")
    alone = cross_validate(
        {"chi2": Chi2()}, {"rakel": RAkEL()}, data, grid=[5], cv=3,
        metrics=["hamming_loss"], random_state=3,
    )  # fmt: skip
    assert [c.values for c in alone.cells_of("chi2", "rakel", 5)] == [
        c.values for c in whole.results[0].cells_of("chi2", "rakel", 5)
    ]


def test_what_a_selector_keeps_is_what_the_classifier_gets(folder, whole):
    data = load_dataset(folder / "one.npz")
    results = whole.results[0]
    kept = results.kept_by_itself("csig")
    (size,) = results.sizes_of("csig", "mlknn")
    assert len(set(kept)) > 1  # else the mean would prove nothing
    assert size == round(sum(kept) / 3)
    rankings = [r for r in results.rankings if r.selector == "csig"]
    for ranking, split in zip(rankings, given_splits(60, 3), strict=True):
        train, test = split
        selector = CSIG(threshold=-0.5).fit(data.X[train], data.Y[train])
        columns = selector.get_support(indices=True)
        assert ranking.n_kept == len(columns)
        assert sorted(ranking.kept(1)) == columns.tolist()
        model = MLkNN(n_neighbors=5).fit(data.X[train][:, columns], data.Y[train])
        wrong = model.predict(data.X[test][:, columns]) != data.Y[test]
        (cell,) = [
            c for c in results.cells_of("csig", "mlknn", size) if c.fold == ranking.fold
        ]
        assert cell.n_features == len(columns)
        assert cell.values["hamming_loss"] == pytest.approx(wrong.mean(), abs=1e-12)
    assert results.kept_by_itself("tolerance") == [3, 3, 3]
    assert results.kept_by_itself("chi2") == []


def given_splits(n, k):
    return list(KFold(k, shuffle=True, random_state=3).split(np.zeros(n)))


def test_nothing_is_computed_twice_and_everything_is_counted(folder):
    with ResultStore.in_memory() as store:
        plan = parse_plan(PLAN, folder=folder)
        loaded = load_data(plan)
        found = survey(plan, loaded, store)
        # three rankings; chi2 at 21 and 17 sizes; two methods and all features with
        # four classifiers
        assert [s.n_fits for s in found] == [3 * (3 + 21 + 12), 3 * (3 + 17 + 12)]
        assert [s.n_missing for s in found] == [s.n_fits for s in found]
        guess = estimate(plan, loaded, found, store)
        assert guess.n_unknown == 0
        assert guess.seconds > 0
        first = run_plan(plan, store, loaded=loaded)
        count = len(store)
        assert [s.n_missing for s in survey(plan, loaded, store)] == [0, 0]
        again = stored_comparison(plan, store, loaded)
        assert len(store) == count
        assert numbers(first) == numbers(again)
        assert [r.kept_by_itself("csig") for r in again.results] == [
            r.kept_by_itself("csig") for r in first.results
        ]


def test_the_bar_counts_an_own_size_as_one_over_the_folds(folder, whole):
    plan = parse_plan(PLAN, folder=folder)
    progress = PlanProgress(plan, [], quiet=True)
    progress.start("one")
    for cell in whole.results[0].cells:
        if cell.selector == "csig" and cell.classifier == "mlknn":
            progress.watch(cell)
    assert progress.best().startswith("one: csig, mlknn leads with its own features (")


def test_saved_results_know_the_sizes_again(whole, tmp_path):
    results = whole.results[0]
    again = Results.load(results.save(tmp_path / "r.json"))
    assert again.own_size == ("tolerance", "csig")
    assert again.kept_by_itself("csig") == results.kept_by_itself("csig")
    assert again.summary().rows == results.summary().rows
    assert again.selectors == results.selectors


def test_reports_and_python_lines_tell_of_sizes_of_their_own(folder, whole, tmp_path):
    datasets = {n: load_dataset(folder / f"{n}.npz") for n in ("one", "two")}
    page = write_comparison(
        whole, tmp_path / "all.html", datasets=datasets, command="x"
    ).read_text()
    assert "Features kept by methods that say themselves how many" in page
    assert "4.7 (4 to 5)" in page
    for results in whole.results:
        text = write_report(
            results, datasets[results.dataset], tmp_path / "one.html"
        ).read_text()
        assert "tolerance 3.0 (3)" in text
    results = whole.results[0]
    best = next(c for c in contests(results, "hamming_loss") if c.selector == "csig")
    lines = python_lines(datasets["one"], results, best)
    assert "own_size=['tolerance', 'csig']," in lines
    assert "'rakel': [2, 5, 8]" in lines
    assert "kept = data.take_features(selector.get_support(indices=True))" in lines
    call = lines[lines.index("results = ") :].replace("FOLDER", "")
    space = {"data": datasets["one"]}
    imports = [line for line in lines.split("\n") if line.startswith("from ")]
    exec("\n".join(imports) + "\n" + call, space)
    assert values_of(space["results"]) == values_of(results)
    assert space["kept"].X.shape == (60, space["selector"].n_features_)


def values_of(results):
    return {
        (c.selector, c.classifier, c.fold, c.n_features): c.values
        for c in results.cells
    }


def test_only_own_sizes_need_no_grid(folder, tmp_path):
    data = load_dataset(folder / "one.npz")
    one = replace(data, Y=data.Y[:, :1], label_names=["a"])
    results = cross_validate(
        {"best": SelectKBest(k=2), "tolerance": ToleranceRoughSet()},
        {"mlknn": MLkNN(5), "brknn": BRkNN(5)},
        one,
        cv=3,
        own_size=["best", "tolerance"],
        metrics=["hamming_loss"],
    )
    assert results.sizes == ()
    assert results.sizes_of("best", "brknn") == (2,)
    assert "best 2.0 (2)" in " ".join(results.notes())
    assert results.verdict()
    assert results._repr_html_()
    results.to_frame()
    page = write_report(results, one, tmp_path / "own.html").read_text()
    assert "Features kept by methods that say themselves how many" in page
    assert "grid=None" in page
    with pytest.raises(TypeError, match="ExtraTreesClassifier keeps no number of feat"):
        cross_validate(
            {"trees": ExtraTreesClassifier(3)},
            MLkNN(5),
            data,
            cv=3,
            own_size=["trees"],
        )
    with pytest.raises(ValueError, match="own_size names 'best'; the selectors are: x"):
        cross_validate({"x": Chi2()}, MLkNN(5), data, cv=3, own_size=["best"])
    with pytest.raises(TypeError, match="own_size must be a list of names"):
        cross_validate({"x": Chi2()}, MLkNN(5), data, cv=3, own_size="x")


def test_a_grid_for_each_classifier_in_python(folder):
    data = load_dataset(folder / "one.npz")
    path = performance_path(
        {"chi2": Chi2()},
        {"mlknn": MLkNN(5), "rakel": RAkEL()},
        data,
        grid={"mlknn": "all", "rakel": [0.5]},
        cv=3,
        metrics=["hamming_loss"],
    )
    assert path.sizes_of("chi2", "mlknn") == tuple(range(1, 9))
    assert path.sizes_of("chi2", "rakel") == (4,)
    assert path.best_size("chi2", "rakel") == 4
    with pytest.raises(ValueError, match="names of the classifiers, MLkNN; found brk"):
        cross_validate(Chi2(), MLkNN(5), data, grid={"brknn": [1]}, cv=3)


def test_a_share_of_the_features_is_not_cut_by_the_noise_of_floats(folder):
    found = cross_validate(
        Chi2(), BRkNN(5), np.random.default_rng(0).normal(size=(40, 100)),
        np.arange(40) % 2, grid=[0.29], cv=2,
    )  # fmt: skip
    assert found.sizes == (29,)


def test_a_selector_that_keeps_nothing_fails_with_its_name(folder):
    data = load_dataset(folder / "one.npz")
    found = cross_validate(
        {"none": SelectFpr(alpha=1e-300), "chi2": Chi2()},
        MLkNN(5),
        replace(data, Y=data.Y[:, :1], label_names=["a"]),
        cv=3,
        own_size=["none", "chi2"],
        on_error="record",
    )
    assert found.failures[0].error == "ValueError: SelectFpr keeps no feature."
    assert found.own_size == ("none", "chi2")
    assert list(found.selectors) == ["chi2"]
    assert found.n_tried == 1
    assert "none" not in own_sizes_in_words(found)


TREES = """
[selectors.trees]
sizes = "own"
method = "sklearn.ensemble:ExtraTreesClassifier"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"label_powerset"', '"label_powerset"\nsizes = "own"', "only a selector has"),
        ('sizes = "own"', "sizes = [3]", 'sizes of a selector can be "own"'),
        ("{ steps = 3 }", "{ steps = 0 }", "such as { steps = 20 }; found 0."),
        ("{ steps = 3 }", "{ step = 3 }", '"step" in [classifiers.rakel.sizes] is'),
        ("{ steps = 3 }", "[]", "of features, or { steps = 20 }; found []."),
        (
            "[selectors.chi2]",
            "[selectors.chi2]\nsettings = { n_features_to_select = 2 }",
            'What a selector keeps by itself is measured with sizes = "own"',
        ),
        ("[selectors.chi2]", TREES, "ExtraTreesClassifier keeps no number of feat"),
    ],
)
def test_a_mistake_about_sizes_is_named(folder, old, new, message):
    assert message in mistakes(PLAN.replace(old, new, 1), folder)


def test_ranges_of_sizes_are_all_their_numbers():
    plan = parse_plan(
        'sizes = ["2..4", 7]\n[data.x]\ngenerate = { n_features = 5 }\n'
        "[selectors.chi2]\n[classifiers.mlknn]\n"
    )
    assert plan.sizes == [2, 3, 4, 7]
    (data,) = load_data(plan)
    assert data.sizes == {"mlknn": (2, 3, 4)}
    assert data.note.endswith("sizes above are left out: 7.")
    (data,) = load_data(parse_plan(plan.text.replace('"2..4", 7', '"1..7"')))
    assert (data.sizes, data.note) == ({"mlknn": (1, 2, 3, 4, 5)}, "")
    for wrong in ("0..4", "5..4", "1..99999", "1...4"):
        with pytest.raises(PlanError, match=r'ranges of them \("1\.\.50"\)'):
            parse_plan(plan.text.replace("2..4", wrong))
