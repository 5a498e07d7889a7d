import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import KFold

from labelsift.cli.compare_text import dry_run_text
from labelsift.encode import inject_missing
from labelsift.evaluate import PlanError, ResultStore, cross_validate, run_plan
from labelsift.evaluate.estimate import estimate
from labelsift.evaluate.plan import parse_plan
from labelsift.evaluate.plan_run import load_data, stored_comparison, survey
from labelsift.read import Dataset, load_dataset
from labelsift.report.again_section import python_lines
from labelsift.report.choice import contests
from labelsift.report.paper_page import paper_page
from labelsift.score.cost import generate_test_costs
from labelsift.select import CSIG
from plan_tools import numbers, write_data

MISSING = """\
sizes = [2, 5]
metrics = ["hamming_loss", "average_precision"]
seed = 3
folds = { n_splits = 3, n_repeats = 2 }

[data.one]
path = "one.npz"
missing = { rate = 0.1, mechanism = "mnar", seeds = [4, 9] }

[selectors.tolerance]
method = "tolerance_rough_set"

[classifiers.trees]
method = "sklearn.ensemble:RandomForestClassifier"
settings = { n_estimators = 3 }
"""
COSTS = """\
sizes = [2, 5]
metrics = ["hamming_loss"]
folds = { n_splits = 3 }

[data.one]
path = "one.npz"
costs = { distribution = "pareto", seeds = [0, 1, 2] }

[selectors.csig]
method = "csig"

[selectors.chi2]
method = "chi2"

[classifiers.mlknn]
method = "mlknn"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_data(folder)
    return folder


def run(text, folder, **options):
    with ResultStore.in_memory() as store:
        return run_plan(parse_plan(text, folder=folder), store, **options)


def mistakes(text, folder):
    with pytest.raises(PlanError) as caught:
        parse_plan(text, name="p.toml", folder=folder)
    return "\n".join(caught.value.mistakes)


def test_each_seed_of_missing_values_is_a_repetition_with_its_own_shuffle(folder):
    found = run(MISSING, folder).results[0]
    data = load_dataset(folder / "one.npz")
    plan = parse_plan(MISSING, folder=folder)
    cells = []
    # two repetitions for each draw: shuffles 3 and 4, then 5 and 6
    for seed, shuffle in ((4, 3), (9, 5)):
        holed = inject_missing(data, 0.1, "mnar", random_state=seed)
        assert np.isnan(holed.X).sum() == 48
        cells += cross_validate(
            plan.selectors,
            plan.classifiers,
            holed,
            grid=[2, 5],
            cv=3,
            n_repeats=2,
            metrics=plan.metrics,
            random_state=shuffle,
        ).cells
    key = [(c.selector, c.n_features, c.values) for c in cells]
    assert [(c.selector, c.n_features, c.values) for c in found.cells] == key
    assert [(f.number, f.repeat, f.fold, f.seed) for f in found.folds] == [
        (number, number // 3, number % 3, 3 + number // 3) for number in range(12)
    ]
    assert [c.fold for c in found.cells_of("tolerance", "trees", 2)] == [*range(12)]
    assert found.settings["treatment"] == (
        "10 % of the values deleted (mnar, 2 draws, seeds 4, 9)"
    )


def test_a_draw_more_computes_only_that_draw(folder):
    one = MISSING.replace("seeds = [4, 9]", "seed = 4")
    with ResultStore.in_memory() as store:
        plan = parse_plan(one, folder=folder)
        run_plan(plan, store)
        before = len(store)
        plan = parse_plan(MISSING, folder=folder)
        loaded = load_data(plan)
        (missing,) = survey(plan, loaded, store)
        assert missing.n_missing * 2 == missing.n_fits
        guess = estimate(plan, loaded, [missing], store)
        assert guess.n_unknown == 0
        said = dry_run_text(plan, [missing], guess, 1)
        words = "; 10 % of the values deleted (mnar, 2 draws, seeds 4, 9)"
        assert f" to go{words}\n" in said
        half = stored_comparison(plan, store, loaded)
        assert half.broken == {"one": "not computed yet"}
        seen = []
        run_plan(plan, store, loaded=loaded, watcher=Watcher(seen))
        assert len(store) == 2 * before
        assert seen[-1] == (missing.n_fits, missing.n_fits)
        assert seen == sorted(seen)
        assert numbers(stored_comparison(plan, store, loaded)) == numbers(
            run(MISSING, folder)
        )


class Watcher:
    def __init__(self, seen):
        self.seen = seen

    def start(self, dataset):
        pass

    def __call__(self, done, total):
        self.seen.append((done, total))

    def watch(self, cell):
        pass


def test_costs_of_each_seed_reach_the_selectors_that_weigh_them(folder):
    comparison = run(COSTS, folder)
    found = comparison.results[0]
    data = load_dataset(folder / "one.npz")
    rows = np.arange(60)
    for draw in range(3):
        costs = generate_test_costs(8, "pareto", random_state=draw)
        (ranking,) = [
            r for r in found.rankings if r.selector == "csig" and r.fold == 3 * draw
        ]
        fold = found.folds[3 * draw]
        assert fold.seed == draw
        train, _ = next(KFold(3, shuffle=True, random_state=draw).split(rows))
        alone = CSIG(costs=costs.tolist()).fit(data.X[train], data.Y[train])
        np.testing.assert_array_equal(ranking.order, alone.order_)
    assert found.selectors["csig"].text == "CSIG()"
    page = paper_page(comparison, [])
    words = "; test costs drawn from 1 to 100 (pareto, 3 draws, seeds 0 to 2)"
    assert f"9 folds, 2 sizes{words}" in page
    assert found.settings["draws"] == 3


def test_a_method_that_fails_in_one_draw_is_left_out_of_all(folder):
    # SelectKBest takes no missing values; with one draw of costs nothing is missing
    text = MISSING + (
        '[selectors.best]\nmethod = "sklearn.feature_selection:SelectKBest"\n'
    )
    found = run(text, folder)
    (results,) = found.results
    assert list(results.selectors) == ["tolerance"]
    (line,) = found.failed()
    assert line.startswith("one: best failed in 12 of 12 folds: ValueError: Input X")


def test_rows_are_a_sample_that_grows_with_their_number(folder):
    text = COSTS.replace("costs = {", "rows = 40\nmissing = { rate = 0.5 }\ncosts = {")
    (few,) = load_data(parse_plan(text, folder=folder))
    (more,) = load_data(parse_plan(text.replace("40", "50"), folder=folder))
    assert few.dataset.X.shape == (40, 8)
    assert np.isnan(few.dataset.X).sum() == 160
    small = {row.tobytes() for row in few.undrawn.X}
    assert small < {row.tobytes() for row in more.undrawn.X}
    other = text.replace("rows = 40", "rows = { count = 40, seed = 8 }")
    (other,) = load_data(parse_plan(other, folder=folder))
    assert {row.tobytes() for row in other.undrawn.X} != small
    (whole,) = load_data(parse_plan(text.replace("40", "600"), folder=folder))
    assert whole.dataset.n_samples == 60
    assert whole.note == "rows = 600, but it has 60: all are used."
    assert "sample" not in str(whole.treatment)  # the report does not claim one
    assert (few.note, "a sample of 40 rows" in str(few.treatment)) == ("", True)


def test_given_splits_follow_the_sample(folder, tmp_path):
    data = load_dataset(folder / "one.npz")
    data.save(tmp_path / "one.npz")
    (tmp_path / "folds.txt").write_text("0\n1\n2\n" * 20)
    text = COSTS.replace("folds = { n_splits = 3 }", 'folds = { kind = "given" }')
    text = text.replace('path = "one.npz"', 'path = "one.npz"\nfolds = "folds.txt"')
    text = text.replace("costs = {", "rows = 30\ncosts = {")
    (loaded,) = load_data(parse_plan(text, folder=tmp_path))
    fold_of = {row.tobytes(): i % 3 for i, row in enumerate(data.X)}
    for number, (train, test) in enumerate(loaded.splits):
        assert {fold_of[loaded.dataset.X[i].tobytes()] for i in test} == {number}
        assert sorted([*train, *test]) == [*range(30)]
    found = run(text, tmp_path).results[0]
    assert [(f.repeat, f.fold) for f in found.folds[:4]] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
    ]
    few = text.replace("rows = 30", "rows = 2")
    (broken,) = load_data(parse_plan(few, folder=tmp_path))
    assert "a sample of 2 rows leaves nothing to" in broken.error


def test_a_sparse_table_is_made_dense_for_missing_values(tmp_path, folder):
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, 8), density=0.3, rng=rng, format="csr")
    data = load_dataset(folder / "one.npz")
    Dataset(X, data.Y, data.feature_names, data.label_names).save(tmp_path / "one.npz")
    (loaded,) = load_data(parse_plan(MISSING, folder=tmp_path))
    assert np.isnan(loaded.dataset.X).sum() == 48
    np.testing.assert_array_equal(
        np.isnan(loaded.draw(1).X),
        np.isnan(inject_missing(X.toarray(), 0.1, "mnar", random_state=9)),
    )


def test_the_lines_of_the_report_make_the_first_draw(folder, monkeypatch):
    monkeypatch.chdir(folder)
    text = MISSING.replace("missing = {", "rows = 40\nmissing = {").replace(
        "[selectors", 'costs = { distribution = "normal", seeds = [1, 2] }\n[selectors'
    )
    results = run(text, folder).results[0]
    (loaded,) = load_data(parse_plan(text, folder=folder))
    best = contests(results, "hamming_loss")[0]
    lines = python_lines(loaded.dataset, results, best)
    start = lines[: lines.index("results = ")]
    space = {}
    exec(start, space)
    np.testing.assert_array_equal(space["data"].X, loaded.dataset.X)
    np.testing.assert_array_equal(space["data"].test_costs, loaded.dataset.test_costs)
    assert "# this is draw 1 of 2" in start


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rate = 0.1", "rate = 1.0", "missing: rate is 1.0; it must be more than 0"),
        ("rate = 0.1, ", "", "missing: rate is needed"),
        ("rate = 0.1", 'rate = "a"', "p.toml line 8: "),
        ('"mnar"', '"none"', 'mechanism "none" is not known. Known: mcar, mar, mnar'),
        ("[4, 9]", "[4, 4]", "seeds holds a seed twice"),
        ("[4, 9]", "[]", "seeds must be a list of 1 to 1000 whole numbers"),
        ("[4, 9]", "[-1]", "a seed must lie between 0 and 4294967295; found -1"),
        ("seeds =", "seed = 1, seeds =", "give seed or seeds, not both"),
        ("seeds =", "draws =", '"draws" in [data.one.missing] is not known'),
        ("{ rate = 0.1,", "0.1 #", "missing must be a table such as { rate = 0.05"),
    ],
)
def test_a_mistake_about_missing_values_is_named_with_its_line(
    folder, old, new, message
):
    found = mistakes(MISSING.replace(old, new), folder)
    assert message in found
    assert found.startswith("p.toml line 8: ")
    assert found.count("p.toml line ") == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{ distribution = "flat" }', 'distribution "flat" is not known. Known: unif'),
        ('{ distribution = "pareto", low = 9, high = 1 }', "costs need 0 <= low <= hi"),
        ('{ distribution = "pareto", alpha = 1 }', '"alpha" in [data.one.costs] is no'),
        ('{ distribution = "uniform", high = inf }', "drawn up to 1e+15"),
        ("true", 'a table by name, or { distribution = "uniform", seed = 0 }'),
    ],
)
def test_a_mistake_about_drawn_costs_is_named(folder, given, message):
    text = COSTS.replace('{ distribution = "pareto", seeds = [0, 1, 2] }', given)
    assert message in mistakes(text, folder)


def test_costs_and_missing_values_are_drawn_in_pairs(folder):
    text = COSTS.replace(
        "costs = {", "missing = { rate = 0.1, seeds = [0, 1] }\ncosts = {"
    )
    assert "missing and costs have 2 and 3 seeds" in mistakes(text, folder)
    assert "rows must be a number of rows to draw, 2 or more" in mistakes(
        COSTS.replace("costs = {", "rows = 1\ncosts = {"), folder
    )


def test_a_feature_may_be_called_distribution(folder):
    text = COSTS.replace(
        '{ distribution = "pareto", seeds = [0, 1, 2] }', "{ distribution = 3.0 }"
    )
    plan = parse_plan(text, folder=folder)
    assert plan.data["one"].options["costs"] == {"distribution": 3.0}
    assert plan.data["one"].treatment.costs is None
