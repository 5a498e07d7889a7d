"""The same scores wherever the rows are counted, and when a worker is killed."""

import os
import signal
import time
from os import getenv

import numpy as np
import pytest
from scipy import sparse

from labelsift.engine import engine_by_name
from labelsift.read import read_blocks
from labelsift.select import SPEC, Chi2, InfoGain, MultiLabelFStatistic
from labelsift.statistics import coded_rows, counts

RNG = np.random.default_rng(11)
X = np.round(RNG.normal(size=(120, 6)), 1)
Y = (RNG.random((120, 4)) < 0.3).astype(np.uint8)
COUNTS = [
    Chi2(),
    Chi2(discretize="mean", aggregate="max"),
    InfoGain(discretize="equal_frequency", n_bins=4),
    InfoGain(discretize="none", aggregate="min"),
    Chi2(discretize="mdl"),  # rows have to be kept
]
MOMENTS = [SPEC(), MultiLabelFStatistic()]


@pytest.fixture(scope="module")
def dask_engine():
    pytest.importorskip("distributed", reason="Dask is not installed")
    engine = engine_by_name("dask", n_workers=2)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def processes():
    return engine_by_name("processes", n_workers=2)


@pytest.fixture(params=["inline", "processes", "dask_engine"])
def engine(request):
    if request.param == "inline":
        return engine_by_name("inline")
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("selector", COUNTS, ids=str)
def test_counts_are_the_same_everywhere(engine, selector):
    expected = selector.fit(X, Y)
    scores, order = expected.scores_.copy(), expected.order_.copy()
    for rows in (17, 120):
        blocks = read_blocks((X, Y), block_rows=rows)
        found = selector.fit_blocks(blocks, engine=engine)
        np.testing.assert_array_equal(found.scores_, scores)
        np.testing.assert_array_equal(found.order_, order)


@pytest.mark.parametrize("selector", MOMENTS, ids=str)
def test_moments_are_the_same_but_for_rounding(engine, selector):
    for Z in (X, sparse.csr_array(X * (np.abs(X) > 0.8))):
        scores = selector.fit(Z, Y).scores_.copy()
        blocks = read_blocks((Z, Y), block_rows=17)
        found = selector.fit_blocks(blocks, engine=engine)
        np.testing.assert_allclose(found.scores_, scores, rtol=1e-12)


def test_blocks_that_only_this_process_has_are_sent(engine):
    blocks = [(X[:50], Y[:50]), (sparse.csr_array(X[50:]), Y[50:])]
    found = Chi2().fit_blocks(blocks, engine=engine)
    np.testing.assert_array_equal(found.scores_, Chi2().fit(X, Y).scores_)


def test_missing_values_are_left_out_of_the_first_reading(engine):
    Z = X.copy()
    Z[::7, 2] = np.nan
    Z[:60, 4] = np.nan  # nothing is known in some blocks
    for how in ("equal_width", "equal_frequency", "mean", "median"):
        selector = InfoGain(discretize=how)
        scores = selector.fit(Z, Y).scores_.copy()
        found = selector.fit_blocks(read_blocks((Z, Y), block_rows=20), engine=engine)
        np.testing.assert_array_equal(found.scores_, scores)


def test_an_error_in_a_block_is_raised_as_it_is(engine):
    Z = X.copy()
    Z[100, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        Chi2(discretize="presence").fit_blocks(
            read_blocks((Z, Y), block_rows=17), engine=engine
        )


def test_a_path_is_read_by_fit_blocks(tmp_path):
    np.savez(tmp_path / "a.npz", X=X, Y=Y)
    found = Chi2().fit_blocks(tmp_path / "a.npz")
    np.testing.assert_array_equal(found.scores_, Chi2().fit(X, Y).scores_)


class KillsOnce:
    """A part whose reading kills the process that reads it, the first time."""

    def __init__(self, part, flag, parent):
        self.part, self.flag, self.parent = part, flag, parent

    def blocks(self):
        if not self.flag.exists() and os.getpid() != self.parent:
            self.flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from self.part.blocks()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["processes", "dask_engine"])
