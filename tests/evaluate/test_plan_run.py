import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

import plan_tools
from labelsift.engine import InlineEngine, Lost
from labelsift.evaluate import ResultStore, cross_validate, run_plan
from labelsift.evaluate._content_key import _source, estimator_key
from labelsift.evaluate._remember import NOT_COMPUTED
from labelsift.evaluate.estimate import estimate
from labelsift.evaluate.plan import parse_plan
from labelsift.evaluate.plan_run import load_data, survey
from labelsift.read import Dataset, load_dataset
from labelsift.select import Chi2
from plan_tools import PLAN, numbers, write_data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_data(folder)
    return folder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "r.sqlite"


def run(text, folder, path, **options):
    with ResultStore(path) as store:
        return run_plan(parse_plan(text, folder=folder), store, **options)


def count(
    path, query="SELECT COUNT(*) FROM result WHERE run = (SELECT MAX(run) FROM result)"
):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchone()[0]
    finally:
        connection.close()


@pytest.fixture(scope="module")
def whole(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "r.sqlite"
    return run(PLAN, folder, path), path


def test_the_numbers_are_those_of_cross_validate(folder, whole):
    plan = parse_plan(PLAN, folder=folder)
    found = []
    for name, sizes in (("one", [2, 5, 1.0]), ("two", [2, 5, 1.0])):
        dataset = load_dataset(folder / f"{name}.npz")
        results = cross_validate(
            plan.selectors,
            plan.classifiers,
            dataset,
            grid=sizes,
            cv=3,
            n_repeats=2,
            metrics=plan.metrics,
            random_state=3,
            dataset_name=name,
        )
        found += results.rows()

    class Rows:
        def rows(self):
            return found

    assert numbers(whole[0]) == numbers(Rows())
    assert whole[0].is_whole
    assert whole[0].failed() == []


def test_a_second_start_computes_nothing(folder, whole):
    comparison, path = whole
    before = count(path, "SELECT COUNT(*) FROM result")
    again = run(PLAN, folder, path)
    assert numbers(again) == numbers(comparison)
    assert count(path, "SELECT MAX(run) FROM result") == 1
    assert count(path, "SELECT COUNT(*) FROM result") == before
    # times come from the store as well, so that the results are the same in all
    assert [r.seconds for r in again.results[0].rankings] == [
        r.seconds for r in comparison.results[0].rankings
    ]


def test_two_processes_give_the_same_numbers(folder, whole, path):
    assert numbers(run(PLAN, folder, path, n_jobs=2)) == numbers(whole[0])


def test_a_changed_plan_computes_only_what_is_new(folder, path):
    run(PLAN, folder, path)
    more = PLAN.replace("n_neighbors = 5", "n_neighbors = 4")
    found = run(more, folder, path)
    # per fold of one: 8 columns, sizes 2, 5, 8; of two: 6 columns, sizes 2, 5, 6
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT DISTINCT kind, method, settings FROM result WHERE run = 2"
    ).fetchall()
    connection.close()
    assert rows == [("measurement", "mlknn", "MLkNN(n_neighbors=4)")]
    assert found.is_whole
    # the same settings under another name and in another order are no news
    renamed = more.replace("[selectors.trees]", "[selectors.forest]").replace(
        "[data.two]", "[data.zwei]"
    )
    again = run(renamed, folder, path)
    assert count(path, "SELECT MAX(run) FROM result") == 2
    assert again.datasets == ("one", "zwei")
    # another repetition leaves the first two alone
    run(renamed.replace("n_repeats = 2", "n_repeats = 3"), folder, path)
    connection = sqlite3.connect(path)
    repeats = connection.execute("SELECT DISTINCT repeat FROM result WHERE run = 4")
    assert repeats.fetchall() == [(2,)]
    connection.close()


def test_other_data_are_computed_anew(tmp_path, path):
    write_data(tmp_path)
    text = PLAN[: PLAN.index("[data.two]")] + PLAN[PLAN.index("[selectors.chi2]") :]
    first = run(text, tmp_path, path)
    data = load_dataset(tmp_path / "one.npz")
    X = data.X.copy()
    X[0, 0] += 1
    replace(data, X=X).save(tmp_path / "one.npz")
    second = run(text, tmp_path, path)
    assert count(path, "SELECT COUNT(*) FROM result WHERE run = 2") > 0
    fresh = run(text, tmp_path, path.with_name("new.sqlite"))
    assert numbers(second) == numbers(fresh)
    assert numbers(second) != numbers(first)


def test_the_source_of_a_selector_of_ones_own_counts(tmp_path, monkeypatch):
    source = tmp_path / "own_one.py"
    monkeypatch.syspath_prepend(tmp_path)
    source.write_text(
        "from sklearn.base import BaseEstimator\n"
        "class Own(BaseEstimator):\n"
        "    def __init__(self, inner=None):\n"
        "        self.inner = inner\n"
    )
    import own_one

    def keys():
        _source.cache_clear()  # each run reads the source once
        own = own_one.Own()
        return estimator_key(own), estimator_key(Chi2()), estimator_key(SVC(kernel=own))

    first, again = keys(), keys()
    assert first == again
    source.write_text(source.read_text() + "    # changed\n")
    own, chi2, nested = keys()
    assert own != first[0]
    assert nested != first[2]
    assert chi2 == first[1]


def test_settings_that_cannot_be_described_are_like_no_other():
    assert estimator_key(SVC(kernel=abs)) == estimator_key(SVC(kernel=abs))
    one, other = estimator_key(SVC(kernel=lambda: 1)), estimator_key(SVC(kernel="rbf"))
    assert one != estimator_key(SVC(kernel=lambda: 1))
    assert one != other
    assert estimator_key(Chi2(n_bins=5)) != estimator_key(Chi2(n_bins=6))
    assert estimator_key(SVC(C=1)) != estimator_key(SVC(C=True))
    arrays = [SVC(class_weight=np.arange(3.0) + i) for i in (0, 0, 1)]
    a, b, c = map(estimator_key, arrays)
    assert a == b != c