def test_a_killed_worker_changes_nothing(request, tmp_path, name):
    engine = request.getfixturevalue(name)
    blocks = read_blocks((X, Y), block_rows=10)
    flag = tmp_path / "killed"
    third = KillsOnce(blocks.parts[3], flag, os.getpid())
    blocks.parts = (*blocks.parts[:3], third, *blocks.parts[4:])
    found = Chi2(discretize="presence").fit_blocks(blocks, engine=engine)
    assert flag.exists()
    expected = Chi2(discretize="presence").fit(X, Y)
    np.testing.assert_array_equal(found.scores_, expected.scores_)


def slow_sum(table, task):
    flag, number, parent = task
    if number == 2 and not flag.exists() and os.getpid() != parent:
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01)
    return float(table.sum()) + number


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize(
    ("name", "in_order"), [("processes", True), ("dask_engine", False)]
)
def test_tasks_of_a_killed_worker_are_done_again(request, tmp_path, name, in_order):
    engine = request.getfixturevalue(name)
    shared = engine.share(np.ones(5))
    tasks = [(tmp_path / "killed", number, os.getpid()) for number in range(6)]
    found = list(engine.run(slow_sum, shared, tasks, in_order=in_order))
    assert (tmp_path / "killed").exists()
    assert (found if in_order else sorted(found)) == [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]


def test_a_cluster_started_here_listens_on_loopback_only(dask_engine):
    assert dask_engine.address.startswith("tcp://127.0.0.1:")
    workers = list(dask_engine._client.nthreads())
    assert all(name.startswith("tcp://127.0.0.1:") for name in workers)


def test_workers_started_here_keep_freed_memory(dask_engine):
    name = "MALLOC_TRIM_THRESHOLD_"
    assert list(dask_engine.run(getenv, name, [None])) == [os.environ.get(name)]


def test_a_running_cluster_is_used_by_address(dask_engine):
    found = Chi2().fit_blocks(
        read_blocks((X, Y), block_rows=30), engine="dask", address=dask_engine.address
    )
    np.testing.assert_array_equal(found.scores_, Chi2().fit(X, Y).scores_)
    assert dask_engine.n_workers >= 1  # it goes on


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"engine": "spark"}, "is not one of inline, processes, dask"),
        ({"engine": "processes", "address": "tcp://x:1"}, "give engine='dask'"),
        ({"engine": "inline", "n_workers": 2}, "give engine='processes'"),
        ({"engine": "processes", "n_workers": 0}, "at least 1; found 0"),
        ({"max_memory": 0}, "at least 1 byte"),
        (
            {"engine": "dask", "address": "tcp://127.0.0.1:1", "n_workers": 2},
            "leave n_workers= out",
        ),
    ],
)
def test_wrong_engines_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Chi2().fit_blocks(read_blocks((X, Y)), **arguments)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("discretize", ["presence", "none", "equal_width"])
@pytest.mark.parametrize("kind", [Chi2, InfoGain])
def test_rows_on_disk_give_the_bits_of_rows_in_memory(
    monkeypatch, kind, discretize, container
):
    Z = container(X * (np.abs(X) > 0.8))
    labels = sparse.csr_array(Y)
    selector = kind(discretize=discretize)
    expected = selector.fit(Z, labels).scores_.copy()
    monkeypatch.setattr(counts, "TABLE_LIMIT", 0)
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", 300)
    for limit in (1, None):
        found = selector.fit_blocks(
            read_blocks((Z, labels), block_rows=17), max_memory=limit
        )
        rows = found._statistic.coded()
        on_disk = [type(part).__name__ for part in rows._features]
        assert ("_OnDisk" in on_disk) == (limit == 1)
        assert len(list(rows.ranges())) > 1
        np.testing.assert_allclose(found.scores_, expected, rtol=1e-12, atol=1e-15)
        if kind is Chi2:
            np.testing.assert_array_equal(found.scores_, expected)


def test_a_bad_value_is_named_by_its_row_among_all():
    Z = X.copy()
    Z[73, 2] = np.nan
    blocks = read_blocks((Z, Y), block_rows=50)
    with pytest.raises(ValueError, match="row 73, column 2"):
        Chi2(discretize="presence").fit_blocks(blocks)
    selector = Chi2(discretize="presence").fit_blocks(read_blocks((X, Y)))
    assert not hasattr(selector, "_rows_before")


def test_an_unknown_class_is_named_without_its_type():
    blocks = [(X[:2], np.array(["a", "b"])), (X[2:4], np.array(["a", "c"]))]
    with pytest.raises(ValueError, match=r"y holds 'c', which is not in classes\."):
        Chi2().fit_blocks(blocks, classes=["a", "b"])