def test_damaged_results_are_computed_again(folder, whole, path):
    run(PLAN, folder, path)
    connection = sqlite3.connect(path)
    damages = [
        "{", "[]", "{}", "null", '"x"', '{"order": [0, 0, 1], "scores": null}',
        '{"order": "abc", "scores": null, "seconds": 1, "warnings": {}}',
        '{"values": {"hamming_loss": "x"}}', "[" * 100_000,
    ]  # fmt: skip
    keys = [k for (k,) in connection.execute("SELECT key FROM result ORDER BY key")]
    changed = keys[:: max(1, len(keys) // 60)]
    with connection:
        for i, key in enumerate(changed):
            connection.execute(
                "UPDATE result SET content = ? WHERE key = ?",
                (damages[i % len(damages)], key),
            )
    connection.close()
    assert numbers(run(PLAN, folder, path)) == numbers(whole[0])
    n_again = count(path, "SELECT COUNT(*) FROM result WHERE run = 2")
    assert n_again == len(changed)


def test_a_broken_file_and_a_failing_selector_stop_nothing_else(folder, whole, path):
    (folder / "broken.arff").write_text("@relation x\n@attribute a {0,1\n@data\n")
    text = PLAN + (
        '[data.broken]\npath = "broken.arff"\nlabels = 1\n'
        '[selectors.bad]\nmethod = "plan_tools:Fails"\n'
    )
    found = run(text, folder, path)
    assert not found.is_whole
    assert numbers(found) == numbers(whole[0])
    failed = found.failed()
    assert len(failed) == 3
    assert failed[0].startswith("broken: ")
    assert "broken.arff" in failed[0]
    assert failed[1].startswith(
        "one: bad failed in 6 of 6 folds: ArithmeticError: it never works"
    )
    assert count(path, "SELECT COUNT(*) FROM result WHERE error IS NOT NULL") == 12
    # what failed is tried again, what did not is not
    run(text, folder, path)
    assert count(path, "SELECT COUNT(*) FROM result WHERE run = 2") == 12


def test_a_plan_in_which_all_fails_has_no_results(folder, path):
    text = PLAN[: PLAN.index("[selectors.chi2]")] + PLAN[PLAN.index("[classifiers") :]
    found = run(text + '[selectors.bad]\nmethod = "plan_tools:Fails"\n', folder, path)
    assert found.results == ()
    assert set(found.broken) == {"one", "two"}
    assert "bad failed: ArithmeticError: it never works" in found.broken["one"]
    assert found.standings() == []


def test_sizes_that_do_not_fit_are_left_out_and_said(folder, path):
    text = PLAN.replace('[2, 5, "100%"]', "[2, 7]")
    found = run(text, folder, path)
    assert [r.sizes for r in found.results] == [(2, 7), (2,)]
    assert found.notes == (
        "two: it has 6 features, so that sizes above are left out: 7.",
    )
    found = run(text.replace("[2, 7]", "[8]"), folder, path)
    assert found.broken == {"two": "no size fits its 6 features."}


def test_folds_that_do_not_fit_the_data_are_said(folder, path):
    found = run(PLAN.replace("n_splits = 3", "n_splits = 61"), folder, path)
    assert found.broken["one"].startswith("cv must be at least 2 and at most the 60")


def test_hold_out_and_given_splits(folder, path, tmp_path):
    hold_out = PLAN.replace("n_splits = 3", 'kind = "hold-out"\ntest_size = 0.25')
    found = run(hold_out, folder, path)
    assert [(f.n_train, f.n_test) for f in found.results[0].folds] == [(45, 15)] * 2
    folds = PLAN.replace("n_splits = 3\nn_repeats = 2", 'kind = "given"')
    (folder / "folds.txt").write_text("0 1 " * 30)
    folds = folds.replace('one.npz"', 'one.npz"\nfolds = "folds.txt"')
    folds = folds.replace('two.npz"', 'two.npz"\ntest = "two.npz"')
    found = run(folds, folder, path)
    assert [(f.n_train, f.n_test) for f in found.results[0].folds] == [(30, 30)] * 2
    assert [(f.n_train, f.n_test) for f in found.results[1].folds] == [(60, 60)]


def test_stratified_folds_are_those_of_cross_validate(folder, path):
    text = PLAN.replace("n_splits = 3", "n_splits = 3\nstratify = true")
    assert run(text, folder, path).results[0].settings["stratify"] == "iterative"


def test_the_survey_counts_what_is_missing(folder, path):
    plan = parse_plan(PLAN, folder=folder)
    loaded = load_data(plan)
    with ResultStore(path) as store:
        first = survey(plan, loaded, store)
        # 6 folds: 3 rankings, and 2 classifiers on 3 x 3 sizes and all features
        assert [s.n_fits for s in first] == [6 * (3 + 2 * 10)] * 2
        # all features count with each fold's classifiers, too
        assert [s.n_missing for s in first] == [s.n_fits for s in first]
        assert {f.error for f in first[0].missing} == {NOT_COMPUTED}
        assert len(store) == 0
        guess = estimate(plan, loaded, first, store)
        assert guess.n_unknown == 0
        assert 0 < guess.seconds < 600
        run_plan(plan, store, loaded=loaded[:1])
        second = survey(plan, loaded, store)
        assert [s.n_missing for s in second] == [0, first[1].n_fits]
        run_plan(plan, store, loaded=loaded)
        third = survey(plan, loaded, store)
        assert [s.n_missing for s in third] == [0, 0]
        assert estimate(plan, loaded, third, store).seconds == 0


def test_the_estimate_takes_known_times_and_counts_what_it_cannot_know(folder, path):
    text = PLAN + '[selectors.bad]\nmethod = "plan_tools:Fails"\n'
    plan = parse_plan(text, folder=folder)
    loaded = load_data(plan)
    with ResultStore(path) as store:
        run_plan(plan, store, loaded=loaded)
        found = survey(plan, loaded, store)
        assert [s.n_missing for s in found] == [6 * (1 + 2 * 3)] * 2
        guess = estimate(plan, loaded, found, store)
    # the rankings of the selector that fails have no time, what builds on them has
    assert guess.n_unknown == 12
    assert guess.seconds > 0


def test_standings_are_mean_ranks_with_ties_shared(whole):
    comparison, _ = whole
    standings = comparison.standings()
    assert len(standings) == 6
    values, _ = comparison.values()
    assert comparison.ranks().sum(axis=1).tolist() == [21.0, 21.0]
    assert standings == sorted(standings, key=lambda s: s.mean_rank)
    best = comparison.results[0].best()
    column = [str(m) for m in comparison.methods()].index(
        f"{best.selector}, {best.classifier}"
    )
    assert values[0, column] == best.mean["hamming_loss"] == values[0].min()
    with pytest.raises(ValueError, match="not measured"):
        comparison.values("coverage")


def test_the_watcher_sees_all(folder, path):
    class Watcher:
        def __init__(self):
            self.names, self.last, self.cells = [], {}, 0

        def start(self, dataset):
            self.names.append(dataset)

        def __call__(self, done, total):
            assert done >= self.last.get(self.names[-1], (0, 0))[0]
            self.last[self.names[-1]] = done, total

        def watch(self, cell):
            self.cells += 1

    watcher = Watcher()
    found = run(PLAN, folder, path, watcher=watcher)
    assert watcher.names == ["one", "two"]
    assert set(watcher.last.values()) == {(138, 138)}
    assert watcher.cells == sum(len(r.cells) for r in found.results)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_three_kills_lose_at_most_the_cell_in_flight(tmp_path):
    write_data(tmp_path)
    marks = tmp_path / "marks"
    slow = (
        '[selectors.slow]\nmethod = "plan_tools:Slow"\n'
        f"settings = {{ seconds = 0.3, marks = '{marks}' }}\n"
    )
    start = PLAN[: PLAN.index("[data.two]")]
    text = start + slow + PLAN[PLAN.index("[classifiers.mlknn]") :]
    code = (
        "import sys; sys.path.insert(0, sys.argv[3])\n"
        "from labelsift.evaluate import ResultStore, run_plan\n"
        "from labelsift.evaluate.plan import parse_plan\n"
        "if __name__ == '__main__':\n"
        "    with ResultStore(sys.argv[1]) as store:\n"
        "        plan = parse_plan(sys.argv[4], folder=sys.argv[2])\n"
        "        run_plan(plan, store, n_jobs=int(sys.argv[5]))\n"
    )
    script = tmp_path / "run.py"
    script.write_text(code)
    path = tmp_path / "r.sqlite"
    words = [
        sys.executable, script, path, tmp_path, os.path.dirname(plan_tools.__file__),
        text,
    ]  # fmt: skip

    def kept():
        if not path.exists():
            return 0
        try:
            return count(path, "SELECT COUNT(*) FROM result WHERE kind = 'ranking'")
        except sqlite3.OperationalError:  # the table is not there yet
            return 0

    kills = 0
    for goal, n_jobs in ((1, 1), (3, 2), (5, 1)):
        process = subprocess.Popen([*words, str(n_jobs)])
        try:
            deadline = time.monotonic() + 120
            while kept() < goal and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        finally:
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
    assert kills == 3
    n_before = kept()
    assert 5 <= n_before <= 6
    done = subprocess.run([*words, "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    n_fits = len(marks.read_text().split())
    # each kill may cost what was in flight, and nothing more; two processes have two
    # more tasks waiting, which they may still do
    assert 6 <= n_fits <= 6 + 1 + 4 + 1
    clean = run(text, tmp_path, tmp_path / "clean.sqlite")
    again = run(text, tmp_path, path)
    assert numbers(again) == numbers(clean)


def test_the_estimate_tries_selectors_that_need_costs_with_them(folder, path):
    start = PLAN.index("[selectors.chi2]")
    chosen = "[selectors.budgeted_groups]\nsettings = { budget = 3 }\n\n"
    text = PLAN[:start] + chosen + PLAN[PLAN.index("[classifiers") :]
    text = text[: text.index("[data.two]")] + text[text.index(chosen) :]
    text = text.replace('"one.npz"', f'"one.npz"\ncosts = {[1.0] * 8}')
    plan = parse_plan(text, folder=folder)
    loaded = load_data(plan)
    with ResultStore(path) as store:
        found = survey(plan, loaded, store)
        assert [s.n_missing for s in found] == [6 * (1 + 2 * 4)]
        assert estimate(plan, loaded, found, store).n_unknown == 0


def test_sparse_data_give_the_numbers_of_dense_data(tmp_path, path):
    rng = np.random.default_rng(2)
    X = np.where(rng.random((60, 7)) < 0.5, 0, rng.integers(1, 5, (60, 7))).astype(
        float
    )
    Y = (X[:, :2] > 1).astype(np.uint8)
    from scipy import sparse

    names = [f"x{i}" for i in range(7)]
    Dataset(X, Y, names, ["a", "b"]).save(tmp_path / "one.npz")
    Dataset(sparse.csr_array(X), Y, names, ["a", "b"]).save(tmp_path / "two.npz")
    found = run(PLAN, tmp_path, path)
    one, two = (r.summary(sizes="all").rows for r in found.results)
    assert [row.mean for row in one] == [row.mean for row in two]


class Losing(InlineEngine):
    """Lose the first task of every run, as if its process had died."""

    def run(self, function, shared, tasks, *, in_order=True):
        for number, result in enumerate(super().run(function, shared, tasks)):
            yield result if number else Lost(tasks[0], "its process died")


def test_what_died_with_its_worker_is_kept_as_failed_and_tried_again(
    folder, path, whole, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr("labelsift.evaluate.plan_run.engine_for", lambda _: Losing())
        found = run(PLAN, folder, path)
    errors = [f.error for results in found.results for f in results.failures]
    errors += list(found.broken.values())
    assert errors
    assert all("WorkerDied: its process died" in error for error in errors)
    assert count(path, "SELECT COUNT(*) FROM result WHERE error LIKE 'WorkerDied%'")
    again = run(PLAN, folder, path)
    assert numbers(again) == numbers(whole[0])


def test_costs_of_the_data_decide_and_are_part_of_what_is_remembered(folder, path):
    start = PLAN.index("[selectors.chi2]")
    text = PLAN[:start] + "[selectors.csig]\n\n" + PLAN[PLAN.index("[classifiers") :]
    costs = [9.0] + [1.0] * 7
    with_costs = text.replace('"one.npz"', f'"one.npz"\ncosts = {costs}')
    free = run(text, folder, path)
    paid = run(with_costs, folder, path)
    # "one" is ranked anew in each of six folds, "two" is as it was.
    assert count(path, "SELECT COUNT(*) FROM result WHERE kind = 'ranking'") == 18
    with ResultStore(path) as store:
        plan = parse_plan(with_costs, folder=folder)
        (one, two) = survey(plan, load_data(plan), store)
        assert (one.n_missing, two.n_missing) == (0, 0)
    # costs from 0 (1.0) to 1 (9.0) are taken off
    pairs = zip(free.results[0].rankings, paid.results[0].rankings, strict=True)
    for before, after in pairs:
        dearer = np.eye(8)[0]
        np.testing.assert_allclose(before.scores - after.scores, dearer, atol=1e-9)
    assert numbers(replace(paid, results=paid.results[1:])) == numbers(
        replace(free, results=free.results[1:])
    )
    assert paid.results[0].selectors["csig"].settings["costs"] == costs
